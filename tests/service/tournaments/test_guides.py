"""The guides for organisers: every document in them can be applied, and they name only what documents have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.config import Config
from service.tournaments.documents.document import json_schema
from tests.support.factories import somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament

ROOT = Path(__file__).parents[3]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
EXAMPLES = [
    (page, text)
    for page in PAGES
    for text in re.findall(r"```ya?ml\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
]


def list_words(schema: object) -> set[str]:
    """Every key and every word that a document may have."""
    if isinstance(schema, list):
        return {each for each in schema if isinstance(each, str)}.union(*map(list_words, schema))
    if not isinstance(schema, dict):
        return set()
    keys = {*schema.get("properties", ()), str(schema.get("const", ""))}
    return keys.union(*map(list_words, schema.values()))


@pytest.mark.parametrize(("page", "text"), EXAMPLES, ids=[page for page, _ in EXAMPLES])
def test_every_document_in_the_docs_can_be_applied(service: Config, clock: Clock, page: str, text: str) -> None:
    hosted = HostedTournament(service, clock, somebody("Aoife"))
    document = hosted.read(text)
    assert document.notes == (), page
    assert hosted.apply(text).name == document.name
    assert hosted.apply(text).id == hosted.tournament


def test_the_guides_have_examples() -> None:
    assert {page for page, _ in EXAMPLES} == {"docs/ORGANISING.md", "docs/ORGANISER.md"}


@pytest.mark.parametrize("guide", ["docs/ORGANISING.md", "docs/ORGANISER.md"])
def test_a_guide_names_only_keys_and_words_that_documents_have(guide: str) -> None:
    tables = (ROOT / guide).read_text("utf-8").split("\n## 3.", 1)[1].split("\n## 5.", 1)[0]
    code = re.findall("`([^`]+)`", "\n".join(line for line in tables.split("\n") if line.startswith("| `")))
    named = {word for part in code if not part.startswith("POST ") for word in re.findall("[a-z][a-z_-]+", part)}
    assert len(named) > 25
    assert named - list_words(json_schema()) == set()
