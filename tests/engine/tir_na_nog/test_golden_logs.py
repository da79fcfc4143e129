"""The golden logs of Tír na nÓg show every special card played, every kind of line, and every difficulty of Balor."""

from __future__ import annotations

from pathlib import Path

from engine.games.tir_na_nog.rules.cards import CARDS

LOGS = [path.read_text("utf-8") for path in (Path(__file__).parents[2] / "golden" / "tir-na-nog").glob("*.log")]
LINES = [row.split()[1:] for text in LOGS for row in text.splitlines()[1:]]


def test_every_special_card_is_played() -> None:
    special = {card.slug for card in CARDS.values() if card.timing}
    assert special <= {words[1] for words in LINES if words[0] == "play"}


def test_every_kind_of_line_is_made() -> None:
    verbs = "start deal lay mark turn place take draw keep play discard paint swap shift wander eat adjust stay resign"
    assert set(verbs.split()) <= {words[0] for words in LINES}
    assert ["discard", "mag-mell"] in LINES


def test_every_difficulty_of_balor_is_played() -> None:
    heads = " ".join(text.split("\n", 1)[0] for text in LOGS)
    for level in ("easy", "normal", "hard", "impossible"):
        assert f"balor {level}" in heads
