"""The rule of Bardwood Grove that forbids a line, for the player who tried it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import actions as turn
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules import creature_actions as creature
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.state import Bardwood, Player, Song
from engine.games.bardwood_grove.rules.steps import ChooseBards, ChooseSide, ComposePhase, MoveBard, Sing, StackCreature
from engine.games.bardwood_grove.texts.names import amount, name, quarter
from engine.phrases import Phrases
from engine.reasons import Localised, Reason, in_languages

ASKED = Phrases(
    {
        "ChooseBards": ("now you choose a bard", "maintenant vous choisissez un barde"),
        "ComposePhase": (
            "now you compose: one Skill into the song, the other discarded",
            "maintenant vous composez, une Compétence dans la chanson, l’autre défaussée",
        ),
        "MoveBard": ("now you move your bard and your boat", "maintenant vous déplacez votre barde et votre bateau"),
        "Sing": ("now you sing", "maintenant vous chantez"),
        "ChooseSide": ("now you choose a side of the Fan", "maintenant vous choisissez un côté du Fan"),
        "StackCreature": (
            "now you say on which brag space the creature is laid, stack 1 or stack 2",
            "maintenant vous dites sur quel emplacement va la créature, stack 1 ou stack 2",
        ),
    }
)
"""By the step on top: what the seat is asked now, for lines that answer something else."""
REFUSALS = Phrases(
    {
        "bard-taken": ("{name} is taken or not in this match", "{name} est déjà pris ou absent de cette partie"),
        "not-in-hand": ("{name} is not in your hand", "{name} n’est pas dans votre main"),
        "same-skill": (
            "name both Skills in your hand, each once",
            "il s’agit des deux Compétences de votre main, une de chaque",
        ),
        "too-far": (
            "{region} lies at distance {distance}, and your movement is {points}",
            "{region} est à une distance de {distance}, et votre mouvement est de {points}",
        ),
        "boat-too-far": (
            "the boat cannot go {spaces} further with the movement left",
            "le bateau ne peut pas avancer de {spaces} avec le mouvement restant",
        ),
        "other-fan": ("the Fan you met is {name}", "le Fan rencontré est {name}"),
        "nothing-waits": (
            "no volume waits, or your volume is at its maximum",
            "aucun volume n’est en attente, ou votre volume est au maximum",
        ),
        "not-in-song": ("{name} is not in your song", "{name} n’est pas dans votre chanson"),
        "no-lower": ("{name} has no lower half", "{name} n’a pas de partie basse"),
        "lowered": ("the lower half of {name} is unlocked already", "la partie basse de {name} est déjà débloquée"),
        "too-little": ("that costs {cost} and you have {have}", "cela coûte {cost} et vous avez {have}"),
        "cannot-pay": ("you cannot pay that with what you have", "vous ne pouvez pas le payer avec ce que vous avez"),
        "no-turning": ("your bard does not turn melody into lyrics", "votre barde ne change pas la mélodie en paroles"),
        "not-on-top": ("{name} does not lie on top of a lair", "{name} n’est sur le dessus d’aucun repaire"),
        "used": (
            "you have used {name} in this song already",
            "vous avez déjà utilisé le lieu {name} dans cette chanson",
        ),
        "range": (
            "it lies at distance {distance}, and you have too few range stones",
            "c’est à une distance de {distance}, et vous n’avez pas assez de pierres de portée",
        ),
        "no-crest": ("you have no crest left on your track", "vous n’avez plus d’écusson sur votre piste"),
        "crest-there": ("your crest lies on {name} already", "votre écusson se trouve déjà sur {name}"),
        "lair-held": ("{name} is not empty, or not in your region", "{name} n’est pas vide, ou pas dans votre région"),
        "not-on-sale": ("{name} is not on sale in your region", "{name} n’est pas en vente dans votre région"),
        "one-card": ("each move buys one card", "on achète une seule carte par ligne"),
        "not-here": ("{name} is not in your region", "{name} n’est pas dans votre région"),
        "bank-order": (
            "the bank takes 1 to {most} in all, melody first, as in bank M2 L1",
            "la banque prend de 1 à {most} en tout, la mélodie d’abord, par exemple bank M2 L1",
        ),
        "name-quarter": (
            "name the quarter of the dial whose rune you use, as in ul",
            "nommez le quart du cadran dont vous prenez la rune, par exemple ul",
        ),
        "no-rune": ("no rune is left in the quarter {quarter}", "il n’y a plus de rune au quart {quarter}"),
        "stage-full": ("you have {most} runes at {name} already", "vous avez déjà {most} runes à {name}"),
        "no-jetty": ("there is no jetty in your region", "il n’y a pas de ponton dans votre région"),
        "not-face-up": ("{name} does not lie face up", "{name} n’est pas visible"),
        "told": ("you have told {name} already", "vous avez déjà raconté {name}"),
        "boat": (
            "your boat must be {spaces} spaces down the river for {name}",
            "votre bateau doit avoir avancé de {spaces} sur la rivière pour {name}",
        ),
        "stall": ("the market stands at stall {stall}", "le marché est à l’étal {stall}"),
        "no-such-seat": ("you cannot challenge that player", "vous ne pouvez pas défier ce joueur"),
        "rival-crests": ("that player has no crest left", "ce joueur n’a plus d’écusson"),
        "challenged": (
            "you have challenged that player in this song already",
            "vous avez déjà défié ce joueur dans cette chanson",
        ),
        "captured": (
            "that takes {cost} that you captured, and you have {have}",
            "cela demande {cost} parmi vos écussons capturés, et vous en avez {have}",
        ),
        "bragged": ("you have bragged in this song already", "vous avez déjà fanfaronné dans cette chanson"),
        "brag-empty": ("brag space {space} is empty", "l’emplacement {space} est vide"),
        "motif-gone": ("the motif {name} is not on the board", "le motif {name} n’est pas sur le plateau"),
        "one-motif": ("you have taken a motif in this song already", "vous avez déjà pris un motif dans cette chanson"),
        "motif-condition": (
            "the condition of the motif {name} is not met in this song",
            "la condition du motif {name} n’est pas remplie dans cette chanson",
        ),
        "other-event": ("the event in force is {name}", "l’événement en cours est {name}"),
        "offer-taken": (
            "you have taken this offer in this song already",
            "vous avez déjà pris cette offre dans cette chanson",
        ),
        "rival-only": ("only the rival makes this move", "c’est une ligne du rival"),
    }
)
refuse = REFUSALS.refuse
ANSWERS: dict[type, type[Action[Bardwood]]] = {
    ChooseBards: turn.ChooseBard,
    ComposePhase: turn.Compose,
    MoveBard: turn.Move,
    ChooseSide: turn.Fan,
    StackCreature: turn.Stack,
}


def refusal(state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Reason | None:
    """Return the rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    kinds = song.SONG_ACTIONS if isinstance(step, Sing) else (ANSWERS.get(type(step)),)
    if type(step).__name__ not in ASKED:
        return None
    if isinstance(action, turn.Idle):
        return refuse("rival-only")
    if type(action) not in kinds:
        return ASKED.refuse(type(step).__name__)
    find = getattr(Refusals(state, seat), f"of_{action.verb}", None)
    reason: Reason | None = find(action) if find else None
    return reason


