"""The rules beside redacted records: honest ones are good for every reader, and wrong forms are refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.games import GAMES
from service.record.errors import BadRecord
from service.record.verify import verify
from service.record.verify.hidden_states import has_redacted_form
from service.record.verify.rules_check import RulesChecker
from tests.support.forged_records import forged, golden, headed, line_of, parsed, seed_of
from tests.support.random_records import Played

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("keltis", 2, {}),
    ("keltis", 4, {"last-cards": "seat-order"}),
    ("tain", 2, {}),
    ("tain", 4, {"speedup": False}),
    ("tir-na-nog", 2, {}),
    ("tir-na-nog", 3, {"geas": "first"}),
    ("tir-na-nog", 5, {}),
    ("tir-na-nog", 2, {"balor": "hard"}),
]


@pytest.mark.parametrize(("slug", "seats", "options"), TABLES, ids=str)
def test_every_reader_of_a_match_finds_it_good_at_any_moment(slug: str, seats: int, options: dict[str, Any]) -> None:
    played, random = Played(slug, seats, options, 1), Random(1)
    referee = RulesChecker()
    assert verify(played.finished(), rules=referee).over
    assert len(referee.scores()) == seats
    for viewer in ("-", "all", *map(str, range(seats))):
        count = random.randrange(1, len(played.lines))
        referee = RulesChecker()
        report = verify(played.running(count, viewer), rules=referee)
        assert referee.guessed == (report.redacted > 0)
        assert referee.scores() == ()


def test_the_table_is_not_lost_sight_of_where_little_is_hidden() -> None:
    played = Played("keltis", 3, {}, 2)
    for viewer in "-012":
        referee = RulesChecker()
        verify(played.running(len(played.lines) - 4, viewer), rules=referee)
        assert referee.guessed
        assert not referee.lost


def refused(data: bytes) -> tuple[int, str, str]:
    with pytest.raises(BadRecord) as caught:
        verify(data, rules=RulesChecker())
    return caught.value.line, caught.value.reason, caught.value.detail


def shown(name: str, reader: str, old: str, new: str) -> tuple[bytes, int]:
    """Return a reader's export of a golden match with one redacted form changed and the head signed again."""
    rows = parsed(golden(f"{name}-running-{reader}"))
    row = next(row for row in rows if row.get("shown") == old)
    row["shown"] = new
    return headed(rows[:-1], rows[-1], rows[-1]["seq"], rows[-1]["hash"]), row["seq"]


KELTIS, TIR, TAIN = "keltis-3-seats-aborted", "tir-na-nog-3-seats-resigned", "tain-3-seats"
EIGHT = " ".join("?" * 8)
FORMS = [
    (KELTIS, "spectator", f"deal 1 {EIGHT}", f"deal 2 {EIGHT}"),
    (KELTIS, "spectator", f"deal 1 {EIGHT}", "deal 1 ? ?"),
    (KELTIS, "seat-0", f"deal 1 {EIGHT}", "last ?"),
    (KELTIS, "seat-0", "draw 1 ?", "draw 0 ?"),
    (KELTIS, "seat-0", "draw 1 ?", "discard ?"),
    (TIR, "seat-1", "deal 0 ? ? ? ? ?", "deal 0 ? ? ? ? ? ?"),
    (TIR, "spectator", "discard ?", "play ? top"),
    (TIR, "spectator", "discard ?", "discard ? ?"),
    (TAIN, "spectator", "guards ?", "guards ? ?"),
    (TAIN, "spectator", "guards ?", "put ? 1"),
]


@pytest.mark.parametrize(("name", "reader", "old", "new"), FORMS)
def test_a_redacted_form_that_the_game_does_not_show_there_is_refused(
    name: str, reader: str, old: str, new: str
) -> None:
    data, seq = shown(name, reader, old, new)
    assert verify(data).redacted
    assert refused(data)[:2] == (line_of(data, seq), "rules")


def test_a_place_that_is_taken_is_refused_though_what_goes_there_is_hidden() -> None:
    rows = parsed(golden(f"{TAIN}-running-spectator"))
    one, *_, two = [row["shown"] for row in rows if row.get("shown", "").startswith("put ? a")]
    data, seq = shown(TAIN, "spectator", two, one)
    assert refused(data)[:2] == (line_of(data, seq), "rules")


def test_what_a_reader_may_not_see_is_refused_if_it_is_open() -> None:
    for name, verb in ((KELTIS, "deal 1"), (TIR, "deal 1"), (TAIN, "guards")):
        arbiter = parsed(golden(f"{name}-running-arbiter"))
        whole = next(row for row in arbiter if row.get("line", "").startswith(verb))
        rows = [
            whole if row.get("seq") == whole["seq"] and row["type"] == "entry" else row
            for row in parsed(golden(f"{name}-running-spectator"))
        ]
        leak = headed(rows[:-1], rows[-1], rows[-1]["seq"], rows[-1]["hash"])
        assert refused(leak)[1] == "rules"


def test_what_was_revealed_is_refused_if_it_is_still_redacted() -> None:
    played = Played("tain", 3, {}, 3)
    at = next(seq for seq, state in enumerate(played.states, 1) if state.reveals == 1)
    seq = next(seq for seq, line in enumerate(played.lines, 1) if line.startswith("put "))
    story = played.story
    story.entries = story.entries[: at + 1]
    form = " ".join(["put", "?", story.entries[seq - 1]["line"].split(" ")[2]])
    data = story.export("-", over=False, shown={seq: form})
    assert refused(data)[:2] == (line_of(data, at), "rules")


def test_a_seats_own_line_is_checked_though_others_hide_their_cards() -> None:
    rows = parsed(golden(f"{KELTIS}-running-seat-0"))
    hand = next(row["line"] for row in rows if row.get("line", "").startswith("deal 0 ")).split(" ")[2:]
    card = next(card for card in ("R1", "R2", "R8", "Y1", "Y2", "Y8", "G1", "G2", "G8") if card not in hand)

    def change(entries: list[dict[str, Any]]) -> None:
        first = next(row for row in entries if row["seat"] == 0)
        first["line"] = f"discard {card}"

    data = forged(golden(f"{KELTIS}-running-seat-0"), seed_of(KELTIS), change)
    line, reason, detail = refused(data)
    assert (reason, detail.startswith(f"discard {card}: ")) == ("rules", True)
    assert line > 1


FITS = [
    ("keltis", "draw 0 ?", True),
    ("keltis", "draw ?", False),
    ("keltis", "last ?", True),
    ("keltis", "last ? ?", False),
    ("keltis", "discard ?", False),
    ("tain", "put ? b4", True),
    ("tain", "put ? b9", False),
    ("tain", "put C ?", False),
    ("tain", "free ? a", False),
    ("tir-na-nog", "deal 2 ? ? ? ? ?", True),
    ("tir-na-nog", "lay ? ?", False),
    ("tir-na-nog", "dance ?", False),
]


@pytest.mark.parametrize(("slug", "form", "fits"), FITS)
def test_forms_are_known_by_the_fields_of_a_line(slug: str, form: str, fits: bool) -> None:
    assert has_redacted_form(GAMES[slug], form) == fits
