"""Reserves: who is on the waiting list is asked in order, for a place that is free or for a seat that somebody left.

Each has the time that the document gives; whoever is asked again for the same goes on with the time they had. Entering
once more is the yes, withdrawing the no. A seat that was left scores as left, whoever plays it on.
"""

from __future__ import annotations

import json

from service.config import Config
from service.db.models.matches import MatchRow
from service.db.models.tournaments import EntrantRow, PairingRow, PlaceOfferRow, TournamentRow
from service.jobs import queue
from service.jobs.queue import Job
from service.matches.paired_matches import list_left_seats, take_left_seat
from service.play.job_payloads import TakeMissedDeadline
from service.timestamps import now
from service.tournaments.documents.document import TournamentDocument, load_document
from service.tournaments.formats.log_lines import AcceptLine
from service.tournaments.formats.tournament_state import IN, RESERVE
from service.tournaments.job_payloads import AskReserves, EnteredLetter, PlaceOfferLetter
from service.tournaments.ratings.reliability import recount_running_match
from service.tournaments.tournament_caches import CANCELLED, OVER
from service.tournaments.tournament_store import load_state, lock_tournament, write_lines

A_PLACE = ""
"""What an offer names that is of a place in the tournament, not of a seat in a match."""
SUBSTITUTE = "substitute"
YES, NO, LATE = "yes", "no", "late"


def count_free_places(tournament: str, document: TournamentDocument) -> int:
    """How many places nobody has and nobody was offered."""
    return _count_unused_places(tournament, document) - len(_open_offers(tournament, A_PLACE))


def _count_unused_places(tournament: str, document: TournamentDocument) -> int:
    inside = (EntrantRow.tournament == tournament) & (EntrantRow.status == IN)
    return int(document.entry.most - EntrantRow.select().where(inside).count())


def _open_offers(tournament: str, match: str) -> list[PlaceOfferRow]:
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.match == match)
    return list(PlaceOfferRow.select().where(mine & PlaceOfferRow.open))


def ask_for_places(row: TournamentRow, document: TournamentDocument) -> None:
    """Offer every free place to the next reserve, inside a transaction; nobody is asked once entry is closed."""
    if load_state(row.id).closed_at is not None and not document.entry.closes_with_end:
        return
    for _ in range(max(0, count_free_places(row.id, document))):
        if not _ask_next(row, document, A_PLACE, 0):
            return


def _ask_next(row: TournamentRow, document: TournamentDocument, match: str, seat: int) -> bool:
    """Ask the first reserve who can still answer; whether there is one."""
    waiting = (EntrantRow.tournament == row.id) & (EntrantRow.status == RESERVE)
    mine = (PlaceOfferRow.tournament == row.id) & (PlaceOfferRow.match == match)
    asked = {each.player: each for each in PlaceOfferRow.select().where(mine)}
    at = now()
    until = at + document.entry.reserves
    if match == A_PLACE and document.entry.closes is not None:
        until = min(until, document.entry.closes)
    for entrant in EntrantRow.select().where(waiting).order_by(EntrantRow.entered_seq):
        known = asked.get(entrant.player)
        if known is None:
            made = {"tournament": row.id, "player": entrant.player, "match": match, "seat": seat}
            PlaceOfferRow.create(**made, asked_at=at, until=until, open=True, answer="")
        elif known.open or known.until <= at or known.answer:
            continue
        else:
            until = known.until
            same = mine & (PlaceOfferRow.player == entrant.player)
            PlaceOfferRow.update(open=True, seat=seat).where(same).execute()
        _queue_offer(row.id, entrant.player, match, until)
        return True
    return False


def _queue_offer(tournament: str, player: str, match: str, until: int) -> None:
    key = f"{tournament}:{player}:{match}:{until}"
    letter = PlaceOfferLetter(tournament=tournament, player=player, match=match, until=until)
    queue.add(letter, f"{letter.kind}:{key}")
    job = AskReserves(tournament=tournament, player=player, match=match, until=until)
    queue.add(job, f"{job.topic}:{key}", until)


