"""A match being played in the terminal: its trail, its picks, its bots and your seat."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli.command import refusal
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
from engine.game import HOUSE, Action, AnyBot, Game, Options, Pick, Seat, State, apply, legal, to_act
from engine.playout import play_out
from engine.words import Locale
from service.i18n.catalogue import translate

DEFAULT_LEVEL = "normal"
LONGEST_NAME = 20


@dataclass(frozen=True)
class PlayArguments:
    """What `echtra play` was called with."""

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
    """You at one seat, bots at the others, and the key of all that chance brings."""

    trail: MatchHistory
    you: Seat
    key: bytes
    first: Mapping[str, str] = field(default_factory=dict)
    """The options that the match has only because it is a first one."""

    @property
    def now(self) -> State:
        """The table as it stands."""
        return self.trail.now

    @property
    def bots(self) -> Mapping[Seat, AnyBot]:
        """Who plays the seats that are not yours."""
        return {seat: self.trail.game.bots.by_name[name] for seat, name in self.now.house.bots}

    @property
    def asked(self) -> bool:
        """Whether it is for you to act."""
        return self.you in to_act(self.now)

    def options(self) -> Options:
        """What you may do now."""
        return legal(self.now, self.you)

    def go_on(self) -> None:
        """Let chance and the bots act until you are asked or all is over."""
        picks = chance.Numbered(self.key, self.now.picks)
        moves = play_out(self.trail.game, self.now, picks, self.bots, self._choices)
        for seat, action, _ in moves:
            self.trail.make(seat, action)

    def _choices(self, seat: Seat) -> Pick:
        return chance.bot_stream(self.key, seat, sum(beat.seat == seat for beat in self.trail.beats))

    def ahead(self, action: Action[Any]) -> Options | None:
        """Your options right after an action, if you go on at once."""
        if house.objection(self.now, self.you, action):
            return None
        after = apply(self.now, self.you, action)
        return legal(after, self.you) if self.you in to_act(after) else None

    def resign(self) -> None:
        """Give up your seat; where the match goes on, the stand-in of the game plays it."""
        self.trail.make(self.you, house.Resign())
        if not self.now.over:
            self.trail.make(HOUSE, house.BotTakes(self.you, self.trail.game.bots.stand_in))


def start_game(call: PlayArguments, locale: Locale) -> TerminalGame:
    """A new match, or a saved one where it was left."""
    if call.seed is not None and call.deal is not None:
        raise refusal(locale, "commands.match.clash", one="--seed", other="--deal")
    return _resume_game(call, call.resume, locale) if call.resume else _new_game(call, locale)


def player_name(given: str | None, locale: Locale) -> str:
    """What you are called: as you say, or as you are known to this machine, or in general."""
    wanted = given if given is not None else _login_name()
    name = " ".join("".join(each if each.isprintable() else " " for each in wanted).split())[:LONGEST_NAME].rstrip()
    if given is not None and not name:
        raise refusal(locale, "commands.match.no_name")
    return name or translate(locale, "terminal_game.prompt.player")


def _login_name() -> str:
    """The name of the user of this machine, if it is that of a person."""
    try:
        found = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in this container
        return ""
    return found[:1].upper() + found[1:] if found.isalpha() and found != "root" else ""


def _chance_key(call: PlayArguments) -> bytes:
    if call.deal is not None:
        return chance.deal_key(call.deal)
    return secrets.token_bytes(32) if call.seed is None else chance.deal_key(f"seed {call.seed}")


def _new_game(call: PlayArguments, locale: Locale) -> TerminalGame:
    if call.slug is None:
        from engine.games import GAMES

        raise refusal(locale, "commands.match.which_game", known=", ".join(GAMES))
    game = find_game(call.slug, locale)
    pairs = call.options
    bot = find_bot(game, call.bot or "")
    if bot in {option.name for option in rival_options(game)}:
        pairs = (f"{bot}={call.difficulty or DEFAULT_LEVEL}", *pairs)
        if call.seats not in (None, RIVAL_SEATS):
            raise refusal(locale, "commands.match.rival_seats", rival=game.presentation.words.bot(bot, locale))
    elif call.difficulty is not None:
        known = ", ".join(option.name for option in rival_options(game)) or translate(locale, "commands.match.none")
        raise refusal(locale, "commands.match.no_rival", slug=game.slug, known=known)
    seats = (
        call.seats if call.seats is not None else len(call.bots.split(",")) + 1 if call.bots else game.rules.seats[0]
    )
    first = {} if _is_known_player(call, game) else first_match_settings(game, pairs)
    choice = parse_options(game, seats, (*pairs, *(f"{name}={value}" for name, value in first.items())), locale)
    you = call.you or 0
    if not 0 <= you < seats:
        raise refusal(locale, "commands.match.no_seat", seat=you, high=seats - 1)
    trail = MatchHistory(game, seats, choice.settings, game.rules.revision, [], {you: player_name(call.name, locale)})
    _seat_bots(trail, _choose_opponents(call, choice, you, locale))
    return TerminalGame(trail, you, _chance_key(call), first)


def _is_known_player(call: PlayArguments, game: Game[Any]) -> bool:
    """Whether this is not a first match: one is saved here, or the call names the chance of a match."""
    saved = Path.cwd().glob(f"{game.slug}-*.log")
    return call.seed is not None or call.deal is not None or next(saved, None) is not None


def first_match_settings(game: Game[Any], pairs: Iterable[str]) -> dict[str, str]:
    """What the game proposes for a first match, except the options that the call names."""
    named = {pair.partition("=")[0] for pair in pairs}
    found = {option.name: option.first_match for option in game.rules.options if option.name not in named}
    return {name: notation.setting(value) for name, value in found.items() if value is not None}


def _choose_opponents(call: PlayArguments, choice: MatchOptions, you: Seat, locale: Locale) -> dict[Seat, str]:
    rival = rival_name(choice.game, choice.settings)
    if rival:
        if choice.seats != RIVAL_SEATS or you or call.bots:
            raise refusal(locale, "commands.match.rival_seats", rival=choice.game.presentation.words.bot(rival, locale))
        return {1: rival}
    others = [seat for seat in range(choice.seats) if seat != you]
    names = choose_bots(choice, len(others), (call.bots, call.bot), locale)
    return dict(zip(others, names, strict=True))


def _seat_bots(trail: MatchHistory, names: Mapping[Seat, str]) -> None:
    for seat, name in names.items():
        trail.make(HOUSE, house.BotTakes(seat, name))


def _resume_game(call: PlayArguments, path: Path, locale: Locale) -> TerminalGame:
    given = {"--seats": call.seats, "--option": call.options or None, "--difficulty": call.difficulty}
    for name, value in {**given, "--bots": call.bots}.items():
        if value is not None:
            raise refusal(locale, "commands.match.clash", one=name, other="--resume")
    log = read_match(path, locale)
    if call.slug not in (None, log.game.slug):
        raise refusal(locale, "commands.match.other_game", path=path, slug=log.game.slug)
    people: dict[Seat, str] = {}
    trail = MatchHistory.along(log, people=people)
    if trail.now.over:
        raise refusal(locale, "commands.match.is_over", path=path)
    bots = {seat for seat, _ in trail.now.house.bots}
    you = _free_seat(call, trail, bots, locale)
    people[you] = player_name(call.name, locale)
    rival = rival_name(log.game, log.settings)
    name = rival or check_bots(log.game, (call.bot or DEFAULT_BOT,), locale)[0]
    _seat_bots(trail, {seat: name for seat in range(log.seats) if seat not in {*bots, you}})
    if trail.now.house.paused:
        trail.make(HOUSE, house.Resume())
    return TerminalGame(trail, you, _chance_key(call))


def _free_seat(call: PlayArguments, trail: MatchHistory, bots: set[Seat], locale: Locale) -> Seat:
    """Your seat: the one you name, or the first that no bot plays and nobody gave up."""
    taken = {*bots, *trail.now.house.resigned}
    free = [seat for seat in range(trail.seats) if seat not in taken]
    you = call.you if call.you is not None else next(iter(free), 0)
    if not 0 <= you < trail.seats:
        raise refusal(locale, "commands.match.no_seat", seat=you, high=trail.seats - 1)
    if you not in free:
        raise refusal(
            locale,
            "commands.match.as_bot",
            seat=you,
            free=", ".join(map(str, free)) or translate(locale, "commands.match.none"),
        )
    return you
