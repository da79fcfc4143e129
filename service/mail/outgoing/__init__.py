"""Outgoing mail: from an email that is due to a message that was sent."""
