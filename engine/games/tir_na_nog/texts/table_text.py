"""The table of Tír na nÓg in words: for terminals, emails and screen readers, in at most 100 or 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from engine.game import CHANCE, Score, Seat
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import MOST_PLAYED, ROWS, Standing
from engine.games.tir_na_nog.rules.score import pile_regions
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, STORYTELLERS
from engine.games.tir_na_nog.texts.balor_reasons import points_now, points_reasons, reason, turn_sentence
from engine.games.tir_na_nog.texts.cards import geas_text, hint
from engine.games.tir_na_nog.texts.names import (
    LEVEL_NAMES,
    PHASE_NAMES,
    ROW_NAMES,
    SET_NAMES,
    SIDE_NAMES,
    WORDS,
    card_name,
    geas_name,
    letter,
)
from engine.games.tir_na_nog.texts.phrases import ASKED, SAY, who
from engine.games.tir_na_nog.view import View
from engine.lines import fold_items, fold_words, join_parts
from engine.phrases import localise
from engine.words import Locale, points_word, typeset

MARGIN = 2
FRAME_LINES = 3
LINES = "abc"
SMALL = frozenset("a au aux d de des du et la le les na of the".split())


@dataclass(frozen=True)
class Layout:
    """Width of the table, and the width and height of its cards by their number side by side."""

    width: int
    inner: Mapping[int, int]
    gap: Mapping[int, int]
    name_lines: Mapping[int, int]
    saga_lines: int
    """Number of lines for the name of a card of a Saga."""


WIDE = Layout(100, {3: 18, 4: 17, 5: 13, 6: 11}, {3: 5, 4: 5, 5: 5, 6: 3}, {3: 2, 4: 2, 5: 2, 6: 2}, 1)
NARROW = Layout(80, {3: 18, 4: 13, 5: 11, 6: 8}, {3: 5, 4: 5, 5: 3, 6: 3}, {3: 2, 4: 2, 5: 3, 6: 3}, 2)


@dataclass(frozen=True)
class Face:
    """The face of a card in the grid."""

    value: str
    name: str
    right: str = ""


def draw_grid(faces: Mapping[str, Face | None], marks: Mapping[str, str], columns: int, layout: Layout) -> list[str]:
    """Write the grid as lines: a face or None (taken) by cell, three signs by spot."""
    inner, gap, names = layout.inner[columns], layout.gap[columns], layout.name_lines[columns]
    height = names + FRAME_LINES
    lines: list[str] = []
    for at, line in enumerate(LINES):
        cells = [f"{line}{column}" for column in range(1, columns + 1)]
        boxes = [
            _box(cell, faces[cell], inner, names) if cell in faces else [" " * (inner + 2)] * height for cell in cells
        ]
        for row in range(height):
            text = " " * MARGIN + boxes[0][row]
            for left, right, box in zip(cells, cells[1:], boxes[1:], strict=False):
                mark = marks.get(left + right, "") if row == height // 2 else ""
                text += mark.center(gap) + box[row]
            lines.append(text.rstrip())
        if at + 1 < len(LINES):
            lines.append(_between(line + LINES[at + 1], columns, marks, layout))
    return lines


def _between(rows: str, columns: int, marks: Mapping[str, str], layout: Layout) -> str:
    upper, lower, text = rows[0], rows[1], " " * MARGIN
    for column in range(1, columns + 1):
        text += marks.get(f"{upper}{column}{lower}{column}", "").center(layout.inner[columns] + 2)
        corner = f"{upper}{column}{upper}{column + 1}{lower}{column}{lower}{column + 1}"
        text += marks.get(corner, "").center(layout.gap[columns])
    return text.rstrip()


def _box(cell: str, face: Face | None, inner: int, name_lines: int) -> list[str]:
    if face is None:
        return [f"  {cell}".ljust(inner + 2), *[" " * (inner + 2)] * (name_lines + FRAME_LINES - 1)]
    head = f" {face.value}" + face.right.rjust(inner - len(face.value) - 2) + " "
    names = wrap_name(face.name, inner, name_lines)
    body = [f"|{line.center(inner)}|" for line in names] + [f"|{' ' * inner}|"] * (name_lines - len(names))
    return [f"+ {cell} ".ljust(inner + 1, "-") + "+", f"|{head[:inner]}|", *body, "+" + "-" * inner + "+"]


@lru_cache(maxsize=1024)
def wrap_name(name: str, width: int, lines: int) -> tuple[str, ...]:
    """Break a name into `lines` lines: whole if it fits, else without its small words, else cut."""
    whole = _fill_lines(name.split(), width)
    if len(whole) <= lines and all(len(line) <= width for line in whole):
        return tuple(whole)
    short = _fill_lines([word for word in name.split() if word.lower() not in SMALL], width)
    return tuple(line if len(line) <= width else line[: width - 1] + "." for line in short[:lines])


def _fill_lines(words: list[str], width: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def cut_name(name: str, width: int) -> str:
    """Return a name in one line of at most this width."""
    return wrap_name(name, width, 1)[0]


LABEL = 12
SCORE_COLUMN = 14


def sign(colour: str, value: int, locale: Locale) -> str:
    """Return colour and value in the shortest form: R7."""
    return f"{letter(colour, locale)}{value}"


def worth(standing: Standing, locale: Locale) -> str:
    """Return the current values of a card, and in brackets the printed ones if they differ."""
    now = sign(standing.colour, standing.value, locale)
    printed = sign(standing.printed_colour, standing.printed_value, locale)
    return now if now == printed else f"{now} ({printed})"


def saga_lines(view: View, seat: Seat, locale: Locale, layout: Layout) -> list[str]:
    """Write the Saga of a seat: each row with its points so far, each name above the card's current values."""
    rows = view.standing(seat)
    slots = max(MOST_PLAYED, *map(len, rows))
    width = (layout.width - LABEL) // slots
    lines: list[str] = []
    for at, row in enumerate(rows):
        points = str(GEAS[view.geas[at]].score(view.sagas[seat])) if view.geas else ""
        label = f"  {localise(ROW_NAMES[ROWS[at]], locale):<6} {points:>2}"
        cells = [_cell(standing, width - 1, locale, layout.saga_lines) for standing in row]
        cells += [(("-",), "")] * (slots - len(cells))
        named = [names for names, _ in cells]
        below = ["".join(what.ljust(width) for _, what in cells)] if any(what for _, what in cells) else []
        drawn_names = ["".join(part.ljust(width) for part in parts) for parts in zip_longest(*named, fillvalue="")]
        for number, words in enumerate((*drawn_names, *below)):
            start = " " * LABEL if number else label.ljust(LABEL)
            lines.append((start + words).rstrip())
    return lines


