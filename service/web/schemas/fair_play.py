"""Bodies of facts about fair play."""

from __future__ import annotations

from typing import Any

from service.tournaments.rulings.fair_play import KINDS, MOST_FACTS, MOST_LOOKS
from service.web.schemas.fields import (
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, MATCH_ID, PLAYER_ID

PERSON_EXAMPLE = {"player": PLAYER_ID, "name": "Aoife"}
FACT_EXAMPLE: dict[str, Any] = {
    "kind": "forfeit",
    "players": [PERSON_EXAMPLE, {"player": "k3v9m2x7q4p8w6ya", "name": "Brendan"}],
    "match": MATCH_ID,
    "value": None,
    "text": "Aoife forfeited, and Brendan gained by it.",
}
LOOK_EXAMPLE = {**PERSON_EXAMPLE, "at": AT}
REPORT_EXAMPLE: dict[str, Any] = {"facts": [FACT_EXAMPLE], "looks": [LOOK_EXAMPLE]}


class FactPersonShownSchema(ResponseSchema):
    """Somebody whom a fact concerns."""

    player = IdField(required=True, about="Who.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")


class FairPlayLookShownSchema(FactPersonShownSchema):
    """Somebody who looked."""

    at = TimestampField(required=True, about="When.", example=AT)


class FairPlayFactShownSchema(ResponseSchema):
    """Something that is so; what it means is yours to judge."""

    kind = ChoiceField(KINDS, required=True, about="Which kind of fact.", example="forfeit")
    players = ListField(
        NestedField(FactPersonShownSchema(), about="Somebody."),
        required=True,
        most=5,
        about="Whom it concerns; of forfeits, leaving and results who gained comes last.",
    )
    match = IdField(required=True, allow_none=True, about="The match it happened in.", example=MATCH_ID)
    value = IntegerField(
        required=True, allow_none=True, about="How often they met, points of rating apart, or answers.", example=5
    )
    text = TextField(required=True, most=500, about="The same in words.", example=FACT_EXAMPLE["text"])


class FairPlayReportShownSchema(ResponseSchema):
    """Facts about a tournament, and who has looked at them."""

    facts = ListField(
        NestedField(FairPlayFactShownSchema(), about="A fact."), required=True, most=MOST_FACTS, about="By kind."
    )
    looks = ListField(
        NestedField(FairPlayLookShownSchema(), about="A look."),
        required=True,
        most=MOST_LOOKS,
        about="Who looked, the latest first; you are among them now.",
    )
