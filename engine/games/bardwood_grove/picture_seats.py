"""The seats on the picture of Bardwood Grove: dial, runes, volume, coins, stones, crests and points of each."""

from __future__ import annotations

from math import cos, pi, sin

from engine.game import Seat
from engine.games.bardwood_grove.rules.board import CRESTS, QUARTERS
from engine.games.bardwood_grove.texts.names import Pair, name, pick_of
from engine.games.bardwood_grove.view import BardwoodView
from engine.picture import Box, Disc, Line, Shape, Text
from engine.words import Locale

WIDTH, EDGE, LEFT, RIGHT = 600.0, 8.0, 14.0, 586.0
PAPER, PANEL, INK, FAINT, ACCENT, LINE = "#e9e2d0", "#fffcf5", "#2b2620", "#6a604f", "#9a5418", "#b9ac92"
GEM = "#2f9a5b"
PALE = PAPER
SEAT_FILLS = ("#7a2e39", "#f2c14e", "#2b5f94", PANEL)
SEAT_INKS = ("#ffffff", INK, "#ffffff", INK)
NARROW, BROAD = frozenset(" .,:;'’|!()[]-ijlftrIJ"), frozenset("mwMW@%œæŒÆ—…")
PANEL_WIDTH, PANEL_HEIGHT, GAP = 289.0, 112.0, 6.0
DIAL_RADIUS = 30.0
ARC_STEPS = 8
WORDS: dict[str, Pair] = {
    "points": ("{total} pts", "{total} pts"),
    "gems": ("gems {gems}", "gemmes {gems}"),
    "volume": ("volume {volume}/{limit}", "volume {volume}/{limit}"),
    "held": ("coins {coins}  A {acoustic}  R {range}", "pièces {coins}  A {acoustic}  R {range}"),
    "crests": ("crests {crests}", "écussons {crests}"),
    "captured": ("taken {captured}", "pris {captured}"),
    "song": ("song {song}  hand {hand}  pile {pile}", "chanson {song}  main {hand}  pioche {pile}"),
    "due": ("song due", "chanson due"),
    "rival": ("Rival, power {power}", "Rival, force {power}"),
    "taken": ("cards taken {cards}", "cartes prises {cards}"),
    "left": ("cards left {left}", "cartes restantes {left}"),
}


def say(key: str, locale: Locale, **words: object) -> str:
    """A label with its words."""
    return pick_of(WORDS[key], locale).format(**words)


def cut(words: str, room: float, size: float) -> str:
    """Words that fit, cut with an ellipsis if they must be; widths are those of a broad typeface."""
    used = 0.0
    for at, letter in enumerate(words):
        share = 0.36 if letter in NARROW else 0.95 if letter in BROAD else 0.72 if letter.isupper() else 0.62
        used += size * share
        if used > room:
            return words[: max(at - 1, 1)].rstrip() + "…"
    return words


def seat_sign(view: BardwoodView, seat: Seat) -> str:
    """The letter or number of a seat's pieces."""
    return "R" if view.solo and seat == 1 else str(seat)


