"""The table of Tír na nÓg for letters and for reading aloud: lists instead of drawings, in at most 78 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from engine.game import CHANCE, Seat
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import ROWS, Saga
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, STORYTELLERS
from engine.games.tir_na_nog.texts.balor_reasons import points_now, reason, turn_sentence
from engine.games.tir_na_nog.texts.cards import geas_text, hint
from engine.games.tir_na_nog.texts.names import LEVEL_NAMES, PHASE_NAMES, ROW_NAMES, SIDE_NAMES, card_name, geas_name
from engine.games.tir_na_nog.texts.phrases import ASKED, SAY, who
from engine.games.tir_na_nog.texts.table_text import region_sizes, sign, worth
from engine.games.tir_na_nog.view import View
from engine.lines import fold_words
from engine.phrases import by_locale, localise
from engine.words import Locale, points_word, typeset

WIDTH = 78
INDENT = "  "
MORE = by_locale(
    {
        "points": ("{row}, {points} {unit}: {cards}", "{row}, {points} {unit} : {cards}"),
        "row": ("{row}: {cards}", "{row} : {cards}"),
        "empty": ("empty", "vide"),
        "hole": ("hole", "trou"),
        "taken": ("no card left", "plus de carte"),
        "between": ("{who} at {spot}", "{who} en {spot}"),
        "standing": ("Storytellers out", "Bardes en voyage"),
        "you": (" (you)", " (vous)"),
        "total": ("{who}: {total} {unit}", "{who} : {total} {unit}"),
    }
)


def prose(view: View, locale: Locale) -> str:
    """The whole table, line by line in the order in which it is read."""
    parts: list[Sequence[str]] = [
        _heading(view, locale),
        _geas(view.geas, locale),
        _otherworld(view, locale),
        _standing(view, locale),
    ]
    parts += [_seat(view, seat, locale) for seat in view.clockwise if not (view.solo and seat == BALOR)]
    parts += [_balor(view, locale), _hand(view, locale), _totals(view, locale)]
    whole = "\n\n".join("\n".join(part) for part in parts if part)
    return typeset(whole, locale)


@lru_cache(maxsize=4096)
def _fold(words: str, indent: str = "") -> tuple[str, ...]:
    """Words in lines; remembered, since most of a table stays as it was."""
    return tuple(fold_words(words, WIDTH, indent, indent + INDENT))


def _heading(view: View, locale: Locale) -> list[str]:
    say = SAY[locale]
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    head = ["Tír na nÓg", say["round"].format(round=view.round, rounds=ROUNDS), localise(PHASE_NAMES[phase], locale)]
    asked = [who(view, seat, locale) for seat in view.asked if seat != CHANCE]
    if asked:
        head.append(ASKED[locale].get(view.asking.what, say["asked"]).format(who=", ".join(asked)))
    counts = [say["deck"].format(deck=view.deck), say["discards"].format(discards=len(view.discards))]
    if view.discards:
        counts[-1] += say["last"].format(card=_named(view.discards[-1], locale))
    if not view.solo:
        counts.append(say["token"].format(who=who(view, view.token, locale)))
    return [*_fold(" · ".join(head)), *_fold(" · ".join(counts))]


@lru_cache(maxsize=1024)
def _geas(geas: tuple[str, ...], locale: Locale) -> tuple[str, ...]:
    lines = [SAY[locale]["geas"]] if geas else []
    for row, slug in zip(ROWS, geas, strict=False):
        about = f"{geas_name(slug, locale)} – {geas_text(slug, locale)}"
        lines += _fold(MORE[locale]["row"].format(row=localise(ROW_NAMES[row], locale), cards=about), INDENT)
    return tuple(lines)


def _otherworld(view: View, locale: Locale) -> list[str]:
    if not any(view.grid):
        return []
    lines = [f"{SAY[locale]['otherworld']} ({SAY[locale]['letters']})"]
    for cell, card in zip(view.world.cells, view.grid, strict=True):
        lines += _fold(f"{cell} {_card(card, locale) if card else MORE[locale]['taken']}", INDENT)
    return lines


def _standing(view: View, locale: Locale) -> tuple[str, ...]:
    """Who stands where, spot by spot."""
    say, found = SAY[locale], []
    for seat, spots in enumerate(view.out):
        lost = view.lost_spots(seat)
        for spot in spots:
            words = MORE[locale]["between"].format(who=who(view, seat, locale), spot=spot)
            found.append((spot, f"{words} ({say['is-lost']})" if spot in lost else words))
    if not found:
        return ()
    return _fold(
        MORE[locale]["row"].format(row=MORE[locale]["standing"], cards=", ".join(words for _, words in sorted(found)))
    )


def _seat(view: View, seat: Seat, locale: Locale) -> list[str]:
    say, saga = SAY[locale], view.sagas[seat]
    you = MORE[locale]["you"] if seat == view.seat else ""
    gone = say["resigned"] if seat in view.resigned else ""
    head = [f"{who(view, seat, locale)}{you}{gone}", say["held"].format(held=view.held[seat])]
    if view.phase in ("journey", "saga"):
        head.append(say["home"].format(home=STORYTELLERS - len(view.out[seat])))
    head.append(say["regions"].format(sizes=region_sizes(saga.regions, locale)))
    return [*_fold(" · ".join(head)), *_rows(saga, view.geas, locale)]


@lru_cache(maxsize=1024)
def _rows(saga: Saga, geas: tuple[str, ...], locale: Locale) -> tuple[str, ...]:
    more = MORE[locale]
    lines: list[str] = []
    for at, row in enumerate(saga.standing):
        cards = ", ".join(
            f"{card_name(each.card, locale)} {worth(each, locale)}" if each else more["hole"] for each in row
        )
        points = GEAS[geas[at]].score(saga) if geas else 0
        label = localise(ROW_NAMES[ROWS[at]], locale)
        words = {"row": label, "points": points, "unit": points_word(points, locale), "cards": cards or more["empty"]}
        lines += _fold(more["points"].format(**words), INDENT)
    return tuple(lines)


def _balor(view: View, locale: Locale) -> list[str]:
    if not view.solo:
        return []
    say = SAY[locale]
    head = [say["balor"].format(level=localise(LEVEL_NAMES[view.balor], locale))]
    head.append(say["side"].format(side=localise(SIDE_NAMES[view.side], locale)))
    if view.marker:
        head.append(say["marked"].format(spot=view.marker))
    lines = list(_fold(" · ".join(head)))
    if view.turned and not view.over:
        lines += _fold(turn_sentence(view.turned, flipped=view.flipped, side=view.side, locale=locale), INDENT)
    if view.gaze and not view.over:
        lines += _fold(say["why"].format(why=reason(view, view.gaze, locale)), INDENT)
    if view.balor_score:
        lines += _fold(points_now(view, view.balor_score, locale), INDENT)
    counted = Counter(CARDS[card].colour for card in view.pile)
    sizes = region_sizes({colour: counted[colour] for colour in COLOURS}, locale)
    cards = ", ".join(_named(card, locale) for card in view.pile)
    return [
        *lines,
        *_fold(say["pile"].format(count=len(view.pile), sizes=sizes) + (f" – {cards}" if cards else ""), INDENT),
    ]


def _hand(view: View, locale: Locale) -> list[str]:
    if view.seat is None or view.over:
        return []
    say = SAY[locale]
    lines = [say["hand"].format(count=len(view.hand))] if view.hand else []
    for card in view.hand:
        lines += _fold(_card(card, locale), INDENT)
    if view.drawn:
        lines += _fold(say["drawn"].strip().format(card=_named(view.drawn, locale)), INDENT)
    if view.answer:
        lines += _fold(say["answer"].strip().format(card=_named(view.answer, locale)), INDENT)
    return lines


def _totals(view: View, locale: Locale) -> list[str]:
    return [
        line
        for seat, score in enumerate(view.scores)
        for line in _fold(
            MORE[locale]["total"].format(
                who=who(view, seat, locale), total=score.total, unit=points_word(score.total, locale)
            )
        )
    ]


@lru_cache(maxsize=512)
def _card(card: str, locale: Locale) -> str:
    """A card with what it does."""
    ailm = " Ailm" if CARDS[card].ailm else ""
    about = hint(card, locale)
    return f"{_named(card, locale)}{ailm}" + (f" – {about}" if about else "")


@lru_cache(maxsize=512)
def _named(card: str, locale: Locale) -> str:
    return f"{sign(CARDS[card].colour, CARDS[card].value, locale)} {card_name(card, locale)}"
