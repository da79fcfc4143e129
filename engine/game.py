"""Contract of every game: actions, steps, states, rules, bots and the game itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, dataclass_transform

from engine import notation
from engine.options import BadSetting, Option, Setting, Settings
from engine.reasons import NONE, Localised, Reason, reason
from engine.words import OUTCOMES, Locale, bot_version

if TYPE_CHECKING:
    from engine.presentation import Presentation

Seat = int
CHANCE: Seat = -1
HOUSE: Seat = -2

Pick = Callable[[int], int]
"""A source of choices: `pick(n)` is one of 0 to n-1."""

NOBODY: frozenset[Seat] = frozenset()
ONLY: tuple[frozenset[Seat], ...] = tuple(frozenset({seat}) for seat in range(100))
ALTERNATIVES = " | "
"""Separates alternatives in a waiting text. The first listed one is made."""
ONLY_CHANCE: frozenset[Seat] = frozenset({CHANCE})

S = TypeVar("S", bound="State")


class Seal(Enum):
    """How long a line that was made stays sealed."""

    NEVER = "never"
    UNTIL_REVEAL = "until-reveal"
    UNTIL_END = "until-end"


@dataclass_transform(frozen_default=True)
class Value:
    """Base of actions and steps, which makes every subclass a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)


class Action(Value, ABC, Generic[S]):
    """A possible move of a seat. Its fields are its notation."""

    verb: ClassVar[str]
    sealed: ClassVar[Seal] = Seal.NEVER

    @abstractmethod
    def do(self, state: S, seat: Seat) -> S:
        """Return the state after this action of the seat. The step that asked has already left the agenda."""

    def owner(self, seat: Seat) -> Seat:
        """Return the seat that sees the whole line while it is sealed."""
        return seat

    @cached_property
    def line(self) -> str:
        """The line of text that stands for this action everywhere."""
        return notation.write(self)

    def seen_by(self, seat: Seat, viewer: Seat | None) -> str:
        """Return the line as the viewer may see it while it is sealed: whole, or with `?` for hidden words."""
        return self.line if viewer == self.owner(seat) else notation.redact(self)


Options = Collection[Action[Any]]


class Step(Value, Generic[S]):
    """Something still to happen, on the agenda."""

    sealed: ClassVar[Seal | None] = None
    """Overrides the seal of the actions taken here."""

    def actors(self, state: S) -> frozenset[Seat]:
        """Return the seats that are asked now. An empty set means that the step runs by itself."""
        return NOBODY

    def options(self, state: S, seat: Seat) -> Collection[Action[S]]:
        """Return every action of this seat. An action is legal if it is listed here."""
        return ()

    def take(self, state: S, seat: Seat, action: Action[S]) -> S:
        """Return the state after the action. The step leaves the agenda first; steps that stay override this."""
        return action.do(state.but(agenda=state.agenda[1:]), seat)

    def run(self, state: S) -> S:
        """Return the state after a step that asks nobody. The step has already left the agenda."""
        return state


class Chance(Step[S]):
    """A step of the chance seat, whose lines are drawn by numbered picks and checked instead of listed."""

    def actors(self, state: S) -> frozenset[Seat]:
        """Return the chance seat alone."""
        return ONLY_CHANCE

    @abstractmethod
    def roll(self, state: S, pick: Pick) -> Action[S]:
        """Return the line that these picks give."""

    @abstractmethod
    def possible(self, state: S, action: Action[S]) -> bool:
        """Return True if some picks give this line."""

    @abstractmethod
    def picks(self, state: S) -> int:
        """Return how many numbered picks the line uses up."""

    def options(self, state: S, seat: Seat) -> Collection[Action[S]]:
        """Return a collection that can test its members but lists none."""
        return Possible(self, state)

    def take(self, state: S, seat: Seat, action: Action[S]) -> S:
        """Return the state after the action, with its picks counted."""
        return action.do(state.but(agenda=state.agenda[1:], picks=state.picks + self.picks(state)), seat)


@dataclass(frozen=True)
class Possible(Collection[Action[S]]):
    """The lines that chance may make: too many to list, so only `in` works."""

    step: Chance[S]
    state: S

    def __contains__(self, action: object) -> bool:
        """Return True if chance can make this line."""
        return isinstance(action, Action) and self.step.possible(self.state, action)

    def __iter__(self) -> Iterator[Action[S]]:
        """Return an empty iterator, since lines of chance are not listed."""
        return iter(())

    def __len__(self) -> int:
        """Return 0, since lines of chance are not listed."""
        return 0


@dataclass(frozen=True)
class House:
    """Effects of arbiters and resignations on the table, whatever the game."""

    resigned: tuple[Seat, ...] = ()
    bots: tuple[tuple[Seat, str], ...] = ()
    paused: bool = False
    ended: str = ""
    scores: tuple[int, ...] = ()


