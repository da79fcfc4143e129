"""Documents of tournaments: the five kinds are read, defaults are written out, and the JSON Schema says the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import rfc8785
from jsonschema import Draft202012Validator

from service.i18n.catalogue import render
from service.timestamps import DAY, HOUR
from service.tournaments.documents.document import BadDocument, json_schema, load_document, read_document
from service.tournaments.documents.document_nodes import parse_nodes
from service.tournaments.documents.document_values import read_moment, write_moment
from service.tournaments.formats.rulesets import Ruleset
from service.tournaments.formats.stage_rules import FORMATS, read_stages
from service.tournaments.formats.tournament_log import hash_document
from tests.support.tournament_documents import (
    EXAMPLES,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
    document_context,
    read_text,
)

BARE = """\
tournament: bare-bones
game: keltis
entry: {opens: 2026-12-01T18:00, closes: 2027-01-08T18:00}
stages: [{name: only, format: FORMAT, start: {first: 2027-01-10T18:00}}]
"""
NEEDED = {
    "swiss": "rounds: 3",
    "pods": "rounds: 3, seats: 4",
    "duplicate": "rounds: 3, seats: 4",
    "same-deal": "bots: {1: steady}, end: {at_most: 7d}",
    "ladder": "end: {at_most: 52w}",
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_is_read_and_its_canonical_form_reads_as_itself(text: str) -> None:
    document = read_text(text)
    assert document.hash == hash_document(document.canonical)
    written = rfc8785.dumps(dict(document.canonical))
    assert read_document(written, document_context()).canonical == document.canonical
    assert load_document(json.loads(written)).stages == document.stages
    assert [plan.rules for plan in document.stages] == list(read_stages(document.canonical))


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_and_its_canonical_form_fit_the_json_schema(text: str) -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    root, faults = parse_nodes(text.encode())
    assert faults == []
    assert list(validator.iter_errors(root.plain())) == []
    assert list(validator.iter_errors(read_text(text).canonical)) == []
    assert list(validator.iter_errors({**root.plain(), "titel": "x"})) != []


def stated_defaults(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every default that a schema states: where, and what."""
    for name, inner in schema.get("properties", {}).items():
        if "default" in inner:
            yield (*path, name), inner["default"]
        yield from stated_defaults(inner, (*path, name))
    if "items" in schema:
        yield from stated_defaults(schema["items"], path)


def find_values(value: Any, path: tuple[str, ...]) -> list[Any]:  # noqa: ANN401  # any JSON
    """Return the values at a path, in every member of the lists on the way."""
    if isinstance(value, list) and path:
        return [found for each in value for found in find_values(each, path)]
    if not path:
        return [value]
    return find_values(value[path[0]], path[1:]) if path[0] in value else []


def test_the_reader_fills_in_each_default_that_the_json_schema_states() -> None:
    texts = [BARE.replace("FORMAT", ", ".join((name, *NEEDED.get(name, "").splitlines()))) for name in FORMATS]
    texts.append(BARE.replace("FORMAT", "round-robin, sections: {size: 4}, end: {at_most: 3w}"))
    late = "T18:00, rating: {from: 1}, late: {until_round: 2}}\nstages"
    texts.append(BARE.replace("FORMAT", "swiss, rounds: 3").replace("T18:00}\nstages", late))
    texts.append(SAME_DEAL.replace(", opens_before: 3d", "").replace(", then: as-it-stands", ""))
    stated = list(stated_defaults(json_schema()))
    assert len(stated) >= 30
    for path, default in stated:
        filled = []
        for text in texts:
            if not find_values(parse_nodes(text.encode())[0].plain(), path):
                filled += find_values(read_text(text).canonical, path)
        # Two people cannot sit down at pods of four, so that these have the smallest table as their default.
        assert filled, path
        assert {str(value) for value in filled} <= {str(default), *(["3"] if path == ("entry", "least") else [])}, path


