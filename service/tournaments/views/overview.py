"""What anybody may know of tournaments, as values that answers, pages and letters show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from peewee import Case, fn

from engine.games import GAMES
from engine.words import Locale
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    RoundRow,
    StageRow,
    TournamentRow,
)
from service.i18n.catalogue import msg
from service.play.views import bot_name
from service.problems import Problem
from service.timestamps import now
from service.tournaments.export import ExportSource
from service.tournaments.formats.crosstable import Number, SeatResult, read_results
from service.tournaments.formats.log_lines import BOT_PREFIX, is_bot
from service.tournaments.formats.stage_rules import DUPLICATE, PODS, ROUND_ROBIN, SAME_DEAL, SWISS
from service.tournaments.formats.tiebreaks import Ranking
from service.tournaments.formats.tournament_state import IN, PRESENT, RESERVE, WAITING
from service.tournaments.rounds.round_times import list_starts
from service.tournaments.rounds.standings import find_names, name_numbers
from service.tournaments.tournament_caches import is_of_round, list_organisers
from service.tournaments.tournament_store import load_state, select_invited
from service.tournaments.views.crosstable_pages import TablePoints, find_rules
from service.tournaments.views.derivations import RankReason, explain_rank, find_named
from service.tournaments.views.place_reasons import PLACED, explain_places
from service.tournaments.views.tournament_shapes import (
    OwnEntryShown,
    RoundShown,
    StageShown,
    TournamentHeadShown,
    TournamentOrganiserShown,
    TournamentShown,
    WholeTournamentShown,
)

HEAD_DIGITS = 12
COUNTED = (ROUND_ROBIN, SWISS, PODS, DUPLICATE)
"""Formats whose standings count points, and so can say why."""


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Who sits at a seat of a pairing, and what came of it."""

    seat: int
    player: str | None
    name: str
    result: SeatResult | None
    points: int | None


@dataclass(frozen=True, slots=True)
class PairingShown:
    """A table of a round: the match, its seats, and whether it is over."""

    match: str
    stage: str
    round: int
    place: int
    section: int
    seats: tuple[SeatShown, ...]
    is_bye: bool
    """Whether somebody sits here alone without a match; where all have the same deal, one alone plays."""

    @property
    def is_over(self) -> bool:
        """Whether it has its result; a bye has it from the beginning."""
        return self.is_bye or self.seats[0].result is not None


def title_of(row: TournamentRow, locale: Locale) -> str:
    """What a tournament is called in a language; its name where it has no title."""
    titles = json.loads(row.title or "{}")
    return str(titles.get(locale) or titles.get("en") or next(iter(titles.values()), "") or row.name)


def head_digits(row: TournamentRow) -> str:
    """The first digits of the hash of a log's last line, as letters show them."""
    return str(row.head_hash)[:HEAD_DIGITS]


def select_visible(viewer: str | None) -> Any:  # noqa: ANN401  # a query of peewee
    """The tournaments that somebody may know of: listed ones, and those they made, were invited to or have entered."""
    seen: Any = TournamentRow.listed
    if viewer is not None:
        entered = EntrantRow.select(EntrantRow.tournament).where(EntrantRow.player == viewer)
        invited = TournamentRow.id.in_(select_invited(viewer))
        seen = seen | (TournamentRow.owner == viewer) | TournamentRow.id.in_(entered) | invited
    return TournamentRow.select().where(seen)


def select_entered(player: str) -> Any:  # noqa: ANN401  # a query of peewee
    """The tournaments in which somebody is or waits, the latest first."""
    present = (EntrantRow.player == player) & EntrantRow.status.in_(PRESENT)
    entered = EntrantRow.select(EntrantRow.tournament).where(present)
    return TournamentRow.select().where(TournamentRow.id.in_(entered)).order_by(TournamentRow.created_at.desc())


def count_entrants(tournaments: Sequence[str]) -> dict[str, dict[str, int]]:
    """How many entrants of each status these tournaments have."""
    found: dict[str, dict[str, int]] = {tournament: {} for tournament in tournaments}
    count = fn.count(EntrantRow.player)
    rows: Any = (
        EntrantRow.select(EntrantRow.tournament, EntrantRow.status, count.alias("people"))
        .where(EntrantRow.tournament.in_(list(tournaments)))
        .group_by(EntrantRow.tournament, EntrantRow.status)
    )
    for tournament, status, people in rows.tuples():
        found[tournament][status] = int(people)
    return found


