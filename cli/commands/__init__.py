"""The commands of `echtra`, one per file, and what they share."""
