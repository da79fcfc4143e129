"""Moves of demo players: a bot answers for them, on a service that only this machine can reach."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine import chance
from engine.games import GAMES
from engine.playout import answer
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.server_secrets import get_secret
from service.play import accept
from service.play.match_loader import load_match_state
from service.play.submissions import Submission
from service.problems import Problem
from service.record.keys import public_key_of, sign
from service.record.signed_text import link_to_previous, move_text
from service.timestamps import now

DEMO_DOMAIN = "demo.invalid"
"""Domain of the demo players' email addresses. No email can reach it."""
LONGEST_THOUGHT = 20_000
"""Age of a question, in ms, before it is answered, so that people can watch."""
MOST_ANSWERS = 3
"""Maximum number of questions to answer at a time."""


def find_key(player: str) -> Ed25519PrivateKey:
    """Return the signing key of a demo player, derived from a secret of this database."""
    return Ed25519PrivateKey.from_private_bytes(hmac.digest(get_secret("demo-people"), player.encode(), "sha256"))


def play_for_demo_people(config: Config) -> None:
    """Answer some questions of demo players who get no emails. Players who get emails can answer themselves."""
    if not config.local:
        return
    seats = SeatRow.select(SeatRow.match, SeatRow.seat).join(PlayerRow, on=PlayerRow.id == SeatRow.player)
    plays = PlayerRow.demo & (PlayerRow.letters == "none") & PlayerRow.address.endswith(f"@{DEMO_DOMAIN}")
    asked = SeatRow.asked.is_null(is_null=False) & (SeatRow.asked_at <= now() - LONGEST_THOUGHT)
    running = MatchRow.status == "running"
    found: Any = seats.join(MatchRow, on=MatchRow.id == SeatRow.match).where(plays & asked & running)
    for match, seat in list(found.order_by(SeatRow.asked_at).limit(MOST_ANSWERS).tuples()):
        # Another worker, a timeout or a pause may have come first.
        with suppress(Problem):
            answer_question(match, seat)


def answer_question(match: str, seat: int, key_of: Callable[[str], Ed25519PrivateKey] = find_key) -> bool:
    """Answer for the player at a seat as the game's stand-in would. Return False if they were not asked.

    `key_of` returns the signing key of a player.
    """
    match_state = load_match_state(match)
    question, player = match_state.questions[seat], match_state.players[seat]
    if question is None or not player or match_state.bots[seat]:
        return False
    game = GAMES[match_state.facts.game.slug]
    pick = chance.seeded_pick(int(match_state.hash[:15], 16) + seat)
    line = answer(game, match_state.state, seat, game.bots.by_name[game.bots.stand_in], pick).line
    private = key_of(player)
    text = move_text(match, seat, question.asked, question.prev, 1, link_to_previous(None, orders=False), line)
    signed = (sign(private, text),)
    key = public_key_of(private).id
    accept.accept(match, player, Submission(question.asked, question.prev, (line,), signed, key, orders=False))
    return True
