"""Emails about an account: confirm an address, send a code, new devices, hooks that failed, leave that ends."""

from __future__ import annotations

from datetime import date, datetime
from urllib.parse import urlsplit

from engine.words import Locale
from service.accounts import device_links, signing_keys, vacation
from service.accounts.job_payloads import ConfirmLetter, RegisteredLetter, SignInCodeLetter, TokenCodeLetter
from service.db.models.accounts import SigningKeyRow
from service.db.models.webhooks import HookRow
from service.i18n import dates
from service.i18n.catalogue import capitalise, load_message, quote, render, translate
from service.jobs.payloads import LetterJob
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    FactList,
    Heading,
    Letter,
    Link,
    Para,
    Passcode,
    ReplyPurpose,
    SmallPrint,
)
from service.mail.letters.context import (
    LetterContext,
    SeatContext,
    find_addressee,
    load_seat,
    load_waiting_seats,
    read_locale,
)
from service.mail.letters.registry import letter, player_letter, seat_letter
from service.mail.letters.sections import leave_balance
from service.matches.job_payloads import ClaimLetter, ClaimSeatLetter
from service.play.job_payloads import DeviceLetter, LeaveEndsLetter
from service.webhooks.sender import HookDisabledLetter

KEY_DIGITS_SHOWN = 8
MOST_WAITING = 10


@letter(ConfirmLetter)
def compose_confirmation(context: LetterContext[ConfirmLetter]) -> Letter:
    """Compose the email that asks somebody whether an address is theirs."""
    job, locale = context.job, read_locale(context.job.language)
    blocks: list[Block] = []
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


@player_letter(DeviceLetter)
def compose_device_notice(context: LetterContext[DeviceLetter], to: Addressee) -> Letter | None:
    """Compose the email that tells a player which device plays for them now, with a link that stops it."""
    key = signing_keys.find_device_key(context.job.player, context.job.key)
    if key is None:
        return None
    device = name_device(key, to.locale)
    blocks = (
        Para(translate(to.locale, "device.lead", device=device), strong=True),
        Para(translate(to.locale, "device.why")),
        Para(translate(to.locale, "device.not")),
        _stop_link(context, key, to.locale),
        SmallPrint(translate(to.locale, "device.key", key=key.id)),
    )
    return Letter(context.job.kind, to, translate(to.locale, "device.lead", device=device), blocks)


@player_letter(ClaimLetter)
def compose_claim(context: LetterContext[ClaimLetter], to: Addressee) -> Letter | None:
    """Compose the email that asks a player whether a device may play where moves are signed."""
    key = signing_keys.find_device_key(context.job.player, context.job.key)
    if key is None or key.claimed_at is None:
        return None
    locale, device = to.locale, name_device(key, to.locale)
    seats = [load_seat(match, seat) for match, seat in context.job.seats]
    due = dates.format_moment(context.job.due, to.zone, locale)
    blocks = (
        Para(translate(locale, "claim.lead", device=device), strong=True),
        Para(translate(locale, "claim.why", due=due)),
        Bullets(tuple(seat.match_phrase for seat in seats if seat is not None)),
        Para(translate(locale, "claim.older")),
        Para(translate(locale, "claim.not")),
        _stop_link(context, key, locale),
        SmallPrint(translate(locale, "device.key", key=key.id)),
    )
    return Letter(context.job.kind, to, translate(locale, "claim.subject", device=device), blocks)


@seat_letter(ClaimSeatLetter)
def compose_claim_notice(context: LetterContext[ClaimSeatLetter], seat: SeatContext) -> Letter:
    """Compose the email that tells the others in a match of a device that asks to play there."""
    locale, who = seat.locale, seat.names[context.job.claimer]
    due = dates.format_moment(context.job.due, seat.to.zone, locale)
    blocks = (
        Para(translate(locale, "claim_seat.lead", who=who, due=due, match=seat.match_phrase), strong=True),
        Para(translate(locale, "claim_seat.why")),
    )
    subject, seq = capitalise(seat.match_phrase), seat.match_state.seq
    return Letter(context.job.kind, seat.to, subject, blocks, match=seat.match, seat=seat.number, seq=seq)


def _stop_link(context: LetterContext[LetterJob], key: SigningKeyRow, locale: Locale) -> Link:
    return Link(translate(locale, "device.link"), device_links.url(key.player, key.id, context.config))


def name_device(key: SigningKeyRow, locale: Locale) -> str:
    """Return the name of a device for a sentence: its label in quotation marks, or the first digits of its key."""
    return quote(locale, key.label or key.id[:KEY_DIGITS_SHOWN])


@letter(HookDisabledLetter)
def compose_hook_disabled(context: LetterContext[HookDisabledLetter]) -> Letter | None:
    """Compose the email about a hook that failed for too long and was switched off."""
    hook = HookRow.get_or_none(HookRow.id == context.job.hook)
    to = find_addressee(hook.player) if hook is not None and hook.deleted_at is None else None
    if to is None or hook is None:
        return None
    why, message = hook.why or context.job.why, load_message(context.job.message)
    if message is not None and why == str(message):
        why = render(message, to.locale)
    blocks: tuple[Block, ...] = (
        Para(translate(to.locale, "hook.lead"), strong=True),
        FactList(
            (
                (translate(to.locale, "hook.url"), hook.url),
                (translate(to.locale, "hook.why"), why),
            )
        ),
        Para(translate(to.locale, "hook.how", hook=hook.id)),
    )
    return Letter(context.job.kind, to, translate(to.locale, "hook.subject"), blocks)


@player_letter(LeaveEndsLetter)
def compose_leave_ends(context: LetterContext[LeaveEndsLetter], to: Addressee) -> Letter:
    """Compose the email about leave that is nearly over."""
    last = date.fromisoformat(context.job.last_day)
    day = dates.format_day(datetime(last.year, last.month, last.day), to.locale)  # noqa: DTZ001  # a day has no zone
    left = leave_balance(to.locale, vacation.days_left(context.job.player, last.year), last.year)
    blocks: list[Block] = [
        Para(translate(to.locale, "leave.lead", day=day), strong=True),
        Para(f"{translate(to.locale, 'leave.then')} {left}"),
        *_waiting_blocks(context.job.player, to.locale),
        Para(translate(to.locale, "leave.longer")),
    ]
    return Letter(context.job.kind, to, translate(to.locale, "leave.subject"), tuple(blocks), scope="all")


def _waiting_blocks(player: str, locale: Locale) -> list[Block]:
    """Return the matches that wait for the player, with the time left for each."""
    seats = load_waiting_seats(player, MOST_WAITING)
    if not seats:
        return [Para(translate(locale, "leave.idle"))]
    items = tuple(f"{seat.match_phrase}{translate(locale, 'colon')}{sections.time_left(seat)}" for seat in seats)
    return [Heading(translate(locale, "leave.waiting")), Bullets(items)]
