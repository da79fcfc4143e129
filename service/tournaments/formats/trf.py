"""TRF, the text in which chess programs exchange tournaments: written and read for matches of two.

The columns are those of FIDE's TRF16. Any endorsed pairing engine reads what is written here; `find_differences` pairs
every round of an event anew from the rounds before it, and says where the event went another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from service.i18n.catalogue import msg
from service.tournaments.formats.berger import berger_rounds
from service.tournaments.formats.crosstable import (
    TWO_SEATS,
    How,
    Number,
    Pairing,
    SeatResult,
    StageRound,
    count_meetings,
    rank_scores,
)
from service.tournaments.formats.points import Scoring, count_points, show_points
from service.tournaments.formats.swiss import BRACKETS, DUTCH, MOST_DUTCH, SwissRules, pair_swiss

_ROUNDS_FROM, _ROUND_WIDTH = 91, 10
_NAME_FROM, _NAME_WIDTH = 14, 33
_RATING_FROM, _RATING_WIDTH = 48, 4
_MOST_NUMBER, _MOST_RATING = 9999, 9999
_MOST_DIGITS = 9
_MOST_ROUNDS = 99
_WINS, _DRAWS, _LOSSES = frozenset("1W"), frozenset("=D"), frozenset("0L")
_FORFEITS = frozenset("+-")
_NO_OPPONENT = frozenset("HFUZ-+ ")


_FIRST_COLOURS = {("XXC", "white1"): True, ("XXC", "black1"): False, ("152", "W"): True, ("152", "B"): False}


class BadTrf(ValueError):
    """A text that is not TRF of matches for two; the sentence names the line and what is wrong there."""

    def __init__(self, what: str, **values: object) -> None:
        self.message = msg(f"commands.tournament.trf_fault.{what}", **values)
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A line of the players: number, name, rating."""

    number: Number
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True)
class TrfEvent:
    """A tournament as TRF holds it; `odd_begin_white` is None where nothing says it.

    `absent` are those whom the file calls absent from the round to come, which has no pairs yet.
    """

    name: str
    players: tuple[TrfPlayer, ...]
    rounds: tuple[StageRound, ...]
    planned: int
    odd_begin_white: bool | None = None
    avoid: frozenset[tuple[Number, Number]] = frozenset()
    absent: frozenset[Number] = frozenset()

    @property
    def numbers(self) -> tuple[Number, ...]:
        """All entrants."""
        return tuple(player.number for player in self.players)


def write_trf(event: TrfEvent, scoring: Scoring, ranks: Mapping[Number, int] | None = None) -> str:
    """The event as TRF16; `ranks` are those of the standings."""
    if max(event.numbers, default=0) > _MOST_NUMBER:
        raise BadTrf("many_numbers", most=_MOST_NUMBER)
    points = count_points(scoring, event.rounds, event.numbers)
    cells = [_write_cells(each, scoring) for each in event.rounds]
    rows = [f"012 {_clean_name(event.name)}", f"062 {len(event.players)}", f"XXR {event.planned}"]
    if event.odd_begin_white is not None:
        rows.append(f"XXC {'white1' if event.odd_begin_white else 'black1'}")
    rows += [f"XXP {min(pair)} {max(pair)}" for pair in sorted(event.avoid)]
    for player in sorted(event.players, key=lambda each: each.number):
        name = _clean_name(player.name)[:_NAME_WIDTH].ljust(_NAME_WIDTH)
        rating = str(min(player.rating, _MOST_RATING)) if player.rating else ""
        total = show_points(points.total(player.number), 1)
        rank = str((ranks or {}).get(player.number, ""))
        row = f"001 {player.number:4d}      {name} {rating:>4}{'':28}{total:>4} {rank:>4}  "
        rows.append((row + "".join(cell.get(player.number, "0000 - Z  ") for cell in cells)).rstrip())
    return "".join(f"{row}\n" for row in rows)


def _clean_name(name: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in name)


def _write_cells(each: StageRound, scoring: Scoring) -> dict[Number, str]:
    """What each entrant's row says of a round."""
    found = dict.fromkeys(each.half_byes, "0000 - H  ")
    for pairing in each.pairings:
        if pairing.is_bye:
            found[pairing.seats[0]] = f"0000 - {'U' if scoring.bye else 'Z'}  "
            continue
        one, other = pairing.seats
        first, second = _result_letters(pairing)
        found[one] = f"{other:4d} w {first}  "
        found[other] = f"{one:4d} b {second}  "
    return found


