"""Short forms of a game in emails: one or several per row, with a hyphen that is not a bullet."""

from __future__ import annotations

import pytest

from service.mail.incoming.reading.move_reader import MoveReader, MovesNotUnderstood
from service.mail.incoming.reading.pieces import Grammar
from service.mail.incoming.reading.requests import read_request
from service.mail.incoming.reading.zones import extract_reply
from service.play.match_loader import load_match_state
from service.play.views import Viewer
from tests.support.http_tables import People, make

OPTIONS = {"bards": "bardbarian,piper", "events": "gem-fair,crystal-harvest"}


@pytest.fixture
def viewer(person: People) -> Viewer:
    """Seat 0 at the start of its turn, at a table where both people have drawn their hands."""
    one, _ = make(person("Aoife"), person("Bran"), game="bardwood-grove", options=OPTIONS)
    seat = next(at for at, question in enumerate(load_match_state(one.match).questions) if question)
    return Viewer(load_match_state(one.match), seat, "en")


def lines(viewer: Viewer, body: str) -> tuple[str, ...]:
    """Return the meaning of a reply at this table."""
    said = extract_reply(f"{body}\n\nOn Monday Echtra wrote:\n> Your turn\n")
    reader = MoveReader(viewer)
    request = read_request(said.lines, Grammar(), moves=reader)
    if request.beside:
        raise MovesNotUnderstood("beside", request.beside[0])
    return reader.parse(list(request.moves))


def test_a_turn_row_by_row_or_in_one(viewer: Viewer) -> None:
    one, two = viewer.match_state.state.players[viewer.seat].hand  # type: ignore[attr-defined]
    meant = (f"compose {one} {two}", "move c2 0")
    for body in (f"+ {one}; stay", f"+ {one}\nstay", f"-{two}\nstay", f"- {two}\nstay", f"- {two}; @ c2"):
        assert lines(viewer, body) == meant, body
    assert lines(viewer, f"- {two}\n~1")[1] == "move c2 1"
    assert lines(viewer, f"+ {one}\n~1\nprefer C A")[2].startswith("fan ")
    assert lines(viewer, f"+ {one}\nstay\n\nSee you tomorrow!") == meant


def test_a_list_with_bullets_stays_a_list(viewer: Viewer) -> None:
    one, two = viewer.match_state.state.players[viewer.seat].hand  # type: ignore[attr-defined]
    body = f"- compose {one} {two}\n- move c2 0"
    assert lines(viewer, body) == (f"compose {one} {two}", "move c2 0")
    assert lines(viewer, f"- compose {one} {two}") == (f"compose {one} {two}",)


def test_an_unclear_row_is_refused_whole(viewer: Viewer) -> None:
    one, _ = viewer.match_state.state.players[viewer.seat].hand  # type: ignore[attr-defined]
    for body in (f"+ {one}\ns dragon", "p ul", f"{one}"):
        with pytest.raises(MovesNotUnderstood):
            lines(viewer, body)
