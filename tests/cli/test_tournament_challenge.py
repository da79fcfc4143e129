"""`echtra tournament challenge`: challenges on a ladder made, listed, taken up and declined from the command line."""

from __future__ import annotations

import pytest

from service.config import Config
from service.db.models.matches import MatchRow
from service.tournaments.tournament_store import load_state
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
LADDER = """
  - name: ladder
    format: ladder
    reach: 2
    at_once: 1
    answer: 3d
    start: {first: 2027-02-01T18:00}
    end: {at: 2027-06-01T18:00}
"""


@pytest.fixture
def hosted(service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> HostedTournament:
    """A ladder of five that has begun, with the environment of its operator."""
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    found = open_tournament(service, clock, document_text(LADDER, closes="with-end", least=4), 5)
    while found.row.state != "running":
        found.go_to_next()
    return found


def order(hosted: HostedTournament) -> list[str]:
    """Return the names on the ladder, best first."""
    state = load_state(hosted.tournament)
    names = {each.player.id: each.player.name for each in hosted.people}
    return [names[state.holders[number]] for number in state.ladder_order("ladder")]


def challenge(*words: str, env: dict[str, str] = ENGLISH) -> str:
    """Return the output of the command in one line."""
    done = echtra("tournament", "challenge", "winter-cup", *words, env=env)
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


def test_challenges_are_made_listed_taken_up_and_declined(hosted: HostedTournament) -> None:
    first, second, third, fourth, _ = order(hosted)
    assert challenge() == "No challenges yet."
    assert challenge("make", first, "--as", third) == (
        f"{third} has challenged {first}, who loses without an answer by 2027-02-04T18:00:00.000Z."
    )
    made = challenge("make", second, "--as", fourth, env=FRENCH)
    assert made.startswith(f"{fourth} a défié {second}, qui peut répondre jusqu'à")
    assert f"{third} {first} open" in challenge("list")
    assert first not in challenge("list", "--as", fourth)
    assert "ouvert" in challenge("list", env=FRENCH)
    taken = challenge("accept", "--as", first)
    assert taken.startswith(f"{first} has accepted the challenge from {third}: match ")
    assert challenge("decline", fourth, "--as", second) == f"{second} has declined, and {fourth} has won the challenge."
    hosted.work()
    assert order(hosted)[:3] == [first, fourth, second]
    match = taken.rsplit(" ", 1)[1].rstrip(".")
    assert MatchRow.get_by_id(match).status == "running"
    assert match in challenge("list", "--as", first)
    hosted.check()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("make", "Player 1"), "Say who is doing this: `make … --as PLAYER`"),
        (("make", "--as", "Player 1"), "echtra tournament standings winter-cup"),
        (("accept", "--as", "Player 1"), "You have no such challenge to answer."),
        (("accept", "--as", "Nobody"), "Nobody"),
        (("make", "Nobody", "--as", "Player 1"), "No player on this ladder is called Nobody, or several are."),
        (("make", "Player 1", "--as", "Player 1"), "You can’t challenge yourself."),
        (("defend", "--as", "Player 1"), "defend"),
    ],
)
@pytest.mark.usefixtures("hosted")
def test_what_cannot_be_is_refused_with_what_to_do(words: tuple[str, ...], said: str) -> None:
    assert said in " ".join(refused("tournament", "challenge", "winter-cup", *words).split())


def test_who_stands_too_high_or_below_cannot_be_challenged(hosted: HostedTournament) -> None:
    first, second, _, _, fifth = order(hosted)
    above = refused("tournament", "challenge", "winter-cup", "make", first, "--as", fifth, env=FRENCH)
    assert "on peut défier jusqu’à 2 places plus haut" in " ".join(above.split())
    assert "below you" in refused("tournament", "challenge", "winter-cup", "make", fifth, "--as", second)


def test_a_tournament_without_a_ladder_has_no_challenges(
    service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    open_tournament(service, clock, document_text())
    assert "This tournament has no ladder." in refused("tournament", "challenge", "winter-cup")
    assert "no ladder" in refused("tournament", "challenge", "winter-cup", "accept", "--as", "Aoife")
    assert "missing-cup" in refused("tournament", "challenge", "missing-cup")