def _result_letters(pairing: Pairing) -> tuple[str, str]:
    if not pairing.results:
        return " ", " "
    first, second = pairing.results
    if pairing.is_forfeit:
        return "+" if first.finished else "-", "+" if second.finished else "-"
    if first.finished != second.finished:
        return ("1", "0") if first.finished else ("0", "1")
    if first.place == second.place:
        return ("=", "=") if first.finished else ("0", "0")
    return ("1", "0") if first.place < second.place else ("0", "1")


def read_trf(text: str) -> TrfEvent:
    """The event that a TRF text holds; what is not about players, rounds and pairs is passed over."""
    name, planned, white, avoid = "", 0, None, set()
    players: dict[Number, tuple[int, TrfPlayer, str]] = {}
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
        elif code == "001":
            number = _read_number(line[4:8], at, "player")
            if number in players:
                raise BadTrf("player_twice", line=at, number=number, first=players[number][0])
            rating = line[_RATING_FROM : _RATING_FROM + _RATING_WIDTH].strip()
            player = TrfPlayer(
                number, line[_NAME_FROM : _NAME_FROM + _NAME_WIDTH].strip(), int(rating) if rating.isdecimal() else 0
            )
            players[number] = (at, player, line[_ROUNDS_FROM:])
    if not players:
        raise BadTrf("no_player")
    rounds, absent = _read_rounds({number: (at, cells) for number, (at, _, cells) in players.items()})
    ordered = tuple(player for _, player, _ in (players[number] for number in sorted(players)))
    colour = _first_colour(rounds, white)
    return TrfEvent(name, ordered, rounds, max(planned, len(rounds)), colour, frozenset(avoid), absent)


def _read_number(text: str, at: int, what: str) -> int:
    words = text.split()
    sound = len(words) == 1 and len(words[0]) <= _MOST_DIGITS and words[0].isascii() and words[0].isdecimal()
    if not sound or int(words[0]) < 1:
        raise BadTrf(f"number_of_{what}", line=at, text=text.strip())
    return int(words[0])


def _read_forbidden(rest: str, at: int) -> set[tuple[Number, Number]]:
    numbers = sorted({_read_number(word, at, "pair") for word in rest.split()})
    return {(one, other) for place, one in enumerate(numbers) for other in numbers[place + 1 :]}


def _first_colour(rounds: Sequence[StageRound], white: bool | None) -> bool | None:
    """Whether odd numbers begin white: as the file says, or as the first match of round 1 with an odd number shows."""
    if white is not None or not rounds:
        return white
    for pairing in sorted(rounds[0].pairings, key=lambda pair: min(pair.seats)):
        if len(pairing.seats) == TWO_SEATS:
            return (pairing.seats[0] == min(pairing.seats)) == (min(pairing.seats) % 2 == 1)
    return None


