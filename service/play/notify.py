"""Effects of resolutions besides entries, in the same transaction: clocks, events, queued emails."""

from __future__ import annotations

from collections.abc import Sequence

from service.config import Config
from service.db.models.matches import MatchRow, SeatRow
from service.events.log import Event, write_events
from service.jobs import queue
from service.jobs.queue import NewJob
from service.play import seat_cache
from service.play.job_payloads import BegunLetter, DroppedLetter, OverLetter, TurnLetter
from service.play.resolve import Effects, Resolution
from service.play.seat_cache import SeatChange, SeatState
from service.record.match_state import MatchState

JOINED_AT_START = 10_000
"""A player who joined within this many ms before the start already knows that the match begins."""


def make_effects(config: Config) -> Effects:
    """Make the function that writes clocks, events and emails of resolutions, under this configuration."""

    def write_all(resolutions: Sequence[Resolution]) -> None:
        changes = seat_cache.renew_all([each.match_state for each in resolutions if each.whole])
        events: list[Event] = []
        letters: list[NewJob] = []
        answered: list[str] = []
        for resolution in resolutions:
            match = resolution.match_state.facts.id
            changed = changes.get(match, [])
            events += _events_of(resolution, changed)
            letters += _letters_of(resolution, changed, config)
            answered += [_turn_letter_key(match, each.seat, each.was) for each in changed if each.has_answered]
        # A player who answers while the email is held back needs no email. Cancelling is cheapest before it is due.
        queue.cancel_all(answered)
        queue.add_all([*_start_letters(resolutions, config), *letters])
        write_events(events)

    return write_all


def _events_of(resolution: Resolution, changed: Sequence[SeatChange]) -> list[Event]:
    match_state, match = resolution.match_state, resolution.match_state.facts.id
    events = [
        Event(orders.player, match, orders.seat, match_state.seq, "orders.dropped")
        for orders in resolution.orders.values()
        if orders.why
    ]
    if not resolution.whole:
        return events
    if resolution.since < 0:
        events += _events_for_players(match_state, 0, "match.started")
    ready = [
        Event(str(change.place.player), match, change.seat, change.place.asked, "turn.ready")
        for change in changed
        if change.place.asked is not None and change.is_new_question
    ]
    if match_state.state.over:
        events += _events_for_players(match_state, match_state.seq, "match.over")
    elif match_state.seq > resolution.since:
        asked = {event.player for event in ready}
        moved = _events_for_players(match_state, match_state.seq, "match.moved")
        events += [event for event in moved if event.player not in asked]
    return events + ready


def _events_for_players(match_state: MatchState, seq: int, kind: str) -> list[Event]:
    """Return an event for every person in the match."""
    return [
        Event(player, match_state.facts.id, seat, seq, kind)
        for seat, player in enumerate(match_state.players)
        if player
    ]


def _letters_of(resolution: Resolution, changed: Sequence[SeatChange], config: Config) -> list[NewJob]:
    """Return emails about dropped orders, the end, and new questions. Those about questions are held back briefly."""
    match_state, match = resolution.match_state, resolution.match_state.facts.id
    letters = [
        NewJob(DroppedLetter(submission=orders.id), f"dropped:{orders.id}")
        for orders in resolution.orders.values()
        if orders.why
    ]
    if not resolution.whole:
        return letters
    if match_state.state.over:
        for seat, player in enumerate(match_state.players):
            if player:
                letters.append(NewJob(OverLetter(match=match, seat=seat, player=player), f"over:{match}:{seat}"))
    for change in changed:
        asked = change.place.asked
        if asked is not None and change.is_new_question:
            key = _turn_letter_key(match, change.seat, change.place)
            letter = TurnLetter(match=match, seat=change.seat, asked=asked)
            letters.append(NewJob(letter, key, match_state.at + config.letter_hold * 1000))
    return letters


def _start_letters(resolutions: Sequence[Resolution], config: Config) -> list[NewJob]:
    """Return the "match has begun" emails, for players who waited and are not asked first.

    Players who are asked first get the email about their turn instead, and the player who took the last seat got an
    answer to that. Rounds of tournaments have an email of their own.
    """
    begun = {each.match_state.facts.id: each.match_state for each in resolutions if each.since < 0 and each.whole}
    match_states = {
        match: match_state for match, match_state in begun.items() if sum(map(bool, match_state.players)) > 1
    }
    if not match_states:
        return []
    own = MatchRow.id.in_(list(match_states)) & MatchRow.pairing.is_null()
    started = {row.id: row.started_at or 0 for row in MatchRow.select(MatchRow.id, MatchRow.started_at).where(own)}
    taken = SeatRow.match.in_(list(started)) & SeatRow.player.is_null(False)
    places = sorted(SeatRow.select().where(taken), key=lambda place: place.joined_at or 0)
    last = {place.match: place.joined_at or 0 for place in places}
    letters = []
    for place in places:
        match, seat, match_state = place.match, place.seat, match_states[place.match]
        waited = (place.joined_at or 0) < max(last[match], started[match] - JOINED_AT_START)
        if waited and place.player and match_state.questions[seat] is None and not match_state.state.over:
            letter = BegunLetter(match=match, seat=seat, player=place.player)
            letters.append(NewJob(letter, f"begun:{match}:{seat}", match_state.at + config.letter_hold * 1000))
    return letters


def _turn_letter_key(match: str, seat: int, place: SeatState) -> str:
    """Return the job key of the email about a question."""
    return f"turn:{match}:{seat}:{place.asked}:{place.player}"
