"""Leagues of before become tournaments: in every state, with the same answers, and nothing for doctor to find."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from peewee import IntegrityError

from cli import main
from service import ids
from service.config import Config
from service.db import connection, migrations, sealing, server_secrets
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.events import deliveries
from service.jobs import heartbeat, outbox
from service.mail.letters import league as league_letters
from service.matches.seat_results import read_seat_results
from service.play import server_keys, table_store
from service.play.table_store import table_of
from service.timestamps import DAY, now, rfc3339
from service.tournaments import leagues, tournament_integrity, tournament_store
from service.tournaments.formats.verify import verify_tournament
from service.web.app import create_app
from tests.support.documented_answers import DocumentedClient
from tests.support.factories import settle, somebody
from tests.support.mailbox import deliver, match_of, person
from tests.support.players import Clock
from tests.support.schema import migrate_up_to

BEFORE = "0027_"
INSERT_LEAGUE = (
    "insert into league (id, title, game, options, seed, seed_hash, created_by, created_at, closes_at, published_at) "
    "values (?, ?, 'keltis', ?, ?, ?, ?, ?, ?, ?)"
)
SHAPE = {"seats": 2, "seat": 0, "bots": {"1": "steady"}, "clock": "relaxed", "options": {}}
KEY = "a-key-of-more-than-thirty-two-letters-for-this-test"


@dataclass
class OldLeague:
    """A league as the version before kept it, with what it answered."""

    id: str
    title: str
    owner: PlayerRow
    created_at: int
    closes_at: int
    published_at: int | None
    seed: bytes
    matches: dict[str, str]
    """The match of each who entered, in their order."""

    def answer(self) -> dict[str, Any]:
        """What `GET /v1/leagues/{id}` answered."""
        return {
            "id": self.id,
            "title": self.title,
            "game": "keltis",
            **SHAPE,
            "created_by": self.owner.id,
            "created_at": rfc3339(self.created_at),
            "closes_at": rfc3339(self.closes_at),
            "published_at": rfc3339(self.published_at),
            "seed_hash": sha256(self.seed).hexdigest(),
            "seed": self.seed.hex() if self.published_at is not None else None,
            "your_match": None,
        }

    def standings(self) -> list[dict[str, Any]]:
        """What `GET /v1/leagues/{id}/standings` answered."""
        out = self.published_at is not None
        lines = []
        for player, match in self.matches.items():
            ((name, status),) = rows(
                "select p.name, m.status from player p, match m where p.id = ? and m.id = ?", player, match
            )
            score = read_seat_results(match)[0].score if out else None
            lines.append(
                {"player": player, "name": name, "status": status, "match": match if out else None, "score": score}
            )
        return sorted(lines, key=lambda line: line["score"], reverse=True) if out else lines


@pytest.fixture
def old(empty: str, tmp_path: Path, clock: Clock) -> Iterator[Config]:
    """The settings of a service on a database as the version before left it, with secrets encrypted."""
    clock.install()
    connection.connect(empty)
    for cache in (server_secrets, server_keys, table_store, tournament_store):
        cache.clear_cache()
    made = replace(Config(), data=tmp_path, database_url=empty, log_level="error", secret_key=KEY)
    sealing.use_keys(made)
    migrate_up_to(BEFORE)
    yield made
    sealing.use_keys(replace(made, secret_key=""))


class OldLeagues:
    """Makes leagues by the statements of the version before."""

    def __init__(self, config: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.config = config
        self.clock = clock
        self.monkeypatch = monkeypatch
        self.owner = person("Orla")
        self.made: dict[str, OldLeague] = {}

    def open(self, title: str, days: int, published_at: int | None = None) -> OldLeague:
        """A league that closes after so many days."""
        id_, seed = ids.new_id(), ids.new_seed()
        league = OldLeague(id_, title, self.owner, now(), now() + days * DAY, published_at, seed, {})
        sealed = sealing.seal(seed.hex(), "league.seed")
        values = (json.dumps(SHAPE), sealed, sha256(seed).hexdigest(), self.owner.id, league.created_at)
        with write_transaction():
            execute(INSERT_LEAGUE, id_, title, *values, league.closes_at, published_at)
        self.made[title] = league
        self.clock.forward(minutes=1)
        return league

    def enter(self, league: OldLeague, name: str, moves: int) -> None:
        """Somebody who enters and plays so many moves, signed as every program of a player signs them."""
        me = somebody(name)
        with self.monkeypatch.context() as patch:
            patch.setattr(ids, "new_seed", lambda: league.seed)
            match = match_of(self.config, me.player, bots={1: "steady"}, clock="relaxed", title=league.title)
        with write_transaction():
            execute("update match set league = ? where id = ?", league.id, match)
        league.matches[me.player.id] = match
        chance = Random(len(self.made) * 10 + len(league.matches))
        while moves and not table_of(match).state.over:
            me.move(match, chance.randrange(1000))
            settle(match, self.config)
            moves -= 1
        self.clock.forward(minutes=1)


@pytest.fixture
def stored(old: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> dict[str, OldLeague]:
    """A league in every state: nobody there, running, closed and running, over and not published, over."""
    with monkeypatch.context() as patch:
        # Leagues had tables of their own then; nobody has a hook here.
        patch.setattr(deliveries, "_find_subscriptions", lambda _players, _matches: [])
        # Jobs had no rank then: it becomes a count of no tries.
        unranked = outbox.INSERT.replace("rank, done_at, attempts", "attempts, done_at").replace("j.*, 0", "j.*")
        patch.setattr(outbox, "INSERT", unranked)
        return _make_leagues(OldLeagues(old, clock, monkeypatch))


def _make_leagues(makes: OldLeagues) -> dict[str, OldLeague]:
    makes.open("Nobody yet", 90)
    for name, moves in (("Aoife", 3), ("Bran", 500)):
        makes.enter(makes.made.get("Runs") or makes.open("Runs", 90), name, moves)
    makes.enter(makes.open("Closed", 1), "Ciara", 5)
    for name in ("Dara", "Eoin"):
        makes.enter(makes.made.get("Played") or makes.open("Played", 1), name, 500)
    published = makes.open("Published", 1, now() + 2 * DAY)
    for name in ("Fionn", "Grainne", "Hugh"):
        makes.enter(published, name, 500)
    makes.open("Nobody came", 1, now() + 2 * DAY)
    makes.clock.forward(days=3)
    return makes.made


def test_leagues_in_every_state_answer_as_before(old: Config, stored: dict[str, OldLeague], clock: Clock) -> None:
    standings = {title: league.standings() for title, league in stored.items()}
    table_store.clear_cache()
    migrations.migrate()
    app = create_app(old)
    clock.install()
    app.test_client_class = DocumentedClient
    client: Any = app.test_client()
    states = {title: tournament_store.find_tournament(league.id, None).state for title, league in stored.items()}
    assert states == {
        "Nobody yet": "entry",
        "Runs": "running",
        "Closed": "running",
        "Played": "running",
        "Published": "over",
        "Nobody came": "over",
    }
    for title, league in stored.items():
        assert tournament_integrity.examine_tournament(league.id) == [], title
        report = verify_tournament(tournament_store.export_record(league.id))
        assert report.tournament == league.id
        assert set(report.seeds) == (set(league.matches.values()) if league.published_at else set())
        assert set(report.seeds.values()) <= {league.seed.hex()}
        if title == "Played":
            continue
        answer = client.get(f"/v1/leagues/{league.id}")
        assert answer.json == league.answer(), title
        assert answer.headers["Deprecation"].startswith("@")
        assert answer.headers["Link"] == f'</v1/tournaments/{league.id}>; rel="successor-version"'
        assert client.get(f"/v1/leagues/{league.id}/standings").json["items"] == standings[title], title
        visible = {client.get(f"/v1/matches/{match}").status_code for match in league.matches.values()}
        assert visible <= ({200} if league.published_at else {404}), title
    assert [each["title"] for each in client.get("/v1/leagues").json["items"]] == list(reversed(stored))
    _check_letters(stored)
    _end_league(stored["Played"], client)
    assert [tournament_integrity.examine_tournament(league.id) for league in stored.values()] == [[]] * len(stored)
    assert not any(tournament_integrity.rebuild_tournament(league.id) for league in stored.values())


def _check_letters(stored: dict[str, OldLeague]) -> None:
    """The facts that letters tell are those of before."""
    published = stored["Published"]
    assert published.published_at is not None
    ranking = league_letters.final_ranking(published.id, published.published_at)
    assert [(line.player, line.score) for line in ranking] == [
        (line["player"], line["score"]) for line in published.standings()
    ]
    assert set(league_letters.league_recipients(published.id)) == {published.owner.id, *published.matches}
    assert rows("select count(*) from job where key like ?", "league-over:%") == [(0,)]
    found = leagues.find_by_name("runs")
    assert found is not None
    assert found.id == stored["Runs"].id


def _end_league(played: OldLeague, client: Any) -> None:  # noqa: ANN401  # a client of the web service
    """What was over and not published yet is published now, and told once."""
    for _ in range(2):
        leagues.close_due(now())
    answer = client.get(f"/v1/leagues/{played.id}").json
    assert (answer["seed"], answer["published_at"]) == (played.seed.hex(), rfc3339(now()))
    assert rows("select key from job where key like ?", "league-over:%") == [(f"league-over:{played.id}",)]
    verify_tournament(tournament_store.export_record(played.id))


@pytest.mark.usefixtures("stored")
def test_doctor_finds_nothing_after_the_migration(old: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations.migrate()
    monkeypatch.setenv("ECHTRA_DATABASE_URL", old.database)
    monkeypatch.setenv("ECHTRA_DATA", str(old.data))
    monkeypatch.setenv("ECHTRA_SECRET_KEY", KEY)
    heartbeat.beat(old)
    while deliver(old):
        pass
    done = CliRunner().invoke(main, ["doctor"])
    assert "Matches examined: 8" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("Everything fits."), done.stdout
    assert done.exit_code == 0


def test_who_comes_after_the_migration_plays_the_same_deal(old: Config, stored: dict[str, OldLeague]) -> None:
    migrations.migrate()
    for title in ("Nobody yet", "Runs"):
        league = stored[title]
        match = leagues.enter(person("Late"), league.id, old)
        assert (match.seed, match.status, match.pairing) == (league.seed.hex(), "running", match.id)
        assert tournament_integrity.examine_tournament(league.id) == []


def test_an_old_process_opens_no_league_that_nobody_would_find(old: Config, stored: dict[str, OldLeague]) -> None:
    migrations.migrate()
    league = stored["Runs"]
    values = (json.dumps(SHAPE), "00", "", league.owner.id, now(), now() + DAY, None)
    with pytest.raises(IntegrityError, match="tournaments now"), write_transaction():
        execute(INSERT_LEAGUE, "another", "Another", *values)
    del old
