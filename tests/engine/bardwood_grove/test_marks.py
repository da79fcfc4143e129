"""Marks of Bardwood Grove: the touches for each line, and their names."""

from __future__ import annotations

import pytest

from engine.game import legal
from engine.games.bardwood_grove import GAME
from engine.narrowing import narrow
from engine.reading import read
from engine.words import Locale
from tests.engine.bardwood_grove.tables import creature_at, own, player, sings, table


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("bard bardbarian", "bard:bardbarian"),
        ("compose battle-cry big-boast", "hand:battle-cry"),
        ("move a1 0", "region:a1"),
        ("move a1 2", "region:a1 / river:2"),
        ("move c2 2", "river:2"),
        ("move c2 0", "say:stay"),
        ("help moss-badger", "place:old-bridge / say:help"),
        ("soothe moss-badger", "place:old-bridge / say:soothe"),
        ("lull owl-cliff", "place:owl-cliff"),
        ("challenge 1", "seat:1"),
        ("lower battle-cry", "song:battle-cry"),
        ("turn 2", "melody / say:M2"),
        ("bank L1", "place:bank / say:L1"),
        ("bank M1 L2", "place:bank / say:M1 / say:L2"),
        ("perform lakeside-bandstand ur", "place:lakeside-bandstand / rune:ur"),
        ("tell the-misers-song ur", "legend:the-misers-song / rune:ur"),
        ("trade watchtower", "place:watchtower"),
        ("spend coins", "captured / say:coins"),
        ("brag 1", "brag:1"),
        ("stack 2", "brag:2"),
        ("motif whisper", "motif:whisper"),
        ("swell", "say:swell"),
        ("done", "say:done"),
    ],
)
def test_a_line_is_said_by_what_it_is_about(line: str, marks: str) -> None:
    """The table has the bard at c2, the boat at the start of the river, and a badger at the old bridge."""
    state = player(creature_at(table(), "old-bridge", "moss-badger"), 0, region="c2", boat=0)
    view = GAME.rules.view(state, 0)
    assert GAME.presentation.marks(view, read(GAME, line, 0)) == tuple(
        tuple(word.split()) for word in marks.split(" / ")
    )


def test_a_boat_that_has_moved_is_touched_where_it_goes() -> None:
    state = player(table(), 0, region="c2", boat=3)
    assert GAME.presentation.marks(GAME.rules.view(state, 0), read(GAME, "move c2 2", 0)) == (("river:5",),)


def test_the_place_of_a_shop_says_the_card_that_lies_there() -> None:
    state = sings(table(), 0, "b2", "C9")
    view, options = GAME.rules.view(state, 0), list(legal(state, 0))
    marks = [GAME.presentation.marks(view, option) for option in options]
    bought = [option for option in options if option.verb == "buy" and len(option.line.split()) == 2]
    assert bought
    for option in bought:
        (place,) = GAME.presentation.marks(view, option)
        found = narrow(marks, place)
        assert option.line in {options[at].line for at in found.left}
        assert own(state, 0).coins == 9


@pytest.mark.parametrize(
    ("mark", "locale", "name"),
    [
        ("region:a1", "en", "region a1"),
        ("river:2", "fr", "case 2 de la rivière"),
        ("say:done", "en", "End the song"),
        ("say:M2", "fr", "2 mélodies"),
        ("captured", "fr", "écussons pris"),
        ("side:1", "en", "side 1"),
    ],
)
def test_marks_have_names(mark: str, locale: Locale, name: str) -> None:
    assert GAME.presentation.mark_name is not None
    assert GAME.presentation.mark_name(GAME.rules.view(table(), 0), mark, locale) == name
