"""Fixtures of the tests of incoming emails: settings, a table of two, and the mail of the seat that is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.config import Config
from service.play.match_loader import load_match_state
from tests.support.http_tables import SeatClient, make
from tests.support.mail_replies import SeatMail, config_with_mail
from tests.support.players import Person

People = Callable[..., Person]


@pytest.fixture
def mail(config: Config) -> Config:
    """The settings under which letters are read."""
    return config_with_mail(config)


@pytest.fixture
def pair(app: Flask, person: People) -> Iterator[list[SeatClient]]:
    """Two people at a table of Keltis."""
    with app.app_context():
        yield make(person("Aoife"), person("Brann"))


@pytest.fixture
def asked(pair: list[SeatClient], mail: Config) -> SeatMail:
    """The post of the seat that is asked."""
    seat = next(seat for seat, question in enumerate(load_match_state(pair[0].match).questions) if question)
    return SeatMail(pair[seat], mail)
