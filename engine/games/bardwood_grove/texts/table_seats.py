"""The heading of the table, each seat's things, and the viewer's own cards, in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engine.game import CHANCE, Seat
from engine.games.bardwood_grove.rules.board import CREST_POINTS, CRESTS, QUARTERS, RIVER_END
from engine.games.bardwood_grove.rules.cards import DECKS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.texts.names import (
    LEVEL_NAMES,
    QUARTER_CODES,
    amount,
    brief,
    name,
    pick_of,
    quarter,
    rival_card,
)
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, EVENT_TEXTS, POWER_TEXTS
from engine.games.bardwood_grove.texts.table_phrases import INDENT, PHRASES, fold, listing, say
from engine.games.bardwood_grove.texts.table_places import skill_parts
from engine.games.bardwood_grove.texts.verdict import verdict
from engine.games.bardwood_grove.view import BardwoodView
from engine.lines import fold_items
from engine.words import Locale

Effects = Callable[[Effect], str]


def heading_items(view: BardwoodView, locale: Locale) -> list[str]:
    """Return the title, the round and the question."""
    head = [say("title", locale), say("round", locale, round=view.round)]
    asked = [seat for seat in view.asked if seat != CHANCE]
    if view.over:
        head.append(say("over", locale))
    elif not view.asked:
        head.append(say("paused", locale))
    elif asked and f"asked-{view.phase}" in PHRASES:
        words = {"points": amount("movement", view.points, locale), "fan": name(view.fan, locale)}
        head.append(say(f"asked-{view.phase}", locale, who=view.called(asked[0], locale), **words))
    return head


def heading(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """Return the round, the question, the event in force with its text, and the pools."""
    lines = fold(" · ".join(heading_items(view, locale)), width)
    one, two = (amount("gems", gems, locale) for gems in view.pools)
    pools = [say("pools", locale, one=one, two=two), *([] if any(view.pools) else [say("ending", locale)])]
    lines += fold(" · ".join(pools), width)
    if view.act:
        event = view.event
        words = {"name": name(event, locale), "text": pick_of(EVENT_TEXTS[event], locale)}
        lines += fold(say("act", locale, act="I" * view.act, **words), width)
    if view.act == 1:
        event = view.events[1]
        lines += fold(say("later", locale, name=name(event, locale), text=pick_of(EVENT_TEXTS[event], locale)), width)
    return lines


def seat_lines(view: BardwoodView, seat: Seat, locale: Locale, width: int) -> list[str]:
    """Return everything that everybody sees of a seat."""
    player = view.players[seat]
    if view.solo and seat == 1:
        return rival_lines(view, locale, width)
    total = amount("points", view.scores[seat].total, locale)
    head = say(
        "seat",
        locale,
        who=view.called(seat, locale),
        bard=f" ({name(player.bard, locale)})" if player.bard else "",
        you=say("you", locale) if seat == view.seat else "",
        gone=say("resigned", locale) if seat in view.resigned else "",
        total=total + (say("first", locale) if seat == view.starter and view.act else ""),
    )
    lines = fold(head, width)
    if not player.bard:
        return lines
    first, *more = resources(view, seat, locale)
    lines += fold_items((INDENT + first, *more), width, INDENT * 2)
    lines += fold(say("song", locale, cards=song_cards(player.bard, player.song, locale)), width, INDENT)
    if any(player.brag):
        one, two = (listing(cards, locale) for cards in player.brag)
        arriving = say("arriving", locale, name=name(player.arriving, locale)) if player.arriving else ""
        lines += fold(say("brag", locale, one=one, two=two) + arriving, width, INDENT)
    if player.told:
        lines += fold(say("legends-told", locale, names=listing(player.told, locale)), width, INDENT)
    if player.muse:
        text = pick_of(CRITERION_TEXTS[player.muse], locale)
        lines += fold(say("muse", locale, name=name(player.muse, locale), text=text), width, INDENT)
    lines += fold(say("power", locale, text=pick_of(POWER_TEXTS[player.bard], locale)), width, INDENT)
    lines += fold(say("discards", locale, cards=listing(player.discard, locale)), width, INDENT)
    if seat != view.seat:
        words = {"hand": player.hand, "pile": player.pile, "cards": listing(player.hidden, locale)}
        lines += fold(say("hidden", locale, **words), width, INDENT)
    return lines


@lru_cache(maxsize=1024)
def song_cards(bard: str, song: tuple[str, ...], locale: Locale) -> str:
    """Return the cards of a song, after the Instrument that begins it and its gain."""
    instrument = f"{name(DECKS[bard].instrument, locale)} ({brief(DECKS[bard].benefits)})"
    return ", ".join((instrument, *(name(card, locale) for card in song)))


def resources(view: BardwoodView, seat: Seat, locale: Locale) -> list[str]:
    """Return the positions of a seat's pieces, and its things."""
    player = view.players[seat]
    marker = say("marker", locale) if player.marker else ""
    runes = rune_counts(player.runes, locale)
    gone = CRESTS - player.crests
    found = [
        say("where", locale, region=player.region, boat=player.boat, end=RIVER_END),
        say("dial", locale, quarter=quarter(QUARTERS[player.dial].slug, locale), marker=marker),
        say("dial-runes", locale, runes=runes),
        say("volume", locale, volume=player.volume, limit=player.volume_limit),
        amount("gems", player.gems, locale),
        amount("coins", player.coins, locale),
        amount("acoustic", player.acoustic, locale),
        amount("range", player.range, locale),
        say(
            "track",
            locale,
            crests=amount("crests", player.crests, locale),
            points=amount("points", CREST_POINTS[gone], locale),
        )
        if player.crests
        else say("track-empty", locale),
    ]
    if player.captured:
        found.append(say("captured", locale, crests=amount("crests", player.captured, locale)))
    return found


