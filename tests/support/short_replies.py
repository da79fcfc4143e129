"""The short replies of `tests/letters/replies.toml`, each read at one question of each game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from engine.games import GAMES
from service.mail.incoming.reading.zones import extract_reply
from service.play.views import Viewer
from tests.support.letter_corpus import FOLDER, judge_reply, viewer_at
from tests.support.random_matches import played

REPLIES: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "replies.toml").read_text("utf-8"))
HALVES = tuple(REPLIES)
MEANT, OTHER, LEAST = 3, 5, 6
HEAD = "On Mon, Nov 16, 2026 at 10:02 AM Echtra <play-mfzg2ylqnrswc5dbobqxezlomu@echtra.example> wrote:"
TETE = "Le lun. 16 nov. 2026 à 10:02, Echtra <play-mfzg2ylqnrswc5dbobqxezlomu@echtra.example> a écrit :"


@lru_cache(maxsize=8)
def find_question(slug: str) -> Viewer | None:
    """Return a question with at least six moves, so that a number can only mean a move; None if the game has none."""
    game = GAMES[slug]
    moments = [moment for moment in played(slug, game.rules.seats[-1], 5).moments if moment.seat >= 0]
    for moment in moments[len(moments) // 3 :]:
        viewer = viewer_at(game, moment.state, moment.seat)
        if LEAST <= len(viewer.options()) <= 60:
            return viewer
    return None


def question(slug: str) -> Viewer:
    """Return the question of a game that has one."""
    viewer = find_question(slug)
    assert viewer is not None
    return viewer


def fill(text: str, viewer: Viewer) -> tuple[str, str]:
    """Return the reply at this question, and the line that it means."""
    option = next(islice(viewer.options(), MEANT - 1, MEANT))
    said = viewer.game.presentation.say(viewer.view(), option, viewer.locale)
    row = f"> {OTHER}  something else\n> \n> Reply above this text.\n"
    values = {"n": MEANT, "other": OTHER, "line": option.line, "said": said}
    return text.format(quote=f"{HEAD}\n{row}", citation=f"{TETE}\n{row}", **values), option.line


def outcome(text: str, viewer: Viewer) -> tuple[str, Any]:
    """Return the outcome of a reply: `play`, `hold`, `ask`, `command` or `nothing`, and the lines or the command."""
    filled, _ = fill(text, viewer)
    found = judge_reply(extract_reply(filled), viewer)
    for what, name in (
        ("lines", "play"),
        ("held", "hold"),
        ("asked", "ask"),
        ("command", "command"),
        ("refusal", "ask"),
    ):
        if what in found:
            return name, found[what]
    return "nothing", None


def results(half: str, kind: str) -> Iterator[tuple[str, str, str, Any]]:
    """Return game, reply, outcome and its value for each reply of a kind, in each game."""
    for slug in GAMES:
        viewer = find_question(slug)
        if viewer is None:
            continue
        for text in REPLIES[half][kind]:
            yield (slug, text, *outcome(text, viewer))
