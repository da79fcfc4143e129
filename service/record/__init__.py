"""The record of a match: chained, signed, exported line by line, and verified by anyone; it needs no database."""
