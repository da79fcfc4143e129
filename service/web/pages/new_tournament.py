"""The wizard for a new tournament: step by step, each with the plan; or the document itself. All without scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.words import Locale
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import msg, render, translate
from service.problems import Problem
from service.tournaments.documents.document import DocumentFault
from service.tournaments.documents.document_schema import MOST_TITLE
from service.tournaments.documents.simple_document import FORMATS, WITH_END, find_answer
from service.tournaments.drafts import (
    DraftPlan,
    TournamentDraft,
    copy_tournament,
    drop_draft,
    load_draft,
    plan_draft,
    save_draft,
)
from service.tournaments.formats.series import BEST_OF
from service.tournaments.lifecycle import TournamentPlan, apply_tournament
from service.tournaments.tournament_store import check_organiser, find_tournament
from service.tournaments.views import overview
from service.web.pages import layout
from service.web.pages.clock_words import describe_clock
from service.web.pages.games import describe_game
from service.web.pages.sample_matches import game_thumbnail
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("new_tournament", __name__, url_prefix="/organise/new")
blueprint.before_request(layout.require_session)
STEPS: Mapping[str, tuple[str, ...]] = {
    "game": ("game",),
    "format": ("format", "seats", "rounds", "best_of", "lasts", "then"),
    "people": ("least", "most", "by", "clock"),
    "start": ("title", "opens", "closes", "first", "ends"),
}
"""The steps of the wizard, and the answers that each asks for."""
CLOCKS = ("standard", "tournament", "relaxed", "simple-1", "simple-2", "simple-3", "simple-7", "phases")
ENTRY_WAYS = ("open", "approval", "invitation")
ENDINGS = ("adjudicate", "as-it-stands", "late-loses")
SEATS = (("3", "3"), ("4", "4"), ("5", "5"))
"""Seats at a table of pods, with their words."""
MOST_COPIED = 50
MOST_DOCUMENT = 64 * 1024
MOST_VALUE = 80
LETTERS_APART_FROM_ROUNDS = 2
"""Emails about entering and about the end."""


@blueprint.get("")
def show_step() -> AnyResponse:
    """Show one step, or the document if it was edited by hand."""
    draft = load_draft(current_player())
    if draft.document:
        return redirect(layout.link("/organise/new/document"), 303)
    return _render_step(_step(request.args.get("step", "")), draft)


@blueprint.post("")
def take_answers() -> AnyResponse:
    """Keep the answers of a step, and go to the next one or back unless something is wrong with them."""
    me, step = current_player(), _step(request.form.get("step", ""))
    draft = load_draft(me)
    draft = TournamentDraft(draft.answers.change(request.form, STEPS[step]))
    save_draft(me, draft)
    order = list(STEPS)
    if request.form.get("go") == "back":
        return redirect(layout.link(f"/organise/new?step={order[max(0, order.index(step) - 1)]}"), 303)
    planned = plan_draft(me, draft, current_config())
    if any(find_answer(fault.path) in STEPS[step] for fault in planned.faults):
        return _render_step(step, draft, 422, planned)
    if request.form.get("go") != "next":
        return redirect(layout.link(f"/organise/new?step={step}"), 303)
    return redirect(layout.link(f"/organise/new?step={order[min(len(order) - 1, order.index(step) + 1)]}"), 303)


def _step(given: str) -> str:
    return given if given in STEPS else next(iter(STEPS))


def _render_step(step: str, draft: TournamentDraft, status: int = 200, planned: DraftPlan | None = None) -> Response:
    me, locale = current_player(), page_locale()
    planned = planned or plan_draft(me, draft, current_config())
    wrong = {find_answer(fault.path): _describe_fault(fault, locale) for fault in reversed(planned.faults)}
    order = list(STEPS)
    elsewhere = {
        each: [wrong[name] for name in names if name in wrong] for each, names in STEPS.items() if each != step
    }
    return layout.render_private_page(
        "new-tournament.html",
        status,
        step=step,
        steps=order,
        number=order.index(step) + 1,
        answers=draft.answers,
        wrong=wrong,
        elsewhere={each: faults for each, faults in elsewhere.items() if faults},
        planned=planned,
        plan=_describe_plan(planned.plan) if planned.plan else None,
        warnings=[render(each, locale) for each in planned.plan.warnings] if planned.plan else [],
        games=[(describe_game(game, locale), game_thumbnail(game, locale)) for game in GAMES.values()],
        formats=FORMATS,
        with_lasts=" ".join(each for each in FORMATS if each not in WITH_END),
        with_end=WITH_END,
        seats=SEATS,
        best_of=[
            (str(most), translate(locale, "organise.best_of" if most > 1 else "organise.best_of_one", count=most))
            for most in BEST_OF
        ],
        endings=[(each, translate(locale, f"organise.then.{each}")) for each in ENDINGS],
        entry_ways=ENTRY_WAYS,
        clocks=[(name, describe_clock(name, locale)) for name in dict.fromkeys((*CLOCKS, draft.answers.clock))],
        zone=me.zone,
        most_title=MOST_TITLE,
    )


def _describe_fault(fault: DocumentFault, locale: Locale) -> str:
    """Return what is wrong and what to do, without the place in the document."""
    return f"{render(fault.reason, locale)} {render(fault.right, locale)}"


@dataclass(frozen=True)
class OutlookOnPage:
    """The plan for a number of entrants."""

    entrants: int
    rounds: int
    early: int | None
    late: int | None
    bound: int | None
    letters: int


def _describe_plan(plan: TournamentPlan) -> list[OutlookOnPage]:
    """Return the plan for the fewest and for the most entrants."""
    return [
        OutlookOnPage(
            each.entrants,
            each.rounds,
            each.forecast.ends.early if each.forecast.ends else None,
            each.forecast.ends.late if each.forecast.ends else None,
            each.forecast.bound,
            each.rounds + LETTERS_APART_FROM_ROUNDS,
        )
        for each in plan.outlooks
    ]


@blueprint.post("/publish")
def publish() -> AnyResponse:
    """Apply the document of the draft, if it is still the one whose plan was shown."""
    me, config = current_player(), current_config()
    draft = load_draft(me)
    planned = plan_draft(me, draft, config)
    if planned.plan is None:
        return _render_document(draft, planned, 422) if draft.document else _render_step("start", draft, 422, planned)
    try:
        row = apply_tournament(me, planned.plan.document, request.form.get("etag", ""), config)
    except Problem as problem:
        told = problem.detail_in(page_locale())
        return _render_document(draft, planned, problem.status, told)
    if planned.plan.tournament is None:
        drop_draft(me)
    else:
        # What the steps of the wizard have asked for belongs to another tournament.
        save_draft(me, replace(draft, document=""))
    return redirect(layout.link(f"/tournaments/{row.id}"), 303)


@blueprint.post("/discard")
def discard() -> AnyResponse:
    """Drop the draft, or with `document` only what was edited by hand."""
    me = current_player()
    if request.form.get("what") == "document":
        save_draft(me, replace(load_draft(me), document=""))
    else:
        drop_draft(me)
    return redirect(layout.link("/organise/new"), 303)


@blueprint.get("/document")
def show_document() -> Response:
    """Show the document that the draft writes, to be edited."""
    me = current_player()
    draft = load_draft(me)
    return _render_document(draft, plan_draft(me, draft, current_config()))


@blueprint.post("/document")
def take_document() -> Response:
    """Keep the edited document and say what is wrong with it, line by line, or what it would do."""
    me = current_player()
    text = request.form.get("document", "").replace("\r\n", "\n").replace("\0", "")
    draft = load_draft(me)
    if len(text.encode()) > MOST_DOCUMENT:
        raise Problem("too-large", msg("requests.body_too_large", most=MOST_DOCUMENT), most=MOST_DOCUMENT)
    if text.strip() and text != draft.write(me):
        draft = replace(draft, document=text)
        save_draft(me, draft)
    planned = plan_draft(me, draft, current_config())
    return _render_document(draft, planned, 422 if planned.faults else 200)


@dataclass(frozen=True)
class LineOnPage:
    """A line of the document with what is wrong there."""

    number: int
    text: str
    faults: tuple[str, ...]


def _render_document(draft: TournamentDraft, planned: DraftPlan, status: int = 200, told: str = "") -> Response:
    locale = page_locale()
    faults = [(fault.line, _describe_fault(fault, locale)) for fault in planned.faults]
    lines = [
        LineOnPage(number, text, tuple(fault for line, fault in faults if line == number))
        for number, text in enumerate(planned.text.splitlines(), 1)
    ]
    return layout.render_private_page(
        "new-tournament-document.html",
        status,
        draft=draft,
        planned=planned,
        lines=[line for line in lines if line.faults],
        count=len(faults),
        plan=_describe_plan(planned.plan) if planned.plan else None,
        warnings=[render(each, locale) for each in planned.plan.warnings] if planned.plan else [],
        told=told,
        differences=_describe_differences(planned.plan) if planned.plan else [],
        zone=current_player().zone,
    )


@dataclass(frozen=True)
class DifferenceOnPage:
    """A value that the document changes, before and after."""

    path: str
    before: str
    after: str
    allowed: bool


def _describe_differences(plan: TournamentPlan) -> list[DifferenceOnPage]:
    return [
        DifferenceOnPage(each.path, _shorten_value(each.before), _shorten_value(each.after), each.allowed)
        for each in plan.differences
    ]


def _shorten_value(value: object) -> str:
    """Return a value of a document on one line; a missing one as a dash."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "–" if value is None else text if len(text) <= MOST_VALUE else f"{text[:MOST_VALUE]}…"


@blueprint.get("/copy")
def list_earlier() -> Response:
    """List the tournaments that this organiser can copy, latest first."""
    me, locale = current_player(), page_locale()
    mine = overview.select_visible(me.id).where(TournamentRow.owner == me.id)
    rows = list(mine.order_by(TournamentRow.created_at.desc(), TournamentRow.id).limit(MOST_COPIED))
    return layout.render_private_page(
        "new-tournament-copy.html", tournaments=overview.describe_tournaments(rows, me.id, locale)
    )


@blueprint.post("/copy")
def copy() -> AnyResponse:
    """Begin a draft like an earlier tournament, with new times."""
    me = current_player()
    row = find_tournament(request.form.get("tournament", ""), me.id)
    check_organiser(row, me.id)
    draft = copy_tournament(me, row, current_config())
    save_draft(me, draft)
    return redirect(layout.link("/organise/new/document" if draft.document else "/organise/new?step=start"), 303)