def draw_seats(view: BardwoodView, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """A panel for each seat, two in a row, and where they end."""
    shapes: list[Shape] = []
    for at in range(view.seats):
        x, top = EDGE + (at % 2) * (PANEL_WIDTH + GAP), y + (at // 2) * (PANEL_HEIGHT + GAP)
        shapes += draw_seat(view, at, x, top, locale)
    return shapes, y + ((view.seats + 1) // 2) * (PANEL_HEIGHT + GAP)


def draw_seat(view: BardwoodView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    """The panel of one seat: who it is, its points, its dial and what it holds."""
    player = view.players[seat]
    asked = seat in view.asked
    who = view.called(seat, locale)
    if player.bard and not (view.solo and seat == 1):
        who = f"{who} · {name(player.bard, locale)}"
    shapes: list[Shape] = [
        Box(x, y, PANEL_WIDTH, PANEL_HEIGHT, PANEL, ACCENT if asked else LINE, 6, 2 if asked else 1),
        Disc(x + 17, y + 17, 10, SEAT_FILLS[seat], INK, 1),
        Text(x + 17, y + 21.5, seat_sign(view, seat), 12.5, SEAT_INKS[seat], "middle", bold=True),
        Text(x + 34, y + 22, cut(who, 190, 13), 13, INK, bold=True),
        Text(
            x + PANEL_WIDTH - 9,
            y + 22,
            say("points", locale, total=view.scores[seat].total),
            13.5,
            INK,
            "end",
            bold=True,
        ),
    ]
    if view.solo and seat == 1:
        return shapes + draw_rival(view, x, y, locale)
    shapes += draw_dial(view, seat, x + 46, y + 70)
    shapes += draw_volume(view, seat, x + 94, y + 34, locale)
    lines = [
        f"{say('gems', locale, gems=player.gems)}   {say('crests', locale, crests=f'{player.crests}/{CRESTS}')}"
        + (f"   {say('captured', locale, captured=player.captured)}" if player.captured else ""),
        say("held", locale, coins=player.coins, acoustic=player.acoustic, range=player.range),
        say("song", locale, song=len(player.song), hand=player.hand, pile=player.pile),
    ]
    for at, line in enumerate(lines):
        shapes.append(Text(x + 94, y + 66 + at * 16, cut(line, 192, 11.5), 11.5, INK))
    if player.marker:
        shapes.append(Text(x + PANEL_WIDTH - 9, y + 45, say("due", locale), 11, ACCENT, "end", bold=True))
    return shapes


def draw_rival(view: BardwoodView, x: float, y: float, locale: Locale) -> list[Shape]:
    """What the solo rival has."""
    rival, player = view.rival, view.players[1]
    assert rival is not None  # noqa: S101  # drawn in solo matches only
    lines = [
        say("rival", locale, power=rival.power),
        f"{say('gems', locale, gems=player.gems)}   {say('crests', locale, crests=f'{player.crests}/{CRESTS}')}",
        say("taken", locale, cards=len(player.discard)),
        say("left", locale, left=len(rival.left)),
    ]
    return [Text(x + 34, y + 46 + at * 17, line, 12, INK) for at, line in enumerate(lines)]


def draw_volume(view: BardwoodView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    """The volume track as a row of boxes with its number."""
    player = view.players[seat]
    step = 7.0
    shapes: list[Shape] = [
        Box(x + at * step, y, step - 1.5, 11, ACCENT if at < player.volume else PALE)
        for at in range(player.volume_limit)
    ]
    words = say("volume", locale, volume=player.volume, limit=player.volume_limit)
    room = x + player.volume_limit * step + 4
    return [*shapes, Text(room, y + 10, str(player.volume) if player.marker else cut(words, 100, 11), 11, INK)]


def draw_dial(view: BardwoodView, seat: Seat, x: float, y: float) -> list[Shape]:
    """The dial: four quarters clockwise from the upper right, the present one filled, runes left in each."""
    player = view.players[seat]
    shapes: list[Shape] = [Disc(x, y, DIAL_RADIUS + 1, PALE, INK, 1.2)]
    for at in range(len(QUARTERS)):
        start = -pi / 2 + at * pi / 2
        if at == player.dial:
            arc = [start + step * pi / 2 / ARC_STEPS for step in range(ARC_STEPS + 1)]
            points = [(x, y), *((x + DIAL_RADIUS * cos(angle), y + DIAL_RADIUS * sin(angle)) for angle in arc)]
            shapes.append(Line(tuple(points), INK, 1, SEAT_FILLS[seat]))
    shapes.append(Line(((x - DIAL_RADIUS, y), (x + DIAL_RADIUS, y)), INK, 1))
    shapes.append(Line(((x, y - DIAL_RADIUS), (x, y + DIAL_RADIUS)), INK, 1))
    for at, runes in enumerate(player.runes):
        middle = -pi / 4 + at * pi / 2
        cx, cy = x + 17 * cos(middle), y + 17 * sin(middle)
        ink = SEAT_INKS[seat] if at == player.dial else INK
        shapes.append(Text(cx, cy + 4.5, str(runes), 12, ink, "middle", bold=runes > 0))
    shelf = Box(x - 8, y - DIAL_RADIUS - 8, 16, 7, PANEL if player.marker else ACCENT, INK, 2, 1)
    return [*shapes, shelf]
