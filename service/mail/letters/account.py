"""Letters about accounts: confirm an address, a code, an address that is known already."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.words import Locale
from service.i18n.catalogue import quote, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, Letter, Link, Para, Passcode, ReplyPurpose, SmallPrint
from service.mail.letters.context import LetterContext


def compose_confirmation(context: LetterContext) -> Letter:
    """The letter that asks whether an address is theirs."""
    locale: Locale = "fr" if context.payload["language"] == "fr" else "en"
    to = Addressee(context.payload["address"], context.payload["name"], locale, context.payload["zone"])
    code = context.payload["code"]
    return Letter(
        kind="confirm",
        to=to,
        subject=translate(locale, "confirm.subject"),
        blocks=(
            sections.reply_line(locale),
            *([Para(translate(locale, "confirm.again"))] if context.payload.get("again") else []),
            Para(translate(locale, "confirm.lead", name=context.payload["name"]), strong=True),
            Para(translate(locale, "confirm.why")),
            Link(translate(locale, "confirm.link"), f"{context.config.url}{context.payload['path']}"),
            Para(translate(locale, "confirm.reply")),
            *(
                [Para(translate(locale, "confirm.wish", wish=quote(locale, context.payload["wish"])))]
                if context.payload.get("wish")
                else []
            ),
            Para(translate(locale, "confirm.until")),
            *([Para(translate(locale, "confirm.last"))] if context.payload.get("last") else []),
            *(
                []
                if context.payload.get("by_mail")
                else [SmallPrint(translate(locale, "confirm.code")), SmallPrint(code)]
            ),
        ),
        reply_purpose=ReplyPurpose("confirm", payload={"code": code}),
        in_reply_to=context.in_reply_to,
        preview=translate(locale, "confirm.why"),
    )


def compose_already_registered(context: LetterContext) -> Letter | None:
    """The letter to somebody who registers and has an account already."""
    to = context.to
    if to is None:
        return None
    blocks = (
        Para(translate(to.locale, "registered.lead", name=to.name), strong=True),
        Para(translate(to.locale, "registered.why")),
        Para(translate(to.locale, "registered.mail")),
        Para(translate(to.locale, "registered.not")),
    )
    return Letter("registered", to, translate(to.locale, "registered.subject"), blocks)


def compose_token_code(context: LetterContext) -> Letter | None:
    """The letter with the digits that get a token, or with a link in their place."""
    to = context.to
    if to is None:
        return None
    blocks = (
        Para(translate(to.locale, "code.lead"), strong=True),
        *_code_blocks(context, to.locale),
        Para(translate(to.locale, "code.not")),
        SmallPrint(translate(to.locale, "code.request", request=context.payload["request"])),
    )
    return Letter("code", to, translate(to.locale, "code.subject"), blocks)


def compose_sign_in_code(context: LetterContext) -> Letter | None:
    """The letter with the digits that let in whoever typed this address in a browser, with an account or without."""
    unknown = context.payload["address"]
    locale: Locale = "fr" if context.payload["language"] == "fr" else "en"
    to = Addressee(unknown, "", locale, "UTC") if unknown else context.to
    if to is None:
        return None
    host = urlsplit(context.config.url).netloc
    blocks = (
        Para(translate(to.locale, "enter.lead"), strong=True),
        *_code_blocks(context, to.locale),
        Para(translate(to.locale, "enter.where", host=host)),
        Para(translate(to.locale, "enter.not")),
    )
    return Letter("enter", to, translate(to.locale, "enter.subject"), blocks)


def _code_blocks(context: LetterContext, locale: Locale) -> tuple[Block, ...]:
    """The code of the letter: digits to type, or a link to a page that shows a code too long to guess."""
    minutes, path = context.payload["minutes"], context.payload.get("path")
    if path:
        return (
            Link(translate(locale, "code.link"), f"{context.config.url}{path}"),
            Para(translate(locale, "code.why_link", minutes=minutes)),
        )
    return Passcode(context.payload["code"]), Para(translate(locale, "code.why", minutes=minutes))
