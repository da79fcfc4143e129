"""Which letter a job asks for, and who writes it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from service.config import Config
from service.mail.letters import account as accounts
from service.mail.letters import command_replies as asides
from service.mail.letters import digest, notices
from service.mail.letters import invitation as openings
from service.mail.letters import league as leagues
from service.mail.letters import match_over as endings
from service.mail.letters import missed_deadline as deadlines
from service.mail.letters import move_replies as responses
from service.mail.letters import turn as turns
from service.mail.letters.blocks import Letter

Maker = Callable[[Mapping[str, Any], Config], Letter | None]
KINDS: dict[str, Maker] = {
    "confirm": accounts.confirm,
    "registered": accounts.registered,
    "code": accounts.code,
    "invitation": openings.invitation,
    "cancelled": openings.cancelled,
    "seated": openings.seated,
    "unseated": openings.unseated,
    "turn": turns.turn,
    "reminder": turns.reminder,
    "urgent": turns.reminder,
    "late": deadlines.late,
    "dropped": turns.dropped,
    "digest": digest.digest,
    "over": endings.over,
    "understood": responses.understood,
    "held": responses.held,
    "undone": responses.undone,
    "refused": responses.refused,
    "stale": responses.stale,
    "board": responses.board,
    "back": responses.back,
    "history": responses.history,
    "resign": responses.resign,
    "resigned": responses.resigned,
    "help": asides.help_,
    "rules": asides.rules,
    "clock": asides.clock,
    "leave": asides.leave,
    "note": asides.note,
    "stopped": asides.stopped,
    "letters": asides.letters,
    "setting": asides.setting,
    "confirming": asides.confirming,
    "joined": asides.joined,
    "declined": asides.declined,
    "made": asides.made,
    "welcome": asides.welcome,
    "absent": asides.absent,
    "league-entered": leagues.entered,
    "league-closes": leagues.closes,
    "league-over": leagues.over,
    "league": leagues.told,
    "hook-disabled": notices.hook_disabled,
    "leave-ends": notices.leave_ends,
}
TELLING = frozenset({"turn", "reminder", "urgent", "late", "dropped", "understood", "stale", "board", "back", "over"})
"""Letters that tell what happened since the last one of their kind."""
ASKING = (TELLING - {"late", "over"}) | {"undone", "refused"}
"""Letters that put the seat's question, so that no other letter need put the same one."""
STANDING = frozenset({"turn", "reminder", "urgent"})
"""Letters that are pointless once the question is answered."""


class UnknownKind(KeyError):
    """A job for a letter that nobody knows how to write."""


def compose(payload: Mapping[str, Any], config: Config) -> Letter | None:
    """The letter for a job; nothing if there is nobody to write to, or no reason any more."""
    maker = KINDS.get(payload["kind"])
    if maker is None:
        raise UnknownKind(payload["kind"])
    return maker(payload, config)


def name(key: str) -> str:
    """The id of the letter for a job with this key, the same however often the job is done."""
    return base64.b32encode(sha256(f"letter\n{key}".encode()).digest()).decode().lower()[:20]


def key(payload: Mapping[str, Any]) -> str:
    """What stands for a job that has no key of its own: all it says."""
    return json.dumps(payload, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
