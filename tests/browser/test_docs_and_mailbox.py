"""The documentation and the mailbox of a service without a mail server: open to everybody, as every other page is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser import CODE_PATTERN, NARROW, SMALLEST, WIDE, Visitor, open_visitor, serve_site

Visit = Callable[..., Visitor]


def test_the_reference_of_the_api_is_open_to_everybody(visit: Visit) -> None:
    for locale in ("en-IE", "fr-FR"):
        visitor = visit(locale=locale)
        for path in ("/docs", "/docs/matches"):
            visitor.open(path)
            for fold in visitor.page.locator(".api details > summary").all()[:8]:
                fold.click()
            for width in (WIDE, NARROW):
                assert visitor.find_violations_by_day_and_night(width) == []
            assert visitor.find_overflow(SMALLEST, NARROW, WIDE) == []


def test_the_mailbox_is_open_to_everybody(browser: Browser, tmp_path: Path) -> None:
    """Go from the sign-in email, the closed mailbox and a wrong address to an email in each of its forms."""
    found: dict[str, list[str]] = {}
    with serve_site(tmp_path, ECHTRA_SMTP_URL="", MAILBOX_SECRET="secret-of-this-start") as site:
        visitor = open_visitor(browser, site)
        page = visitor.page

        def look(name: str) -> None:
            found[name] = visitor.find_violations_by_day_and_night(NARROW)
            found[name] += visitor.find_violations_by_day_and_night(WIDE)
            found[name] += visitor.find_overflow(SMALLEST, NARROW, WIDE)

        visitor.open("/enter")
        page.fill("#address", "nuala@localhost")
        visitor.submit("main button")
        page.wait_for_selector(".email")
        look("code")
        found_code = CODE_PATTERN.search(page.inner_text(".email"))
        assert found_code is not None
        page.fill("#code", "".join(found_code.groups()))
        visitor.submit("form.sheet button")
        assert page.url == f"{site.url}/enter/name"
        visitor.open("/mailbox")
        look("closed")
        visitor.open("/mailbox?key=secret-of-this-start")
        page.fill("#sender", "no address")
        page.click("form.sheet button")
        look("wrong address")
        page.fill("#sender", "etain@localhost")
        page.fill("#words", "new keltis bot")
        page.click("form.sheet button")
        page.wait_for_selector("iframe.sheetlike")
        look("letter")
        page.click(".tabs a >> nth=2")
        look("source")
        page.click(".crumbs a >> nth=1")
        look("letters of an address")
        visitor.context.close()
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
