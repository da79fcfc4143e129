"""`echtra doctor`: derives again whatever can be derived from the logs, and explains what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, bilingual_option, program_name, strip_control_characters, text_in
from cli.command import bilingual_command as spoken_command
from service.i18n.legacy.cli_ailments import FOUND, LASTING, STUCK, WHY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.words import Locale

LETTER_STATES: dict[str, Bilingual] = {
    "queued": ("queued", "en attente"),
    "accepted": ("accepted", "acceptée"),
    "deferred": ("deferred", "différée"),
    "bounced": ("bounced", "revenue"),
    "answered": ("answered", "répondue"),
}
LETTER_TEXTS: dict[str, Bilingual] = {
    "letters": ("Letters: {counts}.", "Lettres : {counts}."),
    "letter": ("{at} {id} {state} {kind} {place} {why}", "{at} {id} {state} {kind} {place} {why}"),
    "deferred": (
        "Letters that wait for a mail server: {count}, the oldest since {since}. It says: {why}.",
        "Lettres qui attendent un serveur de courrier : {count}, la plus ancienne depuis {since}. Il dit : {why}.",
    ),
    "unreached": (
        "Players whose letters come back: {count}, the first since {since}. They get none until they answer or "
        "confirm.",
        "Joueurs dont les lettres reviennent : {count}, le premier depuis {since}. Ils n'en reçoivent plus avant de "
        "répondre ou de confirmer.",
    ),
}


def print_letters(locale: Locale, *, whole: bool) -> None:
    """Print the state of the letters; with `whole` each letter of a month too."""
    for line in [*(_letter_lines(locale) if whole else ()), *_stuck_lines(locale), *_count_lines(locale)]:
        click.echo(strip_control_characters(line))


def _letter_lines(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import outbox
    from service.timestamps import now, rfc3339

    for row in outbox.list_since(now() - outbox.BYTES_KEPT_FOR):
        place = f"{row['match']}/{row['seat']}" if row["seat"] is not None else row["match"] or "-"
        at, state = rfc3339(int(str(row["created_at"]))), text_in(LETTER_STATES[str(row["state"])], locale)
        values = {"at": at, "id": row["id"], "state": state, "kind": row["kind"], "place": place, "why": row["why"]}
        yield text_in(LETTER_TEXTS["letter"], locale).format(**values).rstrip()


def _stuck_lines(locale: Locale) -> Iterator[str]:
    from service.db.connection import rows
    from service.timestamps import rfc3339

    sql = "select count(*), min(created_at), max(why) from letter where state = 'deferred'"
    ((count, since, why),) = rows(sql)
    if count:
        yield text_in(LETTER_TEXTS["deferred"], locale).format(count=count, since=rfc3339(since), why=why.rstrip("."))
    ((count, since),) = rows("select count(*), min(bounced_at) from player where bounced_at is not null")
    if count:
        yield text_in(LETTER_TEXTS["unreached"], locale).format(count=count, since=rfc3339(since))


def _count_lines(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import outbox

    found = outbox.count_by_state()
    if any(found.values()):
        counts = ", ".join(f"{text_in(LETTER_STATES[state], locale)} {count}" for state, count in found.items())
        yield text_in(LETTER_TEXTS["letters"], locale).format(counts=counts)


if TYPE_CHECKING:
    from engine.words import Locale
    from service.play.integrity import Finding
    from worker.diagnostics import Diagnosis

ABOUT: Bilingual = (
    "Check every log and everything kept beside it, and explain what is stuck; exit code 1 if something is wrong.",
    "Vérifier chaque journal et tout ce qui est gardé à côté, et expliquer ce qui est bloqué ; code de sortie 1 si "
    "quelque chose ne va pas.",
)
TEXTS: dict[str, Bilingual] = {
    "examining": ("Examining", "Examen"),
    "match": ("Match {match}: {said}.", "Partie {match} : {said}."),
    "good": (
        "Matches examined: {matches}; entries: {entries}. Everything fits.",
        "Parties examinées : {matches} ; entrées : {entries}. Tout concorde.",
    ),
    "bad": (
        "Matches examined: {matches}; entries: {entries}. Wrong or stuck: {wrong}.",
        "Parties examinées : {matches} ; entrées : {entries}. Faux ou bloqué : {wrong}.",
    ),
    "lasting": (
        "What a log has lost cannot be made anew: keep a copy of the database as it is, as evidence; restore what is "
        "named above from a backup, and examine again; do not rebuild before.",
        "Ce qu'un journal a perdu ne se refait pas : gardez une copie de la base telle quelle, comme preuve ; "
        "rétablissez ce qui est nommé ci-dessus d'après une sauvegarde, et examinez de nouveau ; ne reconstruisez pas "
        "avant.",
    ),
    "caches": ("Caches are made anew by: {called} rebuild", "Les caches se refont par : {called} rebuild"),
}


@spoken_command("doctor", ABOUT)
@bilingual_option(
    "--letters", is_flag=True, said=("Each letter of a month, with its state.", "Chaque lettre du mois, avec son état.")
)
@bilingual_option("--match", "only", multiple=True, metavar="ID", said=("Only this match.", "Cette partie seulement."))
def command(only: tuple[str, ...], letters: bool, locale: Locale, no_color: bool) -> int:
    """Look for what is wrong or stuck."""
    from cli import preflight
    from cli.progress import progress_bar
    from service.play import integrity
    from worker import diagnostics

    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    print_letters(locale, whole=letters)
    wrong, entries = 0, 0
    advice: set[str] = set()
    matches = preflight.select_matches(only, locale)
    with progress_bar(no_color=no_color) as shown:
        task = shown.add_task(text_in(TEXTS["examining"], locale), total=len(matches))
        for match in matches:
            for finding in integrity.examine(match):
                wrong += 1
                advice.add("lasting" if finding.kind in LASTING else "caches")
                _print_line(_finding_text(match, finding, locale))
            entries += integrity.stored_match(match).entries
            shown.advance(task)
    for ailment in [
        *diagnostics.run_checks(config),
        *_check_broker(config.embedded, preflight.broker_eviction_policy(config)),
    ]:
        wrong += ailment.serious
        _print_line(_diagnosis_text(ailment, locale))
    for key in ("bad" if wrong else "good", *sorted(advice, reverse=True)):
        said = text_in(TEXTS[key], locale)
        click.echo(said.format(matches=len(matches), entries=entries, wrong=wrong, called=program_name()))
    return 1 if wrong else 0


def _print_line(text: str) -> None:
    from cli.command import strip_control_characters

    click.echo(strip_control_characters(text))


def _finding_text(match: str, finding: Finding, locale: Locale) -> str:
    said = text_in(FOUND[finding.kind], locale).format(**finding.values)
    return text_in(TEXTS["match"], locale).format(match=match, said=said)


def _diagnosis_text(ailment: Diagnosis, locale: Locale) -> str:
    values = {**ailment.values, "called": program_name()}
    if "why" in values:
        values["why"] = text_in(WHY[str(values["why"])], locale).format(**values)
    return text_in(STUCK[ailment.kind], locale).format(**values)


def _check_broker(embedded: bool, policy: str | None) -> list[Diagnosis]:
    from worker.diagnostics import Diagnosis

    if embedded or policy == "noeviction":
        return []
    if policy is None:
        return [Diagnosis("no-broker", {}, serious=False)]
    return [Diagnosis("evicts", {"policy": policy})]
