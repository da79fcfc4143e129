"""The email that asks a player whether a command that came in their name is theirs."""

from __future__ import annotations

from service.i18n.catalogue import quote, translate
from service.mail.job_payloads import CommandQuestionAnswer
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext
from service.mail.letters.registry import player_letter


@player_letter(CommandQuestionAnswer)
def compose_command_question(context: LetterContext[CommandQuestionAnswer], to: Addressee) -> Letter:
    """Ask the player whether they wrote the command; a yes to this email runs it."""
    verb, rest = context.job.verb, context.job.rest
    blocks = (
        sections.reply_line(to.locale),
        Para(translate(to.locale, "unverified.lead"), strong=True),
        Para(translate(to.locale, "unverified.what", command=quote(to.locale, f"{verb} {rest}".strip()[:200]))),
        Para(translate(to.locale, "unverified.how")),
        Para(translate(to.locale, "unverified.not")),
    )
    return Letter(
        kind=context.job.kind,
        to=to,
        subject=translate(to.locale, "unverified.subject"),
        blocks=blocks,
        in_reply_to=context.job.in_reply_to,
        reply_purpose=ReplyPurpose("command", payload={"verb": verb, "rest": rest}),
        preview=translate(to.locale, "unverified.how"),
    )
