"""The table of Keltis in words: for terminals, emails and screen readers."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import CHANCE, Action, Seat
from engine.games.keltis.cards import COLOURS, PILES, POINT, VALUE, alike
from engine.games.keltis.rules import Discard, DrawFrom, Keltis, LastCards, Lay, Stone
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import COLOUR_NAMES, card_code, card_codes, card_name, row_colour
from engine.lines import fold_words
from engine.phrases import Phrases
from engine.starting_seat import BEGINS
from engine.task import Task, fill_task
from engine.words import AND, THEN_WORD, Locale, capitalise, of_name, points_word, typeset

WIDTH = 78
ROW_NAMES: dict[Locale, dict[str, str]] = {
    "en": {pile: name.capitalize() for pile, name in COLOUR_NAMES["en"].items()},
    "fr": {pile: name.capitalize() for pile, name in COLOUR_NAMES["fr"].items()} | {POINT: "Neutre"},
}
SAID = Phrases(
    {
        "lay": ("Lay {card}{onto}", "Poser {card}{onto}"),
        "discard": ("Discard {card}", "Défausser {card}"),
        "stone": ("Take wish stone {stone} for {cards}", "Prendre la Pierre de Vœux {stone} contre {cards}"),
        "draw": ("Draw from the deck", "Piocher dans la pioche"),
        "take": ("Take {card} from its discard pile", "Prendre {card} sur sa défausse"),
        "last": ("Lay last cards: {cards}", "Poser pour finir {cards}"),
        "no-last": ("Lay no last cards", "Ne poser aucune dernière carte"),
        "points-row": (" on the Point row", " dans la série neutre"),
        "row": (" on the {colour} row", " dans la série {colour}"),
    }
)
"""Menu entries and their parts."""
TOLD = Phrases(
    {
        "lay": ("{who} lays {card}{onto}.", "{who} pose {card}{onto}."),
        "discard": ("{who} discards {card}.", "{who} défausse {card}."),
        "stone": (
            "{who} takes wish stone {stone} for {cards}.",
            "{who} prend la Pierre de Vœux {stone} contre {cards}.",
        ),
        "deal": ("{who} is dealt eight cards.", "{who} reçoit huit cartes."),
        "deal-shown": ("{who} is dealt eight cards: {cards}.", "{who} reçoit huit cartes : {cards}."),
        "draw-shown": ("The card: {cards}.", "La carte : {cards}."),
        "from-deck": ("{who} draws from the deck.", "{who} pioche."),
        "from-pile": ("{who} takes {card} from the discards.", "{who} reprend {card} des défausses."),
        "last": ("{who} lays last cards: {cards}.", "{who} pose pour finir : {cards}."),
        "no-last": ("{who} lays last cards: none.", "{who} pose pour finir : rien."),
        "sealed-last": ("{who} has chosen last cards.", "{who} a choisi ses dernières cartes."),
    }
)
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
        "tops": ("Tops of the discard piles:", "Dessus des défausses :"),
        "empty": ("no discards yet", "aucune défausse"),
        "closed": (", closed this turn", ", fermée ce tour-ci"),
        "hand": ("Your hand: {cards}", "Votre main : {cards}"),
        "answer": ("Your last cards: {cards}", "Vos dernières cartes : {cards}"),
        "five-ends": ("Five rows have ended.", "Cinq séries ont une carte Fin."),
        "deck-out": ("The deck is empty.", "La pioche est vide."),
        "left": ("Left in {who}’s hand: {cards}", "Restent dans la main {of} : {cards}"),
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
    return "\n".join([*rows, "", *_hands(view, locale)]).rstrip()


def compact(view: KeltisView, locale: Locale) -> str:
    """Write the table for a window of 24 rows: a row for each seat's cards, and only the tops of the discard piles."""
    say = SAY[locale]
    now = say[_now(view)].format(who=", ".join(view.called(seat, locale) for seat in view.asked))
    head = [say["turn"].format(turn=view.turn), say["deck"].format(deck=view.deck), now]
    rows = fold_words(" · ".join(["Keltis", *head, *([say[view.cause]] if view.cause else [])]), WIDTH, later="  ")
    rows.append(capitalise(say["line"].format(stones=_numbers(view.line) or say["none"])))
    for seat in range(view.seats):
        counts = zip(view.rows[seat], view.scores[seat].counts, strict=False)
        laid = [f"{card_codes(cards, locale)} ({count.points})" for cards, count in counts if cards]
        rows += _seat_line(view, seat, locale)
        rows += fold_words(" · ".join(laid), WIDTH, "  ", "  ") if laid else []
    tops = [
        card_code(pile[-1], locale) + (say["closed"] if name in view.closed else "")
        for name, pile in zip(PILES, view.piles, strict=True)
        if pile
    ]
    rows += fold_words(f"{say['tops']} {' · '.join(tops) or say['empty']}", WIDTH, later="  ")
    return "\n".join([*rows, *_hands(view, locale)])


