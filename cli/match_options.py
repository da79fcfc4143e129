"""What a call chooses for a match: game, seats, options and who plays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cli.command import refusal
from engine.game import Game
from engine.games import GAMES
from engine.options import BadSetting, Option, Settings
from engine.words import LOCALES, Locale, plain
from service.i18n.catalogue import translate

LEVELS = ("easy", "normal", "hard", "impossible")
DEFAULT_BOT = "steady"
RIVAL_SEATS = 2
LEVEL_WORDS = {
    "facile": "easy",
    "normale": "normal",
    "moyen": "normal",
    "moyenne": "normal",
    "difficile": "hard",
    "eleve": "hard",
    "elevee": "hard",
}
"""What people call the levels in French, besides the words of each game."""


@dataclass(frozen=True)
class MatchOptions:
    """A game with everything its header needs."""

    game: Game[Any]
    seats: int
    settings: Settings


def find_game(slug: str, locale: Locale) -> Game[Any]:
    """The game of this slug, or a refusal that lists the games."""
    if slug not in GAMES:
        raise refusal(locale, "commands.match.no_game", slug=slug, known=", ".join(GAMES))
    return GAMES[slug]


def parse_options(game: Game[Any], seats: int, pairs: Iterable[str], locale: Locale) -> MatchOptions:
    """The game with these seats and options, as `name=value`."""
    if seats not in game.rules.seats:
        raise refusal(
            locale,
            "commands.match.bad_seats",
            slug=game.slug,
            low=game.rules.seats[0],
            high=game.rules.seats[-1],
            seats=seats,
        )
    options = {option.name: option for option in game.rules.options}
    known = ", ".join(options) or translate(locale, "commands.match.none")
    settings: dict[str, str | int | bool] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise refusal(locale, "commands.match.option_form", text=pair, slug=game.slug, known=known)
        if name not in options:
            raise refusal(locale, "commands.match.no_option", slug=game.slug, name=name, known=known)
        value = options[name].read(find_choice(game, options[name], text))
        if value is None or not options[name].fits(value, seats):
            values = options[name].values(locale)
            raise refusal(
                locale, "commands.match.option_value", name=name, slug=game.slug, value=text or '""', values=values
            )
        settings[name] = value
    try:
        game.rules.start(seats, settings)
    except BadSetting as error:
        raise refusal(locale, "commands.match.options_clash", why=error.reason.text(locale)) from None
    return MatchOptions(game, seats, settings)


def find_choice(game: Game[Any], option: Option, text: str) -> str:
    """The value of an option that a text means, in English or French; the text itself where it means none."""
    typed = plain(text)
    for choice in option.choices:
        if not isinstance(choice, str):
            continue
        ways = (" ".join(way) for way in game.presentation.words.ways(choice))
        if text == choice or typed in ways or LEVEL_WORDS.get(typed) == choice:
            return choice
    return text


def find_bot(game: Game[Any], text: str) -> str:
    """The bot that a text names, in English or French; the text itself where it names none."""
    typed = plain(text)
    named = (
        name
        for name in game.bots.by_name
        if typed in {plain(game.presentation.words.bot(name, locale)) for locale in LOCALES}
    )
    return text if text in game.bots.by_name else next(named, text)


def rival_options(game: Game[Any]) -> tuple[Option, ...]:
    """The options that bring a rival for a match alone: a bot of their name, and levels only besides the default."""
    named = (option for option in game.rules.options if option.name in game.bots.by_name)
    return tuple(option for option in named if set(option.choices) - {option.default} <= set(LEVELS))


def rival_name(game: Game[Any], settings: Settings) -> str:
    """The name of the rival that plays seat 1 by the rules, or nothing."""
    return next((option.name for option in rival_options(game) if settings.get(option.name) in LEVELS), "")


def check_bots(game: Game[Any], names: Iterable[str], locale: Locale) -> tuple[str, ...]:
    """These names, if all are bots that can play any seat."""
    found = tuple(find_bot(game, name) for name in names)
    alone = [option.name for option in rival_options(game)]
    for name in found:
        if name in alone:
            raise refusal(locale, "commands.match.rival_bot", name=name, slug=game.slug)
        if name not in game.bots.by_name:
            raise refusal(
                locale, "commands.match.no_bot", slug=game.slug, name=name or '""', known=", ".join(game.bots.by_name)
            )
    return found


def choose_bots(
    choice: MatchOptions, need: int, given: tuple[str | None, str | None], locale: Locale
) -> tuple[str, ...]:
    """The bots for so many seats, from what `--bots` (one by one, with commas) and `--bot` (one for all) say."""
    names, name = given
    if names is not None and name is not None:
        raise refusal(locale, "commands.match.clash", one="--bot", other="--bots")
    if names is None:
        return check_bots(choice.game, (name or DEFAULT_BOT,), locale) * need
    found = check_bots(choice.game, (each.strip() for each in names.split(",")), locale)
    if len(found) != need:
        raise refusal(locale, "commands.match.bots_number", seats=choice.seats, need=need, given=len(found))
    return found
