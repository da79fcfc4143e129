"""The OpenAPI document and what it is made from."""
