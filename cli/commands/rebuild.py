"""`echtra rebuild`: make the caches anew from the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, bilingual_option, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Make heads, snapshots and whose turn it is anew from the logs; nothing else is touched.",
    "Refaire têtes, instantanés et tours à jouer à partir des journaux ; rien d'autre n'est touché.",
)
TEXTS: dict[str, Bilingual] = {
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
@bilingual_option("--match", "only", multiple=True, metavar="ID", said=("Only this match.", "Cette partie seulement."))
def command(only: tuple[str, ...], locale: Locale, no_color: bool) -> int:
    """Make the caches anew."""
    from cli import preflight
    from cli.progress import progress_bar
    from service.db.connection import DatabaseDown
    from service.play.rebuild import rebuild_caches

    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    matches, changed, bad = preflight.select_matches(only, locale), 0, 0
    with progress_bar(no_color=no_color) as shown:
        task = shown.add_task(text_in(TEXTS["building"], locale), total=len(matches))
        for match in matches:
            try:
                changed += rebuild_caches(match, config.most_entries)
            except DatabaseDown:
                raise
            except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules
                bad += 1
                click.echo(text_in(TEXTS["bad"], locale).format(match=match), err=True)
            shown.advance(task)
    click.echo(text_in(TEXTS["done"], locale).format(matches=len(matches) - bad, changed=changed))
    return 1 if bad else 0
