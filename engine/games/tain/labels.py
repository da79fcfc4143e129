"""Labels of the parts of a picture of Táin, for screen readers and for touching."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tain.tokens import EMPTY, LETTERS, ROUNDS, UNKNOWN
from engine.games.tain.view import TainView
from engine.games.tain.words import KIND_NAMES, letters_in
from engine.phrases import Phrases
from engine.words import Locale, points_word

LABELS = Phrases(
    {
        "round": ("round {round} of {rounds}", "tour {round} sur {rounds}"),
        "kingdom": ("Foreign kingdom", "Royaume étranger"),
        "in-kingdom": (
            "Foreign kingdom, cattle {stock}; tokens there: {there}",
            "Royaume étranger, bétail {stock} ; jetons présents : {there}",
        ),
        "own-guard": ("gate {gate}, your guard: {what}", "entrée {gate}, votre gardien : {what}"),
        "own-scout": ("gate {gate}, before your gate: {what}", "entrée {gate}, devant chez vous : {what}"),
        "guard": ("gate {gate} of {who}, guard: {what}", "entrée {gate}, {who}, gardien : {what}"),
        "scout": ("gate {gate} of {who}, scout: {what}", "entrée {gate}, {who}, éclaireur : {what}"),
        "none": ("none", "aucun"),
        "down": ("face down", "face cachée"),
        "of": ("{what}, {who}", "{what}, {who}"),
        "held": ("{what} of {who}, captive of {holder}", "{what}, {who}, prisonnier chez {holder}"),
        "hidden": (
            "{words}, face down or behind the screen",
            "{words}, face cachée ou derrière l’écran",
        ),
        "screen": ("Behind your screen", "Derrière votre écran"),
        "left": ("{kind} {name} ×{many}", "{kind} {name} ×{many}"),
        "gone": ("{kind} {name}: none", "{kind} {name} : aucun"),
    }
)


label = LABELS.say


def token_words(kind: str, locale: Locale) -> str:
    """Return a token in words: `W warrior`, face down, or none."""
    if kind in (EMPTY, UNKNOWN):
        return label("none" if kind == EMPTY else "down", locale)
    return f"{letters_in(kind, locale)} {KIND_NAMES[locale][kind]}"


def owner_words(view: TainView, owner: str, kind: str, locale: Locale) -> str:
    """Return a token with the clan it belongs to."""
    what = token_words(kind, locale)
    who = f"{owner} {view.called(LETTERS.index(owner), locale)}" if kind != EMPTY else ""
    return label("of", locale, what=what, who=who) if who else what


def guard_label(view: TainView, seat: Seat, gate: int, locale: Locale) -> str:
    """Describe the guard place of a gate, counted from 0."""
    what = token_words(view.clans[seat].guards[gate], locale)
    if seat == view.seat:
        return label("own-guard", locale, gate=gate + 1, what=what)
    return label("guard", locale, gate=f"{LETTERS[seat]}{gate + 1}", who=view.called(seat, locale), what=what)


def scout_label(view: TainView, seat: Seat, gate: int, locale: Locale) -> str:
    """Describe the scout place before a gate, counted from 0."""
    clan = view.clans[seat]
    what = owner_words(view, clan.owners[gate], clan.scouts[gate], locale)
    if seat == view.seat:
        return label("own-scout", locale, gate=gate + 1, what=what)
    return label("scout", locale, gate=f"{LETTERS[seat]}{gate + 1}", who=view.called(seat, locale), what=what)


def captive_label(view: TainView, seat: Seat, token: str, many: int, locale: Locale) -> str:
    """Describe captives of one owner and kind in the house of a clan."""
    what, who = token_words(token[1], locale), f"{token[0]} {view.called(LETTERS.index(token[0]), locale)}"
    captive = label("held", locale, what=what, who=who, holder=view.called(seat, locale))
    return f"{captive} ×{many}" if many > 1 else captive


def kingdom_label(view: TainView, locale: Locale) -> str:
    """Describe the kingdom with its herd and the tokens there."""
    there = "; ".join(owner_words(view, token[0], token[1], locale) for token in view.kingdom)
    return label("in-kingdom", locale, stock=view.stock, there=there or label("none", locale))


def round_label(view: TainView, locale: Locale) -> str:
    """Return the number of the round in words."""
    return label("round", locale, round=view.round, rounds=ROUNDS)


def total_words(view: TainView, seat: Seat, locale: Locale) -> str:
    """Return the points of a clan in words."""
    total = view.scores[seat].total
    return f"{total} {points_word(total, locale)}"
