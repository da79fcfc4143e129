"""The matches of the golden records: each game, and everything that may stand in a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random

from engine.game import to_act
from service.config import Config
from service.db.connection import rows
from service.matches import key_revocation
from service.matches.create import NewMatch
from service.record.keys import public_key_of
from service.record.match_state import MatchState
from tests.golden.records import private
from tests.golden.records.evening import Evening, serve
from tests.support.players import Clock

Files = Mapping[str, bytes]
Story = Callable[[Config, Clock], Files]
ABORTED_AFTER = 60


def brisk(lines: list[str], random: Random) -> str:
    """Whatever shortens a match: always a card of the deck, and a pass often enough."""
    if "draw deck" in lines:
        return "draw deck"
    return "pass" if "pass" in lines and random.random() < 0.2 else random.choice(lines)


def files(evening: Evening, running: Files, kept: object) -> Files:
    """A finished record, the same match earlier for all its readers, and what one of them kept."""
    beside = json.dumps(kept, indent=1).encode() + b"\n"
    return {
        ".jsonl": evening.finished(),
        **{f"-{name}.jsonl": each for name, each in running.items()},
        ".kept.json": beside,
    }


def one_left(verb: str) -> Callable[[MatchState], bool]:
    """Whether of the sealed answers that all seats give at once only one is missing."""

    def reached(match_state: MatchState) -> bool:
        last = rows("select line, sealed from entry where match = ? order by seq desc limit 1", match_state.facts.id)
        return (last[0][0].split(" ")[0], last[0][1]) == (verb, "until-reveal") and len(to_act(match_state.state)) == 1

    return reached


def alternatives(evening: Evening, seat: int) -> str:
    """A text of two lines, the first of which is not listed."""
    listed = [line for line in evening.lines(seat) if line.startswith("discard ")]
    return f"discard {'R0' if 'discard R0' not in listed else 'Y0'} | {listed[0]}"


def keltis_two(config: Config, clock: Clock) -> Files:
    """Two people to the last card: several lines at once, alternatives, orders, a letter, a change of keys."""
    evening = Evening(config, clock, NewMatch("keltis", 2, nonce="a1b2c3", seat=0), seed=1, taste=brisk)
    evening.settle()
    evening.send(0, evening.lines(0)[-1], "draw deck")
    evening.send(1, alternatives(evening, 1), "draw deck")
    evening.send(1, *ordered(evening, 1), orders=True)
    evening.mail(0, evening.lines(0)[-1], "draw deck")
    evening.new_key(0)
    running, kept = evening.running(), evening.kept()
    evening.until(lambda _: False)
    return files(evening, running, kept)


def ordered(evening: Evening, seat: int) -> tuple[str, str]:
    """Orders out of turn: of two cards the first one that is there, then a draw."""
    first, second, *_ = evening.match_state.state.hands[seat]  # type: ignore[attr-defined]  # a game with hands
    return f"discard {first} | discard {second}", "draw deck"


def keltis_three(config: Config, clock: Clock) -> Files:
    """Three people whose match the house ends, for it is too long."""
    evening = Evening(config, clock, NewMatch("keltis", 3, options={"start": 2}, seat=0, nonce="00ff"), seed=2)
    evening.until(lambda match_state: match_state.seq > ABORTED_AFTER // 2)
    evening.mail(evening.asked[0], evening.lines(evening.asked[0])[0])
    running, kept = evening.running(), evening.kept()
    evening.until(lambda match_state: match_state.seq >= ABORTED_AFTER)
    evening.people[evening.asked[0]].move(evening.match)
    evening.settle(ABORTED_AFTER)
    return files(evening, running, kept)


def tir_three(config: Config, clock: Clock) -> Files:
    """Three people, sealed discards, and a seat that is resigned and played on by a stand-in."""
    evening = Evening(config, clock, NewMatch("tir-na-nog", 3, nonce="7e" * 32, seat=0), seed=3)
    evening.until(one_left("discard"))
    running, kept = evening.running(), evening.kept()
    evening.until(lambda match_state: match_state.state.round == 3)  # type: ignore[attr-defined]  # a game of rounds
    evening.send(2, "resign")
    evening.until(lambda _: False)
    return files(evening, running, kept)


def tir_solo(config: Config, clock: Clock) -> Files:
    """A person against Balor; the server changes its key on the way."""
    wanted = NewMatch("tir-na-nog", 2, {"balor": "hard"}, moves="signed", bots={1: "balor"}, seat=0, nonce="5010")
    evening = Evening(config, clock, wanted, seed=4)
    evening.until(lambda match_state: match_state.seq > 40)  # somewhere in the first round
    running, kept = evening.running(), evening.kept()
    clock.forward(days=1)
    serve("server 2")
    clock.forward(days=1)
    evening.until(lambda _: False)
    return files(evening, running, kept)


def crowding(lines: list[str], random: Random) -> str:
    """Fills every place, so that the last guards are posted all at once."""
    return random.choice([line for line in lines if line != "pass"] or lines)


def tain_three(config: Config, clock: Clock) -> Files:
    """Three people with sealed placements and guards, a change of keys, and a key that is revoked in the middle."""
    evening = Evening(config, clock, NewMatch("tain", 3, nonce="ab", seat=0), seed=5, taste=crowding)
    evening.settle()
    evening.send(0, evening.lines(0)[0])
    evening.new_key(1)
    evening.until(one_left("guards"))
    running, kept = evening.running(), evening.kept()
    key_revocation.revoke_key(evening.people[1].player.id, public_key_of(private("brian")).id)
    evening.taste = brisk
    evening.until(lambda _: False)
    return files(evening, running, kept)


def bardwood_two(config: Config, clock: Clock) -> Files:
    """Two people and their songs: hands drawn unseen; the house ends the match, for it is too long."""
    wanted = NewMatch("bardwood-grove", 2, {"content": "base", "bards": "piper,bardbarian"}, seat=0, nonce="9a")
    evening = Evening(config, clock, wanted, seed=6)
    evening.until(lambda match_state: match_state.seq > ABORTED_AFTER // 2)
    running, kept = evening.running(), evening.kept()
    evening.until(lambda match_state: match_state.seq >= ABORTED_AFTER)
    evening.people[evening.asked[0]].move(evening.match)
    evening.settle(ABORTED_AFTER)
    return files(evening, running, kept)


STORIES: Mapping[str, Story] = {
    "bardwood-grove-2-seats-aborted": bardwood_two,
    "keltis-2-seats": keltis_two,
    "keltis-3-seats-aborted": keltis_three,
    "tir-na-nog-3-seats-resigned": tir_three,
    "tir-na-nog-balor": tir_solo,
    "tain-3-seats": tain_three,
}
