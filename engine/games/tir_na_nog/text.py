"""The table of Tír na nÓg in words: for terminals, letters and screen readers, in at most 100 columns."""

from __future__ import annotations

from collections import Counter

from engine.game import CHANCE, Seat
from engine.games.tir_na_nog.canvas import Face, drawn
from engine.games.tir_na_nog.cards import CARDS, COLOURS
from engine.games.tir_na_nog.chart import WIDTH, in_columns, region_sizes, saga_lines, score_lines, sign
from engine.games.tir_na_nog.gaze import reason, turning
from engine.games.tir_na_nog.names import (
    LEVEL_NAMES,
    PHASE_NAMES,
    ROW_NAMES,
    SET_NAMES,
    SIDE_NAMES,
    card_name,
    geas_name,
    pick_of,
)
from engine.games.tir_na_nog.phrases import ASKED, SAY, who
from engine.games.tir_na_nog.saga import ROWS
from engine.games.tir_na_nog.state import BALOR, ROUNDS, STORYTELLERS
from engine.games.tir_na_nog.view import View
from engine.games.tir_na_nog.wording import geas_text, hint
from engine.lines import folded
from engine.words import Locale, french

INDENT = "  "
HALF = 2
BALOR_MARK = "B"


def text(view: View, locale: Locale) -> str:
    """The whole table: where we are, the Geas, the Otherworld, every Saga, Balor, and the viewer's hand."""
    parts = [_heading(view, locale), _geas(view, locale), _otherworld(view, locale)]
    first = view.seat or 0
    order = [(first + step) % view.seats for step in range(view.seats)]
    parts += [_seat(view, seat, locale) for seat in order if not (view.solo and seat == BALOR)]
    parts += [_balor(view, locale), _hand(view, locale), _scores(view, locale)]
    whole = "\n\n".join("\n".join(part) for part in parts if part)
    return french(whole) if locale == "fr" else whole


def _heading(view: View, locale: Locale) -> list[str]:
    say = SAY[locale]
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    head = ["Tír na nÓg", say["round"].format(round=view.round, rounds=ROUNDS), pick_of(PHASE_NAMES[phase], locale)]
    asked = [who(view, seat, locale) for seat in view.asked if seat != CHANCE]
    if asked:
        head.append(ASKED[locale].get(view.asking.what, say["asked"]).format(who=", ".join(asked)))
    elif not view.asked and not view.over:
        head.append(say["paused"])
    counts = [say["deck"].format(deck=view.deck), say["discards"].format(discards=len(view.discards))]
    if view.discards:
        counts[-1] += say["last"].format(card=_named(view.discards[-1], locale))
    if not view.solo:
        counts.append(say["token"].format(who=who(view, view.token, locale)))
    waiting = [who(view, seat, locale) for seat in view.answered]
    if waiting:
        counts.append(say["answered"].format(who=", ".join(waiting)))
    return [*_wrapped(" · ".join(head), ""), *_wrapped(" · ".join(counts), "")]


def _geas(view: View, locale: Locale) -> list[str]:
    lines = [SAY[locale]["geas"]] if view.geas else []
    for row, slug in zip(ROWS, view.geas, strict=False):
        label = f"{INDENT}{pick_of(ROW_NAMES[row], locale):<8}"
        lines += _wrapped(f"{label}{geas_name(slug, locale)} – {geas_text(slug, locale)}", " " * len(label))
    return lines


def _otherworld(view: View, locale: Locale) -> list[str]:
    if not any(view.grid):
        return []
    faces = {
        cell: _face(card, locale) if card else None for cell, card in zip(view.world.cells, view.grid, strict=True)
    }
    lines = [SAY[locale]["otherworld"], *drawn(faces, _marks(view), view.seats + 1), "", *_legend(view, locale)]
    special = [card for card in dict.fromkeys(view.grid) if card and CARDS[card].timing]
    hints = [f"{INDENT}{card_name(card, locale)}: {hint(card, locale)}" for card in special]
    if locale == "fr":
        hints = [line.replace(": ", " : ", 1) for line in hints]
    return [*lines, *in_columns(hints, WIDTH)]


def _face(card: str, locale: Locale) -> Face:
    printed = CARDS[card]
    return Face(sign(printed.colour, printed.value, locale), card_name(card, locale), "Ailm" if printed.ailm else "")


def _marks(view: View) -> dict[str, str]:
    """Three signs for each spot where somebody stands, and for Balor's marker."""
    marks: dict[str, str] = {view.marker: " * "} if view.marker else {}
    standing: dict[str, list[str]] = {}
    for seat, spots in enumerate(view.out):
        for spot in spots:
            standing.setdefault(spot, []).append(BALOR_MARK if view.solo and seat == BALOR else str(seat))
    lost = {spot for seat in range(view.seats) for spot in view.lost(seat)}
    for spot, seats in standing.items():
        if len(seats) == HALF:
            marks[spot] = "&".join(seats)
        else:
            left, right = "!!" if spot in lost else "()"
            marks[spot] = f"{'*' if spot == view.marker else left}{seats[0]}{right}"
    return marks


