"""`echtra replay`: any point, any seat, and every kind of bad file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.simulation.runner import SimulationPlan, play_match
from engine.games import GAMES
from engine.log import parse
from tests.support.command_line import FRENCH, echtra, refused


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole match of three random bots."""
    folder = tmp_path_factory.mktemp("logs")
    play_match(SimulationPlan("keltis", 3, {}, ("random",) * 3, 5, str(folder)), 1)
    return folder / "keltis-3-5-1.log"


def test_the_end_shows_scores_and_winner(whole: Path) -> None:
    log = parse(whole.read_text(), GAMES)
    assert log.scores
    result = echtra("replay", whole)
    assert result.exit_code == 0
    assert f"After move {len(log.moves)} of {len(log.moves)}" in result.stdout
    total = next(row for row in result.stdout.splitlines() if row.startswith("Total"))
    assert total.split()[1:] == [str(points) for points in log.scores]
    best = log.scores.index(max(log.scores))
    if log.scores.count(max(log.scores)) == 1:
        assert f"Seat {best} wins." in result.stdout


def test_a_seat_sees_its_hand_and_a_spectator_none(whole: Path) -> None:
    log = parse(whole.read_text(), GAMES)
    hands = [set(move.line.split(" ")[2:]) for move in log.moves[1:4]]
    shown = {viewer: echtra("replay", whole, "--at", "4", "--as", viewer).stdout for viewer in ("0", "1", "2", "all")}
    for seat in range(3):
        hand = next(row for row in shown[str(seat)].splitlines() if row.startswith("Your hand: "))
        assert set(hand.removeprefix("Your hand: ").split()) == hands[seat]
    assert shown["all"].count("Your hand: ") == 3
    spectator = echtra("replay", whole, "--at", "4").stdout
    assert "Your hand" not in spectator
    assert not any(card in spectator.split() for card in set.union(*hands))


def test_before_the_first_move_and_in_french(whole: Path) -> None:
    result = echtra("replay", whole, "--at", "0", env=FRENCH)
    assert result.exit_code == 0
    assert "Avant le premier coup" in result.stdout
    assert "Défausses" in result.stdout


def test_sealed_answers_are_told_when_they_open(whole: Path) -> None:
    log = parse(whole.read_text(), GAMES)
    last = [move for move in log.moves if move.seat >= 0 and move.line.startswith("last")]
    assert len(last) == 3
    sealed = echtra("replay", whole, "--at", str(len(log.moves) - 1)).stdout
    assert sealed.count("has chosen last cards") == 2
    assert "lays last cards" not in sealed
    assert echtra("replay", whole).stdout.count("lays last cards") == 3


HOUSE = """\
game tain · revision 1 · seats 3
! pause storm
! resume
! timeout 1 1700000000000
! bot 1 steady
2 resign
! seat 1 abcdefghijkl -
! keys 0 -
! end agreed 3 4 5
scores 3 4 5
"""


def test_what_the_house_did_is_told(tmp_path: Path) -> None:
    english = echtra("replay", broken(tmp_path, HOUSE)).stdout
    for said in ("is paused: storm.", "Seat 1 has run out", "bot Steady plays for Seat 1.", "new keys for Seat 0."):
        assert said in english
    assert "The house ends the match: agreed." in english
    french = echtra("replay", broken(tmp_path, HOUSE), env=FRENCH).stdout
    assert "Le robot Constant joue pour Place 1." in french
    assert "La maison change les clés de Place 0." in french
    assert "La maison met fin à la partie : agreed." in french


@pytest.mark.parametrize(("at", "viewer", "reason"), [("9999", "0", "--at takes 0 to"), ("-1", "0", "--at takes 0 to")])
def test_a_point_that_is_not_there(whole: Path, at: str, viewer: str, reason: str) -> None:
    assert reason in refused("replay", whole, "--at", at, "--as", viewer)


@pytest.mark.parametrize("viewer", ["3", "x", "-1", ""])
def test_a_seat_that_is_not_there(whole: Path, viewer: str) -> None:
    assert "--as takes a seat, 0 to 2, or all;" in refused("replay", whole, "--as", viewer)


