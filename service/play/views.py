"""A match for one reader: as JSON, text or picture, built only from the game's own view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from engine.game import AnyAction, AnyGame, Options, Score, final_scores, legal, winners
from engine.notation import slots
from engine.view import View
from engine.words import Locale
from service import drawing
from service.db.connection import rows
from service.i18n.catalogue import translate
from service.record.match_state import MatchState
from service.timestamps import rfc3339

MOST_OPTIONS = 200
CANCELLED = "cancelled"
Json = Any
COLOURS = 5
"""Number of colours for seats."""


SEAT_COLUMNS = "player, asked, due_at, name, deleted_at"
SEATS_OF = (
    "select s.player, s.asked, s.due_at, (select p.name from player p where p.id = s.player) as name, "
    "(select p.deleted_at from player p where p.id = s.player) as deleted_at "
    "from seat s where s.match = {match} order by s.seat"
)


def name_colour(seat: int, locale: Locale) -> str:
    """Return the colour that identifies a seat."""
    colour = f"seat_{seat % COLOURS}"
    return translate(locale, f"site.seat_colour.{colour}")


class SeatRead(NamedTuple):
    """Current player of a seat, their question with its deadline, and their name."""

    player: str | None
    asked: int | None
    due_at: int | None
    name: str


@dataclass(frozen=True)
class Viewer:
    """A reader: a seat or a spectator, in a language."""

    match_state: MatchState
    seat: int | None
    locale: Locale
    seats_read: Sequence[tuple[Any, ...]] | None = None
    """The columns of `SEATS_OF` for each seat, if they have been read already."""

    @property
    def game(self) -> AnyGame:
        """The rules of the match."""
        return self.match_state.facts.game

    def view(self) -> View:
        """Return the game's view for this reader, with the names of the players."""
        return self._view

    @cached_property
    def _view(self) -> View:
        view: View = self.game.rules.view(self.match_state.state, self.seat)
        return view.with_names(self.read_names())

    def read_names(self) -> tuple[str, ...]:
        """Return the names of the players."""
        seats = self.seat_rows if any(self.match_state.players) else []  # bots are named by the game
        return seat_names(self.match_state, self.locale, {row.player: row.name for row in seats if row.player})

    @cached_property
    def seat_rows(self) -> list[SeatRead]:
        """Columns of the seats that readers need, from one query."""
        former = translate(self.locale, "play.former_player")
        found = self.seats_read
        if found is None:
            found = rows(SEATS_OF.format(match="?"), self.match_state.facts.id)
        return [
            SeatRead(player, asked, due_at, former if deleted or name is None else name)
            for player, asked, due_at, name, deleted in found
        ]

    def options(self) -> Options:
        """Return this reader's legal actions."""
        return self._options

    @cached_property
    def _options(self) -> Options:
        return () if self.seat is None else legal(self.match_state.state, self.seat)


