"""A player's settings: name, language, emails, appearance, devices, leave, calendar, programs and more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.words import LOCALES
from service import look_alikes
from service.accounts import bot_accounts, players, tokens, vacation
from service.accounts.players import LETTERS
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow, PlayerRow, SigningKeyRow, TokenRow
from service.i18n.catalogue import msg, translate
from service.i18n.dates import format_day
from service.matches import erasure, key_revocation, organisers
from service.problems import Problem
from service.record.canonical_json import JsonObject
from service.timestamps import now
from service.tournaments.calendars.leave_clashes import describe_clash, find_clashes
from service.web import auth, session
from service.web.calendar_cache import find_calendar_url, renew_calendar_url
from service.web.pages import layout, open_match, time_zones
from service.web.pages.enter import objection_to_name
from service.web.request_context import current_config, current_player, page_locale
from service.webhooks import subscriptions
from service.webhooks.hook_shapes import NewHook

blueprint = Blueprint("settings", __name__, url_prefix="/settings")
LOOKS = ("auto", "light", "dark")
HOURS = range(24)
MOST_URL = 2000


blueprint.before_request(layout.require_session)


@blueprint.get("")
def show_settings() -> Response:
    """Show all settings on one page."""
    return _render_settings()


def _render_settings(status: int = 200, *, wrong: str = "", section: str = "", secret: str = "") -> Response:
    me, caller = current_player(), auth.require_caller()
    today, leaves = vacation.today(me.zone, now()), vacation.upcoming(me.id, me.zone)
    return layout.render_private_page(
        "settings.html",
        status,
        me=me,
        here=caller.token,
        saved=request.args.get("saved", ""),
        wrong=wrong,
        section=section,
        secret=secret,
        locales=[(each, translate(each, "site.settings.language_name")) for each in LOCALES],
        zones=time_zones.by_region(),
        letters=LETTERS,
        hours=HOURS,
        looks=LOOKS,
        look=layout.chosen_look(),
        tokens=_list_tokens(me.id),
        keys=_list_keys(me.id),
        leaves=leaves,
        say_day=_say_day,
        clashes=_list_clashes(me, leaves),
        days_left=vacation.days_left(me.id, today.year),
        today=today.isoformat(),
        calendar=find_calendar_url(me.id),
        organisers=list(organisers.select_consents(me.id)),
        programs=list(bot_accounts.select_accounts(me.id)),
        hooks=subscriptions.list_hooks(me.id, None, subscriptions.MOST_HOOKS),
    )


def _list_tokens(player: str) -> list[TokenRow]:
    """Return the browsers and programs signed in as this player, the last used first."""
    found = list(TokenRow.select().where(tokens.good_tokens(player)))
    return sorted(found, key=lambda token: -(token.used_at or token.created_at))


def _list_keys(player: str) -> list[SigningKeyRow]:
    good = (SigningKeyRow.player == player) & SigningKeyRow.revoked_at.is_null()
    return list(SigningKeyRow.select().where(good).order_by(SigningKeyRow.created_at.desc()))


def _say_day(day: str) -> str:
    return format_day(datetime.fromisoformat(day), page_locale())


def _list_clashes(me: PlayerRow, leaves: Sequence[LeaveRow]) -> list[str]:
    """Return sentences about tournament rounds that overlap with booked leave."""
    locale = page_locale()
    spans = [(date.fromisoformat(leave.first_day), date.fromisoformat(leave.last_day)) for leave in leaves]
    found = find_clashes(me.id, me.zone, spans, locale) if spans else []
    return [describe_clash(each, me.zone, locale) for each in found]


def _change(section: str, change: Callable[[PlayerRow], object]) -> AnyResponse:
    """Change a setting and show the page again, with what was saved or what is wrong."""
    try:
        change(current_player())
    except Problem as problem:
        return _render_settings(problem.status, wrong=problem.detail_in(page_locale()), section=section)
    return redirect(f"/settings?saved={section}#{section}", 303)


def _create(section: str, create: Callable[[PlayerRow], str]) -> Response:
    """Create something and show its secret once, or what is wrong."""
    try:
        with write_transaction():
            secret = create(current_player())
    except Problem as problem:
        return _render_settings(problem.status, wrong=problem.detail_in(page_locale()), section=section)
    return _render_settings(section=section, secret=secret)


def _read_name(current: str = "") -> str:
    """Return the name in the form; refuse one that nobody may take, unless the player has it already."""
    name = look_alikes.normalise_name(request.form.get("name", ""))
    wrong = None if name == current else objection_to_name(name)
    if wrong is not None:
        raise Problem("invalid", wrong)
    return name


@blueprint.post("/profile")
def change_profile() -> AnyResponse:
    """Change name, language and time zone."""

    def change(me: PlayerRow) -> None:
        name = _read_name(me.name)
        zone, language = request.form.get("zone", ""), request.form.get("language", "")
        if zone not in time_zones.names() | {me.zone}:
            raise Problem("invalid", msg("site.enter.no_zone"))
        changes = {"zone": zone, "language": language if language in LOCALES else me.language}
        players.change_settings(me.id, changes if name == me.name else {**changes, "name": name})

    return _change("profile", change)


@blueprint.post("/letters")
def change_letters() -> AnyResponse:
    """Change which emails are sent, and when."""
    hour, mode = request.form.get("digest_hour", ""), request.form.get("letters", "")
    wanted: JsonObject = {"quiet_weekends": bool(request.form.get("quiet_weekends"))}
    if mode in LETTERS:
        wanted["letters"] = mode
    if hour.isdecimal() and int(hour[:3]) in HOURS:
        wanted["digest_hour"] = int(hour[:3])
    return _change("letters", lambda me: players.change_settings(me.id, wanted))


@blueprint.post("/look")
def change_look() -> AnyResponse:
    """Change the colour scheme of pages and boards in this browser."""
    wanted = request.form.get("look", "")
    response = redirect("/settings?saved=look#look", 303)
    if wanted in LOOKS:
        session.keep_choice(response, layout.LOOK_COOKIE, wanted, current_config())
    return response


@blueprint.post("/devices/<id:token>/revoke")
def revoke_device(token: str) -> AnyResponse:
    """Sign a browser or a program out."""

    def revoke(me: PlayerRow) -> None:
        tokens.revoke(me.id, token)
        key_revocation.retire_keys_of_token(me.id, token)

    return _change("devices", revoke)


@blueprint.post("/keys/<kid:key>/revoke")
def revoke_key(key: str) -> AnyResponse:
    """Revoke a key."""
    return _change("devices", lambda me: key_revocation.revoke_key(me.id, key))


@blueprint.post("/leave")
def book_leave() -> AnyResponse:
    """Book leave."""

    def book(me: PlayerRow) -> None:
        try:
            first, last = (date.fromisoformat(request.form.get(name, "")) for name in ("first", "last"))
        except ValueError:
            raise Problem("invalid", msg("site.settings.no_days")) from None
        with write_transaction():
            vacation.book(me.id, me.zone, first, last)

    return _change("leave", book)


@blueprint.post("/leave/<id:booking>/cancel")
def cancel_leave(booking: str) -> AnyResponse:
    """Cancel leave."""
    return _change("leave", lambda me: vacation.cancel(me.id, me.zone, booking))


@blueprint.post("/calendar/renew")
def renew_calendar() -> AnyResponse:
    """Give the calendar a new address. The old one stops working."""
    return _change("calendar", lambda me: renew_calendar_url(me.id))


@blueprint.post("/organisers")
def add_organiser() -> AnyResponse:
    """Allow an organiser to seat this player."""

    def add(me: PlayerRow) -> None:
        guest, address = open_match.parse_guest(request.form.get("organiser", ""))
        if guest is None or address is not None:
            raise Problem("not-found", msg("accounts.no_such_player"))
        organisers.give_consent(me.id, guest)

    return _change("organisers", add)


@blueprint.post("/organisers/<id:player>/remove")
def remove_organiser(player: str) -> AnyResponse:
    """Revoke an organiser's permission."""
    return _change("organisers", lambda me: organisers.revoke_consent(me.id, player))


@blueprint.post("/programs")
def create_program() -> Response:
    """Create a program account and show its token once."""

    def create(me: PlayerRow) -> str:
        _, issued = bot_accounts.create(me.id, _read_name())
        return issued.text

    return _create("programs", create)


@blueprint.post("/programs/<id:program>/erase")
def erase_program(program: str) -> AnyResponse:
    """Erase a program account permanently."""

    def erase(me: PlayerRow) -> None:
        bot_accounts.require_owned(me.id, program)
        erasure.erase_player(program)

    return _change("programs", erase)


@blueprint.post("/hooks")
def create_hook() -> Response:
    """Create a webhook for all events and show its secret once."""
    wanted, config = NewHook(url=request.form.get("url", "").strip()[:MOST_URL]), current_config()
    return _create("hooks", lambda me: str(subscriptions.create(me.id, wanted, config).secret))


@blueprint.post("/hooks/<id:hook>/remove")
def remove_hook(hook: str) -> AnyResponse:
    """Remove a webhook."""
    return _change("hooks", lambda me: subscriptions.remove(me.id, hook))
