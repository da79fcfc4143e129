"""The kinds of pieces in a reply: courtesy, name, row of a mail program, statement, or something to ask about.

A piece is harmless only if the grammar recognises it. A word that nobody expected makes it a question, so that a list
that is too short costs a question and never a move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from service.mail.commands import QUESTION_SIGNS
from service.mail.incoming.reading import vocabulary
from service.mail.incoming.reading.statements import is_small_talk, is_unknown, tells_something_else
from service.mail.incoming.reading.vocabulary import (
    CORE,
    HARMLESS,
    IDIOMS,
    MEASURE,
    NAME,
    NEVER_ALONE,
    NUMBER_WORDS,
    SHARP,
    expand,
    fold,
)

LONGEST_PIECE = 300
"""Maximum length of a piece to read. A longer one is asked about, which bounds the work."""
LONGEST_WISH, LONGEST_NAME = 14, 4
LEAST_LIST = 3
"""Number of consecutive phrases that make a list of things, whatever they are: `Rain, soup, books.`"""
SENTENCE_END = re.compile(rf"(?<=[.!…{QUESTION_SIGNS}])[\s\"'»”)]+(?=\S)")
CLAUSE_END = re.compile(
    r"[,;:()\[\]–—…]+|\s-+\s|\s[-/~]+(?=[^\W\d])|\.\.+|"
    r"\s(?=(?:and|et)\s(?:(?:then|now|puis|maintenant)\s)?(?:i|we|je|j['’]|on)(?:['’]\w+)?\s)|"
    r"\s(?=(?:because|coz|cuz|cos|parce\squ|puisqu|car\s(?:je|j['’]|on|nous|il|elle|la|le|les|mon|ma|mes|c['’])))",
    re.IGNORECASE,
)
"""The end of a clause: a sign, another thing that the writer does, or a reason that follows."""
EDGES = " \t\"'“”«»*_~`.,;:!…-–—()[]{}|#>=+"
EMOJI = re.compile("[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u203c\u2049\U0001f000-\U0001faff]")
JOINERS = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff\u2640\u2642]")
"""Signs that change the looks of an emoji: its colour, its skin, its person."""
SMILEY = re.compile(r"(?<![\w:])(?:[:;=]['’]?-?[)DPp\]*]{1,9}|\^\^|<3|[xX]D{1,3})(?!\w)")
SMILE = "\U0001f642"
"""The emoji that stands for a smiley typed in signs."""
FROWN = re.compile(r"(?<![\w:])[:;=]['’]?-?[(/|\\]{1,9}(?!\w)")
CONTACT = re.compile(
    r"(?:[\w ]{2,20}[.:] ?)?[+(]?\d[\d ().+/-]{6,25}\d|(?:[\w-]{2,12}: ?)?<?[\w.+-]{1,64}@[\w.-]{3,80}>?|<?(?:https?://|www\.)\S{3,200}"
)
"""A telephone number, or an address on the internet."""
LINK = re.compile(r"<?(?:https?://|mailto:|www\.)[^\s<>]{1,2000}>?|<[^<>\s@]{1,64}@[^<>\s@]{1,200}>")
LEAST_LEGAL = 50
PRONOUNS = re.compile(r"\((?:[a-z]{1,6}(?:/[a-z]{1,6}){1,2}|mrs?|ms|miss|mx|dr|mme|mlle|m)\.?\)", re.IGNORECASE)
"""Pronouns or a title after a name: `(she/her)`, `(Mrs)`."""
KISSES = re.compile(r"(?<=[\w.,])\s+x{1,5}$", re.IGNORECASE)
MODEL = re.compile(r"[a-z]{0,2}\d{1,4}[a-z]{0,2}")
"""The model of a phone."""
PARTICLES = frozenset("de du la le van von der den di da del ni nic mac mc o of the and et for at & in".split())
REACTION = re.compile(
    r"\b(?:reacted (?:to|via)|a r[ée]agi|hat (?:auf|mit)|ha reaccionado|ha reagito|heeft gereageerd)\b", re.IGNORECASE
)
"""The sentence that mail programs write for an emoji reaction."""


class PieceVerdict(IntEnum):
    """The consequence of a piece for the move next to it."""

    HARMLESS = 0
    HOLD = 1
    ASK = 2


@dataclass(frozen=True)
class Grammar:
    """The grammar of replies for one writer, with a cache of its judgements."""

    writer: frozenset[str] = frozenset()
    """The words of the names with which the writer may sign."""
    others: frozenset[str] = frozenset()
    """The words of the names of the other players."""
    _judged: dict[tuple[str, bool], PieceVerdict] = field(default_factory=dict, compare=False)

    @classmethod
    def for_names(cls, writer: Sequence[str], others: Sequence[str] = ()) -> Grammar:
        """Return the grammar for a writer with these names, at a table with these other players."""
        return cls(_name_words(writer), _name_words(others))

    def judge(self, text: str, *, beside: bool = False) -> PieceVerdict:
        """Return the meaning of a sentence, by itself or clause by clause; `beside` if it is next to a statement."""
        known = self._judged.get((text, beside))
        if known is None:
            known = self._judged[text, beside] = self._judge_sentence(text, beside)
        return known

    def names_topic(self, text: str) -> bool:
        """Return True for a statement, and for a wish that says what it is about: `Thanks for the recipe!`."""
        verdict = self.judge(text)
        return verdict is PieceVerdict.HOLD or (
            verdict is PieceVerdict.HARMLESS and judge_wish(self.tokens(text)) is not PieceVerdict.ASK
        )

    def _judge_sentence(self, text: str, beside: bool) -> PieceVerdict:
        if len(text) > LONGEST_PIECE:
            return PieceVerdict.ASK
        whole = self._judge_clause(text, beside)
        clauses = split_clauses(text)
        if whole is PieceVerdict.HARMLESS or len(clauses) < 2:  # noqa: PLR2004  # nothing to split
            return whole
        if any(sign in QUESTION_SIGNS for sign in text):
            clauses[-1] = f"{clauses[-1].rstrip(QUESTION_SIGNS + ' ')}?"
        else:
            clauses = [clause for clause in clauses if name_addressees(self.tokens(clause)) != (NAME,)]
        parts = [self._judge_clause(clause, beside) for clause in clauses]
        for at, clause in enumerate(clauses):
            if PieceVerdict.HOLD in parts[max(0, at - 1) : at + 2]:
                parts[at] = min(parts[at], self._judge_clause(clause, beside=True))
        if len(clauses) >= LEAST_LIST and all(is_small_talk(self.tokens(clause)) for clause in clauses):
            return min(whole, PieceVerdict.HOLD)
        return min(whole, max(parts, default=PieceVerdict.ASK))

    def _judge_clause(self, text: str, beside: bool) -> PieceVerdict:  # one line for each kind, in their order
        bare = text.strip(EDGES)
        question = any(sign in QUESTION_SIGNS for sign in text)
        tokens = self.tokens(bare)
        if not tokens:
            return PieceVerdict.ASK if question or any(map(str.isalnum, bare)) else PieceVerdict.HARMLESS
        if question:
            return PieceVerdict.HARMLESS if vocabulary.QUESTIONS.match(tokens) else PieceVerdict.ASK
        if is_polite(tokens) or self.is_name(bare):
            return PieceVerdict.HARMLESS
        if CONTACT.fullmatch(bare) or is_device_row(bare):
            return PieceVerdict.HARMLESS
        tokens = join_measures(tokens)
        if any(any(map(str.isdigit, token)) for token in tokens):
            return PieceVerdict.ASK
        told = tells_something_else(name_addressees(tokens), beside=beside)
        return min(judge_wish(tokens), PieceVerdict.HOLD if told else PieceVerdict.ASK)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the words of a text, with one `@` for each name of a person or place.

        A capitalised word inside a sentence counts as a name unless we know it otherwise; a weekday never does.
        """
        found: list[str] = []
        shouted = text.isupper()
        for at, match in enumerate(vocabulary.WORD.finditer(text.translate(vocabulary.APOSTROPHES))):
            word = match[0]
            low = fold(word)
            named = low in self.writer or low in self.others or low.removesuffix("'s") in self.others
            capital = at > 0 and not shouted and word[:1].isupper() and len(word) > 1 and is_unknown(low)
            if not (named or capital):
                found += expand(vocabulary.spell(low) if is_unknown(low) else low)
            elif found[-1:] != [NAME]:
                found.append(NAME)
        return tuple(found)

    def is_name(self, text: str) -> bool:
        """Return True if a text consists only of a name of the writer, or an initial of it."""
        bare = KISSES.sub("", PRONOUNS.sub("", text).strip(EDGES))
        words = [fold(word).rstrip(".") for word in re.split(r"[\s.]+", bare) if word]
        initials = {name[0] for name in self.writer}
        own = [word for word in words if word in self.writer]
        alone = 0 < len(words) <= LONGEST_NAME and initials.issuperset(words)
        near = all(word in self.writer or word in initials or word in PARTICLES or is_unknown(word) for word in words)
        return alone or (bool(own) and near and len(words) <= LONGEST_NAME)

    def may_be_name(self, text: str) -> bool:
        """Return True if a text after a closing looks like a name: a few capitalised words, none of them known."""
        words = text.strip(EDGES).split()
        return 0 < len(words) <= LONGEST_NAME and all(
            (word[:1].isupper() and is_unknown(fold(word.strip(EDGES)))) or fold(word) in PARTICLES for word in words
        )

    def may_be_signature(self, text: str) -> bool:
        """Return True if a row under a name belongs to it: capitalised words such as a title, or how to reach them."""
        if CONTACT.fullmatch(text.strip()):
            return True
        words = [word for word in text.split() if any(map(str.isalpha, word))]
        titled = all(word[:1].isupper() or fold(word) in PARTICLES for word in words)
        return bool(words) and titled and not has_sharp_cue(text) and not any(map(str.isdigit, text))


