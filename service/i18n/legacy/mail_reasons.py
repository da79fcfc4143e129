"""Why something could not be done, in French: what the service says in English, sentence by sentence."""

from __future__ import annotations

import re

from engine.words import Locale, french

REASONS: dict[str, str] = {
    "it is not among the lines that are open now": "elle n’est pas parmi les lignes ouvertes maintenant",
    "the match is over": "la partie est terminée",
    "the match is paused": "la partie est suspendue",
    "its key is no longer one of this seat": "sa clé n’est plus une de celles de cette place",
    r"These days overlap with a booking you have\.": "Ces jours recoupent un congé que vous avez déjà.",
    r"You have (\d+) bookings ahead, which is the most; cancel one first\.": (
        r"Vous avez déjà \1 congés à venir, c’est le maximum ; annulez-en un d’abord."
    ),
    r"You have (\d+) of (\d+) days of leave left in (\d+)\.": r"Il vous reste \1 jours de congé sur \2 en \3.",
    r"The last day is before the first\.": "Le dernier jour est avant le premier.",
    r"It is ([\d-]+) where you are; leave begins today at the earliest\.": (
        r"Chez vous, nous sommes le \1 ; un congé commence aujourd’hui au plus tôt."
    ),
    r"Leave can be booked a year ahead\.": "Un congé se réserve un an à l’avance au plus.",
    r"Name a game after `new`: (.*)\.": r"Nommez un jeu après « nouvelle » : \1.",
    r"(\S+) says nothing about (\S+)\.": r"« \1 » ne dit rien pour \2.",
    r"(\S+) has no option (\S+)\.": r"\1 n’a pas d’option \2.",
    r"(\S+) is for (\d+) to (\d+) seats, not (\d+)\.": r"\1 se joue à \2 jusqu’à \3 places, pas à \4.",
    r"Option (\S+) of (\S+) cannot be (\S+); it takes: (.*)\.": (
        r"L’option \1 de \2 ne peut pas être \3 ; elle prend : \4."
    ),
    r"The match cannot be made like this\.": "La partie ne peut pas se faire ainsi.",
    r"A player may have (\d+) open matches; finish or leave one first\.": (
        r"Un joueur peut avoir \1 parties ouvertes ; terminez-en ou quittez-en une d’abord."
    ),
    r"This match takes signed moves only: add a key with POST /v1/me/keys first\.": (
        "Cette partie n’accepte que des coups signés : ajoutez d’abord une clé avec POST /v1/me/keys."
    ),
    r"A note has (\d+) to (\d+) characters\.": r"Un mot à la table a de \1 à \2 signes.",
    r"You have left (\d+) notes at this table, which is the most\.": (
        r"Vous avez laissé \1 mots à cette table, c’est le maximum."
    ),
    r"The league is closed\.": "La ligue est fermée.",
    r"You have your match of this league already\.": "Vous avez déjà votre partie dans cette ligue.",
    r"The match is not over; offer to end it, or play on\.": "La partie n’est pas terminée ; jouez-la d’abord.",
    r"Everybody plays a league once\.": "Une ligue se joue une seule fois.",
    r"A rematch is for those who sat at the table\.": "La revanche est pour ceux qui étaient à la table.",
    r"That seat is not open to you\.": "Cette place ne vous est pas ouverte.",
    r"No seat is open to you\.": "Aucune place ne vous est ouverte.",
    r"The match is over; nobody is needed any more\.": "La partie est terminée ; plus personne n’est attendu.",
    r"The match has not started; it starts when every seat is taken\.": (
        "La partie n’a pas commencé ; elle commence quand toutes les places sont prises."
    ),
    r"Too many moves arrive at this table at once; send it again\.": (
        "Trop de coups arrivent à la fois à cette table ; renvoyez le vôtre."
    ),
}
"""Sentences as patterns, and what they are in French."""


def said(locale: Locale, reason: str, otherwise: str = "") -> str:
    """A reason in the reader's language; where we have no French for it, other words, or what there is."""
    if locale == "en":
        return reason
    for english, words in REASONS.items():
        found = re.fullmatch(english, reason[:1].upper() + reason[1:]) or re.fullmatch(english, reason)
        if found:
            return french(found.expand(words))
    return otherwise or reason
