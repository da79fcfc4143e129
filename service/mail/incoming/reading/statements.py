"""Statements about other things than the move. The subject of a clause decides how its words are read.

Almost any words may describe what other people and things do. But what the writer does may be a second thought, so
there every cue counts, as in a clause without a subject. A clause next to a statement may point at a thing that the
statement named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from service.mail.incoming.reading import vocabulary
from service.mail.incoming.reading.vocabulary import (
    CUES,
    DAYS,
    HARD,
    HARMLESS,
    IDLE,
    LEADS,
    MEASURE,
    MILD,
    MODALS,
    NAME,
    NUMBER_WORDS,
    PAST,
    PERSONS,
    POINTING,
    SHARP,
    SUBJECTS,
    VERBS,
)

LONGEST_LEAD, LATEST_VERB, SHORTEST_FRAGMENT, SHORTEST_PAST, LEAST_COMPOUND = 4, 8, 2, 5, 3
FUTURE = ("rai", "ras", "rons", "rez", "ront", "rais", "rait", "raient")
NOT_FUTURE = frozenset("vrai vrais frais gras bras embarras francais marais trait extrait portrait retrait rez".split())
INFINITIVE = ("er", "ir", "re")
WEATHER = re.compile(r"(?:rain|snow|pour|hail|drizzl|thunder)(?:s|ed|ing)?")
PLURAL_VERB, SINGULAR_VERB = ("ent", "ont"), ("e", "it", "ut", "nd", "rt")
"""How French verbs end after a plural and after a singular."""
AFTER_CE = frozenset("est etait sera serait ne qui que sont fut".split())
PLACES = frozenset("under beside behind sous derriere".split())
TIMES = frozenset(
    "morning week weekend year month evening afternoon summer winter spring autumn season time day "
    "matin semaine journee soiree annee mois ete hiver printemps automne saison".split()
)
AHEAD = frozenset("for pour next prochain prochaine".split())
"""Words with which a time is still to come: `it is for next week`."""
MUST = frozenset("must devez dois".split())
BEING = frozenset("is was has est etait".split())
DEMONSTRATIVES = frozenset("this that these those".split())
TOPICS = TIMES | {"game", "games", "match"}
"""Known words that a demonstrative may precede without pointing at the move."""
ALLER = frozenset("va vas vais vont allons allez".split())
ELSEWHERE = {
    **dict.fromkeys(("play", "plays", "played", "playing"), frozenset("the in with football music outside".split())),
    **dict.fromkeys(("joue", "jouent", "jouait"), frozenset("du de au aux dans dehors".split())),
    "moved": frozenset("to house in out into away".split()),
    "wrote": frozenset("to a an about".split()),
}
"""Words that may follow these where others play no card: `play the fiddle`, `moved to Cork`."""
PAIRS = {("permis", "de"), ("instead", "of"), ("waiting", "room"), ("waiting", "rooms")}
"""Cues that the next word gives another meaning."""
NOUNS = frozenset("finale tente".split())
"""Cues that are something else behind an article."""
CLITICS = frozenset("ne me te se le la les lui leur y en nous vous".split())
JOINTS = frozenset("and et so but mais because while donc que when quand car".split())
"""Words after which a subject begins a new clause."""


def tells_something_else(tokens: Sequence[str], *, beside: bool = False) -> bool:
    """Return True for a statement about something else; `beside` if it stands next to another one."""
    ends = vocabulary.FRAGMENTS.ends(tokens) if len(tokens) > SHORTEST_FRAGMENT else ()
    if any(is_small_talk(tokens[end:]) for end in ends):
        return True
    if PERSONS["writer"].isdisjoint(tokens[1:]) and _tells(tokens, beside):
        return True
    for clause in _split_at_subjects(tokens):
        if not _tells(clause, beside):
            return False
        beside = True
    return True


def _split_at_subjects(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the parts of a clause that have a subject each: `the tent leaks` and `the kids love it`."""
    start = 0
    for at in range(2, len(tokens) - 1):
        joined = tokens[at - 1] in JOINTS and at - 1 > start
        led = at - start < LONGEST_LEAD and not any(
            _is_verb(token, each) for token in tokens[start:at] for each in VERBS
        )
        if (joined and tokens[at] in PERSONS["subjects"]) or (tokens[at] in PERSONS["writer"] and not led):
            yield tokens[start : at - 1 if joined else at]
            start = at
    yield tokens[start:]


