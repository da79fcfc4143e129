"""Downloaded records, read as matches to show: whole, or as one seat or a spectator saw them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cli.command import Refusal, current_language, localise, refusal
from cli.files import read_file
from cli.terminal_game.story import GameMove, MatchHistory
from engine.game import Seat, State
from engine.reading import read
from service.record.entry import Entry
from service.record.errors import BadRecord, BadRecordPart
from service.record.verify.reader import VIEWER_ALL, VIEWER_SPECTATOR, ExportReader, read_export
from service.record.verify.rules_check import RulesChecker

RECORD_START = b"{"


@dataclass(frozen=True)
class RecordedMatch:
    """A match from a record, and who may see it."""

    history: MatchHistory
    moves: int
    viewer: str
    """The seat the record was made for, `-` for spectators, or `all`."""

    @property
    def default_viewer(self) -> Seat | None:
        """The seat whose view is shown by default; None for a spectator."""
        return None if self.viewer in (VIEWER_ALL, VIEWER_SPECTATOR) else int(self.viewer)

    def may_show(self, viewer: Seat | None) -> bool:
        """Return True if the record contains enough for the view of this seat, or of a spectator."""
        return self.viewer == VIEWER_ALL or viewer is None or viewer == self.default_viewer


def is_record(path: Path) -> bool:
    """Return True if a file looks like a record, not like a match as text."""
    try:
        with path.open("rb") as file:
            return file.read(1) == RECORD_START
    except (OSError, ValueError):
        return False


def read_record(path: Path, upto: int | None = None) -> RecordedMatch:
    """Read the match of a record up to a given entry, or refuse and explain what is wrong with the record."""
    try:
        reader = read_export(read_file(path))
    except BadRecord as fault:
        raise _bad_record(path, fault.line, fault) from None
    entries, viewer = reader.log.entries, str((reader.head or {})["viewer"])
    history = _follow_entries(path, reader, entries[:upto], viewer)
    return RecordedMatch(history, len(entries), viewer)


def _bad_record(path: Path, line: int, fault: BadRecord | BadRecordPart) -> Refusal:
    bad = localise("commands.verify.bad", path=path, line=line, reason=fault.reason, detail=fault.detail)
    return Refusal(bad + "\n" + localise("commands.record.why", path=path))


def _follow_entries(path: Path, reader: ExportReader, entries: list[Entry], viewer: str) -> MatchHistory:
    """Return the entries as moves, each with a state before and after it that fits what the viewer may see."""
    header, rules = reader.log.header, RulesChecker()
    beats: list[GameMove] = []
    line = 1
    try:
        rules.start(header, viewer, reader.seed)
        for entry in entries:
            line = reader.entry_line(entry.seq)
            before = rules.match_state.state
            rules.check_entry(entry)
            if rules.lost:
                raise refusal("commands.record.lost", path=path, at=entry.seq - 1)
            beats.append(_game_move(rules, entry, before))
    except BadRecordPart as fault:
        raise _bad_record(path, line, fault) from None
    game = rules.match_state.facts.game
    people = {
        seat: game.presentation.words.bot(place.bot, current_language())
        for seat, place in enumerate(header.places)
        if place.bot
    }
    return MatchHistory(game, header.seats, dict(header.option_values()), header.revision, beats, people)


def _game_move(rules: RulesChecker, entry: Entry, before: State) -> GameMove:
    """Return an entry as a move. A redacted entry has only its visible part."""
    after = rules.match_state.state
    if entry.redacted:
        return GameMove(entry.seat, None, before, after, entry.shown)
    return GameMove(entry.seat, read(rules.match_state.facts.game, entry.line, entry.seat), before, after)
