"""Making, joining, starting and ending matches.

To change how a match is created or started, edit `create.py`, `join.py` or `start.py`; tournament matches are made in
`paired_matches.py`. To change what an arbiter may do, edit `arbiter_decisions.py`.

Do not break this: the seed is committed before anyone takes a seat, and a receipt binds each seat to it.
"""
