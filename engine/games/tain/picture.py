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
from engine.lettering import cut_words, estimate_width, fit_size
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
    """How far one gate is from the next."""
    cell: float
    radius: float

    @property
    def board(self) -> float:
        """The width of a clan's board."""
        return len(GATES) * self.gate + self.cell + 2 * GAP


GAP = 4.0
WIDE = Form(width=780, edge=14, columns=2, gate=58, cell=64, radius=21)
NARROW = Form(width=360, edge=8, columns=1, gate=54, cell=66, radius=20)
HEAD, BOARD_HEIGHT, LOOT, HIDDEN = 50.0, 148.0, 20.0, 18.0


def picture(view: TainView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the kingdom, every clan's board with its gates, and the viewer's own tokens."""
    draw = draw_narrow if narrow else draw_wide
    shapes, height = draw(view, locale)
    return (Box(0, 0, (NARROW if narrow else WIDE).width, height, "felt"), *shapes)


def draw_wide(view: TainView, locale: Locale) -> tuple[list[Shape], float]:
    """Draw all boards, two side by side, and the viewer's tokens below. Return the shapes and the lower end."""
    form = WIDE
    shapes: list[Shape] = [
        Text(form.edge, 38, "Táin", 30, ON_FELT, bold=True),
        draw_rounds(view, form.edge, 66, locale),
        draw_kingdom(view, form.edge + 268, 10, form.width - 2 * form.edge - 268, 76, locale),
        *band(form.edge, 99, form.width - 2 * form.edge, GOLD),
    ]
    top, high = 110.0, HEAD + BOARD_HEIGHT + extra_room(view) + 12
    for seat in range(view.seats):
        across, down = seat % form.columns, seat // form.columns
        x = form.width - form.edge - form.board if across else form.edge
        if seat == view.seats - 1 and not across:
            x = (form.width - form.board) / 2
        shapes += draw_clan(view, seat, x, top + down * high, form, locale)
    y = top + -(-view.seats // form.columns) * high
    if view.seat is None or view.over:
        return shapes, y + 2
    return [*shapes, *draw_screen(view, form, y, locale)], y + 104


def draw_narrow(view: TainView, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the rivals in brief, then the viewer's board and tokens. Return the shapes and the lower end."""
    form = NARROW
    shapes: list[Shape] = [
        Text(form.edge, 30, "Táin", 24, ON_FELT, bold=True),
        draw_rounds(view, form.width - form.edge - ROUNDS_WIDTH, 23, locale),
        draw_kingdom(view, form.edge, 44, form.width - 2 * form.edge, 60, locale),
    ]
    y = 116.0
    for seat in range(view.seats):
        if seat != view.seat:
            shapes += draw_rival(view, seat, form.edge, y, locale)
            y += RIVAL_HEIGHT + extra_room(view)
    if view.seat is None:
        return shapes, y
    shapes += draw_clan(view, view.seat, form.edge, y, form, locale)
    y += HEAD + BOARD_HEIGHT + extra_room(view) + 8
    if view.over:
        return shapes, y
    return [*shapes, *draw_screen(view, form, y, locale)], y + 138


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
    """Return the room that the boards leave for loot, if there is any beside one of them."""
    won = any(clan.beside.cattle or clan.beside.jewels or clan.beside.captives for clan in view.clans)
    return LOOT if won else 0.0


def hidden_room(view: TainView) -> float:
    """Return the room for the hidden tokens of a clan: none at the end, when everything is turned up."""
    return 0.0 if view.over else HIDDEN


def extra_room(view: TainView) -> float:
    """Return the room that each board needs besides its fixed parts."""
    return hidden_room(view) + loot_room(view)


def draw_hidden(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Write which tokens a clan has face down or behind its screen."""
    words = hidden_words(view, seat, locale)
    shown = Text(0, 0, cut_words(words, width, 13), 13, ON_FELT)
    return [] if view.over else [Group(x, y, (shown,), label=label("hidden", locale, words=words))]


def draw_heading(view: TainView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw the letter of a clan, its player and its points; on a narrow picture its turn as well."""
    total, who = labels.total_words(view, seat, locale), player_words(view, seat, locale)
    turn = turn_words(view, seat, locale)
    words, room = who if width > NARROW.width else who + turn, width - 36 - estimate_width(total, 15, bold=True)
    size = fit_size(words, room, (15, 13, 12), bold=True)
    return Group(
        x,
        y,
        (
            *draw_clan_sign(seat),
            Text(30, 19, cut_words(words, room, size, bold=True), size, ON_FELT, bold=True),
            Text(width, 19, total, 15, GOLD, "end", bold=True),
        ),
        label=f"{LETTERS[seat]} {who}{turn}, {total}",
    )


def draw_clan(view: TainView, seat: Seat, x: float, y: float, form: Form, locale: Locale) -> list[Shape]:
    """Draw a clan's whole board: its player, pasture and house with their gates, herd, jewels and cell."""
    clan, say, step = view.clans[seat], SAY[locale], form.gate
    pasture, house = PASTURE * step, (len(GATES) - PASTURE) * step
    left, top = pasture + GAP, y + HEAD + hidden_room(view)
    screen, turn = say["screens"].format(clan.unused, clan.used), turn_words(view, seat, locale)
    shapes: list[Shape] = [
        *draw_turn(view, seat, x - 6, y - 4, form.board + 12, HEAD + BOARD_HEIGHT + 10 + extra_room(view)),
        draw_heading(view, seat, x, y, form.board, locale),
        Text(x + 30, y + 40, screen + (turn if form.columns > 1 else ""), 13, FAINT_ON_FELT),
        *draw_hidden(view, seat, x + 30, y + 58, form.board - 30, locale),
        Box(x, top, pasture, BOARD_HEIGHT, GRASS, "", 10),
        Box(x + left, top, house, BOARD_HEIGHT, STONE, "", 10),
    ]
    for gate, number in enumerate(GATES):
        middle = x + (gate + 0.5) * step + (GAP if gate >= PASTURE else 0)
        shapes.append(place_gate(middle, top + 60, step, number))
        shapes.append(draw_scout(view, seat, gate, middle, top + 27, form.radius, locale))
        shapes.append(draw_guard(view, seat, gate, middle, top + 91, form.radius, locale))
    low = top + BOARD_HEIGHT - 17
    cattle, jewels = say["cattle"].format(clan.cattle), say["jewels"].format(clan.jewels)
    shapes.append(Group(x + 2, low, pieces.draw_herd(0, 0, clan.cattle, pasture - 12), label=cattle))
    shapes.append(Group(x + left + 2, low, pieces.draw_hoard(clan.jewels, house - 12), label=jewels))
    shapes.append(Group(x + left + house + GAP, top, draw_cell(form.cell, BOARD_HEIGHT, 24)))
    shapes += draw_captives(view, seat, x + left + house + GAP + form.cell / 4, top + 44, form.cell / 2, locale)
    return [*shapes, *draw_loot(view, seat, x, top + BOARD_HEIGHT + 16, form.board, locale)]


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
    """Write what a clan won in the raids of this round."""
    loot = loot_words(view.clans[seat].beside, locale)
    words = SAY[locale]["beside"].format(loot=loot)
    return [Text(x, y, cut_words(words, width, 13), 13, GOLD)] if loot else []


RIVAL_HEIGHT = 140.0
RIVAL_GATE, RIVAL_BOARD = 50.0, 88.0


def draw_rival(view: TainView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    """Draw a rival on a narrow picture: a line with what it has, a row of gates, and the cell."""
    clan, say, width, step = view.clans[seat], SAY[locale], NARROW.width - 2 * NARROW.edge, RIVAL_GATE
    pasture, house, top = PASTURE * step, (len(GATES) - PASTURE) * step, y + 46 + hidden_room(view)
    cell = pasture + house + 2 * GAP
    cattle, jewels = say["cattle"].format(clan.cattle), say["jewels"].format(clan.jewels)
    shapes: list[Shape] = [
        *draw_turn(view, seat, x - 4, y - 2, width + 8, RIVAL_HEIGHT - 4 + extra_room(view)),
        draw_heading(view, seat, x, y, width, locale),
        Group(x + 39, y + 35, pieces.draw_count("cattle", clan.cattle), label=cattle),
        Group(x + 93, y + 35, pieces.draw_count("jewels", clan.jewels), label=jewels),
        Text(x + width, y + 40, say["screens"].format(clan.unused, clan.used), 13, FAINT_ON_FELT, "end"),
        *draw_hidden(view, seat, x + 30, y + 58, width - 30, locale),
        Box(x, top, pasture, RIVAL_BOARD, GRASS, "", 8),
        Box(x + pasture + GAP, top, house, RIVAL_BOARD, STONE, "", 8),
        Group(x + cell, top, draw_cell(width - cell, RIVAL_BOARD, 14)),
    ]
    for gate, number in enumerate(GATES):
        middle = x + (gate + 0.5) * step + (GAP if gate >= PASTURE else 0)
        shapes.append(place_gate(middle, top + 45, step, number))
        shapes.append(draw_scout(view, seat, gate, middle, top + 18, 16, locale))
        shapes.append(draw_guard(view, seat, gate, middle, top + 70, 14, locale))
    held = captives_of(view, seat)
    own = [each for each in held if view.seat is not None and each[0][0] == LETTERS[view.seat]]
    for at, (token, many) in enumerate(own):
        shapes.append(draw_captive(view, seat, token, many, x + cell + 22 + at * 40, top + 35, 16, locale))
    for at, (token, many) in enumerate(each for each in held if each not in own):
        shapes.append(draw_captive(view, seat, token, many, x + cell + 15 + at * 22, top + 70, 10, locale))
    return [*shapes, *draw_loot(view, seat, x, y + RIVAL_HEIGHT + hidden_room(view) + 8, width, locale)]


def draw_screen(view: TainView, form: Form, y: float, locale: Locale) -> list[Shape]:
    """Draw the viewer's tokens, a stack for each kind, and those already used."""
    step = (form.width - 2 * form.edge + 6) / len(KINDS)
    used = SAY[locale]["used"].format(tokens=token_counts(view.used, locale) or SAY[locale]["empty"])
    shapes: list[Shape] = [Text(form.edge, y + 16, label("screen", locale), 15, ON_FELT, bold=True)]
    for at, kind in enumerate(KINDS):
        shapes.append(draw_stack(view, kind, form.edge + at * step, y + 24, step - 6, form, locale))
    low = y + 24 + stack_height(form) + 17
    if view.answer is not None:
        used = SAY[locale]["answer"].format(posts=letters_in(" ".join(view.answer), locale) or SAY[locale]["nobody"])
    if form.columns > 1:
        return [*shapes, Text(form.width - form.edge, y + 16, used, 13, FAINT_ON_FELT, "end")]
    return [*shapes, Text(form.edge, low, cut_words(used, form.width - 2 * form.edge, 13), 13, FAINT_ON_FELT)]


def stack_height(form: Form) -> float:
    """Return the height of a stack of tokens."""
    return 64.0 if form.columns > 1 else 86.0


def draw_stack(view: TainView, kind: str, x: float, y: float, width: float, form: Form, locale: Locale) -> Group:
    """Draw the viewer's tokens of one kind. A touch takes one of them."""
    assert view.seat is not None  # noqa: S101  # spectators have no screen
    many, name = view.unused.count(kind), KIND_NAMES[locale][kind]
    letter = letters_in(kind, locale)
    shapes = pieces.draw_stack(view.seat, letter, many, name, width, form.columns > 1)
    words = label("left", locale, kind=letter, name=name, many=many)
    return Group(x, y, shapes, token_mark(kind) if many else "", words)
