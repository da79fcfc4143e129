"""Rounds: when they start, their pairings and challenges, matches, results and standings."""
