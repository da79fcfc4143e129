"""What the engine and the command line say in English about wrong input, in French."""

from __future__ import annotations

import re

from engine.words import Locale

PATTERNS = tuple(
    (re.compile(english), french)
    for english, french in (
        # match files: their form
        (r"the file is empty", "le fichier est vide"),
        (r"the text is cut: its last row has no line end", "le texte est coupé : sa dernière ligne n'a pas de fin"),
        (
            r"a match begins with: game NAME · revision NUMBER · seats NUMBER, then its options",
            "une partie commence par : game NOM · revision NOMBRE · seats NOMBRE, puis ses options",
        ),
        (r"there is no game (.*); there are: (.*)", r"il n'y a pas de jeu \1 ; il y a : \2"),
        (r"revision and seats are whole numbers from 1", "revision et seats sont des entiers à partir de 1"),
        (r"(\S+) has no option (\S+)", r"\1 n'a pas d'option \2"),
        (r"(\S+) has no option (\S+); its options are: (.*)", r"\1 n'a pas d'option \2 ; ses options sont : \3"),
        (r"(\S+) has no bot (\S+); it has: (.*)", r"\1 n'a pas de robot \2 ; il a : \3"),
        (r"option (\S+) stands twice", r"l'option \1 figure deux fois"),
        (r"option (\S+) cannot be (.*); it takes: (.*)", r"l'option \1 ne peut pas être \2 ; elle admet : \3"),
        (
            r"option (\S+) of (\S+) cannot be (.*); it takes: (.*)",
            r"l'option \1 de \2 ne peut pas être \3 ; elle admet : \4",
        ),
        (
            r"option (\S+) has its default (.*) and is left out then",
            r"l'option \1 a sa valeur habituelle \2 ; on l'omet alors",
        ),
        (r"options stand in this order: (.*)", r"les options se suivent dans cet ordre : \1"),
        (r"(\S+) is for (\d+) to (\d+) seats, not (\d+)", r"\1 se joue de \2 à \3 places, pas à \4"),
        (r"(\S+) has revisions 1 to (\d+), not (\d+)", r"\1 a les révisions 1 à \2, pas \3"),
        (
            r"scores has one whole number for each of the (\d+) seats",
            r"scores porte un entier pour chacune des \1 places",
        ),
        (
            r"a row begins with a seat, 0 to (\d+), or \* for chance or ! for the house",
            r"une ligne commence par une place, de 0 à \1, ou * pour le hasard ou ! pour la maison",
        ),
        (
            r"after the seat comes one line: words of letters and digits with single spaces between",
            "après la place vient un seul coup : des mots de lettres et de chiffres séparés par une espace",
        ),
        # match files: their moves
        (
            r"a line is 1 to 400 letters, digits and (.*) with single spaces between its words",
            r"un coup a de 1 à 400 lettres, chiffres et \1, une seule espace entre les mots",
        ),
        (r"no line begins with (\S+)", r"aucun coup ne commence par \1"),
        (r"(.*) does not go with (\S+)", r"\1 ne va pas avec \2"),
        (r"it is written (.*)", r"cela s'écrit \1"),
        (r"the match is over", "la partie est terminée"),
        (r"the match is paused", "la partie est suspendue"),
        (r"the match is paused already", "la partie est déjà suspendue"),
        (r"the match is not paused", "la partie n'est pas suspendue"),
        (r"this seat has resigned already", "cette place a déjà abandonné"),
        (r"there is no seat (\d+)", r"il n'y a pas de place \1"),
        (r"a score for each of the (\d+) seats, or none", r"un score pour chacune des \1 places, ou aucun"),
        (r"it is not among the lines that are open now", "ce coup n'est pas permis à ce moment"),
        (r"the match is over, but its scores are missing", "la partie est terminée, mais ses scores manquent"),
        (r"scores stand here, but the match is not over", "des scores figurent ici, mais la partie n'est pas terminée"),
        (r"the scores are (.*)", r"les scores sont \1"),
        # the command line
        (r"No such option:? '?(-[^' ]*?)'?\.?(?: .*)?", r"Il n'y a pas d'option \1."),
        (r"Option '(.*)' requires an argument\.", r"L'option \1 demande une valeur."),
        (r"Missing argument '(.*)'\.", r"Il manque \1."),
        (r"Invalid value for '(.*)': '(.*)' is not one of (.*)\.", r"\1 ne peut pas être « \2 » : c'est l'un de \3."),
        (r"Invalid value for '(.*)': '(.*)' is not a valid .*\.", r"\1 demande un nombre entier, pas « \2 »."),
        (r"Invalid value for '(.*)': (\S+) is not in the range (.*)\.", r"\1 ne peut pas être \2 : il faut \3."),
        (r"Got unexpected extra arguments? \((.*)\)", r"Mots de trop : \1."),
    )
)
FAULT = re.compile(r"((?:[*!]|\d+) .*?): (.*)")
"""A fault names the bad row first: `1 lay R5: the match is over`."""
TURN = re.compile(r"it is not the turn of (.*) but of (.*)")
TAKES = re.compile(r"(.*; it takes: )(.*)")
SEATS = (
    (re.compile(r"\bchance\b"), "le hasard"),
    (re.compile(r"\bthe house\b"), "la maison"),
    (re.compile(r"\bseat (\d+)"), r"la place \1"),
    (re.compile(r" and "), " et "),
)


def translated(message: str, locale: Locale) -> str:
    """The message in this language; one we have no French for stays as it is."""
    if locale == "en":
        return message
    turn = TURN.fullmatch(message)
    if turn:
        wrong, right = (_seats(part) for part in turn.groups())
        return f"ce n'est pas le tour de {wrong} : on attend {right}"
    takes = TAKES.fullmatch(message)
    if takes:
        message = takes[1] + _values(takes[2])
    for english, french in PATTERNS:
        found = english.fullmatch(message)
        if found:
            return found.expand(french)
    fault = FAULT.fullmatch(message)
    return f"{fault[1]} : {translated(fault[2], locale)}" if fault else message


def _values(text: str) -> str:
    """The values of an option, where a game has French for them."""
    from engine.games import GAMES

    options = [option for game in GAMES.values() for option in game.options]
    return next((option.values("fr") for option in options if option.values() == text), text)


def _seats(text: str) -> str:
    for english, french in SEATS:
        text = english.sub(french, text)
    return text.replace("de le ", "du ")
