"""A match in a few words, for lists and page headings."""

from __future__ import annotations

from collections.abc import Sequence

from engine import notation
from engine.games import GAMES
from engine.words import Locale
from service.db.models.matches import MatchRow
from service.matches import search
from service.matches.match_shapes import MatchShown
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
        (option.title[locale], notation.setting(match.options[option.name]))
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
