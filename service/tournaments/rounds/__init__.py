"""Rounds: their times, pairings, challenges, matches, results and standings."""
