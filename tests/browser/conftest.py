"""Fixtures of the tests in a browser: the service, a Chromium, and visitors whose pages must be free of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.browser import LONG, Site, Visitor, launch_browser, open_visitor, serve_site

HERE = Path(__file__).parent
BROWSERS_AT_ONCE = 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal the tests of this folder to at most this many workers of pytest-xdist: each has a browser and a service."""
    for number, item in enumerate(item for item in items if HERE in item.path.parents):
        item.add_marker(pytest.mark.xdist_group(f"browser-{number % BROWSERS_AT_ONCE}"))


SITE_SCOPE: Literal["function", "session"] = "function" if LONG else "session"
"""`make long` plays more matches as a guest than the ten that one address may make in a day at one service."""


@pytest.fixture(scope=SITE_SCOPE)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The service, one for all tests of a worker. Each test brings its own addresses."""
    with serve_site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        made = launch_browser(playwright)
        yield made
        made.close()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; when the test is over nothing may have gone wrong on their pages."""
    made: list[Visitor] = []

    def open_one(**wishes: Any) -> Visitor:  # noqa: ANN401  # what playwright takes
        made.append(open_visitor(browser, site, **wishes))
        return made[-1]

    yield open_one
    for visitor in made:
        visitor.context.close()
    assert [fault for visitor in made for fault in visitor.faults] == []
