"""Whole sentences of newcomers that ask for one thing: `I'd like to play Keltis with tom@example.org`."""

from __future__ import annotations

import re

from service.mail import commands
from service.mail.incoming import new_match_command
from service.mail.incoming.reading import vocabulary
from service.problems import Problem

LEADS = (
    r"(?:hello|hi|hey|bonjour|bonsoir|salut)?[,! ]*"
    r"(?:i'd (?:like|love) to|i would (?:like|love) to|i want to|i'd like|"
    r"je voudrais|je veux|je souhaite|je souhaiterais|j'aimerais)\s+"
)
PLAY = re.compile(
    rf"{LEADS}(?:to )?(?:play|start|begin|jouer|commencer|faire|lancer)\s+"
    r"(?:(?:a |an |the |one |une |un )?(?:new |nouvelle )?(?:game|match|partie|round)\s+(?:of|de|du|d')\s*|"
    r"(?:à|a|au|aux)\s+)?"
    r"(?P<rest>\S.{0,200})",
    re.IGNORECASE,
)
"""A sentence that asks for a match. The rest is read as after `new`."""
ENTER = re.compile(
    rf"{LEADS}(?:enter|join|take part in|entrer|participer|rejoindre|m'inscrire|prendre part)\s+"
    r"(?:(?:to|in|à|a|au|dans|pour)\s+)?(?P<rest>(?:(?:the|le|la)\s+)?(?:tournament|tournoi)\s+\S.{0,80})",
    re.IGNORECASE,
)
"""A sentence that asks for a place in a tournament."""


def as_commands(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines with each sentence of this kind replaced by the command that it asks for."""
    return tuple(_as_command(line) or line for line in lines)


def _as_command(line: str) -> str:
    """Return the command that a sentence asks for, or an empty string. A question asks for nothing yet."""
    if commands.is_question(line):
        return ""
    bare = line.translate(vocabulary.APOSTROPHES).strip().rstrip(commands.TRAILING_SIGNS)
    entering = ENTER.fullmatch(bare)
    if entering:
        return f"enter {entering['rest']}"
    playing = PLAY.fullmatch(bare)
    if playing is None:
        return ""
    try:
        new_match_command.parse_wish(playing["rest"])
    except Problem:
        return ""
    return f"new {playing['rest']}"
