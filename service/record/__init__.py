"""The record of a match: chained, signed, exported line by line, and verified by anyone; it needs no database.

To change what a verifier checks, edit `verify/`; to change a report, edit `verify/report.py` and `verify_report.toml`.

Do not break this: the bytes of the format `v1` are frozen. Golden records verify, and are exported again byte for byte.
`docs/RECORD.md` and the verifier in `openapi/examples/verify.mjs` say the same.
"""
