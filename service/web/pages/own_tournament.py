"""A player's own part of a tournament: current matches, schedule, byes to ask for, challenges to make and answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.tournaments import ChallengeRow, EntrantRow, TournamentRow
from service.problems import Problem
from service.tournaments.documents.document import TournamentDocument
from service.tournaments.formats.tournament_state import IN
from service.tournaments.rounds.challenges import find_ladder, find_open_challenges, has_ladder
from service.tournaments.rounds.standings import find_names
from service.tournaments.views.own_rounds import OwnRound, OwnTable, list_own_rounds
from service.tournaments.views.tournament_shapes import RoundShown


@dataclass(frozen=True)
class OwnPart:
    """Own part of a player: matches, schedule, byes and challenges."""

    matches: Sequence[tuple[OwnTable, OwnRound]] = ()
    """Tables without a result, with their rounds."""
    rounds: Sequence[OwnRound] = ()
    byes: Sequence[RoundShown] = ()
    """Rounds for which the player may ask for a bye."""
    challenges: Sequence[tuple[ChallengeRow, str]] = ()
    """Challenges that the player must answer, and who made them."""
    rivals: Sequence[tuple[str, str]] = ()
    """Players whom the player may challenge, with their names."""


def describe_own_part(
    row: TournamentRow, document: TournamentDocument, rounds: Sequence[RoundShown], entrant: EntrantRow, locale: Locale
) -> OwnPart:
    """Return the part of a player who has entered."""
    player = entrant.player
    own = list_own_rounds(row, entrant, rounds, locale)
    missed = {(each.shown.stage, each.shown.number) for each in own if each.is_missed}
    plans = {plan.name: plan for plan in document.stages}
    asked = {stage: sum(name == stage for name, _ in missed) for stage in plans}
    can_rest = entrant.status == IN and entrant.number is not None
    waiting = find_open_challenges(player, row.id) if has_ladder(row) else []
    names = find_names(sorted({each.challenger for each in waiting}), locale)
    return OwnPart(
        matches=[
            (table, each) for each in own for table in each.tables if not table.shown.over and not table.shown.is_bye
        ],
        rounds=own,
        byes=[
            each
            for each in rounds
            if can_rest
            and each.state == "planned"
            and plans[each.stage].allows_bye(each.number)
            and (each.stage, each.number) not in missed
            and asked[each.stage] < plans[each.stage].bye.most_asked
        ],
        challenges=[(each, names[each.challenger]) for each in waiting],
        rivals=_list_rivals(row, player, locale) if has_ladder(row) and entrant.status == IN else (),
    )


def _list_rivals(row: TournamentRow, player: str, locale: Locale) -> list[tuple[str, str]]:
    """Return the players within reach above this one on a running ladder, the nearest first."""
    with suppress(Problem):  # the ladder is not running
        ladder = find_ladder(row)
        number = ladder.find_number(player)
        if number is None or number not in ladder.order:
            return []
        place = list(ladder.order).index(number)
        above = [ladder.state.holders[each] for each in list(ladder.order)[max(0, place - ladder.plan.reach) : place]]
        names = find_names(above, locale)
        return [(each, names[each]) for each in reversed(above)]
    return []
