"""Texts of the cards and Geas of Tír na nÓg in our own words, and tables of all of them, in English and French."""

from __future__ import annotations

from engine.games.tir_na_nog.rules.balor_points import balor_points
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS, Card
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.texts.names import COLOUR_NAMES, ROW_NAMES, TIMING_NAMES, card_name, geas_name
from engine.phrases import Pair, Phrases, localise, typeset_pair
from engine.presentation import CardTable
from engine.words import Locale

EFFECTS = Phrases(
    {
        "aengus-bru": (
            (
                "Before a Lost Storyteller of yours comes home, draw a card. Keep it as the card taken, or "
                "discard it and take one from the Otherworld."
            ),
            (
                "Avant le retour d’un de vos bardes égarés, piochez une carte. Elle vaut prise si vous la gardez "
                "; sinon, défaussez-la et prenez-en une dans l’Autre Monde."
            ),
        ),
        "bru-na-boinne": (
            "Once each Journey Phase, a Storyteller of yours may join another in its space, but not on a corner.",
            (
                "Une fois par phase de Voyage, l’un de vos bardes peut en rejoindre un autre dans son "
                "intervalle, mais pas dans un angle."
            ),
        ),
        "cailleachs-crag": (
            "Worth 3 more for every colour found among its neighbours.",
            "Vaut 3 de plus pour chaque couleur présente parmi les cartes adjacentes.",
        ),
        "clurachan-brewery": (
            "Turns the colour of one of its neighbours, which you choose.",
            "Prend la couleur d’une carte adjacente, à votre choix.",
        ),
        "cu-sidhe-kennel": (
            "Worth 2 more for every other card with an Ailm anywhere in your Saga.",
            "Vaut 2 de plus pour chaque autre carte à l’Ailm, où qu’elle soit dans votre saga.",
        ),
        "dobhar-chu-loch": (
            (
                "You may send any Storyteller of the Otherworld, whoever it belongs to, to another free space "
                "whose two cards are both still there."
            ),
            (
                "Vous pouvez envoyer un barde de l’Autre Monde, quel que soit son propriétaire, dans un autre "
                "intervalle libre dont les deux cartes sont encore là."
            ),
        ),
        "dolmen": (
            "Worth 4 more while its left and right neighbours have one and the same colour.",
            "Vaut 4 de plus tant que les cartes adjacentes à gauche et à droite ont la même couleur.",
        ),
        "dullaghan": (
            "You may choose a neighbouring card: it is red from now on.",
            "Vous pouvez choisir une carte adjacente : elle est désormais rouge.",
        ),
        "far-darrig": (
            "Worth as much as the card on its left; 2 if there is none.",
            "Vaut autant que la carte à sa gauche ; 2 s’il n’y en a pas.",
        ),
        "fomoire-raiders": (
            "You may choose a neighbouring card: it is blue from now on.",
            "Vous pouvez choisir une carte adjacente : elle est désormais bleue.",
        ),
        "gancanaghs-valley": (
            "If the place on its right is empty, you may bring another card of your Saga there.",
            "Si l’emplacement à sa droite est libre, vous pouvez y amener une autre carte de votre saga.",
        ),
        "glastonbury-tor": (
            "You may choose a neighbouring card: it is yellow from now on.",
            "Vous pouvez choisir une carte adjacente : elle est désormais jaune.",
        ),
        "hungry-oillipheist": (
            "You may discard a neighbouring card and add what it was worth to this one for good.",
            "Vous pouvez défausser une carte adjacente et ajouter pour de bon ce qu’elle valait à celle-ci.",
        ),
        "keening-banshee": (
            (
                "The moment a Storyteller of yours has no card left beside it, even out of turn, you may move it "
                "to a free space beside at least one card."
            ),
            (
                "Dès qu’un de vos bardes n’a plus de carte à son contact, même hors de votre tour, vous pouvez "
                "le déplacer dans un intervalle libre qui en touche au moins une."
            ),
        ),
        "leipreachan-cobblers": (
            "Once each Saga Phase, in your turn, this card may change over to the first open place of another row.",
            (
                "Une fois par phase de Saga, à votre tour, cette carte peut passer au premier emplacement libre "
                "d’une autre rangée."
            ),
        ),
        "mag-mell": (
            (
                "Discard it from your hand before you take: you may take any card of the Otherworld, with any of your "
                "Storytellers. In the Saga it does nothing."
            ),
            (
                "Défaussez-la de votre main avant de prendre : toute carte de l’Autre Monde vous est ouverte, "
                "avec n’importe lequel de vos bardes. Dans la saga, elle est sans effet."
            ),
        ),
        "manannans-dock": (
            "You may have any two cards of your Saga change places.",
            "Vous pouvez intervertir deux cartes quelconques de votre saga.",
        ),
        "merrow-milliners": (
            "Once each Journey Phase, a Storyteller of yours may stand on a corner, beside every card that meets it.",
            (
                "Une fois par phase de Voyage, l’un de vos bardes peut se tenir dans un angle, au contact de "
                "toutes les cartes qui s’y rejoignent."
            ),
        ),
        "selkie-cove": (
            "At Scoring it becomes whichever colour you name.",
            "Au Décompte, elle devient de la couleur que vous nommez.",
        ),
        "sidhe-court": (
            "Worth 2 more for every other card of its row that has its colour.",
            "Vaut 2 de plus pour chaque autre carte de sa rangée qui a sa couleur.",
        ),
        "sly-bodach": (
            "You may make a neighbouring card worth 2 more or 2 less for good.",
            "Vous pouvez rendre une carte adjacente plus forte ou plus faible de 2, pour de bon.",
        ),
        "tur-bhalair": (
            "At Scoring: 1 VP for every red card of your Saga.",
            "Au Décompte : 1 PV pour chaque carte rouge de votre saga.",
        ),
        "wandering-puca": (
            "You may choose a neighbouring card: it is green from now on.",
            "Vous pouvez choisir une carte adjacente : elle est désormais verte.",
        ),
        "water-kelpie": (
            "Worth 6 less as long as any neighbour is green.",
            "Vaut 6 de moins tant qu’elle est adjacente à une carte verte.",
        ),
    }
)
"""Texts of special cards."""
OURS_IN_EFFECTS = Phrases(
    {
        "bru-na-boinne": ("Ours: “once”.", "De nous : « une fois »."),
        "leipreachan-cobblers": ("Ours: the place where it lands.", "De nous : l’emplacement d’arrivée."),
        "mag-mell": ("Ours: what the discard gives you.", "De nous : ce que donne la défausse."),
        "dobhar-chu-loch": ("Ours: whoever it belongs to.", "De nous : quel que soit son propriétaire."),
        "far-darrig": ("Ours: that it copies the value.", "De nous : que la valeur soit copiée."),
    }
)
"""Notes on cards whose effect is only partly in the rulebooks: the part that is ours."""
HINTS = Phrases(
    {
        "aengus-bru": ("a draw first for each Lost Storyteller", "une pioche d’abord pour chaque barde égaré"),
        "bru-na-boinne": (
            "one of yours may share a space each Journey",
            "un barde peut partager un intervalle par Voyage",
        ),
        "cailleachs-crag": ("+3 per colour next to it", "+3 par couleur adjacente"),
        "clurachan-brewery": ("turns a neighbour’s colour", "prend la couleur d’une carte adjacente"),
        "cu-sidhe-kennel": ("+2 per other Ailm card", "+2 par autre carte à l’Ailm"),
        "dobhar-chu-loch": ("moves any one Storyteller", "déplace un barde, n’importe lequel"),
        "dolmen": ("+4 between two cards of one colour", "+4 entre deux cartes d’une même couleur"),
        "dullaghan": ("a neighbour turns red", "une carte adjacente devient rouge"),
        "far-darrig": ("worth what the card on its left is", "vaut autant que la carte à sa gauche"),
        "fomoire-raiders": ("a neighbour turns blue", "une carte adjacente devient bleue"),
        "gancanaghs-valley": ("may pull a card of yours to its right", "peut attirer une de vos cartes à sa droite"),
        "glastonbury-tor": ("a neighbour turns yellow", "une carte adjacente devient jaune"),
        "hungry-oillipheist": ("may eat a neighbour and its value", "peut dévorer une carte adjacente et sa valeur"),
        "keening-banshee": ("moves your Storytellers as they are Lost", "déplace vos bardes qui s’égarent"),
        "leipreachan-cobblers": ("may change rows once each Saga Phase", "peut changer de rangée, une fois par Saga"),
        "mag-mell": ("discard it from hand to take any card", "à défausser de la main : prise libre"),
        "manannans-dock": ("may swap two cards of your Saga", "peut échanger deux cartes de la saga"),
        "merrow-milliners": (
            "one of yours may take a corner each Journey",
            "un barde peut occuper un angle par Voyage",
        ),
        "selkie-cove": ("any colour at Scoring", "couleur au choix au Décompte"),
        "sidhe-court": (
            "+2 per other card of its colour in the row",
            "+2 par autre carte de sa couleur dans la rangée",
        ),
        "sly-bodach": ("a neighbour gains or loses 2", "une carte adjacente gagne ou perd 2"),
        "tur-bhalair": ("1 VP per red card at Scoring", "1 PV par carte rouge au Décompte"),
        "wandering-puca": ("a neighbour turns green", "une carte adjacente devient verte"),
        "water-kelpie": ("−6 next to green", "−6 si adjacente à du vert"),
    }
)
"""Texts of special cards in a few words."""
PLACEMENTS = Phrases(
    {
        "diarmuid": (
            "A card must differ in colour from the one on its left.",
            "La carte jouée n’a pas la couleur de celle de gauche.",
        ),
        "deirdre": (
            "A card may not be stronger than the one on its left.",
            "La carte jouée n’est pas plus forte que celle de gauche.",
        ),
    }
)
"""Placement rules of the Geas that have one."""
SCORINGS = Phrases(
    {
        "oisin": (
            "The first card and every card above its left neighbour score their value.",
            "La première carte et toute carte supérieure à la carte adjacente de gauche rapportent leur valeur.",
        ),
        "benandonner": (
            "Every card that alone is the strongest of its column scores its value.",
            "Toute carte qui est seule la plus forte de sa colonne rapporte sa valeur.",
        ),
        "diarmuid": (
            "The best unbroken stretch in which no colour comes twice scores the total of its values.",
            "La meilleure suite sans trou où aucune couleur ne revient rapporte le total de ses valeurs.",
        ),
        "etain": (
            "Every card that tops its left and its right neighbour scores its value; a missing one does not matter.",
            (
                "Toute carte supérieure aux cartes adjacentes de gauche et de droite rapporte sa valeur ; une carte "
                "absente ne gêne pas."
            ),
        ),
        "fionn": (
            "Every card below its left neighbour scores its value.",
            "Toute carte inférieure à la carte adjacente de gauche rapporte sa valeur.",
        ),
        "knockgrafton": (
            "Every card with the second-highest value of its column scores that value.",
            "Toute carte qui a la deuxième valeur de sa colonne rapporte cette valeur.",
        ),
        "deirdre": (
            "The best unbroken stretch that never rises scores the total of its values.",
            "La meilleure suite sans trou qui ne monte jamais rapporte le total de ses valeurs.",
        ),
        "gollerus": (
            "Every card of the colour of the card right above or right below it scores its value.",
            "Toute carte de la couleur de celle juste au-dessus ou juste au-dessous rapporte sa valeur.",
        ),
        "cathbad": (
            "Cards of one value, wherever they lie in the row: two give 4, three 10, four 18, five 28.",
            "Cartes de même valeur, n’importe où dans la rangée : deux rapportent 4, trois 10, quatre 18, cinq 28.",
        ),
        "lir": (
            "The longest stretch of one colour: two cards give 4, three 9, four 16, five 25.",
            "La plus longue suite d’une même couleur : deux cartes rapportent 4, trois 9, quatre 16, cinq 25.",
        ),
        "fergus": (
            "4 for every card that alone is the weakest of its column, if it is not the only one there.",
            "4 pour toute carte qui est seule la plus faible de sa colonne, si elle n’y est pas l’unique carte.",
        ),
        "owney": (
            "5 for every two neighbours whose values are equal or next to each other.",
            "5 pour chaque couple de cartes adjacentes de valeurs égales ou qui se suivent.",
        ),
    }
)
"""Scoring rules of the Geas."""
GEAS_FACTS: dict[str, tuple[str, ...]] = {
    "oisin": ("name", "example"),
    "fionn": ("name", "example"),
    "knockgrafton": ("name", "rule"),
    "cathbad": ("name", "example"),
}
"""Facts about a Geas in the rulebooks. Other Geas have only a word in the pronunciation guide."""

