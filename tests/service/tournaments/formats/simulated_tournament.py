"""A tournament written line by line as the service would write it, for tests that check its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tournaments.formats import draw, log_lines
from service.tournaments.formats.crosstable import BOT, How, Pairing, SeatResult, rank_scores
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.stage_replay import PairedTable, StageReplay
from service.tournaments.formats.stage_rules import read_stages
from service.tournaments.formats.tournament_log import (
    LogLine,
    TournamentHeader,
    chain_lines,
    hash_document,
    write_tournament_export,
)

SEED, DEALS = sha256(b"seed").digest(), sha256(b"deals").digest()
SERVER = Ed25519PrivateKey.from_private_bytes(sha256(b"server").digest())
BEGIN = 1_800_000_000_000
MINUTE = 60_000
HOW = {True: How.PLAYED, False: How.SUBSTITUTE}


def player_id(number: int) -> str:
    """An id that does not sort like the number."""
    return sha256(f"player {number}".encode()).hexdigest()[:12]


def export_lines(document: Mapping[str, Any], lines: Iterable[tuple[int, str]], beacon: str) -> bytes:
    """Return lines with all hashes and the signature recomputed."""
    header = TournamentHeader(
        "t0urnament0ne", hash_document(document), draw.commit_chain(SEED), draw.commit_deals(DEALS), beacon, BEGIN
    )
    entries: list[LogLine] = chain_lines(header.tournament, header.hash, lines)
    return write_tournament_export(SERVER, header, [document], entries, entries[-1].at if entries else BEGIN)


@dataclass
class Simulation:
    """The lines so far, and the state that the next ones follow from."""

    document: Mapping[str, Any]
    entrants: int
    beacon: str = draw.QUICKNET
    seed: int = 1
    lines: list[tuple[int, str]] = field(default_factory=list)
    stages: dict[str, StageReplay] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    draws: int = 0
    matches: int = 0
    due: int = 0
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.stages = {rules.name: StageReplay(rules) for rules in read_stages(self.document)}

    @property
    def holders(self) -> dict[int, str]:
        """Return the holder of each number now."""
        return {number: player for player, number in self.numbers.items()}

    def write(self, line: str) -> None:
        """Append a line a minute after the last."""
        self.lines.append((BEGIN + len(self.lines) * MINUTE, line))
        if line.split(" ", maxsplit=1)[0] in {"close", "over", "advance"}:
            self.due = self.lines[-1][0]

    def export(self) -> bytes:
        """The export of all lines so far."""
        return export_lines(self.document, self.lines, self.beacon)

    def draw(self, stage: str, number: int, ids: Sequence[str]) -> tuple[str, ...]:
        """Write a draw, and give its lot order."""
        self.draws += 1
        round_ = draw.beacon_round(self.due)
        value = f"{self.beacon}:{round_}:{sha256(str(round_).encode()).hexdigest()}" if self.beacon != "none" else "-"
        made = draw.make_draw(SEED, self.draws, RoundName(stage, number), value)
        self.write(log_lines.write(made))
        return draw.lot_order(made, ids)

    def open(self) -> None:
        """Everybody enters, entry closes, numbers are given by rating and draw."""
        first = next(iter(self.stages))
        players = [player_id(number) for number in range(self.entrants)]
        for player in players:
            self.write(f"enter {player} {self.random.randrange(16**6):06x}")
            self.write(f"accept {player}")
        self.write("close")
        lots = self.draw(first, 0, players)
        ratings = {player: 1400 + 50 * self.random.randrange(4) for player in players}
        ordered = sorted(players, key=lambda one: (-ratings[one], lots.index(one)))
        for number, player in enumerate(ordered, 1):
            self.numbers[player] = number
            self.write(f"number {player} {number} {ratings[player]}")
        stage = self.stages[first]
        stage.entrants = list(range(1, self.entrants + 1))
        stage.lots[0] = tuple(self.numbers[one] for one in lots)

    def withdraw(self, number: int) -> None:
        """Somebody leaves."""
        self.gone.add(number)
        self.write(f"withdraw {self.holders[number]}")

    def replace(self, number: int, player: str) -> None:
        """A ruling by which somebody takes over a place."""
        old = self.holders[number]
        self.write(f"ruling replace {old} {player} fell-ill")
        del self.numbers[old]
        self.numbers[player] = number

    def pair(self, name: str, number: int) -> list[PairedTable]:
        """Draw a round if it needs that, and write its pairs."""
        stage = self.stages[name]
        if not stage.rules.one_draw:
            ids = [self.holders[one] for one in stage.entrants]
            stage.lots[number] = tuple(self.numbers[one] for one in self.draw(name, number, ids))
        each = stage.round(number)
        present = sorted(one for one in stage.entrants if one not in self.gone and one not in each.absent)
        for pairing in stage.pair_round(number, present, frozenset()) or ():
            self.write_pair(name, number, pairing)
        return each.valid

    def write_pair(self, name: str, number: int, pairing: Pairing) -> PairedTable:
        """Write one pair."""
        self.matches += 1
        line = PairedTable(f"m{self.matches:011d}", pairing.section, pairing.seats)
        stage = self.stages[name]
        stage.round(number).add_pair(line, replays=not stage.plays_on)
        people = " ".join(self.holders[one] if one != BOT else "bot:steady" for one in pairing.seats)
        self.write(f"pair {line.id} {name}:{number} {pairing.section or '-'} {people}")
        return line

    def play(self, name: str, number: int, unfinished: int = 0) -> None:
        """Start a round, give every table a result and end the round. This many seats are finished by somebody else."""
        self.write(f"start {name}:{number}")
        for pair in self.stages[name].round(number).valid:
            if len(pair.seats) == 1:
                continue
            finished = [True] * len(pair.seats)
            if unfinished:
                finished[0], unfinished = False, unfinished - 1
            scores = self.random.sample(range(60), len(pair.seats))
            self.write_result(name, number, pair.id, rank_scores(scores, [HOW[one] for one in finished]))
        self.write(f"over {name}:{number}")

    def write_result(self, name: str, number: int, pair: str, results: tuple[SeatResult, ...]) -> None:
        """Write the result of a pair."""
        self.stages[name].round(number).results[pair] = results
        self.write(f"result {pair} {' '.join(map(str, results))}")

    def draw_lots(self, name: str) -> None:
        """The draw after the last round, for ranks that are still shared."""
        stage = self.stages[name]
        number = stage.last_round + 1
        order = self.draw(name, number, [self.holders[one] for one in stage.entrants])
        stage.lots[number] = tuple(self.numbers[one] for one in order)

    def advance(self, name: str) -> None:
        """Take the qualifiers of a stage, and draw for it."""
        stage = self.stages[name]
        if stage.rules.source is None:
            raise ValueError(f"{name} takes nobody")
        stage.entrants = list(
            self.stages[stage.rules.source.stage].take_qualifiers(stage.rules.source, frozenset(self.gone))
        )
        self.write(f"advance {name} {' '.join(self.holders[one] for one in stage.entrants)}")
        order = self.draw(name, 0, [self.holders[one] for one in stage.entrants])
        stage.lots[0] = tuple(self.numbers[one] for one in order)
