"""A browser and a service for it: real processes on loopback, emails by SMTP, and visitors who use the pages."""

from __future__ import annotations

import contextlib
import os
import re
import smtplib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import APIResponse, Browser, BrowserContext, ConsoleMessage, Page, Playwright, Response

from tests.support.browser_program import MODULES, find_browser
from tests.support.mailbox import Sink, opened, serving, text_of
from tests.support.servers import Process, free_port, ready

PATIENCE_MS = 10_000
HOUSE_ADDRESS = "echtra@localhost"
WIDE, NARROW, SMALLEST = 1280, 400, 320
"""The widths at which pages are checked."""
HEIGHTS = {WIDE: 900, NARROW: 800}
WINDOWS = {WIDE: 720, NARROW: 800}
"""The heights that a window has at least at these widths."""
LONG = bool(os.environ.get("WHOLE_JOURNEYS"))
"""True in `make long`, which takes journeys at every width and in every language."""
LOOKS: tuple[Literal["dark", "light"], ...] = ("dark", "light")
"""The colour schemes in which pages are checked."""
ZONE = "Europe/Dublin"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
"""Console messages about requests that our own pages make."""
CODE_PATTERN = re.compile(r"^\s*(\d{3})\s?(\d{3})\s*$", re.MULTILINE)


def widths_and_locales(*usual: tuple[int, str]) -> list[tuple[int, str]]:
    """Return these pairs of a width and a language, or all pairs in `make long`."""
    return list(product((WIDE, NARROW), ("en-GB", "fr-FR"))) if LONG else list(usual)


