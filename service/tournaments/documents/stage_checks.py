"""What the stages of a tournament's document must fulfil together with the game, the entry and each other."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.games import GAMES
from engine.options import BadSetting, Setting
from service.matches.start import solo_rivals
from service.timestamps import HOUR
from service.tournaments.documents.document_reading import DocumentReading
from service.tournaments.documents.document_schema import (
    BYE,
    END,
    MOST_DUTCH,
    MOST_ENTRANTS,
    ROUNDS_NEEDED,
    STAGE,
    START,
    WHEN_OVER,
    WITH_END,
    fill_defaults,
)
from service.tournaments.documents.document_values import read_moment, read_places, write_moment
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.points import read_points
from service.tournaments.formats.stage_rules import (
    DEFAULT_TIES,
    DOUBLE,
    DUPLICATE,
    FORMATS,
    KNOCKOUT,
    LADDER,
    MOST_ROUNDS,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
)
from service.tournaments.formats.tiebreaks import known_ties

Stage = dict[str, Any]
SEATS_OF_FORMATS = {
    ROUND_ROBIN: (2, 2),
    SWISS: (2, 2),
    DOUBLE: (2, 2),
    LADDER: (2, 2),
    PODS: (3, 5),
    KNOCKOUT: (2, 5),
    DUPLICATE: (2, 5),
}
ONE_ROUND = frozenset({LADDER, SAME_DEAL})
LATE_ENTRY = frozenset({SWISS, PODS})
STARTS = ("every", "at", "next", "all")
RIVAL_LEVEL = "normal"


def check_stages(reading: DocumentReading) -> None:
    """Check every stage, and fill in what is not given."""
    stages = [stage if isinstance(stage, dict) else {} for stage in reading.data.get("stages") or []]
    reading.data["stages"] = stages
    names: dict[str, int] = {}
    for at, stage in enumerate(stages):
        place = f"/stages/{at}"
        if stage.get("name") in names:
            reading.add_fault(f"{place}/name", "stage_twice", name=stage["name"])
        _check_source(reading, place, at, stages, names)
        names.setdefault(str(stage.get("name")), at)
        if stage.get("format") in FORMATS:
            _check_stage(reading, place, at, stage)
    _check_order_of_stages(reading, stages)


def _check_stage(reading: DocumentReading, place: str, at: int, stage: Stage) -> None:
    format_ = stage["format"]
    _check_keys(reading, place, stage)
    fill_defaults(STAGE, stage, format_)
    _check_seats(reading, place, stage)
    if format_ in ROUNDS_NEEDED and "rounds" not in stage and not reading.is_given(f"{place}/rounds"):
        reading.add_fault(place, "rounds_missing", format=format_)
    if stage.get("sections"):
        stage["sections"].setdefault("by", "rating")
    _check_bots(reading, place, stage)
    _check_options(reading, place, stage)
    _check_points(reading, place, stage)
    _check_ties(reading, place, stage)
    _check_start(reading, place, at, stage)
    _check_end(reading, place, stage)
    if format_ in LATE_ENTRY:
        stage["bye"] = fill_defaults(BYE, stage.get("bye") or {}, format_)
        if format_ == SWISS:
            points = stage.get("points")
            stage["bye"].setdefault("points", points.get("win", "1") if isinstance(points, dict) else "1")


def _check_keys(reading: DocumentReading, place: str, stage: Stage) -> None:
    """Refuse keys that belong to other formats."""
    format_ = stage["format"]
    nested = {"bye": BYE, "start": START}
    for name, field in STAGE.items():
        if field.formats and format_ not in field.formats and reading.is_given(f"{place}/{name}"):
            known = ", ".join(field.formats)
            reading.add_fault(f"{place}/{name}", "key_of_format", key=name, format=format_, known=known)
            stage.pop(name, None)
        for inner, each in nested.get(name, {}).items():
            if each.formats and format_ not in each.formats and reading.is_given(f"{place}/{name}/{inner}"):
                known = ", ".join(each.formats)
                reading.add_fault(f"{place}/{name}/{inner}", "key_of_format", key=inner, format=format_, known=known)


def _check_seats(reading: DocumentReading, place: str, stage: Stage) -> None:
    seats, game = stage.get("seats"), GAMES.get(str(reading.data.get("game")))
    least, most = SEATS_OF_FORMATS.get(stage["format"], (1, 5))
    if not isinstance(seats, int):
        return
    if not least <= seats <= most:
        reading.add_fault(f"{place}/seats", "seats_of_format", format=stage["format"], least=least, most=most)
    elif game is not None and seats not in game.rules.seats:
        values = {"least": game.rules.seats[0], "most": game.rules.seats[-1], "game": game.slug, "seats": seats}
        reading.add_fault(f"{place}/seats", "seats_of_game", **values)
    advance = stage.get("advance")
    if stage["format"] == KNOCKOUT and isinstance(advance, int) and advance >= seats:
        reading.add_fault(f"{place}/advance", "advance_all", seats=seats, most=seats - 1)


def _check_bots(reading: DocumentReading, place: str, stage: Stage) -> None:
    bots, seats = stage.get("bots") or {}, stage.get("seats")
    game = GAMES.get(str(reading.data.get("game")))
    if not isinstance(seats, int):
        return
    for seat, bot in bots.items():
        if int(seat) >= seats:
            reading.add_fault(f"{place}/bots/{seat}", "bot_seat", seat=seat, last=seats - 1)
        if game is not None and isinstance(bot, str) and bot not in game.bots.by_name:
            reading.add_fault(f"{place}/bots/{seat}", "unknown_bot", bot=bot, known=", ".join(game.bots.by_name))
    people = seats - len(bots)
    if stage["format"] == SAME_DEAL:
        _check_own_seat(reading, place, stage, people)
    elif bots and people < TWO_SEATS:
        reading.add_fault(f"{place}/bots", "bots_leave_no_table", seats=seats)


def _check_own_seat(reading: DocumentReading, place: str, stage: Stage, people: int) -> None:
    """Everybody plays the same deal alone: one seat is theirs, all others are bots'."""
    bots, seats = stage.get("bots") or {}, stage["seats"]
    if people != 1:
        reading.add_fault(f"{place}/bots", "same_deal_seats", seats=seats, bots=seats - 1)
        return
    free = next((seat for seat in range(seats) if str(seat) not in bots), 0)
    if stage.setdefault("seat", free) != free:
        reading.add_fault(f"{place}/seat", "seat_of_bot", seat=stage["seat"], free=free)


