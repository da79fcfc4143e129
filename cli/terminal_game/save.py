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

from cli.command import Said, in_words
from cli.command_shell import called
from cli.match_files import write
from cli.terminal_game.game import Call
from cli.terminal_game.prompt import Leave, Turns
from cli.terminal_game.save_signals import quiet, stoppable
from engine.words import Locale
from service.i18n.legacy.cli_phrases import refusal

SAVED: Said = ("The match is saved. Go on with:", "La partie est gardée. Pour la reprendre :")
WHOLE: Said = (
    "The whole match is in {path}; see: echtra replay {path}",
    "Toute la partie est dans {path} ; voir : echtra replay {path}",
)
ELSEWHERE: Said = ("{path} cannot be written: {why}.", "{path} : écriture impossible : {why}.")


@dataclass(frozen=True)
class Keeping:
    """Where a match is kept and how to go on with it."""

    call: Call
    save: Path | None
    locale: Locale

    def __post_init__(self) -> None:
        """Refuse a place that will not do before anything is played."""
        if self.save is None or self.save == self.call.resume:
            return
        if self.save.exists():
            raise refusal(self.locale, "directory" if self.save.is_dir() else "exists", path=self.save)
        if not os.access(self.save.parent, os.W_OK):
            why = errno.EACCES if self.save.parent.is_dir() else errno.ENOENT
            raise refusal(self.locale, "unwritable", path=self.save, why=os.strerror(why))

    def over(self, turns: Turns) -> None:
        """Play to the end or to an interruption, and keep what there is."""
        try:
            with stoppable():
                turns.play()
        except (KeyboardInterrupt, EOFError, Leave):
            with quiet():
                path = self._written(turns, self.save or self.call.resume or self._place(turns))
            self._say(f"\n{in_words(SAVED, self.locale)}\n  {self._again(path)}")
            return
        kept = self.save or self.call.resume
        if kept:
            where = shlex.quote(str(self._written(turns, kept)))
            self._say(in_words(WHOLE, self.locale).format(path=where))

    def _say(self, text: str) -> None:
        # After a hang-up there may be no terminal left to say it on.
        with suppress(OSError):
            click.echo(text)

    def _written(self, turns: Turns, path: Path) -> Path:
        text = str(turns.sitting.trail.log())
        try:
            write(path, text)
        except OSError as error:
            self._say(in_words(ELSEWHERE, self.locale).format(path=path, why=error.strerror))
            path = Path(tempfile.gettempdir()) / self._place(turns).name
            write(path, text)
        return path

    def _place(self, turns: Turns) -> Path:
        stem = f"{turns.sitting.trail.game.slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        names = (f"{stem}{'' if at == 1 else f'-{at}'}.log" for at in range(1, 1000))
        return next(path for path in map(Path, names) if not path.exists())

    def _again(self, path: Path) -> str:
        words = [called(), "play", "--resume", str(path)]
        if self.call.deal is not None:
            words += ["--deal", self.call.deal]
        if self.call.seed is not None:
            words += ["--seed", str(self.call.seed)]
        return shlex.join(words)
