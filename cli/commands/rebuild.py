"""`echtra rebuild`: recompute the caches from the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, bilingual_command, bilingual_option, localise, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@bilingual_command("rebuild", "usage.rebuild.about")
@click.argument("what", cls=BilingualArgument, type=click.Choice(["matches", "ratings"]), default="matches")
@bilingual_option("--match", "only", multiple=True, metavar="ID", text="usage.rebuild.match")
def command(what: str, only: tuple[str, ...]) -> int:
    """Rebuild the caches."""
    from cli import preflight

    if only and what == "ratings":
        raise refusal("commands.match.clash", one="ratings", other="--match")
    config = preflight.open_database()
    if what == "ratings":
        return _rebuild_ratings()
    bad = _rebuild_matches(preflight.select_matches(only), config.most_entries)
    if not only:
        bad += _rebuild_tournaments()
    return 1 if bad else 0


def _rebuild_matches(matches: list[str], most_entries: int) -> int:
    """Rebuild heads, snapshots and whose turn it is. Return how many matches have an unreadable log."""
    from cli.progress import progress_bar
    from service.play.rebuild import rebuild_caches

    with progress_bar() as bar:
        changed, bad = _rebuild_each(
            bar.track(matches, description=localise("commands.rebuild.building")),
            lambda match: rebuild_caches(match, most_entries),
            lambda match: localise("commands.rebuild.bad", match=match),
        )
    click.echo(localise("commands.rebuild.done", matches=len(matches) - bad, changed=changed))
    return bad


def _rebuild_tournaments() -> int:
    """Rebuild the caches of all tournaments. Return how many have an unreadable log."""
    from service.tournaments.tournament_integrity import list_tournaments, rebuild_tournament

    tournaments = list_tournaments()
    changed, bad = _rebuild_each(
        tournaments,
        rebuild_tournament,
        lambda tournament: localise("commands.rebuild.bad_tournament", tournament=tournament),
    )
    if tournaments:
        click.echo(localise("commands.rebuild.tournaments", tournaments=len(tournaments) - bad, changed=changed))
    return bad


def _rebuild_each(ids: Iterable[str], rebuild: Callable[[str], int], bad_text: Callable[[str], str]) -> tuple[int, int]:
    """Rebuild one after the other. Return how many caches changed, and how many logs are unreadable."""
    from service.db.connection import DatabaseDown

    changed, bad = 0, 0
    for id_ in ids:
        try:
            changed += rebuild(id_)
        except DatabaseDown:
            raise
        except Exception:  # noqa: BLE001  # a broken log can make the rules raise anything
            bad += 1
            click.echo(bad_text(id_), err=True)
    return changed, bad


def _rebuild_ratings() -> int:
    """Replay every finished match, and count it again into ratings and reliability."""
    from cli.progress import progress_bar
    from service.tournaments.ratings import rate_finished_matches
    from service.tournaments.views import answer_times

    ended = rate_finished_matches.list_ended_matches()
    with progress_bar() as bar:
        replayed = [
            rate_finished_matches.replay_ended_match(match, ended_at)
            for match, ended_at in bar.track(ended, description=localise("commands.rebuild.replaying"))
        ]
    report = rate_finished_matches.replace_counts(replayed)
    answer_times.measure_all_matches()
    for match in report.unreadable:
        click.echo(localise("commands.rebuild.uncounted", match=match), err=True)
    figures = {"matches": report.matches, "rated": report.rated, "changed": report.changed}
    click.echo(localise("commands.rebuild.ratings_done", **figures))
    return 1 if report.unreadable else 0
