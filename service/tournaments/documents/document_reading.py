"""A document while it is read: its nodes, people and times, its faults, and notes on ambiguous values."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from service.i18n.catalogue import Message, msg
from service.timestamps import DAY
from service.tournaments.documents.document_faults import DocumentFault, DocumentNote
from service.tournaments.documents.document_nodes import Node, index_nodes
from service.tournaments.documents.document_values import BadValue, Moment, read_moment, write_moment

if TYPE_CHECKING:
    from service.tournaments.documents.document import TournamentDocument

FARTHEST = 5 * 366 * DAY
Person = tuple[str, str]


def find_nothing(_name: str) -> None:
    """Return None: no document is in force under the name."""


def describe_strange_hour(text: str, zone: str, moment: Moment) -> Message | None:
    """Return which moment a time means if its zone skips that hour or has it twice, else None."""
    if not moment.strange:
        return None
    values = {"time": text, "zone": zone, "moment": write_moment(moment.at)}
    if moment.strange == "skipped":
        return msg("tournament_document.hour_skipped", **values)
    return msg("tournament_document.hour_doubled", **values)


@dataclass(frozen=True)
class DocumentContext:
    """Facts about the service that reading a document needs: the applicant, the time, and lookups.

    `find_people` returns the players that each text, an id or a name, can mean. An id takes precedence over names.
    `find_in_force` returns the current document under a name. Times that it already has may lie in the past.
    """

    applicant: str
    now: int
    beacon_url_set: bool
    find_people: Callable[[Sequence[str]], Mapping[str, Sequence[Person]]]
    most_open: int
    find_in_force: Callable[[str], TournamentDocument | None] = find_nothing


@dataclass
class DocumentReading:
    """State shared by the checks of a document. `data` becomes the canonical document."""

    root: Node
    context: DocumentContext
    data: dict[str, Any]
    faults: list[DocumentFault]
    notes: list[DocumentNote] = field(default_factory=list)
    taken: dict[str, Person] = field(default_factory=dict)
    zone: str = "UTC"
    in_force: TournamentDocument | None = None
    opens_now: bool = False
    """True if the document says `opens: now`."""

    def __post_init__(self) -> None:
        self.nodes = index_nodes(self.root)

    def node_at(self, path: str) -> Node:
        """Return the node of a path, or the nearest node around it."""
        while path not in self.nodes:
            path = path.rpartition("/")[0]
        return self.nodes[path]

    def is_given(self, path: str) -> bool:
        """Return True if the text of the document has this key."""
        return path in self.nodes

    def add_fault(self, place: str, kind: str, /, **values: object) -> None:
        """Report a fault at a path."""
        self.faults.append(replace(self.node_at(place).fault(kind, **values), path=place))

    def add_note(self, place: str, kind: str, /, **values: object) -> None:
        """Report how a value was understood."""
        self._add_note(place, msg(f"tournament_document.{kind}", **values))

    def _add_note(self, place: str, text: Message) -> None:
        node = self.node_at(place)
        self.notes.append(DocumentNote(place, node.line, node.column, text))

    def set_zone(self) -> None:
        """Set the time zone of the document. Report an unknown one."""
        wanted = self.data.get("zone")
        if wanted is None:
            return
        known = available_timezones()
        if wanted in known:
            self.zone = wanted
            return
        nearest = difflib.get_close_matches(wanted, known, 1, cutoff=0.5)
        self.add_fault("/zone", "unknown_zone", zone=wanted, nearest=nearest[0] if nearest else "Europe/Dublin")

    def take_moment(self, place: str, text: object, *, past: bool = False) -> int | None:
        """Return a time of the document in ms. It must be in the future unless `past` is set or it is in force."""
        if not isinstance(text, str):
            return None
        try:
            moment = read_moment(text, self.zone)
        except BadValue as fault:
            self.add_fault(place, fault.name, value=text)
            return None
        now = self.context.now
        note = describe_strange_hour(text, self.zone, moment)
        if note is not None:
            self._add_note(place, note)
        if moment.at < now and not past and not self._is_in_force(place, moment.at):
            self.add_fault(place, "past_time", now=write_moment(now - now % 1000))
        elif moment.at > now + FARTHEST:
            self.add_fault(place, "far_time", latest=write_moment(now - now % 1000 + FARTHEST))
            return None  # times computed from it could be outside the calendar
        return moment.at

    def open_now(self, entry: dict[str, Any]) -> None:
        """Replace `opens: now` by the current time, or by the time at which the tournament in force has opened."""
        self.opens_now = True
        opened = None if self.in_force is None else self.in_force.entry.opens
        now = self.context.now - self.context.now % 1000
        entry["opens"] = write_moment(now if opened is None else min(opened, now))

    def _is_in_force(self, place: str, at: int) -> bool:
        if self.in_force is None:
            return False
        value: Any = self.in_force.canonical
        for key in place.split("/")[1:]:
            try:
                value = value[int(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, TypeError):
                return False
        return bool(value == write_moment(at))

    def take_people(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """Return the ids of people by path. Report unknown and ambiguous names."""
        candidates = self.context.find_people(sorted(set(wanted.values())))
        ids: dict[str, str] = {}
        for place, text in wanted.items():
            people = list(candidates.get(text, ()))
            exact = [person for person in people if person[0] == text]
            if exact or len(people) == 1:
                person = (exact or people)[0]
                self.taken[text] = (person[0], person[1])
                ids[place] = person[0]
            elif people:
                known = ", ".join(f"{name} ({id_})" for id_, name in people[:5])
                self.add_fault(place, "ambiguous_person", name=text, known=known)
            else:
                self.add_fault(place, "unknown_person", name=text)
        return ids
