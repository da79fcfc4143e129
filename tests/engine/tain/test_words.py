"""Táin in words: short forms, menus, the story of the raids, the table as text and picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.game import apply, legal, to_act
from engine.games.tain import GAME
from engine.games.tain.state import Loot, Tain
from engine.games.tain.view import TainView
from engine.games.tain.words import letters_in
from engine.notation import is_line
from engine.picture import Box, Group, Text, flat
from engine.reading import Reader, Unclear, read
from engine.words import LOCALES, Locale
from engine.words import french as set_in_french
from tests.engine.tain.tables import play, random_match, table

NAMES = ("Ann", "Bob", "Cid", "Dara")


def named(state: Tain, seat: int | None = 0) -> TainView:
    """The view of a seat with the players' names in it."""
    view: TainView = GAME.rules.view(state, seat)
    return replace(view, names=NAMES[: state.seats])


def guarding() -> Tain:
    """Two seats that are asked for their last guards."""
    state = table(2, owners=("bbbbb", "aaaaa"), scouts=("XXXXX", "XXXXX"), kingdom=("bX",))
    return play(state.but(unused=("CWWBBBBBBDXXX", "CWWBBBBBBDXX")), "0 put X kingdom")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W 3", ("put W 3",)),
        ("w 3.", ("put W 3",)),
        ("B b4", ("put B b4",)),
        ("b B4", ("put B b4",)),
        ("C K", ("put C kingdom",)),
        ("c kingdom", ("put C kingdom",)),
        ("chef royaume", ("put C kingdom",)),
        ("warrior 3", ("put W 3",)),
        ("garçon c2", ("put B c2",)),
        ("put X b1", ("put X b1",)),
        ("W a3", ("put W 3",)),
        ("pass", ("pass",)),
        ("passe", ("pass",)),
        ("W 3; B b4; X K; pass", ("put W 3", "put B b4", "put X kingdom", "pass")),
        ("W 3\nB b4\npass", ("put W 3", "put B b4", "pass")),
        ("W 3, B b4, pass", ("put W 3", "put B b4", "pass")),
        ("B b4,b5,c4", ("put B b4 | put B b5 | put B c4",)),
        ("B b4, b5, c4; pass", ("put B b4 | put B b5 | put B c4", "pass")),
        ("X K,1", ("put X kingdom | put X 1",)),
        ("all D 4, X 5, B 1", ("put D 4", "put X 5", "put B 1", "pass")),
        ("all none", ("pass",)),
        ("free d B", ("free D b",)),
        ("libère D c", ("free D c",)),
        ("prefer D", ("free D b | free D c",)),
        ("préfère B", ("free B b | free B c",)),
        ("#1.1 B c2", ("put B c2",)),
        ("#1.1 W 3; pass", ("put W 3", "pass")),
        ("#1.1 put B c2", ("put B c2",)),
        ("#1.1 place chief at kingdom", ("put C kingdom",)),
    ],
)
def test_short_forms(text: str, expected: tuple[str, ...]) -> None:
    state = table(3)
    reader = Reader(GAME, GAME.rules.view(state, 0), legal(state, 0))
    assert reader.lines(text) == expected
    for line in expected:
        assert is_line(line)
        for part in line.split(" | "):
            assert read(GAME, part, 0).line == part


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all D 4, X 5", "guards D4 X5"),
        ("all X 5, D 4", "guards D4 X5"),
        ("all x5 d4", "guards D4 X5"),
        ("guards X5 D4", "guards D4 X5"),
        ("gardes fille 4", "guards D4"),
        ("all none", "guards none"),
        ("tous aucun", "guards none"),
        ("guards none", "guards none"),
    ],
)
def test_short_guards(text: str, expected: str) -> None:
    state = guarding()
    reader = Reader(GAME, GAME.rules.view(state, 0), legal(state, 0))
    assert reader.lines(text) == (expected,)
    assert read(GAME, expected, 0) in legal(state, 0)


def test_guards_stay_guards_out_of_their_phase() -> None:
    state = table(2)
    assert GAME.presentation.short(GAME.rules.view(state, 0), legal(state, 0), "guards D4 X5") == ("guards D4 X5",)


@pytest.mark.parametrize("text", ["#1.2 W 3", "#2.1 W 3", "#1.0 pass"])
def test_a_stamp_of_another_moment_is_refused(text: str) -> None:
    state = table(2)
    with pytest.raises(Unclear) as refused:
        GAME.presentation.short(GAME.rules.view(state, 0), legal(state, 0), text)
    assert refused.value.stale


def test_the_stamp_counts_placements() -> None:
    state = play(table(2), "0 put X 1; 1 put X 1; 0 put X b1; 1 pass")
    assert GAME.presentation.short(GAME.rules.view(state, 0), legal(state, 0), "#1.4 W 2") == ("put W 2",)
    assert "placement 4" in GAME.presentation.text(GAME.rules.view(state, 0), "en")


