"""Names in Tír na nÓg, and the ways to type them, in English and French."""

from __future__ import annotations

from functools import cache

from engine.games.tir_na_nog.rules.saga import MOST_SLOTS
from engine.phrases import Pair, by_locale, localise
from engine.words import BOTS, LOCALES, Locale, Words

"""A text in English and in French."""

CARD_NAMES: dict[str, Pair] = {
    "aengus-bru": ("Aengus’s Brú", "Tumulus d’Óengus"),
    "barley-field": ("Barley Field", "Champ d’orge"),
    "bru-na-boinne": ("Brú na Bóinne", "Brú na Bóinne"),
    "cailleachs-crag": ("Cailleach’s Crag", "Colline de la Cailleach"),
    "clurachan-brewery": ("Clúrachán Brewery", "Brasserie du Cluricaune"),
    "cu-chulainn": ("Cú Chulainn", "Cúchulainn"),
    "cu-sidhe-kennel": ("Cú Sidhe Kennel", "Repaire du Cù-sìth"),
    "curragh-crew": ("Curragh Crew", "Équipage du curragh"),
    "dobhar-chu-loch": ("Dobhar-chú Loch", "Loch du Dobhar-chú"),
    "dolmen": ("Dolmen", "Dolmen"),
    "drowned-bell": ("Drowned Bell", "Cloche engloutie"),
    "dullaghan": ("Dullaghan", "Dullahan"),
    "ember-sprite": ("Ember Sprite", "Lutin des braises"),
    "fairy-ring": ("Fairy Ring", "Rond de fées"),
    "far-darrig": ("Far Darrig", "Fir darrig"),
    "fomoire-raiders": ("Fomóire Raiders", "Pillards fomoires"),
    "gancanaghs-valley": ("Gancanagh’s Valley", "Vallée du Gancanagh"),
    "glastonbury-tor": ("Glastonbury Tor", "Tor de Glastonbury"),
    "golden-bough": ("Golden Bough", "Rameau d’or"),
    "great-oak": ("Great Oak", "Grand chêne"),
    "harpers-seat": ("Harper’s Seat", "Siège du harpiste"),
    "hawthorn-gate": ("Hawthorn Gate", "Porte d’aubépine"),
    "hazel-grove": ("Hazel Grove", "Bosquet de noisetiers"),
    "hungry-oillipheist": ("Hungry Oilliphéist", "Oilliphéist affamé"),
    "keening-banshee": ("Keening Banshee", "Complainte de la Banshee"),
    "leipreachan-cobblers": ("Leipreachán Cobblers", "Leprechauns cordonniers"),
    "lugh": ("Lugh", "Lug"),
    "macha": ("Macha", "Macha"),
    "mag-mell": ("Mag Mell", "Mag Mell"),
    "manannans-dock": ("Manannán’s Dock", "Quai de Manannan"),
    "merrow-milliners": ("Merrow Milliners", "Merrows modistes"),
    "misty-strand": ("Misty Strand", "Grève embrumée"),
    "ninth-wave": ("Ninth Wave", "Neuvième vague"),
    "nuada": ("Nuada", "Nuada"),
    "queen-medb": ("Queen Medb", "La reine Medb"),
    "raven-omen": ("Raven Omen", "Présage du corbeau"),
    "red-branch-warrior": ("Red Branch Warrior", "Guerrier de la Branche rouge"),
    "sea-cave": ("Sea Cave", "Grotte marine"),
    "seal-rocks": ("Seal Rocks", "Rochers aux phoques"),
    "selkie-cove": ("Selkie Cove", "Crique de la selkie"),
    "shamrock-patch": ("Shamrock Patch", "Carré de trèfles"),
    "sidhe-court": ("Sídhe Court", "Cour du Sidh"),
    "sly-bodach": ("Sly Bodach", "Bodach rusé"),
    "smiths-forge": ("Smith’s Forge", "Forge du maître"),
    "standing-stone": ("Standing Stone", "Pierre levée"),
    "storm-lord": ("Storm Lord", "Seigneur des tempêtes"),
    "sunlit-cairn": ("Sunlit Cairn", "Cairn ensoleillé"),
    "the-dagda": ("The Dagda", "Le Dagda"),
    "tide-pool": ("Tide Pool", "Flaque de marée"),
    "tuatha-de-danann": ("Tuatha Dé Danann", "Tuatha Dé Danann"),
    "tur-bhalair": ("Túr Bhalair", "Túr Bhalair"),
    "wandering-puca": ("Wandering Púca", "Púca vagabond"),
    "war-drum": ("War Drum", "Tambour de guerre"),
    "water-kelpie": ("Water Kelpie", "Kelpie"),
    "white-stag": ("White Stag", "Cerf blanc"),
    "will-o-the-wisp": ("Will-o’-the-Wisp", "Feu follet"),
}

