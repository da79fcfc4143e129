"""Emails about accounts: confirm an address, send a code, tell that an account exists."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.words import Locale
from service.accounts.job_payloads import ConfirmLetter, RegisteredLetter, SignInCodeLetter, TokenCodeLetter
from service.i18n.catalogue import quote, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, Letter, Link, Para, Passcode, ReplyPurpose, SmallPrint
from service.mail.letters.context import LetterContext, find_addressee, read_locale
from service.mail.letters.registry import letter, player_letter


@letter(ConfirmLetter)
def compose_confirmation(context: LetterContext[ConfirmLetter]) -> Letter:
    """Compose the email that asks somebody whether an address is theirs."""
    job, locale = context.job, read_locale(context.job.language)
    blocks: list[Block] = [sections.reply_line(locale)]
    if job.again:
        blocks.append(Para(translate(locale, "confirm.again")))
    blocks += [
        Para(translate(locale, "confirm.lead", name=job.name), strong=True),
        Para(translate(locale, "confirm.why")),
        Link(translate(locale, "confirm.link"), f"{context.config.url}{job.path}"),
        Para(translate(locale, "confirm.reply")),
    ]
    if job.wish:
        blocks.append(Para(translate(locale, "confirm.wish", wish=quote(locale, job.wish))))
    blocks.append(Para(translate(locale, "confirm.until")))
    if job.last:
        blocks.append(Para(translate(locale, "confirm.last")))
    if not job.by_mail:
        blocks += [SmallPrint(translate(locale, "confirm.code")), SmallPrint(job.code)]
    return Letter(
        kind=job.kind,
        to=Addressee(job.address, job.name, locale, job.zone),
        subject=translate(locale, "confirm.subject"),
        blocks=tuple(blocks),
        reply_purpose=ReplyPurpose("confirm", payload={"code": job.code}),
        in_reply_to=job.in_reply_to,
        preview=translate(locale, "confirm.why"),
    )


@player_letter(RegisteredLetter)
def compose_already_registered(context: LetterContext[RegisteredLetter], to: Addressee) -> Letter:
    """Compose the email to somebody who registers again."""
    blocks = (
        Para(translate(to.locale, "registered.lead", name=to.name), strong=True),
        Para(translate(to.locale, "registered.why")),
        Para(translate(to.locale, "registered.mail")),
        Para(translate(to.locale, "registered.not")),
    )
    return Letter(context.job.kind, to, translate(to.locale, "registered.subject"), blocks)


@player_letter(TokenCodeLetter)
def compose_token_code(context: LetterContext[TokenCodeLetter], to: Addressee) -> Letter:
    """Compose the email with the code for an API token, or with a link to it."""
    blocks = (
        Para(translate(to.locale, "code.lead"), strong=True),
        *_code_blocks(context, to.locale),
        Para(translate(to.locale, "code.not")),
        SmallPrint(translate(to.locale, "code.request", request=context.job.request)),
    )
    return Letter(context.job.kind, to, translate(to.locale, "code.subject"), blocks)


@letter(SignInCodeLetter)
def compose_sign_in_code(context: LetterContext[SignInCodeLetter]) -> Letter | None:
    """Compose the email with the code that signs a browser in, with or without an account."""
    job = context.job
    stranger = Addressee(job.address, "", read_locale(job.language), "UTC") if job.address else None
    to = stranger or find_addressee(job.player or "")
    if to is None:
        return None
    host = urlsplit(context.config.url).netloc
    blocks = (
        Para(translate(to.locale, "enter.lead"), strong=True),
        *_code_blocks(context, to.locale),
        Para(translate(to.locale, "enter.where", host=host)),
        Para(translate(to.locale, "enter.not")),
    )
    return Letter(job.kind, to, translate(to.locale, "enter.subject"), blocks)


def _code_blocks(context: LetterContext[TokenCodeLetter | SignInCodeLetter], locale: Locale) -> tuple[Block, ...]:
    """Return the code to type, or a link to the page that shows a code too long to guess."""
    job = context.job
    if job.path:
        return (
            Link(translate(locale, "code.link"), f"{context.config.url}{job.path}"),
            Para(translate(locale, "code.why_link", minutes=job.minutes)),
        )
    return Passcode(job.code), Para(translate(locale, "code.why", minutes=job.minutes))
