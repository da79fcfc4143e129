"""Many matches between bots, in several processes, and their figures."""