def describe_tournaments(rows: Sequence[TournamentRow], viewer: str | None, locale: Locale) -> list[TournamentShown]:
    """Return tournaments as lists show them."""
    ids = [row.id for row in rows]
    counts = count_entrants(ids)
    mine = {
        each.tournament: each
        for each in EntrantRow.select().where(EntrantRow.tournament.in_(ids) & (EntrantRow.player == (viewer or "")))
    }
    return [
        TournamentShown.of(
            row,
            title=title_of(row, locale),
            listed=bool(row.listed),
            entrants=counts[row.id].get(IN, 0),
            reserves=counts[row.id].get(RESERVE, 0),
            waiting=counts[row.id].get(WAITING, 0),
            head=TournamentHeadShown(seq=row.head_seq, hash=row.head_hash),
            you=OwnEntryShown.of(mine[row.id]) if row.id in mine else None,
        )
        for row in rows
    ]


def describe_tournament(row: TournamentRow, viewer: str | None, locale: Locale) -> WholeTournamentShown:
    """Return a tournament with its document, its stages and who organises it."""
    (listed,) = describe_tournaments([row], viewer, locale)
    document = json.loads(row.document)
    organisers = list_organisers(row)
    names = find_names(organisers, locale)
    return WholeTournamentShown(
        **vars(listed),
        beacon=document["draw"]["beacon"],
        organisers=[TournamentOrganiserShown(player=player, name=names[player]) for player in organisers],
        stages=[StageShown.of(stage) for stage in list_stages(row.id)],
        document=document,
    )


def list_stages(tournament: str) -> list[StageRow]:
    """The stages of a tournament in their order, without their standings, which may be long."""
    columns = (StageRow.tournament, StageRow.place, StageRow.name, StageRow.format, StageRow.state)
    found = StageRow.select(*columns, StageRow.standings_seq).where(StageRow.tournament == tournament)
    return list(found.order_by(StageRow.place))


def find_stage(tournament: str, name: str) -> StageRow:
    """The stage with this name; without a name the last that has begun."""
    stages = list_stages(tournament)
    wanted = [stage for stage in stages if stage.name == name] if name else stages
    if not wanted:
        raise Problem("not-found", msg("tournament_page.no_stage", stage=name or "-"))
    return next((stage for stage in reversed(wanted) if stage.state != "planned"), wanted[0])


def _count_tables(tournament: str, stage: str, number: int, *, solo: bool) -> tuple[int, int]:
    """How many tables a round has, and how many of them a result; without `solo` somebody alone has a bye."""
    mine = is_of_round(tournament, stage, number)
    waits: Any = PairingRow.result == ""
    finished = Case(None, [(waits if solo else waits & PairingRow.seats.contains(","), 0)], 1)
    found: Any = PairingRow.select(fn.count(PairingRow.id), fn.sum(finished)).where(mine & ~PairingRow.void)
    ((tables, done),) = found.tuples()
    return int(tables), int(done or 0)


@lru_cache(maxsize=2048)
def _count_tables_of_ended(tournament: str, stage: str, number: int, _over_at: int) -> tuple[int, int]:
    """As many of a round that is over, where each table has a result, counted once."""
    tables, _ = _count_tables(tournament, stage, number, solo=True)
    return tables, tables


def list_rounds(
    tournament: TournamentRow, after: tuple[Any, ...] | None = None, limit: int | None = None
) -> list[RoundShown]:
    """List the known rounds in the order of the stages: all of them, or at most `limit` after a `sort_key`."""
    stages = {stage.name: stage for stage in list_stages(tournament.id)}
    rows = list(RoundRow.select().where(RoundRow.tournament == tournament.id))
    starts = list_starts(tournament, rows, now())
    places = {row.stage: stages[row.stage].place if row.stage in stages else len(stages) for row in rows}
    rows.sort(key=lambda row: (places[row.stage], row.number))
    wanted = [row for row in rows if after is None or (places[row.stage], row.number) > after][:limit]
    counts: dict[tuple[str, int], tuple[int, int]] = {}
    for row in wanted:
        solo = row.stage in stages and stages[row.stage].format == SAME_DEAL
        if row.state == "over":
            found = _count_tables_of_ended(tournament.id, row.stage, row.number, row.over_at or 0)
        else:
            found = (0, 0) if row.state == "planned" else _count_tables(tournament.id, row.stage, row.number, solo=solo)
        counts[row.stage, row.number] = found
    return [
        RoundShown.of(
            row,
            starts_at=starts[row.stage, row.number] if row.started_at is None else row.starts_at,
            tables=counts[row.stage, row.number][0],
            finished=counts[row.stage, row.number][1],
            moved=row.started_at is None and starts[row.stage, row.number] != row.starts_at,
            stage_place=places[row.stage],
        )
        for row in wanted
    ]


