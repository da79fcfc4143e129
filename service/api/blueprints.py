"""The blueprints of the service: each module named here has its blueprint as `blueprint`."""

from __future__ import annotations

BLUEPRINTS = [
    "service.api.accounts",
    "service.api.tokens",
    "service.api.keys",
    "service.api.leave",
    "service.api.games",
    "service.api.matches",
    "service.api.invitations",
    "service.api.tables",
    "service.api.moves",
    "service.api.talks",
    "service.api.turns",
    "service.api.leagues",
    "service.api.organise",
    "service.api.substitutes",
    "service.api.hooks",
    "service.api.events",
    "service.api.wellknown",
]
"""Modules with a `service.api.blueprint.Blueprint`: their operations stand in the OpenAPI document."""

PAGES = ["service.api.docs", "service.api.health", "service.api.confirming"]
"""Modules with a plain `flask.Blueprint`: pages and probes outside the document."""
