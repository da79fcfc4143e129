"""Whom a letter concerns: the checks before anything is done, in one order, and the desk it goes to."""

from __future__ import annotations

from typing import Any

from service.accounts import bounces
from service.db.connection import rows, run, writing
from service.db.models import Player
from service.mail import reply_addresses as addresses
from service.mail.incoming import account_commands as front
from service.mail.incoming import bounces as bounced
from service.mail.incoming import commands
from service.mail.incoming import invitation_replies as joining
from service.mail.incoming import match_replies as place
from service.mail.incoming import sender_checks as sender
from service.mail.incoming.answers import fingerprint
from service.mail.incoming.answers_outcome import Answer, Outcome, Work, ignored, joined
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import Incoming
from service.mail.incoming.match_replies import Place
from service.mail.incoming.sender_checks import Own

REPLY = ("re:", "aw:", "sv:", "ré:", "tr:")


def work(letter: Incoming, envelope: str) -> Work:
    """What is to be done about a letter."""
    asked = letter.asked
    if asked is not None and asked.kind == "bounce":
        return Work(lambda: Outcome("bounce", bounced.take(letter.mail, asked)))
    own = Own(letter.config.mail_from, letter.config.mail_domain, _sent)
    machine = sender.automatic(letter.mail, envelope, own) or ("absent" if sender.absent(letter.said.text) else "")
    if machine:
        return ignored("automatic", machine)
    if asked is None:
        # An address of the right form that we never handed out, or too long ago, is nobody's.
        return ignored("unknown-address") if addresses.is_ours(letter.recipient) else front.work(letter)
    if asked.kind == "confirm":
        return joining.confirming(letter, asked)
    if asked.kind == "invitation":
        return joining.invited(letter, asked)
    return _seated(letter)


def _sent(message_id: str) -> bool:
    return bool(message_id and rows("select 1 from letter where message_id = ?", message_id))


def _seated(letter: Incoming) -> Work:
    """A letter from a player: who must have sent it, and must not have been found out otherwise."""
    asked = letter.asked
    player = Player.get_or_none(Player.id == asked.player) if asked and asked.player else None
    if asked is None or player is None or player.deleted_at is not None or not player.address:
        return ignored("no-player")
    doubt = doubted(letter, player)
    if doubt is not None:
        return doubt
    work = _heard(letter, player)
    return Work(lambda: _noted(letter, player, work.do()), work.together)


def _noted(letter: Incoming, player: Player, outcome: Outcome) -> Outcome:
    """Note that the letter was answered, and with it that letters arrive."""
    with writing():
        if letter.asked is not None and letter.asked.letter is not None:
            sql = "update letter set state = 'answered', answered_at = ? where id = ? and answered_at is null"
            run(sql, letter.received, letter.asked.letter)
        bounces.heard(player.id)
    return outcome


def doubted(letter: Incoming, player: Player) -> Work | None:
    """Nothing if the letter is from this player as far as one can tell; else the refusal, told once to who they are."""
    reason = "sender" if letter.writer != player.address or player.confirmed_at is None else ""
    reason = reason or ("dmarc" if letter.verdict == "fail" else "")
    if not reason:
        return None
    asked = letter.asked
    about = {"reason": reason, "text": letter.writer, "meant": [], "why": ""}
    where = {"match": asked.match, "seat": asked.seat} if asked else {}
    answer = Answer("refused", player.id, {**about, **where}, once=f"{reason}:{asked.hash}" if asked else "")
    answers = (answer,) if asked and player.confirmed_at is not None else ()
    return Work(lambda: Outcome("refused" if answers else "ignored", reason, letter.writer, answers, player.id))


def _heard(letter: Incoming, player: Player) -> Work:
    """What the letter of a known player asks for."""
    lines = letter.said.lines or _subject(letter)
    asked = letter.asked
    if asked is None:
        return ignored("no-player")
    if not lines:
        return Work(lambda: _silent(letter, player))
    if asked.kind == "turn" and asked.match is not None and asked.seat is not None:
        return place.work(letter, Place(asked.match, asked.seat, asked.asked, player), lines)
    return joining.seated(letter, player, lines) if asked.kind == "seated" else _digest(letter, player, lines)


def _subject(letter: Incoming) -> tuple[str, ...]:
    """The subject where the text is empty and the subject is a command, as in the link that ends letters."""
    text = letter.mail.get("subject").strip()
    if letter.mail.text.strip() or text.lower().startswith(REPLY):
        return ()
    found = commands.command(text)
    return (text,) if found is not None and found.verb in ("stop", "help") else ()


def _silent(letter: Incoming, player: Player) -> Outcome:
    asked = letter.asked
    where = {"match": asked.match, "seat": asked.seat} if asked else {}
    about: dict[str, Any] = {"reason": letter.said.why, "text": "", "meant": [], "why": "", **where}
    print_ = fingerprint(asked.match, asked.asked, "") if asked else ""
    return Outcome("refused", letter.said.why, "", (Answer("refused", player.id, about),), player.id, print_)


def _digest(letter: Incoming, player: Player, lines: tuple[str, ...]) -> Work:
    """An answer to a digest: `A: 3` for each table, or one command for none of them."""
    tables = letter.asked.payload.get("tables", {}) if letter.asked else {}
    found = commands.labelled(lines) if len(tables) > 1 or commands.labelled(lines).keys() & tables.keys() else {}
    if len(tables) == 1 and not found:
        found = {next(iter(tables)): lines}
    works = [_at(letter, player, label, tables[label], rest) for label, rest in found.items() if label in tables]
    if works and len(works) == len(found):
        return works[0] if len(works) == 1 else Work(lambda: joined([work.do() for work in works]), together=False)
    general = commands.wish(lines, front.GENERAL)
    if general.command is not None and not general.mixed:
        known: Command = general.command
        return Work(lambda: front.general(letter, player, known))
    about = {"reason": "label", "text": lines[0][:400], "meant": sorted(tables), "why": ""}
    print_ = fingerprint("digest", 0, "\n".join(lines))
    return Work(lambda: Outcome("refused", "label", "", (Answer("refused", player.id, about),), player.id, print_))


def _at(letter: Incoming, player: Player, label: str, table: dict[str, object], lines: tuple[str, ...]) -> Work:
    seat = Place(str(table["match"]), int(str(table["seat"])), int(str(table["asked"])), player, label)
    return place.work(letter, seat, lines)
