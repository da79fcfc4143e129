"""The fields of the lines of an export: which there are, and the form of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from re import Pattern

from service.record.canonical_json import Row, Value
from service.record.errors import Refused
from service.record.hashing import BY, HASH, ID, KEY_ID, LIMIT, NONCE, SALT, SIGNATURE, VIEWER, is_keys

Form = Callable[[Value], bool]


def _of(pattern: Pattern[str]) -> Form:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def is_number(value: Value) -> bool:
    """Whether this is a number of the record: an integer from 0 to 2^53 - 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LIMIT


def _is_integer(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _is_rows(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(row, str) for row in value)


def _is_mail(value: Value) -> bool:
    return isinstance(value, dict) and fault(value, MAIL) == ""


def _is_jwk(value: Value) -> bool:
    return isinstance(value, dict) and fault(value, JWK) == ""


def _one_of(*values: Value) -> Form:
    # `True == 1` in Python, and an export must tell them apart.
    return lambda value: any(type(value) is type(each) and value == each for each in values)


MAIL: Mapping[str, Form] = {
    "door": _one_of("smtp", "imap"),
    "raw": _of(HASH),
    "received": is_number,
    "verdict": _one_of("pass", "fail", "none"),
}
JWK: Mapping[str, Form] = {"crv": _one_of("Ed25519"), "kty": _one_of("OKP"), "x": _is_text}
_SERVER: Mapping[str, Form] = {"at": is_number, "match": _of(ID), "server": _of(KEY_ID), "signature": _of(SIGNATURE)}
_COMMON: Mapping[str, Form] = {
    "at": is_number,
    "by": _of(BY),
    "commit": _of(HASH),
    "hash": _of(HASH),
    "seat": _is_integer,
    "seq": is_number,
    "type": _one_of("entry"),
}
_OPEN: Mapping[str, Form] = {**_COMMON, "line": _is_text, "salt": _of(SALT)}
_SIGNED: Mapping[str, Form] = {
    **_OPEN,
    "asked": is_number,
    "key": _of(KEY_ID),
    "n": is_number,
    "signature": _of(SIGNATURE),
}
REDACTED: Mapping[str, Form] = {**_COMMON, "shown": _is_text}
ENTRIES: Mapping[str, Mapping[str, Form]] = {
    "chance": _OPEN,
    "house": _OPEN,
    "bot": _OPEN,
    "signed": _SIGNED,
    "mail": {**_OPEN, "mail": _is_mail},
}
LINES: Mapping[str, Mapping[str, Form]] = {
    "header": {"hash": _of(HASH), "lines": _is_rows, "type": _one_of("header")},
    "key": {"id": _of(KEY_ID), "jwk": _is_jwk, "type": _one_of("key")},
    "receipt": {
        **_SERVER,
        "hash": _of(HASH),
        "seq": is_number,
        "signatures": _of(HASH),
        "type": _one_of("receipt"),
    },
    "seed": {"seed": _of(HASH), "type": _one_of("seed")},
    "head": {
        **_SERVER,
        "hash": _of(HASH),
        "lines": _of(HASH),
        "seq": is_number,
        "type": _one_of("head"),
        "viewer": _of(VIEWER),
    },
    "join": {
        **_SERVER,
        "keys": lambda value: isinstance(value, str) and is_keys(value),
        "nonce": _of(NONCE),
        "player": _of(ID),
        "seat": is_number,
        "seed": _of(HASH),
        "type": _one_of("join"),
    },
}


def fault(row: Row, forms: Mapping[str, Form], optional: Mapping[str, Form] | None = None) -> str:
    """What is wrong with the fields of a row; empty if nothing is."""
    optional = optional or {}
    for name in forms:
        if name not in row:
            return f"the field {name} is missing"
    for name, value in row.items():
        form = forms.get(name) or optional.get(name)
        if form is None:
            return f"there is no field {name} here"
        if not form(value):
            return f"the field {name} is not of its form"
    return ""


def check(row: Row, forms: Mapping[str, Form], optional: Mapping[str, Form] | None = None) -> None:
    """Refuses a row that lacks a field, has one too many, or has one of wrong form."""
    found = fault(row, forms, optional)
    if found:
        raise Refused("fields", found)


def check_entry(row: Row) -> None:
    """Refuses an entry whose fields are not those of its kind."""
    by = row.get("by")
    kind = by.split(" ")[0] if isinstance(by, str) else ""
    if kind not in ENTRIES:
        raise Refused("fields", "the field by is missing or not of its form")
    if "shown" in row:
        return check(row, REDACTED)
    if kind != "signed":
        return check(row, ENTRIES[kind])
    first = {"orders": _one_of(True)} if row.get("n") == 1 else {}
    return check(row, ENTRIES[kind], {**first, "text": _is_text})
