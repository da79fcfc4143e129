"""Reasons for a rank in sentences: "4th: 9 points, as Brigid. Firsts: 1 each. Opposition 3.25 …".

`explain_rank` puts into words what `Ranking.explain` gives as data: a summary of what separates the entrant from those
with as many points, and the parts of every value, so that a reader can add it up without the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.words import Locale
from service.i18n.catalogue import join_items, translate
from service.tournaments.formats.crosstable import Number
from service.tournaments.formats.fide_ties import NOBODY, RoundKind, TiePart
from service.tournaments.formats.points import UNIT, show_points
from service.tournaments.formats.tiebreaks import DIRECT, LOTS, Ranking, Standing, TieValue

MOST_NAMES = 4
"""Maximum number of others who are named one by one. More are only counted."""
_MEANS = frozenset({"opposition"})
_FROM_OPPONENTS = frozenset({"buchholz", "buchholz-cut-1", "sonneborn-berger", "sonneborn-berger-cut-1"})
_COUNTS = frozenset({"wins", "won", "elected", "firsts", "seconds"})
_TEENS = range(10, 20)


@dataclass(frozen=True, slots=True)
class RankReason:
    """The reason for a rank: a summary, and a sentence on the parts of each value."""

    summary: str
    details: tuple[str, ...]


def format_place(place: int, locale: Locale) -> str:
    """Return a place as people write it: 1st, 2nd, 11th; 1er, 2e."""
    if locale == "fr":
        return "1er" if place == 1 else f"{place}e"
    ending = "th" if place % 100 in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def format_units(units: int, locale: Locale, digits: int = 0) -> str:
    """Return points as people write them in a language, with at least `digits` decimals."""
    text = show_points(units, digits).replace("-", "−")
    return text.replace(".", ",") if locale == "fr" else text


def format_points(units: int, locale: Locale) -> str:
    """Return points with the word: 1 point, 2.5 points."""
    single = 0 < units < 2 * UNIT if locale == "fr" else units == UNIT
    return translate(locale, "derivations.points", count=1 if single else 2, points=format_units(units, locale))


def name_tie(name: str, locale: Locale) -> str:
    """Return the name of a tie-break."""
    return translate(locale, f"derivations.tie.{name}")


def explain_rank(ranking: Ranking, number: Number, names: Mapping[Number, str], locale: Locale) -> RankReason:
    """Explain the rank of an entrant; `names` are those of all entrants by number."""
    lines = {line.number: line for line in ranking.standings}
    return explain_values(lines, lines[number], ranking.explain(number), names, locale)


def find_named(ranking: Ranking, number: Number) -> set[Number]:
    """Return the numbers of everybody whom the sentences about an entrant may name."""
    line = next(each for each in ranking.standings if each.number == number)
    values = ranking.explain(number)
    groups: list[Sequence[Number]] = [value.tied for value in values]
    groups.append([one.number for one in ranking.standings if one.points == line.points])
    groups.append([one.number for one in ranking.standings if one.rank == line.rank])
    tied = {one for group in groups if len(group) <= MOST_NAMES + 1 for one in group}
    opponents = {part.opponent for value in values for part in value.parts}
    return ({number} | tied | opponents) - {NOBODY}


def explain_values(
    lines: Mapping[Number, Standing],
    line: Standing,
    values: Sequence[TieValue],
    names: Mapping[Number, str],
    locale: Locale,
) -> RankReason:
    """Explain the rank of a line of the standings; `lines` are those of all entrants by number."""
    writer = _ReasonWriter(names, locale)
    level = [one.number for one in lines.values() if one.points == line.points and one.number != line.number]
    shared = [one.number for one in lines.values() if one.rank == line.rank and one.number != line.number]
    place, points = format_place(line.rank, locale), format_points(line.points, locale)
    key = "level" if level else "alone"
    said = [writer.say(key, place=place, points=points, others=writer.name_people(level))]
    for at, value in enumerate(values):
        others = {one: lines[one].tie_values[at] for one in value.tied if one != line.number}
        if others:
            said.append(writer.compare(value, others))
    if shared:
        said.append(writer.say("shared", others=writer.name_people(shared)))
    details = [writer.add_up_points(line), *map(writer.describe_parts, values)]
    return RankReason(" ".join(said), tuple(detail for detail in details if detail))


@dataclass(frozen=True)
class _ReasonWriter:
    """Writes the sentences of a reason."""

    names: Mapping[Number, str]
    locale: Locale

    def say(self, key: str, **values: object) -> str:
        return translate(self.locale, f"derivations.{key}", **values)

    def format(self, units: int) -> str:
        return format_units(units, self.locale)

    def name_people(self, people: Sequence[Number]) -> str:
        if len(people) > MOST_NAMES:
            return self.say("others", count=len(people))
        return join_items(self.locale, [self.names[one] for one in people], "derivations.and")

    def compare(self, value: TieValue, others: Mapping[Number, int]) -> str:
        """Compare a tie-break of the entrant with those who were still tied at that point."""
        if value.is_place:
            return self._compare_places(value, others)
        label, show = name_tie(value.name, self.locale), self._equal_digits((value.value, *others.values()))
        own = show(value.value)
        if all(other == value.value for other in others.values()):
            return self.say("equal", label=label, value=own)
        if len(others) == 1:
            return self.say("against", label=label, value=own, other=show(*others.values()))
        if len(others) > MOST_NAMES:
            parts = self._count_others(value.value, list(others.values()), show)
        else:
            ranked = sorted(others.items(), key=lambda each: (-each[1], each[0]))
            parts = [self.say("of", name=self.names[one], value=show(other)) for one, other in ranked]
        return self.say("among", label=label, value=own, others=self._list_values(parts))

    def _list_values(self, values: Sequence[str]) -> str:
        """Join values. The separator is not a comma where numbers contain one."""
        return self.say("separator").join(values)

    def _count_others(self, own: int, others: Sequence[int], show: Callable[[int], str]) -> list[str]:
        """Say how many have more, as much and less, with the nearest values."""
        more, less = [other for other in others if other > own], [other for other in others if other < own]
        same = len(others) - len(more) - len(less)
        parts = [self.say("more", count=len(more), value=show(min(more)))] if more else []
        parts += [self.say("same", count=same)] if same else []
        return [*parts, self.say("less", count=len(less), value=show(max(less)))] if less else parts

    def _compare_places(self, value: TieValue, others: Mapping[Number, int]) -> str:
        """Compare lots, or direct encounters of two players. These are places, where less is better."""
        if all(other == value.value for other in others.values()):
            return self.say(f"{value.name}.equal")
        place = format_place(value.value // UNIT, self.locale)
        if len(others) > MOST_NAMES:
            return self.say(f"{value.name}.many", place=place, count=len(others) + 1)
        ranked = sorted(others.items(), key=lambda each: (each[1], each[0]))
        parts = [
            self.say("of", name=self.names[one], value=format_place(other // UNIT, self.locale))
            for one, other in ranked
        ]
        return self.say(f"{value.name}.few", place=place, others=self._list_values(parts))

    def _equal_digits(self, values: Sequence[int]) -> Callable[[int], str]:
        """Return a function that writes these values with equally many decimals."""
        digits = max(len(show_points(value).partition(".")[2]) for value in values)
        return lambda value: format_units(value, self.locale, digits)

    def add_up_points(self, line: Standing) -> str:
        """Write the points of a line as a sum over its rounds; empty without rounds."""
        if not line.by_round:
            return ""
        rounds = enumerate(line.by_round, 1)
        parts = [self.say("part.round", value=self.format(points), round=number) for number, points in rounds]
        return self.say("sum", label=format_points(line.points, self.locale), parts=" + ".join(parts))

    def describe_parts(self, value: TieValue) -> str:
        """Describe the parts of a value; empty for lots, and for direct encounters that did not happen."""
        if value.name == LOTS:
            return ""
        label, total = name_tie(value.name, self.locale), self.format(value.value)
        kept = [self._describe_part(value.name, part) for part in value.parts if not part.cut]
        cut = [self._describe_part(value.name, part) for part in value.parts if part.cut]
        if value.name == DIRECT:
            return self.say("sum", label=label, parts=", ".join(kept)) if kept else ""
        if not value.parts:
            return self.say("none", label=label, value=total)
        if value.name in _MEANS | _COUNTS:
            key = "mean" if value.name in _MEANS else "count"
            return self.say(key, label=label, value=total, parts=", ".join(kept))
        text = self.say("total", label=label, value=total, parts=" + ".join(kept) or "0")
        return f"{text} {self.say('cut', parts=', '.join(cut))}" if cut else text

    def _describe_part(self, name: str, part: TiePart) -> str:
        """Describe one part: how much, from which round, against whom, and the kind of round."""
        if name in _COUNTS:
            kind = "round" if part.kind is RoundKind.PLAYED else part.kind
            return self.say(f"counted.{kind}", round=part.round)
        value = self.format(part.value)
        if part.opponent == NOBODY and part.kind in {RoundKind.PLAYED, RoundKind.OPEN}:
            return self.say("part.round", value=value, round=part.round)
        opponent = self.names.get(part.opponent, "")
        text = self.say(f"part.{part.kind}", value=value, round=part.round, opponent=opponent)
        if name in _FROM_OPPONENTS and part.kind is not RoundKind.PLAYED:
            return self.say("part.dummy", part=text)
        return text