def test_defaults_are_those_of_the_rules() -> None:
    document = read_text(BARE.replace("FORMAT", "round-robin"))
    canonical = document.canonical
    assert canonical["organisers"] == ["sorcha222222222c"]
    assert (document.zone, document.clock, document.moves, document.late_seat) == ("UTC", "standard", "any", "stand-in")
    assert (document.spectators, document.rated, document.review) == ("after-match", True, 0)
    assert (document.entry.by, document.entry.least, document.entry.programs) == ("open", 2, True)
    assert canonical["title"] == {"en": "bare-bones", "fr": "bare-bones"}
    assert canonical["stages"][0]["points"] == {"win": "1", "draw": "0.5"}
    assert document.beacon == "none"
    assert read_text(BARE.replace("FORMAT", "round-robin"), beacon_url_set=True).beacon == "drand-quicknet"
    assert document.leave is True
    assert read_text(BARE.replace("FORMAT", "round-robin") + "clock: tournament\n").leave is False
    assert document.listed is True
    assert (
        read_text(BARE.replace("FORMAT", "round-robin").replace("T18:00}\ns", "T18:00, by: invitation}\ns")).listed
        is False
    )
    assert document.entry.most == 30  # 31 would need 31 rounds
    ties = {plan: read_text(BARE.replace("FORMAT", f"{plan}, {NEEDED[plan]}")) for plan in ("swiss", "pods")}
    assert ties["swiss"].canonical["stages"][0]["ties"][0] == "buchholz-cut-1"
    assert ties["swiss"].canonical["stages"][0]["bye"]["points"] == "1"
    assert ties["swiss"].entry.most == 64
    assert ties["pods"].canonical["stages"][0]["ties"][:2] == ["firsts", "seconds"]
    assert ties["pods"].entry.least == 3  # two cannot fill a table of four, nor one of three


def test_a_document_says_what_it_says() -> None:
    swiss = read_text(SWISS)
    plan = swiss.stages[0]
    assert swiss.organisers == ("maeve2222222222a", "ronan2222222222b")
    assert swiss.taken["sorcha"] == ("sorcha222222222c", "Sorcha")
    assert plan.rules.avoid == {("maeve2222222222a", "sorcha222222222c")}
    assert (plan.start.first, plan.start.gap, plan.start.next_when_over) == (_ms("2027-01-17T18:00:00Z"), DAY, True)
    assert (plan.end.at_most, plan.end.then) == (28 * DAY, "adjudicate")
    assert swiss.entry.rating_from == 1100
    assert (swiss.entry.late_until, swiss.entry.late_bye, swiss.entry.reserves) == (2, "half", 36 * HOUR)
    assert swiss.pauses == ((_ms("2027-02-19T23:00:00Z"), _ms("2027-02-23T23:00:00Z")),)
    assert swiss.canonical["stages"][0]["points"] == {"win": "3", "draw": "1.5"}
    assert swiss.canonical["stages"][0]["bye"] == {"asked": "half", "most_asked": 2, "points": "3"}
    assert plan.options == {
        "marker": "fixed",
        "first": 0,
        "share": "per-player",
        "speedup": True,
        "free-default": "ask",
    }
    pods = read_text(PODS)
    assert [stage.rules.source and stage.rules.source.stage for stage in pods.stages] == [None, "tables", "semi"]
    assert pods.stages[0].start.every == 42 * DAY
    deal = read_text(SAME_DEAL)
    assert (deal.stages[0].seat, deal.stages[0].bots, deal.stages[0].options["balor"]) == (0, {1: "balor"}, "normal")
    assert deal.repeat is not None
    assert write_moment(deal.repeat.until) == "2027-10-31T12:59:59Z"
    assert (deal.entry.opens, deal.entry.closes, deal.stages[0].start.hour) == (None, None, "08:30")
    robin = read_text(ROUND_ROBIN)
    assert robin.stages[0].most_at_once(300) == 10
    assert robin.late_policy(robin.stages[0]) == "forfeit"
    ladder = read_text(LADDER)
    assert (ladder.stages[0].reach, ladder.stages[0].at_once, ladder.stages[0].most_at_once(100)) == (6, 2, 4)
    assert write_moment(ladder.stages[0].start.first or 0) == "2027-01-01T17:00:00Z"


def _ms(text: str) -> int:
    return read_moment(text, "UTC").at


def test_yes_and_true_mean_the_same_and_times_stay_text() -> None:
    for word in ("yes", "true", "Yes", "TRUE"):
        assert read_text(SWISS.replace("programs: no", f"programs: {word}")).entry.programs is True
    quoted = SWISS.replace("opens: 2026-12-05T19:00", 'opens: "2026-12-05 19:00:00"')
    assert read_text(quoted).canonical == read_text(SWISS).canonical
    with pytest.raises(BadDocument):
        read_text(SWISS.replace("programs: no", 'programs: "no"'))


