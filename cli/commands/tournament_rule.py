"""`echtra tournament rule`: decide about a tournament, as one of its organisers or as the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, strip_control_characters
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.tournaments.rulings.rulings import RulingPlan


@bilingual_command("rule", "usage.tournament_rule.about")
@click.argument("name")
@click.argument("words", nargs=-1, required=True, metavar="WHAT … WHY [WORDS]")
@bilingual_option("--as", "player", metavar="PLAYER", text="usage.tournament_rule.as")
@bilingual_option("--dry-run", is_flag=True, text="usage.tournament_rule.dry_run")
@bilingual_option("--seq", type=click.IntRange(min=0), text="usage.tournament_rule.seq")
def command(
    name: str,
    words: tuple[str, ...],
    player: str | None,
    dry_run: bool,
    seq: int | None,
    locale: Locale,
    no_color: bool,  # noqa: ARG001  # every command takes it
) -> int:
    """Rule; without `--as` it is the operator's ruling."""
    from cli.tournament_access import find_named, find_organiser, open_database, refuse_problems
    from service.tournaments.rulings.ruling_words import parse_ruling
    from service.tournaments.rulings.rulings import make_ruling, plan_ruling

    config = open_database(locale)
    row = find_named(name, locale)
    ruler = None if player is None else find_organiser(player, locale).id
    with refuse_problems(locale):
        request = parse_ruling(" ".join(words))
        plan = plan_ruling(ruler, row.id, request, config)
        if dry_run:
            _print_plan(plan, locale)
            return 0
        made = make_ruling(ruler, row.id, request, plan.seq if seq is None else seq, config)
    for line in made.lines:
        click.echo(line)
    click.echo(translate(locale, "commands.tournament.ruled", seq=made.seq, count=len(plan.letters)))
    return 0


def _print_plan(plan: RulingPlan, locale: Locale) -> None:
    """Print the lines, the letters and the standings before and after."""
    from service.tournaments.formats.points import show_points
    from service.tournaments.rounds.standings import find_names

    names = find_names([player for _, player in plan.letters] + [each.player for each in plan.standings], locale)
    for line in plan.lines:
        click.echo(line)
    for kind, player in plan.letters:
        click.echo(f"{kind}: {strip_control_characters(names[player])}")
    for each in plan.standings:
        ranks = f"{each.rank_before or '-'} → {each.rank_after or '-'}"
        points = f"{show_points(each.points_before or 0)} → {show_points(each.points_after or 0)}"
        click.echo(f"{each.stage}: {strip_control_characters(names[each.player])}: {ranks} ({points})")
    click.echo(translate(locale, "commands.tournament.would_rule", seq=plan.seq))
