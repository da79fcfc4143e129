"""How tournaments are paired, counted and drawn: pure functions over plain values, no clock, no files, no database.

Entrants are numbers from 1 on, points are integers of 1/10,000, and whatever is left to chance comes as a lot order
from `draw`. The same input gives the same bytes, in whatever order it came.
"""
