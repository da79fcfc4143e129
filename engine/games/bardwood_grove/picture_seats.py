"""The seats on the picture of Bardwood Grove: rivals in brief, and the viewer's dial, holdings, song and hand."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Seat
from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.marks import CAPTURED, MELODY
from engine.games.bardwood_grove.picture_labels import label
from engine.games.bardwood_grove.rules.board import CRESTS, QUARTERS
from engine.games.bardwood_grove.rules.cards import DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.cards import bards as bards_of
from engine.games.bardwood_grove.rules.state import RIVAL
from engine.games.bardwood_grove.texts.names import amount, name
from engine.games.bardwood_grove.texts.powers import POWER_TEXTS
from engine.games.bardwood_grove.view import BardwoodView
from engine.lettering import cut_words
from engine.picture import Box, Group, PartCache, Plain, Shape, Text
from engine.signs import CREAM, FAINT_ON_FELT, GOLD, HOLLOW, ON_FELT
from engine.words import Locale

Drawn = tuple[list[Shape], float]
"""Shapes, and where they end."""
GAP, HEADING, BRIEF, FOLDED, DIAL = 6.0, 26.0, 62.0, 46.0, 46.0
DIAL_GAP = 3.0
HELD = ("gems", "coins", "acoustic", "range")


def seat_sign(view: BardwoodView, seat: Seat) -> str:
    """Return the letter or number of a seat's pieces."""
    return "R" if view.solo and seat == 1 else str(seat)


def seat_words(view: BardwoodView, seat: Seat, locale: Locale) -> str:
    """Return a seat's player and bard."""
    player = view.players[seat]
    bard = f" ({name(player.bard, locale)})" if player.bard in DECKS else ""
    return view.called(seat, locale) + bard


def draw_heading(view: BardwoodView, seat: Seat, width: float, locale: Locale) -> list[Plain]:
    """Return a seat's piece, player, bard and points."""
    total = amount("points", view.scores[seat].total, locale)
    words = cut_words(seat_words(view, seat, locale), width - 108, 13, bold=True)
    return [
        *cards.draw_badge(seat, seat_sign(view, seat), 15, 14, 9.5),
        Text(30, 19, words, 13, ON_FELT, bold=True),
        Text(width - 8, 19, total, 13, GOLD, "end", bold=True),
    ]


