"""Effects of special cards, in one module for each printed timing."""