KNOWN: dict[str, Pair] = {
    "name": ("name", "nom"),
    "guide": ("word in the pronunciation guide", "mot du guide de prononciation"),
    "colour": ("colour", "couleur"),
    "value": ("value", "valeur"),
    "copies": ("copies", "exemplaires"),
    "timing": ("timing", "moment"),
    "effect": ("effect", "effet"),
    "part": ("part of the effect", "une partie de l’effet"),
    "rule": ("scoring", "décompte"),
    "example": ("worked example", "exemple chiffré"),
}
SOURCES: dict[str, Pair] = {
    "rulebook": ("rulebook", "livret"),
    "partly": ("partly", "en partie"),
    "reconstructed": ("reconstructed", "reconstitué"),
}
MEANINGS: dict[str, Pair] = {
    "rulebook": (
        "What it does is told in the rulebooks, like all that stands in brackets; the rest is reconstructed.",
        (
            "Ce qu’elle fait est dit dans les livrets de règles, comme tout ce qui est entre parenthèses ; "
            "le reste est reconstitué."
        ),
    ),
    "partly": (
        "The rulebooks tell what stands in brackets and no more; the rest is reconstructed.",
        "Les livrets de règles ne disent que ce qui est entre parenthèses ; le reste est reconstitué.",
    ),
    "reconstructed": (
        "Nothing of it is known to us; name, numbers and text are ours.",
        "Nous n’en connaissons rien ; le nom, les nombres et le texte sont de nous.",
    ),
}
TITLES: tuple[Pair, ...] = (
    ("The Encounter deck, edition house-3: {count} cards", "Les cartes Rencontre, édition house-3 : {count} cartes"),
    ("The Geas", "Les Geis"),
    ("Where this comes from", "D’où viennent ces données"),
    ("What else is our reconstruction", "Ce qui est aussi notre reconstitution"),
)
HEADERS: tuple[tuple[Pair, ...], ...] = (
    (
        ("Name", "Nom"),
        ("Colour", "Couleur"),
        ("Value", "Valeur"),
        ("Ailm", "Ailm"),
        ("Copies", "Exemplaires"),
        ("Timing", "Moment"),
        ("Text", "Texte"),
        ("Source", "Source"),
    ),
    (
        ("Row", "Rangée"),
        ("Name", "Nom"),
        ("Placement", "Pose"),
        ("Scoring", "Décompte"),
        ("Balor’s solo score", "Score solo de Balor"),
        ("Source", "Source"),
    ),
    (("Source", "Source"), ("Meaning", "Sens")),
    (("About", "Sujet"), ("The rulebooks say", "Les livrets disent"), ("Ours", "De nous")),
)
OURS: tuple[tuple[Pair, Pair, Pair], ...] = (
    (
        ("Regions with 3 to 5 players", "Régions de 3 à 5 joueurs"),
        (
            (
                "With two players and alone the awards are 8 and 3. The Regions card has two sides, by number of "
                "players. A picture of the other side shows three awards that are too small to read."
            ),
            (
                "À deux et en solo, les récompenses sont 8 et 3. La carte Régions a deux faces, selon le nombre de "
                "joueurs. Une image de l’autre face montre trois récompenses, illisibles."
            ),
        ),
        (
            "8, 3 and 1 with three to five players.",
            "8, 3 et 1 de trois à cinq joueurs.",
        ),
    ),
    (
        ("Dobhar-chú Loch", "Loch du Dobhar-chú"),
        (
            "It moves a Storyteller to another free space between two cards; whose Storyteller is not told.",
            "Il déplace un barde dans un autre intervalle libre entre deux cartes ; à qui est ce barde n’est pas dit.",
        ),
        ("Any Storyteller of any player, Lost ones too.", "N’importe quel barde de n’importe qui, même égaré."),
    ),
    (
        ("Far Darrig", "Fir darrig"),
        (
            "Its value comes from the card on its left; without one it keeps 2.",
            "Sa valeur vient de la carte à sa gauche ; sans elle, il garde 2.",
        ),
        (
            "It copies the value that card has now, and adds its own tokens.",
            "Il copie la valeur actuelle de cette carte et y ajoute ses propres pions.",
        ),
    ),
    (
        ("Brú na Bóinne", "Brú na Bóinne"),
        (
            "A Storyteller may stand in an occupied space between two cards, not on a corner; how often is not told.",
            "Un barde peut se tenir dans un intervalle occupé, pas dans un angle ; combien de fois n’est pas dit.",
        ),
        ("Once each Journey Phase.", "Une fois par phase de Voyage."),
    ),
    (
        ("Leipreachán Cobblers", "Leprechauns cordonniers"),
        (
            "Once each Saga Phase they move to another row, even a full one; where in the row is not told.",
            (
                "Une fois par phase de Saga, ils passent dans une autre rangée, même pleine ; à quel emplacement "
                "n’est pas dit."
            ),
        ),
        ("The first open place from the left.", "Le premier emplacement libre à partir de la gauche."),
    ),
    (
        ("Mag Mell", "Mag Mell"),
        (
            "It works only when it is discarded from the hand; what it then does is not told.",
            "Elle n’agit que défaussée de la main ; ce qu’elle fait alors n’est pas dit.",
        ),
        (
            "Before you take in an ordinary Saga turn: take any card, with any of your Storytellers.",
            "Avant de prendre, à un tour de Saga ordinaire : prise de toute carte, avec l’un de vos bardes.",
        ),
    ),
    (
        ("“May” or “must” of When Played effects", "Mise en jeu : facultatif ou obligatoire"),
        (
            "An effect must be carried out unless it says that you may.",
            "Un effet est obligatoire, sauf s’il dit « vous pouvez ».",
        ),
        (
            "All of them say “may”, but for Clúrachán Brewery.",
            "Tous disent « vous pouvez », sauf la Brasserie du Cluricaune.",
        ),
    ),
    (
        ("How many Geas there are", "Combien il y a de Geis"),
        (
            "60 double-sided Geas cards, 12 for each of five players. That may mean 12 Geas or 24 faces.",
            "60 cartes Geis recto verso, 12 pour chacun des cinq joueurs. Cela peut vouloir dire 12 Geis ou 24 faces.",
        ),
        ("12, four for each row.", "12, quatre par rangée."),
    ),
)
"""Questions that the rulebooks leave open beyond single cards, and our answers."""


