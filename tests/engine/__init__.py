"""Tests of the engine: what holds for every game, and the tables of each."""
