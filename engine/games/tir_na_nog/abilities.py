"""What the cards of Tír na nÓg do, in our own words, in English and French."""

from __future__ import annotations

from typing import NamedTuple

from engine.games.tir_na_nog.names import Pair


class Effect(NamedTuple):
    """An effect in full, and as a hint of a few words."""

    text: Pair
    hint: Pair


def _painter(english: str, french: str) -> Effect:
    return Effect(
        (
            f"You may choose a neighbouring card: it is {english} from now on.",
            f"Vous pouvez choisir une carte adjacente : elle est désormais {french}.",
        ),
        (f"a neighbour turns {english}", f"une voisine devient {french}"),
    )


EFFECTS: dict[str, Effect] = {
    "aengus-bru": Effect(
        (
            (
                "Before a Lost Storyteller of yours comes home, draw a card. Keep it as the card taken, or "
                "discard it and take one from the Otherworld."
            ),
            (
                "Avant le retour d’un de vos bardes égarés, piochez une carte. Elle vaut prise si vous la gardez "
                "; sinon, défaussez-la et prenez-en une dans l’Autre Monde."
            ),
        ),
        ("a draw first for each Lost Storyteller", "une pioche d’abord pour chaque barde égaré"),
    ),
    "bru-na-boinne": Effect(
        (
            "Once each Journey Phase, a Storyteller of yours may join another in its space, but not on a corner.",
            (
                "Une fois par phase de Voyage, l’un de vos bardes peut en rejoindre un autre dans son "
                "intervalle, mais pas dans un angle."
            ),
        ),
        ("one of yours may share a space each Journey", "un barde peut partager un intervalle par Voyage"),
    ),
    "cailleachs-crag": Effect(
        (
            "Worth 3 more for every colour found among its neighbours.",
            "Vaut 3 de plus pour chaque couleur présente parmi ses voisines.",
        ),
        ("+3 per colour next to it", "+3 par couleur voisine"),
    ),
    "clurachan-brewery": Effect(
        (
            "Turns the colour of one of its neighbours, which you choose.",
            "Prend la couleur de l’une de ses voisines, à votre choix.",
        ),
        ("turns a neighbour’s colour", "prend la couleur d’une voisine"),
    ),
    "cu-sidhe-kennel": Effect(
        (
            "Worth 2 more for every other card with an Ailm anywhere in your Saga.",
            "Vaut 2 de plus pour chaque autre carte à l’Ailm, où qu’elle soit dans votre saga.",
        ),
        ("+2 per other Ailm card", "+2 par autre carte à l’Ailm"),
    ),
    "dobhar-chu-loch": Effect(
        (
            (
                "You may send any Storyteller of the Otherworld, whoever it belongs to, to another free space "
                "whose two cards are both still there."
            ),
            (
                "Vous pouvez envoyer un barde de l’Autre Monde, quel que soit son propriétaire, dans un autre "
                "intervalle libre dont les deux cartes sont encore là."
            ),
        ),
        ("moves any one Storyteller", "déplace un barde, n’importe lequel"),
    ),
    "dolmen": Effect(
        (
            "Worth 4 more while its left and right neighbours have one and the same colour.",
            "Vaut 4 de plus tant que ses voisines de gauche et de droite ont la même couleur.",
        ),
        ("+4 between two cards of one colour", "+4 entre deux cartes d’une même couleur"),
    ),
    "dullaghan": _painter("red", "rouge"),
    "far-darrig": Effect(
        (
            "Worth as much as the card on its left; 2 if there is none.",
            "Vaut autant que la carte à sa gauche ; 2 s’il n’y en a pas.",
        ),
        ("worth what the card on its left is", "vaut autant que sa voisine de gauche"),
    ),
    "fomoire-raiders": _painter("blue", "bleue"),
    "gancanaghs-valley": Effect(
        (
            "If the place on its right is empty, you may bring another card of your Saga there.",
            "Si l’emplacement à sa droite est libre, vous pouvez y amener une autre carte de votre saga.",
        ),
        ("may pull a card of yours to its right", "peut attirer une de vos cartes à sa droite"),
    ),
    "glastonbury-tor": _painter("yellow", "jaune"),
    "hungry-oillipheist": Effect(
        (
            "You may discard a neighbouring card and add what it was worth to this one for good.",
            "Vous pouvez défausser une carte adjacente et ajouter pour de bon ce qu’elle valait à celle-ci.",
        ),
        ("may eat a neighbour and its value", "peut dévorer une voisine et sa valeur"),
    ),
    "keening-banshee": Effect(
        (
            (
                "The moment a Storyteller of yours has no card left beside it, even out of turn, you may move it "
                "to a free space beside at least one card."
            ),
            (
                "Dès qu’un de vos bardes n’a plus de carte à son contact, même hors de votre tour, vous pouvez "
                "le déplacer dans un intervalle libre qui en touche au moins une."
            ),
        ),
        ("moves your Storytellers as they are Lost", "déplace vos bardes qui s’égarent"),
    ),
    "leipreachan-cobblers": Effect(
        (
            "Once each Saga Phase, in your turn, this card may change over to the first open place of another row.",
            (
                "Une fois par phase de Saga, à votre tour, cette carte peut passer au premier emplacement libre "
                "d’une autre rangée."
            ),
        ),
        ("may change rows once each Saga Phase", "peut changer de rangée, une fois par Saga"),
    ),
    "mag-mell": Effect(
        (
            (
                "Discard it from your hand before you take: you may take any card of the Otherworld, with any of your "
                "Storytellers. In the Saga it does nothing."
            ),
            (
                "Défaussez-la de votre main avant de prendre : toute carte de l’Autre Monde vous est ouverte, "
                "avec n’importe lequel de vos bardes. Dans la saga, elle est sans effet."
            ),
        ),
        ("discard it from hand to take any card", "à défausser de la main : prise libre"),
    ),
    "manannans-dock": Effect(
        (
            "You may have any two cards of your Saga change places.",
            "Vous pouvez intervertir deux cartes quelconques de votre saga.",
        ),
        ("may swap two cards of your Saga", "peut échanger deux cartes de la saga"),
    ),
    "merrow-milliners": Effect(
        (
            "Once each Journey Phase, a Storyteller of yours may stand on a corner, beside every card that meets it.",
            (
                "Une fois par phase de Voyage, l’un de vos bardes peut se tenir dans un angle, au contact de "
                "toutes les cartes qui s’y rejoignent."
            ),
        ),
        ("one of yours may take a corner each Journey", "un barde peut occuper un angle par Voyage"),
    ),
    "selkie-cove": Effect(
        (
            "At Scoring it becomes whichever colour you name.",
            "Au Décompte, elle devient de la couleur que vous nommez.",
        ),
        ("any colour at Scoring", "couleur au choix au Décompte"),
    ),
    "sidhe-court": Effect(
        (
            "Worth 2 more for every other card of its row that has its colour.",
            "Vaut 2 de plus pour chaque autre carte de sa rangée qui a sa couleur.",
        ),
        ("+2 per other card of its colour in the row", "+2 par autre carte de sa couleur dans la rangée"),
    ),
    "sly-bodach": Effect(
        (
            "You may make a neighbouring card worth 2 more or 2 less for good.",
            "Vous pouvez rendre une carte adjacente plus forte ou plus faible de 2, pour de bon.",
        ),
        ("a neighbour gains or loses 2", "une voisine gagne ou perd 2"),
    ),
    "tur-bhalair": Effect(
        (
            "At Scoring: 1 VP for every red card of your Saga.",
            "Au Décompte : 1 PV pour chaque carte rouge de votre saga.",
        ),
        ("1 VP per red card at Scoring", "1 PV par carte rouge au Décompte"),
    ),
    "wandering-puca": _painter("green", "verte"),
    "water-kelpie": Effect(
        ("Worth 6 less as long as any neighbour is green.", "Vaut 6 de moins tant qu’une de ses voisines est verte."),
        ("−6 next to green", "−6 à côté de vert"),
    ),
}
