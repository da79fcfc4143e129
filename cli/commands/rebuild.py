"""`echtra rebuild`: make the caches anew from the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("rebuild", "usage.rebuild.about")
@bilingual_option("--match", "only", multiple=True, metavar="ID", text="usage.rebuild.match")
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
        task = shown.add_task(translate(locale, "commands.rebuild.building"), total=len(matches))
        for match in matches:
            try:
                changed += rebuild_caches(match, config.most_entries)
            except DatabaseDown:
                raise
            except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules
                bad += 1
                click.echo(translate(locale, "commands.rebuild.bad", match=match), err=True)
            shown.advance(task)
    click.echo(translate(locale, "commands.rebuild.done", matches=len(matches) - bad, changed=changed))
    if not only:
        bad += _rebuild_tournaments(locale)
    return 1 if bad else 0


def _rebuild_tournaments(locale: Locale) -> int:
    """Make the caches of all tournaments anew; how many have a log that cannot be read."""
    from service.db.connection import DatabaseDown
    from service.tournaments.tournament_integrity import list_tournaments, rebuild_tournament

    tournaments, changed, bad = list_tournaments(), 0, 0
    for tournament in tournaments:
        try:
            changed += rebuild_tournament(tournament)
        except DatabaseDown:
            raise
        except Exception:  # noqa: BLE001  # whatever a broken log makes of it
            bad += 1
            click.echo(translate(locale, "commands.rebuild.bad_tournament", tournament=tournament), err=True)
    if tournaments:
        figures = {"tournaments": len(tournaments) - bad, "changed": changed}
        click.echo(translate(locale, "commands.rebuild.tournaments", **figures))
    return bad
