"""The table of Bardwood Grove as a picture: a map next to the viewer's things, or for phones above them."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Seat, legal
from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.marks import marks
from engine.games.bardwood_grove.picture_cards import Size
from engine.games.bardwood_grove.picture_labels import label
from engine.games.bardwood_grove.picture_map import (
    NARROW_MAP,
    WIDE_MAP,
    Spot,
    draw_legends,
    draw_map,
    draw_place,
    draw_river,
    places_around,
)
from engine.games.bardwood_grove.picture_seats import (
    GAP,
    Lit,
    draw_bards,
    draw_brag,
    draw_captured,
    draw_dial,
    draw_holdings,
    draw_plates,
    draw_purse,
    draw_sides,
    draw_volume,
    hand_faces,
    lay_out,
    pawn_of,
    seat_values,
    seat_words,
    song_faces,
)
from engine.games.bardwood_grove.rules.board import LEGEND_LEVEL, LEVELS, POOL_GEMS
from engine.games.bardwood_grove.rules.cards import DECKS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.texts.names import amount, name
from engine.games.bardwood_grove.texts.powers import EVENT_TEXTS, POWER_TEXTS
from engine.games.bardwood_grove.texts.table_places import legend_words, level_words, motif_words, tale_lyrics
from engine.games.bardwood_grove.view import BardwoodView
from engine.lettering import estimate_width
from engine.picture import Box, Group, PartCache, Plain, Shape, Text
from engine.signs import DARK, SEAT_COLOURS
from engine.words import Locale

WIDE, NARROW = (928.0, 552.0), (400.0, 574.0)
TOP, STRIP = 4.0, 76.0
OWN_X, OWN_WIDTH = 697.0, 220.0


def picture(view: BardwoodView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the map with the viewer's options lit, the river, the legends, the seats, and the viewer's song and hand."""
    lit = find_lit(view)
    if narrow:
        return (Box(0, 0, *NARROW, "map"), *draw_narrow(view, lit, locale))
    return (Box(0, 0, *WIDE, "map"), *draw_wide(view, lit, locale))


def find_lit(view: BardwoodView) -> Lit:
    """Return the marks of everything that the viewer can do now."""
    if view.seat is None or view.seat not in view.asked:
        return frozenset()
    options = legal(view.table, view.seat)
    return frozenset(mark for action in options for word in marks(view, action) for mark in word)


