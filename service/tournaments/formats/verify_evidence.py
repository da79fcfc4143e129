"""Check what people kept beside the export of a tournament: earlier heads, receipts of entries, and match records.

An export alone shows that its lines follow from each other. A server could still write another story and sign that;
what people kept from before shows that it did not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import HOUSE
from service.record.errors import BadRecord
from service.record.hashing import sha256_hex
from service.record.seat_endings import EndingLine, SeatEnding, find_seat_endings, is_own_line
from service.record.verify import verify
from service.record.verify.reader import read_export
from service.record.verify.rules_check import RulesChecker
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import How, SeatResult, write_results
from service.tournaments.formats.faults import explain_fault
from service.tournaments.formats.stage_rules import DUPLICATE, SAME_DEAL
from service.tournaments.formats.tournament_log import BadTournament, LogLine, TournamentExport, entry_text
from service.tournaments.formats.tournament_state import NO_NONCE, TournamentState

LEAST_DIGITS = 8
"""Digits of a hash that tell one log from another. Pages and emails show twelve."""


@dataclass(frozen=True, slots=True)
class KeptHead:
    """The end of the log as somebody saw it earlier: the number of its last line, and digits of its hash."""

    seq: int
    digits: str


@dataclass(frozen=True, slots=True)
class TournamentEvidence:
    """Files kept beside an export: earlier heads, receipts as the API gives them, and records of matches."""

    heads: Sequence[KeptHead] = ()
    receipts: Sequence[Mapping[str, Any]] = ()
    records: Sequence[bytes] = ()


NO_EVIDENCE = TournamentEvidence()


def _fault(line: int, what: str, /, **values: object) -> BadTournament:
    return BadTournament(line, "kept", explain_fault(what, **values))


def _find_entry(export: TournamentExport, seq: int) -> LogLine | None:
    return export.entries[seq - 1] if 0 < seq <= len(export.entries) else None


def check_heads(export: TournamentExport, heads: Sequence[KeptHead]) -> None:
    """Raise `BadTournament` if the log does not continue an earlier head."""
    for head in heads:
        entry = _find_entry(export, head.seq)
        line = export.first_entry + min(head.seq, len(export.entries)) - 1
        if entry is None:
            raise _fault(max(line, 1), "head_missing", seq=head.seq)
        if not entry.hash.startswith(head.digits):
            raise _fault(line, "head_other", seq=head.seq, digits=head.digits)


def check_receipts(export: TournamentExport, receipts: Sequence[Mapping[str, Any]]) -> None:
    """Raise `BadTournament` if the log lacks an entry for which the server signed a receipt."""
    for receipt in receipts:
        seq, player, nonce = receipt.get("seq"), str(receipt.get("player")), str(receipt.get("nonce"))
        entry = _find_entry(export, seq) if isinstance(seq, int) else None
        if receipt.get("tournament") != export.header.tournament:
            raise _fault(1, "receipt_other")
        line = 1 if entry is None else export.first_entry + entry.seq - 1
        wanted = log_lines.write(log_lines.EnterLine(player, None if nonce == NO_NONCE else nonce))
        same = {wanted, log_lines.write(log_lines.EnterLine(player, nonce))}
        if entry is None or entry.hash != receipt.get("hash") or entry.line not in same:
            raise _fault(line, "receipt_broken", player=player, seq=seq)
        text = entry_text(export.header.tournament, player, nonce, entry.seq, entry.hash, entry.at)
        if receipt.get("server") != export.server.id or not export.server.verifies(str(receipt.get("signature")), text):
            raise _fault(line, "receipt_unsigned", player=player)


def check_records(
    export: TournamentExport, state: TournamentState, seeds: Mapping[str, str], records: Sequence[bytes]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the matches whose records prove their results, and those that an organiser decided.

    Raise `BadTournament` for a record that is bad, of another tournament, or with another result or deal.
    """
    last = {entry.value.match: entry.seq for entry in export.entries if isinstance(entry.value, log_lines.ResultLine)}
    results = {
        match: each.results[match]
        for stage in state.stages.values()
        for each in stage.rounds.values()
        for match in each.results
    }
    ruled = frozenset(
        match for match, seats in results.items() if any(seat.how in {How.RULED, How.FORFEIT} for seat in seats)
    )
    proved = []
    for data in records:
        match, seed, endings = _read_record(data)
        if match not in last:
            raise _fault(1, "record_other", match=match)
        line = export.first_entry + last[match] - 1
        if match in seeds and sha256_hex(bytes.fromhex(seeds[match])) != seed:
            raise _fault(line, "record_deal", match=match)
        together = state.stages[state.where[match][0]].rules.format in {SAME_DEAL, DUPLICATE}
        if match not in ruled:
            _compare(line, match, results[match], endings, together=together)
            proved.append(match)
    return tuple(proved), ruled


def _read_record(data: bytes) -> tuple[str, str, tuple[SeatEnding, ...]]:
    """Verify the record of a finished match. Return the match, the hash of its seed, and how its seats ended."""
    rules = RulesChecker()
    try:
        report = verify(data, rules=rules)
        log = read_export(data, None).log
    except BadRecord as fault:
        raise _fault(1, "record_bad", line=fault.line, detail=fault.detail) from None
    if not report.over or report.redacted:
        raise _fault(1, "record_open", match=report.match)
    house = [EndingLine(entry.seq, entry.at, entry.line) for entry in log.entries if entry.seat == HOUSE]
    movers = {entry.seat for entry in log.entries if entry.seat >= 0 and is_own_line(entry.by, entry.line)}
    return report.match, log.header.seed, find_seat_endings(rules.match_state, movers, house)


def _compare(
    line: int, match: str, results: Sequence[SeatResult], endings: Sequence[SeatEnding], *, together: bool
) -> None:
    """Raise `BadTournament` if a result is not that of the record. Where all play one deal, places compare tables."""
    wanted = [(0 if together else ending.place, ending.score) for ending in endings]
    if [(0 if together else seat.place, seat.score) for seat in results] != wanted:
        raise _fault(line, "record_result", match=match, result=write_results(results))
