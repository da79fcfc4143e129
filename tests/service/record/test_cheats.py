"""Records of a server that cheats, alone or with every player's key: found by signatures, rules or receipts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.record.compare import compare_exports
from service.record.errors import BadRecord
from service.record.hashing import sha256_hex
from service.record.verify import verify
from service.record.verify.kept_receipts import read as read_kept
from service.record.verify.rules_check import RulesChecker
from tests.golden.records import FOLDER
from tests.support.forged_records import (
    Change,
    Row,
    forged,
    golden,
    headed,
    line_of,
    other_card,
    parsed,
    redrawn,
    seed_of,
)

DRAWN = ("keltis-2-seats", "keltis-3-seats-aborted", "tir-na-nog-3-seats-resigned", "tir-na-nog-balor")
CARDS = {"keltis": ["N1", "N2"], "tir-na-nog": ["mag-mell", "dolmen"]}


def refused(data: bytes, **beside: Any) -> tuple[int, str]:  # noqa: ANN401  # what verify takes
    with pytest.raises(BadRecord) as caught:
        verify(data, rules=RulesChecker(), **beside)
    return caught.value.line, caught.value.reason


def entries_of(data: bytes) -> list[Row]:
    return [row for row in parsed(data) if row["type"] == "entry"]


def redraws(name: str) -> list[tuple[int, str]]:
    """Some lines of chance of a match, each with another last card."""
    chance = [row for row in entries_of(golden(name)) if row["by"] == "chance" and row["line"].split(" ")[0] != "start"]
    cards = CARDS[name.removesuffix("-balor").split("-3")[0].split("-2")[0]]
    return [(row["seq"], other_card(row["line"], cards)) for row in (chance[len(chance) // 3], chance[-1])]


def test_a_record_that_is_only_written_anew_stays_good() -> None:
    for name in DRAWN:
        assert forged(golden(name), seed_of(name), lambda _: None) == golden(name)


@pytest.mark.parametrize("name", DRAWN)
def test_another_card_is_found_even_if_everybody_signs_it(name: str) -> None:
    for seq, line in redraws(name):
        data = forged(golden(name), seed_of(name), redrawn(seq, line))
        assert refused(data) == (line_of(data, seq), "rules")


@pytest.mark.parametrize("name", DRAWN)
def test_another_card_is_found_by_the_players_signatures_or_the_rules(name: str) -> None:
    for seq, line in redraws(name):
        data = forged(golden(name), seed_of(name), redrawn(seq, line), players=False)
        assert refused(data)[1] in {"signature", "rules"}


def test_a_match_that_chance_opened_otherwise_is_found() -> None:
    name = "tir-na-nog-3-seats-resigned"
    seat, *geas = entries_of(golden(name))[0]["line"].split(" ")[1:]
    for line in (f"start {(int(seat) + 1) % 3} {' '.join(geas)}", f"start {seat} {geas[0]} {geas[1]} other"):
        other = line.replace("other", "lir" if geas[2] != "lir" else "owney")
        data = forged(golden(name), seed_of(name), redrawn(1, other))
        assert refused(data) == (line_of(data, 1), "rules")


def inserted(seq: int, line: str, **more: object) -> Change:
    """Somebody's letter that never came, before this entry."""

    def change(entries: list[Row]) -> None:
        at = entries[seq - 2]["at"]
        letter = {"door": "smtp", "raw": sha256_hex(b"never"), "received": at, "verdict": "none"}
        entries.insert(seq - 1, {"type": "entry", "at": at, "by": "", "line": line, "mail": letter, **more})

    return change


def test_a_move_that_nobody_made_is_found() -> None:
    name = "keltis-2-seats"
    data, seed = golden(name), seed_of(name)
    made = next(row for row in entries_of(data) if row["line"] == "draw deck" and row["seat"] == 1)
    change = inserted(made["seq"] + 2, "draw deck", seat=1)
    assert refused(forged(data, seed, change, players=False))[1] in {"signature", "asked"}
    whole = forged(data, seed, change)
    assert refused(whole)[1] in {"rules", "asked"}
    running = golden(f"{name}-running-arbiter")
    last = forged(running, seed, inserted(len(entries_of(running)) + 1, "discard R0", seat=0))
    assert refused(last)[1] == "rules"


def dropped(*seqs: int) -> Change:
    def change(entries: list[Row]) -> None:
        entries[:] = [row for row in entries if row["seq"] not in seqs]

    return change


def test_a_move_that_was_made_and_left_out_is_found() -> None:
    name = "keltis-2-seats"
    data, seed = golden(name), seed_of(name)
    letter = [row["seq"] for row in entries_of(data) if "mail" in row]
    without = dropped(*letter, letter[-1] + 1)
    assert refused(forged(data, seed, without, players=False))[1] in {"signature", "asked"}
    assert refused(forged(data, seed, without))[1] in {"rules", "asked"}


