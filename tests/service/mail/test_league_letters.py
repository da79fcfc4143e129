"""A league followed by letters alone: entering, closing, the end, and asking how it stands."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.words import Locale
from service import ids
from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.mail.incoming import inbox
from service.timestamps import DAY, now
from service.tournaments import leagues
from service.tournaments.leagues import League as LeagueRow
from service.tournaments.leagues import NewLeague
from tests.support.factories import settle
from tests.support.mail_replies import SERVER, message
from tests.support.mailbox import deliver, html_of, person, play, sent, text_of
from tests.support.players import Clock
from worker import schedule

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


@pytest.fixture(autouse=True)
def _deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal for all leagues, so that two players who play alike do not share a place in one run out of many."""
    monkeypatch.setattr(ids, "new_seed", lambda: bytes(32))


def opened(orla: PlayerRow, title: str = "Samhain") -> LeagueRow:
    """A league that closes in a week."""
    rules = {"clock": "relaxed", "options": {"start": 0}}
    return leagues.open_league(orla.id, NewLeague(title, "keltis", 2, now() + 7 * DAY, {1: "steady"}, **rules))  # type: ignore[arg-type]


def enter(config: Config, player: PlayerRow, league: LeagueRow) -> str:
    """The match of a player who enters."""
    match = leagues.enter(player, league.id, config)
    settle(match.id, config)
    return str(match.id)


def parts(kind: str, player: PlayerRow) -> list[str]:
    """Both parts of the letters of a kind to a player, on one line each."""
    found = [each for each in sent(kind) if str(player.address) in each["To"]]
    for each in found:
        assert [line for line in text_of(each).split("\n") if len(line) > 78] == []
    plain = [part(each) for each in found for part in (text_of, lambda one: re.sub("<[^>]*>", " ", html_of(one)))]
    return [re.sub(r"\s+", " ", each) for each in plain]


def write(config: Config, player: PlayerRow, text: str) -> tuple[str, str]:
    """A letter to the service's own address; what became of it."""
    raw = message(text, str(player.address), config.mail_from)
    known = replace(config, authserv_id=SERVER)
    (number,) = inbox.store(raw, "smtp", known, envelope=str(player.address), recipients=(config.mail_from,))
    outcome = inbox.process(number, known)
    assert outcome is not None
    return outcome.state, outcome.what


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en", ("You have entered Samhain.", "same deal", "Steady (bot)", "“league Samhain”", "stop the clock")),
        ("fr", ("Vous voilà dans Samhain.", "même donne", "Constant (robot)", "« ligue Samhain »", "arrêtent la")),
    ],
)
def test_who_enters_reads_how_it_goes(service: Config, locale: Locale, words: tuple[str, ...]) -> None:
    league, aoife = opened(person("Orla")), person("Aoife", locale)
    enter(service, aoife, league)
    deliver(service)
    found = parts("league-entered", aoife)
    assert len(found) == 2
    for part in found:
        assert [word for word in (*words, league.seed_hash) if word not in part] == []


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "en",
            ("Samhain closes on Friday 22 January 2027", "your match is not over", "2 of 2 still play", "Your moves"),
        ),
        ("fr", ("Samhain ferme le vendredi 22 janvier 2027", "n’est pas finie", "2 sur 2 jouent encore", "Vos coups")),
    ],
)
def test_the_day_before_it_closes_who_still_plays_is_told_once(
    service: Config, clock: Clock, locale: Locale, words: tuple[str, ...]
) -> None:
    league, aoife, late = opened(person("Orla")), person("Aoife", locale), person("Late")
    enter(service, aoife, league)
    clock.forward(days=5, hours=23)
    schedule.start_and_expire_matches(service)
    clock.forward(hours=2)
    enter(service, late, league)
    for _ in range(3):
        schedule.start_and_expire_matches(service)
        deliver(service)
    found = parts("league-closes", aoife)
    assert len(found) == 2
    for part in found:
        assert [word for word in words if word not in part] == []
    assert parts("league-closes", late) == []


