"""Public data of tournaments, as values for the API, pages and emails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from peewee import Case, ModelSelect, fn

from engine.games import GAMES
from engine.words import Locale
from service.bounded_cache import BoundedCache
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
from service.tournaments.formats.crosstable import Number, read_results
from service.tournaments.formats.log_lines import BOT_PREFIX, is_bot
from service.tournaments.formats.points import show_points
from service.tournaments.formats.stage_rules import DUPLICATE, PODS, ROUND_ROBIN, SAME_DEAL, SWISS
from service.tournaments.formats.tiebreaks import Ranking
from service.tournaments.formats.tournament_state import IN, PRESENT, RESERVE, WAITING
from service.tournaments.rounds.round_times import list_starts
from service.tournaments.rounds.standings import find_names, name_numbers
from service.tournaments.tournament_caches import OVER, is_of_round, list_organisers
from service.tournaments.tournament_store import load_state, select_invited
from service.tournaments.views.crosstable_pages import TablePoints, find_rules
from service.tournaments.views.derivations import RankReason, explain_rank, find_named
from service.tournaments.views.place_reasons import PLACED, explain_places
from service.tournaments.views.tournament_shapes import (
    OwnEntryShown,
    PairingShown,
    RoundShown,
    SeatOfPairingShown,
    StageShown,
    TournamentHeadShown,
    TournamentOrganiserShown,
    TournamentShown,
    WholeTournamentShown,
)

HEAD_DIGITS = 12
COUNTED = (ROUND_ROBIN, SWISS, PODS, DUPLICATE)
"""Formats whose standings count points, so that ranks can be explained."""
_rankings: BoundedCache[tuple[str, str], tuple[Ranking, ...]] = BoundedCache(8)
"""Rankings of a stage by the hash of the log's last line and the stage."""
_ended_tables: BoundedCache[tuple[str, str, int, int], tuple[int, int]] = BoundedCache(2048)


def title_of(row: TournamentRow, locale: Locale) -> str:
    """Return the title of a tournament in a language, or its name if it has none."""
    titles = json.loads(row.title or "{}")
    return str(titles.get(locale) or titles.get("en") or next(iter(titles.values()), "") or row.name)


def head_digits(row: TournamentRow) -> str:
    """Return the first digits of the hash of a log's last line, as in emails."""
    return str(row.head_hash)[:HEAD_DIGITS]


def select_visible(viewer: str | None) -> ModelSelect[TournamentRow]:
    """Return a query for the tournaments that a viewer may see."""
    seen: Any = TournamentRow.listed
    if viewer is not None:
        entered = EntrantRow.select(EntrantRow.tournament).where(EntrantRow.player == viewer)
        invited = TournamentRow.id.in_(select_invited(viewer))
        seen = seen | (TournamentRow.owner == viewer) | TournamentRow.id.in_(entered) | invited
    return TournamentRow.select().where(seen)


def select_entered(player: str) -> ModelSelect[TournamentRow]:
    """Return a query for the tournaments in which a player is in or waiting, latest first."""
    present = (EntrantRow.player == player) & EntrantRow.status.in_(PRESENT)
    entered = EntrantRow.select(EntrantRow.tournament).where(present)
    return TournamentRow.select().where(TournamentRow.id.in_(entered)).order_by(TournamentRow.created_at.desc())


