"""What is wrong with a text or a number that the formats are given, in words of either language."""

from __future__ import annotations

from service.i18n.catalogue import Message, msg


class FormatFault(ValueError):
    """Something that no tournament can have; `message` says what is wrong with it, and `str()` the same in English."""

    def __init__(self, what: str, **values: object) -> None:
        self.message = explain_fault(what, **values)
        super().__init__(str(self.message))


def explain_fault(what: str, **values: object) -> Message:
    """What is wrong, by its name among the texts of faults."""
    return msg(f"tournament_faults.{what}", **values)
