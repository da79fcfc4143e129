"""The end of a match in sentences: the count of each seat, and why the winner won."""

from __future__ import annotations

from engine.game import Seat
from engine.games.bardwood_grove.rules.board import LEGEND_LEVEL
from engine.games.bardwood_grove.texts.names import amount, name
from engine.games.bardwood_grove.texts.words import WORDS
from engine.games.bardwood_grove.view import BardwoodView
from engine.phrases import Phrases
from engine.words import AND, Locale

SENTENCES = Phrases(
    {
        "score": ("{who}: {total} ({counts}).", "{who} : {total} ({counts})."),
        "legends": ("legends {points} ({each})", "légendes {points} ({each})"),
        "no-legends": ("legends 0", "légendes 0"),
        "one": ("{who} wins with the highest total, {total}.", "{who} l’emporte avec le plus haut total, {total}."),
        "gems": (
            "{who} wins the tie at {total} with more green gems, {gems}.",
            "{who} l’emporte à égalité de {total} grâce à plus de gemmes vertes, {gems}.",
        ),
        "coins": (
            "{who} wins the tie at {total} with more coins, {coins}.",
            "{who} l’emporte à égalité de {total} grâce à plus de pièces, {coins}.",
        ),
        "shared": ("{who} share the win at {total}.", "Victoire partagée à {total} : {who}."),
        "resigned": ("{who} wins, since the others resigned.", "{who} l’emporte par abandon."),
        "last-gem": (
            "The last gem had left the board and the round is over.",
            "La dernière gemme avait quitté le plateau et la manche est finie.",
        ),
        "round-40": (
            "Round 40 is over: the match is scored as it stands.",
            "La manche 40 est finie : on compte tel quel.",
        ),
    }
)


def verdict(view: BardwoodView, locale: Locale) -> list[str]:
    """Return the reason for the end, a sentence for each seat's count, and one for the outcome."""
    found = [SENTENCES.say(view.cause, locale)] if view.cause else []
    found += [seat_count(view, seat, locale) for seat in range(view.seats)]
    return [*found, *outcome(view, locale)]


def seat_count(view: BardwoodView, seat: Seat, locale: Locale) -> str:
    """Return a seat's gems, crests, cards, legends with the count of each, and muse."""
    score = view.scores[seat]
    legends = [count for count in score.counts if count.label in LEGEND_LEVEL]
    parts = []
    for count in score.counts:
        if count in legends:
            continue
        label = name(count.label, locale) if count.label.startswith("muse-of") else WORDS.name(count.label, locale)
        parts.append(f"{label} {count.points}")
    if not (view.solo and seat == 1):
        each = ", ".join(f"{name(count.label, locale)} {count.points}" for count in legends)
        points = sum(count.points for count in legends)
        parts.insert(
            3,
            SENTENCES.say("legends", locale, points=points, each=each)
            if legends
            else SENTENCES.say("no-legends", locale),
        )
    total = amount("points", score.total, locale)
    return SENTENCES.say("score", locale, who=view.called(seat, locale), total=total, counts=", ".join(parts))


def outcome(view: BardwoodView, locale: Locale) -> list[str]:
    """Return who won and why: the total, gems or coins in a tie, a shared win, or a resignation."""
    able = [seat for seat in range(view.seats) if seat not in view.resigned]
    if not able:
        return []
    best = max((view.scores[seat].total, view.scores[seat].ties) for seat in able)
    first = [seat for seat in able if (view.scores[seat].total, view.scores[seat].ties) == best]
    level = [seat for seat in able if view.scores[seat].total == best[0] and seat not in first]
    who = AND[locale].join(view.called(seat, locale) for seat in first)
    key = "shared" if len(first) > 1 else "one"
    if len(able) == 1:
        key = "resigned"
    elif level and key == "one":
        key = "gems" if all(view.scores[seat].ties[0] < best[1][0] for seat in level) else "coins"
    return [SENTENCES.say(key, locale, who=who, total=best[0], gems=best[1][0], coins=best[1][1])]
