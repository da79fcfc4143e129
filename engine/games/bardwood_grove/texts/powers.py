"""The wording of powers, events, legends, motifs and muses, in English and French."""

from __future__ import annotations

from engine.games.bardwood_grove.texts.names import Pair

POWER_TEXTS: dict[str, Pair] = {
    "bardbarian": ("Each time you soothe a boss: 2 volume", "Chaque fois que vous apaisez un boss : 2 volumes"),
    "sword-dancer": (
        "One more movement in each Compose phase, for the bard only",
        "Un déplacement de plus à chaque phase Composition, pour le barde seul",
    ),
    "wardrummer": (
        "Volume up to 12; the first lower half of each song is free",
        "Volume jusqu’à 12 ; la première moitié inférieure de chaque chanson est gratuite",
    ),
    "piper": (
        "While volume is 0 in a song, melody may become lyrics, one for one",
        "Tant que le volume est à 0 dans une chanson, la mélodie peut devenir paroles, une pour une",
    ),
    "harper": (
        "After telling a legend the boat goes back to space 1, not 0",
        "Après une légende, le bateau revient en case 1 et non 0",
    ),
    "flautist": (
        "Once per song an interaction at distance 1 needs no range stone",
        "Une fois par chanson, une interaction à distance 1 ne coûte pas de pierre de portée",
    ),
    "lutenist": (
        "The first purchase of each song costs 1 coin less (at least 1)",
        "Le premier achat de chaque chanson coûte 1 pièce de moins (au moins 1)",
    ),
    "fiddler": (
        "Challenges cost 1 melody less (at least 1); 1 volume each time you spend captured crests",
        "Les défis coûtent 1 mélodie de moins (au moins 1) ; 1 volume chaque fois que vous dépensez des écussons pris",
    ),
}
EVENT_TEXTS: dict[str, Pair] = {
    "spring-fair": ("Shops cost 1 coin less (at least 1)", "Les boutiques coûtent 1 pièce de moins (au moins 1)"),
    "snowmelt": (
        "In Compose, points spent on the boat move it one space further",
        "En Composition, les points mis sur le bateau le mènent une case plus loin",
    ),
    "young-crowd": ("Offer: 3 volume for the top Fan", "Offre : 3 volumes contre le Fan du dessus"),
    "nesting-time": ("Small creatures cost 1 melody less", "Les petites créatures coûtent 1 mélodie de moins"),
    "open-air-season": (
        "Performances cost 1 lyrics less (at least 1)",
        "Les représentations coûtent 1 parole de moins (au moins 1)",
    ),
    "long-days": (
        "One more movement in each Compose phase",
        "Un déplacement de plus à chaque phase Composition",
    ),
    "contest-week": (
        "Challenges cost 1 melody less (at least 1)",
        "Les défis coûtent 1 mélodie de moins (au moins 1)",
    ),
    "gem-fair": ("Offer: 4 coins for 1 gem", "Offre : 4 pièces contre 1 gemme"),
    "crystal-harvest": ("Offer: 1 acoustic stone for 2 coins", "Offre : 1 pierre acoustique contre 2 pièces"),
    "fireside-tales": (
        "Legends cost 1 lyrics less (at least 1)",
        "Les légendes coûtent 1 parole de moins (au moins 1)",
    ),
    "clear-air": (
        "Each interaction at a distance needs 1 range stone less",
        "Chaque interaction à distance demande 1 pierre de portée de moins",
    ),
    "harvest-hymn": ("Offer: 5 lyrics for 1 gem", "Offre : 5 paroles contre 1 gemme"),
    "frozen-river": (
        "The boat needs 2 points per space, in every phase; telling a legend gives 1 more gem",
        "Le bateau demande 2 points par case, à chaque phase ; raconter une légende donne 1 gemme de plus",
    ),
    "midwinter-carol": ("Offer: 5 melody for 1 gem", "Offre : 5 mélodies contre 1 gemme"),
    "snowed-in": (
        "1 volume if the bard ends Compose where it began",
        "1 volume si le barde finit la Composition là où il l’a commencée",
    ),
    "drowsy-giants": ("Bosses cost 2 melody less", "Les boss coûtent 2 mélodies de moins"),
}
CRITERION_TEXTS: dict[str, Pair] = {
    "the-first-crowd": ("1 per 2 Fans, Super fan included", "1 par 2 Fans, Super fan compris"),
    "the-misers-song": ("1 per 2 coins left", "1 par 2 pièces restantes"),
    "torn-banners": ("1 per 2 crests gone from your track", "1 par 2 écussons partis de votre piste"),
    "the-gentle-hunter": ("1 per small creature", "1 par petite créature"),
    "carved-stones": ("1 per 2 runes placed", "1 par 2 runes posées"),
    "the-apprentice": ("1 per 2 advanced Skills", "1 par 2 Compétences avancées"),
    "singing-crystals": ("1 per stone left, of either kind", "1 par pierre restante, de l’une ou l’autre sorte"),
    "the-thousand-hands": ("1 per advanced Fan", "1 par Fan avancé"),
    "the-tamed-forest": ("1 per creature", "1 par créature"),
    "the-grand-tour": (
        "2 per performance location with your rune",
        "2 par lieu Représentation avec votre rune",
    ),
    "the-masters-book": ("1 per advanced Skill", "1 par Compétence avancée"),
    "the-silent-wheel": ("2 per dial quarter without runes", "2 par quart du cadran sans rune"),
    "the-proud-rival": ("1 per rival crest captured, spent or not", "1 par écusson adverse pris, dépensé ou non"),
    "the-three-gifts": (
        "2 per set of advanced Skill, Impro and Fan",
        "2 par série de Compétence, Impro et Fan avancés",
    ),
    "the-five-terrors": ("2 per boss", "2 par boss"),
    "the-tale-of-tales": ("2 per legend told, this one included", "2 par légende racontée, celle-ci comprise"),
    "the-golden-age": (
        "1 per advanced Skill, Impro, Fan and creature",
        "1 par Compétence, Impro ou Fan avancé et par créature",
    ),
    "the-eight-runes": ("1 per rune placed", "1 par rune posée"),
    "the-four-winds": (
        "2 per set of advanced Skill, Impro, Fan and a creature",
        "2 par série de Compétence, Impro, Fan avancés et créature",
    ),
    "the-endless-jam": ("2 per advanced Impro", "2 par Impro avancée"),
    "the-emerald-hoard": ("1 per 2 green gems", "1 par 2 gemmes vertes"),
    "muse-of-banners": ("1 per crest gone from your track", "1 par écusson parti de votre piste"),
    "muse-of-beasts": ("1 per creature", "1 par créature"),
    "muse-of-craft": ("1 per advanced Skill or Impro", "1 par Compétence ou Impro avancée"),
    "muse-of-crowds": ("1 per advanced Fan", "1 par Fan avancé"),
    "muse-of-pride": ("1 per rival crest captured, spent or not", "1 par écusson adverse pris, dépensé ou non"),
    "muse-of-stages": (
        "1 per rune of yours on a performance location",
        "1 par rune à vous sur un lieu Représentation",
    ),
    "muse-of-tales": ("2 per legend told", "2 par légende racontée"),
    "muse-of-wealth": (
        "1 per 3 coins and stones left, taken together",
        "1 par 3 pièces et pierres restantes, comptées ensemble",
    ),
}
MOTIF_TEXTS: dict[str, Pair] = {
    "long-song": ("4 or more Skills in the song", "au moins 4 Compétences dans la chanson"),
    "wild-impro": ("2 or more Impros in the song", "au moins 2 Impros dans la chanson"),
    "double-calm": ("2 creatures soothed in this song", "2 créatures apaisées dans cette chanson"),
    "old-and-new": (
        "a basic Skill, an advanced Skill and an Impro in the song",
        "une Compétence de base, une avancée et une Impro dans la chanson",
    ),
    "full-voice": (
        "6 or more volume paid for lower halves in this song",
        "au moins 6 volumes payés pour des moitiés inférieures dans cette chanson",
    ),
    "busy-night": ("4 different locations used in this song", "4 lieux différents utilisés dans cette chanson"),
    "friend-and-foe": ("challenged and helped in this song", "un défi et une aide dans cette chanson"),
    "stage-and-story": (
        "performed and told a legend in this song",
        "une représentation et une légende dans cette chanson",
    ),
    "heavy-purse": ("5 or more coins", "au moins 5 pièces"),
    "fan-club": ("3 or more advanced Fans", "au moins 3 Fans avancés"),
    "deafening": (
        "volume at its maximum when the song began",
        "volume au maximum quand la chanson a commencé",
    ),
    "whisper": (
        "volume 0 and 3 or more lyrics unspent",
        "volume à 0 et au moins 3 paroles non dépensées",
    ),
}
