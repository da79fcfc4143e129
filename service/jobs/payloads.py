"""Payloads of jobs: one frozen dataclass for each topic and for each kind of email, with one way to and from JSON.

    class ReadInbox(JobPayload, topic="inbox"):
        \"\"\"Read a message of the inbox.\"\"\"

        inbox: str
        due: bool = optional(default=False)

Each room declares its payloads in a file of its own. `worker/schedule.py` has the handler of each topic, and
`service/mail/letters/` the composer of each kind of email. Fields hold JSON values, with tuples for lists. Their names
are stored in the database: add fields only with a default, and keep those that stored jobs may have.
"""

from __future__ import annotations

import json
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Self, dataclass_transform

from service.record.canonical_json import JsonObject, JsonValue


class BadPayload(ValueError):
    """A stored payload that does not match its topic or kind."""


def optional(*, default: Any) -> Any:  # noqa: ANN401  # a field has the type that is written before it
    """Declare a field that is stored only if it differs from its default."""
    return field(default=default, metadata={"optional": True})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(optional,))
class JobPayload:
    """The payload of a job. Subclasses are frozen dataclasses, made with keywords."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    topic: ClassVar[str] = ""
    topics: ClassVar[dict[str, type[JobPayload]]] = {}
    """The payloads by topic."""

    def __init_subclass__(cls, topic: str = "") -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        if topic:
            cls.topic = topic
            JobPayload.topics[topic] = cls

    def members(self) -> JsonObject:
        """Return the members of the JSON object that is stored."""
        members: JsonObject = dict(vars(self))
        for member in fields(self):
            if "optional" in member.metadata and members[member.name] == member.default:
                del members[member.name]
        return members

    def to_json(self) -> str:
        """Return the payload as JSON text."""
        return json.dumps(self.members(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the payload that was stored. Raise `BadPayload` if it does not fit."""
        members: JsonObject = json.loads(text)
        payload_class = cls._take_class(members)
        unknown = sorted(members.keys() - {member.name for member in fields(payload_class)})
        if unknown:
            raise BadPayload(f"{payload_class.__name__} has no field {unknown[0]!r}")
        try:
            payload = payload_class(**{name: _to_tuples(value) for name, value in members.items()})
        except TypeError as error:
            raise BadPayload(str(error)) from None
        if not isinstance(payload, cls):
            raise BadPayload(f"{payload_class.__name__} is not a {cls.__name__}")
        return payload

    @classmethod
    def _take_class(cls, _members: JsonObject) -> type[JobPayload]:
        """Return the class of the payload with these members, and remove the member that names it, if any."""
        return cls


def _to_tuples(value: JsonValue) -> JsonValue:
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value


class LetterJob(JobPayload, topic="letter"):
    """An email to be written. Each kind is a subclass; the kind is stored with its fields."""

    kind: ClassVar[str] = ""
    kinds: ClassVar[dict[str, type[LetterJob]]] = {}
    """The emails by kind."""

    def __init_subclass__(cls, kind: str = "") -> None:
        super().__init_subclass__()
        if kind:
            cls.kind = kind
            LetterJob.kinds[kind] = cls

    def members(self) -> JsonObject:
        """Return the kind and the fields."""
        return {"kind": self.kind, **super().members()}

    @classmethod
    def _take_class(cls, members: JsonObject) -> type[JobPayload]:
        kind = str(members.pop("kind", ""))
        if kind and kind not in LetterJob.kinds:
            raise BadPayload(f"{kind!r} is not a kind of email")
        return LetterJob.kinds[kind] if kind else BlankLetter


class BlankLetter(LetterJob):
    """No email. Its payload was erased, or the job is a decoy that takes as long to write as a real one."""

    def members(self) -> JsonObject:
        """Return an empty object."""
        return {}


class PlayerLetter(LetterJob):
    """An email to a player."""

    player: str


class SeatLetter(LetterJob):
    """An email to the player of a seat."""

    match: str
    seat: int


class QuestionLetter(SeatLetter):
    """An email about the question that a seat is asked."""

    asked: int


class OwnSeatLetter(SeatLetter, PlayerLetter):
    """An email to a player about their seat, sent only while they have it."""
