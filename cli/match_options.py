"""Arguments that describe a match: game, seats, options and bots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cli.command import current_language, localise, refusal
from engine.game import AnyGame
from engine.games import GAMES
from engine.options import BadSetting, Option, Settings
from engine.words import LOCALES, plain

LEVELS = ("gentle", "easy", "normal", "hard", "impossible")
DEFAULT_BOT = "steady"
RIVAL_SEATS = 2
LEVEL_WORDS = {
    "indulgent": "gentle",
    "facile": "easy",
    "normale": "normal",
    "moyen": "normal",
    "moyenne": "normal",
    "difficile": "hard",
    "eleve": "hard",
    "elevee": "hard",
}
"""French words for the levels, in addition to the words of each game."""


@dataclass(frozen=True)
class MatchOptions:
    """A game with everything that the header of a match needs."""

    game: AnyGame
    seats: int
    settings: Settings


def find_game(slug: str) -> AnyGame:
    """Return the game of this slug, or refuse with a list of games."""
    if slug not in GAMES:
        raise refusal("commands.match.no_game", slug=slug, known=", ".join(GAMES))
    return GAMES[slug]


def parse_options(game: AnyGame, seats: int, pairs: Iterable[str]) -> MatchOptions:
    """Check the number of seats and the options, each `name=value`."""
    if seats not in game.rules.seats:
        raise refusal(
            "commands.match.bad_seats",
            slug=game.slug,
            low=game.rules.seats[0],
            high=game.rules.seats[-1],
            seats=seats,
        )
    options = {option.name: option for option in game.rules.options}
    known = ", ".join(options) or localise("commands.match.none")
    settings: dict[str, str | int | bool] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise refusal("commands.match.option_form", text=pair, slug=game.slug, known=known)
        if name not in options:
            raise refusal("commands.match.no_option", slug=game.slug, name=name, known=known)
        value = options[name].read(find_choice(game, options[name], text))
        if value is None or not options[name].fits(value, seats):
            values = options[name].values(current_language())
            raise refusal("commands.match.option_value", name=name, slug=game.slug, value=text or '""', values=values)
        settings[name] = value
    try:
        game.rules.start(seats, settings)
    except BadSetting as error:
        raise refusal("commands.match.options_clash", why=error.reason.text(current_language())) from None
    return MatchOptions(game, seats, settings)


def find_choice(game: AnyGame, option: Option, text: str) -> str:
    """Return the option value that a text means in English or French, or the text itself if it means none."""
    typed = plain(text)
    for choice in option.choices:
        if not isinstance(choice, str):
            continue
        ways = (" ".join(way) for way in game.presentation.words.ways(choice))
        if text == choice or typed in ways or LEVEL_WORDS.get(typed) == choice:
            return choice
    return text


def find_bot(game: AnyGame, text: str) -> str:
    """Return the bot that a text names in English or French, or the text itself if it names none."""
    typed = plain(text)
    named = (
        name
        for name in game.bots.by_name
        if typed in {plain(game.presentation.words.bot(name, locale)) for locale in LOCALES}
    )
    return text if text in game.bots.by_name else next(named, text)


def rival_options(game: AnyGame) -> tuple[Option, ...]:
    """Return the options that add a solo rival: named like a bot, and with only its levels as choices."""
    named = (option for option in game.rules.options if option.name in game.bots.by_name)
    return tuple(option for option in named if set(option.choices) - {option.default} <= set(LEVELS))


def rival_name(game: AnyGame, settings: Settings) -> str:
    """Return the name of the rival that plays seat 1 by the rules, or an empty string."""
    return next((option.name for option in rival_options(game) if settings.get(option.name) in LEVELS), "")


def check_bots(game: AnyGame, names: Iterable[str]) -> tuple[str, ...]:
    """Return the bots with these names. Refuse the name of a bot that cannot play any seat."""
    bots = tuple(find_bot(game, name) for name in names)
    alone = [option.name for option in rival_options(game)]
    for name in bots:
        if name in alone:
            raise refusal("commands.match.rival_bot", name=name, slug=game.slug)
        if name not in game.bots.by_name:
            raise refusal(
                "commands.match.no_bot", slug=game.slug, name=name or '""', known=", ".join(game.bots.by_name)
            )
    return bots


def choose_bots(choice: MatchOptions, need: int, given: tuple[str | None, str | None]) -> tuple[str, ...]:
    """Return bots for `need` seats from the values of `--bots` (one for each seat) and `--bot` (one for all)."""
    names, name = given
    if names is not None and name is not None:
        raise refusal("commands.match.clash", one="--bot", other="--bots")
    if names is None:
        return check_bots(choice.game, (name or DEFAULT_BOT,)) * need
    bots = check_bots(choice.game, (each.strip() for each in names.split(",")))
    if len(bots) != need:
        raise refusal("commands.match.bots_number", seats=choice.seats, need=need, given=len(bots))
    return bots
