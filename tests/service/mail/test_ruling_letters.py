"""What organisers and the house write in a tournament: rulings by mail, offers, ends, decisions, messages, leave."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from datetime import date
from email.utils import parseaddr

import pytest
from flask import Flask

from service.accounts import vacation
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import PairingRow, RoundRow
from service.mail.incoming import inbox
from service.matches.paired_matches import end_paired_match
from service.play.table_store import table_of
from service.play.views import Viewer
from service.problems import Problem
from service.timestamps import DAY, HOUR
from service.tournaments import organising
from service.tournaments.documents.document_values import read_moment
from service.tournaments.entrants import enter_tournament
from tests.service.web.test_match_pages import sign_in
from tests.support.factories import Seated, settle
from tests.support.html_page import BROWSER
from tests.support.mail_replies import SERVER, message
from tests.support.mailbox import deliver, html_of, person, sent, text_of
from tests.support.players import Clock
from tests.support.tournaments import IN_NEW_YORK, Venue, document_text

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.parametrize("database", ["sqlite"], indirect=True)]
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: adjudicate}
    bye: {asked: half, most_asked: 1}
"""


SELECT_ASKED = "select payload from job where topic = 'letter' and payload like '%tournament-leave%'"


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


@pytest.fixture
def venue(service: Config, clock: Clock) -> Venue:
    """A Swiss for at most four, of whom one reads French, with a maker who has an address and two reserves."""
    venue = Venue(service, clock, Seated(person("Orla")))
    text = document_text(SWISS).replace("least: 2", "least: 2, most: 4")
    row = venue.apply(text)
    clock.at = max(clock.at, row.opens_at or 0)
    venue.work()
    for name in ("Aoife", "Brendan", "Ciara", "Dara", "Eoin", "Fiadh"):
        player = person(name, "fr" if name == "Brendan" else "en")
        venue.people.append(Seated(player))
        enter_tournament(player, venue.row, "-", service)
    return venue


def write(venue: Venue, player: PlayerRow, text: str, to: str = "") -> tuple[str, str]:
    """A letter to the service, or to an address of its own; what became of it."""
    known = replace(venue.config, authserv_id=SERVER)
    address = to or known.mail_from
    raw = message(text, str(player.address), address, verdict="pass")
    (number,) = inbox.store(raw, "smtp", known, envelope=str(player.address), recipients=(address,))
    outcome = inbox.process(number, known)
    assert outcome is not None
    deliver(venue.config)
    return outcome.state, outcome.what


def letters_to(kind: str, player: PlayerRow) -> list[tuple[str, str]]:
    """The letters of a kind to somebody, as plain words and as words of the page; every line fits."""
    found = []
    for each in sent(kind):
        if str(player.address) in each["To"]:
            text = text_of(each)
            assert [line for line in text.split("\n") if len(line) > 78 and "http" not in line] == []
            page = html.unescape(re.sub("<[^>]*>", " ", html_of(each)))
            found.append((flatten(text), flatten(page)))
    return found


def flatten(text: str) -> str:
    """Words with one space between them."""
    return re.sub(r"\s+", " ", text.replace("\u00a0", " "))


def said(kind: str, player: PlayerRow, *words: str) -> None:
    """Fail unless a letter of this kind to somebody has these words in both of its parts."""
    found = letters_to(kind, player)
    assert any(all(word in part for word in words for part in both) for both in found), found


def begin(venue: Venue) -> list[str]:
    """Let the first round run; its matches."""
    while not MatchRow.select().where(MatchRow.status == "running").exists():
        venue.go_to_next()
    matches = [row.id for row in MatchRow.select().order_by(MatchRow.id)]
    for match in matches:
        settle(match, venue.config)
    return matches


def test_a_ruling_by_mail_counts_after_a_yes_and_is_told_in_both_languages(venue: Venue) -> None:
    one, other = begin(venue)
    orla, aoife = venue.maker.player, venue.people[0].player
    assert write(venue, aoife, f"rule winter-cup result {one} 1,2 rules")[0] == "refused"
    assert write(venue, orla, f"rule winter-cup result {one} 1,3 rules")[0] == "refused"
    assert write(venue, orla, "rule winter-cup result whatever") == ("refused", "tournament-rule")
    before = venue.row.head_seq
    text = f"rule winter-cup result {one} 2,1 rules They shook hands on it."
    assert write(venue, orla, text) == ("answered", "rule")
    assert venue.row.head_seq == before
    said(
        "ruling-question", orla, f"ruling result {one} rules", "2 letters", "Nothing has been done yet", "points 0 → 1"
    )
    address = parseaddr(sent("ruling-question")[-1]["Reply-To"])[1]
    assert write(venue, orla, "yes", address) == ("done", "ruled")
    said("tournament", orla, "Your ruling is in the log of Winter")
    venue.work()
    deliver(venue.config)
    seats = json.loads(PairingRow.get_by_id(one).seats)
    for each in venue.people[:4]:
        words = (
            ("résultat par décision", "le règlement") if each.player.language == "fr" else ("result by ruling", "rules")
        )
        if each.player.id in seats:
            said("tournament-ruling", each.player, *words, "They shook hands on it.", venue.row.head_hash[:12][:0])
        else:
            assert letters_to("tournament-ruling", each.player) == []
    # Two rulings are proposed, one counts, and the other shows what holds now.
    for places in ("1,2", "2,1"):
        assert write(venue, orla, f"rule winter-cup result {other} {places} mistake")[0] == "answered"
    asked = [each for each in sent("ruling-question") if other in text_of(each)]
    first, second = (parseaddr(each["Reply-To"])[1] for each in asked)
    assert write(venue, orla, "yes", first) == ("done", "ruled")
    assert write(venue, orla, "yes", second) == ("refused", "tournament-rule")
    said("refused", orla, "this was written: ruling result")
    assert len([line for line in venue.lines() if line.startswith(f"result {other}")]) == 1


