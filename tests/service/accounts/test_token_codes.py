"""Codes from letters: nobody is kept from logging in by others, and nobody gets in by guessing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from flask import Flask

from service.accounts import players
from service.db.connection import rows, write_transaction
from service.timestamps import TimeSource, now
from tests.support.players import Client, Clock, letters

AOIFE = "aoife@example.org"
_networks: Iterator[int] = count(1)


@pytest.fixture(autouse=True)
def account(app: Flask, clock: Clock) -> None:  # noqa: ARG001  # there is a database, and a time
    """A player with an address."""
    with write_transaction():
        players.create(name="Aoife", language="en", zone="Europe/Dublin", at=now(), address=AOIFE)


def somewhere() -> dict[str, str]:
    """An address on the net that nobody asked from before, so that no limit of requests stops an attacker."""
    number = next(_networks)
    return {"REMOTE_ADDR": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}


def later(seconds: int) -> None:
    """Let time pass, as it does between requests."""
    at = now() + seconds * 1000
    clock = TimeSource.source
    assert isinstance(clock, Clock)
    clock.at = at


def asked(client: Client, address: str = AOIFE) -> str:
    answer = client.post("/v1/tokens", json={"address": address}, environ_base=somewhere())
    assert answer.status_code == 202
    later(1)
    request: str = answer.json["id"]
    return request


def exchanged(client: Client, request: str, code: str) -> Any:  # noqa: ANN401
    return client.post(f"/v1/tokens/{request}/code", json={"code": code}, environ_base=somewhere())


def test_a_code_is_good_for_five_tries_and_ten_minutes(client: Client, clock: Clock) -> None:
    request = asked(client)
    code = letters("code")[-1]["code"]
    wrong = "000000" if code != "000000" else "111111"
    for left in (4, 3, 2, 1, 0):
        answer = exchanged(client, request, wrong)
        assert (answer.status_code, answer.json["tries_left"]) == (422, left)
    assert exchanged(client, request, code).status_code == 410
    request = asked(client)
    clock.forward(minutes=10, seconds=1)
    assert exchanged(client, request, letters("code")[-1]["code"]).status_code == 410
    request = asked(client)
    code = letters("code")[-1]["code"]
    assert exchanged(client, request, code).status_code == 201
    assert exchanged(client, request, code).status_code == 410


def test_past_five_letters_an_hour_a_request_shares_the_newest_code(client: Client, clock: Clock) -> None:
    requests = [asked(client) for _ in range(7)]
    assert len(letters("code")) == 5
    newest = letters("code")[-1]["code"]
    assert exchanged(client, requests[0], "x" * 26).status_code == 422
    assert exchanged(client, requests[6], newest).status_code == 201
    for shared in requests[4:]:
        assert exchanged(client, shared, newest).status_code == 410
    asked(client)
    assert len(letters("code")) == 6, "the newest is used, so another one goes out"
    clock.forward(minutes=6)
    asked(client)
    assert len(letters("code")) == 7, "the newest is too old to be shared"


@pytest.mark.parametrize("others", [1, 6, 40])
def test_nobody_can_keep_a_player_from_logging_in(client: Client, clock: Clock, others: int) -> None:
    """Somebody else asks for codes and guesses as often as they can, before, between and after."""

    def attack() -> None:
        for _ in range(others):
            request = asked(client)
            for _ in range(6):
                exchanged(client, request, "000001")

    for _ in range(3):
        attack()
        mine = asked(client)
        letter = letters("code")[-1]
        attack()
        made = exchanged(client, mine, letter["code"])
        assert made.status_code == 201, made.json
        assert exchanged(client, mine, letter["code"]).status_code == 410
        clock.forward(minutes=7)
    # In 25 minutes five letters, then one in five minutes, one after each use and one for the other form.
    assert len(letters("code")) <= 5 + 5 + 3 + 1


def test_wrong_codes_are_at_most_fifty_a_day_and_then_the_letter_brings_a_link(client: Client, clock: Clock) -> None:
    guesses = "select sum(tries) from code where purpose = 'token'"
    for number in range(80):
        request = asked(client)
        for each in range(number % 7):
            exchanged(client, request, f"{each:06}")
        if number % 10 == 9:
            clock.forward(minutes=11)
    assert 30 < rows(guesses)[0][0] <= 50
    request, letter = asked(client), letters("code")[-1]
    assert len(letter["code"]) == 26
    page = client.get(letter["path"])
    assert page.status_code == 200
    assert f"<code>{letter['code']}</code>" in page.text
    assert "Copiez-le en entier" in client.get(letter["path"], headers={"Accept-Language": "fr"}).text
    assert page.headers["Cache-Control"] == "no-store"
    assert exchanged(client, request, "000001").status_code == 422
    assert rows(guesses)[0][0] <= 50
    assert exchanged(client, request, letter["code"]).status_code == 201
    assert client.get(letter["path"]).status_code == 410
    assert client.get("/code/x").status_code == 410
    clock.forward(days=1, seconds=1)
    asked(client)
    assert len(letters("code")[-1]["code"]) == 6


def test_unknown_addresses_get_the_same_refusals_however_often_they_are_tried(client: Client) -> None:
    known, unknown = (
        [
            (answer.status_code, answer.json)
            for _ in range(14)
            for request in [asked(client, address)]
            for answer in [exchanged(client, request, "x" * 26) for _ in range(6)]
        ]
        for address in ("aoife@example.org", "nobody@example.org")
    )
    assert known == unknown
