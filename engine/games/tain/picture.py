"""The table of Táin as a picture, for wide and for narrow screens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from engine.game import Seat
from engine.games.tain import labels, pieces
from engine.games.tain.labels import label
from engine.games.tain.marks import captive_mark, place_mark, token_mark
from engine.games.tain.pieces import GRASS, ROUNDS_WIDTH, STONE, draw_cell, draw_clan_sign, draw_gate, draw_spot
from engine.games.tain.text import SAY, hidden_words, loot_words, player_words, turn_words
from engine.games.tain.tokens import GATES, KINDS, KINGDOM, LETTERS, PASTURE, ROUNDS
from engine.games.tain.view import TainView
from engine.games.tain.words import KIND_NAMES, letters_in, token_counts
from engine.lettering import cut_words, estimate_width, fit_size, shorten_name
from engine.picture import Box, Group, PartCache, Shape, Text
from engine.signs import FAINT_ON_FELT, GOLD, ON_FELT, band
from engine.words import Locale


@dataclass(frozen=True)
class Form:
    """Measures of a picture: wide for desktops and emails, narrow for phones."""

    width: float
    edge: float
    columns: int
    gate: float
    """Distance from one gate to the next."""
    cell: float
    radius: float
    height: float = 148
    """Height of a clan's board."""

    @property
    def board(self) -> float:
        """The width of a clan's board."""
        return len(GATES) * self.gate + self.cell + 2 * GAP


GAP = 4.0
WIDE = Form(width=780, edge=14, columns=2, gate=58, cell=64, radius=21)
LARGE = Form(width=928, edge=14, columns=2, gate=64, cell=96, radius=21)
RIVALS = {
    3: Form(width=928, edge=14, columns=2, gate=62, cell=84, radius=19, height=126),
    4: Form(width=928, edge=14, columns=2, gate=47, cell=48, radius=17, height=126),
}
"""By seats: the boards of rivals, smaller than the viewer's and above it."""
NARROW = Form(width=360, edge=8, columns=1, gate=54, cell=66, radius=18, height=132)
HEAD, LOOT, HIDDEN = 40.0, 18.0, 15.0
SUMMARY = 22.0
"""Height of the line above a board on a narrow picture. It replaces `HEAD` and `HIDDEN` of a wide one."""
COUNTS, UNUSED, LEAST_NAME = 84.0, 28.0, 64.0
"""Room in that line for herd and jewels, for the number of unused tokens, and at least for a player's name."""
DUEL = 2


