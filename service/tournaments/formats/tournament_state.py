"""A tournament as the lines of its log tell it: who is in, what was drawn, paired and played, and what follows.

`TournamentState.read` folds a log line by line without checking it; `verify` checks each line before it is taken.
A state never changes once it is handed out: `fold` gives a new one, so that threads may share the one they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from service.tournaments.formats.crosstable import BOT, Number, Pairing, read_seat_result
from service.tournaments.formats.draw import Draw, add_newcomers, lot_order
from service.tournaments.formats.stage_replay import PairLine, StageReplay
from service.tournaments.formats.stage_rules import LADDER, read_stages
from service.tournaments.formats.stages import take_places
from service.tournaments.formats.tournament_log import LogLine, TournamentHeader

BOT_PREFIX = "bot:"
WAITING, IN, RESERVE, WITHDRAWN, EXCLUDED = "waiting", "in", "reserve", "withdrawn", "excluded"
"""What an entrant is: waits for approval, is in, is on the waiting list, has left, was sent away."""
PRESENT = (IN, WAITING, RESERVE)
"""What an entrant is who has not left."""


@dataclass(frozen=True, slots=True)
class EntrantState:
    """A player in a tournament: what they are now, the nonce they gave, and the line by which they last entered."""

    player: str
    status: str
    nonce: str = "-"
    seq: int = 0
    status_seq: int = 0
    """The line since which they are what they are."""


@dataclass
class TournamentState:
    """Everything that the lines read so far say; numbers are those of the tournament, times are in ms."""

    header: TournamentHeader
    documents: Mapping[str, Mapping[str, Any]]
    document: str = ""
    """The hash of the document in force."""
    stages: dict[str, StageReplay] = field(default_factory=dict)
    entrants: dict[str, EntrantState] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    at_close: frozenset[str] | None = None
    closed_at: int | None = None
    number_of: dict[str, Number] = field(default_factory=dict)
    holders: dict[Number, str] = field(default_factory=dict)
    ratings: dict[Number, int] = field(default_factory=dict)
    first_lots: dict[str, int] = field(default_factory=dict)
    """The place of each player in the first draw, which is made before there are numbers."""
    draws: int = 0
    last_key: str = ""
    beacon_values: dict[str, str] = field(default_factory=dict)
    """The beacon's value of each draw, by the name of its round."""
    due: int | None = None
    """When the line was written that makes the next draw due."""
    where: dict[str, tuple[str, int, PairLine]] = field(default_factory=dict)
    """The stage and the round of each pair, by the id of its match."""
    rulings: list[tuple[int, str]] = field(default_factory=list)
    cancelled_at: int | None = None
    paused_at: int | None = None
    """Since when a ruling pauses it."""
    pauses: tuple[tuple[int, int], ...] = ()
    """The pauses by rulings that are over."""
    times_at: int = 0
    """Since when the starts and ends of the document in force hold: what paused before does not move them."""
    deals: bytes | None = None
    seq: int = 0
    hash: str = ""
    at: int = 0

    @classmethod
    def read(
        cls, header: TournamentHeader, documents: Mapping[str, Mapping[str, Any]], lines: Iterable[LogLine]
    ) -> TournamentState:
        """The state after these lines; the documents are by their hashes."""
        state = cls(header, documents, last_key=header.chain, hash=header.hash, at=header.created)
        state.take_document(header.document)
        for line in lines:
            state.take_line(line)
        return state

    def fold(
        self, lines: Iterable[LogLine], documents: Mapping[str, Mapping[str, Any]] | None = None
    ) -> TournamentState:
        """The state after more lines; this one stays as it is. Documents that are new are given with them."""
        state = replace(
            self,
            documents=self.documents if documents is None else documents,
            stages={name: stage.copy() for name, stage in self.stages.items()},
            entrants=dict(self.entrants),
            inside=set(self.inside),
            number_of=dict(self.number_of),
            holders=dict(self.holders),
            ratings=dict(self.ratings),
            beacon_values=dict(self.beacon_values),
            where=dict(self.where),
            rulings=list(self.rulings),
        )
        for line in lines:
            state.take_line(line)
        return state

    def take_line(self, entry: LogLine) -> None:
        """Take the next line; only for who made this state and has not handed it out."""
        verb, *words = entry.line.split(" ")
        reader = _READERS.get(verb)
        if reader is not None:
            reader(self, words, entry)
        self.seq, self.hash, self.at = entry.seq, entry.hash, entry.at

    @property
    def first_stage(self) -> StageReplay:
        """The stage that begins with everybody."""
        return next(iter(self.stages.values()))

    @property
    def is_drawn(self) -> bool:
        """Whether the first numbers have been given."""
        return bool(self.holders)

    @property
    def is_begun(self) -> bool:
        """Whether a round has started."""
        return any(each.started for stage in self.stages.values() for each in stage.rounds.values())

    @property
    def paused(self) -> bool:
        """Whether a ruling pauses it."""
        return self.paused_at is not None

    @property
    def phase(self) -> str:
        """The state of the tournament by its log, which does not say when entry opens."""
        if self.cancelled_at is not None:
            return "cancelled"
        if self.deals is not None:
            return "over"
        if self.paused:
            return "paused"
        if self.is_begun:
            return "running"
        return "drawn" if self.is_drawn else "entry"

    @property
    def gone(self) -> frozenset[Number]:
        """The numbers of those who are no longer in."""
        return frozenset(number for number, player in self.holders.items() if player not in self.inside)

    @property
    def departures(self) -> tuple[Number, ...]:
        """The numbers of those who are no longer in, in the order in which they left."""
        return tuple(sorted(self.gone, key=lambda number: self.entrants[self.holders[number]].status_seq))

    def is_in(self, number: Number) -> bool:
        """Whether the holder of a number is still in."""
        return self.holders[number] in self.inside

    def find_round(self, text: str) -> tuple[StageReplay, int]:
        """The stage and the number that `STAGE:N` names; `KeyError` or `ValueError` where there is none."""
        name, _, number = text.rpartition(":")
        return self.stages[name], int(number)

    def seat_number(self, word: str) -> Number:
        """The number of who is named at a seat; a bot has none of its own."""
        return BOT if word.startswith(BOT_PREFIX) else self.number_of[word]

    def present_in(self, stage: StageReplay, number: int) -> list[Number]:
        """Who plays a round: the members of its stage who are in and have not asked for a bye."""
        absent = stage.round(number).absent
        return [one for one in stage.entrants if self.is_in(one) and one not in absent]

    def pair_round(self, name: str, number: int) -> tuple[Pairing, ...] | None:
        """The pairings that follow for a round; None where the format leaves them to the players."""
        stage = self.stages[name].copy()
        self.settle_round(stage, number)
        present = sorted(self.present_in(stage, number))
        return stage.pair_round(number, present, self._avoided_pairs(stage))

    def ladder_order(self, name: str) -> tuple[Number, ...]:
        """The ladder of a stage now, without those who are gone."""
        return self.settle_ladder(name).ladder_order(self.ratings, self.gone)

    def seat_challenge(self, name: str, people: Sequence[Number]) -> tuple[Number, ...]:
        """Who takes which seat in the next match of a ladder."""
        return self.settle_ladder(name).seat_challenge(people)

    def settle_ladder(self, name: str) -> StageReplay:
        """The stage of a ladder with its first order, also where nobody has been paired yet."""
        stage = self.stages[name]
        if stage.lots.get(0):
            return stage
        stage = stage.copy()
        self.settle_round(stage, 1)
        return stage

    def take_qualifiers(self, name: str) -> tuple[Number, ...]:
        """Whom a stage takes from the one that it names, by seed."""
        source = self.stages[name].rules.source
        if source is None:
            raise ValueError(name)
        if self.stages[source.stage].rules.format == LADDER:
            return take_places([self.ladder_order(source.stage)], source.first, source.last)
        return self.stages[source.stage].take_qualifiers(source, self.gone)

    def _avoided_pairs(self, stage: StageReplay) -> frozenset[tuple[Number, Number]]:
        known = [
            sorted((self.number_of[one], self.number_of[other]))
            for one, other in stage.rules.avoid
            if one in self.number_of and other in self.number_of
        ]
        return frozenset((one, other) for one, other in known)

    def settle_round(self, stage: StageReplay, number: int) -> None:
        """Fix in a stage what holds from the first pair of a round on: lots with newcomers last, and sections."""
        first = self.first_stage
        if self.first_lots and stage.rules.name == first.rules.name and not stage.lots.get(0):
            # Also where somebody left between the draw and the numbers.
            stage.lots[0] = tuple(self.number_of[one] for one in self.first_lots if one in self.number_of)
        lots = stage.lots_for(number)
        if lots is None:
            return
        present = self.present_in(stage, number)
        if stage.rules.one_draw:
            stage.settle_sections(sorted(present))
            return
        order = add_newcomers([self.holders[one] for one in lots], [self.holders[one] for one in present])
        stage.lots[number] = tuple(self.number_of[one] for one in order)

    def take_document(self, hash_: str, at: int = 0) -> None:
        """Let a document be in force: its stages keep what was played in them."""
        if not self.document or _times_of(self.documents[hash_]) != _times_of(self.documents[self.document]):
            self.times_at = at
        self.document = hash_
        for rules in read_stages(self.documents[hash_]):
            if rules.name in self.stages:
                self.stages[rules.name].rules = rules
            else:
                self.stages[rules.name] = StageReplay(rules)

    def _take_enter(self, words: Sequence[str], entry: LogLine) -> None:
        player = words[0]
        nonce = words[1] if len(words) > 1 else "-"
        self.inside.discard(player)
        self.entrants[player] = EntrantState(player, WAITING, nonce, entry.seq, entry.seq)

    def _set_status(self, player: str, status: str, seq: int) -> None:
        known = self.entrants.get(player) or EntrantState(player, status)
        self.entrants[player] = replace(known, status=status, status_seq=seq)
        if status == IN:
            self._return_to_ladders(player)
            self.inside.add(player)
        else:
            self.inside.discard(player)

    def _return_to_ladders(self, player: str) -> None:
        """Let somebody who left and comes back begin at the bottom of the ladders they were on."""
        number = self.number_of.get(player)
        if number is None or player in self.inside:
            return
        for stage in self.stages.values():
            if stage.rules.format == LADDER and number in stage.entrants:
                stage.ladder.append(number)

    def _take_number(self, words: Sequence[str], _: LogLine) -> None:
        player, _number, rating = words
        given = len(self.holders) + 1
        self.number_of[player], self.holders[given] = given, player
        self.ratings[given] = -1 if rating == "-" else int(rating)
        first = self.first_stage
        first.entrants.append(given)
        if player not in self.first_lots:
            first.ladder.append(given)
        elif len(first.entrants) >= len(self.first_lots):
            first.lots[0] = tuple(self.number_of[one] for one in self.first_lots if one in self.number_of)

    def _take_bye(self, words: Sequence[str], _: LogLine) -> None:
        player, round_name, kind = words
        stage, number = self.find_round(round_name)
        each = stage.round(number)
        each.absent.add(self.number_of[player])
        if kind == "half":
            each.half_byes.add(self.number_of[player])

    def _take_close(self, _words: Sequence[str], entry: LogLine) -> None:
        self.at_close, self.closed_at, self.due = frozenset(self.inside), entry.at, entry.at

    def _take_draw(self, words: Sequence[str], _: LogLine) -> None:
        made = Draw(*words)
        stage, number = self.find_round(made.round)
        self.last_key, self.draws = made.key, self.draws + 1
        self.beacon_values[made.round] = made.value
        if stage is self.first_stage and number == 0:
            self.first_lots = {one: at for at, one in enumerate(lot_order(made, self.at_close or ()))}
            stage.lots[0] = ()
            return
        ids = [self.holders[one] for one in stage.entrants]
        stage.lots[number] = tuple(self.number_of[one] for one in lot_order(made, ids))

    def _take_pair(self, words: Sequence[str], entry: LogLine) -> None:
        stage, number = self.find_round(words[1])
        each = stage.round(number)
        if not each.pairs and not each.repaired:
            self.settle_round(stage, number)
        if not each.started:
            each.paired_at = entry.at
        section = 0 if words[2] == "-" else int(words[2])
        pair = PairLine(words[0], section, tuple(self.seat_number(player) for player in words[3:]))
        each.add_pair(pair, replays=stage.rules.format != LADDER)
        self.where[pair.id] = (stage.rules.name, number, pair)

    def _take_start(self, words: Sequence[str], entry: LogLine) -> None:
        stage, number = self.find_round(words[0])
        stage.round(number).started_at = entry.at

    def _take_result(self, words: Sequence[str], _: LogLine) -> None:
        name, number, pair = self.where[words[0]]
        stage = self.stages[name]
        results = stage.round(number).results
        if pair.id not in results:
            stage.ladder.append((number, pair))
        results[pair.id] = tuple(read_seat_result(word) for word in words[1:])

    def _take_over(self, words: Sequence[str], entry: LogLine) -> None:
        stage, number = self.find_round(words[0])
        stage.round(number).over_at = self.due = entry.at

    def _take_advance(self, words: Sequence[str], entry: LogLine) -> None:
        stage = self.stages[words[0]]
        stage.entrants, stage.advanced = [self.number_of[player] for player in words[1:]], True
        self.due = entry.at

    def _take_ruling(self, words: Sequence[str], entry: LogLine) -> None:
        self.rulings.append((entry.seq, entry.line))
        what, *about = words or ("",)
        if what == "repair" and about:
            stage, number = self.find_round(about[0])
            stage.round(number).void_pairs()
        elif what == "replace" and len(about) > 1:
            self._replace_player(about[0], about[1], entry.seq)
        elif what == "extend" and len(about) > 1:
            stage, number = self.find_round(about[0])
            each = stage.round(number)
            each.extended_to, each.extended_at = int(about[1]), entry.at
        elif what == "cancel":
            self.cancelled_at, self.paused_at = entry.at, None
        elif what == "pause":
            self.paused_at = entry.at
        elif what == "resume" and self.paused_at is not None:
            self.pauses, self.paused_at = (*self.pauses, (self.paused_at, entry.at)), None

    def _replace_player(self, one: str, other: str, seq: int) -> None:
        number = self.number_of[one]
        self.number_of[other], self.holders[number] = number, other
        self._set_status(one, WITHDRAWN, seq)
        known = self.entrants.get(other) or EntrantState(other, IN, seq=seq)
        self.entrants[other] = replace(known, status=IN)
        self.inside.add(other)

    def _take_end(self, words: Sequence[str], _: LogLine) -> None:
        self.deals = bytes.fromhex(words[0])


