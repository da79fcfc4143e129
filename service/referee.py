"""The rules beside a record: every move listed, every draw the seed's, every redacted form the game's own."""

from __future__ import annotations

from engine.chance import Numbered, match_key
from engine.game import CHANCE, BadSetting, final_scores
from engine.games import GAMES
from engine.house import End, objection
from engine.notation import NotALine
from engine.playout import rolled
from engine.reading import read
from service.record.entries import Entry
from service.record.fault import Refused
from service.record.header import Header
from service.table import Facts, Table, first

DRAWN = "chance"


class Referee:
    """Replays a record by the rules of its game, as far as its reader may see."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.seed: bytes | None = None
        self.blind = False
        """Whether an entry was redacted: from there on the state is not known."""

    def begin(self, header: Header, viewer: str, seed: bytes | None) -> None:  # who reads does not matter
        """Set up the table of the header."""
        game = GAMES.get(header.game)
        if game is None:
            raise Refused("rules", f"this program does not know the game {header.game}")
        if not 1 <= header.revision <= game.revision:
            raise Refused("rules", f"this program does not know revision {header.revision} of {header.game}")
        self.seed = seed
        key = match_key(seed, header.nonces, header.beacon) if seed is not None else b""
        try:
            known = Facts(
                id=header.match,
                game=game,
                seats=header.seats,
                settings=header.chosen(),
                revision=header.revision,
                signed_only=header.moves == "signed",
                seed=seed or b"",
                key=key,
                header=header,
                header_hash=header.hash,
            )
            self.table = first(known)
        except BadSetting as error:
            raise Refused("rules", str(error)) from None

    def entry(self, entry: Entry) -> None:
        """Check one entry and make it."""
        if entry.redacted:
            self.blind = True
        if self.blind or self.table is None:
            return
        table = self.table
        try:
            action = read(table.facts.game, entry.line, entry.seat)
        except NotALine as error:
            raise Refused("rules", f"{entry.line}: {error}") from None
        why = objection(table.state, entry.seat, action)
        if why:
            raise Refused("rules", f"{entry.line}: {why}")
        if entry.kind == "signed":
            self._signed(table, entry)
        if entry.seat == CHANCE and self.seed is not None:
            drawn = rolled(table.state, Numbered(table.facts.key, table.state.picks))
            if drawn != action:
                raise Refused("rules", f"{entry.line}: the seed draws {drawn.line}")
        self.table = table.after(entry.seat, action, entry.hash, entry.at)
        if isinstance(action, End) and self.table.state.house.scores:
            final_scores(table.facts.game, self.table.state)

    def _signed(self, table: Table, entry: Entry) -> None:
        question = table.questions[entry.seat]
        anytime = entry.orders or entry.line.split(" ", 1)[0] in ("resign", "keys")
        if entry.n == 1 and not anytime and (question is None or question.asked != entry.asked):
            raise Refused("rules", f"{entry.line}: seat {entry.seat} was not asked since entry {entry.asked}")
        for other in entry.alternatives:
            if other == entry.line:
                return
            try:
                action = read(table.facts.game, other, entry.seat)
            except NotALine:
                continue
            if not objection(table.state, entry.seat, action):
                raise Refused("rules", f"{entry.line}: {other} stood before it and was listed too")

    def over(self) -> None:
        """The match is over if and only if the seed is out."""
        if self.blind or self.table is None:
            return
        if self.table.state.over and self.seed is None:
            raise Refused("rules", "the match is over by the rules, but the record goes on")
        if not self.table.state.over and self.seed is not None:
            raise Refused("rules", "the seed is out, but by the rules the match is not over")

    def scores(self) -> tuple[int, ...]:
        """The final scores, once everything was seen."""
        if self.blind or self.table is None or not self.table.state.over:
            return ()
        return tuple(score.total for score in final_scores(self.table.facts.game, self.table.state))
