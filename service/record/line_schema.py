"""The lines of an export: the fields of each kind, and the form of each field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from re import Pattern

from service.record.canonical_json import JsonObject, JsonValue
from service.record.errors import BadRecordPart
from service.record.patterns import BY, HASH, ID, KEY_ID, MOST_NUMBER, NONCE, SALT, SIGNATURE, VIEWER, is_key_list

FieldCheck = Callable[[JsonValue], bool]


def _matches(pattern: Pattern[str]) -> FieldCheck:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def is_number(value: JsonValue) -> bool:
    """Return True for a number of the record: an integer from 0 to 2^53 - 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NUMBER


def _is_integer(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_text_list(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(row, str) for row in value)


def _is_mail(value: JsonValue) -> bool:
    return isinstance(value, dict) and find_field_fault(value, MAIL_FIELDS) == ""


def _is_jwk(value: JsonValue) -> bool:
    return isinstance(value, dict) and find_field_fault(value, JWK_FIELDS) == ""


def _one_of(*values: JsonValue) -> FieldCheck:
    # `True == 1` in Python, and an export must tell them apart.
    return lambda value: any(type(value) is type(each) and value == each for each in values)


MAIL_FIELDS: Mapping[str, FieldCheck] = {
    "door": _one_of("smtp", "imap"),
    "raw": _matches(HASH),
    "received": is_number,
    "verdict": _one_of("pass", "fail", "none"),
}
JWK_FIELDS: Mapping[str, FieldCheck] = {"crv": _one_of("Ed25519"), "kty": _one_of("OKP"), "x": _is_text}
_SERVER_FIELDS: Mapping[str, FieldCheck] = {
    "at": is_number,
    "match": _matches(ID),
    "server": _matches(KEY_ID),
    "signature": _matches(SIGNATURE),
}
_COMMON_FIELDS: Mapping[str, FieldCheck] = {
    "at": is_number,
    "by": _matches(BY),
    "commit": _matches(HASH),
    "hash": _matches(HASH),
    "seat": _is_integer,
    "seq": is_number,
    "type": _one_of("entry"),
}
_OPEN_FIELDS: Mapping[str, FieldCheck] = {**_COMMON_FIELDS, "line": _is_text, "salt": _matches(SALT)}
_SIGNED_FIELDS: Mapping[str, FieldCheck] = {
    **_OPEN_FIELDS,
    "asked": is_number,
    "key": _matches(KEY_ID),
    "n": is_number,
    "signature": _matches(SIGNATURE),
}
REDACTED_FIELDS: Mapping[str, FieldCheck] = {**_COMMON_FIELDS, "shown": _is_text}
ENTRY_FIELDS: Mapping[str, Mapping[str, FieldCheck]] = {
    "chance": _OPEN_FIELDS,
    "house": _OPEN_FIELDS,
    "bot": _OPEN_FIELDS,
    "signed": _SIGNED_FIELDS,
    "mail": {**_OPEN_FIELDS, "mail": _is_mail},
}
LINE_FIELDS: Mapping[str, Mapping[str, FieldCheck]] = {
    "header": {"hash": _matches(HASH), "lines": _is_text_list, "type": _one_of("header")},
    "key": {"id": _matches(KEY_ID), "jwk": _is_jwk, "type": _one_of("key")},
    "receipt": {
        **_SERVER_FIELDS,
        "hash": _matches(HASH),
        "seq": is_number,
        "signatures": _matches(HASH),
        "type": _one_of("receipt"),
    },
    "seed": {"seed": _matches(HASH), "type": _one_of("seed")},
    "head": {
        **_SERVER_FIELDS,
        "hash": _matches(HASH),
        "lines": _matches(HASH),
        "seq": is_number,
        "type": _one_of("head"),
        "viewer": _matches(VIEWER),
    },
    "join": {
        **_SERVER_FIELDS,
        "keys": lambda value: isinstance(value, str) and is_key_list(value),
        "nonce": _matches(NONCE),
        "player": _matches(ID),
        "seat": is_number,
        "seed": _matches(HASH),
        "type": _one_of("join"),
    },
}


def find_field_fault(
    row: JsonObject, forms: Mapping[str, FieldCheck], optional: Mapping[str, FieldCheck] | None = None
) -> str:
    """Return what is wrong with the fields of a row, or an empty string."""
    optional = optional or {}
    for name in forms:
        if name not in row:
            return f"the field {name} is missing"
    for name, value in row.items():
        form = forms.get(name) or optional.get(name)
        if form is None:
            return f"there is no field {name} here"
        if not form(value):
            return f"the field {name} is malformed"
    return ""


def check_fields(
    row: JsonObject, forms: Mapping[str, FieldCheck], optional: Mapping[str, FieldCheck] | None = None
) -> None:
    """Refuse a row that lacks a field, has an extra field, or has a field of the wrong form."""
    found = find_field_fault(row, forms, optional)
    if found:
        raise BadRecordPart("fields", found)


def check_entry(row: JsonObject) -> None:
    """Refuse an entry whose fields do not belong to its kind."""
    by = row.get("by")
    kind = by.split(" ")[0] if isinstance(by, str) else ""
    if kind not in ENTRY_FIELDS:
        raise BadRecordPart("fields", "the field by is missing or malformed")
    if "shown" in row:
        return check_fields(row, REDACTED_FIELDS)
    if kind != "signed":
        return check_fields(row, ENTRY_FIELDS[kind])
    first = {"orders": _one_of(True)} if row.get("n") == 1 else {}
    return check_fields(row, ENTRY_FIELDS[kind], {**first, "text": _is_text})
