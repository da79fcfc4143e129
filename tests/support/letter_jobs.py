"""Jobs of emails from their payloads as JSON has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from service.config import Config
from service.jobs.payloads import LetterJob
from service.mail.letters.context import LetterContext


def letter_job(payload: Mapping[str, Any]) -> LetterJob:
    """Return the email that a job with this payload asks for."""
    return LetterJob.from_json(json.dumps(payload))


def letter_context(payload: Mapping[str, Any], config: Config) -> LetterContext[LetterJob]:
    """Return the context of the email that a job with this payload asks for."""
    return LetterContext(letter_job(payload), config)


def known_members(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return those members of a payload that emails of its kind have."""
    names = {"kind", *(field.name for field in fields(LetterJob.kinds[payload["kind"]]))}
    return {name: value for name, value in payload.items() if name in names}
