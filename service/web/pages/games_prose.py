"""Rules in brief, from plain text to paragraphs for a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

LEAD = re.compile(r"([^.,;:`]{2,36}?[^.,;:`\s])\s?:\s+(?=\S)")
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, and the words before its colon if it begins like an entry of a list."""

    lead: str
    text: Markup


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a text whose rows are broken anywhere: a row that ends a sentence ends a paragraph."""
    whole: list[str] = []
    goes_on = False
    for row in text.splitlines():
        if goes_on:
            whole[-1] += f" {row}"
        else:
            whole.append(row)
        goes_on = not row.endswith(".")
    return tuple(_paragraph(each) for each in whole)


def _paragraph(text: str) -> Paragraph:
    found = LEAD.match(text)
    lead, rest = (found[1], text[found.end() :]) if found else ("", text)
    return Paragraph(lead, Markup(CODE.sub(r"<code>\1</code>", str(escape(rest)))))  # noqa: S704  # escaped above
