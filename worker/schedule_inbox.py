"""Letters that came in: the jobs that read them, and the yearly tidying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.config import Config
from service.mail.incoming import inbox
from service.timestamps import now


def do(payload: Mapping[str, Any], config: Config) -> None:
    """Read a letter that was kept, or make what one has held until now; safe to repeat."""
    inbox.read(payload["inbox"], config, due=bool(payload.get("due")))


def tidy(_config: Config) -> None:
    """Forget letters that were kept for a year, and reply addresses that are no longer good."""
    inbox.forget_old(now())
