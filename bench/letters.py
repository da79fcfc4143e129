"""The command `python -m bench.letters`: what a letter with its picture costs, beside a yardstick of the same run."""

import json
import shutil
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click
from rich.table import Table

from bench.letter_drain import drain_letters, drain_table
from bench.tables import figures_table, wide_console
from engine.chance import seeded
from engine.games import GAMES
from engine.playout import answer
from engine.words import LOCALES
from service import drawing, ids
from service.accounts import players
from service.config import Config, read
from service.db import connection, migrations
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs.payloads import LetterJob
from service.mail import letters
from service.mail.letters.context import LetterContext, SeatContext
from service.mail.outgoing import build_message, letter_ledger
from service.matches import create
from service.play import server_keys
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
"""A digest of so many matches, so often, after so many further turns of each."""
COLUMNS = *"letters picture p90 rest p90 whole p90 p99".split(), "÷ zlib", "p99", "ledger", "PNG kB"
WIDTH = 128
QUARTER, MEGABYTE = Random(1).randbytes(1 << 14) * 16, 4
"""What zlib packs after each letter, and how many of it are a megabyte."""
NOTE = (
    "CPU time of composing a letter: text, HTML and inline PNG as MIME; every picture is new, while glyphs, words and "
    "cards are warm as in a worker. Ledger: what keeping it costs besides. Opening, middle and late are thirds of a "
    "match by its letters, over is the letter at its end; the least and the most seats, English and French by turns. "
    "Every third question is put by a digest, which is of one match; the last column is of digests of several."
)


@dataclass(frozen=True)
class LetterCost:
    """What one letter cost, in milliseconds of CPU time, and the size of its picture."""

    kind: str
    picture: float
    rest: float
    ledger: float
    size: int

    @property
    def whole(self) -> float:
        """The letter, picture and all."""
        return self.picture + self.rest


