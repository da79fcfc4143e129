"""Random matches of any game written as records, for every reader at every moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from engine.chance import Numbered, match_key
from engine.game import CHANCE, Action, Seal, State, apply, legal, seal, to_act
from engine.games import GAMES
from engine.options import Setting
from engine.playout import roll_chance
from service.record.hashing import sha256_hex
from service.record.header import Occupant, write_options
from tests.support.record_builder import Story, header

MOST_LISTED = 500


@dataclass
class Played:
    """A match of bots that take any listed line. `seals` says for each entry which seats may see it, and when."""

    slug: str
    seats: int
    options: Mapping[str, Setting]
    seed: int
    story: Story = field(init=False)
    states: list[State] = field(init=False, default_factory=list)
    seals: list[tuple[Seal, int, int, str]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        game, random = GAMES[self.slug], Random(self.seed)
        settings = game.rules.settings(self.options, self.seats)
        solo = settings.get("balor", "off") != "off"
        names = ["balor" if solo and seat == 1 else "random" for seat in range(self.seats)]
        places = [Occupant(bot=name) for name in names]
        seed = Random(self.seed).randbytes(32)
        self.story = Story(
            header(*places, game=self.slug, options=write_options(settings), seed=sha256_hex(seed)), seed=seed
        )
        key = match_key(seed, self.story.header.nonces)
        state: State = game.rules.start(self.seats, settings)
        while asked := sorted(to_act(state)):
            seat = random.choice(asked)
            listed = list(islice(legal(state, seat), MOST_LISTED))
            action = random.choice(listed) if listed else roll_chance(state, Numbered(key, state.picks))
            self._note(state, seat, action, "chance" if seat == CHANCE else f"bot {names[seat]}")
            state = apply(state, seat, action)
            self.states.append(state)

    def _note(self, state: State, seat: int, action: Action[Any], by: str) -> None:
        self.seals.append((seal(state, action), action.owner(seat), state.reveals, action.seen_by(seat, None)))
        self.story.add(seat, by, action.line)

    @property
    def lines(self) -> list[str]:
        """Every line of the match."""
        return [entry["line"] for entry in self.story.entries]

    def finished(self) -> bytes:
        """Return the record after the end."""
        return self.story.export()

    def running(self, count: int, viewer: str) -> bytes:
        """Return the record after this many entries, as this reader gets it."""
        story = Story(self.story.header, seed=self.story.seed, entries=self.story.entries[:count])
        reveals = self.states[count - 1].reveals
        hidden = {
            seq: shown
            for seq, (sealed, owner, before, shown) in enumerate(self.seals[:count], 1)
            if viewer not in {"all", str(owner)}
            and (sealed is Seal.UNTIL_END or (sealed is Seal.UNTIL_REVEAL and before == reveals))
        }
        return story.export(viewer, over=False, shown=hidden)
