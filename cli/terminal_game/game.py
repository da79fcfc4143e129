"""A match in the terminal: its history, its random numbers, its bots and your seat."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cli.command import current_language, localise, refusal
from cli.match_files import read_match
from cli.match_options import (
    DEFAULT_BOT,
    RIVAL_SEATS,
    MatchOptions,
    check_bots,
    choose_bots,
    find_bot,
    find_game,
    parse_options,
    rival_name,
    rival_options,
)
from cli.terminal_game.story import MatchHistory
from engine import chance, house, notation
from engine.game import (
    HOUSE,
    AnyAction,
    AnyBot,
    AnyGame,
    Options,
    Pick,
    Seat,
    State,
    apply,
    legal,
    to_act,
)
from engine.lookahead import Imagined, Lookahead
from engine.playout import play_out

DEFAULT_LEVEL = "normal"
LONGEST_NAME = 20


@dataclass(frozen=True)
class PlayArguments:
    """The arguments of `echtra play`."""

    slug: str | None
    seats: int | None
    bots: str | None
    bot: str | None
    seed: int | None
    deal: str | None
    options: tuple[str, ...]
    you: int | None
    difficulty: str | None
    resume: Path | None
    name: str | None = None


@dataclass(frozen=True)
class TerminalGame:
    """A match with you at one seat, bots at the others, and the key of all random numbers."""

    trail: MatchHistory
    you: Seat
    key: bytes
    first: Mapping[str, str] = field(default_factory=dict)
    """Options that were set because this is a first match."""

    @property
    def now(self) -> State:
        """The current state."""
        return self.trail.now

    @property
    def bots(self) -> Mapping[Seat, AnyBot]:
        """The bots at the other seats."""
        return {seat: self.trail.game.bots.latest(name) for seat, name in self.now.house.bots}

    @property
    def asked(self) -> bool:
        """True if it is your turn."""
        return self.you in to_act(self.now)

    def options(self) -> Options:
        """Return your legal actions."""
        return legal(self.now, self.you)

    def go_on(self) -> None:
        """Make the moves of chance and bots until it is your turn or the match is over."""
        picks = chance.Numbered(self.key, self.now.picks)
        moves = play_out(self.trail.game, self.now, picks, self.bots, self._choices)
        for seat, action, _ in moves:
            self.trail.make(seat, action)

    def _choices(self, seat: Seat) -> Pick:
        return chance.bot_stream(self.key, seat, sum(beat.seat == seat for beat in self.trail.beats))

    def ahead(self, action: AnyAction) -> Options | None:
        """Return your options right after an action, or None if it is not your turn then."""
        if house.objection(self.now, self.you, action):
            return None
        after = apply(self.now, self.you, action)
        return legal(after, self.you) if self.you in to_act(after) else None

    def forced_after(self, options: Iterable[AnyAction]) -> dict[AnyAction, Imagined]:
        """Return the options after which everybody can foresee your forced lines, with these lines."""
        name = f"echtra-play\n{self.you}\n{len(self.trail.beats)}\n"
        return Lookahead(self.trail.game, self.you, name).forced_after(self.now, options)

    def resign(self) -> None:
        """Resign. If the match goes on, the stand-in of the game plays your seat."""
        self.trail.make(self.you, house.Resign())
        if not self.now.over:
            _seat_bots(self.trail, {self.you: self.trail.game.bots.stand_in})


def start_game(call: PlayArguments) -> TerminalGame:
    """Start a new match, or resume a saved one."""
    if call.seed is not None and call.deal is not None:
        raise refusal("commands.match.clash", one="--seed", other="--deal")
    return _resume_game(call, call.resume) if call.resume else _new_game(call)


def player_name(given: str | None) -> str:
    """Return your name: the one given, or your login name, or a general word."""
    wanted = given if given is not None else _login_name()
    name = " ".join("".join(each if each.isprintable() else " " for each in wanted).split())[:LONGEST_NAME].rstrip()
    if given is not None and not name:
        raise refusal("commands.match.no_name")
    return name or localise("terminal_game.prompt.player")


def _login_name() -> str:
    """Return the name of the user of this machine, if it looks like a person's."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in this container
        return ""
    return name[:1].upper() + name[1:] if name.isalpha() and name != "root" else ""


def _chance_key(call: PlayArguments) -> bytes:
    if call.deal is not None:
        return chance.deal_key(call.deal)
    return secrets.token_bytes(32) if call.seed is None else chance.deal_key(f"seed {call.seed}")