def _name_words(names: Sequence[str]) -> frozenset[str]:
    return frozenset(
        word for name in names for word in re.split(r"[\s.,()]+", fold(name)) if word and not vocabulary.is_cue(word)
    )


def is_polite(tokens: Sequence[str]) -> bool:
    """Return True for idioms and courtesies, alone or one after the other: `thanks and well played`."""
    return _is_polite_sequence(tokens) or _is_polite_sequence(name_addressees(tokens))


def _is_polite_sequence(tokens: Sequence[str]) -> bool:
    """Return True if the words can be cut into idioms and courtesies, with names and words such as `and` between."""
    reached = {0}
    for start in range(len(tokens)):
        if start not in reached:
            continue
        rest = tokens[start:]
        if is_courtesy(rest):
            return True
        if rest[0] in LINKS and start + 1 < len(tokens):
            reached.add(start + 1)
        if rest[0] == NAME and start:
            reached.add(start + 1)
        reached.update(start + end for end in IDIOMS.ends(rest) if end)
    return len(tokens) in reached


def name_addressees(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the words with one `@` for names in a row and for phrases such as `both of you` that replace them."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        length = max(vocabulary.ADDRESSEES.ends(tokens[at:]), default=0)
        if length or tokens[at] == NAME:
            at += length or 1
            if found[-1:] == [NAME]:
                continue
            if len(found) > 1 and found[-1] in ("and", "et") and found[-2] == NAME:
                found.pop()
            else:
                found.append(NAME)
        else:
            found.append(tokens[at])
            at += 1
    return tuple(found)


def join_measures(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the words with one sign for each measure such as `two hours`, `80 km` or `lost 4-0`.

    Its number chooses no move.
    """
    found: list[str] = []
    numbers: list[str] = []
    for token in (*tokens, ""):
        if token in NUMBER_WORDS or token in vocabulary.LARGE_NUMBERS or token.isdigit():
            numbers.append(token)
            continue
        scored = len(numbers) == A_SCORE and SCORED.intersection(found[-1:])
        weather = numbers and "fait" in found[-2:] and "il" in found[-3:]
        if numbers and token in vocabulary.UNITS:
            found.append(MEASURE)
        else:
            found += [*([MEASURE] if scored or weather else numbers), token]
        numbers = []
    return tuple(found[:-1] if found[-1:] == [""] else found)


def is_courtesy(tokens: Sequence[str]) -> bool:
    """Return True for greetings, thanks and closings: only their words and names, at least one of them significant."""
    return all(token in HARMLESS or token == NAME for token in tokens) and any(
        token in CORE and token not in NEVER_ALONE for token in tokens
    )


def judge_wish(tokens: Sequence[str]) -> PieceVerdict:
    """Return whether a piece is a wish or thanks with any words behind it."""
    if tokens and tokens[0] in ("and", "et"):
        tokens = tokens[1:]
    text = f"{' '.join(tokens)} "
    wish = max((wish for wish in vocabulary.WISHES if text.startswith(wish)), key=len, default="")
    tail = text[len(wish) :].split()
    if not wish or len(tail) > LONGEST_WISH or not is_small_talk(tail):
        return PieceVerdict.ASK
    if wish.startswith("bon") and tail[:1] and tail[0] in FUNCTION_WORDS:
        return PieceVerdict.ASK
    open_ended = wish.startswith(EXCLAMATIONS) and not (wish.startswith("bon") and tail[:1] and tail[0] in HARMLESS)
    plain = not any(map(vocabulary.is_cue, name_addressees(tail))) and not open_ended
    return PieceVerdict.HARMLESS if plain else PieceVerdict.HOLD


EXCLAMATIONS = tuple(
    "quel what such how lovely beautiful gorgeous glorious horrible busy long hard big quiet bon ouch aie".split()
)
"""Beginnings of wishes that may be about the move as well: they hold it."""
FUNCTION_WORDS = frozenset(
    "a au aux de du des la le les un une pour avec et en tres bien plus tout encore aussi".split()
)
"""Words after `bon` that name no wish: `bon à jeter`."""
SCORED = frozenset("lost won beat drew perdu gagne battu".split())
"""Words before the result of another game: `we lost 4-0`."""
A_SCORE = 2
"""How many numbers a result has."""
LINKS = frozenset(
    "and et so pf pff pfff oh ooh ah aha well re hey ok okay bon alors eh wow whoa woah aie ouch haha".split()
)
"""Words that may precede an idiom and change nothing."""


def is_device_row(text: str) -> bool:
    """Return True for a row that a phone or mail program adds, without other words."""
    words = vocabulary.normalise(LINK.sub(" ", text)).split()
    said = f"{' '.join(words)} "
    lead = next((lead for lead in vocabulary.DEVICE_LEADS if said.startswith(lead)), "")
    rest = said[len(lead) :].split()
    return bool(lead) and all(word in vocabulary.DEVICE_WORDS or MODEL.fullmatch(word) for word in rest)


def is_banner(text: str) -> bool:
    """Return True for a warning of a mail gateway, made only of its own words."""
    words = vocabulary.normalise(LINK.sub(" ", text)).split()
    return all(map(vocabulary.BANNER_WORDS.__contains__, words)) and not vocabulary.BANNER_CORE.isdisjoint(words)


def is_legal_clause(text: str) -> bool:
    """Return True for the notice of a company: long, with a word of lawyers, and without a first person."""
    if len(text) < LEAST_LEGAL:
        return False
    words = vocabulary.normalise(text[:LONGEST_PIECE]).split()
    return any(map(vocabulary.LEGAL.has, words)) and vocabulary.FIRST_PERSON.isdisjoint(words)


def has_sharp_cue(text: str) -> bool:
    """Return True if a row of a signature takes something back."""
    words = vocabulary.normalise(text[:LONGEST_PIECE]).split()
    return any(map(SHARP.has, words)) or any(sign in QUESTION_SIGNS for sign in text)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()]


def find_clauses(text: str) -> list[tuple[int, int]]:
    """Return where the clauses of a sentence begin and end."""
    found, start = [], 0
    for match in (*CLAUSE_END.finditer(text), None):
        end = len(text) if match is None else match.start()
        if text[start:end].strip(EDGES):
            lead = len(text[start:end]) - len(text[start:end].lstrip())
            found.append((start + lead, start + len(text[start:end].rstrip())))
        start = end if match is None else match.end()
    return found


def split_clauses(text: str) -> list[str]:
    """Return the clauses of a sentence."""
    return [text[start:end] for start, end in find_clauses(text)]


def cut_at_emoji(text: str) -> tuple[list[str], PieceVerdict]:
    """Return the parts of a row between its emoji, and what the emoji mean: some refuse, unknown ones hold the move."""
    text = SMILEY.sub(f" {SMILE} ", text)
    verdict = PieceVerdict.HOLD if FROWN.search(text) else PieceVerdict.HARMLESS
    text = FROWN.sub(f" {SMILE} ", text)
    if text.isascii():
        return [text], verdict
    text = JOINERS.sub("", text)
    for sign in EMOJI.findall(text):
        if sign in vocabulary.REFUSING_EMOJI:
            verdict = PieceVerdict.ASK
        elif sign not in vocabulary.HARMLESS_EMOJI:
            verdict = max(verdict, PieceVerdict.HOLD)
    return [part for part in EMOJI.split(text) if part.strip()], verdict
