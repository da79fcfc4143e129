"""The reasons for Balor's actions and for his points, in plain words."""

from __future__ import annotations

from engine.game import Score
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.rules.score import LEAST_REGION, pile_regions
from engine.games.tir_na_nog.rules.state import HIGHEST, Gaze
from engine.games.tir_na_nog.texts.names import COLOUR_NAMES, SIDE_NAMES, card_name, geas_name
from engine.games.tir_na_nog.view import View
from engine.phrases import by_locale, localise
from engine.words import AND, Locale, points_word

SAY = by_locale(
    {
        "turned": (
            "Balor turns {card}{ailm}; his card shows {side}.",
            "Balor révèle {card}{ailm} ; sa carte Référence est sur {side}.",
        ),
        "ailm": (", whose Ailm flips his card", ", dont l’Ailm retourne sa carte Référence"),
        "place": ("{best} sum {sum} at {spot}", "somme {best} : {sum} en {spot}"),
        "take": ("{best} card he touches: {sum} at {spot}", "carte {best} à son contact : {sum} en {spot}"),
        "echtra": (
            "{best} card left, on his Echtra Quest: {sum} at {spot}",
            "carte {best} encore là, pour sa Quête de l’Echtra : {sum} en {spot}",
        ),
        "highest": ("highest", "la plus forte"),
        "lowest": ("lowest", "la plus faible"),
        "passed": ("occupied already: {spots}", "déjà occupé : {spots}"),
        "tied": (
            "tie with {others} broken clockwise from the marker at {marker}",
            "égalité avec {others}, tranchée en sens horaire depuis le pion Premier joueur en {marker}",
        ),
        "tellers": (
            "the Storyteller at {first} goes home, since it comes before {others} on the same walk",
            "le barde en {first} rentre, car il précède {others} sur ce même parcours",
        ),
        "points": (
            (
                "His points on the Geas, fixed from the start: {geas}. Regions of his pile now: {regions}. "
                "In all {total} {unit}."
            ),
            (
                "Ses points sur les Geis, fixés d’avance : {geas}. Régions de sa pile pour l’instant : {regions}. "
                "En tout {total} {unit}."
            ),
        ),
        "geas-end": (
            ("Balor’s points on the Geas ({geas}) are fixed by the Geas of the match; he needs no cards for them."),
            (
                "Les points de Balor sur les Geis ({geas}) sont fixés par les Geis de la partie ; il n’a besoin "
                "d’aucune carte."
            ),
        ),
        "few": (
            "{colour} {points}: fewer than two cards in his pile",
            "{colour} {points} : moins de deux cartes dans sa pile",
        ),
        "more": (
            "{colour} {points}: {his} cards in his pile against your region of {yours}",
            "{colour} {points} : {his} cartes dans sa pile contre votre région de {yours}",
        ),
        "fewer": (
            "{colour} {points}: {his} cards in his pile, below your region of {yours}",
            "{colour} {points} : {his} cartes dans sa pile, moins que votre région de {yours}",
        ),
        "equal": (
            "{colour} {points}: {his} cards in his pile, as many as in your region, so both awards are shared",
            "{colour} {points} : {his} cartes dans sa pile, autant que votre région, donc récompenses partagées",
        ),
        "regions-end": (
            "His regions are the cards of his pile by colour: {colours}.",
            "Ses régions sont les cartes de sa pile par couleur – {colours}.",
        ),
    }
)


def reason(view: View, gaze: Gaze, locale: Locale) -> str:
    """Say why he chose: highest sum 13 at a1a2, tie with c1c2 broken clockwise from the marker at a2a3."""
    say = SAY[locale]
    what = "echtra" if gaze.echtra else gaze.verb
    best = say["highest" if gaze.side == HIGHEST else "lowest"]
    parts = [say[what].format(best=best, sum=gaze.best, spot=gaze.tied[0])]
    if gaze.passed:
        parts.append(say["passed"].format(spots=", ".join(gaze.passed)))
    if gaze.tied[1:]:
        parts.append(say["tied"].format(others=_join_names(gaze.tied[1:], AND[locale]), marker=view.marker))
    if gaze.tellers[1:]:
        parts.append(say["tellers"].format(first=gaze.tellers[0], others=_join_names(gaze.tellers[1:], AND[locale])))
    return "; ".join(parts) if locale == "en" else " ; ".join(parts)


def turn_sentence(card: str, *, flipped: bool, side: str, locale: Locale) -> str:
    """Say what the card turned for Balor means."""
    say = SAY[locale]
    ailm = say["ailm"] if flipped else ""
    return say["turned"].format(card=card_name(card, locale), ailm=ailm, side=localise(SIDE_NAMES[side], locale))


def points_now(view: View, score: Score, locale: Locale) -> str:
    """Say how many points Balor has now for each Geas, and for the regions of his pile."""
    regions = ", ".join(
        f"{localise(COLOUR_NAMES[count.label], locale)} {count.points}"
        for count in score.counts
        if count.label in COLOURS and count.points
    )
    words = {"geas": _geas_points(view, score, locale), "total": score.total, "unit": points_word(score.total, locale)}
    return SAY[locale]["points"].format(**words, regions=regions or "0")


def points_reasons(view: View, score: Score, locale: Locale) -> list[str]:
    """Say why Balor has his points at the end: fixed points on the Geas, and each colour of his pile against yours."""
    say, pile, yours = SAY[locale], pile_regions(view.pile), view.sagas[0].regions
    parts = []
    for count in score.counts:
        if count.label not in COLOURS:
            continue
        his, other = pile[count.label], yours[count.label]
        key = "few" if his < LEAST_REGION else "more" if his > other else "fewer" if his < other else "equal"
        colour = localise(COLOUR_NAMES[count.label], locale)
        parts.append(say[key].format(colour=colour, points=count.points, his=his, yours=other))
    between = "; " if locale == "en" else " ; "
    return [
        say["geas-end"].format(geas=_geas_points(view, score, locale)),
        say["regions-end"].format(colours=between.join(parts)),
    ]


def _geas_points(view: View, score: Score, locale: Locale) -> str:
    points = {count.label: count.points for count in score.counts}
    return ", ".join(f"{geas_name(slug, locale)} {points[slug]}" for slug in view.geas)


def _join_names(words: tuple[str, ...], last: str) -> str:
    return last.join((", ".join(words[:-1]), words[-1])) if words[1:] else words[0]
