"""The wording of emails: times, answers and refusals, in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.words import LOCALES, Locale
from service.config import Config
from service.db.connection import execute
from service.i18n import dates
from service.i18n.catalogue import has_text
from service.mail import letters
from service.mail.letters import move_answers
from service.mail.letters.context import load_seat
from tests.support.email_texts import ANSWERS
from tests.support.letter_jobs import known_members, letter_context
from tests.support.mailbox import html_of, match_of, person, text_of
from tests.support.turn_letters import harmless, written

ZONES = {"en": "Europe/Dublin", "fr": "Europe/Paris"}
pytestmark = pytest.mark.usefixtures("clock")


SPANS = [
    (30_000, "1 minute", "1 minute"),
    (20_000, "less than a minute", "moins d’une minute"),
    (59 * 60_000, "59 minutes", "59 minutes"),
    (3_600_000, "1 hour", "1 heure"),
    (5_430_000, "1 hour and 31 minutes", "1 heure et 31 minutes"),
    (86_400_000 * 3 - 40_000, "3 days", "3 jours"),
    (86_400_000 * 2 + 3_600_000 * 5, "2 days and 5 hours", "2 jours et 5 heures"),
]


@pytest.mark.parametrize(("ms", "english", "french"), SPANS)
def test_spans(ms: int, english: str, french: str) -> None:
    assert dates.format_duration(ms, "en").replace("\u00a0", " ") == english
    assert dates.format_duration(ms, "fr").replace("\u00a0", " ") == french


def test_a_zone_that_is_only_a_distance_is_told_as_one() -> None:
    assert dates.format_moment(1_800_000_000_000, "Etc/GMT-1", "en") == "Friday 15\u00a0January 2027, 09:00 (UTC+01:00)"


def test_moments_are_of_the_readers_zone_and_language() -> None:
    ms = 1_800_000_000_000
    english = dates.format_moment(ms, "America/New_York", "en").replace("\u00a0", " ")
    french = dates.format_moment(ms, "Europe/Paris", "fr").replace("\u00a0", " ")
    assert english == "Friday 15 January 2027, 03:00 (America/New_York, UTC−05:00)"
    assert french == "vendredi 15 janvier 2027 à 9 h 00 (Europe/Paris, UTC+01:00)"
    assert dates.format_moment(ms, "UTC", "en").endswith("08:00 (UTC)")


@pytest.mark.parametrize(
    ("hours", "hour", "zone", "expected"),
    [(0, 8, "Europe/Dublin", 0), (0, 7, "Europe/Dublin", 23), (1, 8, "Europe/Dublin", 24), (0, 8, "Asia/Tokyo", 15)],
)
def test_the_next_hour_of_a_digest(hours: int, hour: int, zone: str, expected: int) -> None:
    start = 1_800_000_000_000
    assert dates.next_hour(start + hours * 3_600_000, hour, zone) == start + expected * 3_600_000


def test_the_next_hour_follows_summer_time() -> None:
    before = 1_806_192_000_000  # 2027-03-28T00:00Z, an hour before Paris puts its clocks forward
    assert dates.next_hour(before, 8, "Europe/Paris") == before + 6 * 3_600_000


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("kind", "more", "holds"), ANSWERS)
def test_every_answer_is_written_in_both_languages(
    house: Config, kind: str, more: dict[str, Any], holds: str, locale: Locale
) -> None:
    aoife = person("Aoife", locale)
    match = match_of(house, aoife, person("Brendan"))
    at = load_seat(match, 0)
    assert at is not None
    where = {"match": match, "seat": 0, "label": None, "in_reply_to": "<x@example.org>", "subject": "Re: turn"}
    payload = {"kind": kind, "player": aoife.id, "inbox": "i", **where, **more}
    if payload.get("asked", 0) is None:
        payload["asked"] = at.asked
    letter = letters.compose(letter_context(known_members(payload), house))
    assert letter is not None
    message = written(letter, house)
    text = text_of(message)
    typed = at.viewer.game.presentation.words.typed(holds, locale)
    assert any(words in " ".join(text.split()) for words in (holds, typed)), "a menu shows lines as they are typed"
    assert [line for line in text.split("\n") if len(line) > 78] == []
    assert re.search("[éèàùê«’]" if locale == "fr" else "(?i)you", text)
    assert "<b>" not in html_of(message)
    assert "<soon>" not in html_of(message)
    harmless(at, text)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Re: Your turn", "Re: Your turn"),
        ("Your turn", "Re: Your turn"),
        ("RE : Re: Ré\u00a0: Your turn", "Re: Your turn"),
        ("AW: Fwd: Your turn", "Re: Your turn"),
        ("Re[2]: Your turn", "Re: Your turn"),
        ("Return of Fionn: your turn", "Re: Return of Fionn: your turn"),
        ("re:", "otherwise"),
        ("", "otherwise"),
    ],
)
def test_an_answer_has_one_re_however_many_there_were(given: str, expected: str) -> None:
    assert move_answers.reply_subject(given, "otherwise") == expected


REASONS = re.compile(r'(?:refuse|CommandRefused|NotUnderstood)\((?:player, |player\.id, )?"([a-z-]+)"')


def test_every_refusal_has_its_words() -> None:
    sources = [path.read_text("utf-8") for path in Path(letters.__file__).parents[1].rglob("*.py")]
    found = {name for source in sources for name in REASONS.findall(source)}
    assert len(found) > 10
    for locale in LOCALES:
        assert [reason for reason in sorted(found) if not has_text(locale, f"refused.{reason}")] == []


@pytest.mark.parametrize(
    ("locale", "rules", "words"),
    [
        (
            "en",
            {"clock": "simple-3"},
            "Your Saturdays and Sundays do not count, as you asked. You have 30 days of leave left",
        ),
        ("fr", {"clock": "simple-3"}, "Vos samedis et dimanches ne comptent pas, comme vous l’avez demandé."),
        ("en", {"clock": "standard"}, "weekends do not count Aoife: to move"),
        ("en", {"clock": "tournament"}, "In this match leave does not stop the clock."),
        ("fr", {"clock": "simple-3", "leave": False}, "Dans cette partie, le congé n’arrête pas la pendule."),
    ],
)
def test_the_clock_says_when_it_rests(house: Config, locale: Locale, rules: dict[str, Any], words: str) -> None:
    aoife = person("Aoife", locale, quiet_weekends=True)
    match = match_of(house, aoife, bots={1: "steady"}, **rules)
    where = {"match": match, "seat": 0, "label": None, "in_reply_to": "<x@example.org>", "subject": "Re: turn"}
    letter = letters.compose(letter_context({"kind": "clock", "player": aoife.id, "inbox": "i", **where}, house))
    assert letter is not None
    message = written(letter, house)
    pages = text_of(message), re.sub("<[^>]*>", " ", html_of(message))
    for page in pages:
        assert words in " ".join(page.replace("\u00a0", " ").split())


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ('{"reason": "line.not_listed", "values": {}}', "elle n’est pas parmi les lignes ouvertes maintenant"),
        ('{"key": "play.key_not_of_seat", "values": {}}', "sa clé n’est plus une de celles de cette place"),
        # Rows from before the column was there have English alone, as rows have whose key is gone.
        ("", "La raison : it is not one of the moves you can make now."),
        ('{"key": "play.gone_for_good", "values": {}}', "La raison : it is not one of the moves you can make now."),
    ],
)
def test_dropped_orders_say_which_line_and_why(house: Config, reason: str, told: str) -> None:
    aoife = person("Benoît", "fr")
    match = match_of(house, aoife, person("Brendan"))
    body = '{"key": "", "lines": ["lay R5", "draw deck", "lay R6"], "signatures": [], "mail": null}'
    why = "draw deck: it is not one of the moves you can make now"
    execute(
        "insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, "
        "status, why, receipt, reason) values ('s', ?, 0, ?, 'api', 0, '', true, 0, ?, 1, 3, 'dropped', ?, '{}', ?)",
        match,
        aoife.id,
        body,
        why,
        reason,
    )
    letter = letters.compose(letter_context({"kind": "dropped", "submission": "s"}, house))
    assert letter is not None
    words = " ".join(text_of(written(letter, house)).replace("\u00a0", " ").split())
    assert "Lignes jouées : 1 sur 3" in words
    assert "« draw deck »" in words
    assert told in words
    assert "« lay R6 »" in words