def draw_rivals(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw every seat but the viewer's, in brief, and return where they end."""
    seats = [seat for seat in range(view.seats) if seat != view.seat]
    height = BRIEF if columns > 1 else FOLDED
    columns = min(columns, len(seats))
    step = (width + GAP) / columns
    shapes: list[Shape] = []
    for at, seat in enumerate(seats):
        left, top = x + at % columns * step, y + at // columns * (height + GAP)
        shapes.append(draw_rival(view, seat, left, top, (step - GAP, height), locale))
    return shapes, y + -(-len(seats) // columns) * (height + GAP)


SEATS: PartCache[Group] = PartCache(1024)


def seat_values(view: BardwoodView, seat: Seat) -> tuple[object, ...]:
    """Return everything in the public picture of a seat that can change: the key of its cached drawing."""
    return (
        *(seat, view.players[seat], view.scores[seat].total, view.names, seat == view.seat, view.seat is None),
        *(seat in view.asked, seat in view.resigned, seat == view.starter and bool(view.act)),
        *(view.level, view.rival),
    )


def draw_rival(view: BardwoodView, seat: Seat, x: float, y: float, size: tuple[float, float], locale: Locale) -> Group:
    """Draw a seat in brief; a touch challenges it."""
    key = "rival", x, y, size, locale, seat_values(view, seat)
    return SEATS.find(key, lambda: draw_new_rival(view, seat, x, y, size, locale))


def draw_new_rival(
    view: BardwoodView, seat: Seat, x: float, y: float, size: tuple[float, float], locale: Locale
) -> Group:
    """Draw a seat in brief that is not in the cache."""
    player, asked, (width, height) = view.players[seat], seat in view.asked, size
    shapes: list[Shape] = [
        Box(0, 0, width, height, HOLLOW, GOLD if asked else "", 8, 2),
        *draw_heading(view, seat, width, locale),
    ]
    counted: list[tuple[str, int]]
    if player.bard == RIVAL:
        assert view.rival is not None  # noqa: S101  # in solo matches only
        said = label("rival", locale, power=view.rival.power, left=len(view.rival.left))
        counted = [("gems", player.gems), ("crests", player.crests)]
    elif not player.bard:
        said, counted = "", []
    else:
        said = label("counts", locale, song=len(player.song), hand=player.hand, pile=player.pile)
        counted = [
            *((kind, getattr(player, kind)) for kind in HELD),
            ("volume", player.volume),
            ("crests", player.crests),
        ]
    step = min(44.0, (width - 14) / max(len(counted), 1))
    if counted:
        shapes.append(Group(10, 36, cards.draw_amounts(tuple(counted), step)))
    if height > FOLDED and said:
        shapes.append(Text(10, 56, cut_words(said, width - 20, 11), 11, FAINT_ON_FELT))
    mark = f"seat:{seat}" if view.seat is not None else ""
    words = (f"{seat_sign(view, seat)} {seat_words(view, seat, locale)}", said, labels.seat_label(view, seat, locale))
    return Group(x, y, tuple(shapes), mark, ". ".join(filter(None, words)))


def draw_own(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the viewer's dial, what it holds, and its brag area, and return where they end."""
    seat = view.seat
    assert seat is not None  # noqa: S101  # spectators have no seat of their own
    player = view.players[seat]
    height = HEADING + 2 * DIAL + 22
    wide = width > WIDE_ENOUGH
    shapes: list[Shape] = []
    if seat in view.asked:
        shapes.append(Box(x - 3, y - 2, width + 6, height if wide else height + 52, "", GOLD, 8, 2))
    shapes.append(draw_own_heading(view, seat, x, y, width, locale))
    shapes += draw_dial(view, seat, x + 4, y + HEADING + 12, locale)
    left = x + 2 * DIAL + 20
    room = (width - 2 * DIAL - 20) * (0.56 if wide else 1)
    shapes += draw_holdings(view, seat, left, y + HEADING + 14, room, locale)
    if player.bard not in DECKS:
        return shapes, y + height
    brag = left + room + 10 if wide else x
    brag_width = x + width - brag if wide else (width - GAP) / 2
    for at, held in enumerate(player.brag):
        names = tuple(name(card, locale) for card in held)
        words = label("brag", locale, space=at + 1, cards=", ".join(reversed(names)) or "–")
        spot_x = brag if wide else brag + at * (brag_width + GAP)
        spot_y = y + HEADING + 8 + at * 48 if wide else y + height + 2
        shapes.append(Group(spot_x, spot_y, cards.draw_brag(at + 1, names, brag_width), f"brag:{at + 1}", words))
    return shapes, y + height + (0 if wide else 52)


WIDE_ENOUGH = 500.0


def draw_own_heading(view: BardwoodView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw the viewer's piece, name, bard and points; the label has all that everybody sees of the seat."""

    def draw() -> Group:
        heading = tuple(draw_heading(view, seat, width, locale))
        return Group(x, y, heading, label=f"{seat_sign(view, seat)} {labels.seat_label(view, seat, locale)}")

    return SEATS.find(("own", x, y, width, locale, seat_values(view, seat)), draw)


def draw_dial(view: BardwoodView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    """Draw the dial: a quarter each for runes, the present one in the colour of the seat, and the shelf above."""
    player = view.players[seat]
    shapes: list[Shape] = [Box(x + DIAL - 7.5, y - 12, 18, 8, FAINT_ON_FELT if player.marker else GOLD, "", 3)]
    for at, (quarter, runes) in enumerate(zip(QUARTERS, player.runes, strict=True)):
        right, low = cards.SIGN_OF_QUARTER[quarter.slug]
        shapes.append(
            Group(
                x + (0 if right else DIAL + DIAL_GAP),
                y + (0 if low else DIAL + DIAL_GAP),
                cards.draw_quarter(quarter.slug, runes, quarter.movement, quarter.bonus, seat, at == player.dial, DIAL),
                f"rune:{quarter.slug}",
                labels.quarter_label(quarter.slug, runes, quarter.movement, quarter.bonus, locale),
            )
        )
    return shapes


def draw_holdings(view: BardwoodView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> list[Shape]:
    """Draw gems, coins, stones, volume and crests, and the unspent sound of the song."""
    player = view.players[seat]
    shapes: list[Shape] = []
    counted = [*((kind, getattr(player, kind)) for kind in HELD), ("crests", player.crests)]
    step = min(58.0, width / len(counted))
    for at, (kind, many) in enumerate(counted):
        words = amount(kind, many, locale) + (f" / {CRESTS}" if kind == "crests" else "")
        shapes.append(Group(x + at * step, y, cards.draw_amount(kind, many, 15, CREAM), label=words))
    volume = f"{player.volume}/{player.volume_limit}"
    track = cards.draw_volume(player.volume, player.volume_limit, min(14.0, (width - 80) / player.volume_limit))
    shapes.append(Group(x, y + 25, track, label=f"{amount('volume', player.volume, locale)}: {volume}"))
    half = (width - GAP) / 2
    spent = amount("crests", player.captured, locale)
    words = label("captured", locale)
    button = cards.draw_button("crests", player.captured, words, half, 28)
    shapes.append(Group(x, y + 40, button, CAPTURED if player.captured else "", f"{spent} {words}"))
    song = view.singing if seat == view.turn else None
    if song is None:
        if player.marker:
            shapes.append(Text(x + half + GAP, y + 59, label("due", locale), 13, GOLD, bold=True))
        return shapes
    words = label("melody", locale)
    button = cards.draw_button("melody", song.melody, words, half, 28)
    shapes.append(Group(x + half + GAP, y + 40, button, MELODY, f"{amount('melody', song.melody, locale)} {words}"))
    step = min(58.0, width / 3)
    for at, (kind, many) in enumerate((("lyrics", song.lyrics), ("wild", song.wild), ("volume", song.waiting))):
        words = amount(kind, many, locale) + (f" {label('waiting', locale)}" if kind == "volume" else "")
        shapes.append(Group(x + at * step, y + 84, cards.draw_amount(kind, many, 15, CREAM), label=words))
    return shapes


def draw_song(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the Instrument and the cards of the viewer's song, and return where they end."""
    player = view.players[view.seat or 0]
    step = (width + GAP) / columns
    shapes: list[Shape] = [Text(x, y + 12, label("song", locale), 13, ON_FELT, bold=True)]
    lowered = view.singing.lowered if view.singing and view.turn == view.seat else ()
    drawn = [draw_instrument(player.bard, step - GAP, locale)]
    drawn += [draw_song_card(card, step - GAP, card in lowered, locale) for card in player.song]
    for at, group in enumerate(drawn):
        left, top = x + at % columns * step, y + 20 + at // columns * (cards.CARD + GAP)
        shapes.append(Group(left, top, group.shapes, group.mark, group.label))
    return shapes, y + 20 + -(-len(drawn) // columns) * (cards.CARD + GAP)


@lru_cache(maxsize=128)
def draw_instrument(bard: str, width: float, locale: Locale) -> Group:
    """Draw the first card of every song."""
    deck = DECKS[bard]
    shapes = cards.draw_card(name(deck.instrument, locale), label("instrument", locale), (deck.benefits,), width)
    return Group(0, 0, shapes, label=labels.instrument_label(bard, locale))


@lru_cache(maxsize=1024)
def draw_song_card(card: str, width: float, lowered: bool, locale: Locale) -> Group:
    """Draw a card of the song; a touch on a Skill uses its lower half."""
    title = name(card, locale)
    if card in SKILLS:
        shapes = cards.draw_skill(SKILLS[card], title, width, lowered)
        return Group(0, 0, shapes, f"song:{card}", labels.skill_label(card, locale))
    shapes = cards.draw_card(title, label("impro", locale), (IMPROS[card].upper,), width)
    return Group(0, 0, shapes, label=labels.impro_label(card, locale))


def draw_hand(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the viewer's Skills, and return where they end."""
    step = (width + GAP) / 2
    shapes: list[Shape] = [Text(x, y + 12, label("hand", locale), 13, ON_FELT, bold=True)]
    for at, card in enumerate(view.hand):
        face = cards.draw_skill(SKILLS[card], name(card, locale), step - GAP, lowered=False)
        shapes.append(Group(x + at * step, y + 20, face, f"hand:{card}", labels.skill_label(card, locale)))
    return shapes, y + 20 + cards.CARD + GAP


def draw_sides(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the two sides of the Fan that was met, and return where they end."""
    step, title = (width + GAP) / 2, name(view.fan, locale)
    shapes: list[Shape] = []
    for at, effect in enumerate(FANS[view.fan].sides):
        side = label("side", locale, side=at + 1)
        words = label("one-side", locale, name=title, side=at + 1, gain=labels.effect_words(effect, locale))
        face = cards.draw_side(title, side, effect, step - GAP)
        shapes.append(Group(x + at * step, y, face, f"side:{at + 1}", words))
    return shapes, y + 40 + GAP


def draw_bards(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the bards that nobody plays yet, and return where they end."""
    step = (width + GAP) / columns
    free = [bard for bard in bards_of(view.content) if all(player.bard != bard for player in view.players)]
    shapes: list[Shape] = [Text(x, y + 14, label("bards", locale), 15, ON_FELT, bold=True)]
    for at, bard in enumerate(free):
        deck = DECKS[bard]
        texts = name(bard, locale), name(deck.instrument, locale), deck.benefits, labels.said(POWER_TEXTS[bard], locale)
        left, top = x + at % columns * step, y + 24 + at // columns * (cards.BARD + GAP)
        face = cards.draw_bard(*texts, step - GAP)
        shapes.append(Group(left, top, face, f"bard:{bard}", labels.bard_label(bard, locale)))
    return shapes, y + 24 + -(-len(free) // columns) * (cards.BARD + GAP)
