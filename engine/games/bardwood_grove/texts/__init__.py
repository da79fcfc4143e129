"""Texts of Bardwood Grove, in English and French."""
