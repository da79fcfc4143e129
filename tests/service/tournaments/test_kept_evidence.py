"""Evidence kept beside a tournament: match records prove results, receipts entries, and earlier heads all lines."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from service.config import Config
from service.db.models.matches import MatchRow
from service.i18n.catalogue import render
from service.play import record_export
from service.play.match_loader import load_match_state
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.export import write_json
from service.tournaments.formats.tournament_log import BadTournament
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.formats.verify_evidence import KeptHead, TournamentEvidence
from service.tournaments.tournament_store import export_record, find_log
from service.tournaments.views.overview import export_source
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A round robin of three, played to its end."""
    made = open_tournament(service, clock, document_text(), entrants=3)
    made.run_to_end(play=True)
    return made


def records() -> list[bytes]:
    """The records of all matches."""
    return [record_export.export_record(load_match_state(row.id), "all") for row in MatchRow.select()]


def receipt_of(hosted: HostedTournament, number: int) -> dict[str, object]:
    """The receipt of an entrant, as the API gives it."""
    player = hosted.people[number].player
    receipt = asdict(enter_tournament(player, hosted.row, "-", hosted.config))
    return {**receipt, "tournament": hosted.tournament, "player": player.id}


def fault_of(hosted: HostedTournament, **kept: object) -> str:
    """Return the fault of the tournament's record with this evidence, as a sentence that differs by language."""
    with pytest.raises(BadTournament) as found:
        verify_tournament(export_record(hosted.tournament), TournamentEvidence(**kept))  # type: ignore[arg-type]
    assert found.value.reason == "kept"
    assert render(found.value.message, "fr") != found.value.detail
    return found.value.detail


def test_records_prove_results_receipts_entries_and_heads_lines(hosted: HostedTournament) -> None:
    lines = find_log(hosted.tournament, 0)
    heads = [KeptHead(entry.seq, entry.hash[:12]) for entry in lines]
    data, receipts = export_record(hosted.tournament), [receipt_of(hosted, number) for number in range(3)]
    report = verify_tournament(data, TournamentEvidence(heads, receipts, records()))
    assert (len(report.proved), report.heads) == (3, len(lines))
    assert "results" not in report.not_proved
    some = verify_tournament(data, TournamentEvidence(records=records()[:2]))
    assert "results" in some.not_proved, "one match has no record here"
    assert "used to have the hash" in fault_of(hosted, heads=[replace(heads[3], digits="00000000")])
    assert "shorter now" in fault_of(hosted, heads=[KeptHead(len(lines) + 1, "00000000")])
    assert "which the log does not have" in fault_of(hosted, receipts=[{**receipts[0], "seq": 3}])
    assert "not signed by the server" in fault_of(hosted, receipts=[{**receipts[0], "signature": "A" * 86}])
    assert "another tournament" in fault_of(hosted, receipts=[{**receipts[0], "tournament": "x"}])
    assert "a match record is not valid" in fault_of(hosted, records=[b"{}\n"])


def test_a_result_that_the_record_does_not_have_is_located(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=3)
    hosted.run_to_end()
    match = next(row.id for row in MatchRow.select())
    own = record_export.export_record(load_match_state(match), "all")
    assert verify_tournament(export_record(hosted.tournament), TournamentEvidence(records=[own])).proved == (match,)
    other = open_tournament(
        service,
        clock,
        document_text(opens="2027-05-16T18:00", closes="2027-05-20T18:00")
        .replace("2027-02-01", "2027-06-01")
        .replace("winter-cup", "other-cup"),
        entrants=2,
    )
    other.run_to_end()
    assert "does not belong to any result" in fault_of(other, records=[own])


def test_the_command_reads_what_was_kept_and_prints_names(hosted: HostedTournament, tmp_path: Path) -> None:
    path, names, folder = tmp_path / "cup.jsonl", tmp_path / "names.json", tmp_path / "records"
    path.write_bytes(export_record(hosted.tournament))
    names.write_text(write_json(export_source(hosted.row, "en")), "utf-8")
    folder.mkdir()
    for number, data in enumerate(records()):
        (folder / f"{number}.jsonl").write_bytes(data)
    (tmp_path / "receipt.json").write_text(json.dumps(receipt_of(hosted, 0)), "utf-8")
    head = find_log(hosted.tournament, 4, 1)[0]
    kept = ("--record", folder, "--receipt", tmp_path / "receipt.json", "--head", f"5:{head.hash[:12]}")
    done = echtra("tournament", "verify", path, *kept, "--names", names, env=ENGLISH)
    assert done.exit_code == 0, done.output
    text = " ".join(done.stdout.split())
    assert "3 results are proved by their match records." in text
    assert "The log continues the earlier end that you gave." in text
    assert "Player 0" in text
    assert hosted.people[0].player.id not in text
    assert "3 résultats sont prouvés" in " ".join(
        echtra("tournament", "verify", path, *kept, env=FRENCH).stdout.split()
    )
    said = json.loads(echtra("tournament", "verify", path, *kept, "--json", env=ENGLISH).stdout)
    assert (len(said["proved"]), said["heads"]) == (3, 1)
    verify = ("tournament", "verify", path)
    assert "is not an earlier end of the log" in " ".join(refused(*verify, "--head", "5", env=ENGLISH).split())
    assert "is not JSON" in refused(*verify, "--names", path, env=ENGLISH).replace("\n", " ")
    assert "this is not what you kept" in " ".join(refused(*verify, "--head", "5:00000000", env=ENGLISH).split())
