"""Checks of a document as a whole: people, times, entry, recurrence, and defaults that depend on other keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import combinations, takewhile
from typing import Any
from zoneinfo import ZoneInfo

from service.play.time_control import PRESETS
from service.timestamps import HOUR
from service.tournaments.documents.document_reading import DocumentReading
from service.tournaments.documents.document_schema import (
    BEACON,
    NO_BEACON,
    NOW,
    TOURNAMENT,
    WITH_END,
    WITH_REPEAT,
    fill_defaults,
)
from service.tournaments.documents.document_values import expand_rule, read_utc, write_moment
from service.tournaments.documents.stage_checks import check_capacity, check_entry_of_stages, check_stages
from service.tournaments.formats.rulesets import NEWEST

RESERVED_NAMES = frozenset({"plan", "schema"})
LEAST_BEFORE_START = HOUR
STAFF = ("organisers", "arbiters")
MOST_REPEATS = 60
MOST_NAME_OF_REPEAT = 29
"""Maximum length of the name of a recurrence: each tournament is called NAME-DATE, with at most 40 characters."""


def check_document(reading: DocumentReading) -> None:
    """Check everything and fill in every default. Afterwards `reading.data` is the canonical document."""
    data = reading.data
    name = data.get("tournament")
    if name in RESERVED_NAMES:
        reading.add_fault("/tournament", "name_reserved", name=name)
    if isinstance(name, str):
        reading.in_force = reading.context.find_in_force(name)
    fill_defaults(TOURNAMENT, data)
    reading.set_zone()
    _check_people(reading)
    _check_entry(reading)
    _check_repeat(reading)
    check_stages(reading)
    check_capacity(reading)
    check_entry_of_stages(reading)
    _check_closing(reading)
    _check_pauses(reading)
    _check_clock(reading)
    _check_prizes(reading)
    _fill_rest(reading)


def _check_people(reading: DocumentReading) -> None:
    """Replace the names of organisers, arbiters, and of people who avoid each other, by ids."""
    data, wanted = reading.data, dict(_named_people(reading.data))
    ids = reading.take_people(wanted) if wanted else {}
    organisers, arbiters = ([place for place in wanted if place.startswith(f"/{key}/")] for key in STAFF)
    _refuse_twice(reading, [*organisers, *arbiters], ids)
    if data.get("arbiters") is not None:
        data["arbiters"] = list(dict.fromkeys(ids[place] for place in arbiters if place in ids))
    elif reading.in_force is not None and reading.in_force.arbiters and not reading.is_given("/arbiters"):
        data["arbiters"] = list(reading.in_force.arbiters)
    if data.get("organisers") is not None:
        data["organisers"] = list(dict.fromkeys(ids[place] for place in organisers if place in ids))
    elif not reading.is_given("/organisers"):
        in_force = reading.in_force
        data["organisers"] = [reading.context.applicant] if in_force is None else list(in_force.organisers)
    for number, stage in enumerate(data.get("stages") or []):
        if isinstance(stage, dict) and stage.get("avoid"):
            stage["avoid"] = _pairs_to_avoid(reading, number, stage["avoid"], ids)


def _named_people(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every person whom the document names, by path."""
    rows = [(f"/{key}", data.get(key)) for key in STAFF]
    for number, stage in enumerate(data.get("stages") or []):
        groups = stage.get("avoid") if isinstance(stage, dict) else None
        rows += [(f"/stages/{number}/avoid/{index}", group) for index, group in enumerate(groups or ())]
    for place, row in rows:
        yield from ((f"{place}/{index}", text) for index, text in enumerate(row or ()) if text is not None)


def _refuse_twice(reading: DocumentReading, places: list[str], ids: dict[str, str]) -> None:
    seen: set[str] = set()
    for place in places:
        id_ = ids.get(place)
        if id_ in seen:
            reading.add_fault(place, "person_twice", name=next(n for i, n in reading.taken.values() if i == id_))
        elif id_ is not None:
            seen.add(id_)


