"""What the commands say to people, in English and French."""

from __future__ import annotations

from cli.command import Refusal, Said, in_words
from engine.words import Locale

PHRASES: dict[str, Said] = {
    # what is wrong with a call
    "no-game": ("There is no game {slug}; name one of: {known}.", "Il n'y a pas de jeu {slug} ; choisissez : {known}."),
    "which-game": (
        "Name a game ({known}), or a saved match with --resume FILE.",
        "Nommez un jeu ({known}), ou une partie enregistrée par --resume FICHIER.",
    ),
    "bad-seats": (
        "{slug} is for {low} to {high} seats, not {seats}; choose with --seats.",
        "{slug} se joue de {low} à {high} places, pas à {seats} ; choisissez par --seats.",
    ),
    "no-option": (
        "{slug} has no option {name}; its options are: {known}.",
        "{slug} n'a pas d'option {name} ; ses options sont : {known}.",
    ),
    "option-form": (
        "--option takes NAME=VALUE, not {text}; the options of {slug} are: {known}.",
        "--option demande NOM=VALEUR, pas {text} ; les options de {slug} sont : {known}.",
    ),
    "option-value": (
        "Option {name} of {slug} cannot be {value}; it takes: {values}.",
        "L'option {name} de {slug} ne peut pas être {value} ; elle admet : {values}.",
    ),
    "options-clash": (
        "These options do not go together: {why}.",
        "Ces options ne vont pas ensemble : {why}.",
    ),
    "no-bot": (
        "{slug} has no bot {name}; its bots are: {known}.",
        "{slug} n'a pas de robot {name} ; ses robots sont : {known}.",
    ),
    "rival-bot": (
        "{name} plays only a match alone: echtra play {slug} --bot {name}",
        "{name} ne joue que seul à seul : echtra play {slug} --bot {name}",
    ),
    "bots-number": (
        "With {seats} seats the number of bots after --bots is {need}, not {given}; or name one for all with --bot.",
        "À {seats} places, le nombre de robots après --bots est {need}, pas {given} ; ou nommez-en un pour tous par "
        "--bot.",
    ),
    "clash": ("{one} and {other} exclude each other; leave one out.", "{one} et {other} s'excluent ; ôtez l'un."),
    "no-rival": (
        "--difficulty goes with --bot and the name of a rival; {slug} has: {known}.",
        "--difficulty va avec --bot et le nom d'un adversaire ; {slug} a : {known}.",
    ),
    "no-solo": (
        "{slug} has no solo rival; leave out --solo.",
        "{slug} n'a pas d'adversaire pour jouer seul ; ôtez --solo.",
    ),
    "rival-seats": (
        "A match against {rival} has two seats and you are seat 0; leave out --seats, --bots and --as.",
        "Une partie contre {rival} a deux places et vous êtes la place 0 ; ôtez --seats, --bots et --as.",
    ),
    "no-seat": (
        "There is no seat {seat}; choose 0 to {high}.",
        "Il n'y a pas de place {seat} ; choisissez 0 à {high}.",
    ),
    "as-form": (
        "--as takes a seat, 0 to {high}, or all; not {text}.",
        "--as demande une place, de 0 à {high}, ou all ; pas {text}.",
    ),
    "none": ("none", "aucun"),
    "as-bot": (
        "Seat {seat} of this match is played by a bot; seats for you: {free}.",
        "La place {seat} de cette partie est jouée par un robot ; places libres : {free}.",
    ),
    "other-game": (
        "{path} is a match of {slug}; leave out the name of the game.",
        "{path} est une partie de {slug} ; ôtez le nom du jeu.",
    ),
    "is-over": (
        "{path}: this match is over; look at it with: echtra replay {path}",
        "{path} : cette partie est terminée ; regardez-la par : echtra replay {path}",
    ),
    "no-cards": (
        "{slug} has no table of cards; games that have one: {known}.",
        "{slug} n'a pas de liste de cartes ; jeux qui en ont une : {known}.",
    ),
    # files
    "missing": (
        "{path}: there is no such file; check the name.",
        "{path} : ce fichier n'existe pas ; vérifiez le nom.",
    ),
    "directory": (
        "{path}: this is a directory; name a match file in it.",
        "{path} : c'est un dossier ; nommez une partie qu'il contient.",
    ),
    "unreadable": ("{path}: it cannot be read: {why}.", "{path} : lecture impossible : {why}."),
    "unwritable": (
        "{path}: it cannot be written: {why}; choose another place.",
        "{path} : écriture impossible : {why} ; choisissez un autre endroit.",
    ),
    "exists": (
        "{path}: this file is there already; choose another name, or go on with it by --resume {path}",
        "{path} : ce fichier existe déjà ; choisissez un autre nom, ou reprenez-le par --resume {path}",
    ),
    "at-line": ("{path}: line {row}: {reason}", "{path} : ligne {row} : {reason}"),
    "too-large": (
        "it is larger than 16 MiB, which no match is",
        "le fichier dépasse 16 Mio, ce que ne fait aucune partie",
    ),
    "binary": ("this is not text but a binary file", "ce n'est pas du texte mais un fichier binaire"),
    "carriage": (
        "rows end with a plain line feed here, not with a carriage return",
        "les lignes finissent ici par un simple saut de ligne, sans retour chariot",
    ),
    "mark": (
        "a byte order mark stands here; save the file as UTF-8 without one",
        "une marque d'ordre des octets figure ici ; enregistrez le fichier en UTF-8 sans elle",
    ),
    "good": (
        "The moves before it are good: {good}. See them with: echtra replay {path} --at {good}",
        "Coups corrects avant cette ligne : {good}. Pour les voir : echtra replay {path} --at {good}",
    ),
    "bad-at": (
        "Moves in {path}: {moves}; --at takes 0 to {moves}, not {at}.",
        "Coups dans {path} : {moves} ; --at va de 0 à {moves}, pas {at}.",
    ),
}


def phrase(locale: Locale, key: str, **values: object) -> str:
    """One of our sentences with these values in it."""
    return in_words(PHRASES[key], locale).format(**values)


def refusal(locale: Locale, key: str, **values: object) -> Refusal:
    """An error that says this."""
    return Refusal(phrase(locale, key, **values))