NO_HOUSE = House()


class Record:
    """A frozen dataclass that can be copied with changes."""

    def but(self, **changes: Any) -> Self:  # noqa: ANN401  # the fields of any record
        """Return a copy with these fields changed. This is far cheaper than `dataclasses.replace`."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__, **changes)
        return new


@dataclass(frozen=True, kw_only=True)
class State(Record):
    """The whole table at one moment, secrets included."""

    seats: int
    agenda: tuple[Step[Any], ...]
    reveals: int = 0
    picks: int = 0
    house: House = NO_HOUSE

    def first(self, *steps: Step[Any]) -> Self:
        """Return the state in which these steps happen before everything else."""
        return self.but(agenda=steps + self.agenda)

    def last(self, *steps: Step[Any]) -> Self:
        """Return the state in which these steps happen after everything else."""
        return self.but(agenda=self.agenda + steps)

    @property
    def over(self) -> bool:
        """True once no step is left."""
        return not self.agenda


def settle(state: S) -> S:
    """Run all steps that ask nobody, up to the next question."""
    while state.agenda:
        step = state.agenda[0]
        if step.actors(state):
            return state
        state = step.run(state.but(agenda=state.agenda[1:]))
    return state


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that are asked now. There are none once the match is over or while it is paused."""
    if not state.agenda or state.house.paused:
        return NOBODY
    return state.agenda[0].actors(state)


def legal(state: State, seat: Seat) -> Options:
    """Return what this seat may do now. No other list counts."""
    return state.agenda[0].options(state, seat) if seat in to_act(state) else ()


def apply(state: S, seat: Seat, action: Action[Any]) -> S:
    """Return the state after a listed action or a line of the core, and after everything that follows by itself."""
    after: S = action.do(state, seat) if action.verb in CORE_VERBS else state.agenda[0].take(state, seat, action)
    return settle(after)


def seal(state: State, action: Action[Any]) -> Seal:
    """Return how long the line stays sealed if it is made in this state."""
    if action.verb in CORE_VERBS or not state.agenda:
        return Seal.NEVER
    return state.agenda[0].sealed or action.sealed


@dataclass(frozen=True)
class Count:
    """One line of a score: its label, and the points."""

    label: str
    points: int


@dataclass(frozen=True)
class Score:
    """Points of a seat: the total, its parts, and the tie-breaks."""

    total: int
    counts: tuple[Count, ...] = ()
    ties: tuple[int, ...] = ()


Bot = Callable[[Any, Options, Pick], Action[Any]]
"""A bot answers a question from its own view, the listed options, and a source of choices."""

Sample = Callable[[Pick], S]
"""A table as a seat can imagine it: what it sees stays, the rest is dealt again by these picks."""


class Thinker(ABC, Generic[S]):
    """Bot that also plays on in tables it imagines. It never gets the real table."""

    @abstractmethod
    def choose(self, view: Any, options: Options, sample: Sample[S], pick: Pick) -> Action[S]:  # noqa: ANN401
        """Return what the bot does at the seat of this view.

        `sample` deals an imagined table, as often as the bot calls it.
        """


AnyBot = Bot | Thinker[Any]
"""A bot that `engine.playout.answer` can ask."""


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[S]):
    """Rules of a game: its moves and its scoring."""

    slug: str
    seats: range
    revision: int
    """The latest revision. A match that began under an earlier one keeps that one to its end."""
    options: tuple[Option, ...]
    actions: tuple[type[Action[S]], ...]
    steps: tuple[type[Step[S]], ...]
    state: type[S]
    setup: Callable[[int, Settings, int], S]
    """Build the state before the first move from the number of seats, the settings and the revision."""
    view: Callable[[S, Seat | None], Any]
    """Return what a seat may see, or what a spectator may see for None."""
    redeal: Callable[[S, Seat | None, Pick], S]
    """Deal everything again that the seat cannot see."""
    scores: Callable[[S], tuple[Score, ...]]
    score_bounds: tuple[int, int] = (-999, 999)
    """The lowest and the highest total that a seat can have at the end."""
    points: bool = True
    """False for a game that is won, drawn or lost: totals are 1 and 0, and people read words instead of them."""
    refusal: Callable[[S, Seat, Action[S]], Reason | None] = lambda _state, _seat, _action: None
    """Name the rule that forbids a well-formed line to an asked seat, as far as that seat may know it."""
    lapsing_verbs: frozenset[str] = frozenset()
    """Verbs of lines that may wait in vain, such as answers to questions that may never be asked."""

    def may_lapse(self, text: str) -> bool:
        """Return True if waiting alternatives are dropped silently once none of them is listed."""
        lines = text.split(ALTERNATIVES)
        return len(lines) > 1 and all(line.split(" ", 1)[0] in self.lapsing_verbs for line in lines)

    @cached_property
    def verbs(self) -> Mapping[str, tuple[type[Action[S]], ...]]:
        """Map each verb to its actions."""
        verbs: dict[str, tuple[type[Action[S]], ...]] = {}
        for action in self.actions:
            verbs[action.verb] = (*verbs.get(action.verb, ()), action)
        return verbs

    def settings(self, given: Settings, seats: int, revision: int | None = None) -> dict[str, Setting]:
        """Return every option with its given value or its default in this revision (None for the latest)."""
        revision = self.revision if revision is None else revision
        names = {option.name for option in self.options}
        for name in given:
            if name not in names:
                known = ", ".join(sorted(names)) or Localised(NONE)
                raise BadSetting(reason("game.no_option", game=self.slug, option=name, known=known))
        chosen = {option.name: given.get(option.name, option.default_in(revision)) for option in self.options}
        for option in self.options:
            if not option.fits(chosen[option.name], seats):
                value = notation.setting(chosen[option.name])
                values = option.localised_values()
                raise BadSetting(
                    reason("game.option_value", option=option.name, game=self.slug, value=value, values=values)
                )
        return chosen

    def start(self, seats: int, given: Settings | None = None, revision: int | None = None) -> S:
        """Return the state before the first move."""
        if seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise BadSetting(reason("game.seats", game=self.slug, least=least, most=most, seats=seats))
        revision = self.revision if revision is None else revision
        if not 1 <= revision <= self.revision:
            raise BadSetting(reason("game.revision", game=self.slug, latest=self.revision, revision=revision))
        return settle(self.setup(seats, self.settings(given or {}, seats, revision), revision))


