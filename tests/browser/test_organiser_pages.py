"""Pages of organisers in a browser: the wizard, sound at both widths, by day and in the dark, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.browser import NARROW, SMALLEST, WIDE, Visitor

Visit = Callable[..., Visitor]
STEPS = ("game", "format", "people", "start")


@pytest.mark.parametrize(("locale", "width"), [("en", WIDE), ("fr", NARROW)])
def test_the_wizard_leads_through_its_steps_and_every_page_is_accessible(visit: Visit, locale: str, width: int) -> None:
    visitor = visit(locale=locale, width=width)
    visitor.enter(f"wizard-{locale}@example.org", f"Niamh {locale}")
    page, found = visitor.page, {}
    visitor.open("/tournaments")
    visitor.submit("main a[href='/organise/new']")
    for step in STEPS:
        assert page.locator("[aria-current=step]").count() == 1
        found[step] = visitor.find_violations_by_day_and_night(width) + visitor.find_overflow(SMALLEST, NARROW, WIDE)
        if step == "start":
            page.fill("#title", f"Coupe d’hiver {locale}")
            visitor.submit("button[value=stay]")
        else:
            visitor.submit("button[value=next]")
    page.fill("#first", "2020-01-01T10:00")
    visitor.submit("button[value=stay]")
    assert page.get_attribute("#first", "aria-invalid") == "true"
    found["fault"] = visitor.find_violations_by_day_and_night(width)
    for path in ("document", "copy"):
        visitor.open(f"/organise/new/{path}")
        found[path] = visitor.find_violations_by_day_and_night(width) + visitor.find_overflow(SMALLEST, NARROW, WIDE)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
