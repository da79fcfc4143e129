"""A letter as text, as HTML and as a message."""
