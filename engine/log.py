"""A match as text (header, one move a row, scores) and its replay, which names the first bad move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import notation
from engine.game import CHANCE, HOUSE, Action, Game, apply, final_scores
from engine.house import BotTakes, objection
from engine.options import BadSetting
from engine.reading import read
from engine.reasons import Reason, reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Seat, State
    from engine.options import Setting, Settings

DOT = " · "
FIRST_MOVE_ROW = 2
SIGNS = {CHANCE: "*", HOUSE: "!"}


class BadText(ValueError):
    """Raised for a text that does not hold a match, with the row and the reason."""

    def __init__(self, row: int, reason: Reason) -> None:
        """Keep the row, counted from 1, and the reason."""
        super().__init__(f"line {row}: {reason}")
        self.row = row
        self.reason = reason


@dataclass(frozen=True)
class Move:
    """An action that was made: the seat and the line."""

    seat: Seat
    line: str

    def __str__(self) -> str:
        """Return the move as one row of a match."""
        return f"{SIGNS.get(self.seat, self.seat)} {self.line}"


@dataclass(frozen=True)
class Log:
    """A match as its list of moves."""

    game: Game[Any]
    seats: int
    settings: Settings
    moves: tuple[Move, ...] = ()
    scores: tuple[int, ...] | None = None
    revision: int = 1

    def start(self) -> State:
        """Return the state before the first move."""
        state: State = self.game.rules.start(self.seats, self.settings, self.revision)
        return state

    def __str__(self) -> str:
        """Return the whole match as text."""
        head = [f"game {self.game.slug}", f"revision {self.revision}", f"seats {self.seats}"]
        for option in self.game.rules.options:
            default = option.default_in(self.revision)
            value = self.settings.get(option.name, default)
            if value != default:
                head.append(f"{option.name} {notation.setting(value)}")
        rows = [DOT.join(head), *map(str, self.moves)]
        if self.scores is not None:
            rows.append(" ".join(["scores", *map(str, self.scores)]))
        return "".join(f"{row}\n" for row in rows)


def parse(text: str, games: Mapping[str, Game[Any]]) -> Log:
    """Read a match from its text. Its moves are not yet checked against the rules."""
    if not text:
        raise BadText(1, reason("file.empty"))
    rows = text.split("\n")
    if rows[-1]:
        raise BadText(len(rows), reason("file.cut"))
    rows.pop()
    log = _header(rows[0], games)
    scores = None
    if len(rows) > 1 and rows[-1].split(" ")[0] == "scores":
        scores = _scores(rows.pop(), len(rows) + 1, log.seats)
    moves = tuple(_move(row, number, log.seats) for number, row in enumerate(rows[1:], FIRST_MOVE_ROW))
    return Log(log.game, log.seats, log.settings, moves, scores, log.revision)


def _header(row: str, games: Mapping[str, Game[Any]]) -> Log:
    parts = [tuple(part.split(" ", 1)) for part in row.split(DOT)]
    if [part[0] for part in parts[:3]] != ["game", "revision", "seats"] or any(len(part) != 2 for part in parts):  # noqa: PLR2004
        raise BadText(1, reason("file.header"))
    slug, revision, seats = (part[1] for part in parts[:3])
    game = games.get(slug)
    if game is None:
        raise BadText(1, reason("file.no_game", game=slug, known=", ".join(games)))
    numbers = [notation.Number(1).read(each) for each in (revision, seats)]
    if numbers[0] is None or numbers[1] is None:
        raise BadText(1, reason("file.numbers"))
    settings = _settings(game, [(part[0], part[1]) for part in parts[3:]], numbers[0])
    log = Log(game, numbers[1], settings, revision=numbers[0])
    try:
        log.start()
    except BadSetting as error:
        raise BadText(1, error.reason) from None
    return log


def _settings(game: Game[Any], pairs: list[tuple[str, str]], revision: int) -> dict[str, Setting]:
    options = {option.name: option for option in game.rules.options}
    settings: dict[str, Setting] = {}
    for name, text in pairs:
        option = options.get(name)
        if option is None:
            raise BadText(1, reason("file.no_option", game=game.slug, option=name))
        if name in settings:
            raise BadText(1, reason("file.option_twice", option=name))
        value = option.read(text)
        if value is None:
            raise BadText(1, reason("file.option_value", option=name, value=text, values=option.localised_values()))
        if value == option.default_in(revision):
            raise BadText(1, reason("file.option_default", option=name, value=text))
        settings[name] = value
    if list(settings) != [option.name for option in game.rules.options if option.name in settings]:
        raise BadText(1, reason("file.option_order", known=", ".join(options)))
    return settings


def _scores(row: str, number: int, seats: int) -> tuple[int, ...]:
    points = [notation.Number(-(2**53) + 1).read(word) for word in row.split(" ")[1:]]
    if len(points) != seats or None in points:
        raise BadText(number, reason("file.scores", seats=seats))
    return tuple(each for each in points if each is not None)


def _move(row: str, number: int, seats: int) -> Move:
    sign, _, line = row.partition(" ")
    seat = {"*": CHANCE, "!": HOUSE}.get(sign)
    if seat is None:
        seat = notation.SEAT.read(sign)
        if seat is None or seat >= seats:
            raise BadText(number, reason("file.seat", last=seats - 1))
    if not notation.is_line(line):
        raise BadText(number, reason("file.line"))
    return Move(seat, line)


@dataclass(frozen=True)
class Fault:
    """The first bad row of a match and what is wrong with it."""

    row: int
    reason: Reason

    def __str__(self) -> str:
        """Return the fault as messages show it."""
        return f"line {self.row}: {self.reason}"


@dataclass(frozen=True)
class Replay:
    """Result of a replay: the state after the good moves, and the first fault if there is one."""

    state: State
    good: int
    fault: Fault | None = None


def replay(log: Log, upto: int | None = None) -> Replay:
    """Make the moves of a log one by one, up to the first that is not allowed."""
    state = log.start()
    for number, move in enumerate(log.moves[:upto]):
        try:
            action = read(log.game, move.line, move.seat)
        except notation.NotALine as error:
            return Replay(state, number, _move_fault(number, move, error.reason))
        objected = objection(state, move.seat, action, log.game) or _unknown_bot(log.game, action)
        if objected:
            return Replay(state, number, _move_fault(number, move, objected))
        state = apply(state, move.seat, action)
    if upto is not None and upto < len(log.moves):
        return Replay(state, upto)
    return Replay(state, len(log.moves), _last_fault(log, state))


def _move_fault(number: int, move: Move, why: Reason) -> Fault:
    return Fault(number + FIRST_MOVE_ROW, reason("file.move", move=move, reason=why))


def _unknown_bot(game: Game[Any], action: Action[Any]) -> Reason | None:
    if isinstance(action, BotTakes) and not game.bots.knows(action.name):
        return reason("game.no_bot", game=game.slug, bot=action.name, known=", ".join(game.bots.by_name))
    return None


def _last_fault(log: Log, state: State) -> Fault | None:
    row = len(log.moves) + FIRST_MOVE_ROW
    if log.scores is None:
        return Fault(row, reason("file.scores_missing")) if state.over else None
    if not state.over:
        return Fault(row, reason("file.scores_early"))
    true = tuple(score.total for score in final_scores(log.game, state))
    if true != log.scores:
        return Fault(row, reason("file.scores_wrong", scores=" ".join(map(str, true))))
    return None
