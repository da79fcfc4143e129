"""Documents of one stage from a few answers: what the wizard for organisers writes, and reads back of a document."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from math import ceil, log2
from types import MappingProxyType
from typing import Any, Self
from zoneinfo import ZoneInfo

from engine.games import GAMES
from engine.words import plain
from service.timestamps import DAY
from service.tournaments.documents.document_values import read_length, read_moment, read_utc
from service.tournaments.formats.stage_rules import KNOCKOUT, LADDER, PODS, ROUND_ROBIN, SAME_DEAL, SWISS

FORMATS = (SWISS, ROUND_ROBIN, PODS, KNOCKOUT, LADDER, SAME_DEAL)
"""Formats that need only a few answers. All others are written by hand."""
WITH_ROUNDS = (SWISS, PODS)
WITH_END = (LADDER, SAME_DEAL)
"""Formats without rounds: they end at a time."""
POINTS = {2: (2, 0), 3: (4, 2, 0), 4: (6, 3, 1, 0), 5: (8, 5, 3, 1, 0)}
"""Points for the places of a pod, by its seats."""
PATHS = {
    "/tournament": "title",
    "/title": "title",
    "/game": "game",
    "/clock": "clock",
    "/entry/opens": "opens",
    "/entry/closes": "closes",
    "/entry/least": "least",
    "/entry/most": "most",
    "/entry/by": "by",
    "/stages/0/format": "format",
    "/stages/0/seats": "seats",
    "/stages/0/rounds": "rounds",
    "/stages/0/bots": "seats",
    "/stages/0/points": "seats",
    "/stages/0/best_of": "best_of",
    "/stages/0/start": "first",
    "/stages/0/end/at_most": "lasts",
    "/stages/0/end/at": "ends",
    "/stages/0/end/then": "then",
}
"""Answers by the place in the document that they write."""
TIME_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
TIME_FORM = "%Y-%m-%dT%H:%M"
LONGEST_NAME, SHORTEST_NAME = 32, 3
ENTRY_DAYS, DRAW_DAYS, STAGE_DAYS = 14, 2, 60
EVENING = 18


@dataclass(frozen=True)
class Answers:
    """Answers of an organiser as typed. Times are local to the organiser's zone."""

    title: str = ""
    game: str = ""
    format: str = SWISS
    seats: str = "4"
    """Seats at a table of pods; other formats have two."""
    rounds: str = "5"
    best_of: str = "1"
    """Matches of a knockout's table at most."""
    lasts: str = "14"
    """Maximum number of days for a round."""
    then: str = "adjudicate"
    least: str = "8"
    most: str = "24"
    by: str = "open"
    clock: str = "standard"
    opens: str = ""
    """When players can enter; empty for at once."""
    closes: str = ""
    first: str = ""
    ends: str = ""
    """The end of a format without rounds."""

    @classmethod
    def start(cls, local: datetime, game: str) -> Self:
        """Return the answers with which the wizard begins, for an organiser whose time is `local`."""
        evening = local.replace(hour=EVENING, minute=0)
        closes, first, ends = (
            (evening + timedelta(days=days)).strftime(TIME_FORM)
            for days in (ENTRY_DAYS, ENTRY_DAYS + DRAW_DAYS, ENTRY_DAYS + DRAW_DAYS + STAGE_DAYS)
        )
        return cls(game=game, closes=closes, first=first, ends=ends)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read answers that `to_json` wrote. Unknown ones are dropped."""
        stored = json.loads(text)
        return cls(**{each.name: str(stored[each.name]) for each in fields(cls) if each.name in stored})

    def to_json(self) -> str:
        """Return the answers as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def change(self, given: Mapping[str, str], names: tuple[str, ...]) -> Self:
        """Return the answers with those of these names that were given."""
        return replace(self, **{name: " ".join(given[name].split())[:100] for name in names if name in given})

    @property
    def enough_rounds(self) -> int:
        """Number of rounds after which a Swiss has one winner."""
        return ceil(log2(max(2, int(self.most)))) if self.most.isdecimal() and len(self.most) < 6 else 0  # noqa: PLR2004


def suggest_name(title: str) -> str:
    """Return a name for a tournament with this title: small letters, digits and hyphens."""
    name = re.sub("[^a-z0-9]+", "-", plain(title)).strip("-")[:LONGEST_NAME].strip("-")
    return name if len(name) >= SHORTEST_NAME else f"event-{name}".strip("-")


