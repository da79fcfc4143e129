"""What a changed document would change in a tournament, and which of that has begun and so cannot change."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.tournaments.documents.document import TournamentDocument
from service.tournaments.documents.document_nodes import point_to
from service.tournaments.formats.stage_rules import PODS, SWISS

ALWAYS = frozenset({"title", "organisers", "listed"})
"""What can change as long as there is a tournament."""
NEVER = frozenset({"tournament", "draw"})
"""What the header of the log and the address of the tournament hold."""
BEFORE_ENTRY = frozenset({"game", "options", "repeat"})
"""What can change until the first can enter; all else until the first round is paired."""


@dataclass(frozen=True, slots=True)
class BegunParts:
    """What of a tournament has begun: entry, its closing, and the rounds of each stage, by name.

    A stage counts from its first pairing or draw on, with 0 rounds if none has begun yet; `pauses` is how many pauses
    have begun, `over` which stages are over.
    """

    entry: bool = False
    closed: bool = False
    rounds: Mapping[str, int] = field(default_factory=dict)
    pauses: int = 0
    over: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that a new document changes: where, what it was and will be (None: not there), and whether it may."""

    path: str
    before: object
    after: object
    allowed: bool


def describe_differences(old: TournamentDocument, new: TournamentDocument, begun: BegunParts) -> tuple[Difference, ...]:
    """Everything in which two documents differ, in the order of the old one."""
    return tuple(
        Difference(path, before, after, _may_change(path.split("/")[1:], (before, after), (old, new), begun))
        for path, before, after in _compare_values("", old.canonical, new.canonical)
    )


def _compare_values(path: str, old: Any, new: Any) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401  # any JSON
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            yield from _compare_values(point_to(path, key), old.get(key), new.get(key))
    elif _is_rows(old) and _is_rows(new):
        for at in range(max(len(old), len(new))):
            before, after = (rows[at] if at < len(rows) else None for rows in (old, new))
            yield from _compare_values(point_to(path, at), before, after)
    elif old != new:
        yield path, old, new


def _is_rows(value: object) -> bool:
    """Whether this is a list whose members are told apart, such as stages; others change as a whole."""
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


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
    at: int,
    keys: list[str],
    values: tuple[object, object],
    documents: tuple[TournamentDocument, TournamentDocument],
    begun: BegunParts,
) -> bool:
    """Whether a stage that has not begun is meant, or the number of rounds that are still to come."""
    names = {document.stages[at].name for document in documents if at < len(document.stages)}
    if not names.intersection(begun.rounds):
        return True
    stages = documents[0].stages
    if at >= len(stages) or stages[at].name in begun.over or keys != ["rounds"]:
        return False
    done, (before, after) = begun.rounds.get(stages[at].name, 0), values
    if stages[at].format not in {SWISS, PODS} or not isinstance(before, int) or not isinstance(after, int):
        return False
    return done < before and after >= max(1, done)
