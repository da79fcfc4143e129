"""`echtra rebuild`: make the caches anew from the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, in_words, option
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Make heads, snapshots and whose turn it is anew from the logs; nothing else is touched.",
    "Refaire têtes, instantanés et tours à jouer à partir des journaux ; rien d'autre n'est touché.",
)
SAYS: dict[str, Said] = {
    "building": ("Rebuilding", "Reconstruction"),
    "bad": (
        "Match {match} is left as it is: its log cannot be replayed; see echtra doctor.",
        "La partie {match} reste telle quelle : son journal ne se rejoue pas ; voir echtra doctor.",
    ),
    "done": (
        "Matches rebuilt: {matches}; different before: {changed}.",
        "Parties refaites : {matches} ; différentes avant : {changed}.",
    ),
}


@spoken_command("rebuild", ABOUT)
@option("--match", "only", multiple=True, metavar="ID", said=("Only this match.", "Cette partie seulement."))
def command(only: tuple[str, ...], locale: Locale, no_color: bool) -> int:
    """Make the caches anew."""
    from cli import preflight as starting
    from cli.progress import bar
    from service.db.connection import Down
    from service.play.rebuild import rebuild

    config = starting.configured(locale)
    starting.prepared(config, locale)
    matches, changed, bad = starting.chosen(only, locale), 0, 0
    with bar(no_color=no_color) as shown:
        task = shown.add_task(in_words(SAYS["building"], locale), total=len(matches))
        for match in matches:
            try:
                changed += rebuild(match, config.most_entries)
            except Down:
                raise
            except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules
                bad += 1
                click.echo(in_words(SAYS["bad"], locale).format(match=match), err=True)
            shown.advance(task)
    click.echo(in_words(SAYS["done"], locale).format(matches=len(matches) - bad, changed=changed))
    return 1 if bad else 0
