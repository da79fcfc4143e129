"""Tables of Bardwood Grove for the tests: a match laid out as wanted, and a seat that sings with what it is given."""

from __future__ import annotations

from typing import Any

from engine.game import CHANCE, Seat, apply, legal, to_act
from engine.games import GAMES
from engine.games.bardwood_grove.rules.board import LAIRS, PILE_AT, REGIONS
from engine.games.bardwood_grove.rules.cards import ADVANCED, SKILLS
from engine.games.bardwood_grove.rules.decks import add_card
from engine.games.bardwood_grove.rules.state import Bardwood, Player, Song
from engine.games.bardwood_grove.rules.steps import COMPOSE_PHASES, ENDS, RESTS, SINGS
from engine.reading import read
from engine.tuples import without

GAME = GAMES["bardwood-grove"]
BARDS = ("bardbarian", "sword-dancer", "wardrummer", "piper")
LAID = (
    "lay coin-tosser riff rhyme bright-chorus rolling-refrain humming-hedgehog coin-toad thorn-boar bramble-fox "
    "gloom-stag the-first-crowd the-thousand-hands the-five-terrors"
)
LAID_LAIRS = ("humming-hedgehog", "coin-toad", "thorn-boar", "bramble-fox", "gloom-stag")
UNSEEN = {"fan": 0, "impro": 1, "skill": 2, "small": 3, "boss": 4}
SIGNS = {"V": "volume", "C": "coins", "A": "acoustic", "R": "range"}
OPENING = """\
game bardwood-grove · revision 1 · seats 2 · content base · events gem-fair,crystal-harvest · bards bardbarian,piper
* start 0
* lay coin-tosser riff rhyme bright-chorus rolling-refrain humming-hedgehog coin-toad thorn-boar bramble-fox \
gloom-stag the-first-crowd the-thousand-hands the-five-terrors
* draw 0 battle-cry
* draw 0 big-boast
* draw 1 low-drone
* draw 1 lullaby
"""


def play(state: Bardwood, seat: Seat, *lines: str) -> Bardwood:
    """Return the state after these lines of one seat, or of chance, each of them listed."""
    for line in lines:
        action = read(GAME, line, seat)
        assert action in legal(state, seat), f"{line} is not listed: {listed(state)}"
        state = apply(state, seat, action)
    return state


def listed(state: Bardwood, verb: str = "") -> list[str]:
    """Return the lines open now to the seat that is asked, those of one verb if it is named."""
    (seat,) = to_act(state)
    return [action.line for action in legal(state, seat) if not verb or action.verb == verb]


def table(seats: int = 2, bards: tuple[str, ...] = BARDS, starter: Seat = 0, **settings: Any) -> Bardwood:  # noqa: ANN401
    """Return a match right before the first turn: everybody holds the first two Skills of the deck."""
    solo = settings.get("rival", "none") != "none"
    people = 1 if solo else seats
    given = {"events": "gem-fair,crystal-harvest", "bards": ",".join(bards[:people]), **settings}
    state: Bardwood = GAME.rules.start(seats, given)
    state = play(state, CHANCE, f"start {starter}")
    while type(state.agenda[0]).__name__ != "LayCards":
        state = play(state, CHANCE, "motifs busy-night deafening double-calm fan-club full-voice whisper")
    state = play(state, CHANCE, LAID)
    for seat in range(people):
        for card in [each for each in state.players[seat].pile if each in SKILLS][:2]:
            state = play(state, CHANCE, f"draw {seat} {card}")
    return state


def player(state: Bardwood, seat: Seat, **changes: Any) -> Bardwood:  # noqa: ANN401
    """Return the state with other things at one seat."""
    return state.with_player(seat, state.players[seat].but(**changes))


def own(state: Bardwood, seat: Seat) -> Player:
    """Return the record of a seat."""
    return state.players[seat]


def give(state: Bardwood, seat: Seat, *cards: str, to: str = "discard") -> Bardwood:
    """Return the state with acquired cards at a seat, taken from the unseen ones."""
    for card in cards:
        at = UNSEEN[ADVANCED[card]]
        unseen = (*state.unseen[:at], without(state.unseen[at], card), *state.unseen[at + 1 :])
        state = state.but(unseen=unseen)
        state = player(state, seat, **{to: add_card(getattr(state.players[seat], to), card)})
    return state


def creature_at(state: Bardwood, lair: str, creature: str, crests: tuple[Seat, ...] = ()) -> Bardwood:
    """Return the state with another creature on top of a lair, and crests on it."""
    at, lair_at = PILE_AT[lair], LAIRS.index(lair)
    old = state.tops[at]
    if old != creature:
        unseen = list(state.unseen)
        kind = UNSEEN[ADVANCED[creature]]
        unseen[kind] = without(unseen[kind], creature)
        if old:
            kind = UNSEEN[ADVANCED[old]]
            unseen[kind] = add_card(unseen[kind], old)
        state = state.but(unseen=tuple(unseen), tops=(*state.tops[:at], creature, *state.tops[at + 1 :]))
    for seat in crests:
        state = player(state, seat, crests=state.players[seat].crests - 1)
    return state.but(crests=(*state.crests[:lair_at], crests, *state.crests[lair_at + 1 :]))


def empty(state: Bardwood, pile: str) -> Bardwood:
    """Return the state with an empty pile."""
    at = PILE_AT[pile]
    return state.but(
        tops=(*state.tops[:at], "", *state.tops[at + 1 :]), left=(*state.left[:at], 0, *state.left[at + 1 :])
    )


def sings(state: Bardwood, seat: Seat, region: str, holding: str = "", **song: Any) -> Bardwood:  # noqa: ANN401
    """Return the state with a seat in its Sing phase somewhere, holding exactly this: `M3 A1`."""
    assert region in REGIONS
    amounts = {part.rstrip("0123456789"): int(part.lstrip("MLXVCAR")) for part in holding.split()}
    resources = {field: amounts.get(sign, 0) for sign, field in SIGNS.items()}
    state = player(state, seat, region=region, marker=True, hand=(), **resources)
    phase = Song(melody=amounts.get("M", 0), lyrics=amounts.get("L", 0), wild=amounts.get("X", 0), **song)
    return state.but(singing=phase, agenda=(SINGS[seat],), turn=seat)


def rests(state: Bardwood, seat: Seat) -> Bardwood:
    """Return the state with a seat in its Rest, its hand empty."""
    cards = tuple(sorted((*state.players[seat].pile, *state.players[seat].hand)))
    state = player(state, seat, hand=(), pile=cards)
    return state.but(agenda=(RESTS[seat], ENDS[seat]), turn=seat)


def composes(state: Bardwood, seat: Seat, *hand: str) -> Bardwood:
    """Return the state with a seat at the start of its turn with these Skills in hand."""
    cards = tuple(sorted((*state.players[seat].pile, *state.players[seat].hand)))
    pile = tuple(card for card in cards if card not in hand)
    state = player(state, seat, hand=tuple(sorted(hand)), pile=pile)
    return state.but(agenda=(COMPOSE_PHASES[seat],), turn=seat)


def holding(state: Bardwood, seat: Seat) -> str:
    """Return the amounts of a seat in card notation, such as `M3 V1`; an empty text for none."""
    song, mine = state.singing or Song(), state.players[seat]
    amounts = {"M": song.melody, "L": song.lyrics, "X": song.wild}
    amounts |= {sign: getattr(mine, field) for sign, field in SIGNS.items()}
    return " ".join(f"{sign}{number}" for sign, number in amounts.items() if number)
