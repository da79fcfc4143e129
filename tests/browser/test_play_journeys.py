"""Playing across devices, tabs and lost connections: nothing is lost, made twice, or sent unasked."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from itertools import groupby
from random import Random

import pytest
from playwright.sync_api import Page

from tests.support.browser import NARROW, WIDE, Site, Visitor, widths_and_locales
from tests.support.mailbox import text_of
from tests.support.playing import (
    OPEN_MARKS,
    SETTLED,
    ask,
    asked,
    choose_and_look_ahead,
    choose_by_touch,
    choose_from_list,
    choose_single_steps,
    make_match,
    open_list,
    open_match,
    play_whole_turn,
    press,
    press_send,
    touch,
    wait_for_turn,
)

Visit = Callable[..., Visitor]
LUCK = Random("journeys")
OFFERS_OTHER = """(chosen) => document.querySelector("#turn .offer").innerText !== chosen
  || document.querySelector("#turn .send[aria-disabled=false]")"""
"""Whether the page offers another line than this, or one that can be sent."""
DELETE_KEYS = """() => new Promise((resolve, reject) => {
  const request = indexedDB.deleteDatabase("echtra");
  request.onsuccess = resolve;
  request.onerror = request.onblocked = reject;
})"""


def start_alone(visit: Visit, address: str, game: str = "keltis", **wishes: object) -> tuple[Visitor, str, Page]:
    """A visitor before the page of a match against a bot."""
    visitor = visit(**wishes)
    visitor.enter(address)
    choose_single_steps(visitor)
    match = make_match(visitor, game)
    return visitor, match, open_match(visitor, match)


def entries(visitor: Visitor, match: str) -> list[str]:
    """The lines that this visitor's seat made."""
    items = ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
    return [entry["line"] for entry in items if entry["seat"] == 0]


@pytest.mark.parametrize(("width", "locale"), widths_and_locales((WIDE, "en-GB")))
def test_two_browsers_play_each_other_live(visit: Visit, width: int, locale: str) -> None:
    """One is as wide as named and in this language, the other is a phone in French; both are touched only."""
    one = visit(width=width, locale=locale, has_touch=True)
    two = visit(width=NARROW, locale="fr-FR", has_touch=True)
    one.enter(f"live-one-{width}-{locale[:2]}@example.org", "Aoife")
    two.enter(f"live-two-{width}-{locale[:2]}@example.org", "Bran")
    match = make_match(one, "tain", bots={}, visibility="open")
    ask(two, "POST", f"/v1/matches/{match}/join", {})
    for visitor in (one, two):
        open_match(visitor, match)
    wait_until_one_is_asked(one.page, two.page)
    for _ in range(6):
        mover, other = (one, two) if asked(one.page) else (two, one)
        wait_for_turn(mover.page)
        told = other.page.locator("#story-items li").count()
        choose_by_touch(mover.page, LUCK)
        before = asked(mover.page)
        press(mover.page, mover.page.locator("#turn .send"))
        mover.page.wait_for_function("(before) => document.querySelector('#turn').dataset.asked !== before", arg=before)
        other.page.wait_for_function("(told) => document.querySelectorAll('#story-items li').length > told", arg=told)
        wait_until_one_is_asked(one.page, two.page)
    (one if asked(one.page) else two).page.wait_for_function(r"() => /^\(\d\)/.test(document.title)")


def wait_until_one_is_asked(one: Page, two: Page) -> None:
    """Wait until the page of either player asks."""
    for _ in range(200):
        if asked(one) or asked(two):
            return
        one.wait_for_timeout(50)
    raise AssertionError("neither page asks")


def test_a_second_device_plays_at_once_and_a_letter_tells_it(visit: Visit, site: Site) -> None:
    laptop, match, page = start_alone(visit, "devices@example.org")
    choose_by_touch(page, LUCK)
    press_send(page)
    phone = visit(width=NARROW)
    phone.enter("devices@example.org")
    there = open_match(phone, match)
    count = len(entries(laptop, match))
    choose_by_touch(there, LUCK)
    press_send(there)
    assert len(entries(laptop, match)) > count
    for _ in range(400):
        if any("now plays for you" in text_of(letter) for letter in site.letters_to("devices@example.org")):
            return
        time.sleep(0.05)
    raise AssertionError("no letter tells of the second device")


