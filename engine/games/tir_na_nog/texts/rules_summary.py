"""The rules of Tír na nÓg in brief, in English and French."""

from __future__ import annotations

from engine.words import Locale, french

RULES: dict[Locale, str] = {
    "en": """\
Five rounds of Journey, Saga and Cleanup, then scoring.
Journey Phase: clockwise from the first player, everybody sends three Storytellers one by one to free spaces between two
cards of the Otherworld (`place a1a2`).
Saga Phase: counter-clockwise from the right of the first player, take a card beside one of your Storytellers, who goes
home (`take a1 a1a2`), then play a card of your hand to the first open place of a row with fewer than five cards
(`play lugh top`). If you cannot play any card, discard one.
A Storyteller with no card left beside it is Lost. Once only Lost ones are out, their owners go on the Echtra Quest:
each takes any card of the Otherworld and plays one.
Cleanup: everybody discards a card, a new Otherworld is laid, the first-player token passes to the left.
Scoring: each row by its Geas; then, for each colour, the largest regions of at least two connected cards win 8 and 3
points, with three to five seats 8, 3 and 1. Players who tie share an award and the next one, each half rounded down.
Current values and colours count; a value is never below 0. The largest region of all breaks a tie.
Balor (solo): before each of his turns a card is turned over; an Ailm flips his reference card. He stands where the sum
is highest, or lowest, and takes the highest, or lowest, card he touches; ties go clockwise from his marker.""",
    "fr": french("""\
Cinq manches de Voyage, Saga et Entretien ; puis le décompte.
Phase de Voyage : à partir du premier joueur et en sens horaire, chacun envoie ses trois bardes, un par un, dans des
intervalles libres entre deux cartes de l’Autre Monde (`placer a1a2`).
Phase de Saga : à partir de la droite du premier joueur et en sens antihoraire, prenez une carte au contact de l’un de
vos bardes, qui rentre (`prendre a1 a1a2`), puis jouez une carte de votre main au premier emplacement libre d’une
rangée de moins de cinq cartes (`jouer Lug haut`). Si rien ne peut être joué, défaussez une carte.
Un barde qui n’a plus de carte à son contact est égaré. Quand il ne reste que des bardes égarés, leurs propriétaires
partent pour la Quête de l’Echtra : chacun prend n’importe quelle carte de l’Autre Monde et en joue une.
Entretien : chacun défausse une carte, un nouvel Autre Monde est étalé, le pion Premier joueur passe à gauche.
Décompte : chaque rangée selon son Geis ; puis, pour chaque couleur, les plus grandes régions d’au moins deux cartes
interconnectées gagnent 8 et 3 points, de trois à cinq joueurs 8, 3 et 1. Les ex aequo partagent une récompense et la
suivante, chaque moitié arrondie à l’inférieur.
Les valeurs et couleurs actuelles comptent ; une valeur n’est jamais inférieure à 0. La plus grande région départage.
Balor (solo) : avant chacun de ses tours une carte est révélée, un Ailm retourne sa carte Référence. Il se place là où
la somme est la plus forte, ou la plus faible, et prend la carte la plus forte, ou la plus faible, à son contact ; les
égalités se règlent en sens horaire depuis le pion Premier joueur."""),
}
