"""Entering and leaving in a browser: by a code from a letter, from no other site, and with nothing left behind."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.support.browser import Site, Visitor
from tests.support.mailbox import text_of

Visit = Callable[..., Visitor]


def test_a_new_address_gets_a_code_a_name_and_an_account_and_comes_back(visit: Visit, site: Site) -> None:
    one = visit()
    one.open("/")
    one.submit("header >> text=Sign in")
    one.page.fill("input[name=address]", "  Nuala@Example.org ")
    one.submit("text=Send me a code")
    assert "nuala@example.org" in one.page.inner_text("main")
    one.page.fill("input[name=code]", "000 000")
    one.submit("main button:has-text('Sign in')")
    assert "4 more tries" in one.page.inner_text("[role=alert]")
    code = site.wait_for_code("nuala@example.org")
    one.page.fill("input[name=code]", f" {code[:3]} {code[3:]} ")
    one.submit("main button:has-text('Sign in')")
    assert one.page.input_value("select[name=zone]") == "Europe/Dublin"
    one.page.fill("input[name=name]", "Nualа")
    one.submit("main button[type=submit]")
    assert "mixes alphabets" in one.page.inner_text("[role=alert]")
    one.page.fill("input[name=name]", "Nuala")
    one.submit("main button[type=submit]")
    assert one.page.inner_text("header summary") == "Nuala"
    (cookie,) = [each for each in one.context.cookies() if each["name"] == "echtra"]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
    me = one.page.evaluate("fetch('/v1/me').then((answer) => answer.json())")
    assert (me["name"], me["zone"], me["language"]) == ("Nuala", "Europe/Dublin", "en")
    listed = one.page.evaluate("fetch('/v1/me/tokens').then((answer) => answer.json())")
    assert [(each["name"], each["scopes"]) for each in listed["items"]] == [
        ("Chrome on Linux", ["account", "organise", "play", "read"])
    ]

    two = visit(locale="fr-FR")
    two.enter_by_pages("nuala@example.org", "not asked")
    assert two.page.inner_text("header summary") == "Nuala"
    assert two.page.get_attribute("html", "lang") == "en"
    assert len(site.letters_to("nuala@example.org")) == 2


def test_it_works_without_scripts_and_in_french(visit: Visit, site: Site) -> None:
    visitor = visit(java_script_enabled=False, locale="fr-FR")
    visitor.enter_by_pages("emer@example.org", "Émer")
    assert visitor.page.inner_text("header summary") == "Émer"
    assert visitor.page.get_attribute("html", "lang") == "fr"
    letter = site.wait_for_letter("emer@example.org")
    assert "Votre code" in text_of(letter)
    assert str(letter["Subject"]) == "Votre code pour Echtra"


def test_the_language_is_kept_in_the_browser_and_then_in_the_account(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/enter?to=/games/keltis")
    visitor.submit("header >> text=Français")
    assert visitor.page.url.endswith("/enter?to=%2Fgames%2Fkeltis")
    assert visitor.page.get_attribute("html", "lang") == "fr"
    visitor.open("/problems/")
    assert visitor.page.get_attribute("html", "lang") == "fr"
    visitor.enter_by_pages("orla@example.org", "Orla")
    visitor.open("/games/keltis")
    assert visitor.page.get_attribute("html", "lang") == "fr"
    visitor.submit("header >> text=English")
    assert visitor.page.get_attribute("html", "lang") == "en"
    assert visitor.page.evaluate("fetch('/v1/me').then((answer) => answer.json())")["language"] == "en"


def test_entering_leads_to_where_one_wanted_to_go_but_nowhere_else(visit: Visit, site: Site) -> None:
    visitor = visit()
    visitor.open("/enter?to=/games/tain%3Flang=fr")
    visitor.page.fill("input[name=address]", "fand@example.org")
    visitor.submit("main button[type=submit]")
    visitor.page.fill("input[name=code]", site.wait_for_code("fand@example.org"))
    visitor.submit("main button[type=submit]")
    visitor.page.fill("input[name=name]", "Fand")
    visitor.submit("main button[type=submit]")
    assert visitor.page.url == f"{site.url}/games/tain?lang=fr"
    for elsewhere in ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "/v1/me"):
        visitor.page.goto(f"{site.url}/enter?to={elsewhere}")
        assert visitor.page.url == f"{site.url}/"


def test_after_leaving_nothing_is_left_and_back_shows_nothing(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("deirdre@example.org", "Deirdre")
    visitor.open("/games/keltis")
    visitor.page.evaluate("localStorage.setItem('draft', 'x')")
    (cookie,) = [each for each in visitor.context.cookies() if each["name"] == "echtra"]
    visitor.page.click("header summary")
    visitor.submit("text=Sign out")
    visitor.page.wait_for_selector("header >> text=Sign in")
    assert not [each for each in visitor.context.cookies() if each["name"] == "echtra"]
    assert visitor.page.evaluate("localStorage.getItem('draft')") is None
    visitor.page.go_back()
    assert "Deirdre" not in visitor.page.content()
    visitor.context.add_cookies([{"name": "echtra", "value": cookie["value"], "url": visitor.site.url}])
    visitor.open("/")
    assert "Deirdre" not in visitor.page.content()
    assert visitor.page.evaluate("fetch('/v1/me').then((answer) => answer.status)") == 401
    visitor.forget_refusals()


@pytest.fixture(scope="module")
def other_site() -> Iterator[str]:
    """A site of somebody else, on another host: whatever is asked for, it gives an empty page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # as the standard library names it
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


