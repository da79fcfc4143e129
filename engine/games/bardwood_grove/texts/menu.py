"""One short sentence for every line of a menu: the action, its current cost with stones, and its gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import actions as turn
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules import creature_actions as creature
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.gains import When, turn_dial
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.rules.state import RIVAL, Bardwood, Player
from engine.games.bardwood_grove.texts.names import amount, effect, name, quarter
from engine.games.bardwood_grove.texts.powers import POWER_TEXTS
from engine.games.bardwood_grove.view import BardwoodView
from engine.phrases import Phrases, localise
from engine.task import Task, fill_task
from engine.words import AND, Locale, typeset

SENTENCES = Phrases(
    {
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
        "perform": (
            "Perform at {name}, rune from {quarter}: {price}",
            "Jouer : {name}, rune du quart {quarter} : {price}",
        ),
        "tell": ("Tell {name}, rune from {quarter}: {price}", "Raconter {name}, rune du quart {quarter} : {price}"),
        "trade": ("{name}: {price}", "{name} : {price}"),
        "market": ("{name}, stall {stall}: {price}", "{name}, étal {stall} : {price}"),
        "challenge": ("Challenge {who}: {price}", "Défier {who} : {price}"),
        "spend": ("Spend {crests} for {gain}", "Dépenser {crests} pour {gain}"),
        "brag": (
            "Brag with space {space} ({cards}): {gain}",
            "Fanfaronner avec l’emplacement {space} ({cards}) : {gain}",
        ),
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
        "price": ("{paid} for {benefit}", "{paid} pour {benefit}"),
        "cost": ("{paid}", "{paid}"),
        "free": ("free, {benefit}", "gratuit, {benefit}"),
        "nothing-paid": ("free", "gratuit"),
        "crest-taken": ("a crest of {who}", "un écusson de {who}"),
        "own-crest": ("a crest on it (uncovers {points})", "un écusson dessus (découvre {points})"),
    }
)


def say(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:
    """Return the sentence of an action for the seat that is asked."""
    seat = view.asked[0] if view.asked and view.asked[0] >= 0 else view.turn
    if view.players[seat].bard == RIVAL:
        sentence = say_rival(view, action, locale)
    else:
        key, words = sentence_words(view, seat, action, locale)
        sentence = SENTENCES.say(key, locale, **words)
    return typeset(sentence, locale)


def say_rival(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:
    """Return the rival's only line as a sentence. The rival pays nothing."""
    verb, *rest = action.line.split(" ")
    names = [view.called(int(word), locale) if word.isdigit() else name(word, locale) for word in rest]
    return SENTENCES.say(f"rival-{verb}", locale, name=AND[locale].join(names))


Keyed = tuple[str, dict[str, Any]]
"""The key of a sentence and its words, for menus and for the story."""


def sentence_words(view: BardwoodView, seat: Seat, action: Action[Bardwood], locale: Locale) -> Keyed:
    """Return the key of an action's sentence, and its words at this moment."""
    words: dict[str, Any] = getattr(SentenceWords(view, seat, locale), f"words_of_{action.verb}")(action)
    return words.pop("key", action.verb), words


def card_gives(card: str, locale: Locale) -> str:
    """Return the effect of a Skill or an Impro in words."""
    if card in IMPROS:
        return effect(IMPROS[card].upper, locale)
    skill = SKILLS[card]
    lower = f"; {amount('volume', skill.cost, locale)} → {effect(skill.lower, locale)}" if skill.has_lower else ""
    return effect(skill.upper, locale) + (lower.replace(";", " ;") if locale == "fr" else lower)


