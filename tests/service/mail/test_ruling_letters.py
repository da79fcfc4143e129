"""Emails of organisers and the house in a tournament: rulings by email, offers, ends, decisions, messages, leave."""

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
from service.play.match_loader import load_match_state
from service.play.views import Viewer
from service.problems import Problem
from service.timestamps import DAY, HOUR
from service.tournaments.documents.document_values import read_moment
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.rulings import organiser_tools
from tests.support.factories import Seated, settle
from tests.support.html_page import BROWSER
from tests.support.mail_replies import SERVER, message
from tests.support.mailbox import deliver, html_of, person, sent, text_of
from tests.support.players import Clock
from tests.support.tournaments import IN_NEW_YORK, HostedTournament, document_text
from tests.support.web_apps import sign_in

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
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A Swiss for at most four, of whom one reads French, with a maker who has an address and two reserves."""
    hosted = HostedTournament(service, clock, Seated(person("Orla")))
    text = document_text(SWISS).replace("least: 2", "least: 2, most: 4")
    row = hosted.apply(text)
    clock.at = max(clock.at, row.opens_at or 0)
    hosted.work()
    for name in ("Aoife", "Brendan", "Ciara", "Dara", "Eoin", "Fiadh"):
        player = person(name, "fr" if name == "Brendan" else "en")
        hosted.people.append(Seated(player))
        enter_tournament(player, hosted.row, "-", service)
    return hosted


def write(hosted: HostedTournament, player: PlayerRow, text: str, to: str = "") -> tuple[str, str]:
    """Send an email to the service, or to another of its addresses. Return the outcome."""
    known = replace(hosted.config, authserv_id=SERVER)
    address = to or known.mail_from
    raw = message(text, str(player.address), address, verdict="pass")
    (number,) = inbox.store(raw, "smtp", known, envelope=str(player.address), recipients=(address,))
    outcome = inbox.process(number, known)
    assert outcome is not None
    deliver(hosted.config)
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


def begin(hosted: HostedTournament) -> list[str]:
    """Let the first round run; its matches."""
    while not MatchRow.select().where(MatchRow.status == "running").exists():
        hosted.go_to_next()
    matches = [row.id for row in MatchRow.select().order_by(MatchRow.id)]
    for match in matches:
        settle(match, hosted.config)
    return matches


def test_a_ruling_by_mail_counts_after_a_yes_and_is_told_in_both_languages(hosted: HostedTournament) -> None:
    one, other = begin(hosted)
    orla, aoife = hosted.maker.player, hosted.people[0].player
    assert write(hosted, aoife, f"rule winter-cup result {one} 1,2 rules")[0] == "refused"
    assert write(hosted, orla, f"rule winter-cup result {one} 1,3 rules")[0] == "refused"
    assert write(hosted, orla, "rule winter-cup result whatever") == ("refused", "tournament-rule")
    before = hosted.row.head_seq
    text = f"rule winter-cup result {one} 2,1 rules They shook hands on it."
    assert write(hosted, orla, text) == ("answered", "rule")
    assert hosted.row.head_seq == before
    said("ruling-question", orla, f"ruling result {one} rules", "2 emails", "Nothing has been done yet", "points 0 → 1")
    address = parseaddr(sent("ruling-question")[-1]["Reply-To"])[1]
    assert write(hosted, orla, "yes?", address) == ("refused", "unverified")
    assert write(hosted, orla, "yes", address) == ("done", "ruled")
    said("tournament", orla, "Your ruling is in the log of Winter")
    hosted.work()
    deliver(hosted.config)
    seats = json.loads(PairingRow.get_by_id(one).seats)
    for each in hosted.people[:4]:
        words = (
            ("résultat par décision", "le règlement") if each.player.language == "fr" else ("set by a ruling", "rules")
        )
        if each.player.id in seats:
            said("tournament-ruling", each.player, *words, "They shook hands on it.", hosted.row.head_hash[:12][:0])
        else:
            assert letters_to("tournament-ruling", each.player) == []
    # Two rulings are proposed, one counts, and the other shows what holds now.
    for places in ("1,2", "2,1"):
        assert write(hosted, orla, f"rule winter-cup result {other} {places} mistake")[0] == "answered"
    asked = [each for each in sent("ruling-question") if other in text_of(each)]
    first, second = (parseaddr(each["Reply-To"])[1] for each in asked)
    assert write(hosted, orla, "yes", first) == ("done", "ruled")
    assert write(hosted, orla, "yes", second) == ("refused", "tournament-rule")
    said("refused", orla, "Meanwhile something has changed. Result decided: Brendan – Ciara.")
    assert len([line for line in hosted.lines() if line.startswith(f"result {other}")]) == 1


def test_more_time_by_mail_is_in_the_zone_of_the_document(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, Seated(person("Orla")))
    row = hosted.apply(document_text(SWISS).replace("game: keltis", IN_NEW_YORK))
    PlayerRow.update(zone="Asia/Tokyo").where(PlayerRow.id == hosted.maker.player.id).execute()
    clock.at = max(clock.at, row.opens_at or 0)
    hosted.work()
    hosted.enter(4)
    begin(hosted)
    orla = PlayerRow.get_by_id(hosted.maker.player.id)
    assert write(hosted, orla, "rule winter-cup extend swiss:1 2027-03-20T18:00 time") == ("answered", "rule")
    evening = read_moment("2027-03-20T22:00Z", "UTC").at
    said("ruling-question", orla, f"ruling extend swiss:1 {evening} time")


def test_who_is_on_leave_when_a_round_begins_is_asked_whether_they_take_a_bye(
    hosted: HostedTournament, app: Flask, clock: Clock
) -> None:
    aoife, brendan, ciara, _ = (each.player for each in hosted.people[:4])
    with write_transaction():
        vacation.book(aoife.id, aoife.zone, date(2027, 1, 30), date(2027, 2, 1))
        vacation.book(brendan.id, brendan.zone, date(2027, 2, 1), date(2027, 2, 20))
        vacation.book(ciara.id, ciara.zone, date(2027, 2, 2), date(2027, 2, 20))
    own = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    page = sign_in(app, aoife.id).get("/settings", headers=own).text
    assert "Winter: round 1 of swiss overlaps your leave" in page
    while not sent("tournament-leave"):
        hosted.go_to_next()
        deliver(hosted.config)
    assert "pair" not in hosted.verbs()
    for player, answer in ((aoife, "yes"), (brendan, "non")):
        (asked,) = [each for each in sent("tournament-leave") if str(player.address) in each["To"]]
        write(hosted, player, answer, parseaddr(asked["Reply-To"])[1])
    while "pair" not in hosted.verbs():
        hosted.go_to_next()
    assert [line for line in hosted.lines() if line.startswith("bye ")] == [f"bye {aoife.id} swiss:1 half"]
    said("tournament-leave", aoife, "Would you like a bye?", "Its clocks stop", "half of what a win", "1 February")
    said("tournament-leave", brendan, "Voulez-vous être exempt ?", "« exempt winter-cup swiss:1 »", "par « oui »")
    assert [len(letters_to("tournament-leave", each)) for each in (aoife, brendan, ciara)] == [1, 1, 0]
    # Nobody is asked again who has no bye left, nor about the last round.
    clock.at = int(hosted.row.next_at or 0)
    for _ in range(60):
        hosted.work()
        hosted.decide_all() if MatchRow.select().where(MatchRow.status == "running").exists() else hosted.go_to_next()
        deliver(hosted.config)
        if "start swiss:3" in hosted.lines():
            break
    asked_about = [json.loads(row)["round"] for (row,) in rows(SELECT_ASKED)]
    assert sorted(asked_about) == [1, 1, 2, 2]
    assert len(letters_to("tournament-leave", aoife)) == 1


def test_ends_are_announced_and_organisers_get_what_spectators_see(hosted: HostedTournament, clock: Clock) -> None:
    matches = begin(hosted)
    end = int(RoundRow.get(RoundRow.number == 1).ends_at or 0)
    aoife, brendan, orla = hosted.people[0].player, hosted.people[1].player, hosted.maker.player
    SeatRow.update(due_at=end + 60 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    for days in (8, 7, 7, 3, 1):
        clock.at = end - days * DAY + HOUR
        hosted.work()
        deliver(hosted.config)
    assert len(letters_to("tournament-ending", aoife)) == 3
    said("tournament-ending", aoife, "round 1 of swiss ends in a day", "against", "an organiser decides it")
    said("tournament-ending", brendan, "finit dans 7 jours", "un organisateur la juge")
    clock.at = end + HOUR
    hosted.work()
    deliver(hosted.config)
    found = letters_to("tournament-adjudication", orla)
    assert len(found) == len(matches)
    said("tournament-adjudication", orla, f"rule winter-cup result {matches[0]} 1,2 time", "as spectators see it")
    waiting = list(organiser_tools.list_open_decisions(hosted.row))
    assert {each.match for each in waiting} == set(matches)
    table = load_match_state(matches[0])
    own = Viewer(table, 0, "en")
    private = (own.game.presentation.prose or own.game.presentation.text)(own.view(), "en")
    assert organiser_tools.describe_public_table(matches[0], "en") != private


def test_rounds_that_end_together_are_announced_in_one_letter(service: Config, clock: Clock) -> None:
    robin = """
  - name: all
    format: round-robin
    start: {first: 2027-02-01T18:00, all: yes}
    end: {at: 2027-03-01T18:00, then: as-it-stands}
