"""Documents of tournaments, and a context in which they are read at a fixed moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.tournaments.documents.document import DocumentContext, TournamentDocument, read_document
from service.tournaments.documents.document_values import read_moment

NOW = read_moment("2026-11-20T12:00:00Z", "UTC").at
PEOPLE = {
    "maeve": [("maeve2222222222a", "Maeve")],
    "ronan": [("ronan2222222222b", "Ronan")],
    "sorcha": [("sorcha222222222c", "Sorcha")],
    "twins": [("twins2222222222d", "Twins"), ("twins2222222222e", "Twins")],
}
"""Known people by name. Two are called Twins."""

SWISS = """\
# Two seats, Dutch system.
tournament: tain-winter
title: {en: Winter Táin, fr: Táin d’hiver}
game: tain
options: {marker: fixed}
zone: Europe/Paris
organisers: [maeve, ronan]
entry:
  opens: 2026-12-05T19:00
  closes: 2027-01-15T19:00
  least: 6
  most: 40
  on_time: 75
  rating: {from: 1100, to: null}
  programs: no
  late: {until_round: 2, bye: half}
  reserves: 36h
draw: {beacon: drand-quicknet}
pauses: [{from: 2027-02-20T00:00, to: 2027-02-24T00:00}]
clock: tournament
late_seat: forfeit
leave: no
stages:
  - name: main
    format: swiss
    rounds: 6
    start: {first: 2027-01-17T19:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: adjudicate}
    points: {win: 3, draw: 1.5}
    bye: {asked: half, most_asked: 2}
    ties: [buchholz, direct, lots]
    avoid: [[maeve, sorcha]]
prizes:
  - {places: 1, title: Winner of the winter}
"""
ROUND_ROBIN = """\
tournament: keltis-groups
game: keltis
zone: Europe/Dublin
entry:
  opens: 2026-12-01T18:00
  closes: 2027-01-10T18:00
  least: 4
  most: 300
  withdrawn: cancel-if-under-half
spectators: now
stages:
  - name: groups
    format: round-robin
    cycles: 2
    sections: {size: 6}
    start: {first: 2027-01-20T18:00, all: yes}
    end: {at: 2027-05-31T18:00}
prizes:
  - {places: 1, each: section, title: {en: Moves up, fr: Monte d’une section}}
"""
PODS = """\
tournament: four-at-a-table
title: {en: Four at a table, fr: À quatre}
game: tir-na-nog
organisers: [maeve]
entry: {opens: 2026-12-01T18:00Z, closes: 2027-01-08T18:00Z, least: 12, most: 5000}
clock: reactions
late_seat: substitute
spectators: after-stage
stages:
  - name: tables
    format: pods
    seats: 4
    rounds: 4
    start: {first: 2027-01-10T18:00Z, every: 6w}
    end: {at_most: 6w, then: as-it-stands}
    points: {places: [7, 4, 2, 0], short: [7, 3.5, 0]}
  - name: semi
    format: knockout
    seats: 4
    from: {stage: tables, places: 1-16}
    rounds: 1
    start: {next: when-over, gap: 5d}
  - name: last
    format: knockout
    seats: 4
    from: {stage: semi, advance: 1}
    start: {next: when-over}
"""
SAME_DEAL = """\
tournament: rival-of-the-month
title: {en: Balor's month, fr: Le mois de Balor}
game: tir-na-nog
repeat: {rule: "FREQ=MONTHLY;BYMONTHDAY=1", until: 2027-10-31, opens_before: 3d}
zone: Australia/Lord_Howe
entry: {opens: with-repeat, closes: with-end, least: 1}
draw: {beacon: none}
clock: none
rated: no
stages:
  - name: deal
    format: same-deal
    bots: {1: balor}
    start: {first: "08:30"}
    end: {at_most: 10d, then: as-it-stands}
    points: score
"""
LADDER = """\
{
  "tournament": "long-ladder",
  "game": "keltis",
  "organisers": ["ronan2222222222b"],
  "entry": {"opens": "2026-12-20T18:00:00Z", "closes": "with-end", "by": "invitation"},
  "clock": "simple-3",
  "stages": [
    {"name": "ladder", "format": "ladder", "reach": 6, "at_once": 2,
     "start": {"first": "2027-01-01T18:00:00+01:00"}, "end": {"at": "2027-12-31T18:00:00Z"}}
  ]
}
"""
EXAMPLES = {
    "swiss": SWISS,
    "round robin": ROUND_ROBIN,
    "pods and knockouts": PODS,
    "same deal": SAME_DEAL,
    "ladder as JSON": LADDER,
}


def find_people(texts: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the people whom each text can mean, among those of these tests."""
    everybody = [person for people in PEOPLE.values() for person in people]
    return {text: PEOPLE.get(text) or [person for person in everybody if person[0] == text] for text in texts}


def document_context(**more: Any) -> DocumentContext:  # noqa: ANN401  # members of the context
    """Sorcha applies a document on 20 November 2026."""
    usual: dict[str, Any] = {
        "applicant": "sorcha222222222c",
        "now": NOW,
        "beacon_url_set": False,
        "find_people": find_people,
        "most_open": 50,
    }
    return DocumentContext(**{**usual, **more})


def read_text(text: str, **more: Any) -> TournamentDocument:  # noqa: ANN401
    """Return the document that a text contains."""
    return read_document(text.encode(), document_context(**more))
