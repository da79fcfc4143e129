"""The table of Keltis in words: for terminals, letters and screen readers."""

from __future__ import annotations

from engine.game import CHANCE, Action, Seat
from engine.games.keltis.cards import COLOURS, PILES, POINT
from engine.games.keltis.rules import Discard, DrawFrom, Keltis, LastCards, Lay, Stone
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import COLOUR_NAMES, card_codes, card_name
from engine.lines import folded
from engine.starting_seat import BEGINS
from engine.words import Locale, french, of_name, points_word

WIDTH = 78
ROW_NAMES: dict[Locale, dict[str, str]] = {
    "en": {pile: name.capitalize() for pile, name in COLOUR_NAMES["en"].items()},
    "fr": {pile: name.capitalize() for pile, name in COLOUR_NAMES["fr"].items()} | {POINT: "Neutre"},
}
TAKES: dict[Locale, str] = {
    "en": "{who} takes wish stone {stone} for {cards}.",
    "fr": "{who} prend la Pierre de Vœux {stone} contre {cards}.",
}
AND: dict[Locale, str] = {"en": "and", "fr": "et"}
DONE: dict[str, dict[Locale, str]] = {
    "lay": {"en": "lays", "fr": "pose"},
    "discard": {"en": "discards", "fr": "défausse"},
}
SAY: dict[Locale, dict[str, str]] = {
    "en": {
        "deal": "dealing",
        "play": "{who} to play",
        "draw": "{who} to draw",
        "last": "last cards, to answer: {who}",
        "over": "the match is over",
        "paused": "the match is paused",
        "named": "a card is coming from the deck",
        "turn": "turn {turn}",
        "deck": "deck {deck}",
        "line": "wish stones in the line: {stones}",
        "none": "none",
        "you": " (you)",
        "seat": "{who}: {held} in hand, {total} {points}, stones {stones}",
        "piles": "Discard piles, top card first:",
        "empty": "no discards yet",
        "closed": ", closed this turn",
        "hand": "Your hand: {cards}",
        "answer": "Your last cards: {cards}",
        "five-ends": "Five rows are ended.",
        "deck-out": "The deck is empty.",
        "left": "Left in the hand of {who}: {cards}",
    },
    "fr": {
        "deal": "distribution",
        "play": "à {who} de jouer",
        "draw": "à {who} de piocher",
        "last": "dernières cartes, réponses attendues : {who}",
        "over": "la partie est terminée",
        "paused": "la partie est suspendue",
        "named": "une carte arrive de la pioche",
        "turn": "tour {turn}",
        "deck": "pioche {deck}",
        "line": "Pierres de Vœux disponibles : {stones}",
        "none": "aucune",
        "you": " (vous)",
        "seat": "{who} : {held} en main, {total} {points}, Pierres de Vœux : {stones}",
        "piles": "Défausses, carte du dessus d’abord :",
        "empty": "aucune défausse",
        "closed": ", fermée ce tour-ci",
        "hand": "Votre main : {cards}",
        "answer": "Vos dernières cartes : {cards}",
        "five-ends": "Cinq séries ont une carte Fin.",
        "deck-out": "La pioche est vide.",
        "left": "Restent dans la main {of} : {cards}",
        "legend": "R rouge, J jaune (Y), V vert (G), B bleu, P rose, N Point, F Fin (E)",
    },
}
SAY["fr"] = {key: french(words) for key, words in SAY["fr"].items()}


def text(view: KeltisView, locale: Locale) -> str:
    """The whole table in at most 78 columns."""
    say = SAY[locale]
    who = ", ".join(view.called(seat, locale) for seat in view.asked)
    now = say[_now(view)].format(who=who)
    rows = [f"Keltis · {say['turn'].format(turn=view.turn)} · {say['deck'].format(deck=view.deck)}"]
    rows += folded(_sentence(now), WIDTH)
    rows.append(_sentence(say["line"].format(stones=_numbers(view.line) or say["none"])))
    rows += [say[view.cause]] if view.cause else []
    for seat in range(view.seats):
        rows += ["", *_seat(view, seat, locale)]
    rows += ["", *_piles(view, locale)]
    rows += ["", say["legend"]] if "legend" in say else []
    rows.append("")
    for seat, hand in enumerate(view.left):
        who = view.called(seat, locale)
        left = say["left"].format(who=who, of=of_name(who), cards=card_codes(hand, locale) or say["none"])
        rows += folded(left, WIDTH, later="  ")
    if view.hand and not view.over:
        rows.append(say["hand"].format(cards=card_codes(view.hand, locale)))
    if view.answer is not None:
        rows.append(say["answer"].format(cards=card_codes(view.answer, locale) or say["none"]))
    return "\n".join(rows).rstrip()


