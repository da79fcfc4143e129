"""One short sentence for every line of a menu: what it does, what it costs now, stones included, and what it brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import actions as turn
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules import creature_actions as creature
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.creature_actions import lair_of
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.gains import When, turn_dial
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.rules.state import RIVAL, Bardwood
from engine.games.bardwood_grove.texts.names import Pair, amount, effect, name, pick_of, quarter
from engine.games.bardwood_grove.texts.powers import POWER_TEXTS
from engine.games.bardwood_grove.view import BardwoodView
from engine.phrases import Phrases
from engine.task import Task, fill_task
from engine.words import Locale, french


def payment(state: Bardwood, seat: Seat, cost: Effect, locale: Locale) -> str:
    """Return a cost in words, with the acoustic stones that replace melody or lyrics in brackets."""
    song, player = prices.song_of(state), state.players[seat]
    wild, parts = song.wild, []
    for kind, number in cost._asdict().items():
        if not number:
            continue
        said = amount(kind, number, locale)
        if kind in ("melody", "lyrics"):
            short = max(number - (song.melody if kind == "melody" else song.lyrics), 0)
            stones = max(short - wild, 0)
            wild -= short - stones
            said += f" ({amount('stones', stones, locale)})" if stones and stones <= player.acoustic else ""
        parts.append(said)
    return ", ".join(parts)


def price_words(state: Bardwood, seat: Seat, cost: Effect, benefit: str, locale: Locale) -> str:
    """Return an exchange such as `4 melody (1 stone) for 1 gem`, or that it is free."""
    free = {"en": "free", "fr": "gratuit"}[locale]
    paid = payment(state, seat, cost, locale)
    if not paid:
        return f"{free}, {benefit}" if benefit else free
    return {"en": f"{paid} for {benefit}", "fr": f"{paid} pour {benefit}"}[locale] if benefit else paid


def soothe_price(state: Bardwood, seat: Seat, creature: str) -> Effect:
    """Melody and range stones for soothing a creature from where the seat's bard stands."""
    player, lair = state.players[seat], lair_of(state, creature)
    stones = prices.stones_due(state, player, board.LAIR_DISTANCE[player.region][lair])
    return Effect(melody=prices.soothe_cost(state, lair), range=stones)


def help_price(state: Bardwood, seat: Seat, creature: str) -> Effect:
    """Melody and range stones for helping a creature from where the seat's bard stands."""
    player, lair = state.players[seat], lair_of(state, creature)
    return Effect(
        melody=board.HELP_COST, range=prices.stones_due(state, player, board.LAIR_DISTANCE[player.region][lair])
    )


def challenge_price(state: Bardwood, seat: Seat, other: Seat, melody: int) -> Effect:
    """Melody and range stones for challenging another seat."""
    player = state.players[seat]
    distance = board.DISTANCE[player.region][state.players[other].region]
    return Effect(melody=melody, range=prices.stones_due(state, player, distance))


LULL_PRICE = Effect(melody=board.LULL_COST)


