"""Read and write TRF, the text format in which chess programs exchange tournaments, for matches of two.

The columns are those of FIDE's TRF16, which any endorsed pairing engine reads, with the byes of the next round in the
lines 240 of TRF26. `find_differences` pairs every round of
an event again from the rounds before it, and lists where the event differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from service.i18n.catalogue import msg
from service.tournaments.formats.berger import Section, pair_round_robin
from service.tournaments.formats.crosstable import (
    TWO_SEATS,
    How,
    Number,
    Pairing,
    SeatResult,
    StageRound,
    list_pairings,
    rank_scores,
)
from service.tournaments.formats.points import Scoring, count_points, show_points
from service.tournaments.formats.swiss import BRACKETS, DUTCH, MOST_DUTCH, SwissRules, effective_numbers, pair_swiss

_ROUNDS_FROM, _ROUND_WIDTH = 91, 10
_NAME_FROM, _NAME_WIDTH = 14, 33
_RATING_FROM, _RATING_WIDTH = 48, 4
_MOST_NUMBER, _MOST_RATING = 9999, 9999
_MOST_DIGITS = 9
_MOST_ROUNDS = 99
_UNPLAYED = "0000 - {}  "
_SAME_LETTERS = str.maketrans("WDL", "1=0")
_LETTERS = frozenset("1W=D0L+-HFUZ ")
_BYES = frozenset("FHZ")
_RESULTS: Mapping[str, tuple[SeatResult, ...]] = {
    "  ": (),
    "10": rank_scores([1, 0]),
    "01": rank_scores([0, 1]),
    "==": rank_scores([0, 0]),
    "00": rank_scores([0, 0], [How.STAND_IN, How.STAND_IN]),
    "+-": rank_scores([1, 0], [How.PLAYED, How.FORFEIT]),
    "-+": rank_scores([0, 1], [How.FORFEIT, How.PLAYED]),
    "--": rank_scores([0, 0], [How.FORFEIT, How.FORFEIT]),
}
"""Results of a match by the letters of white and black. `00` is a game that both lost."""
_FIRST_COLOURS = {("XXC", "white1"): True, ("XXC", "black1"): False, ("152", "W"): True, ("152", "B"): False}


class BadTrf(ValueError):
    """A text that is not TRF of matches for two. The message names the line and the fault."""

    def __init__(self, what: str, **values: object) -> None:
        self.message = msg(f"commands.tournament.trf_fault.{what}", **values)
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A player line: number, name, rating."""

    number: Number
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True)
class TrfEvent:
    """A tournament in TRF. `odd_begin_white` is None if the file does not determine it.

    `absent` has the players who miss the next round, which has no pairs yet, with the letter of their bye: F, H or Z.
    """

    name: str
    players: tuple[TrfPlayer, ...]
    rounds: tuple[StageRound, ...]
    planned: int
    odd_begin_white: bool | None = None
    avoid: frozenset[tuple[Number, Number]] = frozenset()
    absent: Mapping[Number, str] = field(default_factory=dict)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """Return the numbers of all entrants."""
        return tuple(player.number for player in self.players)


def write_trf(event: TrfEvent, scoring: Scoring, ranks: Mapping[Number, int] | None = None) -> str:
    """Return the event as TRF16 text. `ranks` are those of the standings."""
    if max(event.numbers, default=0) > _MOST_NUMBER:
        raise BadTrf("many_numbers", most=_MOST_NUMBER)
    points = count_points(scoring, event.rounds, event.numbers)
    cells = [_write_cells(each, scoring) for each in event.rounds]
    rows = [f"012 {_clean_name(event.name)}", f"062 {len(event.players)}", f"XXR {event.planned}"]
    if event.odd_begin_white is not None:
        rows.append(f"XXC {'white1' if event.odd_begin_white else 'black1'}")
    rows += [f"XXP {min(pair)} {max(pair)}" for pair in sorted(event.avoid)]
    for letter in sorted(set(event.absent.values())):
        numbers = " ".join(f"{number:4d}" for number, bye in sorted(event.absent.items()) if bye == letter)
        rows.append(f"240 {letter} {len(event.rounds) + 1:3d} {numbers}")
    for player in sorted(event.players, key=lambda player: player.number):
        name = _clean_name(player.name)[:_NAME_WIDTH].ljust(_NAME_WIDTH)
        rating = str(min(player.rating, _MOST_RATING)) if player.rating else ""
        total = show_points(points.total(player.number), 1)
        rank = str((ranks or {}).get(player.number, ""))
        row = f"001 {player.number:4d}      {name} {rating:>4}{'':28}{total:>4} {rank:>4}  "
        rows.append((row + "".join(cell.get(player.number, _UNPLAYED.format("Z")) for cell in cells)).rstrip())
    return "".join(f"{row}\n" for row in rows)


def _clean_name(name: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in name)


