"""How people say the words of Tír na nÓg in English and French."""

from __future__ import annotations

from engine.games.tir_na_nog.names import (
    CARD_NAMES,
    COLOUR_NAMES,
    GEAS_NAMES,
    LEVEL_NAMES,
    ROW_NAMES,
    SIDE_NAMES,
    card_name,
    geas_name,
    pick_of,
)
from engine.games.tir_na_nog.saga import MOST_SLOTS
from engine.words import BOTS, LOCALES, Locale, Words

GRID_ROWS, GRID_COLUMNS = "abc", range(1, 7)

VERBS: dict[Locale, dict[str, tuple[str, ...]]] = {
    "en": {
        "start": ("start", "begin"),
        "deal": ("deal",),
        "lay": ("lay",),
        "mark": ("mark", "marker", "token"),
        "turn": ("turn", "flip"),
        "place": ("place", "put", "send", "stand"),
        "take": ("take", "pick", "grab", "get"),
        "discard": ("discard", "drop", "throw away", "throw"),
        "draw": ("draw",),
        "keep": ("keep", "hold"),
        "play": ("play", "add"),
        "paint": ("paint", "colour", "color", "recolour", "recolor"),
        "swap": ("swap", "exchange", "switch"),
        "shift": ("shift", "move"),
        "wander": ("wander", "move"),
        "eat": ("eat", "devour", "swallow"),
        "adjust": ("adjust", "change"),
        "stay": ("stay", "no", "pass", "decline", "nothing", "done"),
    },
    "fr": {
        "start": ("commencer", "commence", "début"),
        "deal": ("distribuer", "distribue"),
        "lay": ("étaler", "étale"),
        "mark": ("marquer", "marque", "pion"),
        "turn": ("retourner", "retourne", "révéler"),
        "place": ("placer", "place", "poser", "pose", "envoyer", "envoie"),
        "take": ("prendre", "prends", "prend", "récupérer", "récupère"),
        "discard": ("défausser", "défausse", "jeter", "jette"),
        "draw": ("piocher", "pioche"),
        "keep": ("garder", "garde", "conserver", "conserve"),
        "play": ("jouer", "joue", "poser", "pose", "ajouter", "ajoute"),
        "paint": ("peindre", "peins", "colorer", "colore", "changer en", "change en"),
        "swap": ("échanger", "échange", "intervertir", "intervertis"),
        "shift": ("déplacer", "déplace", "bouger", "bouge", "amener", "amène"),
        "wander": ("déplacer", "déplace", "errer", "erre", "bouger", "bouge"),
        "eat": ("manger", "mange", "dévorer", "dévore"),
        "adjust": ("modifier", "modifie", "ajuster", "ajuste"),
        "stay": ("rester", "reste", "non", "rien", "passer", "passe", "renoncer", "renonce"),
    },
}
MORE: dict[Locale, dict[str, tuple[str, ...]]] = {
    "en": {
        "top": ("upper", "up", "upper row", "top row", "high"),
        "middle": ("mid", "centre", "center", "middle row", "in the middle"),
        "bottom": ("lower", "down", "lower row", "bottom row", "low"),
        "+2": ("+2", "plus 2", "plus two", "up", "more"),
        "-2": ("minus 2", "minus two", "down", "less"),
        "leipreachan-cobblers": ("leprechaun cobblers", "leprechauns"),
        "dullaghan": ("dullahan",),
        "the-dagda": ("dagda",),
        "queen-medb": ("medb", "maeve"),
        "tur-bhalair": ("balor's tower",),
        "random": ("random",),
        "first": ("first game",),
        "misc": ("misc.", "other points"),
        "forced-discards": ("forced discards",),
        "lost-storytellers": ("Lost Storytellers",),
        "regions": ("Regions of Tír na nÓg", "regions"),
        "total": ("total",),
    },
    "fr": {
        "top": ("en haut", "rangée du haut", "au-dessus", "supérieure"),
        "middle": ("au milieu", "rangée du milieu", "centre", "centrale"),
        "bottom": ("en bas", "rangée du bas", "inférieure"),
        "blue": ("bleue",),
        "green": ("verte",),
        "+2": ("+2", "plus 2", "plus deux", "augmenter"),
        "-2": ("moins 2", "moins deux", "diminuer"),
        "leipreachan-cobblers": ("leprechauns", "cordonniers"),
        "keening-banshee": ("banshee",),
        "the-dagda": ("dagda",),
        "queen-medb": ("medb", "reine Medb"),
        "random": ("au hasard",),
        "first": ("première partie",),
        "misc": ("divers",),
        "forced-discards": ("défausses forcées",),
        "lost-storytellers": ("bardes égarés",),
        "regions": ("Régions de Tír na nÓg", "régions"),
        "total": ("total",),
    },
}


def _places(locale: Locale) -> dict[str, tuple[str, ...]]:
    return {
        f"{row}{slot}": (f"{pick_of(names, locale)} {slot}", f"{pick_of(names, locale)}{slot}")
        for row, names in ROW_NAMES.items()
        for slot in range(1, MOST_SLOTS + 1)
    }


def _spots() -> dict[str, tuple[str, ...]]:
    """Every space and corner of the largest grid, also said cell by cell."""
    found: dict[str, tuple[str, ...]] = {}
    for row, below in zip(GRID_ROWS, (*GRID_ROWS[1:], ""), strict=True):
        for column in GRID_COLUMNS:
            here = f"{row}{column}"
            groups: list[tuple[str, ...]] = [(here, f"{row}{column + 1}")] if column + 1 in GRID_COLUMNS else []
            groups += [(here, f"{below}{column}")] if below else []
            if below and groups[0][1].startswith(row):
                groups.append((*groups[0], f"{below}{column}", f"{below}{column + 1}"))
            found |= {"".join(cells): ("".join(cells), " ".join(cells), "/".join(cells)) for cells in groups}
    return found


def _names(locale: Locale) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {slug: (card_name(slug, locale),) for slug in CARD_NAMES}
    names |= {slug: (geas_name(slug, locale),) for slug in GEAS_NAMES}
    for table in (ROW_NAMES, COLOUR_NAMES, SIDE_NAMES, LEVEL_NAMES):
        names |= {word: (pick_of(pair, locale),) for word, pair in table.items()}
    names |= _places(locale) | _spots() | VERBS[locale]
    for word, more in MORE[locale].items():
        names[word] = names.get(word, ()) + more
    return names


WORDS = Words(
    {"en": _names("en"), "fr": _names("fr")}, {locale: {**BOTS[locale], "balor": "Balor"} for locale in LOCALES}
)
