"""Reminders to players who have time left, and emails about players who are late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs import queue
from service.play.job_payloads import LateLetter, LeaveEndsLetter, ReminderLetter, UrgentLetter
from service.play.time_control import LONG_SILENCE_DAYS, SOON, due_reminders
from service.timestamps import DAY, now

# Selects only questions that may need a reminder; `service.play.time_control.reminders` decides.
OPEN_QUESTIONS = (
    "select s.match, s.seat, s.asked, s.since, s.due_at, s.reminded from seat s join match m on m.id = s.match "
    "where m.status = 'running' and s.asked is not null and s.since is not null and s.paused_at is null and "
    "(s.due_at - ? <= ? or (s.due_at - ?) * ? <= s.due_at - s.since or s.since <= ? or s.reminded like ?)"
)
ENDING_LEAVES = (
    "select l.id, l.player, l.last_day, p.zone from leave l join player p on p.id = l.player where l.last_day >= ? "
    "and l.last_day <= ? and l.at < ? and l.cancelled_at is null and not exists "
    "(select 1 from job j where j.key = 'leave-ends:' || l.id)"
)
MORNING = 8
MARK = "update seat set reminded = ? where match = ? and seat = ? and asked = ? and reminded = ?"


@dataclass(frozen=True)
class OpenQuestion:
    """A question waiting for an answer."""

    match: str
    seat: int
    asked: int
    since: int
    due_at: int | None
    reminded: str

    @property
    def sent(self) -> frozenset[str]:
        """The reminders already sent."""
        return frozenset(self.reminded.split())


def queue_all(_config: Config) -> None:
    """Queue all reminders that are due. Runs periodically."""
    queue_question_reminders()
    queue_leave_endings()


def queue_leave_endings() -> int:
    """Queue an email to each player whose leave ends today, in their morning. Return how many."""
    at = now()
    found = rows(ENDING_LEAVES, _utc_day(at - DAY), _utc_day(at + DAY), at)
    told = [(id_, player, last) for id_, player, last, zone in found if _is_last_morning(at, zone, last)]
    with write_transaction():
        for id_, player, last in told:
            queue.add(LeaveEndsLetter(player=player, last_day=last), f"leave-ends:{id_}")
    return len(told)


def _utc_day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _is_last_morning(at: int, zone: str, day: str) -> bool:
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    return local.date().isoformat() == day and local.hour >= MORNING


def queue_question_reminders() -> int:
    """Queue every reminder that is due. Return how many questions had one."""
    at = now()
    found = [
        OpenQuestion(*row) for row in rows(OPEN_QUESTIONS, at, DAY, at, SOON, at - LONG_SILENCE_DAYS[0] * DAY, "%late%")
    ]
    return sum(_queue_reminders_of(each, at) for each in found)


def _queue_reminders_of(each: OpenQuestion, at: int) -> bool:
    kinds = [*due_reminders(each.since, each.due_at, at, each.sent), *_late_mark(each, at)]
    if not kinds:
        return False
    with write_transaction():
        marks = " ".join(dict.fromkeys([*each.reminded.split(), *kinds]))
        if execute(MARK, marks, each.match, each.seat, each.asked, each.reminded) != 1:
            return False
        for kind in kinds:
            _queue_letter(each, kind)
    return True


def _late_mark(each: OpenQuestion, at: int) -> list[str]:
    """Return today's mark for a late seat: after a missed deadline everybody gets one reminder a day."""
    days = (at - each.since) // DAY
    mark = f"late-{days}"
    return [mark] if "late" in each.sent and days and mark not in each.sent else []


def _queue_letter(each: OpenQuestion, kind: str) -> None:
    match, asked, due = each.match, each.asked, each.due_at
    key = f"{kind}:{match}:{each.seat}:{asked}:{each.since}"
    if not kind.startswith("late"):
        reminder = UrgentLetter if kind == "urgent" else ReminderLetter
        queue.add(reminder(match=match, seat=each.seat, asked=asked, due=due), key)
        return
    for seat, player in rows("select seat, player from seat where match = ? and player is not null", match):
        letter = LateLetter(player=player, match=match, seat=each.seat, asked=asked, due=due)
        queue.add(letter, f"{key}:{seat}")