def write_document(answers: Answers, name: str, zone: str, more: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return the document of these answers. What does not fit is quoted, and refused when the document is read.

    `more` has the values of further keys at the top of the document. A title there replaces that of the answers.
    """
    title = _write_value(more["title"]) if "title" in more else _quote(answers.title)
    lines = [
        f"tournament: {name}",
        *([f"title: {title}"] if title != '""' else ()),
        f"game: {_quote(answers.game)}",
        f"zone: {zone}",
        f"clock: {_quote(answers.clock)}",
        "entry:",
        f"  opens: {_time(answers.opens) if answers.opens else 'now'}",
        f"  closes: {'with-end' if answers.format == LADDER else _time(answers.closes)}",
        f"  by: {_quote(answers.by)}",
        f"  least: {_number(answers.least)}",
        f"  most: {_number(answers.most)}",
        "stages:",
        f"  - name: {_quote(answers.format)}",
        f"    format: {_quote(answers.format)}",
        *(f"    {line}" for line in _stage_lines(answers)),
        *(f"{key}: {_write_value(value)}" for key, value in more.items() if key != "title"),
    ]
    return "".join(f"{line}\n" for line in lines)


def _stage_lines(answers: Answers) -> list[str]:
    lines = []
    if answers.format in WITH_ROUNDS:
        lines.append(f"rounds: {_number(answers.rounds)}")
    if answers.format == KNOCKOUT and answers.best_of != "1":
        lines.append(f"best_of: {_number(answers.best_of)}")
    if answers.format == PODS:
        lines += [f"seats: {_number(answers.seats)}", *_points_lines(answers.seats)]
    if answers.format == SAME_DEAL and answers.game in GAMES:
        game = GAMES[answers.game]
        lines += [f"bots: {{1: {game.bots.stand_in}}}", *(["points: score"] if game.rules.points else ())]
    if answers.format in WITH_END:
        return [*lines, f"start: {{first: {_time(answers.first)}}}", f"end: {{at: {_time(answers.ends)}}}"]
    days = f"{answers.lasts}d" if answers.lasts.isdecimal() else _quote(answers.lasts)
    return [
        *lines,
        f"start: {{first: {_time(answers.first)}, next: when-over, gap: 1d}}",
        f"end: {{at_most: {days}, then: {_quote(answers.then)}}}",
    ]


def _points_lines(seats: str) -> list[str]:
    points = POINTS.get(int(seats)) if seats.isdecimal() and len(seats) == 1 else None
    if points is None:
        return []
    short = f", short: {list(POINTS[len(points) - 1])}" if len(points) - 1 in POINTS else ""
    return [f"points: {{places: {list(points)}{short}}}"]


def _write_value(value: object) -> str:
    """Return any value on one line: JSON is YAML too."""
    return json.dumps(value, ensure_ascii=False)


def _quote(text: str) -> str:
    return text if re.fullmatch("[a-z][a-z0-9-]*|[0-9]+[hdw]", text) else json.dumps(text, ensure_ascii=False)


def _number(text: str) -> str:
    return text if text.isascii() and text.isdecimal() else json.dumps(text, ensure_ascii=False)


def _time(text: str) -> str:
    return text if TIME_PATTERN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def find_answer(path: str) -> str:
    """Return the answer that a place in the document comes from, or an empty string."""
    while path:
        if path in PATHS:
            return PATHS[path]
        path = path.rpartition("/")[0]
    return ""


def read_times(canonical: Mapping[str, Any], zone: ZoneInfo) -> dict[str, str]:
    """Return the answers about times of a document as it has them, local to a zone where they are whole minutes."""
    stage = canonical["stages"][0]
    written = {
        "opens": canonical["entry"]["opens"],
        "closes": canonical["entry"]["closes"],
        "first": stage["start"].get("first", ""),
        "ends": stage.get("end", {}).get("at", ""),
    }
    lasts = str(stage.get("end", {}).get("at_most", ""))
    times = {name: _localise(text, zone) for name, text in written.items()}
    return times | ({"lasts": lasts.removesuffix("d")} if lasts else {})


def _localise(text: str, zone: ZoneInfo) -> str:
    if not text[:4].isdigit():
        return text
    at = read_utc(text)
    local = datetime.fromtimestamp(at / 1000, zone).strftime(TIME_FORM)
    return local if read_moment(local, zone.key).at == at else text


def read_answers(canonical: Mapping[str, Any], start: Answers, title: str) -> Answers | None:
    """Return the answers that make a document like this one with the times of `start`, or None if none do."""
    stages, entry = canonical["stages"], canonical["entry"]
    stage = stages[0]
    if len(stages) > 1 or stage["format"] not in FORMATS or "repeat" in canonical or "sections" in stage:
        return None
    end = stage.get("end", {})
    lasts = end.get("at_most", f"{start.lasts}d")
    days, rest = divmod(read_length(lasts), DAY)
    return replace(
        start,
        title=title,
        game=canonical["game"],
        format=stage["format"],
        seats=str(stage["seats"]) if stage["format"] == PODS else start.seats,
        rounds=str(stage.get("rounds") or start.rounds),
        best_of=str(stage.get("best_of") or "1"),
        lasts=lasts if rest else str(days),
        then=end.get("then", start.then),
        least=str(entry["least"]),
        most=str(entry["most"]),
        by=entry["by"],
        clock=canonical["clock"],
    )