def _hands(view: KeltisView, locale: Locale) -> list[str]:
    """Return the viewer's cards, and at the end those that are left in all hands."""
    say, rows = SAY[locale], []
    for seat, hand in enumerate(view.left):
        who = view.called(seat, locale)
        left = say["left"].format(who=who, of=of_name(who), cards=card_codes(hand, locale) or say["none"])
        rows += fold_words(left, WIDTH, later="  ")
    if view.hand and not view.over:
        rows.append(say["hand"].format(cards=card_codes(view.hand, locale)))
    if view.answer is not None:
        rows.append(say["answer"].format(cards=card_codes(view.answer, locale) or say["none"]))
    return rows


def _now(view: KeltisView) -> str:
    if not view.asked and not view.over:
        return "paused"
    return "named" if CHANCE in view.asked and view.phase == "draw" else view.phase


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _seat(view: KeltisView, seat: Seat, locale: Locale) -> list[str]:
    rows = _seat_line(view, seat, locale)
    for pile, row, count in zip(PILES, view.rows[seat], view.scores[seat].counts, strict=False):
        name = ROW_NAMES[locale][pile]
        rows += fold_words(f"  {name:<8}{count.points:>3}  {card_codes(row, locale) or '-'}", WIDTH, later=" " * 15)
    return rows


def _seat_line(view: KeltisView, seat: Seat, locale: Locale) -> list[str]:
    say, score = SAY[locale], view.scores[seat]
    who = view.called(seat, locale) + (say["you"] if seat == view.seat else "")
    stones = _numbers(view.stones[seat]) or say["none"]
    return fold_words(
        say["seat"].format(
            who=who, held=view.held[seat], total=score.total, stones=stones, points=points_word(score.total, locale)
        ),
        WIDTH,
    )


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
    """Return one short sentence for a menu."""
    match action:
        case LastCards(lays):
            cards = THEN_WORD[locale].join(_lay(lay, locale) for lay in lays)
            return SAID.say("last", locale, cards=cards) if lays else SAID[locale]["no-last"]
        case DrawFrom(source):
            card = _top_card(view, source, locale)
            return SAID.say("take" if card else "draw", locale, card=card)
        case Stone(one, two):
            return SAID.say("stone", locale, stone=one[1:], cards=_pair((one, two), locale))
        case Discard(card):
            return SAID.say("discard", locale, card=card_name(card, locale))
        case Lay(card, row):
            lay = f"{card}:{row}" if row else card
            return SAID.say("lay", locale, card=card_name(card, locale), onto=_onto(lay, locale))
    return action.line


def _top_card(view: KeltisView, source: str, locale: Locale) -> str:
    """Return the name of the card that is drawn from a pile, or an empty string for the deck."""
    return "" if source == "deck" else card_name(view.piles[PILES.index(source)][-1], locale)


def _pair(cards: Iterable[str], locale: Locale) -> str:
    return AND[locale].join(card_name(card, locale) for card in cards)


def _lay(lay: str, locale: Locale) -> str:
    return card_name(lay.split(":", maxsplit=1)[0], locale) + _onto(lay, locale)


def _onto(lay: str, locale: Locale) -> str:
    """Return the target of a lay, or an empty string for a card that goes on the row of its colour."""
    card, _, colour = lay.partition(":")
    if colour:
        return SAID.say("row", locale, colour=row_colour(colour, locale))
    return SAID[locale]["points-row"] if card[0] == POINT else ""