def test_a_match_cut_short_is_found_by_whoever_kept_a_receipt() -> None:
    name = "tain-3-seats"
    receipts, _ = read_kept((FOLDER / f"{name}.kept.json").read_bytes())
    last = max(int(str(row["seq"])) for row in receipts)

    def end(entries: list[Row]) -> None:
        at = entries[4]["at"]
        entries[5:] = [{"type": "entry", "seat": -2, "at": at, "by": "house", "line": "end agreed", "was": 6}]

    data = forged(golden(name), seed_of(name), end, receipts=False)
    shown = {row["jwk"]["x"] for row in parsed(data) if row["type"] == "key"}
    assert len(shown) == 5
    assert last > 6
    # Its own keys must go too before anybody would believe it; the receipts find it all the same.
    assert refused(unnamed(data), receipts=receipts)[1] == "receipt"
    assert verify(unnamed(data), rules=RulesChecker()).over


def unnamed(data: bytes) -> bytes:
    """The record without the keys that are named nowhere."""
    rows = parsed(data)
    text = json.dumps([row for row in rows if row["type"] != "key"])
    kept = [row for row in rows[:-1] if row["type"] != "key" or row["id"] in text]
    return headed(kept, rows[-1], rows[-1]["seq"], rows[-1]["hash"])


def test_a_sealed_choice_changed_later_is_found() -> None:
    name = "tain-3-seats"
    data, seed = golden(name), seed_of(name)
    sealed = next(row for row in entries_of(data) if row["line"].startswith("put ") and row["seat"] == 1)
    kind, place = sealed["line"].split(" ")[1:]
    other = redrawn(sealed["seq"], f"put {'X' if kind != 'X' else 'W'} {place}")
    assert refused(forged(data, seed, other, players=False))[1] == "signature"
    # Even with the player's own key: the hash was shown to the others, and is in their receipts.
    agreed = forged(data, seed, other)
    receipts, _ = read_kept((FOLDER / f"{name}.kept.json").read_bytes())
    with pytest.raises(BadRecord, match="receipt"):
        verify(agreed, receipts=receipts)
    with pytest.raises(BadRecord, match="story"):
        compare_exports(golden(f"{name}-running-seat-0"), agreed)


def test_a_line_of_balor_that_is_not_his_only_one_is_found() -> None:
    name = "tir-na-nog-balor"
    data, seed = golden(name), seed_of(name)
    for verb in ("place", "take"):
        lines = [row for row in entries_of(data) if row["seat"] == 1 and row["line"].startswith(verb)]
        one, two = lines[0], next(row for row in lines if row["line"] != lines[0]["line"])
        changed = forged(data, seed, redrawn(one["seq"], two["line"]))
        assert refused(changed) == (line_of(changed, one["seq"]), "rules")


def test_the_house_names_bots_that_exist_and_seats_that_are_asked() -> None:
    name = "tir-na-nog-3-seats-resigned"
    data = golden(name)
    stand_in = next(row["seq"] for row in entries_of(data) if row["by"] == "house")
    unknown = forged(data, seed_of(name), nobody_stands_in)
    assert refused(unknown) == (line_of(unknown, stand_in), "rules")
    running = golden(f"{name}-running-arbiter")
    asked = unanswered(running)
    for seat in range(3):
        late = forged(running, seed_of(name), timed_out(seat))
        if seat == asked:
            assert verify(late, rules=RulesChecker()).house
        else:
            assert refused(late) == (line_of(late, len(entries_of(late))), "rules")


def nobody_stands_in(entries: list[Row]) -> None:
    """The stand-in is called by a name that no bot has."""
    for row in entries:
        row["by"] = "bot nobody" if row["by"].startswith("bot ") else row["by"]
        row["line"] = "bot 2 nobody" if row["by"] == "house" else row["line"]


def unanswered(running: bytes) -> int:
    """The seat that has not given its sealed answer yet."""
    given = {row["seat"] for row in entries_of(running)[-2:]}
    return next(seat for seat in range(3) if seat not in given)


def timed_out(seat: int) -> Change:
    def change(entries: list[Row]) -> None:
        at = entries[-1]["at"]
        line = f"timeout {seat} {at - 60_000}"
        entries.append({"type": "entry", "seat": -2, "at": at, "by": "house", "line": line})

    return change


def test_a_seed_withheld_or_given_too_early_is_found() -> None:
    for name in ("keltis-3-seats-aborted", "tir-na-nog-balor"):
        rows = [row for row in parsed(golden(name)) if row["type"] != "seed"]
        withheld = headed(rows[:-1], rows[-1], rows[-1]["seq"], rows[-1]["hash"])
        assert refused(withheld)[1] in {"rules", "seed"}
        early = parsed(golden(f"{name}-running-arbiter"))
        out = [*early[:-1], {"seed": seed_of(name).hex(), "type": "seed"}]
        assert refused(headed(out, early[-1], early[-1]["seq"], early[-1]["hash"]))[1] == "rules"
