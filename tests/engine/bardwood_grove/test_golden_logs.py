"""The golden logs of Bardwood Grove show every bard, event, difficulty and kind of line."""

from __future__ import annotations

from pathlib import Path

from engine.games import GAMES
from engine.games.bardwood_grove.rules.cards import DECKS
from engine.games.bardwood_grove.rules.events import EVENTS
from engine.log import parse, replay
from tests.golden.bardwood import ends_in_the_middle

FOLDER = Path(__file__).parents[2] / "golden" / "bardwood-grove"
LOGS = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.log")}
LINES = [row.split()[1:] for text in LOGS.values() for row in text.splitlines()[1:]]


def test_every_kind_of_line_is_made() -> None:
    verbs = set(GAMES["bardwood-grove"].rules.verbs) | {"resign"}
    assert verbs <= {words[0] for words in LINES}


def test_every_bard_event_and_difficulty_has_a_log() -> None:
    assert {f"r1-bard-{bard}" for bard in DECKS} <= LOGS.keys()
    assert {f"r1-event-{event}" for event in EVENTS} <= LOGS.keys()
    assert {f"r1-rival-{level}" for level in ("easy", "normal", "hard")} <= LOGS.keys()
    assert "content base" in LOGS["r1-content-base"].split("\n")[0]
    assert "muse on" in LOGS["r1-muse-on"].split("\n")[0]


def test_one_match_ends_after_a_last_gem_in_the_middle_of_a_round() -> None:
    log = parse(LOGS["r1-middle-of-a-round"], GAMES)
    states = [replay(log, at).state for at in range(len(log.moves) - 60, len(log.moves) + 1)]
    assert ends_in_the_middle(states)
