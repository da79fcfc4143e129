"""`echtra doctor`: recompute everything that follows from the logs, compare, and explain what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import (
    bilingual_command,
    bilingual_option,
    current_language,
    localise,
    print_line,
    program_name,
    refusal,
)
from service.i18n.catalogue import msg, render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from service.play.integrity import Finding
    from worker.diagnostics import Diagnosis

LASTING = frozenset({"log", "entry", "header", "seal", "submission", "tournament-log", "tournament-result"})
"""Kinds of findings that `echtra rebuild` cannot repair, because they are not about caches."""


@bilingual_command("doctor", "usage.doctor.about")
@bilingual_option("--letters", is_flag=True, text="usage.doctor.letters")
@bilingual_option("--match", "only", multiple=True, metavar="ID", text="usage.doctor.match")
@bilingual_option("--since", metavar="DATE", text="usage.doctor.since")
def command(only: tuple[str, ...], since: str | None, letters: bool) -> int:
    """Look for anything wrong or stuck."""
    from cli import preflight
    from cli.progress import progress_bar
    from service.play import integrity
    from worker import diagnostics

    if only and since:
        raise refusal("commands.match.clash", one="--match", other="--since")
    changed_since = preflight.parse_time(since) if since else None
    config = preflight.open_database()
    for line in [*(_letter_lines() if letters else ()), *_stuck_lines(), *_count_lines()]:
        print_line(line)
    if config.smtp_url and not config.authserv_id:
        print_line(localise("doctor.letters.no_relay"))
    findings: list[Finding] = []
    entries = 0
    matches = preflight.select_matches(only, changed_since)
    with progress_bar() as bar:
        for match in bar.track(matches, description=localise("doctor.examining")):
            findings += _print_findings("match", match, integrity.examine(match))
            entries += integrity.stored_match(match).entries
    if not only:
        findings += _examine_tournaments()
    diagnoses = [*diagnostics.run_checks(config)]
    if not config.embedded:
        diagnoses += _check_broker(preflight.broker_eviction_policy(config))
    for diagnosis in diagnoses:
        print_line(_diagnosis_text(diagnosis))
    wrong = len(findings) + sum(diagnosis.serious for diagnosis in diagnoses)
    advice = {"doctor.lasting" if finding.kind in LASTING else "doctor.caches" for finding in findings}
    figures = {"matches": len(matches), "entries": entries, "wrong": wrong}
    for key in ("doctor.bad" if wrong else "doctor.good", *sorted(advice, reverse=True)):
        click.echo(localise(key, **figures, called=program_name()))
    return 1 if wrong else 0


def _letter_lines() -> Iterator[str]:
    from service.mail.outgoing import letter_ledger
    from service.timestamps import DAY, now, rfc3339

    for row in letter_ledger.list_since(now() - 30 * DAY):
        place = f"{row['match']}/{row['seat']}" if row["seat"] is not None else row["match"] or "-"
        at, state = rfc3339(int(str(row["created_at"]))), localise(f"doctor.letter_state.{row['state']}")
        values = {"at": at, "id": row["id"], "state": state, "kind": row["kind"], "place": place, "why": row["why"]}
        yield localise("doctor.letters.letter", **values).rstrip()


def _stuck_lines() -> Iterator[str]:
    from service.db.connection import rows
    from service.timestamps import rfc3339

    sql = "select count(*), min(created_at), max(why) from letter where state = 'deferred'"
    ((count, since, why),) = rows(sql)
    if count:
        yield localise("doctor.letters.deferred", count=count, since=rfc3339(since), why=why.rstrip("."))
    ((count, since),) = rows("select count(*), min(bounced_at) from player where bounced_at is not null")
    if count:
        yield localise("doctor.letters.unreached", count=count, since=rfc3339(since))


def _count_lines() -> Iterator[str]:
    from service.mail.outgoing import letter_ledger

    counts = letter_ledger.count_by_state()
    if any(counts.values()):
        texts = (f"{localise(f'doctor.letter_state.{state}')} {count}" for state, count in counts.items())
        yield localise("doctor.letters.letters", counts=", ".join(texts))


def _print_findings(kind: str, id_: str, findings: Iterable[Finding]) -> list[Finding]:
    """Print the findings about a match or a tournament, and return them as a list."""
    listed = list(findings)
    for finding in listed:
        # Values may be messages themselves, which only `render` puts into the language of the call.
        text = render(msg(f"doctor.finding.{finding.kind}", **finding.values), current_language())
        print_line(localise(f"doctor.{kind}", **{kind: id_}, said=text))
    return listed


def _examine_tournaments() -> list[Finding]:
    from service.tournaments.tournament_integrity import examine_tournament, list_tournaments

    findings: list[Finding] = []
    for tournament in list_tournaments():
        findings += _print_findings("tournament", tournament, examine_tournament(tournament))
    return findings


def _diagnosis_text(diagnosis: Diagnosis) -> str:
    values = {**diagnosis.values, "called": program_name()}
    if "why" in values:
        values["why"] = localise(f"doctor.why.{values['why']}", **values)
    return localise(f"doctor.stuck.{diagnosis.kind}", **values)


def _check_broker(policy: str | None) -> list[Diagnosis]:
    from worker.diagnostics import Diagnosis

    if policy is None:
        return [Diagnosis("no-broker", {}, serious=False)]
    return [] if policy == "noeviction" else [Diagnosis("evicts", {"policy": policy})]
