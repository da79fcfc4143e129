"""Contrast of the colours of pages, computed from the style sheets: text 4.5, controls and rings 3."""

from __future__ import annotations

import re

import pytest

from engine.signs import SEAT_COLOURS
from service.web.static_files import FOLDER

TOKEN = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
PLAIN = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
SEAT = re.compile(r"\.seat-\d \{ --seat: (#[0-9a-f]{6}); \}")
TEXT, CONTROL = 4.5, 3.0
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "soft", "accent", "danger") for ground in ("paper", "card")),
    *((ink, ground, TEXT) for ink in ("ink", "soft") for ground in ("sunk", "wash", "gold-wash", "alert")),
    ("accent", "wash", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-danger", "danger", TEXT),
    ("gold", "gold-wash", TEXT),
    ("danger", "alert", TEXT),
    ("on-ink", "on-panel", TEXT),
    ("on-faint", "on-panel", TEXT),
    ("edge", "card", CONTROL),
    ("edge", "paper", CONTROL),
    ("chosen", "card", CONTROL),
    ("gold", "card", CONTROL),
    *((ring, table, CONTROL) for ring in ("ring", "held", "last") for table in ("felt", "dusk", "peat")),
]


def read_tokens(look: int) -> dict[str, str]:
    """Return the colours by name: of the day with 0, of the night with 1."""
    text = "".join((FOLDER / name).read_text("utf-8") for name in ("page.css", "board.css"))
    return dict(PLAIN.findall(text)) | {name: both[look] for name, *both in TOKEN.findall(text)}


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colours."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("look", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_colours_that_meet_can_be_told_apart(ink: str, ground: str, least: float, look: int) -> None:
    tokens = read_tokens(look)
    assert contrast(tokens[ink], tokens[ground]) >= least


def test_letters_on_the_signs_of_seats_can_be_read() -> None:
    seats = SEAT.findall((FOLDER / "page.css").read_text("utf-8"))
    assert tuple(seats) == SEAT_COLOURS, "boards show the same colours"
    assert min(contrast("#ffffff", seat) for seat in seats) >= TEXT
