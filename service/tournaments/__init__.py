"""Tournaments of weeks: formats, and what a log of entrants, pairings and results means."""
