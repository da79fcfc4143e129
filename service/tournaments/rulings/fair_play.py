"""Fair play: facts about pairs of entrants for organisers, without a verdict.

Only organisers who do not play may look, and every look is recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from peewee import fn

from service import ids
from service.db.batches import batched, rows_for
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import FairPlayLookRow, TournamentRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import MINUTE, now
from service.tournaments.formats.crosstable import TWO_SEATS, How, Number, SeatResult, people_of
from service.tournaments.formats.log_lines import StatusLine, read
from service.tournaments.formats.tournament_state import IN, PRESENT, TournamentState
from service.tournaments.tournament_store import check_may_rule, load_state

DOMAIN, OFTEN, FORFEIT, LEFT = "shared-domain", "met-often", "forfeit", "left"
UPSET, AT_ONCE = "against-expectation", "within-minutes"
KINDS = (DOMAIN, OFTEN, FORFEIT, LEFT, UPSET, AT_ONCE)
MOST_OF_DOMAIN = 5
"""Maximum number of accounts of an email domain that says something: a larger one belongs to a provider."""
LEAST_MET = 5
UPSET_POINTS = 300
"""Rating difference from which a win of the weaker player is unexpected."""
QUICK = 5 * MINUTE
LEAST_ANSWERS = 10
MOST_FACTS = 500
MOST_LOOKS = 100
SELECT_MEETINGS = "select match, player from rating where match in (select match from rating where player in ({holes}))"
SELECT_LEAVINGS = (
    "select at, line from tournament_entry where tournament = ? and substr(line, 1, 7) in ('withdra', 'exclude') "
    "order by seq"
)
"""The condition has the same form as in the index, or databases do not use the index."""
SELECT_MATCHES_OF = (
    "select s.player, p.id, m.started_at, m.ended_at from pairing p join pairing_seat s on s.pairing = p.id "
    "join match m on m.id = p.id where p.tournament = ? and m.started_at is not null and s.player in ({holes})"
)
SELECT_TIMES = "select match, player, times from answer_times where match in ({holes})"


@dataclass(frozen=True)
class FairPlayFact:
    """A fact: its kind, the players (whoever gained comes last), the match and a number."""

    kind: str
    players: tuple[str, ...]
    match: str | None = None
    value: int | None = None


@dataclass(frozen=True)
class FairPlayReport:
    """All facts about a tournament, and who has looked at them, latest first."""

    facts: tuple[FairPlayFact, ...]
    looks: tuple[tuple[str, int], ...]


def read_fair_play(row: TournamentRow, reader: str) -> FairPlayReport:
    """Return the facts to an organiser who does not play, after recording that they looked."""
    check_may_rule(row, reader)
    state = load_state(row.id)
    _check_not_playing(state, reader)
    with write_transaction():
        FairPlayLookRow.create(id=ids.new_id(), tournament=row.id, player=reader, at=now())
    return FairPlayReport(tuple(_list_facts(state))[:MOST_FACTS], tuple(_list_looks(row.id)))


def _check_not_playing(state: TournamentState, reader: str) -> None:
    """Raise `Problem` if the reader or one of their programs plays."""
    programs = PlayerRow.select(PlayerRow.id).where(PlayerRow.owner == reader)
    family = [reader, *(each.id for each in programs)]
    if any(one in state.entrants and state.entrants[one].status in PRESENT for one in family):
        raise Problem("forbidden", msg("tournaments.fair_play_of_players"))


def _list_looks(tournament: str) -> Iterator[tuple[str, int]]:
    mine = FairPlayLookRow.select().where(FairPlayLookRow.tournament == tournament)
    for look in mine.order_by(FairPlayLookRow.at.desc(), FairPlayLookRow.id).limit(MOST_LOOKS):
        yield look.player, look.at


def _list_facts(state: TournamentState) -> Iterator[FairPlayFact]:
    people = sorted(one.player for one in state.entrants.values() if one.status == IN or one.player in state.number_of)
    yield from _find_shared_domains(people)
    yield from _find_frequent_pairs(people)
    yield from _read_results(state)
    yield from _find_leavers(state)
    yield from _find_quick_matches(state)


def _find_shared_domains(people: Sequence[str]) -> Iterator[FairPlayFact]:
    """Yield pairs whose addresses share a domain with few accounts. The domain itself is not named."""
    by_domain: dict[str, list[str]] = {}
    for player in _select_players(people):
        if player.address and "@" in player.address:
            by_domain.setdefault(player.address.rpartition("@")[2].lower(), []).append(player.id)
    for domain, members in sorted(by_domain.items()):
        accounts = PlayerRow.select().where(fn.lower(PlayerRow.address).endswith(f"@{domain}"))
        if 1 < len(members) <= MOST_OF_DOMAIN >= accounts.count():
            for pair in combinations(sorted(members), TWO_SEATS):
                yield FairPlayFact(DOMAIN, pair)


def _select_players(people: Sequence[str]) -> Iterator[PlayerRow]:
    for part in batched(people):
        yield from PlayerRow.select(PlayerRow.id, PlayerRow.address).where(PlayerRow.id.in_(part))


def _find_frequent_pairs(people: Sequence[str]) -> Iterator[FairPlayFact]:
    """Yield pairs who met in at least half of the rated matches of one of them, in any tournament."""
    tables: dict[str, set[str]] = {}
    for match, player in rows_for(SELECT_MEETINGS, people):
        tables.setdefault(match, set()).add(player)
    known = set(people)
    played: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for table in tables.values():
        here = sorted(table & known)
        played.update(here)
        met.update((one, other) for one, other in combinations(here, TWO_SEATS))
    for (one, other), count in sorted(met.items()):
        if count >= LEAST_MET and count * 2 >= min(played[one], played[other]):
            yield FairPlayFact(OFTEN, (one, other), value=count)


def _read_results(state: TournamentState) -> Iterator[FairPlayFact]:
    """Yield forfeits with whoever gained by them, and wins over much stronger players."""
    for stage in state.stages.values():
        for each in stage.rounds.values():
            for pair in each.valid:
                results = each.results.get(pair.id, ())
                seats = dict(zip(pair.seats, results, strict=False))
                people = people_of(pair.seats)
                lost = [one for one in people if one in seats and seats[one].how is How.FORFEIT]
                gained = [one for one in people if one in seats and one not in lost and seats[one].place == 1]
                for one in lost:
                    yield FairPlayFact(FORFEIT, _names(state, [one, *gained]), pair.id)
                yield from _find_upsets(state, seats, pair.id)


def _find_leavers(state: TournamentState) -> Iterator[FairPlayFact]:
    """Yield players who left during an open match, and those who gained: the winner, or all opponents so far."""
    lines = [(read(text), at) for at, text in rows(SELECT_LEAVINGS, state.header.tournament)]
    left = [(line.player, at) for line, at in lines if isinstance(line, StatusLine)]
    matches = _find_matches(state.header.tournament, sorted({player for player, _ in left}))
    for player, at in left:
        for match, started, ended in matches.get(player, ()):
            if started > at or (ended is not None and ended < at):
                continue
            stage, number, pair = state.where[match]
            each = state.stages[stage].round(number)
            if match in each.void:
                continue
            seats = dict(zip(pair.seats, each.results.get(match, ()), strict=False))
            others = [one for one in people_of(pair.seats) if state.holders[one] != player]
            gained = [one for one in others if one not in seats or seats[one].place == 1]
            yield FairPlayFact(LEFT, (player, *_names(state, gained)), match)


def _find_matches(tournament: str, players: Sequence[str]) -> dict[str, list[tuple[str, int, int | None]]]:
    """Return the matches of each of these players that have begun: id, start and end."""
    matches: dict[str, list[tuple[str, int, int | None]]] = {}
    for player, match, begun, ended in rows_for(SELECT_MATCHES_OF, players, before=(tournament,)):
        matches.setdefault(player, []).append((match, begun, ended))
    return matches


def _names(state: TournamentState, numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(state.holders[number] for number in numbers)


def _find_upsets(state: TournamentState, seats: Mapping[Number, SeatResult], match: str) -> Iterator[FairPlayFact]:
    """Yield wins over a player with a much higher rating, in two-player matches that were played to the end."""
    if len(seats) != TWO_SEATS or any(one not in state.holders for one in seats):
        return
    winner, loser = sorted(seats, key=lambda one: seats[one].place)
    if seats[winner].place == seats[loser].place or any(each.how is not How.PLAYED for each in seats.values()):
        return
    low, high = (state.ratings.get(one, -1) for one in (winner, loser))
    if low >= 0 and high - low >= UPSET_POINTS:
        yield FairPlayFact(UPSET, _names(state, [loser, winner]), match, high - low)


def _find_quick_matches(state: TournamentState) -> Iterator[FairPlayFact]:
    """Yield two-player matches in which both usually answered within minutes."""
    matches = sorted(pair for pair, (_, _, line) in state.where.items() if len(people_of(line.seats)) == TWO_SEATS)
    times_by_match: dict[str, dict[str, list[int]]] = {}
    for match, player, times in rows_for(SELECT_TIMES, matches):
        times_by_match.setdefault(match, {})[player] = [int(each) for each in times.split()]
    for match, times in sorted(times_by_match.items()):
        enough = len(times) == TWO_SEATS and all(len(each) >= LEAST_ANSWERS for each in times.values())
        if enough and all(median(each) <= QUICK for each in times.values()):
            yield FairPlayFact(AT_ONCE, tuple(sorted(times)), match, min(map(len, times.values())))
