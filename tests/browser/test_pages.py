"""Every page for people: sound for everybody, at both widths, by day and in the dark, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tests.support.browser import NARROW, SMALLEST, WIDE, Site, Visitor
from tests.support.page_tour import GUEST_PAGES, prepare_tour, walk_through_entering
from tests.support.playing import ask, choose_by_touch, wait_for_question

Visit = Callable[..., Visitor]


def make_match(visitor: Visitor, **wishes: object) -> str:
    """Return a new match of the visitor who is signed in."""
    return str(ask(visitor, "POST", "/v1/matches", {"game": "keltis", "seats": 2, **wishes})["id"])


@pytest.mark.parametrize(("language", "width"), [("en", WIDE), ("fr", NARROW)])
def test_every_page_is_open_to_everybody_light_and_dark_and_fits_every_window(
    visit: Visit, site: Site, language: str, width: int
) -> None:
    """No page stands against WCAG, wide in English and narrow in French; in both none is wider than its window."""
    visitor, other = visit(locale=language, width=width), visit()
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        found[name] = visitor.find_violations_by_day_and_night(width)
        found[name] += visitor.find_overflow(SMALLEST, NARROW, WIDE)

    for name, path in GUEST_PAGES.items():
        visitor.open(path)
        look(name)
    for name in walk_through_entering(visitor, site, f"tour-{language}@example.org", f"Scéal {language}"):
        look(name)
    other.enter(f"tour-other-{language}@example.org", "Bran")
    ask(visitor, "PATCH", "/v1/me", {"language": "en"})
    tour = prepare_tour(visitor, other)
    ask(visitor, "PATCH", "/v1/me", {"language": language})
    for name, path in tour.pages.items():
        visitor.open(path)
        assert visitor.page.get_attribute("html", "lang") == language
        look(name)
    visitor.submit("main button")
    look("erase-code")
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_my_turns_lead_to_the_most_urgent_match_and_to_new_ones(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("grainne@example.org", "Gráinne")
    visitor.open("/")
    assert "Nobody is waiting for you" in visitor.page.inner_text("main")
    visitor.submit("form[action='/new/keltis/bot'] button")
    first = visitor.page.url
    assert "/matches/" in first
    wait_for_question(visitor, match=first.rpartition("/")[2])
    urgent = make_match(visitor, bots={"1": "random"}, seat=0, clock="simple-1")
    wait_for_question(visitor, match=urgent)
    visitor.open("/")
    assert visitor.page.inner_text("header .turns") == "My turns (2)"
    turns = visitor.page.locator(".turncard")
    assert "1\u00a0day left" in turns.nth(0).inner_text()
    assert "no clock" in turns.nth(1).inner_text()
    for turn in turns.all():
        assert turn.locator(".shot svg").is_visible()
        assert turn.locator(".todo").inner_text().endswith("."), "what to do, in the game's words"
    visitor.submit("header .turns")
    assert visitor.page.url.endswith(urgent)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_board_on_the_home_page_takes_touches_and_leads_into_the_lesson(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    visitor.open("/")
    page = visitor.page
    page.wait_for_selector("#turn.ready")
    choose_by_touch(page, Random(2))
    page.click("#turn .send")
    page.wait_for_function(
        "() => location.pathname.includes('/lesson/') || !document.querySelector('#turn .refused').hidden"
    )
    assert visitor.overflow() <= 0


def test_a_match_is_made_from_the_form_found_in_the_list_and_joined(visit: Visit) -> None:
    maker, guest = visit(java_script_enabled=False), visit()
    maker.enter("fergus@example.org", "Fergus")
    maker.open("/new/tain")
    maker.page.check("[name=seat_2][value=steady]")
    maker.page.click("summary:has-text('More about time')")
    maker.page.check("[name=clock][value=simple-2]")
    maker.page.fill("[name=title]", "Cattle of Cooley")
    maker.page.click("summary:has-text('Rules')")
    maker.page.check("[name=option_marker][value=fixed]")
    maker.submit("text=Create the match")
    assert maker.page.inner_text("h1") == "Cattle of Cooley"
    assert "2 days for each move" in maker.page.inner_text(".side")
    match = maker.page.url.rpartition("/")[2]
    guest.open("/matches?game=tain&pace=quick&bots=with&seats=3")
    guest.submit("text=Cattle of Cooley")
    guest.submit("text=Sign in and take a seat")
    assert guest.page.url.endswith(f"/enter?to=%2Fmatches%2F{match}")
    guest.enter("medb@example.org", "Medb")
    guest.open(f"/matches/{match}")
    guest.submit("text=Take a seat")
    guest.open("/matches?status=running&game=tain")
    assert "Cattle of Cooley" in guest.page.inner_text("main")
    guest.open("/matches?status=open&game=tain&bots=with")
    assert "Cattle of Cooley" not in guest.page.inner_text("main")


def test_a_form_that_cannot_be_says_why_and_keeps_what_was_typed(visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    visitor.enter("naoise@example.org", "Naoise")
    visitor.open("/new/tir-na-nog")
    visitor.page.fill("[name=title]", "Soirée")
    visitor.page.click("summary:has-text('Règles')")
    visitor.page.select_option("[name=option_geas_1]", "deirdre")
    visitor.page.check("[name=option_balor][value=easy]")
    visitor.page.eval_on_selector("[name=option_geas_1] option:checked", "option => { option.value = 'personne'; }")
    visitor.submit("text=Créer la partie")
    assert "geas" in visitor.page.inner_text("[role=alert]")
    assert visitor.page.input_value("[name=title]") == "Soirée"
    assert visitor.page.is_checked("[name=option_balor][value=easy]")
    visitor.page.select_option("[name=option_geas_1]", "deirdre")
    visitor.submit("text=Créer la partie")
    visitor.page.wait_for_url("**/matches/*")
    match = ask(visitor, "GET", f"/v1/matches/{visitor.page.url.rpartition('/')[2]}")
    assert (match["options"]["balor"], [place["bot"] for place in match["places"]]) == ("easy", [None, "balor"])
    assert match["options"]["geas"].split(",")[1] == "deirdre"


def test_people_are_invited_by_name_by_address_and_by_link(visit: Visit, site: Site) -> None:
    host, friend, stranger = visit(), visit(), visit()
    host.enter("host@example.org", "Conchobar")
    friend.enter("friend@example.org", "Leborcham")
    match = make_match(host, seats=4, visibility="link")
    host.open(f"/matches/{match}")
    for guest in ("leborcham", "newcomer@example.org", "Nobody At All", "not@an@address"):
        host.page.fill("[name=guest]", guest)
        host.submit("text=Send invitation")
        if guest.startswith("No"):
            assert "no such player" in host.page.inner_text("[role=alert]").lower()
        elif guest.startswith("not"):
            assert "not an email address" in host.page.inner_text("[role=alert]")
        else:
            assert "on its way" in host.page.inner_text("[role=status]")
    link = host.page.input_value("#link")
    friend.open("/")
    assert "Conchobar invites you" in friend.page.inner_text("main")
    friend.submit("text=Accept")
    assert "You have a seat" in friend.page.inner_text("main")
    site.wait_for_letter("newcomer@example.org")
    stranger.enter("newcomer@example.org", "Cathbad")
    stranger.open("/")
    stranger.submit("text=Accept")
    assert "You have a seat" in stranger.page.inner_text("main")
    other = visit()
    other.open(f"/matches/{match}")
    assert "nothing here" in other.page.inner_text("main").lower()
    other.page.goto(link)
    other.submit("text=Sign in and take a seat")
    other.page.fill("input[name=address]", "linked@example.org")
    other.submit("main button[type=submit]")
    other.page.fill("input[name=code]", site.wait_for_code("linked@example.org"))
    other.submit("main button[type=submit]")
    other.page.fill("input[name=name]", "Derdriu")
    other.submit("main button[type=submit]")
    assert other.page.url == link
    assert "Derdriu (you)" in other.page.inner_text("main"), "the button has joined"


def test_the_page_of_a_player_counts_only_what_the_reader_may_see(visit: Visit) -> None:
    one, two = visit(), visit()
    one.enter("ailill@example.org", "Ailill")
    two.enter("cormac@example.org", "Cormac")
    me = ask(one, "GET", "/v1/me")["id"]
    hidden = make_match(one, visibility="invitation", title="Hidden table")
    make_match(one, seats=3, title="Open table")
    two.open(f"/players/{me}")
    assert two.page.inner_text("h1") == "Ailill"
    assert "Open table" in two.page.inner_text("main")
    assert "Hidden table" not in two.page.content()
    assert hidden not in two.page.content()
    assert "not finished a match together" in two.page.inner_text("main")
    one.open(f"/players/{me}")
    assert "Hidden table" in one.page.inner_text("main")
