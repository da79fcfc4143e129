"""Every regular expression reads a long text that was made against it in no time."""

from __future__ import annotations

import re

import pytest

from service.tournaments.documents import document_values
from tests.support.regular_expressions import MOST_SECONDS, Expression, find_expressions, slow_texts

ELSEWHERE: dict[str, tuple[str, ...]] = {
    # Each of these is a variable of the module too.
    "service.mail.incoming.reading.zones: re.compile('|'.join((f'(?:{pattern})' for pattern in patterns)))": (),
    "service.matches.erasure: re.compile(f'(?<![\\\\w.+-]){re.escape(address)}(?![\\\\w-]|\\\\.\\\\w)')": (
        r"(?<![\w.+-])a\.a@a\.a(?![\w-]|\.\w)",
    ),
    "service.tournaments.documents.document_fields: re.search(pattern)": (
        document_values.HOUR_PATTERN,
        document_values.DATE_PATTERN,
    ),
}
"""The patterns of calls that cannot be evaluated where they stand."""
OWN_TEXT = {
    "service.web.static_files.SOURCE_ONLY": "reads the scripts and styles of this package",
}
"""Expressions that no text of others ever meets, and what they read."""
EXPRESSIONS = find_expressions(ELSEWHERE)


def test_the_expressions_are_found_wherever_they_stand() -> None:
    assert {
        "service.mail.incoming.reading.zones.SENTENCE",  # a variable
        "service.mail.commands.ARGUMENT_FORMS[0]",  # a table
        "service.mail.incoming.parse_message: re.sub('[\\x00\\ud800-\\udfff\\ufeff]')[0]",  # a call
        "engine.notation: re.fullmatch(self.form)[0]",  # an attribute
        "marshmallow ^(0|[1-9][0-9]?)$",  # a field of the API
    } <= EXPRESSIONS.keys()
    assert OWN_TEXT.keys() <= EXPRESSIONS.keys()
    assert len(EXPRESSIONS) > 200


def test_the_measure_finds_an_expression_that_takes_the_square_of_the_length() -> None:
    slow = re.compile(r"<style\b[^>]{0,1000}>(.{0,60000}?)</style", re.IGNORECASE | re.DOTALL)
    assert list(slow_texts(Expression("slow", slow, {"finditer"})))


@pytest.mark.parametrize("name", sorted(EXPRESSIONS.keys() - OWN_TEXT.keys()))
def test_an_expression_reads_any_long_text_at_once(name: str) -> None:
    for use, seconds, text in slow_texts(EXPRESSIONS[name]):
        pytest.fail(f"{use} takes over {MOST_SECONDS} s (stopped at {seconds:.1f}) on {text}")
