"""The language of an answer: what the request asks for, else the player's own, else English."""

from __future__ import annotations

from flask import request

from engine.words import LOCALES, Locale
from service.web import auth


def spoken() -> Locale:
    """The language to answer in."""
    if request.accept_languages:
        best = request.accept_languages.best_match(LOCALES)
        if best is not None:
            return _locale(best)
    who = auth.maybe()
    return _locale(who.language if who else "en")


def chosen() -> Locale:
    """The language of a page: the one its address names, or as for every answer."""
    lang = request.args.get("lang", "")
    return _locale(lang) if lang in LOCALES else spoken()


def _locale(text: str) -> Locale:
    return "fr" if text.startswith("fr") else "en"
