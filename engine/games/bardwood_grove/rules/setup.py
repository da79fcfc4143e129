"""Before the first move: the options of a match and its first steps."""

from __future__ import annotations

from engine.game import Step
from engine.games.bardwood_grove.rules import board
from engine.games.bardwood_grove.rules.cards import CONTENTS, DECKS, EDITION, bards, open_boxes, supply
from engine.games.bardwood_grove.rules.chance import Begin, DrawBards, DrawEvents, DrawMotifs, DrawMuses, LayCards
from engine.games.bardwood_grove.rules.decks import assign_bard
from engine.games.bardwood_grove.rules.events import EVENTS, SEASON, follows
from engine.games.bardwood_grove.rules.motifs import motifs
from engine.games.bardwood_grove.rules.rival import DIFFICULTIES, RIVAL_CARDS
from engine.games.bardwood_grove.rules.state import NO_RIVAL, RIVAL, Bardwood, Player, Rival
from engine.games.bardwood_grove.rules.steps import RESTS, ChooseBards, FirstTurn
from engine.options import BadSetting, Option, OptionPart, Setting, Settings
from engine.reasons import Localised, reason
from engine.words import Locale, french

RANDOM, CHOOSE = "random", "choose"
TWO_SEATS = 2
SMALL_A_LAIR = 2


def fits_events(value: Setting, seats: int) -> bool:  # noqa: ARG001  # the same for all seats
    """Return True if this leaves the events to chance, or names two that may follow each other."""
    named = str(value).split(",")
    return value == RANDOM or (
        len(named) == len(board.POOL_GEMS) and all(each in SEASON for each in named) and follows(*named)
    )


def fits_bards(value: Setting, seats: int) -> bool:
    """Return True if this leaves the bards to the seats or to chance, or names a different one for each person."""
    named = str(value).split(",")
    people = (seats, 1) if seats == TWO_SEATS else (seats,)
    return value in (CHOOSE, RANDOM) or (
        len(named) in people and len(set(named)) == len(named) and all(each in DECKS for each in named)
    )


def fits_rival(value: Setting, seats: int) -> bool:
    """Return True if a match with this number of seats may have this rival."""
    return value == NO_RIVAL or (value in DIFFICULTIES and seats == TWO_SEATS)


OPTIONS = (
    Option("edition", EDITION, {"en": "the edition of the cards", "fr": "l’édition des cartes"}, (EDITION,)),
    Option(
        "content",
        CONTENTS[-1],
        {"en": "the last open box", "fr": "la dernière boîte ouverte"},
        (CONTENTS[-1], *CONTENTS[:-1]),
        first_match=CONTENTS[0],
        labels={
            "base": {"en": "none: the base game", "fr": "aucune : le jeu de base"},
            "spring": {"en": "spring", "fr": "le printemps"},
            "summer": {"en": "summer", "fr": "l’été"},
            "autumn": {"en": "autumn", "fr": "l’automne"},
            "winter": {"en": "winter: the whole game", "fr": "l’hiver : le jeu entier"},
        },
    ),
    Option(
        "muse",
        default=False,
        title={"en": "a muse for each person", "fr": "une muse par personne"},
        choices=(False, True),
    ),
    Option(
        "events",
        RANDOM,
        {"en": "the events of Acts I and II", "fr": "les évènements des actes I et II"},
        (RANDOM,),
        fits_events,
        {
            "en": "random, or two events of one season or of a season and the next, such as gem-fair,crystal-harvest",
            "fr": "random, ou deux évènements d’une saison ou d’une saison et de la suivante, comme "
            "gem-fair,crystal-harvest",
        },
        first_match="spring-fair,snowmelt",
        parts=(
            OptionPart({"en": "Act I", "fr": "acte I"}, EVENTS),
            OptionPart({"en": "Act II", "fr": "acte II"}, EVENTS),
        ),
    ),
    Option(
        "bards",
        CHOOSE,
        {"en": "who plays which bard", "fr": "qui joue quel barde"},
        (CHOOSE, RANDOM),
        fits_bards,
        {
            "en": "choose, random, or a different bard for each person in seat order, such as piper,harper",
            "fr": "choose, random, ou un barde différent par personne dans l’ordre des places, comme piper,harper",
        },
    ),
    Option(
        "rival",
        NO_RIVAL,
        {"en": "a solo match against the rival", "fr": "une partie solo contre le rival"},
        (NO_RIVAL, *DIFFICULTIES),
        fits_rival,
        {
            "en": "none; with two seats also easy, normal, hard",
            "fr": french("none ; avec deux places aussi easy, normal, hard"),
        },
    ),
)


