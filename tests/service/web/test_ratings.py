"""Ratings and reliability as everybody sees them: by REST and on the page of a player."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from xml.etree import ElementTree as ET

import pytest

from engine.game import HOUSE
from engine.house import End
from engine.words import Locale
from service.config import Config
from service.db.connection import execute, rows
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries
from service.record.match_state import MatchState
from service.tournaments.formats.skill import Skill
from service.tournaments.ratings import rate_finished_matches
from service.tournaments.ratings.ratings import RatingPoint
from service.web.pages.player_ratings import describe_course, draw_curve
from tests.support.factories import settle
from tests.support.players import Client, Clock, Person

People = Callable[..., Person]


def play(config: Config, one: Person, two: Person, *scores: int) -> str:
    """A match of two that ends with these scores and is counted."""
    match: str = one.post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0, "visibility": "link"}).json["id"]
    link = rows("select link from match where id = ?", match)[0][0]
    assert two.post(f"/v1/matches/{match}/join", {"link": link}).status_code == 200
    settle(match, config)

    def decide(table: MatchState) -> AdditionOr[None]:
        entries, after = next_entries(table, [(HOUSE, End("adjudicated", scores))])
        return LogAddition(table, entries, after, None)

    append_to_match(match, decide)
    settle(match, config)
    assert rate_finished_matches.count_next_matches() == 1
    return match


def test_anybody_sees_ratings_and_reliability_and_nothing_of_private_matches(
    client: Client, config: Config, clock: Clock, person: People
) -> None:
    one, two = person("One"), person("Two")
    empty = client.get(f"/v1/players/{one.id}/ratings")
    nothing = dict.fromkeys(("answers", "late", "matches", "finished"), 0)
    shares = dict.fromkeys(("on_time_percent", "finished_percent"))
    assert empty.json == {"player": one.id, "ratings": [], "reliability": {"new": True, **nothing, **shares}}
    matches = [play(config, one, two, 30, 20)]
    clock.forward(days=3)
    matches.append(play(config, one, two, 10, 20))
    answer = client.get(f"/v1/players/{one.id}/ratings")
    assert answer.json["ratings"] == [
        {
            "game": "keltis",
            "rating": 1475,
            "deviation": 469,
            "matches": 2,
            "provisional": True,
            "peak": 1475,
            "history": [
                {"day": "2027-01-15", "rating": 1658, "deviation": 484},
                {"day": "2027-01-18", "rating": 1475, "deviation": 469},
            ],
        }
    ]
    assert answer.json["reliability"] == {"new": True, **nothing, "matches": 2, "finished": 2, **shares}
    assert not [match for match in matches if match in answer.text]
    assert client.get("/v1/players/aaaaaaaaaaaaaaaa/ratings").status_code == 404
    assert two.delete("/v1/me").status_code == 200
    assert client.get(f"/v1/players/{two.id}/ratings").json["ratings"][0]["matches"] == 2


def read_page(client: Client, player: Person, locale: Locale) -> str:
    """The page of a player, with common spaces for those that do not break."""
    text: str = client.get(f"/players/{player.id}?lang={locale}").text
    return re.sub("[\u00a0\u202f]", " ", text)


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_the_page_of_a_player_shows_ratings_in_numbers_a_curve_and_words(
    client: Client, config: Config, clock: Clock, person: People, locale: Locale
) -> None:
    one, two = person("One"), person("Two")
    page = read_page(client, one, locale)
    assert {"en": "No rated matches yet", "fr": "Pas encore de partie cotée"}[locale] in page
    assert {"en": "New: fewer than 20", "fr": "Nouveau : moins de 20"}[locale] in page
    play(config, one, two, 30, 20)
    clock.forward(days=30)
    play(config, one, two, 30, 20)
    execute("update conduct set answers = 50, late = 1")
    page = read_page(client, one, locale)
    words = {
        "en": "From 1658 on 15 January 2027 to 1779 on 14 February 2027; never below 1658 or above 1779.",
        "fr": "De 1658 le 15 janvier 2027 à 1779 le 14 février 2027 ; jamais sous 1658 ni au-dessus de 1779.",
    }[locale]
    assert f'<p class="hint">{words}</p>' in page
    assert f'role="img" aria-label="{words}"' in page
    assert "<strong>1779</strong> ± 469" in page
    assert {"en": "provisional", "fr": "provisoire"}[locale] in page
    assert {"en": "<strong>98%</strong>", "fr": "<strong>98 %</strong>"}[locale] in page
    assert "style=" not in page


def point(day: str, mu: int, sigma: int = 20_000) -> RatingPoint:
    """A rating on a day."""
    return RatingPoint(date.fromisoformat(day), Skill(mu, sigma, 30))


def test_a_curve_steps_where_the_rating_changed_and_ends_today() -> None:
    history = [point("2027-01-01", 250_000), point("2027-01-11", 300_000), point("2027-01-21", 275_000)]
    drawn = ET.fromstring(str(draw_curve(history, date(2027, 1, 31), "in words")))  # noqa: S314  # our own
    assert drawn.attrib["aria-label"] == "in words"
    line = next(each for each in drawn if each.tag == "polyline").attrib["points"].split()
    corners = [tuple(map(float, corner.split(","))) for corner in line]
    assert corners == [(6, 90), (108.7, 90), (108.7, 6), (211.3, 6), (211.3, 48), (314, 48)]
    for shape in drawn:
        numbers = re.findall(r"-?[\d.]+", shape.attrib.get("points", ""))
        assert all(0 <= float(number) <= 320 for number in numbers)


def test_one_day_is_a_level_line_and_a_short_sentence() -> None:
    history = [point("2027-01-01", 250_000)]
    drawn = str(draw_curve(history, date(2027, 1, 1), '"<b>'))
    assert 'points="6.0,48.0 314.0,48.0"' in drawn
    assert "&#34;&lt;b&gt;" in drawn
    assert describe_course(history, "fr") == "1500 depuis le 1er\u00a0janvier 2027."