def _tells(tokens: Sequence[str], beside: bool) -> bool:
    """Return True if a clause with one subject, or none, tells something else."""
    plain = is_small_talk(tokens, beside=beside)
    if plain and (beside or _is_located(tokens)):
        return True
    language = find_language(tokens)
    for locale in (language,) if language else ("en", "fr"):
        lead = next((at for at, token in enumerate(tokens[:LONGEST_LEAD]) if not LEADS[locale].has(token)), 0)
        named = next((at for at, token in enumerate(tokens[:LONGEST_LEAD]) if token in PERSONS["pronouns"]), 0)
        for first in {0, lead, named, int(tokens[0] in JOINTS)}:
            rest = tokens[first:]
            if plain and _has_subject(rest, locale):
                return True
            if _is_about_others(rest, locale) and is_small_talk(rest, beside=beside, others=True):
                return True
    return False


def is_small_talk(tokens: Sequence[str], *, beside: bool = False, others: bool = False) -> bool:
    """Return True if no word points at the move, acts, asks, doubts or speaks about the future.

    Of other people (`others`) more may be said: what they want, did not do, or are going to do.
    """
    language = find_language(tokens)
    if others and not PERSONS["opinions"].isdisjoint(tokens) and not PERSONS["contrasts"].isdisjoint(tokens):
        return False
    return not any(
        _is_cue(tokens, at, language, others)
        or _points(tokens, at, beside)
        or (token in NUMBER_WORDS and not _counts_things(tokens, at))
        or (not others and (_is_modal(tokens, at) or _is_future(token)))
        for at, token in enumerate(tokens)
    )


def _is_cue(tokens: Sequence[str], at: int, language: str, others: bool) -> bool:
    """Return True if a word takes back, doubts, asks or puts off, in the language of its clause."""
    token = tokens[at]
    locales = (language,) if language else ("en", "fr")
    if _means_else(tokens, at, others):
        return False
    if any(HARD[locale].has(token) for locale in locales):
        return True
    if token in ("word", "mot"):
        return tokens[at - 1] in ("last", "final", "dernier")
    cue = SHARP.has(token) or any(CUES[locale].has(token) for locale in locales)
    return cue and not MILD.has(token) and not (others and IDLE.has(token))


def find_language(tokens: Sequence[str]) -> str:
    """Return the language of a clause by its function words: `en`, `fr`, or an empty text if they do not say."""
    english = any(token in PERSONS["english"] for token in tokens)
    french = any(token in PERSONS["french"] for token in tokens)
    return "" if english == french else "en" if english else "fr"


def is_unknown(word: str) -> bool:
    """Return True if a folded word is in none of the lists, so that it may be a name."""
    return word.isalpha() and not (
        word in HARMLESS or word in DAYS or word in NUMBER_WORDS or vocabulary.is_cue(word) or POINTING.has(word)
    )


def _is_future(token: str) -> bool:
    """Return True for a French verb in the future or the conditional; `rentrons` only looks like one."""
    return token.endswith(FUTURE) and token not in NOT_FUTURE and not VERBS["fr"].has(token)


def _is_modal(tokens: Sequence[str], at: int) -> bool:
    """Return True for a word such as `would`; `va` is one only before an infinitive: `je vais attendre`."""
    if tokens[at] not in ALLER:
        return MODALS.has(tokens[at])
    verb = next((token for token in tokens[at + 1 :] if token not in CLITICS), "")
    return verb.endswith(INFINITIVE)


