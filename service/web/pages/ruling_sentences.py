"""Rulings of organisers in words: what was decided, about whom, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.tournaments import PairingRow, TournamentRow
from service.i18n.catalogue import join_items, translate
from service.play.views import player_names
from service.tournaments.rulings.ruling_words import REASONS, WHATS
from service.tournaments.rulings.rulings import list_rulings
from service.tournaments.views.overview import PairingShown, show_pairings

HASH = re.compile("[0-9a-f]{64}")
ROUND_NAME = re.compile(r"([a-z0-9-]+):(\d{1,4})")
MOMENT = re.compile(r"\d{13}")
RESULT = re.compile(r"\d+:-?\d+:[a-z-]+")
MOST_RULINGS = 500
TWO = 2


@dataclass(frozen=True, slots=True)
class RulingOnPage:
    """A ruling as pages tell it."""

    seq: int
    at: int
    what: str
    about: str
    """Whom or what it concerns, in words; nothing where it concerns all."""
    until: int | None
    """The moment until which there is more time."""
    match: str
    """The match it is about, for a link."""
    reason: str
    text: str
    """The reason in the organiser's own words, for those concerned and for organisers."""


def describe_rulings(row: TournamentRow, viewer: str | None, locale: Locale) -> list[RulingOnPage]:
    """The rulings of a tournament as somebody may see them, the latest first."""
    rulings = list_rulings(row, viewer, 0, MOST_RULINGS)[::-1]
    tokens = sorted({token for ruling in rulings for token in ruling.about})
    pairings = list(PairingRow.select().where((PairingRow.tournament == row.id) & PairingRow.id.in_(tokens)))
    tables = {table.match: table for table in show_pairings(row, pairings, locale)}
    names = _find_players(tokens, locale)
    shown = []
    for ruling in rulings:
        parts = [part for token in ruling.about if (part := _describe_token(token, tables, names, locale))]
        about = join_items(locale, parts)
        if ruling.what == "replace" and len(parts) == TWO:
            about = translate(locale, "tournament_page.replaced", one=parts[0], other=parts[1])
        shown.append(
            RulingOnPage(
                ruling.seq,
                ruling.at,
                translate(locale, f"tournament_page.rulings.{ruling.what}") if ruling.what in WHATS else ruling.what,
                about,
                next((int(token) for token in ruling.about if MOMENT.fullmatch(token)), None),
                next((token for token in ruling.about if token in tables and not tables[token].is_bye), ""),
                translate(locale, f"tournament_page.reasons.{ruling.why}") if ruling.why in REASONS else ruling.why,
                ruling.text or "",
            )
        )
    return shown


def _find_players(tokens: Sequence[str], locale: Locale) -> dict[str, str]:
    """The names of those tokens that are players; others are no ids of anybody."""
    former = translate(locale, "play.former_player")
    words = [token for token in tokens if token.isalnum() and not MOMENT.fullmatch(token)]
    return {player: name for player, name in player_names(words, locale).items() if name != former}


def _describe_token(token: str, tables: Mapping[str, PairingShown], names: Mapping[str, str], locale: Locale) -> str:
    if token in tables:
        seats = join_items(locale, [seat.name for seat in tables[token].seats])
        return translate(locale, "tournament_page.match_of", names=seats)
    if token in names:
        return names[token]
    if named := ROUND_NAME.fullmatch(token):
        return translate(locale, "tournament_page.round_of", number=named[2], stage=named[1])
    if RESULT.fullmatch(token):
        place, score, _ = token.split(":")
        return translate(locale, "tournament_page.ruled_seat", place=place, score=score)
    return "" if HASH.fullmatch(token) or MOMENT.fullmatch(token) else token
