"""The service: accounts, matches, the log, REST, emails and pages. It names no game."""
