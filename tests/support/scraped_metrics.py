"""Metrics as a strict reader takes them: each family and each sample once, as Prometheus requires."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

Series = tuple[str, tuple[tuple[str, str], ...]]


def parse_figures(text: str) -> dict[Series, float]:
    """Return every sample by its name and labels. Fail if a family or sample occurs twice."""
    found: dict[Series, float] = {}
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    assert sorted(names) == sorted(set(names))
    for kind in ("# HELP ", "# TYPE "):
        lines = [line.split()[2] for line in text.splitlines() if line.startswith(kind)]
        assert sorted(lines) == sorted(set(lines)), kind
    for family in families:
        assert family.type != "unknown", family.name
        for sample in family.samples:
            series = sample.name, tuple(sorted(sample.labels.items()))
            assert series not in found, series
            found[series] = sample.value
    return found
