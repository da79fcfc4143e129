"""Work that waits for a worker, and how workers are doing."""
