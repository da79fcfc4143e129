"""`echtra simulate`: play many matches between bots, and print statistics."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, refusal
from engine.game import AnyGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.match_options import MatchOptions
    from cli.simulation.chart import Chart, ChartWords, Rate
    from cli.simulation.runner import SimulationPlan
    from cli.simulation.statistics import Spread, Summary


@bilingual_command("simulate", "usage.simulate.about")
@click.argument("game")
@bilingual_option("--matches", type=click.IntRange(1), default=1000, metavar="N", text="usage.simulate.matches")
@bilingual_option("--seats", type=int, metavar="N", text="usage.simulate.seats")
@bilingual_option("--bot", metavar="NAME", text="usage.simulate.bot")
@bilingual_option("--bots", metavar="A,B", text="usage.simulate.bots")
@bilingual_option("--seed", type=int, default=0, metavar="N", text="usage.simulate.seed")
@bilingual_option("--option", "options", multiple=True, metavar="NAME=VALUE", text="usage.simulate.option")
@bilingual_option("--solo", is_flag=True, text="usage.simulate.solo")
@bilingual_option("--out", type=FILE, metavar="DIR", text="usage.simulate.out")
@bilingual_option("--chart", type=FILE, metavar="FILE.svg", text="usage.simulate.chart")
@bilingual_option("--jobs", type=click.IntRange(1), metavar="N", text="usage.simulate.jobs")
def command(game: str, matches: int, jobs: int | None, chart: Path | None, out: Path | None, **given: Any) -> None:  # noqa: ANN401
    """Play many matches between bots."""
    from cli.files import check_writable
    from cli.match_options import find_game

    chosen = find_game(game)
    folder = _make_output_folder(out)
    if chart is not None:
        if chart.suffix.lower() != ".svg":
            raise refusal("commands.simulate.chart_name", path=chart)
        check_writable(chart)
    run = Simulation(chosen, matches, jobs or os.cpu_count() or 1)
    plans = {
        level: replace(plan, seed=given["seed"], out=folder, mark=f"{level}-" if level else "")
        for level, plan in (_level_plans if given["solo"] else _bot_plans)(chosen, given).items()
    }
    figures = run.play_levels(plans) if given["solo"] else run.play_seats(plans[""])
    if chart is not None:
        _write_chart(figures, chart)
        run.terminal.prose(say("drawn", path=chart))
    if folder:
        run.terminal.prose(say("filed", out=folder))


def say(key: str, **values: object) -> str:
    """Return a text of this command."""
    return localise(f"commands.simulate.{key}", **values)


def _bot_plans(game: AnyGame, given: Mapping[str, Any]) -> dict[str, SimulationPlan]:
    """Return the one plan of matches between bots."""
    from cli.match_options import parse_options

    bots: str | None = given["bots"]
    named = len(bots.split(",")) if bots else game.rules.seats[0]
    seats: int = named if given["seats"] is None else given["seats"]
    return {"": _make_plan(parse_options(game, seats, given["options"]), (bots, given["bot"]))}


def _level_plans(game: AnyGame, given: Mapping[str, Any]) -> dict[str, SimulationPlan]:
    """Return a plan for each level of the solo rival."""
    from cli.match_options import LEVELS, RIVAL_SEATS, parse_options, rival_options

    rival = next(iter(rival_options(game)), None)
    if rival is None:
        raise refusal("commands.match.no_solo", slug=game.slug)
    for name, good in (("bots", (None,)), ("seats", (None, RIVAL_SEATS))):
        if given[name] not in good:
            raise refusal("commands.match.clash", one="--solo", other=f"--{name}")
    plans = {}
    for level in (level for level in LEVELS if level in rival.choices):
        choice = parse_options(game, RIVAL_SEATS, (*given["options"], f"{rival.name}={level}"))
        plans[level] = _make_plan(choice, (None, given["bot"]))
    return plans


def _make_plan(choice: MatchOptions, given: tuple[str | None, str | None]) -> SimulationPlan:
    from cli.match_options import choose_bots, rival_name
    from cli.simulation.runner import SimulationPlan

    names = choose_bots(choice, choice.seats, given)
    rival = rival_name(choice.game, choice.settings)
    return SimulationPlan(
        choice.game.slug, choice.seats, dict(choice.settings), (names[0], rival, *names[2:]) if rival else names
    )


def _make_output_folder(out: Path | None) -> str:
    from cli.files import refuse_unwritable

    if out is None:
        return ""
    with refuse_unwritable(out):
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return str(out)


def _write_chart(chart: Chart, path: Path) -> None:
    from cli.files import refuse_unwritable, write_atomically
    from cli.simulation.chart import describe_chart, draw_chart
    from service.drawing import svg

    with refuse_unwritable(path):
        write_atomically(path, svg(draw_chart(chart), chart.words.title, describe_chart(chart)))


class Simulation:
    """One call of the command: number of matches of a game, and number of processes."""

    def __init__(self, game: AnyGame, matches: int, jobs: int) -> None:
        """Prepare the terminal."""
        from cli.terminal import Terminal

        self.game = game
        self.matches = matches
        self.jobs = jobs
        self.terminal = Terminal(game)
        self.steps = 0
        self.seconds = 0.0

    def play_seats(self, plan: SimulationPlan) -> Chart:
        """Play, print the figures by seat, and return them for the chart."""
        from cli.simulation.chart import Chart, Distribution

        summary = self._play(plan)
        self.terminal.heading(self._title())
        bots = [self._bot(name) for name in plan.bots]
        labels = [f"{seat} · {bot}" for seat, bot in enumerate(bots)]
        rates = [self._rate(label, summary.share(seat), seat) for seat, label in enumerate(labels)]
        rows = [
            [
                *(str(seat), bot, *spread_cells(summary.scores(seat))),
                *(str(summary.wins(seat)), str(summary.shared(seat)), f"{100 * rates[seat].share:.1f}"),
            ]
            for seat, bot in enumerate(bots)
        ]
        header = self._heads("seat", "bot", "mean", "sd", "min", "max", "wins", "shared", "share")
        self.terminal.grid(say("seats"), header, rows, left=2)
        self._print_figures(summary)
        self._print_speed()
        scores = tuple(Distribution(label, summary.points(seat), seat) for seat, label in enumerate(labels))
        lengths = Distribution(say("moves"), summary.lengths, len(labels))
        return Chart(self._words(plan, ", ".join(labels)), scores, tuple(rates), (lengths,))

    def play_levels(self, plans: dict[str, SimulationPlan]) -> Chart:
        """Play at every level of the rival, print how often seat 0 wins, and return the figures for the chart."""
        from cli.simulation.chart import Chart, Distribution

        first = next(iter(plans.values()))
        bot, rival = (self._bot(name) for name in first.bots)
        rows: list[list[str]] = []
        scores: list[Distribution] = []
        lengths: list[Distribution] = []
        rates: list[Rate] = []
        for number, (level, plan) in enumerate(plans.items()):
            summary, label = self._play(plan), self.game.presentation.words.name(level, self.terminal.locale).lower()
            rate = self._rate(label, summary.wins(0), number)
            means = [f"{summary.scores(seat).mean:.1f}" for seat in (0, 1)]
            interval = f"{100 * rate.low:.1f} – {100 * rate.high:.1f}"
            counts = [str(self.matches), str(summary.wins(0)), str(summary.shared(0))]
            rows.append([label, *counts, f"{100 * rate.share:.1f}", interval, *means])
            rates.append(rate)
            lengths.append(Distribution(label, summary.lengths, number))
            scores += [
                Distribution(f"{label} · {name}", summary.points(seat), number)
                for seat, name in enumerate((bot, rival))
            ]
        title = say("solo", bot=bot, rival=rival)
        header = [*self._heads("level", "matches", "wins", "shared", "share", "sure"), bot, rival]
        self.terminal.grid(title, header, rows)
        self._print_speed()
        words = replace(self._words(first, title), rates=say("chart_wins", bot=bot))
        return Chart(words, tuple(scores), tuple(rates), tuple(lengths))

    def _play(self, plan: SimulationPlan) -> Summary:
        """Play all matches of a plan, and add up moves and time."""
        from cli.progress import progress_bar
        from cli.simulation.runner import play_all
        from cli.simulation.statistics import Summary

        start, outcomes = perf_counter(), []
        try:
            with progress_bar() as bar:
                task = bar.add_task(plan.mark.rstrip("-") or plan.slug, total=self.matches)
                for some in play_all(plan, self.matches, self.jobs):
                    outcomes += some
                    bar.advance(task, len(some))
        except KeyboardInterrupt:
            click.echo(say("stopped"), err=True)
            raise click.exceptions.Exit(130) from None
        summary = Summary.of(outcomes)
        self.seconds += perf_counter() - start
        self.steps += summary.steps
        return summary

    def _rate(self, label: str, wins: float, fill: int) -> Rate:
        from cli.simulation.chart import Rate
        from service.matches.bot_strengths import wilson_interval

        return Rate(label, wins / self.matches, *wilson_interval(wins, self.matches), fill)

    def _title(self) -> str:
        return say("playing", title=self.game.presentation.title[self.terminal.locale], matches=self.matches)

    def _heads(self, *keys: str) -> list[str]:
        return [say(key) for key in keys]

    def _words(self, plan: SimulationPlan, who: str) -> ChartWords:
        from cli.simulation.chart import ChartWords

        about = say("chart_about", who=who, seed=plan.seed)
        return ChartWords(self._title(), about, *self._heads("chart_scores", "chart_rates", "chart_lengths"))

    def _bot(self, name: str) -> str:
        return self.game.presentation.words.bot(name, self.terminal.locale)

    def _print_figures(self, summary: Summary) -> None:
        name, locale = self.game.presentation.words.name, self.terminal.locale
        rows = [[say("moves"), *spread_cells(summary.length)]]
        rows += [[name(label, locale), *spread_cells(spread)] for label, spread in summary.figures.items()]
        self.terminal.grid(say("length"), self._heads("what", "mean", "sd", "min", "max"), rows)
        rows = [
            [name(cause, locale), str(count), f"{100 * count / self.matches:.1f}"]
            for cause, count in sorted(summary.causes.items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        self.terminal.grid(say("causes"), self._heads("end", "matches", "percent"), rows)

    def _print_speed(self) -> None:
        speed = self.steps / self.seconds if self.seconds else 0.0
        text = say("speed", steps=self.steps, seconds=self.seconds, speed=speed, jobs=self.jobs)
        self.terminal.prose(f"\n{text}")


def spread_cells(figures: Spread) -> list[str]:
    """Return the cells of a spread."""
    return [f"{figures.mean:.2f}", f"{figures.deviation:.2f}", f"{figures.least:g}", f"{figures.most:g}"]