@dataclass
class CostMeter:
    """Times parts of the work inside of the whole."""

    spent: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, what: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with the milliseconds of its calls summed up."""

        def call(*given: Any) -> Any:  # noqa: ANN401  # whatever the function takes and gives
            began = process_time()
            found = what(*given)
            self.spent[name] = self.spent.get(name, 0) + 1000 * (process_time() - began)
            return found

        return call


@dataclass
class Mailer:
    """Plays matches by letters alone, and notes what each letter cost."""

    config: Config
    meter: CostMeter
    yardstick: list[float] = field(default_factory=list)

    def costs(self, slug: str, seats: int, first: int) -> Iterator[LetterCost]:
        """What the letters of one match cost, in their order; those at its end last."""
        match, picks = self.started(slug, seats, first), seeded(seats)
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
        """Let whoever is asked first make a move."""
        game, seat = table.facts.game, next(seat for seat, question in enumerate(table.questions) if question)
        action = answer(game, table.state, seat, game.bots.by_name[game.bots.stand_in], picks)
        row, after = next_entry(table, seat, action, by_bot(game.bots.stand_in), table.at)
        append([LogAddition(table, (row,), after, None, wake=False)])

    def started(self, slug: str, seats: int, first: int, people: Sequence[PlayerRow] = ()) -> str:
        """A match between these people, or between new ones who read the languages by turns."""
        people = people or self.new_people(seats, first)
        sitting = {seat: person.id for seat, person in enumerate(people)}
        wanted = create.NewMatch(game=slug, seats=seats, sit=False, players=sitting)
        return create.create_match(people[0], wanted, self.config).id

    def start_pair(self, slug: str, first: int) -> str:
        """A match between two people who want a letter for each turn."""
        return self.started(slug, 2, first, self.new_people(2, first, "turn"))

    def new_people(self, seats: int, first: int, mode: str = DIGEST) -> list[PlayerRow]:
        """People who want these letters; for who wants digests a letter of a turn can be composed all the same."""
        people = []
        with write_transaction():
            for seat, name in enumerate(NAMES[:seats]):
                about = {"name": name, "language": LOCALES[(first + seat) % len(LOCALES)], "zone": "Europe/Paris"}
                people.append(players.create(**about, at=now(), address=f"{ids.new_id()}@example.org"))
        return [players.change_settings(person.id, {"letters": mode}) for person in people]

    def cost_per_match(self, slug: str) -> float:
        """What each match costs in a digest of several."""
        people, picks = self.new_people(2, 0), seeded(2)
        matches = [self.started(slug, 2, 0, people) for _ in range(MORE_MATCHES)]
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
        """Write one letter as the worker does, with the yardstick beside it."""
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
    """The letters of one match by its stages."""
    turns, over = costs[:-seats], costs[-seats:]
    third = -(-len(turns) // 3)
    yield from zip(STAGES, (turns[:third], turns[third : 2 * third], turns[2 * third :], over), strict=True)


def measure_letters(mailer: Mailer, many: int) -> tuple[dict[tuple[str, str], list[LetterCost]], dict[str, float]]:
    """The costs of letters by game and stage, of digests too, and of a match in a digest of several by game.

    A match of each game warms up what a worker has warm.
    """
    found: dict[tuple[str, str], list[LetterCost]] = defaultdict(list)
    more: dict[str, float] = {}
    for slug, game in GAMES.items():
        list(mailer.costs(slug, game.rules.seats[-1], 0))
        for seats in dict.fromkeys((game.rules.seats[0], game.rules.seats[-1])):
            for first in range(many):
                for stage, costs in group_by_stage(list(mailer.costs(slug, seats, first)), seats):
                    for each in costs:
                        found[slug, DIGEST if each.kind == DIGEST else stage].append(each)
        more[slug] = mailer.cost_per_match(slug)
    return found, more


def find_percentile(values: Sequence[float], share: float) -> float:
    """What this share of the values does not exceed."""
    return sorted(values)[int(share * (len(values) - 1))]


def letters_table(found: dict[tuple[str, str], list[LetterCost]], yardstick: float) -> Table:
    """Milliseconds, ratios and sizes: a line for each game and stage."""
    title = "A letter with its picture, in milliseconds of CPU time: median, p90, p99"
    table = figures_table(title, ("game", "stage"), COLUMNS)
    for (slug, stage), costs in found.items():
        parts = ([getattr(each, part) for each in costs] for part in ("picture", "rest", "whole"))
        figures = [figure for part in parts for figure in (median(part), find_percentile(part, 0.9))]
        middle, worst = figures[-2], find_percentile([each.whole for each in costs], 0.99)
        figures += [worst, middle / yardstick, worst / yardstick, median(each.ledger for each in costs)]
        figures.append(median(each.size for each in costs) / 1000)
        told = [f"{figure:.1f}" for figure in figures]
        table.add_row(slug, stage, str(len(costs)), *told, end_section=stage == STAGES[-1])
    return table


def games_table(found: dict[tuple[str, str], list[LetterCost]], more: dict[str, float], yardstick: float) -> Table:
    """The turn letter and the digest of each game: a line for each game."""
    columns = ("turn p50", "p99", "÷ zlib", "digest p50", "p99", "÷ zlib", "a match of several")
    table = figures_table("Turn letters and digests, in milliseconds of CPU time", ["game"], columns)
    for slug, added in more.items():
        turns = [each.whole for stage in STAGES[:-1] for each in found[slug, stage]]
        digests = [each.whole for each in found[slug, DIGEST]]
        figures = []
        for whole in (turns, digests):
            figures += [median(whole), find_percentile(whole, 0.99), median(whole) / yardstick]
        table.add_row(slug, *(f"{figure:.1f}" for figure in (*figures, added)))
    return table


@click.command()
@click.option("--matches", "many", type=click.IntRange(min=1), default=1, show_default=True, help="For each table.")
def main(many: int) -> None:
    """Play matches of every game by letters, as the worker writes them, and time each letter."""
    folder = Path(tempfile.mkdtemp(prefix="echtra-bench-"))
    config = read({"ECHTRA_DATA": str(folder), "ECHTRA_LOG_LEVEL": "error"})
    mailer, seeds = Mailer(config, CostMeter()), iter(range(1 << 20))
    ids.new_seed = lambda: sha256(str(next(seeds)).encode()).digest()  # the same matches in every run
    SeatContext.picture = mailer.meter.timed("picture", SeatContext.picture)  # type: ignore[method-assign]
    build_message.render_message = mailer.meter.timed("write", build_message.render_message)
    try:
        connection.connect(config.database)
        migrations.migrate()
        server_keys.current_key()
        found, more = measure_letters(mailer, many)
        drained = drain_letters(mailer.start_pair, config)
    finally:
        connection.drop_connections()
        shutil.rmtree(folder, ignore_errors=True)
    console = wide_console(WIDTH)
    yardstick = median(mailer.yardstick)
    console.print(letters_table(found, yardstick))
    console.print(games_table(found, more, yardstick))
    console.print(drain_table(drained))
    console.print(f"{NOTE} Zlib: {yardstick:.1f} ms for a megabyte, between the letters.")


if __name__ == "__main__":
    main(prog_name="python -m bench.letters")
