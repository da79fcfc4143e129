"""Vocabulary of Táin in English and French."""

from __future__ import annotations

from collections import Counter

from engine.games.tain.posts import POSTS
from engine.games.tain.tokens import GATES, KINDS, LETTERS
from engine.phrases import by_locale
from engine.words import LOCALES, Locale, Words, french

KIND_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"C": "chief", "W": "warrior", "B": "boy", "D": "daughter", "X": "bluff"},
    "fr": {"C": "chef", "W": "guerrier", "B": "garçon", "D": "fille du chef", "X": "bluff"},
}
FRENCH_LETTERS = {"W": "G", "B": "J", "D": "F"}
"""The letters of tokens that differ in French: G guerrier, J (jeune) garçon, F fille du chef."""
FRENCH_SIGNS = str.maketrans(FRENCH_LETTERS)
FORMER_NAMES: dict[Locale, dict[str, tuple[str, ...]]] = {"en": {}, "fr": {"D": ("fille",), "X": ("leurre",)}}
"""Former names of tokens, still understood when people type them."""
GATE_NAMES: dict[Locale, tuple[str, ...]] = {"en": ("gate",), "fr": ("entrée", "porte")}
MANY_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"B": "boys", "D": "daughters"},
    "fr": {"B": "garçons", "D": "filles du chef"},
}
RULES: dict[Locale, str] = {
    "en": """\
Tokens of a clan: 1 chief (C), 2 warriors (W), 6 boys (B), 1 daughter (D), 8 bluffs (X).
In turn, lay one token face down or pass for the round. Own gates 1-5 take guards; a rival's gates (b4) take scouts,
but no daughter; the kingdom (K) takes chiefs, warriors and bluffs, one from each clan, two in all.
Then all are turned up. Kingdom: 1 cattle each; a warrior there gives way to a chief.
A chief gets past everything but a chief or a daughter; a warrior past boys and bluffs; a boy only past bluffs; all of
them through a gate without a guard. Gates 1-3 give 1 cattle; 4 and 5 free a captive of yours there, else give 1 jewel.
A boy who meets a warrior is captured; a daughter who meets a warrior is carried off.
Tokens come back when none is left behind the screen. The match ends after round 8 or when a clan owns 11 cattle.
Cattle 2 points, jewels 3, boys held 1, daughters held 5, and 3 for 11 cattle or more.
Short forms: W 3 · B b4 · C K · W 3; B b4; pass (next turns) · B b4,b5,c4 (first free) · all D 4, X 5.""",
    "fr": french("""\
Jetons d’un clan : 1 chef (C), 2 guerriers (G), 6 garçons (J), 1 fille du chef (F), 8 bluffs (X).
À son tour de jouer, on pose un jeton face cachée ou on passe jusqu’à la fin du tour. Ses propres entrées 1-5 reçoivent
des gardiens ; celles d’un rival (b4) des éclaireurs, mais pas la fille du chef ; le Royaume étranger (K) chefs,
guerriers et bluffs, un par clan, deux en tout.
Puis tout est retourné. Royaume étranger : 1 pion Bétail chacun ; un guerrier y cède devant un chef.
Le chef réussit sauf face à un chef ou à une fille du chef ; le guerrier face aux garçons et aux bluffs ; le garçon face
aux bluffs ; tous à une entrée sans gardien. Entrées 1-3 (Pâture) : 1 pion Bétail ; 4 et 5 (Maison) : on y libère un
prisonnier du clan, sinon on prend 1 bijou.
Un garçon éclaireur face à un guerrier est fait prisonnier ; une fille du chef gardienne face à un guerrier aussi.
Les jetons utilisés reviennent quand il n’y a plus de jeton inutilisé derrière l’écran. La partie finit après le tour 8,
ou dès qu’un clan a 11 pions Bétail.
Pion Bétail 2 points, bijou 3, garçon prisonnier 1, fille du chef prisonnière 5, et 3 à partir de 11 pions Bétail.
Formes brèves : G 3 · J b4 · C K · G 3; J b4; passe (à la suite) · J b4,b5,c4 (première libre) · tous F 4, X 5."""),
}


