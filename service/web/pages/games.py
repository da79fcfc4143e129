"""The page of a game: rules in brief and in full, options, bots and cards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort
from markupsafe import Markup, escape

from engine import notation
from engine.game import Game
from engine.games import GAMES
from engine.options import Option
from engine.rulebook import Block, Grid, Points, Rulebook
from engine.words import Locale
from service.i18n.catalogue import translate
from service.matches import search
from service.matches.start import Opponent, list_opponents
from service.web.pages import layout, sample_matches
from service.web.pages.match_summary import MatchOnPage, describe_matches
from service.web.request_context import page_locale

LEAD_PATTERN = re.compile(r"([^.,;:`]{2,36}?[^.,;:`\s])\s?:\s+(?=\S)")
MOST_WAITING = 6
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
    found = LEAD_PATTERN.match(text)
    lead, rest = (found[1], text[found.end() :]) if found else ("", text)
    return Paragraph(lead, _mark_code(rest))


def _mark_code(text: str) -> Markup:
    """Return the text with `code` marked up."""
    return Markup(CODE_PATTERN.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  # escaped before


def describe_rulebook(rulebook: Rulebook) -> list[dict[str, Any]]:
    """Return the full rules for the template: sections with their blocks."""
    return [
        {"title": section.title, "blocks": [_describe_block(block) for block in section.blocks]} for section in rulebook
    ]


def _describe_block(block: Block) -> dict[str, Any]:
    kind = type(block).__name__.lower()
    if isinstance(block, Points):
        return {"kind": kind, "items": [_mark_code(item) for item in block.items]}
    if isinstance(block, Grid):
        return {"kind": kind, "header": block.header, "rows": block.rows}
    return {"kind": kind, "text": _mark_code(block.text)}


blueprint = Blueprint("game_pages", __name__, url_prefix="/games")


@blueprint.get("/<slug>")
def show_game(slug: str) -> Response:
    """Show one game."""
    if slug not in GAMES:
        abort(404)
    shown, locale = GAMES[slug], page_locale()
    return layout.render_page(
        "game.html",
        game=game_facts(shown, locale),
        picture=sample_matches.game_picture(shown, locale),
        narrow_picture=sample_matches.game_picture(shown, locale, narrow=True),
        rules=split_paragraphs(shown.presentation.rules_summary.get(locale, "")),
        rulebook=describe_rulebook(shown.presentation.rulebook.get(locale, ())),
        examples=sample_matches.example_lines(slug, locale),
        options=[_describe_option(option, locale) for option in shown.rules.options],
        bots=[_describe_bot(shown, name, locale) for name in shown.bots.by_name],
        tables=shown.presentation.tables(locale) if shown.presentation.tables else (),
        waiting=_list_waiting(slug, locale),
    )


def _list_waiting(slug: str, locale: Locale) -> list[MatchOnPage]:
    """Return the open matches of this game that anybody may join, latest first."""
    found = search.search_matches(search.MatchFilter(game=slug, status="open"), None, None, MOST_WAITING)
    return describe_matches(found, None, locale)


def game_facts(game: Game[Any], locale: Locale) -> dict[str, Any]:
    """Return what pages show of a game."""
    rival = next((option.name for option in game.rules.options if option.name in game.bots.by_name), "")
    return {
        "slug": game.slug,
        "title": game.presentation.title[locale],
        "about": game.presentation.about.get(locale, ""),
        "lesson": game.presentation.lesson is not None,
        "least": game.rules.seats[0],
        "most": game.rules.seats[-1],
        "rival": game.presentation.words.bot(rival, locale) if rival else "",
        "opponents": [(each.id, _opponent_name(game, each, locale)) for each in list_opponents(game)],
        "command": f"echtra play {game.slug} --bot {rival or game.bots.stand_in}",
    }


def _opponent_name(game: Game[Any], opponent: Opponent, locale: Locale) -> str:
    name = game.presentation.words.bot(opponent.bot, locale)
    if not opponent.level:
        return name
    return translate(locale, "site.new.opponent", name=name, level=translate(locale, f"site.value.{opponent.level}"))


def _describe_option(option: Option, locale: Locale) -> dict[str, str]:
    return {
        "name": option.name,
        "title": option.title[locale],
        "values": option.values(locale),
        "default": notation.setting(option.default),
    }


def _describe_bot(game: Game[Any], name: str, locale: Locale) -> dict[str, Any]:
    rival = any(option.name == name for option in game.rules.options)
    return {
        "name": name,
        "called": game.presentation.words.bot(name, locale),
        "rival": rival,
        "stand_in": name == game.bots.stand_in,
    }
