"""Marks of Bardwood Grove: the cards, places, regions, legends and runes that are touched to choose a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Action
from engine.games.bardwood_grove.rules import actions as turn
from engine.games.bardwood_grove.rules import creature_actions as creature
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.board import BANK, FIRST_LAIR, LAIRS
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.texts.names import SPENDING_NAMES, amount, name, pick_of, quarter
from engine.games.bardwood_grove.view import BardwoodView
from engine.phrases import Phrases
from engine.presentation import Marks
from engine.words import Locale

MELODY, CAPTURED = "melody", "captured"
BUTTONS = Phrases(
    {
        "stay": ("Stay", "Rester"),
        "swell": ("Add the volume that waits", "Ajouter le volume en attente"),
        "help": ("Help", "Aider"),
        "soothe": ("Soothe", "Apaiser"),
        "done": ("End the song", "Finir la chanson"),
        "idle": ("Only move the pawn", "Seulement déplacer le pion"),
    }
)
NAMES = Phrases(
    {
        "region": ("region {word}", "région {word}"),
        "river": ("river space {word}", "case {word} de la rivière"),
        "rune": ("rune from {quarter}", "rune du quart {quarter}"),
        "brag": ("brag space {word}", "emplacement {word} de fanfaronnade"),
        "side": ("side {word}", "côté {word}"),
        MELODY: ("melody", "mélodie"),
        CAPTURED: ("captured crests", "écussons pris"),
    }
)


def one(mark: str) -> Marks:
    """Return the mark of a line that a single touch chooses."""
    return ((mark,),)


def move_marks(view: BardwoodView, action: turn.Move) -> Marks:
    """Return the marks of a move: the targets of bard and boat, as far as they move."""
    player = view.players[view.turn]
    region = () if action.region == player.region else one(f"region:{action.region}")
    boat = one(f"river:{player.boat + action.boat}") if action.boat else ()
    return region + boat or one("say:stay")


def creature_marks(view: BardwoodView, action: creature.Help | creature.Soothe) -> Marks:
    """Return the marks of a creature's lair and of the action on it."""
    lair = LAIRS[view.tops.index(action.creature, FIRST_LAIR) - FIRST_LAIR]
    return (f"place:{lair}",), (f"say:{action.verb}",)


def buy_marks(view: BardwoodView, action: song.Buy) -> Marks:
    """Return the marks of the shops of the cards that are bought."""
    cards = (action.card, action.second) if action.second else (action.card,)
    return tuple((f"place:{song.SHOP_OF[view.tops.index(card)]}",) for card in cards)


def rune_marks(mark: str, slug: str | None) -> Marks:
    """Return the marks of a line that takes a rune from a quarter of the dial. The rival has no dial."""
    return ((mark,), (f"rune:{slug}",)) if slug else one(mark)


Marking = Callable[[BardwoodView, Any], Marks]
MARKINGS: dict[type[Action[Bardwood]], Marking] = {
    turn.ChooseBard: lambda _, action: one(f"bard:{action.bard}"),
    turn.Compose: lambda _, action: one(f"hand:{action.song}"),
    turn.Move: move_marks,
    turn.Fan: lambda _, action: one(f"side:{action.side}"),
    turn.Stack: lambda _, action: one(f"brag:{action.space}"),
    creature.Help: creature_marks,
    creature.Soothe: creature_marks,
    creature.Lull: lambda _, action: one(f"place:{action.lair}"),
    creature.Challenge: lambda _, action: one(f"seat:{action.seat}"),
    song.Lower: lambda _, action: one(f"song:{action.skill}"),
    song.Turn: lambda _, action: ((MELODY,), (f"say:M{action.melody}",)),
    song.Buy: buy_marks,
    song.Banking: lambda _, action: ((f"place:{BANK}",), *((f"say:{each}",) for each in action.amounts)),
    song.Perform: lambda _, action: rune_marks(f"place:{action.stage}", action.quarter),
    song.Tell: lambda _, action: rune_marks(f"legend:{action.legend}", action.quarter),
    song.Trade: lambda _, action: one(f"place:{action.location}"),
    song.Spend: lambda _, action: ((CAPTURED,), (f"say:{action.benefit}",)),
    song.Brag: lambda _, action: one(f"brag:{action.space}"),
    song.TakeMotif: lambda _, action: one(f"motif:{action.motif}"),
    song.TakeOffer: lambda _, action: one(f"event:{action.event}"),
}


def marks(view: BardwoodView, action: Action[Bardwood]) -> Marks:
    """Return the marks of a line: usually one, with a second one or a button if one is ambiguous."""
    marking = MARKINGS.get(type(action))
    return marking(view, action) if marking else one(f"say:{action.verb}")


def mark_name(view: BardwoodView, mark: str, locale: Locale) -> str:
    """Return the name of a mark on a button."""
    sort, _, word = mark.partition(":")
    if sort == "say":
        return button_name(word, locale)
    if sort == "seat":
        return view.called(int(word), locale)
    if sort == "rune":
        return NAMES.say(sort, locale, quarter=quarter(word, locale))
    return NAMES.say(sort, locale, word=word) if sort in NAMES else name(word, locale)


def button_name(word: str, locale: Locale) -> str:
    """Return the text of a button: a verb, the use of crests, or an amount of melody or lyrics such as `M2`."""
    if word[1:].isdigit():
        return amount("melody" if word[0] == "M" else "lyrics", int(word[1:]), locale)
    return BUTTONS[locale][word] if word in BUTTONS else pick_of(SPENDING_NAMES[word], locale)
