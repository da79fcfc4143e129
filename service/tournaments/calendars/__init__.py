"""Calendar feeds of tournaments, and leave that meets a round."""