def close_offers(tournament: str, player: str, answer: str = NO) -> None:
    """Let nothing be offered to somebody any more, inside a transaction."""
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.player == player) & PlaceOfferRow.open
    left = [offer.match for offer in PlaceOfferRow.select().where(mine) if offer.match != A_PLACE]
    PlaceOfferRow.update(open=False, answer=answer).where(mine).execute()
    for match in left:
        job = AskReserves(tournament=tournament, match=match)
        queue.add(job, f"{job.topic}:{tournament}:{player}:{match}:{answer}")


def answer_offer(row: TournamentRow, document: TournamentDocument, player: str) -> None:
    """Take the place that is offered to a reserve who enters again, inside a transaction; nothing without an offer."""
    known = EntrantRow.get_or_none((EntrantRow.tournament == row.id) & (EntrantRow.player == player))
    if known is None or known.status != RESERVE:
        return
    mine = (PlaceOfferRow.tournament == row.id) & (PlaceOfferRow.player == player) & (PlaceOfferRow.match == A_PLACE)
    offered = PlaceOfferRow.select().where(mine & PlaceOfferRow.open & (PlaceOfferRow.until > now())).exists()
    if (offered and _count_unused_places(row.id, document) > 0) or _may_come_late(row, document):
        close_offers(row.id, player, YES)
        written = write_lines(row, [AcceptLine(player)], now())
        letter = EnteredLetter(tournament=row.id, player=player, status=IN)
        queue.add(letter, f"{letter.kind}:{row.id}:{player}:{written[0].seq}")


def take_offered_seats(tournament: str, player: str, config: Config) -> None:
    """Take the seats that are offered to a reserve who enters again."""
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.player == player) & PlaceOfferRow.open
    seats = mine & (PlaceOfferRow.match != A_PLACE) & (PlaceOfferRow.until > now())
    for offer in list(PlaceOfferRow.select().where(seats)):
        take_left_seat(offer.match, offer.seat, player, config)
        PlaceOfferRow.update(open=False, answer=YES).where(mine & (PlaceOfferRow.match == offer.match)).execute()


def _may_come_late(row: TournamentRow, document: TournamentDocument) -> bool:
    """Whether a place is free that everybody who was asked let go."""
    open_ = load_state(row.id).closed_at is None or document.entry.closes_with_end
    return open_ and count_free_places(row.id, document) > 0


def run_offers_job(job: Job[AskReserves], _config: Config) -> None:
    """The job of an offer whose time is over, or of a place that came free: the next one is asked. Safe to repeat."""
    match, at = job.payload.match, now()
    with lock_tournament(job.payload.tournament) as row:
        late = (PlaceOfferRow.tournament == row.id) & PlaceOfferRow.open & (PlaceOfferRow.until <= at)
        PlaceOfferRow.update(open=False, answer=LATE).where(late).execute()
        if row.state in {OVER, CANCELLED}:
            return
        document = load_document(json.loads(row.document))
        ask_for_places(row, document)
        if match:
            _ask_for_seats(row, document, match)


def take_missed_deadline(job: Job[TakeMissedDeadline], _config: Config) -> None:
    """The job after a missed deadline: count what the running match says by now, and ask for substitutes.

    Safe to repeat.
    """
    recount_running_match(job.payload.match)
    ask_substitutes(job.payload.match)


def ask_substitutes(match: str) -> None:
    """Ask reserves for the seats that were left in a running match whose tournament looks for substitutes."""
    found = MatchRow.get_or_none((MatchRow.id == match) & MatchRow.pairing.is_null(is_null=False))
    pairing = PairingRow.get_or_none(PairingRow.id == match)
    if found is None or pairing is None or found.policy != SUBSTITUTE:
        return
    with lock_tournament(pairing.tournament) as row:
        if row.state not in {OVER, CANCELLED}:
            _ask_for_seats(row, load_document(json.loads(row.document)), match)


def _ask_for_seats(row: TournamentRow, document: TournamentDocument, match: str) -> None:
    """Ask the next reserve for each seat that a stand-in plays; reserves are in no section, so never in this one."""
    asked = {offer.seat for offer in _open_offers(row.id, match)}
    for seat in list_left_seats(match):
        if seat not in asked:
            _ask_next(row, document, match, seat)
