"""Making, joining, starting and ending matches."""
