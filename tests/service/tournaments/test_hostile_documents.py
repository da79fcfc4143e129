"""Documents made to do harm, sent as requests: each is refused with every place, and nothing of it is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from service.db.connection import rows
from tests.service.tournaments.test_tournament_api import apply, send
from tests.support.players import Person

People = Callable[..., Person]
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
GOOD = """\
tournament: hostile-cup
game: keltis
title: {en: Cup}
entry: {opens: 2027-06-01T18:00, closes: 2027-06-20T18:00, most: 16}
draw: {beacon: none}
stages:
  - name: all
    format: swiss
    rounds: 3
    start: {first: 2027-07-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
SECOND = """\
  - name: final
    format: knockout
    from: {stage: all, places: 1-4}
    start: {next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
CHANGES: dict[str, tuple[str, str]] = {
    # Keys.
    "key in capitals": ("game: keltis", "game: keltis\nGAME: tain"),
    "key with a no-break space": ("game: keltis", "game: keltis\nga\u00a0me: keltis"),
    "key of another alphabet": ("game: keltis", "g\u0430me: keltis"),
    "key that is empty": ("game: keltis", 'game: keltis\n"": 1'),
    "key that is null": ("game: keltis", "game: keltis\n~: 1"),
    "key that is a number": ("game: keltis", "game: keltis\n1: 1"),
    "key twice, once in quotes": ("game: keltis", 'game: keltis\n"game": tain'),
    "key twice, deep": ("rounds: 3", "rounds: 3\n    rounds: 3"),
    "key of Python": ("game: keltis", "game: keltis\n__class__: x"),
    "key of a prototype": ("game: keltis", "game: keltis\n__proto__: {x: 1}"),
    "key as long as a page": ("game: keltis", "game: keltis\n" + "k" * 900 + ": 1"),
    # YAML.
    "anchor that nobody uses": ("game: keltis", "game: &g keltis"),
    "alias of an alias": ("draw: {beacon: none}", "draw: &a {beacon: *a}"),
    "tag of Python": ("rounds: 3", "rounds: !!python/name:os.system 3"),
    "tag of binary": ("game: keltis", "game: !!binary a2VsdGlz"),
    "tab before a key": ("    rounds: 3", "\t   rounds: 3"),
    "folded text": ("game: keltis", "game: >\n  kel\n  tis"),
    "set": ("draw: {beacon: none}", "draw: {beacon: none, ? x}"),
    "document end and more": ("game: keltis", "game: keltis\n...\nmore"),
    "unclosed list": ("title: {en: Cup}", "title: {en: Cup"),
    "indentation astray": ("    rounds: 3", "   rounds: 3"),
    # Numbers.
    "rounds beyond all": ("rounds: 3", "rounds: 31"),
    "rounds below all": ("rounds: 3", "rounds: -1"),
    "rounds of nothing": ("rounds: 3", "rounds:"),
    "rounds in octal": ("rounds: 3", "rounds: 0o3"),
    "rounds with underscores": ("rounds: 3", "rounds: 1_0"),
    "rounds as a fraction": ("rounds: 3", "rounds: 3.0"),
    "rounds of Arabic digits": ("rounds: 3", "rounds: \u0663"),
    "rounds of 400 digits": ("rounds: 3", "rounds: " + "9" * 400),
    "infinite entrants": ("most: 16", "most: .inf"),
    "points of five digits": ("rounds: 3", "rounds: 3\n    points: {win: 1.00001, draw: 0.5}"),
    "points of a huge power": ("rounds: 3", "rounds: 3\n    points: {win: 1e400, draw: 0.5}"),
    "points that are not a number": ("rounds: 3", "rounds: 3\n    points: {win: nan, draw: 0.5}"),
    # Times.
    "year 9999": ("opens: 2027-06-01T18:00", "opens: 9999-12-31T23:59"),
    "year 10000": ("opens: 2027-06-01T18:00", "opens: 10000-01-01T00:00"),
    "year 0": ("opens: 2027-06-01T18:00", "opens: 0000-01-01T00:00"),
    "year 1": ("opens: 2027-06-01T18:00", "opens: 0001-01-01T00:00+14:00"),
    "day that is not": ("opens: 2027-06-01T18:00", "opens: 2027-02-29T18:00"),
    "hour that is not": ("opens: 2027-06-01T18:00", "opens: 2027-06-01T24:01"),
    "second that is not": ("opens: 2027-06-01T18:00", "opens: 2027-06-01T18:00:60Z"),
    "offset that is not": ("opens: 2027-06-01T18:00", "opens: 2027-06-01T18:00+99:99"),
    "time in words": ("opens: 2027-06-01T18:00", "opens: tomorrow"),
    "time as a number": ("opens: 2027-06-01T18:00", "opens: 1812000000"),
    "closing before opening": ("closes: 2027-06-20T18:00", "closes: 2027-05-20T18:00"),
    "start before closing": ("first: 2027-07-01T18:00", "first: 2027-06-20T18:30"),
    "length of ages": ("gap: 1d", "gap: 99999999999999999999w"),
    "length below nothing": ("gap: 1d", "gap: -1d"),
    "length without unit": ("at_most: 4w", "at_most: 4"),
    "zone that climbs": ("game: keltis", "game: keltis\nzone: ../../etc/passwd"),
    "zone with a zero byte": ("game: keltis", 'game: keltis\nzone: "UTC\\0"'),
    "zone of the moon": ("game: keltis", "game: keltis\nzone: Moon/Tycho"),
    "pause without end": ("draw:", "pauses: [{from: 2027-07-05T00:00}]\ndraw:"),
    "pause backwards": ("draw:", "pauses: [{from: 2027-07-05T00:00, to: 2027-07-04T00:00}]\ndraw:"),
    # Texts.
    "name that climbs": ("tournament: hostile-cup", "tournament: ../../admin"),
    "name of a door": ("tournament: hostile-cup", "tournament: schema"),
    "name written backwards": ("tournament: hostile-cup", "tournament: \u202epuc-elitsoh"),
    "name of 41 letters": ("tournament: hostile-cup", "tournament: " + "a" * 41),
    "title with a zero byte": ("title: {en: Cup}", 'title: {en: "Cu\\0p"}'),
    "title that turns around": ("title: {en: Cup}", 'title: {en: "Cup \\u202e"}'),
    "title of half a character": ("title: {en: Cup}", 'title: {en: "\\ud800"}'),
    "title in Klingon": ("title: {en: Cup}", "title: {tlh: Cup}"),
    "title as long as a book": ("title: {en: Cup}", "title: {en: " + "x" * 5000 + "}"),
    "organiser who is nobody": ("game: keltis", "game: keltis\norganisers: [no-such-person]"),
    "organiser that is a list": ("game: keltis", "game: keltis\norganisers: [[[]]]"),
    "1,000 organisers": ("game: keltis", f"game: keltis\norganisers: [{', '.join(f'p{at}' for at in range(1000))}]"),
    # Stages.
    "no stages": (GOOD[GOOD.index("stages:") :], "stages: []\n"),
    "stages that are a text": (GOOD[GOOD.index("stages:") :], "stages: all\n"),
    "stage that takes from itself": ("rounds: 3", "rounds: 3\n    from: {stage: all, places: 1-2}"),
    "stage that takes from a later one": (
        "rounds: 3",
        "rounds: 3\n    from: {stage: final, places: 1-2}",
    ),
    "qualifiers backwards": (GOOD[-1:], "\n" + SECOND.replace("1-4", "4-1")),
    "qualifiers without number": (GOOD[-1:], "\n" + SECOND.replace("1-4", "1-")),
    "qualifiers beyond all": (GOOD[-1:], "\n" + SECOND.replace("1-4", "1-99999999999")),
    "two stages of one name": (GOOD[-1:], "\n" + SECOND.replace("name: final", "name: all")),
    "thirteen stages": (GOOD[-1:], "\n" + "".join(SECOND.replace("final", f"f{at}") for at in range(13))),
    "seats that the game has not": ("rounds: 3", "rounds: 3\n    seats: 9"),
    "no clock and no end": (
        "    end: {at_most: 4w, then: as-it-stands}\n",
        "clock: none\n",
    ),
    "more matches at once than one may have": (
        "format: swiss\n    rounds: 3\n    start: {first: 2027-07-01T18:00, next: when-over, gap: 1d}",
        "format: round-robin\n    cycles: 30\n    start: {first: 2027-07-01T18:00, all: yes}",
    ),
    "rule that repeats for ever": ("game: keltis", "game: keltis\nrepeat: {rule: FREQ=SECONDLY}"),
    "prizes for nobody": (GOOD[-1:], "\nprizes:\n  - {places: 0, title: x}\n"),
}
WHOLE: dict[str, bytes] = {
    "the last days of the calendar": GOOD.replace("2027-06", "9999-12").replace("2027-07-01", "9999-12-31").encode(),
    "the end of the calendar": GOOD.replace("2027-06", "9999-11").replace("2027-07-01", "9999-12-05").encode(),
    "nothing": b"",
    "a comment": b"# nothing\n",
    "null": b"null",
    "a list": b"- 1\n- 2\n",
    "a zero byte": GOOD.replace("keltis", "kel\0tis").encode(),
    "a form feed": GOOD.replace("keltis", "kel\ftis").encode(),
    "a mark of byte order in the middle": GOOD.replace("game", "\ufeffgame").encode(),
    "Latin-1": GOOD.replace("Cup", "Táin").encode("latin-1"),
    "UTF-16": GOOD.encode("utf-16"),
    "21 levels": GOOD.replace("title: {en: Cup}", "title: " + "[" * 21 + "]" * 21).encode(),
    "10,000 levels": b"{" * 10_000,
    "10,000 levels by indentation": b"\n".join(b" " * at + b"a:" for at in range(300)),
    "one byte more than 64 KiB": (GOOD + "#" * (65_537 - len(GOOD))).encode(),
    "30,000 keys": b"\n".join(b"k%d:" % at for at in range(6_000)),
    "laughter": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "JSON with a comma too many": b'{"tournament": "x-cup", }',
    "JSON with a key twice": b'{"tournament": "one-cup", "tournament": "two-cup"}',
    "JSON with NaN": b'{"tournament": NaN, "game": -Infinity}',
}


def documents() -> dict[str, bytes]:
    """Every hostile document by what it tries."""
    assert all(old in GOOD for old, _ in CHANGES.values())
    found = {
        name: f"{new}".join(GOOD.rsplit(old, 1)).encode("utf-8", "surrogatepass")
        for name, (old, new) in CHANGES.items()
    }
    return found | WHOLE


def test_a_hostile_document_is_refused_with_every_place_and_nothing_of_it_is_written(
    person: People, client: FlaskClient
) -> None:
    orla = person("Orla")
    assert len(documents()) > 90
    for name, data in documents().items():
        for method, path in (("POST", "/v1/tournaments/plan"), ("PUT", "/v1/tournaments/hostile-cup")):
            answer = send(orla, method, path, data, **{"If-Match": '"0"'})
            assert answer.status_code == (413 if len(data) > 65_536 else 422), (name, answer.status_code, answer.text)
            if answer.status_code == 422:
                errors = answer.json["errors"]
                assert errors, name
                assert all(each["line"] >= 1 and each["column"] >= 1 and each["field"] for each in errors), name
                assert all(each["reason"] and each["right"] for each in errors), name
    assert client.get("/v1/tournaments").json == {"items": []}
    for table in ("tournament", "tournament_document", "tournament_entry", "stage", "job"):
        assert rows(f"select count(*) from {table}") == [(0,)], table  # noqa: S608  # our own names
    assert apply(orla, GOOD, "hostile-cup").status_code == 200, "what is left when nothing is hostile"
