"""A match being played in the terminal: its trail, its picks, its bots and your seat."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.match_files import match_of
from cli.match_options import (
    DEFAULT_BOT,
    RIVAL_SEATS,
    Choice,
    bots_named,
    chosen,
    game_named,
    line_up,
    rival_in,
    rivals,
)
from cli.terminal_game.story import Trail
from engine import chance, house
from engine.game import HOUSE, Action, Bot, Options, Pick, Seat, State, apply, legal, to_act
from engine.playout import play_out
from engine.words import Locale
from service.i18n.legacy.cli_phrases import phrase, refusal

DEFAULT_LEVEL = "normal"


@dataclass(frozen=True)
class Call:
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


@dataclass(frozen=True)
class Sitting:
    """You at one seat, bots at the others, and the key of all that chance brings."""

    trail: Trail
    you: Seat
    key: bytes

    @property
    def now(self) -> State:
        """The table as it stands."""
        return self.trail.now

    @property
    def bots(self) -> Mapping[Seat, Bot]:
        """Who plays the seats that are not yours."""
        return {seat: self.trail.game.bots[name] for seat, name in self.now.house.bots}

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
            self.trail.make(HOUSE, house.BotTakes(self.you, self.trail.game.stand_in))


def begun(call: Call, locale: Locale) -> Sitting:
    """A new match, or a saved one where it was left."""
    if call.seed is not None and call.deal is not None:
        raise refusal(locale, "clash", one="--seed", other="--deal")
    return _resumed(call, call.resume, locale) if call.resume else _new(call, locale)


def _key(call: Call) -> bytes:
    if call.deal is not None:
        return chance.deal_key(call.deal)
    return secrets.token_bytes(32) if call.seed is None else chance.deal_key(f"seed {call.seed}")


def _new(call: Call, locale: Locale) -> Sitting:
    if call.slug is None:
        from engine.games import GAMES

        raise refusal(locale, "which-game", known=", ".join(GAMES))
    game = game_named(call.slug, locale)
    pairs = call.options
    if call.bot in {option.name for option in rivals(game)}:
        pairs = (f"{call.bot}={call.difficulty or DEFAULT_LEVEL}", *pairs)
        if call.seats not in (None, RIVAL_SEATS):
            raise refusal(locale, "rival-seats", rival=game.words.bot(str(call.bot), locale))
    elif call.difficulty is not None:
        known = ", ".join(option.name for option in rivals(game)) or phrase(locale, "none")
        raise refusal(locale, "no-rival", slug=game.slug, known=known)
    seats = call.seats if call.seats is not None else len(call.bots.split(",")) + 1 if call.bots else game.seats[0]
    choice = chosen(game, seats, pairs, locale)
    you = call.you or 0
    if not 0 <= you < seats:
        raise refusal(locale, "no-seat", seat=you, high=seats - 1)
    trail = Trail(game, seats, choice.settings, game.revision, [])
    _seat_bots(trail, _others(call, choice, you, locale))
    return Sitting(trail, you, _key(call))


def _others(call: Call, choice: Choice, you: Seat, locale: Locale) -> dict[Seat, str]:
    rival = rival_in(choice.game, choice.settings)
    if rival:
        if choice.seats != RIVAL_SEATS or you or call.bots:
            raise refusal(locale, "rival-seats", rival=choice.game.words.bot(rival, locale))
        return {1: rival}
    others = [seat for seat in range(choice.seats) if seat != you]
    names = line_up(choice, len(others), (call.bots, call.bot), locale)
    return dict(zip(others, names, strict=True))


def _seat_bots(trail: Trail, names: Mapping[Seat, str]) -> None:
    for seat, name in names.items():
        trail.make(HOUSE, house.BotTakes(seat, name))


def _resumed(call: Call, path: Path, locale: Locale) -> Sitting:
    given = {"--seats": call.seats, "--option": call.options or None, "--difficulty": call.difficulty}
    for name, value in {**given, "--bots": call.bots}.items():
        if value is not None:
            raise refusal(locale, "clash", one=name, other="--resume")
    log = match_of(path, locale)
    if call.slug not in (None, log.game.slug):
        raise refusal(locale, "other-game", path=path, slug=log.game.slug)
    trail = Trail.along(log)
    if trail.now.over:
        raise refusal(locale, "is-over", path=path)
    bots = {seat for seat, _ in trail.now.house.bots}
    you = _free_seat(call, trail, bots, locale)
    rival = rival_in(log.game, log.settings)
    name = rival or bots_named(log.game, (call.bot or DEFAULT_BOT,), locale)[0]
    _seat_bots(trail, {seat: name for seat in range(log.seats) if seat not in {*bots, you}})
    if trail.now.house.paused:
        trail.make(HOUSE, house.Resume())
    return Sitting(trail, you, _key(call))


def _free_seat(call: Call, trail: Trail, bots: set[Seat], locale: Locale) -> Seat:
    """Your seat: the one you name, or the first that no bot plays and nobody gave up."""
    taken = {*bots, *trail.now.house.resigned}
    free = [seat for seat in range(trail.seats) if seat not in taken]
    you = call.you if call.you is not None else next(iter(free), 0)
    if not 0 <= you < trail.seats:
        raise refusal(locale, "no-seat", seat=you, high=trail.seats - 1)
    if you not in free:
        raise refusal(locale, "as-bot", seat=you, free=", ".join(map(str, free)) or phrase(locale, "none"))
    return you