def _cell(standing: Standing | None, width: int, locale: Locale, lines: int) -> tuple[tuple[str, ...], str]:
    """Return the name of a card, and its current values."""
    if standing is None:
        return ({"en": "(hole)", "fr": "(trou)"}[locale],), ""
    return wrap_name(card_name(standing.card, locale), width, lines), worth(standing, locale)


def region_sizes(sizes: dict[str, int], locale: Locale) -> str:
    """Return the largest regions by colour: B2 G4 R0 Y3."""
    return " ".join(sign(colour, sizes[colour], locale) for colour in COLOURS)


def score_lines(names: list[str], scores: tuple[Score, ...], locale: Locale) -> list[str]:
    """Write the score sheet with a column for each seat."""
    labels = list(dict.fromkeys(count.label for score in scores for count in score.counts))
    named = {label: _label(label, locale) for label in (*labels, "total")}
    width = max(map(len, named.values())) + 2
    column = min(SCORE_COLUMN, (WIDE.width - width - 2) // len(scores))
    head = " " * (width + 2) + "".join(cut_name(name, column - 1).rjust(column) for name in names)
    rows = [head]
    for label in labels:
        points = [next((count.points for count in score.counts if count.label == label), None) for score in scores]
        cells = "".join(("-" if point is None else str(point)).rjust(column) for point in points)
        rows.append(f"  {named[label].ljust(width)}{cells}")
    totals = "".join(str(score.total).rjust(column) for score in scores)
    return [*rows, f"  {named['total'].ljust(width)}{totals}"]


def _label(label: str, locale: Locale) -> str:
    name = WORDS.name(label, locale)
    if label in COLOURS:
        return {"en": f"Regions, {name}", "fr": f"Régions, {name}"}[locale]
    return name


def in_columns(items: list[str], width: int) -> list[str]:
    """Set short texts in two columns, read line by line."""
    half = width // 2
    pairs = zip_longest(items[::2], items[1::2], fillvalue="")
    if any(len(item) >= half for item in items):
        return items
    return [(left.ljust(half) + right).rstrip() for left, right in pairs]


INDENT = "  "
HALF = 2
BALOR_MARK = "B"
SMALL_NAME = 20


def text(view: View, locale: Locale) -> str:
    """Write the whole table: phase, Geas, Otherworld, every Saga, Balor, the viewer's hand, and the count."""
    return join_parts([*_parts(view, locale, WIDE), _balor_reasons(view, locale), _scores(view, locale)], locale)


def board(view: View, locale: Locale, width: int) -> str:
    """Write the table for a terminal of at least 80 columns, without the count."""
    return join_parts(_parts(view, locale, WIDE if width >= WIDE.width else NARROW), locale)


def compact(view: View, locale: Locale) -> str:
    """Write the table in 20 rows of 80 columns: cards by colour and value, the Otherworld in three rows, no hints."""
    head, (deck, *_) = heading_items(view, locale)
    pairs = zip(ROWS, view.geas, strict=False)
    geas = [f"{localise(ROW_NAMES[row], locale)} {geas_name(slug, locale)}" for row, slug in pairs]
    rows = [*fold_items([*head[:3], deck, *head[3:]], NARROW.width, INDENT), *fold_items(geas, NARROW.width, INDENT)]
    rows += _small_grid(view, locale) if view.phase != "cleanup" else []  # nobody can take these cards any more
    for seat in view.clockwise:
        rows += _small_balor(view, locale) if view.solo and seat == BALOR else _small_seat(view, seat, locale)
    hand, cards = hand_items(view, locale)
    named = ", ".join(sign_and_name(card, locale) for card in view.hand)
    rows += fold_words(f"{hand[0]} – {named}", NARROW.width, "", INDENT) if hand else []
    return typeset("\n".join([*rows, *cards[len(view.hand) :]]), locale)


def _small_grid(view: View, locale: Locale) -> list[str]:
    """Write each line of the Otherworld in one row, with as much of each name as fits."""
    width = NARROW.width // (view.seats + 1)
    rows = dict.fromkeys(LINES, "")
    for cell, card in zip(view.world.cells, view.grid, strict=False):
        label = f"{cell} {sign(CARDS[card].colour, CARDS[card].value, locale)} " if card else f"{cell} -"
        name = cut_name(card_name(card, locale), width - len(label) - 1) if card else ""
        rows[cell[0]] = rows[cell[0]].ljust(width * (int(cell[1:]) - 1)) + label + name
    return [row for row in rows.values() if row]


def _small_seat(view: View, seat: Seat, locale: Locale) -> list[str]:
    """Write a seat in two rows: its hand, Storytellers and, if they fit, regions; then its Saga in signs."""
    say, saga = SAY[locale], view.sagas[seat]
    you = say["you"] if seat == view.seat else ""
    gone = say["resigned"] if seat in view.resigned else ""
    head = [cut_name(who(view, seat, locale), SMALL_NAME) + you + gone]
    if view.scores:
        head.append(f"{view.scores[seat].total} {points_word(view.scores[seat].total, locale)}")
    head += [say["held"].format(held=view.held[seat]), *_tellers(view, seat, locale)]
    head.append(say["regions"].format(sizes=region_sizes(saga.regions, locale)))
    rows = []
    for at, row in enumerate(view.standing(seat)):
        cards = " ".join(sign(each.colour, each.value, locale) if each else "." for each in row)
        points = f" {GEAS[view.geas[at]].score(saga)}" if view.geas else ""
        rows.append(f"{localise(ROW_NAMES[ROWS[at]], locale)}{points}: {cards or '-'}")
    return [fold_items(head, NARROW.width)[0], INDENT + " · ".join(rows)]


def _small_balor(view: View, locale: Locale) -> list[str]:
    """Write Balor's card, marker and Storytellers, his points now, and the colours in his pile."""
    head, _ = balor_items(view, locale)
    rows = fold_items([*head, *_tellers(view, BALOR, locale)], NARROW.width, INDENT)
    points = points_now(view, view.balor_score, locale) if view.balor_score else ""
    sizes = region_sizes(pile_regions(view.pile), locale)
    pile = SAY[locale]["pile"].format(count=len(view.pile), sizes=sizes)
    return [*rows, *fold_items([INDENT + pile, *filter(None, [points])], NARROW.width, INDENT)]


def _parts(view: View, locale: Locale, layout: Layout) -> list[list[str]]:
    """Return the parts: phase, Geas, Otherworld, every Saga, Balor, and the viewer's hand."""
    width = layout.width
    parts = [_heading(view, locale, width), _geas(view, locale, width), _otherworld(view, locale, layout)]
    parts += [_seat(view, seat, locale, layout) for seat in view.clockwise if not (view.solo and seat == BALOR)]
    return [*parts, _balor(view, locale, width), _hand(view, locale, width)]


def heading_items(view: View, locale: Locale) -> tuple[list[str], list[str]]:
    """Return the stage of the match and the seats that are asked; then deck, discards and the first player."""
    say = SAY[locale]
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    head = ["Tír na nÓg", say["round"].format(round=view.round, rounds=ROUNDS), localise(PHASE_NAMES[phase], locale)]
    asked = [who(view, seat, locale) for seat in view.asked if seat != CHANCE]
    if not view.asked and not view.over:
        head.append(say["paused"])
    if asked:
        head.append(ASKED[locale].get(view.asking.what, say["asked"]).format(who=", ".join(asked)))
    counts = [say["deck"].format(deck=view.deck), say["discards"].format(discards=len(view.discards))]
    if view.discards:
        counts[-1] += say["last"].format(card=sign_and_name(view.discards[-1], locale))
    if not view.solo:
        counts.append(say["token"].format(who=who(view, view.token, locale)))
    return head, counts


def _heading(view: View, locale: Locale, width: int) -> list[str]:
    head, counts = heading_items(view, locale)
    if view.answered:
        waiting = ", ".join(who(view, seat, locale) for seat in view.answered)
        counts.append(SAY[locale]["answered"].format(who=waiting))
    return [*fold_items(head, width), *fold_items(counts, width)]


def _geas(view: View, locale: Locale, width: int) -> list[str]:
    lines = [SAY[locale]["geas"]] if view.geas else []
    for row, slug in zip(ROWS, view.geas, strict=False):
        label = f"{INDENT}{localise(ROW_NAMES[row], locale):<8}"
        lines += _wrap(f"{label}{geas_name(slug, locale)} – {geas_text(slug, locale)}", width, " " * len(label))
    return lines


def _otherworld(view: View, locale: Locale, layout: Layout) -> list[str]:
    if not any(view.grid):
        return []
    faces = {
        cell: _face(card, locale) if card else None for cell, card in zip(view.world.cells, view.grid, strict=True)
    }
    lines = [SAY[locale]["otherworld"], *draw_grid(faces, _marks(view), view.seats + 1, layout)]
    lines += ["", *_legend(view, locale, layout.width)]
    special = [card for card in dict.fromkeys(view.grid) if card and CARDS[card].timing]
    hints = [f"{INDENT}{card_name(card, locale)}: {hint(card, locale)}" for card in special]
    if locale == "fr":
        hints = [line.replace(": ", " : ", 1) for line in hints]
    return [*lines, *in_columns(hints, layout.width)]


def _face(card: str, locale: Locale) -> Face:
    printed = CARDS[card]
    return Face(sign(printed.colour, printed.value, locale), card_name(card, locale), "Ailm" if printed.ailm else "")


def _marks(view: View) -> dict[str, str]:
    """Return three signs for each spot with Storytellers, and for Balor's marker."""
    marks: dict[str, str] = {view.marker: " * "} if view.marker else {}
    standing: dict[str, list[str]] = {}
    for seat, spots in enumerate(view.out):
        for spot in spots:
            standing.setdefault(spot, []).append(BALOR_MARK if view.solo and seat == BALOR else str(seat))
    lost = {spot for seat in range(view.seats) for spot in view.lost_spots(seat)}
    for spot, seats in standing.items():
        if len(seats) == HALF:
            marks[spot] = "&".join(seats)
        else:
            left, right = "!!" if spot in lost else "()"
            marks[spot] = f"{'*' if spot == view.marker else left}{seats[0]}{right}"
    return marks


def _legend(view: View, locale: Locale, width: int) -> list[str]:
    say, marks = SAY[locale], set("".join(_marks(view).values()))
    parts = [say["letters"], *(_standing(view, locale) if "(" in marks or ")" in marks else ())]
    parts += [say["lost"] if "!" in marks else "", say["shared"] if "&" in marks else ""]
    parts += [say["marker"] if view.marker else "", say["balors"] if BALOR_MARK in marks else ""]
    return fold_items([INDENT + parts[0], *filter(None, parts[1:])], width, INDENT)


def _standing(view: View, locale: Locale) -> list[str]:
    """Say whose Storytellers the numbers are: by name, or by an example if names are unknown."""
    if not view.names:
        return [SAY[locale]["standing"]]
    seats = [seat for seat, spots in enumerate(view.out) if spots and not (view.solo and seat == BALOR)]
    return [f"({seat}) {who(view, seat, locale)}" for seat in seats]


def _seat(view: View, seat: Seat, locale: Locale, layout: Layout) -> list[str]:
    say, saga = SAY[locale], view.sagas[seat]
    you = say["you"] if seat == view.seat else ""
    gone = say["resigned"] if seat in view.resigned else ""
    number = f"{seat}, " if view.names else ""
    about = f"({number}{localise(SET_NAMES[seat], locale)}{you}{gone})"
    head = [f"{who(view, seat, locale)} {about}", say["held"].format(held=view.held[seat])]
    head += _tellers(view, seat, locale)
    head.append(say["regions"].format(sizes=region_sizes(saga.regions, locale)))
    if view.used[seat]:
        head.append(say["used"].format(cards=", ".join(card_name(card, locale) for card in view.used[seat])))
    return [*fold_items(head, layout.width, INDENT), *saga_lines(view, seat, locale, layout)]


def _tellers(view: View, seat: Seat, locale: Locale) -> list[str]:
    say, lost = SAY[locale], view.lost_spots(seat)
    if view.phase not in ("journey", "saga"):
        return []
    spots = [f"{spot} {say['is-lost']}" if spot in lost else spot for spot in view.out[seat]]
    home = STORYTELLERS - len(spots)
    spots += [say["home"].format(home=home)] if home else []
    return [say["tellers"].format(spots=", ".join(spots))]


def balor_items(view: View, locale: Locale) -> tuple[list[str], list[str]]:
    """Return the state of Balor's card and marker; then sentences about his last turn, his points and his pile."""
    say = SAY[locale]
    head = [say["balor"].format(level=localise(LEVEL_NAMES[view.balor], locale))]
    head.append(say["side"].format(side=localise(SIDE_NAMES[view.side], locale)))
    if view.marker:
        head.append(say["marked"].format(spot=view.marker))
    told: list[str] = []
    if view.turned and not view.over:
        told.append(turn_sentence(view.turned, flipped=view.flipped, side=view.side, locale=locale))
    if view.gaze and not view.over:
        told.append(say["why"].format(why=reason(view, view.gaze, locale)))
    if view.balor_score:
        told.append(points_now(view, view.balor_score, locale))
    sizes = region_sizes(pile_regions(view.pile), locale)
    cards = ", ".join(sign_and_name(card, locale) for card in view.pile)
    told.append(say["pile"].format(count=len(view.pile), sizes=sizes) + (f" – {cards}" if cards else ""))
    return head, told


def _balor(view: View, locale: Locale, width: int) -> list[str]:
    if not view.solo:
        return []
    head, told = balor_items(view, locale)
    lines = fold_items([*head, *_tellers(view, BALOR, locale)], width, INDENT)
    for sentence in told:
        lines += _wrap(INDENT + sentence, width, INDENT * 2)
    return lines


def hand_items(view: View, locale: Locale) -> tuple[list[str], list[str]]:
    """Return the heading of the viewer's hand, if it has cards; then a row for each card, and the card aside."""
    if view.seat is None or view.over:
        return [], []
    say, rows = SAY[locale], [card_with_hint(card, locale) for card in view.hand]
    if view.drawn:
        rows.append(say["drawn"].format(card=sign_and_name(view.drawn, locale)))
    if view.answer:
        rows.append(say["answer"].format(card=sign_and_name(view.answer, locale)))
    return [say["hand"].format(count=len(view.hand))] if view.hand else [], rows


def _hand(view: View, locale: Locale, width: int) -> list[str]:
    head, rows = hand_items(view, locale)
    return [*head, *(line for row in rows for line in _wrap(INDENT + row, width, INDENT * 2))]


def _scores(view: View, locale: Locale) -> list[str]:
    if not view.scores:
        return []
    names = [who(view, seat, locale) for seat in range(view.seats)]
    return [localise(PHASE_NAMES["scoring"], locale), *score_lines(names, view.scores, locale)]


def _balor_reasons(view: View, locale: Locale) -> list[str]:
    """Say why Balor has his points, once the match is over."""
    told = points_reasons(view, view.balor_score, locale) if view.balor_score and view.scores else []
    return [line for sentence in told for line in _wrap(sentence, WIDE.width, INDENT)]


@lru_cache(maxsize=512)
def sign_and_name(card: str, locale: Locale) -> str:
    """Return a card by its printed sign and its name: `Y7 Lugh`."""
    return f"{sign(CARDS[card].colour, CARDS[card].value, locale)} {card_name(card, locale)}"


@lru_cache(maxsize=512)
def card_with_hint(card: str, locale: Locale) -> str:
    """Return a card with its effect in a few words."""
    ailm, about = " Ailm" if CARDS[card].ailm else "", hint(card, locale)
    return f"{sign_and_name(card, locale)}{ailm}" + (f" – {about}" if about else "")


def _wrap(line: str, width: int, indent: str) -> list[str]:
    start = line[: len(line) - len(line.lstrip())]
    return fold_words(line, width, "", indent or start)


INKS: tuple[tuple[str, str], ...] = (
    (r"\bR\d+\b", "red"),
    (r"\b[GV]\d+\b", "green"),
    (r"\bB\d+\b", "blue"),
    (r"\b[YJ]\d+\b", "yellow"),
    (r"\([0-9B]\)|[0-9B]&[0-9B]|\*[0-9B]\)", "bold"),
    (r"![0-9B]!", "magenta"),
    (r"\bAilm\b", "bold"),
)
"""Patterns that a terminal prints in colour."""
