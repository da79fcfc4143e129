"""Bodies for plans and the branches that are kept of them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.planning import DEALS
from service import shapes
from service.play.planning import LONGEST_TITLE, MOST_STEPS, NEXT, PlannedLine
from service.web.schemas.moves import SVG_EXAMPLE
from service.web.schemas.tables import OptionsShown, TableShown


class PlanBody(shapes.Body):
    """Lines to try."""

    steps: Sequence[PlannedLine] = shapes.items(
        "Lines of any seats, in the order in which they would be made; an empty list begins a plan.", most=MOST_STEPS
    )
    since: int | None = shapes.number(
        "The entry at which the plan was made. Lines of it that have been made since are left out.", 12, default=None
    )
    narrow: bool = shapes.flag("A picture for phones, at most 400 units wide.", default=False)


class StepShown(shapes.Shape):
    """A line of a plan in words."""

    seat: int = shapes.seat("The seat that would make it.")
    line: str = shapes.text("The line.", "lay R5", most=400)
    sentence: str = shapes.text("What it means, in your language.", "Lay red 5", most=1000)


class LikelyShown(StepShown):
    """A likely line of another seat."""

    deals: int = shapes.number(f"On how many of at most {DEALS} imagined tables a bot would make it.", 4)


class PlanShown(shapes.Shape):
    """The table after the lines of a plan."""

    steps: Sequence[StepShown] = shapes.items(
        "The lines that are possible, from the first. The first one missing, and all after it, are not.",
        most=MOST_STEPS,
    )
    next: str = shapes.choice(
        NEXT,
        "Who goes on: `you` or `others`; `unsure`: you, but every line depends on something hidden; `over`: nobody.",
    )
    table: TableShown = shapes.part("The imagined table as your seat would see it, without a question.")
    svg: str = shapes.text("A picture of that table, as SVG.", SVG_EXAMPLE, most=10000000)
    options: OptionsShown = shapes.part("Your lines that are possible whatever is hidden, with `marks`.")
    likely: Sequence[LikelyShown] = shapes.items("Likely lines of the others who are next, most likely first.")


class NewBranch(shapes.Body):
    """A plan to keep."""

    title: str = shapes.text("Its title.", "Red first", most=LONGEST_TITLE, least=1, pattern=r"^.*\S")
    steps: Sequence[PlannedLine] = shapes.items("Its lines.", most=MOST_STEPS, least=1)
