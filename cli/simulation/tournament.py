"""A whole tournament in one process: a temporary database, a clock that jumps, and bots that play for the entrants.

Everything else is the service itself: documents, steps, jobs, matches, clocks and the log. Ids, seeds, keys and times
follow from the seed, so that the same file gives the same bytes.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cli.simulation.false_world import (
    TOURNAMENT_HANDLERS,
    FalseClock,
    do_due_work,
    next_job_times,
    use_false_time,
)
from engine import chance
from service import ids
from service.accounts import players as accounts
from service.accounts import signing_keys
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection, migrations
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.jobs.queue import Job, JobHandler, handles
from service.matches.seat_results import read_seat_results
from service.play import record_export, server_keys
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.record.keys import public_key_of
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from service.timestamps import DAY, HOUR, MINUTE
from service.tournaments import lifecycle, tournament_store
from service.tournaments.documents.document import TournamentDocument, load_document, read_document
from service.tournaments.documents.document_nodes import parse_nodes
from service.tournaments.documents.document_values import BadValue, read_moment
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.formats.draw import QUICKNET_GENESIS, QUICKNET_PERIOD
from service.tournaments.formats.faults import explain_fault
from service.tournaments.formats.log_lines import AcceptLine, ResultLine
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_log import BadTournament
from service.tournaments.formats.verify import TournamentReport, verify_tournament
from service.tournaments.job_payloads import FetchBeacon
from service.tournaments.rounds import rounds
from service.tournaments.rounds.challenges import answer_challenge, make_challenge
from service.tournaments.tournament_integrity import is_result_of
from service.tournaments.tournament_store import append_lines, export_record, find_log
from worker.demo_people import answer_question

TURN = HOUR
"""How long a player takes to answer."""
FIRST_DROP = 5
"""Turns before the first player drops out."""
BEFORE_OPENING = DAY
MOST_CHALLENGES = 12
"""Attempts to challenge on a ladder for each entrant; most of them are out of reach."""
SILENT_ONE_IN = 6
USUAL_START = 1_800_000_000_000
NEXT_DEADLINE = "select min(due_at) from seat where due_at > ?"


class SimulationStuck(Exception):
    """The simulation is stuck: nothing more will happen, but the tournament is not over."""


@dataclass(frozen=True)
class SimulatedTournament:
    """The result of a simulation: the export, its verification, and the names."""

    record: bytes
    report: TournamentReport
    document: TournamentDocument
    state: str
    names: Mapping[str, str]
    matches: int
    moves: int
    ended_at: int


@dataclass(frozen=True)
class SimulationProgress:
    """Progress of a simulation: its time, and the matches finished and made so far."""

    at: int
    over: int
    made: int


@contextmanager
def open_false_world(seed: int, start: int) -> Iterator[tuple[Config, FalseClock]]:
    """Open an empty temporary database, with a false clock, and ids and seeds that follow from a seed."""
    pick = chance.seeded_pick(_number_of(f"{seed} ids"))
    signs, raw = ids.ChanceSource.choose_sign, ids.ChanceSource.draw_bytes
    with tempfile.TemporaryDirectory(prefix="echtra-simulation-") as folder, use_false_time(start) as clock:
        config = Config(data=Path(folder), mail_domain="simulation.invalid")
        ids.ChanceSource.choose_sign = staticmethod(lambda signs: signs[pick(len(signs))])
        ids.ChanceSource.draw_bytes = staticmethod(lambda count: bytes(pick(256) for _ in range(count)))
        try:
            connection.connect(config.database)
            migrations.migrate()
            # This database need not survive a power cut.
            connection.execute("pragma synchronous = off")
            server_keys.rotate(Ed25519PrivateKey.from_private_bytes(_bytes_of(f"{seed} server")))
            yield config, clock
        finally:
            ids.ChanceSource.choose_sign, ids.ChanceSource.draw_bytes = staticmethod(signs), staticmethod(raw)
            connection.drop_connections()
            reset_process_state()


def _bytes_of(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _number_of(text: str) -> int:
    return int.from_bytes(_bytes_of(text)[:8], "big")


def find_start(data: bytes) -> int:
    """Return a moment before everything in a document: a day before entry opens."""
    root, _ = parse_nodes(data)
    members = root.members or {}
    entry = members.get("entry")
    opens = (entry.members or {}).get("opens") if entry is not None else None
    zone = members.get("zone")
    try:
        at = read_moment(str(opens and opens.text), str(zone.text) if zone is not None and zone.text else "UTC").at
    except (BadValue, KeyError, ValueError, OSError):
        return USUAL_START
    return at - BEFORE_OPENING


def simulate_tournament(
    data: bytes, entrants: int, drop: int, seed: int, show: Callable[[SimulationProgress], None] = lambda _: None
) -> SimulatedTournament:
    """Play the tournament of a document to its end, and verify its log and the records of its matches.

    Raises `BadDocument` for a document that cannot be read, and `Problem` if the service refuses something.
    """
    with open_false_world(seed, find_start(data)) as (config, clock):
        simulation = TournamentSimulation(config, clock, seed, show)
        simulation.apply_document(data)
        simulation.enter(entrants)
        simulation.plan_drops(drop)
        simulation.run_to_end()
        return simulation.conclude()


@dataclass
class TournamentSimulation:
    """A tournament in simulation, with its people."""

    config: Config
    clock: FalseClock
    seed: int
    show: Callable[[SimulationProgress], None]
    tournament: str = ""
    document: TournamentDocument | None = None
    named: dict[str, PlayerRow] = field(default_factory=dict)
    keys: dict[str, Ed25519PrivateKey] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    drops: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The player who drops out at each number of turns, and how."""
    silent: set[str] = field(default_factory=set)
    turns: int = 0
    challenges: int = 0
    """Attempts to challenge on a ladder so far."""
    challenged_at: int = 0
    moves: int = 0

    @property
    def row(self) -> TournamentRow:
        """The current row of the tournament."""
        row: TournamentRow = TournamentRow.get_by_id(self.tournament)
        return row

    def add_player(self, name: str) -> PlayerRow:
        """Create a player with a key."""
        private = Ed25519PrivateKey.from_private_bytes(_bytes_of(f"{self.seed} key {name}"))
        with write_transaction():
            player = accounts.create(name=name, language="en", zone="UTC", at=self.clock.at, address=None)
            signing_keys.add(player.id, public_key_of(private), "simulation")
        self.keys[player.id] = private
        return player

    def find_people(self, texts: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Create every player that a document names."""
        for text in texts:
            if text not in self.named:
                self.named[text] = self.add_player(text)
        return {text: [(self.named[text].id, self.named[text].name)] for text in texts}

    def apply_document(self, data: bytes) -> None:
        """Apply the document, for a recurrence its next tournament, and jump to the opening of entry."""
        maker = self.add_player("Organiser")
        context = replace(lifecycle.document_context(maker, self.config), find_people=self.find_people)
        row = lifecycle.apply_tournament(maker, read_document(data, context), None, self.config)
        self.tournament, self.document = row.id, load_document(json.loads(row.document))
        self.clock.at = max(self.clock.at, self.document.entry.opens or 0) + MINUTE
        self.work()

    def enter(self, count: int) -> None:
        """Enter this many people, first those whom the document names and who do not organise."""
        organisers = set(self.document.organisers) if self.document else set()
        people = [player for player in self.named.values() if player.id not in organisers][:count]
        people += [self.add_player(f"Entrant {number}") for number in range(1, count - len(people) + 1)]
        for player in people:
            receipt = enter_tournament(
                player, self.row, _bytes_of(f"{self.seed} {player.name}").hex()[:16], self.config
            )
            if receipt.status == "waiting":
                append_lines(self.tournament, None, [AcceptLine(player.id)], self.clock.at)
            self.entered.append(player.id)
            self.clock.at += 1000

    def plan_drops(self, count: int) -> None:
        """Plan who drops out: one withdraws, the next also leaves running matches, the next goes silent, and so on."""
        pick, left = chance.seeded_pick(_number_of(f"{self.seed} drops")), list(self.entered)
        for number in range(min(count, len(left))):
            player = left.pop(pick(len(left)))
            self.drops[FIRST_DROP * (number + 1)] = (player, ("withdraw", "leave", "silent")[number % 3])

    def work(self) -> None:
        """Do everything that is due. Beacon values come from the seed."""
        do_due_work(self.config, self.clock, self.handlers)

    @property
    def handlers(self) -> Mapping[str, JobHandler]:
        """Handlers of jobs: those of tournaments, but with our own beacon."""
        return {**TOURNAMENT_HANDLERS, **dict([handles(FetchBeacon, self.give_beacon_value)])}

    def give_beacon_value(self, job: Job[FetchBeacon], config: Config) -> None:
        """Answer in place of the beacon, once its round has come."""
        number = job.payload.round
        self.clock.at = max(self.clock.at, QUICKNET_GENESIS + (number - 1) * QUICKNET_PERIOD)
        value = _bytes_of(f"{self.seed} beacon {number}").hex()
        rounds.take_beacon_value(job.payload.tournament, number, value, config)

    def run_to_end(self) -> None:
        """Play until the tournament is over."""
        while True:
            self.work()
            row = self.row
            self.report_progress()
            if row.ended_at is not None:
                return
            self.take_drops()
            if self.is_ladder and self.challenge_somebody():
                continue
            if not self.play_turn():
                self.jump_to_next(row)

    @property
    def is_ladder(self) -> bool:
        """True if somebody must challenge before anything is played."""
        return self.document is not None and any(plan.format == LADDER for plan in self.document.stages)

    def challenge_somebody(self) -> bool:
        """Make a challenge once a day, with an answer unless the challenged player is silent. Return True if tried."""
        if self.challenges >= MOST_CHALLENGES * len(self.entered) or self.clock.at < self.challenged_at + DAY:
            return False
        pick = chance.seeded_pick(_number_of(f"{self.seed} challenge {self.challenges}"))
        one, other = (self.entered[pick(len(self.entered))] for _ in range(2))
        try:
            made = make_challenge(one, self.tournament, other)
        except Problem:
            # Not above, out of reach, or the ladder is not running: the next attempt draws two other players.
            self.challenges += self.row.started_at is not None
            return self.row.started_at is not None
        self.challenges, self.challenged_at = self.challenges + 1, self.clock.at
        if other not in self.silent and pick(SILENT_ONE_IN):
            answer_challenge(other, self.tournament, made.id, accept=True)
        return True

    def report_progress(self) -> None:
        """Report the progress."""
        made, over = (
            MatchRow.select().where(wanted).count() for wanted in (MatchRow.id != "", MatchRow.status == "over")
        )
        self.show(SimulationProgress(self.clock.at, over, made))

    def take_drops(self) -> None:
        """Drop the players whose turn it is to drop out."""
        for turn in [turn for turn in self.drops if turn <= self.turns]:
            player, how = self.drops.pop(turn)
            if how == "silent":
                self.silent.add(player)
            else:
                withdraw_entrant(player, self.tournament, at_once=how == "leave")

    def play_turn(self) -> bool:
        """Let every asked player answer once, an hour later. Return True if anybody did."""
        running = [
            row.id for row in MatchRow.select(MatchRow.id).where(MatchRow.status == "running").order_by(MatchRow.id)
        ]
        if not running:
            return False
        self.clock.at += TURN
        moved = sum(self.answer_questions(match) for match in running)
        self.turns += moved > 0
        self.moves += moved
        return moved > 0

    def answer_questions(self, match: str) -> int:
        """Answer for each asked seat of a match. Return how many answered."""
        return sum(
            answer_question(match, seat, self.keys.__getitem__)
            for seat, player in enumerate(load_match_state(match).players)
            if player not in self.silent
        )

    def jump_to_next(self, row: TournamentRow) -> None:
        """Jump to the next moment when something is due: a step, a job, or a deadline."""
        times = [row.next_at, *next_job_times(self.handlers)]
        deadline = rows(NEXT_DEADLINE, self.clock.at - 2 * MINUTE)[0][0]
        times += [deadline + 2 * MINUTE] if deadline is not None else []
        later = [at for at in times if at is not None and at > self.clock.at]
        if not later:
            raise SimulationStuck(row.state)
        self.clock.at = min(later)

    def conclude(self) -> SimulatedTournament:
        """Verify the log and every match. Return the result, or raise `BadTournament` if something is wrong."""
        if self.document is None:
            raise SimulationStuck
        record = export_record(self.tournament)
        report = verify_tournament(record)
        matches = compare_records(self.tournament)
        names = {row.id: row.name for row in PlayerRow.select()}
        row = self.row
        return SimulatedTournament(
            record, report, self.document, row.state, names, matches, self.moves, int(row.ended_at or self.clock.at)
        )


def compare_records(tournament: str) -> int:
    """Verify the record of every match with its rules, and compare the log's result. Return how many."""
    results: dict[str, tuple[int, ResultLine]] = {}
    for entry in find_log(tournament, 0, TournamentRow.get_by_id(tournament).head_seq):
        line = entry.value
        if isinstance(line, ResultLine):
            results[line.match] = (entry.seq, line)
    reset_process_state()
    state = tournament_store.load_state(tournament)
    played = {row.id for row in MatchRow.select(MatchRow.id).where(MatchRow.status == "over")}
    for match, (seq, line) in results.items():
        if match not in played:
            continue
        verify(record_export.export_record(load_match_state(match), "all"), rules=RulesChecker())
        name = state.where[match][0]
        if not is_result_of(state, match, line.results, state.stages[name].rules.format):
            recorded = " ".join(map(str, read_seat_results(match)))
            raise BadTournament(seq, "result", explain_fault("wrong_record", match=match, result=recorded))
    return len(played & results.keys())
