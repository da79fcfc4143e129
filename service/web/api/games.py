"""Games: what can be played, with which options, and how its words are said."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.games import GAMES
from engine.notation import slots
from engine.options import Option
from engine.words import Locale
from service.i18n.catalogue import msg
from service.problems import Problem
from service.web import pagination
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import response_locale
from service.web.schemas.games import GAME_EXAMPLE, GAME_SHORT_EXAMPLE, GamePageSchema, GameShownSchema

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What can be played.")


@blueprint.route("")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, GamePageSchema(), example={"items": [GAME_SHORT_EXAMPLE]})
def list_games(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List the games.

    With their seats, bots and options, said in the language of `Accept-Language` (en, fr) or in yours. Each option
    has a JSON Schema of its values: a form for a new match can be built from it.
    """
    locale = response_locale()
    page = pagination.parse_page_request("games", query)
    items, headers = pagination.slice_list(enumerate(GAMES.values()), page, lambda each: (each[0],))
    shown = [describe_game(game, locale) for _, game in items]
    return {"items": shown}, 200, {**headers, "Content-Language": locale}


@blueprint.route("/<slug:game>")
@blueprint.response(200, GameShownSchema(), example=GAME_EXAMPLE)
def get_game(game: str) -> Any:  # noqa: ANN401
    """Look at a game.

    Its rules in short, the forms of its lines, and its vocabulary in your language.
    """
    if game not in GAMES:
        raise Problem("not-found", msg("requests.no_such_game"))
    found, locale = GAMES[game], response_locale()
    shown = {
        **describe_game(found, locale),
        "rules": found.rules.get(locale, ""),
        "lines": [_describe_line(kind) for kinds in found.verbs.values() for kind in kinds],
        "words": {word: list(ways) for word, ways in found.words.names[locale].items()},
    }
    return shown, 200, {"Content-Language": locale}


def describe_game(game: Game[Any], locale: Locale) -> dict[str, Any]:
    """A game as the list shows it."""
    return {
        "slug": game.slug,
        "title": game.title[locale],
        "revision": game.revision,
        "seats": {"least": game.seats[0], "most": game.seats[-1]},
        "bots": list(game.bots),
        "stand_in": game.stand_in,
        "options": [_describe_option(option, locale) for option in game.options],
    }


def _describe_option(option: Option, locale: Locale) -> dict[str, Any]:
    types = option.json_types
    schema: dict[str, Any] = {"type": types if len(types) > 1 else types[0], "default": option.default}
    if option.choices and option.accepts is None:
        schema["enum"] = list(option.choices)
    elif option.choices:
        schema["examples"] = list(option.choices)
    if option.form:
        schema["description"] = option.form[locale]
    if option.first_match is not None:
        schema["x-first-match"] = option.first_match
    return {"name": option.name, "title": option.title[locale], "schema": schema}


def _describe_line(kind: Any) -> dict[str, Any]:  # noqa: ANN401  # a kind of action of any game
    words = [{"name": name, "many": slot.many, "optional": slot.maybe} for name, slot in slots(kind)]
    return {"verb": kind.verb, "words": words}
