"""Plain English in docstrings and pages: the worst marks of a translation are refused, each for its reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "service", "worker", "cli", "bench", "tests/support")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FRENCH_PAGES = ("JOUER.md", "ORGANISER.md")
NOUN_CLAUSE = re.compile(r"(What|Who|Whom|Whose|Whether|Nothing) ")
NO_VERB = re.compile(r"(The|A|An|This|These|Those|Each|Every|All|Where|When|Which|How) ")
MARKERS = {
    r"\bmail address": "people have an email address",
    r"\b[Aa]new\b": "say again, or name what is rebuilt",
    r"\bso manieth\b": "say every 64th",
    r"\bwhich is the (most|least)\b": "say the maximum, the minimum",
    r"; nothing (if|where|while|for)\b": "say None, or an empty list",
    r"\bLet (who|whoever|whom)\b": "say what the code does to whom",
    r"\b[Tt]old (of|by whom)\b": "say notified, or informed",
}
CARD_RULES = ("rules/geas.py", "rules/bards.py", "rules/effects")
"""Files whose functions have the printed text of their card as docstring."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = {"property", "cached_property"}


def docstrings() -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the place, the node and the text of every docstring, and of every string below a constant."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                for child in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
                    value = getattr(child, "value", None)
                    if isinstance(child, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                        owner = node if child is node.body[0] else child  # type: ignore[attr-defined]
                        yield f"{path.relative_to(ROOT)}:{child.lineno}", owner, " ".join(value.value.split())


def is_card(place: str) -> bool:
    """Return True in a file whose docstrings are the printed texts of cards."""
    return any(each in place for each in CARD_RULES)


def is_property(node: ast.AST) -> bool:
    """Return True for a property, whose docstring names a thing."""
    decorators = getattr(node, "decorator_list", [])
    return any(getattr(each, "id", getattr(each, "attr", "")) in PROPERTIES for each in decorators)


def test_docstrings_of_functions_start_with_a_verb() -> None:
    functions = [
        (place, text)
        for place, node, text in docstrings()
        if isinstance(node, FUNCTIONS) and not is_property(node) and not is_card(place)
    ]
    assert len(functions) > 3000
    assert [(place, text[:80]) for place, text in functions if NOUN_CLAUSE.match(text) or NO_VERB.match(text)] == []


def test_no_docstring_is_a_noun_clause() -> None:
    found = [(place, text[:80]) for place, _, text in docstrings() if NOUN_CLAUSE.match(text) and not is_card(place)]
    assert found == []


@pytest.mark.parametrize("marker", MARKERS)
def test_docstrings_have_no_mark_of_a_translation(marker: str) -> None:
    found = [(place, text[:80]) for place, _, text in docstrings() if re.search(marker, text)]
    assert found == [], MARKERS[marker]


@pytest.mark.parametrize("marker", MARKERS)
def test_pages_have_no_mark_of_a_translation(marker: str) -> None:
    found = [
        f"{page.name}:{number}"
        for page in PAGES
        if page.name not in FRENCH_PAGES
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1)
        if re.search(marker, line)
    ]
    assert found == [], MARKERS[marker]
