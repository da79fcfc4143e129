"""The page of a match besides its moves: leafing, notes, offers, orders, lessons, access for all, and its weight."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route

from engine.games import GAMES
from service.web.pages.script_words import LESSON_WORDS, MATCH_WORDS
from service.web.static_files import FOLDER, load_folder
from tests.support.browser import HEIGHTS, NARROW, SMALLEST, WIDE, Site, Visitor
from tests.support.playing import (
    OPEN_MARKS,
    ask,
    choose_by_touch,
    make_match,
    open_list,
    open_match,
    play_whole_turn,
    press_send,
    touch,
    wait_for_question,
    wait_for_turn,
)

Visit = Callable[..., Visitor]
MATCH_SCRIPTS_BUDGET, SCRIPTS_BUDGET = 35 * 1024, 15 * 1024
"""Compressed bytes of all scripts of a page, with what they import: of a match, and of any other."""
STYLES_BUDGET = 12 * 1024
PAGE_BUDGET = 25 * 1024
LEAST_TARGET = 24
SETTLE_MS = 250
LOW = 700
TARGET_SIZES = """() => [...document.querySelectorAll("#board .ring, #turn button")]
  .map((each) => each.getBoundingClientRect()).filter(({ width }) => width)
  .map(({ width, height }) => Math.min(width, height))"""


def test_scripts_styles_and_words_keep_to_their_budget() -> None:
    files, named = load_folder().files, set[str]()
    for template in (FOLDER.parent / "templates").glob("*.html"):
        first = set(re.findall(r'type="module" src="{{ static_url\(.(\w+\.js)', template.read_text("utf-8")))
        named |= first
        scripts = first | {"turns.js"}  # which follows the turns of everybody who is signed in, on every page
        while more := {name for each in scripts for name in find_imports(each)} - scripts:
            scripts |= more
        budget = MATCH_SCRIPTS_BUDGET if "match.js" in first else SCRIPTS_BUDGET
        assert sum(len(files[name].packed or files[name].data) for name in scripts) <= budget, template.name
    assert {"match.js", "lesson.js", "settings.js", "turns.js"} <= named
    styles = [files[name] for name in ("page.css", "site.css", "board.css")]
    assert sum(len(file.packed or file.data) for file in styles) <= STYLES_BUDGET


def find_imports(script: str) -> list[str]:
    """Return the scripts that this one imports, at once or later."""
    return re.findall(r'(?:from |import\()"\./(\w+\.js)"', (FOLDER / script).read_text("utf-8"))


def test_scripts_say_only_words_that_the_page_brings() -> None:
    said = {word for path in FOLDER.glob("*.js") for word in re.findall(r'\bsay\("(\w+)"', path.read_text("utf-8"))}
    said |= {"offer_end", "offer_cancel"}
    assert said <= {*MATCH_WORDS, *LESSON_WORDS}
    assert {*MATCH_WORDS, *LESSON_WORDS} <= said


@pytest.mark.parametrize("game", GAMES)
def test_every_board_is_open_to_everybody(visit: Visit, game: str) -> None:
    """Before and while choosing, light and dark, wide in English and narrow in French, nothing stands against WCAG."""
    visitor = visit()
    visitor.enter(f"axe-{game}@example.org")
    page = open_match(visitor, make_match(visitor, game))
    assert int(page.request.get(page.url).headers["content-length"]) <= PAGE_BUDGET, "as it is sent"
    for language, width, send in (("en", WIDE, "Send"), ("fr", NARROW, "Envoyer")):
        ask(visitor, "PATCH", "/v1/me", {"language": language})
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.reload()
        page.wait_for_selector("#turn.ready")
        page.wait_for_selector("#board g.open, #turn .mark")
        assert visitor.find_violations_by_day_and_night(width) == []
        assert visitor.overflow() <= 0
        touch(page, page.evaluate(OPEN_MARKS)[0])
        page.wait_for_selector("#turn .chip")
        assert visitor.find_violations_by_day_and_night(width) == []
        assert visitor.overflow() <= 0
        assert page.inner_text("#turn .send").startswith(send)
        page.click("#turn .chip >> nth=0")
        page.wait_for_selector("#turn .chip", state="detached")
    page.set_viewport_size({"width": SMALLEST, "height": 640})
    # The picture of a phone follows in a moment.
    page.wait_for_function(f"(least) => Math.min(...({TARGET_SIZES})()) >= least", arg=LEAST_TARGET)
    assert visitor.overflow() <= 0


def test_a_phone_builds_the_list_when_it_opens_and_what_stands_beside_the_board_after_it(visit: Visit) -> None:
    """Nobody who touches the board waits for them; a button that is pressed too early does its work all the same."""
    visitor = visit(width=NARROW)
    visitor.enter("late-scripts@example.org")
    match, held = make_match(visitor, "keltis"), list[Route]()
    visitor.page.route("**/rare_actions.js", lambda route: held.append(route))  # noqa: PLW0108  # playwright counts its arguments
    page = open_match(visitor, match)
    assert page.locator("#turn .option").count() == 0
    page.click("#turn .list summary")
    listed = page.locator("#turn .option").count()
    assert listed == len(ask(visitor, "GET", f"/v1/matches/{match}/options")["items"])
    choose_by_touch(page, Random(1))
    assert 0 < page.locator("#turn .option").count() < listed
    page.click("#turn .list summary")
    page.wait_for_function("() => !document.querySelector('#turn .option')")
    page.click("#more-title")
    page.fill("#resign-word", "resign")
    page.click("#resign button")
    assert page.locator("#turn.ready").count(), "the page stays"
    held[0].continue_()
    page.wait_for_selector("table.scores")


def test_a_match_is_leafed_through(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("leaf@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    for _ in range(3):
        choose_by_touch(page, Random(1))
        press_send(page)
    head = int(page.get_attribute("#replay input", "max") or 0)
    page.click("[data-step=back]")
    page.wait_for_function(f"() => document.querySelector('#replay-place').textContent.startsWith('Step {head - 1} ')")
    assert page.url.endswith(f"?at={head - 1}")
    assert not page.evaluate(OPEN_MARKS)
    page.focus("#replay input")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('#replay-place').textContent.startsWith('Step 0 ')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('#replay-place').textContent.startsWith('Step 1 ')")
    page.reload()
    page.wait_for_selector("#back-to-now:visible")
    assert not page.evaluate(OPEN_MARKS)
    page.click("#back-to-now")
    page.wait_for_selector("#board g.open")
    assert "at=" not in page.url
    page.click("#story-items a >> nth=-1")
    page.wait_for_selector("#back-to-now:visible")
    page.keyboard.press("End")


@pytest.mark.parametrize(("width", "locale", "chapter"), [(WIDE, "en-GB", r"Turn \d+"), (NARROW, "fr-FR", r"Tour \d+")])
def test_the_story_is_told_by_turns_and_stepped_through(visit: Visit, width: int, locale: str, chapter: str) -> None:
    visitor = visit(width=width, locale=locale)
    visitor.enter(f"story-{width}@example.org", "Aoife")
    page = open_match(visitor, make_match(visitor, "keltis", seats=3, bots={"1": "steady", "2": "steady"}))
    luck = Random(3)
    for sent in range(8):
        choose_by_touch(page, luck)
        press_send(page)
        page.wait_for_timeout(SETTLE_MS)  # the words follow the board
        if sent > 1 and page.locator("#since li:nth-child(2)").is_visible():
            break
    titles = page.locator("#story-items h3").all_inner_texts()
    numbers = [int(title.split()[1]) for title in titles]
    assert all(re.fullmatch(chapter, title) for title in titles)
    assert numbers == sorted(numbers, reverse=True), "the newest first"
    assert page.locator("#since .sign").count() == 2, "two bots have moved"
    assert page.evaluate(CUT_LINES) == []
    head = int(page.get_attribute("#replay input", "max") or 0)
    links = page.eval_on_selector_all("#since a", "all => all.map((a) => a.href)")
    *stops, last = [int(link.rpartition("=")[2]) for link in links]
    assert last == head
    for stop in reversed(stops):
        page.click("#since [data-turn=back]")
        page.wait_for_selector(f"#since a[href$='at={stop}'][aria-current]")
        assert page.url.endswith(f"at={stop}")
    page.click("#since [data-turn=back]")
    page.wait_for_url(lambda url: "at=" in url and int(url.rpartition("=")[2]) < stops[0])
    for stop in stops:
        page.click("#since [data-turn=forward]")
        page.wait_for_url(f"**at={stop}")
    page.click("#since [data-turn=forward]")
    page.wait_for_selector("#board g.open")
    assert "at=" not in page.url
    page.click("#story-items a >> nth=1")
    page.wait_for_selector("#story-items a[aria-current]")
    assert visitor.find_violations_by_day_and_night(width) == []
    assert visitor.overflow() <= 0


CUT_LINES = """() => [...document.querySelectorAll("#since, #since ul, #since li, #story-items, #story-items *")]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== "visible")
  .map((each) => each.outerHTML.slice(0, 80))"""
"""Places of the story where a line is cut; the panel around it may scroll."""


def test_notes_offers_and_orders_stand_beside_the_board(visit: Visit) -> None:
    one, two = visit(), visit()
    one.enter("talk-one@example.org", "Taillte")  # nobody else on this site has the name, so it is shown as it is
    two.enter("talk-two@example.org", "Fergal")
    match = make_match(one, "keltis", bots={}, visibility="open")
    ask(two, "POST", f"/v1/matches/{match}/join", {})
    for visitor in (one, two):
        open_match(visitor, match)
    for number in range(51):
        ask(one, "POST", f"/v1/matches/{match}/notes", {"text": f"Earlier {number}"})
    one.page.click("#talk-title")
    one.page.wait_for_selector("#talk .notes li:last-child:has-text('Earlier 50')")
    one.page.fill("#note", "Good luck!")
    one.page.click("#talk form button")
    two.page.set_viewport_size({"width": 400, "height": 800})
    two.page.wait_for_selector("#news .unread:has-text('52 new notes')")
    assert is_above_the_board(two.page, "#news .unread")
    two.page.click("#news .unread")
    two.page.wait_for_selector("#talk .notes li:last-child:has-text('Good luck!')")
    two.page.wait_for_selector("#news", state="hidden")
    mover = wait_for_question(one, two, match=match)
    wait_for_turn(mover.page)
    check_orders(mover.page)
    if not one.page.locator("[data-offer=end]").is_visible():  # whoever gave orders has their tab open
        one.page.click("#talk-title")
    one.page.click("[data-offer=end]")
    one.page.wait_for_selector(".offered:has-text('Taillte offers to end')")
    two.page.evaluate("scrollTo(0, 0)")
    two.page.wait_for_selector(".offered:has-text('Taillte offers to end') button")
    assert is_above_the_board(two.page, ".offered button")
    two.page.click(".offered button >> nth=0")
    for visitor in (one, two):
        visitor.page.wait_for_selector("table.scores")
    one.page.wait_for_selector("tr.rating-row:not(.pending):has-text('1500 → ')")
    one.page.click("#rematch button[value=swap]")
    one.page.wait_for_url(lambda url: match not in url)
    again = one.page.url.rpartition("/")[2]
    seats = [ask(one, "GET", f"/v1/matches/{each}")["you"]["seat"] for each in (match, again)]
    assert seats[0] != seats[1]


def is_above_the_board(page: Page, selector: str) -> bool:
    """Return True if the thing is seen without scrolling, above the board."""
    thing, board = page.locator(selector).first.bounding_box(), page.locator("#board").bounding_box()
    assert thing is not None
    assert board is not None
    return thing["y"] >= 0 and thing["y"] + thing["height"] <= min(board["y"], 800)


def check_orders(page: Page) -> None:
    """Choose orders on the board after a move, with *or* and *then*, type the rest, and withdraw it."""
    luck = Random("orders")
    play_whole_turn(page, luck)
    assert not page.evaluate(OPEN_MARKS), "nothing is chosen by a plain touch while others are asked"
    page.click("#orders summary")
    for join in ("first", "or", "then"):
        page.click(f"#orders [data-join={join}]")
        choose_by_touch(page, luck)
        assert page.inner_text("#turn .send") == "Add to the orders"
        page.click("#turn .send")
        page.wait_for_selector("#turn:not(.plans)")
    assert page.locator("#orders .plan li").count() == 2
    first, other, following = (
        text.removesuffix("×").strip() for text in page.locator("#orders .plan .chip").all_inner_texts()
    )
    page.click("#orders .plan li:nth-child(2) .chip")
    assert page.locator("#orders .plan li").count() == 1, "a chip takes its line back"
    page.click("#orders form summary")
    page.fill("#order", "discard R5")
    page.click("#orders form > button")
    page.wait_for_selector("#orders .waiting li >> nth=1")
    waiting = page.locator("#orders .waiting li").all_inner_texts()
    assert waiting[0] == f"{first} or {other}"
    assert following
    assert waiting[1] in ("discard R5", "Discard red 5")
    page.click("#orders .waiting button")
    page.wait_for_selector("#orders .waiting li", state="detached")


def test_a_match_is_given_up_by_a_typed_word_only(visit: Visit) -> None:
    """On a low window too, where the panel of the turn is as high as the window and stays in it."""
    visitor = visit()
    visitor.page.set_viewport_size({"width": WIDE, "height": LOW})
    visitor.enter("resign@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    page.click("#more-title")
    page.click("#resign button")
    page.wait_for_selector("#resign .refused:not([hidden])")
    page.fill("#resign-word", "resign")
    page.click("#resign button")
    page.wait_for_selector("table.scores")
    page.wait_for_selector(".says:has-text('Steady')")


def test_a_spectator_sees_no_secret_and_cannot_touch(visit: Visit) -> None:
    player, watcher = visit(), visit()
    player.enter("secret@example.org", "Aoife")
    match = make_match(player, "keltis", visibility="open")
    hand = ask(player, "GET", f"/v1/matches/{match}/table")["view"]["hand"]
    watcher.open(f"/matches/{match}")
    watcher.page.wait_for_selector("#board svg[aria-label]")
    assert hand
    content = watcher.page.content() + watcher.page.request.get(f"{watcher.site.url}/matches/{match}/now").text()
    assert 'data-mark="hand:' not in content
    assert not watcher.page.locator("#turn").count()
    assert not watcher.page.evaluate(OPEN_MARKS)
    assert watcher.find_violations() == []
    stranger = visit()
    hidden = make_match(player, "keltis", visibility="invitation")
    answer = stranger.open(f"/matches/{hidden}")
    assert answer is not None
    assert answer.status == 404


def test_without_scripts_a_match_can_be_read_and_says_how_to_answer(visit: Visit, site: Site) -> None:
    visitor = visit()
    visitor.enter("plain@example.org")
    match = make_match(visitor, "keltis")
    plain = visit(java_script_enabled=False)
    plain.context.add_cookies(visitor.context.cookies())  # type: ignore[arg-type]  # the same cookies
    plain.page.goto(f"{site.url}/matches/{match}")
    plain.page.wait_for_url("**answer=email")
    assert "you answer by email" in plain.page.inner_text("main")
    assert plain.page.locator("#board svg").first.is_visible()
    entry = plain.page.locator("#turn .options li").first
    line = entry.locator("code").inner_text()
    link = urlsplit(entry.locator("a").get_attribute("href") or "")
    assert parse_qs(link.query)["body"] == [line]
    plain.page.reload()
    assert plain.page.locator("#turn .options a").first.get_attribute("href") == link.geturl(), "the same at each visit"
    site.write_from(visitor.address, f"{line}\n", link.path)
    plain.page.wait_for_timeout(SETTLE_MS)
    for _ in range(40):
        items = ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
        if any(entry["seat"] == 0 and entry["line"] == line and entry["by"].startswith("mail") for entry in items):
            return
        plain.page.wait_for_timeout(SETTLE_MS)
    raise AssertionError("the email has not made the move")


@pytest.mark.parametrize("game", ["keltis", "tain"])
def test_a_lesson_is_taken_to_its_end_without_an_account(visit: Visit, game: str) -> None:
    visitor = visit(width=NARROW if game == "tain" else WIDE)
    page = visitor.page
    visitor.open(f"/games/{game}/lesson")
    lesson = GAMES[game].presentation.lesson
    assert lesson is not None
    for number, stop in enumerate(lesson.stops, 1):
        page.wait_for_selector("#turn.ready")
        if number == 1:
            assert visitor.find_violations() == []
        open_list(page)
        if number == 2:
            other = page.locator(f'#turn .option:not([data-line="{stop.line}"])').first
            if other.count():
                other.click()
                page.click("#turn .send")
                page.wait_for_selector("#turn .refused:has-text('legal too')")
                page.reload()
                page.wait_for_selector("#turn.ready")
                while page.locator("#turn .chip").count():
                    page.click("#turn .chip >> nth=0")
                open_list(page)
        page.click(f'#turn .option[data-line="{stop.line}"]')
        page.click("#turn .send")
        page.wait_for_url(f"**/lesson/{number + 1}")
    assert page.inner_text("h1") == "The lesson is over"
    assert page.locator("text=Play a bot").count() == 1
