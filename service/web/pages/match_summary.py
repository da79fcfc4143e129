"""A match in a few words, for lists and page headings."""

from __future__ import annotations

from collections.abc import Sequence

from engine import notation
from engine.game import AnyGame
from engine.games import GAMES
from engine.options import Option, Setting
from engine.words import Locale
from service.db.models.matches import MatchRow
from service.i18n.catalogue import has_text, translate
from service.matches import search
from service.matches.match_shapes import MatchShown
from service.play.views import name_colour
from service.web.pages.clock_words import describe_clock


class MatchOnPage(MatchShown):
    """A match with what pages say of it."""

    called: str
    """Its title, or that of its game."""
    game_title: str
    pace: str
    free: int
    """How many seats are free."""
    changed: Sequence[tuple[str, str]]
    """The options that do not have their defaults, with their values."""


def describe_matches(rows: Sequence[MatchRow], player: str | None, locale: Locale) -> list[MatchOnPage]:
    """Return matches for pages. The reader must be allowed to see all of them."""
    return [_describe_match(match, locale) for match in search.describe_matches(rows, player, locale)]


def _describe_match(match: MatchShown, locale: Locale) -> MatchOnPage:
    game = GAMES[match.game]
    changed = [
        (option.title[locale], describe_setting(game, option, match.options[option.name], locale))
        for option in game.rules.options
        if match.options.get(option.name, option.default) != option.default
    ]
    title = game.presentation.title[locale]
    return MatchOnPage(
        **vars(match),
        called=match.title or title,
        game_title=title,
        pace=describe_clock(match.clock, locale),
        free=sum(place.name is None for place in match.places),
        changed=changed,
    )


def describe_setting(game: AnyGame, option: Option, value: Setting, locale: Locale) -> str:
    """Return the value of an option in words: seats by their colours, and parts by their names."""
    text, name = notation.setting(value), game.presentation.words.name
    if value in option.labels:
        return option.labels[value][locale]
    if type(value) is int:
        return name_colour(value, locale)
    if has_text(locale, f"site.value.{text}"):
        return translate(locale, f"site.value.{text}")
    return ", ".join(name(word, locale) for word in text.split(",")) if option.parts else text


def list_values(game: AnyGame, option: Option) -> Sequence[Setting]:
    """Return the values of an option that people choose from: its choices, or else its default and the seats."""
    most = game.rules.seats[-1]
    return option.choices or (option.default, *(seat for seat in range(most) if option.fits(seat, most)))
