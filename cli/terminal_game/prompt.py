"""Your turns at the terminal: what is printed, and the effect of your input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cli.command import localise
from cli.terminal import Terminal
from cli.terminal_game.game import TerminalGame
from cli.terminal_game.menu import SHORT_MENU, MenuPage, OptionGroup, cut_page, group_options
from cli.terminal_game.result import print_result
from engine import house, notation
from engine.game import HOUSE, AnyAction, Options
from engine.lookahead import MenuRow, write_rows
from engine.reading import Reader, Unclear, read
from engine.reasons import reason
from engine.rulebook import WIDTH as RULES_WIDTH
from engine.rulebook import print_rulebook, whole_rules
from engine.words import Locale, plain

HISTORY_LENGTH = 20
YES = frozenset({"y", "yes", "o", "oui"})
COMMANDS = {
    "?": "help",
    "help": "help",
    "aide": "help",
    "rules": "rules",
    "regles": "rules",
    "table": "table",
    "history": "history",
    "historique": "history",
    "options": "options",
    "more": "more",
    "suite": "more",
    "resign": "resign",
    "abandonner": "resign",
    "quit": "quit",
    "exit": "quit",
    "quitter": "quit",
}
HELP = ("number", "line", "words", "several", "options", "table", "history", "resign", "quit", "rules")
"""Entries of the help, in order."""


class QuitGame(Exception):
    """The user wants to leave."""


class TurnPrompt:
    """The dialogue between you and the match."""

    chains = True
    """True if a row includes the lines that are forced after it."""

    def __init__(self, sitting: TerminalGame, terminal: Terminal) -> None:
        """Start at the current state. Moves before your last one are not told again."""
        self.sitting = sitting
        self.terminal = terminal
        self.waiting: list[str] = []
        self.unseen: tuple[OptionGroup, ...] = ()
        beats = sitting.trail.beats
        own = [at for at, beat in enumerate(beats) if beat.seat == sitting.you]
        self.told = own[-1] if own else next((at for at, beat in enumerate(beats) if beat.seat != HOUSE), len(beats))

    @property
    def locale(self) -> Locale:
        """Language of the dialogue."""
        return self.terminal.locale

    def say(self, key: str, **values: object) -> str:
        """Return a text of the dialogue."""
        return localise(f"terminal_game.prompt.{key}", **values)

    def view(self) -> Any:  # noqa: ANN401  # each game has its own
        """Return your view of the match."""
        return self.sitting.trail.view(self.sitting.now, self.sitting.you)

    def play(self) -> None:
        """Play until the match is over."""
        self._print_greeting()
        first = True
        while True:
            self.sitting.go_on()
            if not self.sitting.asked:
                break
            if self.waiting:
                self._play_waiting_line()
            else:
                self._ask_for_move(first=first)
                first = False
        self._print_new_story()
        self._print_table()
        print_result(self.sitting.trail, self.terminal, self.sitting.you)

    def _print_greeting(self) -> None:
        game, view, you = self.sitting.trail.game, self.view(), self.sitting.you
        self.terminal.heading(game.presentation.title[self.locale])
        others = ", ".join(view.called(seat, self.locale) for seat in range(view.seats) if seat != you)
        self.terminal.prose(self.say("hello", name=view.called(you, self.locale), others=others))
        for option in game.rules.options:
            if option.name in self.sitting.first:
                given = f"{option.name}={self.sitting.first[option.name]}"
                other = f"--option {option.name}={notation.setting(option.default)}"
                told = self.say("first_match", title=option.title[self.locale], given=given, other=other)
                self.terminal.prose(told, "dim", whole=(given, other))

    def _print_new_story(self) -> bool:
        """Tell what has happened since the last turn. Return True if another player acted."""
        trail, you = self.sitting.trail, self.sitting.you
        beats = trail.beats[self.told :]
        if beats:
            self.terminal.heading(self.say("since"))
            self.terminal.points(trail.story(self.told, you))
        self.told = len(trail.beats)
        return any(beat.seat not in (you, -1) for beat in beats)

    def _print_table(self, *, whole: bool = False) -> None:
        self.terminal.heading(self.say("table"))
        if self.terminal.board(self.sitting.trail.game, self.view(), whole=whole):
            self.terminal.prose(self.say("compact"), "dim")

    def _ask_for_move(self, *, first: bool) -> None:
        """Print story, table and options, and read input until a move is made."""
        if self._print_new_story() or first:
            self._print_table()
        options = self.sitting.options()
        self.terminal.heading(self.say("yours"))
        self._print_menu(options)
        at = len(self.sitting.trail.beats)
        while len(self.sitting.trail.beats) == at:
            self._handle_input(self.terminal.ask(self._prompt(options)), options)

    def _prompt(self, options: Options) -> str:
        """Return the prompt. With a single option it says that Enter plays it."""
        if len(options) > 1:
            return self.say("prompt")
        return self.say("enter", line=next(iter(options)).line)

    def _print_menu(self, options: Options) -> None:
        """Print what you have to do, and the first page of the options."""
        game, view = self.sitting.trail.game, self.view()
        if game.presentation.task is not None:
            self.terminal.prose(game.presentation.task(view, self.locale).line(self.locale), "bold")
        self._print_page(group_options(game, view, options, self.locale))

    def _print_page(self, groups: tuple[OptionGroup, ...]) -> None:
        """Print the next options of each kind, and how many are left."""
        if not groups:
            self.terminal.prose(self.say("no_more"))
            return
        page = cut_page(groups)
        self.unseen = page.rest
        titles = len(groups) > 1 and sum(len(group.entries) for group in groups) > SHORT_MENU
        self.terminal.menu([self._menu_group(group, page, titles=titles) for group in page.shown])
        if page.left:
            self.terminal.prose(self.say("more", count=page.left), "dim")

    def _menu_group(
        self, group: OptionGroup, page: MenuPage, *, titles: bool
    ) -> tuple[str, list[tuple[int, str, str]], str]:
        """Return the heading, the numbered sentences and the note of one kind."""
        rows = self._menu_rows([option for _, option in group.entries])
        entries = [(at, row.sentence, row.line) for (at, _), row in zip(group.entries, rows, strict=True)]
        left = page.left_of(group.title)
        return group.title if titles else "", entries, self.say("left", count=left) if left and titles else ""

    def _menu_rows(self, options: Sequence[AnyAction]) -> list[MenuRow]:
        """Return the rows of these options, with the lines that are forced after them."""
        sitting, trail = self.sitting, self.sitting.trail
        chained = dict.fromkeys(options) | (sitting.forced_after(options) if self.chains else {})
        return write_rows(trail.game, chained, self.view(), lambda state: trail.view(state, sitting.you), self.locale)

    def _handle_input(self, text: str, options: Options) -> None:
        words = plain(text).split()
        command = COMMANDS.get(words[0]) if words else ""
        if command and (len(words) == 1 or command == "history"):
            self._run_command(command, words[1:], options)
        elif words:
            self._play_lines(text, options)
        elif len(options) == 1:
            self._make_move(next(iter(options)), [])

    def _run_command(self, command: str, rest: list[str], options: Options) -> None:
        match command:
            case "help":
                self._print_help(options)
            case "rules":
                self._print_rules()
            case "table":
                self._print_table(whole=True)
            case "history":
                self._print_history(rest)
            case "options":
                self._print_menu(options)
            case "more":
                self._print_page(self.unseen)
            case "resign":
                self._confirm_resignation()
            case _:
                raise QuitGame

    def _play_lines(self, text: str, options: Options) -> None:
        reader = Reader(self.sitting.trail.game, self.view(), options, self.sitting.ahead)
        try:
            first, *rest = reader.lines(text)
        except Unclear as unclear:
            self._explain_unclear(unclear, options)
            return
        if first == "resign":
            self._confirm_resignation()
            return
        action = self._find_legal(first, options)
        if action is None:
            why = self._refusal(first)
            self.terminal.prose(self.say("closed", line=first, why=why, count=len(options)), whole=(first,))
            return
        self._make_move(action, rest)

    def _make_move(self, action: AnyAction, rest: list[str]) -> None:
        """Make a legal move. The lines typed after it wait for your next turns.

        Without such lines, those that are forced after the move are made with it, as its row says.
        """
        trail, you = self.sitting.trail, self.sitting.you
        lines = (action.line,) if rest else self._menu_rows([action])[0].lines
        for line in lines:
            trail.make(you, read(trail.game, line, you))
        self.waiting = rest

    def _explain_unclear(self, unclear: Unclear, options: Options) -> None:
        if unclear.meant:
            self.terminal.prose(
                self.say("meant", text=unclear.text, meant=", ".join(unclear.meant)), whole=unclear.meant
            )
        else:
            line = next(iter(options)).line
            self.terminal.prose(self.say("what", text=unclear.text, count=len(options), line=line))

    def _find_legal(self, line: str, options: Options) -> AnyAction | None:
        """Return the first alternative in a line that is legal now, or None."""
        for each in line.split(" | "):
            try:
                action = read(self.sitting.trail.game, each, self.sitting.you)
            except notation.NotALine:
                continue
            if action in options:
                return action
        return None

    def _refusal(self, line: str) -> str:
        """Return why the first alternative in a line is illegal, in the words of the service."""
        trail = self.sitting.trail
        try:
            action = read(trail.game, line.partition(" | ")[0], self.sitting.you)
        except notation.NotALine as error:
            return error.reason.text(self.locale)
        objection = house.objection(self.sitting.now, self.sitting.you, action, trail.game)
        return (objection or reason("line.not_listed")).text(self.locale)

    def _play_waiting_line(self) -> None:
        """Make the next waiting line, or drop all of them."""
        line, *rest = self.waiting
        action = self._find_legal(line, self.sitting.options())
        self.waiting = rest if action else []
        if line == "resign":
            self._confirm_resignation()
        elif action:
            self.sitting.trail.make(self.sitting.you, action)
            self.terminal.prose(self.say("ordered", line=action.line), "dim", whole=(action.line,))
        elif not all(map(self.sitting.trail.game.rules.may_lapse, (line, *rest))):
            self.terminal.prose(self.say("dropped", lines="; ".join((line, *rest))), whole=(line, *rest))

    def _confirm_resignation(self) -> None:
        if plain(self.terminal.ask(self.say("sure"))) in YES:
            self.waiting = []
            self.sitting.resign()
        else:
            self.terminal.prose(self.say("kept"))

    def _print_history(self, rest: list[str]) -> None:
        beats = self.sitting.trail.beats
        count = int(rest[0]) if rest and rest[0].isdecimal() else HISTORY_LENGTH
        since = max(len(beats) - count, 0)
        for at, beat in enumerate(beats[since:], since + 1):
            told = " ".join(self.sitting.trail.tell(beat, self.sitting.you))
            self.terminal.hang(self.terminal.color(told), f"{at:>4}  ")

    def _print_rules(self) -> None:
        game = self.sitting.trail.game
        self.terminal.heading(self.say("rules", title=game.presentation.title[self.locale]))
        width = min(self.terminal.width, RULES_WIDTH)
        self.terminal.table(print_rulebook(whole_rules(game, self.locale), self.locale, width))

    def _print_help(self, options: Options) -> None:
        self.terminal.heading(self.say("typing"))
        line = next(iter(options)).line
        for key in HELP:
            typed = localise(f"terminal_game.help.{key}.typed", line=line)
            meaning = localise(f"terminal_game.help.{key}.meaning")
            self.terminal.hang(self.terminal.color(meaning), f"  {typed:<18}  ")
