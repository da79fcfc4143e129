"""Letters about accounts: confirm an address, a code, an address that is known already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.words import Locale
from service.config import Config
from service.i18n.catalogue import quote, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Letter, Link, Para, Passcode, ReplyPurpose, SmallPrint
from service.mail.letters.context import addressee

Payload = Mapping[str, Any]


def compose_confirmation(payload: Payload, config: Config) -> Letter:
    """Asks whether an address is yours."""
    locale: Locale = "fr" if payload["language"] == "fr" else "en"
    to = Addressee(payload["address"], payload["name"], locale, payload["zone"])
    code = payload["code"]
    return Letter(
        kind="confirm",
        to=to,
        subject=translate(locale, "confirm.subject"),
        blocks=(
            sections.reply_line(locale),
            Para(translate(locale, "confirm.lead", name=payload["name"]), strong=True),
            Para(translate(locale, "confirm.why")),
            Link(translate(locale, "confirm.link"), f"{config.url}{payload['path']}"),
            Para(translate(locale, "confirm.reply")),
            *(
                [Para(translate(locale, "confirm.wish", wish=quote(locale, payload["wish"])))]
                if payload.get("wish")
                else []
            ),
            Para(translate(locale, "confirm.until")),
            SmallPrint(translate(locale, "confirm.code")),
            SmallPrint(code),
        ),
        answering=ReplyPurpose("confirm", payload={"code": code}),
        preview=translate(locale, "confirm.why"),
    )


def compose_already_registered(payload: Payload, _config: Config) -> Letter | None:
    """You have an account already."""
    to = addressee(payload["player"])
    if to is None:
        return None
    blocks = (
        Para(translate(to.locale, "registered.lead", name=to.name), strong=True),
        Para(translate(to.locale, "registered.why")),
        Para(translate(to.locale, "registered.mail")),
        Para(translate(to.locale, "registered.not")),
    )
    return Letter("registered", to, translate(to.locale, "registered.subject"), blocks)


def compose_token_code(payload: Payload, _config: Config) -> Letter | None:
    """The digits that get a token."""
    to = addressee(payload["player"])
    if to is None:
        return None
    blocks = (
        Para(translate(to.locale, "code.lead"), strong=True),
        Passcode(payload["code"]),
        Para(translate(to.locale, "code.why", minutes=payload["minutes"])),
        Para(translate(to.locale, "code.not")),
        SmallPrint(translate(to.locale, "code.request", request=payload["request"])),
    )
    return Letter("code", to, translate(to.locale, "code.subject"), blocks)
