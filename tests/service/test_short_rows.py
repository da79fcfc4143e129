"""Short forms of a game in letters: one to a row or several, with a hyphen that is no bullet."""

from __future__ import annotations

import pytest

from service.mail.incoming import reply_parser
from service.mail.incoming.commands import wish
from service.mail.incoming.move_replies import NotUnderstood, understood
from service.play.accept import table_of
from service.play.views import Looking
from tests.service.tabletop import People, make

OPTIONS = {"bards": "bardbarian,piper", "events": "gem-fair,crystal-harvest"}


@pytest.fixture
def looking(person: People) -> Looking:
    """Seat 0 at the start of its turn, at a table where both people have drawn their hands."""
    one, _ = make(person("Aoife"), person("Bran"), game="bardwood-grove", options=OPTIONS)
    seat = next(at for at, question in enumerate(table_of(one.match).questions) if question)
    return Looking(table_of(one.match), seat, "en")


def lines(looking: Looking, body: str) -> tuple[str, ...]:
    """What a reply means at this table."""
    said = reply_parser.new(f"{body}\n\nOn Monday Echtra wrote:\n> Your turn\n")
    return understood(looking, wish(said.lines).paragraphs, hyphen=said.hyphen).lines


def test_a_turn_row_by_row_or_in_one(looking: Looking) -> None:
    one, two = looking.table.state.players[looking.seat].hand  # type: ignore[attr-defined]
    meant = (f"compose {one} {two}", "move c2 0")
    for body in (f"+ {one}; stay", f"+ {one}\nstay", f"-{two}\nstay", f"- {two}\nstay", f"- {two}; @ c2"):
        assert lines(looking, body) == meant, body
    assert lines(looking, f"- {two}\n~1")[1] == "move c2 1"
    assert lines(looking, f"+ {one}\n~1\nprefer C A")[2].startswith("fan ")
    assert lines(looking, f"+ {one}\nstay\n\nSee you tomorrow!") == meant


def test_a_list_with_bullets_stays_a_list(looking: Looking) -> None:
    one, two = looking.table.state.players[looking.seat].hand  # type: ignore[attr-defined]
    body = f"- compose {one} {two}\n- move c2 0"
    assert lines(looking, body) == (f"compose {one} {two}", "move c2 0")
    assert lines(looking, f"- compose {one} {two}") == (f"compose {one} {two}",)


def test_an_unclear_row_is_refused_whole(looking: Looking) -> None:
    one, _ = looking.table.state.players[looking.seat].hand  # type: ignore[attr-defined]
    for body in (f"+ {one}\ns dragon", "p ul", f"{one}"):
        with pytest.raises(NotUnderstood):
            lines(looking, body)
