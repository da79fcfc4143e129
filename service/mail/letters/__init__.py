"""Which letter a job asks for, and who writes it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from service.config import Config
from service.mail.letters import (
    account,
    command_replies,
    digest,
    invitation,
    league,
    match_over,
    missed_deadline,
    move_replies,
    notices,
    turn,
)
from service.mail.letters.blocks import Letter

Composer = Callable[[Mapping[str, Any], Config], Letter | None]
COMPOSERS: dict[str, Composer] = {
    "confirm": account.compose_confirmation,
    "registered": account.compose_already_registered,
    "code": account.compose_token_code,
    "invitation": invitation.compose_invitation,
    "cancelled": invitation.compose_match_cancelled,
    "seated": invitation.compose_seat_given,
    "unseated": invitation.compose_seat_withdrawn,
    "turn": turn.compose_turn,
    "reminder": turn.compose_reminder,
    "urgent": turn.compose_reminder,
    "late": missed_deadline.compose_missed_deadline,
    "dropped": turn.compose_orders_dropped,
    "digest": digest.compose_digest,
    "over": match_over.compose_match_over,
    "understood": move_replies.compose_moves_made,
    "held": move_replies.compose_moves_held,
    "undone": move_replies.compose_moves_undone,
    "refused": move_replies.compose_refusal,
    "stale": move_replies.compose_question_changed,
    "board": move_replies.compose_board,
    "back": move_replies.compose_seat_back,
    "history": move_replies.compose_history,
    "resign": move_replies.compose_resign_question,
    "resigned": move_replies.compose_resigned,
    "help": command_replies.compose_help,
    "rules": command_replies.compose_rules,
    "clock": command_replies.compose_clock,
    "leave": command_replies.compose_leave_booked,
    "note": command_replies.compose_note,
    "stopped": command_replies.compose_letters_stopped,
    "letters": command_replies.compose_letter_mode,
    "setting": command_replies.compose_setting,
    "confirming": command_replies.compose_confirm_mode,
    "joined": command_replies.compose_seat_joined,
    "declined": command_replies.compose_seat_declined,
    "made": command_replies.compose_match_created,
    "welcome": command_replies.compose_welcome,
    "absent": command_replies.compose_player_unreachable,
    "league-entered": league.compose_league_entered,
    "league-closes": league.compose_league_closes,
    "league-over": league.compose_league_over,
    "league": league.compose_league_status,
    "hook-disabled": notices.compose_hook_disabled,
    "leave-ends": notices.compose_leave_ends,
}
STORY_KINDS = frozenset(
    {"turn", "reminder", "urgent", "late", "dropped", "understood", "stale", "board", "back", "over"}
)
"""Letters that tell what happened since the last one of their kind."""
QUESTION_KINDS = (STORY_KINDS - {"late", "over"}) | {"undone", "refused"}
"""Letters that put the seat's question, so that no other letter need put the same one."""
TURN_KINDS = frozenset({"turn", "reminder", "urgent"})
"""Letters that are pointless once the question is answered."""


class UnknownLetterKind(KeyError):
    """A job for a letter that nobody knows how to write."""


def compose(payload: Mapping[str, Any], config: Config) -> Letter | None:
    """The letter for a job; nothing if there is nobody to write to, or no reason any more."""
    maker = COMPOSERS.get(payload["kind"])
    if maker is None:
        raise UnknownLetterKind(payload["kind"])
    return maker(payload, config)


def letter_id(key: str) -> str:
    """The id of the letter for a job with this key, the same however often the job is done."""
    return base64.b32encode(sha256(f"letter\n{key}".encode()).digest()).decode().lower()[:20]


def fallback_key(payload: Mapping[str, Any]) -> str:
    """What stands for a job that has no key of its own: all it says."""
    return json.dumps(payload, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
