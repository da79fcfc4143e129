"""`echtra tournament appoint`: organisers and arbiters appointed and removed from the command line."""

from __future__ import annotations

import pytest

from service.config import Config
from service.tournaments.tournament_store import is_organiser, may_rule
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused
from tests.support.factories import somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def hosted(service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> HostedTournament:
    """A tournament, with the environment of its operator."""
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    return open_tournament(service, clock, document_text())


def appoint(*words: str, env: dict[str, str] = ENGLISH) -> str:
    """Return the output of the command."""
    done = echtra("tournament", "appoint", "winter-cup", *words, env=env)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_helpers_are_appointed_and_removed(hosted: HostedTournament) -> None:
    helper = somebody("Mary Ann").player.id
    assert appoint("Mary Ann", "arbiter", "--as", "Aoife") == "Organisers: Aoife\nArbiters: Mary Ann\n"
    assert may_rule(hosted.row, helper)
    assert appoint("Mary Ann", "organiser", env=FRENCH) == "Organisateurs : Aoife, Mary Ann\nArbitres : -\n"
    assert is_organiser(hosted.row, helper)
    assert appoint("Mary Ann", "nobody") == "Organisers: Aoife\nArbiters: -\n"
    assert not may_rule(hosted.row, helper)


def test_only_the_owner_appoints_and_only_players_who_exist(hosted: HostedTournament) -> None:
    somebody("Mary Ann")
    words = ("tournament", "appoint", hosted.row.name)
    assert "Only the creator" in refused(*words, "Aoife", "arbiter", "--as", "Mary Ann")
    assert "Nobody At All" in refused(*words, "Nobody At All", "arbiter")