POST_FORM = """([action, fields]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}"""


def test_forms_of_another_site_do_nothing(visit: Visit, site: Site, other_site: str) -> None:
    visitor = visit()
    visitor.enter("macha@example.org", "Macha")
    forms = {
        "/enter": {"address": "evil@example.org"},
        "/enter/code": {"code": "123456"},
        "/enter/again": {},
        "/enter/name": {"name": "Evil", "zone": "UTC"},
        "/language": {"language": "fr"},
        "/leave": {},
    }
    for path, fields in forms.items():
        visitor.page.goto(other_site)
        with visitor.page.expect_navigation(url=f"{site.url}{path}"):
            visitor.page.evaluate(POST_FORM, [site.url + path, fields])
        assert "from one of our pages" in visitor.page.inner_text("main"), path
    visitor.open("/")
    assert visitor.page.inner_text("header summary") == "Macha"
    assert visitor.page.get_attribute("html", "lang") == "en"
    assert not site.letters_to("evil@example.org")


def test_scripts_of_another_site_learn_and_change_nothing(visit: Visit, site: Site, other_site: str) -> None:
    visitor = visit()
    visitor.enter("boann@example.org", "Boann")
    visitor.page.goto(other_site)
    asked = """async ([url, options]) => {
      try { return await (await fetch(url, { credentials: "include", ...options })).text(); }
      catch (error) { return String(error); }
    }"""
    for path, options in (
        ("/v1/me", {}),
        ("/", {}),
        ("/v1/me", {"method": "PATCH", "body": "{}", "headers": {"Content-Type": "application/json"}}),
        ("/leave", {"method": "POST"}),
    ):
        assert "Boann" not in visitor.page.evaluate(asked, [site.url + path, options])
    visitor.faults.clear()
    visitor.open("/")
    assert visitor.page.inner_text("header summary") == "Boann"


def test_a_link_of_another_site_opens_signed_in(visit: Visit, site: Site, other_site: str) -> None:
    visitor = visit()
    visitor.enter("niamh@example.org", "Niamh")
    visitor.page.goto(other_site)
    with visitor.page.expect_navigation(url=f"{site.url}/games/keltis"):
        visitor.page.evaluate(
            """(url) => {
              const link = document.createElement("a");
              link.href = url;
              document.body.append(link);
              link.click();
            }""",
            f"{site.url}/games/keltis",
        )
    assert visitor.page.inner_text("header summary").startswith("Niamh")