def tell(before: KeltisView, after: KeltisView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell the effect of a line, as the viewer saw it."""
    verb, *rest = line.split(" ")
    if verb == "start":
        told = BEGINS[locale].format(who=before.called(int(rest[0]), locale))
    elif seat == CHANCE and verb in ("deal", "draw"):
        told = _tell_deal(before, verb, rest, locale)
        if not told:
            return ()
    else:
        told = _tell_action(before, before.called(seat, locale), verb, rest, locale)
    ended = [SAY[locale][after.cause]] if after.cause and not before.cause else []
    return (typeset(told, locale), *ended)


def _tell_deal(before: KeltisView, verb: str, rest: list[str], locale: Locale) -> str:
    who, cards = before.called(int(rest[0]), locale), [card for card in rest[1:] if card != "?"]
    if verb == "draw" and not cards:
        return ""  # the line before it has said who draws; only a card that the viewer sees is news
    return TOLD.say(f"{verb}-shown" if cards else verb, locale, who=who, cards=card_codes(cards, locale))


def _tell_action(before: KeltisView, who: str, verb: str, rest: list[str], locale: Locale) -> str:
    match verb, rest:
        case "stone", [one, two]:
            return TOLD.say("stone", locale, who=who, stone=one[1:], cards=_pair((one, two), locale))
        case "draw", [source]:
            card = _top_card(before, source, locale)
            return TOLD.say("from-pile" if card else "from-deck", locale, who=who, card=card)
        case "last", ["?"]:
            return TOLD.say("sealed-last", locale, who=who)
        case "last", lays:
            cards = ", ".join(_lay(lay, locale) for lay in lays if lay != "none")
            return TOLD.say("last" if cards else "no-last", locale, who=who, cards=cards)
        case (("lay" | "discard"), [card, *_]):
            onto = _onto(":".join(rest), locale) if verb == "lay" else ""
            return TOLD.say(verb, locale, who=who, card=card_name(card, locale), onto=onto)
    return f"{who}: {' '.join((verb, *rest))}"


INKS = (
    (r"\bR(?:10|[0-9EF])\b", "red"),
    (r"\b[YJ](?:10|[0-9EF])\b", "yellow"),
    (r"\b[GV](?:10|[0-9EF])\b", "green"),
    (r"\bB(?:10|[0-9EF])\b", "blue"),
    (r"\bP(?:10|[0-9EF])\b", "magenta"),
    (r"\bN(?:10|[0-9])\b", "dim"),
    *(
        (rf"^  (?:{COLOUR_NAMES['en'][c].capitalize()}|{COLOUR_NAMES['fr'][c].capitalize()})\b", ink)
        for c, ink in zip(COLOURS, ("red", "yellow", "green", "blue", "magenta"), strict=True)
    ),
)


TASKS = Phrases(
    {
        "play": ("Play: Lay or discard one card.", "Jouer : Posez ou défaussez une carte."),
        "trade": (
            "Play: Lay or discard one card, or swap two equal cards for a wish stone.",
            "Jouer : Posez ou défaussez une carte, ou échangez deux cartes égales contre une Pierre de Vœux.",
        ),
        "draw": (
            "Draw: Draw a card from the deck or from a discard pile.",
            "Piocher : Piochez une carte, dans la pioche ou sur une défausse.",
        ),
        "draw-two": (
            "Draw: Draw two cards, one after the other.",
            "Piocher : Piochez deux cartes, l’une après l’autre.",
        ),
        "last": (
            "Last cards: Lay up to two last cards. Everybody answers at the same time.",
            "Dernières cartes : Posez jusqu’à deux dernières cartes. Tout le monde répond en même temps.",
        ),
    }
)


def task(view: KeltisView, locale: Locale) -> Task:
    """Return the viewer's current task."""
    return fill_task(TASKS, _situation(view), locale)


def _situation(view: KeltisView) -> str:
    if view.phase == "draw":
        return "draw-two" if view.draws > 1 else "draw"
    if view.phase == "last":
        return "last"
    tradable = any(len(cards) > 1 and VALUE[cards[0]] in view.line for cards in alike(view.hand).values())
    return "trade" if tradable else "play"
