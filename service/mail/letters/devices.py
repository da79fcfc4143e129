"""Emails about devices: one that plays now, and one that asks to play where moves are signed."""

from __future__ import annotations

from engine.words import Locale
from service.accounts import device_links, signing_keys
from service.db.models.accounts import SigningKeyRow
from service.i18n import dates
from service.i18n.catalogue import quote, translate
from service.jobs.payloads import LetterJob
from service.mail.letters.blocks import Addressee, Bullets, Letter, Link, Para, SmallPrint
from service.mail.letters.context import LetterContext, SeatContext, load_seat
from service.mail.letters.registry import player_letter, seat_letter
from service.matches.job_payloads import ClaimLetter, ClaimSeatLetter
from service.play.job_payloads import DeviceLetter

KEY_DIGITS_SHOWN = 8


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
    subject = translate(locale, "claim_seat.subject", who=who)
    return Letter(
        context.job.kind, seat.to, subject, blocks, match=seat.match, seat=seat.number, seq=seat.match_state.seq
    )


def _stop_link(context: LetterContext[LetterJob], key: SigningKeyRow, locale: Locale) -> Link:
    return Link(translate(locale, "device.link"), device_links.url(key.player, key.id, context.config))


def name_device(key: SigningKeyRow, locale: Locale) -> str:
    """Return the name of a device for a sentence: its label in quotation marks, or the first digits of its key."""
    return quote(locale, key.label or key.id[:KEY_DIGITS_SHOWN])
