"""Bodies of programs: players that are no people, and their tokens."""

from __future__ import annotations

from service import shapes
from service.web.schemas.players import PlayerShown, player_name, read_label


class NewProgram(shapes.Body):
    """A program to be made."""

    name: str = player_name("What it is called: 1 to 60 characters.", "Aoife's engine")


class NewProgramToken(shapes.Body):
    """A token to be made."""

    name: str = shapes.text(
        "A name by which you will know it.", "server", least=1, most=60, read=read_label, default="token"
    )


class ProgramMade(shapes.Shape):
    """A program and its token."""

    player: PlayerShown = shapes.part("The program, a player like any other.")
    token: str = shapes.text(
        "Its token: keep it, it is not shown again.",
        "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
    )


class ProgramToken(shapes.Shape):
    """A token of a program, shown this once."""

    token: str = shapes.text(
        "The token: keep it, it is not shown again.",
        "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
    )
