"""Documents of tournaments: nodes, fields and values, checks, and faults with their positions."""
