"""A small world to look around in: weeks of matches and tournaments, played in a few seconds.

The service itself does everything, with a clock that jumps from some weeks ago until now: accounts, documents, rounds,
signed moves, results, emails. Then real time takes over, and `worker.demo_people` plays on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any
from unicodedata import normalize

from cli.simulation.false_world import FalseClock, do_due_work, next_job_times, use_false_time
from engine.games import GAMES
from service.accounts import players as accounts
from service.accounts import signing_keys
from service.config import Config
from service.db.connection import rows, wait_for_lock, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import TournamentRow
from service.matches.create import NewMatch, create_match
from service.matches.join import join_match
from service.record.keys import public_key_of
from service.timestamps import DAY, HOUR, MINUTE, now
from service.tournaments import lifecycle
from service.tournaments.documents.document import read_document
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.ratings import rate_finished_matches
from worker.demo_people import DEMO_DOMAIN, answer_question, find_key
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

LOCK = 0x64656D6F
WEEKS = 4
SHARE = 0.85
"""Share of the asked players who answer within half an hour."""
QUIET = DAY
"""How long before now the players with emails stop answering, so that some turns wait for a visitor."""
PEOPLE = (
    ("Aoife", "en", "Europe/Dublin", "turn"),
    ("Maëlle", "fr", "Europe/Paris", "turn"),
    ("Brendan", "en", "America/New_York", "digest"),
    ("Ciara", "en", "Europe/Dublin", "none"),
    ("Deirdre", "en", "Europe/London", "none"),
    ("Eoin", "en", "Australia/Sydney", "none"),
    ("Fionn", "en", "Europe/Dublin", "none"),
    ("Gráinne", "en", "America/Chicago", "none"),
    ("Iseult", "fr", "Europe/Brussels", "none"),
    ("Loïc", "fr", "Europe/Paris", "none"),
    ("Niamh", "en", "Europe/Dublin", "none"),
    ("Oisín", "en", "Europe/Dublin", "none"),
)
"""The people: name, language, time zone, and email setting."""
CUP = """
tournament: demo-cup
title: {{en: Autumn cup, fr: Coupe d’automne}}
game: {game}
entry: {{opens: "{opens}", closes: "{closes}", least: 4}}
draw: {{beacon: none}}
spectators: now
stages:
  - name: cup
    format: knockout
    start: {{first: "{first}", next: when-over, gap: 12h}}
    end: {{at_most: 2w, then: as-it-stands}}
"""
SWISS = """
tournament: demo-swiss
title: {{en: Winter Swiss, fr: Open d’hiver}}
game: {game}
entry: {{opens: "{opens}", closes: "{closes}", least: 4}}
draw: {{beacon: none}}
spectators: now
stages:
  - name: swiss
    format: swiss
    rounds: 5
    start: {{first: "{first}", every: 3d}}
    end: {{at_most: 2w, then: as-it-stands}}
"""
PODS = """
tournament: demo-pods
title: {{en: Tales by the fire, fr: Contes au coin du feu}}
game: {game}
entry: {{opens: "{opens}", closes: "{closes}", least: 6, most: 24}}
draw: {{beacon: none}}
spectators: now
stages:
  - name: pods
    format: pods
    seats: 3
    rounds: 3
    points: {{places: [4, 2, 0]}}
    start: {{first: "{first}", next: when-over, gap: 1d}}
    end: {{at_most: 4w, then: as-it-stands}}