def _short(kind: str, cost: int, have: int) -> Reason | None:
    """Return the refusal of a cost that the seat cannot pay, or None."""
    if cost <= have:
        return None
    return refuse("too-little", cost=in_languages(amount, kind, cost), have=in_languages(amount, kind, have))


def named(slug: str) -> Localised:
    """Return the name of a card or place, for a reason."""
    return in_languages(name, slug)


@dataclass(frozen=True)
class Refusals:
    """Rules that forbid a line to a seat: a method for each verb."""

    state: Bardwood
    seat: Seat

    @property
    def player(self) -> Player:
        """The seat that acts."""
        return self.state.players[self.seat]

    @property
    def now(self) -> Song:
        """The current Sing phase."""
        return prices.song_of(self.state)

    def sound(self, kind: str) -> int:
        """Return the melody or lyrics that the seat can pay, stones included."""
        own: int = getattr(self.now, kind)
        return own + self.now.wild + self.player.acoustic

    def of_bard(self, action: turn.ChooseBard) -> Reason | None:
        return refuse("bard-taken", name=named(action.bard))

    def of_compose(self, action: turn.Compose) -> Reason | None:
        for card in (action.song, action.discard):
            if card not in self.player.hand:
                return refuse("not-in-hand", name=named(card))
        return refuse("same-skill")

    def of_move(self, action: turn.Move) -> Reason | None:
        step, player = self.state.agenda[0], self.player
        points = step.points if isinstance(step, MoveBard) else 0
        if prices.reach(player, action.region, points) < 0:
            distance = board.DISTANCE[player.region][action.region]
            return refuse("too-far", region=action.region, distance=distance, points=points)
        return refuse("boat-too-far", spaces=in_languages(amount, "spaces", action.boat))

    def of_fan(self, _action: turn.Fan) -> Reason | None:
        step = self.state.agenda[0]
        return refuse("other-fan", name=named(step.fan)) if isinstance(step, ChooseSide) else None

    def of_swell(self, _action: song.Swell) -> Reason | None:
        return refuse("nothing-waits")

    def of_lower(self, action: song.Lower) -> Reason | None:
        player, skill = self.player, named(action.skill)
        if action.skill not in player.song:
            return refuse("not-in-song", name=skill)
        if not SKILLS[action.skill].has_lower:
            return refuse("no-lower", name=skill)
        if action.skill in self.now.lowered:
            return refuse("lowered", name=skill)
        return _short("volume", prices.lower_cost(self.state, player, action.skill), player.volume)

    def of_turn(self, action: song.Turn) -> Reason | None:
        if not prices.power(self.player).turns_melody(self.player):
            return refuse("no-turning")
        return _short("melody", action.melody, self.now.melody)

    def lair(self, slug: str) -> int | Reason:
        """Return the lair of a creature that can be reached, or why it cannot."""
        tops = self.state.tops[board.FIRST_LAIR : board.FIRST_LAIR + len(board.LAIRS)]
        if slug not in tops:
            return refuse("not-on-top", name=named(slug))
        lair, player = tops.index(slug), self.player
        if board.LAIRS[lair] in self.now.used:
            return refuse("used", name=named(board.LAIRS[lair]))
        distance = board.LAIR_DISTANCE[player.region][lair]
        if distance and prices.stones_due(self.state, player, distance) > player.range:
            return refuse("range", distance=distance)
        return lair

    def of_help(self, action: creature.Help) -> Reason | None:
        lair, player = self.lair(action.creature), self.player
        if isinstance(lair, Reason):
            return lair
        if not player.crests:
            return refuse("no-crest")
        if self.seat in self.state.crests[lair]:
            return refuse("crest-there", name=named(action.creature))
        return _short("melody", board.HELP_COST, self.sound("melody"))

    def of_soothe(self, action: creature.Soothe) -> Reason | None:
        lair = self.lair(action.creature)
        if isinstance(lair, Reason):
            return lair
        return _short("melody", prices.soothe_cost(self.state, lair), self.sound("melody"))

    def of_lull(self, action: creature.Lull) -> Reason | None:
        at, player = board.LAIRS.index(action.lair), self.player
        if self.state.tops[board.FIRST_LAIR + at] or board.LAIR_DISTANCE[player.region][at]:
            return refuse("lair-held", name=named(action.lair))
        if action.lair in self.now.used:
            return refuse("used", name=named(action.lair))
        return _short("melody", board.LULL_COST, self.sound("melody"))

    def of_buy(self, action: song.Buy) -> Reason | None:
        player = self.player
        if action.second is not None:
            return refuse("one-card")
        for shop in board.SHOPS_HERE[player.region]:
            if self.state.tops[board.PILE_AT[board.LOCATIONS[shop].pile]] == action.card:
                if shop in self.now.used:
                    return refuse("used", name=named(shop))
                return _short("coins", prices.shop_price(self.state, player, shop), player.coins)
        return refuse("not-on-sale", name=named(action.card))

    def of_bank(self, action: song.Banking) -> Reason | None:
        listed = action in [each for _, _, each in song.BANKINGS]
        return self.place(board.BANK, board.HERE[self.player.region]) or (
            refuse("cannot-pay") if listed else refuse("bank-order", most=board.MOST_BANKED)
        )

    def rune(self, slug: str | None) -> Reason | None:
        """Return why the seat has no rune in a quarter of the dial, or None."""
        if slug is None:
            return refuse("name-quarter")
        if self.player.runes[board.QUARTER_AT[slug]]:
            return None
        return refuse("no-rune", quarter=in_languages(quarter, slug))

    def place(self, slug: str, here: Collection[str]) -> Reason | None:
        """Return why a place cannot be used: it is not among those here, or it was used in this song."""
        if slug not in here:
            return refuse("not-here", name=named(slug))
        return refuse("used", name=named(slug)) if slug in self.now.used else None

    def of_perform(self, action: song.Perform) -> Reason | None:
        stage = action.stage
        if reason := self.place(stage, board.STAGES_HERE[self.player.region]):
            return reason
        if self.state.stages[prices.STAGE_AT[stage]][self.seat] >= board.MOST_RUNES_AT_A_STAGE:
            return refuse("stage-full", most=board.MOST_RUNES_AT_A_STAGE, name=named(stage))
        lacking = _short("lyrics", prices.performance_cost(self.state, self.seat, stage), self.sound("lyrics"))
        return lacking or self.rune(action.quarter)

    def of_tell(self, action: song.Tell) -> Reason | None:
        player, level, legend = self.player, board.LEGEND_LEVEL[action.legend], named(action.legend)
        jetties = board.JETTIES_HERE[player.region]
        if not jetties:
            return refuse("no-jetty")
        if all(jetty in self.now.used for jetty in jetties):
            return refuse("used", name=named(jetties[0]))
        if action.legend not in self.state.legends[level]:
            return refuse("not-face-up", name=legend)
        if action.legend in player.told:
            return refuse("told", name=legend)
        if player.boat < board.LEVELS[level].boat:
            return refuse("boat", spaces=board.LEVELS[level].boat, name=legend)
        lacking = _short("lyrics", prices.legend_cost(self.state, level), self.sound("lyrics"))
        return lacking or self.rune(action.quarter)

    def of_trade(self, action: song.Trade) -> Reason | None:
        place, stall = action.location, self.state.stall
        if reason := self.place(place, board.CONVERSIONS_HERE[self.player.region]):
            return reason
        if place == board.MARKET:
            return refuse("cannot-pay") if action.stall == stall else refuse("stall", stall=stall)
        return refuse("cannot-pay") if action.stall is None else refuse("not-here", name=named(board.MARKET))

    def of_challenge(self, action: creature.Challenge) -> Reason | None:
        player, other = self.player, action.seat
        if other == self.seat or other >= self.state.seats:
            return refuse("no-such-seat")
        if not self.state.players[other].crests:
            return refuse("rival-crests")
        if other in self.now.challenged:
            return refuse("challenged")
        distance = board.DISTANCE[player.region][self.state.players[other].region]
        if prices.stones_due(self.state, player, distance) > player.range:
            return refuse("range", distance=distance)
        return _short("melody", prices.challenge_cost(self.state, player), self.sound("melody"))

    def of_spend(self, action: song.Spend) -> Reason | None:
        crests = in_languages(amount, "crests", board.SPENDINGS[action.benefit][0])
        return refuse("captured", cost=crests, have=self.player.captured)

    def of_brag(self, action: song.Brag) -> Reason | None:
        return refuse("bragged") if self.now.bragged else refuse("brag-empty", space=action.space)

    def of_motif(self, action: song.TakeMotif) -> Reason | None:
        if self.now.motif:
            return refuse("one-motif")
        key = "motif-condition" if action.motif in self.state.motifs else "motif-gone"
        return refuse(key, name=named(action.motif))

    def of_offer(self, action: song.TakeOffer) -> Reason | None:
        if action.event != self.state.event:
            return refuse("other-event", name=named(self.state.event))
        return refuse("offer-taken" if action.event in self.now.offers else "cannot-pay")
