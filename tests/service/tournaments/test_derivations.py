"""Reasons in words: sentences name what separates tied entrants, and their numbers add up."""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, Decimal
from itertools import count

import pytest

from engine.words import LOCALES, Locale
from service.tournaments.formats import tiebreaks, verify
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.points import UNIT, PlacePoints, Scoring
from service.tournaments.formats.tiebreaks import FIDE_CODES, POD_TIES, Ranking, Standing, TieRules, TieValue
from service.tournaments.views import derivations
from tests.service.tournaments.formats import fide_events
from tests.service.tournaments.formats.fide_events import read_event
from tests.service.tournaments.formats.test_verify import cup

CHESS = Scoring()
PODS = Scoring(PlacePoints((6 * UNIT, 4 * UNIT, 2 * UNIT, 0), (6 * UNIT, 3 * UNIT, 0)), 4, None)
PEOPLE = ("Aoife", "Brigid", "Conall", "Deirdre", "Eithne", "Fionn", "Grainne", "Ide")
NAMES = dict(zip(count(1), PEOPLE))
ALL_TIES = tuple(FIDE_CODES)
NUMBER = r"\d+(?:[.,]\d+)?"


def name_all(ranking: Ranking) -> dict[int, str]:
    """Return a name without digits for each number."""
    letters = str.maketrans("0123456789", "abcdefghij")
    return {line.number: f"P{line.number}".translate(letters) for line in ranking.standings}


def read_decimals(text: str, locale: Locale) -> list[Decimal]:
    """Return the numbers before each bracket."""
    found = re.findall(r"(−?[\d.,]+) \(", text)
    return [Decimal(each.replace(",", ".").replace("−", "-") if locale == "fr" else each) for each in found]


def check_details(ranking: Ranking, locale: Locale) -> int:
    """Add up every detail of every line as a reader would. Return how many there were."""
    everybody, added = name_all(ranking), 0
    for line in ranking.standings:
        names = {number: everybody[number] for number in derivations.find_named(ranking, line.number)}
        values = {tie.name: tie for tie in ranking.explain(line.number)}
        reason = derivations.explain_rank(ranking, line.number, names, locale)
        labels = {derivations.name_tie(name, locale): name for name in values}
        for detail in reason.details:
            clean = detail.replace("\u00a0", " ").replace("\u202f", " ")
            head, _, rest = clean.partition(":") if ":" in clean else clean.partition(", ")
            label = max((each for each in labels if head.strip().startswith(f"{each} ")), key=len, default=None)
            left_out = "Left out" if locale == "en" else "Laissé de côté"
            parts = read_decimals(rest.split(left_out)[0], locale)
            if label is None:
                total = line.points if head.strip().split(" ")[0][0].isdigit() else None
                assert total is None or sum(parts) * UNIT == total, detail
                added += total is not None
                continue
            shown = Decimal(head.removeprefix(f"{label} ").split(" ")[0].replace(",", "."))
            assert shown * UNIT == values[labels[label]].value, detail
            if labels[label] == "opposition":
                parts = read_decimals(clean, locale)
                assert not parts or sum(parts) * UNIT // len(parts) == values["opposition"].value
            elif labels[label] in {"wins", "won", "elected", "firsts", "seconds"}:
                assert len(re.findall("round|ronde", rest)) * UNIT == values[labels[label]].value, detail
            else:
                assert sum(parts) * UNIT == values[labels[label]].value, detail
            added += 1
    return added


def read_reasons(ranking: Ranking, locale: Locale) -> dict[str, list[str]]:
    """Return the summary and details of every line by name, with plain spaces."""
    names = name_all(ranking)
    found = {}
    for line in ranking.standings:
        reason = derivations.explain_rank(ranking, line.number, names, locale)
        said = [reason.summary, *reason.details]
        found[names[line.number]] = [each.replace("\u00a0", " ").replace("\u202f", " ") for each in said]
    return found


def read_detail(details: list[str], label: str) -> str:
    """Return the sentence about one value without its label, or an empty string."""
    return next((each.removeprefix(label) for each in details[1:] if each.startswith(f"{label} ")), "")


def as_decimal(text: str) -> Decimal:
    """Parse a number in either language."""
    return Decimal(text.replace(",", ".").replace("−", "-"))


def round_down(value: Decimal) -> Decimal:
    """Round a mean down to four digits, as shown."""
    return value.quantize(Decimal(1) / UNIT, ROUND_FLOOR)


