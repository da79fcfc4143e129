"""Verify a tournament offline: recompute draws, numbers, pairings, seats and qualifiers from its exported log alone.

`verify_tournament` raises `BadTournament` for the first line that does not follow from the lines before it. Otherwise
its report lists what was recomputed, what was not and why, every ruling, the standings, the seed of every match once
the deals are published, and what no file can prove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod

from service.record.hashing import sha256_hex
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import How, Number, Pairing, people_of, write_results
from service.tournaments.formats.draw import check_key, check_value, deal_seed
from service.tournaments.formats.duplicate import rank_deal
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.log_lines import BadLine, RoundName, is_bot, write
from service.tournaments.formats.rulesets import Ruleset
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
    read_stages,
)
from service.tournaments.formats.tiebreaks import Ranking
from service.tournaments.formats.tournament_log import (
    BadTournament,
    LogLine,
    TournamentExport,
    read_tournament_export,
)
from service.tournaments.formats.tournament_state import EXCLUDED, PRESENT, STATUS_AFTER, WITHDRAWN, TournamentState
from service.tournaments.formats.verify_evidence import (
    NO_EVIDENCE,
    TournamentEvidence,
    check_heads,
    check_receipts,
    check_records,
)

ROUND_BY_ROUND = frozenset({SWISS, PODS, DUPLICATE, KNOCKOUT, DOUBLE})
"""Formats in which the results of a round decide the pairings of the next one."""
PLAYED = frozenset({How.PLAYED, How.STAND_IN, How.SUBSTITUTE})
"""Endings of seats that need a match in which people or bots moved."""
ALWAYS_UNPROVED = ("server-key", "times", "discarded-tournaments", "kept-out", "results")
"""Facts that no file can prove: the owner of the signing key, the times of the lines, that no tournament was discarded,
that nobody without a receipt was kept out, and the results, which the records of the matches prove."""


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """Findings of a correct export. Rounds are named `STAGE:N`; rulings have the number of their line.

    `ruleset` is the version of the counting rules. `rankings` has the stages that count points, by section, and
    `places` the knockouts.
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
    proved: tuple[str, ...] = ()
    """Matches whose records prove their results."""
    heads: int = 0
    """Number of earlier heads that this log continues."""


def verify_tournament(data: bytes, evidence: TournamentEvidence = NO_EVIDENCE) -> TournamentReport:
    """Recompute a tournament from its export. Raise `BadTournament` for the first line that does not follow.

    `evidence` is checked too: earlier heads and receipts first, match records after all lines.
    """
    export, line = read_tournament_export(data), 1
    check_heads(export, evidence.heads)
    check_receipts(export, evidence.receipts)
    try:
        replay = _Replay(export)
        for entry in export.entries:
            line = export.first_entry + entry.seq - 1
            replay.read_line(entry)
    except FormatFault as fault:
        raise BadTournament(line, fault.reason, fault.message) from None
    report = replay.report()
    proved, ruled = check_records(export, replay.state, report.seeds, evidence.records)
    open_ = [match for match in replay.list_played() if match not in {*proved, *ruled}]
    unproved = [name for name in report.not_proved if name != "results" or open_]
    return replace(report, proved=proved, not_proved=tuple(unproved), heads=len(evidence.heads))


