"""The Ford: a whole game without secrets in one file. Copy it to begin a new game.

Ten pieces of each side face each other over a ford of five by five squares. A piece goes one step ahead, straight or
diagonally, and captures diagonally. Whoever first reaches the far bank, or captures everything, wins.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.game import Action, Bots, Game, Options, Pick, Rules, Score, Seat, State
from engine.notation import word
from engine.options import Settings
from engine.phrases import Phrases, by_locale
from engine.picture import Box, Disc, Group, Shape, Text
from engine.presentation import Marks, Presentation
from engine.reasons import Reason
from engine.steps import SeatStep
from engine.task import fill_task
from engine.view import View, shared_fields
from engine.words import Locale, Words, french

SIDE = 5
SQUARES = tuple(f"{file}{rank}" for rank in range(1, SIDE + 1) for file in "abcde")
PIECES, EMPTY = "AB", "."
AHEAD, FAR_BANK = (SIDE, -SIDE), (SQUARES[-SIDE:], SQUARES[:SIDE])


@dataclass(frozen=True, kw_only=True)
class Ford(State):
    """The board, square by square from a1, and who has won."""

    board: str = "A" * 10 + EMPTY * SIDE + "B" * 10
    winner: Seat | None = None


def targets(board: str, seat: Seat, start: str) -> tuple[str, ...]:
    """Return the squares that a piece can go to: straight ahead if empty, diagonally unless an own piece is there."""
    place, found = SQUARES.index(start), []
    for over in (-1, 0, 1):
        there = place + AHEAD[seat] + over
        on_board = 0 <= place % SIDE + over < SIDE and 0 <= there < len(SQUARES)
        if on_board and (board[there] == EMPTY or (over and board[there] != PIECES[seat])):
            found.append(SQUARES[there])
    return tuple(found)


class GoAhead(Action[Ford]):
    """A piece goes one step ahead and captures a piece that is there."""

    verb = "move"
    start: str = word(SQUARES)
    to: str = word(SQUARES)

    def do(self, state: Ford, seat: Seat) -> Ford:
        moved = {self.start: EMPTY, self.to: PIECES[seat]}
        board = "".join(moved.get(square, sign) for square, sign in zip(SQUARES, state.board, strict=True))
        if self.to in FAR_BANK[seat] or PIECES[1 - seat] not in board:
            return state.but(board=board, winner=seat)  # an empty agenda ends the match
        return state.but(board=board).last(Turn(1 - seat))


class Turn(SeatStep[Ford]):
    """A seat moves one piece. There is always one that can move: the foremost goes diagonally."""

    def options(self, state: Ford, seat: Seat) -> Collection[Action[Ford]]:
        own = [square for square, sign in zip(SQUARES, state.board, strict=True) if sign == PIECES[seat]]
        return [GoAhead(start, to) for start in own for to in targets(state.board, seat, start)]


def setup(seats: int, settings: Settings, revision: int) -> Ford:  # noqa: ARG001  # no options, one revision
    """Return the board before the first move. Seat 0 begins."""
    return Ford(seats=seats, agenda=(Turn(0),))


def scores(state: Ford) -> tuple[Score, ...]:
    """Return 1 for the winner and 0 for the loser; people read won and lost (`points=False`)."""
    return tuple(Score(int(seat == state.winner)) for seat in range(state.seats))


REFUSALS = Phrases(
    {
        "no-piece": ("{square} holds no piece of yours", "{square} ne porte aucune de vos pièces"),
        "own": ("a piece of yours stands on {square}", "une de vos pièces est déjà en {square}"),
        "blocked": ("a piece captures only diagonally", "une pièce ne prend qu’en diagonale"),
        "too-far": ("a piece goes one step ahead", "une pièce avance d’une seule case"),
    }
)


def refusal(state: Ford, seat: Seat, action: Action[Ford]) -> Reason | None:
    """Name the rule that forbids this line. Every line that is not listed needs one."""
    assert isinstance(action, GoAhead)
    start, to = SQUARES.index(action.start), SQUARES.index(action.to)
    if state.board[start] != PIECES[seat]:
        return REFUSALS.refuse("no-piece", square=action.start)
    if state.board[to] == PIECES[seat]:
        return REFUSALS.refuse("own", square=action.to)
    return REFUSALS.refuse("blocked" if to == start + AHEAD[seat] else "too-far")


@dataclass(frozen=True, kw_only=True)
class FordView(View):
    """The board as everybody sees it."""

    board: str
    winner: Seat | None


def view(state: Ford, seat: Seat | None) -> FordView:
    """Return the view of a seat or of a spectator."""
    return FordView(**shared_fields(state, seat), board=state.board, winner=state.winner)


SAY = Phrases(
    {
        "move": ("Move {start} to {to}", "Avancer de {start} en {to}"),
        "moved": ("{who} moves from {start} to {to}.", "{who} avance de {start} en {to}."),
        "won": ("{who} has crossed the ford.", "{who} a passé le gué."),
        "turn": ("{who} to play", "à {who} de jouer"),
        "over": ("the match is over", "la partie est terminée"),
        "paused": ("the match is paused", "la partie est suspendue"),
        "title": ("The Ford", "Le Gué"),
        "empty": ("{square}, empty", "{square}, libre"),
        "piece": ("{square}, {who}", "{square}, pièce : {who}"),
    }
)
TASKS = Phrases(
    {
        "move": ("Move: Move one piece a step ahead.", "Avancer : Avancez une pièce d’une case."),
    }
)


def text(view: FordView, locale: Locale) -> str:
    """Write the board, below whose turn it is. An empty `asked` before the end means that the match is paused."""
    key = "over" if view.over else "turn" if view.asked else "paused"
    who = ", ".join(view.called(seat, locale)[:60] for seat in view.asked)
    ranks = [view.board[at : at + SIDE] for at in range(0, len(SQUARES), SIDE)]
    rows = [f"{rank} {' '.join(ranks[rank - 1])}" for rank in range(SIDE, 0, -1)]
    sides = [f"{PIECES[seat]} = {view.called(seat, locale)[:60]}" for seat in range(view.seats)]
    return "\n".join([SAY.say("title", locale), SAY.say(key, locale, who=who), *rows, "  a b c d e", *sides])


def say(view: FordView, action: Action[Ford], locale: Locale) -> str:  # noqa: ARG001  # the same on every board
    """Return the sentence of a menu for a listed line. No two lines may have the same."""
    _, start, to = action.line.split(" ")
    return SAY.say("move", locale, start=start, to=to)


def tell(before: FordView, after: FordView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell what a line did."""
    who, (_, start, to) = before.called(seat, locale), line.split(" ")
    moved = SAY.say("moved", locale, who=who, start=start, to=to)
    return (moved,) if after.winner is None else (moved, SAY.say("won", locale, who=who))


