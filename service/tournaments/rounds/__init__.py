"""Rounds: when they start, their matches, results and standings."""
