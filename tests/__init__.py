"""The tests: tables of cases, golden logs and properties that hold for every game."""