def picture(view: FordView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ARG001  # fits both
    """Draw the board. Each square is a mark; its label names the piece on it."""
    shapes: list[Shape] = [Box(0, 0, 340, 340, "paper")]
    for place, (square, sign) in enumerate(zip(SQUARES, view.board, strict=True)):
        parts: list[Shape] = [Box(0, 0, 60, 60, "panel", "faint"), Text(4, 56, square, 11, "faint")]
        label = SAY.say("empty", locale, square=square)
        if sign != EMPTY:
            seat = PIECES.index(sign)
            parts.append(Disc(30, 28, 20, ("#b04a3a", "#2f5d8a")[seat], "ink"))
            label = SAY.say("piece", locale, square=square, who=view.called(seat, locale))
        x, y = 20 + 60 * (place % SIDE), 260 - 60 * (place // SIDE)
        shapes.append(Group(x, y, tuple(parts), f"square:{square}", label))
    return tuple(shapes)


def marks(view: FordView, action: Action[Ford]) -> Marks:  # noqa: ARG001  # every board is touched alike
    """Return the two squares that are touched."""
    return tuple((f"square:{square}",) for square in action.line.split(" ")[1:])


def random(view: FordView, options: Options, pick: Pick) -> Action[Ford]:  # noqa: ARG001  # looks at nothing
    """Choose any move."""
    return tuple(options)[pick(len(options))]


def steady(view: FordView, options: Options, pick: Pick) -> Action[Ford]:
    """Win if possible, else capture, else move any piece."""

    def value(action: Action[Ford]) -> int:
        _, start, to = action.line.split(" ")
        far = any(to in bank for bank in FAR_BANK) and start[1] != to[1]
        return 2 * far + (view.board[SQUARES.index(to)] != EMPTY)

    best = max(map(value, options))
    return random(view, [action for action in options if value(action) == best], pick)


RULES: dict[Locale, str] = {
    "en": "Move one piece a step ahead, straight or diagonally. Capture diagonally. The first to cross the ford wins.",
    "fr": french("Avancez une pièce d’une case, tout droit ou en diagonale. On prend en diagonale. Qui passe gagne."),
}
GAME: Game[Ford] = Game(
    rules=Rules(
        slug="ford",
        seats=range(2, 3),
        revision=1,
        options=(),
        actions=(GoAhead,),
        steps=(Turn,),
        state=Ford,
        setup=setup,
        view=view,
        redeal=lambda state, _seat, _pick: state,  # nothing is hidden
        scores=scores,
        score_bounds=(0, 1),
        points=False,
        refusal=refusal,
    ),
    presentation=Presentation(
        title={"en": "The Ford", "fr": "Le Gué"},
        about={"en": "A race over five by five squares.", "fr": "Une course sur cinq cases par cinq."},
        rules_summary=RULES,
        words=Words(by_locale({"move": (("move", "go"), ("avancer", "avance"))})),
        say=say,
        task=lambda _view, locale: fill_task(TASKS, "move", locale),
        tell=tell,
        text=text,
        picture=picture,
        marks=marks,
        mark_name=lambda _view, mark, _locale: mark.partition(":")[2],
    ),
    bots=Bots(by_name={"random": random, "steady": steady}, stand_in="steady"),
)