def _points(tokens: Sequence[str], at: int, beside: bool) -> bool:
    """Return True if a word points at what was said, unlike `this morning`, `ce matin`, `it rained`, `so cold that`.

    Beside a statement it points there, unless it begins a clause about what is now: `it looks wrong`.
    """
    word, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
    if _means_no_thing(tokens, at):
        points = False
    elif word == "ce":
        points = following in AFTER_CE
    elif word in DEMONSTRATIVES and (following in TOPICS or (is_unknown(following) and not _is_verb(following, "en"))):
        # Before a noun they only say which one; a noun that begins a clause has its verb behind it.
        points = at == 0 and not any(_is_verb(verb, "en") or _agree(following, verb) for verb in tokens[2:4])
    elif word in PERSONS["colours"]:
        verb = not following or following.endswith("s") or any(_is_verb(following, locale) for locale in VERBS)
        points = verb and at > 0 and tokens[at - 1] in PERSONS["determiners"]
    else:
        points = POINTING.has(word)
    return points and not (beside and (at > 0 or following in ("is", "est") or _is_past(following)))


def _means_no_thing(tokens: Sequence[str], at: int) -> bool:
    """Return True if `it` is the weather or the time, `that` a conjunction, `one` a child."""
    word, before, behind = tokens[at], tokens[max(0, at - 2) : at], tokens[at + 1 :]
    if behind[:1] and behind[0] in BEING and AHEAD.isdisjoint(behind) and not TIMES.isdisjoint(behind):
        return word in ("it", "this", "that", "ce")
    if word == "it":
        return any(map(WEATHER.fullmatch, behind[:3]))
    if word in ("one", "ones"):
        return bool(before) and (before[-1] == "little" or before[-1] in vocabulary.LARGE_NUMBERS)
    return word == "that" and "so" in before


def _agree(noun: str, verb: str) -> bool:
    """Return True if two words may be an English subject and its verb: one of them ends with an s."""
    return noun.endswith("s") != verb.endswith("s") and _may_be_verb(verb)


def _may_be_verb(word: str) -> bool:
    return is_unknown(word) or IDLE.has(word) or word in ELSEWHERE


def _is_past(word: str) -> bool:
    """Return True for a verb in the past; `red` and `bed` only look like one."""
    return word in PAST or (word.endswith("ed") and len(word) >= SHORTEST_PAST)


def _means_else(tokens: Sequence[str], at: int, others: bool) -> bool:
    """Return True if the words around a cue give it another meaning: `under the table`, `son permis de conduire`."""
    word, before, following = tokens[at], tokens[max(0, at - 3) : at], tokens[at + 1] if at + 1 < len(tokens) else ""
    if others and word in ELSEWHERE:
        return following in ELSEWHERE[word]
    if word == "move" and following in ELSEWHERE["moved"]:
        return True
    if word in PERSONS["doings"]:
        owned = not PERSONS["owners"].isdisjoint(before) and PERSONS["denials"].isdisjoint(tokens)
        return owned and (others or any(map(_is_past, tokens)))
    under = word == "table" and len(before) > 1 and before[-2] in PLACES and before[-1] in HARMLESS
    noun = word in NOUNS and before[-1:] and before[-1] in PERSONS["determiners"]
    advice = word in ("recommended", "conseille", "parlais", "parliez") and not PERSONS["readers"].isdisjoint(before)
    so_much = word == "si" and "que" in tokens[at + 2 : at + 4]
    return bool(under or noun or advice or so_much) or (word, following) in PAIRS


def _counts_things(tokens: Sequence[str], at: int) -> bool:
    """Return True for a number before the thing it counts, or in a share of it: `two slates`, `two out of three`."""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    part = following in ("of", "out", "sur", "des") or (at > 0 and tokens[at - 1] in ("of", "sur"))
    return part or (following.endswith(("s", "x", "teeth")) and is_unknown(following))


