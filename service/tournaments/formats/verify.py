"""Check a tournament offline: from its exported log alone draws, numbers, pairings, seats, qualifiers are recomputed.

`verify_tournament` raises `BadTournament` with the first line that does not follow from those before it. A good export
gives a report: what was recomputed, what was not and why, every ruling, the standings, the seed of every match once the
deals are open, and what no file can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from service.record.word_forms import HASH, ID, NAME, NONCE, parse_number
from service.tournaments.formats.bracket import KnockoutRules, rank_knockout
from service.tournaments.formats.crosstable import (
    BadResultText,
    How,
    Number,
    Pairing,
    SeatResult,
    read_seat_result,
)
from service.tournaments.formats.draw import BadDraw, check_key, check_value, deal_seed
from service.tournaments.formats.duplicate import rank_deal
from service.tournaments.formats.stage_replay import PairLine, RoundReplay, StageReplay, people_of
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
    NO_CHAIN,
    BadTournament,
    LogLine,
    TournamentExport,
    read_tournament_export,
)
from service.tournaments.formats.tournament_state import BOT_PREFIX, TournamentState

ALWAYS_UNPROVED = ("server-key", "times", "discarded-tournaments", "kept-out", "results")
"""Not proved by any file: whose key signed it, that lines were written at their time, that no tournament was thrown
away, that nobody without a receipt was kept out, and the results, which are those of the matches' own records."""


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """What a good export shows; rounds are named `STAGE:N`, rulings with the number of their line.

    `rankings` are those of stages that count points, by section; `places` those of knockouts.
    """

    tournament: str
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
    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def verify_tournament(data: bytes) -> TournamentReport:
    """The report of a good export; the first line that does not follow is raised as `BadTournament`."""
    export = read_tournament_export(data)
    try:
        replay = _Replay(export)
    except _Fault as fault:
        raise BadTournament(1, fault.reason, fault.detail) from None
    for entry in export.entries:
        try:
            replay.read_line(entry)
        except _Fault as fault:
            line = export.first_entry + entry.seq - 1
            raise BadTournament(line, fault.reason, fault.detail) from None
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
        self._check_document([self.export.header.document])
        self.state = TournamentState.read(self.export.header, self.export.documents, ())

    def read_line(self, entry: LogLine) -> None:
        """Check one line against all before it, and take it."""
        if self.state.deals is not None:
            raise _Fault("order", "nothing may follow `end`")
        verb, *words = entry.line.split(" ")
        check = self._checks().get(verb)
        if check is None or not all(words):
            raise _Fault("line", f"`{entry.line}` is no line of a tournament")
        check(words)
        self.state.take_line(entry)

    def _checks(self) -> dict[str, Callable[[Sequence[str]], None]]:
        one_player = dict.fromkeys(("accept", "reserve", "withdraw"), _check_player)
        return {
            **one_player,
            "document": self._check_document,
            "enter": _check_enter,
            "exclude": lambda words: _check_player(_exactly(words, 2)[:1]),
            "number": self._check_number,
            "bye": self._check_bye,
            "close": _check_nothing,
            "draw": self._check_draw,
            "pair": self._check_pair,
            "start": self._check_start,
            "result": self._check_result,
            "over": self._check_over,
            "advance": self._check_advance,
            "ruling": self._check_ruling,
            "end": self._check_end,
        }

    def _check_document(self, words: Sequence[str]) -> None:
        document = self.export.documents.get(*_exactly(words, 1))
        if document is None:
            raise _Fault("document", "this document is not in the file")
        try:
            read_stages(document)
        except BadStage as fault:
            raise _Fault("document", str(fault)) from None

    def _find_round(self, text: str) -> tuple[StageReplay, int]:
        name, _, word = text.rpartition(":")
        number = parse_number(word)
        if name not in self.state.stages or number is None:
            raise _Fault("line", f"{text} is no round of this tournament")
        return self.state.stages[name], number

    def _number_of(self, player: str) -> Number:
        if player.startswith(BOT_PREFIX):
            if NAME.fullmatch(player.removeprefix(BOT_PREFIX)) is None:
                raise _Fault("line", f"{player} is no bot")
        elif player not in self.state.number_of:
            raise _Fault("pair", f"{player} has no number in this tournament")
        return self.state.seat_number(player)

    def _names(self, numbers: Sequence[Number]) -> str:
        return " ".join(self.state.holders.get(one, "bot") for one in numbers)

    def _check_number(self, words: Sequence[str]) -> None:
        player, number, rating = _exactly(words, 3)
        state, given = self.state, len(self.state.holders) + 1
        value = parse_number(rating) if rating != "-" else -1
        if parse_number(number) != given or value is None or player in state.number_of:
            raise _Fault("number", f"{player} should get the next number, {given}, and once")
        if player not in state.inside:
            raise _Fault("number", f"{player} is not in this tournament")
        first = state.first_stage
        if player in (state.at_close or ()) and not first.last_round and first.rules.format != SAME_DEAL:
            self._check_rank(player, value)

    def _check_rank(self, player: str, rating: int) -> None:
        """Refuse a first number that is not by rating, then by the draw."""
        if player not in self.state.first_lots:
            raise _Fault("number", "numbers come after the draw")
        rank = (-rating, self.state.first_lots[player])
        if self.last_number is not None and rank < self.last_number:
            raise _Fault("number", "numbers go by rating, then by the draw")
        self.last_number = rank

    def _check_bye(self, words: Sequence[str]) -> None:
        player, round_name, kind = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        if kind not in {"half", "zero"}:
            raise _Fault("line", "a bye is half or zero")
        if self._number_of(player) in stage.round(number).seated:
            raise _Fault("pair", f"{player} is paired in {round_name} already")

    def _check_draw(self, words: Sequence[str]) -> None:
        round_name, key, value = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        state, header = self.state, self.export.header
        if header.chain == NO_CHAIN or state.due is None:
            raise _Fault("draw", "no draw is due here")
        if number in stage.lots and (number > 0 or stage is not state.first_stage or state.first_lots):
            raise _Fault("draw", f"{round_name} has been drawn already")
        try:
            check_key(key, state.last_key)
            check_value(value, header.beacon, state.due)
        except BadDraw as fault:
            raise _Fault("draw", str(fault)) from None

    def _check_pair(self, words: Sequence[str]) -> None:
        if len(words) < 4 or ID.fullmatch(words[0]) is None or words[0] in self.state.where:  # noqa: PLR2004  # ID ROUND SECTION P
            raise _Fault("line", "a pair is `pair ID ROUND SECTION P …`, each ID once")
        stage, number = self._find_round(words[1])
        section = 0 if words[2] == "-" else parse_number(words[2])
        if section is None:
            raise _Fault("line", "a section is a number or `-`")
        seats = tuple(self._number_of(player) for player in words[3:])
        each = stage.round(number)
        if not each.pairs and not each.repaired:
            self.expected[words[1]] = self._expect_round(stage, number, words[1])
        self._check_seats(stage, each, PairLine(words[0], section, seats), words[1])

    def _expect_round(self, stage: StageReplay, number: int, name: str) -> tuple[Pairing, ...] | None:
        if stage.rules.format == SAME_DEAL:
            self.skipped[name] = stage.rules.format
            return None
        if stage.lots_for(number) is None:
            raise _Fault("draw", f"{name} is paired before it was drawn")
        try:
            found = self.state.pair_round(stage.rules.name, number)
        except TooManyForDutch as fault:
            raise _Fault("pair", str(fault)) from None
        if found is None:
            self.skipped[name] = stage.rules.format
        else:
            self.recomputed.append(name)
        return found

    def _check_seats(self, stage: StageReplay, each: RoundReplay, pair: PairLine, name: str) -> None:
        people = people_of(pair.seats)
        if len(set(people)) != len(people) or len(pair.seats) > max(stage.rules.seats, 1):
            raise _Fault("pair", "somebody sits twice, or there are more people than seats")
        if stage.rules.format == LADDER:
            if self.state.seat_challenge(stage.rules.name, people) != people:
                raise _Fault("pair", "these two should sit the other way round")
            return
        if each.started and frozenset(pair.seats) in each.tables:
            return
        if not each.seated.isdisjoint(people):
            raise _Fault("pair", f"somebody is paired twice in {name}")
        expected = self.expected.get(name)
        if expected is None or each.repaired:
            return
        at = len(each.pairs)
        wanted = expected[at] if at < len(expected) else None
        if stage.rules.format == DUPLICATE:
            people = pair.seats
        if wanted is None or (wanted.seats, wanted.section) != (people, pair.section):
            should = self._names(wanted.seats) if wanted is not None else "nobody more"
            raise _Fault("pair", f"here {name} should pair {should}")

    def _check_start(self, words: Sequence[str]) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.started or not (each.valid or stage.rules.format == LADDER):
            raise _Fault("order", f"{words[0]} cannot start here")
        expected = self.expected.get(words[0])
        if expected is not None and not each.repaired and len(each.pairs) < len(expected):
            raise _Fault("pair", f"{words[0]} starts without the pair {self._names(expected[len(each.pairs)].seats)}")

    def _check_result(self, words: Sequence[str]) -> None:
        if not words or words[0] not in self.state.where:
            raise _Fault("result", "a result of a pair that there is not")
        try:
            results = tuple(read_seat_result(word) for word in words[1:])
        except BadResultText as fault:
            raise _Fault("result", str(fault)) from None
        name, _, pair = self.state.where[words[0]]
        if self.state.stages[name].rules.format == DUPLICATE:
            if len(results) != len(pair.seats):
                raise _Fault("result", "a result has a place for each seat")
            return
        _check_places(results, len(pair.seats))

    def _check_over(self, words: Sequence[str]) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.over or (stage.rules.format not in {LADDER, SAME_DEAL} and not each.started):
            raise _Fault("order", f"{words[0]} cannot be over here")
        for pair in each.unfinished(solo=stage.rules.format == SAME_DEAL):
            raise _Fault("over", f"{words[0]} is over, and {pair.id} has no result")
        for pair in stage.list_replays(number, self.state.gone):
            raise _Fault("over", f"{words[0]} is over, and {pair.id} is tied and should be played again")
        if stage.rules.format == DUPLICATE:
            self._check_deal_places(each)

    def _check_deal_places(self, each: RoundReplay) -> None:
        """Refuse places of a deal that are not by score among all who held the seat; a ruling may have given others."""
        valid = [pair for pair in each.valid if pair.id in each.results]
        found = [each.results[pair.id] for pair in valid]
        if any(result.how is How.RULED for results in found for result in results):
            return
        wanted = rank_deal([(pair.seats, results) for pair, results in zip(valid, found, strict=True)])
        for pair, results, right in zip(valid, found, wanted, strict=True):
            if results != right:
                raise _Fault("result", f"the result of {pair.id} should be {' '.join(map(str, right))}")

    def _check_advance(self, words: Sequence[str]) -> None:
        stages = self.state.stages
        if not words or words[0] not in stages:
            raise _Fault("advance", "a stage that there is not")
        stage = stages[words[0]]
        source = stage.rules.source
        if source is None or source.stage not in stages or stage.advanced:
            raise _Fault("advance", f"{words[0]} takes nobody here")
        wanted = self.state.take_qualifiers(words[0])
        if tuple(self._number_of(player) for player in words[1:]) != wanted:
            raise _Fault("advance", f"{words[0]} should take {self._names(wanted) or 'nobody'}")

    def _check_ruling(self, words: Sequence[str]) -> None:
        if words[:1] == ["repair"] and len(words) > 1:
            stage, number = self._find_round(words[1])
            if stage.round(number).started:
                raise _Fault("order", f"{words[1]} has begun, and is never paired anew")
            self.skipped[words[1]] = "repaired"
        elif words[:1] == ["replace"] and len(words) > 2:  # noqa: PLR2004  # P Q
            _check_player(words[1:2])
            _check_player(words[2:3])
            self._number_of(words[1])

    def _check_end(self, words: Sequence[str]) -> None:
        (deals,) = _exactly(words, 1)
        if HASH.fullmatch(deals) is None:
            raise _Fault("deals", "the deals are 64 hex digits")
        if sha256(bytes.fromhex(deals)).hexdigest() != self.export.header.deals:
            raise _Fault("deals", "these are not the deals that the header commits to")

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
            entries=len(self.export.entries),
            recomputed=tuple(self.recomputed),
            not_recomputed=dict(self.skipped),
            rulings=tuple(state.rulings),
            holders=dict(state.holders),
            rankings=rankings,
            places={
                name: rank_knockout(
                    stage.played(),
                    stage.entrants,
                    KnockoutRules(stage.rules.seats, stage.rules.advance, stage.rules.rounds),
                )
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
                if state.header.chain == NO_CHAIN:
                    # A league from before: its seed is that of each of its matches.
                    found[pair.id] = state.deals.hex()
                elif len(pair.seats) > 1 or same:
                    found[pair.id] = deal_seed(state.deals, f"{name}:{number}", 0 if same else at).hex()
    return found


def _exactly(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) != count:
        raise _Fault("line", f"here {count} words should follow the first")
    return words


def _check_player(words: Sequence[str]) -> None:
    (word,) = _exactly(words, 1)
    if ID.fullmatch(word) is None:
        raise _Fault("line", f"{word} is no player's id")


def _check_nothing(words: Sequence[str]) -> None:
    _exactly(words, 0)


def _check_enter(words: Sequence[str]) -> None:
    if not 1 <= len(words) <= 2 or (len(words) > 1 and NONCE.fullmatch(words[1]) is None):  # noqa: PLR2004  # P [NONCE]
        raise _Fault("line", "entering is `enter P [NONCE]`")
    _check_player(words[:1])


def _check_places(results: Sequence[SeatResult], seats: int) -> None:
    places = [result.place for result in results]
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise _Fault("result", "a result has a place for each seat, ties as 1, 1, 3")
