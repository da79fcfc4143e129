"""Check a tournament offline: from its exported log alone draws, numbers, pairings, seats, qualifiers are recomputed.

`verify_tournament` raises `BadTournament` with the first line that does not follow from those before it. A good export
gives a report: what was recomputed, what was not and why, every ruling, the standings, the seed of every match once the
deals are open, and what no file can prove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from hashlib import sha256

from service.i18n.catalogue import Message
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import How, Number, Pairing, SeatResult
from service.tournaments.formats.draw import BadDraw, check_key, check_value, deal_seed
from service.tournaments.formats.duplicate import rank_deal
from service.tournaments.formats.faults import explain_fault
from service.tournaments.formats.log_lines import RoundName, is_bot, write
from service.tournaments.formats.rulesets import Ruleset
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay, StageReplay, people_of
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
    BadStage,
    read_stages,
)
from service.tournaments.formats.swiss import TooManyForDutch
from service.tournaments.formats.tiebreaks import Ranking
from service.tournaments.formats.tournament_log import (
    BadTournament,
    LogLine,
    TournamentExport,
    read_tournament_export,
)
from service.tournaments.formats.tournament_state import TournamentState

ALWAYS_UNPROVED = ("server-key", "times", "discarded-tournaments", "kept-out", "results")
"""Not proved by any file: whose key signed it, that lines were written at their time, that no tournament was thrown
away, that nobody without a receipt was kept out, and the results, which are those of the matches' own records."""


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """What a good export shows; rounds are named `STAGE:N`, rulings with the number of their line.

    `ruleset` is the version of the rules by which it was counted.
    `rankings` are those of stages that count points, by section; `places` those of knockouts.
    """

    tournament: str
    ruleset: Ruleset
    entries: int
    recomputed: tuple[str, ...]
    not_recomputed: Mapping[str, str]
    rulings: tuple[tuple[int, str], ...]
    holders: Mapping[Number, str]
    rankings: Mapping[str, tuple[Ranking, ...]]
    places: Mapping[str, tuple[tuple[int, Number], ...]]
    ladders: Mapping[str, tuple[Number, ...]]
    seeds: Mapping[str, str]
    not_proved: tuple[str, ...]


class _Fault(Exception):
    def __init__(self, reason: str, message: Message) -> None:
        super().__init__(str(message))
        self.reason = reason
        self.message = message


def _fault(reason: str, what: str, **values: object) -> _Fault:
    return _Fault(reason, explain_fault(what, **values))


def verify_tournament(data: bytes) -> TournamentReport:
    """The report of a good export; the first line that does not follow is raised as `BadTournament`."""
    export = read_tournament_export(data)
    try:
        replay = _Replay(export)
    except _Fault as fault:
        raise BadTournament(1, fault.reason, fault.message) from None
    for entry in export.entries:
        try:
            replay.read_line(entry)
        except _Fault as fault:
            line = export.first_entry + entry.seq - 1
            raise BadTournament(line, fault.reason, fault.message) from None
    return replay.report()