def test_where_all_moves_are_signed_an_older_device_lets_a_second_one_play(visit: Visit) -> None:
    laptop, _, page = start_alone(visit, "signed@example.org")
    choose_by_touch(page, LUCK)
    press_send(page)
    older, match = (make_match(laptop, "keltis", moves="signed") for _ in range(2))
    page.route("**/approvals", lambda route: route.continue_(url=f"{route.request.url}?limit=1"))
    phone = visit(width=NARROW)
    choose_single_steps(phone)
    phone.enter("signed@example.org")
    there = open_match(phone, match)
    choose_by_touch(there, LUCK)
    there.click("#turn .send")
    there.wait_for_selector("#turn .refused:not([hidden])")
    assert "another of your devices" in there.inner_text("#turn .refused")
    assert not entries(laptop, match)
    phone.faults.clear()
    before = asked(there)
    open_match(laptop, match)
    page.click("#devices button")
    page.wait_for_selector("#devices [role=status]")
    # The line of the keys has come between: the same is asked again after it.
    there.wait_for_function("(before) => document.querySelector('#turn').dataset.asked !== before", arg=before)
    press_send(there)
    assert there.locator("#turn .refused").is_hidden()
    assert len(entries(laptop, match)) == 2, "the line of the keys, and the move"
    assert len(entries(laptop, older)) == 1, "the line of the keys, from another page of the list"


def test_a_browser_that_lost_its_key_plays_on(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "lost@example.org")
    choose_by_touch(page, LUCK)
    press_send(page)
    page.evaluate(DELETE_KEYS)
    count = len(entries(visitor, match))
    choose_by_touch(page, LUCK)
    press_send(page)
    assert page.locator("#turn .refused").is_hidden()
    assert len(entries(visitor, match)) > count


def test_a_draft_survives_a_reload_and_can_be_undone(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "draft@example.org")
    choose_by_touch(page, LUCK)
    offer, chips = page.inner_text("#turn .offer"), page.locator("#turn .chip").count()
    page.reload()
    page.wait_for_selector("#turn.ready .chip")
    assert (page.inner_text("#turn .offer"), page.locator("#turn .chip").count()) == (offer, chips)
    assert entries(visitor, match) == []
    page.focus("#turn .send")
    for _ in range(chips):
        page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('#turn .chip')")
    page.reload()
    page.wait_for_selector("#turn.ready")
    assert page.locator("#turn .chip").count() == 0


def test_a_question_that_changes_under_a_draft_sends_nothing(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "changes@example.org")
    second = visitor.context.new_page()
    visitor.watch(second)
    second.goto(page.url)
    second.wait_for_selector("#turn.ready")
    choose_by_touch(page, LUCK)
    chosen = page.inner_text("#turn .offer")
    choose_from_list(second, Random(5))
    press_send(second)
    page.wait_for_function("(asked) => document.querySelector('#turn').dataset.asked === asked", arg=asked(second))
    page.wait_for_function(OFFERS_OTHER, arg=chosen)
    assert len(entries(visitor, match)) == 1


def test_a_move_without_a_connection_is_kept_and_made_once(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "offline@example.org")
    choose_by_touch(page, LUCK)
    visitor.context.set_offline(offline=True)
    page.click("#turn .send")
    page.wait_for_selector("#turn .refused:not([hidden])")
    assert "No connection" in page.inner_text("#turn .refused")
    visitor.context.set_offline(offline=False)
    before = asked(page)
    page.click("#turn .refused button")
    wait_for_turn(page, before)
    assert len(entries(visitor, match)) == 1
    visitor.faults.clear()


def test_who_was_signed_out_signs_in_again_above_the_draft(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "again@example.org")
    choose_by_touch(page, LUCK)
    offer = page.inner_text("#turn .offer")
    visitor.context.clear_cookies()
    page.click("#turn .send")
    page.click("#turn .refused a")
    page.fill("input[name=address]", "again@example.org")
    page.click("main button[type=submit]")
    page.fill("input[name=code]", visitor.site.wait_for_code("again@example.org", 2))
    page.click("main button[type=submit]")
    page.wait_for_selector("#turn.ready .chip")
    assert page.inner_text("#turn .offer") == offer
    press_send(page)
    assert len(entries(visitor, match)) == 1
    visitor.faults.clear()


def test_a_turn_of_several_lines_is_built_on_the_preview_and_goes_out_as_one(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "several@example.org")
    luck = Random(2)
    while not choose_and_look_ahead(page, luck):
        press_send(page)
    count = len(entries(visitor, match))
    page.click("#turn .then")
    page.wait_for_selector("#turn.imagined .chip.line")
    assert "imagined" in (page.get_attribute("#board .frame", "class") or "")
    assert len(entries(visitor, match)) == count
    page.click("#turn .chip.line")
    page.wait_for_selector("#turn:not(.imagined)")
    assert choose_and_look_ahead(page, luck)
    page.click("#turn .then")
    page.wait_for_selector("#turn.imagined .chip.line")
    choose_by_touch(page, luck)
    press_send(page)
    made = entries(visitor, match)
    assert len(made) >= count + 2
    sent = ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
    numbers = [entry["n"] for entry in sent if entry["seat"] == 0]
    assert numbers[count : count + 2] == [1, 2]


