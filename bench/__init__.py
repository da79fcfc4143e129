"""Benchmarks: costs as ratios to a yardstick of the same run. `make bench` runs them.

To add a measurement, write a module with a `main`, and call it from `make bench`. Measure a yardstick in turn with the
work, because the speed of a machine varies. `docs/PERFORMANCE.md` has the results.
"""
