"""The record of a match: chained, signed, exported line by line, and verified by anyone; it needs no database."""

from service.record.chain import by_bot, by_mail, by_signed, derive_salt, entry_hash, line_commitment
from service.record.compare import MergedExport, compare_exports, merge_exports
from service.record.entry import Entry, MailAttestation
from service.record.errors import BadRecord, BadRecordPart
from service.record.export import entry_row, head_row, referenced_key_ids, write_export
from service.record.hashing import hmac_sha256, join_lines, sha256_hex
from service.record.header import Header, Occupant, key_ids, write_options
from service.record.keys import KeyRefusedError, PublicKey, from_jwk, from_pem, public_key_of, sign
from service.record.patterns import fits_redacted_form, is_key_list, is_line, is_redacted_form
from service.record.server_keys import KeyListError, ServerKey, ServerKeys
from service.record.signed_text import (
    head_text,
    join_text,
    link_to_previous,
    move_text,
    receipt_text,
    sign_join_receipt,
    sign_receipt,
    signatures_hash,
    split_alternatives,
)
from service.record.verify import GameRules, verify
from service.record.verify.report import HouseLine, Report

__all__ = [
    "BadRecord",
    "BadRecordPart",
    "Entry",
    "GameRules",
    "Header",
    "HouseLine",
    "KeyListError",
    "KeyRefusedError",
    "MailAttestation",
    "MergedExport",
    "Occupant",
    "PublicKey",
    "Report",
    "ServerKey",
    "ServerKeys",
    "by_bot",
    "by_mail",
    "by_signed",
    "compare_exports",
    "derive_salt",
    "entry_hash",
    "entry_row",
    "fits_redacted_form",
    "from_jwk",
    "from_pem",
    "head_row",
    "head_text",
    "hmac_sha256",
    "is_key_list",
    "is_line",
    "is_redacted_form",
    "join_lines",
    "join_text",
    "key_ids",
    "line_commitment",
    "link_to_previous",
    "merge_exports",
    "move_text",
    "public_key_of",
    "receipt_text",
    "referenced_key_ids",
    "sha256_hex",
    "sign",
    "sign_join_receipt",
    "sign_receipt",
    "signatures_hash",
    "split_alternatives",
    "verify",
    "write_export",
    "write_options",
]
