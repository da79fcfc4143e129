"""Deceptive names: invisible characters, mixed alphabets within a word, and names that look alike."""

from __future__ import annotations

import re
import unicodedata

INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks that are invisible: fillers, the Braille blank, joiners."""
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks that choose between two glyphs of one character. Phones add some of them automatically."""
JOINED_SCRIPTS = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Alphabets that are used together, as in the “highly restrictive” profile of UTS 39."""
SCRIPTLESS_NAMES = frozenset({"MODIFIER", "COMBINING", "DIGIT", "FEMININE", "MASCULINE"})
LETTER_PAIRS = (("rn", "m"), ("vv", "w"))
LATIN_LOOK_ALIKES = {
    "a": "аαаᎪꓮⲁɑꭺ",
    "b": "вьβбᏴꓐⲃƅƀɓʙ",
    "c": "сςϲᏟꓚⲥᴄ",
    "d": "ԁᎠꓓđɗɖð",
    "e": "еεєҽэᎬꓰⲉ",
    "f": "ϝƒꓝ",
    "g": "ԍցᏀꓖɡɢ",
    "h": "нһհᎻꓧħʜ",
    "j": "јϳյᎫꓙ",
    "k": "кκқҝᏦꓗⲕ",
    "l": "іιıɩɪʟǀ|!1łӏᏞꓡⲓⅼᎥӀ",
    "m": "мᎷꓟⲙϻ",
    "n": "пηոռᴎꓠⲛɴ",
    "o": "оοσօөѳøⲟꓳ0Ꮎס",
    "p": "рρᏢꓑⲣþ",
    "q": "ԛզ",
    "r": "гᎡꓣʀ",
    "s": "ѕᏚꓢ",
    "t": "тτᎢꓔⲧŧ",
    "u": "υսꓴ",
    "v": "ѵνᏙꓦʋ",
    "w": "ԝѡωшᎳꓪɯա",
    "x": "хχҳꓫⲭ",
    "y": "уүγᎩꓬⲩʏ",
    "z": "ζᏃꓜ",
    "ae": "ӕæ",
    "oe": "œ",
}
"""Latin letters and their look-alikes in Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic and symbols."""


def find_invisible(text: str) -> str:
    """Return the first invisible character of a text, or an empty string."""
    return next((sign for sign in text if _is_invisible(sign)), "")


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign) in INVISIBLE_CATEGORIES or sign in INVISIBLE_LETTERS


def normalise_name(text: str) -> str:
    """Return a name in normal form, with single spaces and without variation selectors."""
    return " ".join(unicodedata.normalize("NFC", VARIATION_SELECTORS.sub("", text)).split())


def remove_invisible(text: str) -> str:
    """Return a name without invisible characters; line breaks become spaces."""
    return normalise_name("".join(" " if sign.isspace() else sign for sign in text if not _is_hidden(sign)))


def _is_hidden(sign: str) -> bool:
    return _is_invisible(sign) and not sign.isspace()


def has_letter(text: str) -> bool:
    """Return True if the text has a visible character."""
    return any(unicodedata.category(sign)[0] in "LNSP" for sign in text)


def mixes_alphabets(text: str) -> bool:
    """Return True if the text mixes alphabets that nobody writes together."""
    found = {_script(letter) for letter in unicodedata.normalize("NFKC", text) if letter.isalpha()} - {""}
    return len(found) > 1 and not any(found <= joined for joined in JOINED_SCRIPTS)


def _script(letter: str) -> str:
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "" if first in SCRIPTLESS_NAMES else first


def _latin_letters() -> dict[int, str]:
    table: dict[int, str] = {}
    for latin, others in LATIN_LOOK_ALIKES.items():
        for other in others:
            table |= {ord(each): latin for form in (other, other.casefold(), other.lower()) for each in form}
    # A capital I, a small l and the number 1 are one stroke in most typefaces.
    return table | {ord("i"): "l"}


LATIN_LETTERS = _latin_letters()


def skeleton(name: str) -> str:
    """Return a key that is equal for names that people confuse: no case, accents, symbols or spaces, Latin letters."""
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(sign for sign in bare.translate(LATIN_LETTERS) if unicodedata.category(sign)[0] in "LN")
    for pair, one in LETTER_PAIRS:
        letters = letters.replace(pair, one)
    return letters or name
