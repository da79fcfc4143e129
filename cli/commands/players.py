"""`echtra players`: list accounts, suspend and resume their email, issue a token to a player who lost theirs."""

from __future__ import annotations

import click

from cli.command import BilingualArgument, bilingual_command, bilingual_option, localise, refusal, refuse_problems

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
def command(action: str, ids: tuple[str, ...], find: str, suspended: bool, scopes: str, most: int) -> None:
    """List players, or change settings that only an operator may change."""
    from cli import preflight

    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    unknown = [scope for scope in wanted if scope not in SCOPES]
    if unknown or not wanted:
        raise refusal("operator.players.no_scope", scope=(unknown or [""])[0], known=", ".join(SCOPES))
    if action == "list" and ids:
        raise refusal("operator.no_ids", action=action)
    if action != "list" and (not ids or (action == "token" and len(ids) != 1)):
        raise refusal("operator.players.which", action=action)
    preflight.open_database()
    if action == "list":
        _print_players(find, most, suspended=suspended)
        return
    _refuse_strangers(ids)
    if action == "token":
        _issue_token(ids[0], wanted)
        return
    count = sum(_set_suspended(player, on=action == "suspend") for player in ids)
    click.echo(localise(f"operator.players.{action}", count=count))


def _refuse_strangers(ids: tuple[str, ...]) -> None:
    from service.db.models.accounts import PlayerRow

    known = PlayerRow.select(PlayerRow.id).where(PlayerRow.id.in_(ids) & PlayerRow.deleted_at.is_null())
    missing = sorted(set(ids) - {row.id for row in known})
    if missing:
        raise refusal("operator.players.none", ids=", ".join(missing))


def _set_suspended(player: str, *, on: bool) -> bool:
    """Stop email and clocks of a player, or resume them. Return True if that changed anything."""
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


def _issue_token(player: str, scopes: list[str]) -> None:
    from service.accounts import tokens
    from service.db.connection import write_transaction

    with refuse_problems(), write_transaction():
        token = tokens.issue(player, "operator", scopes)
    click.echo(token.text)
    click.echo(localise("operator.players.token", scopes=", ".join(scopes)), err=True)


def _print_players(find: str, most: int, *, suspended: bool) -> None:
    from cli.terminal import print_list
    from service.accounts import players
    from service.timestamps import rfc3339

    accounts = [
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
    header = [
        localise(f"operator.column.{column}")
        for column in ("id", "name", "address", "language", "registered", "suspended")
    ]
    print_list(header, accounts, empty=localise("operator.players.empty"))
