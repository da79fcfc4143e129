"""The end of a match told: what everybody scored, and who won."""

from __future__ import annotations

from engine.game import Score, Seat
from engine.games.tir_na_nog.cards import COLOURS
from engine.games.tir_na_nog.names import Pair, pick_of
from engine.games.tir_na_nog.phrases import who
from engine.games.tir_na_nog.view import View
from engine.games.tir_na_nog.words import WORDS
from engine.words import Locale

SENTENCES: dict[str, Pair] = {
    "score": ("{who}: {total} VP ({counts}).", "{who} : {total} PV ({counts})."),
    "regions": ("Regions {points}", "Régions {points}"),
    "one": ("{who} wins.", "{who} l’emporte."),
    "tie": ("{who} wins the tie by the largest region.", "{who} l’emporte grâce à la plus grande région."),
    "shared": ("{who} share the win.", "Victoire partagée : {who}."),
}


def verdict(view: View, locale: Locale) -> list[str]:
    """A sentence for each seat's score, and one for the outcome."""
    if not view.scores:
        return []
    told = [_score(view, seat, score, locale) for seat, score in enumerate(view.scores)]
    able = [seat for seat in range(view.seats) if seat not in view.resigned]
    best = max((view.scores[seat].total, view.scores[seat].ties) for seat in able) if able else None
    first = [seat for seat in able if (view.scores[seat].total, view.scores[seat].ties) == best]
    level = [seat for seat in able if best and view.scores[seat].total == best[0]]
    key = "shared" if len(first) > 1 else "tie" if len(level) > 1 else "one"
    names = {"en": " and ", "fr": " et "}[locale].join(who(view, seat, locale) for seat in first)
    return [*told, pick_of(SENTENCES[key], locale).format(who=names)] if first else told


def _score(view: View, seat: Seat, score: Score, locale: Locale) -> str:
    parts = [
        f"{WORDS.name(count.label, locale)} {count.points}"
        for count in score.counts
        if count.label not in COLOURS and (count.points or count.label != "misc")
    ]
    regions = sum(count.points for count in score.counts if count.label in COLOURS)
    parts.append(pick_of(SENTENCES["regions"], locale).format(points=regions))
    words = {"who": who(view, seat, locale), "total": score.total, "counts": ", ".join(parts)}
    return pick_of(SENTENCES["score"], locale).format(**words)
