"""`echtra tournament trf`: a TRF file of a Swiss or a round robin for two, paired and ranked anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import render, translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.tournaments.formats.crosstable import Number, Pairing
    from service.tournaments.formats.tiebreaks import Ranking
    from service.tournaments.formats.trf import RoundDifference, TrfEvent

EXIT_DIFFERENT = 1
MOST_TRF_BYTES = 16 * 1024 * 1024
SWISS_TIES = "BH/C1,BH,SB,DE,WIN,WON,PS,GE"
ROBIN_TIES = "SB,KS,WIN,DE,WON,PS,GE"


@bilingual_command("trf", "usage.tournament_trf.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--ties", metavar="LIST", text="usage.tournament_trf.ties")
@bilingual_option("--rules", type=click.Choice(["2024", "2026"]), default="2026", text="usage.tournament_trf.rules")
@bilingual_option("--json", "as_json", is_flag=True, text="usage.tournament_trf.json")
def command(  # one parameter an option
    file: Path, ties: str | None, rules: str, as_json: bool, locale: Locale, no_color: bool
) -> int:
    """Pair and rank a TRF file anew."""
    from cli.tournament_files import read_tournament_file
    from service.tournaments.formats import trf
    from service.tournaments.formats.points import Scoring
    from service.tournaments.formats.tiebreaks import TieRules, rank_entrants

    text = _decode(read_tournament_file(file, locale, MOST_TRF_BYTES), file, locale)
    try:
        event = trf.read_trf(text)
    except trf.BadTrf as fault:
        raise refusal(locale, "commands.tournament.trf.bad", path=file, why=render(fault.message, locale)) from None
    robin = trf.is_round_robin(event)
    scoring = Scoring(bye=0, asked=0) if robin else Scoring()
    names = _read_ties(ties or (ROBIN_TIES if robin else SWISS_TIES), locale)
    ranking = rank_entrants(scoring, event.rounds, event.numbers, TieRules(names, rules, robin=robin))
    differences = trf.find_differences(event, scoring)
    coming = trf.pair_next_round(event, scoring)
    if as_json:
        click.echo(_as_json(event, ranking, differences, coming, rules=rules, robin=robin))
    else:
        _print_event(event, ranking, differences, coming, locale, robin=robin, no_color=no_color)
    return EXIT_DIFFERENT if differences else 0


def _decode(data: bytes, file: Path, locale: Locale) -> str:
    """The text of a file: UTF-8, or as older programs write it, Latin-1."""
    if b"\0" in data:
        why = translate(locale, "commands.match_file.binary")
        raise refusal(locale, "commands.tournament.trf.bad", path=file, why=why)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_ties(text: str, locale: Locale) -> tuple[str, ...]:
    """Tie-breaks by FIDE's codes or by our names, in their order."""
    from service.tournaments.formats.tiebreaks import FIDE_CODES, LOTS

    names = {code: name for name, code in FIDE_CODES.items() if name != LOTS}
    found = []
    for word in filter(None, (each.strip() for each in text.split(","))):
        name = names.get(word.upper(), word.lower())
        if name not in names.values():
            raise refusal(locale, "commands.tournament.trf.no_tie", tie=word, known=", ".join(names))
        if name not in found:
            found.append(name)
    return tuple(found)


def _as_json(  # what the event comes to
    event: TrfEvent,
    ranking: Ranking,
    differences: tuple[RoundDifference, ...],
    coming: tuple[Pairing, ...],
    *,
    rules: str,
    robin: bool,
) -> str:
    from cli.tournament_files import standing_as_json
    from service.tournaments.formats.tiebreaks import FIDE_CODES

    people = {player.number: player.name for player in event.players}
    found = {
        "name": event.name,
        "format": "round-robin" if robin else "swiss",
        "rules": rules,
        "rounds": len(event.rounds),
        "planned": event.planned,
        "standings": [
            {**standing_as_json(line, FIDE_CODES), "name": people[line.number]} for line in ranking.standings
        ],
        "differences": [
            {
                "round": each.number,
                "file": [list(pair) for pair in each.event],
                "computed": list(map(list, each.computed)),
            }
            for each in differences
        ],
        "next": [list(pairing.seats) for pairing in coming],
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _print_event(  # what the event comes to
    event: TrfEvent,
    ranking: Ranking,
    differences: tuple[RoundDifference, ...],
    coming: tuple[Pairing, ...],
    locale: Locale,
    *,
    robin: bool,
    no_color: bool,
) -> None:
    from cli.terminal import Terminal
    from cli.tournament_files import print_standings
    from service.tournaments.formats.tiebreaks import FIDE_CODES

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament.trf.{key}", **values)

    terminal = Terminal(locale, no_color=no_color)
    people = {player.number: player.name for player in event.players}
    kind = say("robin" if robin else "swiss")
    terminal.prose(say("lead", name=event.name or "TRF", kind=kind, players=len(people), rounds=len(event.rounds)))
    print_standings(terminal, say("standings"), ranking.standings, people.__getitem__, FIDE_CODES)
    terminal.prose(say("different", count=len(differences)) if differences else say("same", count=len(event.rounds)))
    for each in differences:
        here, there = _join_pairs(each.event), _join_pairs(each.computed)
        terminal.points([say("difference", round=each.number, file=here or "–", computed=there or "–")])
    if coming:
        pairs = [pairing.seats for pairing in coming]
        terminal.prose(say("next", round=len(event.rounds) + 1, pairs=_join_pairs(pairs)))


def _join_pairs(pairs: tuple[tuple[Number, ...], ...] | list[tuple[Number, ...]]) -> str:
    """Pairs as numbers, white first; one who is alone has a bye."""
    return ", ".join("–".join(map(str, pair)) for pair in pairs)
