"""Rule sheet: every key that matters to a player has a true sentence in both languages."""

from __future__ import annotations

import pytest

from engine.words import LOCALES, Locale
from service.tournaments.views.rule_sheet import write_rule_sheet
from tests.support.tournament_documents import EXAMPLES, LADDER, PODS, ROUND_ROBIN, SAME_DEAL, SWISS, read_text


def sheet(text: str, locale: Locale = "en") -> str:
    """Return the whole rule sheet."""
    found = "\n".join(f"{each.heading}\n{each.text}" for each in write_rule_sheet(read_text(text), locale))
    return found.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_every_example_has_its_rules_in_whole_sentences(text: str, locale: Locale) -> None:
    paragraphs = write_rule_sheet(read_text(text), locale)
    assert len(paragraphs) >= 6
    for paragraph in paragraphs:
        for sentence in paragraph.sentences:
            assert sentence.endswith("."), sentence
            assert sentence[0].isupper() or sentence.startswith(("keltis-groups", "long-ladder")), sentence
            assert "{" not in sentence


CHANGES: list[tuple[str, str, str]] = [
    # Changes of a document, and the resulting sentences of its rule sheet.
    (SWISS, "programs: no", "Programs can play; an owner"),
    (SWISS, "opens: 2026-12-05T19:00", "Entry is open from Sunday 6 December 2026"),
    (SWISS, "on_time: 75", "At least 60% of your answers"),
    (SWISS, "rating: {from: 1100, to: null}", "Your rating must not have been above 1500"),
    (SWISS, "bye: half}\n", "missed rounds are worth nothing"),
    (SWISS, "reserves: 36h", "have 2 days to take it"),
    (SWISS, "draw: {beacon: drand-quicknet}", "the server could know them in advance"),
    (SWISS, "rounds: 6", "There are 5 rounds."),
    (SWISS, "gap: 1d", "A round begins 3 days after"),
    (SWISS, "then: adjudicate", "a player who has been due to move for 48 hours loses"),
    (SWISS, "win: 3, draw: 1.5", "A win is worth 2 points, a draw 1 point."),
    (SWISS, "most_asked: 2", "You can't ask for a bye."),
    (SWISS, "ties: [buchholz, direct, lots]", "Players with equal points share the rank."),
    (SWISS, "leave: no", "Only signed moves are accepted"),
    (ROUND_ROBIN, "sections: {size: 6}", "Entrants are drawn into sections of at most 5"),
    (ROUND_ROBIN, "spectators: now", "Pairings are public 12 hours before"),
    (ROUND_ROBIN, "withdrawn: cancel-if-under-half", "If you withdraw, you and your opponents keep your results"),
    (PODS, "late_seat: substitute", "a bot plays on for a player who runs out of time"),
    (PODS, "places: 1-16", "It takes places 1 to 12 of stage tables."),
    (PODS, "advance: 1", "It takes the first 2 of each table"),
    (LADDER, '"reach": 6', "up to 9 places above"),
    (SAME_DEAL, "at_most: 10d", "A round lasts at most 9 days."),
]
NEW = [
    *("programs: yes", "opens: 2026-12-06T19:00", "on_time: 60", "rating: {from: null, to: 1500}", "bye: zero}\n"),
    *("reserves: 48h", "draw: {beacon: none}", "rounds: 5", "gap: 3d", "then: late-loses", "win: 2, draw: 1"),
    *("most_asked: 0", "ties: []", "leave: no\nmoves: signed", "sections: {size: 5, by: draw}", "review: 12h"),
    *("withdrawn: score-as-played", "late_seat: stand-in", "places: 1-12", "advance: 2", '"reach": 9', "at_most: 9d"),
]


@pytest.mark.parametrize(
    ("text", "old", "said", "new"), [(*row, new) for row, new in zip(CHANGES, NEW, strict=True)], ids=NEW
)
def test_a_changed_key_changes_its_sentence(text: str, old: str, said: str, new: str) -> None:
    assert old in text
    assert said not in sheet(text)
    assert said in sheet(text.replace(old, new, 1))


def test_a_deal_that_many_play_comes_with_a_warning() -> None:
    assert "A friend at another table may have the same cards as your neighbour" in sheet(SAME_DEAL)
    assert "Un ami à une autre table" in sheet(SAME_DEAL, "fr")
    assert "friend" not in sheet(SWISS)
    assert "Matches do not count towards ratings." in sheet(SAME_DEAL.replace("rated: no", "rated: yes"))
