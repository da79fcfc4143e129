"""The question that the letters in `tests/letters` answer, and what becomes of a message there, without a database."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from engine.games.keltis.rules import Keltis
from service.mail.incoming import commands
from service.mail.incoming import move_replies as moves
from service.mail.incoming import parse_message as mime
from service.mail.incoming import reply_parser as reply
from service.mail.incoming import sender_checks as sender
from service.mail.incoming import sender_checks_verdict as verdict
from service.mail.incoming.sender_checks import Own
from service.play.views import Looking
from service.record.header import Header, Place
from service.record.table import Facts, Question, Table
from tests.engine.table import KELTIS, table

FOLDER = Path(__file__).parents[1] / "letters"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
WRITER = "aoife@example.org"
SERVER = "mx.echtra.example"
OWN = Own("echtra@echtra.example", "echtra.example")
STATE: Keltis = table("R5 N7 B9 PE R6 N6 G4 G4", laid=("R: 3; G: 7",), piles="G: 8; N: 2; R: 9; Y: 3")
HEADER = Header(
    match="k3v9m2x7q4p8w6ya",
    game="keltis",
    revision=1,
    options="{}",
    moves="any",
    seed="0" * 64,
    beacon="-",
    created=0,
    started=0,
    places=(Place(bot="steady"), Place(bot="steady")),
)
FACTS = Facts(HEADER.match, KELTIS, 2, {}, 1, False, b"", b"", HEADER, "0" * 64)
TABLE = Table(
    facts=FACTS,
    seq=41,
    hash="0" * 64,
    at=0,
    state=STATE,
    questions=(Question(41, "0" * 64, 0), None),
    own=(0, 0),
    made=(0, 0),
    players=("", ""),
    bots=("steady", "steady"),
    keys=("-", "-"),
)
LOOKING = Looking(TABLE, 0, "en")


def raw(name: str) -> bytes:
    """The bytes of a letter of the folder."""
    return (FOLDER / f"{name}.eml").read_bytes()


def meaning(message: bytes) -> dict[str, Any]:
    """What a message comes to at this table: `lines` with a `note`, a `command`, or a `refusal`."""
    try:
        mail = mime.parsed(message)
    except mime.Unreadable as error:
        return {"refusal": f"unreadable {error.why}"}
    said = reply.new(mail.text)
    machine = sender.automatic(mail, sender.returned_to(mail), OWN) or ("absent" if sender.absent(said.text) else "")
    if machine:
        bounces = [[*vars(bounce).values()] for bounce in sender.bounces(mail)]
        return {"refusal": machine, **({"bounce": bounces[0]} if bounces else {})}
    writer = sender.writer(mail)
    if writer != WRITER:
        return {"refusal": "sender"}
    if verdict.of(mail, SERVER, writer.partition("@")[2]) == "fail":
        return {"refusal": "dmarc"}
    return _asked(said)


def _asked(said: reply.Said) -> dict[str, Any]:
    if not said.lines:
        return {"refusal": said.why}
    wish = commands.wish(said.lines)
    if wish.mixed:
        return {"refusal": "mixed"}
    if wish.command is not None:
        return {"command": f"{wish.command.verb} {wish.command.rest}".strip()}
    try:
        found = moves.understood(LOOKING, wish.paragraphs)
    except moves.NotUnderstood as error:
        return {"refusal": error.reason}
    return {"lines": list(found.lines), **({"note": wish.note} if wish.note else {})}
