"""Pure rules of our games: values in, values out, using only the standard library.

To change what a seat may do in a game, edit the steps in its `games/<game>/rules`. To change how people type a line,
edit `reading.py` or the game's `short.py`; to change what they read, edit its texts, labels and refusals.

Do not break this: a match pins its revision, so the rules of a running match never change, and bots choose the same on
every machine. Golden logs and `tests/golden/bot_choices.txt` notice it.
"""
