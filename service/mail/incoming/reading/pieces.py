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
from service.mail.incoming.reading.vocabulary import (
    CORE,
    CUES,
    DAYS,
    HARD,
    HARMLESS,
    IDIOMS,
    LEADS,
    MILD,
    MODALS,
    NEVER_ALONE,
    NUMBER_WORDS,
    POINTING,
    SHARP,
    SUBJECTS,
    VERBS,
    expand,
    fold,
)

LONGEST_PIECE = 300
"""A longer piece is asked about unread, which bounds the work."""
LONGEST_WISH, LONGEST_NAME, LONGEST_LEAD, LATEST_VERB = 14, 4, 4, 8
SENTENCE_END = re.compile(rf"(?<=[.!…{QUESTION_SIGNS}])[\s\"'»”)]+(?=\S)")
CLAUSE_END = re.compile(r"[,;:()\[\]–—…]+|\s-+\s|\s[-/~]+(?=[^\W\d])|\.\.+")
EDGES = " \t\"'“”«»*_~`.,;:!…-–—()[]{}|#>=+"
EMOJI = re.compile("[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u203c\u2049\U0001f000-\U0001faff]")
JOINERS = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff\u2640\u2642]")
"""Signs that change the looks of an emoji: its colour, its skin, its person."""
SMILEY = re.compile(r"(?<![\w:])(?:[:;=]['’]?-?[)DPp\]*]{1,9}|\^\^|<3|[xX]D{1,3})(?!\w)")
FROWN = re.compile(r"(?<![\w:])[:;=]['’]?-?[(/|\\]{1,9}(?!\w)")
CONTACT = re.compile(
    r"(?:[\w ]{2,20}[.:] ?)?[+(]?\d[\d ().+/-]{6,25}\d|(?:[\w-]{2,12}: ?)?<?[\w.+-]{1,64}@[\w.-]{3,80}>?|<?(?:https?://|www\.)\S{3,200}"
)
"""A telephone number, or an address on the internet."""
LINK = re.compile(r"<?(?:https?://|mailto:|www\.)[^\s<>]{1,2000}>?|<[^<>\s@]{1,64}@[^<>\s@]{1,200}>")
FUTURE = re.compile(r"[a-z]{2,}(?:rai|ras|rons|rez|ront|rais|rait|raient)$")
NOT_FUTURE = frozenset("vrai vrais frais gras bras embarras francais marais trait extrait portrait retrait rez".split())
LEAST_LEGAL = 50
PRONOUNS = re.compile(r"\([a-z]{1,6}(?:/[a-z]{1,6}){1,2}\)", re.IGNORECASE)
"""Pronouns after a name: `(she/her)`."""
MODEL = re.compile(r"[a-z]{0,2}\d{1,4}[a-z]{0,2}")
"""The model of a phone."""
PARTICLES = frozenset("de du la le van von der den di da del ni nic mac mc o of the and et for at & in".split())
REACTION = re.compile(
    r"\b(?:reacted (?:to|via)|a r[ée]agi|hat (?:auf|mit)|ha reaccionado|ha reagito|heeft gereageerd)\b", re.IGNORECASE
)
"""The sentence that mail programs write for an emoji reaction."""


class PieceVerdict(IntEnum):
    """The consequence of a piece for the move beside it."""

    HARMLESS = 0
    HOLD = 1
    ASK = 2


