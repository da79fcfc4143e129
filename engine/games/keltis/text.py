"""The table of Keltis in words: for terminals, letters and screen readers."""

from __future__ import annotations

from engine.game import CHANCE, Action, Seat
from engine.games.keltis.cards import COLOURS, PILES, POINT
from engine.games.keltis.rules import Discard, DrawFrom, Keltis, LastCards, Lay, Stone
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import COLOUR_NAMES, card_codes, card_name, row_colour
from engine.lines import fold_words
from engine.phrases import Phrases
from engine.starting_seat import BEGINS
from engine.words import AND, Locale, capitalise, of_name, points_word, typeset

WIDTH = 78
ROW_NAMES: dict[Locale, dict[str, str]] = {
    "en": {pile: name.capitalize() for pile, name in COLOUR_NAMES["en"].items()},
    "fr": {pile: name.capitalize() for pile, name in COLOUR_NAMES["fr"].items()} | {POINT: "Neutre"},
}
TAKES: dict[Locale, str] = {
    "en": "{who} takes wish stone {stone} for {cards}.",
    "fr": "{who} prend la Pierre de Vœux {stone} contre {cards}.",
}
DONE: dict[str, dict[Locale, str]] = {
    "lay": {"en": "lays", "fr": "pose"},
    "discard": {"en": "discards", "fr": "défausse"},
}
SAY = Phrases(
    {
        "deal": ("dealing", "distribution"),
        "play": ("{who} to play", "à {who} de jouer"),
        "draw": ("{who} to draw", "à {who} de piocher"),
        "last": ("last cards, to answer: {who}", "dernières cartes, réponses attendues : {who}"),
        "over": ("the match is over", "la partie est terminée"),
        "paused": ("the match is paused", "la partie est suspendue"),
        "named": ("a card is coming from the deck", "une carte arrive de la pioche"),
        "turn": ("turn {turn}", "tour {turn}"),
        "deck": ("deck {deck}", "pioche {deck}"),
        "line": ("wish stones in the line: {stones}", "Pierres de Vœux disponibles : {stones}"),
        "none": ("none", "aucune"),
        "you": (" (you)", " (vous)"),
        "seat": (
            "{who}: {held} in hand, {total} {points}, stones {stones}",
            "{who} : {held} en main, {total} {points}, Pierres de Vœux : {stones}",
        ),
        "piles": ("Discard piles, top card first:", "Défausses, carte du dessus d’abord :"),
        "empty": ("no discards yet", "aucune défausse"),
        "closed": (", closed this turn", ", fermée ce tour-ci"),
        "hand": ("Your hand: {cards}", "Votre main : {cards}"),
        "answer": ("Your last cards: {cards}", "Vos dernières cartes : {cards}"),
        "five-ends": ("Five rows are ended.", "Cinq séries ont une carte Fin."),
        "deck-out": ("The deck is empty.", "La pioche est vide."),
        "left": ("Left in the hand of {who}: {cards}", "Restent dans la main {of} : {cards}"),
        "legend": ("", "R rouge, J jaune (Y), V vert (G), B bleu, P rose, N Point, F Fin (E)"),
    }
)


def text(view: KeltisView, locale: Locale) -> str:
    """Write the whole table in at most 78 columns."""
    say = SAY[locale]
    who = ", ".join(view.called(seat, locale) for seat in view.asked)
    now = say[_now(view)].format(who=who)
    rows = [f"Keltis · {say['turn'].format(turn=view.turn)} · {say['deck'].format(deck=view.deck)}"]
    rows += fold_words(capitalise(now), WIDTH)
    rows.append(capitalise(say["line"].format(stones=_numbers(view.line) or say["none"])))
    rows += [say[view.cause]] if view.cause else []
    for seat in range(view.seats):
        rows += ["", *_seat(view, seat, locale)]
    rows += ["", *_piles(view, locale)]
    rows += ["", say["legend"]] if say["legend"] else []
    rows.append("")
    for seat, hand in enumerate(view.left):
        who = view.called(seat, locale)
        left = say["left"].format(who=who, of=of_name(who), cards=card_codes(hand, locale) or say["none"])
        rows += fold_words(left, WIDTH, later="  ")
    if view.hand and not view.over:
        rows.append(say["hand"].format(cards=card_codes(view.hand, locale)))
    if view.answer is not None:
        rows.append(say["answer"].format(cards=card_codes(view.answer, locale) or say["none"]))
    return "\n".join(rows).rstrip()