@pytest.mark.parametrize(
    ("locale", "width", "sentence", "send", "only"),
    [
        ("en-GB", WIDE, r"Lay .+, then draw from the deck", "Send 2 moves", "the only way"),
        ("fr-FR", NARROW, r"Poser .+, puis piocher dans la pioche", "Envoyer 2 coups", "seule possibilité"),
    ],
)
def test_a_draw_without_a_choice_goes_out_with_the_card_before_it(
    visit: Visit, locale: str, width: int, sentence: str, send: str, only: str
) -> None:
    """While all discard piles are empty, the deck is the only place to draw from."""
    visitor = visit(locale=locale, width=width, has_touch=width == NARROW)
    visitor.enter(f"forced-{width}@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    choose_lay(page)
    page.wait_for_selector("#turn .chip.forced")
    assert re.fullmatch(sentence, page.inner_text("#turn .offer"))
    assert page.inner_text("#turn .send") == send
    assert only in page.inner_text("#turn .chip.forced")
    assert visitor.find_violations_by_day_and_night(width) == []
    page.click("#turn .chip.forced")
    page.wait_for_function("() => !document.querySelector('#turn .chip')")
    assert entries(visitor, match) == [], "nothing is sent without Send"
    choose_lay(page)
    page.wait_for_selector("#turn .chip.forced")
    press_send(page)
    made = entries(visitor, match)
    assert len(made) == 2
    assert made[1] == "draw deck"


def choose_lay(page: Page) -> None:
    """Choose the first card that is laid, from the list."""
    open_list(page)
    page.click("#turn .option[data-line^='lay '] >> nth=0")
    page.click("#turn .list summary")


def test_a_setting_keeps_forced_steps_apart(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("single-steps@example.org")
    match = make_match(visitor, "keltis")
    visitor.open("/settings")
    assert visitor.page.is_checked("#chain")
    visitor.page.uncheck("#chain")
    page = open_match(visitor, match)
    choose_lay(page)
    page.wait_for_selector("#turn .then:visible")
    assert page.locator("#turn .chip.forced").count() == 0
    press_send(page)
    assert len(entries(visitor, match)) == 1


def test_what_is_typed_is_read_as_in_a_letter(visit: Visit) -> None:
    visitor, match, page = start_alone(visit, "typed@example.org")
    open_list(page)
    page.fill("#write", "gibberish")
    page.click("form.write button")
    page.wait_for_selector("#turn .refused:not([hidden])")
    visitor.faults.clear()
    page.fill("#write", "1")
    page.click("form.write button")
    page.wait_for_selector("#turn .send[aria-disabled=false]")
    press_send(page)
    assert len(entries(visitor, match)) == 1


def test_guards_beyond_two_hundred_lines_are_chosen_by_touch(visit: Visit) -> None:
    """When every place for a scout is taken, all guards are posted by one line out of thousands."""
    one, two = visit(), visit(width=NARROW)
    one.enter("guards-one@example.org", "Emer")
    two.enter("guards-two@example.org", "Fand")
    match = make_match(one, "tain", bots={}, visibility="open")
    ask(two, "POST", f"/v1/matches/{match}/join", {})
    pages = [open_match(one, match), open_match(two, match)]
    while True:
        wait_until_one_is_asked(*pages)
        listed = ask(one, "GET", f"/v1/matches/{match}/options?marks=true")
        if listed["more"]:
            break
        rival, page = next(pair for pair in zip("ba", pages, strict=True) if asked(pair[1]))
        if page.locator("#turn .list:not([open])").count():
            page.click("#turn .list summary")
        scouts = page.locator(f'#turn .option[data-line^="put X {rival}"], #turn .option[data-line="put X kingdom"]')
        scouts.first.click()
        before = asked(page)
        page.click("#turn .send")
        page.wait_for_function(SETTLED, arg=before)
    page = pages[0]
    wait_for_turn(page)
    page.wait_for_function("() => document.querySelectorAll('#board g.open').length > 5")
    assert set(page.evaluate(OPEN_MARKS)) == set(listed["open"])
    late = next(mark for mark in listed["open"] if all(mark not in " ".join(item["marks"]) for item in listed["items"]))
    touch(page, late)
    choose_by_touch(page, LUCK)
    before = asked(page)
    page.click("#turn .send")
    page.wait_for_function(SETTLED, arg=before)
    assert page.locator("#turn .refused").is_hidden()
    assert entries(one, match)[-1].startswith("guards ")


def test_a_match_goes_from_the_browser_to_letters_and_back(visit: Visit, site: Site) -> None:
    visitor, match, page = start_alone(visit, "letters@example.org")
    for _ in range(2):
        play_by_letter_and_touch(site, visitor, match)
    kinds = [entry["by"].split()[0] for entry in ask(visitor, "GET", f"/v1/matches/{match}/history")["items"]]
    ways = [kind for kind, _ in groupby(kind for kind in kinds if kind in ("mail", "signed"))]
    assert ways[:4] == ["mail", "signed", "mail", "signed"]
    assert page.locator("#turn .refused").is_hidden()


def play_by_letter_and_touch(site: Site, visitor: Visitor, match: str) -> None:
    """Answer the letter about a question, see that on the open page, and answer the next question there."""
    page, made = visitor.page, len(entries(visitor, match))
    before = asked(page)
    open_list(page)
    site.reply_to(wait_for_turn_letter(site, visitor), "1\n")
    wait_for_turn(page, before)
    by_letter = len(entries(visitor, match))
    assert by_letter > made, "a row of the menu may include a forced line"
    choose_by_touch(page, LUCK)
    press_send(page)
    assert len(entries(visitor, match)) == by_letter + 1


def test_a_match_begun_by_a_letter_goes_on_in_the_browser(visit: Visit, site: Site) -> None:
    visitor = visit()
    visitor.enter("begins@example.org")
    choose_single_steps(visitor)
    page = visitor.page
    visitor.open("/")
    site.write_from(visitor.address, "new keltis solo\n")
    # Nobody vouches for the sender here, so the house asks first.
    site.reply_to(site.wait_for_letter(visitor.address, 2), "yes\n")
    page.click(".turncard h2 a", timeout=20_000)
    page.wait_for_selector("#turn.ready")
    match = page.url.rpartition("/")[2]
    play_by_letter_and_touch(site, visitor, match)


LISTED_LINES = "() => [...document.querySelectorAll('#turn .option')].map((each) => each.dataset.line)"


def wait_for_turn_letter(site: Site, visitor: Visitor) -> EmailMessage:
    """The newest letter to this visitor whose menu is what their page lists, once there is one.

    Mostly that is the letter about the turn; it does not go where the answer to a move by letter has shown the menu.
    """
    page = visitor.page
    if page.locator("#turn .list:not([open])").count():
        page.click("#turn .list summary")
    page.wait_for_selector("#turn .option", state="attached")
    letter: EmailMessage
    listed: list[str] = []
    for _ in range(400):
        listed = page.evaluate(LISTED_LINES)
        for letter in reversed(site.letters_to(visitor.address)):
            text = text_of(letter)
            if listed and all(f"  {line} – " in text or f"  {line}; " in text for line in listed):
                return letter
        time.sleep(0.05)
    raise AssertionError(f"no letter lists {listed}")


def test_a_seat_that_its_player_left_is_taken_in_the_browser(visit: Visit, site: Site) -> None:
    one, two, third = visit(), visit(), visit()
    people = (one, two)
    for visitor, name in zip((*people, third), ("Aoife", "Bran", "Cathbad"), strict=True):
        visitor.enter(f"leaves-{name.lower()}@example.org", name)
    wishes = {"bots": {}, "visibility": "open", "clock": "simple-1", "policy": "substitute"}
    match = make_match(one, "keltis", **wishes)
    ask(two, "POST", f"/v1/matches/{match}/join", {})
    wait_until_one_is_asked(*(open_match(each, match) for each in people))
    stays = one if asked(two.page) else two
    let_time_run_out(site, match)
    wait_for_turn(stays.page)
    third.open(f"/matches/{match}")
    third.page.click(".substitute button")
    third.page.wait_for_selector("#turn.ready")
    assert not asked(third.page)
    play_whole_turn(stays.page, LUCK)
    wait_for_turn(third.page)
    play_whole_turn(third.page, LUCK)
    assert third.page.locator("#turn .refused").is_hidden()
    items = ask(third, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
    takes = next(place for place, entry in enumerate(items) if entry["line"].startswith("seat "))
    assert any(entry["by"].startswith("signed") and entry["seat"] != -1 for entry in items[takes:])


def let_time_run_out(site: Site, match: str) -> None:
    """Set back the clock of the asked player, so that the answer was due a while ago."""
    with closing(sqlite3.connect(site.process.log.parent / "echtra.db", timeout=20)) as database, database:
        passed = int((time.time() - 600) * 1000)
        database.execute(
            "update seat set due_at = ?, excuses = 0 where match = ? and asked is not null", (passed, match)
        )
