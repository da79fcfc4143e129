"""Ratings: one for each player and game, from all rated matches in the order of their ends.

The table `rating` is a cache with one row for each player of a rated match: the skill after it. It follows from the
logs alone, so `echtra rebuild ratings` gives the same rows. Matches that end at the same time are ordered by id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import NamedTuple

from engine.game import final_scores
from service.db.batches import batched, rows_for
from service.db.connection import execute, rows
from service.record.match_state import MatchState
from service.timestamps import DAY
from service.tournaments.formats.skill import NEW_SKILL, PROVISIONAL_MATCHES, Skill, rate_match

WINDOW = 365 * DAY
TWO_SEATS = 2
UNRATED_ENDS = frozenset({"cancelled", "lapsed"})
"""Ends of a match that do not show which player is better."""

COLUMNS = "match, player, game, seat, place, ended_at, mu, sigma, matches"
INSERT = f"insert into rating ({COLUMNS}) values "  # noqa: S608  # our own column names
HOLES = f"({', '.join('?' * len(COLUMNS.split(', ')))})"
SELECT_FROM = f"select {COLUMNS} from rating where game = ? and ended_at >= ?"  # noqa: S608
SELECT_SKILLS = (
    "select r.player, r.mu, r.sigma, r.matches from rating r where r.game = ? and r.player in ({holes}) "
    "and r.matches = (select max(o.matches) from rating o where o.player = r.player and o.game = r.game "
    "and o.ended_at <= ?)"
)
SELECT_PEAKS = (
    "select r.player, max(r.mu) from rating r where r.game = ? and r.player in ({holes}) and r.matches >= ? "
    "and r.ended_at <= ? and (r.ended_at >= ? or r.matches = (select max(o.matches) from rating o where "
    "o.player = r.player and o.game = r.game and o.ended_at < ?)) group by r.player"
)
SELECT_CHANGES = (
    "select r.player, b.mu, r.mu from rating r left join rating b on b.player = r.player and b.game = r.game "
    "and b.matches = r.matches - 1 where r.match = ?"
)
SELECT_OF_PLAYER = "select game, ended_at, mu, sigma, matches from rating where player = ? order by game, matches"


class RatedPlace(NamedTuple):
    """A player who began at a seat of a rated match, and their place at the end."""

    seat: int
    player: str
    place: int


@dataclass(frozen=True)
class RatedMatch:
    """A rated match and its places."""

    id: str
    game: str
    ended_at: int
    places: tuple[RatedPlace, ...]
    """By seat."""

    @property
    def order(self) -> tuple[int, str]:
        """Its place in the order of all matches."""
        return self.ended_at, self.id


class RatingColumns(NamedTuple):
    """A row of the table `rating`, in the order of `COLUMNS`."""

    match: str
    player: str
    game: str
    seat: int
    place: int
    ended_at: int
    mu: int
    sigma: int
    matches: int


def rated_places(match_state: MatchState) -> tuple[RatedPlace, ...]:
    """Return the places of the original players, or an empty tuple if the match is not rated.

    Matches alone or with a bot from the start are not rated. Everybody who left takes the last place, whoever played on
    in their seat.
    """
    people = [place.player for place in match_state.facts.header.places]
    if len(people) < TWO_SEATS or not all(people) or match_state.state.house.ended in UNRATED_ENDS:
        return ()
    scores = final_scores(match_state.facts.game, match_state.state)
    stayed = {
        seat: (scores[seat].total, scores[seat].ties)
        for seat, player in enumerate(people)
        if match_state.players[seat] == player and seat not in match_state.state.house.resigned
    }
    places = {seat: 1 + sum(other > own for other in stayed.values()) for seat, own in stayed.items()}
    return tuple(RatedPlace(seat, player, places.get(seat, len(people))) for seat, player in enumerate(people))


def rate_matches(
    matches: Iterable[RatedMatch], skills: Mapping[tuple[str, str], Skill] | None = None
) -> Iterator[RatingColumns]:
    """Yield the rows of these matches, in the order of their ends.

    `skills` are those from before, by game and player. Everybody else is new.
    """
    latest = dict(skills or {})
    for match in sorted(matches, key=lambda each: each.order):
        keys = [(match.game, each.player) for each in match.places]
        after = rate_match([latest.get(key, NEW_SKILL) for key in keys], [each.place for each in match.places])
        latest.update(zip(keys, after, strict=True))
        for each, skill in zip(match.places, after, strict=True):
            yield RatingColumns(
                match.id,
                each.player,
                match.game,
                each.seat,
                each.place,
                match.ended_at,
                skill.mu,
                skill.sigma,
                skill.matches,
            )


def add_matches(matches: Sequence[RatedMatch]) -> None:
    """Add matches that have no rows yet. Call inside the transaction that holds the lock of ratings.

    If a match ended before others that have rows already, those are rated again after it.
    """
    for game in sorted({match.game for match in matches}):
        _add_matches_of(game, [match for match in matches if match.game == game])


def _add_matches_of(game: str, matches: Sequence[RatedMatch]) -> None:
    first = min(match.order for match in matches)
    later = [match for match in _stored_matches(game, first[0]) if match.order > first]
    for match in later:
        execute("delete from rating where match = ?", match.id)
    redone = [*matches, *later]
    players = {each.player for match in redone for each in match.places}
    skills = {(game, player): skill for player, skill in find_skills(game, players, first[0]).items()}
    insert_rows(list(rate_matches(redone, skills)))


def _stored_matches(game: str, since: int) -> list[RatedMatch]:
    """Return the matches of a game with rows that ended at `since` or later."""
    stored = sorted(RatingColumns._make(row) for row in rows(SELECT_FROM, game, since))
    return [_match_of(list(group)) for _, group in groupby(stored, key=lambda row: row.match)]


def _match_of(group: Sequence[RatingColumns]) -> RatedMatch:
    places = tuple(sorted(RatedPlace(row.seat, row.player, row.place) for row in group))
    return RatedMatch(group[0].match, group[0].game, group[0].ended_at, places)


def insert_rows(new_rows: Sequence[RatingColumns]) -> None:
    """Insert rows, inside a transaction."""
    for part in batched(new_rows):
        execute(INSERT + ", ".join([HOLES] * len(part)), *(value for row in part for value in row))


def replace_rows(wanted: Collection[RatingColumns]) -> int:
    """Replace all rows by these, inside a transaction. Return how many were missing, wrong or too many."""
    stored = {RatingColumns._make(row) for row in rows(f"select {COLUMNS} from rating")}  # noqa: S608  # our own
    wrong, missing = stored - set(wanted), set(wanted) - stored
    for row in wrong:
        execute("delete from rating where match = ? and player = ?", row.match, row.player)
    insert_rows(sorted(missing))
    return len({row[:2] for row in wrong | missing})


def find_skills(game: str, players: Collection[str], at: int) -> dict[str, Skill]:
    """Return the skills of these players in a game at a time. Players without a rated match are left out."""
    selected = rows_for(SELECT_SKILLS, sorted(players), before=(game,), after=(at,))
    return {player: Skill(*figures) for player, *figures in selected}


def find_peaks(game: str, players: Collection[str], at: int) -> dict[str, int]:
    """Return the highest rating of these players in a game in the 365 days before a time.

    Provisional ratings count only for a player without any other; then the rating at that time is used. Players without
    a rated match are left out.
    """
    current = {player: skill.rating for player, skill in find_skills(game, players, at).items()}
    since = at - WINDOW
    after = (PROVISIONAL_MATCHES, at, since, since)
    peaks = rows_for(SELECT_PEAKS, sorted(players), before=(game,), after=after)
    return current | {player: Skill(mu).rating for player, mu in peaks}


class RatingChange(NamedTuple):
    """A player's rating before and after a match."""

    before: int
    after: int

    def __str__(self) -> str:
        """Return the change as people read it: `1512 → 1526 (+14)`."""
        change = self.after - self.before
        sign = "+" if change > 0 else "−" if change else "±"
        return f"{self.before} → {self.after} ({sign}{abs(change)})"


