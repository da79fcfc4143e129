"""Players and what belongs to them: tokens, keys, codes, addresses, vacation."""
