"""Recompute the lines of a record's bots: each follows from the seed and from what its seat saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.chance import bot_stream
from engine.game import AnyBot
from engine.playout import answer
from service.record.entry import Entry
from service.record.match_state import MatchState
from service.record.verify.rules_check import RulesChecker


@dataclass(frozen=True)
class BotDifference:
    """A line of a bot in the record, and the line that the bot chooses when it is asked again."""

    seq: int
    bot: str
    line: str
    again: str


@dataclass(frozen=True)
class BotLines:
    """Result of recomputing the bots: how many lines of each were compared, how many were not, and which differ."""

    compared: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Lines that depend on the seed or on something that the reader may not see."""
    retired: Mapping[str, int] = field(default_factory=dict)
    """Lines of replaced bot versions, which can no longer be asked."""
    differences: tuple[BotDifference, ...] = ()

    @property
    def all_same(self) -> bool:
        """True if every line of a bot was compared and none differs."""
        return not self.skipped and not self.retired and not self.differences


class BotLinesChecker(RulesChecker):
    """Replays a record by the rules of its game and recomputes every line of a bot.

    That takes as long as the bots took in the match. It needs the seed, which is published when the match is over.
    """

    def __init__(self) -> None:
        super().__init__()
        self._compared: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._retired: Counter[str] = Counter()
        self._differences: list[BotDifference] = []

    def check_entry(self, entry: Entry) -> None:
        """Check one entry and apply it to the state. Compare a bot's line with what the bot chooses."""
        before = self.match_state
        super().check_entry(entry)
        if entry.kind != "bot":
            return
        bot = before.facts.game.bots.find(entry.maker)
        if bot is None:
            self._retired[entry.maker] += 1
            return
        if self.seed is None or self.guessed or self.lost:
            self._skipped[entry.maker] += 1
            return
        self._compared[entry.maker] += 1
        again = _choose_again(before, entry, bot)
        if again != entry.line:
            self._differences.append(BotDifference(entry.seq, entry.maker, entry.line, again))

    def bot_lines(self) -> BotLines:
        """Return the result."""
        return BotLines(dict(self._compared), dict(self._skipped), dict(self._retired), tuple(self._differences))


def _choose_again(match_state: MatchState, entry: Entry, bot: AnyBot) -> str:
    facts, seat = match_state.facts, entry.seat
    picks = bot_stream(facts.key, seat, match_state.made[seat])
    return answer(facts.game, match_state.state, seat, bot, picks).line