"""
    hosted = HostedTournament(service, clock, Seated(person("Orla")))
    clock.at = max(clock.at, hosted.apply(document_text(robin)).opens_at or 0)
    hosted.work()
    for name in ("Aoife", "Brendan", "Ciara", "Dara"):
        hosted.people.append(Seated(person(name, "fr" if name == "Brendan" else "en")))
        enter_tournament(hosted.people[-1].player, hosted.row, "-", service)
    matches = begin(hosted)
    assert len(matches) == 6
    aoife, brendan, ciara, _ = (each.player for each in hosted.people)
    SeatRow.update(due_at=clock.at + 90 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    end = int(RoundRow.get(RoundRow.number == 1).ends_at or 0)
    kept = next(row for row in PairingRow.select() if {aoife.id, ciara.id} == set(json.loads(row.seats)))
    for days in (7, 3):
        clock.at = end - days * DAY + HOUR
        hosted.work()
        deliver(hosted.config)
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


def test_messages_reach_who_wants_letters_twice_a_day(hosted: HostedTournament, clock: Clock) -> None:
    orla, aoife, dara = hosted.maker.player, hosted.people[0].player, hosted.people[3].player
    PlayerRow.update(letters="none").where(PlayerRow.id == dara.id).execute()
    text = "Prizes: https://example.org/prizes\nJoin us <b>there</b>."
    result = organiser_tools.send_message(orla.id, hosted.tournament, text)
    assert (result.letters, result.muted, result.left_today) == (5, 1, 1)
    deliver(hosted.config)
    said("tournament-message", aoife, "a message to all entrants", "https://example.org/prizes", "<b>there</b>")
    (letter,) = [each for each in sent("tournament-message") if str(aoife.address) in each["To"]]
    assert 'href="https://example.org/prizes"' not in html_of(letter)
    organiser_tools.send_message(orla.id, hosted.tournament, "Twice.")
    for author, words, kind in (
        (orla, "Thrice", "limit-reached"),
        (aoife, "Mine", "forbidden"),
        (orla, " ", "invalid"),
    ):
        with pytest.raises(Problem) as refusal:
            organiser_tools.send_message(author.id, hosted.tournament, words)
        assert refusal.value.kind == kind
    clock.forward(days=1, minutes=1)
    assert organiser_tools.send_message(orla.id, hosted.tournament, "Tomorrow.").left_today == 1
    PlayerRow.update(bounces=2, bounced_at=clock.at).where(PlayerRow.id == aoife.id).execute()
    assert [each.id for each in organiser_tools.select_unreachable(hosted.tournament)] == [aoife.id]


def test_a_free_place_is_offered_by_letter_and_taken_by_one(hosted: HostedTournament) -> None:
    dara, eoin = hosted.people[3].player, hosted.people[4].player
    assert write(hosted, dara, "withdraw winter-cup")[0] == "done"
    said("tournament-offer", eoin, "A place in Winter is free", "“enter winter-cup”", "It is yours until")
    assert write(hosted, eoin, "enter winter-cup")[0] in {"done", "answered"}
    said("tournament-entered", eoin, "You’re in: Winter.")
    assert len(letters_to("tournament-offer", hosted.people[5].player)) == 0


def test_leave_that_meets_a_round_is_said_when_booking_and_when_entering(hosted: HostedTournament) -> None:
    aoife, gone = hosted.people[0].player, person("Grainne")
    with write_transaction():
        vacation.book(gone.id, gone.zone, date(2027, 1, 30), date(2027, 2, 3))
    enter_tournament(gone, hosted.row, "-", hosted.config)
    deliver(hosted.config)
    said("tournament-entered", gone, "round 1 of swiss overlaps your leave", "Its clocks stop during your leave.")
    assert write(hosted, aoife, "leave 2027-02-01 to 2027-02-04")[0] == "done"
    said("leave", aoife, "round 1 of swiss overlaps your leave", "You can ask for a bye", "“bye winter-cup swiss:1”")
