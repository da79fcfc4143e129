"""Saving a match in the terminal: when you leave it, and at its end if you asked for it."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from cli.command import current_language, localise, program_name, refusal
from cli.files import check_writable, write_atomically
from cli.interrupts import ignore_interrupts, interrupt_on_stop_signals
from cli.terminal_game.game import PlayArguments
from cli.terminal_game.prompt import QuitGame, TurnPrompt


@dataclass(frozen=True)
class GameSaver:
    """Saves a match, and prints the command that continues it."""

    call: PlayArguments
    save: Path | None

    def __post_init__(self) -> None:
        """Refuse a path that cannot be written before anything is played."""
        if self.save is None or self.save == self.call.resume:
            return
        if self.save.exists():
            key = "commands.match_file.directory" if self.save.is_dir() else "commands.match_file.exists"
            raise refusal(key, path=self.save)
        check_writable(self.save)

    def play(self, turns: TurnPrompt) -> None:
        """Play to the end or to an interruption, and save the match."""
        try:
            with interrupt_on_stop_signals():
                turns.play()
        except (KeyboardInterrupt, EOFError, QuitGame):
            with ignore_interrupts():
                path = self._write(turns, self.save or self.call.resume or self._new_path(turns))
            self._say(f"\n{localise('terminal_game.save.saved')}\n  {self._resume_command(path)}")
            return
        wanted = self.save or self.call.resume
        if wanted:
            saved = shlex.quote(str(self._write(turns, wanted)))
            self._say(localise("terminal_game.save.saved_whole", path=saved))

    def _say(self, text: str) -> None:
        # After a hang-up there may be no terminal to print on.
        with suppress(OSError):
            click.echo(text)

    def _write(self, turns: TurnPrompt, path: Path) -> Path:
        text = str(turns.sitting.trail.log())
        try:
            write_atomically(path, text)
        except OSError as error:
            self._say(localise("terminal_game.save.unwritable", path=path, why=error.strerror))
            path = Path(tempfile.gettempdir()) / self._new_path(turns).name
            write_atomically(path, text)
        return path

    def _new_path(self, turns: TurnPrompt) -> Path:
        stem = f"{turns.sitting.trail.game.slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        names = (f"{stem}{'' if at == 1 else f'-{at}'}.log" for at in range(1, 1000))
        return next(path for path in map(Path, names) if not path.exists())

    def _resume_command(self, path: Path) -> str:
        words = [program_name(), "play", "--resume", str(path)]
        if self.call.deal is not None:
            words += ["--deal", self.call.deal]
        if self.call.seed is not None:
            words += ["--seed", str(self.call.seed)]
        if self.call.name is not None:
            words += ["--name", self.call.name]
        words += ["--lang", current_language()]
        return shlex.join(words)