def named_bards(settings: Settings, people: int) -> tuple[str, ...]:
    """Return the bards that the settings name. Refuse them if they do not fit the content or the number of people."""
    if settings["bards"] in (CHOOSE, RANDOM):
        return ()
    named = tuple(str(settings["bards"]).split(","))
    known = bards(str(settings["content"]))
    if len(named) != people or not set(named) <= set(known):
        several = ", ".join(known)
        values: dict[Locale, str] = {
            "en": f"choose, random, or {people} different of {several}",
            "fr": f"choose, random, ou {people} différents parmi {several}",
        }
        boxes = [content for content in CONTENTS if set(named) <= set(bards(content))]
        if len(named) == people and boxes:
            absent = ", ".join(bard for bard in named if bard not in known)
            values["en"] += f"; for {absent}, add content={boxes[0]}"
            values["fr"] += french(f" ; pour {absent}, ajoutez content={boxes[0]}")
        wanted = {"option": "bards", "game": "bardwood-grove", "value": ",".join(named)}
        raise BadSetting(reason("game.option_here", **wanted, values=Localised(values)))
    return named


def lay_counts(seats: int) -> tuple[int, ...]:
    """Return the number of cards in each pile when the match begins."""
    counts = {pile: board.FANS_LAID if pile == board.PILES[0] else board.SHOP_CARDS for pile in board.PILES}
    for lair in board.LAIRS:
        counts[lair] = 1 + SMALL_A_LAIR - (seats == TWO_SEATS and lair in board.BELOW_POOLS)
    return tuple(counts[pile] for pile in board.PILES)


def setup(seats: int, settings: Settings, revision: int) -> Bardwood:  # noqa: ARG001  # one revision so far
    """Return the state before anything is drawn."""
    content, level = str(settings["content"]), str(settings["rival"])
    solo = level != NO_RIVAL
    people = 1 if solo else seats
    named = named_bards(settings, people)
    boxes = open_boxes(content)
    legends = tuple(
        tuple(
            sorted(
                slug for slug, at in board.LEGEND_LEVEL.items() if at == number and board.LEGEND_CONTENT[slug] in boxes
            )
        )
        for number in range(len(board.LEVELS))
    )
    players = (Player(),) * seats
    if solo:
        players = (Player(), Player(bard=RIVAL, region=board.RIVAL_START, runes=(0, 0, 0, 0)))
    events = str(settings["events"])
    state = Bardwood(
        seats=seats,
        agenda=first_steps(settings, people),
        content=content,
        muse=bool(settings["muse"]),
        events_option=events,
        bards_option=str(settings["bards"]),
        level=level,
        events=() if events == RANDOM else tuple(events.split(",")),
        motifs=() if len(motifs(content)) > board.MOTIFS_LAID else motifs(content),
        unseen=(*(supply(content, kind) for kind in ("fan", "impro", "skill", "small", "boss")), *legends),
        tops=("",) * len(board.PILES),
        left=lay_counts(seats),
        legends_left=(board.LEGENDS_A_LEVEL - 1,) * len(board.LEVELS),
        stages=((0,) * seats,) * len(board.STAGES),
        pools=tuple(gems * seats for gems in board.POOL_GEMS),
        players=players,
        rival=Rival(left=RIVAL_CARDS) if solo else None,
    )
    for seat, bard in enumerate(named):
        state = assign_bard(state, seat, bard)
    return state


def first_steps(settings: Settings, people: int) -> tuple[Step[Bardwood], ...]:
    """Return the steps of the setup that are not settled by options, then the hands and the first turn."""
    steps: list[Step[Bardwood]] = [Begin()]
    if settings["events"] == RANDOM:
        steps.append(DrawEvents())
    if len(motifs(str(settings["content"]))) > board.MOTIFS_LAID:
        steps.append(DrawMotifs())
    steps.append(LayCards())
    if settings["muse"]:
        steps.append(DrawMuses())
    if settings["bards"] == RANDOM:
        steps.append(DrawBards())
    elif settings["bards"] == CHOOSE:
        steps.append(ChooseBards())
    return (*steps, *RESTS[:people], FirstTurn())
