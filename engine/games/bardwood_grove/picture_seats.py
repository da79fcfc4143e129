"""The seats on the picture of Bardwood Grove: rivals in brief, and the viewer's dial, holdings, song and hand."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Seat
from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.marks import CAPTURED, MELODY
from engine.games.bardwood_grove.picture_cards import Size
from engine.games.bardwood_grove.picture_labels import Pawn, label
from engine.games.bardwood_grove.rules.board import CRESTS, QUARTERS
from engine.games.bardwood_grove.rules.cards import DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.cards import bards as bards_of
from engine.games.bardwood_grove.rules.effects import NOTHING
from engine.games.bardwood_grove.rules.state import RIVAL
from engine.games.bardwood_grove.texts.names import amount, name
from engine.games.bardwood_grove.texts.powers import POWER_TEXTS
from engine.games.bardwood_grove.view import BardwoodView
from engine.picture import Box, Group, PartCache, Plain, Shape, Text
from engine.signs import DARK, GOLD
from engine.view import seat_signs
from engine.words import Locale

Lit = frozenset[str]
"""Marks of everything that the viewer can do now."""
GAP = 4.0
DIAL_GAP = 2.0
HELD = ("gems", "coins", "acoustic", "range")
NAMED, TALL, LONG, MOST_PLATE = 30.0, 60.0, 100.0, 136.0
"""Heights from which the plate of a seat has its name, its bard and its song; and the maximum."""


def pawn_of(view: BardwoodView, seat: Seat, locale: Locale) -> Pawn:
    """Return a seat, the letter of its pieces, and its player."""
    sign = "R" if view.solo and seat else seat_signs(view.names, view.seats)[seat]
    return seat, sign, view.called(seat, locale)


def seat_words(view: BardwoodView, seat: Seat, locale: Locale) -> str:
    """Return a seat's player and bard."""
    player = view.players[seat]
    bard = f" ({name(player.bard, locale)})" if player.bard in DECKS else ""
    return view.called(seat, locale) + bard


SEATS: PartCache[Group] = PartCache(1024)


def seat_values(view: BardwoodView, seat: Seat) -> tuple[object, ...]:
    """Return everything in the public picture of a seat that can change: the key of its cached drawing."""
    return (
        *(seat, view.players[seat], view.scores[seat].total, view.names, seat == view.seat, view.seat is None),
        *(seat in view.asked, seat in view.resigned, seat == view.starter and bool(view.act)),
        *(view.level, view.rival, view.seats),
    )


