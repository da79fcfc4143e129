"""Golden logs: matches that every later build must replay to the same scores; added, never edited."""
