"""The short forms of Keltis for emails: `L R5 / D`, `X B9 / N`, `S R6 N6 / D ?`, `F N5 R, R6`."""

from __future__ import annotations

import re

from engine.game import Options
from engine.games.keltis.cards import LAYS, ORDER, PILES
from engine.games.keltis.rules import LastCards
from engine.games.keltis.score import score
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code
from engine.reading import Unclear
from engine.words import plain

VERBS = {
    **dict.fromkeys(("l", "lay", "pose", "poser"), "lay"),
    **dict.fromkeys(("x", "drop", "discard", "jette", "jeter"), "discard"),
    **dict.fromkeys(("s", "stone", "pierre"), "stone"),
    **dict.fromkeys(("f", "last", "fin"), "last"),
}
SIGNS = {card_code(word, "fr"): word for word in (*PILES, *LAYS)}
"""Cards, lays and piles by their French codes, which are often the canonical ones."""
SOURCES = {
    **{sign.lower(): pile for pile in PILES for sign in (pile, card_code(pile, "fr"))},
    **dict.fromkeys(("d", "deck", "pioche"), "deck"),
}
GUARD = re.compile(r"#(\d+)\s*")
MOST_SOURCES = MOST_LAYS = 2


def short(view: KeltisView, options: Options, text: str) -> tuple[str, ...] | None:
    """Return the canonical lines of a short form, or None for any other text."""
    guard = GUARD.match(text)
    play, slash, draw = text[guard.end() if guard else 0 :].partition("/")
    words = plain(play).split()
    lines = _play(view, options, words) if words else ()
    sources = _sources(draw) if slash else ()
    if lines is None or sources is None or not (lines or sources):
        return None
    if guard and int(guard[1]) != view.turn:
        raise Unclear(text, stale=True)
    return (*lines, *(f"draw {source}" for source in sources))


def _sources(draw: str) -> tuple[str, ...] | None:
    words = plain(draw).split()
    if words[-1:] == ["?"]:
        words.pop()
    known = [SOURCES.get(word) for word in words]
    return tuple(each for each in known if each) if all(known) and len(known) <= MOST_SOURCES else None


def _play(view: KeltisView, options: Options, words: list[str]) -> tuple[str, ...] | None:
    verb = VERBS.get(words[0])
    rest = [SIGNS.get(word.upper(), word.upper()) for word in words[1:]]
    if verb == "last":
        return _last(view, options, rest)
    cards = [word for word in rest if word in ORDER]
    if verb == "discard" and len(rest) == len(cards) == 1:
        return (f"discard {cards[0]}",)
    if verb == "stone" and len(rest) == len(cards) == 2:  # noqa: PLR2004  # a pair
        return ("stone " + " ".join(sorted(cards, key=ORDER.__getitem__)),)
    if verb == "lay" and cards and len(rest) <= 2 and (len(rest) == 1 or rest[1] in tuple(PILES)):  # noqa: PLR2004
        row = "" if rest[1:] in ([], [cards[0][0]]) else f" {rest[1]}"
        return (f"lay {cards[0]}{row}",)
    return None


def _last(view: KeltisView, options: Options, rest: list[str]) -> tuple[str, ...] | None:
    if rest in (["NONE"], ["AUCUNE"]):
        return ("last none",)
    if rest in (["BEST"], ["MIEUX"]):
        return (best(view, options).line,) if view.phase == "last" and options else None
    lays: list[str] = []
    for word in rest:
        if word in ORDER:
            lays.append(word)
        elif word in tuple(PILES) and lays and ":" not in lays[-1]:
            lays[-1] += "" if word == lays[-1][0] else f":{word}"
        else:
            return None
    return ("last " + " ".join(lays),) if 0 < len(lays) <= MOST_LAYS and all(lay in LAYS for lay in lays) else None


def best(view: KeltisView, options: Options) -> LastCards:
    """Return the answer with the highest own total. Among equals, prefer the fewest cards, then the first listed."""
    answers = [option for option in options if isinstance(option, LastCards)]
    return max(answers, key=lambda answer: (total(view, answer.lays), -len(answer.lays)))


def total(view: KeltisView, lays: tuple[str, ...]) -> int:
    """Return the viewer's points after these lays."""
    seat = view.seat or 0
    rows = list(view.rows[seat])
    for lay in lays:
        card, _, colour = lay.partition(":")
        pile = PILES.index(colour or card[0])
        rows[pile] = (*rows[pile], card)
    return score(tuple(rows), len(view.stones[seat])).total
