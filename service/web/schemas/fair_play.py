"""Bodies for facts about fair play."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.rulings.fair_play import KINDS, MOST_FACTS, MOST_LOOKS


class FactPersonShown(shapes.Shape):
    """A player whom a fact concerns."""

    player: str = shapes.ident("The player's id.")
    name: str = shapes.text("Their name.", "Aoife")


class FairPlayLookShown(FactPersonShown):
    """An organiser who looked at the report."""

    at: int = shapes.timestamp("The time.")


class FairPlayFactShown(shapes.Shape):
    """A fact; what it means is for you to judge."""

    kind: str = shapes.choice(KINDS, "The kind of fact.", "forfeit")
    players: Sequence[FactPersonShown] = shapes.items(
        "Whom it concerns; for forfeits, withdrawals and results, whoever gained comes last.", most=5
    )
    match: str | None = shapes.ident("The match it happened in.", shapes.MATCH_ID)
    value: int | None = shapes.number("The number of encounters, rating points between them, or answers.", 5)
    text: str = shapes.text("The same in words.", "Aoife forfeited, and Brendan gained by it.", most=500)


class FairPlayReportShown(shapes.Shape):
    """Facts about a tournament, and who has looked at them."""

    facts: Sequence[FairPlayFactShown] = shapes.items("By kind.", most=MOST_FACTS)
    looks: Sequence[FairPlayLookShown] = shapes.items("Who looked, latest first, including you now.", most=MOST_LOOKS)
