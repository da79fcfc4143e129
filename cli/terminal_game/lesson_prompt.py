"""A lesson in the terminal: a match that plays by itself up to the moments at which you choose."""

from __future__ import annotations

from cli.command import localise, program_name
from cli.terminal import Terminal
from cli.terminal_game.game import TerminalGame, player_name
from cli.terminal_game.prompt import QuitGame, TurnPrompt
from cli.terminal_game.result import print_result
from cli.terminal_game.story import MatchHistory
from engine.game import AnyAction, AnyGame
from engine.lesson import Lesson, Stop
from engine.reading import read

MOST_TOLD = 10


class LessonPrompt(TurnPrompt):
    """The dialogue of a lesson. At each stop you type as in a match, and the match continues as written."""

    chains = False  # a stop of the lesson explains a single line

    def __init__(self, game: AnyGame, lesson: Lesson, terminal: Terminal) -> None:
        """Start before the first move."""
        log = lesson.log(game)
        people = {lesson.you: player_name(None)}
        trail = MatchHistory(game, log.seats, log.settings, log.revision, [], people)
        super().__init__(TerminalGame(trail, lesson.you, b""), terminal)
        self.lesson = lesson
        self.moves = log.moves
        self.stop: Stop | None = None

    def _text(self, key: str, **values: object) -> str:
        return localise(f"terminal_game.lesson.{key}", **values)

    def play(self) -> None:
        """Go from stop to stop until the match is over."""
        game = self.sitting.trail.game
        self.terminal.heading(self._text("lesson", title=game.presentation.title[self.locale]))
        self._print_paragraphs(self.lesson.opening[self.locale])
        self.terminal.prose(self._text("typing"), "dim")
        for number, stop in enumerate(self.lesson.stops, 1):
            self._go_on_to(stop.move)
            self._ask_at_stop(number, stop)
        self._go_on_to(len(self.moves))
        self._print_new_story()
        self._print_table()
        print_result(self.sitting.trail, self.terminal, self.sitting.you)
        self.terminal.heading(self._text("over"))
        self._print_paragraphs(self.lesson.closing[self.locale])
        self.terminal.prose(self._text("now"))
        self.terminal.table(f"  {program_name()} play {game.slug} --bot {game.bots.stand_in} --lang {self.locale}")

    def _go_on_to(self, move: int) -> None:
        """Make the moves of the log before this one."""
        for each in self.moves[len(self.sitting.trail.beats) : move]:
            self.sitting.trail.make(each.seat, read(self.sitting.trail.game, each.line, each.seat))

    def _print_paragraphs(self, words: tuple[str, ...]) -> None:
        for each in words:
            self.terminal.prose(f"{each}\n")

    def _ask_at_stop(self, number: int, stop: Stop) -> None:
        """Print the table, the options and the explanation, and read input until the expected line is made."""
        self.stop = stop
        if self.waiting[:1] == [stop.line]:
            rest = self.waiting[1:]
            self._make_expected_move(rest)
            self.terminal.prose(self.say("ordered", line=stop.line), "dim", whole=(stop.line,))
            return
        self.waiting = []
        self._print_new_story()
        self._print_table()
        options = self.sitting.options()
        self.terminal.heading(self.say("yours"))
        self._print_menu(options)
        self.terminal.heading(self._text("stop", number=number, count=len(self.lesson.stops)))
        self._print_paragraphs(stop.words[self.locale])
        expected = read(self.sitting.trail.game, stop.line, self.sitting.you)
        sentence = self.sitting.trail.game.presentation.say(self.view(), expected, self.locale)
        self.terminal.prose(self._text("expected", sentence=sentence, line=stop.line), "bold", whole=(stop.line,))
        at = len(self.sitting.trail.beats)
        while len(self.sitting.trail.beats) == at:
            self._handle_input(self.terminal.ask(self._prompt(options)), options)

    def _make_expected_move(self, rest: list[str]) -> None:
        """Make the line of the lesson."""
        if self.stop is not None:
            super()._make_move(read(self.sitting.trail.game, self.stop.line, self.sitting.you), rest)

    def _make_move(self, action: AnyAction, rest: list[str]) -> None:
        """Continue with the line of the lesson, and say so if you chose another one."""
        expected = self.stop.line if self.stop else ""
        if action.line != expected:
            told = self._text("also", line=action.line, expected=expected)
            self.terminal.prose(told, whole=(action.line, expected))
            rest = []
        self._make_expected_move(rest)

    def _print_new_story(self) -> bool:
        """Tell what happened since the last stop, at most the last ten sentences."""
        trail, you = self.sitting.trail, self.sitting.you
        told = list(trail.story(self.told, you))
        self.told = len(trail.beats)
        if told:
            self.terminal.heading(self.say("since"))
            if len(told) > MOST_TOLD:
                self.terminal.prose(self._text("before", count=len(told) - MOST_TOLD), "dim")
            self.terminal.points(told[-MOST_TOLD:])
        return bool(told)

    def _confirm_resignation(self) -> None:
        """Leave without resigning: there is no real match."""
        raise QuitGame
