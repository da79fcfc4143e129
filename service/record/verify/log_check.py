"""Check the entries of a record, each against all before it."""

from __future__ import annotations

from service.record import chain
from service.record.entry import CHANCE, HOUSE, SEAT_OF_KIND, Entry, MailAttestation
from service.record.errors import BadRecordPart
from service.record.header import Header
from service.record.keys import PublicKey
from service.record.patterns import is_key_list, is_line, is_redacted_form
from service.record.signed_text import LEAST_ALTERNATIVES, MOST_LINES, link_to_previous, move_text
from service.record.verify.seats import SeatTracker


class LogChecker:
    """A header and the entries checked so far."""

    def __init__(self, header: Header, keys: dict[str, PublicKey]) -> None:
        self.header = header
        self.keys = keys
        self.seats = SeatTracker(header)
        self.entries: list[Entry] = []
        self.hashes = [header.hash]
        self._of_seat: list[list[Entry]] = [[] for _ in header.places]
        self.attested = 0
        """Number of open lines signed by keys that only the house gave to their seats."""

    @property
    def at(self) -> int:
        """The time of the last entry, or of the start."""
        return self.entries[-1].at if self.entries else self.header.started

    def append(self, entry: Entry) -> None:
        """Check and add the next entry. The order of the checks is part of the format."""
        if entry.seq != len(self.hashes):
            raise BadRecordPart("order", f"expected entry {len(self.hashes)} here, not entry {entry.seq}")
        if self.seats.ended:
            raise BadRecordPart("house", "nothing may follow the end of the match")
        self._check_kind(entry)
        _check_line(entry)
        self._check_chain(entry)
        self._check_maker(entry)
        self._update_seats(entry)
        self.entries.append(entry)
        self.hashes.append(entry.hash)
        if entry.seat >= 0:
            self._of_seat[entry.seat].append(entry)

    def _check_kind(self, entry: Entry) -> None:
        if not HOUSE <= entry.seat < self.header.seats:
            raise BadRecordPart("by", f"there is no seat {entry.seat}")
        if entry.at < self.at:
            raise BadRecordPart("time", f"made at {entry.at}, before {self.at}")
        if SEAT_OF_KIND.get(entry.kind, max(entry.seat, 0)) != entry.seat:
            raise BadRecordPart("by", f"seat {entry.seat} cannot make a line by {entry.kind}")
        if entry.kind == "mail" and self.header.moves == "signed":
            raise BadRecordPart("by", "in this match mail makes no moves")

    def _check_chain(self, entry: Entry) -> None:
        if not entry.redacted and chain.line_commitment(entry.salt, entry.line) != entry.commit:
            raise BadRecordPart("commit", "line and salt do not give the commitment")
        expected = chain.entry_hash(
            self.header.match, entry.seq, entry.seat, entry.at, entry.by, entry.commit, self.hashes[-1]
        )
        if expected != entry.hash:
            raise BadRecordPart("hash", "the entry and the hash before it do not give its hash")

    def _check_maker(self, entry: Entry) -> None:
        verb = entry.line.partition(" ")[0]
        if self.seats.paused and entry.kind != "house" and not (entry.seat >= 0 and verb in {"keys", "resign"}):
            raise BadRecordPart("house", "made while the match was paused")
        if entry.seat <= CHANCE:
            return
        bot = self.seats.places[entry.seat].bot
        if entry.kind == "bot" and entry.maker != bot:
            raise BadRecordPart("by", f"the bot {entry.maker} does not play seat {entry.seat}")
        if entry.kind != "bot" and bot:
            raise BadRecordPart("by", f"no player sits on seat {entry.seat}")
        if verb == "keys" and entry.kind != "signed":
            raise BadRecordPart("by", "a seat's own keys line must be signed")
        if entry.redacted:
            return
        if entry.kind == "signed":
            self._check_signed(entry)
        if entry.mail is not None:
            _check_mail(entry, entry.mail)

    def _check_signed(self, entry: Entry) -> None:
        if entry.text is not None and (
            len(entry.alternatives) < LEAST_ALTERNATIVES or entry.line not in entry.alternatives
        ):
            raise BadRecordPart("line", "the line is none of two or more different alternatives in the signed text")
        if chain.by_signed(entry.signature) != entry.by:
            raise BadRecordPart("signature", "by does not hold the hash of the signature")
        if entry.asked >= entry.seq or not 1 <= entry.n <= MOST_LINES:
            raise BadRecordPart("asked", f"asked must be an earlier entry, and n from 1 to {MOST_LINES}")
        if entry.key not in self.seats.places[entry.seat].key_ids:
            raise BadRecordPart("key", f"{entry.key} is not a key of seat {entry.seat} at this time")
        if entry.key not in self.keys:
            raise BadRecordPart("key", f"the key {entry.key} is not shown")
        previous = self._previous_of_submission(entry)
        link = link_to_previous(None, entry.orders) if previous is None else previous.maker
        line = entry.line if entry.text is None else entry.text
        prev = self.hashes[entry.asked]
        text = move_text(self.header.match, entry.seat, entry.asked, prev, entry.n, link, line)
        if not self.keys[entry.key].verifies(entry.signature, text):
            raise BadRecordPart("signature", "the key has not signed this line at this place")
        self.attested += not self.seats.proved.is_proved(entry.seat, entry.key)

    def _previous_of_submission(self, entry: Entry) -> Entry | None:
        """Return the entry of the previous line of the same submission, or None for the first line."""
        own = self._of_seat[entry.seat]
        since = own[len(own) - entry.n + 1 :] if entry.n <= len(own) + 1 else []
        further = own[len(own) - entry.n] if entry.n <= len(own) else None
        if (
            len(since) != entry.n - 1
            or (since and since[0].seq <= entry.asked)
            or (further is not None and further.seq > entry.asked)
        ):
            raise BadRecordPart("asked", f"since entry {entry.asked} the seat did not make exactly {entry.n - 1} lines")
        for n, each in enumerate(since, 1):
            if each.kind != "signed" or not (each.redacted or (each.asked, each.n) == (entry.asked, n)):
                raise BadRecordPart("asked", f"entry {each.seq} is not line {n} of this submission")
        return since[-1] if since else None

    def _update_seats(self, entry: Entry) -> None:
        if entry.kind == "house":
            self.seats.apply_house_line(entry.line, entry.at, entry.seq)
        elif entry.kind == "signed" and entry.line.startswith("keys "):
            self.seats.apply_keys_line(entry.seat, entry.line, entry.key, entry.seq)


def _check_line(entry: Entry) -> None:
    if not entry.redacted:
        if not is_line(entry.line):
            raise BadRecordPart("line", "this is not a line")
        verb, _, keys = entry.line.partition(" ")
        if entry.kind == "signed" and verb == "keys" and (keys == "-" or not is_key_list(keys)):
            raise BadRecordPart("line", "a seat's own keys line names one to eight keys, ascending, each once")
        return
    if not is_redacted_form(entry.shown):
        raise BadRecordPart("line", "this is not a redacted form")
    if entry.kind == "house" or (entry.seat >= 0 and entry.shown.split(" ")[0] == "keys"):
        raise BadRecordPart("line", "such a line is never redacted")


def _check_mail(entry: Entry, mail: MailAttestation) -> None:
    if chain.by_mail(entry.salt, mail.received, mail.door, mail.raw, mail.verdict) != entry.by:
        raise BadRecordPart("mail", "by does not hold the hash of what is attested of the mail")
    if mail.received > entry.at:
        raise BadRecordPart("time", "the line was made before its mail was received")