def draw_plates(
    view: BardwoodView, x: float, y: float, size: Size, columns: int, lit: Lit, locale: Locale
) -> list[Shape]:
    """Draw every seat but the viewer's, in brief. A touch challenges it."""
    seats = [seat for seat in range(view.seats) if seat != view.seat]
    rows = -(-len(seats) // columns)
    wide, high = (size[0] + GAP) / columns, min(MOST_PLATE, (size[1] + 2) / rows)
    shapes: list[Shape] = []
    for at, seat in enumerate(seats):
        left, top = x + at % columns * wide, y + at // columns * high
        shapes.append(draw_plate(view, seat, left, top, (wide - GAP, high - 2), f"seat:{seat}" in lit, locale))
    return shapes


def draw_plate(view: BardwoodView, seat: Seat, x: float, y: float, size: Size, usable: bool, locale: Locale) -> Group:
    """Draw a seat in brief."""

    def draw() -> Group:
        player, (_, sign, who) = view.players[seat], pawn_of(view, seat, locale)
        bard, details = seat_details(view, seat, locale)
        song = ", ".join(name(card, locale) for card in player.song)
        kinds = ("gems", "crests") if player.bard == RIVAL else (*HELD, "crests")
        few = kinds if size[1] >= NAMED else [kind for kind in kinds if kind not in {"acoustic", "range"}]
        held = tuple([(kind, getattr(player, kind)) for kind in few]) if player.bard else ()
        total = view.scores[seat].total
        face = draw_plate_face(seat, sign, (who, bard, details, song), held, total, size, usable, seat in view.asked)
        mark = f"seat:{seat}" if view.seat is not None else ""
        words = f"{sign} {seat_words(view, seat, locale)}", details, labels.seat_label(view, seat, locale)
        return Group(x, y, face, mark, ". ".join(filter(None, words)))

    return SEATS.find(("plate", x, y, size, usable, locale, seat_values(view, seat)), draw)


def seat_details(view: BardwoodView, seat: Seat, locale: Locale) -> tuple[str, str]:
    """Return the bard of a seat, and the numbers of its cards by place."""
    player = view.players[seat]
    if player.bard == RIVAL:
        assert view.rival is not None  # noqa: S101  # in solo matches only
        return "", label("rival", locale, power=view.rival.power, left=len(view.rival.left))
    counts = label("counts", locale, song=len(player.song), hand=player.hand, pile=player.pile)
    return (name(player.bard, locale), counts) if player.bard else ("", "")


def draw_plate_face(
    seat: Seat,
    sign: str,
    texts: tuple[str, str, str, str],
    held: tuple[tuple[str, int], ...],
    total: int,
    size: Size,
    usable: bool,
    asked: bool,
) -> tuple[Shape, ...]:
    """Draw the face of a plate: letter, player, bard, cards, song, holdings and points, as far as there is room."""
    (width, height), (who, bard, details, song) = size, texts
    ink = DARK if usable else "ink"
    small = height < NAMED
    line = height / 2 if small else 11.0 if height < TALL else 15.0
    points = Text(width - 7, line + 4.5, str(total), 13, ink, "end", bold=True)
    shapes: list[Plain] = [
        *cards.draw_plaque(width, height, usable),
        *((Box(1, 1, width - 2, height - 2, "", GOLD, 8, 1.6),) if asked else ()),
        *cards.draw_badge(seat, sign, 14, line, 8.5),
        points,
    ]
    if not small:
        shapes += cards.write(who, 28, line - 9, (width - 56, 18), (13.0, 12.0, 11.0), ink, bold=True)
    if height >= TALL:
        room = width - 14
        shapes += cards.write(bard, 8, 24, (room, 14), cards.TEXT_SIZES, ink, high=True) if bard else ()
        shapes += cards.write(
            details, 8, 38 if bard else 24, (room, 14 if bard else 28), cards.TEXT_SIZES, ink, high=True
        )
    if height >= LONG and song:
        shapes += cards.write(song, 8, 53, (width - 14, height - 75), cards.TEXT_SIZES, ink, high=True)
    left, low = (28.0, line) if small else (8.0, height - (9 if height < TALL else 12))
    room = width - left - (22 if small else 4)
    return *shapes, *(() if not held else (Group(left, low, cards.draw_amounts(held, room, ink)),))


def draw_dial(view: BardwoodView, seat: Seat, x: float, y: float, radius: float, locale: Locale) -> list[Shape]:
    """Draw the dial: a quarter each for runes, the current one in the colour of the seat, and the shelf above."""
    player = view.players[seat]
    shelf = "hedge" if player.marker else GOLD
    shapes: list[Shape] = [Box(x + radius - 8, y - 7, 18, 9, shelf, "#6d5c36", 3)]
    for at, (quarter, runes) in enumerate(zip(QUARTERS, player.runes, strict=True)):
        right, low = cards.SIGN_OF_QUARTER[quarter.slug]
        face = cards.draw_quarter(quarter.slug, runes, quarter.movement, quarter.bonus, seat, radius, at == player.dial)
        words = labels.quarter_label(quarter.slug, runes, quarter.movement, quarter.bonus, locale)
        left, top = x + (0 if right else radius + DIAL_GAP), y + (0 if low else radius + DIAL_GAP)
        shapes.append(Group(left, top, face, f"rune:{quarter.slug}", words))
    return shapes


def draw_holdings(view: BardwoodView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Draw gems, coins, stones and crests in a row."""
    player = view.players[seat]
    counted = [*((kind, getattr(player, kind)) for kind in HELD), ("crests", player.crests)]
    step = width / len(counted)
    shapes: list[Shape] = []
    for at, (kind, many) in enumerate(counted):
        words = amount(kind, many, locale) + (f" / {CRESTS}" if kind == "crests" else "")
        shapes.append(Group(x + at * step, y, cards.draw_amount(kind, many, 0, 0, 15), label=words))
    return shapes


def draw_volume(view: BardwoodView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw the volume track."""
    player = view.players[seat]
    words = f"{amount('volume', player.volume, locale)}: {player.volume}/{player.volume_limit}"
    return Group(x, y, cards.draw_volume(player.volume, player.volume_limit, width), label=words)


PURSE = ("melody", "lyrics", "wild", "waiting")


def draw_purse(view: BardwoodView, x: float, y: float, size: Size, locale: Locale) -> list[Shape]:
    """Draw the unspent sound of the viewer's song and the volume that waits. A touch on melody turns it to lyrics."""
    song = view.singing
    if song is None or view.turn != view.seat:
        return []
    step = (size[0] + GAP) / len(PURSE)
    shapes: list[Shape] = []
    for at, kind in enumerate(PURSE):
        many, word = getattr(song, kind), label(f"purse-{kind}", locale)
        form = "volume" if kind == "waiting" else kind
        face = cards.draw_coin(form, many, word, (step - GAP, size[1]), bool(many))
        mark = MELODY if kind == MELODY else ""
        shapes.append(Group(x + at * step, y, face, mark, f"{amount(form, many, locale)}, {word}"))
    return shapes


def draw_captured(view: BardwoodView, seat: Seat, x: float, y: float, size: Size, lit: Lit, locale: Locale) -> Group:
    """Draw the captured crests. A touch spends them."""
    many, words = view.players[seat].captured, label("captured", locale)
    face = cards.draw_coin("crests", many, words, size, CAPTURED in lit)
    return Group(x, y, face, CAPTURED if many else "", f"{amount('crests', many, locale)} {words}")


def draw_brag(
    view: BardwoodView, seat: Seat, space: int, x: float, y: float, size: Size, lit: Lit, locale: Locale
) -> Group:
    """Draw a space of the brag area, counted from 1."""
    creatures = view.players[seat].brag[space - 1]
    names = tuple(name(card, locale) for card in creatures)
    words = label("brag", locale, space=space, cards=", ".join(reversed(names)) or "–")
    top, title = (creatures[-1], names[-1]) if creatures else ("", "–")
    face = cards.draw_brag(str(space), title, top, size, f"brag:{space}" in lit)
    return Group(x, y, face, f"brag:{space}", words)


def song_faces(view: BardwoodView, size: Size, lit: Lit, locale: Locale) -> list[Group]:
    """Draw the Instrument and the cards of the viewer's song, each at the origin."""
    player = view.players[view.seat or 0]
    lowered = view.singing.lowered if view.singing and view.turn == view.seat else ()
    return [
        draw_instrument(player.bard, size, locale),
        *(draw_song_card(card, size, card in lowered, f"song:{card}" in lit, locale) for card in player.song),
    ]


@lru_cache(maxsize=256)
def draw_instrument(bard: str, size: Size, locale: Locale) -> Group:
    """Draw the first card of every song."""
    deck = DECKS[bard]
    shapes = cards.draw_card(name(deck.instrument, locale), label("instrument", locale), deck.benefits, size)
    return Group(0, 0, shapes, label=labels.instrument_label(bard, locale))


@lru_cache(maxsize=2048)
def draw_song_card(card: str, size: Size, lowered: bool, lit: bool, locale: Locale) -> Group:
    """Draw a card of the song. A touch on a Skill uses its lower half."""
    title = name(card, locale)
    if card in SKILLS:
        shapes = cards.draw_skill(SKILLS[card], title, size, lowered, lit)
        return Group(0, 0, shapes, f"song:{card}", labels.skill_label(card, locale))
    shapes = cards.draw_card(title, label("impro", locale), IMPROS[card].upper, size)
    return Group(0, 0, shapes, label=labels.impro_label(card, locale))


def hand_faces(view: BardwoodView, size: Size, lit: Lit, locale: Locale) -> list[Group]:
    """Draw the viewer's Skills, each at the origin."""
    return [draw_hand_card(card, size, f"hand:{card}" in lit, locale) for card in view.hand]


@lru_cache(maxsize=1024)
def draw_hand_card(card: str, size: Size, lit: bool, locale: Locale) -> Group:
    """Draw a Skill of the hand. A touch puts it into the song."""
    face = cards.draw_skill(SKILLS[card], name(card, locale), size, lowered=False, lit=lit)
    return Group(0, 0, face, f"hand:{card}", labels.skill_label(card, locale))


def lay_out(faces: list[Group], x: float, y: float, size: Size, columns: int) -> list[Shape]:
    """Put groups into rows and columns."""
    wide, high = size[0] + GAP, size[1] + GAP
    return [
        Group(x + at % columns * wide, y + at // columns * high, face.shapes, face.mark, face.label)
        for at, face in enumerate(faces)
    ]


def draw_sides(view: BardwoodView, x: float, y: float, size: Size, locale: Locale) -> list[Shape]:
    """Draw the two sides of the Fan that was met."""
    step, title = (size[0] + GAP) / 2, name(view.fan, locale)
    shapes: list[Shape] = []
    for at, effect in enumerate(FANS[view.fan].sides):
        side = label("side", locale, side=at + 1)
        words = label("one-side", locale, name=title, side=at + 1, gain=labels.effect_words(effect, locale))
        face = cards.draw_row("fans", cards.KIND_FILLS["shop"], side, (NOTHING, effect, ""), (step - GAP, size[1]))
        shapes.append(Group(x + at * step, y, face, f"side:{at + 1}", words))
    return shapes


def draw_bards(view: BardwoodView, x: float, y: float, size: Size, columns: int, locale: Locale) -> list[Shape]:
    """Draw the bards that nobody plays yet."""
    free = [bard for bard in bards_of(view.content) if all(player.bard != bard for player in view.players)]
    rows = -(-len(free) // columns)
    wide, high = (size[0] + 8) / columns - 8, min(170.0, (size[1] + 8) / rows - 8)
    shapes: list[Shape] = []
    for at, bard in enumerate(free):
        deck = DECKS[bard]
        texts = name(bard, locale), name(deck.instrument, locale), deck.benefits, labels.said(POWER_TEXTS[bard], locale)
        left, top = x + at % columns * (wide + 8), y + at // columns * (high + 8)
        face = cards.draw_bard(*texts, (wide, high))
        shapes.append(Group(left, top, face, f"bard:{bard}", labels.bard_label(bard, locale)))
    return shapes
