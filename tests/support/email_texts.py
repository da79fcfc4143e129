"""Every email that Echtra sends, as text, from fixed examples: `make emails` writes them, and a test compares.

A file holds the emails of one kind about one game in one language. An editor reads whole emails there, and a reviewer
sees what a change of texts does to them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.games import GAMES
from engine.words import LOCALES, Locale
from service.accounts import signing_keys, vacation
from service.accounts.job_payloads import (
    ConfirmLetter,
    DigestLetter,
    RegisteredLetter,
    SignInCodeLetter,
    TokenCodeLetter,
)
from service.config import Config
from service.db.connection import execute, write_transaction
from service.db.models.accounts import PlayerRow, SigningKeyRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import RoundRow
from service.db.models.webhooks import HookRow
from service.i18n.catalogue import dump_message, msg, read_texts, text_files
from service.jobs.payloads import LetterJob
from service.mail import letters
from service.mail.job_payloads import BeginLetter
from service.mail.letters.context import LetterContext
from service.mail.outgoing import build_message
from service.matches import create, invitations, offers, organisers
from service.matches.job_payloads import CancelledLetter, ClaimLetter, ClaimSeatLetter, InvitationLetter
from service.play import notes, timeouts
from service.play.job_payloads import BegunLetter, DeviceLetter, DroppedLetter, NotedLetter, OverLetter, TurnLetter
from service.play.match_loader import load_match_state
from service.record.keys import public_key_of
from service.timestamps import DAY, MINUTE
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.entry.invitations import invite_guest
from service.tournaments.job_payloads import (
    AdjudicationLetter,
    ByeQuestionLetter,
    ChallengeLetter,
    EndingLetter,
    EnteredLetter,
    OrganiserMessageLetter,
    PlaceOfferLetter,
    RoundLetter,
    RulingNoticeLetter,
    TournamentCancelledLetter,
    TournamentInvitationLetter,
    TournamentOverLetter,
)
from service.tournaments.rounds import challenges
from service.tournaments.rulings import organiser_tools
from service.webhooks.sender import HookDisabledLetter
from tests.golden.records.__main__ import service
from tests.support.clock_tables import due, set_excuses
from tests.support.factories import Seated, log_of, settle
from tests.support.letter_jobs import known_members, letter_job
from tests.support.luck import fix_luck
from tests.support.mailbox import match_of, opened, person, play, text_of
from tests.support.players import START, Clock
from tests.support.players import letters as queued_letters
from tests.support.tournaments import HostedTournament, document_text
from tests.support.turn_letters import ADDRESSES

FOLDER = Path(__file__).parents[1] / "golden" / "emails"
COMMAND = "make emails"
SETTINGS: dict[str, Any] = {
    "letter_hold": 0,
    "public_url": "https://echtra.example",
    "mail_domain": "echtra.example",
    "mail_from": "play@echtra.example",
}
RULE = "\n" + "=" * 78 + "\n\n"
"""The line between two emails of a file."""
RECEIPT = {
    "type": "receipt",
    "match": "m" * 16,
    "seq": 4,
    "hash": "a" * 64,
    "at": 1_799_999_000_000,
    "signature": "b" * 128,
}
ANSWERS: list[tuple[str, dict[str, Any], str]] = [
    (
        "understood",
        {"made": ["lay R5"], "waiting": 2, "dropped": [], "why": "", "receipt": RECEIPT},
        "b" * 64,
    ),
    (
        "understood",
        {
            "made": ["lay R5"],
            "waiting": 0,
            "dropped": ["draw R"],
            "why": "draw R: it is not one of the moves you can make now",
            "receipt": RECEIPT,
        },
        "draw R",
    ),
    ("held", {"lines": ["lay R5"], "until": 1_800_000_600_000, "beside": [], "waiting": "w"}, "lay R5"),
    ("held", {"lines": ["lay R5"], "until": 1_800_000_600_000, "beside": ["hm"], "waiting": "w"}, "hm"),
    ("held", {"lines": ["lay R5"], "until": None, "beside": ["no"], "waiting": "w", "reason": "asked"}, "lay R5"),
    ("held", {"lines": ["lay R5"], "until": None, "beside": [], "waiting": "w", "reason": "asked"}, "lay R5"),
    ("undone", {"lines": ["lay R5"]}, "lay R5"),
    ("undone", {"lines": []}, ""),
    ("undone", {"lines": ["lay R5"], "label": "B"}, "B. Keltis"),
    ("refused", {"reason": "unclear", "text": "zap", "meant": ["lay R5", "lay R6"], "why": ""}, "lay R6"),
    ("refused", {"reason": "limit-reached", "text": "", "meant": [], "why": "Too many."}, ""),
    ("refused", {"reason": "no-such-reason", "text": "zap <b>", "meant": [], "why": "Because."}, "Because."),
    ("refused", {"reason": "booking", "text": "2027-02-01", "meant": [], "why": "", "match": None}, "2027-02-01"),
    ("back", {}, "Keltis"),
    ("stale", {"text": "lay R5"}, "lay R5"),
    ("help", {}, "keltis"),
    ("board", {}, "Keltis"),
    ("history", {}, "Aoife"),
    ("rules", {"game": "tain"}, "14 + 15 + 2 + 5 = 36"),
    ("rules", {"game": "keltis"}, "-4 -3 -2 1 2 3 6 7 10"),
    ("rules", {"game": "tir-na-nog"}, "7 + 5 + 6 + 8 = 26"),
    ("rules", {"game": None, "match": None, "seat": None}, "tir-na-nog"),
    ("clock", {}, "Aoife"),
    ("leave", {"first_day": "2027-02-01", "last_day": "2027-02-03"}, "2027"),
    ("note", {"note": "Well played!\n\nSee you <soon>"}, "See you <soon>"),
    ("stopped", {"everywhere": False}, ""),
    ("stopped", {"everywhere": True}, ""),
    ("letters", {"mode": "digest", "everywhere": False}, ""),
    ("setting", {"name": "zone", "match": None}, "2027"),
    ("setting", {"name": "language"}, ""),
    ("setting", {"name": "digest"}, "Europe/Dublin"),
    ("refused", {"reason": "digest", "text": "dawn", "meant": [], "why": "", "match": None}, "dawn"),
    ("confirming", {"on": True}, ""),
    ("confirming", {"on": False}, ""),
    ("resign", {"waiting": "w"}, "Keltis"),
    ("resigned", {"receipt": RECEIPT}, "b" * 64),
    ("joined", {"receipt": RECEIPT}, "Keltis"),
    ("declined", {}, "Keltis"),
    ("made", {"game": "keltis"}, "Keltis"),
    ("made", {"game": "keltis", "guests": ["bran@example.org"], "new": True}, "Keltis"),
    ("invited", {"guests": ["bran@example.org"]}, "bran@example.org"),
    ("games", {}, "bardwood-grove"),
    ("matches", {"listed": [], "match": None, "seat": None}, "tir-na-nog"),
    ("orders", {"lines": ["lay R5 | discard R5", "draw deck"], "kept": True}, "lay R5"),
    ("orders", {"lines": [], "kept": False}, ""),
    ("auto", {"on": True, "everywhere": False}, ""),
    ("auto", {"on": True, "everywhere": True, "match": None, "seat": None}, ""),
    ("muted", {"on": True}, ""),
    ("position", {"at": 1}, "1"),
    ("proposed", {"what": "end", "state": "open", "own": True}, ""),
    ("proposed", {"what": "cancel", "state": "declined", "own": False}, ""),
    ("leaves", {"cancelled": False, "match": None, "seat": None}, ""),
    ("welcome", {"name": "Nuala"}, "Nuala"),
    ("absent", {"seat": 1, "status": "5.1.1"}, "5.1.1"),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "stand-in", "excuses": 0}, "Brendan"),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "excused", "excuses": 2}, "2"),
    ("late", {"seat": 0, "asked": None, "due": 1_799_999_000_000, "outcome": "excused", "excuses": 0}, "Keltis"),
    ("urgent", {"asked": None, "due": None}, "Keltis"),
    ("leave-ends", {"last_day": "2027-02-03"}, "2027"),
]
"""Answers to a player at a table of Keltis, each with words that it contains."""
MORE_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("letters", {"mode": "turn", "everywhere": True}),
    ("letters", {"mode": "reminders", "everywhere": True}),
    ("letters", {"mode": "none", "everywhere": False}),
    ("muted", {"on": False}),
    ("preview", {"lines": ["discard G3"]}),
    ("auto", {"on": False, "everywhere": False}),
    ("leaves", {"cancelled": True}),
    ("orders", {"lines": ["draw deck"], "kept": False}),
    ("proposed", {"what": "cancel", "state": "open", "own": False}),
    ("joined", {"receipt": RECEIPT, "new": True}),
    ("made", {"game": "keltis", "invited": True}),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "excused", "excuses": 1}),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "excused"}),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "substitute", "excuses": 0}),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "forfeit", "excuses": 0}),
    ("late", {"seat": 0, "asked": None, "due": 1_799_999_000_000, "outcome": "excused"}),
    ("reminder", {"asked": None, "due": None}),
    ("unverified", {"verb": "leave", "rest": "2027-02-01 to 2027-02-03"}),
    ("refused", {"reason": "unclear", "text": "the red one", "meant": ["lay R5", "lay R6"], "last": True}),
]
"""Answers to a player at a table that are not among `ANSWERS`."""
NOT_REASONS = frozenset("lead general last meant other why".split())
"""Texts about refusals that do not belong to one reason."""
SWISS = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: adjudicate}
    bye: {asked: half, most_asked: 1}
"""
LADDER = """
  - name: ladder
    format: ladder
    start: {first: 2027-02-01T18:00}
    end: {at: 2027-06-01T18:00}
"""


