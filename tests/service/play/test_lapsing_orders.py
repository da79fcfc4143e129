"""Waiting answers to questions that perhaps never come: made while they fit, and gone without news when they do not."""

from __future__ import annotations

from typing import Any

from engine.game import legal
from service.config import Config
from service.db.connection import rows
from service.play.free_text import parse_lines
from service.play.match_loader import load_match_state
from service.play.views import Viewer
from tests.support.factories import Seated, log_of, match_of, settle, somebody, verified

GAME = "bardwood-grove"
TURNS = 12


def hand_in_turn(player: Seated, match: str, state: Any) -> str:  # noqa: ANN401  # a state of the game
    """Send a whole turn without a song in one text that ends with a preference; the id of the submission."""
    card = state.players[0].hand[0]
    found = parse_lines(Viewer(load_match_state(match), 0, "en"), f"+ {card}; stay; prefer C A V")
    assert found[-1].endswith(" | stack 1")
    return player.send(match, *found).id


def test_what_is_left_of_a_preference_falls_away_without_news(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "random"}, game=GAME)
    settle(match, service)
    me.move(match)
    sent = []
    for _ in range(TURNS):
        state: Any = settle(match, service).state
        phase = load_match_state(match).facts.game.rules.view(state, 0).phase
        if phase == "compose" and state.players[0].dial < 2 and not state.players[0].marker:
            sent.append(hand_in_turn(me, match, state))
        else:
            me.send(match, [action.line for action in legal(state, 0)][-1])
    settle(match, service)
    statuses = dict(rows("select id, status from submission where match = ?", match))
    assert "made" in {statuses[id_] for id_ in sent} <= {"made", "replaced"}
    assert any(line.startswith("fan ") for seat, line in log_of(match) if seat == 0)
    assert rows("select count(*) from event where type = 'orders.dropped'") == [(0,)]
    assert rows("select count(*) from job where key like ?", "dropped:%") == [(0,)]
    verified(match)
