"""Your turns at the terminal: what you are shown, and what becomes of what you type."""

from __future__ import annotations

from itertools import islice
from typing import Any

from cli.command import Bilingual, text_in
from cli.terminal import Terminal
from cli.terminal_game.game import TerminalGame
from cli.terminal_game.result import print_result
from engine import notation
from engine.game import HOUSE, Action, Game, Options
from engine.reading import Reader, Unclear, read
from engine.rulebook import WIDTH as RULES_WIDTH
from engine.rulebook import print_rulebook
from engine.words import Locale, plain

MOST_SHOWN = 40
HISTORY_LENGTH = 20
YES = frozenset({"y", "yes", "o", "oui"})
COMMANDS = {
    "?": "help",
    "help": "help",
    "aide": "help",
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
TEXTS: dict[str, Bilingual] = {
    "hello": (
        "You are seat {you}. The others: {others}. Type ? for help; Ctrl-C saves the match and leaves.",
        "Vous êtes la place {you}. Les autres : {others}. Tapez ? pour l'aide ; Ctrl-C garde la partie et quitte.",
    ),
    "since": ("What happened", "Ce qui s'est passé"),
    "table": ("The table", "La table"),
    "yours": ("Your options", "Vos possibilités"),
    "more": (
        "and {more} more of the form {forms}; type one, or `more` to see them",
        "et {more} de plus de la forme {forms} ; tapez-en un, ou « suite » pour les voir",
    ),
    "no-more": ("That was the whole list.", "La liste est finie."),
    "prompt": ("Your choice:", "Votre choix :"),
    "what": (
        "“{text}” means nothing here. Type a number from 1 to {count}, a line such as `{line}`, or ? for help.",
        "« {text} » ne veut rien dire ici. Tapez un nombre de 1 à {count}, un coup comme « {line} », ou ? pour l'aide.",
    ),
    "meant": (
        "“{text}” may mean: {meant}. Type one of these lines.",
        "« {text} » peut vouloir dire : {meant}. Tapez l'un de ces coups.",
    ),
    "closed": (
        "{line} is not open to you now. Type a number from 1 to {count}, or ? for help.",
        "{line} ne vous est pas permis maintenant. Tapez un nombre de 1 à {count}, ou ? pour l'aide.",
    ),
    "ordered": ("As you said before: {line}", "Comme vous l'aviez dit : {line}"),
    "dropped": ("No longer possible, so it was dropped: {lines}", "Plus possible, donc laissé de côté : {lines}"),
    "sure": ("Give up this match for good? (yes or no)", "Abandonner cette partie pour de bon ? (oui ou non)"),
    "kept": ("You play on.", "Vous continuez."),
    "rules": ("{title}, the whole rules", "{title}, toutes les règles"),
    "typing": ("What you can type", "Ce que vous pouvez taper"),
}
HELP: tuple[tuple[Bilingual, Bilingual], ...] = (
    (("12", "12"), ("the option with this number", "la possibilité qui porte ce numéro")),
    (("{line}", "{line}"), ("a line as it stands on the right of the list", "un coup, comme à droite de la liste")),
    (
        ("words", "des mots"),
        ("names in English or French, beginnings suffice", "des noms français ou anglais ; le début suffit"),
    ),
    (
        ("one; two", "l'un; l'autre"),
        (
            "several lines, the later ones wait for your next turns",
            "plusieurs coups ; la suite attend vos prochains tours",
        ),
    ),
    (("options, more", "options, suite"), ("the list again, or its next part", "la liste encore, ou sa suite")),
    (("table", "table"), ("the table again", "la table encore")),
    (("history [N]", "historique [N]"), ("the last N moves", "les N derniers coups")),
    (("resign", "abandonner"), ("give up (you are asked again)", "abandonner (on vous redemande)")),
    (("quit", "quitter"), ("save the match and leave, like Ctrl-C", "garder la partie et quitter, comme Ctrl-C")),
)


class QuitGame(Exception):
    """The user wants to go."""


class TurnPrompt:
    """The talk between you and the table."""

    def __init__(self, sitting: TerminalGame, terminal: Terminal) -> None:
        """Start where the match stands: what you have lived through is not told again."""
        self.sitting = sitting
        self.terminal = terminal
        self.waiting: list[str] = []
        self.shown = 0
        beats = sitting.trail.beats
        own = [at for at, beat in enumerate(beats) if beat.seat == sitting.you]
        self.told = own[-1] if own else next((at for at, beat in enumerate(beats) if beat.seat != HOUSE), len(beats))

    @property
    def locale(self) -> Locale:
        """The language of the talk."""
        return self.terminal.locale

    def say(self, key: str, **values: object) -> str:
        """One of our sentences."""
        return text_in(TEXTS[key], self.locale).format(**values)

    def view(self) -> Any:  # noqa: ANN401  # each game has its own
        """The table as you see it."""
        return self.sitting.trail.view(self.sitting.now, self.sitting.you, self.locale)

    def play(self) -> None:
        """Take turn after turn until the match is over."""
        self._hello()
        first = True
        while True:
            self.sitting.go_on()
            if not self.sitting.asked:
                break
            if self.waiting:
                self._order()
            else:
                self._question(first=first)
                first = False
        self._news()
        self._table()
        print_result(self.sitting.trail, self.terminal, self.sitting.you)

    def _hello(self) -> None:
        game, view, you = self.sitting.trail.game, self.view(), self.sitting.you
        self.terminal.heading(game.title[self.locale])
        others = ", ".join(view.called(seat, self.locale) for seat in range(view.seats) if seat != you)
        self.terminal.prose(self.say("hello", you=you, others=others))

    def _news(self) -> bool:
        """Tell what happened since; whether another seat was in it."""
        trail, you = self.sitting.trail, self.sitting.you
        beats = trail.beats[self.told :]
        if beats:
            self.terminal.heading(self.say("since"))
            self.terminal.points(trail.story(self.told, you, self.locale))
        self.told = len(trail.beats)
        return any(beat.seat not in (you, -1) for beat in beats)

    def _table(self) -> None:
        self.terminal.heading(self.say("table"))
        self.terminal.table(self.sitting.trail.game.text(self.view(), self.locale))

    def _question(self, *, first: bool) -> None:
        """Show what there is to see and read until a move is made."""
        if self._news() or first:
            self._table()
        options = self.sitting.options()
        self.terminal.heading(self.say("yours"))
        self._menu(options, 0)
        at = len(self.sitting.trail.beats)
        while len(self.sitting.trail.beats) == at:
            self._typed(self.terminal.ask(self.say("prompt")), options)

    def _menu(self, options: Options, since: int) -> None:
        game, view = self.sitting.trail.game, self.view()
        shown = list(islice(options, since, since + MOST_SHOWN))
        if not shown:
            self.terminal.prose(self.say("no-more"))
            return
        self.terminal.menu(
            [(at, game.say(view, each, self.locale), each.line) for at, each in enumerate(shown, since + 1)]
        )
        self.shown = since + len(shown)
        if len(options) > self.shown:
            rest = islice(options, self.shown, None)
            forms = ", ".join(dict.fromkeys(line_form(game, each, self.locale) for each in rest))
            self.terminal.prose(self.say("more", more=len(options) - self.shown, forms=forms), "dim")

    def _typed(self, text: str, options: Options) -> None:
        words = plain(text).split()
        command = COMMANDS.get(words[0]) if words else ""
        if command and (len(words) == 1 or command == "history"):
            self._command(command, words[1:], options)
        elif words:
            self._lines(text, options)

    def _command(self, command: str, rest: list[str], options: Options) -> None:
        match command:
            case "help":
                self._help(options)
            case "table":
                self._table()
            case "history":
                self._history(rest)
            case "options":
                self._menu(options, 0)
            case "more":
                self._menu(options, self.shown)
            case "resign":
                self._resign()
            case _:
                raise QuitGame

    def _lines(self, text: str, options: Options) -> None:
        reader = Reader(self.sitting.trail.game, self.view(), options, self.sitting.ahead)
        try:
            first, *rest = reader.lines(text)
        except Unclear as unclear:
            self._unclear(unclear, options)
            return
        if first == "resign":
            self._resign()
            return
        action = self._listed(first, options)
        if action is None:
            self.terminal.prose(self.say("closed", line=first, count=len(options)))
            return
        self._make(action, rest)

    def _make(self, action: Action[Any], rest: list[str]) -> None:
        """Make a listed move; the lines typed after it wait for your next turns."""
        self.sitting.trail.make(self.sitting.you, action)
        self.waiting = rest

    def _unclear(self, unclear: Unclear, options: Options) -> None:
        if unclear.meant:
            self.terminal.prose(self.say("meant", text=unclear.text, meant=", ".join(unclear.meant)))
        else:
            line = next(iter(options)).line
            self.terminal.prose(self.say("what", text=unclear.text, count=len(options), line=line))

    def _listed(self, line: str, options: Options) -> Action[Any] | None:
        """The first of the alternatives in a line that is open now."""
        for each in line.split(" | "):
            try:
                action = read(self.sitting.trail.game, each, self.sitting.you)
            except notation.NotALine:
                continue
            if action in options:
                return action
        return None

    def _order(self) -> None:
        """Make the next of the lines that waited, or drop them all."""
        line, *rest = self.waiting
        action = self._listed(line, self.sitting.options())
        self.waiting = rest if action else []
        if line == "resign":
            self._resign()
        elif action:
            self.sitting.trail.make(self.sitting.you, action)
            self.terminal.prose(self.say("ordered", line=action.line), "dim")
        else:
            self.terminal.prose(self.say("dropped", lines="; ".join((line, *rest))))

    def _resign(self) -> None:
        if plain(self.terminal.ask(self.say("sure"))) in YES:
            self.waiting = []
            self.sitting.resign()
        else:
            self.terminal.prose(self.say("kept"))

    def _history(self, rest: list[str]) -> None:
        beats = self.sitting.trail.beats
        count = int(rest[0]) if rest and rest[0].isdigit() else HISTORY_LENGTH
        since = max(len(beats) - count, 0)
        for at, beat in enumerate(beats[since:], since + 1):
            told = " ".join(self.sitting.trail.tell(beat, self.sitting.you, self.locale))
            self.terminal.prose(f"{at:>4}  {told}")

    def _help(self, options: Options) -> None:
        game = self.sitting.trail.game
        self.terminal.heading(self.say("rules", title=game.title[self.locale]))
        width = min(self.terminal.width, RULES_WIDTH)
        self.terminal.table(print_rulebook(game.rulebook[self.locale], self.locale, width))
        self.terminal.heading(self.say("typing"))
        line = next(iter(options)).line
        for typed, meaning in HELP:
            typed_here = text_in(typed, self.locale).format(line=line)
            self.terminal.prose(f"  {typed_here:<18}  {text_in(meaning, self.locale)}")


def line_form(game: Game[Any], action: Action[Any], locale: Locale) -> str:
    """The form of a line: its verb and the names of its words."""
    slots = notation.slots(type(action))
    verb, *names = game.words.form(action.verb, [name for name, _ in slots], locale).split(" ")
    marked = [
        f"{name} …" if slot.many else f"[{name}]" if slot.maybe else name
        for name, (_, slot) in zip(names, slots, strict=True)
    ]
    return " ".join([verb, *marked])