def _check_options(reading: DocumentReading, place: str, stage: Stage) -> None:
    """Check the options of the game, the tournament's and the stage's own, and write all of them out."""
    game, seats = GAMES.get(str(reading.data.get("game"))), stage.get("seats")
    if game is None or not isinstance(seats, int) or seats not in game.rules.seats:
        return
    shared, own = reading.data.get("options") or {}, stage.get("options") or {}
    given = {**shared, **own}
    sound = True
    known = {option.name: option for option in game.rules.options}
    for name, value in given.items():
        where = f"{place}/options/{name}" if name in own else f"/options/{name}"
        option = known.get(name)
        if option is None:
            nearest = difflib.get_close_matches(name, known, 1)
            values = {"option": name, "game": game.slug, "known": nearest[0] if nearest else ", ".join(known)}
            reading.add_fault(where, "unknown_option", **values)
            sound = False
        elif not option.fits(value, seats):
            reading.add_fault(where, "option_value", option=name, values=option.localised_values().words["en"])
            sound = False
    sound &= _take_rivals(reading, place, stage, game, given)
    if not sound:
        return
    usual = {option.name: option.tournament for option in game.rules.options if option.tournament is not None}
    try:
        settings = game.rules.settings({**usual, **given}, seats)
        game.rules.start(seats, settings)
    except BadSetting as refused:
        reading.add_fault(f"{place}/options" if own else "/options", "options_refused", why=refused.reason)
        return
    stage["options"] = settings


