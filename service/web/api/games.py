"""Games: the list of games, their options, and their vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Action, Game, State
from engine.games import GAMES
from engine.notation import slots
from engine.options import Option
from engine.words import Locale
from service import shapes
from service.i18n.catalogue import msg
from service.problems import Problem
from service.record.canonical_json import JsonObject, JsonValue
from service.shapes import Page
from service.web import pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import response_locale


class Range(shapes.Shape):
    """A minimum and a maximum."""

    least: int = shapes.number("The minimum.", 2)
    most: int = shapes.number("The maximum.", 4)


class GameOptionShown(shapes.Shape):
    """An option chosen before the match."""

    name: str = shapes.text("Its name, as in `options` of a new match.", "last-cards")
    title: str = shapes.text("What it decides, in your language.", "who chooses last cards when")
    schema: Mapping[str, JsonValue] = shapes.members(
        "A JSON Schema of its values, with the default; `x-first-match` is the default of a person's first match "
        "of the game, where it is another.",
        {"type": "string", "enum": ["simultaneous", "seat-order"], "default": "simultaneous"},
    )


class WordShown(shapes.Shape):
    """One word of a line."""

    name: str = shapes.text("Its name, as in `parts` of an option.", "card")
    many: bool = shapes.flag("Whether it may be repeated any number of times.")
    optional: bool = shapes.flag("Whether it may be omitted.")


class LineShown(shapes.Shape):
    """The form of a line."""

    verb: str = shapes.text("Its first word.", "lay")
    words: Sequence[WordShown] = shapes.items("The words after it, in order.")


class GameShort(shapes.Shape):
    """A game in the list."""

    slug: str = shapes.text("Its name in URLs and bodies.", shapes.GAME_SLUG)
    title: str = shapes.text("Its name in your language.", "Keltis, the card game")
    revision: int = shapes.number("The revision of our rules for new matches.", 1, least=1)
    seats: Range = shapes.part("The number of players.")
    bots: Sequence[str] = shapes.items(
        "The bots, for `bots` of a new match.",
        ["random", "gentle", "steady", "strong"],
        of=shapes.text("A bot.", "steady"),
    )
    stand_in: str = shapes.text("The bot that takes over a seat whose player left.", "steady")
    options: Sequence[GameOptionShown] = shapes.items("The options of a new match.")


class GameShown(GameShort):
    """A game with its wording."""

    rules: str = shapes.text("A summary of the rules, in your language.", "Each turn: …", most=100000)
    lines: Sequence[LineShown] = shapes.items("The forms of lines, including those of chance.", most=1000)
    words: Mapping[str, JsonValue] = shapes.members(
        "The vocabulary: for each canonical word the words in your language, the one we use first. "
        "`POST /v1/matches/{match}/reading` understands all of them.",
        {"lay": ["lay", "play", "put"], "R5": ["red 5"]},
    )


blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What can be played.")


@blueprint.get("")
@blueprint.page("The games, in the same order for all languages.", "GamePage")
def list_games(query: pagination.Paging) -> Answer[Page[GameShort]]:
    """List the games.

    Each has its seats, bots and options, in the language of `Accept-Language` (en, fr) or in yours. Each option has a
    JSON Schema of its values, from which you can build a form for a new match.
    """
    locale = response_locale()
    items, headers = pagination.slice_list(enumerate(GAMES.values()), query, lambda each: (each[0],))
    shown = [describe_game(game, locale) for _, game in items]
    return Page(items=shown), 200, {**headers, "Content-Language": locale}


@blueprint.get("/<slug:game>")
def get_game(game: str) -> Answer[GameShown]:
    """Read about a game.

    The answer has a summary of its rules, the forms of its lines, and its vocabulary in your language.
    """
    if game not in GAMES:
        raise Problem("not-found", msg("requests.no_such_game"))
    found, locale = GAMES[game], response_locale()
    shown = GameShown(
        **vars(describe_game(found, locale)),
        rules=found.presentation.rules_summary.get(locale, ""),
        lines=[_describe_line(kind) for kinds in found.rules.verbs.values() for kind in kinds],
        words={word: list(ways) for word, ways in found.presentation.words.names[locale].items()},
    )
    return shown, 200, {"Content-Language": locale}


def describe_game(game: Game[State], locale: Locale) -> GameShort:
    """Return a game as the list shows it."""
    return GameShort(
        slug=game.slug,
        title=game.presentation.title[locale],
        revision=game.rules.revision,
        seats=Range(least=game.rules.seats[0], most=game.rules.seats[-1]),
        bots=list(game.bots.by_name),
        stand_in=game.bots.stand_in,
        options=[_describe_option(option, locale) for option in game.rules.options],
    )


def _describe_option(option: Option, locale: Locale) -> GameOptionShown:
    types = option.json_types
    schema: JsonObject = {"type": types if len(types) > 1 else types[0], "default": option.default}
    if option.choices and option.accepts is None:
        schema["enum"] = list(option.choices)
    elif option.choices:
        schema["examples"] = list(option.choices)
    if option.form:
        schema["description"] = option.form[locale]
    if option.first_match is not None:
        schema["x-first-match"] = option.first_match
    return GameOptionShown(name=option.name, title=option.title[locale], schema=schema)


def _describe_line(kind: type[Action[State]]) -> LineShown:
    words = [WordShown(name=name, many=slot.many, optional=slot.maybe) for name, slot in slots(kind)]
    return LineShown(verb=kind.verb, words=words)
