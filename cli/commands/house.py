"""`echtra house`: the operator's decisions about a match."""

from __future__ import annotations

import click

from cli.command import bilingual_command, bilingual_option, localise, refusal, refuse_problems


@bilingual_command("house", "usage.house.about")
@click.argument("match")
@click.argument("line", nargs=-1)
@bilingual_option("--seat", type=int, metavar="N", text="usage.house.seat")
@bilingual_option("--due", metavar="TIME", text="usage.house.due")
def command(match: str, line: tuple[str, ...], seat: int | None, due: str | None) -> None:
    """Write a decision of the operator into the log of a match."""
    from cli import preflight
    from service.matches.arbiter_decisions import arbiter_for_operator

    if bool(line) == (seat is not None and due is not None) or (seat is None) != (due is None):
        raise refusal("commands.house.one", match=match)
    until = preflight.parse_time(due) if due else 0
    config = preflight.open_database()
    with refuse_problems():
        arbiter = arbiter_for_operator(match, config)
        decision = arbiter.decide(" ".join(line)) if line else arbiter.extend(seat or 0, until)
    click.echo(localise("commands.house.done", seq=decision.seq, lines=", ".join(decision.lines)))
