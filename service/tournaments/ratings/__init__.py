"""Ratings and reliability of players."""
