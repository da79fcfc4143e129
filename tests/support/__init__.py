"""Helpers of the tests: players, tables, clients and servers as real users have them.

To play over HTTP, use `http_tables.py`; by email, `mail_replies.py`; in a browser, `browser.py` and `playing.py`;
without HTTP, `factories.py`. Tournaments are in `tournaments.py`, real servers in `servers.py`.

Do not break this: nothing here replaces what a user has. Only time and random numbers are set by the tests.
"""