def _read_rounds(rows: Mapping[Number, tuple[int, str]]) -> tuple[tuple[StageRound, ...], frozenset[Number]]:
    """The rounds, and who is absent from the one to come: where a last one has no pairs, and cells are left empty."""
    count = max(-(-len(cells.rstrip()) // _ROUND_WIDTH) for _, cells in rows.values())
    if count > _MOST_ROUNDS:
        line = next(line for line, cells in rows.values() if len(cells.rstrip()) > _MOST_ROUNDS * _ROUND_WIDTH)
        raise BadTrf("many_rounds", line=line, most=_MOST_ROUNDS)
    found, empty, named = [], 0, frozenset[Number]()
    for at in range(count):
        cells = {
            number: (line, *_read_cell(row[at * _ROUND_WIDTH : (at + 1) * _ROUND_WIDTH], line, at + 1))
            for number, (line, row) in rows.items()
        }
        found.append(_join_round(at + 1, cells))
        named = frozenset(number for number, (_, opponent, _, result) in cells.items() if opponent or result != " ")
        empty = len(cells) - len(named)
    if found and empty >= TWO_SEATS and all(pairing.is_bye for pairing in found[-1].pairings):
        return tuple(found[:-1]), named
    return tuple(found), frozenset()


def _read_cell(cell: str, line: int, number: int) -> tuple[Number, str, str]:
    """Opponent (0 for none), colour and result of one cell."""
    cell = cell.ljust(_ROUND_WIDTH)
    opponent, colour, result = cell[:4].strip() or "0", cell[5], cell[7].upper()
    known = _WINS | _DRAWS | _LOSSES | _FORFEITS | _NO_OPPONENT
    if not (opponent.isascii() and opponent.isdecimal()) or colour not in "wb- " or result not in known:
        raise BadTrf("cell", line=line, round=number, text=cell.rstrip())
    if int(opponent) and colour not in "wb":
        raise BadTrf("colour", line=line, round=number, text=colour)
    return int(opponent), colour, result


def _join_round(number: int, cells: Mapping[Number, tuple[int, Number, str, str]]) -> StageRound:
    pairings, half = [], set()
    for one, (line, other, colour, result) in sorted(cells.items()):
        if not other:
            if result in "UF":
                pairings.append(Pairing((one,)))
            elif result == "H":
                half.add(one)
            continue
        back = cells.get(other)
        if back is None or back[1] != one or back[2] == colour:
            raise BadTrf("opponents", line=line, round=number, one=one, other=other, colour=colour)
        if colour == "w":
            pairings.append(Pairing((one, other), _read_results(result, back[3], line, number)))
    return StageRound(number, tuple(pairings), frozenset(half))


def _read_results(first: str, second: str, line: int, number: int) -> tuple[SeatResult, ...]:
    if first == second == " ":
        return ()
    if first in _WINS and second in _LOSSES:
        return rank_scores([1, 0])
    if first in _LOSSES and second in _WINS:
        return rank_scores([0, 1])
    if first in _DRAWS and second in _DRAWS:
        return rank_scores([0, 0])
    if first in _LOSSES and second in _LOSSES:
        return rank_scores([0, 0], [How.STAND_IN, How.STAND_IN])
    if first in _FORFEITS and second in _FORFEITS and (first, second) != ("+", "+"):
        hows = [How.PLAYED if each == "+" else How.FORFEIT for each in (first, second)]
        return rank_scores([int(first == "+"), int(second == "+")], hows)
    raise BadTrf("results", line=line, round=number, first=first, second=second)


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that another pairing would have had: the pairs only here, and those only there, white first."""

    number: int
    event: tuple[tuple[Number, ...], ...]
    computed: tuple[tuple[Number, ...], ...]


def is_round_robin(event: TrfEvent) -> bool:
    """Whether everybody meets everybody equally often."""
    met = _all_meetings(event.rounds)
    pairs = len(event.players) * (len(event.players) - 1) // 2
    return len(event.players) > TWO_SEATS and len(met) == pairs and len(set(met.values())) == 1


def _all_meetings(rounds: Iterable[StageRound]) -> dict[tuple[Number, Number], int]:
    """How often two were paired, played or not."""
    bare = [StageRound(each.number, tuple(Pairing(pair.seats) for pair in each.pairings)) for each in rounds]
    return count_meetings(bare)


def _swiss_rules(event: TrfEvent) -> SwissRules:
    return SwissRules(
        event.planned,
        DUTCH if len(event.players) <= MOST_DUTCH else BRACKETS,
        odd_begin_white=event.odd_begin_white is not False,
        avoid=event.avoid,
    )


def pair_next_round(event: TrfEvent, scoring: Scoring) -> tuple[Pairing, ...]:
    """The pairings of a Swiss's next round, if one is planned and all before it have their results."""
    open_ = any(not pairing.is_over for each in event.rounds for pairing in each.pairings)
    if open_ or len(event.rounds) >= event.planned or is_round_robin(event):
        return ()
    present = [number for number in event.numbers if number not in event.absent]
    return pair_swiss(scoring, event.rounds, present, _swiss_rules(event)).pairings


def find_differences(event: TrfEvent, scoring: Scoring) -> tuple[RoundDifference, ...]:
    """Every round that the Dutch system, or the Berger tables, would have paired otherwise."""
    if is_round_robin(event):
        cycles = max(_all_meetings(event.rounds).values())
        wanted = [
            {tuple(event.numbers[one - 1] for one in pair) for pair in each if len(pair) == TWO_SEATS}
            for each in berger_rounds(len(event.players), cycles)
        ]
        wanted += [set()] * (len(event.rounds) - len(wanted))
    else:
        rules = _swiss_rules(event)
        wanted = [
            {
                pairing.seats
                for pairing in pair_swiss(
                    scoring, event.rounds[:at], [one for pair in each.pairings for one in pair.seats], rules
                ).pairings
                if not pairing.is_bye
            }
            for at, each in enumerate(event.rounds)
        ]
    found = []
    for each, computed in zip(event.rounds, wanted, strict=False):
        held = {pairing.seats for pairing in each.pairings if not pairing.is_bye}
        if held != computed:
            found.append(RoundDifference(each.number, tuple(sorted(held - computed)), tuple(sorted(computed - held))))
    return tuple(found)
