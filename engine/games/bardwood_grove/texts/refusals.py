"""Which rule of Bardwood Grove forbids a line, for those who tried it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import actions as turn
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules import creature_actions as creature
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.state import Bardwood, Player
from engine.games.bardwood_grove.rules.steps import ChooseBards, ChooseSide, ComposePhase, MoveBard, Sing, StackCreature
from engine.games.bardwood_grove.texts.names import amount, name, quarter
from engine.phrases import Phrases
from engine.reasons import Reason, in_languages

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
        "no-such-seat": ("you cannot challenge seat {seat}", "vous ne pouvez pas défier la place {seat}"),
        "rival-crests": ("seat {seat} has no crest left", "la place {seat} n’a plus d’écusson"),
        "challenged": (
            "you have challenged seat {seat} in this song already",
            "vous avez déjà défié la place {seat} dans cette chanson",
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
    rule = RULES.get(type(action))
    return rule(state, seat, action) if rule else None


def _short(kind: str, cost: int, have: int) -> Reason | None:
    """Return the refusal of what costs more than the seat has, or None."""
    if cost <= have:
        return None
    return refuse("too-little", cost=in_languages(amount, kind, cost), have=in_languages(amount, kind, have))


def _melody(state: Bardwood, player: Player) -> int:
    now = prices.song_of(state)
    return now.melody + now.wild + player.acoustic


def _lyrics(state: Bardwood, player: Player) -> int:
    now = prices.song_of(state)
    return now.lyrics + now.wild + player.acoustic


def _bard(_state: Bardwood, _seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401  # each rule knows its action
    return refuse("bard-taken", name=in_languages(name, action.bard))


def _compose(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    for card in (action.song, action.discard):
        if card not in state.players[seat].hand:
            return refuse("not-in-hand", name=in_languages(name, card))
    return refuse("same-skill")


def _move(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    step, player = state.agenda[0], state.players[seat]
    points = step.points if isinstance(step, MoveBard) else 0
    if prices.reach(player, action.region, points) < 0:
        distance = board.DISTANCE[player.region][action.region]
        return refuse("too-far", region=action.region, distance=distance, points=points)
    return refuse("boat-too-far", spaces=in_languages(amount, "spaces", action.boat))


def _fan(state: Bardwood, _seat: Seat, _action: Any) -> Reason | None:  # noqa: ANN401
    step = state.agenda[0]
    return refuse("other-fan", name=in_languages(name, step.fan)) if isinstance(step, ChooseSide) else None


def _swell(_state: Bardwood, _seat: Seat, _action: Any) -> Reason | None:  # noqa: ANN401
    return refuse("nothing-waits")


def _lower(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    player, named = state.players[seat], in_languages(name, action.skill)
    if action.skill not in player.song:
        return refuse("not-in-song", name=named)
    if not SKILLS[action.skill].has_lower:
        return refuse("no-lower", name=named)
    if action.skill in prices.song_of(state).lowered:
        return refuse("lowered", name=named)
    return _short("volume", prices.lower_cost(state, player, action.skill), player.volume)


def _turn(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    if not prices.power(state.players[seat]).turns_melody(state.players[seat]):
        return refuse("no-turning")
    return _short("melody", action.melody, prices.song_of(state).melody)


def _lair(state: Bardwood, seat: Seat, slug: str) -> int | Reason:
    """Return the lair of a creature that can be reached, or why it cannot."""
    tops = state.tops[board.FIRST_LAIR : board.FIRST_LAIR + len(board.LAIRS)]
    if slug not in tops:
        return refuse("not-on-top", name=in_languages(name, slug))
    lair, player = tops.index(slug), state.players[seat]
    if board.LAIRS[lair] in prices.song_of(state).used:
        return refuse("used", name=in_languages(name, board.LAIRS[lair]))
    distance = board.LAIR_DISTANCE[player.region][lair]
    if distance and prices.stones_due(state, player, distance) > player.range:
        return refuse("range", distance=distance)
    return lair


def _help(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    lair, player = _lair(state, seat, action.creature), state.players[seat]
    if isinstance(lair, Reason):
        return lair
    if not player.crests:
        return refuse("no-crest")
    if seat in state.crests[lair]:
        return refuse("crest-there", name=in_languages(name, action.creature))
    return _short("melody", board.HELP_COST, _melody(state, player))


def _soothe(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    lair = _lair(state, seat, action.creature)
    if isinstance(lair, Reason):
        return lair
    return _short("melody", prices.soothe_cost(state, lair), _melody(state, state.players[seat]))


def _lull(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    at, player = board.LAIRS.index(action.lair), state.players[seat]
    if state.tops[board.FIRST_LAIR + at] or board.LAIR_DISTANCE[player.region][at]:
        return refuse("lair-held", name=in_languages(name, action.lair))
    if action.lair in prices.song_of(state).used:
        return refuse("used", name=in_languages(name, action.lair))
    return _short("melody", board.LULL_COST, _melody(state, player))


def _buy(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    player = state.players[seat]
    if action.second is not None:
        return refuse("one-card")
    for shop in board.SHOPS_HERE[player.region]:
        if state.tops[board.PILE_AT[board.LOCATIONS[shop].pile]] == action.card:
            if shop in prices.song_of(state).used:
                return refuse("used", name=in_languages(name, shop))
            return _short("coins", prices.shop_price(state, player, shop), player.coins)
    return refuse("not-on-sale", name=in_languages(name, action.card))


def _bank(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    if board.BANK not in board.HERE[state.players[seat].region]:
        return refuse("not-here", name=in_languages(name, board.BANK))
    if board.BANK in prices.song_of(state).used:
        return refuse("used", name=in_languages(name, board.BANK))
    if action not in [each for _, _, each in song.BANKINGS]:
        return refuse("bank-order", most=board.MOST_BANKED)
    return refuse("cannot-pay")


def _rune(player: Player, slug: str | None) -> Reason | None:
    if slug is None:
        return refuse("name-quarter")
    if player.runes[board.QUARTER_AT[slug]]:
        return None
    return refuse("no-rune", quarter=in_languages(quarter, slug))


def _perform(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    player, stage = state.players[seat], action.stage
    if stage not in board.STAGES_HERE[player.region]:
        return refuse("not-here", name=in_languages(name, stage))
    if stage in prices.song_of(state).used:
        return refuse("used", name=in_languages(name, stage))
    if state.stages[prices.STAGE_AT[stage]][seat] >= board.MOST_RUNES_AT_A_STAGE:
        return refuse("stage-full", most=board.MOST_RUNES_AT_A_STAGE, name=in_languages(name, stage))
    lacking = _short("lyrics", prices.performance_cost(state, seat, stage), _lyrics(state, player))
    return lacking or _rune(player, action.quarter)


def _tell(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    player, level, named = state.players[seat], board.LEGEND_LEVEL[action.legend], in_languages(name, action.legend)
    jetties = board.JETTIES_HERE[player.region]
    if not jetties:
        return refuse("no-jetty")
    if all(jetty in prices.song_of(state).used for jetty in jetties):
        return refuse("used", name=in_languages(name, jetties[0]))
    if action.legend not in state.legends[level]:
        return refuse("not-face-up", name=named)
    if action.legend in player.told:
        return refuse("told", name=named)
    if player.boat < board.LEVELS[level].boat:
        return refuse("boat", spaces=board.LEVELS[level].boat, name=named)
    return _short("lyrics", prices.legend_cost(state, level), _lyrics(state, player)) or _rune(player, action.quarter)


def _trade(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    place = action.location
    if place not in board.CONVERSIONS_HERE[state.players[seat].region]:
        return refuse("not-here", name=in_languages(name, place))
    if place in prices.song_of(state).used:
        return refuse("used", name=in_languages(name, place))
    if action.stall != (state.stall if place == board.MARKET else None):
        return (
            refuse("stall", stall=state.stall)
            if place == board.MARKET
            else refuse("not-here", name=in_languages(name, board.MARKET))
        )
    return refuse("cannot-pay")


def _challenge(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    player, other = state.players[seat], action.seat
    if other == seat or other >= state.seats:
        return refuse("no-such-seat", seat=other)
    if not state.players[other].crests:
        return refuse("rival-crests", seat=other)
    if other in prices.song_of(state).challenged:
        return refuse("challenged", seat=other)
    distance = board.DISTANCE[player.region][state.players[other].region]
    if prices.stones_due(state, player, distance) > player.range:
        return refuse("range", distance=distance)
    return _short("melody", prices.challenge_cost(state, player), _melody(state, player))


def _spend(state: Bardwood, seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    return refuse(
        "captured",
        cost=in_languages(amount, "crests", board.SPENDINGS[action.benefit][0]),
        have=state.players[seat].captured,
    )


def _brag(state: Bardwood, _seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    return refuse("bragged") if prices.song_of(state).bragged else refuse("brag-empty", space=action.space)


def _motif(state: Bardwood, _seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    if prices.song_of(state).motif:
        return refuse("one-motif")
    key = "motif-condition" if action.motif in state.motifs else "motif-gone"
    return refuse(key, name=in_languages(name, action.motif))


def _offer(state: Bardwood, _seat: Seat, action: Any) -> Reason | None:  # noqa: ANN401
    if action.event != state.event:
        return refuse("other-event", name=in_languages(name, state.event))
    return refuse("offer-taken" if action.event in prices.song_of(state).offers else "cannot-pay")


RULES: dict[type[Action[Bardwood]], Callable[[Bardwood, Seat, Any], Reason | None]] = {
    turn.ChooseBard: _bard,
    turn.Compose: _compose,
    turn.Move: _move,
    turn.Fan: _fan,
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
}