@dataclass(frozen=True)
class Grammar:
    """The grammar of replies for one writer, with a memory of what was judged."""

    writer: frozenset[str] = frozenset()
    """The words of the names with which the writer may sign."""
    others: frozenset[str] = frozenset()
    """The words of the names of the other players."""
    _judged: dict[str, PieceVerdict] = field(default_factory=dict, compare=False)

    @classmethod
    def for_names(cls, writer: Sequence[str], others: Sequence[str] = ()) -> Grammar:
        """Return the grammar for a writer with these names, at a table with these others."""
        return cls(_name_words(writer), _name_words(others))

    def judge(self, text: str) -> PieceVerdict:
        """Return what a sentence means, by itself or clause by clause."""
        known = self._judged.get(text)
        if known is None:
            known = self._judged[text] = self._judge_sentence(text)
        return known

    def _judge_sentence(self, text: str) -> PieceVerdict:
        if len(text) > LONGEST_PIECE:
            return PieceVerdict.ASK
        whole = self._judge_clause(text)
        clauses = split_clauses(text)
        if whole is PieceVerdict.HARMLESS or len(clauses) < 2:  # noqa: PLR2004  # nothing to split
            return whole
        if any(sign in QUESTION_SIGNS for sign in text):
            last = clauses[-1]
            parts = [
                *map(self._judge_clause, clauses[:-1]),
                self._judge_clause(f"{last.rstrip(QUESTION_SIGNS + ' ')}?"),
            ]
        else:
            parts = [
                self._judge_clause(clause) for clause in clauses if name_addressees(self.tokens(clause)) != (NAME,)
            ]
        return min(whole, max(parts, default=PieceVerdict.ASK))

    def _judge_clause(self, text: str) -> PieceVerdict:  # one line for each kind of piece, in their order
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
        if any(any(map(str.isdigit, token)) for token in tokens) or not NUMBER_WORDS.isdisjoint(tokens):
            return PieceVerdict.ASK
        return min(judge_wish(tokens), judge_statement(tokens))

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
                found += expand(low)
            elif found[-1:] != [NAME]:
                found.append(NAME)
        return tuple(found)

    def is_name(self, text: str) -> bool:
        """Return True if a text is nothing but a name of the writer, or an initial of it."""
        bare = PRONOUNS.sub("", text).strip(EDGES)
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
        word for name in names for word in re.split(r"[\s.,()]+", fold(name)) if word and not CUES.has(word)
    )


