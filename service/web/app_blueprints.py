"""The blueprints of the service: each module named here has its blueprint as `blueprint`."""

from __future__ import annotations

BLUEPRINTS = [
    "service.web.api.players",
    "service.web.api.tokens",
    "service.web.api.signing_keys",
    "service.web.api.vacation",
    "service.web.api.games",
    "service.web.api.matches",
    "service.web.api.invitations",
    "service.web.api.tables",
    "service.web.api.moves",
    "service.web.api.notes",
    "service.web.api.turns",
    "service.web.api.leagues",
    "service.web.api.organisers",
    "service.web.api.house",
    "service.web.api.substitutes",
    "service.web.api.bot_accounts",
    "service.web.api.webhooks",
    "service.web.api.events",
    "service.web.api.letters",
    "service.web.api.inbound_mail",
    "service.web.api.well_known",
]
"""Modules with a `service.web.openapi.blueprint.Blueprint`: their operations stand in the OpenAPI document."""

PAGES = [
    "service.web.pages.docs",
    "service.web.api.health",
    "service.web.pages.confirm_address",
    "service.web.pages.dev_mailbox",
    "service.web.pages.unsubscribe",
    "service.web.pages.layout",
    "service.web.pages.layout_fonts",
    "service.web.pages.home",
    "service.web.pages.games",
    "service.web.pages.matches",
]
"""Modules with a plain `flask.Blueprint`: pages and probes outside the document."""
