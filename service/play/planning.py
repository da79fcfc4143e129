"""Plans: lines of several seats tried on re-deals, and the branches that a player saves for a match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from peewee import ModelSelect

from engine.game import CORE_VERBS, AnyAction, to_act
from engine.planning import Plan, PlannedStep, Planner
from engine.words import Locale
from service import ids, shapes
from service.db.connection import rows, write_transaction
from service.db.models.matches import BranchRow
from service.i18n.catalogue import msg
from service.play.match_log import lock_match
from service.play.record_export import is_open
from service.play.views import MOST_OPTIONS, Viewer
from service.problems import Problem, invalid_field_problem
from service.record.match_state import MatchState
from service.timestamps import now

MOST_BRANCHES = 10
"""Maximum number of branches of one player in one match."""
MOST_STEPS = 40
"""Maximum number of lines in a plan."""
LONGEST_TITLE = 80
MOST_ENTRIES = 1_000
"""Maximum number of entries to search for lines of branches."""
SELECT_ENTRIES = (
    "select seq, seat, line, sealed, reveals, owner, shown from entry "
    "where match = ? and seq > ? and seat >= 0 order by seq limit ?"
)
YOU, OTHERS, UNSURE, OVER = NEXT = ("you", "others", "unsure", "over")
"""The next to act in a plan: this seat, others, or this seat without a certain line; or the match would be over."""


class PlannedLine(shapes.Body):
    """A line of a plan."""

    seat: int = shapes.seat("The seat that would make it.")
    line: str = shapes.text("A canonical line.", "lay R5", most=400, least=1)


class BranchShown(shapes.Shape):
    """A plan that a player has saved."""

    id: str = shapes.ident("Its id.", "b6w2k8q4x0vt")
    title: str = shapes.text("Its title.", "Red first", most=LONGEST_TITLE)
    at: int = shapes.timestamp("When you kept it.")
    played: int = shapes.number("How many of its lines have been made since, from the first.", 0)
    steps: Sequence[PlannedLine] = shapes.items("The lines that are left.", most=MOST_STEPS)


@dataclass(frozen=True)
class TriedPlan:
    """A plan as far as it is possible, as one seat sees it."""

    viewer: Viewer
    """The seat in the first of the re-dealt states."""
    planner: Planner
    plan: Plan
    options: Sequence[AnyAction]
    """Lines that the seat could make next, whatever is hidden."""

    @property
    def next(self) -> str:
        """The next to act, one of `NEXT`."""
        state = self.plan.states[0]
        if state.over:
            return OVER
        if self.planner.seat not in to_act(state):
            return OTHERS
        return YOU if self.options else UNSURE

    def say(self, step: PlannedStep) -> str:
        """Return a line of the plan as a sentence, as its own seat would read it."""
        game = self.viewer.game
        view = game.rules.view(step.before, step.seat).with_names(self.viewer.view().names)
        return game.presentation.say(view, step.action, self.viewer.locale)


def try_lines(match_state: MatchState, seat: int, lines: Sequence[PlannedLine], locale: Locale) -> TriedPlan:
    """Try lines on re-deals from the current position, as far as they are possible."""
    if match_state.state.over:
        raise Problem("match-over", msg("play.match_over"))
    name = f"echtra-plan-v1\n{match_state.facts.id}\n{seat}\n{match_state.seq}\n"
    bots = {place: bot for place, bot in enumerate(match_state.bots) if bot}
    planner = Planner(match_state.facts.game, seat, name, bots)
    plan = planner.start(match_state.state)
    for each in lines:
        longer = planner.make(plan, each.seat, each.line)
        if longer is None:
            break
        plan = longer
    nobody = (None,) * match_state.state.seats
    viewer = Viewer(replace(match_state, state=plan.states[0], questions=nobody), seat, locale)
    options = [action for action in islice(viewer.options(), MOST_OPTIONS) if planner.is_sure(plan, action)]
    return TriedPlan(viewer, planner, plan, options)


def leave_out_made_lines(
    match_state: MatchState, seat: int, lines: Sequence[PlannedLine], since: int
) -> Sequence[PlannedLine]:
    """Return a plan without the lines that have been made since this entry, from the first."""
    made = [(mover, line) for _, mover, line in _visible_lines(match_state, seat, since)]
    return lines[_count_made(lines, made) :]


def keep_branch(
    match_state: MatchState, player: str, title: str, lines: Sequence[PlannedLine], locale: Locale
) -> BranchShown:
    """Save a plan of a player. Refuse one that is impossible now, and an eleventh."""
    match, seat = match_state.facts.id, match_state.players.index(player)
    tried = try_lines(match_state, seat, lines, locale)
    if len(tried.plan.steps) < len(lines):
        wrong, number = lines[len(tried.plan.steps)].line, len(tried.plan.steps) + 1
        raise invalid_field_problem("steps", msg("play.plan_impossible", line=wrong, number=number))
    steps = json.dumps([[each.seat, each.line] for each in lines])
    own = (BranchRow.match == match) & (BranchRow.player == player)
    with write_transaction():
        lock_match(match)  # so that two requests at once cannot both become the tenth
        if BranchRow.select().where(own).count() >= MOST_BRANCHES:
            raise Problem("limit-reached", msg("play.too_many_branches", count=MOST_BRANCHES))
        row = BranchRow.create(
            id=ids.new_id(),
            match=match,
            seat=seat,
            player=player,
            seq=match_state.seq,
            title=title.strip(),
            steps=steps,
            at=now(),
        )
    return _describe_branch(row, [])


def select_branches(match_state: MatchState, player: str) -> ModelSelect[BranchRow]:
    """Return the query for the branches of a player at the player's current seat."""
    match, seat = match_state.facts.id, match_state.players.index(player)
    own = (BranchRow.match == match) & (BranchRow.player == player) & (BranchRow.seat == seat)
    return BranchRow.select().where(own)