@pytest.mark.parametrize("text", ["", "hello", "W", "W 6", "b4", "Q 3", "all", "all D 6", "free C b", "prefer W", "3"])
def test_no_short_form(text: str) -> None:
    state = table(3)
    assert GAME.presentation.short(GAME.rules.view(state, 0), legal(state, 0), text) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("place warrior at gate 3", "put W 3"),
        ("poser le guerrier royaume", "put W kingdom"),
        ("send boy b 4", "put B b4"),
        ("envoyer fille 5", "put D 5"),
    ],
)
def test_plain_words_are_read(text: str, line: str) -> None:
    state = table(3)
    assert Reader(GAME, GAME.rules.view(state, 0), legal(state, 0)).lines(text) == (line,)


STORIES: tuple[tuple[str, str, str, str], ...] = (
    (
        "0 put W b1; 1 put D 1; 0 pass; 1 pass",
        "Ann’s warrior meets the daughter at pasture gate 1 of Bob and carries her off, without other loot.",
        "Le guerrier d’Ann rencontre la fille du chef à l’entrée 1 de la Pâture de Bob et l’enlève, sans autre butin.",
        "",
    ),
    (
        "0 put B b4; 1 put W 4; 0 pass; 1 pass",
        "Ann’s boy runs into the warrior at house gate 4 of Bob and is captured.",
        "Le garçon d’Ann tombe sur le guerrier à l’entrée 4 de la Maison de Bob et est fait prisonnier.",
        "",
    ),
    (
        "0 put B b5; 1 put C kingdom; 0 pass; 1 pass",
        "Ann’s boy finds house gate 5 of Bob open and carries off a jewel.",
        "Le garçon d’Ann trouve sans gardien l’entrée 5 de la Maison de Bob et prend un bijou.",
        "Bob’s chief takes 1 cattle from the kingdom.",
    ),
    (
        "0 put C b2; 1 put W 2; 0 put W kingdom; 1 put C kingdom; 0 pass; 1 pass",
        "Ann’s chief overcomes the warrior at pasture gate 2 of Bob and drives off 1 cattle.",
        "Le chef d’Ann l’emporte sur le guerrier à l’entrée 2 de la Pâture de Bob et prend un pion Bétail.",
        "Ann’s warrior gives way to the chief in the kingdom.",
    ),
    (
        "0 put B b2; 1 put X 2; 0 put X b3; 1 pass; 0 put W b4; 0 pass",
        "Bluffs before Bob: gate 3 (Ann).",
        "Bluff chez Bob : entrée 3 (Ann).",
        "Ann’s boy walks past a bluff at pasture gate 2 of Bob and drives off 1 cattle.",
    ),
    (
        "0 put W b1; 1 put C 1; 0 pass; 1 pass",
        "Ann’s warrior is turned away by the chief at pasture gate 1 of Bob.",
        "Le guerrier d’Ann est repoussé par le chef à l’entrée 1 de la Pâture de Bob.",
        "Round 2: Bob begins.",
    ),
    ("0 pass; 1 pass", "Nobody went on a raid.", "Personne n’est parti en razzia.", "Bob passes."),
)


@pytest.mark.parametrize(("rows", "english", "french", "also"), STORIES)
def test_the_raids_are_told_as_a_story(rows: str, english: str, french: str, also: str) -> None:
    *early, last = rows.split("; ")
    before = play(table(), "; ".join(early))
    after = play(before, last)
    seat, line = last.split(" ", 1)
    for viewer in (0, 1, None):
        told = GAME.presentation.tell(named(before, viewer), named(after, viewer), int(seat), line, "en")
        assert english in told
        assert not also or also in told
        assert "Round 1: all tokens are turned up." in told
        assert set_in_french(french) in GAME.presentation.tell(
            named(before, viewer), named(after, viewer), int(seat), line, "fr"
        )
        assert english.split(maxsplit=1)[0] in GAME.presentation.text(named(after, viewer), "en")


@pytest.mark.parametrize(
    ("loot", "english", "french"),
    [
        (Loot(1, 1), "won this round: 1 cattle, 1 jewel", "gagné ce tour : bétail 1, 1 bijou"),
        (Loot(0, 2, ("bB",)), "won this round: 2 jewels, 1 boy (b)", "gagné ce tour : bijoux 2, 1 garçon (b)"),
    ],
)
def test_what_lies_beside_a_board(loot: Loot, english: str, french: str) -> None:
    state = table(2, beside=(loot, Loot()))
    assert english in GAME.presentation.text(named(state), "en")
    assert set_in_french(french) in GAME.presentation.text(named(state), "fr")


