"""The story of a match of Bardwood Grove: moves and their effects, in sentences."""

from __future__ import annotations

from typing import Any

from engine.game import CHANCE, Action, Seat
from engine.games.bardwood_grove.rules import actions, song_actions
from engine.games.bardwood_grove.rules.board import DISTANCE, FIRST_LAIR, LAIRS, LEGEND_PILES, LOCATIONS, SHOPS
from engine.games.bardwood_grove.rules.cards import CREATURES, FANS, IMPROS
from engine.games.bardwood_grove.rules.rival import DUEL, PERSON, RIVER, SCHOOL
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT
from engine.games.bardwood_grove.texts.menu import sentence_words
from engine.games.bardwood_grove.texts.names import amount, effect, name, rival_card
from engine.games.bardwood_grove.texts.powers import EVENT_TEXTS
from engine.games.bardwood_grove.texts.verdict import verdict
from engine.games.bardwood_grove.view import BardwoodView
from engine.notation import NotALine, parse
from engine.phrases import Phrases, localise
from engine.words import Locale, typeset

TOLD = Phrases(
    {
        "start": ("{who} begins.", "{who} commence."),
        "events": (
            "Act I: {one} ({one_text}). Act II: {two} ({two_text}).",
            "Acte I : {one} ({one_text}). Acte II : {two} ({two_text}).",
        ),
        "motifs": ("Motif tokens on the board: {names}.", "Jetons Motif sur le plateau : {names}."),
        "lay": (
            "The piles are laid out. In the lairs: {creatures}. Legends: {legends}.",
            "Les piles sont en place. Lieux Créature : {creatures}. Légendes : {legends}.",
        ),
        "muse": ("{who} gets the {name}.", "{who} reçoit : {name}."),
        "plays": ("{who} plays {name}.", "{who} joue {name}."),
        "draw": ("{who} draws {card}.", "{who} pioche {card}."),
        "skill": ("a Skill", "une Compétence"),
        "impro": (
            "{who} draws the Impro {card}, which goes into the song.",
            "{who} pioche l’Impro {card}, qui rejoint la chanson.",
        ),
        "fan-met": ("{who} draws the Fan {card}.", "{who} pioche le Fan {card}."),
        "creature-met": (
            "{who} draws the creature {card}, which goes to the brag area: {gain}.",
            "{who} pioche la créature {card}, qui rejoint la zone Fanfaronnade : {gain}.",
        ),
        "top": ("{pile}: {card} comes up.", "{pile} : {card} apparaît."),
        "fans": ("Fans of the Open Stage", "Fans de la Scène ouverte"),
        "legend": ("Legends, level {level}", "Légendes, niveau {level}"),
        "rival": ("The rival turns its card: {card}.", "Le rival retourne sa carte : {card}."),
        "bard": ("{who} plays {name}.", "{who} joue {name}."),
        "last-bard": ("{who} gets the last bard, {name}.", "{who} reçoit le dernier barde, {name}."),
        "compose": (
            "{who} puts {song} into the song and discards {discard}: {strip}, dial to {quarter}{due}.",
            "{who} met {song} dans la chanson et défausse {discard} : {strip}, cadran au quart {quarter}{due}.",
        ),
        "move": (
            "{who} moves the bard to {region} and the boat {spaces} forward.",
            "{who} déplace le barde en {region} et le bateau {spaces} plus loin.",
        ),
        "move-bard": ("{who} moves the bard to {region}.", "{who} déplace le barde en {region}."),
        "move-boat": (
            "{who} stays in {region} and moves the boat {spaces} forward.",
            "{who} reste en {region} et déplace le bateau {spaces} plus loin.",
        ),
        "stay": ("{who} stays in {region}.", "{who} reste en {region}."),
        "sings": ("{who} sings with {with_}.", "{who} chante avec {with_}."),
        "nothing": ("nothing", "rien"),
        "swell": ("{who} adds {volume}.", "{who} ajoute {volume}."),
        "lower": (
            "{who} uses the lower half of {name}: {price}.",
            "{who} débloque {name} : {price}.",
        ),
        "turn": ("{who} turns {melody} into {lyrics}.", "{who} change {melody} en {lyrics}."),
        "help": ("{who} helps {name}: {price}.", "{who} aide {name} : {price}."),
        "soothe": ("{who} soothes {name}: {price}.", "{who} apaise {name} : {price}."),
        "lull": ("{who} lulls the empty {name}: {price}.", "{who} berce le lieu vide {name} : {price}."),
        "buy": ("{who} buys {name} for {price} ({gives}).", "{who} achète {name} pour {price} ({gives})."),
        "bank": ("{who} goes to the bank: {price}.", "{who} va à la banque : {price}."),
        "perform": (
            "{who} performs at {name} with a rune from {quarter}: {price}.",
            "{who} joue, {name}, avec une rune du quart {quarter} : {price}.",
        ),
        "tell": (
            "{who} tells {name} with a rune from {quarter}: {price}.",
            "{who} raconte {name} avec une rune du quart {quarter} : {price}.",
        ),
        "trade": ("{who} uses {name}: {price}.", "{who} utilise {name} : {price}."),
        "market": ("{who} uses stall {stall} of {name}: {price}.", "{who} utilise l’étal {stall}, {name} : {price}."),
        "challenge": ("{who} makes a challenge: {price}.", "{who} lance un défi : {price}."),
        "spend": ("{who} spends {crests} for {gain}.", "{who} dépense {crests} pour {gain}."),
        "brag": (
            "{who} brags with {cards}: {gain}.",
            "{who} fanfaronne avec {cards} : {gain}.",
        ),
        "motif": ("{who} takes the motif {name}: {gain}.", "{who} prend le motif {name} : {gain}."),
        "offer": ("{who} takes the offer of {name}: {price}.", "{who} profite de l’offre « {name} » : {price}."),
        "done": ("{who} ends the song{left}.", "{who} finit la chanson{left}."),
        "fan": ("{who} gains side {side} of {name}: {gain}.", "{who} choisit le côté {side} ({name}) : {gain}."),
        "stack": ("{who} stacks {name} on brag space {space}.", "{who} empile {name} sur l’emplacement {space}."),
        "resign": ("{who} resigns.", "{who} abandonne."),
        "helped": ("{who} helped there and gains {gain}.", "{who} avait aidé et gagne {gain}."),
        "captured": ("{who} captures {crests}.", "{who} prend {crests}."),
        "act": (
            "Pool I is empty. Act II: {name} ({text}).",
            "La réserve I est vide. Acte II : {name} ({text}).",
        ),
        "last": (
            "The last gem has left the board: the round is played to its end, then comes scoring.",
            "La dernière gemme a quitté le plateau : on finit la manche, puis vient le Décompte final.",
        ),
        "power": (
            "The rival’s twelve cards are back; its power is now {power}.",
            "Les douze cartes du rival reviennent ; sa force est maintenant {power}.",
        ),
        "rival-soothe": (
            "The rival goes to {region}. Value {value}, {crests}, power {power}: {name} soothed.",
            "Le rival va en {region}. Valeur {value}, {crests}, force {power} : il apaise {name}.",
        ),
        "rival-help": (
            "The rival goes to {region}. Value {value}, {crests}, power {power}: not soothed; it helps {name}.",
            "Le rival va en {region}. Valeur {value}, {crests}, force {power} : pas d’apaisement ; il aide {name}.",
        ),
        "rival-lair-idle": (
            "The rival goes to {region}. Value {value}, {crests}, power {power}, no crest to add: nothing.",
            "Le rival va en {region}. Valeur {value}, {crests}, force {power}, aucun écusson à poser : rien.",
        ),
        "rival-lull": (
            "The rival goes to {region}. The lair is empty: 1 gem.",
            "Le rival va en {region}. Le lieu est vide : 1 gemme.",
        ),
        "rival-perform": (
            "The rival goes to {region} and performs at {name}: 1 gem{fan}.",
            "Le rival va en {region} et joue, {name} : 1 gemme{fan}.",
        ),
        "and-fan": (" and the Fan {name}", " et le Fan {name}"),
        "rival-tell": (
            "The rival goes to {region} and tells the newest legend of level {level}, {name}: 1 gem.",
            "Le rival va en {region} et raconte la légende la plus récente du niveau {level}, {name} : 1 gemme.",
        ),
        "rival-buy": (
            "The rival goes to {region} and takes {name}, from the fuller piles.",
            "Le rival va en {region} et prend {name}, sur les piles les plus fournies.",
        ),
        "rival-school-idle": (
            "The rival goes to {region}. Both kinds of shop are empty: nothing.",
            "Le rival va en {region}. Les boutiques sont vides : rien.",
        ),
        "rival-challenge": (
            "The rival goes to {region}, {steps} from {who}: it takes a crest and 1 gem.",
            "Le rival va en {region}, à {steps} de {who} : il prend un écusson et 1 gemme.",
        ),
        "rival-duel-idle": (
            "The rival goes to {region}, {steps} from {who}, whose track has {crests}: no challenge.",
            "Le rival va en {region}, à {steps} de {who}, dont la piste a {crests} : pas de défi.",
        ),
    }
)


