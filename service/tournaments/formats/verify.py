"""Check a tournament offline: from its exported log alone draws, numbers, pairings, seats, qualifiers are recomputed.

`verify_tournament` raises `BadTournament` with the first line that does not follow from those before it. A good export
gives a report: what was recomputed, what was not and why, every ruling, the standings, the seed of every match once the
deals are open, and what no file can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from service.record.word_forms import HASH, ID, NAME, NONCE, parse_number
from service.tournaments.formats.bracket import KnockoutRules, rank_knockout
from service.tournaments.formats.crosstable import (
    BOT,
    BadResultText,
    Number,
    Pairing,
    SeatResult,
    read_seat_result,
)
from service.tournaments.formats.draw import BadDraw, Draw, add_newcomers, check_key, check_value, deal_seed, lot_order
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
    StageRules,
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
    """Everything that the lines read so far say."""

    export: TournamentExport
    stages: dict[str, StageReplay] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    at_close: frozenset[str] | None = None
    number_of: dict[str, Number] = field(default_factory=dict)
    holders: dict[Number, str] = field(default_factory=dict)
    first_lots: dict[str, int] = field(default_factory=dict)
    last_number: tuple[int, int] | None = None
    draws: int = 0
    last_key: str = ""
    due: int | None = None
    ratings: dict[Number, int] = field(default_factory=dict)
    where: dict[str, tuple[StageReplay, PairLine]] = field(default_factory=dict)
    rulings: list[tuple[int, str]] = field(default_factory=list)
    deals: bytes | None = None
    recomputed: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.last_key = self.export.header.chain
        self._take_document(self.export.header.document)

    def read_line(self, entry: LogLine) -> None:
        """Check one line against all before it, and take it."""
        if self.deals is not None:
            raise _Fault("order", "nothing may follow `end`")
        verb, *words = entry.line.split(" ")
        reader = self._readers().get(verb)
        if reader is None or not all(words):
            raise _Fault("line", f"`{entry.line}` is no line of a tournament")
        reader(words, entry)

    def _readers(self) -> dict[str, Callable[[Sequence[str], LogLine], None]]:
        return {
            "document": lambda words, _: self._take_document(*_exactly(words, 1)),
            "enter": lambda words, _: _check_enter(words),
            "accept": lambda words, _: self.inside.add(_player(*_exactly(words, 1))),
            "reserve": lambda words, _: self.inside.discard(_player(*_exactly(words, 1))),
            "withdraw": lambda words, _: self.inside.discard(_player(*_exactly(words, 1))),
            "exclude": lambda words, _: self.inside.discard(_player(_exactly(words, 2)[0])),
            "number": self._read_number,
            "bye": self._read_bye,
            "close": self._read_close,
            "draw": self._read_draw,
            "pair": self._read_pair,
            "start": self._read_start,
            "result": self._read_result,
            "over": self._read_over,
            "advance": self._read_advance,
            "ruling": self._read_ruling,
            "end": self._read_end,
        }

    def _take_document(self, hash_: str) -> None:
        document = self.export.documents.get(hash_)
        if document is None:
            raise _Fault("document", "this document is not in the file")
        for rules in _stages_of(document):
            if rules.name in self.stages:
                self.stages[rules.name].rules = rules
            else:
                self.stages[rules.name] = StageReplay(rules)

    @property
    def _first_stage(self) -> StageReplay:
        return next(iter(self.stages.values()))

    def _find_round(self, text: str) -> tuple[StageReplay, int]:
        name, _, word = text.rpartition(":")
        number = parse_number(word)
        if name not in self.stages or number is None:
            raise _Fault("line", f"{text} is no round of this tournament")
        return self.stages[name], number

    def _number_of(self, player: str) -> Number:
        if player.startswith("bot:"):
            if NAME.fullmatch(player.removeprefix("bot:")) is None:
                raise _Fault("line", f"{player} is no bot")
            return BOT
        if player not in self.number_of:
            raise _Fault("pair", f"{player} has no number in this tournament")
        return self.number_of[player]

    def _is_in(self, number: Number) -> bool:
        return self.holders[number] in self.inside

    def _read_number(self, words: Sequence[str], _: LogLine) -> None:
        player, number, rating = _exactly(words, 3)
        value = parse_number(rating) if rating != "-" else -1
        if parse_number(number) != len(self.holders) + 1 or value is None or player in self.number_of:
            raise _Fault("number", f"{player} should get the next number, {len(self.holders) + 1}, and once")
        if player not in self.inside:
            raise _Fault("number", f"{player} is not in this tournament")
        first = self._first_stage
        if player in (self.at_close or ()) and not first.last_round and first.rules.format != SAME_DEAL:
            self._check_rank(player, value)
        given = len(self.holders) + 1
        self.number_of[player], self.holders[given], self.ratings[given] = given, player, value
        first.entrants.append(given)
        if player not in self.first_lots:
            first.ladder.append(given)
        elif len(first.entrants) >= len(self.first_lots):
            first.lots[0] = tuple(self.number_of[one] for one in self.first_lots if one in self.number_of)

    def _check_rank(self, player: str, rating: int) -> None:
        """Refuse a first number that is not by rating, then by the draw."""
        if player not in self.first_lots:
            raise _Fault("number", "numbers come after the draw")
        rank = (-rating, self.first_lots[player])
        if self.last_number is not None and rank < self.last_number:
            raise _Fault("number", "numbers go by rating, then by the draw")
        self.last_number = rank

    def _read_bye(self, words: Sequence[str], _: LogLine) -> None:
        player, round_name, kind = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        one, each = self._number_of(player), stage.round(number)
        if kind not in {"half", "zero"}:
            raise _Fault("line", "a bye is half or zero")
        if one in each.seated:
            raise _Fault("pair", f"{player} is paired in {round_name} already")
        each.absent.add(one)
        if kind == "half":
            each.half_byes.add(one)

    def _read_close(self, words: Sequence[str], entry: LogLine) -> None:
        _exactly(words, 0)
        self.at_close, self.due = frozenset(self.inside), entry.at

    def _read_draw(self, words: Sequence[str], _: LogLine) -> None:
        round_name, key, value = _exactly(words, 3)
        stage, number = self._find_round(round_name)
        if self.export.header.chain == NO_CHAIN or self.due is None:
            raise _Fault("draw", "no draw is due here")
        if number in stage.lots and (number > 0 or stage is not self._first_stage or self.first_lots):
            raise _Fault("draw", f"{round_name} has been drawn already")
        try:
            check_key(key, self.last_key)
            check_value(value, self.export.header.beacon, self.due)
        except BadDraw as fault:
            raise _Fault("draw", str(fault)) from None
        self.last_key, self.draws = key, self.draws + 1
        made = Draw(round_name, key, value)
        if stage is self._first_stage and number == 0:
            self.first_lots = {one: at for at, one in enumerate(lot_order(made, self.at_close or ()))}
            stage.lots[0] = ()
            return
        ids = [self.holders[one] for one in stage.entrants]
        stage.lots[number] = tuple(self.number_of[one] for one in lot_order(made, ids))

    def _read_pair(self, words: Sequence[str], _: LogLine) -> None:
        if len(words) < 4 or ID.fullmatch(words[0]) is None or words[0] in self.where:  # noqa: PLR2004  # ID ROUND SECTION P
            raise _Fault("line", "a pair is `pair ID ROUND SECTION P …`, each ID once")
        stage, number = self._find_round(words[1])
        section = 0 if words[2] == "-" else parse_number(words[2])
        if section is None:
            raise _Fault("line", "a section is a number or `-`")
        seats = tuple(self._number_of(player) for player in words[3:])
        each = stage.round(number)
        pair = PairLine(words[0], section, seats)
        if not each.pairs and not each.repaired:
            self._settle_first_lots()
            each.expected = self._expect_round(stage, number, words[1])
        self._check_pair(stage, each, pair, words[1])
        each.add_pair(pair, replays=stage.rules.format != LADDER)
        self.where[pair.id] = (stage, pair)

    def _settle_first_lots(self) -> None:
        """Take the first lot order as numbers, also where somebody left between the draw and the numbers."""
        if self.first_lots and not self._first_stage.lots.get(0):
            known = (self.number_of[one] for one in self.first_lots if one in self.number_of)
            self._first_stage.lots[0] = tuple(known)

    def _expect_round(self, stage: StageReplay, number: int, name: str) -> tuple[Pairing, ...] | None:
        if stage.rules.format in {SAME_DEAL, DUPLICATE}:
            self.skipped[name] = stage.rules.format
            return None
        lots = stage.lots_for(number)
        if lots is None:
            raise _Fault("draw", f"{name} is paired before it was drawn")
        each = stage.round(number)
        present = [one for one in stage.entrants if self._is_in(one) and one not in each.absent]
        if not stage.rules.one_draw:
            order = add_newcomers([self.holders[one] for one in lots], [self.holders[one] for one in present])
            stage.lots[number] = tuple(self.number_of[one] for one in order)
        avoid = {
            tuple(sorted((self.number_of[one], self.number_of[other])))
            for one, other in stage.rules.avoid
            if one in self.number_of and other in self.number_of
        }
        try:
            found = stage.pair_round(number, sorted(present), frozenset((one, other) for one, other in avoid))
        except TooManyForDutch as fault:
            raise _Fault("pair", str(fault)) from None
        if found is None:
            self.skipped[name] = stage.rules.format
        else:
            self.recomputed.append(name)
        return found

    def _check_pair(self, stage: StageReplay, each: RoundReplay, pair: PairLine, name: str) -> None:
        people = people_of(pair.seats)
        if len(set(people)) != len(people) or len(pair.seats) > max(stage.rules.seats, 1):
            raise _Fault("pair", "somebody sits twice, or there are more people than seats")
        if stage.rules.format == LADDER:
            if stage.seat_challenge(people) != people:
                raise _Fault("pair", "these two should sit the other way round")
            return
        if each.started and frozenset(pair.seats) in each.tables:
            return
        if not each.seated.isdisjoint(people):
            raise _Fault("pair", f"somebody is paired twice in {name}")
        if each.expected is None:
            return
        at = len(each.pairs)
        wanted = each.expected[at] if at < len(each.expected) else None
        if wanted is None or people_of(wanted.seats) != people or wanted.section != pair.section:
            should = " ".join(self.holders[one] for one in wanted.seats) if wanted is not None else "nobody more"
            raise _Fault("pair", f"here {name} should pair {should}")

    def _read_start(self, words: Sequence[str], _: LogLine) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.started or not each.valid:
            raise _Fault("order", f"{words[0]} cannot start here")
        if each.expected is not None and not each.repaired and len(each.pairs) < len(each.expected):
            missing = each.expected[len(each.pairs)]
            names = " ".join(self.holders[one] for one in missing.seats)
            raise _Fault("pair", f"{words[0]} starts without the pair {names}")
        each.started = True

    def _read_result(self, words: Sequence[str], _: LogLine) -> None:
        if not words or words[0] not in self.where:
            raise _Fault("result", "a result of a pair that there is not")
        stage, pair = self.where[words[0]]
        try:
            results = tuple(read_seat_result(word) for word in words[1:])
        except BadResultText as fault:
            raise _Fault("result", str(fault)) from None
        _check_places(results, len(pair.seats))
        if not pair.results:
            stage.ladder.append(pair)
        pair.results = results

    def _read_over(self, words: Sequence[str], entry: LogLine) -> None:
        stage, number = self._find_round(*_exactly(words, 1))
        each = stage.round(number)
        if each.over or (stage.rules.format not in {LADDER, SAME_DEAL} and not each.started):
            raise _Fault("order", f"{words[0]} cannot be over here")
        for pair in each.valid:
            if not pair.results and len(pair.seats) > 1:
                raise _Fault("over", f"{words[0]} is over, and {pair.id} has no result")
        each.over, self.due = True, entry.at

    def _read_advance(self, words: Sequence[str], entry: LogLine) -> None:
        if not words or words[0] not in self.stages:
            raise _Fault("advance", "a stage that there is not")
        stage = self.stages[words[0]]
        source = stage.rules.source
        if source is None or source.stage not in self.stages or stage.entrants:
            raise _Fault("advance", f"{words[0]} takes nobody here")
        gone = frozenset(number for number in self.holders if not self._is_in(number))
        wanted = self.stages[source.stage].take_qualifiers(source, gone)
        if tuple(self._number_of(player) for player in words[1:]) != wanted:
            names = " ".join(self.holders[number] for number in wanted)
            raise _Fault("advance", f"{words[0]} should take {names or 'nobody'}")
        stage.entrants, self.due = list(wanted), entry.at

    def _read_ruling(self, words: Sequence[str], entry: LogLine) -> None:
        self.rulings.append((entry.seq, entry.line))
        if words[:1] == ["repair"] and len(words) > 1:
            stage, number = self._find_round(words[1])
            each = stage.round(number)
            if each.started:
                raise _Fault("order", f"{words[1]} has begun, and is never paired anew")
            each.void_pairs()
            self.skipped[words[1]] = "repaired"
        elif words[:1] == ["replace"] and len(words) > 2:  # noqa: PLR2004  # P Q
            one, other = _player(words[1]), _player(words[2])
            number = self._number_of(one)
            self.number_of[other], self.holders[number] = number, other
            self.inside.discard(one)
            self.inside.add(other)

    def _read_end(self, words: Sequence[str], _: LogLine) -> None:
        (deals,) = _exactly(words, 1)
        if HASH.fullmatch(deals) is None:
            raise _Fault("deals", "the deals are 64 hex digits")
        self.deals = bytes.fromhex(deals)
        if sha256(self.deals).hexdigest() != self.export.header.deals:
            raise _Fault("deals", "these are not the deals that the header commits to")

    def report(self) -> TournamentReport:
        """What all lines show together."""
        gone = frozenset(number for number in self.holders if not self._is_in(number))
        beacon = ("beacon-signature",) if self.export.header.beacon != "none" else ("no-beacon",)
        rankings = {
            name: stage.rank_sections(gone)
            for name, stage in self.stages.items()
            if stage.rules.format in {ROUND_ROBIN, SWISS, PODS} and stage.entrants
        }
        return TournamentReport(
            tournament=self.export.header.tournament,
            entries=len(self.export.entries),
            recomputed=tuple(self.recomputed),
            not_recomputed=dict(self.skipped),
            rulings=tuple(self.rulings),
            holders=dict(self.holders),
            rankings=rankings,
            places={
                name: rank_knockout(
                    stage.played(),
                    stage.entrants,
                    KnockoutRules(stage.rules.seats, stage.rules.advance, stage.rules.rounds),
                )
                for name, stage in self.stages.items()
                if stage.rules.format in {KNOCKOUT, DOUBLE} and stage.entrants
            },
            ladders={
                name: stage.ladder_order(self.ratings, gone)
                for name, stage in self.stages.items()
                if stage.rules.format == LADDER
            },
            seeds=self._match_seeds(),
            not_proved=(*beacon, *ALWAYS_UNPROVED),
        )

    def _match_seeds(self) -> dict[str, str]:
        """The seed of every match, once the deals are open: by the place of its `pair` line in the round."""
        if self.deals is None:
            return {}
        found = {}
        for name, stage in self.stages.items():
            same = stage.rules.format in {SAME_DEAL, DUPLICATE}
            for number, each in stage.rounds.items():
                for at, pair in enumerate(each.pairs, 1):
                    if self.export.header.chain == NO_CHAIN:
                        # A league from before: its seed is that of each of its matches.
                        found[pair.id] = self.deals.hex()
                    elif len(pair.seats) > 1 or same:
                        found[pair.id] = deal_seed(self.deals, f"{name}:{number}", 0 if same else at).hex()
        return found


def _stages_of(document: Mapping[str, Any]) -> tuple[StageRules, ...]:
    try:
        return read_stages(document)
    except BadStage as fault:
        raise _Fault("document", str(fault)) from None


def _exactly(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) != count:
        raise _Fault("line", f"here {count} words should follow the first")
    return words


def _player(word: str) -> str:
    if ID.fullmatch(word) is None:
        raise _Fault("line", f"{word} is no player's id")
    return word


def _check_enter(words: Sequence[str]) -> None:
    if not 1 <= len(words) <= 2 or (len(words) > 1 and NONCE.fullmatch(words[1]) is None):  # noqa: PLR2004  # P [NONCE]
        raise _Fault("line", "entering is `enter P [NONCE]`")
    _player(words[0])


def _check_places(results: Sequence[SeatResult], seats: int) -> None:
    places = [result.place for result in results]
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise _Fault("result", "a result has a place for each seat, ties as 1, 1, 3")
