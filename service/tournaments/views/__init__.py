"""Views of a tournament for people: overviews, brackets, crosstables, forecasts, and reasons in words."""
