"""The words for reading replies: the lists of `words.toml`, prepared for comparison."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`\u2032", "'"))
WORD = re.compile(r"[^\W_]+(?:['&.-][^\W_]+)*'?|@", re.UNICODE)
"""A word with its inner apostrophes and hyphens, or `@` for a name."""
CONTRACTIONS = {
    **{
        form: f"{form.removesuffix('nt')} not"
        for form in "dont doesnt didnt isnt arent wasnt werent havent hasnt".split()
    },
    "hadnt": "had not",
    "wont": "will not",
    "cant": "can not",
    "couldnt": "could not",
    "wouldnt": "would not",
    "shouldnt": "should not",
    "im": "i am",
    "ive": "i have",
    "youre": "you are",
    "theyre": "they are",
    "thats": "that is",
    "whats": "what is",
    "lets": "let us",
    "heres": "here is",
    "its": "it is",
    "cannot": "can not",
    "ca": "ca",
    "cest": "ce est",
    "jai": "je ai",
    "jespere": "je espere",
    "daccord": "de accord",
    "gonna": "going to",
    "aujourd'hui": "aujourdhui",
    "o'clock": "oclock",
    "y'a": "y a",
    "let's": "let us",
    "presqu'ile": "presquile",
    **{
        form: words.strip()
        for words, _, forms in (line.partition(":") for line in WORDS["texting"]["forms"].strip().split("\n"))
        for form in forms.split()
    },
}
ENDINGS = {"n't": " not", "'ll": " will", "'re": " are", "'ve": " have", "'d": " would", "'m": " am", "'s": " is"}
ELISIONS = {
    "j": "je",
    "l": "le",
    "d": "de",
    "c": "ce",
    "n": "ne",
    "s": "se",
    "m": "me",
    "t": "te",
    "qu": "que",
    "jusqu": "jusque",
    "lorsqu": "lorsque",
    "puisqu": "puisque",
    "quelqu": "quelque",
}
IRREGULAR = {"won't": "will not", "can't": "can not", "shan't": "shall not", "ain't": "is not"}
GROUP = re.compile(r"\(([^()]*)\)")
CLASS = re.compile(r"<([a-z]+)>")
RUN = re.compile(r"([a-z])\1{2,}")
"""A letter that is held down: `sooo`, `ouiii`."""
SHORT_JE = re.compile(r"j(?=[bcdfghjklmnpqrstvwxz][a-z]{2})")
"""`je` before a verb, as people write it on a phone: `jpense`."""
NAME = "@"
"""The sign for a name among the words of a piece."""
MEASURE = "&"
"""The sign for a measure among them."""
ELIDED = re.compile(r"\bla (?=[aeiouyh])")


def fold(text: str) -> str:
    """Return a text in lower case, without accents and ligatures, with plain apostrophes."""
    low = text.translate(APOSTROPHES).lower()
    if low.isascii():
        return low
    low = low.replace("œ", "oe").replace("æ", "ae")
    return "".join(sign for sign in unicodedata.normalize("NFD", low) if not unicodedata.combining(sign))


@lru_cache(maxsize=1 << 13)
def expand(word: str) -> tuple[str, ...]:
    """Return a folded word with its contraction written out, as one or more words."""
    if word in CONTRACTIONS or word in IRREGULAR:
        return tuple((CONTRACTIONS.get(word) or IRREGULAR[word]).split())
    if SHORT_JE.match(word):
        return ("je", *expand(word[1:]))
    if "'" not in word:
        return tuple(word.split("-")) if word.count("-") else (word,)
    before, _, after = word.partition("'")
    if before in ELISIONS and after:
        return (ELISIONS[before], *expand(after))
    for ending, written in ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return tuple((word.removesuffix(ending) + written).split())
    return (word.replace("'", ""),)


def normalise(text: str) -> str:
    """Return the words of a text as the lists have them, one space apart."""
    return " ".join(part for word in WORD.findall(fold(text)) for part in expand(word))


class Phrase:
    """A sequence of alternatives: `(see|talk to) you (soon|)`. Matching is linear in its length."""

    def __init__(self, line: str) -> None:
        """Read a line of the list."""
        line = CLASS.sub(lambda found: "|".join(_class_words(found[1])), line)
        # An elided article is read as `le`, whatever the gender of its noun.
        line = ELIDED.sub("le ", line)
        self.elements = [_read_element(part) for part in _split_groups(line)]

    @property
    def first_words(self) -> set[str]:
        """The words with which the phrase may begin."""
        found: set[str] = set()
        for element in self.elements:
            found.update(element)
            if "" not in element:
                break
        return found - {""}

    def ends(self, tokens: Sequence[str]) -> set[int]:
        """Return after how many of these words the phrase may end."""
        places = {0}
        for element in self.elements:
            places = {
                place + len(words)
                for place in places
                for words in (*element.get(tokens[place] if place < len(tokens) else "", ()), *element.get("", ()))
                if tuple(tokens[place : place + len(words)]) == words
            }
            if not places:
                break
        return places


def _split_groups(line: str) -> list[str]:
    """Return the parts of a line with and without brackets."""
    if "(" not in line:
        return [line]
    return [part for part in GROUP.split(line) if part.strip()]


def _read_element(part: str) -> dict[str, list[tuple[str, ...]]]:
    """Return the alternatives of a part by their first word; the empty one by an empty word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for choice in part.split("|"):
        words = tuple(normalise(choice).split())
        found.setdefault(words[0] if words else "", []).append(words)
    return found


