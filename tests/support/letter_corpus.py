"""The question that the letters in `tests/letters` answer, and what becomes of a message there, without a database."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from engine.games.keltis.rules import Keltis
from service.mail.incoming import bounce_reports, commands, move_replies, parse_message, reply_parser, sender_checks
from service.mail.incoming.sender_checks import OwnIdentity
from service.play.views import Viewer
from service.record.header import Header, Occupant
from service.record.table import MatchInfo, Question, Table
from tests.engine.keltis.tables import KELTIS, table

FOLDER = Path(__file__).parents[1] / "letters"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
WRITER = "aoife@example.org"
SERVER = "mx.echtra.example"
OWN = OwnIdentity("echtra@echtra.example", "echtra.example")
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
    places=(Occupant(bot="steady"), Occupant(bot="steady")),
)
FACTS = MatchInfo(HEADER.match, KELTIS, 2, {}, 1, False, b"", b"", HEADER, "0" * 64)
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
LOOKING = Viewer(TABLE, 0, "en")


def raw(name: str) -> bytes:
    """The bytes of a letter of the folder."""
    return (FOLDER / f"{name}.eml").read_bytes()


def meaning(message: bytes) -> dict[str, Any]:
    """What a message comes to at this table: `lines` with a `note`, a `command`, or a `refusal`."""
    try:
        mail = parse_message.parse(message)
    except parse_message.UnreadableMessage as error:
        return {"refusal": f"unreadable {error.why}"}
    said = reply_parser.extract_reply(mail.text)
    machine = sender_checks.automatic_reason(mail, sender_checks.return_path(mail), OWN) or (
        "absent" if sender_checks.is_out_of_office(said.text) else ""
    )
    if machine:
        reports = [[*vars(bounce).values()] for bounce in bounce_reports.parse_reports(mail)]
        return {"refusal": machine, **({"bounce": reports[0]} if reports else {})}
    writer = sender_checks.from_address(mail)
    if writer != WRITER:
        return {"refusal": "sender"}
    if sender_checks.dmarc_verdict(mail, SERVER, writer.partition("@")[2]) == "fail":
        return {"refusal": "dmarc"}
    return _asked(said)


def _asked(said: reply_parser.ReplyText) -> dict[str, Any]:
    if not said.lines:
        return {"refusal": said.why}
    wish = commands.parse_request(said.lines)
    if wish.mixed:
        return {"refusal": "mixed"}
    if wish.command is not None:
        return {"command": f"{wish.command.verb} {wish.command.rest}".strip()}
    try:
        found = move_replies.parse_moves(LOOKING, wish.paragraphs)
    except move_replies.MovesNotUnderstood as error:
        return {"refusal": error.reason}
    return {"lines": list(found.lines), **({"note": wish.note} if wish.note else {})}