def _take_rivals(
    reading: DocumentReading, place: str, stage: Stage, game: Game[Any], given: dict[str, Setting]
) -> bool:
    """Let a bot that plays only alone, such as Balor, come with its option, and the option only with its bot."""
    bots = (stage.get("bots") or {}).values()
    for option in solo_rivals(game):
        if option.name in bots and given.get(option.name, option.default) == option.default:
            given[option.name] = RIVAL_LEVEL
        elif option.name not in bots and given.get(option.name, option.default) != option.default:
            reading.add_fault(f"{place}/options/{option.name}", "rival_without_bot", option=option.name)
            return False
        if option.name in bots and not option.fits(given[option.name], stage["seats"]):
            reading.add_fault(f"{place}/bots", "rival_seats", bot=option.name)
            return False
    return True


def _check_points(reading: DocumentReading, place: str, stage: Stage) -> None:
    points, seats = stage.get("points"), stage.get("seats")
    if not isinstance(points, dict) or not isinstance(seats, int):
        return
    if None not in (points.get("win"), points.get("draw")) and read_points(points["draw"]) > read_points(points["win"]):
        reading.add_fault(f"{place}/points/draw", "draw_over_win", win=points["win"])
    for name, length in (("places", seats), ("short", seats - 1)):
        row = points.get(name)
        if not row or None in row:
            continue
        if len(row) != length:
            reading.add_fault(f"{place}/points/{name}", "points_length", length=length, seats=seats)
        units = [read_points(each) for each in row]
        if units != sorted(units, reverse=True):
            reading.add_fault(f"{place}/points/{name}", "points_rise")


def _check_ties(reading: DocumentReading, place: str, stage: Stage) -> None:
    if "ties" not in stage and not reading.is_given(f"{place}/ties") and stage["format"] in (STAGE["ties"].formats):
        stage["ties"] = list(DEFAULT_TIES.get(stage["format"], ()))
    seats = stage.get("seats")
    known = known_ties(seats if isinstance(seats, int) else TWO_SEATS, one_deal=stage["format"] == DUPLICATE)
    seen = set()
    for at, tie in enumerate(stage.get("ties") or ()):
        if tie is not None and tie not in known:
            reading.add_fault(f"{place}/ties/{at}", "tie_of_seats", tie=tie, known=", ".join(known))
        if tie is not None and tie in seen:
            reading.add_fault(f"{place}/ties/{at}", "tie_twice", tie=tie)
        seen.add(tie)


def _check_start(reading: DocumentReading, place: str, at: int, stage: Stage) -> None:
    start = stage.get("start")
    if not isinstance(start, dict):
        return
    where, repeats = f"{place}/start", "repeat" in reading.data
    ways = [name for name in STARTS if name in start and start[name] is not False]
    if len(ways) > 1:
        reading.add_fault(where, "start_twice", one=ways[0], other=ways[1])
    if "gap" in start and "next" not in start:
        reading.add_fault(f"{where}/gap", "gap_alone")
    if stage["format"] in ONE_ROUND and ways:
        reading.add_fault(f"{where}/{ways[0]}", "one_round", format=stage["format"], key=ways[0])
    if "at" in start and "first" in start:
        reading.add_fault(f"{where}/first", "start_twice", one="first", other="at")
    begins = reading.is_given(f"{where}/first") or reading.is_given(f"{where}/at")
    if not begins and (at == 0 or "next" not in start):
        reading.add_fault(where, "start_missing" if at == 0 else "later_start_missing")
    _check_start_times(reading, where, stage, start, repeats=repeats)
    if not ways and stage["format"] not in ONE_ROUND:
        start["next"] = WHEN_OVER
    if start.get("next"):
        start.setdefault("gap", "0h")
    if start.get("all") is False:
        del start["all"]


