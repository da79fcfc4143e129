"""The documentation and the mailbox of a service without a mail server: open to everybody, as every other page is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser import CODE_PATTERN, NARROW, SMALLEST, WIDE, Visitor, axe_source, open_visitor, serve_site

Visit = Callable[..., Visitor]
RUN_AXE = """async () => {
  const { violations } = await axe.run({ exclude: [["#document"]] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
}"""
"""Outside of the Swagger UI, which is not ours: its buttons have links inside, and its headings skip levels."""


def test_the_documentation_is_open_to_everybody(visit: Visit) -> None:
    """Nothing around the Swagger UI stands against WCAG, the page has one main part, and every list has a name."""
    visitor = visit()
    visitor.open("/docs")
    visitor.page.wait_for_selector("#document .opblock", timeout=30_000)
    visitor.page.click(".opblock-summary-control >> nth=3")
    visitor.page.wait_for_selector(".opblock-body .responses-wrapper")
    visitor.page.evaluate(axe_source())
    for width in (WIDE, NARROW):
        visitor.page.set_viewport_size({"width": width, "height": 900})
        assert visitor.page.evaluate(RUN_AXE) == []
        assert visitor.overflow() <= 0
    assert visitor.page.locator("main:not([role])").count() == 1
    assert visitor.page.locator("#document select:not([aria-label])").count() == 0


def test_the_mailbox_is_open_to_everybody(browser: Browser, tmp_path: Path) -> None:
    """From the email with a sign-in code over the closed door and a wrong address to an email in each of its forms."""
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