def _write_cells(each: StageRound, scoring: Scoring) -> dict[Number, str]:
    """Return the cell of a round in the row of each entrant."""
    cells = dict.fromkeys(each.half_byes, _UNPLAYED.format("H"))
    cells |= dict.fromkeys(each.full_byes, _UNPLAYED.format("F"))
    for pairing in each.pairings:
        if pairing.is_bye:
            cells[pairing.seats[0]] = _UNPLAYED.format("U" if scoring.bye else "Z")
            continue
        one, other = pairing.seats
        letters = _result_letters(pairing)
        cells[one] = f"{other:4d} w {letters[0]}  "
        cells[other] = f"{one:4d} b {letters[1]}  "
    return cells


def _result_letters(pairing: Pairing) -> str:
    if not pairing.results:
        return "  "
    first, second = pairing.results
    if pairing.is_forfeit:
        return ("+" if first.finished else "-") + ("+" if second.finished else "-")
    if first.finished != second.finished:
        return "10" if first.finished else "01"
    if first.place == second.place:
        return "==" if first.finished else "00"
    return "10" if first.place < second.place else "01"


def read_trf(text: str) -> TrfEvent:
    """Parse a TRF text. Lines that are not about players, rounds and pairs are ignored."""
    name, planned, white, avoid = "", 0, None, set()
    players: dict[Number, TrfPlayer] = {}
    rows: dict[Number, tuple[int, str]] = {}
    byes: dict[int, dict[Number, str]] = {}
    for at, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        code, rest = line[:3], line[4:].strip()
        if code == "012":
            name = rest
        elif code in {"XXR", "142"}:
            planned = _read_number(rest, at, "rounds")
        elif (code, rest) in _FIRST_COLOURS:
            white = _FIRST_COLOURS[code, rest]
        elif code == "XXP":
            avoid |= _read_forbidden(rest, at)
        elif code == "240":
            number, absent = _read_byes(rest, at)
            byes.setdefault(number, {}).update(absent)
        elif code == "001":
            number = _read_number(line[4:8], at, "player")
            if number in players:
                raise BadTrf("player_twice", line=at, number=number, first=rows[number][0])
            rating = line[_RATING_FROM : _RATING_FROM + _RATING_WIDTH].strip()
            title = line[_NAME_FROM : _NAME_FROM + _NAME_WIDTH].strip()
            players[number] = TrfPlayer(number, title, int(rating) if rating.isdecimal() else 0)
            rows[number] = (at, line[_ROUNDS_FROM:])
    if not players:
        raise BadTrf("no_player")
    rounds, missing = _read_rounds(rows)
    missing |= {number: bye for number, bye in byes.get(len(rounds) + 1, {}).items() if number in players}
    ordered = tuple(player for _, player in sorted(players.items()))
    colour = _first_colour(rounds, white)
    return TrfEvent(name, ordered, rounds, max(planned, len(rounds)), colour, frozenset(avoid), missing)


def _read_number(text: str, at: int, what: str) -> int:
    words = text.split()
    sound = len(words) == 1 and len(words[0]) <= _MOST_DIGITS and words[0].isascii() and words[0].isdecimal()
    if not sound or int(words[0]) < 1:
        raise BadTrf(f"number_of_{what}", line=at, text=text.strip())
    return int(words[0])


def _read_forbidden(rest: str, at: int) -> set[tuple[Number, Number]]:
    return set(combinations(sorted({_read_number(word, at, "pair") for word in rest.split()}), 2))


def _read_byes(rest: str, at: int) -> tuple[int, dict[Number, str]]:
    """Return the round of a line 240, and the letter of the bye for each of its players."""
    letter, *words = rest.split() or ["", ""]
    if letter not in _BYES:
        raise BadTrf("bye", line=at, text=letter)
    number, *players = (_read_number(word, at, "bye") for word in words or [""])
    return number, dict.fromkeys(players, letter)


def _first_colour(rounds: Sequence[StageRound], white: bool | None) -> bool | None:
    """Return True if odd numbers begin with white: by the file, or by the match of the lowest number in round 1."""
    if white is not None or not rounds:
        return white
    numbers = effective_numbers((), _seated(rounds[0].pairings))
    for pairing in sorted(rounds[0].pairings, key=lambda pair: min(pair.seats)):
        if len(pairing.seats) == TWO_SEATS:
            return (pairing.seats[0] == min(pairing.seats)) == (numbers[min(pairing.seats)] % 2 == 1)
    return None


