"""Slow bots run in a separate process, so that neither other matches nor requests wait for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import structlog

from engine import snapshot
from engine.chance import bot_stream
from engine.game import AnyAction
from engine.games import GAMES
from engine.playout import answer as choose_answer
from engine.reading import read
from service.bounded_cache import BoundedCache
from service.record.match_state import MatchState
from service.standing_process import LimitExceeded, ProcessLimits, StandingProcess

MOST_TRIES = 3
"""Maximum number of retries of a question whose process died. After that the sweeper asks again."""
MOST_ANSWERS = 200
"""Maximum number of unused answers to keep. Their matches may have moved on."""
LIMITS = ProcessLimits(cpu_seconds=120, memory_bytes=1024 * 1024 * 1024)
"""Limits far above what any bot needs: a bot that exceeds them hangs."""
STOP_SECONDS = 5
log = structlog.get_logger("worker")


class BotRequest(NamedTuple):
    """A request to the process: the bot of a game, the state as plain values, the seat, and the start of its picks."""

    game: str
    bot: str
    state: Any
    seat: int
    key: bytes
    made: int


class BotQuestion(NamedTuple):
    """The question of a seat at one head of a match."""

    match: str
    hash: str
    seat: int


@dataclass(frozen=True)
class BotAnswer:
    """The line of a bot, or its error."""

    line: str
    error: str = ""


class BotFailed(RuntimeError):
    """A bot raised an error instead of choosing a line."""


def choose_line(request: BotRequest) -> str:
    """Return the line that the bot chooses."""
    game = GAMES[request.game]
    bot, picks = game.bots.latest(request.bot), bot_stream(request.key, request.seat, request.made)
    return choose_answer(game, snapshot.load(game, request.state), request.seat, bot, picks).line


def _answer_request(request: BotRequest) -> BotAnswer:
    try:
        return BotAnswer(choose_line(request))
    except Exception as error:  # noqa: BLE001  # whatever a bot raises goes to the parent
        return BotAnswer("", f"{type(error).__name__}: {error}")


class BotProcess(threading.Thread):
    """A thread that sends questions to the process one by one, and resolves each match once its bot has answered.

    The process starts with the first question, and again if it was killed.
    """

    def __init__(self, resolve: Callable[[str], None]) -> None:
        super().__init__(name="bots", daemon=True)
        self._resolve = resolve
        self._waiting: dict[BotQuestion, BotRequest] = {}
        self._answers: BoundedCache[BotQuestion, BotAnswer] = BoundedCache(MOST_ANSWERS)
        self._changed = threading.Condition()
        self._stopped = False
        self._process = StandingProcess("bots", _answer_request, LIMITS)

    def think(self, match_state: MatchState, seat: int) -> AnyAction | None:
        """Return the move of the bot at this seat. If it is not known yet, queue the question and return None."""
        question = BotQuestion(match_state.facts.id, match_state.hash, seat)
        with self._changed:
            answer = self._answers.get(question)
            if answer is None and question not in self._waiting and not self._stopped:
                self._waiting[question] = _as_request(match_state, seat)
                self._changed.notify()
            elif answer is not None and answer.error:
                self._answers.drop(question)
        if answer is None:
            return None
        if answer.error:
            raise BotFailed(answer.error)
        return read(match_state.facts.game, answer.line, seat)

    def run(self) -> None:
        """Ask one question after another until stopped."""
        while (question := self._next()) is not None:
            answer = self._ask(self._waiting[question])
            with self._changed:
                del self._waiting[question]
                if answer is not None:
                    self._answers.put(question, answer)
            if answer is not None:
                self._resolve(question.match)

    def _next(self) -> BotQuestion | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped)
            return None if self._stopped else next(iter(self._waiting))

    def _ask(self, request: BotRequest) -> BotAnswer | None:
        """Return the answer of the process, or None if it keeps dying. It is restarted after each death."""
        for _ in range(MOST_TRIES):
            if self._stopped:
                return None
            try:
                return self._process.ask(request)
            except LimitExceeded as error:
                if not self._stopped:
                    log.warning("bot process ended", why=error.what, game=request.game, bot=request.bot)
        return None

    def stop(self) -> None:
        """Kill the process and ask no more questions. The next start finds the open ones."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._process.stop()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(STOP_SECONDS)


def _as_request(match_state: MatchState, seat: int) -> BotRequest:
    facts = match_state.facts
    plain = snapshot.dump(facts.game, match_state.state)
    return BotRequest(facts.game.slug, match_state.bots[seat], plain, seat, facts.key, match_state.made[seat])
