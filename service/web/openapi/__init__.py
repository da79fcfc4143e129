"""The OpenAPI document and its parts."""
