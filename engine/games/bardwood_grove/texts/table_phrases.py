"""The phrases of the table in words, in English and French."""

from __future__ import annotations

from functools import lru_cache

from engine.games.bardwood_grove.texts.names import name
from engine.lines import fold_words
from engine.phrases import Phrases
from engine.words import Locale, typeset

INDENT = "  "
PHRASES = Phrases(
    {
        "title": ("Bardwood Grove", "Bardwood Grove"),
        "round": ("round {round}", "manche {round}"),
        "paused": ("the match is paused", "la partie est suspendue"),
        "over": ("the match is over", "la partie est finie"),
        "asked-bards": ("{who} chooses a bard", "{who} choisit un barde"),
        "asked-compose": ("{who} composes", "{who} compose"),
        "asked-move": ("{who} spends {points}", "{who} dépense {points}"),
        "asked-sing": ("{who} sings", "{who} chante"),
        "asked-fan": ("{who} chooses a side of {fan}", "{who} choisit un côté de {fan}"),
        "asked-stack": ("{who} stacks a creature", "{who} empile une créature"),
        "asked-rival": ("{who} resolves its card", "{who} applique sa carte"),
        "act": ("Act {act}: {name} – {text}", "Acte {act} : {name} – {text}"),
        "later": ("Act II will be: {name} – {text}", "Acte II à venir : {name} – {text}"),
        "pools": ("Pools: I {one}, II {two}", "Réserves : I {one}, II {two}"),
        "ending": (
            "the last gem is gone: the round is played to its end, then scored",
            "la dernière gemme est partie : on finit la manche, puis le Décompte final",
        ),
        "letters": (
            "M melody, L lyrics, X wild, V volume, C coin, A acoustic stone, R range stone, MV movement, "
            "T tempo, G gem",
            "M mélodie, L paroles, X joker, V volume, C pièce, A pierre acoustique, R pierre de portée, "
            "MV déplacement, T tempo, G gemme",
        ),
        "lairs": ("Creatures", "Lieux Créature"),
        "creature": (
            "{place} ({borders}): {name}{boss}, value {value}, {gain}; {left} left{crests}{price}",
            "{place} ({borders}) : {name}{boss}, valeur {value}, {gain} ; reste {left}{crests}{price}",
        ),
        "boss": (" (boss)", " (boss)"),
        "crests": ("; crests of {seats}", " ; écussons de {seats}"),
        "price": ("; for you {price}", " ; pour vous {price}"),
        "empty-lair": ("{place} ({borders}): empty, {cost} → 1 gem", "{place} ({borders}) : vide, {cost} → 1 gemme"),
        "next-creature": (
            "{place} ({borders}): the next creature comes up",
            "{place} ({borders}) : la prochaine créature arrive",
        ),
        "next-card": ("{place} ({borders}): the next card comes up", "{place} ({borders}) : la prochaine carte arrive"),
        "shops": ("Shops", "Boutiques"),
        "shop": (
            "{place} ({borders}): {name}, {card}; {left} left; {price}",
            "{place} ({borders}) : {name}, {card} ; reste {left} ; {price}",
        ),
        "sold-out": ("{place} ({borders}): sold out", "{place} ({borders}) : épuisée"),
        "stages": ("Performances (lyrics and a rune)", "Représentations (paroles et une rune)"),
        "stage": (
            "{place} ({borders}): {price} → {gain}{fan}{runes}",
            "{place} ({borders}) : {price} → {gain}{fan}{runes}",
        ),
        "fan": ("; top Fan {name} ({sides}), {left} left", " ; Fan du dessus {name} ({sides}), reste {left}"),
        "no-fan": ("; no Fans left", " ; plus de Fans"),
        "runes": ("; runes {runes}", " ; runes {runes}"),
        "legends": ("Legends, told at {places}", "Légendes, racontées à {places}"),
        "level": (
            "Level {level} (boat on {boat}, {lyrics}, {gems}, at most {cap} points, {left} to come)",
            "Niveau {level} (bateau en {boat}, {lyrics}, {gems}, au plus {cap} points, {left} à venir)",
        ),
        "legend": ("{name}: {text}{told}", "{name} : {text}{told}"),
        "told": ("; told by {seats}", " ; racontée par {seats}"),
        "conversions": ("Bank and conversions", "Banque et conversions"),
        "bank": (
            "{place} ({borders}): up to 3 melody or lyrics → as many coins",
            "{place} ({borders}) : jusqu’à 3 mélodies ou paroles → autant de pièces",
        ),
        "conversion": ("{place} ({borders}): {cost} → {gain}", "{place} ({borders}) : {cost} → {gain}"),
        "market": (
            "{place} ({borders}), stall {stall}: {cost} → {gain}; next {next_cost} → {next_gain}",
            "{place} ({borders}), étal {stall} : {cost} → {gain} ; ensuite {next_cost} → {next_gain}",
        ),
        "motifs": ("Motifs", "Motifs"),
        "motif": ("{name}: {text} → {gems}", "{name} : {text} → {gems}"),
        "none": ("none", "aucun"),
        "seat": ("{who}{bard}{you}{gone}: {total}", "{who}{bard}{you}{gone} : {total}"),
        "you": (", you", ", vous"),
        "resigned": (", resigned", ", abandon"),
        "first": (", first seat", ", première place"),
        "where": ("bard in {region}, boat on {boat} of {end}", "barde en {region}, bateau en {boat} sur {end}"),
        "dial": ("dial {quarter}{marker}", "cadran {quarter}{marker}"),
        "marker": (", song due", ", chanson due"),
        "dial-runes": ("runes {runes}", "runes {runes}"),
        "volume": ("volume {volume} of {limit}", "volume {volume} sur {limit}"),
        "track": ("{crests} on the track (next {points})", "{crests} sur la piste (ensuite {points})"),
        "track-empty": ("no crest on the track", "plus d’écusson sur la piste"),
        "captured": ("{crests} captured", "{crests} pris"),
        "song": ("Song: {cards}", "Chanson : {cards}"),
        "brag": ("Brag area: 1 {one}; 2 {two}", "Fanfaronnade : 1 {one} ; 2 {two}"),
        "arriving": ("; {name} to be stacked", " ; {name} à empiler"),
        "discards": ("Discard pile: {cards}", "Défausse : {cards}"),
        "hidden": (
            "{hand} in hand and {pile} in the draw pile: {cards}",
            "{hand} en main et {pile} dans la pioche : {cards}",
        ),
        "muse": ("Muse: {name}, {text}", "Muse : {name}, {text}"),
        "power": ("Power: {text}", "Pouvoir : {text}"),
        "legends-told": ("Legends told: {names}", "Légendes racontées : {names}"),
        "rival": (
            "Solo rival ({level}), power {power}, pawn in {region}: {total}",
            "Rival solo (difficulté {level}), force {power}, pion en {region} : {total}",
        ),
        "rival-has": (
            "{gems}, {crests} on its track; cards taken: {cards}",
            "{gems}, {crests} sur sa piste ; cartes prises : {cards}",
        ),
        "rival-left": ("Its cards left: {cards}", "Ses cartes restantes : {cards}"),
        "rival-card": ("Its card now: {card}", "Sa carte maintenant : {card}"),
        "hand": ("Your hand", "Votre main"),
        "skill": ("{name}: {upper}{lower}; discarded {strip}", "{name} : {upper}{lower} ; défaussée {strip}"),
        "shop-skill": ("{upper}{lower}; discarded {strip}", "{upper}{lower} ; défaussée {strip}"),
        "lower": ("; for {cost} also {lower}", " ; pour {cost} aussi {lower}"),
        "own-pile": ("Your draw pile: {cards}", "Votre pioche : {cards}"),
        "singing": ("In the song: {left}", "Dans la chanson : {left}"),
        "waiting": ("{volume} waiting", "{volume} en attente"),
        "used": ("used: {places}", "utilisés : {places}"),
        "nothing": ("nothing", "rien"),
        "regions": ("Regions", "Régions"),
        "act-now": ("Act {act}: {name}", "Acte {act} : {name}"),
        "small-stages": ("Performances, market", "Représentations, marché"),
        "small-legends": ("Legends", "Légendes"),
        "small-power": ("power {power}", "force {power}"),
        "boat": ("boat {boat}", "bateau {boat}"),
        "here": ("; here: {who}", " ; ici : {who}"),
    }
)


@lru_cache(maxsize=4096)
def say(key: str, locale: Locale, **words: object) -> str:
    """Return one of the phrases with its words. It is cached, because most of a table does not change."""
    return typeset(PHRASES.say(key, locale, **words), locale)


def fold(words: str, width: int, indent: str = "") -> list[str]:
    """Wrap the words to this width, with later lines indented."""
    return list(_folded(words, width, indent))


@lru_cache(maxsize=4096)
def _folded(words: str, width: int, indent: str) -> tuple[str, ...]:
    return tuple(fold_words(words, width, indent, indent + INDENT))


@lru_cache(maxsize=4096)
def listing(slugs: tuple[str, ...], locale: Locale) -> str:
    """Join names with commas, or return a word for none."""
    return ", ".join([name(slug, locale) for slug in slugs]) or say("none", locale)
