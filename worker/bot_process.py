"""Bots that take long think in a process of their own, so that neither other matches nor requests wait for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

import structlog

from engine import snapshot
from engine.chance import bot_stream
from engine.game import AnyAction
from engine.games import GAMES
from engine.playout import answer
from engine.reading import read
from service.bounded_cache import BoundedCache
from service.record.match_state import MatchState

MOST_TRIES = 3
"""How often a line is asked for if the process is killed over it; after that the sweeper asks again."""
MOST_ANSWERS = 200
"""How many lines are remembered that nobody came for: the match may have gone on without them."""
NICENESS = 5
"""How far the process stands back behind those that answer people."""
STOP_SECONDS = 5
log = structlog.get_logger("worker")


class BotRequest(NamedTuple):
    """What the process is asked: the bot of a game, the table as plain values, the seat, and where its picks begin."""

    game: str
    bot: str
    state: Any
    seat: int
    key: bytes
    made: int


class BotQuestion(NamedTuple):
    """A seat of a match at one head of its log."""

    match: str
    hash: str
    seat: int


@dataclass(frozen=True)
class BotAnswer:
    """The line of a bot, or the error that came instead."""

    line: str
    error: str = ""


class BotFailed(RuntimeError):
    """A bot raised an error instead of choosing a line."""


def choose_line(request: BotRequest) -> str:
    """The line that the bot chooses."""
    game = GAMES[request.game]
    picks = bot_stream(request.key, request.seat, request.made)
    return answer(game, snapshot.load(game, request.state), request.seat, game.bots.by_name[request.bot], picks).line


def serve_requests(connection: Connection) -> None:
    """Answer requests until the process that sends them is gone: this runs in the process of the bots."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal reaches us too; who started us stops us
    threading.Thread(target=_exit_with_parent, name="parent", daemon=True).start()
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(EOFError, OSError):
        while True:
            connection.send(_answer_request(connection.recv()))


def _answer_request(request: BotRequest) -> BotAnswer:
    try:
        return BotAnswer(choose_line(request))
    except Exception as error:  # noqa: BLE001  # whatever a bot raises, who asked must hear of it
        return BotAnswer("", f"{type(error).__name__}: {error}")


def _exit_with_parent() -> None:
    """End at once with the process that started this one, even if that was killed while a bot thinks."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


class BotProcess(threading.Thread):
    """A thread that hands questions to the process one by one, and has each match resolved once its bot has answered.

    The process starts with the first question, and again if it was killed.
    """

    def __init__(self, resolve: Callable[[str], None]) -> None:
        super().__init__(name="bots", daemon=True)
        self._resolve = resolve
        self._waiting: dict[BotQuestion, BotRequest] = {}
        self._answers: BoundedCache[BotQuestion, BotAnswer] = BoundedCache(MOST_ANSWERS)
        self._changed = threading.Condition()
        self._stopped = False
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    @property
    def process_id(self) -> int | None:
        """The id of the process, if it was started."""
        return self._process.pid if self._process is not None else None

    def think(self, match_state: MatchState, seat: int) -> AnyAction | None:
        """The line of the bot at this seat, or nothing if it has not found one yet; then it thinks about it."""
        question = BotQuestion(match_state.facts.id, match_state.hash, seat)
        with self._changed:
            found = self._answers.get(question)
            if found is None and question not in self._waiting and not self._stopped:
                self._waiting[question] = _as_request(match_state, seat)
                self._changed.notify()
            elif found is not None and found.error:
                self._answers.drop(question)
        if found is None:
            return None
        if found.error:
            raise BotFailed(found.error)
        return read(match_state.facts.game, found.line, seat)

    def run(self) -> None:
        """Ask one question after the other until stopped."""
        while (question := self._next()) is not None:
            found = self._ask(self._waiting[question])
            with self._changed:
                del self._waiting[question]
                if found is not None:
                    self._answers.put(question, found)
            if found is not None:
                self._resolve(question.match)

    def _next(self) -> BotQuestion | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped)
            return None if self._stopped else next(iter(self._waiting))

    def _ask(self, request: BotRequest) -> BotAnswer | None:
        """What the process answers; it is started anew if it ends over the question."""
        for _ in range(MOST_TRIES):
            connection = self._connect()
            if connection is None:
                return None
            try:
                connection.send(request)
                found: BotAnswer = connection.recv()
            except (EOFError, OSError):
                if not self._stopped:
                    log.warning("bot process ended", process=self.process_id)
            else:
                return found
        return None

    def _connect(self) -> Connection | None:
        """The connection to the process, which is started if it does not run; nothing once all is stopped."""
        with self._changed:
            if self._stopped:
                return None
            if self._connection is None or self._process is None or not self._process.is_alive():
                self._end_process()
                self._start_process()
            return self._connection

    def _start_process(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve_requests, args=(theirs,), name="echtra bots", daemon=True)
        self._process.start()
        theirs.close()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(STOP_SECONDS)
        if self._connection is not None:
            self._connection.close()
        self._process, self._connection = None, None

    def stop(self) -> None:
        """End the process, whatever it thinks about, and ask nothing more; the next start finds what is left."""
        with self._changed:
            self._stopped = True
            if self._process is not None:
                self._process.kill()
            self._changed.notify()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(STOP_SECONDS)
        with self._changed:
            self._end_process()


def _as_request(match_state: MatchState, seat: int) -> BotRequest:
    facts = match_state.facts
    plain = snapshot.dump(facts.game, match_state.state)
    return BotRequest(facts.game.slug, match_state.bots[seat], plain, seat, facts.key, match_state.made[seat])