@dataclass(frozen=True)
class SentenceWords:
    """Words of the sentence of an action: a method for each verb. `key` is among them if the verb is not the key."""

    view: BardwoodView
    seat: Seat
    locale: Locale

    @property
    def player(self) -> Player:
        """The seat that acts."""
        return self.view.table.players[self.seat]

    def name(self, slug: str) -> str:
        """Return the name of a card, place or bard."""
        return name(slug, self.locale)

    def amount(self, kind: str, number: int) -> str:
        """Return a number of something."""
        return amount(kind, number, self.locale)

    def effect(self, value: Effect) -> str:
        """Return an effect in words."""
        return effect(value, self.locale)

    def stones(self, distance: int) -> int:
        """Return the range stones that the seat needs at this distance."""
        return prices.stones_due(self.view.table, self.player, distance)

    def payment(self, cost: Effect) -> str:
        """Return a cost in words, with the acoustic stones that replace melody or lyrics in brackets."""
        now = prices.song_of(self.view.table)
        wild, parts = now.wild, []
        for kind, number in cost._asdict().items():
            if not number:
                continue
            parts.append(self.amount(kind, number))
            if kind in ("melody", "lyrics"):
                short = max(number - getattr(now, kind), 0)
                stones = max(short - wild, 0)
                wild -= short - stones
                if stones and stones <= self.player.acoustic:
                    parts[-1] += f" ({self.amount('stones', stones)})"
        return ", ".join(parts)

    def price(self, cost: Effect, benefit: str) -> str:
        """Return an exchange such as `4 melody (1 stone) for 1 gem`, or that it is free."""
        paid = self.payment(cost)
        key = ("price" if benefit else "cost") if paid else ("free" if benefit else "nothing-paid")
        return SENTENCES.say(key, self.locale, paid=paid, benefit=benefit)

    def words_of_bard(self, action: turn.ChooseBard) -> dict[str, Any]:
        deck = DECKS[action.bard]
        power = localise(POWER_TEXTS[action.bard], self.locale)
        words = f"{self.name(deck.instrument)} ({self.effect(deck.benefits)}). {power}"
        return {"name": self.name(action.bard), "power": words}

    def words_of_compose(self, action: turn.Compose) -> dict[str, Any]:
        strip = SKILLS[action.discard].strip
        turned = turn_dial(self.player, strip.tempo, When.COMPOSE)
        return {
            "song": self.name(action.song),
            "discard": self.name(action.discard),
            "strip": self.effect(strip),
            "quarter": quarter(board.QUARTERS[turned["dial"]].slug, self.locale),
            "due": SENTENCES[self.locale]["due"] if turned["marker"] else "",
        }

    def words_of_move(self, action: turn.Move) -> dict[str, Any]:
        stays = self.player.region == action.region
        key = ("move-boat" if action.boat else "stay") if stays else ("move" if action.boat else "move-bard")
        return {"key": key, "region": action.region, "spaces": self.amount("spaces", action.boat)}

    def words_of_swell(self, _action: song.Swell) -> dict[str, Any]:
        more = min(prices.song_of(self.view.table).waiting, prices.power(self.player).volume_limit - self.player.volume)
        return {"volume": self.amount("volume", more)}

    def words_of_lower(self, action: song.Lower) -> dict[str, Any]:
        cost = Effect(volume=prices.lower_cost(self.view.table, self.player, action.skill))
        price = self.price(cost, self.effect(SKILLS[action.skill].lower))
        return {"name": self.name(action.skill), "price": price}

    def words_of_turn(self, action: song.Turn) -> dict[str, Any]:
        return {kind: self.amount(kind, action.melody) for kind in ("melody", "lyrics")}

    def words_of_help(self, action: creature.Help) -> dict[str, Any]:
        points = self.amount("points", self.view.next_crest_points(self.seat))
        crest = SENTENCES.say("own-crest", self.locale, points=points)
        lair = creature.lair_of(self.view.table, action.creature)
        cost = Effect(melody=board.HELP_COST, range=self.stones(board.LAIR_DISTANCE[self.player.region][lair]))
        return {"name": self.name(action.creature), "price": self.price(cost, crest)}

    def words_of_soothe(self, action: creature.Soothe) -> dict[str, Any]:
        lair = creature.lair_of(self.view.table, action.creature)
        melody, distance = prices.soothe_cost(self.view.table, lair), board.LAIR_DISTANCE[self.player.region][lair]
        price = self.price(
            Effect(melody=melody, range=self.stones(distance)), self.effect(CREATURES[action.creature].benefits)
        )
        return {"name": self.name(action.creature), "price": price}

    def words_of_lull(self, action: creature.Lull) -> dict[str, Any]:
        return {
            "name": self.name(action.lair),
            "price": self.price(Effect(melody=board.LULL_COST), self.amount("gems", 1)),
        }

    def words_of_buy(self, action: song.Buy) -> dict[str, Any]:
        shop = song.SHOP_OF[self.view.tops.index(action.card)]
        price = self.amount("coins", prices.shop_price(self.view.table, self.player, shop))
        return {"name": self.name(action.card), "price": price, "gives": card_gives(action.card, self.locale)}

    def words_of_bank(self, action: song.Banking) -> dict[str, Any]:
        paid = {each[0]: int(each[1]) for each in action.amounts}
        cost = Effect(melody=paid.get("M", 0), lyrics=paid.get("L", 0))
        return {"price": self.price(cost, self.amount("coins", sum(paid.values())))}

    def words_of_perform(self, action: song.Perform) -> dict[str, Any]:
        cost = Effect(lyrics=prices.performance_cost(self.view.table, self.seat, action.stage))
        price = self.price(cost, self.effect(board.LOCATIONS[action.stage].gain))
        place = quarter(action.quarter or "ur", self.locale)
        return {"name": self.name(action.stage), "quarter": place, "price": price}

    def words_of_tell(self, action: song.Tell) -> dict[str, Any]:
        cost = Effect(lyrics=prices.legend_cost(self.view.table, board.LEGEND_LEVEL[action.legend]))
        price = self.price(cost, self.amount("gems", prices.legend_gems(self.view.table, action.legend)))
        place = quarter(action.quarter or "ur", self.locale)
        return {"name": self.name(action.legend), "quarter": place, "price": price}

    def words_of_trade(self, action: song.Trade) -> dict[str, Any]:
        location = board.LOCATIONS[action.location]
        cost, gain = (location.cost, location.gain) if action.stall is None else board.STALLS[action.stall - 1]
        words = {"name": self.name(action.location), "price": self.price(cost, self.effect(gain))}
        return words if action.stall is None else {"key": "market", "stall": action.stall, **words}

    def words_of_challenge(self, action: creature.Challenge) -> dict[str, Any]:
        who, table = self.view.called(action.seat, self.locale), self.view.table
        stones = self.stones(board.DISTANCE[self.player.region][table.players[action.seat].region])
        cost = Effect(melody=prices.challenge_cost(table, self.player), range=stones)
        return {"who": who, "price": self.price(cost, SENTENCES.say("crest-taken", self.locale, who=who))}

    def words_of_spend(self, action: song.Spend) -> dict[str, Any]:
        crests, gain = board.SPENDINGS[action.benefit]
        return {"crests": self.amount("crests", crests), "gain": self.effect(gain)}

    def words_of_brag(self, action: song.Brag) -> dict[str, Any]:
        cards = self.player.brag[action.space - 1]
        gain = self.amount("volume", len(cards))
        return {"space": action.space, "cards": ", ".join(map(self.name, cards)), "gain": gain}

    def words_of_motif(self, action: song.TakeMotif) -> dict[str, Any]:
        return {"name": self.name(action.motif), "gain": self.amount("gems", GEMS[action.motif])}

    def words_of_offer(self, action: song.TakeOffer) -> dict[str, Any]:
        cost, gain = OFFERS[action.event]
        return {"name": self.name(action.event), "price": self.price(cost, self.effect(gain))}

    def words_of_done(self, _action: song.Done) -> dict[str, Any]:
        now = prices.song_of(self.view.table)
        lost = self.effect(Effect(melody=now.melody, lyrics=now.lyrics, wild=now.wild))
        return {"left": SENTENCES.say("left", self.locale, lost=lost) if lost else ""}

    def words_of_fan(self, action: turn.Fan) -> dict[str, Any]:
        gain = self.effect(FANS[action.fan].sides[action.side - 1])
        return {"name": self.name(action.fan), "side": action.side, "gain": gain}

    def words_of_stack(self, action: turn.Stack) -> dict[str, Any]:
        cards = ", ".join(map(self.name, self.player.brag[action.space - 1]))
        return {"name": self.name(self.player.arriving), "space": action.space, "cards": cards}

    def words_of_idle(self, _action: turn.Idle) -> dict[str, Any]:
        return {}


KINDS = Phrases(
    {
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
)


def option_kind(view: BardwoodView, action: Action[Bardwood], locale: Locale) -> str:  # noqa: ARG001  # by the verb alone
    """Return the heading under which a long menu lists an action."""
    return KINDS[locale].get(action.verb, action.verb)


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
    """Return the viewer's current task."""
    song, seat = view.singing, view.players[view.seat or 0]
    left = {kind: amount(kind, getattr(song, kind) if song else 0, locale) for kind in ("melody", "lyrics")}
    points = amount("steps", view.points, locale)
    return fill_task(TASKS, view.phase, locale, region=seat.region, points=points, **left)
