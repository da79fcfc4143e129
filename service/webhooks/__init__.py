"""Webhooks: telling other programs what happens."""
