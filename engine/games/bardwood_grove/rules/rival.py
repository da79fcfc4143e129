"""The solo rival: its twelve cards, the moves of its pawn, and the one line of each card."""

from __future__ import annotations

from engine.game import Action
from engine.games.bardwood_grove.rules import board
from engine.games.bardwood_grove.rules import creature_actions as creatures
from engine.games.bardwood_grove.rules.actions import Idle
from engine.games.bardwood_grove.rules.cards import CREATURES
from engine.games.bardwood_grove.rules.decks import add_card
from engine.games.bardwood_grove.rules.gains import When, gain_from_creature, gain_gems, take_top, uncover
from engine.games.bardwood_grove.rules.song_actions import SHOP_OF, Buy, Perform, Tell, place_legend_rune
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood
from engine.tuples import put

RIVER, SCHOOL, DUEL = "river", "school", "duel"
RIVAL_CARDS: tuple[str, ...] = tuple(sorted((*board.LAIRS, *board.STAGES, RIVER, SCHOOL, DUEL)))
DIFFICULTIES = {"easy": 5, "normal": 5, "hard": 10}
"""Points of the rival at the end, in addition to gems and cards."""
PERSON = 0
STEPS = 2
RIVER_REGION, SCHOOL_REGION = "b3", "b2"


def cards_this_turn(level: str, turn: int) -> int:
    """Return how many cards the rival resolves in this turn, counted from 1."""
    return 1 if level == "easy" and turn % 2 else 2


def destination(state: Bardwood, card: str) -> str:
    """Return the pawn's goal for a card: the nearest fitting region, alphabetically first among equals."""
    rival, person = state.players[RIVAL_SEAT], state.players[PERSON]
    near = board.DISTANCE[rival.region]
    if card == RIVER:
        return RIVER_REGION
    if card == SCHOOL:
        return SCHOOL_REGION
    if card == DUEL:
        within = [region for region in board.REGIONS if near[region] <= STEPS]
        return min(within, key=lambda region: (board.DISTANCE[region][person.region], near[region], region))
    return min(board.LOCATIONS[card].borders, key=lambda region: (near[region], region))


def after_line(state: Bardwood) -> Bardwood:
    """End the rival's line. Once all twelve cards are used, they come back and its power rises."""
    rival = state.rival
    assert rival is not None  # noqa: S101  # asked in solo matches only
    rival = rival.but(card="")
    return state.but(rival=rival if rival.left else rival.but(left=RIVAL_CARDS, power=rival.power + 1))


def move_pawn(state: Bardwood) -> Bardwood:
    """Move the pawn to the goal of the current card."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    player = state.players[RIVAL_SEAT]
    origins = put(state.origins, RIVAL_SEAT, player.region)
    return state.with_player(RIVAL_SEAT, player.but(region=destination(state, state.rival.card)), origins=origins)


IDLE = Idle()


def only_line(state: Bardwood) -> Action[Bardwood]:
    """Return the only line of the rival's current card."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    card = state.rival.card
    if card in board.LAIRS:
        return lair_line(state, card)
    if card == RIVER:
        # The newest legend of the level whose turn it is.
        return Tell(state.legends[state.rival.level][-1])
    if card == SCHOOL:
        return school_line(state)
    if card == DUEL:
        person = state.players[PERSON]
        near = board.DISTANCE[destination(state, card)][person.region] <= 1
        return creatures.Challenge(PERSON) if near and person.crests else IDLE
    return Perform(card)


def lair_line(state: Bardwood, lair: str) -> Action[Bardwood]:
    """Soothe if the rival's power is enough, otherwise help. Lull an empty lair."""
    at = board.LAIRS.index(lair)
    creature, crests = state.tops[board.FIRST_LAIR + at], state.crests[at]
    if not creature:
        return creatures.Lull(lair)
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    if CREATURES[creature].value - len(crests) <= state.rival.power:
        return creatures.Soothe(creature)
    return creatures.Help(creature) if RIVAL_SEAT not in crests and state.players[RIVAL_SEAT].crests else IDLE


def school_line(state: Bardwood) -> Action[Bardwood]:
    """Buy a Skill and an Impro, each from the fuller pile."""
    piles = [fuller_pile(state, piles) for piles in (board.SKILL_PILES, board.IMPRO_PILES)]
    cards = [state.tops[board.PILE_AT[pile]] for pile in piles if pile]
    return Buy(*cards) if cards else IDLE


def fuller_pile(state: Bardwood, piles: tuple[str, ...]) -> str:
    """Return the pile with more cards, the first if equal, or an empty string if all are empty."""
    best = max(piles, key=lambda pile: (state.left[board.PILE_AT[pile]], -board.PILE_AT[pile]))
    return best if state.left[board.PILE_AT[best]] else ""


def do_line(state: Bardwood, action: Action[Bardwood]) -> Bardwood:
    """Make the rival's line: it pays nothing, and gains gems instead of the printed benefits."""
    match action:
        case creatures.Soothe(creature):
            return _soothe(state, creature)
        case creatures.Help(creature):
            return creatures.put_crest(state, RIVAL_SEAT, creatures.lair_of(state, creature))
        case Perform(stage):
            state = take_top(state, RIVAL_SEAT, board.FAN_PILE) if board.LOCATIONS[stage].gain.fans else state
        case Tell(legend):
            state = _tell(state, legend)
        case Buy(card, second):
            return _buy(state, card, second)
        case creatures.Challenge():
            state = creatures.capture(state, RIVAL_SEAT, PERSON)
        case Idle():
            return state
    return gain_gems(state, RIVAL_SEAT, 1)


def _soothe(state: Bardwood, slug: str) -> Bardwood:
    """Take a creature and gain its gems. A person with a crest there gains all benefits."""
    lair, creature = creatures.lair_of(state, slug), CREATURES[slug]
    state = gain_from_creature(state, RIVAL_SEAT, creature.benefits, When.OTHERS_TURN)
    state = creatures.serve_helpers(state, RIVAL_SEAT, lair, creature.benefits)
    state = creatures.collect_crests(state, RIVAL_SEAT, lair)
    player = state.players[RIVAL_SEAT]
    state = state.with_player(RIVAL_SEAT, player.but(discard=add_card(player.discard, slug)))
    return uncover(state, board.LAIRS[lair])


def _tell(state: Bardwood, legend: str) -> Bardwood:
    """Put a rune on the legend unless one is there. The next river card tells one of the next level."""
    rival = state.rival
    assert rival is not None  # noqa: S101  # asked in solo matches only
    if legend not in state.players[RIVAL_SEAT].told:
        state = place_legend_rune(state, RIVAL_SEAT, legend)
    return state.but(rival=rival.but(level=(rival.level + 1) % len(board.LEVELS)))


def _buy(state: Bardwood, card: str, second: str | None) -> Bardwood:
    """Take both cards. The Skill is taken last, so its pile is the first that chance fills up."""
    for each in (second, card):
        if each:
            state = take_top(state, RIVAL_SEAT, board.LOCATIONS[SHOP_OF[state.tops.index(each)]].pile)
    return state
