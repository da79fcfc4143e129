"""The commands that people write in emails, in English or French."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from engine.games import GAMES
from engine.sentences import without_courtesy_after, without_courtesy_before
from engine.words import plain

QUESTION_SIGNS = "?\uff1f\u061f\u037e\u055e\u1367\u203d\u2047\u2048\u2049\u2753\u2754\ufe56\ufe16\u00bf"
"""Question marks of every script."""
COMMAND_WORDS: dict[str, str] = {
    "help": "help|aide|commands|commandes|?",
    "board": "board|table|plateau|tableau|situation",
    "history": "history|historique|log|journal",
    "rules": "rules|regles|regle",
    "clock": "clock|time|horloge|pendule|temps|delai",
    "leave": "leave|holiday|holidays|conge|conges|absence|vacances",
    "stop": "stop|unsubscribe|arret|arreter|arrete|desabonner|desabonnement|desinscrire",
    "resign": "resign|i resign|concede|abandonner|abandonne|jabandonne|abandon",
    "note": "note",
    "confirm": "confirm|confirmer|confirmation|je confirme|i confirm",
    "yes": "yes|y|ok|okay|yes please|oui|daccord|entendu|with pleasure|yes with pleasure|gladly|yes gladly|"
    "yes of course|yes sure|id love to|yes id love to|count me in|im in|yes im in|yes lets play|lets play|avec plaisir|"
    "oui avec plaisir|avec grand plaisir|oui avec grand plaisir|volontiers|oui volontiers|oui bien sur|"
    "oui je veux bien|je veux bien|je suis partant|je suis partante|oui je suis partant|oui je suis partante|partant|"
    "partante",
    "no": "no|decline|no thanks|no thank you|non|non merci|refuser|refuse|decliner",
    "undo": "undo|undo it|undo that|undo my move|cancel|cancel it|cancel that|cancel my move|take it back|"
    "take that back|annuler|annule|annulez|annulation|annuler mon coup|annulez mon coup|annule mon coup|"
    "je reprends mon coup",
    "join": "join|accept|i join|rejoindre|accepter|accepte|jaccepte|participer|je participe",
    "new": "new|nouvelle|nouveau|nouvelle partie|new match|new game",
    "rematch": "rematch|revanche",
    "letters": "letters|emails|e-mails|mails|email|e-mail|lettres|courrier|courriels",
    "zone": "zone|timezone|time zone|fuseau|fuseau horaire",
    "language": "language|langue",
    "digest": "digest|resume|recapitulatif",
    "register": "register|inscription|inscrire|sinscrire",
    "invite": "invite|i invite|inviter|jinvite",
    "matches": "matches|open matches|open|parties|parties ouvertes|les parties|ouvertes",
    "mine": "my matches|my games|mine|mes parties|mes matchs",
    "resend": "resend|send again|resend it|renvoyer|renvoyez|renvoie|renvoi",
    "games": "games|the games|jeux|les jeux",
    "auto": "auto|automatic|automatique",
    "mute": "mute|sourdine",
    "propose": "propose|i propose|proposer|je propose",
    "agree": "agree|i agree|accord|je suis daccord",
    "position": "position",
    "preview": "preview|apercu",
    "orders": "orders|my orders|ordres|mes ordres",
    "tournaments": "tournaments|tournament|tournois|tournoi|the tournaments|les tournois|league|leagues|ligue|ligues",
    "enter": "enter|i enter|enter me|sign me up|entrer|jentre|jaimerais entrer|minscrire|je minscris|inscrivez moi",
    "withdraw": "withdraw|i withdraw|quit|i quit|retrait|retirer|me retirer|je me retire|quitter|je quitte",
    "bye": "bye|a bye|skip|exempt|exemption|une exemption|sauter",
    "standing": "standing|standings|the standings|my place|classement|le classement|mon classement|ma place",
    "rating": "rating|ratings|my rating|my ratings|cote|cotes|ma cote|mes cotes",
    "schedule": "schedule|my schedule|the schedule|my rounds|next round|my next round|next opponent|my next opponent|"
    "calendar|my calendar|programme|mon programme|mes rondes|prochaine ronde|ma prochaine ronde|prochain adversaire|"
    "mon prochain adversaire|agenda|mon agenda|calendrier|mon calendrier",
    "why": "why|pourquoi|why my place|pourquoi ma place",
    "rule": "rule|i rule|decider|je decide|arbitrer",
    "challenge": "challenge|i challenge|defi|defier|je defie",
}
VERBS = {tuple(way.split()): verb for verb, ways in COMMAND_WORDS.items() for way in ways.split("|")}
LONGEST_VERB = max(len(way) for way in VERBS)
WITH_ARGUMENTS = frozenset(
    "leave note confirm new letters stop rules zone language digest register join invite auto mute "
    "propose position preview orders enter withdraw bye challenge standing schedule why rule".split()
)
"""Commands that may have arguments."""
SWITCH = r"(?i:on|off|oui|non|yes|no|active|inactive)"
LEAVE_WORDS = (
    r"today|tomorrow|now|this|next|week|month|weekend|from|until|till|to|on|for|one|two|an?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|aujourd['’]hui|demain|cette|ce|la|le|du|au|jusqu['’](?:à|au)|une?|deux|"
    r"semaines?|mois|prochaine?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
)
"""Words for days without a date. We then ask for a date."""
TOURNAMENT_NAME = (
    r"(?i:(?:(?:the|from|in|for|of|to|le|la|au|aux|du|de|à|a|pour|dans) )*)"
    r"(?:(?i:tournament|tournoi) \S.{0,80}|(?i:[“\"«]?\s?(?=[a-z0-9-]*[-0-9])[a-z0-9-]{3,40}\s?[”\"»]?))"
)
"""A tournament after a command: a name with a hyphen or a digit in it, or anything after the word tournament. So `why
not` and `bye for now` stay prose."""
NEEDS_ARGUMENT = frozenset({"preview", "enter", "withdraw", "bye", "challenge", "why", "rule"})
"""Commands that need an argument."""
ARGUMENT_FORMS = {
    "join": re.compile(
        r"(?i:(?:the |la )?(?:match |partie |no\.? ?|n[°º] ?|#)?)(?i:\d{1,3}|[a-z2-9]{16}|[a-z2-9]{24})"
    ),
    "invite": re.compile(r"\S.{0,300}@.{0,300}"),
    "auto": re.compile(rf"{SWITCH}(?i: (?:all|everywhere|tout|partout))?"),
    "mute": re.compile(SWITCH),
    "propose": re.compile(
        r"(?i:(?:to |an? |the |la |le |une? |de |l['’]|d['’])*"
        r"(?:end|draw|cancel|fin|nulle|annuler|annulation|terminer|off|non|no|rien|nothing))"
    ),
    "leave": re.compile(rf".*\d.*|{SWITCH}|(?i:(?:{LEAVE_WORDS})(?: (?:{LEAVE_WORDS}))*)"),
    "position": re.compile(
        r"(?i:(?:after |apr[eè]s )?(?:entry |l['’]entr[ée]e |entr[ée]e |no\.? ?|n[°º] ?|#)?)\d{1,6}"
    ),
    "preview": re.compile(r"\S.{0,200}"),
    "orders": re.compile(SWITCH),
    "rule": re.compile(r"(?i:(?=[a-z0-9-]*[-0-9])[a-z0-9-]{3,40}) \S.*"),
    **dict.fromkeys(("enter", "standing", "schedule", "why"), re.compile(TOURNAMENT_NAME)),
    "withdraw": re.compile(rf"{TOURNAMENT_NAME}(?i: (?:now|maintenant|imm[ée]diatement))?"),
    "challenge": re.compile(r"(?i:(?=[a-z0-9-]*[-0-9])[a-z0-9-]{3,40}),? \S.{0,80}"),
    "bye": re.compile(
        rf"{TOURNAMENT_NAME}(?i:,? (?:(?:in|for|pour|de|a|à|la) )*(?:round |ronde )?"
        r"(?:[a-z][a-z0-9-]{0,31}:)?\d{1,4})|"
        r"(?i:(?:(?:in|for|the|pour|de|à|la) )*(?:round|ronde) (?:[a-z][a-z0-9-]{0,31}:)?\d{1,4}) "
        rf"{TOURNAMENT_NAME}"
    ),
}
"""The form of the arguments of these commands. With any other words after it, a command word is prose."""
NAMED_TOURNAMENT = r"(?i:(?:(?:the|from|for|in|le|au|du) )*(?:tournament|tournoi) \S.{0,80})"
OF_TOURNAMENTS = {"join": "enter", "register": "enter", "leave": "withdraw"}
"""The meaning of these commands before a tournament: `join winter-cup`, `leave the tournament winter-cup`."""
TOURNAMENT_FORMS = {
    "join": re.compile(TOURNAMENT_NAME),
    **dict.fromkeys(("register", "leave"), re.compile(NAMED_TOURNAMENT)),
}
MULTILINE = frozenset({"leave", "new", "letters", "rule"})
"""Commands whose arguments may be wrapped over several lines."""
VERBATIM = frozenset({"note", "rule"})
"""Commands whose arguments are taken verbatim."""
NOTE_COLON = re.compile(r"^\s*note\s?[:：]\s*(?=\S)", re.IGNORECASE)
REMARKS = (
    *("to self", "to myself", "pour moi", "pour moimeme", "that ", "que ", "quil ", "quelle ", "quon ", "bien que "),
)
"""Words after `note` that make it a remark to us, not a note to the table."""
VERB_NAMES = frozenset(COMMAND_WORDS)
TABLE_COMMANDS = VERB_NAMES - {"yes", "no"}
"""Commands at a table. `yes` and `no` belong to the game, unless we asked."""
LOG_COMMANDS = frozenset({"propose"})
"""Commands at a table that may append to its log."""
SWITCH_WORDS = {
    **dict.fromkeys(("on", "oui", "yes", "active"), "on"),
    **dict.fromkeys(("off", "non", "no", "inactive"), "off"),
}
LETTER_MODES = {
    **dict.fromkeys(("turn", "every turn", "all turns", "chaque tour", "tour", "tours"), "turn"),
    **dict.fromkeys(("digest", "resume", "recapitulatif"), "digest"),
    **dict.fromkeys(("reminders", "reminder", "rappels", "rappel"), "reminders"),
    **dict.fromkeys(("none", "no", "off", "aucun", "aucune", "non", "rien"), "none"),
}
EMAIL_WORDS = frozenset(COMMAND_WORDS["letters"].split("|"))
SINGULAR_EMAIL_WORDS = frozenset({"email", "e-mail"})
"""Words for `letters` that count only before a known mode: `email me later` is prose."""
ARTICLES = frozenset("the my these les mes ces".split())
"""Words that may precede `emails` after `stop`."""
PLAIN_COMMANDS = frozenset({"stop", "resign", "leave", "confirm", "note"})
"""Commands with nothing before them, not even a polite word: `ok, stop` may be said to the other player."""
GAME_NAMES = tuple(plain(slug.split("-")[0]) for slug in GAMES)
"""Beginnings of the name of a game after `rules`."""
TRAILING_SIGNS = f" \t\u00a0\u202f!.…{QUESTION_SIGNS}"
"""Signs after a command that add nothing to it."""
QUESTIONS = frozenset(
    "help rules games matches mine resend board history clock position preview "
    "tournaments standing schedule rating why rule".split()
)
"""Commands that only get an answer; `rule` gets the effect of the ruling."""
LISTS = frozenset({"leave", "orders", "letters"})
"""Commands that only get an answer if nothing follows their word."""
SUBJECT_COMMANDS = frozenset({"stop"}) | QUESTIONS - {"rule", "preview"}
"""Commands that are accepted in the subject of an empty email. Moves, `agree` and `resign` never are."""
CERTAIN_COMMANDS = frozenset({"resign", "agree"})
"""Commands that we answer with a question. Nothing is done before a yes to that email."""
LABEL = re.compile(r"([A-Z]{1,2})\s*[:.)=-]\s*(\S.*)")
EVERYWHERE_WORDS = frozenset({"all", "everything", "tout", "toutes", "tous"})


@dataclass(frozen=True)
class Command:
    """A request in a reply other than moves."""

    verb: str
    rest: str = ""

    @property
    def is_yes(self) -> bool:
        """True for a yes to an action that waits at a table."""
        return self.verb in ("yes", "confirm") and not self.rest


def changes_something(command: Command) -> bool:
    """Return True if a command changes an account or a match. Unknown commands count as changing something."""
    return command.verb not in QUESTIONS and not (command.verb in LISTS and not command.rest)


def is_question(text: str) -> bool:
    """Return True if a text has a question mark of any script."""
    return any(sign in QUESTION_SIGNS for sign in text)


def parse_command(line: str, known_here: Collection[str] = TABLE_COMMANDS) -> Command | None:
    """Return the command in a line, with or without polite words, or None if there are any other words.

    A question mark also gives None, unless the command changes nothing before a yes.
    """
    found = _parse_statement(line, known_here)
    if found is None or found.verb in VERBATIM | CERTAIN_COMMANDS or not changes_something(found):
        return found
    return None if is_question(line) else found


def asks_about_command(line: str, known_here: Collection[str]) -> bool:
    """Return True if a line is a command with a question mark that keeps it from being carried out."""
    return is_question(line) and _parse_statement(line, known_here) is not None


def _parse_statement(line: str, known_here: Collection[str]) -> Command | None:
    """Return the command in this line, with or without a question mark after it."""
    exact = _parse_exact_command(line, known_here)
    if exact is not None and (not exact.rest or exact.verb in VERBATIM):
        return exact
    asked = without_courtesy_after(line)
    found = _parse_exact_command(asked, known_here) or _parse_exact_command(
        without_courtesy_before(asked), frozenset(known_here) - PLAIN_COMMANDS
    )
    return found or exact


def _parse_exact_command(line: str, known_here: Collection[str]) -> Command | None:
    """Return the command that a line consists of; None if words follow a command without arguments."""
    if line.strip() == "?":
        return Command("help")
    line = NOTE_COLON.sub("note ", line)
    words = line.split()
    known = plain(line.rstrip(TRAILING_SIGNS)).split()
    for length in range(min(LONGEST_VERB, len(known)), 0, -1):
        verb = VERBS.get(tuple(known[:length]))
        if verb is not None and verb in known_here and (len(known) == length or verb in WITH_ARGUMENTS):
            rest = " ".join(words[length:])
            rest = rest if verb in VERBATIM else rest.rstrip(TRAILING_SIGNS)
            meant = OF_TOURNAMENTS.get(verb, "")
            fits = not rest or verb not in ARGUMENT_FORMS or ARGUMENT_FORMS[verb].fullmatch(rest) is not None
            if meant in known_here and not (verb == "join" and fits) and TOURNAMENT_FORMS[verb].fullmatch(rest):
                return Command(meant, rest)
            if not fits:
                continue
            if (not rest and verb in NEEDS_ARGUMENT) or (verb == "note" and plain(rest).startswith(REMARKS)):
                continue
            if known[0] in SINGULAR_EMAIL_WORDS and not parse_letter_mode(rest)[0]:
                continue
            if verb == "stop" and _names_emails(plain(rest).split()):
                rest = " ".join(word for word in words[length:] if plain(word) in EVERYWHERE_WORDS)
            return Command(verb, rest if plain(rest) else "") if _goes_on_well(verb, plain(rest).split()) else None
    return None


def _names_emails(rest: list[str]) -> bool:
    """Return True if the words after `stop` only say what to stop: `stop emails`, `stop all my emails`."""
    named = set(rest) - EVERYWHERE_WORDS
    return bool(named & EMAIL_WORDS) and named <= EMAIL_WORDS | ARTICLES


def _goes_on_well(verb: str, rest: list[str]) -> bool:
    """Return True if words may follow a command: `stop all this` and `rules are there to be kept` are prose."""
    if verb == "stop":
        return EVERYWHERE_WORDS.issuperset(rest)
    return verb != "rules" or not rest or " ".join(rest).startswith(GAME_NAMES)


def split_by_label(lines: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the lines of a reply to a digest by label, as in `A: 3`; those before the first under an empty one."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        marked = LABEL.fullmatch(line.strip())
        if marked:
            label, line = marked[1], marked[2]  # noqa: PLW2901  # the rest of the line
        found.setdefault(label, []).append(line)
    return {each: tuple(rest) for each, rest in found.items() if any(line.strip() for line in rest)}


def parse_switch(rest: str) -> str:
    """Return `on`, `off`, or an empty text if the argument is neither."""
    return SWITCH_WORDS.get(plain(rest), "")


def parse_code(rest: str) -> str:
    """Return the number or code in `join 2`, `join the match 2` or `position 12`."""
    return rest.rsplit(maxsplit=1)[-1].lstrip("#n°º").lower() if rest.split() else ""


def parse_wanted_letters(command: Command) -> tuple[str, bool]:
    """Return the emails that `letters …` or `stop` asks for, empty if unclear, and True if that holds everywhere."""
    mode, everywhere = parse_letter_mode(command.rest)
    if command.verb == "stop":
        mode = "none" if everywhere or not command.rest else ""
    return mode, everywhere


def parse_letter_mode(rest: str) -> tuple[str, bool]:
    """Return the wanted emails, or an empty string if unclear, and True if that holds everywhere."""
    words = plain(rest).split()
    everywhere = bool(EVERYWHERE_WORDS & set(words))
    return LETTER_MODES.get(" ".join(word for word in words if word not in EVERYWHERE_WORDS), ""), everywhere
