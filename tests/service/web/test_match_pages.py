"""Pages about matches and players: which filters and forms mean what, and what a result counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from engine.games import GAMES
from engine.words import LOCALES
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.models.matches import MatchRow, SeatRow
from service.matches import create, my_matches
from service.matches.create import NewMatch
from service.play import views
from service.play.match_loader import load_match_state
from service.play.story import tell_since
from service.play.time_control import PRESETS
from service.play.views import Viewer
from service.problems import Problem
from service.tournaments.ratings import rate_finished_matches, ratings
from service.web.pages import clock_words, new_match
from service.web.pages.lobby import parse_filter
from service.web.pages.players import count_against, count_results
from tests.support import mailbox
from tests.support.http_tables import Body, make, new, play_out, resolved
from tests.support.mailbox import match_of, play
from tests.support.players import Person
from tests.support.statements import record_statements
from tests.support.web_apps import sign_in

People = Callable[..., Person]
OWN = {"Sec-Fetch-Site": "same-origin"}
PLAIN_WORDS = {
    "en": {"none", "gentle", "easy", "normal", "hard", "impossible", "spring", "summer", "autumn"},
    "fr": {"normal", "impossible"},
}
"""Canonical words of choices that are plain words of the language."""
STATES = ("over", "runs", "waits")
NO_WISH = dict.fromkeys(("status", "game", "seats", "pace", "bots", "mine"), "")


def test_every_clock_has_words_and_one_pace() -> None:
    assert sorted(name for names in clock_words.PACES.values() for name in names) == sorted(PRESETS)
    for locale in LOCALES:
        said = [words for _, words in clock_words.list_clocks(locale)]
        assert len(set(said)) == len(PRESETS)
        assert max(map(len, said)) < 70


@pytest.mark.parametrize("slug", GAMES)
def test_the_form_as_it_stands_makes_a_match_that_can_be(slug: str, service: Config) -> None:
    """Every choice that the form lists is taken, at every number of seats it fits."""
    game = GAMES[slug]
    plain = new_match.parse_form(game, {"leave": "1"})
    assert (plain.seats, plain.bots, plain.visibility, plain.leave) == (game.rules.seats[0], {}, "open", True)
    maker = mailbox.person()
    assert create.create_match(maker, plain, service).status == "open"
    for option in game.rules.options:
        for value, _ in new_match.describe_option(game, option, "en").choices:
            everybody = {f"seat_{seat}": "anyone" for seat in range(1, game.rules.seats[-1]) if value.isdigit()}
            wanted = new_match.parse_form(game, {f"option_{option.name}": value} | everybody)
            assert create.create_match(maker, wanted, service).options


def test_seats_of_the_form_are_people_bots_or_not_there() -> None:
    form = MultiDict({"seat_1": "nobody", "seat_2": "steady", "seat_3": "anyone", "signed": "1", "title": " a \n b "})
    wanted = new_match.parse_form(GAMES["keltis"], form)
    assert (wanted.seats, wanted.bots, wanted.moves, wanted.title) == (3, {1: "steady"}, "signed", "a b")
    strange = new_match.parse_form(GAMES["keltis"], {"policy": "x", "visibility": "x", "clock": "x"})
    assert (strange.policy, strange.visibility, strange.clock) == ("stand-in", "open", "x")


def test_who_begins_is_chosen_by_colour_and_moves_up_with_the_seats() -> None:
    form = {"seat_1": "anyone", "seat_2": "nobody", "seat_3": "steady", "option_start": "3"}
    wanted = new_match.parse_form(GAMES["keltis"], form)
    assert (wanted.seats, wanted.bots, wanted.options["start"]) == (3, {2: "steady"}, 2)
    with pytest.raises(Problem) as refused:
        new_match.parse_form(GAMES["keltis"], {**form, "option_start": "2"})
    assert "Nobody plays the colour that begins" in refused.value.detail_in("en")


@pytest.mark.parametrize(
    ("slug", "name", "parts"),
    [("tir-na-nog", "geas", {"1": "deirdre"}), ("bardwood-grove", "events", {"0": "snowmelt"})],
)
def test_parts_of_an_option_that_are_not_named_are_drawn_so_that_they_fit(
    slug: str, name: str, parts: dict[str, str]
) -> None:
    option = next(each for each in GAMES[slug].rules.options if each.name == name)
    for _ in range(20):
        form = {f"option_{name}_{number}": word for number, word in parts.items()}
        value = new_match.parse_form(GAMES[slug], form).options[name]
        assert option.fits(value, 2)
        assert all(str(value).split(",")[int(number)] == word for number, word in parts.items())
    unknown = new_match.parse_form(GAMES[slug], {f"option_{name}_0": "nobody"}).options[name]
    assert not option.fits(unknown, 2)


def test_every_choice_on_the_form_is_said_in_words_of_both_languages() -> None:
    for game in GAMES.values():
        for option in (each for each in game.rules.options if len(each.choices) != 1 or each.parts):
            said = {locale: new_match.describe_option(game, option, locale) for locale in LOCALES}
            for locale, shown in said.items():
                for value, words in (*shown.choices, *(choice for _, choices in shown.parts for choice in choices)):
                    assert words not in {"", value} or value in PLAIN_WORDS[locale], (game.slug, option.name, value)


def test_filters_mean_what_they_say_and_nonsense_means_nothing() -> None:
    found = parse_filter({**NO_WISH, "game": "tain", "seats": "3", "pace": "none", "bots": "without"}, None)
    assert (found.game, found.seats, found.clocks, found.bots, found.status) == ("tain", 3, ("none",), False, "open")
    strange = parse_filter(dict.fromkeys(NO_WISH, "x"), "somebody")
    assert (strange.game, strange.seats, strange.clocks, strange.bots, strange.status) == (None, None, (), None, "open")
    assert not parse_filter({**NO_WISH, "mine": "1"}, None).mine


def test_the_list_is_paged_and_filtered(app: Flask, person: People) -> None:
    aoife = person()
    for number in range(25):
        body = {"game": "keltis", "seats": 3, "title": f"Table {number:02}", "clock": "none"}
        if number % 5 == 0:
            body |= {"bots": {"2": "steady"}}
        assert aoife.post("/v1/matches", body).status_code == 201
    client = app.test_client()
    first = client.get("/matches").text
    assert first.count("Table ") == 20
    more = first.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    second = client.get(f"/matches{more}").text
    assert second.count("Table ") == 5
    assert client.get("/matches?bots=with&pace=none").text.count("Table ") == 5
    assert client.get("/matches?bots=without&seats=3&game=keltis").text.count("Table ") == 20
    assert client.get("/matches?pace=quick").text.count("Table ") == 0
    assert client.get("/matches?cursor=nonsense", headers={"Accept": "text/html"}).status_code == 422


def test_turns_are_listed_soonest_first_and_those_without_a_clock_last(house: Config) -> None:
    aoife = mailbox.person()
    clocks = ("none", "simple-3", "simple-1")
    made = {clock: match_of(house, aoife, bots={1: "random"}, clock=clock) for clock in clocks}
    turns = my_matches.list_turns(aoife.id)
    assert [turn.match for turn in turns] == [made[clock] for clock in ("simple-1", "simple-3", "none")]
    assert my_matches.list_turns(aoife.id, 1) == turns[:1]
    for number, turn in enumerate(turns, 1):
        assert my_matches.list_turns(aoife.id, after=turn.sort_key) == turns[number:]


def test_a_page_reads_the_turns_of_its_reader_once(app: Flask, person: People) -> None:
    aoife = person()
    match = make(aoife)[0].match
    client = sign_in(app, aoife.id)
    for path in ("/", f"/matches/{match}"):
        with record_statements() as found:
            assert client.get(path).status_code == 200
        assert len([sql for sql, _ in found if "coalesce" in sql.lower()]) == 1, path


def test_the_page_of_a_match_runs_no_statement_twice(app: Flask, person: People) -> None:
    aoife, bran = person("Aoife"), person("Bran")
    match = make(aoife, bran)[0].match
    client = sign_in(app, aoife.id)
    for path in (f"/matches/{match}", f"/matches/{match}/now"):
        with record_statements() as found:
            assert client.get(path).status_code == 200
        counts = Counter((sql, repr(values)) for sql, values in found)
        assert [statement for statement, count in counts.items() if count > 1] == [], path


def test_results_count_who_won_and_who_did_not(house: Config) -> None:
    aoife, bran = mailbox.person("Aoife"), mailbox.person("Bran")
    matches = [match_of(house, aoife, bran, clock="none") for _ in range(2)]
    tables = [play(match, house, 2_000, seed) for seed, match in enumerate(matches)]
    assert [MatchRow.get_by_id(match).status for match in matches] == ["over", "over"]
    ended = [views.result(Viewer(table, None, "en")) for table in tables]
    mine = sum(result is not None and result["winners"] == [0] for result in ended)
    theirs = sum(result is not None and result["winners"] == [1] for result in ended)
    (told,) = count_results(aoife.id, tables, "fr")
    assert (told.title, told.counts["won"], told.counts["lost"]) == (
        GAMES["keltis"].presentation.title["fr"],
        mine,
        theirs,
    )
    against = count_against(aoife.id, bran.id, tables)
    assert (against["mine"], against["theirs"], against.total()) == (mine, theirs, 2)
    assert count_against(bran.id, aoife.id, tables)["mine"] == theirs
    assert count_against(mailbox.person("Ciara").id, aoife.id, tables).total() == 0


def test_the_result_shows_how_the_ratings_changed_once_they_are_counted(app: Flask, house: Config) -> None:
    aoife, bran = mailbox.person("Aoife"), mailbox.person("Bran")
    matches = sorted(match_of(house, aoife, bran, clock="none") for _ in range(2))
    for seed, match in enumerate(matches):
        play(match, house, 2_000, seed)
    client = sign_in(app, aoife.id)
    assert 'class="rating-row pending"' in client.get(f"/matches/{matches[0]}").text
    while rate_finished_matches.count_next_matches():
        pass
    changes = []
    for match in matches:
        page = client.get(f"/matches/{match}").text
        changes.append(re.findall(r"<td>(\d+) → (\d+) \(([+−±]\d+)\)</td>", page))
        assert 'class="rating-row"' in page
    assert [before for before, _, _ in changes[0]] == ["1500", "1500"]
    assert [after for _, after, _ in changes[0]] == [before for before, _, _ in changes[1]]
    for before, after, change in (*changes[0], *changes[1]):
        assert int(after) - int(before) == int(change.replace("−", "-").lstrip("±"))
    shown = ratings.find_skills("keltis", [aoife.id], 2**62)[aoife.id].rating
    assert changes[1][0][1] == str(shown)
    alone = match_of(house, aoife, bots={1: "random"}, clock="none")
    play(alone, house, 2_000)
    assert 'class="rating-row' not in client.get(f"/matches/{alone}").text
    assert 'value="swap"' in client.get(f"/matches/{alone}").text


def test_a_match_that_was_given_up_names_who_resigned_and_no_margin(app: Flask, person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan", language="fr"))
    one.move(one.lines[-1], "draw deck")  # a card in a pile: both have the same points
    two.move(two.lines[0], "draw deck")  # a first card costs points: whoever resigns has more
    one.move("resign")
    resolved(one.match)
    page = sign_in(app, two.person.id).get(f"/matches/{one.match}").text
    card = page.partition('<section class="result"')[2].partition("</section>")[0]
    assert "Vous avez gagné" in card
    assert "Aoife abandonne." in card
    assert re.findall(r'class="place">(\d)<', card) == ["2", "1"]


def test_the_whole_story_is_told_page_by_page(app: Flask, person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    play_out((one, two))
    browser, until = sign_in(app, one.person.id), ""
    pages: list[list[str]] = []
    while True:
        shown: Body = browser.get(f"/matches/{one.match}/now{until}", headers=OWN).get_json()
        pages.insert(0, [told for chapter in reversed(shown["story"]) for _, told, _ in reversed(chapter["turns"])])
        if shown["earlier"] is None:
            break
        until = f"?until={shown['earlier']}"
    whole = tell_since(Viewer(load_match_state(one.match), one.seat, "en"), 0, most=10_000)
    assert len(pages) > 1
    assert " ".join(told for page in pages for told in page) == " ".join(whole.items)
    for odd in ("-1", "0", "99999", "x", "1" * 30):
        assert browser.get(f"/matches/{one.match}?until={odd}", headers=OWN).status_code == 200, odd


def test_the_page_of_a_player_runs_as_many_statements_for_many_matches_as_for_few(app: Flask, person: People) -> None:
    aoife, bran, ciara = person("Aoife"), person("Bran"), person("Ciara")

    def fill(count: int) -> None:
        """So many matches of each kind: finished, running, waiting; some of them only for those who play."""
        for visibility in ("open", "invitation"):
            for _ in range(count):
                make(aoife, bran, visibility=visibility, title=f"{visibility} runs")
                for seat_client in make(aoife, bran, visibility=visibility, title=f"{visibility} over"):
                    seat_client.post("offers", {"kind": "end"})
                new(aoife, visibility=visibility, title=f"{visibility} waits")

    def look(client: FlaskClient) -> tuple[int, str]:
        """How many statements the page runs in a process that knows none of the matches, and what it says."""
        client.get("/matches")
        reset_process_state()
        with record_statements() as found:
            page = client.get(f"/players/{aoife.id}").text
        return len(found), page

    readers = [sign_in(app, bran.id), sign_in(app, ciara.id), app.test_client()]
    fill(1)
    few = [look(reader)[0] for reader in readers]
    fill(4)
    many = [look(reader) for reader in readers]
    assert [count for count, _ in many] == few
    assert max(few) < 16
    shown = [
        [page.count(f"{kind} {state}<") for kind in ("open", "invitation")] for _, page in many for state in STATES
    ]
    assert shown == [[5, 5], [5, 5], [5, 0], *[[5, 0]] * 6]
    assert "<strong>10</strong>" in many[0][1]


def test_refusals_on_the_page_of_an_open_match_are_sentences(app: Flask, person: People) -> None:
    aoife, bran = person("Aoife"), person("Bran")
    match = aoife.post("/v1/matches", {"game": "keltis", "seats": 2, "visibility": "invitation"}).json["id"]
    stranger = sign_in(app, bran.id)
    assert stranger.post(f"/matches/{match}/join", headers=OWN).status_code == 404
    open_match = aoife.post("/v1/matches", {"game": "keltis", "seats": 3}).json["id"]
    for path in ("leave", "start", "invite", "decline"):
        answer = stranger.post(
            f"/matches/{open_match}/{path}", data={"guest": "x"}, headers={**OWN, "Accept": "text/html"}
        )
        assert answer.status_code in (403, 404, 409), path
        assert 'role="alert"' in answer.text, path
    assert stranger.post(f"/matches/{open_match}/join", headers=OWN).status_code == 303
    assert (
        app.test_client().post(f"/matches/{open_match}/join", headers=OWN).headers["Location"].startswith("/enter?to=")
    )


def test_nothing_on_these_pages_is_changed_by_looking(app: Flask, person: People) -> None:
    aoife = person()
    match = aoife.post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    client = sign_in(app, aoife.id)
    for path in (f"/matches/{match}/join", f"/matches/{match}/leave", "/new/keltis/bot", "/settings/profile", "/leave"):
        assert client.get(path, headers=OWN).status_code == 405, path


def test_a_new_match_needs_an_account_and_a_game(app: Flask) -> None:
    client = app.test_client()
    for answer in (client.get("/new/keltis"), client.post("/new/keltis", headers=OWN)):
        assert answer.headers["Location"] == "/enter?to=/new/keltis"
    assert client.get("/new/chess").status_code == 404
    assert NewMatch("keltis", 2).clock in PRESETS


@pytest.mark.parametrize("slug", GAMES)
def test_every_opponent_on_the_card_is_one_touch_away_private_and_without_a_clock(
    app: Flask, person: People, slug: str
) -> None:
    aoife = person()
    client = sign_in(app, aoife.id)
    offered = re.findall(r'name="opponent" value="([a-z-]+)"', client.get(f"/games/{slug}").text)
    assert {"tir-na-nog": "balor-hard", "bardwood-grove": "rival-hard"}.get(slug, "steady") in offered
    assert "random" not in offered
    for opponent in offered:
        begun = client.post(f"/new/{slug}/bot", data={"opponent": opponent}, headers=OWN)
        match = MatchRow.get_by_id(begun.headers["Location"].rpartition("/")[2])
        assert (match.status, match.visibility, match.clock) == ("running", "invitation", "none")
        bot, _, level = opponent.partition("-")
        assert f'"{bot}":"{level}"' in match.options if level else bot in ("gentle", "steady", "strong")
        assert {row.bot for row in SeatRow.select().where(SeatRow.match == match.id)} == {None, bot}
    lobby = app.test_client().get("/matches?status=running").text
    assert "Aoife" not in lobby


@pytest.mark.parametrize("given", ["random", "balor", "balor-off", "", "'\"<", "9" * 999])
def test_an_opponent_that_is_not_offered_is_refused_with_the_form(app: Flask, person: People, given: str) -> None:
    client = sign_in(app, person().id)
    answer = client.post("/new/tir-na-nog/bot", data={"opponent": given}, headers=OWN)
    assert (answer.status_code, "Pick one from the list." in answer.text) == (422, True)
    assert MatchRow.select().count() == 0


def test_a_player_has_at_most_20_unfinished_matches_against_bots(person: People) -> None:
    aoife = person()
    solo = {"bots": {"1": "steady"}, "seat": 0}
    made = [new(aoife, **solo).json["id"] for _ in range(20)]
    refused = new(aoife, **solo)
    assert (refused.status_code, refused.json["type"]) == (422, "/problems/limit-reached")
    assert "20 unfinished matches against bots" in refused.json["detail"]
    assert new(aoife).status_code == 201, "a match that waits for people is not one against bots"
    MatchRow.update(status="over").where(MatchRow.id == made[0]).execute()
    assert new(aoife, **solo).status_code == 201
