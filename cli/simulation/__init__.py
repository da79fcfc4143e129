"""Many matches between bots, in processes, and their figures."""
