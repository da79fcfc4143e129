"""Calendar feeds of tournaments."""
