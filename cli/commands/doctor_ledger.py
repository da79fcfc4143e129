"""The letters as `echtra doctor` shows them: how many are in which state, what waits and why, and each if wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, clean, in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.words import Locale

STATES: dict[str, Said] = {
    "queued": ("queued", "en attente"),
    "accepted": ("accepted", "acceptée"),
    "deferred": ("deferred", "différée"),
    "bounced": ("bounced", "revenue"),
    "answered": ("answered", "répondue"),
}
SAYS: dict[str, Said] = {
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


def tell(locale: Locale, *, whole: bool) -> None:
    """Print the state of the letters; with `whole` each letter of a month too."""
    for line in [*(_each(locale) if whole else ()), *_stuck(locale), *_counts(locale)]:
        click.echo(clean(line))


def _each(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import outbox as ledger
    from service.timestamps import now, rfc3339

    for row in ledger.listed(now() - ledger.KEPT):
        place = f"{row['match']}/{row['seat']}" if row["seat"] is not None else row["match"] or "-"
        at, state = rfc3339(int(str(row["created_at"]))), in_words(STATES[str(row["state"])], locale)
        values = {"at": at, "id": row["id"], "state": state, "kind": row["kind"], "place": place, "why": row["why"]}
        yield in_words(SAYS["letter"], locale).format(**values).rstrip()


def _stuck(locale: Locale) -> Iterator[str]:
    from service.db.connection import rows
    from service.timestamps import rfc3339

    sql = "select count(*), min(created_at), max(why) from letter where state = 'deferred'"
    ((count, since, why),) = rows(sql)
    if count:
        yield in_words(SAYS["deferred"], locale).format(count=count, since=rfc3339(since), why=why.rstrip("."))
    ((count, since),) = rows("select count(*), min(bounced_at) from player where bounced_at is not null")
    if count:
        yield in_words(SAYS["unreached"], locale).format(count=count, since=rfc3339(since))


def _counts(locale: Locale) -> Iterator[str]:
    from service.mail.outgoing import outbox as ledger

    found = ledger.counts()
    if any(found.values()):
        counts = ", ".join(f"{in_words(STATES[state], locale)} {count}" for state, count in found.items())
        yield in_words(SAYS["letters"], locale).format(counts=counts)
