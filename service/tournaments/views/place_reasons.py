"""Reasons for a place in a knockout or on a ladder in sentences: round by round, or move by move.

On a ladder each place follows from the one before, so a reader can follow all moves. A place in a knockout is one more
than the number of those who went further.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.words import Locale
from service.i18n.catalogue import join_items, translate
from service.tournaments.formats import ladder
from service.tournaments.formats.crosstable import BOT, Number, Pairing, StageRound
from service.tournaments.formats.knockout import decide_table, is_last_table
from service.tournaments.formats.series import BY_SCORE
from service.tournaments.formats.stage_replay import LadderEvent, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT, LADDER
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.views.derivations import RankReason, format_place

PLACED = frozenset({KNOCKOUT, DOUBLE, LADDER})
"""Formats that give places without points."""
Names = Mapping[Number, str]


def explain_places(
    state: TournamentState, stage: str, numbers: Collection[Number], names: Names, locale: Locale
) -> dict[Number, RankReason]:
    """Explain the places of these entrants in a stage that counts no points."""
    replay = state.stages[stage]
    if replay.rules.format == LADDER:
        writer = _PlaceWriter(state.settle_ladder(stage), names, locale)
        moves = _list_moves(writer.stage, state.strengths, numbers)
        order = enumerate(state.ladder_order(stage), 1)
        return {
            number: writer.explain_ladder(number, place, moves[number]) for place, number in order if number in moves
        }
    writer = _PlaceWriter(replay, names, locale)
    ranked = replay.rank_places(state.departures)
    return {number: writer.explain_knockout(number, place) for place, number in ranked if number in numbers}


@dataclass(frozen=True, slots=True)
class _LadderMove:
    event: LadderEvent | None
    before: int
    after: int


@dataclass(frozen=True)
class _PlaceWriter:
    """Writes the sentences about places in a stage."""

    stage: StageReplay
    names: Names
    locale: Locale

    def say(self, key: str, **values: object) -> str:
        return translate(self.locale, f"place_reasons.{key}", **values)

    def place(self, place: int) -> str:
        return format_place(place, self.locale)

    def explain_knockout(self, number: Number, place: int) -> RankReason:
        seeds = self.stage.entrants
        details = [
            self._tell_table(each, pairing, number)
            for each in self.stage.played()
            for pairing in each.pairings
            if number in pairing.seats
        ]
        seed = self.say("seed", seed=seeds.index(number) + 1, count=len(seeds))
        return RankReason(self.say("knockout", place=self.place(place), count=place - 1), (seed, *details))

    def _tell_table(self, each: StageRound, pairing: Pairing, number: Number) -> str:
        """Describe one table of an entrant: a bye, still running, advanced or out, and whether seeds decided."""
        if pairing.is_bye:
            return self.say("bye", round=each.number)
        opponents = [self.names[one] for one in pairing.seats if one not in (number, BOT)]
        others = join_items(self.locale, opponents, "derivations.and")
        if not pairing.results:
            return self.say("playing", round=each.number, others=others)
        stage = self.stage
        outcome = decide_table(pairing, stage.entrants, stage.count_advancing(each))
        result = pairing.results[pairing.seats.index(number)]
        goes_on = number in outcome.advancing
        one_champion = stage.rules.ruleset.names_one_champion
        is_last = is_last_table(each) and each.number == stage.last_round
        if not goes_on and stage.forgives_loss(each, number):
            key = "once"
        elif is_last:
            key = "last" if result.finished or not one_champion else "left_last"
        else:
            key = "on" if goes_on else "out" if result.finished else "left"
        sentence = self.say(key, round=each.number, place=self.place(result.place), others=others)
        if stage.rules.series is not None:
            own, other = result.score, sum(each.score for each in pairing.results) - result.score
            sentence = f"{sentence} {self.say('series', own=own, others=other)}"
            if own == other and not outcome.by_seed and stage.rules.tied == BY_SCORE:
                sentence = f"{sentence} {self.say('by_score')}"
        if outcome.by_seed and not is_last:
            sentence = f"{sentence} {self.say('by_seed')}"
        elif outcome.by_seed and one_champion:
            sentence = f"{sentence} {self.say('by_seed_last')}"
        return sentence

    def explain_ladder(self, number: Number, place: int, moves: Sequence[_LadderMove]) -> RankReason:
        details = [self._tell_move(number, move) for move in moves]
        if moves[-1].after != place:
            details.append(self.say("gone", count=moves[-1].after - place, after=self.place(place)))
        summary = self.say("ladder", place=self.place(place), first=self.place(moves[0].after))
        return RankReason(summary, tuple(details))

    def _tell_move(self, number: Number, move: _LadderMove) -> str:
        before, after, event = self.place(move.before), self.place(move.after), move.event
        if event is None:
            return self.say("began", after=after)
        if not isinstance(event, tuple):
            key = "others_back" if event != number else "back" if move.before else "came"
            return self.say(key, before=before, after=after, who=self.names[event])
        round_, pair = event
        results = self.stage.rounds[round_].results[pair.id]
        # A draw moves nobody, so there is a winner.
        winner, loser = ladder.find_winner(Pairing(pair.seats, results)) or pair.seats
        key = "won" if winner == number else "lost" if loser == number else "passed"
        return self.say(key, before=before, after=after, winner=self.names[winner], loser=self.names[loser])


def _list_moves(
    stage: StageReplay, strengths: Mapping[Number, ladder.Strength], numbers: Collection[Number]
) -> dict[Number, list[_LadderMove]]:
    """Return the first place of each of these entrants on the ladder, and every move since."""
    places = dict.fromkeys(numbers, 0)
    moves: dict[Number, list[_LadderMove]] = {number: [] for number in numbers}
    for event, order in stage.follow_ladder(strengths):
        for place, number in enumerate(order, 1):
            if number in places and places[number] != place:
                moves[number].append(_LadderMove(event, places[number], place))
                places[number] = place
    return moves