@dataclass
class _Replay:
    """What the lines read so far say, and the checks that the next one must pass before it is taken."""

    export: TournamentExport
    state: TournamentState = field(init=False)
    expected: dict[str, tuple[Pairing, ...] | None] = field(default_factory=dict)
    last_number: tuple[int, int] | None = None
    recomputed: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_document(log_lines.DocumentLine(self.export.header.document))
        self.state = TournamentState.read(self.export.header, self.export.documents, ())

    def read_line(self, entry: LogLine) -> None:
        """Check one line against all before it, and take it."""
        if self.state.deals is not None:
            raise _fault("order", "after_end")
        try:
            line = entry.value
        except log_lines.BadLine as fault:
            raise _Fault(fault.reason, fault.message) from None
        self._check(line)
        self.state.take_line(entry)

    @singledispatchmethod
    def _check(self, _line: log_lines.Line) -> None:
        """Check a line against those before it; of some kinds only the form counts."""

    @_check.register
    def _check_document(self, line: log_lines.DocumentLine) -> None:
        document = self.export.documents.get(line.hash)
        if document is None:
            raise _fault("document", "no_document")
        try:
            read_stages(document)
        except BadStage as fault:
            raise _Fault("document", fault.message) from None

    def _find_round(self, name: RoundName) -> tuple[StageReplay, int]:
        if name.stage not in self.state.stages:
            raise _fault("line", "unknown_round", round=str(name))
        return self.state.find_round(name)

    def _number_of(self, player: str) -> Number:
        if not is_bot(player) and player not in self.state.number_of:
            raise _fault("pair", "no_number", player=player)
        return self.state.seat_number(player)

    def _names(self, numbers: Sequence[Number]) -> str:
        return " ".join(self.state.holders.get(one, "bot") for one in numbers)

    @_check.register
    def _check_number(self, line: log_lines.NumberLine) -> None:
        state, player, number = self.state, line.player, len(self.state.holders) + 1
        if line.number != number or player in state.number_of:
            raise _fault("number", "next_number", player=player, number=number)
        if player not in state.inside:
            raise _fault("number", "not_inside", player=player)
        first = state.first_stage
        if player in (state.at_close or ()) and not first.last_round and first.rules.format != SAME_DEAL:
            self._check_rank(player, -1 if line.rating is None else line.rating)

    def _check_rank(self, player: str, rating: int) -> None:
        """Refuse a first number that is not by rating, then by the draw."""
        if player not in self.state.first_lots:
            raise _fault("number", "number_before_draw")
        rank = (-rating, self.state.first_lots[player])
        if self.last_number is not None and rank < self.last_number:
            raise _fault("number", "number_order")
        self.last_number = rank

    @_check.register
    def _check_bye(self, line: log_lines.ByeLine) -> None:
        stage, number = self._find_round(line.round)
        if self._number_of(line.player) in stage.round(number).seated:
            raise _fault("pair", "bye_after_pair", player=line.player, round=str(line.round))

    @_check.register
    def _check_draw(self, line: log_lines.DrawLine) -> None:
        stage, number = self._find_round(line.round)
        state, header = self.state, self.export.header
        if state.due is None:
            raise _fault("draw", "no_draw_due")
        if number in stage.lots and (number > 0 or stage is not state.first_stage or state.first_lots):
            raise _fault("draw", "drawn_twice", round=str(line.round))
        try:
            check_key(line.key, state.last_key)
            check_value(line.value, header.beacon, state.due)
        except BadDraw as fault:
            raise _Fault("draw", fault.message) from None

    @_check.register
    def _check_pair(self, line: log_lines.PairLine) -> None:
        if line.match in self.state.where:
            raise _fault("line", "pair_form")
        stage, number = self._find_round(line.round)
        seats = tuple(self._number_of(player) for player in line.seats)
        replay, name = stage.round(number), str(line.round)
        if not replay.pairs and not replay.repaired:
            self.expected[name] = self._expect_round(stage, number, name)
        self._check_seats(stage, replay, PairedTable(line.match, line.section, seats), name)

    def _expect_round(self, stage: StageReplay, number: int, name: str) -> tuple[Pairing, ...] | None:
        if stage.rules.format == SAME_DEAL:
            self.skipped[name] = stage.rules.format
            return None
        if stage.lots_for(number) is None:
            raise _fault("draw", "pair_before_draw", round=name)
        try:
            found = self.state.pair_round(stage.rules.name, number)
        except TooManyForDutch as fault:
            raise _Fault("pair", fault.message) from None
        if found is None:
            self.skipped[name] = stage.rules.format
        else:
            self.recomputed.append(name)
        return found

    def _check_seats(self, stage: StageReplay, each: RoundReplay, pair: PairedTable, name: str) -> None:
        people = people_of(pair.seats)
        if len(set(people)) != len(people) or len(pair.seats) > max(stage.rules.seats, 1):
            raise _fault("pair", "seats")
        if stage.rules.format == LADDER:
            if self.state.seat_challenge(stage.rules.name, people) != people:
                raise _fault("pair", "seats_exchanged")
            return
        if each.started and frozenset(pair.seats) in each.tables:
            return
        if not each.seated.isdisjoint(people):
            raise _fault("pair", "paired_twice", round=name)
        expected = self.expected.get(name)
        if expected is None or each.repaired:
            return
        at = len(each.pairs)
        wanted = expected[at] if at < len(expected) else None
        if stage.rules.format == DUPLICATE:
            people = pair.seats
        if wanted is None or (wanted.seats, wanted.section) != (people, pair.section):
            if wanted is None:
                raise _fault("pair", "pair_too_many", round=name)
            raise _fault("pair", "wrong_pair", round=name, players=self._names(wanted.seats))

    @_check.register
    def _check_start(self, line: log_lines.StartLine) -> None:
        stage, number = self._find_round(line.round)
        replay, name = stage.round(number), str(line.round)
        if replay.started or not (replay.valid or stage.rules.format == LADDER):
            raise _fault("order", "start", round=name)
        expected = self.expected.get(name)
        if expected is not None and not replay.repaired and len(replay.pairs) < len(expected):
            missing = self._names(expected[len(replay.pairs)].seats)
            raise _fault("pair", "pair_missing", round=name, players=missing)

    @_check.register
    def _check_result(self, line: log_lines.ResultLine) -> None:
        if line.match not in self.state.where:
            raise _fault("result", "result_of_nothing")
        name, _, pair = self.state.where[line.match]
        if self.state.stages[name].rules.format == DUPLICATE:
            if len(line.results) != len(pair.seats):
                raise _fault("result", "result_seats")
            return
        _check_places(line.results, len(pair.seats))

    @_check.register
    def _check_over(self, line: log_lines.OverLine) -> None:
        stage, number = self._find_round(line.round)
        replay, name = stage.round(number), str(line.round)
        if replay.over or (stage.rules.format not in {LADDER, SAME_DEAL} and not replay.started):
            raise _fault("order", "over", round=name)
        for pair in replay.unfinished(solo=stage.rules.format == SAME_DEAL):
            raise _fault("over", "no_result", round=name, match=pair.id)
        for pair in stage.list_replays(number, self.state.gone):
            raise _fault("over", "no_replay", round=name, match=pair.id)
        if stage.rules.format == DUPLICATE:
            self._check_deal_places(replay)

    def _check_deal_places(self, each: RoundReplay) -> None:
        """Refuse places of a deal that are not by score among all who held the seat; a ruling may have given others."""
        valid = [pair for pair in each.valid if pair.id in each.results]
        found = [each.results[pair.id] for pair in valid]
        if any(result.how is How.RULED for results in found for result in results):
            return
        wanted = rank_deal([(pair.seats, results) for pair, results in zip(valid, found, strict=True)])
        for pair, results, right in zip(valid, found, wanted, strict=True):
            if results != right:
                raise _fault("result", "wrong_result", match=pair.id, result=" ".join(map(str, right)))

    @_check.register
    def _check_advance(self, line: log_lines.AdvanceLine) -> None:
        stages = self.state.stages
        if line.stage not in stages:
            raise _fault("advance", "unknown_stage")
        stage = stages[line.stage]
        source = stage.rules.source
        if source is None or source.stage not in stages or stage.advanced:
            raise _fault("advance", "advance", stage=line.stage)
        wanted = self.state.take_qualifiers(line.stage)
        if tuple(self._number_of(player) for player in line.players) != wanted:
            what = "wrong_advance" if wanted else "advance_nobody"
            raise _fault("advance", what, stage=line.stage, players=self._names(wanted))

    @_check.register
    def _check_repair(self, line: log_lines.RepairRuling) -> None:
        stage, number = self._find_round(line.round)
        if stage.round(number).started:
            raise _fault("order", "repair", round=str(line.round))
        self.skipped[str(line.round)] = "repaired"

    @_check.register
    def _check_extension(self, line: log_lines.ExtendRuling) -> None:
        self._find_round(line.round)

    @_check.register
    def _check_replacement(self, line: log_lines.ReplaceRuling) -> None:
        self._number_of(line.player)

    @_check.register
    def _check_end(self, line: log_lines.EndLine) -> None:
        if sha256(bytes.fromhex(line.deals)).hexdigest() != self.export.header.deals:
            raise _fault("deals", "other_deals")

    def report(self) -> TournamentReport:
        """What all lines show together."""
        state = self.state
        beacon = ("beacon-signature",) if self.export.header.beacon != "none" else ("no-beacon",)
        rankings = {
            name: stage.rank_sections(state.gone)
            for name, stage in state.stages.items()
            if stage.rules.format in {ROUND_ROBIN, SWISS, PODS, DUPLICATE} and stage.entrants
        }
        return TournamentReport(
            tournament=self.export.header.tournament,
            ruleset=state.first_stage.rules.ruleset,
            entries=len(self.export.entries),
            recomputed=tuple(self.recomputed),
            not_recomputed=dict(self.skipped),
            rulings=tuple((seq, write(ruling)) for seq, ruling in state.rulings),
            holders=dict(state.holders),
            rankings=rankings,
            places={
                name: stage.rank_places(state.departures)
                for name, stage in state.stages.items()
                if stage.rules.format in {KNOCKOUT, DOUBLE} and stage.entrants
            },
            ladders={
                name: state.ladder_order(name) for name, stage in state.stages.items() if stage.rules.format == LADDER
            },
            seeds=match_seeds(state),
            not_proved=(*beacon, *ALWAYS_UNPROVED),
        )


def match_seeds(state: TournamentState) -> dict[str, str]:
    """The seed of every match, once the deals are open: by the place of its `pair` line in the round."""
    if state.deals is None:
        return {}
    found = {}
    for name, stage in state.stages.items():
        same = stage.rules.format in {SAME_DEAL, DUPLICATE}
        for number, each in stage.rounds.items():
            for at, pair in enumerate(each.pairs, 1):
                if len(pair.seats) > 1 or same:
                    found[pair.id] = deal_seed(state.deals, RoundName(name, number), 0 if same else at).hex()
    return found


def _check_places(results: Sequence[SeatResult], seats: int) -> None:
    places = [result.place for result in results]
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise _fault("result", "result_places")
