"""Bodies for program accounts and their tokens."""

from __future__ import annotations

from service import shapes
from service.web.schemas.players import CREDENTIAL_EXAMPLE, PlayerShown, player_name, read_label


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
    token: str = shapes.text("Its token. Keep it: it is not shown again.", CREDENTIAL_EXAMPLE)


class ProgramToken(shapes.Shape):
    """A program's token, shown only once."""

    token: str = shapes.text("The token. Keep it: it is not shown again.", CREDENTIAL_EXAMPLE)