def _times_of(document: Mapping[str, Any]) -> list[object]:
    """The starts and ends that a document gives its stages."""
    return [(stage.get("name"), stage.get("start"), stage.get("end")) for stage in document.get("stages", ())]


_Reader = Callable[[TournamentState, Sequence[str], LogLine], None]


def _status_reader(status: str) -> _Reader:
    return lambda state, words, entry: state._set_status(words[0], status, entry.seq)  # noqa: SLF001  # a part of the same class


_READERS: Mapping[str, _Reader] = {
    "document": lambda state, words, entry: state.take_document(words[0], entry.at),
    "enter": TournamentState._take_enter,  # noqa: SLF001  # its own parts
    "accept": _status_reader(IN),
    "reserve": _status_reader(RESERVE),
    "withdraw": _status_reader(WITHDRAWN),
    "exclude": _status_reader(EXCLUDED),
    "number": TournamentState._take_number,  # noqa: SLF001
    "bye": TournamentState._take_bye,  # noqa: SLF001
    "close": TournamentState._take_close,  # noqa: SLF001
    "draw": TournamentState._take_draw,  # noqa: SLF001
    "pair": TournamentState._take_pair,  # noqa: SLF001
    "start": TournamentState._take_start,  # noqa: SLF001
    "result": TournamentState._take_result,  # noqa: SLF001
    "over": TournamentState._take_over,  # noqa: SLF001
    "advance": TournamentState._take_advance,  # noqa: SLF001
    "ruling": TournamentState._take_ruling,  # noqa: SLF001
    "end": TournamentState._take_end,  # noqa: SLF001
}
"""What each kind of line changes."""
