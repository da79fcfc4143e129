"""The emails that Echtra sends, a module for each subject; importing this package registers their composers."""

from __future__ import annotations

import base64
from hashlib import sha256

from service.mail.letters import (
    account,
    command_answers,
    command_confirmation,
    daily_digest,
    devices,
    invitation,
    lobby,
    match_over,
    missed_deadline,
    move_answers,
    notices,
    table_answers,
    tournament,
    tournament_challenge,
    tournament_invitation,
    tournament_notices,
    turn,
)
from service.mail.letters.registry import COMPOSERS, compose

__all__ = [
    "COMPOSERS",
    "QUESTION_KINDS",
    "STORY_KINDS",
    "TURN_KINDS",
    "account",
    "command_answers",
    "command_confirmation",
    "compose",
    "daily_digest",
    "devices",
    "invitation",
    "letter_id",
    "lobby",
    "match_over",
    "missed_deadline",
    "move_answers",
    "notices",
    "table_answers",
    "tournament",
    "tournament_challenge",
    "tournament_invitation",
    "tournament_notices",
    "turn",
]
STORY_KINDS = frozenset(
    {"begun", "turn", "reminder", "urgent", "late", "dropped", "understood", "stale", "board", "back", "over"}
)
"""Letters that tell what happened since the last one of their kind."""
QUESTION_KINDS = (STORY_KINDS - {"begun", "late", "over"}) | {"undone", "refused"}
"""Letters that put the seat's question, so that no other letter need put the same one."""
TURN_KINDS = frozenset({"turn", "reminder", "urgent"})
"""Letters that are pointless once the question is answered."""


def letter_id(key: str) -> str:
    """The id of the letter for a job with this key, the same however often the job is done."""
    return base64.b32encode(sha256(f"letter\n{key}".encode()).digest()).decode().lower()[:20]
