"""Links in letters: what was sent years ago must still be good, so their signatures never change."""

from __future__ import annotations

from service.accounts import device_links
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import SecretRow
from service.mail import unsubscribe
from service.play import record_links
from tests.support.players import Clock

SECRETS = {"stopping": "01" * 32, "record-link": "02" * 32, "devices": "03" * 32}


def test_links_keep_their_signatures(service: Config, clock: Clock) -> None:
    clock.install()
    with write_transaction():
        for name, value in SECRETS.items():
            SecretRow.create(name=name, value=value)
    links = [
        unsubscribe.url("a" * 20, service),
        record_links.url("b" * 16, service),
        device_links.url("c" * 16, "K" * 43, service),
    ]
    assert [link.removeprefix(service.url) for link in links] == [
        "/u/aaaaaaaaaaaaaaaaaaaajna3lck32rurtxax",
        "/records/bbbbbbbbbbbbbbbb052cfg3xs5ivf5fs54mhm",
        f"/devices/cccccccccccccccc.{'K' * 43}.vyv2yjcdezy4ni5oz4izw4kxco",
    ]
    assert record_links.find_match(links[1].rpartition("/")[2]) == "b" * 16
    assert record_links.find_match(links[1].rpartition("/")[2][:-1] + "a") is None
