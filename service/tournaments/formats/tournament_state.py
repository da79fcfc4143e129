"""State of a tournament, folded from the lines of its log: entrants, draws, pairings, results, and what follows.

`TournamentState.read` folds a log without checking it; `verify` checks each line before it applies it.
A published state never changes: `fold` returns a new one, so threads can share a state without a lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from typing import Any

from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import BOT, TWO_SEATS, Number, Pairing
from service.tournaments.formats.draw import add_newcomers, lot_order
from service.tournaments.formats.log_lines import RoundName, is_bot
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay, StageReplay, copy_containers, take_places
from service.tournaments.formats.stage_rules import LADDER, read_stages
from service.tournaments.formats.tournament_log import LogLine, TournamentHeader

WAITING, IN, RESERVE, WITHDRAWN, EXCLUDED = "waiting", "in", "reserve", "withdrawn", "excluded"
"""Status of an entrant: waiting for approval, accepted, on the waiting list, withdrawn, excluded by an organiser."""
PRESENT = (IN, WAITING, RESERVE)
"""Status of entrants who have not left."""
STATUS_AFTER: Mapping[type[log_lines.Line], str] = {
    log_lines.AcceptLine: IN,
    log_lines.ReserveLine: RESERVE,
    log_lines.WithdrawLine: WITHDRAWN,
    log_lines.ExcludeLine: EXCLUDED,
}
NO_NONCE = "-"


@dataclass(frozen=True, slots=True)
class EntrantState:
    """A player in a tournament: current status, nonce, and the number of the line by which they last entered."""

    player: str
    status: str
    nonce: str = NO_NONCE
    seq: int = 0
    status_seq: int = 0
    """Number of the line that set the status."""


@dataclass
class TournamentState:
    """Facts of all lines read so far. Entrants are numbers in the tournament, times are in ms."""

    header: TournamentHeader
    documents: Mapping[str, Mapping[str, Any]]
    document: str = ""
    """Hash of the document in force."""
    stages: dict[str, StageReplay] = field(default_factory=dict)
    entrants: dict[str, EntrantState] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    at_close: frozenset[str] | None = None
    closed_at: int | None = None
    number_of: dict[str, Number] = field(default_factory=dict)
    holders: dict[Number, str] = field(default_factory=dict)
    ratings: dict[Number, int] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    """Players whom an organiser seeded by hand, best first."""
    first_lots: dict[str, int] = field(default_factory=dict)
    """Place of each player in the first draw, which is made before numbers are given."""
    draws: int = 0
    last_key: str = ""
    beacon_values: dict[RoundName, str] = field(default_factory=dict)
    """Beacon value of each draw, by round."""
    due: int | None = None
    """Time of the line that makes the next draw due."""
    where: dict[str, tuple[str, int, PairedTable]] = field(default_factory=dict)
    """Stage, round and table of each match."""
    rulings: list[tuple[int, log_lines.Ruling]] = field(default_factory=list)
    cancelled_at: int | None = None
    paused_at: int | None = None
    """Time of the ruling that paused it, or None."""
    pauses: tuple[tuple[int, int], ...] = ()
    """Finished pauses by rulings."""
    times_at: int = 0
    """Time from which the starts and ends of the current document apply. Earlier pauses do not move them."""
    deals: bytes | None = None
    seq: int = 0
    hash: str = ""
    at: int = 0

    @classmethod
    def read(
        cls, header: TournamentHeader, documents: Mapping[str, Mapping[str, Any]], lines: Iterable[LogLine]
    ) -> TournamentState:
        """Return the state after these lines. Documents are given by their hashes."""
        state = cls(header, documents, last_key=header.chain, hash=header.hash, at=header.created)
        state.take_document(header.document)
        for line in lines:
            state.take_line(line)
        return state

    def fold(
        self, lines: Iterable[LogLine], documents: Mapping[str, Mapping[str, Any]] | None = None
    ) -> TournamentState:
        """Return the state after more lines without changing this one. Pass `documents` if there are new ones."""
        state = copy_containers(self)
        state.documents = self.documents if documents is None else documents
        state.stages = {name: stage.copy() for name, stage in self.stages.items()}
        for line in lines:
            state.take_line(line)
        return state

    def take_line(self, entry: LogLine) -> None:
        """Apply the next line in place. Call this only on a state that nobody else has yet."""
        line = entry.value
        if isinstance(line, log_lines.Ruling):
            self.rulings.append((entry.seq, line))
        self._take(line, entry)
        self.seq, self.hash, self.at = entry.seq, entry.hash, entry.at

    @property
    def first_stage(self) -> StageReplay:
        """Return the stage in which everybody begins."""
        return next(iter(self.stages.values()))

    @property
    def is_drawn(self) -> bool:
        """True if the first numbers have been given."""
        return bool(self.holders)

    @property
    def is_begun(self) -> bool:
        """True if a round has started."""
        return any(each.started for stage in self.stages.values() for each in stage.rounds.values())

    @property
    def paused(self) -> bool:
        """True while a ruling pauses it."""
        return self.paused_at is not None

    @property
    def phase(self) -> str:
        """Return the phase of the tournament by its log, which does not contain the opening of entry."""
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
        """Return the numbers of entrants who have left."""
        return frozenset(number for number, player in self.holders.items() if player not in self.inside)

    @property
    def departures(self) -> tuple[Number, ...]:
        """Return the numbers of entrants who have left, in the order in which they left."""
        return tuple(sorted(self.gone, key=lambda number: self.entrants[self.holders[number]].status_seq))

    def is_in(self, number: Number) -> bool:
        """Return True if the holder of a number is still in."""
        return self.holders[number] in self.inside

    def find_round(self, name: RoundName) -> tuple[StageReplay, int]:
        """Return the stage and the number of a round. An unknown stage raises `KeyError`."""
        return self.stages[name.stage], name.number

    def _round(self, name: RoundName) -> RoundReplay:
        return self.stages[name.stage].round(name.number)

    def seat_number(self, word: str) -> Number:
        """Return the number of the player named at a seat, or `BOT`."""
        return BOT if is_bot(word) else self.number_of[word]

    def present_in(self, stage: StageReplay, number: int) -> list[Number]:
        """Return the entrants who play a round: members of the stage who are still in and have not asked for a bye."""
        absent = stage.round(number).absent
        return [one for one in stage.entrants if self.is_in(one) and one not in absent]

    def pair_round(self, name: str, number: int) -> tuple[Pairing, ...] | None:
        """Return the pairings that follow for a round. None means that the players arrange their matches."""
        stage = self.stages[name].copy()
        self.settle_round(stage, number)
        present = sorted(self.present_in(stage, number))
        return stage.pair_round(number, present, self._avoided_pairs(stage))

    def seed_place(self, player: str) -> int:
        """Return the place of a player in the seed order by hand. All others share the place after it."""
        return self.seeds.index(player) if player in self.seeds else len(self.seeds)

    @property
    def strengths(self) -> dict[Number, tuple[int, int]]:
        """Return the strength of each entrant before the first result: the seed order by hand, then the rating."""
        return {number: (-self.seed_place(self.holders[number]), rating) for number, rating in self.ratings.items()}

    def ladder_order(self, name: str) -> tuple[Number, ...]:
        """Return the current ladder of a stage, without entrants who have left."""
        return self.settle_ladder(name).ladder_order(self.strengths, self.gone)

    def seat_challenge(self, name: str, people: Sequence[Number]) -> tuple[Number, ...]:
        """Return the seating of the next match of a ladder."""
        return self.settle_ladder(name).seat_challenge(people)

    def settle_ladder(self, name: str) -> StageReplay:
        """Return the stage of a ladder with its first order, even if nobody has been paired yet."""
        stage = self.stages[name]
        if stage.lots.get(0):
            return stage
        stage = stage.copy()
        self.settle_round(stage, 1)
        return stage

    def take_qualifiers(self, name: str) -> tuple[Number, ...]:
        """Return the entrants that a stage takes from its source, by seed."""
        source = self.stages[name].rules.source
        if source is None:
            raise ValueError(name)
        if self.stages[source.stage].rules.format == LADDER:
            return take_places([self.ladder_order(source.stage)], source.first, source.last)
        return self.stages[source.stage].take_qualifiers(source, self.gone)

    def _avoided_pairs(self, stage: StageReplay) -> frozenset[tuple[Number, Number]]:
        numbers = (
            [self.number_of[player] for player in pair if player in self.number_of] for pair in stage.rules.avoid
        )
        return frozenset((min(pair), max(pair)) for pair in numbers if len(pair) == TWO_SEATS)

    def _first_lot_order(self) -> tuple[Number, ...]:
        return tuple(self.number_of[player] for player in self.first_lots if player in self.number_of)

    def settle_round(self, stage: StageReplay, number: int) -> None:
        """Fix in a stage what its first pair of a round fixes: the lot order with newcomers last, and the sections."""
        first = self.first_stage
        if self.first_lots and stage.rules.name == first.rules.name and not stage.lots.get(0):
            # `_take_number` waits for everybody who was drawn, so it misses a player who left before the numbers.
            stage.lots[0] = self._first_lot_order()
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
        """Put a document in force. Its stages keep everything that was played in them."""
        if not self.document or _times_of(self.documents[hash_]) != _times_of(self.documents[self.document]):
            self.times_at = at
        self.document = hash_
        for rules in read_stages(self.documents[hash_]):
            if rules.name in self.stages:
                self.stages[rules.name].rules = rules
            else:
                self.stages[rules.name] = StageReplay(rules)

    @singledispatchmethod
    def _take(self, _line: log_lines.Line, _entry: LogLine) -> None:
        """Apply a line. Rulings of other kinds change nothing."""

    @_take.register
    def _take_document(self, line: log_lines.DocumentLine, entry: LogLine) -> None:
        self.take_document(line.hash, entry.at)

    @_take.register
    def _take_enter(self, line: log_lines.EnterLine, entry: LogLine) -> None:
        self.inside.discard(line.player)
        nonce = line.nonce or NO_NONCE
        self.entrants[line.player] = EntrantState(line.player, WAITING, nonce, entry.seq, entry.seq)

    @_take.register
    def _take_status(self, line: log_lines.StatusLine, entry: LogLine) -> None:
        self._set_status(line.player, STATUS_AFTER[type(line)], entry.seq)

    def _set_status(self, player: str, status: str, seq: int) -> None:
        entrant = self.entrants.get(player) or EntrantState(player, status)
        self.entrants[player] = replace(entrant, status=status, status_seq=seq)
        if status == IN:
            self._return_to_ladders(player)
            self.inside.add(player)
        else:
            self.inside.discard(player)

    def _return_to_ladders(self, player: str) -> None:
        """Put a player who left and comes back at the bottom of the ladders they were on."""
        number = self.number_of.get(player)
        if number is None or player in self.inside:
            return
        for stage in self.stages.values():
            if stage.rules.format == LADDER and number in stage.entrants:
                stage.ladder.append(number)

    @_take.register
    def _take_number(self, line: log_lines.NumberLine, _: LogLine) -> None:
        number = len(self.holders) + 1
        self.number_of[line.player], self.holders[number] = number, line.player
        self.ratings[number] = -1 if line.rating is None else line.rating
        first = self.first_stage
        first.entrants.append(number)
        if line.player not in self.first_lots:
            first.ladder.append(number)
        elif len(first.entrants) >= len(self.first_lots):
            first.lots[0] = self._first_lot_order()

    @_take.register
    def _take_bye(self, line: log_lines.ByeLine, _: LogLine) -> None:
        replay = self._round(line.round)
        replay.absent.add(self.number_of[line.player])
        if line.kind == "half":
            replay.half_byes.add(self.number_of[line.player])

    @_take.register
    def _take_close(self, _line: log_lines.CloseLine, entry: LogLine) -> None:
        self.at_close, self.closed_at, self.due = frozenset(self.inside), entry.at, entry.at

    @_take.register
    def _take_draw(self, line: log_lines.DrawLine, _: LogLine) -> None:
        stage, number = self.find_round(line.round)
        self.last_key, self.draws = line.key, self.draws + 1
        self.beacon_values[line.round] = line.value
        if stage is self.first_stage and number == 0:
            self.first_lots = {player: place for place, player in enumerate(lot_order(line, self.at_close or ()))}
            stage.lots[0] = ()
            return
        ids = [self.holders[one] for one in stage.entrants]
        stage.lots[number] = tuple(self.number_of[one] for one in lot_order(line, ids))

    @_take.register
    def _take_pair(self, line: log_lines.PairLine, entry: LogLine) -> None:
        stage, number = self.find_round(line.round)
        replay = stage.round(number)
        if not replay.pairs and not replay.repaired:
            self.settle_round(stage, number)
        if not replay.started:
            replay.paired_at = entry.at
        pair = PairedTable(line.match, line.section, tuple(self.seat_number(player) for player in line.seats))
        replay.add_pair(pair, replays=not stage.plays_on)
        self.where[pair.id] = (stage.rules.name, number, pair)

    @_take.register
    def _take_start(self, line: log_lines.StartLine, entry: LogLine) -> None:
        self._round(line.round).started_at = entry.at

    @_take.register
    def _take_result(self, line: log_lines.ResultLine, _: LogLine) -> None:
        name, number, pair = self.where[line.match]
        stage = self.stages[name]
        results = stage.round(number).results
        if pair.id not in results:
            stage.ladder.append((number, pair))
        results[pair.id] = line.results

    @_take.register
    def _take_over(self, line: log_lines.OverLine, entry: LogLine) -> None:
        replay = self._round(line.round)
        replay.over_at = self.due = entry.at
        replay.left = self.gone

    @_take.register
    def _take_advance(self, line: log_lines.AdvanceLine, entry: LogLine) -> None:
        stage = self.stages[line.stage]
        stage.entrants, stage.advanced = [self.number_of[player] for player in line.players], True
        self.due = entry.at

    @_take.register
    def _take_seeds(self, line: log_lines.SeedRuling, _: LogLine) -> None:
        if self.first_stage.rules.ruleset.seeds_by_hand:
            self.seeds = line.players

    @_take.register
    def _take_replay(self, line: log_lines.ReplayRuling, _: LogLine) -> None:
        # Elsewhere the pair that follows voids the earlier one, which has the same people.
        place = self.where.get(line.match)
        if place is not None and self.stages[place[0]].plays_on:
            self.stages[place[0]].round(place[1]).void.add(line.match)

    @_take.register
    def _take_repair(self, line: log_lines.RepairRuling, _: LogLine) -> None:
        self._round(line.round).void_pairs()

    @_take.register
    def _take_extension(self, line: log_lines.ExtendRuling, entry: LogLine) -> None:
        replay = self._round(line.round)
        replay.extended_to, replay.extended_at = line.until, entry.at

    @_take.register
    def _take_cancellation(self, _line: log_lines.CancelRuling, entry: LogLine) -> None:
        self.cancelled_at, self.paused_at = entry.at, None

    @_take.register
    def _take_pause(self, _line: log_lines.PauseRuling, entry: LogLine) -> None:
        self.paused_at = entry.at

    @_take.register
    def _take_resumption(self, _line: log_lines.ResumeRuling, entry: LogLine) -> None:
        if self.paused_at is not None:
            self.pauses, self.paused_at = (*self.pauses, (self.paused_at, entry.at)), None

    @_take.register
    def _take_replacement(self, line: log_lines.ReplaceRuling, entry: LogLine) -> None:
        number = self.number_of[line.player]
        self.number_of[line.other], self.holders[number] = number, line.other
        self._set_status(line.player, WITHDRAWN, entry.seq)
        entrant = self.entrants.get(line.other) or EntrantState(line.other, IN, seq=entry.seq)
        self.entrants[line.other] = replace(entrant, status=IN)
        self.inside.add(line.other)

    @_take.register
    def _take_end(self, line: log_lines.EndLine, _: LogLine) -> None:
        self.deals = bytes.fromhex(line.deals)


def _times_of(document: Mapping[str, Any]) -> list[object]:
    """Return the starts and ends that a document gives its stages."""
    return [(stage.get("name"), stage.get("start"), stage.get("end")) for stage in document.get("stages", ())]