def describe_branches(match_state: MatchState, seat: int, branches: Sequence[BranchRow]) -> list[BranchShown]:
    """Return branches without the lines that have been made since they were saved."""
    entries = _visible_lines(match_state, seat, min(row.seq for row in branches)) if branches else []
    return [_describe_branch(row, entries) for row in branches]


def delete_branch(match: str, player: str, branch: str) -> None:
    """Delete a branch of a player."""
    own = (BranchRow.id == branch) & (BranchRow.match == match) & (BranchRow.player == player)
    with write_transaction():
        if not BranchRow.delete().where(own).execute():
            raise Problem("not-found", msg("play.no_such_branch"))


def _describe_branch(row: BranchRow, entries: Sequence[tuple[int, int, str]]) -> BranchShown:
    """Return a branch without the lines that have been made since it was saved."""
    steps = [PlannedLine(seat=seat, line=line) for seat, line in json.loads(row.steps)]
    made = [(seat, line) for seq, seat, line in entries if seq > row.seq]
    played = _count_made(steps, made)
    return BranchShown.of(row, played=played, steps=steps[played:])


def _count_made(steps: Sequence[PlannedLine], made: Sequence[tuple[int, str]]) -> int:
    """Return how many steps have been made, counted from the first."""
    pairs = zip(((step.seat, step.line) for step in steps), made, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _visible_lines(match_state: MatchState, seat: int, after: int) -> list[tuple[int, int, str]]:
    """Return the moves of all seats after an entry as this seat sees them, each with its number."""
    found = rows(SELECT_ENTRIES, match_state.facts.id, after, MOST_ENTRIES)
    return [
        (seq, mover, line if is_open(match_state, sealed, reveals, owner, str(seat)) else shown)
        for seq, mover, line, sealed, reveals, owner, shown in found
        if line.split(" ", 1)[0] not in CORE_VERBS
    ]
