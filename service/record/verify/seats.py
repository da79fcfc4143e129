"""Occupants of seats along a log: players, bots, keys, pauses and the end, by lines of the house and of seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from service.record.errors import BadRecordPart
from service.record.header import Header, Occupant, key_ids
from service.record.patterns import ID, NAME, REASON_WORD, SCORE, is_key_list, parse_number
from service.record.proved_keys import ProvedKeys

TIMEOUT_GRACE = 60_000


class SeatTracker:
    """Seats of a match at one moment. Each entry is checked against the seats as they were before it."""

    def __init__(self, header: Header) -> None:
        self.places = list(header.places)
        self.first_named: dict[str, int] = {}
        self.proved = ProvedKeys([place.key_ids for place in header.places])
        self.paused = False
        self.ended = False
        for place in header.places:
            self._note_keys(place.key_ids, 0)

    def _note_keys(self, ids: frozenset[str], seq: int) -> None:
        """Remember the entry (0 for the header) that first named each key."""
        for each in sorted(ids):
            self.first_named.setdefault(each, seq)

    def apply_keys_line(self, seat: int, line: str, signer: str, seq: int) -> None:
        """Apply `keys KEYS`, made by the seat itself with one of its keys."""
        keys = line.removeprefix("keys ")
        self.places[seat] = replace(self.places[seat], keys=keys)
        self.proved.sign_for(seat, signer, key_ids(keys))
        self._note_keys(key_ids(keys), seq)

    def apply_house_line(self, line: str, at: int, seq: int) -> None:
        """Check a line of the house and apply it to the seats."""
        verb, *words = line.split(" ")
        match verb, len(words):
            case "timeout", 2:
                self._check_timeout(words, at)
            case "bot", 2:
                self._seat_bot(words)
            case "seat", 3:
                self._seat_player(words, seq)
            case "keys", 2:
                self._replace_keys(words, seq)
            case ("pause", 1) | ("resume", 0):
                self._pause_or_resume(words)
            case "end", _ if words:
                self._end_match(words)
            case _:
                raise BadRecordPart("house", f"{line!r} is not a line of the house")

    def _parse_seat(self, word: str) -> int:
        seat = parse_number(word)
        if seat is None or seat >= len(self.places):
            raise BadRecordPart("house", f"there is no seat {word}")
        return seat

    def _check_timeout(self, words: Sequence[str], at: int) -> None:
        self._parse_seat(words[0])
        due = parse_number(words[1])
        if due is None or due + TIMEOUT_GRACE > at:
            raise BadRecordPart("house", "a timeout is written a minute after it was due, not before")

    def _seat_bot(self, words: Sequence[str]) -> None:
        seat = self._parse_seat(words[0])
        self.places[seat] = Occupant(bot=_check_form(words[1], NAME.fullmatch(words[1]) is not None))
        self.proved.take_seat(seat, ())

    def _seat_player(self, words: Sequence[str], seq: int) -> None:
        seat = self._parse_seat(words[0])
        player, keys = words[1:]
        _check_form(player, ID.fullmatch(player) is not None)
        self.places[seat] = Occupant(player, keys=_check_form(keys, is_key_list(keys)))
        self.proved.take_seat(seat, key_ids(keys))
        self._note_keys(key_ids(keys), seq)

    def _replace_keys(self, words: Sequence[str], seq: int) -> None:
        seat, keys = self._parse_seat(words[0]), _check_form(words[1], is_key_list(words[1]))
        if self.places[seat].bot:
            raise BadRecordPart("house", f"seat {seat} is a bot's and has no keys")
        self.places[seat] = replace(self.places[seat], keys=keys)
        self._note_keys(key_ids(keys), seq)

    def _pause_or_resume(self, words: Sequence[str]) -> None:
        if self.paused == bool(words):
            raise BadRecordPart("house", "pause and resume must alternate")
        _check_form(" ".join(words), not words or REASON_WORD.fullmatch(words[0]) is not None)
        self.paused = bool(words)

    def _end_match(self, words: Sequence[str]) -> None:
        why, *scores = words
        _check_form(why, REASON_WORD.fullmatch(why) is not None)
        if len(scores) not in {0, len(self.places)} or not all(SCORE.fullmatch(score) for score in scores):
            raise BadRecordPart("house", "an end has no score or one for each seat")
        self.ended = True


def _check_form(word: str, fine: bool) -> str:
    if not fine:
        raise BadRecordPart("house", f"{word!r} is malformed")
    return word
