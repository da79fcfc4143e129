"""Checks of the stages of a document, against the game, the entry and each other. They also fill in defaults."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.game import AnyGame
from engine.games import GAMES
from engine.options import BadSetting, Setting
from service.matches.start import solo_rivals
from service.timestamps import HOUR
from service.tournaments.documents.document_fields import FieldTable
from service.tournaments.documents.document_reading import DocumentReading
from service.tournaments.documents.document_schema import (
    BYE,
    MOST_ENTRANTS,
    STAGE,
    START,
    WHEN_OVER,
    WITH_END,
    fill_defaults,
)
from service.tournaments.documents.document_values import read_places, read_utc, write_moment
from service.tournaments.formats.berger import count_rounds
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.pods import table_sizes
from service.tournaments.formats.points import read_points
from service.tournaments.formats.series import BEST_OF
from service.tournaments.formats.stage_rules import (
    DEFAULT_TIES,
    DUPLICATE,
    FORMATS,
    KNOCKOUT,
    LADDER,
    MOST_ROUNDS,
    PODS,
    ROUND_ROBIN,
    ROUNDS_NEEDED,
    SAME_DEAL,
    SWISS,
    seats_of_format,
)
from service.tournaments.formats.swiss import DUTCH, MOST_DUTCH
from service.tournaments.formats.tiebreaks import known_ties

Stage = dict[str, Any]
ONE_ROUND = frozenset({LADDER, SAME_DEAL})
LATE_ENTRY = frozenset({SWISS, PODS})
STARTS = ("every", "at", "next", "all")
STAGE_KEYS: FieldTable = {
    **STAGE,
    **{f"bye/{name}": field for name, field in BYE.items()},
    **{f"start/{name}": field for name, field in START.items()},
}
"""Keys of a stage that may belong to some formats only, by path."""
RIVAL_LEVEL = "normal"


def check_stages(reading: DocumentReading) -> None:
    """Check every stage and fill in its defaults."""
    stages = [stage if isinstance(stage, dict) else {} for stage in reading.data.get("stages") or []]
    reading.data["stages"] = stages
    names: dict[str, int] = {}
    for index, stage in enumerate(stages):
        checks = _StageChecks(reading, index, stage)
        if stage.get("name") in names:
            checks.fault("name", "stage_twice", name=stage["name"])
        checks.check_source(stages, names)
        names.setdefault(str(stage.get("name")), index)
        if stage.get("format") in FORMATS:
            checks.check_stage()
    _check_order_of_stages(reading, stages)


@dataclass
class _StageChecks:
    """Checks of one stage. Values with faults of their own are missing from `stage`, so every value may be absent."""

    reading: DocumentReading
    index: int
    stage: Stage

    def fault(self, key: str, kind: str, /, **values: object) -> None:
        """Report a fault of a key of the stage, or of the stage as a whole for an empty key."""
        self.reading.add_fault(f"/stages/{self.index}/{key}".rstrip("/"), kind, **values)

    def is_given(self, key: str) -> bool:
        """Return True if the text has this key."""
        return self.reading.is_given(f"/stages/{self.index}/{key}")

    @property
    def format(self) -> str:
        """Return the format of the stage."""
        return str(self.stage["format"])

    @property
    def seats(self) -> int | None:
        """Return the seats of a table, or None if they are not readable."""
        seats = self.stage.get("seats")
        return seats if isinstance(seats, int) else None

    @property
    def game(self) -> AnyGame | None:
        """Return the game of the tournament, or None if it is unknown."""
        return GAMES.get(str(self.reading.data.get("game")))

    def check_stage(self) -> None:
        """Check everything but the source of the stage."""
        stage, format_ = self.stage, self.format
        self._check_keys()
        fill_defaults(STAGE, stage, format_)
        if format_ in ROUNDS_NEEDED and "rounds" not in stage and not self.is_given("rounds"):
            self.fault("", "rounds_missing", format=format_)
        if self.seats is not None:
            self._check_seats(self.seats)
            self._check_series(self.seats)
            self._check_bots(self.seats)
            self._check_options(self.seats)
            self._check_points(self.seats)
        self._check_ties()
        if isinstance(stage.get("start"), dict):
            self._check_start(stage["start"])
        self._check_end()
        if format_ in LATE_ENTRY:
            stage["bye"] = fill_defaults(BYE, stage.get("bye") or {}, format_)
            if format_ == SWISS:
                points = stage.get("points")
                stage["bye"].setdefault("points", points.get("win", "1") if isinstance(points, dict) else "1")

    def _check_keys(self) -> None:
        """Refuse keys that belong to other formats."""
        for path, field in STAGE_KEYS.items():
            if field.formats and self.format not in field.formats and self.is_given(path):
                key = path.rpartition("/")[2]
                self.fault(path, "key_of_format", key=key, format=self.format, known=", ".join(field.formats))
                self.stage.pop(path, None)

    def _check_seats(self, seats: int) -> None:
        least, most = seats_of_format(self.format)
        if not least <= seats <= most:
            self.fault("seats", "seats_of_format", format=self.format, least=least, most=most)
        elif self.game is not None and seats not in self.game.rules.seats:
            allowed = self.game.rules.seats
            self.fault("seats", "seats_of_game", least=allowed[0], most=allowed[-1], game=self.game.slug, seats=seats)
        advance = self.stage.get("advance")
        if self.format == KNOCKOUT and isinstance(advance, int) and advance >= seats:
            self.fault("advance", "advance_all", seats=seats, most=seats - 1)

    def _check_series(self, seats: int) -> None:
        best_of = self.stage.get("best_of")
        if isinstance(best_of, int) and best_of not in BEST_OF:
            self.fault("best_of", "best_of_even", value=best_of, right=best_of + 1)
        elif isinstance(best_of, int) and best_of > 1 and seats != TWO_SEATS:
            self.fault("best_of", "best_of_seats", seats=seats)
        if "tied" in self.stage and (best_of is None or best_of == 1):
            self.fault("tied", "tied_alone")

    def _check_bots(self, seats: int) -> None:
        bots, game = self.stage.get("bots") or {}, self.game
        for seat, bot in bots.items():
            if int(seat) >= seats:
                self.fault(f"bots/{seat}", "bot_seat", seat=seat, last=seats - 1)
            if game is not None and isinstance(bot, str) and bot not in game.bots.by_name:
                self.fault(f"bots/{seat}", "unknown_bot", bot=bot, known=", ".join(game.bots.by_name))
        people = seats - len(bots)
        if self.format != SAME_DEAL:
            if bots and people < TWO_SEATS:
                self.fault("bots", "bots_leave_no_table", seats=seats)
        elif people != 1:
            # Everybody plays the same deal alone: one seat is theirs, bots have all others.
            self.fault("bots", "same_deal_seats", seats=seats, bots=seats - 1)
        else:
            free = next((seat for seat in range(seats) if str(seat) not in bots), 0)
            if self.stage.setdefault("seat", free) != free:
                self.fault("seat", "seat_of_bot", seat=self.stage["seat"], free=free)

    def _check_options(self, seats: int) -> None:
        """Check the options of the game, the tournament's and the stage's own, and write all of them out."""
        game = self.game
        if game is None or seats not in game.rules.seats:
            return
        shared, own = self.reading.data.get("options") or {}, self.stage.get("options") or {}
        given = {**shared, **own}
        sound = True
        known = {option.name: option for option in game.rules.options}
        for name, value in given.items():
            place = f"/stages/{self.index}/options/{name}" if name in own else f"/options/{name}"
            option = known.get(name)
            if option is None:
                nearest = difflib.get_close_matches(name, known, 1) or known
                self.reading.add_fault(place, "unknown_option", option=name, game=game.slug, known=", ".join(nearest))
                sound = False
            elif not option.fits(value, seats):
                words = option.localised_values().words["en"]
                self.reading.add_fault(place, "option_value", option=name, values=words)
                sound = False
        if not (self._take_rivals(game, given, seats) and sound):
            return
        usual = {option.name: option.tournament for option in game.rules.options if option.tournament is not None}
        try:
            settings = game.rules.settings({**usual, **given}, seats)
            game.rules.start(seats, settings)
        except BadSetting as refused:
            place = f"/stages/{self.index}/options" if own else "/options"
            self.reading.add_fault(place, "options_refused", why=refused.reason)
            return
        self.stage["options"] = settings

    def _take_rivals(self, game: AnyGame, given: dict[str, Setting], seats: int) -> bool:
        """Set the option of a bot that plays only alone, such as Balor. Return False if option and bot do not match."""
        bots = (self.stage.get("bots") or {}).values()
        for option in solo_rivals(game):
            is_default = given.get(option.name, option.default) == option.default
            if option.name not in bots:
                if not is_default:
                    self.fault(f"options/{option.name}", "rival_without_bot", option=option.name)
                    return False
                continue
            if is_default:
                given[option.name] = RIVAL_LEVEL
            if not option.fits(given[option.name], seats):
                self.fault("bots", "rival_seats", bot=option.name)
                return False
        return True

    def _check_points(self, seats: int) -> None:
        points = self.stage.get("points")
        if not isinstance(points, dict):
            return
        win, draw = points.get("win"), points.get("draw")
        if win is not None and draw is not None and read_points(draw) > read_points(win):
            self.fault("points/draw", "draw_over_win", win=win)
        for name, length in (("places", seats), ("short", seats - 1)):
            row = points.get(name)
            if not row or None in row:
                continue
            if len(row) != length:
                self.fault(f"points/{name}", "points_length", length=length, seats=seats)
            units = [read_points(text) for text in row]
            if units != sorted(units, reverse=True):
                self.fault(f"points/{name}", "points_rise")

    def _check_ties(self) -> None:
        stage = self.stage
        if "ties" not in stage and not self.is_given("ties") and self.format in STAGE["ties"].formats:
            stage["ties"] = list(DEFAULT_TIES.get(self.format, ()))
        known = known_ties(self.seats or TWO_SEATS, one_deal=self.format == DUPLICATE)
        ties = stage.get("ties") or ()
        for index, tie in enumerate(ties):
            if tie is not None and tie not in known:
                self.fault(f"ties/{index}", "tie_of_seats", tie=tie, known=", ".join(known))
            if tie is not None and tie in ties[:index]:
                self.fault(f"ties/{index}", "tie_twice", tie=tie)

    def _check_start(self, start: dict[str, Any]) -> None:
        ways = [name for name in STARTS if name in start and start[name] is not False]
        if len(ways) > 1:
            self.fault("start", "start_twice", one=ways[0], other=ways[1])
        if "gap" in start and "next" not in start:
            self.fault("start/gap", "gap_alone")
        if self.format in ONE_ROUND and ways:
            self.fault(f"start/{ways[0]}", "one_round", format=self.format, key=ways[0])
        if "at" in start and "first" in start:
            self.fault("start/first", "start_twice", one="first", other="at")
        begins = self.is_given("start/first") or self.is_given("start/at")
        if not begins and (self.index == 0 or "next" not in start):
            self.fault("start", "start_missing" if self.index == 0 else "later_start_missing")
        self._take_first_start(start)
        self._take_start_times(start)
        if not ways and self.format not in ONE_ROUND:
            start["next"] = WHEN_OVER
        if start.get("next"):
            start.setdefault("gap", "0h")
        if start.get("all") is False:
            del start["all"]

    def _take_moment(self, key: str, text: str) -> int | None:
        return self.reading.take_moment(f"/stages/{self.index}/{key}", text)

    def _take_first_start(self, start: dict[str, Any]) -> None:
        """Check the start of the first round: a time, or an hour of the day for a recurrence."""
        first, repeats = start.get("first"), "repeat" in self.reading.data
        if not isinstance(first, str):
            return
        hour_alone = "-" not in first
        if hour_alone != repeats:
            self.fault("start/first", "first_of_repeat" if repeats else "first_without_day", value=first)
        elif not hour_alone:
            moment = self._take_moment("start/first", first)
            start["first"] = write_moment(moment) if moment is not None else None

    def _take_start_times(self, start: dict[str, Any]) -> None:
        """Check the start times of all rounds."""
        times = start.get("at")
        if times is None:
            return
        if "repeat" in self.reading.data:
            self.fault("start/at", "time_in_repeat")
        moments = [self._take_moment(f"start/at/{number}", time) for number, time in enumerate(times)]
        sound = [moment for moment in moments if moment is not None]
        if sound != sorted(set(sound)):
            self.fault("start/at", "times_not_rising")
        rounds = self.stage.get("rounds")
        if isinstance(rounds, int) and rounds != len(times):
            self.fault("start/at", "times_of_rounds", rounds=rounds, times=len(times))
        start["at"] = [write_moment(moment) for moment in sound]

    def _check_end(self) -> None:
        end, endless = self.stage.get("end"), self.reading.data.get("clock") == "none"
        if end is None:
            if not self.is_given("end") and (endless or self.format in ONE_ROUND):
                self.fault("", "clock_without_end" if endless else "end_missing", format=self.format)
            return
        given = [name for name in ("at", "at_most") if self.is_given(f"end/{name}")]
        if not given:
            self.fault("end", "clock_without_end" if endless else "end_empty")
        elif len(given) > 1:
            self.fault("end", "end_twice")
        if "at" in end:
            self._check_end_time(end)

    def _check_end_time(self, end: dict[str, Any]) -> None:
        if "repeat" in self.reading.data:
            self.fault("end/at", "time_in_repeat")
        start = self.stage.get("start") or {}
        if self.format not in ONE_ROUND and self.stage.get("rounds") != 1 and not start.get("all"):
            self.fault("end/at", "end_of_rounds")
        moment = self._take_moment("end/at", end["at"])
        if moment is None:
            return
        end["at"] = write_moment(moment)
        begins = [*(start.get("at") or ()), start.get("first")]
        if any(moment < read_utc(time) + HOUR for time in begins if isinstance(time, str) and "-" in time):
            self.fault("end/at", "end_before_start")

    def check_source(self, stages: list[Stage], names: Mapping[str, int]) -> None:
        """Check the source of a later stage. `names` has the earlier stages by name."""
        source = self.stage.get("from")
        if source is None:
            if self.index and self.stage and not self.is_given("from"):
                self.fault("", "from_missing", known=", ".join(names))
            return
        if not self.index:
            self.fault("from", "from_first")
            return
        if self.is_given("from/places") == self.is_given("from/advance"):
            self.fault("from", "from_what")
        wanted = source.get("stage")
        if wanted is None:
            return
        if wanted not in names:
            later = {str(stage.get("name")) for stage in stages[self.index :]}
            is_own = wanted == self.stage.get("name")
            kind = "from_itself" if is_own else "from_later" if wanted in later else "from_unknown"
            self.fault("from/stage", kind, stage=wanted, known=", ".join(names))
            return
        self._check_places(source, stages[names[wanted]])

    def _check_places(self, source: Mapping[str, Any], earlier: Stage) -> None:
        """Check which entrants of an earlier stage the source takes."""
        wanted = source["stage"]
        if source.get("each") and not earlier.get("sections"):
            self.fault("from/each", "no_sections", stage=wanted)
        if "advance" in source and earlier.get("format") in ONE_ROUND:
            self.fault("from/advance", "no_tables", stage=wanted)
        elif isinstance(earlier.get("seats"), int) and source.get("advance", 0) >= earlier["seats"]:
            self.fault("from/advance", "advance_all", seats=earlier["seats"], most=earlier["seats"] - 1)
        if "places" in source:
            first, last = read_places(source["places"])
            if last > MOST_ENTRANTS:
                self.fault("from/places", "places_too_many", most=MOST_ENTRANTS)
            elif first == last and not source.get("each"):
                self.fault("from/places", "one_place", right=f"{first}-{first + 3}")

    def limit(self) -> tuple[int, str, dict[str, object]]:
        """Return how many entrants the stage can take, and the fault for more."""
        stage = self.stage
        if self.format == SWISS and stage.get("system") == DUTCH:
            return MOST_DUTCH, "dutch_most", {"most": MOST_DUTCH}
        if self.format == ROUND_ROBIN and not stage.get("sections"):
            cycles = stage.get("cycles", 1)
            all_at_once = (stage.get("start") or {}).get("all")
            most_open = self.reading.context.most_open if all_at_once else MOST_ENTRANTS
            fitting = (
                entrants
                for entrants in range(2, MOST_ROUNDS + 2)
                if count_rounds(entrants, cycles) <= MOST_ROUNDS and (entrants - 1) * cycles <= most_open
            )
            most = max(fitting, default=2)
            return most, "robin_most", {"most": most, "rounds": MOST_ROUNDS}
        return MOST_ENTRANTS, "places_too_many", {"most": MOST_ENTRANTS}

    def check_at_once(self) -> None:
        """Refuse more open matches than a player may have, and more rounds than a stage may have."""
        stage, most = self.stage, self.reading.context.most_open
        if self.format == LADDER and isinstance(stage.get("at_once"), int) and 2 * stage["at_once"] > most:
            self.fault("at_once", "too_many_at_once", matches=2 * stage["at_once"], most=most)
        size, cycles = (stage.get("sections") or {}).get("size"), stage.get("cycles")
        if self.format != ROUND_ROBIN or not isinstance(size, int) or not isinstance(cycles, int):
            return
        rounds, matches = count_rounds(size, cycles), (size - 1) * cycles
        if rounds > MOST_ROUNDS:
            self.fault("sections/size", "section_rounds", rounds=rounds, most=MOST_ROUNDS)
        if (stage.get("start") or {}).get("all") and matches > most:
            self.fault("start/all", "too_many_at_once", matches=matches, most=most)


def _check_order_of_stages(reading: DocumentReading, stages: list[Stage]) -> None:
    """Refuse a stage that begins before the one that it follows."""
    before = None
    for index, stage in enumerate(stages):
        first = (stage.get("start") or {}).get("first")
        if not isinstance(first, str) or "-" not in first:
            continue
        moment = read_utc(first)
        if before is not None and moment <= before:
            reading.add_fault(f"/stages/{index}/start/first", "stage_too_soon", name=stages[index - 1].get("name", ""))
        before = moment


def check_capacity(reading: DocumentReading) -> None:
    """Check that the entrants fit into the first stage, and qualifiers into the later ones. Fill in `most`."""
    entry = reading.data.get("entry")
    if not isinstance(entry, dict):
        return
    for index, stage in enumerate(reading.data["stages"]):
        if stage.get("format") not in FORMATS:
            continue
        checks = _StageChecks(reading, index, stage)
        limit, kind, values = checks.limit()
        source = stage.get("from") or {}
        if index == 0:
            if entry.get("most") is None and not reading.is_given("/entry/most"):
                entry["most"] = max(limit, entry.get("least") or 2)
            if isinstance(entry.get("most"), int) and entry["most"] > limit:
                reading.add_fault("/entry/most" if reading.is_given("/entry/most") else "/entry", kind, **values)
            _check_least(reading, checks, entry)
        elif "places" in source and not source.get("each"):
            first, last = read_places(source["places"])
            if last - first + 1 > limit:
                checks.fault("from/places", kind, **values)
        checks.check_at_once()


def _check_least(reading: DocumentReading, checks: _StageChecks, entry: dict[str, Any]) -> None:
    least, most, seats = entry.get("least"), entry.get("most"), checks.seats
    if not isinstance(least, int):
        return
    if isinstance(most, int) and least > most:
        reading.add_fault("/entry/least", "least_over_most", most=most)
    if checks.format != PODS or seats is None or seats <= TWO_SEATS:
        return
    # Pods must be able to begin with the fewest entrants, so these must fill their tables without byes.
    fitting = next(number for number in range(least, least + 3 * seats) if table_sizes(number, seats)[2] == 0)
    if fitting != least:
        if reading.is_given("/entry/least"):
            reading.add_fault("/entry/least", "least_not_seated", least=least, seats=seats, right=fitting)
        else:
            entry["least"] = fitting


def check_entry_of_stages(reading: DocumentReading) -> None:
    """Check the rules of entry that depend on rounds and formats."""
    stages, entry = reading.data["stages"], reading.data.get("entry")
    if not isinstance(entry, dict) or not stages:
        return
    formats = [stage.get("format") for stage in stages]
    first, rounds = formats[0], stages[0].get("rounds")
    if entry.get("closes") == WITH_END and first not in {*ONE_ROUND, None}:
        reading.add_fault("/entry/closes", "closes_with_end", format=first)
    if entry.get("withdrawn") == "cancel-if-under-half" and ROUND_ROBIN not in formats and None not in formats:
        reading.add_fault("/entry/withdrawn", "cancel_without_robin")
    late = entry.get("late")
    if isinstance(late, dict) and first is not None:
        if first not in LATE_ENTRY:
            reading.add_fault("/entry/late", "late_of_format", format=first)
        elif isinstance(rounds, int) and (late.get("until_round") or 1) > rounds:
            reading.add_fault("/entry/late/until_round", "late_after_end", rounds=rounds)
    _note_useless_keys(reading, formats)


def _note_useless_keys(reading: DocumentReading, formats: list[str | None]) -> None:
    """Add a note for keys that have no effect with these formats."""
    data = reading.data
    if data.get("rated"):
        if DUPLICATE in formats or SAME_DEAL in formats:
            reading.add_note("/rated", "never_rated")
        elif any(stage.get("bots") for stage in data["stages"]):
            reading.add_note("/rated", "bots_not_rated")
    pairs_only = all(stage.get("seats") == TWO_SEATS for stage in data["stages"])
    if pairs_only and reading.is_given("/late_seat") and data.get("late_seat") not in {"forfeit", None}:
        reading.add_note("/late_seat", "always_forfeit")
