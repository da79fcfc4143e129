"""The words that scripts say, in the reader's language: texts of `board.toml` with their places for values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.words import Locale
from service.i18n.catalogue import Plural, find_text

CHOICE_WORDS = (
    *("chosen_now", "draft_gone", "moves_left", "more_moves", "not_sent", "offline", "send", "send_lines", "sending"),
    *("take_back", "touch"),
)
"""What choosing on a board needs."""
MATCH_WORDS = (
    *CHOICE_WORDS,
    *(
        "agree",
        "approve_device",
        "changed",
        "entry_of",
        "let_play",
        "next_turn",
        "no_keys",
        "offer_cancel",
        "offer_end",
    ),
    *(
        "offer_waits",
        "order_take",
        "order_touch",
        "orders_wait",
        "plays_too",
        "refuse",
        "resign_word",
        "sent",
        "sign_in",
        "signed_out",
        "try_again",
    ),
    *("unread", "wait_seconds", "withdraw", "checking", "check_good", "check_bad"),
)
LESSON_WORDS = (*CHOICE_WORDS, "also_legal")


def translate_words(names: Iterable[str], locale: Locale) -> dict[str, Any]:
    """These words as scripts take them: a text, or two for one thing and for several."""
    return {name: _to_json(find_text(locale, f"match_page.script.{name}")) for name in names}


def _to_json(text: str | Plural) -> str | dict[str, str]:
    return {"one": text.one, "other": text.other} if isinstance(text, Plural) else text
