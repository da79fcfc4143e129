"""A page as we send it: in the reader's language, with nothing on it that comes from elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from engine.words import LOCALES, Locale
from service.i18n.catalogue import translate
from service.i18n.dates import MONTHS, NBSP
from service.timestamps import now, rfc3339
from service.web import middleware
from service.web.pages import dev_mailbox
from service.web.request_context import page_locale
from service.web.static_files import static_url

blueprint = Blueprint("sheet", __name__)
KEPT_PARAMETERS = ("still",)
"""What an address keeps when the language is switched."""


def render_page(template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401  # what templates show
    """This template, filled in, as an answer."""
    locale = page_locale()
    text = render_template(template, locale=locale, switch=_language_switch(locale), **values)
    response = Response(text, status, content_type="text/html; charset=utf-8")
    response.headers.update({"Content-Security-Policy": middleware.PAGE_CSP, "Content-Language": locale})
    return response


def _language_switch(locale: Locale) -> str:
    """The same page in the other language, as an address without a path, which can lead nowhere else."""
    other = next(each for each in LOCALES if each != locale)
    return "?" + urlencode(
        {**{name: request.args[name] for name in KEPT_PARAMETERS if name in request.args}, "lang": other}
    )


@blueprint.app_context_processor
def template_functions() -> dict[str, Any]:
    """What every template can call."""
    return {
        "t": translate_text,
        "t_html": translate_html,
        "link": link,
        "stand_still": stand_still,
        "when": when,
        "has_mailbox": has_mailbox,
        "static_url": static_url,
    }


@pass_context
def translate_text(context: Context, key: str, **values: object) -> str:
    """The text of a key in the language of the page."""
    return translate(context["locale"], key, **values)


@pass_context
def translate_html(context: Context, key: str, **values: object) -> Markup:
    """The text of a key that is HTML; its values are escaped."""
    return Markup(translate(context["locale"], key, **{name: escape(value) for name, value in values.items()}))  # noqa: S704  # texts of ours


def link(path: str) -> str:
    """An address of ours, in the language that was chosen by hand, if one was."""
    lang = request.args.get("lang")
    if lang not in LOCALES:
        return path
    base, sign, anchor = path.partition("#")
    return f"{base}{'&' if '?' in base else '?'}lang={lang}{sign}{anchor}"


def stand_still() -> str:
    """This page without its renewal."""
    return "?" + urlencode({**{name: request.args[name] for name in ("lang",) if name in request.args}, "still": 1})


@pass_context
def when(context: Context, ms: int) -> Markup:
    """A time for people and for programs."""
    local, locale = datetime.fromtimestamp(ms / 1000, UTC), context["locale"]
    number = "1er" if locale == "fr" and local.day == 1 else str(local.day)
    day = f"{number}{NBSP}{MONTHS[locale][local.month - 1]}"
    if local.year != datetime.fromtimestamp(now() / 1000, UTC).year:
        day += f" {local.year}"
    hour = f"{local.hour}{NBSP}h{NBSP}{local:%M}" if locale == "fr" else f"{local:%H:%M}"
    return Markup('<time datetime="{}">{}</time>').format(rfc3339(ms), f"{day}, {hour}{NBSP}UTC")


def has_mailbox() -> bool:
    """Whether letters can be read in the browser here, by who has the secret of this start."""
    return dev_mailbox.blueprint.name in current_app.blueprints and dev_mailbox.exists()