def find_changes(match: str) -> dict[str, RatingChange]:
    """Return how a match changed the ratings of its players; empty if it is not rated or not counted yet."""
    return {
        player: RatingChange((NEW_SKILL if before is None else Skill(before)).rating, Skill(after).rating)
        for player, before, after in rows(SELECT_CHANGES, match)
    }


class RatingPoint(NamedTuple):
    """The skill at the end of a day in UTC."""

    day: date
    skill: Skill


@dataclass(frozen=True)
class GameRating:
    """A player's rating in one game."""

    game: str
    skill: Skill
    peak: int
    """The highest rating of the last 365 days, as in `find_peaks`."""
    history: tuple[RatingPoint, ...]
    """Days of the last 365 on which the rating changed, after the last change before them."""


def list_ratings(player: str, at: int) -> list[GameRating]:
    """Return the ratings of a player at a time, by game.

    The history has days and not minutes, which would show who played whom in matches that are not public.
    """
    groups = groupby(rows(SELECT_OF_PLAYER, player), key=lambda row: str(row[0]))
    return [_rating_of(game, [(row[1], Skill(*row[2:])) for row in group], at) for game, group in groups]


def _rating_of(game: str, changes: Sequence[tuple[int, Skill]], at: int) -> GameRating:
    before = [change for change in changes if change[0] < at - WINDOW][-1:]
    held = [*before, *(change for change in changes if change[0] >= at - WINDOW)]
    now = held[-1][1]
    peak = max((skill.rating for _, skill in held if not skill.provisional), default=now.rating)
    days = {datetime.fromtimestamp(ended_at / 1000, UTC).date(): skill for ended_at, skill in held}
    return GameRating(game, now, peak, tuple(map(RatingPoint._make, days.items())))