def broken(tmp_path: Path, data: str | bytes) -> Path:
    path = tmp_path / "bad.log"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


FILES = [
    ("", 1, "the file is empty", "le fichier est vide"),
    (b"\x00\x01\x02\xff\n", 1, "this is a binary file, not text", "mais un fichier binaire"),
    (b"game keltis\n\xff\xfe\n", 2, "this is a binary file, not text", "mais un fichier binaire"),
    ("hello\n", 1, "a match begins with: game NAME", "une partie commence par : game NOM"),
    ("game chess · revision 1 · seats 2\n", 1, "there is no game chess", "il n'y a pas de jeu chess"),
    (
        "game keltis · revision 1 · seats 9\n",
        1,
        "keltis is for 2 to 4 seats, not 9",
        "se joue de 2 à 4 places, pas à 9",
    ),
    ("game keltis · revision 1 · seats 2", 1, "the text is cut", "le texte est coupé"),
    ("game keltis · revision 1 · seats 2\r\n", 1, "without a carriage return", "sans retour chariot"),
    ("game keltis · revision 1 · seats 2\n7 lay R5\n", 2, "a row begins with a seat, 0 to 1", "une place, de 0 à 1"),
    (
        "game keltis · revision 1 · seats 2\n0 lay R5\n",
        2,
        "not the turn of seat 0; waiting for chance",
        "on attend le hasard",
    ),
    (
        "game keltis · revision 1 · seats 2\n* fly 7\n",
        2,
        "* fly 7: no line begins with fly",
        "aucun coup ne commence par",
    ),
    ("\ufeffgame keltis · revision 1 · seats 2\n", 1, "a byte order mark", "une marque d'ordre des octets"),
    (
        "game keltis · revision 1 · seats 2 · start 7\n",
        1,
        "cannot be 7; it takes: drawn, or a seat counted from 0",
        "ne peut pas être 7 ; elle admet : drawn (au sort), ou une place comptée à partir de 0",
    ),
    ("game keltis · revision 1 · seats 2\n! bot 1 hal\n", 2, "keltis has no bot hal", "keltis n'a pas de robot hal"),
    ("game \x1b[31m · revision 1 · seats 2\n", 1, "there is no game ?[31m", "il n'y a pas de jeu ?[31m"),
]


@pytest.mark.parametrize(("data", "row", "english", "french"), FILES)
def test_a_bad_file_is_named_with_line_and_reason(
    tmp_path: Path, data: str | bytes, row: int, english: str, french: str
) -> None:
    path = broken(tmp_path, data)
    said = refused("replay", path)
    assert said.startswith(f"{path}: line {row}: ")
    assert english in said
    said = refused("replay", path, env=FRENCH)
    assert said.startswith(f"{path} : ligne {row} : ")
    assert french in said


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert refused("replay", tmp_path / "no.log") == f"{tmp_path}/no.log: there is no such file; check the name.\n"
    assert refused("replay", tmp_path) == f"{tmp_path}: this is a directory; name a match file in it.\n"


@pytest.mark.parametrize("row", [5, 40, 90])
@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("0 draw N", "0 draw N: "),
        ("1 resign now", "does not go with resign"),
        ("what is this?", "a row begins with a seat"),
        ("scores 1 2 3", "a row begins with a seat"),
    ],
)
def test_a_bad_row_in_the_middle(whole: Path, tmp_path: Path, row: int, other: str, reason: str) -> None:
    rows = whole.read_text().splitlines()
    rows[row - 1] = other
    path = broken(tmp_path, "".join(f"{each}\n" for each in rows))
    said = refused("replay", path)
    assert said.startswith(f"{path}: line {row}: ")
    assert reason in said
    assert f"Valid moves before this line: {row - 2}." in said
    assert echtra("replay", path, "--at", str(row - 2)).exit_code == 0
    assert echtra("replay", path, "--at", str(row - 1)).exit_code == 2


