"""All ways to post guards at once: counted and numbered, never built as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.games.tain.tokens import GATES, KINDS, Tokens, kinds

Posts = tuple[str, ...]  # token and gate each, by rising gates: ("D4", "X5")

POSTS = tuple(kind + gate for gate in GATES for kind in KINDS)


@lru_cache(maxsize=1 << 13)
def count(tokens: Tokens, gates: int) -> int:
    """Count the ways to guard none, some or all of `gates` free gates."""
    if not gates:
        return 1
    return count(tokens, gates - 1) + sum(count(tokens.replace(kind, "", 1), gates - 1) for kind in kinds(tokens))


def at(tokens: Tokens, gates: str, index: int) -> Posts:
    """Return the way with this number, in the order of `ways`."""
    posts: list[str] = []
    for done, gate in enumerate(gates, 1):
        for kind in ("", *kinds(tokens)):
            rest = tokens.replace(kind, "", 1) if kind else tokens
            here = count(rest, len(gates) - done)
            if index < here:
                tokens = rest
                posts += [kind + gate] if kind else []
                break
            index -= here
    return tuple(posts)


def ways(tokens: Tokens, gates: str) -> Iterator[Posts]:
    """Yield every way. The first has no guard at all."""
    if not gates:
        yield ()
        return
    yield from ways(tokens, gates[1:])
    for kind in kinds(tokens):
        for rest in ways(tokens.replace(kind, "", 1), gates[1:]):
            yield (kind + gates[0], *rest)


def fits(posts: Posts, tokens: Tokens, gates: str) -> bool:
    """Return True if these guards are one of the ways."""
    last = ""
    for post in posts:
        kind, gate = post[0], post[1:]
        if gate <= last or gate not in gates or kind not in tokens:
            return False
        tokens, last = tokens.replace(kind, "", 1), gate
    return True
