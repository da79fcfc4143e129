"""Pure rules of our games: values in, values out, and nothing but the standard library."""
