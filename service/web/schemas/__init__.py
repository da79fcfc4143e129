"""Shapes that several parts of the API share: each member with its limits, a description and an example."""
