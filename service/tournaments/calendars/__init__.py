"""Calendar feeds of tournaments, and rounds during a player's leave."""
