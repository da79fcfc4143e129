"""Actions of the Sing phase, one for each kind of line; the rival makes some of them too."""

from __future__ import annotations

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules.cards import IMPROS, SKILLS
from engine.games.bardwood_grove.rules.creature_actions import Challenge, Help, Lull, Soothe, use_location
from engine.games.bardwood_grove.rules.effects import SIGNS, Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.gains import When, gain, gain_gems, pay, pay_sound, take_top
from engine.games.bardwood_grove.rules.motifs import GEMS, MOTIFS
from engine.games.bardwood_grove.rules.pile_tops import TURNS
from engine.games.bardwood_grove.rules.state import Bardwood, Player
from engine.notation import Number, Pattern, maybe, word, words
from engine.tuples import put

QUARTER_NAMES = tuple(board.QUARTER_AT)


def take_rune(player: Player, quarter: str) -> Player:
    """Take a rune from a quarter of the dial."""
    at = board.QUARTER_AT[quarter]
    return player.but(runes=put(player.runes, at, player.runes[at] - 1))


def place_legend_rune(state: Bardwood, seat: Seat, legend: str) -> Bardwood:
    """Put a seat's rune on a legend; the first rune on it turns up the next legend of its level."""
    level = board.LEGEND_LEVEL[legend]
    if state.legends_left[level] and not any(legend in player.told for player in state.players):
        state = state.first(TURNS[board.LEGEND_PILES[level]])
    player = state.players[seat]
    return state.with_player(seat, player.but(told=(*player.told, legend)))


class Swell(Action[Bardwood]):
    """Waiting volume is added as far as it fits."""

    verb = "swell"

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player, song = state.players[seat], prices.song_of(state)
        more = min(song.waiting, prices.power(player).volume_limit - player.volume)
        return state.with_player(
            seat, player.but(volume=player.volume + more), singing=song.but(waiting=song.waiting - more)
        )


