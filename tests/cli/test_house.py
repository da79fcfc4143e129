"""`echtra house`: the operator decides about a match, and the log says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.config import Config
from service.db.connection import rows
from service.play.match_loader import load_match_state
from tests.support.clock_tables import asked, due, house, sit
from tests.support.factories import settle, verified
from tests.support.players import Clock

Echtra = Callable[..., Result]


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Echtra:
    """Runs a command on the database of the test."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    return lambda *words: CliRunner().invoke(main, list(words))


def test_the_operator_pauses_resumes_and_ends(service: Config, echtra: Echtra, clock: Clock) -> None:
    match, _ = sit(service, clock="simple-3")
    done = echtra("house", match, "pause", "illness")
    assert (done.exit_code, done.stdout) == (0, f"Written as entry {load_match_state(match).seq}: pause illness.\n")
    settle(match, service)
    assert rows("select count(*) from seat where match = ? and asked is not null", match) == [(0,)]
    clock.forward(days=9)
    assert echtra("house", match, "resume", "--lang", "fr").stdout.startswith("Écrit comme entrée")
    settle(match, service)
    assert asked(match) == 0
    assert echtra("house", match, "end adjudicated 3 1").exit_code == 0
    settle(match, service)
    assert house(match) == ["pause illness", "resume", "end adjudicated 3 1"]
    assert verified(match).over
    assert rows("select count(*) from event where match = ? and type = 'match.decided'", match) == [(6,)]


def test_the_operator_gives_more_time(service: Config, echtra: Echtra) -> None:
    match, _ = sit(service, clock="simple-3")
    before, questions = due(match), load_match_state(match).questions
    done = echtra("house", match, "--seat", str(asked(match)), "--due", "2027-01-25T08:00:00Z")
    assert done.exit_code == 0, done.output
    settle(match, service)
    assert due(match) == 1_800_864_000_000 > before
    assert load_match_state(match).questions == questions
    again = echtra("house", match, "--seat", "0", "--due", "2027-01-20T08:00")
    assert (again.exit_code, again.stderr) == (
        2,
        "A deadline cannot be moved earlier: not before 2027-01-25T08:00:00.000Z, and within a year.\n",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Give either a line or --seat and --due"),
        (
            ("pause", "illness", "--seat", "0", "--due", "2027-01-25T08:00:00Z"),
            "Give either a line or --seat and --due",
        ),
        (("--seat", "0"), "Give either a line or --seat and --due"),
        (("--seat", "0", "--due", "tomorrow"), "tomorrow is not a valid time"),
        (("resume",), "resume: the match is not paused."),
        (("dance",), "The decisions are `pause WHY`"),
        (("seat", "0", "abcdefghijkl"), "This player has not agreed"),
    ],
)
def test_bad_calls_say_what_to_do(service: Config, echtra: Echtra, words: tuple[str, ...], said: str) -> None:
    match, _ = sit(service, clock="simple-3")
    before = load_match_state(match).seq
    done = echtra("house", match, *words)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(said)
    assert load_match_state(match).seq == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("resume",), "resume : la partie n’est pas"),
        (("dance",), "La maison décide par `pause POURQUOI`"),
        (("seat", "0", "abcdefghijkl"), "Ce joueur n’a pas accepté d’être placé par vous : invitez-le"),
        (("--seat", "9", "--due", "2027-01-25T08:00:00Z"), "Cette place n’existe pas."),
        (("--seat", "0", "--due", "2020-01-25T08:00:00Z"), "Une échéance n’est jamais avancée"),
    ],
)
def test_refusals_are_french_where_french_is_spoken(
    service: Config, echtra: Echtra, words: tuple[str, ...], said: str
) -> None:
    match, _ = sit(service, clock="simple-3")
    done = echtra("house", match, *words, "--lang", "fr")
    assert done.exit_code == 2, done.output
    assert done.stderr.replace("\N{NO-BREAK SPACE}", " ").startswith(said)


def test_an_unknown_match_is_refused(service: Config, echtra: Echtra) -> None:
    assert service.database_url
    done = echtra("house", "abcdefghijkl", "pause", "illness")
    assert (done.exit_code, done.stderr) == (2, "No such match: abcdefghijkl.\n")