@dataclass
class Examples:
    """The examples in one language: people and matches in a database, and the emails about them so far."""

    locale: Locale
    config: Config
    clock: Clock
    emails: defaultdict[str, list[tuple[str, EmailMessage]]]
    """The emails by the name of their file, each with its preheader."""
    kinds: set[str]

    def person(self, name: str) -> PlayerRow:
        """Return a new player who reads this language."""
        return person(name, self.locale)

    def show(self, job: LetterJob) -> None:
        """Compose the email of a job and add it to its file."""
        letter = letters.compose(LetterContext(job, self.config))
        assert letter is not None, f"There is no email for {job}"
        message = opened(build_message.render_message("a" * 20, letter, ADDRESSES, self.config))
        row = MatchRow.get_or_none(MatchRow.id == letter.match) if letter.match else None
        game = getattr(job, "game", None) or (row.game if row else None)
        name = "-".join(part for part in (job.kind, game, self.locale) if part)
        self.emails[name].append((letter.preview, message))
        self.kinds.add(job.kind)

    def answer(self, kind: str, player: PlayerRow, match: str | None, members: dict[str, Any]) -> None:
        """Show an answer to a player, who has seat 0 of the match."""
        payload = {"kind": kind, "player": player.id, "inbox": "i", "match": match, "seat": 0, **members}
        if payload.get("asked", 0) is None and match is not None:
            payload["asked"] = asked_of(match)
        self.show(letter_job(known_members(payload)))