def captive_words(tokens: tuple[str, ...], locale: Locale) -> str:
    """Return captives in words with their counts: `2 boys (b)`."""
    counted = Counter(tokens)
    parts = []
    for token, number in sorted(counted.items()):
        name = (KIND_NAMES if number == 1 else MANY_NAMES)[locale][token[1]]
        parts.append(f"{number} {name} ({token[0]})")
    return ", ".join(parts)


def letters_in(tokens: str, locale: Locale) -> str:
    """Return tokens or posts with the letters of a language: `aW` is `aG` in French."""
    return tokens.translate(FRENCH_SIGNS) if locale == "fr" else tokens


def token_counts(behind: str, locale: Locale, *, brief: bool = False) -> str:
    """Return tokens as letters with their counts: `C, W ×2, X ×8`, or `C W×2 X×8` if room is short."""
    counted = Counter(behind)
    times, comma = ("×", " ") if brief else (" ×", ", ")
    words = (kind if counted[kind] == 1 else f"{kind}{times}{counted[kind]}" for kind in KINDS if counted[kind])
    return letters_in(comma.join(words), locale)


def token_legend(locale: Locale) -> str:
    """Return the letters of the tokens with their names, in French with the letters of the record too."""
    return ", ".join(
        f"{letters_in(kind, locale)} {name}" + (f" ({kind})" if letters_in(kind, locale) != kind else "")
        for kind, name in KIND_NAMES[locale].items()
    )


def _names(locale: Locale) -> dict[str, tuple[str, ...]]:
    names = {kind: (name, *FORMER_NAMES[locale].get(kind, ())) for kind, name in KIND_NAMES[locale].items()}
    if locale == "fr":
        names |= {kind: (*names[kind], letter) for kind, letter in FRENCH_LETTERS.items()}
    gates = GATE_NAMES[locale]
    posts = {post: (*(f"{name} {post[1]}" for name in names[post[0]]), f"{post[0]} {post[1]}") for post in POSTS}
    own = {number: (number, *(f"{each} {number}" for each in gates)) for number in GATES}
    rivals = {
        letter + number: (
            letter + number,
            f"{letter} {number}",
            *(form for each in gates for form in (f"{each} {letter}{number}", f"{letter} {each} {number}")),
        )
        for letter in LETTERS
        for number in GATES
    }
    return {**posts, **own, **rivals, **names, **VERBS[locale]}


VERBS = by_locale(
    {
        "start": (("start", "begin"), ("commencer", "commence", "début")),
        "put": (("put", "place", "lay", "send", "post"), ("poser", "pose", "placer", "place", "envoyer", "envoie")),
        "pass": (("pass", "done"), ("passer", "passe")),
        "guards": (("guards", "guard"), ("gardiens", "gardien", "gardes", "garder")),
        "free": (("free", "release"), ("libérer", "libère", "délivrer", "délivre")),
        "kingdom": (("kingdom", "K", "foreign kingdom"), ("Royaume étranger", "royaume", "K")),
        "none": (("none", "nobody"), ("aucun", "aucune", "personne", "rien")),
        "cattle": (("cattle",), ("bétail",)),
        "jewels": (("jewels",), ("bijoux", "joyaux")),
        "boys": (("boys held",), ("garçons prisonniers", "garçons captifs")),
        "daughters": (("daughters held",), ("filles du chef prisonnières", "filles captives")),
        "bonus": (("great herd",), ("grand troupeau",)),
    }
)
WORDS = Words(
    {locale: _names(locale) for locale in LOCALES},
    fields={"fr": {"first": "place", "kind": "jeton", "place": "emplacement", "posts": "gardiens", "holder": "clan"}},
)
