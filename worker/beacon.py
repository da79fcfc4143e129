"""Fetch a value of the public randomness beacon for the draw of a tournament."""

from __future__ import annotations

import json
import re

from service.config import Config
from service.jobs.queue import Job, RetryLater
from service.timestamps import HOUR, MINUTE, now
from service.tournaments.job_payloads import FetchBeacon
from service.tournaments.rounds.rounds import take_beacon_value
from service.webhooks import http_client
from service.webhooks.http_client import NoAnswer
from service.webhooks.url_policy import UrlNotAllowed, parse_networks

RANDOMNESS = re.compile("[0-9a-f]{64}")
OK = 200
ASK_AGAIN = MINUTE
NO_URL_WAIT = HOUR


def fetch_beacon_value(job: Job[FetchBeacon], config: Config) -> None:
    """Fetch the beacon value that a draw waits for, and make the draw. Safe to repeat."""
    number = job.payload.round
    if not config.beacon_url:
        raise RetryLater(now() + NO_URL_WAIT, "ECHTRA_BEACON_URL is not set")
    try:
        code, text = http_client.get(f"{config.beacon_url.rstrip('/')}/{number}", parse_networks(config.hook_networks))
    except (NoAnswer, UrlNotAllowed) as error:
        raise RetryLater(now() + ASK_AGAIN, str(error)) from None
    if code != OK:
        raise RetryLater(now() + ASK_AGAIN, f"the beacon answered {code}")
    take_beacon_value(job.payload.tournament, number, read_randomness(text, number), config)


def read_randomness(text: bytes, number: int) -> str:
    """Return the value for this round from an answer of the beacon. Raise `RetryLater` for any other answer."""
    try:
        answer = json.loads(text)
        answered_round, value = answer["round"], answer["randomness"]
    except (ValueError, KeyError, TypeError):
        raise RetryLater(now() + ASK_AGAIN, "the beacon's answer cannot be read") from None
    if answered_round != number or not isinstance(value, str) or RANDOMNESS.fullmatch(value) is None:
        raise RetryLater(now() + ASK_AGAIN, "the beacon's answer is for another round, or malformed")
    return value
