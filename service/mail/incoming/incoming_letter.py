"""An email being read: its envelope, its content, and the part for each table."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from peewee import Expression

from engine.words import Locale
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow, LetterRow
from service.db.models.matches import SeatRow
from service.i18n.catalogue import Explanation
from service.mail import commands, reply_addresses
from service.mail.incoming import body_versions, held_moves, parse_message, sender_checks
from service.mail.incoming.answers import MailOutcome, build_refusal, fingerprint
from service.mail.incoming.held_moves import WaitingAction
from service.mail.incoming.move_replies import mail_proof
from service.mail.incoming.parse_message import ParsedMessage
from service.mail.incoming.reading.move_reader import MoveReader
from service.mail.incoming.reading.order_reader import OrderReader
from service.mail.incoming.reading.pieces import Grammar
from service.mail.incoming.reading.requests import MailRequest, PieceReader, find_meaningful_rows, read_request
from service.mail.incoming.reading.zones import ReplyText
from service.mail.job_payloads import AnswerLetter, StaleAnswer
from service.mail.reply_addresses import ReplyAddress
from service.play import match_loader
from service.play.views import Viewer, seat_names
from service.problems import Problem
from service.record.match_state import MatchState

LONGEST_ID = 500
OFFSET = re.compile(r"([+-])(\d{2})00\b")
MOST_HOURS = 12


@dataclass(frozen=True)
class IncomingLetter:
    """One row of the inbox with its parsed message."""

    id: str
    received: int
    door: str
    envelope: str
    """The sender named by its mail server, who would get a report about it."""
    recipient: str
    raw: bytes
    """The message as received."""
    mail: ParsedMessage
    verdict: str
    config: Config

    @cached_property
    def from_address(self) -> str:
        """The address in From."""
        return sender_checks.from_address(self.mail)

    @cached_property
    def reply_text(self) -> ReplyText:
        """The new text in it."""
        return body_versions.read_reply(self.mail, self._answered_text)

    def _answered_text(self) -> str:
        """Return the text of the email that it answers, or an empty string if we no longer have it."""
        number = self.reply_address.letter if self.reply_address else None
        row = LetterRow.get_or_none(LetterRow.id == number) if number else None
        if row is None or row.mime is None:
            return ""
        try:
            return parse_message.parse(bytes(row.mime)).text
        except parse_message.UnreadableMessage:
            return ""

    @cached_property
    def reply_address(self) -> ReplyAddress | None:
        """Purpose of the address it was sent to."""
        return reply_addresses.find(self.recipient)

    @property
    def address_payload(self) -> Mapping[str, Any]:
        """The payload that was stored with the address it was sent to."""
        return self.reply_address.payload if self.reply_address else {}

    @property
    def address_kind(self) -> str:
        """Kind of the address it was sent to: `service` is our own, `unknown` one that we never gave out."""
        if self.reply_address is not None:
            return self.reply_address.kind
        # An address of the right form that we never gave out, or too long ago, belongs to nobody.
        return "unknown" if reply_addresses.has_reply_form(self.recipient) else "service"

    @property
    def is_forwardable(self) -> bool:
        """True if the address is in links, so that anyone who gets the email forwarded has it too."""
        return self.reply_address is not None and self.reply_address.in_link

    @cached_property
    def player(self) -> PlayerRow | None:
        """The player who was given its address, as long as they have an account and an address."""
        id_ = self.reply_address.player if self.reply_address else None
        player = PlayerRow.get_or_none(PlayerRow.id == id_) if id_ else None
        return player if player is not None and player.deleted_at is None and player.address else None

    @cached_property
    def writer_names(self) -> tuple[str, ...]:
        """Names that the writer may sign with: the one in From, and the player's."""
        named = sender_checks.from_name(self.mail)
        return (named, self.player.name) if self.player is not None else (named,)

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar for reading the words of its writer."""
        return Grammar.for_names(self.writer_names)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The player's own rows, or a command in the subject if the text is empty."""
        return find_meaningful_rows(self.reply_text.lines, self.grammar) or self._subject_command()

    def read_request(self, known: Collection[str]) -> MailRequest:
        """Return which of these commands it gives."""
        return read_request(
            self.reply_text.lines or self.lines, self.grammar, known, signature=self.reply_text.signature
        )

    def _subject_command(self) -> tuple[str, ...]:
        """Return the subject if the text is empty and the subject is a command, as in the link that unsubscribes.

        Text after `Re:` or `Fwd:` does not count, because subjects contain the titles of matches, which players type.
        """
        text = self.mail.get("subject").strip()
        if self.mail.text.strip() or sender_checks.REPLY_PREFIXES.match(text):
            return ()
        command = commands.parse_command(text)
        return (text,) if command is not None and command.verb in commands.SUBJECT_COMMANDS else ()

    @cached_property
    def table_replies(self) -> tuple[TableReply, ...]:
        """Its text by match: one part for a turn, one for each label of a digest; none if that is unclear."""
        address, player = self.reply_address, self.player
        if address is None or player is None:
            return ()
        if address.kind == "turn" and address.match is not None and address.seat is not None:
            rows = self.reply_text.lines or self.lines
            return (TableReply(self, player, address.match, address.seat, address.asked, rows),)
        tables = address.payload.get("tables", {})
        rows = self.reply_text.lines or self.lines
        parts = commands.split_by_label(rows)
        if len(tables) == 1 and not parts.keys() & tables.keys():
            parts = {next(iter(tables)): rows}
        if not find_meaningful_rows(parts.get("", ()), self.grammar):
            parts.pop("", None)
        if not parts.keys() <= tables.keys():
            return ()
        return tuple(
            TableReply(self, player, str(at["match"]), int(at["seat"]), int(at["asked"]), lines, label)
            for label, lines in parts.items()
            for at in (tables[label],)
        )

    @property
    def message_id(self) -> str:
        """The Message-ID, if it has the form of one."""
        text = self.mail.get("message-id").strip()
        fits = text.startswith("<") and text.endswith(">") and len(text) < LONGEST_ID and text.isascii()
        return text if fits and " " not in text else ""

    @property
    def subject(self) -> str:
        """The subject, cut to the part that an answer may repeat."""
        return self.mail.get("subject")[:200]

    @property
    def zone(self) -> str:
        """The time zone in its date, as far as the offset from Greenwich shows it."""
        found = OFFSET.search(self.mail.get("date"))
        hours = int(found[2]) if found else 0
        if not found or hours == 0 or hours > MOST_HOURS:
            return "UTC"
        return f"Etc/GMT{'-' if found[1] == '+' else '+'}{hours}"

    @property
    def proof(self) -> dict[str, Any]:
        """Attestation in the record for a line that came with this email."""
        return mail_proof(self.door, self.raw, self.received, self.verdict)