def asked_of(match: str) -> int:
    """Return the number of the question that seat 0 is asked."""
    question = load_match_state(match).questions[0]
    assert question is not None, "Seat 0 is not asked anything"
    return question.asked


def show_accounts(examples: Examples) -> None:
    """Show the emails about an account: sign-in, security, webhooks, leave, how to begin."""
    aoife, locale = examples.person("Aoife"), examples.locale
    nuala: dict[str, Any] = {
        "address": "nuala@example.org",
        "name": "Nuala",
        "language": locale,
        "zone": "Europe/Dublin",
    }
    variants: tuple[dict[str, Any], ...] = ({}, {"wish": "new keltis", "by_mail": True}, {"again": True, "last": True})
    for more in variants:
        examples.show(ConfirmLetter(code="123456", path="/confirm/abc", **nuala, **more))
    examples.show(RegisteredLetter(player=aoife.id))
    for path in ("", "/codes/abc"):
        code: dict[str, Any] = {"code": "123456", "minutes": 15, "path": path}
        examples.show(TokenCodeLetter(player=aoife.id, request="r1", **code))
        examples.show(SignInCodeLetter(player=aoife.id, address="", language=locale, **code))
    for last in (False, True):
        examples.show(BeginLetter(**nuala, last=last))
    why = msg("webhooks.nothing_arrived", days=5, answer=msg("webhooks.status", code=502))
    HookRow.create(
        id="h1",
        player=aoife.id,
        url="https://bot.example.org/echtra",
        events="*",
        include="",
        secret="",
        old_secret="",
        private="",
        created_at=START,
        why=str(why),
    )
    examples.show(HookDisabledLetter(player=aoife.id, hook="h1", url="", why=str(why), message=dump_message(why)))
    examples.answer("leave-ends", aoife, None, {"last_day": "2027-02-03"})