def draw_wide(view: BardwoodView, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the event, motifs and rivals above the map, river and legends; the viewer's things at the right."""
    x, width = WIDE_MAP.x, WIDE_MAP.width
    seated = view.seat is not None
    shapes: list[Shape] = [
        *draw_event(view, Spot(x, TOP, (222, STRIP)), lit, locale),
        *draw_pools(view, x + 228, TOP, locale),
        *draw_motifs(
            view, Spot(x + 300, TOP, (198 if seated else width - 300, STRIP)), 2 if seated else 3, lit, locale
        ),
    ]
    if view.phase == "bards":
        shapes += draw_bards(view, x, 91, (width, WIDE[1] - 101), 4, locale)
    else:
        shapes += [
            *draw_map(view, WIDE_MAP, lit, locale),
            *draw_river(view, Spot(x, WIDE_MAP.low + 4, (width, 31)), lit, locale),
            *draw_legends(view, Spot(x, WIDE_MAP.low + 40, (width, WIDE[1] - WIDE_MAP.low - 45)), lit, locale),
        ]
    own: tuple[Shape, ...] = (Box(OWN_X - 7, 6, WIDE[0] - OWN_X + 1, WIDE[1] - 12, "mute", "hedge", 10),)
    if view.seat is None or view.players[view.seat].bard not in DECKS:
        return [*shapes, *draw_plates(view, OWN_X - 7, 6, (WIDE[0] - OWN_X + 1, WIDE[1] - 12), 1, lit, locale)]
    shapes += draw_plates(view, x + 503, TOP, (width - 503 + GAP, STRIP), 1, lit, locale)
    return [*shapes, *own, *draw_own(view, view.seat, lit, locale)]


def draw_own(view: BardwoodView, seat: Seat, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the viewer's purse, holdings, dial, brag area, song and hand below each other."""
    x, width = OWN_X, OWN_WIDTH
    y = 34.0
    shapes: list[Shape] = [draw_heading(view, seat, x, 8, width, locale)]
    above = draw_purse(view, x, y, (width, 40), locale)
    if view.fan and seat in view.asked:
        above = draw_sides(view, x, y, (width, 40), locale)
    y += 45 if above else 0
    shapes += [*above, draw_volume(view, seat, x, y + 9, width, locale)]
    shapes += draw_holdings(view, seat, x, y + 31, width, locale)
    y += 54
    shapes += draw_dial(view, seat, x, y, 43, locale)
    left, room = x + 97, width - 97
    shapes += [draw_brag(view, seat, at, left, y - 5 + (at - 1) * 33, (room, 29), lit, locale) for at in (1, 2)]
    shapes.append(draw_captured(view, seat, left, y + 61, (room, 28), lit, locale))
    y += 97
    rows = -(-(1 + len(view.players[seat].song)) // 3)
    high = min(96.0, (WIDE[1] - 12 - y - 17 * (2 if view.hand else 1)) / (rows + bool(view.hand)) - GAP)
    size = ((width + GAP) / 3 - GAP, high)
    shapes.append(Text(x, y + 11, label("song", locale), 12, "ink", bold=True))
    if view.players[seat].marker and not view.singing:
        shapes.append(Text(x + width, y + 11, label("due", locale), 12, "ink", "end", bold=True))
    shapes += lay_out(song_faces(view, size, lit, locale), x, y + 17, size, 3)
    y += 17 + rows * (high + GAP)
    if view.hand:
        size = ((width + GAP) / 2 - GAP, high)
        shapes.append(Text(x, y + 11, label("hand", locale), 12, "ink", bold=True))
        shapes += lay_out(hand_faces(view, size, lit, locale), x, y + 17, size, 2)
        y += 17 + high + GAP
    power = labels.said(POWER_TEXTS[view.players[seat].bard], locale)
    return [*shapes, *cards.write(power, x, y + 4, (width, WIDE[1] - 14 - y), cards.TEXT_SIZES, "quiet", high=True)]


HEADINGS: PartCache[Group] = PartCache(512)


def draw_heading(view: BardwoodView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw the viewer's letter, bard and points. The label has everything that everybody sees of the seat."""

    def draw() -> Group:
        _, letter, _ = pawn_of(view, seat, locale)
        total = str(view.scores[seat].total)
        face = (
            *cards.draw_badge(seat, letter, 10, 12, 9.5),
            *cards.write(
                name(view.players[seat].bard, locale),
                25,
                0,
                (width - 60, 24),
                (15, 14, 13, 12, 11),
                "ink",
                bold=True,
            ),
            Text(width - 2, 17, total, 15, "ink", "end", bold=True),
        )
        words = f"{letter} {seat_words(view, seat, locale)}", labels.seat_label(view, seat, locale)
        return Group(x, y, face, label=". ".join(words))

    return HEADINGS.find((x, y, width, locale, seat_values(view, seat)), draw)


def draw_narrow(view: BardwoodView, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the whole map small, then the viewer's options in words, and the viewer's cards."""
    x, width = NARROW_MAP.x, NARROW_MAP.width
    shapes: list[Shape] = [
        *draw_event(view, Spot(x, 5, (width, 45)), lit, locale),
        *draw_pools(view, x + width - cards.POOLS + 4, 7, locale, brief=True),
    ]
    if view.phase == "bards":
        return [*shapes, *draw_bards(view, x, 52, (width, NARROW[1] - 58), 2, locale)]
    y = NARROW_MAP.low + 3
    shapes += draw_map(view, NARROW_MAP, lit, locale)
    shapes += draw_river(view, Spot(x, y, (width, 32)), lit, locale)
    y += 36
    if view.seat is None or view.players[view.seat].bard not in DECKS:
        return [*shapes, *draw_plates(view, x, y, (width, NARROW[1] - y - 6), 1, lit, locale)]
    return [*shapes, *draw_narrow_own(view, view.seat, y, lit, locale)]


def draw_narrow_own(view: BardwoodView, seat: Seat, y: float, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the surroundings of the viewer's bard in words, then holdings, dial, song and hand."""
    x, width = NARROW_MAP.x, NARROW_MAP.width
    here = label("at", locale, region=view.players[seat].region)
    size = ((width + GAP) / 4 - GAP, 92.0)
    small = ((width + GAP) / 3 - GAP, 28.0)
    song, left_out = fold_song(view, small, 6, lit, locale) if view.hand else fold_song(view, size, 3, lit, locale)
    shapes: list[Shape] = [Text(x + 1, y + 11, here, 12.5, "ink", bold=True)]
    shapes += draw_folds(view, seat, left_out, x + width, y + 11, locale)
    y += 17
    row = ((width + GAP) / 2 - GAP, 35.0 if view.hand else 36.0)
    rows = 2 if view.hand else 3
    shapes += lay_out(draw_choices(view, seat, row, 2 * rows, lit, locale), x, y, row, 2)
    y += rows * (row[1] + GAP) + 1
    shapes += draw_purse_row(view, seat, Spot(x, y, (width, 29)), lit, locale)
    y += 34
    high = min(size[1], NARROW[1] - 5 - y - (-(-len(song) // 3) * (small[1] + GAP) if view.hand else 0))
    radius = min(43.0, high / 2 - 4)
    shapes += draw_dial(view, seat, x + width - 2 * radius - 3, y + 6, radius, locale)
    if not view.hand:
        return [*shapes, *lay_out(song, x, y, size, 3)]
    hand = (size[0] * 1.5 + GAP / 2, high)
    shapes += lay_out(hand_faces(view, hand, lit, locale), x, y, hand, 2)
    return [*shapes, *lay_out(song, x, y + high + GAP, small, 3)]


def fold_song(view: BardwoodView, size: Size, most: int, lit: Lit, locale: Locale) -> tuple[list[Group], list[str]]:
    """Draw the usable and the newest cards of the song. Return their labels, and those of the cards left out."""
    faces = song_faces(view, size, lit, locale) if size[1] > CHIP else song_chips(view, size, locale)
    order = sorted(range(len(faces)), key=lambda at: (faces[at].mark not in lit, -at))
    return [faces[at] for at in sorted(order[:most])], [faces[at].label for at in sorted(order[most:])]


CHIP = 30.0


def song_chips(view: BardwoodView, size: Size, locale: Locale) -> list[Group]:
    """Draw the song as names with their gains, for the Compose phase on phones."""
    player = view.players[view.seat or 0]
    deck = DECKS[player.bard]
    drawn = [(name(deck.instrument, locale), deck.benefits, labels.instrument_label(player.bard, locale))]
    for card in player.song:
        words = labels.skill_label(card, locale) if card in SKILLS else labels.impro_label(card, locale)
        drawn.append((name(card, locale), SKILLS[card].upper if card in SKILLS else IMPROS[card].upper, words))
    return [Group(0, 0, cards.draw_chip(title, effect, size), label=words) for title, effect, words in drawn]


def draw_purse_row(view: BardwoodView, seat: Seat, spot: Spot, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw everything that the viewer can spend in one row: the song's sound, volume, coins, stones and crests."""
    player = view.players[seat]
    song = view.singing if view.turn == seat else None
    counted = (
        [(kind, getattr(song, kind)) for kind in ("melody", "lyrics", "wild")] if song else [("gems", player.gems)]
    )
    counted += [
        ("volume", player.volume),
        ("coins", player.coins),
        ("acoustic", player.acoustic),
        ("range", player.range),
    ]
    counted += [("captured", player.captured)] if player.captured else [("crests", player.crests)]
    step = (spot.size[0] + 3) / len(counted)
    shapes: list[Shape] = []
    for at, (kind, many) in enumerate(counted):
        form = "crests" if kind == "captured" else kind
        words = amount(form, many, locale) + (f" {label('captured', locale)}" if kind == "captured" else "")
        face = cards.draw_coin(
            form, many, "", (step - 3, spot.size[1]), kind in lit or (kind in PURSE_LIT and bool(many))
        )
        mark = kind if kind in {"melody", "captured"} else ""
        shapes.append(Group(spot.x + at * step, spot.y, face, mark, words))
    return shapes


PURSE_LIT = frozenset({"melody", "lyrics", "wild"})


def draw_choices(view: BardwoodView, seat: Seat, size: Size, most: int, lit: Lit, locale: Locale) -> list[Group]:
    """Draw the viewer's options in words, at most `most`: on the map, with legends, brag and rivals.

    While there are none, these are the places around the viewer's bard.
    """
    origin = Spot(0, 0, size)
    if view.fan and seat in view.asked:
        return [
            each for each in draw_sides(view, 0, 0, (2 * size[0] + GAP, size[1]), locale) if isinstance(each, Group)
        ]
    around = places_around(view)
    places = [mark.removeprefix("place:") for mark in sorted(lit) if mark.startswith("place:")]
    places.sort(key=lambda place: place not in around)
    others = [mark for mark in sorted(lit) if mark.partition(":")[0] in {"brag", "motif", "legend", "seat"}]
    drawn = [draw_place(view, place, origin, lit, locale) for place in (places if places or others else around)]
    for mark in others:
        kind, _, word = mark.partition(":")
        drawn.append(draw_choice(view, seat, kind, word, size, lit, locale))
    return drawn[:most]


def draw_choice(view: BardwoodView, seat: Seat, kind: str, word: str, size: Size, lit: Lit, locale: Locale) -> Group:
    """Draw a choice that is not on the map."""
    if kind == "brag":
        return draw_brag(view, seat, int(word), 0, 0, size, lit, locale)
    if kind == "motif":
        offer = NOTHING, Effect(gems=GEMS[word]), ""
        face = cards.draw_row("gems", "#1a7a42", name(word, locale), offer, size)
        return Group(0, 0, face, f"motif:{word}", motif_words(word, locale))
    if kind == "legend":
        level = LEGEND_LEVEL[word]
        offer = Effect(lyrics=tale_lyrics(view, level)), Effect(gems=LEVELS[level].gems), "runes"
        face = cards.draw_row("boat", cards.KIND_FILLS["jetty"], name(word, locale), offer, size)
        terms = level_words(view, level, locale, lambda value: labels.effect_words(value, locale))
        return Group(0, 0, face, f"legend:{word}", f"{legend_words(view, word, locale)}. {terms}")
    title = label("challenge", locale, name=view.called(int(word), locale))
    face = cards.draw_row("crests", SEAT_COLOURS[int(word)], title, (NOTHING, NOTHING, ""), size)
    return Group(0, 0, face, f"seat:{word}", f"{title}. {labels.seat_label(view, int(word), locale)}")


def draw_folds(view: BardwoodView, seat: Seat, song: list[str], right: float, y: float, locale: Locale) -> list[Shape]:
    """Draw the numbers of motifs, legends, creatures and further cards of the song. A touch names them."""
    legends = [legend for level in view.legends for legend in level]
    brag = [card for space in view.players[seat].brag for card in space]
    folded = (
        ("fold-motifs", [motif_words(motif, locale) for motif in view.motifs]),
        ("fold-legends", [legend_words(view, legend, locale) for legend in legends]),
        ("fold-brag", [name(card, locale) for card in brag]),
        *((("fold-song", song),) if song else ()),
    )
    shapes: list[Shape] = []
    for key, words in reversed(folded):
        title = label(key, locale, count=len(words))
        wide = estimate_width(title, 11.5)
        right -= wide
        face = (Box(0, -11, wide, 15, ""), Text(0, 0, title, 11.5, "gem", bold=True))
        shapes.append(Group(right, y, face, label=". ".join([title, *words])))
        right -= 9
    return shapes


@lru_cache(maxsize=256)
def draw_pool(pool: int, gems: int, most: int, x: float, y: float, locale: Locale) -> Group:
    """Draw the gems left in a pool, and the share of the pool unless `most` is 0."""
    number = "I" * (pool + 1)
    ink = "ink" if most else DARK
    face: list[Plain] = [
        Text(0, 11, number, 12, ink, bold=True),
        *cards.draw_amount("gems", gems, 16, 7, 13, ink),
    ]
    if most:
        face.append(Box(0, 17, 64, 5, "mute", "hedge", 2.5, 0.8))
    if most and gems:
        face.append(Box(0, 17, max(5, 64 * min(1, gems / most)), 5, "gem", "", 2.5))
    return Group(x, y, tuple(face), label=label("pool", locale, pool=number, gems=amount("gems", gems, locale)))


def draw_pools(view: BardwoodView, x: float, y: float, locale: Locale, *, brief: bool = False) -> list[Shape]:
    """Draw the gems left in both pools, and the round. If `brief`, draw only the numbers in a row."""
    if brief:
        return [draw_pool(pool, gems, 0, x + pool * 54, y, locale) for pool, gems in enumerate(view.pools)]
    words = label("over", locale) if view.over else label("round", locale, round=view.round)
    return [
        *(
            draw_pool(pool, gems, POOL_GEMS[pool] * view.seats, x, y + pool * 26, locale)
            for pool, gems in enumerate(view.pools)
        ),
        *cards.write(words, x, y + 49, (70, 26), cards.NAME_SIZES, "ink"),
    ]


def draw_event(view: BardwoodView, spot: Spot, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the event in force. A touch takes its offer."""
    if not view.act:
        return []
    return [draw_act(view.act, view.events, spot, f"event:{view.event}" in lit, locale)]


@lru_cache(maxsize=256)
def draw_act(act: int, events: tuple[str, ...], spot: Spot, lit: bool, locale: Locale) -> Group:
    """Draw the event of an act, and in the first act the name of the later one."""
    event = events[act - 1]
    text = labels.said(EVENT_TEXTS[event], locale)
    later = label("next", locale, name=name(events[1], locale)) if act == 1 else ""
    face = cards.draw_event(labels.act_words(act, events, locale), text, later, spot.size, lit)
    return Group(spot.x, spot.y, face, f"event:{event}", labels.event_label(act, events, locale))


def draw_motifs(view: BardwoodView, spot: Spot, columns: int, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the motif tokens on the board."""
    wide, high = (spot.size[0] + GAP) / columns, spot.size[1] / 3
    return [
        draw_motif(
            motif,
            Spot(spot.x + at % columns * wide, spot.y + at // columns * high, (wide - GAP, high - 1)),
            f"motif:{motif}" in lit,
            locale,
        )
        for at, motif in enumerate(view.motifs)
    ]


@lru_cache(maxsize=1024)
def draw_motif(motif: str, spot: Spot, lit: bool, locale: Locale) -> Group:
    """Draw a motif token."""
    face = cards.draw_motif(name(motif, locale), GEMS[motif], spot.size, lit)
    return Group(spot.x, spot.y, face, f"motif:{motif}", motif_words(motif, locale))