def test_more_time_by_mail_is_in_the_zone_of_the_document(service: Config, clock: Clock) -> None:
    venue = Venue(service, clock, Seated(person("Orla")))
    row = venue.apply(document_text(SWISS).replace("game: keltis", IN_NEW_YORK))
    PlayerRow.update(zone="Asia/Tokyo").where(PlayerRow.id == venue.maker.player.id).execute()
    clock.at = max(clock.at, row.opens_at or 0)
    venue.work()
    venue.enter(4)
    begin(venue)
    orla = PlayerRow.get_by_id(venue.maker.player.id)
    assert write(venue, orla, "rule winter-cup extend swiss:1 2027-03-20T18:00 time") == ("answered", "rule")
    evening = read_moment("2027-03-20T22:00Z", "UTC").at
    said("ruling-question", orla, f"ruling extend swiss:1 {evening} time")


def test_who_is_on_leave_when_a_round_begins_is_asked_whether_they_take_a_bye(
    venue: Venue, app: Flask, clock: Clock
) -> None:
    aoife, brendan, ciara, _ = (each.player for each in venue.people[:4])
    with write_transaction():
        vacation.book(aoife.id, aoife.zone, date(2027, 1, 30), date(2027, 2, 1))
        vacation.book(brendan.id, brendan.zone, date(2027, 2, 1), date(2027, 2, 20))
        vacation.book(ciara.id, ciara.zone, date(2027, 2, 2), date(2027, 2, 20))
    own = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    page = sign_in(app, aoife.id).get("/settings", headers=own).text
    assert "Winter: round 1 of swiss meets your leave" in page
    while not sent("tournament-leave"):
        venue.go_to_next()
        deliver(venue.config)
    assert "pair" not in venue.verbs()
    for player, answer in ((aoife, "yes"), (brendan, "non")):
        (asked,) = [each for each in sent("tournament-leave") if str(player.address) in each["To"]]
        write(venue, player, answer, parseaddr(asked["Reply-To"])[1])
    while "pair" not in venue.verbs():
        venue.go_to_next()
    assert [line for line in venue.lines() if line.startswith("bye ")] == [f"bye {aoife.id} swiss:1 half"]
    said("tournament-leave", aoife, "Do you take a bye?", "Its clocks rest", "half of what a win brings", "1 February")
    said("tournament-leave", brendan, "Voulez-vous être exempt ?", "« exempt winter-cup swiss:1 »", "par « oui »")
    assert [len(letters_to("tournament-leave", each)) for each in (aoife, brendan, ciara)] == [1, 1, 0]
    # Nobody is asked again who has no bye left, nor about the last round.
    clock.at = int(venue.row.next_at or 0)
    for _ in range(60):
        venue.work()
        venue.decide_all() if MatchRow.select().where(MatchRow.status == "running").exists() else venue.go_to_next()
        deliver(venue.config)
        if "start swiss:3" in venue.lines():
            break
    asked_about = [json.loads(row)["round"] for (row,) in rows(SELECT_ASKED)]
    assert sorted(asked_about) == [1, 1, 2, 2]
    assert len(letters_to("tournament-leave", aoife)) == 1


