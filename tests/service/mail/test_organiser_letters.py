"""Letters to those whom an organiser seats: which match, which rules, and how to say no."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.mail.incoming import inbox
from service.matches import create, organisers, start
from service.timestamps import now
from tests.support.mail_replies import message
from tests.support.mailbox import deliver, html_of, person, sent, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


def event(config: Config, locale: Locale = "en", **rules: Any) -> tuple[str, PlayerRow, PlayerRow]:  # noqa: ANN401  # of a new match
    """A match of an organiser who seats a player: the match, the organiser, the player."""
    orla, aoife = person("Orla"), person("Aoife", locale)
    organisers.give_consent(aoife.id, orla.id)
    wanted = create.NewMatch(game="keltis", seats=2, sit=False, title="Lughnasa cup", **rules)
    made = create.create_match(orla, wanted, config)
    organisers.seat_player(orla.id, made.id, 1, aoife.id, config)
    return str(made.id), orla, aoife


def parts(kind: str) -> list[str]:
    """Both parts of each letter of a kind, on one line each."""
    found = [" ".join(part(each).split()) for each in sent(kind) for part in (text_of, html_of)]
    return [each.replace("\u00a0", " ").replace("</td><td", " </td><td") for each in found]


def reply(config: Config, player: PlayerRow, text: str) -> tuple[str, str]:
    """Answer the letter; what became of that."""
    address = sent("seated")[-1]["Reply-To"].addresses[0].addr_spec
    raw = message(text, str(player.address), address)
    (number,) = inbox.store(raw, "smtp", config, envelope=str(player.address), recipients=(address,))
    outcome = inbox.process(number, config)
    assert outcome is not None
    return outcome.state, outcome.what


@pytest.mark.parametrize(
    ("locale", "rules", "words"),
    [
        (
            "en",
            {"clock": "tournament", "policy": "forfeit"},
            (
                "Orla has given you a seat in a match of Keltis.",
                "Lughnasa cup",
                "3 days in total",
                "do not stop the clock in this match",
                "the seat forfeits the match",
                "It begins when every seat is taken",
                "“decline”",
            ),
        ),
        (
            "fr",
            {"clock": "simple-3", "leave": False},
            (
                "Orla vous a donné une place dans une partie de Keltis.",
                "3 jours par coup",
                "n’arrêtent pas la pendule dans cette partie",
                "trois retards sont excusés, puis un remplaçant joue la place",
                "« refuser »",
            ),
        ),
        ("en", {"clock": "simple-3"}, ("stop the clock",)),
    ],
)
def test_who_is_seated_reads_where_and_by_which_rules(
    service: Config, locale: Locale, rules: dict[str, Any], words: tuple[str, ...]
) -> None:
    event(service, locale, **rules)
    deliver(service)
    found = parts("seated")
    assert len(found) == 2
    for part in found:
        assert [word for word in words if word not in part] == []


def test_a_seat_is_given_back_by_answering(service: Config) -> None:
    match, _, aoife = event(service)
    deliver(service)
    assert reply(service, aoife, "rules") == ("answered", "rules")
    assert reply(service, aoife, "when do we start?") == ("refused", "seated")
    assert reply(service, aoife, "join") == ("done", "joined")
    assert reply(service, aoife, "No thanks\n\n> To give the seat back") == ("done", "declined")
    assert rows("select player from seat where match = ? and seat = 1", match) == [(None,)]
    assert reply(service, aoife, "yes") == ("refused", "gone")


def test_a_seat_of_a_match_that_began_is_not_given_back(service: Config) -> None:
    match, orla, aoife = event(service)
    brendan = person("Brendan")
    organisers.give_consent(brendan.id, orla.id)
    organisers.seat_player(orla.id, match, 0, brendan.id, service)
    deliver(service)
    assert all("It has begun" in part for part in parts("seated"))
    address = next(each for each in sent("seated") if str(aoife.address) in each["To"])
    raw = message("decline", str(aoife.address), address["Reply-To"].addresses[0].addr_spec)
    (number,) = inbox.store(raw, "smtp", service, envelope=str(aoife.address))
    outcome = inbox.process(number, service)
    assert (outcome.state, outcome.what) == ("refused", "begun")  # type: ignore[union-attr]  # it was read


def test_a_seat_that_is_taken_back_is_told_and_one_that_moved_is_told_once(service: Config) -> None:
    match, orla, aoife = event(service)
    organisers.unseat_player(orla.id, match, 1)
    organisers.seat_player(orla.id, match, 0, aoife.id, service)
    deliver(service)
    assert (len(sent("seated")), len(sent("unseated"))) == (1, 0)
    organisers.unseat_player(orla.id, match, 0)
    deliver(service)
    (text, page) = parts("unseated")
    assert "Orla has taken back your seat in Lughnasa cup." in text
    assert "Orla has taken back your seat in Lughnasa cup." in page


def test_players_seated_as_the_match_is_made_are_told(service: Config) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    wanted = create.NewMatch(game="keltis", seats=2, sit=False, players={0: aoife.id}, starts_at=now() + 86_400_000)
    create.create_match(orla, wanted, service)
    deliver(service)
    assert all("It begins on Saturday 16 January 2027, 08:00 (Europe/Dublin" in part for part in parts("seated"))


def test_who_waits_for_a_match_that_never_fills_is_told(service: Config, clock: Clock) -> None:
    event(service)
    clock.forward(days=15)
    assert start.expire_open_matches(clock.at) == 1
    assert start.expire_open_matches(clock.at) == 0
    deliver(service)
    deliver(service)
    assert len(sent("cancelled")) == 2
