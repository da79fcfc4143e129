"""JSON bodies of the API as shapes: each member with its limits, a description and an example."""
