"""The match itself: its state, its log, moves, clocks, and access to it."""
