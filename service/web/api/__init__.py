"""The REST API: a blueprint for each resource."""
