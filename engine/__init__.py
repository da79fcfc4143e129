"""Pure rules of our games: values in, values out, using only the standard library."""
