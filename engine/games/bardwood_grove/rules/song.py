"""The Sing phase: how it begins, and the legal lines."""

from __future__ import annotations

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import board, creature_actions, prices
from engine.games.bardwood_grove.rules import song_actions as lines
from engine.games.bardwood_grove.rules.cards import DECKS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.gains import When, gain
from engine.games.bardwood_grove.rules.motifs import MOTIFS
from engine.games.bardwood_grove.rules.state import Bardwood, Player, Song

Lines = list[Action[Bardwood]]


def upper(card: str) -> Effect:
    """Return the effect of a song card when the phase begins: the upper half of a Skill, or an Impro."""
    return SKILLS[card].upper if card in SKILLS else IMPROS[card].upper


def begin_song(state: Bardwood, seat: Seat) -> Bardwood:
    """Begin the Sing phase: the seat gains everything on the song cards except volume, which waits."""
    player = state.players[seat]
    loud = player.volume >= prices.power(player).volume_limit
    effects = [DECKS[player.bard].benefits, *map(upper, player.song)]
    waiting = sum(effect.volume for effect in effects)
    state = state.with_player(seat, player.but(songs=player.songs + 1), singing=Song(waiting=waiting, loud=loud))
    for effect in effects:
        state = gain(state, seat, effect._replace(volume=0) if effect.volume else effect, When.SING)
    return state


def song_lines(state: Bardwood, seat: Seat) -> Lines:
    """Return every line of the singing seat."""
    player, song = state.players[seat], prices.song_of(state)
    open_lines = volume_lines(player, song)
    free = song.wild + player.acoustic
    melody, lyrics = song.melody + free, song.lyrics + free
    add_creature_lines(open_lines, state, seat, melody)
    add_shop_lines(open_lines, state, player, song)
    if lyrics:
        add_stage_lines(open_lines, state, seat, lyrics)
        add_legend_lines(open_lines, state, seat, lyrics)
    add_trade_lines(open_lines, state, player, song)
    if melody:
        add_challenge_lines(open_lines, state, seat, melody)
    add_free_lines(open_lines, state, player, song)
    open_lines.append(lines.DONE)
    return open_lines


def volume_lines(player: Player, song: Song) -> Lines:
    """Return the lines for waiting volume, lower halves, and melody turned into lyrics."""
    own = prices.power(player)
    open_lines: Lines = []
    if song.waiting and player.volume < own.volume_limit:
        open_lines.append(lines.SWELL)
    for card in player.song:
        skill = SKILLS.get(card)
        if skill is None or not skill.has_lower or card in song.lowered:
            continue
        if own.lower_cost(song, skill.cost) <= player.volume:
            open_lines.append(lines.LOWERS[card])
    if song.melody and own.turns_melody(player):
        open_lines += lines.TURNS_OF_MELODY[: song.melody]
    return open_lines


def add_creature_lines(open_lines: Lines, state: Bardwood, seat: Seat, melody: int) -> None:
    """Add help, soothe and lull for the lairs within reach that were not used in this phase."""
    player, song = state.players[seat], prices.song_of(state)
    used = song.used
    for lair, distance in enumerate(board.LAIR_DISTANCE[player.region]):
        slug = board.LAIRS[lair]
        if slug in used:
            continue
        creature = state.tops[board.FIRST_LAIR + lair]
        if not creature:
            if not distance and melody >= board.LULL_COST:
                open_lines.append(creature_actions.LULLS[slug])
            continue
        if distance and prices.stones_due(state, player, distance) > player.range:
            continue
        if melody >= board.HELP_COST and player.crests and seat not in state.crests[lair]:
            open_lines.append(creature_actions.HELPS[creature])
        if prices.soothe_cost(state, lair) <= melody:
            open_lines.append(creature_actions.SOOTHES[creature])