def _now(view: KeltisView) -> str:
    if not view.asked and not view.over:
        return "paused"
    return "named" if CHANCE in view.asked and view.phase == "draw" else view.phase


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _seat(view: KeltisView, seat: Seat, locale: Locale) -> list[str]:
    say, score = SAY[locale], view.scores[seat]
    who = view.called(seat, locale) + (say["you"] if seat == view.seat else "")
    stones = _numbers(view.stones[seat]) or say["none"]
    rows = fold_words(
        say["seat"].format(
            who=who, held=view.held[seat], total=score.total, stones=stones, points=points_word(score.total, locale)
        ),
        WIDTH,
    )
    for pile, row, count in zip(PILES, view.rows[seat], score.counts, strict=False):
        name = ROW_NAMES[locale][pile]
        rows += fold_words(f"  {name:<8}{count.points:>3}  {card_codes(row, locale) or '-'}", WIDTH, later=" " * 15)
    return rows


def _piles(view: KeltisView, locale: Locale) -> list[str]:
    say = SAY[locale]
    if not any(view.piles):
        return [say["piles"] + " " + say["empty"]]
    rows = [say["piles"]]
    for name, pile in zip(PILES, view.piles, strict=True):
        if pile:
            label = f"  {COLOUR_NAMES[locale][name].capitalize():<8}"
            closed = say["closed"] if name in view.closed else ""
            rows += fold_words(label + card_codes(reversed(pile), locale) + closed, WIDTH, later=" " * 10)
    return rows


def say(view: KeltisView, action: Action[Keltis], locale: Locale) -> str:
    """Return one short sentence for a menu. None has a sign before which French sets a space."""
    if isinstance(action, LastCards):
        return _last(action.lays, locale)
    if isinstance(action, DrawFrom):
        return _draw(view, action.source, locale)
    if isinstance(action, Stone):
        pair = AND[locale].join(card_name(card, locale) for card in (action.one, action.two))
        stone = action.one[1:]
        return {"en": f"Take wish stone {stone} for {pair}", "fr": f"Prendre la Pierre de Vœux {stone} contre {pair}"}[
            locale
        ]
    if isinstance(action, Discard):
        return {"en": "Discard ", "fr": "Défausser "}[locale] + card_name(action.card, locale)
    if isinstance(action, Lay):
        onto = _onto(":".join(filter(None, (action.card, action.row))), locale)
        return {"en": "Lay ", "fr": "Poser "}[locale] + card_name(action.card, locale) + onto
    return action.line


def _draw(view: KeltisView, source: str, locale: Locale) -> str:
    if source == "deck":
        return {"en": "Draw from the deck", "fr": "Piocher dans la pioche"}[locale]
    card = card_name(view.piles[PILES.index(source)][-1], locale)
    return {"en": f"Take {card} from its discard pile", "fr": f"Prendre {card} sur sa défausse"}[locale]


def _last(lays: tuple[str, ...], locale: Locale) -> str:
    if not lays:
        return {"en": "Lay no last cards", "fr": "Ne poser aucune dernière carte"}[locale]
    named = [card_name(lay.split(":")[0], locale) + _onto(lay, locale) for lay in lays]
    return {"en": "Lay at last ", "fr": "Poser enfin "}[locale] + {"en": ", then ", "fr": ", puis "}[locale].join(named)


