"""The commands of `echtra`, one a file, and what they share."""