class Lower(Action[Bardwood]):
    """The lower half of a Skill in the song is paid and gained."""

    verb = "lower"
    skill: str = word(SKILLS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player, song = state.players[seat], prices.song_of(state)
        cost = prices.lower_cost(state, player, self.skill)
        song = song.but(lowered=(*song.lowered, self.skill), paid=song.paid + cost)
        state = state.with_player(seat, player.but(volume=player.volume - cost), singing=song)
        return gain(state, seat, SKILLS[self.skill].lower, When.SING)


class Turn(Action[Bardwood]):
    """Melody becomes lyrics, one for one."""

    verb = "turn"
    melody: int = word(Number(1))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        song = prices.song_of(state)
        return state.but(singing=song.but(melody=song.melody - self.melody, lyrics=song.lyrics + self.melody))


class Buy(Action[Bardwood]):
    """The top card of a shop goes to the discard pile; the rival takes a Skill and an Impro in one line."""

    verb = "buy"
    card: str = word(frozenset((*SKILLS, *IMPROS)))
    second: str | None = maybe(frozenset(IMPROS))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        shop = SHOP_OF[state.tops.index(self.card)]
        player = state.players[seat]
        price = prices.shop_price(state, player, shop)
        state = state.with_player(seat, player.but(coins=player.coins - price))
        state = use_location(state, shop, bought=prices.song_of(state).bought + 1)
        return take_top(state, seat, board.LOCATIONS[shop].pile)


SHOP_OF = {board.PILE_AT[board.LOCATIONS[shop].pile]: shop for shop in board.SHOPS}


class Banking(Action[Bardwood]):
    """Melody and lyrics become coins."""

    verb = "bank"
    amounts: tuple[str, ...] = words(Pattern(r"[ML][1-3]"))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player, song, coins = state.players[seat], prices.song_of(state), 0
        acoustic = player.acoustic
        for amount in self.amounts:
            kind, number = SIGNS[amount[0]], int(amount[1])
            song, acoustic = pay_sound(song, acoustic, kind, number)
            coins += number
        player = player.but(acoustic=acoustic, coins=player.coins + coins)
        return use_location(state.with_player(seat, player, singing=song), board.BANK)


class Perform(Action[Bardwood]):
    """Lyrics and a rune for a performance location; the rival performs without a quarter."""

    verb = "perform"
    stage: str = word(frozenset(board.STAGES))
    quarter: str | None = maybe(QUARTER_NAMES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        assert self.quarter is not None  # noqa: S101  # listed with one for people
        player = state.players[seat]
        cost = prices.performance_cost(state, seat, self.stage)
        song, acoustic = pay_sound(prices.song_of(state), player.acoustic, "lyrics", cost)
        at = prices.STAGE_AT[self.stage]
        runes = state.stages[at]
        stages = put(state.stages, at, put(runes, seat, runes[seat] + 1))
        player = take_rune(player, self.quarter).but(acoustic=acoustic)
        state = state.with_player(seat, player, singing=song, stages=stages)
        return gain(use_location(state, self.stage, performed=True), seat, board.LOCATIONS[self.stage].gain, When.SING)


class Tell(Action[Bardwood]):
    """Lyrics and a rune for a face-up legend; the boat goes back. The rival tells without a quarter."""

    verb = "tell"
    legend: str = word(board.LEGEND_LEVEL)
    quarter: str | None = maybe(QUARTER_NAMES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        assert self.quarter is not None  # noqa: S101  # listed with one for people
        player = state.players[seat]
        gems = prices.legend_gems(state, self.legend)
        cost = prices.legend_cost(state, board.LEGEND_LEVEL[self.legend])
        song, acoustic = pay_sound(prices.song_of(state), player.acoustic, "lyrics", cost)
        player = take_rune(player, self.quarter).but(acoustic=acoustic, boat=prices.power(player).boat_home)
        state = state.with_player(seat, player, singing=song)
        (jetty,) = board.JETTIES_HERE[player.region]
        state = place_legend_rune(use_location(state, jetty, told=True), seat, self.legend)
        return gain_gems(state, seat, gems)


class Trade(Action[Bardwood]):
    """The offer of a conversion location; that of the market names its stall, and the token moves on."""

    verb = "trade"
    location: str = word(frozenset(board.CONVERSIONS))
    stall: int | None = maybe(Number(1, len(board.STALLS)))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        location = board.LOCATIONS[self.location]
        cost, benefit = (location.cost, location.gain) if self.stall is None else board.STALLS[self.stall - 1]
        player, song = pay(state.players[seat], prices.song_of(state), cost)
        state = use_location(state.with_player(seat, player, singing=song), self.location)
        if self.stall is not None:
            state = state.but(stall=self.stall % len(board.STALLS) + 1)
        return gain(state, seat, benefit, When.SING)


class Spend(Action[Bardwood]):
    """Captured crests leave the game for a benefit."""

    verb = "spend"
    benefit: str = word(board.SPENDINGS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        crests, benefit = board.SPENDINGS[self.benefit]
        player = state.players[seat]
        state = state.with_player(seat, player.but(captured=player.captured - crests), gone=state.gone + crests)
        state = gain(state, seat, prices.power(player).after_spending, When.SING)
        return gain(state, seat, benefit, When.SING)


class Brag(Action[Bardwood]):
    """All creatures of a brag space go to the discard pile, one volume for each."""

    verb = "brag"
    space: int = word(Number(1, 2))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player, at = state.players[seat], self.space - 1
        cards = player.brag[at]
        player = player.but(brag=put(player.brag, at, ()), discard=tuple(sorted((*player.discard, *cards))))
        state = state.with_player(seat, player, singing=prices.song_of(state).but(bragged=True))
        return gain(state, seat, Effect(volume=len(cards)), When.SING)


class TakeMotif(Action[Bardwood]):
    """A motif token whose condition holds is taken for its gems."""

    verb = "motif"
    motif: str = word(MOTIFS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        left = tuple(motif for motif in state.motifs if motif != self.motif)
        state = state.but(motifs=left, singing=prices.song_of(state).but(motif=True))
        return gain_gems(state, seat, GEMS[self.motif])


class TakeOffer(Action[Bardwood]):
    """The offer of the event in force."""

    verb = "offer"
    event: str = word(OFFERS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        cost, benefit = OFFERS[self.event]
        player, song = pay(state.players[seat], prices.song_of(state), cost)
        song = song.but(offers=(*song.offers, self.event))
        return gain(state.with_player(seat, player, singing=song), seat, benefit, When.SING)


class Done(Action[Bardwood]):
    """The song ends: waiting volume is added as far as it fits, song cards are discarded, the marker goes back."""

    verb = "done"

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = state.players[seat]
        player = player.but(
            volume=min(player.volume + prices.song_of(state).waiting, prices.power(player).volume_limit),
            song=(),
            discard=tuple(sorted((*player.discard, *player.song))),
            marker=False,
        )
        return state.with_player(seat, player, singing=None)


SONG_ACTIONS = (
    *(Swell, Lower, Turn, Help, Soothe, Lull, Buy, Banking, Perform, Tell, Trade, Challenge, Spend, Brag),
    *(TakeMotif, TakeOffer, Done),
)
SWELL, DONE = Swell(), Done()
LOWERS = {slug: Lower(slug) for slug in SKILLS}
TURNS_OF_MELODY = tuple(Turn(number) for number in range(1, 60))
BUYS = {slug: Buy(slug) for slug in (*SKILLS, *IMPROS)}
BANKINGS = tuple(
    (melody, lyrics, Banking(tuple(f"{sign}{n}" for sign, n in (("M", melody), ("L", lyrics)) if n)))
    for melody in range(board.MOST_BANKED + 1)
    for lyrics in range(board.MOST_BANKED + 1)
    if 0 < melody + lyrics <= board.MOST_BANKED
)
PERFORMS = {stage: tuple(Perform(stage, quarter) for quarter in QUARTER_NAMES) for stage in board.STAGES}
TELLS = {legend: tuple(Tell(legend, quarter) for quarter in QUARTER_NAMES) for legend in board.LEGEND_LEVEL}
TRADES = {location: Trade(location) for location in board.CONVERSIONS if location != board.MARKET}
MARKET_TRADES = tuple(Trade(board.MARKET, stall) for stall in range(1, len(board.STALLS) + 1))
SPENDS = {benefit: Spend(benefit) for benefit in board.SPENDINGS}
BRAGS = (Brag(1), Brag(2))
TAKE_MOTIFS = {motif: TakeMotif(motif) for motif in MOTIFS}
TAKE_OFFERS = {event: TakeOffer(event) for event in OFFERS}
