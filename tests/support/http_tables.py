"""Playing over HTTP in tests: making matches, signing lines, and a worker that acts when it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.db.connection import execute, rows
from service.play.resolve import Resolution, resolve_match
from service.record.signed_text import link_to_previous, move_text
from service.timestamps import DAY
from tests.support.factories import with_seat_0_first
from tests.support.players import Person

MOST_ENTRIES = 20_000
Body = dict[str, Any]
People = Callable[..., Person]
NEW: Body = {"game": "keltis", "seats": 2}
Answer = Any
"""A TestResponse whose JSON is never None, because a missing body would fail the test anyway."""


def resolved(match: str) -> None:
    """Let chance, bots and orders act at this table."""
    resolve_match(match, _questions, MOST_ENTRIES)


def _questions(resolutions: Sequence[Resolution]) -> None:
    """Store the questions as the worker does, with one day for each."""
    match_state = resolutions[0].match_state
    for seat, question in enumerate(match_state.questions):
        asked = question if match_state.players[seat] else None
        execute(
            "update seat set player = ?, bot = ?, asked = ?, asked_at = ?, due_at = ? where match = ? and seat = ?",
            match_state.players[seat] or None,
            match_state.bots[seat] or None,
            asked.asked if asked else None,
            asked.at if asked else None,
            asked.at + DAY if asked else None,
            match_state.facts.id,
            seat,
        )


@dataclass(frozen=True)
class SeatClient:
    """A person at a table."""

    person: Person
    match: str
    seat: int

    def path(self, rest: str) -> str:
        """Return an address below this match."""
        return f"/v1/matches/{self.match}/{rest}"

    def get(self, rest: str, **headers: str) -> Answer:
        """Get a resource of this match."""
        return self.person.get(self.path(rest), **headers)

    def read(self, rest: str) -> Any:  # noqa: ANN401  # any JSON
        """Get a resource of this match, as JSON."""
        answer: Answer = self.get(rest)
        assert answer.status_code == 200, answer.text
        return answer.json

    def post(self, rest: str, body: Any = None, **headers: str) -> Answer:  # noqa: ANN401
        """Post to this match."""
        return self.person.post(self.path(rest), body, **headers)

    @property
    def question(self) -> Body:
        """The question to the seat."""
        found: Body = self.read("table")["question"]
        return found

    @property
    def lines(self) -> list[str]:
        """The legal lines of the seat."""
        return [each["line"] for each in self.read("options")["items"]]

    def signed(
        self,
        *lines: str,
        orders: bool = False,
        private: Ed25519PrivateKey | None = None,
        **changes: Any,  # noqa: ANN401
    ) -> Body:
        """Return a submission of these lines, signed for the current question. `changes` are signed too."""
        asked = changes or self.question
        key = private or self.person.private
        parts = {"match": self.match, "seat": self.seat, "asked": asked["asked"], "prev": asked["prev"]}
        moves: list[Body] = []
        previous = None
        for n, line in enumerate(lines, 1):
            text = move_text(**parts, n=n, before=link_to_previous(previous, orders), line=line)
            previous = key.sign(text).hex()
            moves.append({"line": line, "signature": previous})
        body: Body = {"asked": asked["asked"], "prev": asked["prev"], "key": self.person.key.id, "moves": moves}
        return {**body, "orders": True} if orders else body

    def send(self, body: Body, **headers: str) -> Answer:
        """Send a submission."""
        return self.post("moves", body, **headers)

    def move(self, *lines: str, orders: bool = False, **asked: Any) -> Body:  # noqa: ANN401
        """Make lines, let the worker act, and return the answer."""
        answer = self.send(self.signed(*lines, orders=orders, **asked))
        assert answer.status_code == 202, answer.text
        resolved(self.match)
        made: Body = answer.json
        return made


def unchanged(seat_client: SeatClient, send: Callable[[], Any]) -> Any:  # noqa: ANN401  # an answer
    """Return the answer to a submission, and check that it wrote nothing."""
    before = head(seat_client.match), rows("select count(*) from submission")
    answer = send()
    assert (head(seat_client.match), rows("select count(*) from submission")) == before
    return answer


def found(seat_client: SeatClient, answer: Answer) -> Body:
    """Return the outcome of a submission."""
    now: Body = seat_client.read(answer.headers["Location"].removeprefix(seat_client.path("")))
    return now


def head(match: str) -> tuple[int, str]:
    """Return the number of entries in the log, and the hash of the last one."""
    ((seq, hash_),) = rows("select head_seq, head_hash from match where id = ?", match)
    return seq, hash_


def make(maker: Person, *guests: Person, **wanted: Any) -> list[SeatClient]:  # noqa: ANN401
    """Start and deal a match, of Keltis by default. Seat 0 begins; bots take the remaining seats."""
    body = with_seat_0_first({**NEW, "seats": max(2, 1 + len(guests)), "seat": 0, **wanted})
    if not guests and "bots" not in body:
        body["bots"] = {"1": "steady"}
    answer: Answer = maker.post("/v1/matches", body)
    assert answer.status_code == 201, answer.text
    match = answer.json["id"]
    for seat, guest in enumerate(guests, 1):
        joining = {"seat": seat, "link": answer.json["link"]}
        if body.get("visibility") == "invitation":
            assert maker.post(f"/v1/matches/{match}/invitations", {"player": guest.id}).status_code == 201
        joined = guest.post(f"/v1/matches/{match}/join", joining)
        assert joined.status_code == 200, joined.text
    resolved(match)
    return [SeatClient(person, match, seat) for seat, person in enumerate([maker, *guests])]


def play_out(seat_client: Sequence[SeatClient], most: int = 400) -> None:
    """Play a match to its end with the first listed line each time."""
    for _ in range(most):
        table = seat_client[0].read("table")
        if table["status"] == "over":
            return
        player = next(each for each in seat_client if each.seat in table["view"]["asked"])
        player.move(player.lines[0])
    raise AssertionError("the match does not end")


def until_last_cards(one: SeatClient, two: SeatClient) -> None:
    """Play until both seats are asked for their last cards: seat 0 plays a card, seat 1 keeps its rows open."""
    while (table := one.read("table"))["view"]["asked"] != [0, 1]:
        each = (one, two)[table["view"]["asked"][0]]
        each.move(each.lines[-1 if each is two and table["view"]["phase"] == "play" else 0])


def new(person: Person, **more: Any) -> Answer:  # noqa: ANN401  # fields of a match
    """Create a match."""
    return person.post("/v1/matches", with_seat_0_first({**NEW, **more}))


def ask(person: Person, method: str, path: str, body: Any = None) -> Answer:  # noqa: ANN401
    """Send a request whose answer is JSON."""
    return person.ask(method, path, body)
