"""`echtra tournament trf`: recompute the pairings and standings of the Swiss or round robin in a TRF file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, bilingual_option, current_language, localise, refusal
from service.i18n.catalogue import render

if TYPE_CHECKING:
    from service.tournaments.formats.crosstable import Number, Pairing
    from service.tournaments.formats.tiebreaks import Ranking
    from service.tournaments.formats.trf import RoundDifference, TrfEvent

EXIT_DIFFERENT = 1
MOST_TRF_BYTES = 16 * 1024 * 1024
SWISS_TIES = "BH/C1,BH,SB,DE,WIN,WON,PS,GE"
ROBIN_TIES = "SB,KS,WIN,DE,WON,PS,GE"


@bilingual_command("trf", "usage.tournament_trf.about")
@click.argument("file", type=FILE)
@bilingual_option("--ties", metavar="LIST", text="usage.tournament_trf.ties")
@bilingual_option("--rules", type=click.Choice(["2024", "2026"]), default="2026", text="usage.tournament_trf.rules")
@bilingual_option("--json", "as_json", is_flag=True, text="usage.tournament_trf.json")
def command(file: Path, ties: str | None, rules: str, as_json: bool) -> int:
    """Recompute the pairings and standings of a TRF file."""
    from cli.files import read_file
    from service.tournaments.formats import trf
    from service.tournaments.formats.points import Scoring
    from service.tournaments.formats.tiebreaks import TieRules, rank_entrants

    text = _decode(read_file(file, MOST_TRF_BYTES), file)
    try:
        event = trf.read_trf(text)
    except trf.BadTrf as fault:
        raise refusal("commands.tournament.trf.bad", path=file, why=render(fault.message, current_language())) from None
    robin = trf.is_round_robin(event)
    scoring = Scoring(bye=0, asked=0) if robin else Scoring()
    names = _read_ties(ties or (ROBIN_TIES if robin else SWISS_TIES))
    ranking = rank_entrants(scoring, event.rounds, event.numbers, TieRules(names, rules, robin=robin))
    differences = trf.find_differences(event, scoring)
    analysis = TrfAnalysis(event, robin, ranking, differences, trf.pair_next_round(event, scoring))
    if as_json:
        click.echo(_as_json(analysis, rules))
    else:
        _print_analysis(analysis)
    return EXIT_DIFFERENT if differences else 0


@dataclass(frozen=True)
class TrfAnalysis:
    """The event in a file, with what our rules compute from it."""

    event: TrfEvent
    robin: bool
    ranking: Ranking
    differences: tuple[RoundDifference, ...]
    next_round: tuple[Pairing, ...]

    @property
    def names(self) -> dict[Number, str]:
        """Names of the players by their numbers."""
        return {player.number: player.name for player in self.event.players}


def _decode(data: bytes, file: Path) -> str:
    """Decode a file: UTF-8 or, as older programs write it, Latin-1."""
    if b"\0" in data:
        why = localise("commands.match_file.binary")
        raise refusal("commands.tournament.trf.bad", path=file, why=why)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_ties(text: str) -> tuple[str, ...]:
    """Read a list of tie-breaks, by FIDE's codes or by our names."""
    from service.tournaments.formats.tiebreaks import FIDE_CODES, LOTS

    names = {code: name for name, code in FIDE_CODES.items() if name != LOTS}
    ties: list[str] = []
    for word in filter(None, (each.strip() for each in text.split(","))):
        name = names.get(word.upper(), word.lower())
        if name not in names.values():
            raise refusal("commands.tournament.trf.no_tie", tie=word, known=", ".join(names))
        if name not in ties:
            ties.append(name)
    return tuple(ties)


def _as_json(analysis: TrfAnalysis, rules: str) -> str:
    from cli.standings_tables import standing_as_json
    from service.tournaments.formats.tiebreaks import FIDE_CODES

    event, names = analysis.event, analysis.names
    shown = {
        "name": event.name,
        "format": "round-robin" if analysis.robin else "swiss",
        "rules": rules,
        "rounds": len(event.rounds),
        "planned": event.planned,
        "standings": [
            {**standing_as_json(line, FIDE_CODES), "name": names[line.number]} for line in analysis.ranking.standings
        ],
        "differences": [
            {
                "round": each.number,
                "file": [list(pair) for pair in each.event],
                "computed": list(map(list, each.computed)),
            }
            for each in analysis.differences
        ],
        "next": [list(pairing.seats) for pairing in analysis.next_round],
    }
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _print_analysis(analysis: TrfAnalysis) -> None:
    from cli.standings_tables import print_standings
    from cli.terminal import Terminal
    from service.tournaments.formats.tiebreaks import FIDE_CODES

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.trf.{key}", **values)

    terminal, event, names = Terminal(), analysis.event, analysis.names
    differences, rounds = analysis.differences, len(event.rounds)
    kind = say("robin" if analysis.robin else "swiss")
    terminal.prose(say("lead", name=event.name or "TRF", kind=kind, players=len(names), rounds=rounds))
    print_standings(terminal, say("standings"), analysis.ranking.standings, names.__getitem__, FIDE_CODES)
    terminal.prose(say("different", count=len(differences)) if differences else say("same", count=rounds))
    for each in differences:
        here, there = _join_pairs(each.event), _join_pairs(each.computed)
        terminal.points([say("difference", round=each.number, file=here or "–", computed=there or "–")])
    if analysis.next_round:
        pairs = _join_pairs(pairing.seats for pairing in analysis.next_round)
        terminal.prose(say("next", round=rounds + 1, pairs=pairs))


def _join_pairs(pairs: Iterable[tuple[Number, ...]]) -> str:
    """Write pairs as numbers, white first. A number alone has a bye."""
    return ", ".join("–".join(map(str, pair)) for pair in pairs)