@dataclass
class Site:
    """A running service with its mail server."""

    url: str
    process: Process
    sink: Sink = field(default_factory=Sink)
    door: int = 0
    """The port that accepts replies by SMTP."""
    opened: dict[int, EmailMessage] = field(default_factory=dict)
    """The emails that a test has looked up, by their number among all; hundreds arrive while a browser is open."""

    def reply_to(self, letter: EmailMessage, text: str) -> None:
        """Answer an email from the address that it was sent to."""
        answer = EmailMessage()
        answer["From"], answer["To"] = str(letter["To"]), str(letter["Reply-To"])
        answer["Subject"], answer["In-Reply-To"] = f"Re: {letter['Subject']}", str(letter["Message-ID"])
        answer["Message-ID"] = f"<{time.monotonic_ns()}@example.org>"
        answer.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.door, timeout=10) as mail:
            mail.send_message(answer)

    def write_from(self, address: str, text: str, to: str = HOUSE_ADDRESS) -> None:
        """Send an email to the service itself, or to another of its addresses."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = address, to, "Hello"
        letter["Message-ID"] = f"<{time.monotonic_ns()}@example.org>"
        letter.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.door, timeout=10) as mail:
            mail.send_message(letter)

    def letters_to(self, address: str) -> list[EmailMessage]:
        """Return the emails that this address received, oldest first."""
        found = []
        for number, envelope in enumerate(self.sink.taken):
            if address in envelope.rcpt_tos:
                if number not in self.opened:
                    self.opened[number] = opened(bytes(envelope.original_content or b""))
                found.append(self.opened[number])
        return found

    def wait_for_letter(self, address: str, count: int = 1, seconds: float = 20) -> EmailMessage:
        """Return the email of this number to an address, waiting until it arrives."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.letters_to(address)
            if len(found) >= count:
                return found[count - 1]
            time.sleep(0.05)
        raise AssertionError(f"{address} has {len(self.letters_to(address))} letters, not {count}")

    def wait_for_code(self, address: str, count: int = 1) -> str:
        """Return the six digits in the email of this number to an address."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            codes = self.codes_to(address)
            if len(codes) >= count:
                return codes[count - 1]
            time.sleep(0.05)
        raise AssertionError(f"{address} has {len(self.codes_to(address))} codes, not {count}")

    def codes_to(self, address: str) -> list[str]:
        """Return the codes in the emails to an address, oldest first."""
        found = (CODE_PATTERN.search(text_of(letter)) for letter in self.letters_to(address))
        return [code[1] + code[2] for code in found if code]


@contextlib.contextmanager
def serve_site(folder: Path, **settings: str) -> Iterator[Site]:
    """Provide the whole service in one process, with a fresh database in this folder."""
    port, mail_port, door, sink = free_port(), free_port(), free_port(), Sink()
    env = {
        "ECHTRA_DATA": str(folder),
        "ECHTRA_PORT": str(port),
        "ECHTRA_SMTP_URL": f"smtp://127.0.0.1:{mail_port}",
        "ECHTRA_SMTP_DOOR": f"127.0.0.1:{door}",
        "ECHTRA_LETTER_HOLD": "0",
        "ECHTRA_LIMIT_REQUESTS": "100000",
        "ECHTRA_LIMIT_REGISTRATIONS": "100000",
        "ECHTRA_LOG_LEVEL": "warning",
    }
    process = Process("serve", env=env | settings, log=folder / "serve.log")
    with serving(sink, mail_port):
        process.start()
        try:
            ready(port, process)
            yield Site(f"http://127.0.0.1:{port}", process, sink, door)
        finally:
            process.end()


def launch_browser(playwright: Playwright) -> Browser:
    """Return a Chromium without a window."""
    program = find_browser()
    return playwright.chromium.launch(
        executable_path=program.path, args=list(program.flags), env={**os.environ, **program.environment}
    )


@dataclass
class Visitor:
    """A visitor with a separate browser: the cookies, one page, and the errors on it."""

    site: Site
    context: BrowserContext
    page: Page
    locale: str = "en-GB"
    address: str = ""
    """The address that the visitor has signed in with."""
    faults: list[str] = field(default_factory=list)
    """Complaints of the browser: script errors, refusals by the policy, missing files."""

    def open(self, path: str) -> Response | None:
        """Go to an address of the service."""
        return self.page.goto(self.site.url + path)

    def watch(self, page: Page) -> None:
        """Record every error on this page."""
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("response", self._note_response)

    def _note_message(self, message: ConsoleMessage) -> None:
        # `_note_response` reports missing files with more details.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.faults.append(message.text)

    def _note_response(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            self.faults.append(f"{response.status} {response.request.method} {response.url}")

    def forget_refusals(self) -> None:
        """Drop the recorded 401 answers, in a test that signs out on purpose."""
        self.faults = [fault for fault in self.faults if not fault.startswith("401 ")]

    def enter(self, address: str, name: str = "Aoife") -> None:
        """Sign in with a code from an email, by the requests of our forms but without opening the pages."""
        self.address, before = address, len(self.site.codes_to(address))
        self.context.request.get(f"{self.site.url}/enter", headers=OWN_PAGE)
        self._post_form("/enter", address=address)
        step = self._post_form("/enter/code", code=self.site.wait_for_code(address, before + 1))
        if step.headers["location"] == "/enter/name":
            self._post_form("/enter/name", name=name, zone=ZONE)
        assert any(cookie["name"] == "echtra" for cookie in self.context.cookies()), f"{address} is not signed in"

    def _post_form(self, path: str, **fields: str) -> APIResponse:
        """Send a form as one of our pages does. The answer redirects."""
        headers = {**OWN_PAGE, "Accept-Language": self.locale}
        form: dict[str, str | float | bool] = dict(fields)
        answer = self.context.request.post(self.site.url + path, form=form, headers=headers, max_redirects=0)
        assert answer.status == 303, answer.text()
        return answer

    def enter_by_pages(self, address: str, name: str = "Aoife") -> None:
        """Sign in as a person does, page by page. A new address chooses this name."""
        self.address, before = address, len(self.site.codes_to(address))
        self.open("/enter")
        self.page.fill("input[name=address]", address)
        self.submit("main button[type=submit]")
        self.page.fill("input[name=code]", self.site.wait_for_code(address, before + 1))
        self.submit("main button[type=submit]")
        if self.page.locator("input[name=name]").count():
            self.page.fill("input[name=name]", name)
            self.submit("main button[type=submit]")
        self.page.wait_for_selector("header form[action='/leave']", state="attached")

    def submit(self, selector: str) -> None:
        """Press something that opens another page, or reloads this one, and wait until it has loaded."""
        with self.page.expect_navigation():
            self.page.click(selector)

    def find_violations(self, rules: Sequence[str] = ()) -> list[str]:
        """Return the violations of WCAG 2.2 AA and best practice that axe-core finds, or only those of these rules."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(axe_source())
        found = self.page.evaluate(RUN_AXE, list(rules))
        return [f"{each['id']} ({each['impact']}): {each['help']} {each['nodes']}" for each in found]

    def find_violations_by_day_and_night(self, width: int) -> list[str]:
        """Return the accessibility violations at this width, first in light and then in dark colours.

        Only the rules about colours depend on the scheme, so the rest are checked once.
        """
        found: list[str] = []
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        for colours, rules in zip(LOOKS, ((), COLOUR_RULES), strict=True):
            self.page.emulate_media(color_scheme=colours, reduced_motion="reduce")
            found += [f"{width} {colours}: {each}" for each in self.find_violations(rules)]
        return found

    def find_overflow(self, *widths: int) -> list[str]:
        """Return those of these widths at which the page is wider than its window."""
        found = []
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 800)})
            if (more := self.overflow()) > 0:
                found.append(f"{width}: wider than the window by {more} pixels")
        return found

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return width


COLOUR_RULES = ("color-contrast", "link-in-text-block")
RUN_AXE = """async (rules) => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const runOnly = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"], selectors: false });
  return violations.map(({ id, impact, help, nodes }) => (
    { id, impact, help, nodes: nodes.slice(0, 5).map((node) => node.html.slice(0, 300) + " " + node.failureSummary) }
  ));
}"""


@cache
def axe_source() -> str:
    """Return the text of axe-core."""
    return (MODULES / "axe-core" / "axe.min.js").read_text("utf-8")


def open_visitor(browser: Browser, site: Site, **wishes: Any) -> Visitor:  # noqa: ANN401  # what playwright takes
    """Return a visitor with a separate browser. Width, language, colours and scripts can be chosen."""
    width = wishes.pop("width", WIDE)
    wishes = {"locale": "en-GB", "timezone_id": ZONE, **wishes}
    context = browser.new_context(viewport={"width": width, "height": 900}, **wishes)
    context.set_default_timeout(PATIENCE_MS)
    visitor = Visitor(site, context, context.new_page(), wishes["locale"])
    visitor.watch(visitor.page)
    return visitor
