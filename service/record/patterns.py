"""The form of every word in a record: numbers, ids, keys, lines and their redacted forms."""

from __future__ import annotations

import re
from itertools import pairwise

MOST_NUMBER = 2**53 - 1
MOST_LINE_LENGTH = 400
SCORE_DIGITS = 9
MOST_KEYS = 8

_NUMBER = r"(?:0|[1-9][0-9]{0,15})"
_KEY = r"[A-Za-z0-9_-]{43}"
_WORD = r"[A-Za-z0-9+:|,_-]+"
_SHOWN_WORD = r"[A-Za-z0-9+:|,_?-]+"

HASH = re.compile(r"[0-9a-f]{64}")
SALT = re.compile(r"[0-9a-f]{32}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")
ID = re.compile(r"[a-z0-9]{12,32}")
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
OPTION = re.compile(r"[a-z][a-z0-9_-]{0,31}")
NONCE = re.compile(r"-|[0-9a-f]{1,64}")
KEY_ID = re.compile(_KEY)
KEYS = re.compile(rf"-|{_KEY}(?:,{_KEY}){{0,{MOST_KEYS - 1}}}")
BEACON = re.compile(rf"-|[a-z0-9-]{{1,32}}:({_NUMBER}):[0-9a-f]{{32,128}}")
NUMBER = re.compile(_NUMBER)
REASON_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
SCORE = re.compile(rf"0|-?[1-9][0-9]{{0,{SCORE_DIGITS - 1}}}")
VIEWER = re.compile(r"-|all|0|[1-9][0-9]?")
BY = re.compile(r"chance|house|bot [a-z][a-z0-9-]{0,31}|(?:signed|mail) [0-9a-f]{64}")
PRINTABLE = re.compile(r"[\x20-\x7e]*")
_LINE = re.compile(rf"{_WORD}(?: {_WORD})*")
_SHOWN = re.compile(rf"{_SHOWN_WORD}(?: {_SHOWN_WORD})*")


def parse_number(text: str) -> int | None:
    """Return the number that a word writes, or None if it is not one."""
    if NUMBER.fullmatch(text) is None:
        return None
    value = int(text)
    return value if value <= MOST_NUMBER else None


def is_line(text: str) -> bool:
    """Return True if the text may be a line of a log."""
    return len(text) <= MOST_LINE_LENGTH and _LINE.fullmatch(text) is not None and "|" not in text.split(" ")


def is_redacted_form(text: str) -> bool:
    """Return True if the text has the form of a redacted line."""
    well_formed = len(text) <= MOST_LINE_LENGTH and _SHOWN.fullmatch(text) is not None
    return well_formed and "?" in text and "|" not in text.split(" ")


def is_key_list(text: str) -> bool:
    """Return True for `-`, or one to eight key ids in ascending order without repetition."""
    if KEYS.fullmatch(text) is None:
        return False
    ids = text.split(",")
    return all(one < other for one, other in pairwise(ids))


def is_beacon(text: str) -> bool:
    """Return True for `-`, or a round of a beacon with its value."""
    found = BEACON.fullmatch(text)
    return found is not None and (found[1] is None or parse_number(found[1]) is not None)


def is_beacon_round(text: str) -> bool:
    """Return True for a round of a beacon without its value."""
    return text != "-" and is_beacon(f"{text}:{'0' * 32}")


def fits_redacted_form(shown: str, line: str) -> bool:
    """Return True if the line is the redacted form with each `?` replaced by one or more characters."""
    first, *others = shown.split("?")
    if not others:
        return shown == line
    if not line.startswith(first):
        return False
    at = len(first)
    for literal in others[:-1]:
        found = line.find(literal, at + 1)
        if found < 0:
            return False
        at = found + len(literal)
    return line.endswith(others[-1]) and len(line) - len(others[-1]) > at