def _pairs_to_avoid(reading: DocumentReading, number: int, groups: list[Any], ids: dict[str, str]) -> list[list[str]]:
    pairs: set[tuple[str, str]] = set()
    for index, group in enumerate(groups):
        places = [f"/stages/{number}/avoid/{index}/{inner}" for inner in range(len(group or ()))]
        _refuse_twice(reading, places, ids)
        pairs.update(combinations(sorted({ids[place] for place in places if place in ids}), 2))
    return [list(pair) for pair in sorted(pairs)]


def _check_entry(reading: DocumentReading) -> None:
    entry = reading.data.get("entry")
    if not isinstance(entry, dict):
        return
    if isinstance(entry.get("rating"), dict):
        rating = entry["rating"]
        low, high = rating.setdefault("from", None), rating.setdefault("to", None)
        if low is not None and high is not None and low > high:
            reading.add_fault("/entry/rating", "rating_backwards", low=low, high=high)
    if entry.get("opens") == WITH_REPEAT:
        if "repeat" not in reading.data and not reading.is_given("/repeat"):
            reading.add_fault("/entry/opens", "opens_with_repeat")
    elif entry.get("opens") == NOW:
        reading.open_now(entry)
    else:
        _take_entry_time(reading, entry, "opens")
    if entry.get("closes") not in {WITH_END, None}:
        _take_entry_time(reading, entry, "closes")
    opens, closes = entry.get("opens"), entry.get("closes")
    if _is_time(opens) and _is_time(closes) and read_utc(str(closes)) <= read_utc(str(opens)):
        reading.add_fault("/entry/closes", "closes_before_opens")


def _is_time(text: object) -> bool:
    return isinstance(text, str) and text[:1].isdigit()


def _take_entry_time(reading: DocumentReading, entry: dict[str, Any], key: str) -> None:
    moment = reading.take_moment(f"/entry/{key}", entry.get(key))
    entry[key] = write_moment(moment) if moment is not None else None


def _check_closing(reading: DocumentReading) -> None:
    """Refuse a first round that begins less than an hour after entry closes, or before entry opens."""
    entry, stages = reading.data.get("entry"), reading.data["stages"]
    start = (stages[0].get("start") or {}) if stages else {}
    first = start.get("first") or next(iter(start.get("at") or ()), None)
    if not isinstance(entry, dict) or not _is_time(first) or "-" not in str(first):
        return
    begins = read_utc(str(first))
    place = "/stages/0/start/first" if start.get("first") else "/stages/0/start/at/0"
    if _is_time(entry.get("closes")):
        earliest = read_utc(entry["closes"]) + LEAST_BEFORE_START
        if begins < earliest:
            reading.add_fault(place, "start_too_soon", earliest=write_moment(earliest))
    elif _is_time(entry.get("opens")) and begins < read_utc(entry["opens"]):
        reading.add_fault(place, "start_before_opening", earliest=entry["opens"])


def _check_pauses(reading: DocumentReading) -> None:
    before = None
    for index, pause in enumerate(reading.data.get("pauses") or ()):
        if not isinstance(pause, dict):
            continue
        begin = reading.take_moment(f"/pauses/{index}/from", pause.get("from"), past=True)
        end = reading.take_moment(f"/pauses/{index}/to", pause.get("to"))
        if begin is None or end is None:
            continue
        if end <= begin:
            reading.add_fault(f"/pauses/{index}/to", "pause_backwards")
        elif before is not None and begin < before:
            reading.add_fault(f"/pauses/{index}/from", "pauses_overlap")
        pause["from"], pause["to"], before = write_moment(begin), write_moment(end), end


def _check_clock(reading: DocumentReading) -> None:
    data = reading.data
    clock = PRESETS.get(str(data.get("clock")))
    if clock is None:
        return
    if data.get("leave") and not clock.leave:
        known = ", ".join(name for name, preset in PRESETS.items() if preset.leave and preset.name != "none")
        reading.add_fault("/leave", "leave_of_clock", clock=clock.name, known=known)
    if not reading.is_given("/leave"):
        data["leave"] = clock.leave


