"""The command `python -m bench.bot_strengths`: measure bots against each other on the same deals from both seats.

`strengths` writes the figures that pages show and `docs/BOTS_STRENGTH.md`. `search` compares every search bot with the
previous version of its search, at a quarter of the budget, and stops as soon as a sequential test decides. Times are
CPU times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path
from time import process_time
from typing import Any

import click

from engine.chance import seeded_pick
from engine.game import CHANCE, AnyBot, AnyGame, Seat, apply, to_act, winners
from engine.games import GAMES
from engine.options import Setting
from engine.playout import answer, roll_chance
from engine.search import SearchBot
from service.matches import bot_strengths
from service.matches.bot_strengths import BotPairing, measured_pairings, wilson_interval
from service.matches.start import RANDOM_BOT, solo_rivals

FIRST_SEAT: dict[str, dict[str, Setting]] = {"keltis": {"start": 0}, "tain": {"first": 0}}
"""Options that let seat 0 begin. The other games draw it, in the same way for both matches of a deal."""
RIVAL_SEAT = 1
DATA = Path(bot_strengths.__file__).with_name(bot_strengths.FILE)
PAGE = Path(__file__).parents[1] / "docs" / "BOTS_STRENGTH.md"
QUARTER = 4
"""Search bots are measured with their playouts divided by this. The bot that people meet is at least as strong."""
SURE = log(0.95 / 0.05)
"""Bound of the sequential test: at most 5 % of the decisions are wrong on either side."""
TRIALS: dict[str, tuple[dict[str, Any] | None, float]] = {
    "keltis": ({"trust": 0.0}, 0.65),
    "tain": ({"width": 12}, 0.6),
    "tir-na-nog": ({"trust": 0.0}, 0.6),
    "bardwood-grove": (None, 0.75),
}
"""By game: the changes in the previous search (None: there was none, and `steady` plays), and the wanted share."""
MARGIN = 0.15
"""The test decides between the wanted share and one that is lower by this."""


PAGE_START = """\
# How strong the bots are

