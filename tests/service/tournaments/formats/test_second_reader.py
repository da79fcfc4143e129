"""Two programs, one tournament: what a second reader makes of an export is what the service made of it."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

from engine.words import Locale
from service.tournaments.formats.tournament_log import read_tournament_export
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.views.derivations import explain_rank
from service.tournaments.views.place_reasons import explain_places
from tests.service.tournaments.formats.test_verify import CUP, changed, cup, first_pair
from tests.support import second_tournament_reader
from tests.support.second_tournament_reader import ReaderFault, read_tournament

PLACE = re.compile(r"(\d+)(?:st|nd|rd|th|er|e)\b")


def test_the_second_reader_knows_nothing_of_the_first() -> None:
    tree = ast.parse(Path(second_tournament_reader.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in imported if name.split(".")[0] in {"engine", "service", "worker", "cli", "tests"}]


def test_both_programs_find_the_same_draws_seats_seeds_points_and_standings() -> None:
    data = cup().export()
    report, second = verify_tournament(data), read_tournament(data)
    assert second.holders == dict(report.holders)
    assert second.seeds() == dict(report.seeds)
    (ranking,) = report.rankings["pods"]
    first = [(line.rank, line.number, line.points, line.values) for line in ranking.standings]
    assert first == second.standings("pods")
    assert {line.number: list(line.by_round) for line in ranking.standings} == second.points("pods")
    for name in ("quarter", "final"):
        assert {number: place for place, number in report.places[name]} == second.knockout_places(name)
    assert second.repeats == 0
    assert len(second.stages["quarter"].members) == 16
    assert sum(line.startswith("withdraw ") for _, line in cup().lines) == 6
    assert sum(line.count(":substitute") for _, line in cup().lines) >= 2
    assert sum(line.startswith("ruling ") for _, line in cup().lines) == 3


@pytest.mark.parametrize("round_name", ["pods:1", "pods:4", "quarter:1", "final:1"])
def test_the_second_reader_finds_exchanged_seats_too(round_name: str) -> None:
    words = first_pair(round_name)
    with pytest.raises(ReaderFault, match="seats of"):
        read_tournament(changed(f"{words[4]} {words[5]}", f"{words[5]} {words[4]}", " ".join(words)))


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_why_of_every_line_adds_up_without_the_log(locale: Locale) -> None:
    data = cup().export()
    export = read_tournament_export(data)
    state = TournamentState.read(export.header, export.documents, export.entries)
    names = {number: f"Player-{chr(64 + number // 26 + 1)}{chr(65 + number % 26)}" for number in state.holders}
    (ranking,) = verify_tournament(data).rankings["pods"]
    for line in ranking.standings:
        reason = explain_rank(ranking, line.number, names, locale)
        assert PLACE.match(reason.summary), reason.summary
        assert int(PLACE.match(reason.summary)[1]) == line.rank  # type: ignore[index]
        check_sums(reason.details, locale)
    for stage in ("quarter", "final"):
        members = state.stages[stage].entrants
        found = explain_places(state, stage, members, names, locale)
        places = sorted(int(PLACE.match(each.summary)[1]) for each in found.values())  # type: ignore[index]
        assert len(found) == len(members)
        for each in found.values():
            place = int(PLACE.match(each.summary)[1])  # type: ignore[index]
            further = re.search(r": (\d+) ", each.summary)
            ahead = int(further[1]) if further else 1
            assert place == ahead + 1 == 1 + sum(other < place for other in places), each.summary
            assert f"{len(members)}." in each.details[0]
            assert len(each.details) == 2


def check_sums(details: tuple[str, ...], locale: Locale) -> None:
    """Read every sentence with a sum or a mean, and add it up again."""
    seen = 0
    for detail in details:
        numbers = [number_of(text) for text in re.findall(r"(?<![\w-])\d+(?:[.,]\d+)?(?= \()", detail)]
        label, _, rest = detail.partition("=" if "=" in detail else ":")
        if not numbers or " + " not in rest:
            continue
        said = re.search(r"\d+(?:[.,]\d+)?", label)
        assert said is not None, detail
        assert number_of(said[0]) == sum(numbers), (locale, detail)
        seen += 1
    assert seen >= 1, details


def number_of(text: str) -> Fraction:
    """A number as either language writes it."""
    return Fraction(text.replace(",", "."))


def test_the_cup_is_the_one_of_the_rules() -> None:
    assert [stage["format"] for stage in CUP["stages"]] == ["pods", "knockout", "knockout"]