def check_means(ranking: Ranking, locale: Locale) -> int:
    """Recompute every mean from the sentences about the opponents. Return how many there were."""
    reasons, checked = read_reasons(ranking, locale), 0
    share, opposition = (derivations.name_tie(name, locale) for name in ("share", "opposition"))
    word = {"en": "round", "fr": "ronde"}[locale]
    means = {}
    for name, said in reasons.items():
        made = {number: as_decimal(points) for points, number in re.findall(rf"({NUMBER}) \({word} (\d+)\)", said[1])}
        tables = re.findall(rf"{word} (\d+)", read_detail(said, share))
        means[name] = round_down(sum((made[each] for each in tables), Decimal()) / len(tables)) if tables else Decimal()
    for said in reasons.values():
        value, *_ = re.findall(NUMBER, read_detail(said, opposition))
        parts = re.findall(rf"({NUMBER}) \({word} \d+, (\w+)\)", read_detail(said, opposition))
        for mean, rival in parts:
            assert as_decimal(mean) == means[rival], (rival, said)
        if parts:
            assert as_decimal(value) == round_down(sum((means[one] for _, one in parts), Decimal()) / len(parts)), said
        checked += len(parts)
    return checked


def check_summaries(ranking: Ranking, locale: Locale) -> int:
    """Compare each summary with the details of both entrants. Return how many there were."""
    reasons, checked = read_reasons(ranking, locale), 0
    against, level = {"en": ("against", "level with"), "fr": ("contre", "comme")}[locale]
    for said in reasons.values():
        level_on_points = re.search(rf", {level} ([^.]+)\.", said[0])
        for label, own, other in re.findall(rf"\. ([^.:;\d]+?) ({NUMBER}) {against} ({NUMBER})", said[0]):
            assert level_on_points is not None, said
            rivals = re.findall(r"\bP[a-j]+\b", level_on_points.group(1))
            mine, *theirs = (
                re.findall(NUMBER, read_detail(each, label)) for each in (said, *map(reasons.__getitem__, rivals))
            )
            if label == derivations.name_tie("direct", locale):
                continue
            assert as_decimal(own) == as_decimal(mine[0]), said
            assert as_decimal(other) in {as_decimal(each[0]) for each in theirs}, said
            checked += 1
    return checked


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("event", ["DUTCH_7", "DUTCH_40", "HELD_SWISS"])
def test_the_details_of_a_swiss_add_up_when_read_alone(event: str, locale: Locale) -> None:
    held = read_event(getattr(fide_events, event))
    ranking = tiebreaks.rank_entrants(CHESS, held.rounds, held.numbers, TieRules(ALL_TIES), lots=held.numbers)
    assert check_details(ranking, locale) >= 9 * len(held.numbers)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_details_of_a_round_robin_add_up_when_read_alone(locale: Locale) -> None:
    held = read_event(fide_events.HELD_ROUND_ROBIN)
    ranking = tiebreaks.rank_entrants(Scoring(bye=0), held.rounds, held.numbers, TieRules(ALL_TIES, robin=True))
    assert check_details(ranking, locale) >= 9 * len(held.numbers)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_details_of_a_cup_of_pods_add_up_when_read_alone(locale: Locale) -> None:
    for ranking in verify.verify_tournament(cup().export()).rankings["pods"]:
        assert check_details(ranking, locale) >= 5 * len(ranking.standings)
        assert check_means(ranking, locale) >= 8 * len(ranking.standings)
        assert check_summaries(ranking, locale) >= 5


@pytest.mark.parametrize("locale", LOCALES)
def test_means_add_up_with_byes_and_rounds_that_were_missed(locale: Locale) -> None:
    tables = [(1, 2, 3, 4), (1, 5, 2, 3), (4, 5, 1, 2), (3, 4, 5, 1)]
    rounds = [
        StageRound(
            number, (Pairing(people, rank_scores([9, 5, 3, number])), Pairing(tuple({*range(1, 6)} - {*people})))
        )
        for number, people in enumerate(tables, 1)
    ]
    rounds[2] = StageRound(3, rounds[2].pairings[:1], frozenset({3}))
    rounds[3] = StageRound(4, rounds[3].pairings[:1])
    ranking = tiebreaks.rank_entrants(PODS, rounds, range(1, 6), TieRules(POD_TIES), lots=range(1, 6))
    assert check_means(ranking, locale) == 4 * 4 * 3
    assert check_details(ranking, locale) >= 5 * 5


def test_the_summary_says_what_parted_two_with_as_many_points() -> None:
    ties = ("firsts", "opposition")
    fourth = Standing(1, 4, 9 * UNIT, (), ties, (UNIT, 32500))
    fifth = Standing(2, 5, 9 * UNIT, (), ties, (UNIT, 28000))
    values = (TieValue("firsts", UNIT, (), (1, 2)), TieValue("opposition", 32500, (), (1, 2)))
    said = {
        locale: derivations.explain_values({1: fourth, 2: fifth}, fourth, values, NAMES, locale).summary
        for locale in LOCALES
    }
    assert said["en"] == "4th: 9 points, level with Brigid. Firsts: 1 each. Opposition 3.25 against 2.80."
    assert said["fr"].replace("\u00a0", " ") == (
        "4e : 9 points, comme Brigid. Premières places : 1 chacun. Adversité 3,25 contre 2,80."
    )


