"""The story of a match of Tír na nÓg: its moves, their effects, and its end."""

from __future__ import annotations

from collections import Counter

from engine.game import CHANCE, Score, Seat, best_seats
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.rules.saga import POINT, ROWS, Standing
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.texts.balor_reasons import points_reasons, reason, turn_sentence
from engine.games.tir_na_nog.texts.menu import FEMININE, ROWS_OF, between, card_title, say
from engine.games.tir_na_nog.texts.names import WORDS, card_name, geas_name
from engine.games.tir_na_nog.texts.phrases import who
from engine.games.tir_na_nog.texts.table_text import worth
from engine.games.tir_na_nog.view import View
from engine.phrases import Phrases, localise
from engine.words import AND, Locale, capitalise, of_name, typeset

SENTENCES = Phrases(
    {
        "score": ("{who}: {total} VP ({counts}).", "{who} : {total} PV ({counts})."),
        "regions": ("Regions {points}", "Régions {points}"),
        "one": ("{who} wins.", "{who} l’emporte."),
        "tie": ("{who} wins the tie by the largest region.", "{who} l’emporte grâce à la plus grande région."),
        "shared": ("{who} share the win.", "Victoire partagée : {who}."),
    }
)


def verdict(view: View, locale: Locale) -> list[str]:
    """Tell each seat's score, why Balor has his points, and the outcome."""
    if not view.scores:
        return []
    told = [_score(view, seat, score, locale) for seat, score in enumerate(view.scores)]
    told += points_reasons(view, view.balor_score, locale) if view.balor_score else []
    first = best_seats(view.scores, view.resigned)
    able = [seat for seat in range(view.seats) if seat not in view.resigned]
    level = [seat for seat in able if view.scores[seat].total == view.scores[first[0]].total]
    key = "shared" if len(first) > 1 else "tie" if len(level) > 1 else "one"
    names = AND[locale].join(who(view, seat, locale) for seat in first)
    return [*told, SENTENCES.say(key, locale, who=names)] if first else told


def _score(view: View, seat: Seat, score: Score, locale: Locale) -> str:
    parts = [
        f"{WORDS.name(count.label, locale)} {count.points}"
        for count in score.counts
        if count.label not in COLOURS and (count.points or count.label != "misc")
    ]
    regions = sum(count.points for count in score.counts if count.label in COLOURS)
    parts.append(SENTENCES.say("regions", locale, points=regions))
    words = {"who": who(view, seat, locale), "total": score.total, "counts": ", ".join(parts)}
    return SENTENCES.say("score", locale, **words)


__all__ = ("say", "tell")

