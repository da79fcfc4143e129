"""Refusals name the rule that forbids a line: for every line that people can write, in both languages."""

from __future__ import annotations

import importlib
import re
from random import Random
from string import Formatter
from typing import Any

import pytest

from engine.game import CHANCE, legal
from engine.games import GAMES
from engine.games.keltis.rules import Draw
from engine.games.tain.rules import FreeCaptives, PostGuards
from engine.games.tain.state import Choice
from engine.games.tir_na_nog.rules.steps import PlaceStoryteller
from engine.house import objection
from engine.phrases import Phrases
from engine.reading import read
from engine.reasons import Texts, reason
from engine.words import LOCALES
from tests.engine.bardwood_grove.tables import sings as bardwood_sings
from tests.engine.bardwood_grove.tables import table as bardwood
from tests.engine.keltis.tables import last_cards
from tests.engine.keltis.tables import table as keltis
from tests.engine.tain.tables import play as raid
from tests.engine.tain.tables import table as tain
from tests.engine.tir_na_nog.tables import playing, turn
from tests.engine.tir_na_nog.tables import table as tir
from tests.skeleton_game import GAME as SKELETON
from tests.support.random_matches import played

MOMENTS, LINES = 30, 25


def texts_of(slug: str) -> dict[str, Texts]:
    module = importlib.import_module(GAMES[slug].rules.refusal.__module__)
    tables: list[Phrases] = [module.REFUSALS, *([module.ASKED] if hasattr(module, "ASKED") else [])]
    return {key: {locale: table[locale][key] for locale in LOCALES} for table in tables for key in table["en"]}


@pytest.mark.parametrize("slug", [*GAMES, SKELETON.slug])
def test_every_rule_is_told_in_both_languages_with_the_same_values(slug: str) -> None:
    for key, texts in texts_of(slug).items():
        assert set(texts) == set(LOCALES), key
        values = [{name for _, name, _, _ in Formatter().parse(texts[locale])} - {None} for locale in LOCALES]
        assert values[0] == values[1], key
        assert not re.search(r"[:;!?](?= |$)", texts["fr"]), key  # signs that letters and terminals set differently


def lines_of(slug: str, seats: int) -> list[str]:
    """Lines that seats could make at some moment of a random match."""
    found: dict[str, None] = {}
    for moment in played(slug, seats, 2).moments:
        if moment.seat != CHANCE:
            found |= {option.line: None for option, _ in zip(legal(moment.state, moment.seat), range(60), strict=False)}
    return list(found)


@pytest.mark.parametrize(
    ("slug", "seats"),
    [*((slug, game.rules.seats[at]) for slug, game in GAMES.items() for at in (0, -1)), (SKELETON.slug, 2)],
)
def test_every_line_that_is_not_listed_is_forbidden_by_a_rule(slug: str, seats: int) -> None:
    game, random, lines = GAMES[slug], Random(slug), lines_of(slug, seats)
    moments = [each for each in played(slug, seats, 1).moments if each.seat != CHANCE]
    unexplained, tried = {}, 0
    for moment in random.sample(moments, min(MOMENTS, len(moments))):
        listed = legal(moment.state, moment.seat)
        for line in random.sample(lines, min(LINES, len(lines))):
            action = read(game, line, moment.seat)
            if action in listed:
                continue
            why = objection(moment.state, moment.seat, action, game)
            assert why is not None
            tried += 1
            if why == reason("line.not_listed"):
                unexplained[line] = type(moment.state.agenda[0]).__name__
            assert all("{" not in why.text(locale) for locale in LOCALES)
            other = game.rules.redeal(moment.state, moment.seat, random.randrange)
            assert objection(other, moment.seat, action, game) == why, "a reason tells what the seat may not know"
    assert tried
    assert unexplained == {}