class Phrases:
    """Many phrases, found by their first word."""

    def __init__(self, *texts: str) -> None:
        """Read one phrase from each line of these texts."""
        self.by_word: dict[str, list[Phrase]] = {}
        for line in (line for text in texts for line in text.strip().split("\n")):
            phrase = Phrase(line)
            for word in phrase.first_words:
                self.by_word.setdefault(word, []).append(phrase)

    def ends(self, tokens: Sequence[str]) -> set[int]:
        """Return after how many words a phrase may end that begins these tokens."""
        found: set[int] = set()
        for phrase in self.by_word.get(tokens[0], ()) if tokens else ():
            found |= phrase.ends(tokens)
        return found

    def match(self, tokens: Sequence[str]) -> bool:
        """Return True if these words are one of the phrases."""
        return (
            any(len(tokens) in phrase.ends(tokens) for phrase in self.by_word.get(tokens[0], ())) if tokens else False
        )


@lru_cache(maxsize=32)
def _class_words(name: str) -> tuple[str, ...]:
    text = str(WORDS["classes"][name])
    return tuple(text.split("|") if "|" in text else text.split())


def _mistype(word: str) -> set[str]:
    """Return a word without each of its letters but the first, and with each two neighbours swapped."""
    places = range(1, len(word))
    swapped = {word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :] for at in places}
    return (swapped | {word[:at] + word[at + 1 :] for at in places}) - {word}


class WordList:
    """A list of words and beginnings of words, with a cache of lookups."""

    def __init__(self, *texts: str) -> None:
        """Read the words of these lists. A word with a star stands for every word that begins like it."""
        words = {fold(word) for text in texts for word in text.split()}
        self.words = frozenset(word for word in words if not word.endswith("*"))
        self.beginnings = tuple(sorted(word[:-1] for word in words if word.endswith("*")))
        self.has = lru_cache(maxsize=1 << 12)(self._has)

    def _has(self, word: str) -> bool:
        return word in self.words or word.startswith(self.beginnings)


