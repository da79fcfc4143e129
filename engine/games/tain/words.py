"""How people say the words of Táin in English and French."""

from __future__ import annotations

from collections import Counter

from engine.games.tain.posts import POSTS
from engine.games.tain.tokens import GATES, KINDS, LETTERS
from engine.words import Locale, Words, french

KIND_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"C": "chief", "W": "warrior", "B": "boy", "D": "daughter", "X": "bluff"},
    "fr": {"C": "chef", "W": "guerrier", "B": "garçon", "D": "fille", "X": "leurre"},
}
MANY_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"B": "boys", "D": "daughters"},
    "fr": {"B": "garçons", "D": "filles"},
}
RULES: dict[Locale, str] = {
    "en": """\
Tokens of a clan: 1 chief (C), 2 warriors (W), 6 boys (B), 1 daughter (D), 8 bluffs (X).
In turn, lay one token face down or pass for the round. Own gates 1-5 take guards; a rival's gates (b4) take scouts,
but no daughter; the kingdom (K) takes chiefs, warriors and bluffs, one from each clan, two in all.
Then all are turned up. Kingdom: 1 cattle each; a warrior there gives way to a chief.
A chief gets past everything but a chief or a daughter; a warrior past boys and bluffs; a boy past bluffs alone; all of
them through a gate without a guard. Gates 1-3 give 1 cattle; 4 and 5 free an own captive there, else give 1 jewel.
A boy who meets a warrior is captured; a daughter who meets a warrior is carried off.
Tokens come back when none is left behind the screen. The match ends after round 8 or when a clan owns 11 cattle.
Cattle 2 points, jewels 3, boys held 1, daughters held 5, and 3 for 11 cattle or more.
Short forms: W 3 · B b4 · C K · W 3; B b4; pass (next turns) · B b4,b5,c4 (first free) · all D 4, X 5.""",
    "fr": french("""\
Jetons d’un clan : 1 chef (C), 2 guerriers (W), 6 garçons (B), 1 fille (D), 8 leurres (X).
À son tour, on pose un jeton face cachée ou on passe pour la manche. Ses propres portes 1-5 reçoivent des gardes ;
celles d’un rival (b4) des éclaireurs, mais pas la fille ; le royaume (K) chefs, guerriers et leurres, un par clan,
deux en tout.
Puis tout est retourné. Royaume : 1 bête chacun ; un guerrier y cède devant un chef.
Le chef passe partout sauf devant un chef ou une fille ; le guerrier devant garçons et leurres ; le garçon devant les
leurres ; tous par une porte sans garde. Portes 1-3 : 1 bête ; 4 et 5 : on y délivre un captif du clan, sinon 1 joyau.
Un garçon qui rencontre un guerrier est capturé ; une fille qui rencontre un guerrier est enlevée.
Les jetons reviennent quand il n’en reste aucun derrière l’écran. Fin après la manche 8 ou dès qu’un clan a 11 bêtes.
Bête 2 points, joyau 3, garçon captif 1, fille captive 5, et 3 à partir de 11 bêtes.
Formes brèves : W 3 · B b4 · C K · W 3; B b4; pass (à la suite) · B b4,b5,c4 (première libre) · all D 4, X 5."""),
}


def held(tokens: tuple[str, ...], locale: Locale) -> str:
    """Captives in words: a boy (b) and so on, copies counted."""
    counted = Counter(tokens)
    parts = []
    for token, number in sorted(counted.items()):
        name = (KIND_NAMES if number == 1 else MANY_NAMES)[locale][token[1]]
        parts.append(f"{number} {name} ({token[0]})")
    return ", ".join(parts)


def tokens(behind: str) -> str:
    """Tokens as letters with their numbers: C, W ×2, X ×8."""
    counted = Counter(behind)
    return ", ".join(kind if counted[kind] == 1 else f"{kind} ×{counted[kind]}" for kind in KINDS if counted[kind])


def _names(locale: Locale, gate: str, words: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    names = KIND_NAMES[locale]
    posts = {post: (f"{names[post[0]]} {post[1]}", f"{post[0]} {post[1]}") for post in POSTS}
    own = {number: (number, f"{gate} {number}") for number in GATES}
    rivals = {
        letter + number: (
            letter + number,
            f"{letter} {number}",
            f"{gate} {letter}{number}",
            f"{letter} {gate} {number}",
        )
        for letter in LETTERS
        for number in GATES
    }
    return {**posts, **own, **rivals, **{kind: (name,) for kind, name in names.items()}, **words}


WORDS = Words(
    {
        "en": _names(
            "en",
            "gate",
            {
                "put": ("put", "place", "lay", "send", "post"),
                "pass": ("pass", "done"),
                "guards": ("guards", "guard"),
                "free": ("free", "release"),
                "kingdom": ("kingdom", "K", "foreign kingdom"),
                "none": ("none", "nobody"),
                "cattle": ("cattle",),
                "jewels": ("jewels",),
                "boys": ("boys held",),
                "daughters": ("daughters held",),
                "bonus": ("great herd",),
            },
        ),
        "fr": _names(
            "fr",
            "porte",
            {
                "put": ("poser", "pose", "placer", "place", "envoyer", "envoie"),
                "pass": ("passer", "passe"),
                "guards": ("gardes", "garder"),
                "free": ("libérer", "libère", "délivrer", "délivre"),
                "kingdom": ("royaume", "K", "royaume étranger"),
                "none": ("aucun", "aucune", "personne", "rien"),
                "cattle": ("bétail",),
                "jewels": ("joyaux",),
                "boys": ("garçons captifs",),
                "daughters": ("filles captives",),
                "bonus": ("grand troupeau",),
            },
        ),
    }
)