def count_entrants(tournaments: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the number of entrants by status for each tournament."""
    counts: dict[str, dict[str, int]] = {tournament: {} for tournament in tournaments}
    count = fn.count(EntrantRow.player)
    rows: Any = (
        EntrantRow.select(EntrantRow.tournament, EntrantRow.status, count.alias("people"))
        .where(EntrantRow.tournament.in_(list(tournaments)))
        .group_by(EntrantRow.tournament, EntrantRow.status)
    )
    for tournament, status, people in rows.tuples():
        counts[tournament][status] = int(people)
    return counts


def has_more_entrants(tournament: str, count: int) -> bool:
    """Return True if more players than this have entered, without counting all of them."""
    entered = EntrantRow.select(EntrantRow.player).where(EntrantRow.tournament == tournament)
    return bool(entered.offset(count).limit(1).tuples())


def describe_tournaments(rows: Sequence[TournamentRow], viewer: str | None, locale: Locale) -> list[TournamentShown]:
    """Return tournaments as in lists."""
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
    """Return a tournament with its document, stages and organisers."""
    (listed,) = describe_tournaments([row], viewer, locale)
    document = json.loads(row.document)
    organisers, arbiters = list_organisers(row), document.get("arbiters", [])
    names = find_names([*organisers, *arbiters], locale)
    return WholeTournamentShown(
        **vars(listed),
        beacon=document["draw"]["beacon"],
        organisers=[TournamentOrganiserShown(player=player, name=names[player]) for player in organisers],
        arbiters=[TournamentOrganiserShown(player=player, name=names[player]) for player in arbiters],
        stages=[StageShown.of(stage) for stage in list_stages(row.id)],
        document=document,
    )


def list_stages(tournament: str) -> list[StageRow]:
    """Return the stages of a tournament without their standings, which may be long."""
    columns = (StageRow.tournament, StageRow.place, StageRow.name, StageRow.format, StageRow.state)
    query = StageRow.select(*columns, StageRow.standings_seq).where(StageRow.tournament == tournament)
    return list(query.order_by(StageRow.place))


def find_stage(tournament: str, name: str) -> StageRow:
    """Return the stage with this name, or without a name the last one that has begun."""
    stages = list_stages(tournament)
    wanted = [stage for stage in stages if stage.name == name] if name else stages
    if not wanted:
        raise Problem("not-found", msg("tournament_page.no_stage", stage=name or "-"))
    return next((stage for stage in reversed(wanted) if stage.state != "planned"), wanted[0])


def _count_tables(row: RoundRow, *, solo: bool) -> tuple[int, int]:
    """Return how many tables a round has, and how many of them a result.

    Unless all play `solo`, a player alone has a bye, which needs no result.
    """
    if row.state == "planned":
        return 0, 0
    waits: Any = PairingRow.result == ""
    finished = Case(None, [(waits if solo else waits & PairingRow.seats.contains(","), 0)], 1)
    mine = is_of_round(row.tournament, row.stage, row.number) & ~PairingRow.void
    counts: Any = PairingRow.select(fn.count(PairingRow.id), fn.sum(finished)).where(mine)
    ((tables, done),) = counts.tuples()
    return int(tables), int(tables if row.state == OVER else done or 0)


def list_rounds(
    tournament: TournamentRow, after: tuple[Any, ...] | None = None, limit: int | None = None
) -> list[RoundShown]:
    """List the known rounds in the order of the stages: all of them, or at most `limit` after a `sort_key`."""
    stages = {stage.name: stage for stage in list_stages(tournament.id)}
    rows = list(RoundRow.select().where(RoundRow.tournament == tournament.id))
    starts = list_starts(tournament, rows, now())
    places = {row.stage: stages[row.stage].place if row.stage in stages else len(stages) for row in rows}
    rows.sort(key=lambda row: (places[row.stage], row.number))
    shown = []
    for row in [row for row in rows if after is None or (places[row.stage], row.number) > after][:limit]:
        solo = row.stage in stages and stages[row.stage].format == SAME_DEAL
        count = partial(_count_tables, row, solo=solo)
        # The tables of a round that is over do not change any more, and pages list all rounds.
        key = (tournament.id, row.stage, row.number, row.over_at or 0)
        tables, finished = _ended_tables.get_or_make(key, count) if row.state == OVER else count()
        start = starts[row.stage, row.number]
        shown.append(
            RoundShown.of(
                row,
                starts_at=start if row.started_at is None else row.starts_at,
                tables=tables,
                finished=finished,
                moved=row.started_at is None and start != row.starts_at,
                stage_place=places[row.stage],
            )
        )
    return shown


def list_pairings(
    row: TournamentRow, stage: str, number: int, locale: Locale, after: int = 0, limit: int = 200
) -> list[PairingShown]:
    """Return at most `limit` tables of a round after a place, in the order in which they were paired."""
    counted = is_of_round(row.id, stage, number) & ~PairingRow.void & (PairingRow.place > after)
    query = PairingRow.select().where(counted).order_by(PairingRow.place).limit(limit)
    return show_pairings(row, list(query), locale)


def list_pairings_of(row: TournamentRow, player: str, stage: str, number: int, locale: Locale) -> list[PairingShown]:
    """Return the tables of a player in a round."""
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    counted = is_of_round(row.id, stage, number) & ~PairingRow.void & PairingRow.id.in_(sits)
    return show_pairings(row, list(PairingRow.select().where(counted).order_by(PairingRow.place)), locale)


def show_pairings(row: TournamentRow, pairings: Sequence[PairingRow], locale: Locale) -> list[PairingShown]:
    """Return these pairings with names, results and points."""
    tables = [json.loads(pairing.seats) for pairing in pairings]
    people = sorted({who for table in tables for who in table if not is_bot(who)})
    names = find_names(people, locale)
    rules = find_rules(row)
    points_at = TablePoints(row)

    def show_seat(pairing: PairingRow, seat: int, who: str) -> SeatOfPairingShown:
        results = read_results(pairing.result)
        result, units = None, None
        if results:
            result = results[seat]
            units = points_at.find(pairing.stage, pairing.round, pairing.id, results)[seat]
        return SeatOfPairingShown(
            seat=seat,
            player=None if is_bot(who) else who,
            name=bot_name(GAMES[row.game], who.removeprefix(BOT_PREFIX), locale) if is_bot(who) else names[who],
            place=None if result is None else result.place,
            score=None if result is None else result.score,
            how=None if result is None else str(result.how),
            points=None if units is None else show_points(units),
            units=units,
        )

    return [
        PairingShown.of(
            pairing,
            match=pairing.id,
            section=pairing.section or None,
            over=is_bye or bool(pairing.result),
            seats=[show_seat(pairing, seat, who) for seat, who in enumerate(table)],
            stage=pairing.stage,
            round=pairing.round,
            is_bye=is_bye,
        )
        for pairing, table in zip(pairings, tables, strict=True)
        for is_bye in [len(table) == 1 and rules[pairing.stage].format != SAME_DEAL]
    ]


def explain_lines(
    row: TournamentRow, stage: str, numbers: Iterable[Number], locale: Locale
) -> dict[Number, RankReason]:
    """Return the reason for the rank of each of these entrants. Formats of one deal for all have none."""
    state = load_state(row.id)
    replay = state.stages[stage]
    wanted = set(numbers)
    if replay.rules.format in PLACED and replay.entrants:
        return explain_places(state, stage, wanted, name_numbers(state, replay.entrants, locale), locale)
    if replay.rules.format not in COUNTED or not replay.entrants:
        return {}
    reasons: dict[Number, RankReason] = {}
    # Cached, because the end of a round sends a letter with reasons to everybody.
    rankings = _rankings.get_or_make((state.hash, stage), lambda: replay.rank_sections(state.gone))
    for ranking in rankings:
        members = sorted(wanted.intersection([line.number for line in ranking.standings]))
        names = name_numbers(state, {number for member in members for number in find_named(ranking, member)}, locale)
        for number in members:
            reasons[number] = explain_rank(ranking, number, names, locale)
    return reasons


def export_source(row: TournamentRow, locale: Locale) -> ExportSource:
    """Return the data for files for other programs."""
    state = load_state(row.id)
    people = sorted({*state.entrants, *state.holders.values()})
    return ExportSource(row.id, row.name, title_of(row, locale), row.game, row.state, state, find_names(people, locale))
