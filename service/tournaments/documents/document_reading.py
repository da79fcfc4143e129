"""A document while it is read: its nodes, the people and times in it, what is wrong, and what was taken how."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from service.i18n.catalogue import msg
from service.timestamps import DAY
from service.tournaments.documents.document_faults import DocumentFault, DocumentNote
from service.tournaments.documents.document_nodes import Node, index_nodes
from service.tournaments.documents.document_values import BadValue, read_moment, write_moment

if TYPE_CHECKING:
    from service.tournaments.documents.document import TournamentDocument

FARTHEST = 5 * 366 * DAY
Person = tuple[str, str]


def find_nothing(_name: str) -> None:
    """What is in force under a name where nothing is."""


@dataclass(frozen=True)
class DocumentContext:
    """Who applies a document, when, and what the reader must know of the service around it.

    `find_people` gives for each text, an id or a name, the players it can mean; an id stands before names.
    `find_in_force` gives the document that is in force under a name: what has not changed since may lie in the past.
    """

    applicant: str
    now: int
    beacon_url_set: bool
    find_people: Callable[[Sequence[str]], Mapping[str, Sequence[Person]]]
    most_open: int
    find_in_force: Callable[[str], TournamentDocument | None] = find_nothing


@dataclass
class DocumentReading:
    """What the checks of a document share; `data` becomes the canonical document."""

    root: Node
    context: DocumentContext
    data: dict[str, Any]
    faults: list[DocumentFault]
    notes: list[DocumentNote] = field(default_factory=list)
    taken: dict[str, Person] = field(default_factory=dict)
    zone: str = "UTC"
    in_force: TournamentDocument | None = None

    def __post_init__(self) -> None:
        self.nodes = index_nodes(self.root)

    def node_at(self, path: str) -> Node:
        """The node of a path, or the nearest around it."""
        while path not in self.nodes:
            path = path.rpartition("/")[0]
        return self.nodes[path]

    def is_given(self, path: str) -> bool:
        """Whether the document itself has this key."""
        return path in self.nodes

    def add_fault(self, place: str, kind: str, /, **values: object) -> None:
        """Note what is wrong at a path."""
        found = self.node_at(place).fault(kind, **values)
        self.faults.append(DocumentFault(place, found.line, found.column, found.reason, found.right))

    def add_note(self, place: str, kind: str, /, **values: object) -> None:
        """Note how something was understood."""
        node = self.node_at(place)
        self.notes.append(DocumentNote(place, node.line, node.column, msg(f"tournament_document.{kind}", **values)))

    def set_zone(self) -> None:
        """Take the zone of the document, if there is such a zone."""
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
        """The moment of a time at a path, which must lie ahead unless `past` is allowed or it is in force already."""
        if not isinstance(text, str):
            return None
        try:
            moment = read_moment(text, self.zone)
        except BadValue as fault:
            self.add_fault(place, fault.name, value=text)
            return None
        now = self.context.now
        if moment.strange:
            self.add_note(place, f"hour_{moment.strange}", time=text, zone=self.zone, moment=write_moment(moment.at))
        if moment.at < now and not past and not self._is_in_force(place, moment.at):
            self.add_fault(place, "past_time", now=write_moment(now - now % 1000))
        elif moment.at > now + FARTHEST:
            self.add_fault(place, "far_time", latest=write_moment(now - now % 1000 + FARTHEST))
            return None  # nothing is counted from there: no calendar may have what follows
        return moment.at

    def _is_in_force(self, place: str, at: int) -> bool:
        if self.in_force is None:
            return False
        found: Any = self.in_force.canonical
        for key in place.split("/")[1:]:
            try:
                found = found[int(key)] if isinstance(found, list) else found[key]
            except (KeyError, IndexError, TypeError):
                return False
        return bool(found == write_moment(at))

    def take_people(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """The ids of people by the paths where they stand; who is unknown or ambiguous is a fault."""
        found = self.context.find_people(sorted(set(wanted.values())))
        ids: dict[str, str] = {}
        for place, text in wanted.items():
            people = list(found.get(text, ()))
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
