"""Helpers of the tests: players, tables, clients and servers as real users have them."""