def show_table(examples: Examples) -> None:
    """Show the answers to a player at a table of Keltis, every refusal, and emails about other players' actions."""
    aoife, brendan, config = examples.person("Aoife"), examples.person("Brendan"), examples.config
    match = match_of(config, aoife, brendan)
    with write_transaction():
        vacation.book(aoife.id, aoife.zone, date(2027, 3, 1), date(2027, 3, 7))
    for kind, members, _ in ANSWERS:
        if not (kind == "rules" and members["game"]):
            examples.answer(kind, aoife, match, members)
    for kind, members in MORE_ANSWERS:
        examples.answer(kind, aoife, match, members)
    for reason in _refusal_reasons():
        examples.answer("refused", aoife, None, {"reason": reason, "text": "lay R5", "why": "", "seat": None})
    for kind in ("end", "cancel"):
        offer = offers.make(match, brendan.id, kind)
        seat = {"match": match, "seat": 0, "player": aoife.id}
        examples.show(letter_job({"kind": "offer", **seat, "offer": offer.id}))
        examples.answer("agree", aoife, match, {"offer": offer.id, "waiting": "w"})
        offers.answer(match, aoife.id, offer.id, agree=False)
        examples.show(
            letter_job({"kind": "offer-declined", "match": match, "seat": 1, "player": brendan.id, "offer": offer.id})
        )
    notes.write(match, brendan.id, "Good luck!\nI have never won this one.")
    examples.show(NotedLetter(match=match, seat=0, player=aoife.id, at=START))
    execute(
        "insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, "
        "status, why, receipt, reason) values ('s', ?, 0, ?, 'api', 0, '', true, 0, ?, 1, 3, 'dropped', '', '{}', ?)",
        match,
        aoife.id,
        '{"key": "", "lines": ["lay R5", "draw deck", "lay R6"], "signatures": [], "mail": null}',
        '{"reason": "line.not_listed", "values": {}}',
    )
    examples.show(DroppedLetter(submission="s"))
    PlayerRow.update(letters="digest").where(PlayerRow.id == aoife.id).execute()
    examples.show(DigestLetter(player=aoife.id, slot=START))
    examples.answer("refused", aoife, None, {"reason": "label", "text": "C 3", "seat": None})


def _refusal_reasons() -> list[str]:
    keys = read_texts(text_files())
    reasons = {key.removeprefix("refused.") for key in keys if key.startswith("refused.")}
    return sorted(reason for reason in reasons - NOT_REASONS - {"label"} if not reason.startswith(("lead.", "meant.")))