def _check_start_times(
    reading: DocumentReading, where: str, stage: Stage, start: Mapping[str, Any], *, repeats: bool
) -> None:
    first = start.get("first")
    if isinstance(first, str):
        hour_alone = "-" not in first
        if hour_alone != repeats:
            reading.add_fault(f"{where}/first", "first_of_repeat" if repeats else "first_without_day", value=first)
        elif not hour_alone:
            moment = reading.take_moment(f"{where}/first", first)
            stage["start"]["first"] = write_moment(moment) if moment is not None else None
    times = start.get("at")
    if times is None:
        return
    if repeats:
        reading.add_fault(f"{where}/at", "time_in_repeat")
    moments = [reading.take_moment(f"{where}/at/{number}", time) for number, time in enumerate(times)]
    sound = [moment for moment in moments if moment is not None]
    if sound != sorted(set(sound)):
        reading.add_fault(f"{where}/at", "times_not_rising")
    rounds = stage.get("rounds")
    if isinstance(rounds, int) and rounds != len(times):
        reading.add_fault(f"{where}/at", "times_of_rounds", rounds=rounds, times=len(times))
    stage["start"]["at"] = [write_moment(moment) for moment in sound]


def _check_end(reading: DocumentReading, place: str, stage: Stage) -> None:
    end, where = stage.get("end"), f"{place}/end"
    endless = reading.data.get("clock") == "none"
    if end is None:
        if not reading.is_given(where) and (endless or stage["format"] in ONE_ROUND):
            reading.add_fault(place, "clock_without_end" if endless else "end_missing", format=stage["format"])
        return
    given = [name for name in ("at", "at_most") if reading.is_given(f"{where}/{name}")]
    if not given:
        reading.add_fault(where, "clock_without_end" if endless else "end_empty")
    elif len(given) > 1:
        reading.add_fault(where, "end_twice")
    if "at" in end:
        _check_end_time(reading, f"{where}/at", stage, end)
    fill_defaults(END, end)


def _check_end_time(reading: DocumentReading, where: str, stage: Stage, end: dict[str, Any]) -> None:
    if "repeat" in reading.data:
        reading.add_fault(where, "time_in_repeat")
    start = stage.get("start") or {}
    if stage["format"] not in ONE_ROUND and stage.get("rounds") != 1 and not start.get("all"):
        reading.add_fault(where, "end_of_rounds")
    moment = reading.take_moment(where, end["at"])
    if moment is None:
        return
    end["at"] = write_moment(moment)
    begins = [time for time in (*(start.get("at") or ()), start.get("first")) if isinstance(time, str) and "-" in time]
    if any(moment < _moment_of(time) + HOUR for time in begins):
        reading.add_fault(where, "end_before_start")


def _moment_of(text: str) -> int:
    return read_moment(text, "UTC").at


def _check_source(reading: DocumentReading, place: str, at: int, stages: list[Stage], names: Mapping[str, int]) -> None:
    stage, where = stages[at], f"{place}/from"
    source = stage.get("from")
    if source is None:
        if at and stage and not reading.is_given(where):
            reading.add_fault(place, "from_missing", known=", ".join(names))
        return
    if not at:
        reading.add_fault(where, "from_first")
        return
    given = [name for name in ("places", "advance") if reading.is_given(f"{where}/{name}")]
    if len(given) != 1:
        reading.add_fault(where, "from_what")
    wanted = source.get("stage")
    if wanted is None:
        return
    if wanted not in names:
        later = {str(each.get("name")) for each in stages[at:]}
        fault = "from_itself" if wanted == stage.get("name") else "from_later" if wanted in later else "from_unknown"
        reading.add_fault(f"{where}/stage", fault, stage=wanted, known=", ".join(names))
        return
    earlier = stages[names[wanted]]
    if source.get("each") and not earlier.get("sections"):
        reading.add_fault(f"{where}/each", "no_sections", stage=wanted)
    if "advance" in source and earlier.get("format") in ONE_ROUND:
        reading.add_fault(f"{where}/advance", "no_tables", stage=wanted)
    elif isinstance(earlier.get("seats"), int) and source.get("advance", 0) >= earlier["seats"]:
        reading.add_fault(f"{where}/advance", "advance_all", seats=earlier["seats"], most=earlier["seats"] - 1)
    _check_places(reading, where, source)


