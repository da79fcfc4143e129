"""Every row of a menu means itself, in whatever shape mail programs and people copy it; prose means nothing."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from engine.games import GAMES
from engine.lookahead import MenuRow
from service.mail.render.text import fold
from service.play.preview import menu_rows
from service.play.views import Viewer
from tests.support.letter_corpus import compose_reply, meaning, viewer_at
from tests.support.random_matches import played

SHAPES = (
    "{n}",
    "{n}. {line}",
    "{n}  {line} – {said}",
    "{n}\t{line}\t{said}",
    "{n} {said} {line}",
    "({n})",
    "*{n}*",
    "{n} thanks",
    "My move: {n}",
    "{n} ({line})",
    "Bonjour, {n}",
    "{line} please",
    "{said}",
    "{wide}",
    "Je prends le {n}",
    "I take number {n}",
)
FULL_WIDTH = {ord("0") + digit: ord("\uff10") + digit for digit in range(10)}
SHOWN, POSITIONS, ROWS = 40, 24, 4
PROSE = (
    "I resign myself to losing",
    "pas question d'abandonner",
    "What a lovely evening it was",
    "Thanks for the game, you play well",
    "I will answer tomorrow morning",
    "Je réponds demain, promis",
    "Which card did you take?",
    "Should I play 3?",
    "I'd play 3 but 4 is fine",
    "not 3",
    "3 or 4",
    "3 days left",
    "3 more turns and I win",
    "See you at 3 pm",
    "Rendez-vous à 3 h",
    "1/2 price at the shop",
    "Il reste 2 cartes, non ?",
    "On passe à table, je réponds après",
    "Draw your own conclusions",
    "I pass by your house on Monday",
    "Il faut que je passe te voir",
    "Play nicely!",
    "Take care of yourself",
    "Prends soin de toi",
    "Let me think about it",
    "Bravo, bien joué",
    "?!",
    "Sent while walking 2 dogs",
    "A: how are you? B: fine",
)


def _positions(slug: str) -> list[Viewer]:
    """Moments from all over random matches in which a seat is asked."""
    game = GAMES[slug]
    found = []
    for seats in game.rules.seats[-2:]:
        moments = [moment for moment in played(slug, seats, 5).moments if moment.seat >= 0]
        chosen = Random(f"{slug} {seats}").sample(moments, min(POSITIONS // 2, len(moments)))
        found += [
            viewer_at(game, moment.state, moment.seat, "fr" if at % 2 else "en") for at, moment in enumerate(chosen)
        ]
    return found


def _menu(viewer: Viewer) -> list[tuple[int, MenuRow]]:
    """Return the rows of the menu as emails number them."""
    return list(enumerate(menu_rows(viewer, islice(viewer.options(), SHOWN)), 1))


@pytest.mark.parametrize("slug", GAMES)
def test_a_row_of_the_menu_means_itself_in_every_shape(slug: str) -> None:
    random = Random(slug)
    for viewer in _positions(slug):
        menu = _menu(viewer)
        for number, row in random.sample(menu, min(ROWS, len(menu))):
            for shape in SHAPES:
                wide = str(number).translate(FULL_WIDTH)
                text = shape.format(n=number, line=row.line, said=row.sentence, wide=wide)
                found = meaning(compose_reply(text), viewer)
                assert found == {"lines": [*row.lines]}, text


@pytest.mark.parametrize("slug", GAMES)
def test_a_row_copied_up_to_a_line_break_means_itself(slug: str) -> None:
    random = Random(slug)
    for viewer in _positions(slug)[::2]:
        menu = _menu(viewer)
        for number, option in random.sample(menu, min(ROWS, len(menu))):
            row = f"{number}  {option.line} – {option.sentence}"
            for width in (24, 40, 66):
                broken = fold(row, "", "", width)
                for text in (broken[0], "\n".join(broken), f"> 1 {option.line}\n\n{broken[0]}"):
                    found = meaning(compose_reply(text), viewer)
                    assert found.get("lines", [*option.lines]) == [*option.lines], (text, found)
                    assert "lines" in found or len(broken[0].split()) < 3, (text, found)
            other = next((each for each, _ in menu if each != number), None)
            if other is not None:
                assert "lines" not in meaning(compose_reply(row.replace(str(number), str(other), 1)), viewer), row


@pytest.mark.parametrize("slug", GAMES)
def test_prose_moves_nothing_in_any_game(slug: str) -> None:
    for viewer in _positions(slug)[::3]:
        for text in PROSE:
            found = meaning(compose_reply(text), viewer)
            assert found.keys() & {"refusal", "asked"}, (text, found)


@pytest.mark.parametrize("slug", GAMES)
def test_a_move_with_a_question_mark_is_a_question(slug: str) -> None:
    for viewer in _positions(slug)[::4]:
        for number, option in _menu(viewer)[:3]:
            for text in (f"{option.line}?", f"{number}?", f"{number} {option.line} ?", f"{option.line} ?!"):
                assert meaning(compose_reply(text), viewer).keys() & {"refusal", "asked"}, text
            assert meaning(compose_reply(f"{number}\n\nHow are you?"), viewer) == {"lines": [*option.lines]}


@pytest.mark.parametrize("slug", GAMES)
def test_a_quoted_row_moves_nothing_in_any_game(slug: str) -> None:
    for viewer in _positions(slug)[::4]:
        for number, option in _menu(viewer)[:5]:
            row = f"{number}  {option.line} – {option.sentence}"
            for plain, html in (
                (f"> {row}", ""),
                (f"On 15/01/2027 09:00, Echtra wrote:\n> {row}\n", ""),
                ("", f"<blockquote>{row}</blockquote>"),
                (f"-----Original Message-----\nFrom: Echtra\nSent: today\n\n{row}", ""),
                ("", f'<div id="divRplyFwdMsg"></div><table><tr><td>{number}</td><td>{option.line}</td></tr></table>'),
            ):
                assert "refusal" in meaning(compose_reply(plain, html), viewer), (plain, html)