def listing(slugs: list[str], locale: Locale) -> str:
    """Join names with commas."""
    return ", ".join(name(slug, locale) for slug in slugs)


def tell(before: BardwoodView, after: BardwoodView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell a line, and everything that followed by itself, for this viewer."""
    verb, *rest = line.split(" ")
    if seat == CHANCE:
        sentences = tell_chance(before, verb, rest, locale)
    elif seat < 0 or verb == "resign":
        sentences = [TOLD.say("resign", locale, who=before.called(seat, locale))] if verb == "resign" else [line]
    elif before.solo and seat == RIVAL_SEAT:
        sentences = tell_rival(before, after, verb, rest, locale)
    else:
        sentences = tell_seat(before, after, seat, line, locale)
    sentences += tell_consequences(before, after, seat, verb, rest, locale)
    return tuple(typeset(sentence, locale) for sentence in sentences)


def tell_chance(before: BardwoodView, verb: str, rest: list[str], locale: Locale) -> list[str]:
    """Tell a line of chance."""
    match verb, rest:
        case "start", [first]:
            found = [TOLD.say("start", locale, who=before.called(int(first), locale))]
        case "events", [one, two]:
            texts = {key: localise(EVENT_TEXTS[slug], locale) for key, slug in (("one_text", one), ("two_text", two))}
            found = [TOLD.say("events", locale, one=name(one, locale), two=name(two, locale), **texts)]
        case "motifs", _:
            found = [TOLD.say("motifs", locale, names=listing(rest, locale))]
        case "lay", _:
            lairs, legends = rest[FIRST_LAIR : FIRST_LAIR + len(LAIRS)], rest[FIRST_LAIR + len(LAIRS) :]
            found = [TOLD.say("lay", locale, creatures=listing(lairs, locale), legends=listing(legends, locale))]
        case "muses" | "bards", _:
            key = "muse" if verb == "muses" else "plays"
            found = [
                TOLD.say(key, locale, who=before.called(at, locale), name=name(slug, locale))
                for at, slug in enumerate(rest)
            ]
        case "rival", [card]:
            found = [TOLD.say("rival", locale, card=rival_card(card, locale))]
        case "top", [pile, card]:
            found = [TOLD.say("top", locale, pile=pile_name(pile, locale), card=name(card, locale))]
        case _, [seat, card]:
            found = [tell_drawn(before.called(int(seat), locale), card, locale)]
        case _:
            found = [f"{verb} {' '.join(rest)}"]
    return found


def tell_drawn(who: str, card: str, locale: Locale) -> str:
    """Tell which card a seat drew. Only its owner reads the name of a Skill."""
    if card in CREATURES:
        gain = effect(CREATURES[card].benefits, locale)
        return TOLD.say("creature-met", locale, who=who, card=name(card, locale), gain=gain)
    key = "fan-met" if card in FANS else "impro" if card in IMPROS else "draw"
    return TOLD.say(key, locale, who=who, card=TOLD.say("skill", locale) if card == "?" else name(card, locale))


def pile_name(pile: str, locale: Locale) -> str:
    """Return the name of a pile: its location, or the level of its legends."""
    if pile in LEGEND_PILES:
        return TOLD.say("legend", locale, level="I" * (1 + LEGEND_PILES.index(pile)))
    shops = {LOCATIONS[shop].pile: shop for shop in SHOPS}
    return TOLD.say("fans", locale) if pile == "fans" else name(shops.get(pile, pile), locale)


KINDS: dict[str, tuple[type[Action[Any]], ...]] = {
    kind.verb: (kind,)
    for kind in (
        *(actions.ChooseBard, actions.Compose, actions.Move, actions.Fan, actions.Stack, actions.Idle),
        *song_actions.SONG_ACTIONS,
    )
}
"""The kinds of line that seats make, by verb."""


def tell_seat(before: BardwoodView, after: BardwoodView, seat: Seat, line: str, locale: Locale) -> list[str]:
    """Tell a person's action, with its cost and its gain."""
    who = before.called(seat, locale)
    try:
        action = parse(KINDS, line)
    except NotALine:
        return [f"{who}: {line}"]
    key, words = sentence_words(before, seat, action, locale)
    words = {**words, "who": who}
    found = [TOLD.say(key, locale, **words)]
    if key == "bard":
        others = [other for other in range(before.seats) if other != seat]
        found += [
            TOLD.say("last-bard", locale, who=after.called(other, locale), name=name(after.players[other].bard, locale))
            for other in others
            if not before.players[other].bard and after.players[other].bard
        ]
    song = after.singing
    if song is not None and before.singing is None:
        held = [(kind, getattr(song, kind)) for kind in ("melody", "lyrics", "wild")]
        with_ = ", ".join(amount(kind, number, locale) for kind, number in held if number)
        found.append(TOLD.say("sings", locale, who=who, with_=with_ or TOLD.say("nothing", locale)))
    return found


def tell_consequences(
    before: BardwoodView, after: BardwoodView, seat: Seat, verb: str, rest: list[str], locale: Locale
) -> list[str]:
    """Tell the effects: helpers, captured crests, the next act, the last gem, the rival's power, the final count."""
    found: list[str] = []
    if verb == "soothe" and rest[0] in before.tops:
        lair = before.tops.index(rest[0]) - FIRST_LAIR
        benefits = CREATURES[rest[0]].benefits
        for step in range(1, before.seats):
            other = (seat + step) % before.seats
            rival = before.solo and other == RIVAL_SEAT
            gain = amount("gems", benefits.gems, locale) if rival else effect(benefits, locale)
            if other in before.crests[lair] and (benefits.gems or not rival):
                found.append(TOLD.say("helped", locale, who=before.called(other, locale), gain=gain))
        taken = after.players[seat].captured - before.players[seat].captured
        if taken > 0:
            crests = amount("crests", taken, locale)
            found.append(TOLD.say("captured", locale, who=before.called(seat, locale), crests=crests))
    if before.act == 1 and after.act == 2:  # noqa: PLR2004  # Acts I and II
        event = after.events[1]
        found.append(TOLD.say("act", locale, name=name(event, locale), text=localise(EVENT_TEXTS[event], locale)))
    if any(before.pools) and not any(after.pools):
        found.append(TOLD.say("last", locale))
    if before.rival and after.rival and after.rival.power > before.rival.power:
        found.append(TOLD.say("power", locale, power=after.rival.power))
    return found + (verdict(after, locale) if after.over and not before.over else [])


def tell_rival(before: BardwoodView, after: BardwoodView, verb: str, rest: list[str], locale: Locale) -> list[str]:
    """Tell the rival's action and its reason: value, crests and power, or the goal of its pawn."""
    assert before.rival is not None  # noqa: S101  # told of solo matches only
    card = before.rival.card
    region = after.players[RIVAL_SEAT].region
    words: dict[str, object] = {"region": region, "name": listing(rest, locale) if verb != "challenge" else ""}
    if card in LAIRS:
        words |= lair_words(before, LAIRS.index(card), locale)
        key = "rival-lair-idle" if verb == "idle" else f"rival-{verb}"
    elif card == DUEL:
        person = before.players[PERSON]
        words["who"] = before.called(PERSON, locale)
        words["steps"] = amount("steps", DISTANCE[region][person.region], locale)
        words["crests"] = amount("crests", person.crests, locale)
        key = "rival-challenge" if verb == "challenge" else "rival-duel-idle"
    elif card == SCHOOL:
        key = "rival-buy" if verb == "buy" else "rival-school-idle"
    elif card == RIVER:
        key, words["level"] = "rival-tell", "I" * (1 + before.rival.level)
    else:
        key, fan = "rival-perform", before.tops[0] if LOCATIONS[card].gain.fans else ""
        words["fan"] = TOLD.say("and-fan", locale, name=name(fan, locale)) if fan else ""
    return [TOLD.say(key, locale, **words)]


def lair_words(before: BardwoodView, lair: int, locale: Locale) -> dict[str, object]:
    """Return the value of a lair's creature, the crests on it and the rival's power."""
    creature = before.tops[FIRST_LAIR + lair]
    return {
        "value": CREATURES[creature].value if creature else 0,
        "crests": amount("crests", len(before.crests[lair]), locale),
        "power": before.rival.power if before.rival else 0,
    }