def add_shop_lines(open_lines: Lines, state: Bardwood, player: Player, song: Song) -> None:
    """Add the card on sale here and the bank."""
    for shop in board.SHOPS_HERE[player.region]:
        card = state.tops[board.PILE_AT[board.LOCATIONS[shop].pile]]
        if card and shop not in song.used and prices.shop_price(state, player, shop) <= player.coins:
            open_lines.append(lines.BUYS[card])
    if board.BANK in board.HERE[player.region] and board.BANK not in song.used:
        free = song.wild + player.acoustic
        for melody, lyrics, action in lines.BANKINGS:
            if max(melody - song.melody, 0) + max(lyrics - song.lyrics, 0) <= free:
                open_lines.append(action)


def add_stage_lines(open_lines: Lines, state: Bardwood, seat: Seat, lyrics: int) -> None:
    """Add the performance here, once for each quarter with a rune."""
    player, song = state.players[seat], prices.song_of(state)
    for stage in board.STAGES_HERE[player.region]:
        if (
            stage not in song.used
            and state.stages[prices.STAGE_AT[stage]][seat] < board.MOST_RUNES_AT_A_STAGE
            and prices.performance_cost(state, seat, stage) <= lyrics
        ):
            open_lines += with_runes(lines.PERFORMS[stage], player)


def with_runes(actions: tuple[Action[Bardwood], ...], player: Player) -> Lines:
    """Return those of four actions, one for each quarter, whose quarter has a rune."""
    return [action for action, runes in zip(actions, player.runes, strict=True) if runes]


def add_legend_lines(open_lines: Lines, state: Bardwood, seat: Seat, lyrics: int) -> None:
    """Add the face-up legends that may be told here, once for each quarter with a rune."""
    player, song = state.players[seat], prices.song_of(state)
    if not any(jetty not in song.used for jetty in board.JETTIES_HERE[player.region]):
        return
    for level, legends in enumerate(state.legends):
        if player.boat >= board.LEVELS[level].boat and prices.legend_cost(state, level) <= lyrics:
            for legend in legends:
                if legend not in player.told:
                    open_lines += with_runes(lines.TELLS[legend], player)


def add_trade_lines(open_lines: Lines, state: Bardwood, player: Player, song: Song) -> None:
    """Add the conversions here, and the offer of the event in force."""
    for location in board.CONVERSIONS_HERE[player.region]:
        if location in song.used:
            continue
        if location == board.MARKET:
            if prices.can_pay(player, song, board.STALLS[state.stall - 1][0]):
                open_lines.append(lines.MARKET_TRADES[state.stall - 1])
        elif prices.can_pay(player, song, board.LOCATIONS[location].cost):
            open_lines.append(lines.TRADES[location])
    event = state.event
    if event in OFFERS and event not in song.offers:
        cost, benefit = OFFERS[event]
        if prices.can_pay(player, song, cost) and (not benefit.fans or state.tops[0]):
            open_lines.append(lines.TAKE_OFFERS[event])


def add_challenge_lines(open_lines: Lines, state: Bardwood, seat: Seat, melody: int) -> None:
    """Add the seats that may be challenged."""
    player, song = state.players[seat], prices.song_of(state)
    if melody < prices.challenge_cost(state, player):
        return
    near = board.DISTANCE[player.region]
    for other, rival in enumerate(state.players):
        if other == seat or not rival.crests or other in song.challenged:
            continue
        if prices.stones_due(state, player, near[rival.region]) <= player.range:
            open_lines.append(creature_actions.CHALLENGES[other])


def add_free_lines(open_lines: Lines, state: Bardwood, player: Player, song: Song) -> None:
    """Add the lines that cost no melody or lyrics: spending crests, bragging, motifs."""
    if player.captured:
        open_lines += [lines.SPENDS[word] for word, (crests, _) in board.SPENDINGS.items() if crests <= player.captured]
    if not song.bragged:
        open_lines += [action for action, cards in zip(lines.BRAGS, player.brag, strict=True) if cards]
    if not song.motif:
        open_lines += [lines.TAKE_MOTIFS[motif] for motif in state.motifs if MOTIFS[motif](player, song)]
