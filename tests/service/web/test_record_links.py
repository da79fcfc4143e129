"""The record of a private match behind the link of its last letter."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from service.mail.letters.blocks import Preformatted
from service.mail.letters.context import load_seat
from service.mail.letters.match_over import verify_blocks
from service.play import record_links
from tests.support.http_tables import make
from tests.support.players import Clock, Person

People = Callable[..., Person]


def test_the_link_shows_that_record_only_and_not_for_ever(
    app: Flask, client: FlaskClient, person: People, clock: Clock
) -> None:
    config: Config = app.config["ECHTRA"]
    aoife, _ = make(person("Aoife"), person("Brann"), visibility="invitation")
    token = record_links.make_token(aoife.match)
    assert client.get(f"/records/{token}").status_code == 404, "it is not over"
    for seat_client in (aoife, _):
        seat_client.person.post(f"/v1/matches/{aoife.match}/offers", {"kind": "end"})
    assert client.get(f"/v1/matches/{aoife.match}/record").status_code == 404, "it is private"
    with app.app_context():
        seat = load_seat(aoife.match, 0)
        assert seat is not None
        command = next(block.words for block in verify_blocks(seat, config) if isinstance(block, Preformatted))
    assert max(map(len, command.split("\n"))) <= 78
    link = next(word for word in command.split() if "/records/" in word)
    answer = client.get(link.removeprefix(config.url))
    assert answer.status_code == 200
    assert aoife.match in answer.text.split("\n")[0]
    for wrong in (token[:-1] + ("a" if token[-1] != "a" else "b"), "x", token[::-1]):
        assert client.get(f"/records/{wrong}").status_code == 404
    clock.forward(days=400)
    assert client.get(link.removeprefix(config.url)).status_code == 404