SENTENCES: dict[str, Pair] = {
    "bard": ("Play {name}: {power}", "Jouer {name} : {power}"),
    "compose": (
        "{song} into the song, discard {discard}: {strip}, dial to {quarter}{due}",
        "{song} dans la chanson, défausser {discard} : {strip}, cadran au quart {quarter}{due}",
    ),
    "due": (", a song this turn", ", une chanson ce tour-ci"),
    "move": ("Bard to {region}, boat {spaces} forward", "Barde en {region}, bateau {spaces} plus loin"),
    "move-bard": ("Bard to {region}, boat stays", "Barde en {region}, le bateau reste"),
    "move-boat": (
        "Bard stays in {region}, boat {spaces} forward",
        "Barde reste en {region}, bateau {spaces} plus loin",
    ),
    "stay": ("Bard stays in {region}, boat stays", "Barde reste en {region}, le bateau aussi"),
    "swell": ("Add {volume} that waits", "Ajouter {volume} en attente"),
    "lower": ("Lower half of {name}: {price}", "Débloquer {name} : {price}"),
    "turn": ("Turn {melody} into {lyrics}", "Changer {melody} en {lyrics}"),
    "help": ("Help {name}: {price}", "Aider {name} : {price}"),
    "soothe": ("Soothe {name}: {price}", "Apaiser {name} : {price}"),
    "lull": ("Lull the empty {name}: {price}", "Bercer le lieu vide {name} : {price}"),
    "buy": ("Buy {name}: {price} ({gives})", "Acheter {name} : {price} ({gives})"),
    "bank": ("Bank: {price}", "Banque : {price}"),
    "perform": ("Perform at {name}, rune from {quarter}: {price}", "Jouer : {name}, rune du quart {quarter} : {price}"),
    "tell": ("Tell {name}, rune from {quarter}: {price}", "Raconter {name}, rune du quart {quarter} : {price}"),
    "trade": ("{name}: {price}", "{name} : {price}"),
    "market": ("{name}, stall {stall}: {price}", "{name}, étal {stall} : {price}"),
    "challenge": ("Challenge {who}: {price}", "Défier {who} : {price}"),
    "spend": ("Spend {crests} for {gain}", "Dépenser {crests} pour {gain}"),
    "brag": ("Brag with space {space} ({cards}): {gain}", "Fanfaronner avec l’emplacement {space} ({cards}) : {gain}"),
    "motif": ("Take the motif {name}: {gain}", "Prendre le motif {name} : {gain}"),
    "offer": ("Offer of {name}: {price}", "Offre « {name} » : {price}"),
    "done": ("End the song{left}", "Finir la chanson{left}"),
    "left": (" (lost: {lost})", " (perdu : {lost})"),
    "fan": ("{name}, side {side}: {gain}", "{name}, côté {side} : {gain}"),
    "stack": ("Stack {name} on space {space} ({cards})", "Empiler {name} sur l’emplacement {space} ({cards})"),
    "idle": ("Only move the pawn", "Seulement déplacer le pion"),
    "rival-soothe": ("The rival soothes {name}", "Le rival apaise {name}"),
    "rival-help": ("The rival helps {name}", "Le rival aide {name}"),
    "rival-lull": ("The rival lulls {name}", "Le rival berce {name}"),
    "rival-perform": ("The rival performs at {name}", "Le rival joue : {name}"),
    "rival-tell": ("The rival tells {name}", "Le rival raconte {name}"),
    "rival-buy": ("The rival takes {name}", "Le rival prend {name}"),
    "rival-challenge": ("The rival challenges {name}", "Le rival défie {name}"),
    "rival-idle": ("The rival only moves its pawn", "Le rival déplace seulement son pion"),
    "crest-taken": ("a crest of {who}", "un écusson de {who}"),
    "own-crest": ("a crest on it (uncovers {points})", "un écusson dessus (découvre {points})"),
}


def menu_sentence(key: str, locale: Locale, **words: object) -> str:
    """Return one of the sentences with its words."""
    return pick_of(SENTENCES[key], locale).format(**words)


