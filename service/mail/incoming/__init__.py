"""From a raw message to what it asks for, and to the answer."""
