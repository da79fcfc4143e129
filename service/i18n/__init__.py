"""Texts and dates in the languages of the service."""