def test_several_who_are_tied_are_named_each_with_their_value() -> None:
    rounds = [
        StageRound(1, (Pairing((1, 3, 4, 5), rank_scores([40, 30, 20, 10])),)),
        StageRound(2, (Pairing((2, 6, 7, 8), rank_scores([40, 30, 20, 10])),)),
        StageRound(3, (Pairing((3, 4, 5, 6), rank_scores([40, 30, 20, 10])),)),
    ]
    ranking = tiebreaks.rank_entrants(PODS, rounds, range(1, 9), TieRules(POD_TIES))
    assert derivations.explain_rank(ranking, 1, NAMES, "en").summary == (
        "2nd: 6 points, level with Brigid and Deirdre. Firsts 1; Brigid 1, Deirdre 0. Seconds: 0 each. "
        "Opposition 3.0000 against 1.3333."
    )
    assert derivations.explain_rank(ranking, 3, NAMES, "en").summary == "1st: 10 points."


def test_direct_encounters_are_places_with_two_seats_and_points_at_common_tables() -> None:
    two = [
        StageRound(1, (Pairing((1, 2), rank_scores([0, 1])),)),
        StageRound(2, (Pairing((1, 3), rank_scores([1, 0])),)),
    ]
    pair = tiebreaks.rank_entrants(CHESS, two, [1, 2, 3], TieRules(("direct",)))
    won = derivations.explain_rank(pair, 2, NAMES, "en")
    assert won.summary == "1st: 1 point, level with Aoife. Direct encounter: 1st among them; Aoife 2nd."
    assert won.details[1:] == ("Direct encounter: 1 (round 1, Aoife).",)
    pods = [
        StageRound(1, (Pairing((1, 2, 3, 4), rank_scores([9, 5, 1, 0])),)),
        StageRound(2, (Pairing((2, 5, 6, 7), rank_scores([9, 5, 1, 0])),)),
        StageRound(3, (Pairing((1, 8, 3, 4), rank_scores([5, 9, 1, 0])),)),
    ]
    table = tiebreaks.rank_entrants(PODS, pods, range(1, 9), TieRules(("direct",)))
    assert (
        derivations.explain_rank(table, 2, NAMES, "en").summary
        == "2nd: 10 points, level with Aoife. Direct encounter 4 against 6."
    )


def test_lots_are_told_and_without_them_the_rank_is_shared() -> None:
    rounds = [StageRound(1, (Pairing((1, 2), rank_scores([0, 0])), Pairing((3, 4), rank_scores([0, 0]))))]
    shared = tiebreaks.rank_entrants(CHESS, rounds, range(1, 5), TieRules(("wins", "lots")))
    assert derivations.explain_rank(shared, 3, NAMES, "en").summary == (
        "1st: 0.5 points, level with Aoife, Brigid and Deirdre. Wins: 0 each. Lots: not drawn yet. "
        "Still level after all tie-breaks, so the rank is shared with Aoife, Brigid and Deirdre."
    )
    drawn = tiebreaks.rank_entrants(CHESS, rounds, range(1, 5), TieRules(("lots",)), lots=[4, 2, 3, 1])
    assert derivations.explain_rank(drawn, 3, NAMES, "fr").summary.replace("\u00a0", " ") == (
        "3e : 0,5 point, comme Deirdre, Brigid et Aoife. Tirage au sort : tiré 3e ; Deirdre 1er ; Brigid 2e ; Aoife 4e."
    )


def test_a_large_tie_is_told_by_numbers_and_byes_and_forfeits_by_what_they_were() -> None:
    came = rank_scores([1, 0], [How.PLAYED, How.FORFEIT])
    rounds = [
        StageRound(1, (Pairing((1, 2), rank_scores([1, 0])), Pairing((3, 4), came), Pairing((5,))), frozenset({6})),
        StageRound(2, (Pairing((6, 5), rank_scores([0, 1])), Pairing((2, 1), rank_scores([1, 0])))),
    ]
    ranking = tiebreaks.rank_entrants(CHESS, rounds, range(1, 7), TieRules(("buchholz",)))
    _, buchholz = derivations.explain_rank(ranking, 4, NAMES, "en").details
    assert buchholz == (
        "Buchholz 0: 0 (round 1, forfeited to Conall) as if against a dummy "
        "+ 0 (round 2, missed) as if against a dummy."
    )
    _, buchholz = derivations.explain_rank(ranking, 5, NAMES, "en").details
    assert buchholz == "Buchholz 1.5: 1 (round 1, bye) as if against a dummy + 0.5 (round 2, Fionn)."
    everybody = tiebreaks.rank_entrants(CHESS, rounds[:0], range(1, 9), TieRules(("wins",)))
    assert derivations.explain_rank(everybody, 1, NAMES, "en").summary == (
        "1st: 0 points, level with 7 others. Wins: 0 each. "
        "Still level after all tie-breaks, so the rank is shared with 7 others."
    )