def show_devices(examples: Examples) -> None:
    """Show the emails about devices that play, or ask to play where moves are signed."""
    aoife, brendan = examples.person("Aoife"), examples.person("Brendan")
    phone = public_key_of(Ed25519PrivateKey.generate())
    with write_transaction():
        for player in (aoife, brendan):
            signing_keys.add(player.id, public_key_of(Ed25519PrivateKey.generate()), "Laptop")
    match = match_of(examples.config, aoife, brendan, moves="signed")
    with write_transaction():
        signing_keys.add(aoife.id, phone, "Phone", "t")
    SigningKeyRow.update(claimed_at=START).where(SigningKeyRow.id == phone.id).execute()
    due = START + 2 * DAY
    examples.show(TurnLetter(match=match, seat=0, asked=asked_of(match)))
    examples.show(DeviceLetter(player=aoife.id, key=phone.id, match=match))
    examples.show(ClaimLetter(player=aoife.id, key=phone.id, due=due, seats=((match, 0),)))
    examples.show(ClaimSeatLetter(player=brendan.id, match=match, seat=1, claimer=0, due=due))


def show_lost_seat(examples: Examples, policy: str) -> None:
    """Show the emails to a player who lost their seat, and to the other players, by the policy of the match."""
    people = [examples.person(name) for name in ("Aoife", "Brendan", "Ciara")]
    match = match_of(examples.config, *people, clock="simple-3", policy=policy)
    set_excuses(match, 0)
    examples.clock.at = due(match) + MINUTE
    timeouts.write_timeouts()
    settle(match, examples.config)
    for payload in queued_letters("late"):
        examples.show(letter_job(payload))


def show_open_match(examples: Examples) -> None:
    """Show the emails about a match that has not begun: by an organiser, and one that can be joined."""
    orla, aoife, config = examples.person("Orla"), examples.person("Aoife"), examples.config
    organisers.give_consent(aoife.id, orla.id)
    wanted = create.NewMatch(game="keltis", seats=2, sit=False, title="Lughnasa cup", clock="simple-3")
    match = str(create.create_match(orla, wanted, config).id)
    organisers.seat_player(orla.id, match, 0, aoife.id, config)
    seat = {"player": aoife.id, "match": match, "seat": 0, "by": orla.id}
    examples.show(letter_job({"kind": "seated", **seat}))
    examples.answer("absent", orla, match, {"status": "5.1.1"})
    examples.answer("joined", aoife, match, {"receipt": RECEIPT})
    examples.answer("matches", aoife, None, {"listed": (match,), "seat": None})
    for members in ({"guests": ["bran@example.org"]}, {"new": True}):
        examples.answer("made", orla, match, {"game": "keltis", "seat": None, **members})
    organisers.unseat_player(orla.id, match, 0)
    examples.show(letter_job({"kind": "unseated", **seat}))
    examples.show(CancelledLetter(player=aoife.id, match=match))


def show_game(examples: Examples, slug: str) -> None:
    """Show the emails that differ by game: the turn, the moves made, the end, the rules, an invitation."""
    aoife, brendan, config = examples.person("Aoife"), examples.person("Brendan"), examples.config
    wanted = create.NewMatch(game=slug, seats=2)
    first = create.first_match_options(brendan, wanted, GAMES[slug])
    opened_match = create.create_match(brendan, wanted, config)
    if first:
        examples.answer("made", brendan, opened_match.id, {"game": slug, "first": first})
    for guest, address in ((aoife.id, None), (None, "bran@example.org")):
        with write_transaction():
            made = invitations.invite(brendan.id, opened_match.id, guest, address, None, config)
        examples.show(InvitationLetter(invitation=made.id))
    match = match_of(config, aoife, brendan, game=slug)
    for seat, player in enumerate((aoife, brendan)):
        if load_match_state(match).questions[seat] is None:
            examples.show(BegunLetter(player=player.id, match=match, seat=seat))
    for number in range(40):
        state = play(match, config, 1, seed=number)
        if number > 6 and state.questions[0] is not None:
            break
    examples.show(TurnLetter(match=match, seat=0, asked=asked_of(match)))
    last = [line for seat, line in log_of(match) if seat == 0][-1:]
    examples.answer("understood", aoife, match, {"made": last, "waiting": 0, "dropped": [], "receipt": RECEIPT})
    examples.answer("history", aoife, match, {})
    examples.answer("rules", aoife, match, {"game": slug})
    play(match, config, 5_000)
    examples.show(OverLetter(player=aoife.id, match=match, seat=0))


