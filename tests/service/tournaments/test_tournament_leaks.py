"""Two worlds of a tournament that differ only in hidden cards: API, feeds, emails and pages must be the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
from flask import Flask

from engine.games import GAMES
from service import ids
from service.config import Config
from service.db.connection import rows
from service.timestamps import HOUR
from service.tournaments.rounds import rounds
from service.web.app import create_app
from tests.support.html_page import BROWSER
from tests.support.http_tables import SeatClient
from tests.support.mailbox import deliver, html_of, sent, text_of
from tests.support.players import Clock, Person, newcomer
from tests.support.tournaments import TOPICS, document_text
from tests.support.two_worlds import NAMES, Seen, World, _answer, fresh_configs, masked, same, seen
from tests.support.web_apps import sign_in
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

STAGE = """
  - name: stage
    format: {format}
    start: {{first: 2027-02-01T18:00, next: when-over, gap: 1d}}
    end: {{at_most: 4w, then: adjudicate}}
"""
FORMATS = {"swiss": "swiss\n    rounds: 3", "knockout": "knockout"}
SELECT_HASHES = " union ".join(
    f"select hash from {table}"  # noqa: S608  # names of ours
    for table in ("tournament_entry", "tournament_header", "entry", "header")
)
ADDRESS = re.compile(rb"play-[a-z2-7]{26}")
"""A reply address, which differs in each email."""
DOORS = ("/v1/tournaments", "/tournaments", "/calendars", "/v1/me/calendar")
"""Prefixes of the addresses at which a tournament is read."""
VARIABLE = re.compile(r"<(?:[^<>:]+:)?(\w+)>")
OTHER_FORMS = ("/v1/tournaments/{tournament}/standings?why=true", "/tournaments/{tournament}?why=1")
PAGE = {**BROWSER, "Sec-Fetch-Site": "same-origin"}


@dataclass
class TournamentWorld(World):
    """A tournament of four whose first round runs at two tables. The draw is the same in both worlds."""

    format: str = "swiss"
    tournament: str = ""
    organiser: Person | None = None

    def _seated(self) -> list[SeatClient]:
        secrets = count()
        # The draw follows from the first secret, the deals from the second. These changes are reverted with everything
        # else that `begun` changes.
        pytest.MonkeyPatch().setattr(ids, "new_seed", lambda: bytes([self.seed if next(secrets) else 9]) * 32)
        client = create_app(self.config).test_client()
        self.organiser = newcomer(client, "Orla")
        people = [newcomer(client, name) for name in NAMES]
        sent_as = {"Authorization": f"Bearer {self.organiser.token}", "Content-Type": "application/yaml"}
        text = document_text(STAGE.format(format=FORMATS[self.format]))
        text = text.replace("draw:", "clock: simple-3\nspectators: after-match\ndraw:")
        made = client.put("/v1/tournaments/winter-cup", data=text, headers=sent_as)
        assert made.status_code == 200, made.text
        self.tournament = made.get_json()["id"]
        while rows("select 1 from tournament where state = 'announced'"):
            self._wait_for_step()
        for person in people:
            entered = person.post(f"/v1/tournaments/{self.tournament}/entrants", {"nonce": "-"})
            assert entered.status_code == 201, entered.text
        while not rows("select 1 from match where status = 'running'"):
            self._wait_for_step()
        found = rows("select match, seat, player from seat order by match, seat")
        by_id = {person.id: person for person in people}
        return [SeatClient(by_id[player], match, seat) for match, seat, player in found]

    def _wait_for_step(self) -> None:
        """Let time pass until the next step or job is due, and do it."""
        ((due,),) = rows("select next_at from tournament where id = ?", self.tournament)
        jobs = rows("select due_at, topic from job where done_at is null and dead_at is null")
        later = [at for at in [due, *(at for at, topic in jobs if topic in TOPICS)] if at is not None]
        self.clock.at = max(self.clock.at, min(later, default=self.clock.at))
        for _ in range(20):
            rounds.take_due_steps(self.config)
            waiting = rows(
                "select id, topic from job where done_at is null and dead_at is null and due_at <= ? order by id",
                self.clock.at,
            )
            done = [run_job(id_, self.config, JOB_HANDLERS) for id_, topic in waiting if topic in TOPICS]
            if not any(done):
                return

    def wait_for_decisions(self) -> None:
        """End the time of the round, so that every match waits for an organiser."""
        ((ends_at,),) = rows("select ends_at from round where number = 1 and tournament = ?", self.tournament)
        self.clock.at = ends_at + HOUR
        self._wait_for_step()

    def list_doors(self, app: Flask, token: str) -> list[str]:
        """Return every address at which the tournament is read. An unknown part of an address fails."""
        known = {"tournament": self.tournament, "stage": "stage", "number": "1", "token": token, "link": "none"}
        rules = sorted(str(rule) for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
        doors = [rule for rule in rules if rule.startswith(DOORS)]
        assert [rule for rule in rules if re.search("tournament|calendar", rule) and rule not in doors] == []
        return [
            *(VARIABLE.sub(lambda found: known[found[1]], rule) for rule in doors),
            *(form.format(**known) for form in OTHER_FORMS),
        ]

    def deal(self, match: str, script: Sequence[str]) -> list[str]:
        """Let chance act at a table, following the script as far as it goes. Return its lines."""
        self.script, self.dealt = list(script), []
        self.resolve(match)
        return self.dealt


def look(world: TournamentWorld, watcher: SeatClient, token: str, other: str = "") -> list[Seen]:
    """Return all that a player, an organiser and a stranger see; matches only while they run."""
    person, organiser = watcher.person, world.organiser
    assert organiser is not None
    app = person.client.application
    doors = world.list_doors(app, token)
    lists = ["/v1/events?after=0", "/v1/me/turns"]
    world.clock.forward(minutes=2)
    found: list[Seen] = [
        {path: _answer(person.get(path)) for path in [*doors, *lists]},
        {path: _answer(organiser.get(path)) for path in [*doors, *lists]},
        {path: _answer(person.client.get(path)) for path in doors},
        *(
            {path: _answer(sign_in(app, one.id).get(path, headers=PAGE)) for path in doors if path.startswith("/tour")}
            for one in (person, organiser)
        ),
    ]
    if other:
        tables = ((person.get, other), (organiser.get, other), (person.client.get, watcher.match))
        found += [seen(get, match) for get, match in (*tables, (person.get, watcher.match))]
        found.append({"/v1/matches": _answer(person.get("/v1/matches"))})
    deliver(world.config)
    kinds = sorted({kind for (kind,) in rows("select kind from letter")})
    letters: Seen = {
        f"{kind} {number} {one.id}": (200, {}, ADDRESS.sub(b"play", masked((text_of(each) + html_of(each)).encode())))
        for one in (person, organiser)
        for kind in kinds
        for number, each in enumerate(each for each in sent(kind) if one.address in each["To"])
    }
    return [_without_digits(each) for each in (*found, letters)]


def rule(world: TournamentWorld, match: str) -> list[Seen]:
    """Return what an organiser gets for a planned and a written result of a waiting match."""
    assert world.organiser is not None
    path = f"/v1/tournaments/{world.tournament}/rulings"
    wanted = {"what": "result", "match": match, "places": [2, 1], "why": "time", "text": "By the table as it is seen."}
    ((seq,),) = rows("select head_seq from tournament where id = ?", world.tournament)
    tried = world.organiser.post(path, {**wanted, "dry_run": True})
    made = world.organiser.post(path, {**wanted, "seq": seq})
    assert (tried.status_code, made.status_code) == (201, 201), (tried.text, made.text)
    return [{"tried": _answer(tried), "made": _answer(made)}]


def _without_digits(found: Seen) -> Seen:
    """Remove the first digits of hashes, which must differ."""
    short = re.compile("|".join(sorted({hash_[:12] for (hash_,) in rows(SELECT_HASHES)})).encode())
    return {name: (status, headers, short.sub(b"#" * 12, body)) for name, (status, headers, body) in found.items()}


@dataclass
class Course:
    """The lines of chance at a table, and the lines of its seats."""

    dealt: list[str]
    made: list[str]


NOTHING = Course([], [])


def play(world: TournamentWorld, own: Course, there: Course) -> tuple[list[Seen], Course, Course]:
    """Play four turns at both tables, repeating an earlier course if given. Return what was seen."""
    with world.begun() as sitting:
        watcher, opponent = (each for each in sitting if each.match == sitting[0].match)
        others = [each for each in sitting if each.match != watcher.match]
        token = watcher.person.get("/v1/me/calendar").json["url"].rpartition("/")[2].removesuffix(".ics")
        here = Course(world.deal(watcher.match, own.dealt), [])
        away = Course(world.deal(others[0].match, there.dealt), [])
        looks = look(world, watcher, token, others[0].match)
        for turn in range(4):
            make_turn(world, (watcher, opponent)[turn % 2], own, here, turn % 6)
            make_turn(world, others[turn % 2], there, away, 0)
            looks += look(world, watcher, token, others[0].match)
        world.wait_for_decisions()
        looks += look(world, watcher, token, others[0].match)
        looks += rule(world, others[0].match)
        looks += look(world, watcher, token)
        return looks, here, away


def make_turn(world: TournamentWorld, one: SeatClient, before: Course, now: Course, card: int) -> None:
    """Make one turn: the earlier line, or the discard of the card at this place in the hand."""
    hand, turn = one.read("table")["view"]["hand"], len(now.made)
    now.made.append(before.made[turn] if before.made else f"discard {hand[card % len(hand)]}")
    world.script, world.dealt = list(before.dealt[len(now.dealt) :]), []
    world.move(one, now.made[-1], "draw deck")
    now.dealt += world.dealt


def deal_others(dealt: Sequence[str], made: Sequence[str], seat: int) -> list[str]:
    """Return the chance lines with other cards for a seat, except those that it shows."""
    given = [card for line in dealt for card in line.split(" ")[2:]]
    spare = list((Counter(GAMES["keltis"].rules.start(2).unseen) - Counter(given)).elements())
    shown = Counter(line.split(" ")[1] for turn, line in enumerate(made) if turn % 2)
    script = []
    for line in dealt:
        verb, to, *cards = line.split(" ")
        if to == str(seat):
            for at, card in enumerate(cards):
                if shown[card]:
                    shown[card] -= 1
                else:
                    cards[at] = spare.pop(len(spare) // 2)
        script.append(" ".join([verb, to, *cards]))
    return script


@pytest.fixture
def configs(request: pytest.FixtureRequest, tmp_path: Path) -> list[Config]:
    """Two fresh databases; letters go to the local mailbox at once."""
    return [replace(each, letter_hold=0) for each in fresh_configs(request, tmp_path, "sqlite")]


@pytest.mark.parametrize("format_", FORMATS)
def test_other_hands_and_other_tables_look_the_same_in_all_of_a_running_tournament(
    configs: list[Config], clock: Clock, format_: str
) -> None:
    """In one the other table is another altogether; in the other only what a seat there hides, as organisers see it."""
    first, second = (TournamentWorld(config, clock, seed, format=format_) for seed, config in enumerate(configs, 1))
    looks, here, away = play(first, NOTHING, NOTHING)
    own, there = (Course(deal_others(each.dealt, each.made, 1), each.made) for each in (here, away))
    assert own.dealt != here.dealt
    assert there.dealt != away.dealt
    again, *repeated = play(second, own, NOTHING if format_ == "swiss" else there)
    assert repeated[0] == own
    assert (repeated[1] == there) == (format_ == "knockout")
    letters = {name.split(" ")[0] for name in looks[-1]}
    assert {"tournament-entered", "tournament-round", "tournament-adjudication"} <= letters
    pages = [name for each in looks for name, (status, _, _) in each.items() if status == 200]
    assert any(name.endswith("/bracket") for name in pages) == (format_ == "knockout")
    assert all(any(name.endswith(end) for name in pages) for end in ("/decisions", "/fair-play", "/rulings", ".ics"))
    if format_ == "swiss":
        # There organisers see another table, as spectators see it.
        looks, again = ([leave_out_tables(each) for each in found] for found in (looks, again))
    same(looks, again)


def leave_out_tables(found: Seen) -> Seen:
    """Remove the tables that organisers see when they decide."""
    shown = ("/decisions", "tournament-adjudication")
    return {name: each for name, each in found.items() if not any(part in name for part in shown)}
