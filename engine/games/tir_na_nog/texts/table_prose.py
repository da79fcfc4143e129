"""The table of Tír na nÓg for emails and for reading aloud: lists instead of drawings, in at most 78 columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.game import Seat
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import ROWS, Saga
from engine.games.tir_na_nog.rules.state import BALOR, STORYTELLERS
from engine.games.tir_na_nog.texts.cards import geas_text
from engine.games.tir_na_nog.texts.names import ROW_NAMES, card_name, geas_name
from engine.games.tir_na_nog.texts.phrases import SAY, who
from engine.games.tir_na_nog.texts.table_text import (
    balor_items,
    card_with_hint,
    hand_items,
    heading_items,
    region_sizes,
    worth,
)
from engine.games.tir_na_nog.view import View
from engine.lines import fold_words, join_parts
from engine.phrases import by_locale, localise
from engine.words import Locale, points_word

WIDTH = 78
INDENT = "  "
MORE = by_locale(
    {
        "points": ("{row}, {points} {unit}: {cards}", "{row}, {points} {unit} : {cards}"),
        "row": ("{row}: {cards}", "{row} : {cards}"),
        "empty": ("empty", "vide"),
        "hole": ("hole", "trou"),
        "taken": ("no card left", "plus de carte"),
        "between": ("{who} at {spot}", "{who} en {spot}"),
        "standing": ("Storytellers out", "Bardes en voyage"),
        "you": (" (you)", " (vous)"),
        "total": ("{who}: {total} {unit}", "{who} : {total} {unit}"),
    }
)


def prose(view: View, locale: Locale) -> str:
    """Write the whole table, line by line in reading order."""
    parts: list[Sequence[str]] = [
        _heading(view, locale),
        _geas(view.geas, locale),
        _otherworld(view, locale),
        _standing(view, locale),
    ]
    parts += [_seat(view, seat, locale) for seat in view.clockwise if not (view.solo and seat == BALOR)]
    parts += [_balor(view, locale), _hand(view, locale), _totals(view, locale)]
    return join_parts(parts, locale)


@lru_cache(maxsize=4096)
def _fold(words: str, indent: str = "") -> tuple[str, ...]:
    """Fold words into lines. The result is cached, since most of a table stays the same."""
    return tuple(fold_words(words, WIDTH, indent, indent + INDENT))


def _heading(view: View, locale: Locale) -> list[str]:
    head, counts = heading_items(view, locale)
    return [*_fold(" · ".join(head)), *_fold(" · ".join(counts))]


@lru_cache(maxsize=1024)
def _geas(geas: tuple[str, ...], locale: Locale) -> tuple[str, ...]:
    lines = [SAY[locale]["geas"]] if geas else []
    for row, slug in zip(ROWS, geas, strict=False):
        about = f"{geas_name(slug, locale)} – {geas_text(slug, locale)}"
        lines += _fold(MORE[locale]["row"].format(row=localise(ROW_NAMES[row], locale), cards=about), INDENT)
    return tuple(lines)


def _otherworld(view: View, locale: Locale) -> list[str]:
    if not any(view.grid):
        return []
    lines = [f"{SAY[locale]['otherworld']} ({SAY[locale]['letters']})"]
    for cell, card in zip(view.world.cells, view.grid, strict=True):
        lines += _fold(f"{cell} {card_with_hint(card, locale) if card else MORE[locale]['taken']}", INDENT)
    return lines


def _standing(view: View, locale: Locale) -> tuple[str, ...]:
    """Say which Storytellers are where, spot by spot."""
    say, tellers = SAY[locale], []
    for seat, spots in enumerate(view.out):
        lost = view.lost_spots(seat)
        for spot in spots:
            words = MORE[locale]["between"].format(who=who(view, seat, locale), spot=spot)
            tellers.append((spot, f"{words} ({say['is-lost']})" if spot in lost else words))
    if not tellers:
        return ()
    return _fold(
        MORE[locale]["row"].format(row=MORE[locale]["standing"], cards=", ".join(words for _, words in sorted(tellers)))
    )


def _seat(view: View, seat: Seat, locale: Locale) -> list[str]:
    say, saga = SAY[locale], view.sagas[seat]
    you = MORE[locale]["you"] if seat == view.seat else ""
    gone = say["resigned"] if seat in view.resigned else ""
    head = [f"{who(view, seat, locale)}{you}{gone}", say["held"].format(held=view.held[seat])]
    if view.phase in ("journey", "saga"):
        head.append(say["home"].format(home=STORYTELLERS - len(view.out[seat])))
    head.append(say["regions"].format(sizes=region_sizes(saga.regions, locale)))
    return [*_fold(" · ".join(head)), *_rows(saga, view.geas, locale)]


@lru_cache(maxsize=1024)
def _rows(saga: Saga, geas: tuple[str, ...], locale: Locale) -> tuple[str, ...]:
    more = MORE[locale]
    lines: list[str] = []
    for at, row in enumerate(saga.standing):
        cards = ", ".join(
            f"{card_name(each.card, locale)} {worth(each, locale)}" if each else more["hole"] for each in row
        )
        points = GEAS[geas[at]].score(saga) if geas else 0
        label = localise(ROW_NAMES[ROWS[at]], locale)
        words = {"row": label, "points": points, "unit": points_word(points, locale), "cards": cards or more["empty"]}
        lines += _fold(more["points"].format(**words), INDENT)
    return tuple(lines)


def _balor(view: View, locale: Locale) -> list[str]:
    if not view.solo:
        return []
    head, told = balor_items(view, locale)
    return [*_fold(" · ".join(head)), *(line for sentence in told for line in _fold(sentence, INDENT))]


def _hand(view: View, locale: Locale) -> list[str]:
    head, rows = hand_items(view, locale)
    return [*head, *(line for row in rows for line in _fold(row, INDENT))]


def _totals(view: View, locale: Locale) -> list[str]:
    return [
        line
        for seat, score in enumerate(view.scores)
        for line in _fold(
            MORE[locale]["total"].format(
                who=who(view, seat, locale), total=score.total, unit=points_word(score.total, locale)
            )
        )
    ]
