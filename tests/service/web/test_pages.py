"""Pages for people: what they show, in both languages, whatever names people have, and nothing that is secret."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from peewee import OperationalError

from engine.games import GAMES
from engine.reading import read
from engine.rulebook import Grid, Points
from engine.words import LOCALES, Locale
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import db, execute, write_transaction
from service.i18n.catalogue import msg
from service.matches.bot_strengths import find_pairing, measured_pairings
from service.matches.start import Opponent, list_opponents
from service.play import match_loader
from service.play.views import Viewer
from service.problems import KINDS, Problem
from service.web.app import create_app
from service.web.app import render_document as document
from service.web.pages import bots, games, sample_matches
from service.web.pages.match_summary import describe_setting, list_values
from tests.support.html_page import BROWSER, Page, story
from tests.support.http_tables import SeatClient, make, new, play_out, resolved
from tests.support.players import Client, Person
from tests.support.web_apps import open_app

People = Callable[..., Person]
FRENCH = {"Accept-Language": "fr-FR,fr;q=0.9,en;q=0.5"}
FONTS_BUDGET = 40_000
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\" '&"
OURS = re.compile(r"/[^/]|/$|[?#]")


def sound(answer: Any) -> Page:  # noqa: ANN401  # an answer
    """The page, after a look at what every page must keep to."""
    page = Page(answer)
    assert answer.content_type == "text/html; charset=utf-8"
    assert not page.tags & {"iframe", "object", "embed", "style", "base"}
    scripts = [each for tag, each in page.elements if tag == "script"]
    assert all(each.get("type") == "application/json" or each["src"].startswith("/static/") for each in scripts)
    assert [each for each in page.references if not OURS.match(each)] == []
    assert not [name for _, each in page.elements for name in each if name.startswith("on") or name == "style"]
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.elements[0] == ("html", {"lang": answer.headers["Content-Language"]})
    return page


def at_table(person: People, game: str = "keltis", **more: Any) -> list[SeatClient]:  # noqa: ANN401
    """A running open match of two people."""
    return make(person("Aoife"), person("Bran"), game=game, visibility="open", **more)


def test_home_shows_games_and_matches_in_both_languages(client: Client, person: People) -> None:
    aoife = person("Aoife")
    new(aoife, visibility="open", title="Who dares?")
    new(aoife, visibility="invitation", title="Among friends")
    running = at_table(person, title="By the fire")[0]
    for headers, words in (({}, "The games"), (FRENCH, "Les jeux")):
        answer = client.get("/", headers=headers)
        page = sound(answer)
        assert words in page.text
        assert "Who dares?" in page.text
        assert "Among friends" not in page.text
        assert f"/matches/{running.match}" in page.references
        for game in GAMES.values():
            assert f"/games/{game.slug}" in page.references
            assert game.presentation.title["fr" if headers else "en"] in page.text
            assert game.presentation.about["fr" if headers else "en"] in page.text
        pictures = [each for tag, each in page.elements if tag == "svg" and each.get("role") == "img"]
        assert len(pictures) == len(GAMES) + 1, "an emblem of each, and a board to touch"


def test_every_link_of_every_page_leads_somewhere(client: Client, person: People) -> None:
    match = at_table(person)[0].match
    assert client.get(f"/mailbox?key={client.application.config['MAILBOX_SECRET']}").status_code == 303
    seen: set[str] = set()
    for start in ("/", f"/games/{next(iter(GAMES))}", f"/matches/{match}", "/problems/"):
        page = Page(client.get(start))
        forms = {each.get("action", "") for tag, each in page.elements if tag == "form"}
        for each in page.references:
            path = each.partition("#")[0]
            if path and path not in seen | forms:
                seen.add(path)
                where = start + path if path.startswith("?") else path
                with client.get(where) as answer:
                    assert answer.status_code in (200, 303), (start, each)
    assert len(seen) > 40


def test_the_address_chooses_the_language_and_keeps_it(client: Client) -> None:
    page = Page(client.get("/?lang=fr"))
    assert page.elements[0] == ("html", {"lang": "fr"})
    assert f"/games/{next(iter(GAMES))}?lang=fr" in page.references
    assert ("button", {"class": "plain", "name": "language", "value": "en", "lang": "en"}) in page.elements
    assert Page(client.get("/?lang=en", headers=FRENCH)).elements[0] == ("html", {"lang": "en"})
    assert Page(client.get("/?lang=xx", headers=FRENCH)).elements[0] == ("html", {"lang": "fr"})
    assert "?lang=fr" not in Page(client.get("/?lang=xx", headers=FRENCH)).references


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_page_tells_all_of_the_game(client: Client, slug: str, locale: Locale) -> None:
    game = GAMES[slug]
    page = sound(client.get(f"/games/{slug}?lang={locale}"))
    said = re.sub(r"\W", "", page.text)
    assert re.sub(r"\W", "", game.presentation.rules_summary[locale]) in said
    for option in game.rules.options:
        assert option.title[locale] in page.text
        if option.choices or option.parts:
            assert option.values(locale) in page.text
        else:
            values = (describe_setting(game, option, value, locale) for value in list_values(game, option))
            assert ", ".join(values) in page.text
    for bot in game.bots.by_name:
        assert bot in page.words
    examples = sample_matches.example_lines(slug, locale)
    assert examples
    for example in examples:
        assert read(game, example.line, 0).line == example.line
        assert example.line in page.words
        assert example.sentence in page.words
    tables = game.presentation.tables(locale) if game.presentation.tables else ()
    rulebook = game.presentation.rulebook.get(locale, ())
    blocks = [block for section in rulebook for block in section.blocks]
    sizes = [len(each.rows) for each in tables] + [len(block.rows) for block in blocks if isinstance(block, Grid)]
    assert sum(tag == "tr" for tag, _ in page.elements) == sum(1 + size for size in sizes)
    for number, section in enumerate(rulebook, 1):
        assert f"{number}. {section.title}" in page.words
    for block in blocks:
        if not isinstance(block, Grid):
            for text in block.items if isinstance(block, Points) else [block.text]:
                assert re.sub(r"\W", "", text) in said


def test_games_that_are_not_there_are_not_found(client: Client) -> None:
    assert client.get("/games/chess").status_code == 404


def test_rules_keep_their_words_and_their_code_is_marked() -> None:
    first, second = games.split_paragraphs("Turns: play `lay R1` <now>\nor pass.\nThen draw.")
    assert (first.lead, first.text) == ("Turns", "play <code>lay R1</code> &lt;now&gt; or pass.")
    assert (second.lead, second.text) == ("", "Then draw.")


def test_hostile_names_and_titles_are_only_words(client: Client, person: People) -> None:
    eve, bran = person(), person("Bran")
    with write_transaction():
        execute("update player set name = ? where id = ?", HOSTILE, eve.id)
    waits = new(eve, visibility="open", title=HOSTILE).json["id"]
    match = make(eve, bran, game="keltis", visibility="open", title=HOSTILE)[0].match
    for path in ("/", f"/matches/{waits}", f"/matches/{match}"):
        page = sound(client.get(path))
        assert HOSTILE in "".join(page.words)
        (image,) = {each["src"] for tag, each in page.elements if tag == "img"}
        assert re.fullmatch(r"/static/[0-9a-f]{12}/icon\.svg", image)
    assert HOSTILE not in client.get(f"/matches/{match}").text


def test_a_running_match_is_watched(client: Client, person: People) -> None:
    one, two = at_table(person, title="By the fire")
    one.move(one.lines[0])
    answer = client.get(f"/matches/{one.match}")
    page = sound(answer)
    assert not page.refreshes
    assert "By the fire" in page.text
    assert one.read("table")["hash"][:12] in page.text
    spectator = Viewer(match_loader.load_match_state(one.match), None, "en")
    assert (spectator.game.presentation.prose or spectator.game.presentation.text)(
        spectator.view(), "en"
    ).split() == _pre(answer).split()
    assert f"/v1/matches/{one.match}/record" in page.references
    pictures = [each for tag, each in page.elements if tag == "svg" and each.get("role") == "img"]
    assert len(pictures) == 2, "wide and narrow"
    assert "Aoife" in story(answer)[0]
    assert sound(client.get(f"/matches/{one.match}?lang=fr")).text != page.text
    assert two.match == one.match


def _pre(answer: Any) -> str:  # noqa: ANN401  # an answer
    shown: str = answer.text.partition("<details")[2].partition("<pre")[2].partition(">")[2].partition("</pre>")[0]
    return shown.replace("&#39;", "'").replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">")


def test_a_finished_match_shows_its_result_and_stands_still(client: Client, person: People) -> None:
    seat_client = at_table(person)
    play_out(seat_client)
    answer = client.get(f"/matches/{seat_client[0].match}")
    page = sound(answer)
    assert not page.refreshes
    result = seat_client[0].read("table")["result"]
    assert len(page.of_class("won")) == len(result["winners"])
    total = answer.text.partition('<tr class="total">')[2].partition("</tr>")[0]
    assert re.findall(r"<td>(.*?)</td>", total) == [str(each["total"]).replace("-", "−") for each in result["scores"]]
    items = story(answer)
    assert 0 < sum(max(1, item.count(". ")) for item in items) <= 60
    assert f"/matches/{seat_client[0].match}" in Page(client.get("/")).references


def test_waiting_and_cancelled_matches_have_a_page(client: Client, person: People) -> None:
    aoife = person()
    match = new(aoife, visibility="open", seats=3).json["id"]
    page = sound(client.get(f"/matches/{match}"))
    assert page.text.count("free") == 2
    assert not page.refreshes
    assert aoife.post(f"/v1/matches/{match}/leave").status_code < 300
    assert "cancelled" in sound(client.get(f"/matches/{match}")).text


def test_private_matches_look_like_none(client: Client, person: People) -> None:
    aoife, bran = person("Aoife"), person("Bran")
    match = make(aoife, bran, visibility="invitation")[0].match
    hidden = client.get(f"/matches/{match}", headers={**BROWSER, **aoife.bearer})
    nothing = client.get("/matches/m7q2x9v4k8t3w6zp", headers=BROWSER)
    assert hidden.status_code == nothing.status_code == 404
    assert hidden.text.replace(match, "m7q2x9v4k8t3w6zp") == nothing.text
    assert match not in client.get("/").text


@pytest.mark.parametrize("slug", GAMES)
def test_a_page_is_made_from_the_spectators_view_alone(
    client: Client, person: People, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_client = at_table(person, slug)
    for _ in range(4):
        mover = next(each for each in seat_client if each.read("table")["question"])
        mover.move(mover.lines[-1])
    asked: set[int | None] = set()
    game = GAMES[slug]

    def spy(state: Any, seat: int | None) -> Any:  # noqa: ANN401  # of any game
        asked.add(seat)
        return game.rules.view(state, seat)

    monkeypatch.setitem(GAMES, slug, replace(game, rules=replace(game.rules, view=spy)))
    reset_process_state()
    path = f"/matches/{seat_client[0].match}"
    answer = client.get(path)
    assert answer.status_code == 200
    assert asked == {None}
    assert client.get(path, headers=seat_client[0].person.bearer).data == answer.data


def test_sealed_lines_stay_sealed(client: Client, person: People) -> None:
    one, _ = at_table(person, "tain")
    line = next(line for line in one.lines if line.startswith("put W b"))
    one.move(line)
    for path in (f"/matches/{one.match}", f"/matches/{one.match}?lang=fr"):
        told = " ".join(story(client.get(path)))
        assert "Aoife" in told
        assert not re.search("warrior|guerrier|put W", told)


def test_browsers_get_a_page_for_problems_and_programs_get_details(client: Client) -> None:
    answer = client.get("/nothing", headers={**BROWSER, **FRENCH})
    assert answer.status_code == 404
    assert "Il n’y a rien ici" in sound(answer).text
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert client.get("/nothing", headers=headers).content_type == "application/problem+json"
    assert client.get("/v1/nothing", headers=BROWSER).content_type == "application/problem+json"
    wrong = client.post("/", headers={**BROWSER, "Sec-Fetch-Site": "cross-site"})
    assert (wrong.status_code, "GET" in wrong.headers["Allow"]) == (405, True)
    sound(wrong)
    assert not [each for each in Page(client.get("//evil.example/x", headers=BROWSER)).references if "evil" in each]


def test_forms_of_other_sites_do_nothing_but_mail_programs_may_unsubscribe(client: Client) -> None:
    """Browsers name the origin of our forms only if the page lets them (`Referrer-Policy`)."""
    assert client.get("/").headers["Referrer-Policy"] == "same-origin"
    for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"}):
        answer = client.post("/confirm/x", headers={**BROWSER, **FRENCH, **foreign})
        assert answer.status_code == 403
        assert "Ouvrez notre page" in sound(answer).text
        one_click = client.post("/u/x", data={"List-Unsubscribe": "One-Click"}, headers=foreign)
        assert one_click.status_code == 404, "no such letter, but not refused"
    assert client.post("/confirm/x").status_code == 403
    for own in ({"Origin": "http://127.0.0.1:8000"}, {"Sec-Fetch-Site": "same-origin", "Origin": "null"}):
        assert client.post("/confirm/x", headers=own).status_code == 410


def test_pages_are_limited_as_the_api_is(config: Config) -> None:
    client = open_app(replace(config, limit_requests=3)).test_client()
    assert client.get("/v1/games").headers["RateLimit-Remaining"] == "2"
    assert [client.get("/problems/?lang=en").status_code for _ in range(3)] == [200, 200, 429]
    answer = client.get("/?lang=fr&still=1", headers=BROWSER)
    page = sound(answer)
    assert f"Réessayez dans {answer.headers['Retry-After']}\u00a0secondes" in page.text.replace(" s", "\u00a0s")
    assert "?lang=fr&still=1" in page.references
    for path in ("/static/page.css", "/healthz", "/readyz", "/metrics"):
        with client.get(path, base_url="http://127.0.0.1:8000") as free:
            assert free.status_code == 200, path


@pytest.mark.parametrize("locale", LOCALES)
def test_error_pages_say_what_to_do_in_words_for_people(config: Config, locale: Locale) -> None:
    """No page of an error speaks of headers, methods or JSON, and each has a way on."""

    def refuse(kind: str) -> str:
        raise Problem(kind, msg("requests.nothing_here"), retry_after=7)

    app = create_app(config)
    app.add_url_rule("/refuse/<kind>", "refuse", refuse)
    for kind in KINDS:
        answer = app.test_client().get(f"/refuse/{kind}?lang={locale}", headers=BROWSER)
        page = sound(answer)
        assert answer.status_code == KINDS[kind][0]
        assert f"/?lang={locale}" in page.references
        assert not re.search(r"header|en-tête|JSON|Retry-After|method|méthode|token|POST", page.text)


def test_a_page_tells_that_the_database_is_down(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(type(db.obj), "execute_sql", down)
    answer = client.get("/", headers=BROWSER)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["X-Request-Id"] in sound(answer).text


def test_the_typeface_is_ours(client: Client) -> None:
    with client.get("/static/page.css") as css:
        named = re.findall(r'url\("([^"]+)"\)', css.text)
    sizes = {}
    for name in named:
        data = client.get(f"/static/{name}").data
        assert data[:4] == b"wOF2"
        sizes[name] = len(data)
    with client.get("/") as page:
        preloaded = re.findall(r'href="/static/\w+/(\w+-\w+\.woff2)" as="font"', page.text)
    assert preloaded == ["EchtraText-Regular.woff2", "EchtraText-Bold.woff2", "EchtraDisplay-Bold.woff2"]
    assert sum(sizes[name] for name in preloaded) <= FONTS_BUDGET


@pytest.mark.parametrize(
    "path",
    ["/static//x", "//static/x", "/static//page.css", "/games//keltis", "/v1//games", "/docs/", "/mailbox/", "//"],
)
def test_no_answer_repeats_the_host_of_its_request(client: Client, path: str) -> None:
    for method in ("GET", "POST"):
        headers = {**BROWSER, "Host": "evil.example", "X-Forwarded-Host": "evil.example"}
        answer = client.open(path, method=method, headers=headers)
        assert "evil.example" not in answer.text + str(answer.headers)
        assert answer.status_code < 500


def test_the_address_to_write_to_is_named_where_emails_leave_the_machine(config: Config) -> None:
    outward = open_app(replace(config, smtp_url="smtp://127.0.0.1:2525", mail_from="table@example.org"))
    assert "table@example.org" in outward.test_client().get("/").text


def test_pages_stay_out_of_the_document() -> None:
    paths = re.findall(r'^    "(/[^"]*)": \{$', document(), re.MULTILINE)
    assert len(paths) > 20
    assert not [path for path in paths if not path.startswith(("/v1/", "/.well-known/"))]


def test_the_story_goes_on_when_the_match_does(client: Client, person: People) -> None:
    one, two = at_table(person)
    one.move(one.lines[0])
    before = story(client.get(f"/matches/{one.match}"))
    while not two.read("table")["question"]:
        one.move(one.lines[0])
    two.move(two.lines[0])
    resolved(one.match)
    after = story(client.get(f"/matches/{one.match}"))
    assert len(after) > len(before)
    assert "Bran" in after[0]


def test_the_sheet_of_components_is_for_this_machine_only(client: Client) -> None:
    here = "http://127.0.0.1:8000"
    assert "Components" in sound(client.get("/styleguide", base_url=here)).text
    for foreign in ({"X-Forwarded-For": "203.0.113.9"}, {"Host": "games.example.org"}):
        assert client.get("/styleguide", base_url=here, headers=foreign).status_code == 404
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    assert client.get("/styleguide", base_url=here, environ_overrides=elsewhere).status_code == 404


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_of_bots_shows_all_results_with_their_intervals(client: Client, locale: Locale) -> None:
    page = sound(client.get(f"/bots?lang={locale}"))
    assert measured_pairings()
    for game in (GAMES[slug] for slug in {row.game for row in measured_pairings()}):
        assert f"/games/{game.slug}" in {reference.split("?")[0] for reference in page.references}
        bots = [opponent for opponent in list_opponents(game) if not opponent.level]
        for bot, other in product(bots, list_opponents(game)):
            pairing = find_pairing(game.slug, bot.bot, other.id)
            assert (pairing is None) == (bot == other), f"make strengths has not measured {bot} against {other}"
            if pairing is not None:
                low, high = pairing.interval
                assert f"{round(100 * pairing.share)} % ({round(100 * low)}–{round(100 * high)})" in page.text


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, "rarely"), (0.05, "rarely"), (0.1, "1 in 10"), (0.36, "1 in 3"), (0.5, "1 in 2"), (0.95, "nearly always")],
)
def test_a_choice_of_a_bot_says_how_often_one_would_win(
    monkeypatch: pytest.MonkeyPatch, share: float, expected: str
) -> None:
    monkeypatch.setattr(bots, "find_chance", lambda _game, _opponent: share)
    assert bots.describe_chance(GAMES["keltis"], Opponent("strong"), "en") == expected
