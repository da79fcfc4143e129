"""A match in the terminal: prompts, sentences, saving."""
