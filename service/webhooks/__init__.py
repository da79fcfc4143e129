"""Telling other programs what happens."""