HAND = "R5 R5 N7 B10 P10 PE G2 G8 Y0"
ROWS = ("R: 7 6; P: 3 E E; B: 4 6; Y: 5 E",)
PLAY = keltis(HAND, laid=ROWS, taken=(5,), piles="G: 8")
DRAW = keltis(HAND, piles="G: 8; B: 1", step=Draw(0, 1, "B"), deck=0, short_second_draw=True)
LAST = last_cards("R6 N5", laid=("R: 2 3 5",))
RECON = raid(tain(3), "0 put W b4; 1 put D 1; 2 put W kingdom")
KINGDOM = raid(tain(3), "0 put W kingdom; 1 put W kingdom; 2 pass")
GUARDING = tain(2, speedup=True).but(agenda=(PostGuards(),), guards=("..X..", "....."))
FREEING = tain(3).but(agenda=(FreeCaptives(),), choices=(Choice(0, 1, 1),))
JOURNEY = tir(PlaceStoryteller(0), sagas=("merrow-milliners bru-na-boinne",), out=("a1b1a2b2", "c1c2"))
TAKE = tir(*turn(0), out=("a1a2", "c1c2"))
HELD = tir(*playing(0), hands=("lugh macha",), sagas=("macha",), geas="diarmuid,deirdre,cathbad")
SONG = bardwood_sings(bardwood(), 0, "a1", "M1")