def hold(examples: Examples, text: str, *names: str) -> HostedTournament:
    """Return a tournament organised by Orla that these people have entered."""
    hosted = HostedTournament(examples.config, examples.clock, Seated(examples.person("Orla")))
    examples.clock.at = max(START, hosted.apply(text).opens_at or 0)
    hosted.work()
    for name in names:
        hosted.people.append(Seated(examples.person(name)))
        enter_tournament(hosted.people[-1].player, hosted.row, "-", examples.config)
    return hosted


def start_round(hosted: HostedTournament) -> list[str]:
    """Run the first round, and return its matches."""
    running = MatchRow.select(MatchRow.id).where((MatchRow.status == "running") & MatchRow.pairing.is_null(False))
    while not running.exists():
        hosted.go_to_next()
    return sorted(row.id for row in running)


def show_swiss(examples: Examples) -> None:
    """Show the emails about a Swiss tournament, from the invitation to the end."""
    text = document_text(SWISS).replace("least: 2", "least: 2, most: 4")
    hosted = hold(examples, text, "Aoife", "Brendan", "Ciara", "Dara", "Eoin")
    orla, aoife, brendan, eoin = (seated.player for seated in (hosted.maker, *hosted.people[:2], hosted.people[4]))
    mine = {"player": aoife.id, "tournament": hosted.tournament}
    for guest, address in ((aoife.id, None), (None, "bran@example.org")):
        made = invite_guest(orla.id, hosted.tournament, guest, address)
        examples.show(TournamentInvitationLetter(invitation=made.id, tournament=hosted.tournament))
    for status in ("in", "reserve", "waiting"):
        examples.show(EnteredLetter(**mine, status=status))
    now = examples.clock.at
    for match in ("", "m"):
        examples.show(PlaceOfferLetter(**mine, match=match, until=now + DAY))
    sent = organiser_tools.send_message(orla.id, hosted.tournament, "Prizes are listed at https://example.org/prizes.")
    examples.show(OrganiserMessageLetter(**mine, message=sent.id))
    examples.show(ByeQuestionLetter(**mine, stage="swiss", round=1, starts_at=now + 3 * DAY, until=now + 2 * DAY))
    for about in ("list", "standing", "schedule", "withdrawn", "bye", "ruled"):
        examples.answer(
            "tournament", aoife, None, {"about": about, "tournament": hosted.tournament, "round": "swiss:1"}
        )
    one, _ = start_round(hosted)
    for player in (aoife, eoin):
        examples.show(RoundLetter(player=player.id, tournament=hosted.tournament, stage="swiss", round=1))
        examples.answer("tournament", player, None, {"about": "schedule", "tournament": hosted.tournament})
    end = int(RoundRow.get(RoundRow.number == 1).ends_at or 0)
    for days, then in ((7, "adjudicate"), (1, "as-it-stands"), (3, "late-loses"), (3, "lapsed")):
        examples.show(EndingLetter(**mine, stage="swiss", days=days, ends_at=end, then=then))
    examples.show(AdjudicationLetter(player=orla.id, tournament=hosted.tournament, match=one, until=end + DAY))
    examples.answer(
        "ruling-question",
        orla,
        None,
        {"rest": "", "lines": [f"ruling result {one} rules"], "letters": 2, "standings": ["Aoife: points 0 → 1"]},
    )
    for ruling in (
        "pause technical",
        "resume technical",
        "extend swiss:1 2027-03-10T18:00 illness",
        f"result {one} 2,1 rules They shook hands on it.",
        f"replay {one} mistake",
        f"exclude {brendan.id} fair-play",
        f"accept {brendan.id} mistake",
    ):
        hosted.rule(ruling)
        examples.show(RulingNoticeLetter(**mine, seq=_last_ruling(hosted)))
        hosted.work()
    hosted.run_to_end()
    for about in ("standing", "why"):
        examples.answer("tournament", aoife, None, {"about": about, "tournament": hosted.tournament})
    examples.show(TournamentOverLetter(**mine))