def _check_prizes(reading: DocumentReading) -> None:
    sections = any(stage.get("sections") for stage in reading.data["stages"])
    for index, prize in enumerate(reading.data.get("prizes") or ()):
        if isinstance(prize, dict):
            if prize.get("each") and not sections:
                reading.add_fault(f"/prizes/{index}/each", "prize_without_sections")
            prize["title"] = _both_languages(prize.get("title"), "")


def _both_languages(title: object, otherwise: str) -> dict[str, str]:
    if isinstance(title, dict):
        one = next(iter(title.values()), otherwise)
        return {"en": title.get("en", one), "fr": title.get("fr", one)}
    return dict.fromkeys(("en", "fr"), title if isinstance(title, str) else otherwise)


def _check_repeat(reading: DocumentReading) -> None:
    repeat, data = reading.data.get("repeat"), reading.data
    if not isinstance(repeat, dict):
        return
    name, entry = data.get("tournament"), data.get("entry") or {}
    if isinstance(name, str) and len(name) > MOST_NAME_OF_REPEAT:
        reading.add_fault("/tournament", "name_of_repeat", most=MOST_NAME_OF_REPEAT)
    if _is_time(entry.get("opens")):
        reading.add_fault("/entry/opens", "repeat_opens")
    if _is_time(entry.get("closes")):
        reading.add_fault("/entry/closes", "repeat_closes")
    until = repeat.get("until")
    if isinstance(until, str) and "T" not in until and ":" not in until:
        until = f"{until}T23:59:59"
    moment = reading.take_moment("/repeat/until", until)
    if moment is None:
        return
    repeat["until"] = write_moment(moment)
    if isinstance(repeat.get("rule"), str):
        _count_repeats(reading, repeat["rule"], moment)


def _count_repeats(reading: DocumentReading, rule: str, until: int) -> None:
    """Refuse a rule that gives no day before its end, or too many."""
    place = ZoneInfo(reading.zone)
    start = datetime.fromtimestamp(reading.context.now / 1000, place).replace(tzinfo=None, microsecond=0)
    end = datetime.fromtimestamp(until / 1000, place).replace(tzinfo=None)
    try:
        # A rule may have no end, so at most one day more than allowed is computed.
        days = expand_rule(rule, start).xafter(start - timedelta(seconds=1), count=MOST_REPEATS + 1)
        count = sum(1 for _ in takewhile(lambda day: day <= end, days))
    except ValueError:
        reading.add_fault("/repeat/rule", "rule_unread")
        return
    if count == 0:
        reading.add_fault("/repeat/rule", "rule_empty")
    elif count > MOST_REPEATS:
        reading.add_fault("/repeat/rule", "rule_too_often", most=MOST_REPEATS)


def _fill_rest(reading: DocumentReading) -> None:
    """Fill in defaults that depend on other keys, on the server or on the document in force."""
    data, in_force = reading.data, reading.in_force
    data["title"] = _both_languages(data.get("title"), str(data.get("tournament", "")))
    entry = data.get("entry")
    if not reading.is_given("/listed"):
        data["listed"] = not (isinstance(entry, dict) and entry.get("by") == "invitation")
    draw = data.setdefault("draw", {})
    if isinstance(draw, dict) and not reading.is_given("/draw/beacon"):
        usual = BEACON if reading.context.beacon_url_set else NO_BEACON
        draw["beacon"] = usual if in_force is None else in_force.canonical["draw"]["beacon"]
    if in_force is not None and "ruleset" not in in_force.canonical and not reading.is_given("/ruleset"):
        # Applying the same text again must give the same document, so an old tournament stays without the key.
        del data["ruleset"]
        reading.add_note("/ruleset", "first_ruleset", ruleset=NEWEST)
