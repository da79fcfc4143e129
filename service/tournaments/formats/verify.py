"""Check a tournament offline: from its exported log alone draws, numbers, pairings, seats, qualifiers are recomputed.

`verify_tournament` raises `BadTournament` with the first line that does not follow from those before it. A good export
gives a report: what was recomputed, what was not and why, every ruling, the standings, the seed of every match once the
deals are open, and what no file can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from service.i18n.catalogue import Message
from service.record.patterns import HASH, ID, NAME, NONCE, parse_number
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
from service.tournaments.formats.faults import explain_fault
from service.tournaments.formats.rulesets import Ruleset
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
        self._check_document([self.export.header.document])
        self.state = TournamentState.read(self.export.header, self.export.documents, ())

    def read_line(self, entry: LogLine) -> None:
        """Check one line against all before it, and take it."""
        if self.state.deals is not None:
            raise _fault("order", "after_end")
        verb, *words = entry.line.split(" ")
        check = self._checks().get(verb)
        if check is None or not all(words):
            raise _fault("line", "unknown_line", line=entry.line)
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
            raise _fault("document", "no_document")
        try:
            read_stages(document)
        except BadStage as fault:
            raise _Fault("document", fault.message) from None

    def _find_round(self, text: str) -> tuple[StageReplay, int]:
        name, _, word = text.rpartition(":")
        number = parse_number(word)
        if name not in self.state.stages or number is None:
            raise _fault("line", "unknown_round", round=text)
        return self.state.stages[name], number

    def _number_of(self, player: str) -> Number:
        if player.startswith(BOT_PREFIX):
            if NAME.fullmatch(player.removeprefix(BOT_PREFIX)) is None:
                raise _fault("line", "unknown_bot", player=player)
        elif player not in self.state.number_of:
            raise _fault("pair", "no_number", player=player)
        return self.state.seat_number(player)

    def _names(self, numbers: Sequence[Number]) -> str:
        return " ".join(self.state.holders.get(one, "bot") for one in numbers)

    def _check_number(self, words: Sequence[str]) -> None:
        player, number, rating = _exactly(words, 3)
        state, given = self.state, len(self.state.holders) + 1
        value = parse_number(rating) if rating != "-" else -1
        if parse_number(number) != given or value is None or player in state.number_of:
            raise _fault("number", "next_number", player=player, number=given)
        if player not in state.inside:
            raise _fault("number", "not_inside", player=player)
        first = state.first_stage
        if player in (state.at_close or ()) and not first.last_round and first.rules.format != SAME_DEAL:
            self._check_rank(player, value)

    def _check_rank(self, player: str, rating: int) -> None:
        """Refuse a first number that is not by rating, then by the draw."""
        if player not in self.state.first_lots:
            raise _fault("number", "number_before_draw")
        rank = (-rating, self.state.first_lots[player])
        if self.last_number is not None and rank < self.last_number:
            raise _fault("number", "number_order")
        self.last_number = rank

    def _check_bye(self, words: Sequence[str]) -> None:
        player, round_name, kind = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        if kind not in {"half", "zero"}:
            raise _fault("line", "bye_kind")
        if self._number_of(player) in stage.round(number).seated:
            raise _fault("pair", "bye_after_pair", player=player, round=round_name)

    def _check_draw(self, words: Sequence[str]) -> None:
        round_name, key, value = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        state, header = self.state, self.export.header
        if state.due is None:
            raise _fault("draw", "no_draw_due")
        if number in stage.lots and (number > 0 or stage is not state.first_stage or state.first_lots):
            raise _fault("draw", "drawn_twice", round=round_name)
        try:
            check_key(key, state.last_key)
            check_value(value, header.beacon, state.due)
        except BadDraw as fault:
            raise _Fault("draw", fault.message) from None

    def _check_pair(self, words: Sequence[str]) -> None:
        if len(words) < 4 or ID.fullmatch(words[0]) is None or words[0] in self.state.where:  # noqa: PLR2004  # ID ROUND SECTION P
            raise _fault("line", "pair_form")
        stage, number = self._find_round(words[1])
        section = 0 if words[2] == "-" else parse_number(words[2])
        if section is None:
            raise _fault("line", "section_form")
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

    def _check_seats(self, stage: StageReplay, each: RoundReplay, pair: PairLine, name: str) -> None:
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

    def _check_start(self, words: Sequence[str]) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.started or not (each.valid or stage.rules.format == LADDER):
            raise _fault("order", "start", round=words[0])
        expected = self.expected.get(words[0])
        if expected is not None and not each.repaired and len(each.pairs) < len(expected):
            missing = self._names(expected[len(each.pairs)].seats)
            raise _fault("pair", "pair_missing", round=words[0], players=missing)

    def _check_result(self, words: Sequence[str]) -> None:
        if not words or words[0] not in self.state.where:
            raise _fault("result", "result_of_nothing")
        try:
            results = tuple(read_seat_result(word) for word in words[1:])
        except BadResultText as fault:
            raise _Fault("result", fault.message) from None
        name, _, pair = self.state.where[words[0]]
        if self.state.stages[name].rules.format == DUPLICATE:
            if len(results) != len(pair.seats):
                raise _fault("result", "result_seats")
            return
        _check_places(results, len(pair.seats))

    def _check_over(self, words: Sequence[str]) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.over or (stage.rules.format not in {LADDER, SAME_DEAL} and not each.started):
            raise _fault("order", "over", round=words[0])
        for pair in each.unfinished(solo=stage.rules.format == SAME_DEAL):
            raise _fault("over", "no_result", round=words[0], match=pair.id)
        for pair in stage.list_replays(number, self.state.gone):
            raise _fault("over", "no_replay", round=words[0], match=pair.id)
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
                raise _fault("result", "wrong_result", match=pair.id, result=" ".join(map(str, right)))

    def _check_advance(self, words: Sequence[str]) -> None:
        stages = self.state.stages
        if not words or words[0] not in stages:
            raise _fault("advance", "unknown_stage")
        stage = stages[words[0]]
        source = stage.rules.source
        if source is None or source.stage not in stages or stage.advanced:
            raise _fault("advance", "advance", stage=words[0])
        wanted = self.state.take_qualifiers(words[0])
        if tuple(self._number_of(player) for player in words[1:]) != wanted:
            what = "wrong_advance" if wanted else "advance_nobody"
            raise _fault("advance", what, stage=words[0], players=self._names(wanted))

    def _check_ruling(self, words: Sequence[str]) -> None:
        if words[:1] == ["repair"] and len(words) > 1:
            stage, number = self._find_round(words[1])
            if stage.round(number).started:
                raise _fault("order", "repair", round=words[1])
            self.skipped[words[1]] = "repaired"
        elif words[:1] == ["replace"] and len(words) > 2:  # noqa: PLR2004  # P Q
            _check_player(words[1:2])
            _check_player(words[2:3])
            self._number_of(words[1])

    def _check_end(self, words: Sequence[str]) -> None:
        (deals,) = _exactly(words, 1)
        if HASH.fullmatch(deals) is None:
            raise _fault("deals", "deals_form")
        if sha256(bytes.fromhex(deals)).hexdigest() != self.export.header.deals:
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
            rulings=tuple(state.rulings),
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
                    found[pair.id] = deal_seed(state.deals, f"{name}:{number}", 0 if same else at).hex()
    return found


def _exactly(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) != count:
        raise _fault("line", "words", count=count)
    return words


def _check_player(words: Sequence[str]) -> None:
    (word,) = _exactly(words, 1)
    if ID.fullmatch(word) is None:
        raise _fault("line", "player_id", word=word)


def _check_nothing(words: Sequence[str]) -> None:
    _exactly(words, 0)


def _check_enter(words: Sequence[str]) -> None:
    if not 1 <= len(words) <= 2 or (len(words) > 1 and NONCE.fullmatch(words[1]) is None):  # noqa: PLR2004  # P [NONCE]
        raise _fault("line", "enter_form")
    _check_player(words[:1])


def _check_places(results: Sequence[SeatResult], seats: int) -> None:
    places = [result.place for result in results]
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise _fault("result", "result_places")
