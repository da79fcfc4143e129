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
    "service.api.house",
    "service.api.substitutes",
    "service.api.programs",
    "service.api.hooks",
    "service.api.events",
    "service.api.letters",
    "service.api.inbound",
    "service.api.wellknown",
]
"""Modules with a `service.api.blueprint.Blueprint`: their operations stand in the OpenAPI document."""

PAGES = [
    "service.api.docs",
    "service.api.health",
    "service.api.confirming",
    "service.api.mailbox",
    "service.api.stopping",
    "service.pages.sheet",
    "service.pages.fonts",
    "service.pages.home",
    "service.pages.games",
    "service.pages.matches",
]
"""Modules with a plain `flask.Blueprint`: pages and probes outside the document."""
