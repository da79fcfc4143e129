"""A menu of options, grouped by kind, in pages that show something of every kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import AnyAction, AnyGame, Options
from engine.words import Locale

PAGE_SIZE = 40
SHORT_MENU = 12
"""Maximum number of options in a menu without headings."""


@dataclass(frozen=True)
class OptionGroup:
    """Options of one kind, each with its number in the whole list."""

    title: str
    entries: tuple[tuple[int, AnyAction], ...]


@dataclass(frozen=True)
class MenuPage:
    """The options of each kind on this page, and those left for later pages."""

    shown: tuple[OptionGroup, ...]
    rest: tuple[OptionGroup, ...]

    @property
    def left(self) -> int:
        """Number of options not shown yet."""
        return sum(len(group.entries) for group in self.rest)

    def left_of(self, title: str) -> int:
        """Return the number of options of this kind not shown yet."""
        return sum(len(group.entries) for group in self.rest if group.title == title)


def group_options(game: AnyGame, view: Any, options: Options, locale: Locale) -> tuple[OptionGroup, ...]:  # noqa: ANN401
    """Group the options by kind, in the order in which the kinds first appear."""
    groups: dict[str, list[tuple[int, AnyAction]]] = {}
    for number, action in enumerate(options, 1):
        groups.setdefault(option_kind(game, view, action, locale), []).append((number, action))
    return tuple(OptionGroup(title, tuple(entries)) for title, entries in groups.items())


def option_kind(game: AnyGame, view: Any, action: AnyAction, locale: Locale) -> str:  # noqa: ANN401
    """Return the heading under which a menu lists an action."""
    if game.presentation.kind is not None:
        return game.presentation.kind(view, action, locale)
    name = action.verb if locale == "en" else game.presentation.words.name(action.verb, locale)
    return name[:1].upper() + name[1:]


def cut_page(groups: Sequence[OptionGroup], size: int = PAGE_SIZE) -> MenuPage:
    """Cut the first page: all options if they fit, otherwise the first of each kind in equal numbers."""
    sizes = [len(group.entries) for group in groups]
    shares = sizes if sum(sizes) <= size + SHORT_MENU else share_rows(sizes, size)
    shown = (OptionGroup(group.title, group.entries[:share]) for group, share in zip(groups, shares, strict=True))
    rest = (OptionGroup(group.title, group.entries[share:]) for group, share in zip(groups, shares, strict=True))
    return MenuPage(_filled(shown), _filled(rest))


def share_rows(sizes: Sequence[int], size: int) -> list[int]:
    """Return how many rows each kind gets on a page: at least one. Rows that small kinds do not need go to others."""
    shares = [min(count, 1) for count in sizes]
    while sum(shares) < size and shares != list(sizes):
        for at, count in enumerate(sizes):
            if shares[at] < count and sum(shares) < size:
                shares[at] += 1
    return shares


def _filled(groups: Iterable[OptionGroup]) -> tuple[OptionGroup, ...]:
    return tuple(group for group in groups if group.entries)
