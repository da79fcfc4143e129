"""The texts that scripts show, in the reader's language: `board.toml` with placeholders."""

from __future__ import annotations

from collections.abc import Iterable

from engine.words import Locale
from service.i18n.catalogue import Plural, find_text

CHOICE_WORDS = (
    *("chosen_now", "draft_gone", "moves_left", "more_moves", "not_sent", "offline", "send", "send_lines", "sending"),
    *("only_way", "take_back", "then_line", "touch"),
)
"""Texts needed for choosing on a board."""
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
        "order_or",
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
    *("plan_delete", "plan_likely", "plan_moved", "plan_of", "plan_others", "plan_over", "plan_stops", "plan_take"),
    *("plan_unsure", "plan_you"),
    *("unread", "wait_seconds", "withdraw", "checking", "check_good", "check_bad"),
)
LESSON_WORDS = (*CHOICE_WORDS, "also_legal")


def translate_words(names: Iterable[str], locale: Locale) -> dict[str, str | dict[str, str]]:
    """Return these texts for scripts: one text, or two for singular and plural."""
    return {name: _to_json(find_text(locale, f"match_page.script.{name}")) for name in names}


def _to_json(text: str | Plural) -> str | dict[str, str]:
    return {"one": text.one, "other": text.other} if isinstance(text, Plural) else text