def _read_rounds(rows: Mapping[Number, tuple[int, str]]) -> tuple[tuple[StageRound, ...], dict[Number, str]]:
    """Return the rounds, and the players absent from the next one with the letters of their byes.

    A last round that has only byes, and at least two empty cells, is the next round: its byes are absences.
    """
    count = max(-(-len(cells.rstrip()) // _ROUND_WIDTH) for _, cells in rows.values())
    if count > _MOST_ROUNDS:
        line = next(line for line, cells in rows.values() if len(cells.rstrip()) > _MOST_ROUNDS * _ROUND_WIDTH)
        raise BadTrf("many_rounds", line=line, most=_MOST_ROUNDS)
    rounds, named = [], dict[Number, str]()
    for index in range(count):
        cells = {
            number: (line, *_read_cell(row[index * _ROUND_WIDTH :][:_ROUND_WIDTH], line, index + 1))
            for number, (line, row) in rows.items()
        }
        rounds.append(_join_round(index + 1, cells))
        named = {number: result for number, (_, opponent, _, result) in cells.items() if opponent or result != " "}
    if rounds and len(rows) - len(named) >= TWO_SEATS and all(pairing.is_bye for pairing in rounds[-1].pairings):
        return tuple(rounds[:-1]), {number: bye if bye in _BYES else "Z" for number, bye in named.items()}
    return tuple(rounds), {}


def _read_cell(cell: str, line: int, number: int) -> tuple[Number, str, str]:
    """Return opponent (0 for none), colour and result of one cell."""
    cell = cell.ljust(_ROUND_WIDTH)
    opponent, colour, result = cell[:4].strip() or "0", cell[5], cell[7].upper()
    if not (opponent.isascii() and opponent.isdecimal()) or colour not in "wb- " or result not in _LETTERS:
        raise BadTrf("cell", line=line, round=number, text=cell.rstrip())
    if int(opponent) and colour not in "wb":
        raise BadTrf("colour", line=line, round=number, text=colour)
    return int(opponent), colour, result


def _join_round(number: int, cells: Mapping[Number, tuple[int, Number, str, str]]) -> StageRound:
    pairings, asked = [], {"H": set[Number](), "F": set[Number]()}
    for one, (line, other, colour, result) in sorted(cells.items()):
        if not other:
            if result == "U":
                pairings.append(Pairing((one,)))
            elif result in asked:
                asked[result].add(one)
            continue
        back = cells.get(other)
        if back is None or back[1] != one or back[2] == colour:
            raise BadTrf("opponents", line=line, round=number, one=one, other=other, colour=colour)
        if colour == "w":
            letters = (result + back[3]).translate(_SAME_LETTERS)
            if letters not in _RESULTS:
                raise BadTrf("results", line=line, round=number, first=result, second=back[3])
            pairings.append(Pairing((one, other), _RESULTS[letters]))
    return StageRound(number, tuple(pairings), frozenset(asked["H"]), frozenset(asked["F"]))


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that differs from the computed pairing: the pairs of the event only, and the computed ones only."""

    number: int
    event: tuple[tuple[Number, ...], ...]
    computed: tuple[tuple[Number, ...], ...]


def is_round_robin(event: TrfEvent) -> bool:
    """Return True if everybody meets everybody equally often."""
    met = _all_meetings(event.rounds)
    pairs = len(event.players) * (len(event.players) - 1) // 2
    return len(event.players) > TWO_SEATS and len(met) == pairs and len(set(met.values())) == 1


def _all_meetings(rounds: Iterable[StageRound]) -> Counter[tuple[Number, Number]]:
    """Count how often two were paired, played or not."""
    return Counter(pair for pairing in list_pairings(rounds) for pair in pairing.list_meetings())


def _swiss_rules(event: TrfEvent) -> SwissRules:
    return SwissRules(
        event.planned,
        DUTCH if len(event.players) <= MOST_DUTCH else BRACKETS,
        odd_begin_white=event.odd_begin_white is not False,
        avoid=event.avoid,
    )


def pair_next_round(event: TrfEvent, scoring: Scoring) -> tuple[Pairing, ...]:
    """Return the pairings of the next round of a Swiss, if one is planned and all earlier rounds have results."""
    open_ = any(not pairing.is_over for pairing in list_pairings(event.rounds))
    if open_ or len(event.rounds) >= event.planned or is_round_robin(event):
        return ()
    present = [number for number in event.numbers if number not in event.absent]
    return pair_swiss(scoring, event.rounds, present, _swiss_rules(event)).pairings


def find_differences(event: TrfEvent, scoring: Scoring) -> tuple[RoundDifference, ...]:
    """Return every round that the Dutch system, or the Berger tables, would have paired differently."""
    if is_round_robin(event):
        cycles = max(_all_meetings(event.rounds).values())
        section = Section(0, event.numbers)
        wanted = [each.pairings for each in pair_round_robin([section], cycles)]
        wanted += [()] * (len(event.rounds) - len(wanted))
    else:
        wanted = [
            pair_swiss(scoring, event.rounds[:index], _seated(each.pairings), _swiss_rules(event)).pairings
            for index, each in enumerate(event.rounds)
        ]
    differences = []
    for each, pairings in zip(event.rounds, wanted, strict=False):
        held, computed = _games_of(each.pairings), _games_of(pairings)
        if held != computed:
            only_held, only_computed = tuple(sorted(held - computed)), tuple(sorted(computed - held))
            differences.append(RoundDifference(each.number, only_held, only_computed))
    return tuple(differences)


def _seated(pairings: Iterable[Pairing]) -> list[Number]:
    return [number for pairing in pairings for number in pairing.seats]


def _games_of(pairings: Iterable[Pairing]) -> set[tuple[Number, ...]]:
    return {pairing.seats for pairing in pairings if not pairing.is_bye}
