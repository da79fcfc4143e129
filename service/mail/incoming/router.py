"""Whom a letter concerns: the checks before anything is done, in one order, and the desk it goes to."""

from __future__ import annotations

from typing import Any

from service.accounts import bounces
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.mail import reply_addresses
from service.mail.incoming import account_commands, commands, invitation_replies, match_replies, sender_checks
from service.mail.incoming import bounces as bounced
from service.mail.incoming.answers import AnswerLetter, MailOutcome, PendingOutcome, fingerprint, ignore, merge_outcomes
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.match_replies import ReplySeat
from service.mail.incoming.sender_checks import OwnIdentity

REPLY_PREFIXES = ("re:", "aw:", "sv:", "ré:", "tr:")


def route(letter: IncomingLetter, envelope: str) -> PendingOutcome:
    """What is to be done about a letter."""
    asked = letter.asked
    if asked is not None and asked.kind == "bounce":
        return PendingOutcome(lambda: MailOutcome("bounce", bounced.handle_report(letter.mail, asked)))
    own = OwnIdentity(letter.config.mail_from, letter.config.mail_domain, _is_our_message)
    machine = sender_checks.automatic_reason(letter.mail, envelope, own) or (
        "absent" if sender_checks.is_out_of_office(letter.said.text) else ""
    )
    if machine:
        return ignore("automatic", machine)
    if asked is None:
        # An address of the right form that we never handed out, or too long ago, is nobody's.
        return (
            ignore("unknown-address")
            if reply_addresses.has_reply_form(letter.recipient)
            else account_commands.handle(letter)
        )
    if asked.kind == "confirm":
        return invitation_replies.handle_confirmation(letter, asked)
    if asked.kind == "invitation":
        return invitation_replies.handle_invitation(letter, asked)
    return _route_player_letter(letter)


def _is_our_message(message_id: str) -> bool:
    return bool(message_id and rows("select 1 from letter where message_id = ?", message_id))


def _route_player_letter(letter: IncomingLetter) -> PendingOutcome:
    """A letter from a player: who must have sent it, and must not have been found out otherwise."""
    asked = letter.asked
    player = PlayerRow.get_or_none(PlayerRow.id == asked.player) if asked and asked.player else None
    if asked is None or player is None or player.deleted_at is not None or not player.address:
        return ignore("no-player")
    doubt = check_sender(letter, player)
    if doubt is not None:
        return doubt
    work = _route_by_kind(letter, player)
    return PendingOutcome(lambda: _mark_answered(letter, player, work.do()), work.together)


def _mark_answered(letter: IncomingLetter, player: PlayerRow, outcome: MailOutcome) -> MailOutcome:
    """Note that the letter was answered, and with it that letters arrive."""
    with write_transaction():
        if letter.asked is not None and letter.asked.letter is not None:
            sql = "update letter set state = 'answered', answered_at = ? where id = ? and answered_at is null"
            execute(sql, letter.received, letter.asked.letter)
        bounces.clear_bounces(player.id)
    return outcome


def check_sender(letter: IncomingLetter, player: PlayerRow) -> PendingOutcome | None:
    """Nothing if the letter is from this player as far as one can tell; else the refusal, told once to who they are."""
    reason = "sender" if letter.writer != player.address or player.confirmed_at is None else ""
    reason = reason or ("dmarc" if letter.verdict == "fail" else "")
    if not reason:
        return None
    asked = letter.asked
    about = {"reason": reason, "text": letter.writer, "meant": [], "why": ""}
    where = {"match": asked.match, "seat": asked.seat} if asked else {}
    answer = AnswerLetter("refused", player.id, {**about, **where}, once=f"{reason}:{asked.hash}" if asked else "")
    answers = (answer,) if asked and player.confirmed_at is not None else ()
    return PendingOutcome(
        lambda: MailOutcome("refused" if answers else "ignored", reason, letter.writer, answers, player.id)
    )


def _route_by_kind(letter: IncomingLetter, player: PlayerRow) -> PendingOutcome:
    """What the letter of a known player asks for."""
    lines = letter.said.lines or _subject_command(letter)
    asked = letter.asked
    if asked is None:
        return ignore("no-player")
    if not lines:
        return PendingOutcome(lambda: _refuse_empty(letter, player))
    if asked.kind == "turn" and asked.match is not None and asked.seat is not None:
        return match_replies.handle(letter, ReplySeat(asked.match, asked.seat, asked.asked, player), lines)
    return (
        invitation_replies.handle_given_seat(letter, player, lines)
        if asked.kind == "seated"
        else _handle_digest(letter, player, lines)
    )


def _subject_command(letter: IncomingLetter) -> tuple[str, ...]:
    """The subject where the text is empty and the subject is a command, as in the link that ends letters."""
    text = letter.mail.get("subject").strip()
    if letter.mail.text.strip() or text.lower().startswith(REPLY_PREFIXES):
        return ()
    found = commands.parse_command(text)
    return (text,) if found is not None and found.verb in ("stop", "help") else ()


def _refuse_empty(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    asked = letter.asked
    where = {"match": asked.match, "seat": asked.seat} if asked else {}
    about: dict[str, Any] = {"reason": letter.said.why, "text": "", "meant": [], "why": "", **where}
    print_ = fingerprint(asked.match, asked.asked, "") if asked else ""
    return MailOutcome("refused", letter.said.why, "", (AnswerLetter("refused", player.id, about),), player.id, print_)


def _handle_digest(letter: IncomingLetter, player: PlayerRow, lines: tuple[str, ...]) -> PendingOutcome:
    """An answer to a digest: `A: 3` for each table, or one command for none of them."""
    tables = letter.asked.payload.get("tables", {}) if letter.asked else {}
    found = (
        commands.split_by_label(lines)
        if len(tables) > 1 or commands.split_by_label(lines).keys() & tables.keys()
        else {}
    )
    if len(tables) == 1 and not found:
        found = {next(iter(tables)): lines}
    works = [
        _handle_digest_table(letter, player, label, tables[label], rest)
        for label, rest in found.items()
        if label in tables
    ]
    if works and len(works) == len(found):
        return (
            works[0]
            if len(works) == 1
            else PendingOutcome(lambda: merge_outcomes([work.do() for work in works]), together=False)
        )
    general = commands.parse_request(lines, account_commands.ACCOUNT_COMMANDS)
    if general.command is not None and not general.mixed:
        known: Command = general.command
        return PendingOutcome(lambda: account_commands.handle_command(letter, player, known))
    about = {"reason": "label", "text": lines[0][:400], "meant": sorted(tables), "why": ""}
    print_ = fingerprint("digest", 0, "\n".join(lines))
    return PendingOutcome(
        lambda: MailOutcome("refused", "label", "", (AnswerLetter("refused", player.id, about),), player.id, print_)
    )


def _handle_digest_table(
    letter: IncomingLetter, player: PlayerRow, label: str, table: dict[str, object], lines: tuple[str, ...]
) -> PendingOutcome:
    seat = ReplySeat(str(table["match"]), int(str(table["seat"])), int(str(table["asked"])), player, label)
    return match_replies.handle(letter, seat, lines)
