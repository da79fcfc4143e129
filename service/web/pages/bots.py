"""The page `/bots`: how strong the bots are, and what that means for a person who chooses one."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response

from engine.game import AnyGame
from engine.games import GAMES
from engine.words import Locale
from service.i18n.catalogue import translate
from service.matches.bot_strengths import BotPairing, find_chance, find_pairing, find_people_pairing
from service.matches.start import Opponent, list_opponents
from service.web.pages import layout
from service.web.request_context import page_locale

blueprint = Blueprint("bots", __name__)
CHANCES = ((1, 10), (1, 5), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (4, 5), (9, 10))
"""Chances that people read, as wins out of matches."""
RARE = 0.06
"""Below this share a win is rare; above one minus this it is almost certain."""


class StrengthRow(NamedTuple):
    """A bot with its results against every opponent, in the order of the columns; None where there is none."""

    name: str
    results: tuple[BotPairing | None, ...]


class GameStrengths(NamedTuple):
    """The measured results of a game."""

    slug: str
    title: str
    opponents: tuple[str, ...]
    rows: tuple[StrengthRow, ...]


@blueprint.get("/bots")
def show_bots() -> Response:
    """Show how all bots did against each other."""
    locale = page_locale()
    return layout.render_page("bots.html", games=[describe_strengths(game, locale) for game in GAMES.values()])


def describe_strengths(game: AnyGame, locale: Locale) -> GameStrengths:
    """Return the results of a game's bots against each other and against the levels of its solo rival."""
    opponents = sorted(list_opponents(game), key=lambda opponent: bool(opponent.level))
    bots = [opponent.bot for opponent in opponents if not opponent.level]
    rows = tuple(
        StrengthRow(
            game.presentation.words.bot(bot, locale),
            tuple(find_pairing(game.slug, bot, opponent.id) for opponent in opponents),
        )
        for bot in bots
    )
    people = tuple(find_people_pairing(game, opponent) for opponent in opponents)
    if any(people):
        rows = (*rows, StrengthRow(translate(locale, "pages.bots.people"), people))
    names = tuple(opponent_name(game, opponent, locale) for opponent in opponents)
    return GameStrengths(game.slug, game.presentation.title[locale], names, rows)


def opponent_name(game: AnyGame, opponent: Opponent, locale: Locale) -> str:
    """Return the name of a solo opponent with its level."""
    name = game.presentation.words.bot(opponent.bot, locale)
    if not opponent.level:
        return name
    return translate(locale, "site.new.opponent", name=name, level=translate(locale, f"site.value.{opponent.level}"))


def describe_chance(game: AnyGame, opponent: Opponent, locale: Locale) -> str:
    """Return how often a person would beat an opponent, or an empty text if nobody measured it."""
    share = find_chance(game, opponent)
    if share is None:
        return ""
    if share < RARE or share > 1 - RARE:
        return translate(locale, "site.chance.rare" if share < RARE else "site.chance.sure")
    wins, matches = min(CHANCES, key=lambda chance: abs(chance[0] / chance[1] - share))
    return translate(locale, "site.chance.about", wins=wins, matches=matches)
