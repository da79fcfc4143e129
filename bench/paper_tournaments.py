"""Large tournaments on paper: entrants, pairings and results written into the log, without any match."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from service import ids
from service.accounts import players
from service.config import Config
from service.db.batches import insert_all
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.timestamps import DAY, now
from service.tournaments import lifecycle
from service.tournaments.documents.document import load_document, read_document
from service.tournaments.documents.document_values import write_moment
from service.tournaments.formats import log_lines
from service.tournaments.formats.draw import make_draw
from service.tournaments.rounds.rounds import write_rounds
from service.tournaments.rounds.standings import renew_standings
from service.tournaments.tournament_store import append_lines, load_state

DOCUMENT = """
tournament: {name}
game: keltis
entry: {{opens: "{opens}", closes: "{closes}", most: 20000}}
draw: {{beacon: none}}
stages:
  - name: swiss
    format: swiss
    system: brackets
    rounds: 9
    start: {{first: "{first}", next: when-over, gap: 1d}}
    end: {{at_most: 5w, then: as-it-stands}}
"""
RESULTS = ("1:3:played 2:1:played", "2:0:played 1:2:played", "1:1:played 1:1:played")


def add_people(count: int) -> list[str]:
    """Create this many players with one statement for many rows, and return their ids."""
    with write_transaction():
        first = players.create(name=f"Field {count}", language="en", zone="UTC", at=now())
    query: Any = PlayerRow.select().where(PlayerRow.id == first.id).dicts()
    columns: dict[str, Any] = query.get()
    people = [
        {**columns, "id": ids.new_id(), "name": f"Entrant {number}", "skeleton": f"{first.id} {number}"}
        for number in range(1, count)
    ]
    insert_all(PlayerRow, people)
    return [first.id, *(each["id"] for each in people)]


def apply_document(config: Config, name: str, opens_in: int = DAY) -> TournamentRow:
    """Make a tournament whose entry opens in this many milliseconds, since a document may not begin in the past."""
    with write_transaction():
        maker = players.create(name=f"Maker of {name}", language="en", zone="UTC", at=now())
    times = {"opens": opens_in, "closes": opens_in + DAY, "first": opens_in + 2 * DAY}
    text = DOCUMENT.format(name=name, **{key: write_moment(now() + after) for key, after in times.items()})
    document = read_document(text.encode(), lifecycle.document_context(maker, config))
    return lifecycle.apply_tournament(maker, document, None, config)


def enter_people(tournament: str, people: Sequence[str]) -> None:
    """Write entries that are accepted at once."""
    lines = (line(player) for player in people for line in (log_lines.EnterLine, log_lines.AcceptLine))
    append_lines(tournament, None, list(lines), now())


def play_on_paper(config: Config, name: str, entrants: int, rounds: int) -> TournamentRow:
    """Make a running tournament with this many rounds. Half of the last one's results are missing."""
    row, people, at = apply_document(config, name), add_people(entrants), now()
    enter_people(row.id, people)
    seed = bytes.fromhex(TournamentRow.get_by_id(row.id).seed)
    numbers = [log_lines.NumberLine(player, number, None) for number, player in enumerate(people, 1)]
    first_draw = make_draw(seed, 1, log_lines.RoundName("swiss", 0))
    append_lines(row.id, None, [log_lines.CloseLine(), first_draw, *numbers], at)
    luck = Random(entrants)
    for number in range(1, rounds + 1):
        draw = make_draw(seed, number + 1, log_lines.RoundName("swiss", number))
        lines = map(log_lines.read, _round_lines(people, number, luck, over=number < rounds))
        append_lines(row.id, None, [draw, *lines], at)
    row, state = TournamentRow.get_by_id(row.id), load_state(row.id)
    with write_transaction():
        write_rounds(row, state, load_document(json.loads(row.document)))
        renew_standings(row, state, "swiss")
        # Without a next step, so that a worker on the same database does not continue it.
        TournamentRow.update(next_at=None, state="running", started_at=at).where(TournamentRow.id == row.id).execute()
    return row


def _round_lines(people: Sequence[str], number: int, luck: Random, *, over: bool) -> Iterator[str]:
    order = luck.sample(people, len(people))
    pairs = [(ids.new_id(), *order[at : at + 2]) for at in range(0, len(order) - 1, 2)]
    yield from (f"pair {match} swiss:{number} - {one} {two}" for match, one, two in pairs)
    yield f"start swiss:{number}"
    for match, _, _ in pairs if over else pairs[: len(pairs) // 2]:
        yield f"result {match} {luck.choice(RESULTS)}"
    if over:
        yield f"over swiss:{number}"
