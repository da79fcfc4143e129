"""The match itself: its table, its log, moves, clocks, and who may see what."""
