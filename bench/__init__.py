"""Benchmarks: costs as ratios to a yardstick of the same run. `make bench` runs them."""
