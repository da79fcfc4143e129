"""The letter that asks whether a command which came in somebody's name is theirs."""

from __future__ import annotations

from service.i18n.catalogue import quote, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext


def compose_command_question(context: LetterContext) -> Letter | None:
    """Ask the player whether they wrote the command; a yes to this letter does it."""
    to = context.to
    if to is None:
        return None
    verb, rest = str(context.payload["verb"]), str(context.payload["rest"])
    blocks = (
        sections.reply_line(to.locale),
        Para(translate(to.locale, "unverified.lead"), strong=True),
        Para(translate(to.locale, "unverified.what", command=quote(to.locale, f"{verb} {rest}".strip()[:200]))),
        Para(translate(to.locale, "unverified.how")),
        Para(translate(to.locale, "unverified.not")),
    )
    return Letter(
        kind="unverified",
        to=to,
        subject=translate(to.locale, "unverified.subject"),
        blocks=blocks,
        in_reply_to=context.in_reply_to,
        reply_purpose=ReplyPurpose("command", payload={"verb": verb, "rest": rest}),
        preview=translate(to.locale, "unverified.how"),
    )
