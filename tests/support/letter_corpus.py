"""The question that the emails in `tests/letters` answer, and the outcome of a message there, without a database."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.games.keltis.rules import Keltis
from engine.words import Locale
from service.mail.incoming import body_versions, bounce_reports, parse_message, sender_checks
from service.mail.incoming.reading.move_reader import MoveReader, MovesNotUnderstood
from service.mail.incoming.reading.pieces import Grammar, PieceVerdict
from service.mail.incoming.reading.requests import read_request
from service.mail.incoming.reading.zones import ReplyText
from service.mail.incoming.sender_checks import OwnIdentity
from service.play.views import Viewer
from service.record.header import Header, Occupant
from service.record.match_state import MatchInfo, MatchState, Question
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
TABLE = MatchState(
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
    keys=((), ()),
)
VIEWER = Viewer(TABLE, 0, "en")
OTHERS = ("Brann", "Bran", "Ciara")
OUTCOMES = {PieceVerdict.HARMLESS: "lines", PieceVerdict.HOLD: "held", PieceVerdict.ASK: "asked"}


def viewer_at(game: Game[Any], state: Any, seat: int, locale: Locale = "en") -> Viewer:  # noqa: ANN401  # any game's
    """Return the table of a state from the asked seat."""
    seats = state.seats
    facts = replace(FACTS, game=game, seats=seats, header=replace(HEADER, game=game.slug))
    none = (0,) * seats
    table = replace(
        TABLE,
        facts=facts,
        state=state,
        questions=tuple(Question(41, "0" * 64, 0) if each == seat else None for each in range(seats)),
        own=none,
        made=none,
        players=("",) * seats,
        bots=("steady",) * seats,
        keys=((),) * seats,
    )
    return Viewer(table, seat, locale)


def compose_reply(plain: str = "", html: str = "", *attached: tuple[str, str]) -> bytes:
    """Return a reply with these versions of its text, followed by parts given as header lines and content."""
    forms = [(kind, text) for kind, text in (("plain", plain), ("html", html)) if text]
    parts = [f"Content-Type: text/{kind}; charset=utf-8\n\n{text}\n" for kind, text in forms]
    if len(parts) == 2:
        parts = [_join_parts("alternative", "alt", parts)]
    parts += [f"{head}\n\n{content}\n" for head, content in attached]
    body = parts[0] if len(parts) == 1 else _join_parts("mixed", "mix", parts)
    head = (
        f"From: {WRITER}\nTo: x@echtra.example\nSubject: Re: Keltis\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"
    )
    return (head + body).replace("\n", "\r\n").encode()


def _join_parts(kind: str, mark: str, parts: list[str]) -> str:
    inner = "".join(f"--{mark}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{mark}"\n\n{inner}--{mark}--\n'


def raw(name: str) -> bytes:
    """Return the bytes of an email of the folder."""
    return (FOLDER / f"{name}.eml").read_bytes()


def meaning(message: bytes, viewer: Viewer = VIEWER) -> dict[str, Any]:
    """Return the outcome of a message at this table: `lines` with a `note`, a `command`, or a `refusal`."""
    try:
        mail = parse_message.parse(message)
    except parse_message.UnreadableMessage as error:
        return {"refusal": f"unreadable {error.why}"}
    said = body_versions.read_reply(mail)
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
    return judge_reply(said, viewer, sender_checks.from_name(mail))


def judge_reply(said: ReplyText, viewer: Viewer = VIEWER, name: str = "Aoife Byrne") -> dict[str, Any]:
    """Return the outcome of a reply's new text: `lines`, `held`, `asked`, a `command` or a `refusal`."""
    if not any(said.lines):
        return {"refusal": said.why}
    reader = MoveReader(viewer)
    wish = read_request(said.lines, Grammar.for_names((name,), OTHERS), moves=reader, signature=said.signature)
    if wish.mixed or wish.question:
        return {"refusal": "mixed" if wish.mixed else "question"}
    if wish.command is not None:
        return {"command": f"{wish.command.verb} {wish.command.rest}".strip()}
    if not wish.moves and not wish.beside:
        return {"note": wish.note} if wish.note else {"refusal": said.why}
    try:
        lines = reader.parse_reply(wish)
    except MovesNotUnderstood as error:
        return {"refusal": error.reason}
    made = {OUTCOMES[wish.verdict]: list(lines)}
    return {**made, **({"note": wish.note} if wish.note else {})}
