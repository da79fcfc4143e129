"""The page of a game: rules in brief and in full, options, bots and cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, Response, abort, request
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from engine import notation
from engine.game import Game, State
from engine.games import GAMES
from engine.options import Option
from engine.words import Locale
from service.matches import search
from service.matches.start import list_opponents, solo_rivals
from service.web import session
from service.web.pages import layout, sample_matches
from service.web.pages.bots import describe_chance, opponent_name
from service.web.pages.match_summary import MatchOnPage, describe_matches, describe_setting, list_values
from service.web.request_context import current_config, page_locale

LEAD_PATTERN = re.compile(r"([^.,;:`]{2,36}?[^.,;:`\s])\s?:\s+(?=\S)")
MOST_WAITING = 6
MOST_COOKIE = 1_000
OPPONENTS_COOKIE = "echtra-opponents"
"""Name of the cookie that keeps the last opponent of each game, as `GAME:OPPONENT|GAME:OPPONENT`."""
USUAL_LEVEL = "normal"
CODE_PATTERN = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, and the words before its colon if it starts like a list entry."""

    lead: str
    text: Markup


def split_paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Split a hard-wrapped text into paragraphs: a row that ends with a full stop ends a paragraph."""
    whole: list[str] = []
    goes_on = False
    for row in text.splitlines():
        if goes_on:
            whole[-1] += f" {row}"
        else:
            whole.append(row)
        goes_on = not row.endswith(".")
    return tuple(_parse_paragraph(each) for each in whole)


def _parse_paragraph(text: str) -> Paragraph:
    lead_match = LEAD_PATTERN.match(text)
    lead, rest = (lead_match[1], text[lead_match.end() :]) if lead_match else ("", text)
    return Paragraph(lead, mark_code(rest))


def mark_code(text: str) -> Markup:
    """Return the text with `code` marked up."""
    return Markup(CODE_PATTERN.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  # escaped before


blueprint = Blueprint("game_pages", __name__, url_prefix="/games")


@blueprint.get("/<slug>")
def show_game(slug: str) -> Response:
    """Show one game."""
    if slug not in GAMES:
        abort(404)
    shown, locale = GAMES[slug], page_locale()
    return layout.render_page(
        "game.html",
        game=describe_game(shown, locale),
        picture=sample_matches.game_picture(shown, locale),
        narrow_picture=sample_matches.game_picture(shown, locale, narrow=True),
        rules=split_paragraphs(shown.presentation.rules_summary.get(locale, "")),
        rulebook=[
            (section.title, [(type(block).__name__, block) for block in section.blocks])
            for section in shown.presentation.rulebook.get(locale, ())
        ],
        mark_code=mark_code,
        examples=sample_matches.example_lines(slug, locale),
        options=[(option, _list_values_in_words(shown, option, locale)) for option in shown.rules.options],
        setting=notation.setting,
        bots=[(name, shown.presentation.words.bot(name, locale)) for name in shown.bots.by_name],
        rivals={option.name for option in solo_rivals(shown)},
        stand_in=shown.bots.stand_in,
        tables=shown.presentation.tables(locale) if shown.presentation.tables else (),
        waiting=_list_waiting(slug, locale),
    )


def _list_waiting(slug: str, locale: Locale) -> list[MatchOnPage]:
    """Return the open matches of this game that anybody may join, latest first."""
    found = search.search_matches(search.MatchFilter(game=slug, status="open"), None, None, MOST_WAITING)
    return describe_matches(found, None, locale)


class GameOnPage(NamedTuple):
    """A game as pages show it."""

    slug: str
    title: str
    about: str
    lesson: bool
    """True if it has a lesson."""
    least: int
    most: int
    rival: str
    """Name of the bot that plays alone against one person, or an empty string."""
    opponents: Sequence[tuple[str, str, str]]
    """Bots to play alone against, each with its name and how often a person would win."""
    chosen: str
    """The opponent that this browser chose last, or the usual one."""
    command: str


def describe_game(game: Game[State], locale: Locale) -> GameOnPage:
    """Return a game as pages show it."""
    rival = next((option.name for option in solo_rivals(game)), "")
    return GameOnPage(
        game.slug,
        game.presentation.title[locale],
        game.presentation.about.get(locale, ""),
        lesson=game.presentation.lesson is not None,
        least=game.rules.seats[0],
        most=game.rules.seats[-1],
        rival=game.presentation.words.bot(rival, locale) if rival else "",
        opponents=[
            (opponent.id, opponent_name(game, opponent, locale), describe_chance(game, opponent, locale))
            for opponent in list_opponents(game)
        ],
        chosen=last_opponent(game),
        command=f"echtra play {game.slug} --bot {rival or game.bots.stand_in}",
    )


def last_opponent(game: Game[State]) -> str:
    """Return the opponent that this browser chose last in a game, or the usual one."""
    offered = [opponent.id for opponent in list_opponents(game)]
    kept = read_last_opponents().get(game.slug, "")
    usual = next((each for each in offered if each.endswith(f"-{USUAL_LEVEL}")), game.bots.stand_in)
    return kept if kept in offered else usual


def read_last_opponents() -> dict[str, str]:
    """Return the opponents that this browser chose last, by game."""
    pairs = (pair.split(":") for pair in request.cookies.get(OPPONENTS_COOKIE, "")[:MOST_COOKIE].split("|"))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and pair[0] in GAMES}  # noqa: PLR2004  # a pair


def keep_last_opponent(response: AnyResponse, slug: str, opponent: str) -> None:
    """Keep the opponent that this browser chose for a game."""
    kept = {**read_last_opponents(), slug: opponent}
    value = "|".join(f"{game}:{each}" for game, each in kept.items())
    session.keep_choice(response, OPPONENTS_COOKIE, value, current_config())


def _list_values_in_words(game: Game[State], option: Option, locale: Locale) -> str:
    """Return the values of an option, seats by their colours."""
    if option.choices:
        return option.values(locale)
    return ", ".join(describe_setting(game, option, value, locale) for value in list_values(game, option))


def list_bots(game: Game[State], locale: Locale) -> list[tuple[str, str]]:
    """Return the bots that may take any seat, with their names."""
    rivals = {option.name for option in solo_rivals(game)}
    return [(name, game.presentation.words.bot(name, locale)) for name in game.bots.by_name if name not in rivals]