def test_nobody_begins_once_the_match_is_over() -> None:
    over = play(play(table(2, round=8), "0 pass"), "1 pass")
    assert ", begins" in GAME.presentation.text(named(table()), "en")
    assert ", begins" not in GAME.presentation.text(named(over), "en")


def test_captives_come_home_in_the_story() -> None:
    fresh = table(2, prisoners=((), ("aB", "aD")), unused=("CWWBBBBBXXXXXXXX", "CWWBBBBBBDXXXXXXXX"))
    before = play(fresh, "0 put C b4; 1 pass")
    asked = play(before, "0 pass")
    told = GAME.presentation.tell(named(before), named(asked), 0, "pass", "en")
    assert told[-1] == "Ann chooses who comes home from Bob’s house."
    after = play(asked, "0 free D b")
    told = GAME.presentation.tell(named(asked), named(after), 0, "free D b", "en")
    assert told == ("Ann’s daughter comes home from Bob’s house.", "Round 2: Bob begins.")
    assert "La fille du chef d’Ann est libérée de la Maison de Bob." in GAME.presentation.tell(
        named(asked), named(after), 0, "free D b", "fr"
    )


def test_the_end_is_told() -> None:
    before = play(table(2, cattle=(10, 5), stock=10), "0 put C b1; 1 pass")
    after = play(before, "0 pass")
    assert GAME.presentation.tell(named(before), named(after), 0, "pass", "en")[-1] == "Ann owns 11 cattle or more."
    before = play(table(2, round=8), "0 pass")
    after = play(before, "1 pass")
    assert GAME.presentation.tell(named(before), named(after), 1, "pass", "fr")[-1] == "Le huitième tour est terminé."


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        (
            "put ? b4",
            "Ann sends a token to house gate 4 of Bob.",
            "Ann envoie un jeton à l’entrée 4 de la Maison de Bob.",
        ),
        ("put ? 2", "Ann guards gate 2 (pasture) with a token.", "Ann pose un jeton à son entrée 2 (Pâture)."),
        (
            "put D 5",
            "Ann guards gate 5 (house) with the daughter.",
            "Ann pose la fille du chef à son entrée 5 (Maison).",
        ),
        ("put ? kingdom", "Ann sends a token to the kingdom.", "Ann envoie un jeton au Royaume étranger."),
        ("guards ?", "Ann has chosen the last guards.", "Ann a choisi ses derniers gardiens."),
        ("guards none", "Ann posts no more guards.", "Ann ne pose plus aucun gardien."),
        (
            "guards D4",
            "Ann posts guards: daughter at gate 4.",
            "Ann pose des gardiens : la fille du chef à l’entrée 4.",
        ),
        ("pass", "Ann passes.", "Ann passe."),
    ],
)
def test_lines_are_told(line: str, english: str, french: str) -> None:
    view = named(table(), 1)
    assert GAME.presentation.tell(view, view, 0, line, "en") == (english,)
    assert GAME.presentation.tell(view, view, 0, line, "fr") == (set_in_french(french),)


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        ("put W 3", "Guard your gate 3 (pasture): warrior", "Garder votre entrée 3 (Pâture) : le guerrier"),
        ("put B b4", "Scout house gate 4 of Bob: boy", "Envoyer le garçon à l’entrée 4 de la Maison de Bob"),
        ("put C kingdom", "Send the chief to the kingdom", "Envoyer le chef au Royaume étranger"),
        ("pass", "Pass for the rest of the round", "Passer jusqu’à la fin du tour"),
        ("guards none", "Post no more guards", "Ne poser aucun autre gardien"),
        (
            "guards D4 X5",
            "Post guards: daughter at gate 4, bluff at gate 5",
            "Poser les gardiens : la fille du chef à l’entrée 4, le bluff à l’entrée 5",
        ),
        ("free D b", "Free your daughter from Bob’s house", "Libérer la fille du chef de la Maison de Bob"),
    ],
)
def test_menu_entries(line: str, english: str, french: str) -> None:
    view = named(table())
    action = read(GAME, line, 0)
    assert (GAME.presentation.say(view, action, "en"), GAME.presentation.say(view, action, "fr")) == (
        english,
        set_in_french(french),
    )


def test_text_shows_backs_to_others() -> None:
    state = play(table(), "0 put W b1; 1 put D 1; 0 put C kingdom; 1 put B a5")
    assert "scouts      aW" in GAME.presentation.text(named(state, 0), "en")
    assert "scouts      a?" in GAME.presentation.text(named(state, 1), "en")
    assert "guards      bD" in GAME.presentation.text(named(state, 1), "en")
    assert "gardiens    b?" in GAME.presentation.text(named(state, None), "fr")
    assert "raiders there: a?" in GAME.presentation.text(named(state, None), "en")
    assert "Behind your screen: W, B ×6, D, X ×8" in GAME.presentation.text(named(state, 0), "en")