def seat_names(match_state: MatchState, locale: Locale, known: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the names of the players of a match. Equal names get their seat number."""
    known = known or {}
    others = sorted({player for player in match_state.players if player and player not in known})
    found = {**known, **player_names(others, locale)}
    game = match_state.facts.game
    told = [
        found[player] if player else bot_name(game, bot, locale)
        for player, bot in zip(match_state.players, match_state.bots, strict=True)
    ]
    return tuple(f"{name} {seat}" if told.count(name) > 1 else name for seat, name in enumerate(told))


def bot_name(game: AnyGame, bot: str, locale: Locale) -> str:
    """Return the name of a bot, as shown beside people's names."""
    return translate(locale, "play.bot_name", bot=game.presentation.words.bot(bot, locale))


def player_names(players: list[str], locale: Locale) -> dict[str, str]:
    """Return the names of these players, by id."""
    if not players:
        return {}
    holes = ", ".join("?" * len(players))
    found = rows(f"select id, name, deleted_at from player where id in ({holes})", *players)  # noqa: S608  # only holes
    former = translate(locale, "play.former_player")
    known = {id_: former if deleted else name for id_, name, deleted in found}
    return {player: known.get(player, former) for player in players}


def to_json(value: Any) -> Json:  # noqa: ANN401  # whatever a view holds
    """Return a view as JSON: dataclasses by their fields, in order."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, frozenset | set):
        return sorted(to_json(each) for each in value)
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    if isinstance(value, Mapping):
        return {str(to_json(name)): to_json(each) for name, each in value.items()}
    return value


def table_as_json(viewer: Viewer) -> dict[str, Json]:
    """Return the table for this reader as JSON."""
    match_state = viewer.match_state
    return {
        "match": match_state.facts.id,
        "game": viewer.game.slug,
        "seq": match_state.seq,
        "hash": match_state.hash,
        "at": rfc3339(match_state.at),
        "status": match_status(match_state),
        "seat": viewer.seat,
        "question": question(viewer),
        "view": to_json(viewer.view()),
        "result": result(viewer),
    }


def match_status(match_state: MatchState) -> str:
    """Return "running", "paused" or "over"."""
    if match_state.state.over:
        return "over"
    return "paused" if match_state.state.house.paused else "running"


def question(viewer: Viewer) -> dict[str, Json] | None:
    """Return the reader's question with its deadline, or None."""
    seat = viewer.seat
    asked = None if seat is None else viewer.match_state.questions[seat]
    if asked is None or seat is None:
        return None
    row = viewer.seat_rows[seat]
    return {
        "asked": asked.asked,
        "prev": asked.prev,
        "at": rfc3339(asked.at),
        "due": rfc3339(row.due_at) if row.asked == asked.asked else None,
    }


def options(viewer: Viewer, most: int = MOST_OPTIONS) -> dict[str, Json]:
    """Return the reader's first `most` legal lines, and how many more there are."""
    listed = viewer.options()
    items = [describe_option(viewer, number, each) for number, each in enumerate(islice(listed, most), 1)]
    return {"items": items, "more": max(0, len(listed) - len(items))}


def describe_option(viewer: Viewer, number: int, action: AnyAction) -> dict[str, Json]:
    """Return a legal line with its number in the list and its sentence."""
    return {
        "number": number,
        "line": action.line,
        "parts": action_parts(action),
        "sentence": viewer.game.presentation.say(viewer.view(), action, viewer.locale),
    }


PLAIN_TYPES = frozenset({str, int, bool, type(None)})


def action_parts(action: AnyAction) -> dict[str, Json]:
    """Return the parts of a line: its verb, and its words by name."""
    parts: dict[str, Json] = {"verb": action.verb}
    for name, _ in slots(type(action)):
        value = getattr(action, name)
        parts[name] = value if type(value) in PLAIN_TYPES else to_json(value)
    return parts


def result(viewer: Viewer) -> dict[str, Json] | None:
    """Return the result of a match: why it ended, scores and winners; None while it runs."""
    state, game = viewer.match_state.state, viewer.game
    if not state.over:
        return None
    why = state.house.ended or "played"
    if why == CANCELLED:
        return {"why": why, "scores": None, "winners": []}
    scores = [_score(viewer, score) for score in final_scores(game, state)]
    return {"why": why, "scores": scores, "winners": list(winners(game, state))}


def _score(viewer: Viewer, score: Score) -> dict[str, Json]:
    name = viewer.game.presentation.words.name
    counts = [{"label": name(count.label, viewer.locale), "points": count.points} for count in score.counts]
    return {"total": score.total, "counts": counts, "ties": list(score.ties)}


def render_text(viewer: Viewer) -> str:
    """Return the table for this reader as plain text."""
    said: str = viewer.game.presentation.text(viewer.view(), viewer.locale)
    return said if said.endswith("\n") else f"{said}\n"


def render_svg(viewer: Viewer, *, narrow: bool = False) -> str:
    """Return the table for this reader as an SVG picture with a description in words."""
    view = viewer.view()
    shapes = viewer.game.presentation.picture(view, viewer.locale, narrow=narrow)
    return drawing.svg(
        shapes, viewer.game.presentation.title[viewer.locale], viewer.game.presentation.text(view, viewer.locale)
    )


def render_png(viewer: Viewer, *, narrow: bool = False) -> bytes:
    """Return the table for this reader as a PNG picture."""
    shapes = viewer.game.presentation.picture(viewer.view(), viewer.locale, narrow=narrow)
    return drawing.png(shapes, family=viewer.game.slug)
