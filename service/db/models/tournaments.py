"""Rows of tournaments: the log with its documents, and the caches built from it."""

from __future__ import annotations

from peewee import BigIntegerField, BooleanField, CompositeKey, IntegerField, TextField

from service.db.connection import DatabaseRow
from service.db.secret_encryption import SecretField


class TournamentRow(DatabaseRow):
    """A tournament: its two secrets, the current document, and caches of its log."""

    id = TextField(primary_key=True)
    name = TextField()
    owner = TextField()
    game = TextField()
    state = TextField()
    listed = BooleanField()
    title = TextField()
    document = TextField()
    document_hash = TextField()
    seed = SecretField()
    """The secret of the hash chain whose keys the draws reveal one by one."""
    deals = SecretField()
    created_at = BigIntegerField()
    opens_at = BigIntegerField(null=True)
    closes_at = BigIntegerField(null=True)
    head_seq = IntegerField()
    head_hash = TextField()
    next_at = BigIntegerField(null=True)
    """When the next step is due; null while it waits for people."""
    started_at = BigIntegerField(null=True)
    ended_at = BigIntegerField(null=True)
    link = TextField(null=True)
    """Secret part of the invitation link; null if there is none."""


class TournamentHeaderRow(DatabaseRow):
    """The first lines of a tournament's log, which never change."""

    tournament = TextField(primary_key=True)
    hash = TextField()
    body = TextField()


class TournamentDocumentRow(DatabaseRow):
    """A document that is or was in force, as canonical text."""

    tournament = TextField()
    hash = TextField()
    document = TextField()
    at = BigIntegerField()

    class Meta:
        primary_key = CompositeKey("tournament", "hash")


class TournamentEntryRow(DatabaseRow):
    """One line of a tournament's log."""

    tournament = TextField()
    seq = IntegerField()
    at = BigIntegerField()
    line = TextField()
    prev_hash = TextField()
    hash = TextField()

    class Meta:
        primary_key = CompositeKey("tournament", "seq")


class EntrantRow(DatabaseRow):
    """A player in a tournament; a cache."""

    tournament = TextField()
    player = TextField()
    status = TextField()
    number = IntegerField(null=True)
    rating = IntegerField(null=True)
    nonce = TextField()
    entered_seq = IntegerField()

    class Meta:
        primary_key = CompositeKey("tournament", "player")


class StageRow(DatabaseRow):
    """A stage and its standings after line `standings_seq`; a cache."""

    tournament = TextField()
    place = IntegerField()
    name = TextField()
    format = TextField()
    state = TextField()
    standings = TextField()
    standings_seq = IntegerField()

    class Meta:
        primary_key = CompositeKey("tournament", "place")


class RoundRow(DatabaseRow):
    """A round and its times; a cache."""

    tournament = TextField()
    stage = TextField()
    number = IntegerField()
    state = TextField()
    starts_at = BigIntegerField(null=True)
    ends_at = BigIntegerField(null=True)
    started_at = BigIntegerField(null=True)
    over_at = BigIntegerField(null=True)
    repeats = IntegerField(default=0)
    """Number of pairs of players in it who have met before."""

    class Meta:
        primary_key = CompositeKey("tournament", "stage", "number")


class PairingRow(DatabaseRow):
    """A pairing, with the id of its match; a cache."""

    id = TextField(primary_key=True)
    tournament = TextField()
    stage = TextField()
    round = IntegerField()
    place = IntegerField()
    """Position among the `pair` lines of its round, from 1, void ones included."""
    section = IntegerField()
    seats = TextField()
    void = BooleanField()
    result = TextField()


class PairingSeatRow(DatabaseRow):
    """A player at a seat of a pairing; a cache."""

    pairing = TextField()
    seat = IntegerField()
    player = TextField()

    class Meta:
        primary_key = CompositeKey("pairing", "seat")


class ChallengeRow(DatabaseRow):
    """A challenge on a ladder and its outcome, which the log does not contain.

    `state` is `open` while it waits for an answer, then `accepted`, `declined`, `silent`, or `lapsed`. All but the last
    have a pairing.
    """

    id = TextField(primary_key=True)
    tournament = TextField()
    stage = TextField()
    challenger = TextField()
    challenged = TextField()
    state = TextField()
    made_at = BigIntegerField()
    answer_by = BigIntegerField()
    """The time at which silence loses, as last computed. Leave, pauses and lost time move it."""
    answered_at = BigIntegerField(null=True)
    pairing = TextField(null=True)


class RulingTextRow(DatabaseRow):
    """The reason for a ruling in the organiser's words. The log has its salted hash."""

    tournament = TextField()
    seq = IntegerField()
    salt = TextField()
    text = TextField()

    class Meta:
        primary_key = CompositeKey("tournament", "seq")


class TournamentInvitationRow(DatabaseRow):
    """An invitation to a tournament, for a player or for an address that may have no account."""

    id = TextField(primary_key=True)
    tournament = TextField()
    player = TextField(null=True)
    address = TextField(null=True)
    by_player = TextField()
    at = BigIntegerField()


class TournamentDraftRow(DatabaseRow):
    """A tournament that an organiser is planning: the wizard's answers, and the document if edited by hand."""

    player = TextField(primary_key=True)
    answers = TextField()
    document = TextField()
    at = BigIntegerField()


class PlaceOfferRow(DatabaseRow):
    """An offer to a reserve: a place in a tournament, or a seat in one of its matches."""

    tournament = TextField()
    player = TextField()
    match = TextField()
    """The match that the seat is in; empty for a place."""
    seat = IntegerField()
    asked_at = BigIntegerField()
    until = BigIntegerField()
    open = BooleanField()
    answer = TextField()

    class Meta:
        primary_key = CompositeKey("tournament", "player", "match")


class TournamentMessageRow(DatabaseRow):
    """A message of an organiser to all entrants."""

    id = TextField(primary_key=True)
    tournament = TextField()
    author = TextField()
    at = BigIntegerField()
    text = TextField()


class CalendarAddressRow(DatabaseRow):
    """The secret address of a player's calendar: its salt and hash."""

    player = TextField(primary_key=True)
    hash = TextField()
    salt = TextField()
    at = BigIntegerField()


class CalendarRoundRow(DatabaseRow):
    """A round as last shown in calendars. It tells when a change needs a higher sequence number."""

    tournament = TextField()
    stage = TextField()
    number = IntegerField()
    starts_at = BigIntegerField()
    ends_at = BigIntegerField(null=True)
    sequence = IntegerField()
    cancelled = BooleanField()
    at = BigIntegerField()

    class Meta:
        primary_key = CompositeKey("tournament", "stage", "number")


class FairPlayLookRow(DatabaseRow):
    """A record that someone viewed a tournament's fair-play facts: who, and when."""

    id = TextField(primary_key=True)
    tournament = TextField()
    player = TextField()
    at = BigIntegerField()
