"""Payloads: each topic has a handler, each kind of letter a composer, and all of them survive JSON."""

from __future__ import annotations

import json
import typing
from dataclasses import fields
from typing import Any

import pytest

from service.jobs.payloads import BadPayload, BlankLetter, JobPayload, LetterJob
from service.mail.job_payloads import ReadInbox
from service.mail.letters import COMPOSERS
from worker.schedule import JOB_HANDLERS

OURS = [payload for payload in JobPayload.topics.values() if not payload.__module__.startswith("tests.")]
PAYLOADS = [payload for payload in OURS if payload is not LetterJob]
VALUES = {"str": "x", "int": 7, "bool": True, "None": None, "tuple[str, ...]": ("a", "b"), "tuple[int, ...]": (1, 2)}


def example(payload: type[JobPayload], **more: Any) -> JobPayload:  # noqa: ANN401  # values of fields
    """A payload with a value in each field that must be given."""
    values = {field.name: value_for(str(field.type)) for field in fields(payload)}
    return payload(**{**values, **more})


def value_for(hint: str) -> Any:  # noqa: ANN401  # any JSON
    if hint == "tuple[tuple[str, int], ...]":
        return (("m", 1), ("n", 0))
    if "EndingRule" in hint:
        return "ruled"
    return VALUES.get(hint.removesuffix(" | None"), {"key": "value"})


def test_each_topic_has_a_handler() -> None:
    assert {payload.topic for payload in OURS} == set(JOB_HANDLERS)


def test_each_kind_of_letter_has_a_composer() -> None:
    assert set(COMPOSERS) == {*LetterJob.kinds.values(), BlankLetter}
    assert all(kind == letter.kind and letter.topic == "letter" for kind, letter in LetterJob.kinds.items())


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.__name__)
def test_a_payload_survives_json(payload: type[JobPayload]) -> None:
    made = example(payload)
    assert payload.from_json(made.to_json()) == made
    assert set(json.loads(made.to_json())) == set(typing.get_type_hints(payload)) - class_members()


@pytest.mark.parametrize("letter", LetterJob.kinds.values(), ids=lambda letter: letter.__name__)
def test_a_letter_survives_json_with_its_kind(letter: type[LetterJob]) -> None:
    made = example(letter)
    assert LetterJob.from_json(made.to_json()) == made
    assert json.loads(made.to_json())["kind"] == letter.kind


def class_members() -> set[str]:
    """The annotations that payloads have besides their fields."""
    return {"topic", "topics", "__dataclass_fields__"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"inbox": "i", "outbox": "o"}', "ReadInbox has no field 'outbox'"),
        ("{}", "missing 1 required keyword-only argument: 'inbox'"),
    ],
)
def test_a_payload_that_does_not_fit_is_refused_with_the_field(text: str, says: str) -> None:
    with pytest.raises(BadPayload, match=says):
        ReadInbox.from_json(text)


def test_a_letter_of_another_kind_or_of_none() -> None:
    with pytest.raises(BadPayload, match="'sonnet' is not a kind of email"):
        LetterJob.from_json('{"kind": "sonnet"}')
    assert LetterJob.from_json("{}") == BlankLetter()
    assert BlankLetter().to_json() == "{}"


def test_payloads_of_before_are_read_still() -> None:
    assert ReadInbox.from_json('{"inbox":"i"}') == ReadInbox(inbox="i", due=False)
    old = {"kind": "late", "match": "m", "seat": 1, "asked": 3, "due": 5, "outcome": "excused", "player": "p"}
    letter = LetterJob.from_json(json.dumps(old))
    assert {name: value for name, value in letter.members().items() if value is not None} == old
