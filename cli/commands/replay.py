"""`echtra replay`: a match file or a downloaded record, shown at any point and from any permitted seat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, refusal

if TYPE_CHECKING:
    from cli.terminal_game.story import MatchHistory
    from engine.game import Seat

MOVES_SHOWN = 10


@bilingual_command("replay", "usage.replay.about")
@click.argument("file", type=FILE)
@bilingual_option("--at", type=int, metavar="N", text="usage.replay.at")
@bilingual_option("--as", "viewer", metavar="SEAT|all", text="usage.replay.as")
def command(file: Path, at: int | None, viewer: str | None) -> None:
    """Show a match file."""
    from cli.match_files import read_match
    from cli.record_files import is_record
    from cli.terminal_game.story import MatchHistory

    if is_record(file):
        _replay_record(file, at, viewer)
        return
    log = read_match(file, None if at is None else max(at, 0))
    _check_move(file, at, len(log.moves))
    _print_match(MatchHistory.along(log, at), len(log.moves), _parse_viewers(viewer, log.seats))


def _replay_record(file: Path, at: int | None, viewer: str | None) -> None:
    """Show a record as one of its permitted readers sees it."""
    from cli.record_files import read_record

    record = read_record(file, None if at is None else max(at, 0))
    _check_move(file, at, record.moves)
    own = record.default_viewer
    viewers = (own,) if viewer is None else _parse_viewers(viewer, record.history.seats)
    if not all(map(record.may_show, viewers)):
        raise refusal("commands.record.of_spectator" if own is None else "commands.record.of_seat", path=file, seat=own)
    _print_match(record.history, record.moves, viewers)


def _check_move(file: Path, at: int | None, moves: int) -> None:
    if at is not None and not 0 <= at <= moves:
        raise refusal("commands.match_file.bad_at", path=file, moves=moves, at=at)


def _parse_viewers(text: str | None, seats: int) -> tuple[Seat | None, ...]:
    if text is None:
        return (None,)
    if text == "all":
        return tuple(range(seats))
    if text not in map(str, range(seats)):
        raise refusal("commands.match.as_form", high=seats - 1, text=text or '""')
    return (int(text),)


def _print_match(history: MatchHistory, moves: int, viewers: tuple[Seat | None, ...]) -> None:
    from cli.terminal import Terminal
    from cli.terminal_game.result import print_result

    terminal = Terminal(history.game)
    many = len(viewers) > 1
    if history.beats:
        terminal.heading(localise("commands.replay.move", at=len(history.beats), all=moves))
        since = max(len(history.beats) - MOVES_SHOWN, 0)
        terminal.points(history.story(since, None if many else viewers[0], whole=many))
    else:
        terminal.heading(localise("commands.replay.start"))
    for viewer in viewers:
        key = "commands.replay.as_spectator" if viewer is None else "commands.replay.as_seat"
        terminal.heading(localise(key, seat=viewer))
        terminal.board(history.game, history.view(history.now, viewer))
    if history.now.over:
        print_result(history, terminal)
