"""The skeleton game, which new games are copied from, is played through every entrance."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from engine.game import HOUSE, apply, show_totals
from engine.games import GAMES
from engine.house import End
from engine.log import parse, replay
from engine.words import LOCALES
from service.config import Config
from service.play.match_loader import load_match_state
from service.record.verify import verify
from service.web.app import render_document
from tests.skeleton_game import GAME
from tests.support import documented_answers, mailbox
from tests.support.command_line import echtra
from tests.support.http_tables import SeatClient, make, play_out, resolved
from tests.support.mail_replies import SeatMail, config_with_mail
from tests.support.players import Clock, Person
from tests.support.tournaments import document_text, open_tournament

People = Callable[..., Person]
ONES = "1\n" * 100
NOT_POINTS = ("Total", "Points for", "point")
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The OpenAPI document with the skeleton, as `echtra openapi` writes it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(GAMES, GAME.slug, GAME)
        made: dict[str, Any] = json.loads(render_document())
    return made


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, database: str, document: dict[str, Any]) -> Iterator[None]:  # noqa: ARG001  # the mark above
    """Do what one line in `engine/games/__init__.py` and `echtra openapi` do."""
    monkeypatch.setitem(GAMES, GAME.slug, GAME)
    monkeypatch.setattr(documented_answers, "DOCUMENT", document)
    documented_answers.forget_document()
    yield
    documented_answers.forget_document()


@pytest.fixture
def pair(app: Flask, person: People) -> list[SeatClient]:
    """Two people at a board."""
    with app.app_context():
        return make(person("Aoife"), person("Brann"), game=GAME.slug)


@pytest.mark.parametrize(("locale", "outcomes"), [("en", {"won", "lost"}), ("fr", {"gagné", "perdu"})])
def test_it_is_played_in_the_terminal(tmp_path: Path, locale: str, outcomes: set[str]) -> None:
    saved = tmp_path / "ford.log"
    done = echtra("play", GAME.slug, "--seed", "1", "--lang", locale, "--save", saved, typed=ONES)
    assert done.exit_code == 0, done.output
    log = parse(saved.read_text(), GAMES)
    assert log.scores in ((1, 0), (0, 1))
    assert replay(log).fault is None
    assert outcomes <= set(done.stdout.split())
    assert not [word for word in NOT_POINTS if word in done.stdout]
    assert echtra("replay", saved, "--lang", locale).exit_code == 0
    assert echtra("simulate", GAME.slug, "--matches", "3", "--lang", locale).exit_code == 0


def test_a_refused_line_names_the_rule(pair: list[SeatClient]) -> None:
    refused = pair[0].send(pair[0].signed("move b2 b5"))
    assert refused.status_code == 422, refused.text
    assert "one step ahead" in refused.text


def test_it_is_played_over_rest_and_its_record_is_verified(pair: list[SeatClient], tmp_path: Path) -> None:
    play_out(pair)
    table = pair[0].read("table")
    assert sorted(score["total"] for score in table["result"]["scores"]) == [0, 1]
    exported = pair[1].get("record").data
    assert verify(exported).game == GAME.slug
    (tmp_path / "ford.jsonl").write_bytes(exported)
    checked = echtra("verify", tmp_path / "ford.jsonl")
    assert checked.exit_code == 0, checked.output


def test_it_is_played_on_pages(app: Flask, pair: list[SeatClient]) -> None:
    client = app.test_client()
    for place in ("/", f"/games/{GAME.slug}", f"/games/{GAME.slug}?lang=fr"):
        assert GAME.presentation.title["fr" if "fr" in place else "en"] in client.get(place).text
    page = client.get(f"/matches/{pair[0].match}").text
    assert page.count('data-mark="square:') == 50  # the board is drawn wide and narrow
    play_out(pair)
    over = client.get(f"/matches/{pair[0].match}").text
    assert "<td>won</td>" in over
    assert "<td>lost</td>" in over
    assert ">Total<" not in over


def test_it_is_played_by_email(app: Flask, pair: list[SeatClient], config: Config) -> None:
    mail = [SeatMail(each, config_with_mail(config)) for each in pair]
    replies = iter(["move b2 b3", "avancer c4 c3", "1"])
    with app.app_context():
        while not load_match_state(pair[0].match).state.over:
            state = load_match_state(pair[0].match)
            asked = next(seat for seat, question in enumerate(state.questions) if question)
            outcome = mail[asked].reply(next(replies, "1"))
            assert (outcome.state, outcome.what) == ("done", "moves")
            resolved(pair[0].match)


@pytest.mark.parametrize(("language", "outcome"), [("en", "Result won"), ("fr", "Résultat gagné")])
def test_its_emails_say_who_won_and_count_no_points(house: Config, language: str, outcome: str) -> None:
    people = [mailbox.person(name, language) for name in ("Aoife", "Bran")]
    match = mailbox.match_of(house, *people, game=GAME.slug)
    mailbox.deliver(house)
    assert GAME.presentation.title[language] in mailbox.text_of(mailbox.sent("turn")[-1])  # type: ignore[index]
    state = mailbox.play(match, house, 100).state
    assert state.over
    mailbox.deliver(house)
    (letter, *_) = mailbox.sent("over")
    assert outcome in " ".join(mailbox.text_of(letter).split())
    assert "Total" not in mailbox.text_of(letter)


def test_it_is_played_in_a_tournament(service: Config, clock: Clock) -> None:
    text = document_text().replace("game: keltis", f"game: {GAME.slug}")
    hosted = open_tournament(service, clock, text, entrants=3)
    hosted.run_to_end(play=True)
    scores = [[seat.split(":")[1] for seat in result.split(" ")] for result in hosted.results().values()]
    assert len(scores) == 3
    assert all(sorted(each) == ["0", "1"] for each in scores)
    hosted.check()


def test_an_agreed_end_is_a_draw(pair: list[SeatClient]) -> None:
    ended = apply(load_match_state(pair[0].match).state, HOUSE, End("agreed"))
    assert [show_totals(GAMES[GAME.slug], ended, locale) for locale in LOCALES] == [
        ("drawn", "drawn"),
        ("nulle", "nulle"),
    ]
