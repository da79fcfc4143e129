"""The command `python -m bench.letters`: the cost of an email with its picture, and a yardstick of the same run."""

import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click
from rich.table import Table

from bench.databases import temporary_service
from bench.letter_drain import drain_letters, drain_table
from bench.tables import figures_table, wide_console
from bench.timing import percentile
from engine.chance import seeded_pick
from engine.games import GAMES
from engine.playout import answer
from engine.words import LOCALES
from service import drawing, ids
from service.accounts import players
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs.payloads import LetterJob
from service.mail import letters
from service.mail.letters.context import LetterContext, SeatContext
from service.mail.outgoing import build_message, letter_ledger
from service.matches import create
from service.play.match_loader import load_match_state
from service.play.match_log import LogAddition, append, next_entry
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.record.chain import by_bot
from service.record.match_state import MatchState
from service.timestamps import now

NAMES = ("Aoife", "Bastien", "Caoimhe", "Delphine", "Éanna")
STAGES = ("opening", "middle", "late", "over")
DIGEST = "digest"
MORE_MATCHES, MORE_ROUNDS, MORE_TURNS = 4, 10, 4
"""Matches in a digest of several, number of such digests to measure, and the turns between two of them."""
COLUMNS = *"letters picture p90 rest p90 whole p90 p99".split(), "÷ zlib", "p99", "ledger", "PNG kB"
WIDTH = 128
QUARTER, MEGABYTE = Random(1).randbytes(1 << 14) * 16, 4
"""Data that zlib compresses after each email, and how often it fits into a megabyte."""
NOTE = (
    "CPU time of composing a letter: text, HTML and inline PNG as MIME; every picture is new, while glyphs, words and "
    "cards are warm as in a worker. Ledger: what keeping it costs besides. Opening, middle and late are thirds of a "
    "match by its letters, over is the letter at its end; the least and the most seats, English and French by turns. "
    "Every third question is put by a digest, which is of one match; the last column is of digests of several."
)


@dataclass(frozen=True)
class LetterCost:
    """CPU milliseconds of one email, and the size of its picture."""

    kind: str
    picture: float
    rest: float
    ledger: float
    size: int

    @property
    def whole(self) -> float:
        """The email with its picture."""
        return self.picture + self.rest