def _legend(view: View, locale: Locale) -> list[str]:
    say, marks = SAY[locale], set("".join(_marks(view).values()))
    parts = [say["letters"], say["standing"] if "(" in marks or ")" in marks else ""]
    parts += [say["lost"] if "!" in marks else "", say["shared"] if "&" in marks else ""]
    parts += [say["marker"] if view.marker else "", say["balors"] if BALOR_MARK in marks else ""]
    return _wrapped(INDENT + " · ".join(filter(None, parts)), INDENT)


def _seat(view: View, seat: Seat, locale: Locale) -> list[str]:
    say, saga = SAY[locale], view.sagas[seat]
    you = say["you"] if seat == view.seat else ""
    gone = say["resigned"] if seat in view.resigned else ""
    number = f"{seat}, " if view.names else ""
    about = f"({number}{pick_of(SET_NAMES[seat], locale)}{you}{gone})"
    head = [f"{who(view, seat, locale)} {about}", say["held"].format(held=view.held[seat])]
    head += _tellers(view, seat, locale)
    head.append(say["regions"].format(sizes=region_sizes(saga.regions, locale)))
    if view.used[seat]:
        head.append(say["used"].format(cards=", ".join(card_name(card, locale) for card in view.used[seat])))
    return [*_wrapped(" · ".join(head), INDENT), *saga_lines(view, seat, locale)]


def _tellers(view: View, seat: Seat, locale: Locale) -> list[str]:
    say, lost = SAY[locale], view.lost(seat)
    if view.phase not in ("journey", "saga"):
        return []
    spots = [f"{spot} {say['is-lost']}" if spot in lost else spot for spot in view.out[seat]]
    home = STORYTELLERS - len(spots)
    spots += [say["home"].format(home=home)] if home else []
    return [say["tellers"].format(spots=", ".join(spots))]


def _balor(view: View, locale: Locale) -> list[str]:
    if not view.solo:
        return []
    say = SAY[locale]
    head = [say["balor"].format(level=pick_of(LEVEL_NAMES[view.balor], locale))]
    head.append(say["side"].format(side=pick_of(SIDE_NAMES[view.side], locale)))
    if view.marker:
        head.append(say["marked"].format(spot=view.marker))
    head += _tellers(view, BALOR, locale)
    lines = _wrapped(" · ".join(head), INDENT)
    if view.turned and not view.over:
        lines += _wrapped(
            INDENT + turning(view.turned, flipped=view.flipped, side=view.side, locale=locale), INDENT * 2
        )
    if view.gaze and not view.over:
        lines += _wrapped(f"{INDENT}{say['why'].format(why=reason(view, view.gaze, locale))}", INDENT * 2)
    counted = Counter(CARDS[card].colour for card in view.pile)
    sizes = region_sizes({colour: counted[colour] for colour in COLOURS}, locale)
    pile = say["pile"].format(count=len(view.pile), sizes=sizes)
    cards = ", ".join(_named(card, locale) for card in view.pile)
    return [*lines, *_wrapped(INDENT + pile + (f" – {cards}" if cards else ""), INDENT * 2)]


def _hand(view: View, locale: Locale) -> list[str]:
    if view.seat is None or view.over:
        return []
    say = SAY[locale]
    lines = [say["hand"].format(count=len(view.hand))] if view.hand else []
    for card in view.hand:
        about = hint(card, locale)
        ailm = " Ailm" if CARDS[card].ailm else ""
        lines += _wrapped(f"{INDENT}{_named(card, locale)}{ailm}" + (f" – {about}" if about else ""), INDENT * 2)
    if view.drawn:
        lines.append(say["drawn"].format(card=_named(view.drawn, locale)))
    if view.answer:
        lines.append(say["answer"].format(card=_named(view.answer, locale)))
    return lines


def _scores(view: View, locale: Locale) -> list[str]:
    if not view.scores:
        return []
    names = [who(view, seat, locale) for seat in range(view.seats)]
    return [pick_of(PHASE_NAMES["scoring"], locale), *score_lines(names, view.scores, locale)]


def _named(card: str, locale: Locale) -> str:
    return f"{sign(CARDS[card].colour, CARDS[card].value, locale)} {card_name(card, locale)}"


def _wrapped(line: str, indent: str) -> list[str]:
    start = line[: len(line) - len(line.lstrip())]
    return folded(line, WIDTH, "", indent or start)


INKS: tuple[tuple[str, str], ...] = (
    (r"\bR\d+\b", "red"),
    (r"\b[GV]\d+\b", "green"),
    (r"\bB\d+\b", "blue"),
    (r"\b[YJ]\d+\b", "yellow"),
    (r"\([0-9B]\)|[0-9B]&[0-9B]|\*[0-9B]\)", "bold"),
    (r"![0-9B]!", "magenta"),
    (r"\bAilm\b", "cyan"),
)
"""What the terminal colours."""
