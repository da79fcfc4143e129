"""Facts about fair play, for organisers who do not play."""

from __future__ import annotations

from service.i18n.catalogue import translate
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings.fair_play import FairPlayFact, read_fair_play
from service.tournaments.tournament_store import find_tournament
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import response_locale
from service.web.schemas.fair_play import FactPersonShown, FairPlayFactShown, FairPlayLookShown, FairPlayReportShown

blueprint = Blueprint(
    "fair-play", __name__, url_prefix="/v1/tournaments", description="Facts about fair play, without a verdict."
)


@blueprint.get("/<named:tournament>/fair-play", scope="organise")
def get_report(tournament: str) -> FairPlayReportShown:
    """Read facts about fair play.

    For organisers who do not play in the tournament: pairs who share a private mail domain or have met unusually often,
    forfeits and withdrawals with those who gained by them, unexpected results, and matches in which both players
    answered within minutes of each other. Facts, not a verdict. Every access is logged, and every organiser sees who
    looked.
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
