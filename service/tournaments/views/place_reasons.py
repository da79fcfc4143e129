"""Why somebody has a place in a knockout or on a ladder, in sentences: round by round, or move by move.

The places of a ladder follow from each other, so that a reader can go from the first to the present one; the place in
a knockout is one more than how many went further.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.words import Locale
from service.i18n.catalogue import join_items, translate
from service.tournaments.formats import ladder
from service.tournaments.formats.crosstable import BOT, Number, Pairing, StageRound
from service.tournaments.formats.knockout import decide_table, is_last_table
from service.tournaments.formats.stage_replay import LadderEvent, PairedTable, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT, LADDER
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.views.derivations import RankReason, format_place

PLACED = frozenset({KNOCKOUT, DOUBLE, LADDER})
"""Formats that give places without points."""
Names = Mapping[Number, str]


def explain_places(
    state: TournamentState, stage: str, numbers: Collection[Number], names: Names, locale: Locale
) -> dict[Number, RankReason]:
    """Why each of these entrants has their place in a stage that counts no points."""
    replay = state.stages[stage]
    if replay.rules.format == LADDER:
        return _explain_ladder(state, stage, numbers, names, locale)
    ranked = {number: place for place, number in replay.rank_places(state.departures)}
    return {
        number: _explain_knockout(replay, number, ranked[number], names, locale)
        for number in numbers
        if number in ranked
    }


def _explain_knockout(stage: StageReplay, number: Number, place: int, names: Names, locale: Locale) -> RankReason:
    details = [
        _tell_table(stage, each, pairing, number, names, locale)
        for each in stage.played()
        for pairing in each.pairings
        if number in pairing.seats
    ]
    summary = translate(locale, "place_reasons.knockout", place=format_place(place, locale), count=place - 1)
    seed = translate(locale, "place_reasons.seed", seed=stage.entrants.index(number) + 1, count=len(stage.entrants))
    return RankReason(summary, (seed, *details))


def _tell_table(
    stage: StageReplay, each: StageRound, pairing: Pairing, number: Number, names: Names, locale: Locale
) -> str:
    """Say what came of one table of an entrant: a bye, still played, on, or out; and whether the seeds decided it."""
    if pairing.is_bye:
        return translate(locale, "place_reasons.bye", round=each.number)
    others = join_items(locale, [names[one] for one in pairing.seats if one not in (number, BOT)], "derivations.and")
    if not pairing.results:
        return translate(locale, "place_reasons.playing", round=each.number, others=others)
    outcome = decide_table(pairing, stage.entrants, stage.count_advancing(each))
    result = pairing.results[pairing.seats.index(number)]
    about = {"round": each.number, "place": format_place(result.place, locale), "others": others}
    goes_on = number in outcome.advancing
    one_champion = stage.rules.ruleset.names_one_champion
    is_last = is_last_table(each) and each.number == stage.last_round
    if not goes_on and stage.forgives_loss(each, number):
        key = "once"
    elif is_last:
        key = "last" if result.finished or not one_champion else "left_last"
    else:
        key = "on" if goes_on else "out" if result.finished else "left"
    sentence = translate(locale, f"place_reasons.{key}", **about)
    if outcome.by_seed and not is_last:
        sentence = f"{sentence} {translate(locale, 'place_reasons.by_seed')}"
    elif outcome.by_seed and one_champion:
        sentence = f"{sentence} {translate(locale, 'place_reasons.by_seed_last')}"
    return sentence


@dataclass(frozen=True, slots=True)
class _LadderMove:
    event: LadderEvent | None
    before: int
    after: int


def _explain_ladder(
    state: TournamentState, stage: str, numbers: Collection[Number], names: Names, locale: Locale
) -> dict[Number, RankReason]:
    replay = state.settle_ladder(stage)
    moves = _list_moves(replay, state.ratings, numbers)
    found = {}
    for place, number in enumerate(state.ladder_order(stage), 1):
        if number in numbers:
            own = moves[number]
            details = [_tell_move(replay, number, move, names, locale) for move in own]
            if own[-1].after != place:
                values = {"count": own[-1].after - place, "after": format_place(place, locale)}
                details.append(translate(locale, "place_reasons.gone", **values))
            summary = translate(
                locale,
                "place_reasons.ladder",
                place=format_place(place, locale),
                first=format_place(own[0].after, locale),
            )
            found[number] = RankReason(summary, tuple(details))
    return found


def _list_moves(
    stage: StageReplay, ratings: Mapping[Number, int], numbers: Collection[Number]
) -> dict[Number, list[_LadderMove]]:
    """Where each of these began on the ladder, and every move of theirs since."""
    places = dict.fromkeys(numbers, 0)
    moves: dict[Number, list[_LadderMove]] = {number: [] for number in numbers}
    for event, order in stage.follow_ladder(ratings):
        for place, number in enumerate(order, 1):
            if number in places and places[number] != place:
                moves[number].append(_LadderMove(event, places[number], place))
                places[number] = place
    return moves


def _tell_move(stage: StageReplay, number: Number, move: _LadderMove, names: Names, locale: Locale) -> str:
    before, after = format_place(move.before, locale), format_place(move.after, locale)
    event = move.event
    if event is None:
        return translate(locale, "place_reasons.began", after=after)
    if not isinstance(event, tuple):
        key = "others_back" if event != number else "back" if move.before else "came"
        return translate(locale, f"place_reasons.{key}", before=before, after=after, who=names[event])
    winner, loser = _winner_and_loser(stage, event)
    key = "won" if winner == number else "lost" if loser == number else "passed"
    about = {"winner": names[winner], "loser": names[loser]}
    return translate(locale, f"place_reasons.{key}", before=before, after=after, **about)


def _winner_and_loser(stage: StageReplay, event: tuple[int, PairedTable]) -> tuple[Number, Number]:
    """Who won the match that moved a ladder, and against whom."""
    number, pair = event
    winner = ladder.find_winner(Pairing(pair.seats, stage.rounds[number].results[pair.id]))
    one, other = pair.seats
    return (one, other) if winner == one else (other, one)
