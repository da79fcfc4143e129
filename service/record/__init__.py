"""The record of a match: chained, signed, exported line by line, and verified by anyone; it needs no database."""

from service.record.chain import by_bot, by_mail, by_signed, commit, entry_hash, salt
from service.record.compare import Union, compare, union
from service.record.entry import Entry, Mail
from service.record.errors import Fault, Refused
from service.record.export import entry_row, export, head_row, named_keys
from service.record.hashing import digest, fits, is_keys, is_line, is_shown, joined, keyed
from service.record.header import Header, Place, key_ids, write_options
from service.record.keys import Key, KeyRefusedError, from_jwk, from_pem, of_private, sign
from service.record.report import HouseLine, Report
from service.record.server_keys import KeyListError, ServerKey, ServerKeys
from service.record.signed_text import alternatives, before, move_text
from service.record.signed_text_receipts import covered, head_text, join_receipt, join_text, receipt, receipt_text
from service.record.verify import verify
from service.record.verify.rules_check_rules import Rules

__all__ = [
    "Entry",
    "Fault",
    "Header",
    "HouseLine",
    "Key",
    "KeyListError",
    "KeyRefusedError",
    "Mail",
    "Place",
    "Refused",
    "Report",
    "Rules",
    "ServerKey",
    "ServerKeys",
    "Union",
    "alternatives",
    "before",
    "by_bot",
    "by_mail",
    "by_signed",
    "commit",
    "compare",
    "covered",
    "digest",
    "entry_hash",
    "entry_row",
    "export",
    "fits",
    "from_jwk",
    "from_pem",
    "head_row",
    "head_text",
    "is_keys",
    "is_line",
    "is_shown",
    "join_receipt",
    "join_text",
    "joined",
    "key_ids",
    "keyed",
    "move_text",
    "named_keys",
    "of_private",
    "receipt",
    "receipt_text",
    "salt",
    "sign",
    "union",
    "verify",
    "write_options",
]