def _now(view: KeltisView) -> str:
    if not view.asked and not view.over:
        return "paused"
    return "named" if CHANCE in view.asked and view.phase == "draw" else view.phase


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _seat(view: KeltisView, seat: Seat, locale: Locale) -> list[str]:
    say, score = SAY[locale], view.scores[seat]
    who = view.called(seat, locale) + (say["you"] if seat == view.seat else "")
    stones = _numbers(view.stones[seat]) or say["none"]
    rows = folded(
        say["seat"].format(
            who=who, held=view.held[seat], total=score.total, stones=stones, points=points_word(score.total, locale)
        ),
        WIDTH,
    )
    for pile, row, count in zip(PILES, view.rows[seat], score.counts, strict=False):
        name = ROW_NAMES[locale][pile]
        rows += folded(f"  {name:<8}{count.points:>3}  {card_codes(row, locale) or '-'}", WIDTH, later=" " * 15)
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
            rows += folded(label + card_codes(reversed(pile), locale) + closed, WIDTH, later=" " * 10)
    return rows


def say(view: KeltisView, action: Action[Keltis], locale: Locale) -> str:
    """One short sentence for a menu; none has a sign that French sets apart."""
    if isinstance(action, LastCards):
        return _last(action.lays, locale)
    if isinstance(action, DrawFrom):
        return _draw(view, action.source, locale)
    if isinstance(action, Stone):
        pair = f" {AND[locale]} ".join(card_name(card, locale) for card in (action.one, action.two))
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


def feminine(colour: str) -> str:
    """A colour of a row, which is feminine in French."""
    return {"vert": "verte", "bleu": "bleue"}.get(colour, colour)


def _draw(view: KeltisView, source: str, locale: Locale) -> str:
    if source == "deck":
        return {"en": "Draw from the deck", "fr": "Piocher dans la pioche"}[locale]
    card = card_name(view.piles[PILES.index(source)][-1], locale)
    return {"en": f"Take {card} from its discard pile", "fr": f"Prendre {card} sur sa défausse"}[locale]


def _last(lays: tuple[str, ...], locale: Locale) -> str:
    if not lays:
        return {"en": "Lay no last cards", "fr": "Ne poser aucune dernière carte"}[locale]
    named = [card_name(lay.split(":")[0], locale) + _onto(lay, locale) for lay in lays]
    return {"en": "Lay at last ", "fr": "Poser pour finir "}[locale] + {"en": ", then ", "fr": ", puis "}[locale].join(
        named
    )


def _onto(lay: str, locale: Locale) -> str:
    card, _, colour = lay.partition(":")
    if not colour:
        return {"en": " on the Point row", "fr": " dans la série neutre"}[locale] if card[0] == POINT else ""
    name = COLOUR_NAMES[locale][colour]
    return {"en": f" on the {name} row", "fr": f" dans la série {feminine(name)}"}[locale]


def tell(before: KeltisView, after: KeltisView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """What a made line meant, as the viewer saw it."""
    verb, *rest = line.split(" ")
    if verb == "start":
        told = BEGINS[locale].format(who=before.called(int(rest[0]), locale))
    elif seat == -1 and verb in ("deal", "draw"):
        told = _dealt(before, verb, rest, locale)
        if not told:
            return ()
    else:
        told = _made(before, before.called(seat, locale), verb, rest, locale)
    ended = [SAY[locale][after.cause]] if after.cause and not before.cause else []
    return (french(told) if locale == "fr" else told, *ended)


def _dealt(before: KeltisView, verb: str, rest: list[str], locale: Locale) -> str:
    who, shown = before.called(int(rest[0]), locale), [card for card in rest[1:] if card != "?"]
    cards = {"en": ": ", "fr": " : "}[locale] + card_codes(shown, locale) if shown else ""
    if verb == "deal":
        return {"en": f"{who} is dealt eight cards{cards}.", "fr": f"{who} reçoit huit cartes{cards}."}[locale]
    # The line before it has told that they draw: only a card that the viewer sees is news.
    return {"en": f"The card{cards}.", "fr": f"La carte{cards}."}[locale] if cards else ""


def _made(before: KeltisView, who: str, verb: str, rest: list[str], locale: Locale) -> str:
    if verb == "stone":
        cards = f" {AND[locale]} ".join(card_name(card, locale) for card in rest)
        stone = rest[0][1:]
        return TAKES[locale].format(who=who, stone=stone, cards=cards)
    if verb == "draw":
        return _drew(before, who, rest[0], locale)
    if verb == "last":
        return _lasted(who, rest, locale)
    if verb in DONE:
        onto = _onto(":".join(rest), locale) if verb == "lay" else ""
        return f"{who} {DONE[verb][locale]} {card_name(rest[0], locale)}{onto}."
    return f"{who}: {' '.join((verb, *rest))}"


def _drew(before: KeltisView, who: str, source: str, locale: Locale) -> str:
    if source == "deck":
        return {"en": f"{who} draws from the deck.", "fr": f"{who} pioche."}[locale]
    card = card_name(before.piles[PILES.index(source)][-1], locale)
    return {"en": f"{who} takes {card} from the discards.", "fr": f"{who} reprend {card} des défausses."}[locale]


def _lasted(who: str, rest: list[str], locale: Locale) -> str:
    if rest == ["?"]:
        return {"en": f"{who} has chosen last cards.", "fr": f"{who} a choisi ses dernières cartes."}[locale]
    cards = ", ".join(card_name(lay.split(":")[0], locale) + _onto(lay, locale) for lay in rest if lay != "none")
    return {
        "en": f"{who} lays at last: {cards or 'nothing'}.",
        "fr": f"{who} pose pour finir : {cards or 'rien'}.",
    }[locale]


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