def _onto(lay: str, locale: Locale) -> str:
    card, _, colour = lay.partition(":")
    if not colour:
        return {"en": " on the Point row", "fr": " dans la série neutre"}[locale] if card[0] == POINT else ""
    name = row_colour(colour, locale)
    return {"en": f" on the {name} row", "fr": f" dans la série {name}"}[locale]


def tell(before: KeltisView, after: KeltisView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell what a line did, as the viewer saw it."""
    verb, *rest = line.split(" ")
    if verb == "start":
        told = BEGINS[locale].format(who=before.called(int(rest[0]), locale))
    elif seat == -1 and verb in ("deal", "draw"):
        told = _tell_deal(before, verb, rest, locale)
    else:
        told = _tell_action(before, before.called(seat, locale), verb, rest, locale)
    ended = [SAY[locale][after.cause]] if after.cause and not before.cause else []
    return (typeset(told, locale), *ended)


def _tell_deal(before: KeltisView, verb: str, rest: list[str], locale: Locale) -> str:
    who, shown = before.called(int(rest[0]), locale), [card for card in rest[1:] if card != "?"]
    cards = {"en": ": ", "fr": " : "}[locale] + card_codes(shown, locale) if shown else ""
    if verb == "deal":
        return {"en": f"{who} is dealt eight cards{cards}.", "fr": f"{who} reçoit huit cartes{cards}."}[locale]
    return {"en": f"{who} draws a card{cards}.", "fr": f"{who} pioche une carte{cards}."}[locale]


def _tell_action(before: KeltisView, who: str, verb: str, rest: list[str], locale: Locale) -> str:
    if verb == "stone":
        cards = AND[locale].join(card_name(card, locale) for card in rest)
        stone = rest[0][1:]
        return TAKES[locale].format(who=who, stone=stone, cards=cards)
    if verb == "draw":
        return _tell_draw(before, who, rest[0], locale)
    if verb == "last":
        return _tell_last(who, rest, locale)
    if verb in DONE:
        onto = _onto(":".join(rest), locale) if verb == "lay" else ""
        return f"{who} {DONE[verb][locale]} {card_name(rest[0], locale)}{onto}."
    return f"{who}: {' '.join((verb, *rest))}"


def _tell_draw(before: KeltisView, who: str, source: str, locale: Locale) -> str:
    if source == "deck":
        return {"en": f"{who} draws from the deck.", "fr": f"{who} pioche."}[locale]
    card = card_name(before.piles[PILES.index(source)][-1], locale)
    return {"en": f"{who} takes {card} from the discards.", "fr": f"{who} reprend {card} des défausses."}[locale]


def _tell_last(who: str, rest: list[str], locale: Locale) -> str:
    if rest == ["?"]:
        return {"en": f"{who} has chosen last cards.", "fr": f"{who} a choisi ses dernières cartes."}[locale]
    cards = ", ".join(card_name(lay.split(":")[0], locale) + _onto(lay, locale) for lay in rest if lay != "none")
    return {"en": f"{who} lays at last: {cards or 'nothing'}.", "fr": f"{who} pose enfin : {cards or 'rien'}."}[locale]


INKS = (
    (r"\bR(?:10|[0-9EF])\b", "red"),
    (r"\b[YJ](?:10|[0-9EF])\b", "yellow"),
    (r"\b[GV](?:10|[0-9EF])\b", "green"),
    (r"\bB(?:10|[0-9EF])\b", "blue"),
    (r"\bP(?:10|[0-9EF])\b", "magenta"),
    (r"\bN(?:10|[0-9])\b", "dim"),
    *(
        (rf"^  (?:{'|'.join({COLOUR_NAMES['en'][c].capitalize(), COLOUR_NAMES['fr'][c].capitalize()})})\b", ink)
        for c, ink in zip(COLOURS, ("red", "yellow", "green", "blue", "magenta"), strict=True)
    ),
)
