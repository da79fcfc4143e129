"""`echtra simulate`: many matches between bots, and what they come to."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from cli.command import bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.match_options import MatchOptions
    from cli.simulation.chart import Chart, ChartWords, Distribution
    from cli.simulation.runner import SimulationPlan
    from cli.simulation.statistics import Spread, Summary
    from cli.terminal import Terminal
    from engine.game import Game
    from engine.words import Locale


@bilingual_command("simulate", "usage.simulate.about")
@click.argument("game")
@bilingual_option("--matches", type=click.IntRange(1), default=1000, metavar="N", text="usage.simulate.matches")
@bilingual_option("--seats", type=int, metavar="N", text="usage.simulate.seats")
@bilingual_option("--bot", metavar="NAME", text="usage.simulate.bot")
@bilingual_option("--bots", metavar="A,B", text="usage.simulate.bots")
@bilingual_option("--seed", type=int, default=0, metavar="N", text="usage.simulate.seed")
@bilingual_option("--option", "options", multiple=True, metavar="NAME=VALUE", text="usage.simulate.option")
@bilingual_option("--solo", is_flag=True, text="usage.simulate.solo")
@bilingual_option("--out", type=click.Path(path_type=Path), metavar="DIR", text="usage.simulate.out")
@bilingual_option("--chart", type=click.Path(path_type=Path), metavar="FILE.svg", text="usage.simulate.chart")
@bilingual_option("--jobs", type=click.IntRange(1), metavar="N", text="usage.simulate.jobs")
def command(game: str, matches: int, jobs: int | None, locale: Locale, no_color: bool, **given: Any) -> None:  # noqa: ANN401
    """Let bots play many matches."""
    from cli.match_options import find_game
    from cli.terminal import Terminal

    found, folder = find_game(game, locale), _make_output_folder(given["out"], locale)
    _check_chart_path(given["chart"], locale)
    run = Simulation(matches, jobs or os.cpu_count() or 1, Terminal(locale, no_color=no_color, game=found))
    plans = {
        level: replace(plan, seed=given["seed"], out=folder, mark=f"{level}-" if level else "")
        for level, plan in (_level_plans if given["solo"] else _bot_plans)(found, given, locale).items()
    }
    chart = run.levels(plans) if given["solo"] else run.seats(plans[""])
    if given["chart"]:
        _write_chart(chart, given["chart"], locale)
        run.terminal.prose(run.say("drawn", path=given["chart"]))
    if folder:
        run.terminal.prose(run.say("filed", out=folder))


def _bot_plans(game: Game[Any], given: Mapping[str, Any], locale: Locale) -> dict[str, SimulationPlan]:
    """The one plan of matches between equals."""
    from cli.match_options import parse_options

    bots: str | None = given["bots"]
    named = len(bots.split(",")) if bots else game.rules.seats[0]
    seats: int = named if given["seats"] is None else given["seats"]
    return {"": _make_plan(parse_options(game, seats, given["options"], locale), (bots, given["bot"]), locale)}


def _level_plans(game: Game[Any], given: Mapping[str, Any], locale: Locale) -> dict[str, SimulationPlan]:
    """A plan for each level of the solo rival."""
    from cli.match_options import LEVELS, RIVAL_SEATS, parse_options, rival_options

    rival = next(iter(rival_options(game)), None)
    if rival is None:
        raise refusal(locale, "commands.match.no_solo", slug=game.slug)
    for name, good in (("bots", (None,)), ("seats", (None, RIVAL_SEATS))):
        if given[name] not in good:
            raise refusal(locale, "commands.match.clash", one="--solo", other=f"--{name}")
    plans = {}
    for level in (level for level in LEVELS if level in rival.choices):
        choice = parse_options(game, RIVAL_SEATS, (*given["options"], f"{rival.name}={level}"), locale)
        plans[level] = _make_plan(choice, (None, given["bot"]), locale)
    return plans


def _make_output_folder(out: Path | None, locale: Locale) -> str:
    if out is None:
        return ""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(locale, "commands.match_file.unwritable", path=out, why=error.strerror) from None
    if not os.access(out, os.W_OK):
        raise refusal(locale, "commands.match_file.unwritable", path=out, why=os.strerror(13))
    return str(out)


def _check_chart_path(path: Path | None, locale: Locale) -> None:
    """Refuse a place for the chart that will not do before anything is played."""
    if path is None:
        return
    if path.suffix.lower() != ".svg":
        raise refusal(locale, "commands.simulate.chart_name", path=path)
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        why = errno.EISDIR if path.is_dir() else errno.EACCES if path.parent.is_dir() else errno.ENOENT
        raise refusal(locale, "commands.match_file.unwritable", path=path, why=os.strerror(why))


def _write_chart(chart: Chart, path: Path, locale: Locale) -> None:
    from cli.match_files import write_atomically
    from cli.simulation.chart import describe_chart, draw_chart
    from service.drawing import svg

    try:
        write_atomically(path, svg(draw_chart(chart), chart.words.title, describe_chart(chart)))
    except OSError as error:
        raise refusal(locale, "commands.match_file.unwritable", path=path, why=error.strerror) from None


def _make_plan(choice: MatchOptions, given: tuple[str | None, str | None], locale: Locale) -> SimulationPlan:
    from cli.match_options import choose_bots, rival_name
    from cli.simulation.runner import SimulationPlan

    names = choose_bots(choice, choice.seats, given, locale)
    rival = rival_name(choice.game, choice.settings)
    return SimulationPlan(
        choice.game.slug, choice.seats, dict(choice.settings), (names[0], rival, *names[2:]) if rival else names
    )


class Simulation:
    """One call of the command: how much, how wide, and where it is shown."""

    def __init__(self, matches: int, jobs: int, terminal: Terminal) -> None:
        """Keep them."""
        self.matches = matches
        self.jobs = jobs
        self.terminal = terminal

    def say(self, key: str, **values: object) -> str:
        """One of our texts."""
        return translate(self.terminal.locale, f"commands.simulate.{key}", **values)

    def heads(self, *keys: str) -> list[str]:
        """The header of a table."""
        return [self.say(key) for key in keys]

    def summary(self, plan: SimulationPlan) -> tuple[Summary, float]:
        """The outcomes of all matches, and the seconds they took."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from cli.simulation.runner import play_all
        from cli.simulation.statistics import Summary

        start, outcomes = perf_counter(), []
        console = Console(stderr=True, no_color=self.terminal.console.no_color)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        try:
            with Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as bar:
                task = bar.add_task(plan.mark.rstrip("-") or plan.slug, total=self.matches)
                for some in play_all(plan, self.matches, self.jobs):
                    outcomes += some
                    bar.advance(task, len(some))
        except KeyboardInterrupt:
            click.echo(self.say("stopped"), err=True)
            raise click.exceptions.Exit(130) from None
        return Summary.of(outcomes), perf_counter() - start

    def seats(self, plan: SimulationPlan) -> Chart:
        """Play, and show the figures by seat; returns them to be drawn."""
        from engine.games import GAMES

        summary, seconds = self.summary(plan)
        self.terminal.heading(
            self.say("playing", title=GAMES[plan.slug].presentation.title[self.terminal.locale], matches=self.matches)
        )
        rows = []
        for seat, bot in enumerate(plan.bots):
            wins, shared = summary.wins(seat), summary.shared(seat)
            share = sum(1 / len(each.winners) for each in summary.outcomes if seat in each.winners)
            figures = spread_cells(summary.scores(seat))
            rows.append(
                [str(seat), self._bot(plan, bot), *figures, str(wins), str(shared), f"{100 * share / self.matches:.1f}"]
            )
        header = self.heads("seat", "bot", "mean", "sd", "min", "max", "wins", "shared", "share")
        self.terminal.grid(self.say("seats"), header, rows, left=2)
        self._figures(plan, summary)
        self._speed(summary.steps, seconds)
        return self._seat_chart(plan, summary)

    def _seat_chart(self, plan: SimulationPlan, summary: Summary) -> Chart:
        from cli.simulation.chart import Chart, Rate
        from cli.simulation.statistics import wilson_interval

        labels = [f"{seat} · {self._bot(plan, name)}" for seat, name in enumerate(plan.bots)]
        rates = []
        for seat, label in enumerate(labels):
            share = sum(1 / len(each.winners) for each in summary.outcomes if seat in each.winners)
            rates.append(Rate(label, share / self.matches, *wilson_interval(share, self.matches), seat))
        scores = tuple(self._scores(summary, seat, label, seat) for seat, label in enumerate(labels))
        lengths = self._lengths(summary, self.say("moves"), len(labels))
        return Chart(self._words(plan, ", ".join(labels)), scores, tuple(rates), (lengths,))

    def _level_chart(self, plans: dict[str, SimulationPlan], played: dict[str, Summary]) -> Chart:
        from cli.simulation.chart import Chart, Rate
        from cli.simulation.statistics import wilson_interval

        plan = next(iter(plans.values()))
        names = [self._bot(plan, name) for name in plan.bots]
        scores, rates, lengths = [], [], []
        for at, (level, summary) in enumerate(played.items()):
            said = self._level(plan, level)
            wins = summary.wins(0)
            rates.append(Rate(said, wins / self.matches, *wilson_interval(wins, self.matches), at))
            scores += [self._scores(summary, seat, f"{said} · {names[seat]}", at) for seat in (0, 1)]
            lengths.append(self._lengths(summary, said, at))
        words = self._words(plan, self.say("solo", bot=names[0], rival=names[1]))
        words = replace(words, rates=self.say("chart_wins", bot=names[0]))
        return Chart(words, tuple(scores), tuple(rates), tuple(lengths))

    def _words(self, plan: SimulationPlan, who: str) -> ChartWords:
        from cli.simulation.chart import ChartWords
        from engine.games import GAMES

        locale = self.terminal.locale
        title = self.say("playing", title=GAMES[plan.slug].presentation.title[locale], matches=self.matches)
        return ChartWords(
            title,
            self.say("chart_about", who=who, seed=plan.seed),
            self.say("chart_scores"),
            self.say("chart_rates"),
            self.say("chart_lengths"),
        )

    def _bot(self, plan: SimulationPlan, name: str) -> str:
        from engine.games import GAMES

        return GAMES[plan.slug].presentation.words.bot(name, self.terminal.locale)

    def _level(self, plan: SimulationPlan, level: str) -> str:
        from engine.games import GAMES

        return GAMES[plan.slug].presentation.words.name(level, self.terminal.locale).lower()

    @staticmethod
    def _scores(summary: Summary, seat: int, label: str, fill: int) -> Distribution:
        from cli.simulation.chart import Distribution

        return Distribution(label, tuple(each.scores[seat] for each in summary.outcomes), fill)

    @staticmethod
    def _lengths(summary: Summary, label: str, fill: int) -> Distribution:
        from cli.simulation.chart import Distribution

        return Distribution(label, tuple(each.moves for each in summary.outcomes), fill)

    def _figures(self, plan: SimulationPlan, summary: Summary) -> None:
        from engine.games import GAMES

        name = GAMES[plan.slug].presentation.words.name
        rows = [[self.say("moves"), *spread_cells(summary.length)]]
        rows += [[name(label, self.terminal.locale), *spread_cells(each)] for label, each in summary.figures.items()]
        self.terminal.grid(self.say("length"), self.heads("what", "mean", "sd", "min", "max"), rows)
        rows = [
            [name(cause, self.terminal.locale), str(count), f"{100 * count / self.matches:.1f}"]
            for cause, count in sorted(summary.causes.items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        self.terminal.grid(self.say("causes"), self.heads("end", "matches", "percent"), rows)

    def levels(self, plans: dict[str, SimulationPlan]) -> Chart:
        """Play at every level of the rival, and show how often seat 0 wins; returns the figures to be drawn."""
        from cli.simulation.statistics import wilson_interval

        rows, steps, seconds = [], 0, 0.0
        played: dict[str, Summary] = {}
        for level, plan in plans.items():
            summary, took = self.summary(plan)
            played[level] = summary
            steps, seconds = steps + summary.steps, seconds + took
            wins = summary.wins(0)
            low, high = wilson_interval(wins, self.matches)
            means = [f"{summary.scores(seat).mean:.1f}" for seat in (0, 1)]
            share = f"{100 * wins / self.matches:.1f}"
            sure = f"{100 * low:.1f} – {100 * high:.1f}"
            rows.append(
                [self._level(plan, level), str(self.matches), str(wins), str(summary.shared(0)), share, sure, *means]
            )
        first = next(iter(plans.values()))
        bot, rival = first.bots
        names = [self._bot(first, bot), self._bot(first, rival)]
        header = [*self.heads("level", "matches", "wins", "shared", "share", "sure"), *names]
        self.terminal.grid(self.say("solo", bot=names[0], rival=names[1]), header, rows)
        self._speed(steps, seconds)
        return self._level_chart(plans, played)

    def _speed(self, steps: int, seconds: float) -> None:
        speed = steps / seconds if seconds else 0.0
        self.terminal.prose("\n" + self.say("speed", steps=steps, seconds=seconds, speed=speed, jobs=self.jobs))


def spread_cells(figures: Spread) -> list[str]:
    """The cells of a spread."""
    return [f"{figures.mean:.2f}", f"{figures.deviation:.2f}", f"{figures.least:g}", f"{figures.most:g}"]