`make strengths` writes this page and the figures that the service shows. Every deal is played twice with two seats, so
that each bot has both of them; against a solo rival a bot has seat 0. A shared win is half a win. The first deal has
seed {seed}. `strong` plays with 1/{quarter} of its playouts here: the bot that people meet thinks longer.
"""
PAGE_HEADER = "| bot | against | won | 95 % | matches |\n|---|---|---|---|---|\n"


@dataclass
class Tally:
    """Matches of one bot against another: points (a shared win is half a point), and CPU seconds of each line."""

    points: float = 0.0
    matches: int = 0
    seconds: list[float] = field(default_factory=list)
    other_seconds: float = 0.0

    def sequential_test(self, wanted: float) -> float:
        """Return the logarithm of how much likelier the result is with the wanted share than with the lower one."""
        lower = wanted - MARGIN
        return self.points * log(wanted / lower) + (self.matches - self.points) * log((1 - wanted) / (1 - lower))


def play_deals(
    game: AnyGame, bot: AnyBot, other: AnyBot, settings: Mapping[str, Setting], seed: int, *, swap: bool = True
) -> Iterator[Tally]:
    """Play one deal after another from both seats (only from seat 0 unless `swap`), and yield the tally so far."""
    tally, deal = Tally(), seed
    while True:
        for seat in (0, 1) if swap else (0,):
            tally.points += _play(game, {seat: bot, 1 - seat: other}, {**settings}, deal, seat, tally)
            tally.matches += 1
        deal += 1
        yield tally


def _play(
    game: AnyGame, bots: Mapping[Seat, AnyBot], settings: dict[str, Setting], deal: int, own: Seat, tally: Tally
) -> float:
    """Play one match, and return the points of a seat."""
    chance = seeded_pick(2 * deal)
    choices = {seat: seeded_pick(1_000_000 + 2 * deal + seat) for seat in bots}
    state = game.rules.start(2, {**FIRST_SEAT.get(game.slug, {}), **settings})
    while asked := to_act(state):
        if CHANCE in asked:
            state = apply(state, CHANCE, roll_chance(state, chance))
            continue
        seat, start = min(asked), process_time()
        action = answer(game, state, seat, bots[seat], choices[seat])
        if seat == own:
            tally.seconds.append(process_time() - start)
        else:
            tally.other_seconds += process_time() - start
        state = apply(state, seat, action)
    best = winners(game, state)
    return (own in best) / len(best)


def with_share_of_budget(bot: AnyBot, divisor: int) -> AnyBot:
    """Return a search bot with fewer playouts, and any other bot unchanged."""
    return replace(bot, playouts=max(1, bot.playouts // divisor)) if isinstance(bot, SearchBot) else bot


@click.group()
def command() -> None:
    """Measure the bots."""


@command.command()
@click.option("--game", "slugs", multiple=True, type=click.Choice(tuple(GAMES)), help="Only these games.")
@click.option("--matches", default=100, help="Matches of quick bots.")
@click.option("--long", default=12, help="Matches of bots that search.")
@click.option("--seed", default=36, help="Number of the first deal.")
def strengths(slugs: tuple[str, ...], matches: int, long: int, seed: int) -> None:
    """Play all bots and levels against each other, and write the figures and the page."""
    chosen = slugs or tuple(GAMES)
    pairings = [row for row in measured_pairings() if row.game not in chosen]
    for slug in chosen:
        for row in _measure_game(GAMES[slug], matches, long, seed):
            pairings.append(row)
            click.echo(f"{row.game} {row.bot} against {row.other}: {row.points:g} of {row.matches}")
    pairings.sort(key=lambda row: tuple(GAMES).index(row.game))
    listed = ",\n".join(json.dumps(vars(row)) for row in pairings)
    DATA.write_text(f"[\n{listed}\n]\n", encoding="utf-8")
    PAGE.write_text(write_page(pairings, seed), encoding="utf-8")


def _measure_game(game: AnyGame, matches: int, long: int, seed: int) -> Iterator[BotPairing]:
    rivals = solo_rivals(game)
    names = [name for name in game.bots.by_name if name not in {RANDOM_BOT, *(option.name for option in rivals)}]
    bots = {name: with_share_of_budget(game.bots.by_name[name], QUARTER) for name in names}
    for at, name in enumerate(names):
        for other in names[:at]:
            searches = any(isinstance(bots[each], SearchBot) for each in (name, other))
            yield _measure(game, (name, other), bots[name], bots[other], {}, seed, long if searches else matches)
    for option in rivals:
        for level in (each for each in option.choices if each != option.default):
            rival, settings = game.bots.by_name[option.name], {option.name: level}
            for name in names:
                count = long if isinstance(bots[name], SearchBot) else matches
                pair = name, f"{option.name}-{level}"
                yield _measure(game, pair, bots[name], rival, settings, seed, count, swap=False)


def _measure(
    game: AnyGame,
    pair: tuple[str, str],
    bot: AnyBot,
    other: AnyBot,
    settings: Mapping[str, Setting],
    seed: int,
    count: int,
    *,
    swap: bool = True,
) -> BotPairing:
    tally = next(each for each in play_deals(game, bot, other, settings, seed, swap=swap) if each.matches >= count)
    return BotPairing(game.slug, *pair, tally.points, tally.matches)


def write_page(pairings: Sequence[BotPairing], seed: int) -> str:
    """Return `docs/BOTS_STRENGTH.md`."""
    text = [PAGE_START.format(seed=seed, quarter=QUARTER)]
    for slug, game in GAMES.items():
        rows = [row for row in pairings if row.game == slug]
        if rows:
            text.append(f"\n## {game.presentation.title['en']}\n\n{PAGE_HEADER}")
        for row in rows:
            low, high = row.interval
            share = f"{100 * row.share:.0f} %"
            text.append(f"| {row.bot} | {row.other} | {share} | {100 * low:.0f}–{100 * high:.0f} % | {row.matches} |\n")
    return "".join(text)


@command.command()
@click.option("--game", "slugs", multiple=True, type=click.Choice(tuple(TRIALS)), help="Only these games.")
@click.option("--deals", default=100, help="Maximum number of deals, each played from both seats.")
@click.option("--seed", default=36, help="Number of the first deal.")
def search(slugs: tuple[str, ...], deals: int, seed: int) -> None:
    """Compare every search bot with the previous version of its search, by a sequential test."""
    missed = []
    for slug in slugs or tuple(TRIALS):
        game, (before, wanted) = GAMES[slug], TRIALS[slug]
        bot = with_share_of_budget(game.bots.by_name["strong"], QUARTER)
        other = game.bots.by_name["steady"] if before is None else replace(bot, **before)  # type: ignore[type-var]
        tally, verdict = Tally(), 0.0
        for tally in play_deals(game, bot, other, {}, seed):
            verdict = tally.sequential_test(wanted)
            if abs(verdict) > SURE or tally.matches >= 2 * deals:
                break
        low, high = wilson_interval(tally.points, tally.matches)
        times = sorted(tally.seconds)
        figures = {
            "points": tally.points,
            "matches": tally.matches,
            "share": round(tally.points / tally.matches, 3),
            "interval": [round(low, 3), round(high, 3)],
            "wanted": wanted,
            "log_likelihood": round(verdict, 2),
            "cpu": [round(sum(times), 1), round(tally.other_seconds, 1)],
            "line_p50_p95": [round(times[len(times) * share // 100], 3) for share in (50, 95)],
        }
        click.echo(f"{slug}: {json.dumps(figures)}")
        if verdict < 0:
            missed.append(slug)
    if missed:
        raise click.ClickException(f"The search is weaker than wanted in {', '.join(missed)}.")


if __name__ == "__main__":
    command()