def effect_text(slug: str, locale: Locale) -> str:
    """Return the effect of the card and the part of it that is ours; an empty string for a plain card."""
    return " ".join(filter(None, (EFFECTS[locale].get(slug), OURS_IN_EFFECTS[locale].get(slug))))


def hint(slug: str, locale: Locale) -> str:
    """Return the effect of the card in a few words, or an empty string for a plain card."""
    return HINTS[locale].get(slug, "")


def geas_text(slug: str, locale: Locale) -> str:
    """Return the whole text of a Geas: its demand on a played card, if any, then its score."""
    return " ".join(filter(None, (PLACEMENTS[locale].get(slug), SCORINGS[locale][slug])))


def tables(locale: Locale) -> tuple[CardTable, ...]:
    """Return the deck, the Geas, the meaning of their source columns, and everything else that is our own."""
    cards = sorted(CARDS.values(), key=lambda card: (COLOURS.index(card.colour), card.value, card.slug))
    every = (
        tuple(_card(card, locale) for card in cards),
        tuple(_geas(slug, locale) for slug in SCORINGS[locale]),
        tuple((localise(SOURCES[word], locale), typeset_pair(meaning, locale)) for word, meaning in MEANINGS.items()),
        tuple(tuple(typeset_pair(cell, locale) for cell in row) for row in OURS),
    )
    count = sum(card.copies for card in cards)
    return tuple(
        CardTable(
            typeset_pair(title, locale).format(count=count), tuple(localise(cell, locale) for cell in header), rows
        )
        for title, header, rows in zip(TITLES, HEADERS, every, strict=True)
    )


def _source(known: tuple[str, ...], told: str, locale: Locale) -> str:
    word = "rulebook" if told in known else "partly" if known else "reconstructed"
    facts = ", ".join(localise(KNOWN[each], locale) for each in known)
    return localise(SOURCES[word], locale) + (f" ({facts})" if facts else "")


def _card(card: Card, locale: Locale) -> tuple[str, ...]:
    return (
        card_name(card.slug, locale),
        localise(COLOUR_NAMES[card.colour], locale),
        str(card.value),
        "Ailm" if card.ailm else "",
        str(card.copies),
        localise(TIMING_NAMES[card.timing], locale) if card.timing else "",
        effect_text(card.slug, locale),
        _source(card.known, "effect", locale),
    )


def _geas(slug: str, locale: Locale) -> tuple[str, ...]:
    return (
        localise(ROW_NAMES[GEAS[slug].row], locale),
        geas_name(slug, locale),
        PLACEMENTS[locale].get(slug, "–"),
        SCORINGS[locale][slug],
        str(balor_points(slug, "house-3", "easy")),
        _source(GEAS_FACTS.get(slug, ("guide",)), "rule", locale),
    )
