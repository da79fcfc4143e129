"""What things cost beside others, as ratios measured in one run; `make bench` runs it."""
