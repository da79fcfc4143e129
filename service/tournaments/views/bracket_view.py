"""Knockouts and double eliminations as columns of tables: who met whom, and who advanced."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games import GAMES
from engine.words import Locale
from service import shapes
from service.db.models.tournaments import StageRow, TournamentRow
from service.i18n.catalogue import msg
from service.play.views import bot_name
from service.problems import Problem
from service.tournaments.formats.crosstable import BOT, TWO_SEATS, Pairing, people_of
from service.tournaments.formats.knockout import TableOutcome, bracket_order, count_losses, decide_table
from service.tournaments.formats.series import BY_SCORE, count_wins
from service.tournaments.formats.stage_replay import PairedTable, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.rounds.standings import name_numbers
from service.tournaments.tournament_store import load_state

BRACKET_FORMATS = (KNOCKOUT, DOUBLE)
MOST_TABLES = 32
"""Maximum number of tables in a column. A larger bracket begins with the first round that has no more."""
WINNERS, LOSERS = "winners", "losers"


class BracketSeatShown(shapes.Shape):
    """Somebody at a table of a bracket."""

    player: str | None = shapes.ident("Who; nobody where a bot sits.")
    name: str = shapes.text("Their name.", "Aoife")
    seed: int | None = shapes.number("Their place in the order of the stage.", 1, least=1)
    score: int | None = shapes.number(
        "What they scored, once the table is over; in a series the matches won so far.", 34, least=shapes.LEAST_NUMBER
    )
    how: str | None = shapes.text("How their seat ended.", "played")
    goes_on: bool = shapes.flag("Whether they go on to the next round; at the last table: whether they won.", True)


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of a bracket. In double elimination it belongs to the winners or to the losers."""

    matches: tuple[str, ...]
    """Its matches in order: one, or those of a series so far."""
    seats: tuple[BracketSeatShown, ...]
    is_over: bool
    part: str = ""
    tie_rule: str = ""
    """Name of the text that says why somebody advances from a tied table."""

    @property
    def match(self) -> str:
        """Return the last match."""
        return self.matches[-1]

    @property
    def is_bye(self) -> bool:
        """True if the player advances without a match."""
        return len(self.seats) == 1


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of a bracket. Tables that are not known yet are None."""

    round: int
    tables: tuple[BracketTable | None, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The rounds of a knockout from left to right."""

    stage: str
    format: str
    is_tree: bool
    """True if each table follows from two neighbours of the column before."""
    left_out: int
    """How many rounds come before the first one shown."""
    columns: tuple[BracketColumn, ...]
    is_over: bool
    """True if the whole stage has been played."""


def read_bracket(row: TournamentRow, stage: str, locale: Locale, *, most_tables: int | None = MOST_TABLES) -> Bracket:
    """Return the bracket of a stage, without rounds of too many tables. Raise `Problem` if it has none."""
    state = load_state(row.id)
    replay = state.stages.get(stage)
    if replay is None or replay.rules.format not in BRACKET_FORMATS:
        raise Problem("not-found", msg("tournament_page.no_bracket"))
    is_tree = replay.rules.format == KNOCKOUT and replay.rules.seats == TWO_SEATS
    numbers = sorted(number for number, each in replay.rounds.items() if each.pairs)
    columns = [BracketColumn(number, _list_tables(row, state, replay, number, locale)) for number in numbers]
    if is_tree and replay.entrants:
        columns = _complete_tree(replay, columns)
    shown = [column for column in columns if most_tables is None or len(column.tables) <= most_tables]
    is_over = (
        StageRow.select()
        .where((StageRow.tournament == row.id) & (StageRow.name == stage) & (StageRow.state == "over"))
        .exists()
    )
    return Bracket(stage, replay.rules.format, is_tree, len(columns) - len(shown), tuple(shown), is_over)


def _list_tables(
    row: TournamentRow, state: TournamentState, stage: StageReplay, number: int, locale: Locale
) -> tuple[BracketTable, ...]:
    each, game = stage.rounds[number], GAMES[row.game]
    names = name_numbers(state, {one for pair in each.valid for one in people_of(pair.seats)}, locale)
    names[BOT] = bot_name(game, game.bots.stand_in, locale)
    seeds = {one: seed for seed, one in enumerate(stage.entrants, 1)}
    played = stage.show_round(number)
    advance = stage.count_advancing(played)
    losses = count_losses(stage.played(before=number), stage.entrants) if stage.rules.format == DOUBLE else {}

    def show_table(table: list[PairedTable], pairing: Pairing) -> BracketTable:
        outcome = decide_table(pairing, stage.entrants, advance) if pairing.is_over else TableOutcome((), ())
        tie_rule = "by_seed" if outcome.by_seed else ""
        results = pairing.results
        scores = [result.score for result in results]
        if stage.rules.series is not None and not pairing.is_bye:
            # A series shows the matches won so far, before it is decided too.
            wins = count_wins([Pairing(pair.seats, each.results.get(pair.id, ())) for pair in table])
            scores = [wins[one] for one in pairing.seats]
            if pairing.is_over and not tie_rule and len(set(scores)) == 1 and stage.rules.tied == BY_SCORE:
                tie_rule = "by_score"
        seats = tuple(
            BracketSeatShown(
                player=None if one == BOT else state.holders[one],
                name=names[one],
                seed=seeds.get(one),
                score=scores[seat] if scores else None,
                how=str(results[seat].how) if results else None,
                goes_on=one in outcome.advancing,
            )
            for seat, one in enumerate(pairing.seats)
        )
        lost = any(losses.get(one) for one in pairing.seats)
        part = (LOSERS if lost else WINNERS) if losses else ""
        return BracketTable(tuple(pair.id for pair in table), seats, pairing.is_over, part, tie_rule)

    return tuple(map(show_table, stage.list_series(number), played.pairings))


def _complete_tree(stage: StageReplay, columns: list[BracketColumn]) -> list[BracketColumn]:
    """Return the columns with tables at their places in the tree, and None for those to come."""
    size, rounds = 1, 0
    while size < len(stage.entrants):
        size, rounds = 2 * size, rounds + 1
    rounds = min(rounds, stage.rules.rounds or rounds)
    place = {stage.entrants[seed - 1]: at for at, seed in enumerate(bracket_order(size)) if seed <= len(stage.entrants)}
    by_round = {column.round: column for column in columns}
    completed = []
    for number in range(1, rounds + 1):
        tables: list[BracketTable | None] = [None] * (size >> number)
        if number in by_round:
            for matches, table in zip(stage.list_series(number), by_round[number].tables, strict=True):
                at = next((place[one] for one in matches[0].seats if one in place), None)
                if at is not None:
                    tables[at >> number] = table
        completed.append(BracketColumn(number, tuple(tables)))
    return completed