def _new_game(call: PlayArguments) -> TerminalGame:
    if call.slug is None:
        from engine.games import GAMES

        raise refusal("commands.match.which_game", known=", ".join(GAMES))
    game = find_game(call.slug)
    pairs = call.options
    bot = find_bot(game, call.bot or "")
    if bot in {option.name for option in rival_options(game)}:
        pairs = (f"{bot}={call.difficulty or DEFAULT_LEVEL}", *pairs)
        if call.seats not in (None, RIVAL_SEATS):
            raise refusal("commands.match.rival_seats", rival=game.presentation.words.bot(bot, current_language()))
    elif call.difficulty is not None:
        known = ", ".join(option.name for option in rival_options(game)) or localise("commands.match.none")
        raise refusal("commands.match.no_rival", slug=game.slug, known=known)
    seats = (
        call.seats if call.seats is not None else len(call.bots.split(",")) + 1 if call.bots else game.rules.seats[0]
    )
    first = {} if _is_known_player(call, game) else first_match_settings(game, pairs)
    choice = parse_options(game, seats, (*pairs, *(f"{name}={value}" for name, value in first.items())))
    you = call.you or 0
    if not 0 <= you < seats:
        raise refusal("commands.match.no_seat", seat=you, high=seats - 1)
    trail = MatchHistory(game, seats, choice.settings, game.rules.revision, [], {you: player_name(call.name)})
    _seat_bots(trail, _choose_opponents(call, choice, you))
    return TerminalGame(trail, you, _chance_key(call), first)


def _is_known_player(call: PlayArguments, game: AnyGame) -> bool:
    """Return False for a first match, which has no saved match, named seed or named deal."""
    saved = Path.cwd().glob(f"{game.slug}-*.log")
    return call.seed is not None or call.deal is not None or next(saved, None) is not None


def first_match_settings(game: AnyGame, pairs: Iterable[str]) -> dict[str, str]:
    """Return the game's options for a first match, except those that the call names."""
    named = {pair.partition("=")[0] for pair in pairs}
    proposed = {option.name: option.first_match for option in game.rules.options if option.name not in named}
    return {name: notation.setting(value) for name, value in proposed.items() if value is not None}


def _choose_opponents(call: PlayArguments, choice: MatchOptions, you: Seat) -> dict[Seat, str]:
    rival = rival_name(choice.game, choice.settings)
    if rival:
        if choice.seats != RIVAL_SEATS or you or call.bots:
            raise refusal(
                "commands.match.rival_seats", rival=choice.game.presentation.words.bot(rival, current_language())
            )
        return {1: rival}
    others = [seat for seat in range(choice.seats) if seat != you]
    names = choose_bots(choice, len(others), (call.bots, call.bot))
    return dict(zip(others, names, strict=True))


def _seat_bots(trail: MatchHistory, names: Mapping[Seat, str]) -> None:
    for seat, name in names.items():
        trail.make(HOUSE, house.BotTakes(seat, trail.game.bots.current(name)))


def _resume_game(call: PlayArguments, path: Path) -> TerminalGame:
    given = {"--seats": call.seats, "--option": call.options or None, "--difficulty": call.difficulty}
    for name, value in {**given, "--bots": call.bots}.items():
        if value is not None:
            raise refusal("commands.match.clash", one=name, other="--resume")
    log = read_match(path)
    if call.slug not in (None, log.game.slug):
        raise refusal("commands.match.other_game", path=path, slug=log.game.slug)
    people: dict[Seat, str] = {}
    trail = MatchHistory.along(log, people=people)
    if trail.now.over:
        raise refusal("commands.match.is_over", path=path)
    bots = {seat for seat, _ in trail.now.house.bots}
    you = _free_seat(call, trail, bots)
    people[you] = player_name(call.name)
    rival = rival_name(log.game, log.settings)
    name = rival or check_bots(log.game, (call.bot or DEFAULT_BOT,))[0]
    earlier = {seat: bot for seat, bot in trail.now.house.bots if log.game.bots.find(bot) is None}
    _seat_bots(trail, earlier | {seat: name for seat in range(log.seats) if seat not in {*bots, you}})
    if trail.now.house.paused:
        trail.make(HOUSE, house.Resume())
    return TerminalGame(trail, you, _chance_key(call))


def _free_seat(call: PlayArguments, trail: MatchHistory, bots: set[Seat]) -> Seat:
    """Return your seat: the one you name, or the first that no bot plays and nobody resigned."""
    taken = {*bots, *trail.now.house.resigned}
    free = [seat for seat in range(trail.seats) if seat not in taken]
    you = call.you if call.you is not None else next(iter(free), 0)
    if not 0 <= you < trail.seats:
        raise refusal("commands.match.no_seat", seat=you, high=trail.seats - 1)
    if you not in free:
        raise refusal(
            "commands.match.as_bot",
            seat=you,
            free=", ".join(map(str, free)) or localise("commands.match.none"),
        )
    return you