@dataclass(frozen=True)
class TableReply:
    """The part of an email for one table: the seat, the question it answers, its writer, and its lines."""

    letter: IncomingLetter
    player: PlayerRow
    match: str
    seat: int
    asked: int
    lines: tuple[str, ...] = ()
    label: str = ""

    @cached_property
    def text(self) -> str:
        """The significant lines, as one text."""
        return "\n".join(find_meaningful_rows(self.lines, self.letter.grammar))

    @property
    def locale(self) -> Locale:
        """The language of the player."""
        return "fr" if self.player.language == "fr" else "en"

    @cached_property
    def match_state(self) -> MatchState:
        """The table when the email is read, or a `Problem` if there is none."""
        return match_loader.load_match_state(self.match)

    @property
    def seat_row(self) -> Expression:
        """The condition that selects the row of the seat."""
        return (SeatRow.match == self.match) & (SeatRow.seat == self.seat)

    @property
    def is_former_player(self) -> bool:
        """True if another player has the seat now."""
        return self.match_state.players[self.seat] != self.player.id

    @property
    def is_current(self) -> bool:
        """True if nothing was asked or answered at the seat since the email that is answered."""
        question = self.match_state.questions[self.seat]
        return question.asked == self.asked if question else self.match_state.own[self.seat] <= self.asked

    @cached_property
    def move_reader(self) -> MoveReader:
        """The reader of moves for the seat's current question."""
        return MoveReader(Viewer(self.match_state, self.seat, self.locale))

    @property
    def _piece_reader(self) -> PieceReader:
        return self.move_reader if self.match_state.questions[self.seat] else OrderReader(self.match_state, self.seat)

    @cached_property
    def request(self) -> MailRequest:
        """The requests in its lines. While something waits for a yes, `yes` has a meaning."""
        waits = any(held_moves.find(self.match, self.seat, state) for state in ("held", "asked"))
        known = commands.TABLE_COMMANDS | {"yes"} if waits else commands.TABLE_COMMANDS
        grammar = Grammar.for_names(self.letter.writer_names, seat_names(self.match_state, self.locale))
        signature = self.letter.reply_text.signature
        return read_request(self.lines, grammar, known, self._piece_reader, signature)

    @property
    def appends_to_log(self) -> bool:
        """True if it may append to the log. Then it is handled before its outcome is recorded, not together with it."""
        try:
            if self.is_former_player:
                return True
        except Problem:
            return False
        if self.request.command is not None:
            own = self.request.command.is_yes or self.request.command.verb in commands.LOG_COMMANDS
            return own and not self.request.mixed
        return bool(self.request.moves) and not self.request.mixed

    def hold(self, action: WaitingAction) -> str:
        """Let its action wait for a confirmation, or until a time. Return the id of the waiting row."""
        with write_transaction():
            return held_moves.hold(self.letter.id, self.letter.verdict, self.match, self.seat, action)

    def build_outcome(
        self, state: str, answer: AnswerLetter, *, what: str = "", why: str = "", said: str = ""
    ) -> MailOutcome:
        """Return an outcome with its answer, about this seat."""
        answer = replace(answer, match=self.match, seat=self.seat, label=self.label or None)
        print_ = fingerprint(self.match, self.asked, said) if state in ("refused", "answered") else ""
        return MailOutcome(state, what or answer.kind, why, (answer,), self.player.id, print_)

    def refuse(
        self, reason: str, text: str, meant: tuple[str, ...] = (), why: Explanation | None = None, *, said: str = ""
    ) -> MailOutcome:
        """Do nothing, and say what was wrong."""
        answer = build_refusal(reason, text, meant, why)
        return self.build_outcome("refused", answer, what=reason, why=reason, said=said or text)

    def refuse_stale(self, text: str) -> MailOutcome:
        """Do nothing, because the question has changed. The answer shows the current table."""
        return self.build_outcome("refused", StaleAnswer(text=text[:400]), said=text)


def from_row(row: InboxRow, mail: ParsedMessage, config: Config) -> IncomingLetter:
    """Return the email in a row."""
    verdict = sender_checks.dmarc_verdict(mail, config.authserv_id, sender_checks.from_address(mail).partition("@")[2])
    return IncomingLetter(
        row.id, row.received, row.door, row.sender, row.recipient, bytes(row.mime), mail, verdict, config
    )
