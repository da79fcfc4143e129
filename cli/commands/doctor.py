"""`echtra doctor`: derives again whatever can be derived from the logs, and explains what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, program_name, refusal, strip_control_characters
from service.i18n.catalogue import msg, render, translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.words import Locale
    from service.play.integrity import Finding
    from worker.diagnostics import Diagnosis

LASTING = frozenset({"log", "entry", "header", "seal", "submission", "tournament-log", "tournament-result"})
"""What no rebuild can mend, for it is no cache."""


def print_letters(locale: Locale, *, whole: bool) -> None:
    """Print the state of the letters; with `whole` each letter of a month too."""
    for line in [*(_letter_lines(locale) if whole else ()), *_stuck_lines(locale), *_count_lines(locale)]:
        click.echo(strip_control_characters(line))


def _letter_lines(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import letter_ledger
    from service.timestamps import DAY, now, rfc3339

    for row in letter_ledger.list_since(now() - 30 * DAY):
        place = f"{row['match']}/{row['seat']}" if row["seat"] is not None else row["match"] or "-"
        at, state = rfc3339(int(str(row["created_at"]))), translate(locale, f"doctor.letter_state.{row['state']}")
        values = {"at": at, "id": row["id"], "state": state, "kind": row["kind"], "place": place, "why": row["why"]}
        yield translate(locale, "doctor.letters.letter", **values).rstrip()


def _stuck_lines(locale: Locale) -> Iterator[str]:
    from service.db.connection import rows
    from service.timestamps import rfc3339

    sql = "select count(*), min(created_at), max(why) from letter where state = 'deferred'"
    ((count, since, why),) = rows(sql)
    if count:
        yield translate(locale, "doctor.letters.deferred", count=count, since=rfc3339(since), why=why.rstrip("."))
    ((count, since),) = rows("select count(*), min(bounced_at) from player where bounced_at is not null")
    if count:
        yield translate(locale, "doctor.letters.unreached", count=count, since=rfc3339(since))


def _count_lines(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import letter_ledger

    found = letter_ledger.count_by_state()
    if any(found.values()):
        counts = ", ".join(
            f"{translate(locale, f'doctor.letter_state.{state}')} {count}" for state, count in found.items()
        )
        yield translate(locale, "doctor.letters.letters", counts=counts)


@bilingual_command("doctor", "usage.doctor.about")
@bilingual_option("--letters", is_flag=True, text="usage.doctor.letters")
@bilingual_option("--match", "only", multiple=True, metavar="ID", text="usage.doctor.match")
@bilingual_option("--since", metavar="DATE", text="usage.doctor.since")
def command(only: tuple[str, ...], since: str | None, letters: bool, locale: Locale, no_color: bool) -> int:
    """Look for what is wrong or stuck."""
    from cli import preflight
    from cli.progress import progress_bar
    from service.play import integrity
    from worker import diagnostics

    if only and since:
        raise refusal(locale, "commands.match.clash", one="--match", other="--since")
    changed_since = preflight.parse_time(since, locale) if since else None
    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    print_letters(locale, whole=letters)
    if config.smtp_url and not config.authserv_id:
        _print_line(translate(locale, "doctor.letters.no_relay"))
    wrong, entries = 0, 0
    advice: set[str] = set()
    matches = preflight.select_matches(only, locale, changed_since)
    with progress_bar(no_color=no_color) as shown:
        task = shown.add_task(translate(locale, "doctor.examining"), total=len(matches))
        for match in matches:
            for finding in integrity.examine(match):
                wrong += 1
                advice.add("doctor.lasting" if finding.kind in LASTING else "doctor.caches")
                _print_line(_finding_text(match, finding, locale))
            entries += integrity.stored_match(match).entries
            shown.advance(task)
    for tournament, finding in [] if only else _examine_tournaments():
        wrong += 1
        advice.add("doctor.lasting" if finding.kind in LASTING else "doctor.caches")
        _print_line(_tournament_finding_text(tournament, finding, locale))
    for ailment in [
        *diagnostics.run_checks(config),
        *_check_broker(config.embedded, preflight.broker_eviction_policy(config)),
    ]:
        wrong += ailment.serious
        _print_line(_diagnosis_text(ailment, locale))
    for key in ("doctor.bad" if wrong else "doctor.good", *sorted(advice, reverse=True)):
        figures = {"matches": len(matches), "entries": entries, "wrong": wrong}
        click.echo(translate(locale, key, **figures, called=program_name()))
    return 1 if wrong else 0


def _examine_tournaments() -> Iterator[tuple[str, Finding]]:
    from service.tournaments.tournament_integrity import examine_tournament, list_tournaments

    for tournament in list_tournaments():
        for finding in examine_tournament(tournament):
            yield tournament, finding


def _print_line(text: str) -> None:
    from cli.command import strip_control_characters

    click.echo(strip_control_characters(text))


def _finding_text(match: str, finding: Finding, locale: Locale) -> str:
    said = translate(locale, f"doctor.finding.{finding.kind}", **finding.values)
    return translate(locale, "doctor.match", match=match, said=said)


def _tournament_finding_text(tournament: str, finding: Finding, locale: Locale) -> str:
    said = render(msg(f"doctor.finding.{finding.kind}", **finding.values), locale)
    return translate(locale, "doctor.tournament", tournament=tournament, said=said)


def _diagnosis_text(ailment: Diagnosis, locale: Locale) -> str:
    values = {**ailment.values, "called": program_name()}
    if "why" in values:
        values["why"] = translate(locale, f"doctor.why.{values['why']}", **values)
    return translate(locale, f"doctor.stuck.{ailment.kind}", **values)


def _check_broker(embedded: bool, policy: str | None) -> list[Diagnosis]:
    from worker.diagnostics import Diagnosis

    if embedded or policy == "noeviction":
        return []
    if policy is None:
        return [Diagnosis("no-broker", {}, serious=False)]
    return [Diagnosis("evicts", {"policy": policy})]