@dataclass(frozen=True, kw_only=True)
class Bots:
    """The bots of a game, and the figures of a simulation between them."""

    by_name: Mapping[str, AnyBot]
    """The current bots, by the names that people and documents use."""
    stand_in: str
    """Name of the bot that plays a seat whose player left, resigned or ran out of time."""
    figures: Callable[[Any, Any], Mapping[str, float]] | None = None
    """Return the figures of a finished match other than its scores, from its log and last state."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """The version of each bot whose choices have changed. Other bots have version 1."""

    def current(self, name: str) -> str:
        """Return the name in records of a bot's latest version: `steady-2` for `steady`, if that is the latest."""
        family = bot_version(name)[0]
        version = self.versions.get(family, 1)
        return f"{family}-{version}" if version > 1 else family

    def knows(self, name: str) -> bool:
        """Return True if records may name this bot: a current version, or an earlier one."""
        family, version = bot_version(name)
        return family in self.by_name and version <= self.versions.get(family, 1)

    def latest(self, name: str) -> AnyBot:
        """Return the latest version of a bot that the game knows."""
        return self.by_name[bot_version(name)[0]]

    def find(self, name: str) -> AnyBot | None:
        """Return the bot that a record names, or None if there is none or this version has been replaced."""
        return self.by_name.get(bot_version(name)[0]) if name == self.current(name) else None


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S]):
    """One game: its rules, how people see it, and its bots."""

    rules: Rules[S]
    presentation: Presentation
    bots: Bots

    @property
    def slug(self) -> str:
        """Name of the game in addresses, records and commands."""
        return self.rules.slug


AnyAction: TypeAlias = Action[Any]
"""An action of any game."""
AnyGame: TypeAlias = Game[Any]
"""Any game, whatever its state consists of."""


def final_scores(game: Game[S], state: S) -> tuple[Score, ...]:
    """Return the scores on the table, or those that the house decided."""
    counted = game.rules.scores(state)
    if not state.house.scores:
        return counted
    return tuple(
        Score(total, score.counts, score.ties) for total, score in zip(state.house.scores, counted, strict=True)
    )


def winners(game: Game[S], state: S) -> tuple[Seat, ...]:
    """Return the seats that share first place. A seat that resigned cannot win."""
    return best_seats(final_scores(game, state), state.house.resigned)


def best_seats(scores: Sequence[Score], resigned: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats with the best total and ties among those that did not resign."""
    ranks = {seat: (score.total, score.ties) for seat, score in enumerate(scores) if seat not in resigned}
    best = max(ranks.values(), default=None)
    return tuple(seat for seat, rank in ranks.items() if rank == best)


def show_totals(game: Game[S], state: S, locale: Locale) -> tuple[str, ...]:
    """Return the total of each seat as people read it: points, or the outcome in a game without points."""
    if game.rules.points:
        return tuple(str(score.total) for score in final_scores(game, state))
    best = winners(game, state)
    won = OUTCOMES[locale]["won" if len(best) == 1 else "drawn"]
    return tuple(won if seat in best else OUTCOMES[locale]["lost"] for seat in range(state.seats))


CORE_VERBS = frozenset({"resign", "keys", "timeout", "bot", "seat", "pause", "resume", "end"})
