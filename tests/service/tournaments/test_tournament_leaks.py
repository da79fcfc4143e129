"""Two worlds of a running tournament that differ only in what seats hide: answers, feeds, letters and pages agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest

from engine.games import GAMES
from service import ids
from service.config import Config
from service.db.connection import rows
from service.play import server_keys
from service.tournaments import rounds, tournament_store
from service.web.app import create_app
from tests.support.http_tables import Sitting
from tests.support.mailbox import deliver, html_of, sent, text_of
from tests.support.players import Clock, Person, newcomer
from tests.support.tournaments import TOPICS, document_text
from tests.support.two_worlds import NAMES, Seen, World, _answer, fresh_configs, masked, same, seen
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
TEXT = document_text(SWISS).replace("draw:", "clock: simple-3\nspectators: after-match\ndraw:")
SELECT_HASHES = " union ".join(
    f"select hash from {table}"  # noqa: S608  # names of ours
    for table in ("tournament_entry", "tournament_header", "entry", "header")
)
ADDRESS = re.compile(rb"play-[a-z2-7]{26}")
"""A reply address, which is another for each letter."""
PARTS = (
    *(
        "",
        "/rounds",
        "/rounds/swiss/1",
        "/standings?why=true",
        "/crosstable",
        "/bracket",
        "/log",
        "/record",
        "/entrants",
    ),
    *("/export.json", "/export.csv", "/export.trf", "/calendar.ics", "/forecast", "/fair-play"),
)


@dataclass
class TournamentWorld(World):
    """A tournament of four whose first round runs at two tables; the draw is the same, the deals are the world's."""

    tournament: str = ""
    organiser: Person | None = None

    def _seated(self) -> list[Sitting]:
        secrets = count()
        # The draw comes of the first secret, what is dealt of the second.
        # What this changes is put back with everything else that `begun` changes.
        pytest.MonkeyPatch().setattr(ids, "new_seed", lambda: bytes([self.seed if next(secrets) else 9]) * 32)
        client = create_app(self.config).test_client()
        server_keys.clear_cache()
        tournament_store.clear_cache()
        self.organiser = newcomer(client, "Orla")
        people = [newcomer(client, name) for name in NAMES]
        sent_as = {"Authorization": f"Bearer {self.organiser.token}", "Content-Type": "application/yaml"}
        made = client.put("/v1/tournaments/winter-cup", data=TEXT, headers=sent_as)
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
        return [Sitting(by_id[player], match, seat) for match, seat, player in found]

    def _wait_for_step(self) -> None:
        """Let time pass until the next step or job of the tournament is due, and do what is due."""
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

    def deal(self, match: str, script: Sequence[str]) -> list[str]:
        """Let chance act at a table, by the script as far as it goes; what it did."""
        self.script, self.dealt = list(script), []
        self.resolve(match)
        return self.dealt


def look(world: TournamentWorld, watcher: Sitting, other: str, own: str) -> list[Seen]:
    """Everything of the tournament that a player, an organiser and a stranger get."""
    person, organiser = watcher.person, world.organiser
    assert organiser is not None
    paths = [f"/v1/tournaments/{world.tournament}{part}" for part in PARTS]
    mine = [*paths, "/v1/tournaments", "/v1/events?after=0", "/v1/me/turns", "/v1/matches", own]
    pages = ["/tournaments", f"/tournaments/{world.tournament}", f"/tournaments/{world.tournament}?why=1"]
    world.clock.forward(minutes=2)
    found: list[Seen] = [
        {path: _answer(person.get(path)) for path in mine},
        {path: _answer(organiser.get(path)) for path in [*paths, "/v1/events?after=0"]},
        {path: _answer(person.client.get(path)) for path in [*paths, *pages]},
        seen(person.get, other),
        seen(organiser.get, other),
        seen(person.client.get, watcher.match),
        seen(person.get, watcher.match),
    ]
    deliver(world.config)
    kinds = sorted({kind for (kind,) in rows("select kind from letter")})
    letters: Seen = {
        f"{kind} {number}": (200, {}, ADDRESS.sub(b"play", masked((text_of(letter) + html_of(letter)).encode())))
        for kind in kinds
        for number, letter in enumerate(each for each in sent(kind) if person.address in each["To"])
    }
    return [_without_digits(each) for each in (*found, letters)]


def _without_digits(found: Seen) -> Seen:
    """The same without the first digits of hashes, which pages and letters show and which must differ."""
    short = re.compile("|".join(sorted({hash_[:12] for (hash_,) in rows(SELECT_HASHES)})).encode())
    return {name: (status, headers, short.sub(b"#" * 12, body)) for name, (status, headers, body) in found.items()}


def play(
    world: TournamentWorld, scripts: Sequence[str], lines: Sequence[str]
) -> tuple[list[Seen], list[str], list[str]]:
    """Four turns at the watcher's table, by these lines if given, and at the other; what was seen, dealt and made."""
    with world.begun() as sitting:
        watcher, opponent = (each for each in sitting if each.match == sitting[0].match)
        others = [each for each in sitting if each.match != watcher.match]
        own = watcher.person.get("/v1/me/calendar").json["url"].removeprefix(world.config.url)
        dealt = world.deal(watcher.match, scripts)
        world.deal(others[0].match, ())
        looks, made = look(world, watcher, others[0].match, own), []
        for turn in range(4):
            each = (watcher, opponent)[turn % 2]
            hand = each.read("table")["view"]["hand"]
            made.append(lines[turn] if lines else f"discard {hand[turn % len(hand)]}")
            world.script, world.dealt = list(scripts[len(dealt) :]), []
            world.move(each, made[-1], "draw deck")
            dealt = [*dealt, *world.dealt]
            there = others[turn % 2]
            world.script, world.dealt = [], []
            world.move(there, f"discard {there.read('table')['view']['hand'][0]}", "draw deck")
            looks += look(world, watcher, others[0].match, own)
        return looks, dealt, made


def deal_others(dealt: Sequence[str], made: Sequence[str], seat: int) -> list[str]:
    """The same chance lines with other cards for a seat, except those that it shows."""
    given = [card for line in dealt for card in line.split(" ")[2:]]
    spare = list((Counter(GAMES["keltis"].start(2).unseen) - Counter(given)).elements())
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


def test_other_hands_and_other_tables_look_the_same_in_all_of_a_running_tournament(
    configs: list[Config], clock: Clock
) -> None:
    first, second = (TournamentWorld(config, clock, seed) for seed, config in enumerate(configs, 1))
    looks, dealt, made = play(first, (), ())
    script = deal_others(dealt, made, 1)
    assert script != dealt
    again, repeated, moves = play(second, script, made)
    assert (repeated, moves) == (script, made)
    assert any(name.startswith("tournament-round") for name in looks[-1])
    same(looks, again)
