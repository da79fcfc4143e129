"""`echtra replay`: a match file or a downloaded record, shown at any point and as any seat it may be shown to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from cli.terminal_game.story import MatchHistory
    from engine.game import Seat
    from engine.words import Locale

MOVES_SHOWN = 10


@bilingual_command("replay", "usage.replay.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--at", type=int, metavar="N", text="usage.replay.at")
@bilingual_option("--as", "viewer", metavar="SEAT|all", text="usage.replay.as")
def command(file: Path, at: int | None, viewer: str | None, locale: Locale, no_color: bool) -> None:
    """Show a match file."""
    from cli.match_files import read_match
    from cli.record_files import is_record
    from cli.terminal import Terminal
    from cli.terminal_game.story import MatchHistory

    if is_record(file):
        _replay_record(file, at, viewer, locale, no_color=no_color)
        return
    if at is not None and at < 0:
        raise refusal(
            locale, "commands.match_file.bad_at", path=file, moves=len(read_match(file, locale, 0).moves), at=at
        )
    log = read_match(file, locale, at)
    if at is not None and at > len(log.moves):
        raise refusal(locale, "commands.match_file.bad_at", path=file, moves=len(log.moves), at=at)
    viewers = _parse_viewers(viewer, log.seats, locale)
    _print_match(
        MatchHistory.along(log, at), len(log.moves), viewers, Terminal(locale, no_color=no_color, game=log.game)
    )


def _replay_record(file: Path, at: int | None, viewer: str | None, locale: Locale, *, no_color: bool) -> None:
    """Show a record, as those may see it for whom it was made."""
    from cli.record_files import read_record
    from cli.terminal import Terminal

    found = read_record(file, locale, None if at is None else max(at, 0))
    if at is not None and not 0 <= at <= found.moves:
        raise refusal(locale, "commands.match_file.bad_at", path=file, moves=found.moves, at=at)
    history = found.history
    viewers = _parse_viewers(viewer, history.seats, locale) if viewer is not None else (found.default_viewer,)
    if not all(map(found.may_show, viewers)):
        seat = found.default_viewer
        key = "commands.record.of_spectator" if seat is None else "commands.record.of_seat"
        raise refusal(locale, key, path=file, seat=seat)
    _print_match(history, found.moves, viewers, Terminal(locale, no_color=no_color, game=history.game))


def _parse_viewers(text: str | None, seats: int, locale: Locale) -> tuple[Seat | None, ...]:
    if text is None:
        return (None,)
    if text == "all":
        return tuple(range(seats))
    if text not in map(str, range(seats)):
        raise refusal(locale, "commands.match.as_form", high=seats - 1, text=text or '""')
    return (int(text),)


def _print_match(trail: MatchHistory, moves: int, viewers: tuple[Seat | None, ...], terminal: Terminal) -> None:
    from cli.terminal_game.result import print_result

    locale, many = terminal.locale, len(viewers) > 1
    if trail.beats:
        terminal.heading(translate(locale, "commands.replay.move", at=len(trail.beats), all=moves))
        since = max(len(trail.beats) - MOVES_SHOWN, 0)
        terminal.points(trail.story(since, None if many else viewers[0], locale, whole=many))
    else:
        terminal.heading(translate(locale, "commands.replay.start"))
    for viewer in viewers:
        key = "commands.replay.as_spectator" if viewer is None else "commands.replay.as_seat"
        terminal.heading(translate(locale, key, seat=viewer))
        terminal.board(trail.game, trail.view(trail.now, viewer, locale))
    if trail.now.over:
        print_result(trail, terminal)