def list_pairings(
    row: TournamentRow, stage: str, number: int, locale: Locale, after: int = 0, limit: int = 200
) -> list[PairingShown]:
    """Return at most `limit` tables of a round after a place, in the order in which they were paired."""
    counted = is_of_round(row.id, stage, number) & ~PairingRow.void & (PairingRow.place > after)
    found = PairingRow.select().where(counted).order_by(PairingRow.place).limit(limit)
    return show_pairings(row, list(found), locale)


def list_pairings_of(row: TournamentRow, player: str, stage: str, number: int, locale: Locale) -> list[PairingShown]:
    """The tables at which somebody sits in a round."""
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    counted = is_of_round(row.id, stage, number) & ~PairingRow.void & PairingRow.id.in_(sits)
    return show_pairings(row, list(PairingRow.select().where(counted).order_by(PairingRow.place)), locale)


def show_pairings(row: TournamentRow, pairings: Sequence[PairingRow], locale: Locale) -> list[PairingShown]:
    """These pairings with the names and results at their seats."""
    seats = [json.loads(pairing.seats) for pairing in pairings]
    people = sorted({who for table in seats for who in table if not is_bot(who)})
    names = find_names(people, locale)
    rules = find_rules(row)
    game = GAMES[row.game]
    points_at = TablePoints(row)
    found = []
    for pairing, table in zip(pairings, seats, strict=True):
        results = read_results(pairing.result)
        points = points_at.find(pairing.stage, pairing.round, pairing.id, results) if results else ()
        shown = [
            SeatShown(
                seat,
                None if is_bot(who) else who,
                bot_name(game, who.removeprefix(BOT_PREFIX), locale) if is_bot(who) else names[who],
                results[seat] if results else None,
                points[seat] if results else None,
            )
            for seat, who in enumerate(table)
        ]
        place = (pairing.stage, pairing.round, pairing.place, pairing.section)
        alone = len(table) == 1 and rules[pairing.stage].format != SAME_DEAL
        found.append(PairingShown(pairing.id, *place, tuple(shown), is_bye=alone))
    return found


def explain_lines(
    row: TournamentRow, stage: str, numbers: Iterable[Number], locale: Locale
) -> dict[Number, RankReason]:
    """Why each of these entrants has their rank; of deals that all play alone there is nothing to say."""
    state = load_state(row.id)
    replay = state.stages[stage]
    wanted = set(numbers)
    if replay.rules.format in PLACED and replay.entrants:
        return explain_places(state, stage, wanted, name_numbers(state, replay.entrants, locale), locale)
    if replay.rules.format not in COUNTED or not replay.entrants:
        return {}
    found: dict[Number, RankReason] = {}
    for ranking in _rank_sections(row.id, stage, state.hash):
        members = sorted(wanted.intersection([line.number for line in ranking.standings]))
        names = name_numbers(state, {number for member in members for number in find_named(ranking, member)}, locale)
        for number in members:
            found[number] = explain_rank(ranking, number, names, locale)
    return found


@lru_cache(maxsize=8)
def _rank_sections(tournament: str, stage: str, _hash: str) -> tuple[Ranking, ...]:
    """The rankings of a stage after the line with this hash, computed once for all the letters that tell of them."""
    state = load_state(tournament)
    return state.stages[stage].rank_sections(state.gone)


def export_source(row: TournamentRow, locale: Locale) -> ExportSource:
    """What the files for other programs are made of."""
    state = load_state(row.id)
    people = sorted({*state.entrants, *state.holders.values()})
    return ExportSource(row.id, row.name, title_of(row, locale), row.game, row.state, state, find_names(people, locale))
