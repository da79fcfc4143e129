"""Tournaments that last for weeks: one document in, a log of entrants, pairings and results out.

Each sub-room imports only those before it: `formats`, `documents`, the files here that keep the log in the database
(`tournament_store`, `tournament_caches`, `tournament_events`), `ratings`, `rounds`, `entry`, `rulings`, `export`,
`views`, `calendars`. Two files here come last, because they use all of these: `lifecycle` plans and applies a document,
and `tournament_integrity` examines and rebuilds a tournament.

To add a kind of line, edit `formats/log_lines.py`. Do not break `formats/verify.py`: old exports must verify.
"""