# fmt: off
FORBIDDEN = [  # game, table, line, the rule in English
    ("keltis", PLAY, "draw deck", "first lay a card, discard one or take a wish stone; the draw comes after that"),
    ("keltis", PLAY, "last none", "last cards are laid only when the match ends"),
    ("keltis", PLAY, "draw 0 R5", "the cards are dealt by chance"),
    ("keltis", PLAY, "discard R1", "red 1 is not in your hand"),
    ("keltis", PLAY, "stone N7 N7", "you have Point 7 only once"),
    ("keltis", PLAY, "stone G2 G8", "a wish stone costs two cards of the same value"),
    ("keltis", PLAY, "stone B10 P10", "there are wish stones for 1 to 9, not for 10"),
    ("keltis", PLAY, "stone R5 R5", "wish stone 5 is taken already"),
    ("keltis", PLAY, "lay G2 G", "it is written lay G2"),
    ("keltis", PLAY, "lay G2 R", "green 2 goes only on the row of its own colour"),
    ("keltis", PLAY, "lay PE", "the pink row has two End cards already"),
    ("keltis", keltis("RE", end_may_open=False), "lay RE", "an End card does not open a row, and the red row is empty"),
    ("keltis", PLAY, "lay P10", "the pink row has its End card, and only a second End may follow"),
    ("keltis", keltis("R8 B5", laid=ROWS), "lay R8", "the red row falls, and its last card is 6"),
    ("keltis", keltis("R8 B5", laid=ROWS), "lay B5", "the blue row rises, and its last card is 6"),
    ("keltis", PLAY, "lay N7 R",
     "on a colour row a Point card must repeat the last value, and in the red row that is 6"),
    ("keltis", PLAY, "lay N7 G", "a Point card does not open a colour row, and the green row is empty"),
    ("keltis", DRAW, "lay R5", "you have already played this turn; now draw"),
    ("keltis", DRAW, "draw deck", "the deck is empty"),
    ("keltis", DRAW, "draw R", "the red discard pile is empty"),
    ("keltis", DRAW, "draw B", "you have just discarded on the blue pile, so it is closed in this turn"),
    ("keltis", LAST, "discard R6", "the match ends; say which last cards you lay, as in last none"),
    ("keltis", LAST, "last R6 N5 R6", "you can lay at most two last cards"),
    ("keltis", LAST, "last R7", "red 7 is not in your hand"),
    ("keltis", LAST, "last R6 N5:R",
     "on a colour row a Point card must repeat the last value, and in the red row that is 6"),
    ("tain", RECON, "put W b4", "the gate b4 is taken, a scout of clan a stands there"),
    ("tain", RECON, "put C a1", "a1 is your own gate; a guard there is written put C 1"),
    ("tain", RECON, "put C d1", "no clan d plays in this match"),
    ("tain", RECON, "put D b1", "the daughter only guards your own gates"),
    ("tain", RECON, "put B kingdom", "only a chief, a warrior or a bluff goes to the kingdom"),
    ("tain", RECON, "guards none",
     "guards are posted all at once only when every scout and kingdom place is taken"),
    ("tain", RECON, "free B b", "there is no captive for you to free now"),
    ("tain", KINGDOM, "put X kingdom", "your clan has a token in the kingdom already"),
    ("tain", tain(2, unused=("X", "X")), "put W 1", "no warrior is left behind your screen"),
    ("tain", raid(tain(2), "0 put X 1; 1 pass"), "put W 1", "your gate 1 has its guard already"),
    ("tain", GUARDING, "pass", "now you name all guards that you still post, as in guards D4 X5 or guards none"),
    ("tain", GUARDING, "guards X3", "your gate 3 has its guard already"),
    ("tain", GUARDING, "guards C4 C5", "no chief is left behind your screen"),
    ("tain", GUARDING, "guards X5 C4", "it is written guards C4 X5"),
    ("tain", GUARDING, "guards X5 C5", "name the guards in the order of their gates, each gate once"),
    ("tain", FREEING, "pass", "now you choose which captive comes home, as in free B b"),
    ("tain", FREEING, "free B c", "you have no captive to free from clan c now; choose from b"),
    ("tir-na-nog", JOURNEY, "place a5a6", "the Otherworld of this match has no a5a6"),
    ("tir-na-nog", JOURNEY, "play lugh top", "now you place a Storyteller"),
    ("tir-na-nog", tir(PlaceStoryteller(0), out=("", "c1c2")), "place c1c2", "a Storyteller stands at c1c2 already"),
    ("tir-na-nog", tir(PlaceStoryteller(0)), "place a1a2b1b2",
     "a1a2b1b2 is a corner, where a Storyteller stands only by the Merrow Milliners of your Saga"),
    ("tir-na-nog", TAKE, "take a1 b1c1", "you have no Storyteller at b1c1"),
    ("tir-na-nog", TAKE, "take c3 a1a2", "the Storyteller at a1a2 is not beside c3"),
    ("tir-na-nog", TAKE, "discard lugh", "Lugh is not in your hand"),
    ("tir-na-nog", TAKE, "stay", "now you take a card beside one of your Storytellers"),
    ("tir-na-nog", HELD, "play nuada top", "Nuada is not in your hand"),
    ("tir-na-nog", HELD, "discard lugh", "you can play a card, so you may not discard one"),
    ("tir-na-nog", HELD, "play macha top",
     "The Pursuit of Diarmuid and Gráinne allows no card of the colour of the card on its left"),
    ("tir-na-nog", HELD, "shift top1 bottom", "no card of your Saga allows that now"),
    ("bardwood-grove", SONG, "perform hollow-oak ul", "that costs 6 lyrics and you have 0 lyrics"),
    ("bardwood-grove", SONG, "compose battle-cry big-boast", "now you sing"),
    ("bardwood-grove", SONG, "trade watchtower", "Watchtower is not in your region"),
    ("bardwood-grove", SONG, "challenge 0", "you cannot challenge that player"),
    ("bardwood-grove", SONG, "spend volume", "that takes 1 crest that you captured, and you have 0"),
    ("bardwood-grove", SONG, "brag 1", "brag space 1 is empty"),
    ("bardwood-grove", SONG, "motif wild-impro", "the motif Wild Impro is not on the board"),
    ("bardwood-grove", SONG, "lower battle-cry", "Battle Cry is not in your song"),
    ("bardwood-grove", SONG, "turn 1", "your bard does not turn melody into lyrics"),
    ("bardwood-grove", SONG, "swell", "no volume waits, or your volume is at its maximum"),
    ("bardwood-grove", SONG, "idle", "only the rival makes this move"),
]
# fmt: on


@pytest.mark.parametrize(("slug", "state", "line", "rule"), FORBIDDEN, ids=[f"{row[0]} {row[2]}" for row in FORBIDDEN])
def test_a_refusal_names_the_rule(slug: str, state: Any, line: str, rule: str) -> None:  # noqa: ANN401  # of any game
    game = GAMES[slug]
    found = objection(state, 0, read(game, line, 0), game)
    assert found is not None
    assert str(found) == rule
    assert found.text("fr") != rule
