"""Faults in the input of the formats, with a message in both languages."""

from __future__ import annotations

from service.i18n.catalogue import Message, msg


class FormatFault(ValueError):
    """A text or a number that no tournament can have. `message` explains it; `str()` gives the English text."""

    reason = ""
    """Code of the fault in the report of `verify`."""

    def __init__(self, what: str, **values: object) -> None:
        self.message = explain_fault(what, **values)
        super().__init__(str(self.message))


def explain_fault(what: str, **values: object) -> Message:
    """Return the message with this name from the catalogue of faults."""
    return msg(f"tournament_faults.{what}", **values)
