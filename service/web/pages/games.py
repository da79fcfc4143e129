"""The page of a game: its rules in brief, its options, its bots, and its cards."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort

from engine import notation
from engine.game import Game
from engine.games import GAMES
from engine.options import Option
from engine.words import Locale
from service.web.pages import games_prose as prose
from service.web.pages import layout as sheet
from service.web.pages import sample_matches as gallery
from service.web.request_context import chosen

blueprint = Blueprint("game_pages", __name__, url_prefix="/games")


@blueprint.get("/<slug>")
def game(slug: str) -> Response:
    """One game."""
    if slug not in GAMES:
        abort(404)
    shown, locale = GAMES[slug], chosen()
    return sheet.page(
        "game.html",
        game=facts(shown, locale),
        picture=gallery.picture(shown, locale),
        rules=prose.paragraphs(shown.rules.get(locale, "")),
        examples=gallery.examples(slug, locale),
        options=[_option(option, locale) for option in shown.options],
        bots=[_bot(shown, name, locale) for name in shown.bots],
        tables=shown.tables(locale) if shown.tables else (),
    )


def facts(game: Game[Any], locale: Locale) -> dict[str, Any]:
    """What is said of a game wherever it is named."""
    rival = next((option.name for option in game.options if option.name in game.bots), "")
    return {
        "slug": game.slug,
        "title": game.title[locale],
        "about": game.about.get(locale, ""),
        "least": game.seats[0],
        "most": game.seats[-1],
        "rival": game.words.bot(rival, locale) if rival else "",
        "command": f"echtra play {game.slug} --bot {rival or game.stand_in}",
    }


def _option(option: Option, locale: Locale) -> dict[str, str]:
    return {
        "name": option.name,
        "title": option.title[locale],
        "values": option.values(locale),
        "default": notation.setting(option.default),
    }


def _bot(game: Game[Any], name: str, locale: Locale) -> dict[str, Any]:
    rival = any(option.name == name for option in game.options)
    return {
        "name": name,
        "called": game.words.bot(name, locale),
        "rival": rival,
        "stand_in": name == game.stand_in,
    }
