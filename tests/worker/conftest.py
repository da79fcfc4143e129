"""Summary of the fault tests at the end of the report."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write a line for each fault test, and one with the totals."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    found = [value for report in reports for name, value in getattr(report, "user_properties", []) if name == "chaos"]
    kills = accepted = lost = doubled = 0
    for kind, seed, seconds, done, *figures, unanswered in found:
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
        terminalreporter.write_line(
            f"chaos {kind}: seed {seed}, {seconds:g} s: {kinds}; {unanswered} requests unanswered"
        )
        kills += sum(done.values())
        accepted, lost, doubled = accepted + figures[0], lost + figures[1], doubled + figures[2]
    if found:
        terminalreporter.write_line(f"chaos: kills {kills}, accepted {accepted}, lost {lost}, doubled {doubled}")
