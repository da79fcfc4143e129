"""Bodies of facts about fair play."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.rulings.fair_play import KINDS, MOST_FACTS, MOST_LOOKS


class FactPersonShown(shapes.Shape):
    """Somebody whom a fact concerns."""

    player: str = shapes.ident("Who.")
    name: str = shapes.text("Their name.", "Aoife")


class FairPlayLookShown(FactPersonShown):
    """Somebody who looked."""

    at: int = shapes.timestamp("When.")


class FairPlayFactShown(shapes.Shape):
    """Something that is so; what it means is yours to judge."""

    kind: str = shapes.choice(KINDS, "Which kind of fact.", "forfeit")
    players: Sequence[FactPersonShown] = shapes.items(
        "Whom it concerns; of forfeits, leaving and results who gained comes last.", most=5
    )
    match: str | None = shapes.ident("The match it happened in.", shapes.MATCH_ID)
    value: int | None = shapes.number("How often they met, points of rating apart, or answers.", 5)
    text: str = shapes.text("The same in words.", "Aoife forfeited, and Brendan gained by it.", most=500)


class FairPlayReportShown(shapes.Shape):
    """Facts about a tournament, and who has looked at them."""

    facts: Sequence[FairPlayFactShown] = shapes.items("By kind.", most=MOST_FACTS)
    looks: Sequence[FairPlayLookShown] = shapes.items(
        "Who looked, the latest first; you are among them now.", most=MOST_LOOKS
    )
