"""`echtra letters`: list emails that wait or bounced, and send them again."""

from __future__ import annotations

import click

from cli.command import (
    BilingualArgument,
    bilingual_command,
    bilingual_option,
    localise,
    print_line,
    program_name,
    refusal,
)

STATES = ("queued", "accepted", "deferred", "bounced", "answered")
RETRIED_STATES = ("deferred", "bounced")


@bilingual_command("letters", "usage.letters.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "retry", "resume"]), default="list")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@bilingual_option("--state", type=click.Choice(STATES), text="usage.letters.state")
@bilingual_option("--player", metavar="ID", default="", text="usage.letters.player")
@bilingual_option("--since", metavar="DATE", text="usage.letters.since")
@bilingual_option("--most", type=click.IntRange(1, 10_000), default=50, metavar="N", text="usage.letters.most")
def command(action: str, ids: tuple[str, ...], state: str | None, player: str, since: str | None, most: int) -> None:
    """List emails, or send them again."""
    from cli import preflight
    from service.mail.outgoing import retry

    if action == "retry" and bool(ids) == (state in RETRIED_STATES):
        raise refusal("operator.letters.which")
    if action != "retry" and ids:
        raise refusal("operator.no_ids", action=action)
    from_time = preflight.parse_time(since) if since else 0
    preflight.open_database()
    if action == "list":
        _print_letters(state or "", player, most)
    elif action == "resume":
        click.echo(localise("operator.letters.resumed", count=retry.resume_sending()))
    elif state and not ids:
        click.echo(localise("operator.letters.again", count=retry.retry_in_state(state, from_time)))
    else:
        missing = [letter for letter in ids if not retry.retry_letter(letter)]
        click.echo(localise("operator.letters.again", count=len(ids) - len(missing)))
        if missing:
            raise refusal("operator.letters.none", ids=", ".join(missing))


def _print_letters(state: str, player: str, most: int) -> None:
    from cli.terminal import print_list
    from service.jobs import alarms
    from service.mail.outgoing import letter_ledger
    from service.timestamps import now, rfc3339

    letters = [
        [id_, rfc3339(written_at) or "", localise(f"doctor.letter_state.{its_state}"), kind, to or "-", why]
        for id_, written_at, its_state, kind, to, why in letter_ledger.list_newest(state, player, most)
    ]
    for alarm in alarms.list_active(now()):
        values = {"count": alarm.count, "since": rfc3339(alarm.since), "detail": alarm.detail}
        print_line(localise(f"doctor.stuck.{alarm.kind}", called=program_name(), **values))
    header = [localise(f"operator.column.{column}") for column in ("id", "written", "state", "kind", "player", "why")]
    print_list(header, letters, empty=localise("operator.letters.empty"))