TOLD = Phrases(
    {
        "start": ("{who} begins.", "{who} commence."),
        "geas": ("The Geas are {geas}.", "Les Geis sont {geas}."),
        "deal": ("{who} is dealt five cards{cards}.", "{who} reçoit cinq cartes{cards}."),
        "lay": (
            "Round {round}: {count} cards are laid out as the Otherworld.",
            "Manche {round} : {count} cartes forment l’Autre Monde.",
        ),
        "flip": ("Balor’s card is flipped to {side}.", "La carte Référence de Balor passe sur {side}."),
        "mark": ("{who} puts Balor’s marker at {spot}.", "{who} pose le pion Premier joueur en {spot}."),
        "place": ("{who} places a Storyteller at {spot}, {between}.", "{who} place un barde en {spot}, {between}."),
        "take": (
            "{who} takes {card} at {cell}; the Storyteller at {spot} comes home.",
            "{who} prend {card} en {cell} ; le barde en {spot} rentre.",
        ),
        "draw": (
            "{who} draws a card for Aengus’s Brú{cards}.",
            "{who} pioche une carte pour le Tumulus d’Óengus{cards}.",
        ),
        "keep": (
            "{who} keeps the drawn card; the Lost Storyteller at {spot} comes home.",
            "{who} garde la carte piochée ; le barde égaré en {spot} rentre.",
        ),
        "play": (
            "{who} plays {card} to the {row} row, place {slot}.",
            "{who} joue {card} sur la rangée {row}, emplacement {slot}.",
        ),
        "discard": ("{who} discards {card}.", "{who} défausse {card}."),
        "far": (
            "{who} discards Mag Mell and may take any card.",
            "{who} défausse Mag Mell et peut prendre n’importe quelle carte.",
        ),
        "refuse": ("{who} discards the drawn {card}.", "{who} défausse {card}, tout juste piochée."),
        "forced": (
            "{who} can play no card and discards {card}.",
            "{who} ne peut jouer aucune carte et défausse {card}.",
        ),
        "chosen": ("{who} has chosen a card to discard.", "{who} a choisi une carte à défausser."),
        "revealed": ("Discarded at Cleanup: {cards}.", "Défaussé à l’Entretien : {cards}."),
        "spare": ("{who} discards {card} from Balor’s pile.", "{who} défausse {card} de la pile de Balor."),
        "paint": ("{who} turns {card} at {place} {colour}.", "{who} rend {card} en {place} {colour}."),
        "swap": (
            "{who} swaps {card} at {place} with {other} at {end}.",
            "{who} échange {card} en {place} avec {other} en {end}.",
        ),
        "shift": (
            "{who} moves {card} from {place} to the {row} row.",
            "{who} déplace {card} de {place} à la rangée {row}.",
        ),
        "wander": (
            "{who} moves the Storyteller of {whose} from {spot} to {end}.",
            "{who} déplace le barde {of} de {spot} à {end}.",
        ),
        "eat": (
            "Hungry Oilliphéist eats {card} at {place} and gains {value}.",
            "L’Oilliphéist affamé dévore {card} en {place} et gagne {value}.",
        ),
        "adjust": ("{who} changes {card} at {place} by {by}.", "{who} modifie {card} en {place} de {by}."),
        "stay": ("{who} leaves it at that.", "{who} ne change rien."),
        "lost": ("The Storyteller of {who} at {spot} is Lost.", "Le barde {of} en {spot} est égaré."),
        "now": ("{card} at {place} now counts as {worth}.", "{card} en {place} compte désormais comme {worth}."),
        "resign": ("{who} resigns.", "{who} abandonne."),
    }
)


