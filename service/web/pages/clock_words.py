"""Time controls of matches in plain words, grouped by pace."""

from __future__ import annotations

from engine.words import Locale
from service.i18n.catalogue import translate
from service.play.time_control import PRESETS
from service.timestamps import DAY, HOUR

PACES = {
    "quick": ("simple-1", "simple-2"),
    "steady": ("standard", "tournament", "phases", "simple-3", "simple-5"),
    "slow": (
        *(name for name in PRESETS if name.startswith(("classic", "reactions"))),
        *("relaxed", "block", "simple-7", "simple-10", "simple-14"),
    ),
    "none": ("none",),
}
"""Paces and the time controls that belong to each; every time control is in one of them."""


def describe_clock(name: str, locale: Locale) -> str:
    """Return a time control as a phrase: how long a player has for a move."""
    clock, family = PRESETS[name], name.partition("-")[0]
    if family == "simple":
        return translate(locale, "site.clock.simple", count=clock.per_move // DAY)
    if family == "classic":
        return translate(locale, "site.clock.classic", days=clock.bank // DAY, moves=clock.every)
    if family == "reactions":
        return translate(locale, "site.clock.reactions", hours=clock.wait // HOUR)
    return translate(locale, f"site.clock.{family}")


def list_clocks(locale: Locale) -> list[tuple[str, str]]:
    """Return every time control with its phrase."""
    return [(name, describe_clock(name, locale)) for name in PRESETS]
