"""Organisers' rulings in words: what was decided, about whom, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.tournaments import PairingRow, TournamentRow
from service.i18n.catalogue import join_items, translate
from service.play.views import player_names
from service.tournaments.formats import log_lines
from service.tournaments.rulings.ruling_words import REASONS, WHATS
from service.tournaments.rulings.rulings import list_rulings
from service.tournaments.views.overview import show_pairings
from service.tournaments.views.tournament_shapes import PairingShown

MOST_RULINGS = 500


@dataclass(frozen=True, slots=True)
class RulingOnPage:
    """A ruling as pages show it."""

    seq: int
    at: int
    what: str
    about: str
    """The people or match it concerns, in words; empty if it concerns everybody."""
    until: int | None
    """End of the extra time, or None."""
    match: str
    """The match it is about, for a link."""
    reason: str
    text: str
    """The organiser's own text, shown to those concerned and to organisers."""


def describe_rulings(row: TournamentRow, viewer: str | None, locale: Locale) -> list[RulingOnPage]:
    """Return the rulings of a tournament that this viewer may see, latest first."""
    rulings = list_rulings(row, viewer, 0, MOST_RULINGS)[::-1]
    subjects = sorted({subject for shown in rulings for subject in shown.about})
    pairings = list(PairingRow.select().where((PairingRow.tournament == row.id) & PairingRow.id.in_(subjects)))
    tables = {table.match: table for table in show_pairings(row, pairings, locale)}
    names = player_names(subjects, locale)
    return [
        RulingOnPage(
            shown.seq,
            shown.at,
            translate(locale, f"tournament_page.rulings.{shown.what}") if shown.what in WHATS else shown.what,
            _describe_subjects(shown.ruling, tables, names, locale),
            shown.ruling.until if isinstance(shown.ruling, log_lines.ExtendRuling) else None,
            next((match for match in shown.about if match in tables and not tables[match].is_bye), ""),
            translate(locale, f"tournament_page.reasons.{shown.why}") if shown.why in REASONS else shown.why,
            shown.text or "",
        )
        for shown in rulings
    ]


def _describe_subjects(
    ruling: log_lines.Ruling, tables: Mapping[str, PairingShown], names: Mapping[str, str], locale: Locale
) -> str:
    """Return whom or what a ruling is about, in words."""
    match ruling:
        case log_lines.ReplaceRuling(player=player, other=other):
            return translate(locale, "tournament_page.replaced", one=names[player], other=names[other])
        case log_lines.ExcludeRuling(player=player) | log_lines.AcceptRuling(player=player):
            return names[player]
        case log_lines.ExtendRuling(round=name) | log_lines.RepairRuling(round=name):
            return translate(locale, "tournament_page.round_of", number=name.number, stage=name.stage)
        case log_lines.ResultRuling(match=match) | log_lines.ReplayRuling(match=match) if match in tables:
            seats = join_items(locale, [seat.name for seat in tables[match].seats])
            return translate(locale, "tournament_page.match_of", names=seats)
    return join_items(locale, list(ruling.subjects))
