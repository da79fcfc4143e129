"""The body of a problem."""

from __future__ import annotations

from service import shapes
from service.problems import KINDS


class Fault(shapes.Shape):
    """A fault of one field."""

    field: str = shapes.text("The field; nested names are joined by dots.", "name")
    reason: str = shapes.text("What is wrong with it.", "Missing data for required field.", most=2000)
    line: int | None = shapes.number("In a tournament document: the line of the text.", 4, least=1, optional=True)
    column: int | None = shapes.number("In a tournament document: the column.", 10, least=1, optional=True)
    right: str | None = shapes.text(
        "In a tournament document: what would be correct.", "a time like 2027-01-10T18:00", most=2000, optional=True
    )


class ProblemDetails(shapes.OpenShape):
    """Problem details (RFC 9457); some kinds carry more members, named on their page."""

    component = "Problem"

    type: str = shapes.choice(
        [f"/problems/{kind}" for kind in KINDS], "The URL of the page about this kind of problem.", "/problems/invalid"
    )
    title: str = shapes.text("The short, unchanging name of this kind.", "The request is not valid")
    status: int = shapes.number("The HTTP status.", 422, most=599, least=400)
    detail: str = shapes.text(
        "What is wrong this time, and what to do next.", "Some fields are not valid; `errors` lists each.", most=2000
    )
