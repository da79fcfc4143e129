"""`echtra tournament rule`: make a ruling about a tournament, as one of its organisers or as the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, current_language, localise, print_line, refuse_problems

if TYPE_CHECKING:
    from service.tournaments.rulings.rulings import RulingPlan


@bilingual_command("rule", "usage.tournament_rule.about")
@click.argument("name")
@click.argument("words", nargs=-1, required=True, metavar="WHAT … WHY [WORDS]")
@bilingual_option("--as", "player", metavar="PLAYER", text="usage.tournament_rule.as")
@bilingual_option("--dry-run", is_flag=True, text="usage.tournament_rule.dry_run")
@bilingual_option("--seq", type=click.IntRange(min=0), text="usage.tournament_rule.seq")
def command(name: str, words: tuple[str, ...], player: str | None, dry_run: bool, seq: int | None) -> None:
    """Make a ruling. Without `--as` it is the operator's."""
    from cli.preflight import open_database
    from cli.tournament_access import find_player, find_tournament
    from service.tournaments.rulings.ruling_words import parse_ruling
    from service.tournaments.rulings.rulings import make_ruling, plan_ruling

    config = open_database()
    row = find_tournament(name)
    ruler = None if player is None else find_player(player).id
    with refuse_problems():
        request = parse_ruling(" ".join(words))
        plan = plan_ruling(ruler, row.id, request, config)
        if dry_run:
            _print_plan(plan)
            return
        ruling = make_ruling(ruler, row.id, request, plan.seq if seq is None else seq, config)
    for line in ruling.lines:
        click.echo(line)
    click.echo(localise("commands.tournament.ruled", seq=ruling.seq, count=len(plan.letters)))


def _print_plan(plan: RulingPlan) -> None:
    """Print the lines, the emails, and the standings before and after."""
    from service.tournaments.formats.points import show_points
    from service.tournaments.rounds.standings import find_names

    names = find_names(
        [player for _, player in plan.letters] + [each.player for each in plan.standings], current_language()
    )
    for line in plan.lines:
        click.echo(line)
    for kind, player in plan.letters:
        print_line(f"{kind}: {names[player]}")
    for each in plan.standings:
        ranks = f"{each.rank_before or '-'} → {each.rank_after or '-'}"
        points = f"{show_points(each.points_before or 0)} → {show_points(each.points_after or 0)}"
        print_line(f"{each.stage}: {names[each.player]}: {ranks} ({points})")
    click.echo(localise("commands.tournament.would_rule", seq=plan.seq))