def test_the_guards_phase_shows_its_form() -> None:
    text = GAME.presentation.text(named(guarding()), "en")
    assert "all D 4, X 5" in text
    assert "1 2 3 4 5." in text
    answered = play(guarding(), "0 guards D4 X5")
    assert "Your last guards: D4 X5" in GAME.presentation.text(named(answered), "en")
    assert "all D 4" not in GAME.presentation.text(named(answered), "en")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_moment_has_a_text_a_picture_and_a_story(seats: int, locale: Locale) -> None:
    entries = random_match(seats, 40 + seats)
    for (_, _, before), (seat, line, after) in pairwise(entries):
        action = read(GAME, line, seat)
        for viewer in (0, None):
            told = GAME.presentation.tell(
                named(before, viewer), named(after, viewer), seat, action.seen_by(seat, viewer), locale
            )
            assert all(sentence[-1] == "." and "{" not in sentence for sentence in told)
            assert told
        text = GAME.presentation.text(named(after), locale)
        assert max(map(len, text.split("\n"))) <= 78
        assert "{" not in text
        assert isinstance(GAME.presentation.picture(named(after), locale)[0], Box)


def test_picture_tells_whose_a_token_is_by_a_letter_besides_its_colour() -> None:
    state = play(table(4), "0 put W b1; 1 put D 1; 2 put X kingdom; 3 put B a5")
    shapes = GAME.presentation.picture(named(state, 0), "en")
    found = [shape for shape in shapes if isinstance(shape, Group) and shape.label.startswith(("gate", "Foreign"))]
    words = {group.label: [shape.words for shape in flat((group,)) if isinstance(shape, Text)] for group in found}
    assert words["gate b1 of Bob, scout: W warrior, a Ann"] == ["W", "a"]
    assert words["gate 5, before your gate: face down, d Dara"] == ["d"]
    assert words["gate b1 of Bob, guard: face down"] == []
    (kingdom,) = (group for group in found if group.mark == "kingdom")
    assert "face down, c Cid" in kingdom.label
    assert words[kingdom.label][-1] == "c"


def test_every_canonical_word_has_names() -> None:
    state = table(4)
    for locale in LOCALES:
        for action in legal(state, 0):
            for word in action.line.split():
                assert word in GAME.presentation.words.names[locale]
        for count in GAME.rules.scores(state)[0].counts:
            assert count.label in GAME.presentation.words.names[locale]


def test_choices_are_said_with_their_names() -> None:
    fresh = table(2, prisoners=((), ("aB", "aD")), unused=("CWWBBBBBXXXXXXXX", "CWWBBBBBBDXXXXXXXX"))
    state = play(fresh, "0 put C b4; 1 pass; 0 pass")
    assert to_act(state) == {0}
    said = [GAME.presentation.say(named(state), action, "en") for action in legal(state, 0)]
    assert said == ["Free your daughter from Bob’s house", "Free your boy from Bob’s house"]
    assert "captives to free, to choose: Ann" in GAME.presentation.text(named(state), "en")
    assert not apply(state, 0, next(iter(legal(state, 0)))).choices


@pytest.mark.parametrize(("locale", "word"), [("en", "hidden: "), ("fr", "cachés\N{NO-BREAK SPACE}: ")])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_every_reader_sees_what_each_clan_can_still_have(viewer: int | None, locale: Locale, word: str) -> None:
    """The same tokens for everybody, in the text and in both pictures, until everything is turned up."""
    state = play(table(3).but(unused=("CWWBBXX", "CWBDX", "BBX")), "0 put W b4; 1 put D 1; 2 put X a1")
    expected = [f"{word}{letters_in(tokens, locale)}" for tokens in ("C, W ×2, B ×2, X ×2", "C, W, B, D, X", "B ×2, X")]
    view = named(state, viewer)
    text = GAME.presentation.text(view, locale)
    assert [row.strip() for row in text.splitlines() if row.startswith(f"   {word}")] == expected
    brief = [each.removeprefix(word).replace(",", "").replace(" ×", "×") for each in expected]
    for narrow, wanted in ((False, expected), (True, brief)):
        shapes = GAME.presentation.picture(view, locale, narrow=narrow)
        drawn = [shape.words for shape in flat(shapes) if isinstance(shape, Text) and shape.words in wanted]
        assert sorted(drawn) == sorted(wanted)
        labels = [shape.label for shape in shapes if isinstance(shape, Group) and shape.label.startswith(word)]
        assert len(labels) == 3
    over = named(state.but(agenda=()), viewer)
    assert word not in GAME.presentation.text(over, locale)
    assert not [each for each in flat(GAME.presentation.picture(over, locale)) if word in getattr(each, "words", "")]