GEAS_NAMES: dict[str, Pair] = {
    "oisin": ("Oisín’s Journey", "Le lai d’Oisín"),
    "benandonner": ("Fionn and Benandonner", "Finn et Benandonner"),
    "diarmuid": ("The Pursuit of Diarmuid and Gráinne", "La poursuite de Diarmuid et Gráinne"),
    "etain": ("The Wooing of Étaín", "La courtise d’Étain"),
    "fionn": ("Fionn and the Salmon of Knowledge", "Finn et le Saumon du savoir"),
    "knockgrafton": ("Legend of Knockgrafton", "La légende de Knockgrafton"),
    "deirdre": ("Deirdre of the Sorrows", "Deirdre des douleurs"),
    "gollerus": ("The Lady of Gollerus", "La dame de Gollerus"),
    "cathbad": ("Cathbad’s Divination", "La prophétie de Cathbad"),
    "lir": ("The Children of Lir", "Les enfants de Lir"),
    "fergus": ("Fergus O’Mara and the Air-Demons", "Fergus O’Mara et les démons de l’air"),
    "owney": ("Owney and Owney-na-Peak", "Owney et Owney-na-Peak"),
}

ROW_NAMES: dict[str, Pair] = {"top": ("top", "haut"), "middle": ("middle", "milieu"), "bottom": ("bottom", "bas")}
COLOUR_NAMES: dict[str, Pair] = {
    "blue": ("blue", "bleu"),
    "green": ("green", "vert"),
    "red": ("red", "rouge"),
    "yellow": ("yellow", "jaune"),
}
TIMING_NAMES: dict[str, Pair] = {
    "when-played": ("When Played", "Mise en jeu"),
    "ongoing": ("Ongoing", "Persistant"),
    "journey": ("Journey Phase", "Phase de Voyage"),
    "saga": ("Saga Phase", "Phase de Saga"),
    "scoring": ("Scoring", "Décompte"),
}
PHASE_NAMES: dict[str, Pair] = {
    "setup": ("Setup", "Mise en place"),
    "journey": ("Journey Phase", "Phase de Voyage"),
    "saga": ("Saga Phase", "Phase de Saga"),
    "echtra": ("Echtra Quest", "Quête de l’Echtra"),
    "cleanup": ("Cleanup", "Entretien"),
    "scoring": ("Scoring", "Décompte"),
    "over": ("The End", "Fin de la partie"),
}
SET_NAMES: tuple[Pair, ...] = (
    ("Bells", "Clochettes"),
    ("Lyre", "Lyre"),
    ("Flute", "Flûte"),
    ("Harp", "Harpe"),
    ("Tuba", "Tuba"),
)
"""The player sets, by seat."""

SIDE_NAMES: dict[str, Pair] = {"highest": ("Highest", "Maximum"), "lowest": ("Lowest", "Minimum")}
LEVEL_NAMES: dict[str, Pair] = {
    "gentle": ("Gentle", "Indulgente"),
    "easy": ("Easy", "Facile"),
    "normal": ("Normal", "Moyenne"),
    "hard": ("Hard", "Élevée"),
    "impossible": ("Impossible", "Impossible"),
}


def card_name(slug: str, locale: Locale) -> str:
    """Return the name of a card, and `?` unchanged."""
    return localise(CARD_NAMES[slug], locale) if slug in CARD_NAMES else slug


def geas_name(slug: str, locale: Locale) -> str:
    """Return the name of a Geas."""
    return localise(GEAS_NAMES[slug], locale)


@cache
def letter(colour: str, locale: Locale) -> str:
    """Return the letter that stands for a colour."""
    return localise(COLOUR_NAMES[colour], locale)[0].upper()


GRID_ROWS, GRID_COLUMNS = "abc", range(1, 7)

