"""Pairing, counting and drawing of tournaments: pure functions of plain values, without clock, files or database.

Entrants are numbers from 1, points are integers of 1/10,000, and all chance comes as a lot order from `draw`. The same
input gives the same bytes, in whatever order it comes.
"""
