"""Letters about devices: one that plays now, and one that asks to play where moves are signed."""

from __future__ import annotations

from engine.words import Locale
from service.accounts import device_links, signing_keys
from service.db.models.accounts import SigningKeyRow
from service.i18n import dates
from service.i18n.catalogue import quote, translate
from service.mail.letters.blocks import Bullets, Letter, Link, Para, SmallPrint
from service.mail.letters.context import LetterContext, load_seat

KEY_DIGITS_SHOWN = 8


def compose_device_notice(context: LetterContext) -> Letter | None:
    """The letter that tells a player which device plays for them now, with a link that stops it."""
    to = context.to
    key = signing_keys.find_device_key(context.payload["player"], context.payload["key"])
    if to is None or key is None:
        return None
    device = name_device(key, to.locale)
    blocks = (
        Para(translate(to.locale, "device.lead", device=device), strong=True),
        Para(translate(to.locale, "device.why")),
        Para(translate(to.locale, "device.not")),
        _stop_link(context, key, to.locale),
        SmallPrint(translate(to.locale, "device.key", key=key.id)),
    )
    return Letter("device", to, translate(to.locale, "device.lead", device=device), blocks)


def compose_claim(context: LetterContext) -> Letter | None:
    """The letter that asks a player whether a device shall play where moves are signed."""
    to = context.to
    key = signing_keys.find_device_key(context.payload["player"], context.payload["key"])
    if to is None or key is None or key.claimed_at is None:
        return None
    locale, device = to.locale, name_device(key, to.locale)
    seats = [load_seat(match, seat) for match, seat in context.payload["seats"]]
    due = dates.format_moment(context.payload["due"], to.zone, locale)
    blocks = (
        Para(translate(locale, "claim.lead", device=device), strong=True),
        Para(translate(locale, "claim.why", due=due)),
        Bullets(tuple(seat.match_phrase for seat in seats if seat is not None)),
        Para(translate(locale, "claim.older")),
        Para(translate(locale, "claim.not")),
        _stop_link(context, key, locale),
        SmallPrint(translate(locale, "device.key", key=key.id)),
    )
    return Letter("claim", to, translate(locale, "claim.subject", device=device), blocks)


def compose_claim_notice(context: LetterContext) -> Letter | None:
    """The letter that tells the others at a table of a device that asks to play there."""
    seat = context.own_seat
    if seat is None:
        return None
    locale, who = seat.locale, seat.names[context.payload["claimer"]]
    due = dates.format_moment(context.payload["due"], seat.to.zone, locale)
    blocks = (
        Para(translate(locale, "claim_seat.lead", who=who, due=due, match=seat.match_phrase), strong=True),
        Para(translate(locale, "claim_seat.why")),
    )
    subject = translate(locale, "claim_seat.subject", who=who)
    return Letter("claim-seat", seat.to, subject, blocks, match=seat.match, seat=seat.number, seq=seat.match_state.seq)


def _stop_link(context: LetterContext, key: SigningKeyRow, locale: Locale) -> Link:
    return Link(translate(locale, "device.link"), device_links.url(key.player, key.id, context.config))


def name_device(key: SigningKeyRow, locale: Locale) -> str:
    """What a device is called in a sentence: its label in quotation marks, or the beginning of its key."""
    return quote(locale, key.label or key.id[:KEY_DIGITS_SHOWN])