VERBS = by_locale(
    {
        "start": (("start", "begin"), ("commencer", "commence", "début")),
        "deal": (("deal",), ("distribuer", "distribue")),
        "lay": (("lay",), ("étaler", "étale")),
        "mark": (("mark", "marker", "token"), ("marquer", "marque", "pion")),
        "turn": (("turn", "flip"), ("retourner", "retourne", "révéler")),
        "place": (("place", "put", "send", "stand"), ("placer", "place", "poser", "pose", "envoyer", "envoie")),
        "take": (("take", "pick", "grab", "get"), ("prendre", "prends", "prend", "récupérer", "récupère")),
        "discard": (("discard", "drop", "throw away", "throw"), ("défausser", "défausse", "jeter", "jette")),
        "draw": (("draw",), ("piocher", "pioche")),
        "keep": (("keep", "hold"), ("garder", "garde", "conserver", "conserve")),
        "play": (("play", "add"), ("jouer", "joue", "poser", "pose", "ajouter", "ajoute")),
        "paint": (
            ("paint", "colour", "color", "recolour", "recolor"),
            ("peindre", "peins", "colorer", "colore", "changer en", "change en"),
        ),
        "swap": (("swap", "exchange", "switch"), ("échanger", "échange", "intervertir", "intervertis")),
        "shift": (("shift", "move"), ("déplacer", "déplace", "bouger", "bouge", "amener", "amène")),
        "wander": (("wander", "move"), ("déplacer", "déplace", "errer", "erre", "bouger", "bouge")),
        "eat": (("eat", "devour", "swallow"), ("manger", "mange", "dévorer", "dévore")),
        "adjust": (("adjust", "change"), ("modifier", "modifie", "ajuster", "ajuste")),
        "stay": (
            ("stay", "no", "pass", "decline", "nothing", "done"),
            ("rester", "reste", "non", "rien", "passer", "passe", "renoncer", "renonce"),
        ),
    }
)
MORE = by_locale(
    {
        "top": (
            ("upper", "up", "upper row", "top row", "high"),
            ("en haut", "rangée du haut", "au-dessus", "supérieure"),
        ),
        "middle": (
            ("mid", "centre", "center", "middle row", "in the middle"),
            ("au milieu", "rangée du milieu", "centre", "centrale"),
        ),
        "bottom": (("lower", "down", "lower row", "bottom row", "low"), ("en bas", "rangée du bas", "inférieure")),
        "+2": (("+2", "plus 2", "plus two", "up", "more"), ("+2", "plus 2", "plus deux", "augmenter")),
        "-2": (("minus 2", "minus two", "down", "less"), ("moins 2", "moins deux", "diminuer")),
        "leipreachan-cobblers": (("leprechaun cobblers", "leprechauns"), ("leprechauns", "cordonniers")),
        "dullaghan": (("dullahan",), ()),
        "the-dagda": (("dagda",), ("dagda",)),
        "queen-medb": (("medb", "maeve"), ("medb", "reine Medb")),
        "tur-bhalair": (("balor's tower",), ()),
        "random": (("random",), ("au hasard",)),
        "first": (("first game",), ("première partie",)),
        "misc": (("misc.", "other points"), ("divers",)),
        "forced-discards": (("forced discards",), ("défausses forcées",)),
        "lost-storytellers": (("Lost Storytellers",), ("bardes égarés",)),
        "regions": (("Regions of Tír na nÓg", "regions"), ("Régions de Tír na nÓg", "régions")),
        "total": (("total",), ("total",)),
        "blue": ((), ("bleue",)),
        "green": ((), ("verte",)),
        "keening-banshee": ((), ("banshee",)),
    }
)


def _places(locale: Locale) -> dict[str, tuple[str, ...]]:
    return {
        f"{row}{slot}": (f"{localise(names, locale)} {slot}", f"{localise(names, locale)}{slot}")
        for row, names in ROW_NAMES.items()
        for slot in range(1, MOST_SLOTS + 1)
    }


def _spots() -> dict[str, tuple[str, ...]]:
    """Return every space and corner of the largest grid, also named cell by cell."""
    spots: dict[str, tuple[str, ...]] = {}
    for row, below in zip(GRID_ROWS, (*GRID_ROWS[1:], ""), strict=True):
        for column in GRID_COLUMNS:
            here = f"{row}{column}"
            groups: list[tuple[str, ...]] = [(here, f"{row}{column + 1}")] if column + 1 in GRID_COLUMNS else []
            groups += [(here, f"{below}{column}")] if below else []
            if below and groups[0][1].startswith(row):
                groups.append((*groups[0], f"{below}{column}", f"{below}{column + 1}"))
            spots |= {"".join(cells): ("".join(cells), " ".join(cells), "/".join(cells)) for cells in groups}
    return spots


def _names(locale: Locale) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {slug: (card_name(slug, locale),) for slug in CARD_NAMES}
    names |= {slug: (geas_name(slug, locale),) for slug in GEAS_NAMES}
    for table in (ROW_NAMES, COLOUR_NAMES, SIDE_NAMES, LEVEL_NAMES):
        names |= {word: (localise(pair, locale),) for word, pair in table.items()}
    names |= _places(locale) | _spots() | VERBS[locale]
    for word, more in MORE[locale].items():
        names[word] = names.get(word, ()) + more
    return names


FIELDS: dict[str, str] = {
    "card": "carte",
    "cell": "case",
    "spot": "intervalle",
    "start": "intervalle",
    "end": "intervalle",
    "seat": "place",
    "whose": "place",
    "row": "rangée",
    "place": "emplacement",
    "one": "emplacement",
    "other": "emplacement",
    "colour": "couleur",
    "by": "écart",
}
"""French names of the words after a verb."""

WORDS = Words(
    {"en": _names("en"), "fr": _names("fr")},
    {locale: {**BOTS[locale], "balor": "Balor"} for locale in LOCALES},
    {"fr": FIELDS},
)
