"""Every email is committed as text, so that people read whole emails before a change lands."""

from __future__ import annotations

import re

import pytest

from engine.words import LOCALES, Locale
from tests.support.email_texts import COMMAND, FOLDER, make_email_texts


@pytest.mark.parametrize("locale", LOCALES)
def test_every_kind_of_email_reads_as_committed(locale: Locale) -> None:
    committed = {path.name: path.read_text("utf-8") for path in FOLDER.glob(f"*-{locale}.txt")}
    made = make_email_texts(locale)
    changed = sorted(name for name in made.keys() | committed.keys() if made.get(name) != committed.get(name))
    assert changed == [], f"Run `{COMMAND}`, and read what `git diff tests/golden/emails` shows."


PROGRAMMERS_WORDS = re.compile(
    r"\b(?:GET|PUT|POST|PATCH|DELETE|HTTPS?|JSON|API|UUID|null|None|True|False|boolean|payload|endpoint|scopes?|"
    r"(?:seat|place|siège) 0)\b"
)
FOR_PROGRAMMERS = "hook-disabled"
"""The email that only whoever runs a program gets."""


def test_emails_for_players_have_no_programmers_words() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.txt")}
    found = {
        name: PROGRAMMERS_WORDS.findall(text) for name, text in texts.items() if not name.startswith(FOR_PROGRAMMERS)
    }
    assert {name: words for name, words in found.items() if words} == {}
    # The test can fail: an email for programmers has some.
    assert PROGRAMMERS_WORDS.search(texts["hook-disabled-en"])
