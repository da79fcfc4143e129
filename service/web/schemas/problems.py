"""What a problem says."""

from __future__ import annotations

import marshmallow as ma

from service.problems import KINDS
from service.web.schemas.fields import ChoiceField, IntegerField, ResponseSchema, TextField

FAULT_EXAMPLE = {"field": "name", "reason": "Missing data for required field."}


class FaultSchema(ResponseSchema):
    """What is wrong with one field."""

    field = TextField(required=True, about="The field; parts of parts are joined by dots.", example="name")
    reason = TextField(
        required=True, most=2000, about="What is wrong with it.", example="Missing data for required field."
    )
    line = IntegerField(least=1, about="In a document of a tournament: the line of the text.", example=4)
    column = IntegerField(least=1, about="In a document of a tournament: the column.", example=10)
    right = TextField(
        most=2000, about="In a document of a tournament: what would be right.", example="a time like 2027-01-10T18:00"
    )


class ProblemSchema(ResponseSchema):
    """Problem details (RFC 9457); some kinds carry more members, named on their page."""

    class Meta:
        unknown = ma.INCLUDE

    type = ChoiceField(
        [f"/problems/{kind}" for kind in KINDS],
        required=True,
        about="The address of the page about this kind of problem.",
        example="/problems/invalid",
    )
    title = TextField(
        required=True, about="The short, unchanging name of this kind.", example="The request is not valid"
    )
    status = IntegerField(required=True, least=400, most=599, about="The HTTP status.", example=422)
    detail = TextField(
        required=True,
        most=2000,
        about="What is wrong this time, and what to do next.",
        example="Some fields are not valid; `errors` lists each.",
    )