def _is_located(tokens: Sequence[str]) -> bool:
    """Return True for a phrase without a verb that says where or when something is: `first frost this morning`."""
    ends = (vocabulary.LOCATIONS.ends(tokens[at:]) for at in range(1, len(tokens)))
    return any(at + end == len(tokens) for at, places in enumerate(ends, 1) for end in places)


def _has_subject(tokens: Sequence[str], locale: str) -> bool:
    """Return True for a subject and its verb in the present or the past."""
    if not tokens:
        return False
    # What `it` is here is the weather or the time: small talk has no other.
    begins = SUBJECTS[locale].has(tokens[0]) or tokens[0] in ("it", "this", "that", "ce")
    if begins and any(_is_verb(token, locale) for token in tokens[1:LATEST_VERB]):
        return True
    if tokens[0] in PERSONS["pronouns"]:
        verb = next((token for token in tokens[1:] if token not in CLITICS), "")
        return locale == "fr" and len(tokens) > SHORTEST_FRAGMENT and is_unknown(verb) and not verb.endswith("ra")
    named = is_unknown(tokens[0]) and not any(_is_verb(tokens[0], other) for other in VERBS)
    # The name of a thing may have two words: `exam season is over`.
    compound = len(tokens) > LEAST_COMPOUND and (is_unknown(tokens[1]) or tokens[1] in TIMES)
    behind = tokens[1:3] if compound else tokens[1:2]
    return named and len(tokens) > SHORTEST_FRAGMENT and any(_is_verb(token, locale) for token in behind)


def _is_about_others(tokens: Sequence[str], locale: str) -> bool:
    """Return True if a clause tells what other people or things do, or how the readers are; no player by name."""
    if len(tokens) < SHORTEST_FRAGMENT or (tokens[1] == NAME and tokens[0] not in PERSONS["titles"]):
        return False
    first, second = tokens[:2]
    if first in PERSONS["readers"]:
        done = len(tokens) > SHORTEST_FRAGMENT and not PERSONS["patients"].isdisjoint(tokens[1:4])
        being = second not in MUST or tokens[2:3] in (("be",), ("have",), ("etre",))
        return done or (second in PERSONS["copula"] and being)
    if first == NAME:
        return not PERSONS["doings"].isdisjoint(tokens[1:3]) and any(map(_is_past, tokens[2:LATEST_VERB]))
    if first in PERSONS["others"] or first in PERSONS["kin"] or (first == MEASURE and len(tokens) > SHORTEST_FRAGMENT):
        return first != "il" or PERSONS["impersonal"].isdisjoint(tokens[2:3] if second == "ne" else [second])
    if is_unknown(first) and not (
        first in PERSONS["function"] | PERSONS["colours"] or any(_is_verb(first, each) for each in VERBS)
    ):
        verb = next((token for token in tokens[1:] if token not in CLITICS), "")
        return _is_verb(verb, locale) or (locale == "en" and verb.endswith("s") and _may_be_verb(verb))
    # In French, `a` is not an article.
    named = (
        first in PERSONS["determiners"] | PERSONS["titles"]
        and (first, locale) != ("a", "fr")
        and second not in PERSONS["colours"]
    )
    return (named or (first in NUMBER_WORDS and _counts_things(tokens, 0))) and _has_verb(tokens, locale)


def _has_verb(tokens: Sequence[str], locale: str) -> bool:
    """Return True if a verb follows the noun with which a clause begins, by the lists or by its ending."""
    endings = PLURAL_VERB if tokens[0].endswith("s") else SINGULAR_VERB
    for noun, verb in pairwise(tokens[1:LATEST_VERB]):
        ending = locale == "fr" and verb.endswith(endings) and _may_be_verb(verb)
        if _is_verb(verb, locale) or ending or (locale == "en" and _agree(noun, verb)):
            return True
    return False


def _is_verb(token: str, locale: str) -> bool:
    return VERBS[locale].has(token) or (locale == "en" and _is_past(token))
