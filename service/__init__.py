"""The service: accounts, matches, the log, REST, letters and pages; it names no game."""