def test_an_hour_that_the_zone_skips_or_doubles_is_said() -> None:
    at_night = ROUND_ROBIN.replace("closes: 2027-01-10T18:00", "closes: 2027-03-28T01:30").replace(
        "2027-01-20T18:00", "2027-03-30T18:00"
    )
    skipped = read_text(at_night)
    assert [note.path for note in skipped.notes] == ["/entry/closes"]
    assert skipped.notes[0].line == 6
    assert render(skipped.notes[0].text, "en").endswith("2027-03-28T01:30:00Z is used instead.")
    twice = read_text(ROUND_ROBIN.replace("2027-05-31T18:00", "2027-10-31T01:30"))
    assert render(twice.notes[0].text, "fr").endswith("2027-10-31T00:30:00Z.")
    assert read_text(ROUND_ROBIN.replace("2027-05-31T18:00", "2027-10-31T01:30Z")).notes == ()


def test_keys_without_effect_are_noted() -> None:
    text = ROUND_ROBIN.replace("spectators: now", "late_seat: stand-in")
    assert [note.text.key for note in read_text(text).notes] == ["tournament_document.always_forfeit"]
    rated = SAME_DEAL.replace("rated: no", "rated: yes")
    assert [note.text.key for note in read_text(rated).notes] == ["tournament_document.never_rated"]


def test_what_is_in_force_may_lie_in_the_past_and_keeps_its_defaults() -> None:
    first = read_text(ROUND_ROBIN, beacon_url_set=True)
    later = {"now": _ms("2027-02-01T00:00:00Z"), "applicant": "maeve2222222222a"}
    with pytest.raises(BadDocument):
        read_text(ROUND_ROBIN, **later)
    again = read_text(ROUND_ROBIN, find_in_force={"keltis-groups": first}.get, **later)
    assert again.canonical == first.canonical
    changed = ROUND_ROBIN.replace("closes: 2027-01-10T18:00", "closes: 2027-01-11T18:00")
    with pytest.raises(BadDocument) as refused:
        read_text(changed, find_in_force={"keltis-groups": first}.get, **later)
    assert [fault.path for fault in refused.value.faults] == ["/entry/closes"]


def test_a_new_document_names_the_ruleset_and_one_in_force_keeps_the_one_it_has() -> None:
    new = read_text(ROUND_ROBIN)
    assert new.canonical["ruleset"] == "2026-11"
    assert all(plan.rules.ruleset == "2026-11" for plan in new.stages)
    old = load_document({key: value for key, value in new.canonical.items() if key != "ruleset"})
    assert all(plan.rules.ruleset == Ruleset.FIRST for plan in old.stages)
    again = read_text(ROUND_ROBIN, find_in_force={"keltis-groups": old}.get)
    assert again.hash == old.hash != new.hash
    assert [note.text.key for note in again.notes] == ["tournament_document.first_ruleset"]
    wanted = read_text(f"ruleset: 2026-11\n{ROUND_ROBIN}", find_in_force={"keltis-groups": old}.get)
    assert (wanted.hash, wanted.notes) == (new.hash, ())
    with pytest.raises(BadDocument) as refused:
        read_text(f"ruleset: 2026-12\n{ROUND_ROBIN}")
    (fault,) = refused.value.faults
    assert (fault.path, fault.line) == ("/ruleset", 1)
    assert "2026-11" in render(fault.right, "fr")


def test_groups_to_avoid_become_pairs() -> None:
    three = read_text(SWISS.replace("[[maeve, sorcha]]", "[[sorcha, maeve, ronan], [ronan, maeve]]"))
    assert three.canonical["stages"][0]["avoid"] == [
        ["maeve2222222222a", "ronan2222222222b"],
        ["maeve2222222222a", "sorcha222222222c"],
        ["ronan2222222222b", "sorcha222222222c"],
    ]


@pytest.mark.parametrize(("game", "option"), [("keltis", "start"), ("tain", "first")])
@pytest.mark.parametrize("format_", ["swiss", "duplicate", "same-deal"])
def test_seat_0_begins_in_tournaments_unless_the_document_says_otherwise(game: str, option: str, format_: str) -> None:
    text = BARE.replace("keltis", game).replace("FORMAT", f"{format_}, {NEEDED[format_]}")
    assert read_text(text).stages[0].options[option] == 0
    drawn = text.replace("entry:", f"options: {{{option}: drawn}}\nentry:")
    assert read_text(drawn).stages[0].options[option] == "drawn"