"""
DUE_LETTERS = (
    "select id from job where done_at is null and dead_at is null and due_at <= ? and topic = 'letter' order by id"
)
Show = Callable[[int, int], None]
"""Reports the hours of the world that have passed, and the total."""


class WorldExists(Exception):
    """This database has been used already; `is_demo` is True if it contains a demo world."""

    def __init__(self, *, is_demo: bool) -> None:
        super().__init__("a demo world" if is_demo else "players, matches or tournaments")
        self.is_demo = is_demo


def is_empty() -> bool:
    """Return True if nobody has used this database yet. The account that `serve` creates does not count."""
    guests = PlayerRow.select().where(~PlayerRow.demo | PlayerRow.address.is_null(is_null=False))
    return not (guests.exists() or MatchRow.select().exists() or TournamentRow.select().exists())


def build_demo_world(config: Config, show: Show) -> dict[str, int]:
    """Fill an empty database. Return the numbers of players, matches, tournaments and emails.

    All of it is one transaction, so that a failure leaves the database unchanged.
    """
    end = now()
    with write_transaction():
        # If two builders run at once, the second waits here and then finds the world of the first.
        wait_for_lock(LOCK)
        if not is_empty():
            raise WorldExists(is_demo=accounts.has_demo_people())
        with use_false_time(end - WEEKS * 7 * DAY) as clock:
            world = DemoWorld(config, clock, end, show)
            world.settle_people()
            world.plan_events()
            world.run_until_now()
        world.write_letters()
        counts = {"players": "player where demo and address is not null", "matches": "match"}
        counts |= {"tournaments": "tournament", "letters": "letter"}
        return {name: int(rows(f"select count(*) from {what}")[0][0]) for name, what in counts.items()}  # noqa: S608  # ours


@dataclass
class DemoWorld:
    """The world under construction."""

    config: Config
    clock: FalseClock
    end: int
    show: Show
    people: dict[str, PlayerRow] = field(default_factory=dict)
    events: list[tuple[int, Callable[[], None]]] = field(default_factory=list)
    """Times and their actions, the earliest last."""
    luck: Random = field(default_factory=lambda: Random(7))  # noqa: S311  # no secret

    def settle_people(self) -> None:
        """Create the people, each marked as one of the demo."""
        for name, language, zone, letters in PEOPLE:
            plain = "".join(sign for sign in normalize("NFKD", name.lower()) if sign.isascii())
            address = f"{plain}@{DEMO_DOMAIN}"
            with write_transaction():
                player = accounts.create(name=name, language=language, zone=zone, at=self.clock.at, address=address)
                signing_keys.add(player.id, public_key_of(find_key(player.id)), "demo")
                PlayerRow.update(demo=True, letters=letters).where(PlayerRow.id == player.id).execute()
            self.people[name] = PlayerRow.get_by_id(player.id)

    def plan_events(self) -> None:
        """Plan three tournaments, and matches of all kinds."""
        names, day = list(self.people), self.end // HOUR * HOUR
        # Games with short matches for the tournaments that are played, a long one for the open tournament.
        stories, raids, cards, songs = (GAMES[slug].slug for slug in [*GAMES][:4])
        self._plan_tournament(CUP, cards, names[:8], day - 27 * DAY, day - 24 * DAY)
        self._plan_tournament(SWISS, cards, names[2:10], day - 14 * DAY, day - 10 * DAY)
        self._plan_tournament(PODS, stories, names[1:6], day - 2 * DAY, day + 5 * DAY)
        self._plan_match(day - 20 * DAY, raids, "Oisín", {1: "steady"})
        self._plan_match(day - 16 * DAY, stories, "Niamh", {1: "steady"})
        self._plan_match(day - 10 * DAY, songs, "Ciara", {1: "steady"})
        self._plan_match(day - 30 * HOUR, stories, "Aoife", {}, "Fionn")
        self._plan_match(day - 28 * HOUR, songs, "Maëlle", {}, "Loïc")
        self._plan_match(day - 26 * HOUR, raids, "Deirdre", {}, "Aoife", "Iseult")
        self._plan_match(day - 8 * HOUR, cards, "Gráinne", {}, seats=3, title="Three by the fire")
        self._plan_match(day - 6 * HOUR, raids, "Eoin", {}, seats=4, title="Cattle for everybody")
        self._plan_match(day - 3 * HOUR, stories, "Loïc", {}, title="Une première partie ?")
        self._plan_match(day - HOUR, songs, "Niamh", {}, seats=3, title="A song for three")
        self.events.sort(key=lambda event: -event[0])

    def _plan_tournament(self, text: str, game: str, names: list[str], opens: int, closes: int) -> None:
        """Plan a tournament of the organiser Ciara that these people enter one after the other."""
        times = {"opens": opens, "closes": closes, "first": closes + 12 * HOUR}
        data = text.format(game=game, **{name: _write_moment(at) for name, at in times.items()}).encode()
        maker, made = self.people["Ciara"], list[str]()

        def apply() -> None:
            document = read_document(data, lifecycle.document_context(maker, self.config))
            made.append(lifecycle.apply_tournament(maker, document, None, self.config).id)

        def enter(name: str) -> None:
            enter_tournament(self.people[name], TournamentRow.get_by_id(made[0]), "-", self.config)

        self.events.append((opens - 12 * HOUR, apply))
        for at, name in enumerate(names, 1):
            self.events.append((opens + at * 4 * HOUR, lambda name=name: enter(name)))  # type: ignore[misc]

    def _plan_match(  # what a match is
        self,
        at: int,
        game: str,
        maker: str,
        bots: Mapping[int, str],
        *others: str,
        seats: int = 2,
        title: str = "",
    ) -> None:
        wanted = NewMatch(game, max(seats, 1 + len(bots) + len(others)), bots=bots, title=title, clock="simple-7")

        def create() -> None:
            match = create_match(self.people[maker], wanted, self.config)
            for other in others:
                join_match(self.people[other], match.id, None, "-", None, self.config)

        self.events.append((at, create))

    def run_until_now(self) -> None:
        """Go from hour to hour, and do what is due in each."""
        begin = self.clock.at
        while True:
            while self.events and self.events[-1][0] <= self.clock.at:
                self.events.pop()[1]()
            do_due_work(self.config, self.clock)
            asked = self.answer_questions()
            if asked:
                do_due_work(self.config, self.clock)
                self.answer_questions()
            rate_finished_matches.count_ended_matches(self.config)
            self.show((self.clock.at - begin) // HOUR, (self.end - begin) // HOUR)
            if self.clock.at >= self.end:
                do_due_work(self.config, self.clock)
                return
            self.clock.at = min(self.clock.at + HOUR if asked else self.find_next(), self.end)

    def find_next(self) -> int:
        """Return when something happens next if no player is asked, in an hour at the earliest."""
        steps = [row.next_at for row in TournamentRow.select(TournamentRow.next_at)]
        events = [at for at, _ in self.events[-1:]]
        times = [int(at) for at in (*steps, *next_job_times(), *events) if at is not None]
        return max(self.clock.at + HOUR, min([*times, self.end]))

    def answer_questions(self) -> int:
        """Answer for most asked players. Those with emails stop on the last day. Return how many are asked."""
        silent = self.clock.at > self.end - QUIET
        seats = SeatRow.select(SeatRow.match, SeatRow.seat, PlayerRow.letters)
        joined = seats.join(PlayerRow, on=PlayerRow.id == SeatRow.player).join(
            MatchRow, on=MatchRow.id == SeatRow.match
        )
        asked = SeatRow.asked.is_null(is_null=False) & (MatchRow.status == "running")
        questions: list[Any] = list(joined.where(asked).order_by(SeatRow.match, SeatRow.seat).tuples())
        for match, seat, letters in questions:
            if (silent and letters != "none") or self.luck.random() > SHARE:
                continue
            answer_question(match, seat)
        return len(questions)

    def write_letters(self) -> None:
        """Write the emails that are due now. Emails about turns that are over are not written."""
        for (number,) in rows(DUE_LETTERS, now() + MINUTE):
            run_job(number, self.config, JOB_HANDLERS)


def _write_moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
