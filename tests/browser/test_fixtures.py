"""The browser of the tests itself: it opens pages, and whatever goes wrong on one is seen."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.browser import Visitor


def test_a_page_opens_without_faults_and_axe_core_looks_at_it(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    answer = visitor.open("/")
    assert answer is not None
    assert answer.status == 200
    assert visitor.page.inner_text("h1")
    visitor.page.evaluate("document.querySelector('html').removeAttribute('lang')")
    assert [found for found in visitor.find_violations() if "html-has-lang" in found]


def test_a_file_that_is_not_there_and_a_refusal_of_the_policy_are_faults(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open("/")
    visitor.page.evaluate("""async () => {
      const load = (src) => new Promise((done) => {
        const image = new Image();
        image.onload = image.onerror = done;
        image.src = src;
      });
      await load("/not-there.png");
      await load("http://localhost:1/elsewhere.png");
    }""")
    assert any("404 GET" in fault for fault in visitor.faults)
    assert any("Content Security Policy" in fault for fault in visitor.faults)
    visitor.faults.clear()
