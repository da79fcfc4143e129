"""People read names and colours: no page, email or text counts seats from 0."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from engine.games import GAMES
from engine.words import LOCALES, Locale
from service.config import Config
from service.i18n.catalogue import text_files
from tests.support import mailbox
from tests.support.email_texts import FOLDER
from tests.support.mailbox import match_of
from tests.support.web_apps import sign_in

COUNTED_SEAT = re.compile(r"\b[Ss]eat (?:\{seat\}|\d)|\b[Pp]lace (?:\{seat\}|0\b)|counted from 0|comptée à partir de 0")
FOR_PROGRAMS = {"commands", "doctor", "tournament_document", "usage", "verify_report"}
"""Texts of the command line, of documents and of reports, whose seats are counted as in the record."""
MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)


def find_counted_seats(text: str) -> list[str]:
    """Return the places of a text that name a seat by its number."""
    return [match[0] for match in COUNTED_SEAT.finditer(text)]


@pytest.mark.parametrize("text", ["seat 0", "Seat {seat} is free", "la place 0", "a seat counted from 0"])
def test_a_seat_that_is_counted_is_found(text: str) -> None:
    assert find_counted_seats(text)


def test_no_text_for_people_counts_seats() -> None:
    files = [file for file in text_files() if file.stem not in FOR_PROGRAMS]
    assert len(files) > 20
    assert {file.name: found for file in files if (found := find_counted_seats(file.read_text("utf-8")))} == {}


def test_no_email_counts_seats() -> None:
    emails = sorted(FOLDER.glob("*.txt"))
    assert len(emails) > 100
    assert {file.name: found for file in emails if (found := find_counted_seats(file.read_text("utf-8")))} == {}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slug", GAMES)
def test_no_page_counts_seats(app: Flask, house: Config, slug: str, locale: Locale) -> None:
    most = GAMES[slug].rules.seats[-1]
    people = [mailbox.person(name, locale) for name in ("Aoife", "Bran", "Ciara", "Dara", "Etain")[:most]]
    match = match_of(house, *people, game=slug, clock="simple-3")
    client = sign_in(app, people[0].id)
    paths = ("/", f"/games/{slug}", f"/games/{slug}/lesson", f"/new/{slug}", "/matches?mine=1", f"/matches/{match}")
    for path in (*paths, f"/matches/{match}?spectator=1", f"/players/{people[1].id}"):
        page = client.get(path)
        assert page.status_code == 200, path
        assert find_counted_seats(MARKUP.sub(" ", page.text)) == [], path