def _check_places(reading: DocumentReading, where: str, source: Mapping[str, Any]) -> None:
    if "places" in source:
        first, last = read_places(source["places"])
        if last > MOST_ENTRANTS:
            reading.add_fault(f"{where}/places", "places_too_many", most=MOST_ENTRANTS)
        elif first == last and not source.get("each"):
            reading.add_fault(f"{where}/places", "one_place", right=f"{first}-{first + 3}")


def _check_order_of_stages(reading: DocumentReading, stages: list[Stage]) -> None:
    """Refuse a stage that begins before the one that it follows."""
    before = None
    for at, stage in enumerate(stages):
        first = (stage.get("start") or {}).get("first")
        if not isinstance(first, str) or "-" not in first:
            continue
        moment = _moment_of(first)
        if before is not None and moment <= before:
            reading.add_fault(f"/stages/{at}/start/first", "stage_too_soon", name=stages[at - 1].get("name", ""))
        before = moment


def check_capacity(reading: DocumentReading) -> None:
    """Check that the entrants fit the first stage and those it sends on fit the later ones; fill in `most`."""
    stages, entry = reading.data["stages"], reading.data.get("entry")
    if not isinstance(entry, dict):
        return
    for at, stage in enumerate(stages):
        if stage.get("format") not in FORMATS:
            continue
        limit, kind, values = _limit_of(stage, reading.context.most_open)
        if at == 0:
            most = entry.get("most")
            if most is None and not reading.is_given("/entry/most"):
                entry["most"] = max(limit, entry.get("least") or 2)
                most = entry["most"]
            if isinstance(most, int) and most > limit:
                reading.add_fault("/entry/most" if reading.is_given("/entry/most") else "/entry", kind, **values)
            _check_least(reading, stage, entry)
        else:
            source = stage.get("from") or {}
            if "places" in source and not source.get("each"):
                first, last = read_places(source["places"])
                if last - first + 1 > limit:
                    reading.add_fault(f"/stages/{at}/from/places", kind, **values)
        _check_at_once(reading, at, stage)


def _limit_of(stage: Stage, most_open: int) -> tuple[int, str, dict[str, object]]:
    """How many entrants a stage can take, and the fault that more would be."""
    if stage["format"] == SWISS and stage.get("system") == "dutch":
        return MOST_DUTCH, "dutch_most", {"most": MOST_DUTCH}
    if stage["format"] == ROUND_ROBIN and not stage.get("sections"):
        cycles = stage.get("cycles", 1)
        at_once = most_open if (stage.get("start") or {}).get("all") else MOST_ENTRANTS
        limit = max(
            (
                n
                for n in range(2, MOST_ROUNDS + 2)
                if count_robin_rounds(n) * cycles <= MOST_ROUNDS and (n - 1) * cycles <= at_once
            ),
            default=2,
        )
        return limit, "robin_most", {"most": limit, "rounds": MOST_ROUNDS}
    return MOST_ENTRANTS, "places_too_many", {"most": MOST_ENTRANTS}


def count_robin_rounds(entrants: int) -> int:
    """The rounds of one cycle of a round robin."""
    return entrants - 1 + entrants % 2


