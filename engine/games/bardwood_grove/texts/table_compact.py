"""The table of Bardwood Grove for a window of 24 rows: card notation instead of sentences, regions instead of a map."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.bardwood_grove.rules import board
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.texts import table_places as places
from engine.games.bardwood_grove.texts import table_seats as seats
from engine.games.bardwood_grove.texts.names import amount, brief, name
from engine.games.bardwood_grove.texts.table_phrases import INDENT, say
from engine.games.bardwood_grove.view import BardwoodView
from engine.lines import fold_items
from engine.words import Locale, typeset

WIDTH = 80
NAME = 20
"""Columns for the name of a player."""


def compact(view: BardwoodView, locale: Locale) -> str:
    """Return the table in 20 rows of 80 columns. A list that is longer than its rows ends with an ellipsis."""
    pools = say("pools", locale, **dict(zip(("one", "two"), map(str, view.pools), strict=True)))
    event = [say("act-now", locale, act="I" * view.act, name=name(view.event, locale))] if view.act else []
    rows = _fit([*seats.heading_items(view, locale), pools, *event], 2)
    for label, items in _places(view, locale) if view.act else ():
        rows += _list(say(label, locale), items, 3 if label == "lairs" else 1 if label == "motifs" else 2)
    for seat in view.clockwise:
        rows += _fit(_rival(view, locale) if view.solo and seat == 1 else _seat(view, seat, locale), 1)
    rows += seats.song_now(view, locale, WIDTH)[:2]
    if not view.over:
        rows += _list(say("hand", locale), [f"{name(card, locale)} {_skill(card)}" for card in view.hand], 2)
    return typeset("\n".join(rows), locale)


def _fit(items: list[str], most: int) -> list[str]:
    """Fold items into rows, at most `most`."""
    rows = fold_items(items, WIDTH, INDENT)
    return rows if len(rows) <= most else [*rows[: most - 1], _cut(f"{rows[most - 1]} …", WIDTH)]


def _cut(words: str, width: int) -> str:
    return words if len(words) <= width else f"{words[: width - 1].rstrip()}…"


def _list(label: str, items: list[str], most: int) -> list[str]:
    return _fit([f"{label} – {items[0]}", *items[1:]], most) if items else []


def _places(view: BardwoodView, locale: Locale) -> Iterator[tuple[str, list[str]]]:
    """Yield the heading of each kind of place with its content and the viewer's current cost."""
    creatures = enumerate(view.tops[board.FIRST_LAIR :])
    prices = [(at, slug, brief(places.soothing(view, at))) for at, slug in creatures if slug]
    yield "lairs", [f"{_regions(board.LAIRS[at])} {name(slug, locale)} {price}" for at, slug, price in prices]
    shops = [(shop, view.tops[board.PILE_AT[board.LOCATIONS[shop].pile]]) for shop in board.SHOPS]
    yield (
        "shops",
        [f"{_regions(shop)} {name(card, locale)} {_coins(view, shop)}" for shop, card in shops if card],
    )
    stages = [(board.LOCATIONS[stage], Effect(lyrics=places.lyrics_due(view, stage))) for stage in board.STAGES]
    cost, gain = board.STALLS[view.stall - 1]
    market = f"{name(board.MARKET, locale)} {brief(cost)} → {brief(gain)}"
    yield (
        "small-stages",
        [*(f"{_regions(place.slug)} {brief(due)} → {brief(place.gain)}" for place, due in stages), market],
    )
    yield (
        "small-legends",
        [
            f"{level.name} {name(legend, locale)} {brief(Effect(lyrics=places.tale_lyrics(view, at)))}"
            for at, level in enumerate(board.LEVELS)
            for legend in view.legends[at]
        ],
    )
    yield "motifs", [name(motif, locale) for motif in view.motifs]


def _regions(place: str) -> str:
    return " ".join(board.LOCATIONS[place].borders)


def _coins(view: BardwoodView, shop: str) -> str:
    return brief(Effect(coins=places.coins_due(view, shop)))


def _skill(card: str) -> str:
    """Return the halves and the strip of a Skill in card notation: `M1 L2 / V2 → L2 / V1 T2`."""
    skill = SKILLS[card]
    lower = [f"{brief(Effect(volume=skill.cost))} → {brief(skill.lower)}"] if skill.has_lower else []
    return " / ".join([brief(skill.upper), *lower, brief(skill.strip)])


def _seat(view: BardwoodView, seat: Seat, locale: Locale) -> list[str]:
    """Return a seat's things, the most important first, since only one row is shown."""
    player = view.players[seat]
    you = say("you", locale) if seat == view.seat else ""
    gone = say("resigned", locale) if seat in view.resigned else ""
    bard = f" ({name(player.bard, locale)})" if player.bard else ""
    things = Effect(
        volume=player.volume, coins=player.coins, acoustic=player.acoustic, range=player.range, gems=player.gems
    )
    items = [
        _cut(view.called(seat, locale), NAME) + bard + you + gone,
        amount("points", view.scores[seat].total, locale),
    ]
    if player.bard:
        items += [player.region + (say("marker", locale) if player.marker else ""), brief(things)]
        items += [say("boat", locale, boat=player.boat), amount("crests", player.crests, locale)]
    return items


def _rival(view: BardwoodView, locale: Locale) -> list[str]:
    player, total = view.players[1], amount("points", view.scores[1].total, locale)
    power = view.rival.power if view.rival else 0
    items = [_cut(view.called(1, locale), NAME), total, player.region, say("small-power", locale, power=power)]
    return [*items, amount("gems", player.gems, locale), amount("crests", player.crests, locale)]
