"""Bodies for program accounts and their tokens."""

from __future__ import annotations

from service import shapes
from service.web.schemas.players import PlayerShown, player_name, read_label


class NewProgram(shapes.Body):
    """A new program account."""

    name: str = player_name("Its name: 1 to 60 characters.", "Aoife's engine")


class NewProgramToken(shapes.Body):
    """A new token."""

    name: str = shapes.text(
        "A name for yourself, to recognise it.", "server", least=1, most=60, read=read_label, default="token"
    )


class ProgramMade(shapes.Shape):
    """A program and its token."""

    player: PlayerShown = shapes.part("The program, a player like any other.")
    token: str = shapes.text(
        "Its token. Keep it: it is not shown again.",
        "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
    )


class ProgramToken(shapes.Shape):
    """A program's token, shown only once."""

    token: str = shapes.text(
        "The token. Keep it: it is not shown again.",
        "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
    )
