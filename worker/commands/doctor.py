"""`echtra doctor`: derives again whatever can be derived from the logs, and explains what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from worker.commands.spoken import Said, in_words, option
from worker.commands.spoken import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale
    from worker.examination import Finding
    from worker.rounds import Ailment

ABOUT: Said = (
    "Check every log and everything kept beside it, and explain what is stuck; exit code 1 if something is wrong.",
    "Vérifier chaque journal et tout ce qui est gardé à côté, et expliquer ce qui est bloqué ; code de sortie 1 si "
    "quelque chose ne va pas.",
)
FOUND: dict[str, Said] = {
    "log": ("its log is not good: {detail}", "son journal n'est pas bon : {detail}"),
    "head": ("its head is kept as {detail}", "sa tête est gardée comme {detail}"),
    "status": ("its status is kept as {detail}", "son état est gardé comme {detail}"),
    "resolved": ("it counts as resolved {detail}", "elle passe pour résolue {detail}"),
    "snapshot": ("its snapshot is wrong: {detail}", "son instantané est faux : {detail}"),
    "seat": ("{detail}", "{detail}"),
    "submission": ("submission {detail}", "envoi {detail}"),
}
STUCK: dict[str, Said] = {
    "silent": (
        "Worker {worker} has not been heard since {since} and did not say that it stops: it was killed, or hangs.",
        "Le worker {worker} est muet depuis {since} sans avoir annoncé son arrêt : il a été tué, ou il est bloqué.",
    ),
    "stopped": (
        "No worker runs (the last one stopped at {since}); start one with echtra serve or echtra worker.",
        "Aucun worker ne tourne (le dernier s'est arrêté à {since}) ; lancez echtra serve ou echtra worker.",
    ),
    "unresolved": (
        "Match {match} waits for a worker since {since}: resolved up to entry {resolved} of {head}.",
        "La partie {match} attend un worker depuis {since} : résolue jusqu'à l'entrée {resolved} sur {head}.",
    ),
    "more-unresolved": ("… and {count} more matches.", "… et {count} autres parties."),
    "due": (
        "{count} jobs of {topic} are due since {since}; last error: {why}.",
        "{count} tâches de {topic} sont dues depuis {since} ; dernière erreur : {why}.",
    ),
    "retried": (
        "{count} jobs of {topic} failed and are tried again from {since}; last error: {why}.",
        "{count} tâches de {topic} ont échoué et seront retentées dès {since} ; dernière erreur : {why}.",
    ),
    "dead": (
        "Job {job} ({topic}) was given up at {since} after {attempts} tries: {why}.",
        "La tâche {job} ({topic}) a été abandonnée à {since} après {attempts} essais : {why}.",
    ),
    "more-dead": ("… and {count} more jobs given up.", "… et {count} autres tâches abandonnées."),
    "undelivered": (
        "{count} events wait for hook {hook} ({url}) since {since}; last answer: {why}.",
        "{count} événements attendent le hook {hook} ({url}) depuis {since} ; dernière réponse : {why}.",
    ),
    "disabled": (
        "Hook {hook} ({url}) is switched off since {since}: {why}.",
        "Le hook {hook} ({url}) est coupé depuis {since} : {why}.",
    ),
    "unread": (
        "{count} letters that came in are unread since {since}.",
        "{count} lettres reçues ne sont pas lues depuis {since}.",
    ),
    "overdue": (
        "Match {match}: seat {seat} was due at {since}, and nothing followed.",
        "Partie {match} : la place {seat} devait répondre à {since}, et rien n'a suivi.",
    ),
    "evicts": (
        "Redis has maxmemory-policy {policy}; it must be noeviction.",
        "Redis a la maxmemory-policy {policy} ; il faut noeviction.",
    ),
    "no-broker": (
        "Redis at ECHTRA_BROKER_URL does not answer; work goes on more slowly without it.",
        "Redis (ECHTRA_BROKER_URL) ne répond pas ; le travail continue sans lui, plus lentement.",
    ),
}
SAYS: dict[str, Said] = {
    "examining": ("Examining", "Examen"),
    "match": ("Match {match}: {said}.", "Partie {match} : {said}."),
    "good": (
        "{matches} matches with {entries} entries examined: everything fits.",
        "{matches} parties et {entries} entrées examinées : tout concorde.",
    ),
    "bad": (
        "{matches} matches with {entries} entries examined: {wrong} things are wrong. Caches are made anew by: "
        "echtra rebuild",
        "{matches} parties et {entries} entrées examinées : {wrong} choses ne vont pas. Les caches se refont par : "
        "echtra rebuild",
    ),
}


@spoken_command("doctor", ABOUT)
@option(
    "--letters", is_flag=True, said=("Each letter of a month, with its state.", "Chaque lettre du mois, avec son état.")
)
@option("--match", "only", multiple=True, metavar="ID", said=("Only this match.", "Cette partie seulement."))
def command(only: tuple[str, ...], letters: bool, locale: Locale, no_color: bool) -> int:
    """Look for what is wrong or stuck."""
    from service.database import rows
    from worker import examination, rounds
    from worker.commands import ledger, starting
    from worker.commands.bar import bar

    config = starting.configured(locale)
    starting.prepared(config, locale)
    ledger.tell(locale, whole=letters)
    wrong = 0
    matches = list(only) or examination.started()
    with bar(no_color=no_color) as shown:
        task = shown.add_task(in_words(SAYS["examining"], locale), total=len(matches))
        for match in matches:
            for finding in examination.examine(match):
                wrong += 1
                _tell(_of_match(match, finding, locale))
            shown.advance(task)
    ((entries,),) = rows("select count(*) from entry")
    for ailment in [*rounds.ailments(), *_broker(config.embedded, starting.policy(config))]:
        wrong += ailment.serious
        _tell(in_words(STUCK[ailment.kind], locale).format(**ailment.values))
    said = in_words(SAYS["bad" if wrong else "good"], locale)
    click.echo(said.format(matches=len(matches), entries=entries, wrong=wrong))
    return 1 if wrong else 0


def _tell(text: str) -> None:
    from worker.commands.spoken import clean

    click.echo(clean(text))


def _of_match(match: str, finding: Finding, locale: Locale) -> str:
    said = in_words(FOUND[finding.kind], locale).format(detail=finding.detail.rstrip("."))
    return in_words(SAYS["match"], locale).format(match=match, said=said)


def _broker(embedded: bool, policy: str | None) -> list[Ailment]:
    from worker.rounds import Ailment

    if embedded or policy == "noeviction":
        return []
    if policy is None:
        return [Ailment("no-broker", {}, serious=False)]
    return [Ailment("evicts", {"policy": policy})]
