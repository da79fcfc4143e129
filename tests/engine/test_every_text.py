"""Texts and pictures of every game: tables, menus and stories, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from engine.game import CHANCE, HOUSE, Seal, apply, legal, seal, to_act
from engine.games import GAMES
from engine.house import Pause
from engine.picture import Box, Disc, Text, extent, flat
from engine.task import MOST_LETTERS
from engine.words import LOCALES
from tests.skeleton_game import GAME as SKELETON
from tests.support.random_matches import ALL_TABLES, played, viewers

COLUMNS = 78
WIDER = {"tir-na-nog": 100, "bardwood-grove": 100}  # a Saga is drawn card beside card, a map region beside region

every_table = pytest.mark.parametrize(("slug", "seats"), ALL_TABLES)


@every_table
def test_views_read_well_in_both_languages(slug: str, seats: int) -> None:
    game = GAMES[slug]
    for seed in range(3):
        match = played(slug, seats, seed)
        for state in (*(moment.state for moment in match.some(12, seed)), match.end):
            for viewer in viewers(state):
                view = game.rules.view(state, viewer)
                texts = [game.presentation.text(view, locale) for locale in LOCALES]
                assert texts[0] != texts[1]
                for text in texts:
                    assert text.strip()
                    assert max(map(len, text.splitlines())) <= WIDER.get(slug, COLUMNS)
                    assert not re.search(r"[{}\t]| \n", text)


@every_table
def test_long_names_do_not_widen_the_table(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 1)
    for state in (*(moment.state for moment in match.some(12, 1)), match.end):
        for locale in LOCALES:
            view = replace(game.rules.view(state, 0), names=("Maximilian Alexander of the Nine Waves",) * seats)
            assert max(map(len, game.presentation.text(view, locale).splitlines())) <= WIDER.get(slug, COLUMNS)


@every_table
def test_a_paused_table_says_so_and_asks_nobody(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 1)
    for moment in match.some(8, 1):
        paused = apply(moment.state, HOUSE, Pause("storm"))
        for locale, word in zip(LOCALES, ("paused", "suspendue"), strict=True):
            head = " ".join(game.presentation.text(game.rules.view(paused, 0), locale).splitlines()[:3])
            assert word in head
            assert not re.search(r"· +to |à +de |Chance|asard", head)


@every_table
def test_french_signs_stay_with_their_words(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 1)
    texts = [game.presentation.rules_summary["fr"], *(option.title["fr"] for option in game.rules.options)]
    for moment, after in zip(match.moments, match.afters, strict=True):
        view = game.rules.view(moment.state, 0)
        texts.append(game.presentation.text(view, "fr"))
        texts += game.presentation.tell(
            view, game.rules.view(after, 0), moment.seat, moment.action.seen_by(moment.seat, 0), "fr"
        )
        if 0 in to_act(moment.state):
            texts += [game.presentation.say(view, option, "fr") for option in islice(legal(moment.state, 0), 50)]
    for text in texts:
        assert not re.search(r" [:;!?»]|« |[a-zà-ÿ]'[a-zà-ÿ]", text), text


@every_table
def test_pictures_stay_on_their_paper(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 0)
    for state in (*(moment.state for moment in match.some(8)), match.end):
        for viewer in viewers(state):
            for locale in LOCALES:
                shapes = flat(game.presentation.picture(game.rules.view(state, viewer), locale))
                assert isinstance(shapes[0], Box)
                width, height = extent(shapes[:1])
                assert extent(shapes) == (width, height)
                for shape in shapes:
                    if isinstance(shape, Disc | Text | Box):
                        assert 0 <= shape.x <= width
                        assert 0 <= shape.y <= height


@every_table
def test_menus_and_stories_are_told_in_both_languages(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 2)
    for at in (*Random(2).sample(range(len(match.moments)), min(40, len(match.moments))), len(match.moments) - 1):
        moment, after = match.moments[at], match.afters[at]
        for locale in LOCALES:
            for seat in to_act(moment.state) - {CHANCE}:
                view = game.rules.view(moment.state, seat)
                sentences = [game.presentation.say(view, option, locale) for option in legal(moment.state, seat)]
                assert all(sentences)
                assert len(set(sentences)) == len(sentences)
            for viewer in viewers(moment.state):
                hidden = seal(moment.state, moment.action) is not Seal.NEVER and not after.over
                line = moment.action.seen_by(moment.seat, viewer) if hidden else moment.action.line
                before, then = game.rules.view(moment.state, viewer), game.rules.view(after, viewer)
                told = game.presentation.tell(before, then, moment.seat, line, locale)
                assert told or (moment.seat == CHANCE and "?" in line)
                assert all(sentence.strip() for sentence in told)


@pytest.mark.parametrize("slug", [*GAMES, SKELETON.slug])
def test_every_bot_has_a_name_of_its_own_in_both_languages(slug: str) -> None:
    game = GAMES[slug]
    for locale in LOCALES:
        assert game.presentation.words.bots[locale].keys() >= game.bots.by_name.keys()
        assert len({game.presentation.words.bot(name, locale) for name in game.bots.by_name}) == len(game.bots.by_name)
    for name in {"random", "steady", "strong"} & game.bots.by_name.keys():
        assert game.presentation.words.bot(name, "en").lower() == name
        assert game.presentation.words.bot(name, "fr") != game.presentation.words.bot(name, "en")


@every_table
def test_whoever_is_asked_reads_what_to_do_in_one_sentence(slug: str, seats: int) -> None:
    game = GAMES[slug]
    tell_task = game.presentation.task
    assert tell_task is not None
    for seed in range(3):
        for moment in played(slug, seats, seed).moments:
            for seat in to_act(moment.state) - {CHANCE}:
                english, french = (tell_task(game.rules.view(moment.state, seat), locale) for locale in LOCALES)
                assert english.sentence != french.sentence
                for phase, sentence in (english, french):
                    assert phase
                    assert sentence.endswith(".")
                    assert len(sentence) <= MOST_LETTERS
                    assert not re.search(r"[{}]|  ", sentence)
                assert english.line("en").startswith(f"{english.phase}: {english.sentence[0].lower()}")
                assert french.line("fr").startswith(f"{french.phase}\N{NO-BREAK SPACE}: {french.sentence[0].lower()}")


@every_table
def test_a_compact_table_fits_a_window_of_24_rows(slug: str, seats: int) -> None:
    game = GAMES[slug]
    if slug == SKELETON.slug:
        pytest.skip("its whole table fits")
    assert game.presentation.compact is not None
    match = played(slug, seats, 1)
    names = ("A name of twenty let", *(f"Steady {seat}" for seat in range(1, seats)))
    for state in (*(moment.state for moment in match.moments[::3]), match.end):
        for viewer in viewers(state):
            view = game.rules.view(state, viewer)
            for locale, seen in ((locale, seen) for locale in LOCALES for seen in (view, view.with_names(names))):
                rows = game.presentation.compact(seen, locale).split("\n")
                assert len(rows) <= 20
                assert max(map(len, rows)) <= 80
