"""Our games raced against the random playouts of other engines; `make bench` runs it."""