def test_ends_are_announced_and_organisers_get_what_spectators_see(venue: Venue, clock: Clock) -> None:
    matches = begin(venue)
    end = int(RoundRow.get(RoundRow.number == 1).ends_at or 0)
    aoife, brendan, orla = venue.people[0].player, venue.people[1].player, venue.maker.player
    SeatRow.update(due_at=end + 60 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    for days in (8, 7, 7, 3, 1):
        clock.at = end - days * DAY + HOUR
        venue.work()
        deliver(venue.config)
    assert len(letters_to("tournament-ending", aoife)) == 3
    said("tournament-ending", aoife, "round 1 of swiss ends in a day", "against", "an organiser decides it")
    said("tournament-ending", brendan, "finit dans 7 jours", "un organisateur la juge")
    clock.at = end + HOUR
    venue.work()
    deliver(venue.config)
    found = letters_to("tournament-adjudication", orla)
    assert len(found) == len(matches)
    said("tournament-adjudication", orla, f"rule winter-cup result {matches[0]} 1,2 time", "as spectators see it")
    waiting = list(organising.list_open_decisions(venue.row))
    assert {each.match for each in waiting} == set(matches)
    table = table_of(matches[0])
    own = Viewer(table, 0, "en")
    private = (own.game.prose or own.game.text)(own.view(), "en")
    assert organising.describe_public_table(matches[0], "en") != private


def test_rounds_that_end_together_are_announced_in_one_letter(service: Config, clock: Clock) -> None:
    robin = """
  - name: all
    format: round-robin
    start: {first: 2027-02-01T18:00, all: yes}
    end: {at: 2027-03-01T18:00, then: as-it-stands}
"""
    venue = Venue(service, clock, Seated(person("Orla")))
    clock.at = max(clock.at, venue.apply(document_text(robin)).opens_at or 0)
    venue.work()
    for name in ("Aoife", "Brendan", "Ciara", "Dara"):
        venue.people.append(Seated(person(name, "fr" if name == "Brendan" else "en")))
        enter_tournament(venue.people[-1].player, venue.row, "-", service)
    matches = begin(venue)
    assert len(matches) == 6
    aoife, brendan, ciara, _ = (each.player for each in venue.people)
    SeatRow.update(due_at=clock.at + 90 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    end = int(RoundRow.get(RoundRow.number == 1).ends_at or 0)
    kept = next(row for row in PairingRow.select() if {aoife.id, ciara.id} == set(json.loads(row.seats)))
    for days in (7, 3):
        clock.at = end - days * DAY + HOUR
        venue.work()
        deliver(venue.config)
        if days == 7:
            # Of Ciara's three tables one is left.
            for row in list(PairingRow.select()):
                if ciara.id in json.loads(row.seats) and row.id != kept.id:
                    end_paired_match(row.id, "adjudicated", [1, 2])
    assert [len(letters_to("tournament-ending", each)) for each in (aoife, brendan, ciara)] == [2, 2, 2]
    said("tournament-ending", aoife, "Winter: the rounds of all end in 7 days", "against Brendan", "against Dara")
    said(
        "tournament-ending", brendan, "les rondes de all finissent dans 3 jours", "contre Aoife", "points sur la table"
    )
    said("tournament-ending", ciara, f"Winter: round {kept.round} of all ends in 3 days", "against Aoife")
    (last,) = [both for both in letters_to("tournament-ending", ciara) if "in 3 days" in both[0]]
    assert not any(name in last[0] for name in ("against Brendan", "against Dara"))


def test_messages_reach_who_wants_letters_twice_a_day(venue: Venue, clock: Clock) -> None:
    orla, aoife, dara = venue.maker.player, venue.people[0].player, venue.people[3].player
    PlayerRow.update(letters="none").where(PlayerRow.id == dara.id).execute()
    text = "Prizes: https://example.org/prizes\nJoin us <b>there</b>."
    result = organising.send_message(orla.id, venue.tournament, text)
    assert (result.letters, result.muted, result.left_today) == (5, 1, 1)
    deliver(venue.config)
    said("tournament-message", aoife, "a message to all entrants", "https://example.org/prizes", "<b>there</b>")
    (letter,) = [each for each in sent("tournament-message") if str(aoife.address) in each["To"]]
    assert 'href="https://example.org/prizes"' not in html_of(letter)
    organising.send_message(orla.id, venue.tournament, "Twice.")
    for author, words, kind in (
        (orla, "Thrice", "limit-reached"),
        (aoife, "Mine", "forbidden"),
        (orla, " ", "invalid"),
    ):
        with pytest.raises(Problem) as refusal:
            organising.send_message(author.id, venue.tournament, words)
        assert refusal.value.kind == kind
    clock.forward(days=1, minutes=1)
    assert organising.send_message(orla.id, venue.tournament, "Tomorrow.").left_today == 1
    PlayerRow.update(bounces=2, bounced_at=clock.at).where(PlayerRow.id == aoife.id).execute()
    assert [each.id for each in organising.select_unreachable(venue.tournament)] == [aoife.id]


def test_a_free_place_is_offered_by_letter_and_taken_by_one(venue: Venue) -> None:
    dara, eoin = venue.people[3].player, venue.people[4].player
    assert write(venue, dara, "withdraw winter-cup")[0] == "done"
    said("tournament-offer", eoin, "A place in Winter is free", "“enter winter-cup”", "It is yours until")
    assert write(venue, eoin, "enter winter-cup")[0] in {"done", "answered"}
    said("tournament-entered", eoin, "You are in: Winter.")
    assert len(letters_to("tournament-offer", venue.people[5].player)) == 0


def test_leave_that_meets_a_round_is_said_when_booking_and_when_entering(venue: Venue) -> None:
    aoife, gone = venue.people[0].player, person("Grainne")
    with write_transaction():
        vacation.book(gone.id, gone.zone, date(2027, 1, 30), date(2027, 2, 3))
    enter_tournament(gone, venue.row, "-", venue.config)
    deliver(venue.config)
    said("tournament-entered", gone, "round 1 of swiss meets your leave", "Its clocks rest on your leave.")
    assert write(venue, aoife, "leave 2027-02-01 to 2027-02-04")[0] == "done"
    said("leave", aoife, "round 1 of swiss meets your leave", "You may ask for a bye", "“bye winter-cup swiss:1”")
