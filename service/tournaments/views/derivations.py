"""Why somebody stands where they stand, in sentences: "4th: 9 points, as Brigid. Firsts: 1 each. Opposition 3.25 …".

`explain_rank` puts into words what `Ranking.explain` gives as data: a summary of what parted the entrant from those
with as many points, and for every value what it was made of, so that a reader can add it up without the log.
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
"""How many others are named one by one; of more it is said how many have more, as much and less."""
_MEANS = frozenset({"opposition"})
_FROM_OPPONENTS = frozenset({"buchholz", "buchholz-cut-1", "sonneborn-berger", "sonneborn-berger-cut-1"})
_COUNTS = frozenset({"wins", "won", "elected", "firsts", "seconds"})
_TEENS = range(10, 20)


@dataclass(frozen=True, slots=True)
class RankReason:
    """Why an entrant has a rank: a summary, and a sentence for each value that says what it was made of."""

    summary: str
    details: tuple[str, ...]


def format_place(place: int, locale: Locale) -> str:
    """A place as people write it: 1st, 2nd, 11th; 1er, 2e."""
    if locale == "fr":
        return "1er" if place == 1 else f"{place}e"
    ending = "th" if place % 100 in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def format_units(units: int, locale: Locale, digits: int = 0) -> str:
    """Points as people of this language write them, with at least so many digits behind the point."""
    text = show_points(units, digits).replace("-", "−")
    return text.replace(".", ",") if locale == "fr" else text


def format_points(units: int, locale: Locale) -> str:
    """So many points, with the word: 1 point, 2.5 points."""
    single = 0 < units < 2 * UNIT if locale == "fr" else units == UNIT
    return translate(locale, "derivations.points", count=1 if single else 2, points=format_units(units, locale))


def name_tie(name: str, locale: Locale) -> str:
    """What a tie-break is called."""
    return translate(locale, f"derivations.tie.{name}")


def explain_rank(ranking: Ranking, number: Number, names: Mapping[Number, str], locale: Locale) -> RankReason:
    """Why this entrant has their rank; `names` are those of all entrants by their number."""
    lines = {line.number: line for line in ranking.standings}
    return explain_values(lines, lines[number], ranking.explain(number), names, locale)


def find_named(ranking: Ranking, number: Number) -> set[Number]:
    """Whom the sentences about an entrant name: themselves, those they were tied with if these are few, opponents."""
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
    """Why a line of the standings has its rank, from its values; `lines` are those of all entrants by their number."""
    level = [one for one in lines.values() if one.points == line.points and one.number != line.number]
    said = [_say_points(line, [one.number for one in level], names, locale)]
    for at, value in enumerate(values):
        others = {one: lines[one].tie_values[at] for one in value.tied if one != line.number}
        if others:
            said.append(_compare(value, others, names, locale))
    shared = [one.number for one in lines.values() if one.rank == line.rank and one.number != line.number]
    if shared:
        said.append(translate(locale, "derivations.shared", others=_name_people(shared, names, locale)))
    details = [_add_up_points(line, locale), *(_describe_parts(value, names, locale) for value in values)]
    return RankReason(" ".join(said), tuple(detail for detail in details if detail))


def _say_points(line: Standing, level: Sequence[Number], names: Mapping[Number, str], locale: Locale) -> str:
    place, points = format_place(line.rank, locale), format_points(line.points, locale)
    if not level:
        return translate(locale, "derivations.alone", place=place, points=points)
    return translate(locale, "derivations.level", place=place, points=points, others=_name_people(level, names, locale))


def _name_people(people: Sequence[Number], names: Mapping[Number, str], locale: Locale) -> str:
    if len(people) > MOST_NAMES:
        return translate(locale, "derivations.others", count=len(people))
    return join_items(locale, [names[one] for one in people], "derivations.and")


def _compare(value: TieValue, others: Mapping[Number, int], names: Mapping[Number, str], locale: Locale) -> str:
    """One tie-break of the entrant held against those who were tied then."""
    if value.is_place:
        return _compare_places(value, others, names, locale)
    label = name_tie(value.name, locale)
    show = _equal_digits((value.value, *others.values()), locale)
    if all(other == value.value for other in others.values()):
        return translate(locale, "derivations.equal", label=label, value=show(value.value))
    if len(others) == 1:
        ((_, other),) = others.items()
        return translate(locale, "derivations.against", label=label, value=show(value.value), other=show(other))
    if len(others) <= MOST_NAMES:
        rows = [
            translate(locale, "derivations.of", name=names[one], value=show(other))
            for one, other in sorted(others.items(), key=lambda each: (-each[1], each[0]))
        ]
        return translate(
            locale, "derivations.among", label=label, value=show(value.value), others=_list_values(rows, locale)
        )
    return _compare_with_many(label, value.value, list(others.values()), show, locale)


def _list_values(values: Sequence[str], locale: Locale) -> str:
    """Values one after the other; where the comma is part of numbers, something else stands between them."""
    return translate(locale, "derivations.separator").join(values)


def _compare_with_many(label: str, own: int, others: Sequence[int], show: Callable[[int], str], locale: Locale) -> str:
    more, less = [other for other in others if other > own], [other for other in others if other < own]
    found = []
    if more:
        found.append(translate(locale, "derivations.more", count=len(more), value=show(min(more))))
    if len(more) + len(less) < len(others):
        found.append(translate(locale, "derivations.same", count=len(others) - len(more) - len(less)))
    if less:
        found.append(translate(locale, "derivations.less", count=len(less), value=show(max(less))))
    return translate(locale, "derivations.among", label=label, value=show(own), others=_list_values(found, locale))


def _compare_places(value: TieValue, others: Mapping[Number, int], names: Mapping[Number, str], locale: Locale) -> str:
    """Lots, and direct encounters of matches for two: places among the tied, the smaller one first."""
    if all(other == value.value for other in others.values()):
        return translate(locale, f"derivations.{value.name}.equal")
    place = format_place(value.value // UNIT, locale)
    if len(others) > MOST_NAMES:
        return translate(locale, f"derivations.{value.name}.many", place=place, count=len(others) + 1)
    rows = [
        translate(locale, "derivations.of", name=names[one], value=format_place(other // UNIT, locale))
        for one, other in sorted(others.items(), key=lambda each: (each[1], each[0]))
    ]
    return translate(locale, f"derivations.{value.name}.few", place=place, others=_list_values(rows, locale))


def _equal_digits(values: Sequence[int], locale: Locale) -> Callable[[int], str]:
    """How to write these values: all with as many digits behind the point as the longest of them."""
    digits = max(len(show_points(value).partition(".")[2]) for value in values)
    return lambda value: format_units(value, locale, digits)


def _add_up_points(line: Standing, locale: Locale) -> str:
    if not line.by_round:
        return ""
    parts = [
        translate(locale, "derivations.part.round", value=format_units(points, locale), round=at)
        for at, points in enumerate(line.by_round, 1)
    ]
    total = format_points(line.points, locale)
    return translate(locale, "derivations.sum", label=total, parts=" + ".join(parts))


def _describe_parts(value: TieValue, names: Mapping[Number, str], locale: Locale) -> str:
    """What a value was made of; nothing for lots, and for encounters that there were none of."""
    if value.name == LOTS:
        return ""
    label = name_tie(value.name, locale)
    kept = [_describe_part(value.name, part, names, locale) for part in value.parts if not part.cut]
    cut = [_describe_part(value.name, part, names, locale) for part in value.parts if part.cut]
    total = format_units(value.value, locale)
    if value.name == DIRECT:
        return translate(locale, "derivations.sum", label=label, parts=", ".join(kept)) if kept else ""
    if not value.parts:
        return translate(locale, "derivations.none", label=label, value=total)
    if value.name in _MEANS:
        return translate(locale, "derivations.mean", label=label, value=total, parts=", ".join(kept))
    if value.name in _COUNTS:
        return translate(locale, "derivations.count", label=label, value=total, parts=", ".join(kept))
    text = translate(locale, "derivations.total", label=label, value=total, parts=" + ".join(kept) or "0")
    return text if not cut else f"{text} {translate(locale, 'derivations.cut', parts=', '.join(cut))}"


def _describe_part(name: str, part: TiePart, names: Mapping[Number, str], locale: Locale) -> str:
    """One contribution: how much, from which round, against whom, and what kind of round it was."""
    if name in _COUNTS:
        key = "derivations.counted.round" if part.kind is RoundKind.PLAYED else f"derivations.counted.{part.kind}"
        return translate(locale, key, round=part.round)
    value = format_units(part.value, locale)
    if part.opponent == NOBODY and part.kind in {RoundKind.PLAYED, RoundKind.OPEN}:
        return translate(locale, "derivations.part.round", value=value, round=part.round)
    opponent = names.get(part.opponent, "")
    text = translate(locale, f"derivations.part.{part.kind}", value=value, round=part.round, opponent=opponent)
    if name in _FROM_OPPONENTS and part.kind is not RoundKind.PLAYED:
        return translate(locale, "derivations.part.dummy", part=text)
    return text