@dataclass
class CostMeter:
    """A stopwatch for parts of the work."""

    spent: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, what: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function so that the milliseconds of its calls are added up."""

        def call(*given: Any) -> Any:  # noqa: ANN401  # as the function
            began = process_time()
            result = what(*given)
            self.spent[name] = self.spent.get(name, 0) + 1000 * (process_time() - began)
            return result

        return call


@dataclass
class Mailer:
    """Plays matches by email alone, and measures each email."""

    config: Config
    meter: CostMeter
    yardstick: list[float] = field(default_factory=list)

    def costs(self, slug: str, seats: int, first: int) -> Iterator[LetterCost]:
        """Yield the costs of the emails of one match, in order. The last ones are about its end."""
        match, picks = self.start_match(slug, seats, first), seeded_pick(seats)
        while True:
            resolve_match(match, make_effects(self.config), self.config.most_entries)
            table = load_match_state(match)
            asked = [(seat, question.asked) for seat, question in enumerate(table.questions) if question]
            if table.state.over:
                break
            seat, number = asked[0]
            if len(self.yardstick) % 3 == 2:  # noqa: PLR2004  # every third question
                yield self.cost({"kind": DIGEST, "player": table.players[seat], "slot": now()})
            else:
                yield self.cost({"kind": "turn", "match": match, "seat": seat, "asked": number})
            self.play_turn(table, picks)
        for seat, player in enumerate(table.players):
            yield self.cost({"kind": "over", "match": match, "seat": seat, "player": player})

    def play_turn(self, table: MatchState, picks: Any) -> None:  # noqa: ANN401  # where random moves come from
        """Make a move for the first player who is asked."""
        game, seat = table.facts.game, next(seat for seat, question in enumerate(table.questions) if question)
        action = answer(game, table.state, seat, game.bots.by_name[game.bots.stand_in], picks)
        row, after = next_entry(table, seat, action, by_bot(game.bots.stand_in), table.at)
        append([LogAddition(table, (row,), after, None, wake=False)])

    def start_match(self, slug: str, seats: int, first: int, people: Sequence[PlayerRow] = ()) -> str:
        """Start a match between these people, or between new ones with alternating languages."""
        people = people or self.new_people(seats, first)
        sitting = {seat: person.id for seat, person in enumerate(people)}
        wanted = create.NewMatch(game=slug, seats=seats, sit=False, players=sitting)
        return create.create_match(people[0], wanted, self.config).id

    def start_pair(self, slug: str, first: int) -> str:
        """Start a match between two people who want an email for each turn."""
        return self.start_match(slug, 2, first, self.new_people(2, first, "turn"))

    def new_people(self, seats: int, first: int, mode: str = DIGEST) -> list[PlayerRow]:
        """Create people with this email setting. Turn emails can be composed for people with digests too."""
        people = []
        with write_transaction():
            for seat, name in enumerate(NAMES[:seats]):
                about = {"name": name, "language": LOCALES[(first + seat) % len(LOCALES)], "zone": "Europe/Paris"}
                people.append(players.create(**about, at=now(), address=f"{ids.new_id()}@example.org"))
        return [players.change_settings(person.id, {"letters": mode}) for person in people]

    def cost_per_match(self, slug: str) -> float:
        """Return the median cost of a match in a digest of several."""
        people, picks = self.new_people(2, 0), seeded_pick(2)
        matches = [self.start_match(slug, 2, 0, people) for _ in range(MORE_MATCHES)]
        added: list[float] = []
        for _ in range(MORE_ROUNDS):
            for match in matches:
                for _ in range(MORE_TURNS):
                    resolve_match(match, make_effects(self.config), self.config.most_entries)
                    if not load_match_state(match).state.over:
                        self.play_turn(load_match_state(match), picks)
                resolve_match(match, make_effects(self.config), self.config.most_entries)
            for person in people:
                waiting = rows("select count(*) from seat where player = ? and asked is not null", person.id)[0][0]
                if waiting:
                    added.append(self.cost({"kind": DIGEST, "player": person.id, "slot": now()}).whole / waiting)
        return median(added)

    def cost(self, payload: dict[str, Any]) -> LetterCost:
        """Write one email as the worker does, then run the yardstick."""
        drawing.png.cache_clear()
        self.meter.spent.clear()
        spent, timed = self.meter.spent, self.meter.timed
        letter = timed("compose", letters.compose)(LetterContext(LetterJob.from_json(json.dumps(payload)), self.config))
        kept = timed("keep", build_message.store_letter)(
            letter_ledger.letter_id(f"letter {len(self.yardstick)}"), letter, self.config
        )
        letter_ledger.mark_accepted(kept)
        timed("yardstick", zlib.compress)(QUARTER)
        self.yardstick.append(MEGABYTE * spent["yardstick"])
        rest = spent["compose"] + spent["write"] - spent["picture"]
        ledger, size = spent["keep"] - spent["write"], len(letter.pictures[0].png)
        return LetterCost(payload["kind"], spent["picture"], rest, ledger, size)


def group_by_stage(costs: Sequence[LetterCost], seats: int) -> Iterator[tuple[str, Sequence[LetterCost]]]:
    """Yield the emails of each stage of a match."""
    turns, over = costs[:-seats], costs[-seats:]
    third = -(-len(turns) // 3)
    yield from zip(STAGES, (turns[:third], turns[third : 2 * third], turns[2 * third :], over), strict=True)


def measure_letters(mailer: Mailer, many: int) -> tuple[dict[tuple[str, str], list[LetterCost]], dict[str, float]]:
    """Measure emails by game and stage, digests, and a match in a digest of several by game.

    A first match of each game warms the caches that are warm in a worker.
    """
    costs_by_stage: dict[tuple[str, str], list[LetterCost]] = defaultdict(list)
    more: dict[str, float] = {}
    for slug, game in GAMES.items():
        list(mailer.costs(slug, game.rules.seats[-1], 0))
        for seats in dict.fromkeys((game.rules.seats[0], game.rules.seats[-1])):
            for first in range(many):
                for stage, costs in group_by_stage(list(mailer.costs(slug, seats, first)), seats):
                    for each in costs:
                        costs_by_stage[slug, DIGEST if each.kind == DIGEST else stage].append(each)
        more[slug] = mailer.cost_per_match(slug)
    return costs_by_stage, more


def letters_table(costs_by_stage: dict[tuple[str, str], list[LetterCost]], yardstick: float) -> Table:
    """Return a table of milliseconds, ratios and sizes: a row for each game and stage."""
    title = "A letter with its picture, in milliseconds of CPU time: median, p90, p99"
    table = figures_table(title, ("game", "stage"), COLUMNS)
    for (slug, stage), costs in costs_by_stage.items():
        parts = ([getattr(each, part) for each in costs] for part in ("picture", "rest", "whole"))
        figures = [figure for part in parts for figure in (median(part), percentile(part, 0.9))]
        middle, worst = figures[-2], percentile([each.whole for each in costs], 0.99)
        figures += [worst, middle / yardstick, worst / yardstick, median(each.ledger for each in costs)]
        figures.append(median(each.size for each in costs) / 1000)
        told = [f"{figure:.1f}" for figure in figures]
        table.add_row(slug, stage, str(len(costs)), *told, end_section=stage == STAGES[-1])
    return table


def games_table(
    costs_by_stage: dict[tuple[str, str], list[LetterCost]], more: dict[str, float], yardstick: float
) -> Table:
    """Return a table of turn emails and digests: a row for each game."""
    columns = ("turn p50", "p99", "÷ zlib", "digest p50", "p99", "÷ zlib", "a match of several")
    table = figures_table("Turn letters and digests, in milliseconds of CPU time", ["game"], columns)
    for slug, added in more.items():
        turns = [each.whole for stage in STAGES[:-1] for each in costs_by_stage[slug, stage]]
        digests = [each.whole for each in costs_by_stage[slug, DIGEST]]
        figures = []
        for whole in (turns, digests):
            figures += [median(whole), percentile(whole, 0.99), median(whole) / yardstick]
        table.add_row(slug, *(f"{figure:.1f}" for figure in (*figures, added)))
    return table


@click.command()
@click.option("--matches", "many", type=click.IntRange(min=1), default=1, show_default=True, help="For each table.")
def main(many: int) -> None:
    """Play matches of every game by email, as the worker writes them, and time each email."""
    seeds = iter(range(1 << 20))
    ids.new_seed = lambda: sha256(str(next(seeds)).encode()).digest()  # the same matches in every run
    with temporary_service() as service:
        mailer = Mailer(service.config, CostMeter())
        SeatContext.picture = mailer.meter.timed("picture", SeatContext.picture)  # type: ignore[method-assign]
        build_message.render_message = mailer.meter.timed("write", build_message.render_message)
        costs_by_stage, more = measure_letters(mailer, many)
        drained = drain_letters(mailer.start_pair, service.config)
    console = wide_console(WIDTH)
    yardstick = median(mailer.yardstick)
    console.print(letters_table(costs_by_stage, yardstick))
    console.print(games_table(costs_by_stage, more, yardstick))
    console.print(drain_table(drained))
    console.print(f"{NOTE} Zlib: {yardstick:.1f} ms for a megabyte, between the letters.")


if __name__ == "__main__":
    main(prog_name="python -m bench.letters")
