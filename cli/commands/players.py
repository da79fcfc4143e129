"""`echtra players`: look at accounts, stop and resume their letters, make a token for somebody who lost theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, Refusal, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale

SCOPES = ("read", "play", "organise")


@bilingual_command("players", "usage.players.about")
@click.argument(
    "action", cls=BilingualArgument, type=click.Choice(["list", "suspend", "resume", "token"]), default="list"
)
@click.argument("ids", nargs=-1, metavar="[PLAYER]...")
@bilingual_option("--find", default="", metavar="TEXT", text="usage.players.find")
@bilingual_option("--suspended", is_flag=True, text="usage.players.suspended")
@bilingual_option("--scopes", default="play", metavar="LIST", text="usage.players.scopes")
@bilingual_option("--most", type=click.IntRange(1, 10_000), default=50, metavar="N", text="usage.players.most")
def command(  # one parameter an option
    action: str,
    ids: tuple[str, ...],
    find: str,
    suspended: bool,
    scopes: str,
    most: int,
    locale: Locale,
    no_color: bool,
) -> int:
    """Look at players, or change what only an operator may."""
    from cli import preflight

    config = preflight.load_config(locale)
    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    unknown = [scope for scope in wanted if scope not in SCOPES]
    if unknown or not wanted:
        raise refusal(locale, "operator.players.no_scope", scope=(unknown or [""])[0], known=", ".join(SCOPES))
    if action == "list" and ids:
        raise refusal(locale, "operator.no_ids", action=action)
    if action != "list" and (not ids or (action == "token" and len(ids) != 1)):
        raise refusal(locale, "operator.players.which", action=action)
    preflight.check_database(config, locale)
    if action == "list":
        _print_players(find, most, locale, suspended=suspended, no_color=no_color)
        return 0
    _refuse_strangers(ids, locale)
    if action == "token":
        _issue_token(ids[0], wanted, locale)
        return 0
    count = sum(_set_suspended(player, on=action == "suspend") for player in ids)
    click.echo(translate(locale, f"operator.players.{action}", count=count))
    return 0


def _refuse_strangers(ids: tuple[str, ...], locale: Locale) -> None:
    from service.db.models.accounts import PlayerRow

    known = PlayerRow.select(PlayerRow.id).where(PlayerRow.id.in_(ids) & PlayerRow.deleted_at.is_null())
    missing = sorted(set(ids) - {row.id for row in known})
    if missing:
        raise refusal(locale, "operator.players.none", ids=", ".join(missing))


def _set_suspended(player: str, *, on: bool) -> bool:
    """Stop letters and clocks of a player, or let them go on; whether that changed anything."""
    from service.accounts import bounces
    from service.db.connection import write_transaction
    from service.play import bounce_pauses

    with write_transaction():
        if not on:
            return bounces.clear_bounces(player)
        changed = bounces.suspend(player)
        if changed:
            bounce_pauses.pause_clocks(player)
        return changed


def _issue_token(player: str, scopes: list[str], locale: Locale) -> None:
    from service.accounts import tokens
    from service.db.connection import write_transaction
    from service.i18n.catalogue import render
    from service.problems import Problem

    try:
        with write_transaction():
            made = tokens.issue(player, "operator", scopes)
    except Problem as error:
        raise Refusal(render(error.message, locale)) from None
    click.echo(made.text)
    click.echo(translate(locale, "operator.players.token", scopes=", ".join(scopes)), err=True)


def _print_players(find: str, most: int, locale: Locale, *, suspended: bool, no_color: bool) -> None:
    from cli.terminal import Terminal
    from service.accounts import players
    from service.timestamps import rfc3339

    found = [
        [
            row.id,
            row.name,
            row.address or "-",
            row.language,
            rfc3339(row.created_at) or "",
            rfc3339(row.bounced_at) or "-",
        ]
        for row in players.search(find, most, suspended=suspended)
    ]
    if not found:
        click.echo(translate(locale, "operator.players.empty"))
        return
    names = ("id", "name", "address", "language", "registered", "suspended")
    header = [translate(locale, f"operator.column.{name}") for name in names]
    Terminal(locale, no_color=no_color).grid("", header, found, left=len(header))
