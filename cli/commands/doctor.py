"""`echtra doctor`: derives again whatever can be derived from the logs, and explains what is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, in_words, option
from cli.command import command as spoken_command
from cli.command_shell import called
from service.i18n.legacy.cli_ailments import FOUND, LASTING, STUCK, WHY

if TYPE_CHECKING:
    from engine.words import Locale
    from service.play.integrity import Finding
    from worker.diagnostics import Ailment

ABOUT: Said = (
    "Check every log and everything kept beside it, and explain what is stuck; exit code 1 if something is wrong.",
    "Vérifier chaque journal et tout ce qui est gardé à côté, et expliquer ce qui est bloqué ; code de sortie 1 si "
    "quelque chose ne va pas.",
)
SAYS: dict[str, Said] = {
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
@option(
    "--letters", is_flag=True, said=("Each letter of a month, with its state.", "Chaque lettre du mois, avec son état.")
)
@option("--match", "only", multiple=True, metavar="ID", said=("Only this match.", "Cette partie seulement."))
def command(only: tuple[str, ...], letters: bool, locale: Locale, no_color: bool) -> int:
    """Look for what is wrong or stuck."""
    from cli import preflight as starting
    from cli.commands import doctor_ledger as ledger
    from cli.progress import bar
    from service.play import integrity as examination
    from worker import diagnostics as rounds

    config = starting.configured(locale)
    starting.prepared(config, locale)
    ledger.tell(locale, whole=letters)
    wrong, entries = 0, 0
    advice: set[str] = set()
    matches = starting.chosen(only, locale)
    with bar(no_color=no_color) as shown:
        task = shown.add_task(in_words(SAYS["examining"], locale), total=len(matches))
        for match in matches:
            for finding in examination.examine(match):
                wrong += 1
                advice.add("lasting" if finding.kind in LASTING else "caches")
                _tell(_of_match(match, finding, locale))
            entries += examination.kept(match).entries
            shown.advance(task)
    for ailment in [*rounds.ailments(config), *_broker(config.embedded, starting.policy(config))]:
        wrong += ailment.serious
        _tell(_of_house(ailment, locale))
    for key in ("bad" if wrong else "good", *sorted(advice, reverse=True)):
        said = in_words(SAYS[key], locale)
        click.echo(said.format(matches=len(matches), entries=entries, wrong=wrong, called=called()))
    return 1 if wrong else 0


def _tell(text: str) -> None:
    from cli.command import clean

    click.echo(clean(text))


def _of_match(match: str, finding: Finding, locale: Locale) -> str:
    said = in_words(FOUND[finding.kind], locale).format(**finding.values)
    return in_words(SAYS["match"], locale).format(match=match, said=said)


def _of_house(ailment: Ailment, locale: Locale) -> str:
    values = {**ailment.values, "called": called()}
    if "why" in values:
        values["why"] = in_words(WHY[str(values["why"])], locale).format(**values)
    return in_words(STUCK[ailment.kind], locale).format(**values)


def _broker(embedded: bool, policy: str | None) -> list[Ailment]:
    from worker.diagnostics import Ailment

    if embedded or policy == "noeviction":
        return []
    if policy is None:
        return [Ailment("no-broker", {}, serious=False)]
    return [Ailment("evicts", {"policy": policy})]