def finished(service: Config, clock: Clock, locale: Locale = "en") -> tuple[LeagueRow, PlayerRow, PlayerRow, PlayerRow]:
    """A league of two that is over: its organiser, the better and the worse player."""
    orla, aoife, brendan = person("Orla", locale), person("Aoife", locale), person("Brendan", locale)
    league = opened(orla)
    for seed, player in ((1, aoife), (2, brendan)):
        assert play(enter(service, player, league), service, 500, seed).state.over
    deliver(service)
    clock.forward(days=7)
    schedule.start_and_expire_matches(service)
    schedule.start_and_expire_matches(service)
    leagues.find(league.id)
    for _ in range(3):
        deliver(service)
    first, second = (each["player"] for each in leagues.standings(leagues.find(league.id), "en"))
    by = {player.id: player for player in (aoife, brendan)}
    return leagues.find(league.id), orla, by[first], by[second]


@pytest.mark.parametrize(
    ("locale", "won", "lost", "place", "seed"),
    [
        ("en", "You won Samhain.", "{} won Samhain.", "Your place: 2 of 2", "SHA-256 of the seed"),
        ("fr", "Vous avez gagné Samhain.", "{} a gagné Samhain.", "Votre rang : 2 sur 2", "SHA-256 de la graine"),
    ],
)
def test_the_end_is_noticed_by_the_rounds_and_told_once(
    service: Config, clock: Clock, locale: Locale, won: str, lost: str, place: str, seed: str
) -> None:
    league, orla, first, second = finished(service, clock, locale)
    letters = {player.name: parts("league-over", player) for player in (orla, first, second)}
    assert {name: len(found) for name, found in letters.items()} == {"Orla": 2, first.name: 2, second.name: 2}
    scores = [each["score"] for each in leagues.standings(league, "en")]
    for part in (*letters["Orla"], *letters[first.name], *letters[second.name]):
        for number, (player, score) in enumerate(zip((first, second), scores, strict=True), 1):
            assert re.search(rf"{number}\. {player.name} {str(score).replace('-', '−')}\b", part), part
        assert [word for word in (league.seed, league.seed_hash, seed, "echtra verify ") if word not in part] == []
    assert all(won in part for part in letters[first.name])
    assert all(lost.format(first.name) in part for part in letters["Orla"] + letters[second.name])
    assert all(place in part for part in letters[second.name])


def test_the_last_letter_of_a_league_match_promises_no_seed_before_the_end(service: Config, clock: Clock) -> None:
    _, _, first, _ = finished(service, clock)
    for part in parts("over", first):
        assert "until the last of these matches is over" in part
        assert "open to everybody now" not in part


def test_a_league_nobody_entered_ends_too(service: Config, clock: Clock) -> None:
    orla = person("Orla")
    opened(orla)
    clock.forward(days=8)
    schedule.start_and_expire_matches(service)
    deliver(service)
    deliver(service)
    assert ["nobody has a result" in part for part in parts("league-over", orla)] == [True, True]


def test_a_league_is_found_entered_and_followed_by_letters(service: Config, clock: Clock) -> None:
    orla, aoife, benoit = person("Orla"), person("Aoife"), person("Benoît", "fr")
    assert write(service, aoife, "league") == ("answered", "league")
    deliver(service)
    clock.forward(minutes=1)
    opened(orla)
    opened(orla, "Imbolc")
    assert write(service, aoife, "league\n\n-- \nAoife") == ("ignored", "league")
    assert write(service, benoit, "Ligues") == ("answered", "league")
    assert write(service, benoit, "ligue samhain rejoindre") == ("done", "league-entered")
    assert write(service, benoit, "ligue samhain rejoindre") == ("refused", "entering")
    assert write(service, aoife, "league Samhain") == ("answered", "league")
    assert write(service, aoife, "league Beltane join") == ("refused", "league")
    deliver(service)
    texts = [part for player in (aoife, benoit) for part in parts("league", player)]
    assert "No league is open now." in texts[0]
    assert "Benoît: still plays" in texts[2]
    assert "“league Samhain join”" in texts[2]
    assert "Imbolc : Keltis contre Constant (robot)" in texts[4]
    assert rows("select count(*) from match") == [(1,)]