def _check_at_once(reading: DocumentReading, at: int, stage: Stage) -> None:
    """Refuse more matches at once than a player may have open, and more rounds than a stage may have."""
    place, most = f"/stages/{at}", reading.context.most_open
    if stage["format"] == LADDER and isinstance(stage.get("at_once"), int) and 2 * stage["at_once"] > most:
        reading.add_fault(f"{place}/at_once", "too_many_at_once", matches=2 * stage["at_once"], most=most)
    size = (stage.get("sections") or {}).get("size")
    if stage["format"] != ROUND_ROBIN or not isinstance(size, int) or not isinstance(stage.get("cycles"), int):
        return
    rounds = count_robin_rounds(size) * stage["cycles"]
    if rounds > MOST_ROUNDS:
        reading.add_fault(f"{place}/sections/size", "section_rounds", rounds=rounds, most=MOST_ROUNDS)
    matches = (size - 1) * stage["cycles"]
    if (stage.get("start") or {}).get("all") and matches > most:
        reading.add_fault(f"{place}/start/all", "too_many_at_once", matches=matches, most=most)


def can_seat(entrants: int, seats: int) -> bool:
    """Whether so many fill tables of this size and of one seat less."""
    return any((entrants - short * (seats - 1)) % seats == 0 for short in range(entrants // (seats - 1) + 1))


def _check_least(reading: DocumentReading, stage: Stage, entry: dict[str, Any]) -> None:
    least, seats = entry.get("least"), stage.get("seats")
    most = entry.get("most")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        reading.add_fault("/entry/least", "least_over_most", most=most)
    if stage["format"] != PODS or not isinstance(seats, int) or not isinstance(least, int) or seats < 3:  # noqa: PLR2004
        return
    if not can_seat(least, seats):
        fitting = next(number for number in range(least, least + 3 * seats) if can_seat(number, seats))
        if reading.is_given("/entry/least"):
            reading.add_fault("/entry/least", "least_not_seated", least=least, seats=seats, right=fitting)
        else:
            entry["least"] = fitting


def check_entry_of_stages(reading: DocumentReading) -> None:
    """Check what the entry says about rounds and formats."""
    stages, entry = reading.data["stages"], reading.data.get("entry")
    if not isinstance(entry, dict) or not stages:
        return
    first = stages[0]
    formats = [stage.get("format") for stage in stages]
    if entry.get("closes") == WITH_END and first.get("format") not in {*ONE_ROUND, None}:
        reading.add_fault("/entry/closes", "closes_with_end", format=first.get("format"))
    if entry.get("withdrawn") == "cancel-if-under-half" and ROUND_ROBIN not in formats and None not in formats:
        reading.add_fault("/entry/withdrawn", "cancel_without_robin")
    late = entry.get("late")
    if isinstance(late, dict) and first.get("format") is not None:
        if first["format"] not in LATE_ENTRY:
            reading.add_fault("/entry/late", "late_of_format", format=first["format"])
        elif isinstance(first.get("rounds"), int) and (late.get("until_round") or 1) > first["rounds"]:
            reading.add_fault("/entry/late/until_round", "late_after_end", rounds=first["rounds"])
        late.setdefault("bye", "zero")
    _note_what_always_holds(reading)


def _note_what_always_holds(reading: DocumentReading) -> None:
    """Say where a key has no effect because of the format."""
    stages = reading.data["stages"]
    formats = [stage.get("format") for stage in stages]
    if DUPLICATE in formats or SAME_DEAL in formats:
        if reading.data.get("rated"):
            reading.add_note("/rated", "never_rated")
    elif any(stage.get("bots") for stage in stages) and reading.data.get("rated"):
        reading.add_note("/rated", "bots_not_rated")
    pairs_only = all(stage.get("seats") == TWO_SEATS for stage in stages)
    if pairs_only and reading.is_given("/late_seat") and reading.data.get("late_seat") not in {"forfeit", None}:
        reading.add_note("/late_seat", "always_forfeit")
