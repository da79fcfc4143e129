"""Keeping a match that is being played: saved when it is left, and when it is over if you asked for it."""

from __future__ import annotations

import errno
import os
import shlex
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from cli.command import program_name, refusal
from cli.interrupts import ignore_interrupts, interrupt_on_stop_signals
from cli.match_files import write_atomically
from cli.terminal_game.game import PlayArguments
from cli.terminal_game.prompt import QuitGame, TurnPrompt
from engine.words import Locale
from service.i18n.catalogue import translate


@dataclass(frozen=True)
class GameSaver:
    """Where a match is kept and how to go on with it."""

    call: PlayArguments
    save: Path | None
    locale: Locale

    def __post_init__(self) -> None:
        """Refuse a place that will not do before anything is played."""
        if self.save is None or self.save == self.call.resume:
            return
        if self.save.exists():
            key = "commands.match_file.directory" if self.save.is_dir() else "commands.match_file.exists"
            raise refusal(self.locale, key, path=self.save)
        if not os.access(self.save.parent, os.W_OK):
            why = errno.EACCES if self.save.parent.is_dir() else errno.ENOENT
            raise refusal(self.locale, "commands.match_file.unwritable", path=self.save, why=os.strerror(why))

    def over(self, turns: TurnPrompt) -> None:
        """Play to the end or to an interruption, and keep what there is."""
        try:
            with interrupt_on_stop_signals():
                turns.play()
        except (KeyboardInterrupt, EOFError, QuitGame):
            with ignore_interrupts():
                path = self._written(turns, self.save or self.call.resume or self._place(turns))
            self._say(f"\n{translate(self.locale, 'terminal_game.save.saved')}\n  {self._again(path)}")
            return
        kept = self.save or self.call.resume
        if kept:
            where = shlex.quote(str(self._written(turns, kept)))
            self._say(translate(self.locale, "terminal_game.save.saved_whole", path=where))

    def _say(self, text: str) -> None:
        # After a hang-up there may be no terminal left to say it on.
        with suppress(OSError):
            click.echo(text)

    def _written(self, turns: TurnPrompt, path: Path) -> Path:
        text = str(turns.sitting.trail.log())
        try:
            write_atomically(path, text)
        except OSError as error:
            self._say(translate(self.locale, "terminal_game.save.unwritable", path=path, why=error.strerror))
            path = Path(tempfile.gettempdir()) / self._place(turns).name
            write_atomically(path, text)
        return path

    def _place(self, turns: TurnPrompt) -> Path:
        stem = f"{turns.sitting.trail.game.slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        names = (f"{stem}{'' if at == 1 else f'-{at}'}.log" for at in range(1, 1000))
        return next(path for path in map(Path, names) if not path.exists())

    def _again(self, path: Path) -> str:
        words = [program_name(), "play", "--resume", str(path)]
        if self.call.deal is not None:
            words += ["--deal", self.call.deal]
        if self.call.seed is not None:
            words += ["--seed", str(self.call.seed)]
        if self.call.name is not None:
            words += ["--name", self.call.name]
        words += ["--lang", self.locale]
        return shlex.join(words)
