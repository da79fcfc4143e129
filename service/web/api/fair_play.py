"""Facts about fair play, for organisers who do not play."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.i18n.catalogue import translate
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings.fair_play import KINDS, MOST_FACTS, MOST_LOOKS, FairPlayFact, read_fair_play
from service.tournaments.tournament_store import find_tournament
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import response_locale


class FactPersonShown(shapes.Shape):
    """A player whom a fact concerns."""

    player: str = shapes.ident("The player's id.")
    name: str = shapes.text("Their name.", "Aoife")


class FairPlayLookShown(FactPersonShown):
    """An organiser who looked at the report."""

    at: int = shapes.timestamp("The time.")


class FairPlayFactShown(shapes.Shape):
    """A fact. You judge what it means."""

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


blueprint = Blueprint(
    "fair-play", __name__, url_prefix="/v1/tournaments", description="Facts about fair play, without a verdict."
)


@blueprint.get("/<named:tournament>/fair-play", scope="organise")
def get_report(tournament: str) -> FairPlayReportShown:
    """Read facts about fair play.

    This is for organisers who do not play in the tournament. It lists pairs who share a private mail domain or have met
    unusually often, forfeits and withdrawals with those who gained by them, unexpected results, and matches in which
    both players answered within minutes of each other. These are facts, not a verdict. Every access is logged, and
    every organiser sees who looked.
    """
    reader, locale = auth.require_caller().player, response_locale()
    report = read_fair_play(find_tournament(tournament, reader), reader)
    people = {player for fact in report.facts for player in fact.players} | {player for player, _ in report.looks}
    names = find_names(sorted(people), locale)

    def describe(fact: FairPlayFact) -> FairPlayFactShown:
        named = [names[player] for player in fact.players]
        others = ", ".join(named[1:]) or "–"
        text = translate(locale, f"fair_play.{fact.kind}", one=named[0], others=others, value=fact.value)
        people = [FactPersonShown(player=player, name=names[player]) for player in fact.players]
        return FairPlayFactShown.of(fact, players=people, text=text)

    return FairPlayReportShown(
        facts=[describe(fact) for fact in report.facts],
        looks=[FairPlayLookShown(player=player, name=names[player], at=at) for player, at in report.looks],
    )