def test_the_first_of_two_faults_is_named(whole: Path, tmp_path: Path) -> None:
    rows = whole.read_text().splitlines()
    rows[20], rows[60] = "0 draw P", "?"
    path = broken(tmp_path, "".join(f"{each}\n" for each in rows))
    assert refused("replay", path).startswith(f"{path}: line 21: 0 draw P: ")


def test_cut_logs(whole: Path, tmp_path: Path) -> None:
    text = whole.read_text()
    rows = text.splitlines(keepends=True)
    assert "the text is cut" in refused("replay", broken(tmp_path, text[:-4]))
    assert "its scores are missing" in refused("replay", broken(tmp_path, "".join(rows[:-1])))
    unfinished = echtra("replay", broken(tmp_path, "".join(rows[:50])))
    assert unfinished.exit_code == 0
    assert "After move 49 of 49" in unfinished.stdout
    assert "Total" not in unfinished.stdout


def test_wrong_scores_are_refused(whole: Path, tmp_path: Path) -> None:
    rows = whole.read_text().splitlines()
    rows[-1] = "scores 99 99 99"
    said = refused("replay", broken(tmp_path, "".join(f"{each}\n" for each in rows)))
    assert f"line {len(rows)}: the scores are " in said


RECORDS = Path(__file__).parents[2] / "docs" / "records"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("keltis", ("After move 24 of 24", "As a spectator sees it", "Seat 0 resigns.", "Total")),
        ("keltis-seat-0", ("After move 22 of 22", "As seat 0 sees it", "Your hand: ")),
        ("keltis-spectator", ("After move 22 of 22", "As a spectator sees it", "Seat 0 draws from the deck.")),
    ],
)
def test_a_record_is_shown_to_those_it_was_made_for(name: str, said: tuple[str, ...]) -> None:
    result = echtra("replay", RECORDS / f"{name}.jsonl")
    assert result.exit_code == 0, result.output
    assert [each for each in said if each not in result.stdout] == []


def test_a_record_of_a_seat_shows_its_cards_and_nobody_elses() -> None:
    seat = echtra("replay", RECORDS / "keltis-seat-0.jsonl", "--at", "2").stdout
    assert "Seat 0 is dealt eight cards: G7 N2 PE Y7 BE P1 B7 G6." in seat
    assert "Seat 1 is dealt eight cards." in seat
    public = echtra("replay", RECORDS / "keltis-spectator.jsonl", "--at", "2").stdout
    assert "Seat 0 is dealt eight cards." in public
    assert "Your hand" not in public
    whole = echtra("replay", RECORDS / "keltis.jsonl", "--at", "2", "--as", "all").stdout
    assert "Seat 1 is dealt eight cards: Y7 R5 R1 R3 Y3 RE R2 Y5." in whole


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("keltis-seat-0.jsonl", "--as", "1"), "was downloaded for seat 0 before the match was over"),
        (("keltis-spectator.jsonl", "--as", "all"), "was downloaded by a spectator before the match was over"),
        (("keltis.jsonl", "--at", "25"), "--at takes 0 to 24, not 25."),
        (("keltis.jsonl", "--at", "-1"), "--at takes 0 to 24, not -1."),
        (("bad-rules.jsonl",), "the seed draws draw 0 Y6"),
        (("bad-cut.jsonl",), "there is no head"),
        (("kept.jsonl",), "has no place in an export"),
    ],
)
def test_what_a_record_cannot_show_is_said(args: tuple[str, ...], said: str) -> None:
    name, *rest = args
    assert said in refused("replay", RECORDS / name, *rest)


GOLDEN_RECORDS = Path(__file__).parents[1] / "golden" / "records"


@pytest.mark.parametrize("slug", [slug for slug in GAMES if [*GOLDEN_RECORDS.glob(f"{slug}-*.jsonl")]])
def test_records_of_every_game_are_shown_to_every_kind_of_reader(slug: str) -> None:
    paths = sorted(GOLDEN_RECORDS.glob(f"{slug}-*.jsonl"))
    assert len(paths) > 2
    for path in paths:
        result = echtra("replay", path, "--lang", "fr")
        assert result.exit_code == 0, result.output
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert ("Vue de la place" in result.stdout) == ("-running-seat-" in path.name)
