"""Every email is committed as text, so that people read whole emails before a change lands."""

from __future__ import annotations

import pytest

from engine.words import LOCALES, Locale
from tests.support.email_texts import COMMAND, FOLDER, make_email_texts


@pytest.mark.parametrize("locale", LOCALES)
def test_every_kind_of_email_reads_as_committed(locale: Locale) -> None:
    committed = {path.name: path.read_text("utf-8") for path in FOLDER.glob(f"*-{locale}.txt")}
    made = make_email_texts(locale)
    changed = sorted(name for name in made.keys() | committed.keys() if made.get(name) != committed.get(name))
    assert changed == [], f"Run `{COMMAND}`, and read what `git diff tests/golden/emails` shows."
