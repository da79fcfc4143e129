"""The match itself: its state, its log, moves, clocks, and access to it.

To change which moves are accepted, edit `accept.py`; to change what happens by itself after a move, edit `resolve.py`.
Clock arithmetic is in `time_control.py`, its consequences are in `timeouts.py`.

Do not break this: the log is the only truth, everything is appended by `match_log.append`, and everything that a seat
gets is built from its own view.
"""
