"""Which letter a job asks for, and who writes it."""

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
from service.mail.letters.blocks import Letter
from service.mail.letters.context import LetterContext
from service.mail.letters.daily_digest import Composer

COMPOSERS: dict[str, Composer] = {
    "confirm": account.compose_confirmation,
    "registered": account.compose_already_registered,
    "code": account.compose_token_code,
    "enter": account.compose_sign_in_code,
    "device": devices.compose_device_notice,
    "claim": devices.compose_claim,
    "claim-seat": devices.compose_claim_notice,
    "invitation": invitation.compose_invitation,
    "cancelled": invitation.compose_match_cancelled,
    "seated": invitation.compose_seat_given,
    "unseated": invitation.compose_seat_withdrawn,
    "begun": turn.compose_match_begun,
    "turn": turn.compose_turn,
    "reminder": turn.compose_reminder,
    "urgent": turn.compose_reminder,
    "late": missed_deadline.compose_missed_deadline,
    "dropped": turn.compose_orders_dropped,
    "digest": lambda context: daily_digest.compose_daily_digest(context, compose),
    "over": match_over.compose_match_over,
    "understood": move_answers.compose_moves_made,
    "held": move_answers.compose_moves_held,
    "undone": move_answers.compose_moves_undone,
    "refused": move_answers.compose_refusal,
    "stale": move_answers.compose_question_changed,
    "board": move_answers.compose_board,
    "back": move_answers.compose_seat_back,
    "history": move_answers.compose_history,
    "resign": move_answers.compose_resign_question,
    "resigned": move_answers.compose_resigned,
    "agree": table_answers.compose_agree_question,
    "unverified": command_confirmation.compose_command_question,
    "help": command_answers.compose_help,
    "rules": command_answers.compose_rules,
    "clock": command_answers.compose_clock,
    "leave": command_answers.compose_leave_booked,
    "note": command_answers.compose_note,
    "stopped": command_answers.compose_letters_stopped,
    "letters": command_answers.compose_letter_mode,
    "setting": command_answers.compose_setting,
    "confirming": command_answers.compose_confirm_mode,
    "joined": command_answers.compose_seat_joined,
    "declined": command_answers.compose_seat_declined,
    "made": command_answers.compose_match_created,
    "orders": table_answers.compose_orders,
    "auto": table_answers.compose_auto,
    "muted": table_answers.compose_muted,
    "position": table_answers.compose_position,
    "preview": table_answers.compose_preview,
    "proposed": table_answers.compose_proposed,
    "offer": table_answers.compose_offer,
    "offer-declined": table_answers.compose_offer_declined,
    "noted": table_answers.compose_notes,
    "leaves": command_answers.compose_leaves,
    "begin": lobby.compose_begin,
    "games": lobby.compose_games,
    "matches": lobby.compose_open_matches,
    "invited": lobby.compose_guests_invited,
    "welcome": command_answers.compose_welcome,
    "absent": command_answers.compose_player_unreachable,
    "tournament-entered": tournament.compose_tournament_entered,
    "tournament-invitation": tournament_invitation.compose_tournament_invitation,
    "tournament-round": tournament.compose_tournament_round,
    "tournament-over": tournament.compose_tournament_over,
    "tournament-cancelled": tournament.compose_tournament_cancelled,
    "tournament": tournament.compose_tournament_status,
    "tournament-ruling": tournament_notices.compose_tournament_ruling,
    "tournament-offer": tournament_notices.compose_tournament_offer,
    "tournament-ending": tournament_notices.compose_tournament_ending,
    "tournament-leave": tournament_notices.compose_tournament_leave,
    "tournament-adjudication": tournament_notices.compose_tournament_adjudication,
    "tournament-message": tournament_notices.compose_tournament_message,
    "ruling-question": tournament_notices.compose_ruling_question,
    "tournament-challenge": tournament_challenge.compose_tournament_challenge,
    "hook-disabled": notices.compose_hook_disabled,
    "leave-ends": notices.compose_leave_ends,
}
STORY_KINDS = frozenset(
    {"begun", "turn", "reminder", "urgent", "late", "dropped", "understood", "stale", "board", "back", "over"}
)
"""Letters that tell what happened since the last one of their kind."""
QUESTION_KINDS = (STORY_KINDS - {"begun", "late", "over"}) | {"undone", "refused"}
"""Letters that put the seat's question, so that no other letter need put the same one."""
TURN_KINDS = frozenset({"turn", "reminder", "urgent"})
"""Letters that are pointless once the question is answered."""


class UnknownLetterKind(KeyError):
    """A job for a letter that nobody knows how to write."""


def compose(context: LetterContext) -> Letter | None:
    """The letter for a job; nothing if there is nobody to write to, or no reason any more."""
    composer = COMPOSERS.get(context.kind)
    if composer is None:
        raise UnknownLetterKind(context.kind)
    return composer(context)


def letter_id(key: str) -> str:
    """The id of the letter for a job with this key, the same however often the job is done."""
    return base64.b32encode(sha256(f"letter\n{key}".encode()).digest()).decode().lower()[:20]