IDIOMS = Phrases(WORDS["idioms"]["en"], WORDS["idioms"]["fr"])
QUESTIONS = Phrases(WORDS["idioms"]["questions"])
ADDRESSEES = Phrases(WORDS["idioms"]["addressees"])
FRAGMENTS = Phrases(WORDS["statements"]["fragments"])
LOCATIONS = Phrases(WORDS["statements"]["locations"])
FRAME_FILLERS = frozenset(WORDS["frames"]["fillers"].split())
FRAME_BAG, FRAME_BAG_AFTER, CHOOSERS = (
    frozenset(WORDS["frames"][name].split()) for name in ("bag", "bag_after", "choosers")
)
FRAME_WORDS = FRAME_BAG | CHOOSERS
FRAMES_BEFORE, FRAMES_AFTER = Phrases(WORDS["frames"]["before"]), Phrases(WORDS["frames"]["after"])
CORE = frozenset(normalise(WORDS["harmless"]["core"]).split())
NEVER_ALONE = frozenset(normalise(WORDS["harmless"]["never_alone"]).split())
SHORTEST_MISTYPED = 5
MISTYPED = {
    typed: word
    for word in sorted(CORE | {"please", "thank"})
    if len(word) >= SHORTEST_MISTYPED
    for typed in _mistype(word)
}
"""Words of courtesy by how a finger that misses or swaps a letter types them."""
HARMLESS = CORE | frozenset(normalise(WORDS["harmless"]["filler"]).split())
WISHES = tuple(sorted({f"{normalise(wish)} " for text in WORDS["wishes"].values() for wish in text.split("|")}))
MILD = WordList(WORDS["cues"]["mild"], WORDS["cues"]["weak"])
HARD = {locale: WordList(WORDS["cues"][f"hard_{locale}"]) for locale in ("en", "fr")}
IDLE = WordList(WORDS["cues"]["idle"])
CUES = {
    locale: WordList(WORDS["cues"][locale], WORDS["cues"]["weak"], WORDS["cues"][f"hard_{locale}"])
    for locale in ("en", "fr")
}


def spell(word: str) -> str:
    """Return a word of courtesy that is mistyped as it is meant, any other word unchanged."""
    for held in (r"\1\1", r"\1"):
        short = RUN.sub(held, word)
        if short != word and (short in HARMLESS or is_cue(short)):
            return short
    return MISTYPED.get(word, word)


def is_cue(word: str) -> bool:
    """Return True for a cue of either language."""
    return any(cues.has(word) for cues in CUES.values())


SHARP = WordList(WORDS["cues"]["sharp"])
POINTING = WordList(WORDS["statements"]["en_pointing"], WORDS["statements"]["fr_pointing"])
MODALS = WordList(WORDS["statements"]["modal"])
SUBJECTS = {locale: WordList(WORDS["statements"][f"{locale}_subject"]) for locale in ("en", "fr")}
LEADS = {locale: WordList(WORDS["statements"][f"{locale}_lead"]) for locale in ("en", "fr")}
PAST = frozenset(WORDS["statements"]["past"].split())
PERSONS = {name: frozenset(words.split()) for name, words in WORDS["persons"].items()}
PERSONS["function"] = PERSONS["english"] | PERSONS["french"] | PERSONS["subjects"] | PERSONS["determiners"]
VERBS = {locale: WordList(WORDS["statements"][f"{locale}_verb"]) for locale in ("en", "fr")}
DAYS = frozenset(_class_words("weekday") + _class_words("jour"))
DEVICE_LEADS = tuple(f"{normalise(lead)} " for lead in WORDS["machine"]["device_lead"].split("|"))
DEVICE_WORDS = frozenset(normalise(WORDS["machine"]["device_words"]).split())
BANNER_WORDS = frozenset(normalise(WORDS["machine"]["banner_words"]).split())
BANNER_CORE = frozenset(WORDS["machine"]["banner_core"].split())
LEGAL = WordList(WORDS["machine"]["legal"])
FIRST_PERSON = frozenset(WORDS["machine"]["first_person"].split())
HARMLESS_EMOJI = frozenset(WORDS["emoji"]["harmless"].split())
REFUSING_EMOJI = frozenset(WORDS["emoji"]["refusing"].split())


SPELLED_NUMBERS = {
    word: number
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for number, word in enumerate(words.split(), 2)
}
NUMBER_WORDS = frozenset(SPELLED_NUMBERS)
LARGE_NUMBERS = frozenset(WORDS["measures"]["numbers"].split())
UNITS = frozenset(WORDS["measures"]["units"].split())