def is_unknown(word: str) -> bool:
    """Return True if a folded word is in none of the lists, so that it may be a name."""
    return word.isalpha() and not (
        word in HARMLESS or word in DAYS or word in NUMBER_WORDS or CUES.has(word) or POINTING.has(word)
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
    """Return the words with one `@` for names in a row and for phrases such as `both of you`, which stand for them."""
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
    """Return the words with one sign for each measure such as `two hours` or `80 km`: its number chooses no move."""
    found: list[str] = []
    numbers: list[str] = []
    for token in tokens:
        if token in NUMBER_WORDS or token in vocabulary.LARGE_NUMBERS or token.isdigit():
            numbers.append(token)
            continue
        found += [MEASURE] if numbers and token in vocabulary.UNITS else [*numbers, token]
        numbers = []
    return (*found, *numbers)


def is_courtesy(tokens: Sequence[str]) -> bool:
    """Return True for greetings, thanks and closings: only their words and names, and one that says something."""
    return all(token in HARMLESS or token == NAME for token in tokens) and any(
        token in CORE and token not in NEVER_ALONE for token in tokens
    )


def judge_wish(tokens: Sequence[str]) -> PieceVerdict:
    """Return whether a piece is a wish or thanks with any words behind it."""
    text = f"{' '.join(tokens)} "
    wish = max((wish for wish in vocabulary.WISHES if text.startswith(wish)), key=len, default="")
    tail = text[len(wish) :].split()
    if not wish or len(tail) > LONGEST_WISH or not is_small_talk(tail):
        return PieceVerdict.ASK
    if wish.startswith("bon") and tail[:1] and tail[0] in FUNCTION_WORDS:
        return PieceVerdict.ASK
    open_ended = wish.startswith(EXCLAMATIONS) and not (wish.startswith("bon") and tail[:1] and tail[0] in HARMLESS)
    plain = not any(map(CUES.has, tail)) and not open_ended
    return PieceVerdict.HARMLESS if plain else PieceVerdict.HOLD


def is_small_talk(tokens: Sequence[str]) -> bool:
    """Return True if no word points at the move, acts, asks, doubts or speaks about the future."""
    return not any(
        (CUES.has(token) and not MILD.has(token) and not _means_else(tokens, at))
        or HARD.has(token)
        or MODALS.has(token)
        or _points(tokens, at)
        or _is_future(token)
        for at, token in enumerate(tokens)
    )


def _is_future(token: str) -> bool:
    """Return True for a French verb in the future or the conditional; `rentrons` only looks like one."""
    return FUTURE.fullmatch(token) is not None and token not in NOT_FUTURE and not VERBS["fr"].has(token)


EXCLAMATIONS = tuple(
    "quel what such how lovely beautiful gorgeous glorious horrible busy long hard big quiet bon".split()
)
"""Beginnings of wishes that may be about the move as well: they hold it."""
FUNCTION_WORDS = frozenset(
    "a au aux de du des la le les un une pour avec et en tres bien plus tout encore aussi".split()
)
"""Words after `bon` that name no wish: `bon à jeter`."""
NAME = "@"
"""The sign for a name among the words of a piece."""
MEASURE = "&"
"""The sign for a measure among them."""
LINKS = frozenset("and et so oh ooh ah aha well re hey ok okay bon alors eh wow whoa woah aie ouch haha".split())
"""Words that may precede an idiom and change nothing."""
AFTER_CE = frozenset("est etait sera serait ne qui que sont fut".split())
WEATHER = re.compile(r"(?:rain|snow|pour|hail|drizzl|thunder)(?:s|ed|ing)?")
PLACES = frozenset("under beside behind sous derriere".split())
TIMES = frozenset("morning week weekend year month evening afternoon summer winter spring autumn season time".split())


def _points(tokens: Sequence[str], at: int) -> bool:
    """Return True if a word points at what was said, unlike `this morning`, `ce matin`, `it rained`, `so cold that`."""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if tokens[at] == "ce":
        return following in AFTER_CE
    if tokens[at] == "it" and any(map(WEATHER.fullmatch, tokens[at + 1 : at + 4])):
        return False
    if tokens[at] == "that" and "so" in tokens[max(0, at - 2) : at]:
        return False
    return POINTING.has(tokens[at]) and not (tokens[at] == "this" and following in TIMES)


def _means_else(tokens: Sequence[str], at: int) -> bool:
    """Return True if the words around a cue give it another meaning: `under the table`, `son permis de conduire`."""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    place = at > 1 and tokens[at - 2] in PLACES and tokens[at - 1] in HARMLESS
    return (tokens[at] == "table" and place) or (tokens[at] == "permis" and following == "de")


def judge_statement(tokens: Sequence[str]) -> PieceVerdict:
    """Return HOLD for a statement about something else: a subject and a verb in the present or the past."""
    ends = vocabulary.FRAGMENTS.ends(tokens) if len(tokens) > 2 else ()  # noqa: PLR2004  # a beginning, and what about
    if any(is_small_talk(tokens[end:]) for end in ends):
        return PieceVerdict.HOLD
    if not is_small_talk(tokens):
        return PieceVerdict.ASK
    for locale in ("en", "fr"):
        start = next((at for at, token in enumerate(tokens[:LONGEST_LEAD]) if not LEADS[locale].has(token)), 0)
        for first in {0, start}:
            # What `it` is here is the weather: small talk has no other.
            begins = first < len(tokens) and (SUBJECTS[locale].has(tokens[first]) or tokens[first] == "it")
            if _names_subject(tokens[first:], locale) or (
                begins and any(_is_verb(token, locale) for token in tokens[first + 1 : first + LATEST_VERB])
            ):
                return PieceVerdict.HOLD
    return PieceVerdict.ASK


def _names_subject(tokens: Sequence[str], locale: str) -> bool:
    """Return True if a statement begins with one unknown word and its verb: `Grandma baked`."""
    if not tokens:
        return False
    begins = is_unknown(tokens[0]) and not any(_is_verb(tokens[0], other) for other in VERBS)
    return begins and len(tokens) > 2 and _is_verb(tokens[1], locale)  # noqa: PLR2004  # and more


def _is_verb(token: str, locale: str) -> bool:
    return VERBS[locale].has(token) or (locale == "en" and token.endswith("ed") and len(token) > 4)  # noqa: PLR2004  # no red


def is_device_row(text: str) -> bool:
    """Return True for a row that a phone or mail program adds and that has no other words."""
    words = vocabulary.normalise(LINK.sub(" ", text)).split()
    said = f"{' '.join(words)} "
    lead = next((lead for lead in vocabulary.DEVICE_LEADS if said.startswith(lead)), "")
    rest = said[len(lead) :].split()
    return bool(lead) and all(word in vocabulary.DEVICE_WORDS or MODEL.fullmatch(word) for word in rest)


def is_banner(text: str) -> bool:
    """Return True for a warning of a mail gateway, made of nothing but its own words."""
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
    text = SMILEY.sub(" ", text)
    verdict = PieceVerdict.HOLD if FROWN.search(text) else PieceVerdict.HARMLESS
    text = FROWN.sub(" ", text)
    if text.isascii():
        return [text], verdict
    text = JOINERS.sub("", text)
    for sign in EMOJI.findall(text):
        if sign in vocabulary.REFUSING_EMOJI:
            verdict = PieceVerdict.ASK
        elif sign not in vocabulary.HARMLESS_EMOJI:
            verdict = max(verdict, PieceVerdict.HOLD)
    return [part for part in EMOJI.split(text) if part.strip()], verdict