@dataclass
class _Replay:
    """State after the lines read so far, and the checks that the next line must pass before it is applied."""

    export: TournamentExport
    state: TournamentState = field(init=False)
    expected: dict[RoundName, tuple[Pairing, ...] | None] = field(default_factory=dict)
    last_number: tuple[int, int, int] | None = None
    recomputed: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    ruled: set[str] = field(default_factory=set)
    """Matches with a ruling that allows another result."""

    def __post_init__(self) -> None:
        self._check_document(log_lines.DocumentLine(self.export.header.document))
        self.state = TournamentState.read(self.export.header, self.export.documents, ())

    def read_line(self, entry: LogLine) -> None:
        """Check one line against all before it, then apply it."""
        if self.state.deals is not None:
            raise BadLine("order", "after_end")
        self._check_ruling_before(entry.value)
        self._check(entry.value)
        self.state.take_line(entry)

    def _check_ruling_before(self, line: log_lines.Line) -> None:
        """Raise `BadLine` if the line before is a ruling whose own line must follow, and this is another one."""
        match self._last_ruling():
            case log_lines.ResultRuling(match=match):
                fits = isinstance(line, log_lines.ResultLine) and line.match == match
            case log_lines.ExcludeRuling(player=player):
                fits = isinstance(line, log_lines.ExcludeLine) and line.player == player
            case log_lines.AcceptRuling(player=player):
                fits = isinstance(line, log_lines.AcceptLine | log_lines.ReserveLine) and line.player == player
            case log_lines.BeaconRuling(value=value):
                fits = isinstance(line, log_lines.DrawLine) and line.value == value
            case log_lines.ReplayRuling() | log_lines.RepairRuling():
                fits = isinstance(line, log_lines.PairLine)
            case _:
                fits = True
        if not fits:
            raise BadLine("order", "ruling_without_line")

    @singledispatchmethod
    def _check(self, _line: log_lines.Line) -> None:
        """Check a line against those before it. Some kinds are checked for their form only."""

    @_check.register
    def _check_document(self, line: log_lines.DocumentLine) -> None:
        document = self.export.documents.get(line.hash)
        if document is None:
            raise BadLine("document", "no_document")
        read_stages(document)

    def _find_round(self, name: RoundName) -> tuple[StageReplay, RoundReplay]:
        if name.stage not in self.state.stages:
            raise BadLine("line", "unknown_round", round=str(name))
        stage = self.state.stages[name.stage]
        return stage, stage.round(name.number)

    def _number_of(self, player: str) -> Number:
        if not is_bot(player) and player not in self.state.number_of:
            raise BadLine("pair", "no_number", player=player)
        return self.state.seat_number(player)

    def _names(self, numbers: Sequence[Number]) -> str:
        return " ".join(self.state.holders.get(number, "bot") for number in numbers)

    @_check.register
    def _check_entry(self, line: log_lines.EnterLine) -> None:
        entrant = self.state.entrants.get(line.player)
        if entrant is not None and entrant.status in PRESENT:
            raise BadLine("order", "entered_twice", player=line.player)

    @_check.register
    def _check_status(self, line: log_lines.StatusLine) -> None:
        entrant = self.state.entrants.get(line.player)
        status = STATUS_AFTER[type(line)]
        if entrant is None:
            raise BadLine("order", "not_entered", player=line.player)
        if entrant.status == status or (status == WITHDRAWN and entrant.status == EXCLUDED):
            raise BadLine("order", "status_again", player=line.player)
        if status == EXCLUDED and not isinstance(self._last_ruling(), log_lines.ExcludeRuling):
            raise BadLine("order", "no_ruling")

    @_check.register
    def _check_close(self, _line: log_lines.CloseLine) -> None:
        if self.state.closed_at is not None:
            raise BadLine("order", "closed_twice")

    @_check.register
    def _check_pause(self, _line: log_lines.PauseRuling) -> None:
        if self.state.paused:
            raise BadLine("order", "paused_twice")

    @_check.register
    def _check_resumption(self, _line: log_lines.ResumeRuling) -> None:
        if not self.state.paused:
            raise BadLine("order", "not_paused")

    @_check.register
    def _check_cancellation(self, _line: log_lines.CancelRuling) -> None:
        if self.state.cancelled_at is not None:
            raise BadLine("order", "cancelled_twice")

    @_check.register
    def _check_number(self, line: log_lines.NumberLine) -> None:
        state, player, number = self.state, line.player, len(self.state.holders) + 1
        if line.number != number or player in state.number_of:
            raise BadLine("number", "next_number", player=player, number=number)
        if player not in state.inside:
            raise BadLine("number", "not_inside", player=player)
        first = state.first_stage
        if player in (state.at_close or ()) and not first.last_round and first.rules.format != SAME_DEAL:
            self._check_rank(player, -1 if line.rating is None else line.rating)

    def _check_rank(self, player: str, rating: int) -> None:
        """Raise `BadLine` if the first numbers are not in the order of seeds, then of rating, then of the draw."""
        if player not in self.state.first_lots:
            raise BadLine("number", "number_before_draw")
        rank = (self.state.seed_place(player), -rating, self.state.first_lots[player])
        if self.last_number is not None and rank < self.last_number:
            raise BadLine("number", "number_order")
        self.last_number = rank

    def _check_all_numbered(self) -> None:
        """Raise `BadLine` if somebody who was in when entry closed has no number yet."""
        state = self.state
        missing = sorted((state.at_close or frozenset()).intersection(state.inside).difference(state.number_of))
        if missing:
            raise BadLine("number", "number_missing", player=missing[0])

    @_check.register
    def _check_bye(self, line: log_lines.ByeLine) -> None:
        _, replay = self._find_round(line.round)
        if self._number_of(line.player) in replay.absent:
            raise BadLine("order", "bye_twice", player=line.player, round=str(line.round))
        if self._number_of(line.player) in replay.seated:
            raise BadLine("pair", "bye_after_pair", player=line.player, round=str(line.round))

    @_check.register
    def _check_draw(self, line: log_lines.DrawLine) -> None:
        stage, _ = self._find_round(line.round)
        state, number = self.state, line.round.number
        if state.due is None:
            raise BadLine("draw", "no_draw_due")
        # Draw 0 of the first stage comes before the numbers: until these are given, its lot order by number is empty.
        if number in stage.lots and (number > 0 or stage is not state.first_stage or state.first_lots):
            raise BadLine("draw", "drawn_twice", round=str(line.round))
        if number > 0 and stage is state.first_stage:
            self._check_all_numbered()
        check_key(line.key, state.last_key)
        check_value(line.value, self.export.header.beacon, state.due)

    @_check.register
    def _check_pair(self, line: log_lines.PairLine) -> None:
        if line.match in self.state.where:
            raise BadLine("line", "pair_form")
        stage, replay = self._find_round(line.round)
        seats = tuple(self._number_of(player) for player in line.seats)
        if not replay.pairs:
            self._check_earlier_round(stage, line.round)
        if not replay.pairs and not replay.repaired:
            self.expected[line.round] = self._expect_round(stage, line.round)
        self._check_seats(stage, replay, PairedTable(line.match, line.section, seats), line.round)

    def _check_earlier_round(self, stage: StageReplay, name: RoundName) -> None:
        """Raise `BadLine` if a round whose results decide the pairings of this one is not over."""
        earlier = stage.rounds.get(name.number - 1)
        if stage.rules.format in ROUND_BY_ROUND and earlier is not None and earlier.pairs and not earlier.over:
            raise BadLine("order", "not_over", round=str(RoundName(name.stage, name.number - 1)))

    def _expect_round(self, stage: StageReplay, name: RoundName) -> tuple[Pairing, ...] | None:
        """Return the pairings that a round must have. None means that they cannot be recomputed."""
        pairings = None
        if stage.rules.format != SAME_DEAL:
            if stage.lots_for(name.number) is None:
                raise BadLine("draw", "pair_before_draw", round=str(name))
            pairings = self.state.pair_round(name.stage, name.number)
        if pairings is None:
            self.skipped[str(name)] = stage.rules.format
        else:
            self.recomputed.append(str(name))
        return pairings

    def _check_seats(self, stage: StageReplay, replay: RoundReplay, pair: PairedTable, name: RoundName) -> None:
        people = people_of(pair.seats)
        if len(set(people)) != len(people) or len(pair.seats) > max(stage.rules.seats, 1):
            raise BadLine("pair", "seats")
        replayed = self._find_replayed()
        if stage.rules.format == LADDER:
            if people != (replayed.seats if replayed else self.state.seat_challenge(name.stage, people)):
                raise BadLine("pair", "seats_exchanged")
            return
        if replay.started and frozenset(pair.seats) in replay.tables:
            due = [replayed] if replayed else stage.list_next_matches(name.number, self.state.gone)
            if stage.rules.series is not None and pair.seats not in [match.seats for match in due]:
                raise BadLine("pair", "no_next_match", round=str(name), players=self._names(pair.seats))
            return  # a further match at a table of this round
        if not replay.seated.isdisjoint(people):
            raise BadLine("pair", "paired_twice", round=str(name))
        expected = self.expected.get(name)
        if expected is None or replay.repaired:
            return
        if len(replay.pairs) >= len(expected):
            raise BadLine("pair", "pair_too_many", round=str(name))
        wanted = expected[len(replay.pairs)]
        seats = pair.seats if stage.rules.format == DUPLICATE else people
        if (wanted.seats, wanted.section) != (seats, pair.section):
            raise BadLine("pair", "wrong_pair", round=str(name), players=self._names(wanted.seats))

    def _find_replayed(self) -> PairedTable | None:
        """Return the table that the line before orders to be replayed, or None."""
        ruling = self._last_ruling()
        place = self.state.where.get(ruling.match) if isinstance(ruling, log_lines.ReplayRuling) else None
        return None if place is None else place[2]

    def _last_ruling(self) -> log_lines.Ruling | None:
        """Return the ruling in the line before, or None."""
        seq, ruling = self.state.rulings[-1] if self.state.rulings else (0, None)
        return ruling if seq == self.state.seq else None

    @_check.register
    def _check_start(self, line: log_lines.StartLine) -> None:
        stage, replay = self._find_round(line.round)
        if replay.started or not (replay.valid or stage.rules.format == LADDER):
            raise BadLine("order", "start", round=str(line.round))
        expected = self.expected.get(line.round)
        if expected is not None and not replay.repaired and len(replay.pairs) < len(expected):
            missing = self._names(expected[len(replay.pairs)].seats)
            raise BadLine("pair", "pair_missing", round=str(line.round), players=missing)

    @_check.register
    def _check_result(self, line: log_lines.ResultLine) -> None:
        if line.match not in self.state.where:
            raise BadLine("result", "result_of_nothing")
        name, number, pair = self.state.where[line.match]
        replay = self.state.stages[name].round(number)
        if line.match in replay.results and line.match not in self.ruled:
            raise BadLine("result", "second_result", match=line.match)
        is_early = not replay.started and self.state.stages[name].rules.format != LADDER
        if is_early and all(result.how in PLAYED for result in line.results):
            raise BadLine("result", "not_begun", match=line.match)
        self.ruled.discard(line.match)
        seats, places = len(pair.seats), [result.place for result in line.results]
        if self.state.stages[name].rules.format == DUPLICATE:
            # The places of a deal compare tables, so they are checked when the round is over.
            if len(places) != seats:
                raise BadLine("result", "result_seats")
        elif len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
            raise BadLine("result", "result_places")

    @_check.register
    def _check_over(self, line: log_lines.OverLine) -> None:
        stage, replay = self._find_round(line.round)
        name = str(line.round)
        if replay.over or (stage.rules.format not in {LADDER, SAME_DEAL} and not replay.started):
            raise BadLine("order", "over", round=name)
        for pair in replay.unfinished(solo=stage.rules.format == SAME_DEAL):
            raise BadLine("over", "no_result", round=name, match=pair.id)
        for pair in stage.list_next_matches(line.round.number, self.state.gone):
            if stage.rules.series is None:
                raise BadLine("over", "no_replay", round=name, match=pair.id)
            if not stage.rules.has_end and replay.extended_to is None:
                raise BadLine("over", "series_open", round=name, match=pair.id)
        if stage.rules.format == DUPLICATE:
            self._check_deal_places(replay)

    def _check_deal_places(self, replay: RoundReplay) -> None:
        """Raise `BadLine` if places of a deal are not by score per seat. A round with a ruled result is not checked."""
        tables = [(pair, replay.results[pair.id]) for pair in replay.valid if pair.id in replay.results]
        if any(result.how is How.RULED for _, results in tables for result in results):
            return
        ranked = rank_deal([(pair.seats, results) for pair, results in tables])
        for (pair, results), right in zip(tables, ranked, strict=True):
            if results != right:
                raise BadLine("result", "wrong_result", match=pair.id, result=write_results(right))

    @_check.register
    def _check_advance(self, line: log_lines.AdvanceLine) -> None:
        stages = self.state.stages
        if line.stage not in stages:
            raise BadLine("advance", "unknown_stage")
        stage = stages[line.stage]
        source = stage.rules.source
        if source is None or source.stage not in stages or stage.advanced:
            raise BadLine("advance", "advance", stage=line.stage)
        wanted = self.state.take_qualifiers(line.stage)
        if tuple(self._number_of(player) for player in line.players) != wanted:
            what = "wrong_advance" if wanted else "advance_nobody"
            raise BadLine("advance", what, stage=line.stage, players=self._names(wanted))

    @_check.register
    def _check_ruled_result(self, line: log_lines.ResultRuling) -> None:
        self.ruled.add(line.match)

    @_check.register
    def _check_seeds(self, line: log_lines.SeedRuling) -> None:
        if not self.state.first_stage.rules.ruleset.seeds_by_hand:
            return
        if self.state.draws:
            raise BadLine("order", "seeds_late")
        if len(set(line.players)) < len(line.players):
            raise BadLine("line", "seeds_twice")
        for player in line.players:
            if player not in self.state.inside:
                raise BadLine("line", "seed_not_inside", player=player)

    @_check.register
    def _check_repair(self, line: log_lines.RepairRuling) -> None:
        _, replay = self._find_round(line.round)
        if replay.started:
            raise BadLine("order", "repair", round=str(line.round))
        self.skipped[str(line.round)] = "repaired"

    @_check.register
    def _check_extension(self, line: log_lines.ExtendRuling) -> None:
        self._find_round(line.round)

    @_check.register
    def _check_replacement(self, line: log_lines.ReplaceRuling) -> None:
        self._number_of(line.player)

    @_check.register
    def _check_end(self, line: log_lines.EndLine) -> None:
        open_ = (
            RoundName(name, number)
            for name, stage in self.state.stages.items()
            for number, replay in sorted(stage.rounds.items())
            if replay.pairs and not replay.over
        )
        # A cancelled tournament ends while its last rounds go on without it.
        for name in open_ if self.state.cancelled_at is None else ():
            raise BadLine("order", "not_over", round=str(name))
        if sha256_hex(bytes.fromhex(line.deals)) != self.export.header.deals:
            raise BadLine("deals", "other_deals")

    def list_played(self) -> list[str]:
        """Return the matches with a result that count."""
        rounds = [each for stage in self.state.stages.values() for each in stage.rounds.values()]
        return [pair.id for each in rounds for pair in each.valid if pair.id in each.results and len(pair.seats) > 1]

    def report(self) -> TournamentReport:
        """Return the findings of all lines."""
        state = self.state
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
            not_proved=("no-beacon" if self.export.header.beacon == "none" else "beacon-signature", *ALWAYS_UNPROVED),
        )


def match_seeds(state: TournamentState) -> dict[str, str]:
    """Return the seed of every match once the deals are published. It depends on the place of its `pair` line."""
    if state.deals is None:
        return {}
    seeds = {}
    for name, stage in state.stages.items():
        shared = stage.rules.format in {SAME_DEAL, DUPLICATE}
        for number, replay in stage.rounds.items():
            for index, pair in enumerate(replay.pairs, 1):
                if len(pair.seats) > 1 or shared:
                    seeds[pair.id] = deal_seed(state.deals, RoundName(name, number), 0 if shared else index).hex()
    return seeds