def tell(before: View, after: View, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell the effect of a line, and everything that followed by itself, as this viewer saw it."""
    verb, *rest = line.split(" ")
    told = (
        _tell_chance(before, after, verb, rest, locale)
        if seat == CHANCE
        else [_tell_action(before, seat, verb, rest, locale)]
    )
    if before.solo and seat == BALOR and after.gaze and verb in ("place", "take"):
        told.append(capitalise(reason(after, after.gaze, locale)) + ".")
    told += (
        _tell_lost(before, after, locale)
        + _tell_changes(before, after, seat, locale)
        + _tell_discards(before, after, locale)
    )
    if after.over and not before.over:
        told += verdict(after, locale)
    return tuple(typeset(sentence, locale) for sentence in told)


def _tell_chance(before: View, after: View, verb: str, rest: list[str], locale: Locale) -> list[str]:
    match verb:
        case "start":
            geas = ", ".join(geas_name(slug, locale) for slug in after.geas)
            return [
                TOLD.say("start", locale, who=who(after, int(rest[0]), locale)),
                TOLD.say("geas", locale, geas=geas),
            ]
        case "deal" | "draw":
            shown = ", ".join(card_title(card, locale) for card in rest[1:] if card != "?")
            cards = {"en": f": {shown}", "fr": f" : {shown}"}[locale] if shown else ""
            return [TOLD.say(verb, locale, who=who(before, int(rest[0]), locale), cards=cards)]
        case "lay":
            flip = [] if before.side == after.side or not after.solo else [_tell_flip(after, locale)]
            return [TOLD.say("lay", locale, round=after.round, count=len(rest)), *flip]
        case "turn":
            return [turn_sentence(rest[0], flipped=after.flipped, side=after.side, locale=locale)]
    return [f"{verb} {' '.join(rest)}"]


def _tell_flip(after: View, locale: Locale) -> str:
    return TOLD.say("flip", locale, side=WORDS.name(after.side, locale))


def _tell_action(before: View, seat: Seat, verb: str, rest: list[str], locale: Locale) -> str:
    """Tell a seat's action, from the words of its line."""
    name = who(before, seat, locale)
    match verb, rest:
        case "mark" | "place" | "keep", [spot]:
            return TOLD.say(verb, locale, who=name, spot=spot, between=between(before, spot, locale))
        case "take", [cell, spot]:
            return TOLD.say(verb, locale, who=name, card=card_title(before.cards[cell], locale), cell=cell, spot=spot)
        case "play", [card, row]:
            slot = before.sagas[seat].slot(ROWS.index(row)) + 1
            return TOLD.say(
                verb, locale, who=name, card=card_title(card, locale), row=localise(ROWS_OF[row], locale), slot=slot
            )
        case "discard", [card]:
            return TOLD.say(_discard(before, card), locale, who=name, card=card_title(card, locale))
        case "wander", [start, end, *whose]:
            owner = int(whose[0]) if whose else _owner(before, seat, start)
            whose_name = who(before, owner, locale)
            return TOLD.say(verb, locale, who=name, whose=whose_name, of=of_name(whose_name), spot=start, end=end)
    return _tell_rewriting(before, seat, verb, rest, locale)


def _tell_rewriting(before: View, seat: Seat, verb: str, rest: list[str], locale: Locale) -> str:
    """Tell a seat's change to its own Saga."""
    name = who(before, seat, locale)
    cards = [_card(before, seat, word, locale) for word in rest if word in POINT]
    places = [WORDS.name(word, locale) for word in rest if word in POINT]
    match verb, rest:
        case "paint", [_, colour]:
            words = {"colour": localise(FEMININE[colour], locale)}
        case "swap", [_, _]:
            words = {"other": cards[1], "end": places[1]}
        case "shift", [_, row]:
            words = {"row": localise(ROWS_OF[row], locale)}
        case "eat", [place]:
            at, slot = POINT[place]
            words = {"value": str(before.sagas[seat].values[at][slot])}
        case "adjust", [_, by]:
            words = {"by": by.replace("-", "−")}
        case _:
            return (
                TOLD.say(verb, locale, who=name) if verb in ("stay", "resign") else f"{name}: {verb} {' '.join(rest)}"
            )
    return TOLD.say(verb, locale, who=name, card=cards[0], place=places[0], **words)


def _card(view: View, seat: Seat, place: str, locale: Locale) -> str:
    placed = view.sagas[seat].at(POINT[place])
    return card_name(placed.card, locale) if placed else place


def _discard(before: View, card: str) -> str:
    what = before.asking.what
    if what == "take":
        return "far"
    if what == "cleanup":
        return "chosen" if card == "?" else "discard"
    return {"keep": "refuse", "play": "forced", "spare": "spare"}.get(what, "discard")


def _owner(view: View, seat: Seat, spot: str) -> Seat:
    owners = [each for each, spots in enumerate(view.out) if spot in spots]
    return seat if seat in owners or not owners else owners[0]


def _tell_lost(before: View, after: View, locale: Locale) -> list[str]:
    """Tell which Storytellers have just lost their last card."""
    if before.phase != "saga" or after.phase != "saga":
        return []
    return [
        TOLD.say("lost", locale, who=who(after, seat, locale), of=of_name(who(after, seat, locale)), spot=spot)
        for seat in range(after.seats)
        for spot in (Counter(after.lost_spots(seat)) - Counter(before.lost_spots(seat)))
    ]


def _tell_changes(before: View, after: View, seat: Seat, locale: Locale) -> list[str]:
    """Tell which cards of this seat's Saga now count differently than before, or than printed."""
    if seat < 0 or seat >= after.seats:
        return []
    old = {card.place: card for row in before.standing(seat) for card in row if card}
    return [
        TOLD.say(
            "now",
            locale,
            card=card_name(card.card, locale),
            place=WORDS.name(card.place, locale),
            worth=worth(card, locale),
        )
        for row in after.standing(seat)
        for card in row
        if card and _differs(old.get(card.place), card)
    ]


def _differs(old: Standing | None, new: Standing) -> bool:
    if old is None or old.card != new.card:
        return (new.colour, new.value) != (new.printed_colour, new.printed_value)
    return (old.colour, old.value) != (new.colour, new.value)


def _tell_discards(before: View, after: View, locale: Locale) -> list[str]:
    """Tell which cards were turned up when the last Cleanup answer was in."""
    if before.asking.what != "cleanup" or after.asking.what == "cleanup":
        return []
    new = Counter(after.discards) - Counter(before.discards) - Counter(before.cards.values())
    return (
        [TOLD.say("revealed", locale, cards=", ".join(card_title(card, locale) for card in new.elements()))]
        if new
        else []
    )
