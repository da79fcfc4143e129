"""Rulings of organisers in words: what was decided, about whom, and why."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.tournaments import PairingRow, RulingTextRow, TournamentEntryRow, TournamentRow
from service.i18n.catalogue import join_items, translate
from service.play.views import player_names
from service.timestamps import rfc3339
from service.tournaments.overview import PairingShown, find_entrant, show_pairings
from service.tournaments.tournament_store import is_organiser

HASH = re.compile("[0-9a-f]{64}")
ROUND_NAME = re.compile(r"([a-z0-9-]+):(\d{1,4})")
MOMENT = re.compile(r"\d{13}")
RESULT = re.compile(r"\d+:-?\d+:[a-z-]+")
KINDS = frozenset("pause resume extend replace exclude accept result replay repair beacon cancel".split())
REASON_CODES = frozenset("agreed illness absence fair-play technical mistake time rules too-few other".split())
OF_EVERYBODY = frozenset({"pause", "resume", "extend", "repair", "beacon", "cancel"})
"""Rulings that concern every entrant."""
MOST_RULINGS, MOST_KNOWN = 500, 64


@dataclass(frozen=True, slots=True)
class RulingOnPage:
    """A ruling as pages tell it."""

    seq: int
    at: int
    what: str
    about: str
    """Whom or what it concerns, in words; nothing where it concerns all."""
    match: str
    """The match it is about, for a link."""
    reason: str
    words: str
    """The reason in the organiser's own words, for those concerned and for organisers."""


def list_rulings(row: TournamentRow, viewer: str | None, locale: Locale) -> list[RulingOnPage]:
    """The rulings of a tournament as somebody may see them, the latest first."""
    entries = _find_entries(row.id, row.head_seq)
    if not entries:
        return []
    words = {text.seq: text.text for text in RulingTextRow.select().where(RulingTextRow.tournament == row.id)}
    spoken = [_split_line(entry.line) for entry in entries]
    tokens = sorted({token for _, about, _ in spoken for token in about})
    pairings = list(PairingRow.select().where((PairingRow.tournament == row.id) & PairingRow.id.in_(tokens)))
    tables = {table.match: table for table in show_pairings(row, pairings, locale)}
    names = _find_players(tokens, locale)
    sees_all = viewer is not None and is_organiser(row, viewer)
    entered = find_entrant(row.id, viewer) is not None
    shown = []
    for entry, (what, about, reason) in zip(entries, spoken, strict=True):
        match = next((token for token in about if token in tables and not tables[token].is_bye), "")
        seated = {seat.player for token in about if token in tables for seat in tables[token].seats}
        concerned = entered and (what in OF_EVERYBODY or viewer in about or viewer in seated)
        parts = [part for token in about if (part := _describe_token(token, tables, names, locale))]
        shown.append(
            RulingOnPage(
                entry.seq,
                entry.at,
                translate(locale, f"tournament_page.rulings.{what}") if what in KINDS else what,
                join_items(locale, parts) if parts else "",
                match,
                translate(locale, f"tournament_page.reasons.{reason}") if reason in REASON_CODES else reason,
                words.get(entry.seq, "") if sees_all or concerned else "",
            )
        )
    return shown


_known: OrderedDict[str, tuple[int, list[TournamentEntryRow]]] = OrderedDict()
"""For each tournament that was asked about how far its log has been read through, and the rulings found."""


def _find_entries(tournament: str, head: int) -> list[TournamentEntryRow]:
    """The lines of a log that are rulings, the latest first; only what is new of a log is read through."""
    read, found = _known.get(tournament, (0, []))
    if read < head:
        mine = (TournamentEntryRow.tournament == tournament) & (TournamentEntryRow.seq > read)
        new = TournamentEntryRow.select().where(mine & TournamentEntryRow.line.startswith("ruling "))
        found = [*new.where(TournamentEntryRow.seq <= head).order_by(TournamentEntryRow.seq.desc()), *found]
        _known[tournament] = (head, found[:MOST_RULINGS])
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    return found[:MOST_RULINGS]


def _split_line(line: str) -> tuple[str, tuple[str, ...], str]:
    """What a ruling is, what it is about, and its reason: `ruling WHAT … WHY [HASH]`."""
    _, what, *rest = line.split(" ")
    if rest and HASH.fullmatch(rest[-1]):
        rest.pop()
    reason = rest.pop() if rest else ""
    return what, tuple(rest), reason


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
    if MOMENT.fullmatch(token):
        return str(rfc3339(int(token)))
    if RESULT.fullmatch(token):
        place, score, _ = token.split(":")
        return translate(locale, "tournament_page.ruled_seat", place=place, score=score)
    return "" if HASH.fullmatch(token) else token