def _last_ruling(hosted: HostedTournament) -> int:
    """Return the number of the last line of the log that is a ruling."""
    lines = hosted.lines()
    return max(number for number, line in enumerate(lines, 1) if line.startswith("ruling "))


def show_cancelled(examples: Examples) -> None:
    """Show the email about a tournament that an organiser cancelled."""
    hosted = hold(examples, document_text(name="spring-cup"), "Aoife", "Brendan")
    hosted.rule("cancel too-few Sorry!")
    examples.show(TournamentCancelledLetter(player=hosted.people[0].player.id, tournament=hosted.tournament))


def show_ladder(examples: Examples) -> None:
    """Show the emails about a ladder: its start, and every end of a challenge."""
    hosted = hold(examples, document_text(LADDER, name="ladder", closes="with-end"), "Aoife", "Brendan")
    while hosted.row.state != "running":
        hosted.go_to_next()
    aoife = hosted.people[0].player.id
    examples.show(RoundLetter(player=aoife, tournament=hosted.tournament, stage="ladder", round=1))
    ladder = challenges.find_ladder(hosted.row)
    top, bottom = (ladder.state.holders[number] for number in ladder.order)
    made = challenges.make_challenge(bottom, hosted.tournament, top)
    rivals = {"made": top, "missed": top}
    for what in ("made", "accepted", "declined", "silent", "missed", "lapsed"):
        to = rivals.get(what, bottom)
        examples.show(ChallengeLetter(player=to, tournament=hosted.tournament, challenge=made.id, what=what))
    challenged = {"about": "challenge", "tournament": hosted.tournament, "challenge": made.id}
    examples.answer("tournament", PlayerRow.get_by_id(bottom), None, challenged)


SCENES: dict[str, Callable[[Examples], None]] = {
    "accounts": show_accounts,
    "table": show_table,
    **{policy: partial(show_lost_seat, policy=policy) for policy in ("stand-in", "substitute", "forfeit")},
    "devices": show_devices,
    "open-match": show_open_match,
    **{slug: partial(show_game, slug=slug) for slug in GAMES},
    "swiss": show_swiss,
    "cancelled": show_cancelled,
    "ladder": show_ladder,
}


def make_emails(locale: Locale) -> dict[str, list[tuple[str, EmailMessage]]]:
    """Return every email in a language with its preheader, by kind and game.

    Each scene has its own database and its own random numbers, so that a change of one leaves the other emails
    unchanged.
    """
    emails, kinds = defaultdict[str, list[tuple[str, EmailMessage]]](list), set[str]()
    for name, scene in SCENES.items():
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            fix_luck(patch, f"{name} {locale}")
            with service(Path(folder)) as (config, clock):
                clock.at = START
                scene(Examples(locale, replace(config, **SETTINGS), clock, emails, kinds))
    missing = sorted(LetterJob.kinds.keys() - kinds)
    assert not missing, f"{__name__} has no example of these kinds of email: {', '.join(missing)}"
    return emails


def make_email_texts(locale: Locale) -> dict[str, str]:
    """Return the text of every file with emails in a language, by its name."""
    return {
        f"{name}.txt": RULE.join(_describe(preview, message) for preview, message in emails)
        for name, emails in make_emails(locale).items()
    }


def _describe(preview: str, message: EmailMessage) -> str:
    head = [f"{name}: {message[name]}" for name in ("From", "To", "Subject")]
    head += [f"Preheader: {preview}"] if preview else []
    return "\n".join([*head, "", text_of(message).rstrip()]) + "\n"


def write_email_texts() -> None:
    """Write every file, and remove those whose emails no longer exist."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for locale in LOCALES:
        for name, text in make_email_texts(locale).items():
            (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_email_texts()
