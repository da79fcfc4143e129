"""An email as text, as HTML and as a message."""