def say(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:
    """Return the sentence of an action for the seat that is asked."""
    seat = view.asked[0] if view.asked and view.asked[0] >= 0 else view.turn
    if view.players[seat].bard == RIVAL:
        sentence = say_rival(view, action, locale)
    else:
        key, words = sentence_words(view, seat, action, locale)
        sentence = menu_sentence(key, locale, **words)
    return french(sentence) if locale == "fr" else sentence


def say_rival(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:
    """Return what the rival's only line does; it pays nothing."""
    verb, *rest = action.line.split(" ")
    names = [view.called(int(word), locale) if word.isdigit() else name(word, locale) for word in rest]
    return menu_sentence(f"rival-{verb}", locale, name=pick_of((" and ", " et "), locale).join(names))


Keyed = tuple[str, dict[str, Any]]
Saying = Callable[[BardwoodView, Seat, Any, Locale], Keyed]


def sentence_key(key: str, _locale: Locale, **words: Any) -> Keyed:  # noqa: ANN401  # words of any sentence
    """Return a sentence as its key and its words, for menus and for the story."""
    return key, words


def sentence_words(view: BardwoodView, seat: Seat, action: Action[Bardwood], locale: Locale) -> Keyed:
    """Return the key of an action's sentence, and its words at this moment."""
    return SAYINGS[type(action)](view, seat, action, locale)


def _bard(_view: BardwoodView, _seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    gives = effect(DECKS[action.bard].benefits, locale)
    words = f"{name(DECKS[action.bard].instrument, locale)} ({gives}). {pick_of(POWER_TEXTS[action.bard], locale)}"
    return sentence_key("bard", locale, name=name(action.bard, locale), power=words)


def _compose(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    strip = SKILLS[action.discard].strip
    player = view.table.players[seat]
    turned = turn_dial(player, strip.tempo, When.COMPOSE)
    return sentence_key(
        "compose",
        locale,
        song=name(action.song, locale),
        discard=name(action.discard, locale),
        strip=effect(strip, locale),
        quarter=quarter(board.QUARTERS[turned["dial"]].slug, locale),
        due=menu_sentence("due", locale) if turned["marker"] else "",
    )


def _move(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    stays = view.players[seat].region == action.region
    key = ("move-boat" if action.boat else "stay") if stays else ("move" if action.boat else "move-bard")
    return sentence_key(key, locale, region=action.region, spaces=amount("spaces", action.boat, locale))


def _swell(view: BardwoodView, seat: Seat, _action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    player = view.table.players[seat]
    more = min(prices.song_of(view.table).waiting, prices.power(player).volume_limit - player.volume)
    return sentence_key("swell", locale, volume=amount("volume", more, locale))


def _lower(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cost = Effect(volume=prices.lower_cost(view.table, view.table.players[seat], action.skill))
    price = price_words(view.table, seat, cost, effect(SKILLS[action.skill].lower, locale), locale)
    return sentence_key("lower", locale, name=name(action.skill, locale), price=price)


def _turn(_view: BardwoodView, _seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    number = action.melody
    return sentence_key(
        "turn", locale, melody=amount("melody", number, locale), lyrics=amount("lyrics", number, locale)
    )


def _help(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cost = help_price(view.table, seat, action.creature)
    crest = menu_sentence("own-crest", locale, points=amount("points", view.next_crest_points(seat), locale))
    return sentence_key(
        "help", locale, name=name(action.creature, locale), price=price_words(view.table, seat, cost, crest, locale)
    )


def _soothe(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    benefits = effect(CREATURES[action.creature].benefits, locale)
    cost = soothe_price(view.table, seat, action.creature)
    price = price_words(view.table, seat, cost, benefits, locale)
    return sentence_key("soothe", locale, name=name(action.creature, locale), price=price)


def _lull(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    price = price_words(view.table, seat, LULL_PRICE, amount("gems", 1, locale), locale)
    return sentence_key("lull", locale, name=name(action.lair, locale), price=price)


def card_gives(card: str, locale: Locale) -> str:
    """Return the effect of a Skill or an Impro in words."""
    if card in IMPROS:
        return effect(IMPROS[card].upper, locale)
    skill = SKILLS[card]
    lower = f"; {amount('volume', skill.cost, locale)} → {effect(skill.lower, locale)}" if skill.has_lower else ""
    return effect(skill.upper, locale) + (lower.replace(";", " ;") if locale == "fr" else lower)


def _buy(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    shop = song.SHOP_OF[view.tops.index(action.card)]
    price = amount("coins", prices.shop_price(view.table, view.table.players[seat], shop), locale)
    return sentence_key(
        "buy", locale, name=name(action.card, locale), price=price, gives=card_gives(action.card, locale)
    )


def _bank(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    paid = {each[0]: int(each[1]) for each in action.amounts}
    cost = Effect(melody=paid.get("M", 0), lyrics=paid.get("L", 0))
    coins = amount("coins", sum(paid.values()), locale)
    return sentence_key("bank", locale, price=price_words(view.table, seat, cost, coins, locale))


def _perform(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cost = Effect(lyrics=prices.performance_cost(view.table, seat, action.stage))
    price = price_words(view.table, seat, cost, effect(board.LOCATIONS[action.stage].gain, locale), locale)
    return sentence_key(
        "perform", locale, name=name(action.stage, locale), quarter=quarter(action.quarter or "ur", locale), price=price
    )


def _tell(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cost = Effect(lyrics=prices.legend_cost(view.table, board.LEGEND_LEVEL[action.legend]))
    price = price_words(
        view.table, seat, cost, amount("gems", prices.legend_gems(view.table, action.legend), locale), locale
    )
    return sentence_key(
        "tell", locale, name=name(action.legend, locale), quarter=quarter(action.quarter or "ur", locale), price=price
    )


def _trade(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    location = board.LOCATIONS[action.location]
    cost, gain = (location.cost, location.gain) if action.stall is None else board.STALLS[action.stall - 1]
    price = price_words(view.table, seat, cost, effect(gain, locale), locale)
    key = "trade" if action.stall is None else "market"
    return sentence_key(key, locale, name=name(action.location, locale), stall=action.stall, price=price)


def _challenge(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    who = view.called(action.seat, locale)
    table = view.table
    cost = challenge_price(table, seat, action.seat, prices.challenge_cost(table, table.players[seat]))
    crest = menu_sentence("crest-taken", locale, who=who)
    return sentence_key("challenge", locale, who=who, price=price_words(table, seat, cost, crest, locale))


def _spend(_view: BardwoodView, _seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    crests, gain = board.SPENDINGS[action.benefit]
    return sentence_key("spend", locale, crests=amount("crests", crests, locale), gain=effect(gain, locale))


def _brag(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cards = view.players[seat].brag[action.space - 1]
    names = ", ".join(name(card, locale) for card in cards)
    return sentence_key("brag", locale, space=action.space, cards=names, gain=amount("volume", len(cards), locale))


def _motif(_view: BardwoodView, _seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    return sentence_key(
        "motif", locale, name=name(action.motif, locale), gain=amount("gems", GEMS[action.motif], locale)
    )


def _offer(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    cost, gain = OFFERS[action.event]
    price = price_words(view.table, seat, cost, effect(gain, locale), locale)
    return sentence_key("offer", locale, name=name(action.event, locale), price=price)


def _done(view: BardwoodView, _seat: Seat, _action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    song_now = prices.song_of(view.table)
    lost = effect(Effect(melody=song_now.melody, lyrics=song_now.lyrics, wild=song_now.wild), locale)
    return sentence_key("done", locale, left=menu_sentence("left", locale, lost=lost) if lost else "")


def _fan(_view: BardwoodView, _seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    gain = effect(FANS[action.fan].sides[action.side - 1], locale)
    return sentence_key("fan", locale, name=name(action.fan, locale), side=action.side, gain=gain)


def _stack(view: BardwoodView, seat: Seat, action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    player = view.players[seat]
    cards = ", ".join(name(card, locale) for card in player.brag[action.space - 1])
    return sentence_key("stack", locale, name=name(player.arriving, locale), space=action.space, cards=cards)


def _idle(_view: BardwoodView, _seat: Seat, _action: Any, locale: Locale) -> Keyed:  # noqa: ANN401
    return sentence_key("idle", locale)


SAYINGS: dict[type[Action[Bardwood]], Saying] = {
    turn.ChooseBard: _bard,
    turn.Compose: _compose,
    turn.Move: _move,
    turn.Fan: _fan,
    turn.Stack: _stack,
    turn.Idle: _idle,
    song.Swell: _swell,
    song.Lower: _lower,
    song.Turn: _turn,
    creature.Help: _help,
    creature.Soothe: _soothe,
    creature.Lull: _lull,
    song.Buy: _buy,
    song.Banking: _bank,
    song.Perform: _perform,
    song.Tell: _tell,
    song.Trade: _trade,
    creature.Challenge: _challenge,
    song.Spend: _spend,
    song.Brag: _brag,
    song.TakeMotif: _motif,
    song.TakeOffer: _offer,
    song.Done: _done,
}


KINDS: dict[str, Pair] = {
    "swell": ("Your song", "Votre chanson"),
    "lower": ("Your song", "Votre chanson"),
    "turn": ("Your song", "Votre chanson"),
    "help": ("Creatures", "Créatures"),
    "soothe": ("Creatures", "Créatures"),
    "lull": ("Creatures", "Créatures"),
    "buy": ("Shops", "Boutiques"),
    "bank": ("Bank", "Banque"),
    "perform": ("Performances", "Représentations"),
    "tell": ("Legends", "Légendes"),
    "trade": ("Conversions", "Conversions"),
    "challenge": ("Rivals", "Rivaux"),
    "spend": ("Captured crests", "Écussons pris"),
    "brag": ("Brag area", "Fanfaronnade"),
    "motif": ("Motifs", "Motifs"),
    "offer": ("Event", "Évènement"),
    "done": ("End of the song", "Fin de la chanson"),
    "bard": ("Bards", "Bardes"),
    "compose": ("Compose", "Composition"),
    "move": ("Bard and boat", "Barde et bateau"),
    "fan": ("Fans", "Fans"),
    "stack": ("Brag area", "Fanfaronnade"),
}


def option_kind(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:  # noqa: ARG001  # by the verb alone
    """Return the heading under which a long menu lists an action."""
    return pick_of(KINDS[action.verb], locale) if action.verb in KINDS else action.verb


TASKS = Phrases(
    {
        "bards": ("Bards: Choose the bard you play.", "Bardes : Choisissez le barde que vous jouez."),
        "compose": (
            "Compose: Choose a Skill for the song. The other one pays its strip.",
            "Composer : Choisissez une Compétence pour la chanson. L’autre paie sa bande.",
        ),
        "move": ("Move: Move your bard and boat: {points}.", "Se déplacer : Déplacez barde et bateau : {points}."),
        "sing": (
            "Sing: Use what is around {region}: {melody}, {lyrics}. Then end the song.",
            "Chanter : Utilisez ce qui entoure {region} : {melody}, {lyrics}. Puis finissez la chanson.",
        ),
        "fan": ("Fan: Choose what your Fan brings you.", "Fan : Choisissez ce que votre Fan vous apporte."),
        "stack": (
            "Brag: Choose the brag space for your creature.",
            "Fanfaronnade : Choisissez l’emplacement de Fanfaronnade de votre créature.",
        ),
    }
)


def task(view: BardwoodView, locale: Locale) -> Task:
    """Return what the viewer has to do now."""
    song, seat = view.singing, view.players[view.seat or 0]
    left = {kind: amount(kind, getattr(song, kind) if song else 0, locale) for kind in ("melody", "lyrics")}
    points = amount("steps", view.points, locale)
    return fill_task(TASKS, view.phase, locale, region=seat.region, points=points, **left)