@lru_cache(maxsize=1024)
def rune_counts(runes: tuple[int, ...], locale: Locale) -> str:
    """Return the number of runes on each quarter of the dial."""
    return " ".join(
        f"{pick_of(pair, locale)} {count}" for pair, count in zip(QUARTER_CODES.values(), runes, strict=True)
    )


def rival_lines(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """Return the solo rival: power, pawn, the things it took, and the cards left to it."""
    rival, player = view.rival, view.players[1]
    assert rival is not None  # noqa: S101  # called in solo matches only
    total = amount("points", view.scores[1].total, locale)
    level = pick_of(LEVEL_NAMES[view.level], locale)
    lines = fold(say("rival", locale, level=level, power=rival.power, region=player.region, total=total), width)
    gems, crests = amount("gems", player.gems, locale), amount("crests", player.crests, locale)
    lines += fold(
        say("rival-has", locale, gems=gems, crests=crests, cards=listing(player.discard, locale)), width, INDENT
    )
    left = ", ".join(rival_card(card, locale) for card in rival.left)
    lines += fold(say("rival-left", locale, cards=left or say("none", locale)), width, INDENT)
    if rival.card:
        lines += fold(say("rival-card", locale, card=rival_card(rival.card, locale)), width, INDENT)
    return lines


def song_now(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """Return melody, lyrics and waiting volume left in the Sing phase, and the locations used."""
    song = view.singing
    if song is None:
        return []
    left = [amount(kind, getattr(song, kind), locale) for kind in ("melody", "lyrics")]
    left += [amount("wild", song.wild, locale)] if song.wild else []
    left.append(say("waiting", locale, volume=amount("volume", song.waiting, locale)))
    if song.used:
        left.append(say("used", locale, places=listing(song.used, locale)))
    return fold(say("singing", locale, left=" · ".join(left)), width)


def own_cards(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the viewer's hand with both halves and the discard strip, and the draw pile."""
    if view.seat is None or view.over or not (view.hand or view.pile):
        return []
    lines = [say("hand", locale)] if view.hand else []
    for card in view.hand:
        parts = skill_parts(card, locale, effects)
        lines += fold(say("skill", locale, name=name(card, locale), **parts), width, INDENT)
    return lines + fold(say("own-pile", locale, cards=listing(view.pile, locale)), width)


def final_count(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """Return the count of every seat once the match is over."""
    if not view.over:
        return []
    return [line for sentence in verdict(view, locale) for line in fold(sentence, width)]
