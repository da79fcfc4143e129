"""`echtra rebuild`: make the caches anew from the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("rebuild", "usage.rebuild.about")
@click.argument("what", cls=BilingualArgument, type=click.Choice(["matches", "ratings"]), default="matches")
@bilingual_option("--match", "only", multiple=True, metavar="ID", text="usage.rebuild.match")
def command(what: str, only: tuple[str, ...], locale: Locale, no_color: bool) -> int:
    """Make the caches anew."""
    from cli import preflight

    if only and what == "ratings":
        raise refusal(locale, "commands.match.clash", one="ratings", other="--match")
    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    if what == "ratings":
        return _rebuild_ratings(locale, no_color=no_color)
    bad = _rebuild_matches(preflight.select_matches(only, locale), config.most_entries, locale, no_color=no_color)
    if not only:
        bad += _rebuild_tournaments(locale)
    return 1 if bad else 0


def _rebuild_matches(matches: list[str], most_entries: int, locale: Locale, *, no_color: bool) -> int:
    """Make heads, snapshots and whose turn it is anew; how many have a log that cannot be read."""
    from cli.progress import progress_bar
    from service.db.connection import DatabaseDown
    from service.play.rebuild import rebuild_caches

    changed, bad = 0, 0
    with progress_bar(no_color=no_color) as shown:
        task = shown.add_task(translate(locale, "commands.rebuild.building"), total=len(matches))
        for match in matches:
            try:
                changed += rebuild_caches(match, most_entries)
            except DatabaseDown:
                raise
            except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules
                bad += 1
                click.echo(translate(locale, "commands.rebuild.bad", match=match), err=True)
            shown.advance(task)
    click.echo(translate(locale, "commands.rebuild.done", matches=len(matches) - bad, changed=changed))
    return bad


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


def _rebuild_ratings(locale: Locale, *, no_color: bool) -> int:
    """Replay every match that is over, and count it anew into ratings and reliability."""
    from cli.progress import progress_bar
    from service.tournaments.ratings import rate_finished_matches
    from service.tournaments.views import answer_times

    ended = rate_finished_matches.list_ended_matches()
    found = []
    with progress_bar(no_color=no_color) as shown:
        task = shown.add_task(translate(locale, "commands.rebuild.replaying"), total=len(ended))
        for match, ended_at in ended:
            found.append(rate_finished_matches.replay_ended_match(match, ended_at))
            shown.advance(task)
    report = rate_finished_matches.replace_counts(found)
    answer_times.measure_all_matches()
    for match in report.unreadable:
        click.echo(translate(locale, "commands.rebuild.uncounted", match=match), err=True)
    figures = {"matches": report.matches, "rated": report.rated, "changed": report.changed}
    click.echo(translate(locale, "commands.rebuild.ratings_done", **figures))
    return 1 if report.unreadable else 0
