"""Random numbers that follow from a seed, so that a run repeats an earlier one."""

from __future__ import annotations

import secrets
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def fix_luck(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Draw ids, seeds, tokens and keys from this seed while the patch lasts."""
    random = Random(seed)
    monkeypatch.setattr(secrets, "choice", random.choice)
    monkeypatch.setattr(secrets, "token_bytes", lambda count=None: random.randbytes(count or 32))
    key = Ed25519PrivateKey.from_private_bytes
    monkeypatch.setattr(Ed25519PrivateKey, "generate", lambda: key(random.randbytes(32)))
