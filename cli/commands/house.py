"""`echtra house`: what the operator decides about a match."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, Refusal, bilingual_option, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Write a decision into the log of a running match: pause WHY, resume, end WHY [SCORE…], bot SEAT NAME, or seat "
    "SEAT PLAYER [KEYS]; with --seat and --due give a seat more time.",
    "Écrire une décision dans le journal d'une partie en cours : pause POURQUOI, resume, end POURQUOI [POINTS…], bot "
    "PLACE NOM ou seat PLACE JOUEUR [CLÉS] ; avec --seat et --due, donner plus de temps à une place.",
)
TEXTS: dict[str, Bilingual] = {
    "done": ("Written as entry {seq}: {lines}.", "Écrit comme entrée {seq} : {lines}."),
    "one": (
        "Give a line, or --seat and --due, and not both; for example: echtra house {match} pause illness",
        "Donnez une ligne, ou --seat et --due, mais pas les deux ; par exemple : echtra house {match} pause illness",
    ),
    "time": (
        "{due} is no time; write it like 2026-11-20T18:00:00Z.",
        "{due} n'est pas une heure ; écrivez-la comme 2026-11-20T18:00:00Z.",
    ),
}


@spoken_command("house", ABOUT)
@click.argument("match")
@click.argument("line", nargs=-1)
@bilingual_option(
    "--seat", type=int, metavar="N", said=("The seat that gets more time.", "La place qui reçoit plus de temps.")
)
@bilingual_option("--due", metavar="TIME", said=("Until when it may answer.", "Jusqu'à quand elle peut répondre."))
def command(
    match: str,
    line: tuple[str, ...],
    seat: int | None,
    due: str | None,
    locale: Locale,
    no_color: bool,  # noqa: ARG001  # every command takes it
) -> None:
    """Write a decision of the house."""
    from cli import preflight
    from service.matches.house_lines import arbiter_for_operator
    from service.problems import Problem

    if bool(line) == (seat is not None and due is not None) or (seat is None) != (due is None):
        raise Refusal(text_in(TEXTS["one"], locale).format(match=match))
    until = _parse_time(due, locale) if due else 0
    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    try:
        desk = arbiter_for_operator(match, config)
        made = desk.decide(" ".join(line)) if line else desk.extend(seat or 0, until)
    except Problem as error:
        reasons = [each["reason"] for each in error.more.get("errors", [])]
        raise Refusal(" ".join([error.detail, *(f"({reason})" for reason in reasons)])) from None
    click.echo(text_in(TEXTS["done"], locale).format(seq=made.seq, lines=", ".join(made.lines)))


def _parse_time(text: str, locale: Locale) -> int:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Refusal(text_in(TEXTS["time"], locale).format(due=text)) from None
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
