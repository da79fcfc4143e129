"""Differences between two documents of a tournament. What has begun cannot change any more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from service.tournaments.documents.document import TournamentDocument
from service.tournaments.documents.document_nodes import point_to
from service.tournaments.formats.stage_rules import PODS, SWISS

ALWAYS = frozenset({"title", "organisers", "arbiters", "listed"})
"""Keys that can always change."""
NEVER = frozenset({"tournament", "draw"})
"""Keys that can never change, because the header of the log or the URL contains them."""
BEFORE_ENTRY = frozenset({"game", "options", "repeat"})
"""Keys that can change until entry opens. All other keys can change until the first round is paired."""


@dataclass(frozen=True, slots=True)
class BegunParts:
    """Parts of a tournament that have begun: entry, its closing, and the number of rounds of each stage, by name.

    A stage counts from its first pairing or draw, with 0 rounds if none has begun yet. `pauses` is the number of pauses
    that have begun, `over` has the finished stages.
    """

    entry: bool = False
    closed: bool = False
    rounds: Mapping[str, int] = field(default_factory=dict)
    pauses: int = 0
    over: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed value: its path, the old and the new value (None if missing), and True if the change is allowed."""

    path: str
    before: object
    after: object
    allowed: bool


def describe_differences(old: TournamentDocument, new: TournamentDocument, begun: BegunParts) -> tuple[Difference, ...]:
    """Return all differences of two documents, in the order of the old one."""
    return tuple(
        Difference(path, before, after, _may_change(path.split("/")[1:], (before, after), (old, new), begun))
        for path, before, after in _compare_values("", old.canonical, new.canonical)
    )


def _compare_values(path: str, old: Any, new: Any) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401  # any JSON
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            yield from _compare_values(point_to(path, key), old.get(key), new.get(key))
    elif _is_rows(old) and _is_rows(new):
        for index, (before, after) in enumerate(zip_longest(old, new)):
            yield from _compare_values(point_to(path, index), before, after)
    elif old != new:
        yield path, old, new


def _is_rows(value: object) -> bool:
    """Return True for a list of maps, such as stages, which is compared row by row. Other lists change as a whole."""
    return isinstance(value, list) and all(isinstance(row, Mapping) for row in value)


def _may_change(
    keys: list[str],
    values: tuple[object, object],
    documents: tuple[TournamentDocument, TournamentDocument],
    begun: BegunParts,
) -> bool:
    top = keys[0]
    if top in ALWAYS or top in NEVER:
        return top in ALWAYS
    if top in BEFORE_ENTRY:
        return not begun.entry
    if top == "entry":
        return not begun.closed and (not begun.entry or keys[1:2] != ["opens"])
    if top == "pauses":
        return int(keys[1]) >= begun.pauses if len(keys) > 1 else not begun.pauses
    if top == "stages" and len(keys) > 1:
        return _may_change_stage(int(keys[1]), keys[2:], values, documents, begun)
    return not begun.rounds


def _may_change_stage(
    index: int,
    keys: list[str],
    values: tuple[object, object],
    documents: tuple[TournamentDocument, TournamentDocument],
    begun: BegunParts,
) -> bool:
    """Return True if the stage has not begun, or if the change concerns only rounds that are still to come."""
    names = {document.stages[index].name for document in documents if index < len(document.stages)}
    if not names.intersection(begun.rounds):
        return True
    stages = documents[0].stages
    if index >= len(stages) or stages[index].name in begun.over or keys != ["rounds"]:
        return False
    done, (before, after) = begun.rounds.get(stages[index].name, 0), values
    if stages[index].format not in {SWISS, PODS} or not isinstance(before, int) or not isinstance(after, int):
        return False
    return done < before and after >= max(1, done)
