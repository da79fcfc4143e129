"""Jobs and emails about running matches."""

from __future__ import annotations

from service.jobs.payloads import JobPayload, LetterJob, OwnSeatLetter, PlayerLetter, QuestionLetter, optional


class TakeResult(JobPayload, topic="tournament-result"):
    """Write the result of a finished match into the log of its tournament."""

    match: str


class TakeMissedDeadline(JobPayload, topic="conduct"):
    """Count a missed deadline, and look for a substitute if the tournament has them."""

    match: str


class BegunLetter(OwnSeatLetter, kind="begun"):
    """Tell a player who waited that the match has begun."""


class TurnLetter(QuestionLetter, kind="turn"):
    """Tell a seat that it is its turn."""


class ReminderLetter(QuestionLetter, kind="reminder"):
    """Remind a seat of its turn."""

    due: int | None = None


class UrgentLetter(QuestionLetter, kind="urgent"):
    """Remind a seat that hardly any time is left."""

    due: int | None = None


class LateLetter(PlayerLetter, kind="late"):
    """Tell `player` that the seat `seat` missed its deadline."""

    match: str
    seat: int
    asked: int
    due: int | None = None
    late: str | None = optional(default=None)
    """The player who was late. None in the daily emails after that, while the seat still has its player."""
    outcome: str = "excused"
    excuses: int | None = optional(default=None)
    """Number of excuses left. None in the daily emails after that."""


class DroppedLetter(LetterJob, kind="dropped"):
    """Tell a player that their orders could not be carried out."""

    submission: str


class OverLetter(OwnSeatLetter, kind="over"):
    """Tell a player that the match is over."""


class NotedLetter(OwnSeatLetter, kind="noted"):
    """Send the notes of other people in the match."""

    at: int


class DeviceLetter(PlayerLetter, kind="device"):
    """Tell a player that a new device plays for them."""

    key: str
    match: str


class LeaveEndsLetter(PlayerLetter, kind="leave-ends"):
    """Tell a player that their leave ends today."""

    last_day: str
