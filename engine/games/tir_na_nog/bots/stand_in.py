"""The stand-in for an abandoned seat, and its description for players."""

from __future__ import annotations

from engine.words import Locale, french

STAND_IN = "steady"
"""No rulebook knows an automaton with a hand and a Saga, so the bot that everybody can play against takes over."""

PAGE: dict[Locale, str] = {
    "en": """\
Stand-in: if a seat is given up, the bot Steady goes on with its hand, its Saga, its Storytellers and the same Geas,
under the same rules and in the same turn order. It sees what the seat sees and nothing more. It takes cards, plays them
and uses effects for the seat's own good; its regions still count against yours. Nothing is taken from the Otherworld or
dealt in its favour. A seat that resigned cannot win, whatever its points; a seat whose player only ran out of time is
scored like any other. Balor's seat is no stand-in: he has one legal line at each turn.""",
    "fr": french("""\
Remplaçant : si une place est abandonnée, le robot Constant continue avec sa main, sa saga, ses bardes et les mêmes
Geis, selon les mêmes règles et dans le même ordre de tour. Il voit ce que voit la place et rien de plus. Il prend et
joue des cartes et utilise leurs effets au profit de la place ; ses régions comptent toujours face aux vôtres. Rien
n’est pris dans l’Autre Monde ni distribué en sa faveur. Une place dont le joueur a abandonné ne peut pas gagner, quels
que soient ses points ; celle dont le joueur a seulement dépassé son temps est décomptée comme les autres. Balor n’est
pas un remplaçant : il n’a qu’un seul coup possible à chaque tour."""),
}
