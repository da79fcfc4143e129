"""Letters about accounts: confirm an address, a code, an address that is known already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.words import Locale
from service.config import Config
from service.i18n.catalogue import quoted, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Addressee, Answering, Code, Fine, Letter, Link, Para
from service.mail.letters.context import addressee

Payload = Mapping[str, Any]


def confirm(payload: Payload, config: Config) -> Letter:
    """Asks whether an address is yours."""
    locale: Locale = "fr" if payload["language"] == "fr" else "en"
    to = Addressee(payload["address"], payload["name"], locale, payload["zone"])
    code = payload["code"]
    return Letter(
        kind="confirm",
        to=to,
        subject=say(locale, "confirm.subject"),
        blocks=(
            parts.above(locale),
            Para(say(locale, "confirm.lead", name=payload["name"]), strong=True),
            Para(say(locale, "confirm.why")),
            Link(say(locale, "confirm.link"), f"{config.url}{payload['path']}"),
            Para(say(locale, "confirm.reply")),
            *([Para(say(locale, "confirm.wish", wish=quoted(locale, payload["wish"])))] if payload.get("wish") else []),
            Para(say(locale, "confirm.until")),
            Fine(say(locale, "confirm.code")),
            Fine(code),
        ),
        answering=Answering("confirm", payload={"code": code}),
        preview=say(locale, "confirm.why"),
    )


def registered(payload: Payload, _config: Config) -> Letter | None:
    """You have an account already."""
    to = addressee(payload["player"])
    if to is None:
        return None
    blocks = (
        Para(say(to.locale, "registered.lead", name=to.name), strong=True),
        Para(say(to.locale, "registered.why")),
        Para(say(to.locale, "registered.mail")),
        Para(say(to.locale, "registered.not")),
    )
    return Letter("registered", to, say(to.locale, "registered.subject"), blocks)


def code(payload: Payload, _config: Config) -> Letter | None:
    """The digits that get a token."""
    to = addressee(payload["player"])
    if to is None:
        return None
    blocks = (
        Para(say(to.locale, "code.lead"), strong=True),
        Code(payload["code"]),
        Para(say(to.locale, "code.why", minutes=payload["minutes"])),
        Para(say(to.locale, "code.not")),
        Fine(say(to.locale, "code.request", request=payload["request"])),
    )
    return Letter("code", to, say(to.locale, "code.subject"), blocks)
