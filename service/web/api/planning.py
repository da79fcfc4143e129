"""Planning: lines of several seats on an imagined table, and branches kept for later."""

from __future__ import annotations

from flask import Response

from service.db.models.matches import BranchRow
from service.play import board_options, planning, views
from service.play.planning import BranchShown
from service.record.canonical_json import JsonObject
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import own_match_state, response_locale
from service.web.responses import json_response
from service.web.schemas.planning import NewBranch, PlanBody, PlanShown

blueprint = Blueprint(
    "planning", __name__, url_prefix="/v1/matches/<id:match>", description="Planning ahead on imagined tables."
)


@blueprint.post("/plan", scope="read")
@blueprint.response(200, "The imagined table.", shape=PlanShown)
@blueprint.problems("not-your-seat", "conflict", "match-over")
def try_plan(given: PlanBody, match: str) -> Response:
    """Try a plan.

    You can try lines of your seat and of the other seats on an imagined table, from the current position, at any time.
    Nothing is made. Everything hidden from you is dealt at random several times, and chance is rolled again: the real
    cards are never used, and the same plan at the same position always gets the same answer.

    `options` are your lines that are possible on all imagined tables. `likely` are the lines that bots would make for
    the other seats. An impossible line ends the plan: `steps` is then shorter than the plan you sent. To play a plan,
    send your own lines of it as moves with `"orders": true`.
    """
    match_state, seat = own_match_state(match)
    steps = given.steps
    if given.since is not None:
        steps = planning.leave_out_made_lines(match_state, seat, steps, given.since)
    tried = planning.try_lines(match_state, seat, steps, response_locale())
    viewer = tried.viewer
    likely = tried.planner.likely_lines(tried.plan)
    told: JsonObject = {
        "steps": [
            {"seat": step.seat, "line": step.action.line, "sentence": tried.say(step)} for step in tried.plan.steps
        ],
        "next": tried.next,
        "table": views.table_as_json(viewer),
        "svg": views.render_svg(viewer, narrow=given.narrow),
        "options": {"question": None, **board_options.list_board_options(viewer, tried.options)},
        "likely": [
            {
                "seat": each.step.seat,
                "line": each.step.action.line,
                "sentence": tried.say(each.step),
                "deals": each.deals,
            }
            for each in likely
        ],
    }
    return json_response(told)


@blueprint.get("/branches", scope="read")
@blueprint.page("Latest first.")
@blueprint.problems("not-your-seat", "conflict")
def list_branches(query: pagination.Paging, match: str) -> Answer[Page[BranchShown]]:
    """List your branches.

    These are the plans that you have saved in this match; nobody else sees them. Lines that have been made since are
    left out of `steps`. A branch is deleted with your account, or 30 days after the end of the match unless the server
    is set otherwise.
    """
    match_state, seat = own_match_state(match)
    own = planning.select_branches(match_state, auth.require_caller().player)
    branches, headers = pagination.fetch_rows(own, query, BranchRow.at, BranchRow.id, newest_first=True)
    return Page(items=planning.describe_branches(match_state, seat, branches)), 200, headers


@blueprint.post("/branches", scope="play", once=True)
@blueprint.response(201, "The branch.")
@blueprint.problems("not-your-seat", "conflict", "match-over", "limit-reached")
def keep_branch(given: NewBranch, match: str) -> BranchShown:
    """Save a branch.

    You can save at most ten in a match. All lines must be possible now.
    """
    match_state, _ = own_match_state(match)
    return planning.keep_branch(match_state, auth.require_caller().player, given.title, given.steps, response_locale())


@blueprint.delete("/branches/<id:branch>", scope="play")
@blueprint.response(204, "It is deleted.")
def delete_branch(match: str, branch: str) -> None:
    """Delete a branch.

    You can only delete your own.
    """
    planning.delete_branch(match, auth.require_caller().player, branch)
