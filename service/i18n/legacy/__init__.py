"""Texts on their way into the catalogue."""