def picture(view: TainView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the kingdom, every clan's board with its gates, and the viewer's own tokens."""
    draw, form = (draw_narrow, NARROW) if narrow else (draw_duel, WIDE) if view.seats == DUEL else (draw_table, LARGE)
    shapes, height = draw(view, locale)
    return (Box(0, 0, form.width, height, "peat"), *shapes)


def draw_table(view: TainView, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the rivals' boards in one line, below them the viewer's with the kingdom beside it, then the tokens."""
    (own, *rivals), small = view.clockwise, RIVALS[view.seats]
    step = (small.width - 2 * small.edge - small.board) / (len(rivals) - 1)
    shapes: list[Shape] = []
    for place, seat in enumerate(rivals):
        shapes += draw_clan(view, seat, small.edge + place * step, 10, small, locale)
    y = 10 + HEAD + small.height + extra_room(view) + 12
    shapes += draw_clan(view, own, LARGE.edge, y, LARGE, locale)
    x, width = LARGE.edge + LARGE.board + 22, LARGE.width - 2 * LARGE.edge - LARGE.board - 22
    shapes += [
        Text(x, y + 20, "Táin", 24, ON_FELT, bold=True),
        draw_rounds(view, x + width - ROUNDS_WIDTH, y + 4, locale),
        *band(x, y + 44, width, GOLD),
        draw_kingdom(view, x, y + HEAD + hidden_room(view) + 6, width, 92, locale),
    ]
    y += HEAD + LARGE.height + extra_room(view) + 8
    if view.seat is None or view.over:
        return shapes, y + 4
    return [*shapes, *draw_screen(view, LARGE, y, locale)], y + 94


def draw_duel(view: TainView, locale: Locale) -> tuple[list[Shape], float]:
    """Draw both boards side by side, and the viewer's tokens below. Return the shapes and the lower end."""
    form = WIDE
    shapes: list[Shape] = [
        Text(form.edge, 38, "Táin", 30, ON_FELT, bold=True),
        draw_rounds(view, form.edge, 66, locale),
        draw_kingdom(view, form.edge + 268, 10, form.width - 2 * form.edge - 268, 76, locale),
        *band(form.edge, 99, form.width - 2 * form.edge, GOLD),
    ]
    for seat in range(view.seats):
        x = form.width - form.edge - form.board if seat else form.edge
        shapes += draw_clan(view, seat, x, 110, form, locale)
    y = 110 + HEAD + form.height + extra_room(view) + 12
    if view.seat is None or view.over:
        return shapes, y + 2
    return [*shapes, *draw_screen(view, form, y, locale)], y + 104


def draw_narrow(view: TainView, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the rivals in brief, then the viewer's board and tokens. Return the shapes and the lower end.

    A phone shows four seats without scrolling: one line lists a rival's things, and its captives and guards are small.
    Loot replaces the hidden tokens until it is brought in.
    """
    form = NARROW
    width = form.width - 2 * form.edge
    shapes: list[Shape] = [
        Text(form.edge, 23, "Táin", 20, ON_FELT, bold=True),
        draw_rounds(view, form.width - form.edge - ROUNDS_WIDTH, 16, locale),
    ]
    y = 34.0
    for seat in range(view.seats):
        if seat != view.seat:
            shapes += draw_rival(view, seat, form.edge, y, locale)
            y += SUMMARY + RIVAL_BOARD + 5
    shapes.append(draw_kingdom(view, form.edge, y + 2, width, 46, locale))
    y += 54
    if view.seat is None:
        return shapes, y
    shapes += draw_turn(view, view.seat, 4, y - 2, form.width - 8, SUMMARY + form.height + 6)
    shapes += draw_summary(view, view.seat, form.edge, y, width, locale)
    shapes += draw_board(view, view.seat, form.edge, y + SUMMARY, form, locale)
    y += SUMMARY + form.height + 8
    if view.over:
        return shapes, y
    return [*shapes, *draw_screen(view, form, y, locale)], y + 102


def draw_rounds(view: TainView, x: float, y: float, locale: Locale) -> Group:
    """Draw the track of rounds."""
    numbers = " ".join(str(number) for number in range(1, ROUNDS + 1))
    return Group(x, y, pieces.draw_rounds(view.round), label=f"{labels.round_label(view, locale)} ({numbers})")


def draw_kingdom(view: TainView, x: float, y: float, width: float, height: float, locale: Locale) -> Group:
    """Draw the foreign kingdom, where raiders go."""
    raiders = tuple(letters_in(token, locale) for token in view.kingdom)
    shapes = pieces.draw_kingdom(view.stock, raiders, label("kingdom", locale), width, height)
    return Group(x, y, shapes, place_mark(KINGDOM), labels.kingdom_label(view, locale))


def loot_room(view: TainView) -> float:
    """Return the room that the boards leave for loot, if there is any next to one of them."""
    won = any(clan.beside.cattle or clan.beside.jewels or clan.beside.captives for clan in view.clans)
    return LOOT if won else 0.0


def hidden_room(view: TainView) -> float:
    """Return the room for the hidden tokens of a clan. There is none at the end, when everything is turned up."""
    return 0.0 if view.over else HIDDEN


def extra_room(view: TainView) -> float:
    """Return the room that each board needs in addition to its fixed parts."""
    return hidden_room(view) + loot_room(view)


def draw_hidden(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Write which tokens a clan has face down or behind its screen."""
    words = hidden_words(view, seat, locale)
    shown = Text(0, 0, cut_words(words, width, 13), 13, ON_FELT)
    return [] if view.over else [Group(x, y, (shown,), label=label("hidden", locale, words=words))]


def draw_heading(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Draw the letter of a clan, its player and its points, so that each is outlined only when it changes itself."""
    total, who = labels.total_words(view, seat, locale), player_words(view, seat, locale)
    room = width - 36 - estimate_width(total, 15)
    size = fit_size(who, room, (15, 13, 12))
    name = Text(30, 19, shorten_name(who, room, size), size, ON_FELT, bold=True)
    points = Text(0, 0, total, 15, GOLD, "end", bold=True)
    return [
        Group(x, y, (*draw_clan_sign(seat), name), label=f"{LETTERS[seat]} {who}{turn_words(view, seat, locale)}"),
        Group(x + width, y + 19, (points,), label=f"{LETTERS[seat]} {total}"),
    ]


def draw_summary(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Draw the line above a board of a narrow picture: player, herd, jewels, hidden tokens or loot, and points."""
    clan, say, own = view.clans[seat], SAY[locale], seat == view.seat
    name, turn = player_words(view, seat, locale), turn_words(view, seat, locale)
    points, loot = str(view.scores[seat].total), loot_words(clan.beside, locale)
    end = width - estimate_width(points, 15) - 8
    room = end - 34 - UNUSED - (0 if own else COUNTS)
    tokens = "" if view.over else token_counts(clan.unshown, locale, brief=True)
    told = cut_words(loot or tokens, room - LEAST_NAME, 12)
    left = room - estimate_width(told, 12)
    who = name + turn if estimate_width(name + turn, 12) <= left else name
    size = fit_size(who, left, (14, 13, 12))
    total = labels.total_words(view, seat, locale)
    heading = (*draw_clan_sign(seat, 9), Text(24, 15, shorten_name(who, left, size), size, ON_FELT, bold=True))
    score = Text(0, 0, points, 15, GOLD, "end", bold=True)
    shapes: list[Shape] = [
        Group(x, y, heading, label=f"{LETTERS[seat]} {name}{turn}"),
        Group(x + width, y + 15, (score,), label=f"{LETTERS[seat]} {total}"),
    ]
    at = x + end - estimate_width(told, 12) - UNUSED
    if not own:
        cattle, jewels = say["cattle"].format(clan.cattle), say["jewels"].format(clan.jewels)
        shapes.append(Group(at - 75, y + 10, pieces.draw_count("cattle", clan.cattle), label=cattle))
        shapes.append(Group(at - 33, y + 10, pieces.draw_count("jewels", clan.jewels), label=jewels))
    if not view.over:
        unused = (
            Text(-10, 0, str(clan.unused), 12, ON_FELT, "end", bold=True),
            Text(0, 0, "·", 12, FAINT_ON_FELT, "end"),
        )
        shapes.append(Group(at + UNUSED - 4, y + 15, unused, label=say["screens"].format(clan.unused, clan.used)))
    if told:
        drawn = Text(0, 0, told, 12, GOLD if loot else FAINT_ON_FELT, "end")
        words = (
            say["beside"].format(loot=loot)
            if loot
            else label("hidden", locale, words=say["hidden"].format(tokens=tokens))
        )
        shapes.append(Group(x + end, y + 15, (drawn,), label=words))
    return shapes


def draw_clan(view: TainView, seat: Seat, x: float, y: float, form: Form, locale: Locale) -> list[Shape]:
    """Draw a clan with its player above its board and its loot below."""
    clan, top = view.clans[seat], y + HEAD + hidden_room(view)
    screen = SAY[locale]["screens"].format(clan.unused, clan.used)
    return [
        *draw_turn(view, seat, x - 6, y - 4, form.board + 12, HEAD + form.height + 10 + extra_room(view)),
        *draw_heading(view, seat, x, y, form.board, locale),
        Text(x + 30, y + 35, screen + turn_words(view, seat, locale), 13, FAINT_ON_FELT),
        *draw_hidden(view, seat, x + 30, y + 50, form.board - 30, locale),
        *draw_board(view, seat, x, top, form, locale),
        *draw_loot(view, seat, x, top + form.height + 14, form.board, locale),
    ]


def draw_board(view: TainView, seat: Seat, x: float, top: float, form: Form, locale: Locale) -> list[Shape]:
    """Draw a clan's whole board: pasture and house with their gates, herd, jewels and cell."""
    clan, say, step = view.clans[seat], SAY[locale], form.gate
    pasture, house = PASTURE * step, (len(GATES) - PASTURE) * step
    left = pasture + GAP
    shapes: list[Shape] = [
        Box(x, top, pasture, form.height, GRASS, "", 10),
        Box(x + left, top, house, form.height, STONE, "", 10),
    ]
    for gate, number in enumerate(GATES):
        middle = x + (gate + 0.5) * step + (GAP if gate >= PASTURE else 0)
        scouts, guards = top + form.radius + 6, top + form.height - form.radius - 36
        shapes.append(place_gate(middle, (scouts + guards) / 2 + 1, step, number))
        shapes.append(draw_scout(view, seat, gate, middle, scouts, form.radius, locale))
        shapes.append(draw_guard(view, seat, gate, middle, guards, form.radius, locale))
    low = top + form.height - 17
    cattle, jewels = say["cattle"].format(clan.cattle), say["jewels"].format(clan.jewels)
    shapes.append(Group(x + 2, low, pieces.draw_herd(0, 0, clan.cattle, pasture - 12), label=cattle))
    shapes.append(Group(x + left + 2, low, pieces.draw_hoard(clan.jewels, house - 12), label=jewels))
    shapes.append(Group(x + left + house + GAP, top, draw_cell(form.cell, form.height, 24)))
    return shapes + draw_captives(view, seat, x + left + house + GAP + form.cell / 4, top + 44, form.cell / 2, locale)


def draw_turn(view: TainView, seat: Seat, x: float, y: float, width: float, height: float) -> list[Shape]:
    """Draw a golden line around the board of a seat that is asked."""
    return [Box(x, y, width, height, "", GOLD, 12, 2.5)] if seat in view.asked else []


def ground(gate: int) -> str:
    """Return the colour under the places of a gate."""
    return GRASS if gate < PASTURE else STONE


SCOUTS: PartCache[Group] = PartCache(4096)
GUARDS: PartCache[Group] = PartCache(4096)


def draw_scout(view: TainView, seat: Seat, gate: int, x: float, y: float, radius: float, locale: Locale) -> Group:
    """Draw the place before a gate. On a rival's board the viewer's scouts go there."""
    clan = view.clans[seat]
    owner, kind = clan.owners[gate], clan.scouts[gate]

    def draw() -> Group:
        mark = "" if view.seat in (None, seat) else place_mark(LETTERS[seat] + GATES[gate])
        shapes = draw_spot(0, 0, owner, letters_in(kind, locale), ground(gate), "scout", radius)
        return Group(x, y, shapes, mark, labels.scout_label(view, seat, gate, locale))

    watched = seat == view.seat, view.seat is None
    return SCOUTS.find((seat, gate, owner, kind, watched, view.names, x, y, radius, locale), draw)


def draw_guard(view: TainView, seat: Seat, gate: int, x: float, y: float, radius: float, locale: Locale) -> Group:
    """Draw the place behind a gate. On the viewer's board guards go there."""
    kind, own = view.clans[seat].guards[gate], seat == view.seat

    def draw() -> Group:
        mark = place_mark(GATES[gate]) if own else ""
        shapes = draw_spot(0, 0, LETTERS[seat], letters_in(kind, locale), ground(gate), "guard", radius)
        return Group(x, y, shapes, mark, labels.guard_label(view, seat, gate, locale))

    return GUARDS.find((seat, gate, kind, own, view.names, x, y, radius, locale), draw)


@lru_cache(maxsize=256)
def place_small_gate(x: float, y: float, width: float, number: str) -> Group:
    """Draw the wall of a gate with its number next to the scout's place."""
    return Group(x, y, pieces.draw_small_gate(width, number))


@lru_cache(maxsize=256)
def place_gate(x: float, y: float, width: float, number: str) -> Group:
    """Draw a gate with its number."""
    return Group(x, y, draw_gate(0, 0, width, number))


def captives_of(view: TainView, seat: Seat) -> list[tuple[str, int]]:
    """Return the captives of a clan with their number, the viewer's own first."""
    own = "" if view.seat is None else LETTERS[view.seat]
    return sorted(Counter(view.clans[seat].prisoners).items(), key=lambda each: (each[0][0] != own, each[0]))


def draw_captives(view: TainView, seat: Seat, x: float, y: float, step: float, locale: Locale) -> list[Shape]:
    """Draw the captives in a cell, two in a row."""
    return [
        draw_captive(view, seat, token, many, x + at % 2 * step, y + at // 2 * 38, 14, locale)
        for at, (token, many) in enumerate(captives_of(view, seat))
    ]


def draw_captive(
    view: TainView, seat: Seat, token: str, many: int, x: float, y: float, radius: float, locale: Locale
) -> Group:
    """Draw captives of one owner and kind. A touch frees the viewer's own."""
    own = view.seat is not None and token[0] == LETTERS[view.seat]
    mark = captive_mark(LETTERS[seat], token[1]) if own else ""
    shapes = pieces.draw_captives(token[0], letters_in(token[1], locale), many, radius)
    return Group(x, y, shapes, mark, labels.captive_label(view, seat, token, many, locale))


def draw_loot(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Write a clan's gains from the raids of this round."""
    loot = loot_words(view.clans[seat].beside, locale)
    words = SAY[locale]["beside"].format(loot=loot)
    return [Text(x, y, cut_words(words, width, 13), 13, GOLD)] if loot else []


RIVAL_GATE, RIVAL_BOARD = 48.0, 62.0
CELL_STEP, CELL_COLUMNS, CELL_ROOM = 30.5, 3, 6
"""Captives in the small cell of a rival: their distance, their number in a row, and their maximum."""


def draw_rival(view: TainView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    """Draw a rival on a narrow picture: a line with its things, a row of gates, and the cell."""
    width, step, top = NARROW.width - 2 * NARROW.edge, RIVAL_GATE, y + SUMMARY
    pasture, house = PASTURE * step, (len(GATES) - PASTURE) * step
    cell = pasture + house + 2 * GAP
    shapes: list[Shape] = [
        *draw_turn(view, seat, x - 4, y - 2, width + 8, SUMMARY + RIVAL_BOARD + 5),
        *draw_summary(view, seat, x, y, width, locale),
        Box(x, top, pasture, RIVAL_BOARD, GRASS, "", 8),
        Box(x + pasture + GAP, top, house, RIVAL_BOARD, STONE, "", 8),
        Group(x + cell, top, draw_cell(width - cell, RIVAL_BOARD, 10)),
    ]
    for gate, number in enumerate(GATES):
        middle = x + (gate + 0.5) * step + (GAP if gate >= PASTURE else 0)
        shapes.append(place_small_gate(middle, top + 38, step, number))
        shapes.append(draw_scout(view, seat, gate, middle - 5, top + 18, 15, locale))
        shapes.append(draw_guard(view, seat, gate, middle - 5, top + 51, 9, locale))
    for at, (token, many) in enumerate(captives_of(view, seat)[:CELL_ROOM]):
        left, down = x + cell + 17 + at % CELL_COLUMNS * CELL_STEP, top + 15.5 + at // CELL_COLUMNS * CELL_STEP
        shapes.append(draw_captive(view, seat, token, many, left, down, 13, locale))
    return shapes


def draw_screen(view: TainView, form: Form, y: float, locale: Locale) -> list[Shape]:
    """Draw the viewer's tokens, a stack for each kind, and those already used."""
    step = (form.width - 2 * form.edge + 6) / len(KINDS)
    brief = form.columns == 1
    counts = token_counts(view.used, locale, brief=brief) or SAY[locale]["empty"]
    used = SAY[locale]["used-brief" if brief else "used"].format(tokens=counts)
    shapes: list[Shape] = [Text(form.edge, y + 13, label("screen", locale), 15, ON_FELT, bold=True)]
    for at, kind in enumerate(KINDS):
        shapes.append(draw_stack(view, kind, form.edge + at * step, y + 24, step - 6, form, locale))
    if view.answer is not None:
        used = SAY[locale]["answer"].format(posts=letters_in(" ".join(view.answer), locale) or SAY[locale]["nobody"])
    room = form.width - 2 * form.edge - estimate_width(label("screen", locale), 15) - 12
    size = fit_size(used, room, (13, 12, 11))
    return [*shapes, Text(form.width - form.edge, y + 13, cut_words(used, room, size), size, FAINT_ON_FELT, "end")]


def draw_stack(view: TainView, kind: str, x: float, y: float, width: float, form: Form, locale: Locale) -> Group:
    """Draw the viewer's tokens of one kind. A touch takes one of them."""
    assert view.seat is not None  # noqa: S101  # spectators have no screen
    many, name = view.unused.count(kind), KIND_NAMES[locale][kind]
    letter = letters_in(kind, locale)
    shapes = pieces.draw_stack(view.seat, letter, many, name, width, form.columns > 1)
    words = label("left", locale, kind=letter, name=name, many=many)
    return Group(x, y, shapes, token_mark(kind) if many else "", words)
