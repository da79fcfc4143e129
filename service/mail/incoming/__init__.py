"""Incoming mail: from a raw message to its request, and to the answer."""
