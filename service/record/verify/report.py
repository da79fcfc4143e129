"""The report of a valid record: its counts, the decisions of the house, and what it does not prove."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from service.i18n.catalogue import translate
from service.record.entry import Entry
from service.record.verify.bot_lines import BotLines
from service.record.verify.reader import VIEWER_ALL, VIEWER_SPECTATOR, ExportReader

HASH_DIGITS_SHOWN = 12


@dataclass(frozen=True)
class HouseLine:
    """A decision of the house."""

    seq: int
    at: int
    line: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """A valid record. Its counts are of entries; `kept` and `joins` count the receipts checked with it."""

    match: str
    game: str
    revision: int
    seats: int
    viewer: str
    seq: int
    hash: str
    at: int
    over: bool
    entries: int
    redacted: int
    signed: int
    """Number of lines signed by keys that their seats are proved to have, redacted lines included."""
    attested: int
    """Number of lines signed by keys that only the house gave to their seats."""
    mail: int
    bots: int
    chance: int
    bot_names: tuple[str, ...]
    house: tuple[HouseLine, ...]
    without_nonce: tuple[int, ...]
    beacon: str
    server: str
    established: bool
    receipts: int
    kept: int = 0
    joins: int = 0
    later: tuple[int, ...] = ()
    rules: bool = False
    bot_lines: BotLines | None = None
    """Result of recomputing the bots, if requested."""

    def unproved(self) -> tuple[str, ...]:
        """Return the names, in order, of the points that this record does not prove (sentences: verify_report.toml)."""
        conditions = {
            "sealed": self.redacted > 0,
            "mail": self.mail > 0,
            "devices": self.attested > 0,
            "operator": True,
            "fair": bool(self.house) or (self.bots > 0 and not (self.bot_lines and self.bot_lines.all_same)),
            "thrown": True,
            "last_nonce": self.beacon == "-",
            "beacon": self.beacon != "-",
            "rules": not self.rules,
            "server": not self.established,
            "latest": True,
        }
        return tuple(name for name, holds in conditions.items() if holds)

    def not_proved(self, locale: str = "en") -> tuple[str, ...]:
        """Return what this record does not prove, one clause for each point."""
        return tuple(self._say(f"unproved.{name}", locale) for name in self.unproved())

    def sentence(self, locale: str = "en") -> str:
        """Return the one line that says the record is valid."""
        return self._say("good", locale, state=self._say("over" if self.over else "running", locale))

    def text(self, locale: str = "en") -> str:
        """Return the whole report."""
        viewer = {VIEWER_ALL: "viewer.all", VIEWER_SPECTATOR: "viewer.spectator"}.get(self.viewer, "viewer.seat")
        lines = [self.sentence(locale), *(self._say(name, locale) for name in ("counts", viewer, "receipts"))]
        if self.attested:
            lines.insert(2, self._say("attested", locale))
        if self.rules:
            lines.append(self._say("draws", locale))
        lines += self._describe_bot_lines(locale)
        lines += [self._say("house_line", locale, seq=each.seq, line=each.line) for each in self.house]
        if self.without_nonce:
            lines.append(self._say("nonce", locale, seats=", ".join(map(str, self.without_nonce))))
        lines += [self._say("later", locale, seq=seq) for seq in self.later]
        lines.append(self._say("unproved", locale))
        return "\n".join([*lines, *(f"- {clause}" for clause in self.not_proved(locale))])

    def _describe_bot_lines(self, locale: str) -> list[str]:
        """Describe the recomputed bots: a line for each bot, and one for each line that differs."""
        found = self.bot_lines
        if found is None:
            return []
        if not (found.compared or found.skipped or found.retired):
            return [self._say("bot_lines.none", locale)]
        differ = Counter(each.bot for each in found.differences)
        said = [
            self._say("bot_lines.compared", locale, bot=bot, count=count, same=count - differ[bot])
            for bot, count in sorted(found.compared.items())
        ]
        for name, counts in (("skipped", found.skipped), ("retired", found.retired)):
            said += [
                self._say(f"bot_lines.{name}", locale, bot=bot, count=count) for bot, count in sorted(counts.items())
            ]
        return said + [self._say("bot_lines.differs", locale, **vars(each)) for each in found.differences]

    def __str__(self) -> str:
        return self.text()

    def _say(self, name: str, locale: str, **more: object) -> str:
        values = {**vars(self), "head": self.hash[:HASH_DIGITS_SHOWN], "house": len(self.house), **more}
        return translate("fr" if locale == "fr" else "en", f"verify_report.{name}", **values)


def _bot_names(entries: list[Entry]) -> tuple[str, ...]:
    return tuple(sorted({entry.maker for entry in entries if entry.kind == "bot"}))


def build_report(reader: ExportReader, **more: object) -> Report:
    """Return the report of an export after reading it to its head."""
    head, log = reader.head, reader.log
    if head is None:
        raise ValueError("only an export with a head can be reported")
    kinds = Counter(entry.kind for entry in log.entries)
    facts = {
        **{name: getattr(log.header, name) for name in ("match", "game", "revision", "seats", "beacon")},
        **{name: head[name] for name in ("viewer", "seq", "hash", "at", "server")},
        **{name: kinds[name] for name in ("mail", "chance")},
        **more,
    }
    return Report(
        **facts,
        over=reader.seed is not None,
        entries=len(log.entries),
        signed=kinds["signed"] - log.attested,
        attested=log.attested,
        redacted=sum(entry.redacted for entry in log.entries),
        bots=kinds["bot"],
        bot_names=_bot_names(log.entries),
        house=tuple(HouseLine(entry.seq, entry.at, entry.line) for entry in log.entries if entry.kind == "house"),
        without_nonce=tuple(
            seat for seat, place in enumerate(log.header.places) if place.player and place.nonce == "-"
        ),
        established=reader.server_keys is not None,
        receipts=len(reader.receipts),
    )
