"""Rows of tournaments: the log with its documents, and the caches that are made from it."""

from __future__ import annotations

from peewee import BigIntegerField, BooleanField, CompositeKey, IntegerField, TextField

from service.db.connection import DatabaseRow
from service.db.secret_encryption import SecretField


class TournamentRow(DatabaseRow):
    """A tournament: its two secrets, the document in force, and caches of where its log stands."""

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
    """Secret whose hash chain the draws open, key by key."""
    deals = SecretField()
    created_at = BigIntegerField()
    opens_at = BigIntegerField(null=True)
    closes_at = BigIntegerField(null=True)
    head_seq = IntegerField()
    head_hash = TextField()
    next_at = BigIntegerField(null=True)
    """When there is something to do; nothing where it waits for people."""
    started_at = BigIntegerField(null=True)
    ended_at = BigIntegerField(null=True)

    class Meta:
        table_name = "tournament"


class TournamentHeaderRow(DatabaseRow):
    """The first lines of a tournament's log, which never change."""

    tournament = TextField(primary_key=True)
    hash = TextField()
    body = TextField()

    class Meta:
        table_name = "tournament_header"


class TournamentDocumentRow(DatabaseRow):
    """A document that was in force once, as its canonical text."""

    tournament = TextField()
    hash = TextField()
    document = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "tournament_document"
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
        table_name = "tournament_entry"
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
        table_name = "entrant"
        primary_key = CompositeKey("tournament", "player")


class StageRow(DatabaseRow):
    """A stage and its standings as they were after so many lines; a cache."""

    tournament = TextField()
    place = IntegerField()
    name = TextField()
    format = TextField()
    state = TextField()
    standings = TextField()
    standings_seq = IntegerField()

    class Meta:
        table_name = "stage"
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
    """How many pairs of people meet again in it."""

    class Meta:
        table_name = "round"
        primary_key = CompositeKey("tournament", "stage", "number")


class PairingRow(DatabaseRow):
    """A pairing, whose id is that of the match to be made for it; a cache."""

    id = TextField(primary_key=True)
    tournament = TextField()
    stage = TextField()
    round = IntegerField()
    place = IntegerField()
    """Which of the `pair` lines of its round it is, from 1 on, void ones counted."""
    section = IntegerField()
    seats = TextField()
    void = BooleanField()
    result = TextField()

    class Meta:
        table_name = "pairing"


class PairingSeatRow(DatabaseRow):
    """A player at a seat of a pairing; a cache."""

    pairing = TextField()
    seat = IntegerField()
    player = TextField()

    class Meta:
        table_name = "pairing_seat"
        primary_key = CompositeKey("pairing", "seat")


class ChallengeRow(DatabaseRow):
    """A challenge on a ladder and what came of it: a ledger of what was asked, which the log does not have.

    `state` is `open` while it waits for an answer, then `accepted`, `declined`, `silent`, or `lapsed`; all but the last
    have the pairing that was written for it.
    """

    id = TextField(primary_key=True)
    tournament = TextField()
    stage = TextField()
    challenger = TextField()
    challenged = TextField()
    state = TextField()
    made_at = BigIntegerField()
    answer_by = BigIntegerField()
    """When silence loses, as it was known last: leave, pauses and lost time move it."""
    answered_at = BigIntegerField(null=True)
    pairing = TextField(null=True)

    class Meta:
        table_name = "challenge"


class RulingTextRow(DatabaseRow):
    """The reason of a ruling in its organiser's words, of which the log has the salted hash."""

    tournament = TextField()
    seq = IntegerField()
    salt = TextField()
    text = TextField()

    class Meta:
        table_name = "ruling_text"
        primary_key = CompositeKey("tournament", "seq")


class TournamentInvitationRow(DatabaseRow):
    """Somebody who was invited to a tournament: a player, or an address that may have no account."""

    id = TextField(primary_key=True)
    tournament = TextField()
    player = TextField(null=True)
    address = TextField(null=True)
    by_player = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "tournament_invitation"


class PlaceOfferRow(DatabaseRow):
    """What a reserve was offered: a place in a tournament, or a seat in one of its matches."""

    tournament = TextField()
    player = TextField()
    match = TextField()
    """The match with the seat; empty for a place."""
    seat = IntegerField()
    asked_at = BigIntegerField()
    until = BigIntegerField()
    open = BooleanField()
    answer = TextField()

    class Meta:
        table_name = "place_offer"
        primary_key = CompositeKey("tournament", "player", "match")


class TournamentMessageRow(DatabaseRow):
    """What an organiser wrote to all entrants."""

    id = TextField(primary_key=True)
    tournament = TextField()
    author = TextField()
    at = BigIntegerField()
    text = TextField()

    class Meta:
        table_name = "tournament_message"


class CalendarAddressRow(DatabaseRow):
    """The secret address of a player's calendar: what it is made of, and its hash."""

    player = TextField(primary_key=True)
    hash = TextField()
    salt = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "calendar_address"


class CalendarRoundRow(DatabaseRow):
    """A round as calendars showed it last, so that a change is told as one."""

    tournament = TextField()
    stage = TextField()
    number = IntegerField()
    starts_at = BigIntegerField()
    ends_at = BigIntegerField(null=True)
    sequence = IntegerField()
    cancelled = BooleanField()
    at = BigIntegerField()

    class Meta:
        table_name = "calendar_round"
        primary_key = CompositeKey("tournament", "stage", "number")


class FairPlayLookRow(DatabaseRow):
    """Who looked at the facts about fair play of a tournament, and when."""

    id = TextField(primary_key=True)
    tournament = TextField()
    player = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "fair_play_look"
