"""Words in lines: the same lines as the general tool makes, whatever stands between the words."""

from __future__ import annotations

from textwrap import TextWrapper

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lines import fold_words

WORDS = st.text(st.sampled_from("aé-,·\u00a0\u202f \t\n") | st.sampled_from("ab "), max_size=120)
INDENTS = st.sampled_from(("", "  ", "- ", "      "))


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("", []),
        ("one", ["- one"]),
        ("one two three", ["- one two", "  three"]),
        ("one  two", ["- one  two"]),
        ("one\u00a0two three", ["- one\u00a0two", "  three"]),
        ("unbreakable word", ["- unbreakable", "  word"]),
        ("a well-known unbreakable", ["- a", "  well-known", "  unbreakable"]),
    ],
)
def test_words_are_folded_at_spaces_alone(words: str, lines: list[str]) -> None:
    assert fold_words(words, 10, "- ", "  ") == lines


@given(WORDS, st.integers(1, 40), INDENTS, INDENTS)
def test_lines_are_those_of_the_general_tool(words: str, width: int, first: str, later: str) -> None:
    tool = TextWrapper(width, first, later, break_long_words=False, break_on_hyphens=False)
    assert fold_words(words, width, first, later) == tool.wrap(words)
