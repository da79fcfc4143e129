"""Fixtures of the tests of outgoing emails: a service that hands them to a mail server on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.config import Config
from service.mail.outgoing import smtp_client, smtp_connections
from tests.support.mailbox import free_port


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to a mail server that each test starts or not."""
    return replace(config, letter_hold=0, smtp_url=f"smtp://127.0.0.1:{free_port()}", mail_domain="mail.example")


@pytest.fixture
def post(service: Config) -> Iterator[Config]:
    """The service with its mail server's address."""
    smtp_client.clear_pauses()
    yield service
    smtp_client.clear_pauses()
    smtp_connections.close_idle(everything=True)
