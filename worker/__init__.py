"""The worker: resolves moves, runs bots and clocks, sends letters and hooks; it names no game."""
