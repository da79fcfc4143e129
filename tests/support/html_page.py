"""A parsed page: its elements, its references, and its text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from tests.support.players import Answer

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
REFERENCES = ("href", "src", "action", "data", "poster", "srcset", "xlink:href")


class Page(HTMLParser):
    """A page as a browser parses it."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(answer.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Record text."""
        self.words.append(data)

    @property
    def text(self) -> str:
        """The whole text, with single spaces."""
        return re.sub("[ \n]+", " ", " ".join(self.words))

    @property
    def tags(self) -> set[str]:
        """The names of all elements."""
        return {tag for tag, _ in self.elements}

    @property
    def references(self) -> list[str]:
        """Everything a browser would load or go to."""
        return [each[name] for _, each in self.elements for name in REFERENCES if name in each]

    def of_class(self, name: str) -> list[dict[str, str]]:
        """Return the attributes of the elements of a class."""
        return [each for _, each in self.elements if name in each.get("class", "").split()]

    @property
    def refreshes(self) -> bool:
        """True if the page reloads itself."""
        return any(each.get("http-equiv") == "refresh" for _, each in self.elements)


def story(answer: Answer) -> list[str]:
    """Return the items of the story on the page of a match."""
    told = answer.text.partition('<div id="story-items">')[2].partition("</div>")[0]
    return re.findall(r"<a [^>]*>([^<]*)</a>", told)
