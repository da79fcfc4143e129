"""Reserves: offer free places and abandoned seats to the waiting list, in order.

An offer lasts as long as the document says; a reserve who gets the same offer again keeps the first deadline. Entering
again accepts an offer, withdrawing declines it. An abandoned seat scores as abandoned, whoever plays on.
"""

from __future__ import annotations

from service.config import Config
from service.db.models.matches import MatchRow
from service.db.models.tournaments import EntrantRow, PairingRow, PlaceOfferRow, TournamentRow
from service.jobs import queue
from service.jobs.queue import Job
from service.matches.paired_matches import list_left_seats, take_left_seat
from service.play.job_payloads import TakeMissedDeadline
from service.timestamps import now
from service.tournaments.documents.document import TournamentDocument
from service.tournaments.formats.log_lines import AcceptLine
from service.tournaments.formats.tournament_state import IN, RESERVE
from service.tournaments.job_payloads import AskReserves, EnteredLetter, PlaceOfferLetter
from service.tournaments.ratings.reliability import recount_running_match
from service.tournaments.tournament_caches import ENDED, document_of
from service.tournaments.tournament_store import load_state, lock_tournament, write_lines

A_PLACE = ""
"""Match of an offer that is for a place in the tournament and not for a seat."""
SUBSTITUTE = "substitute"
YES, NO, LATE = "yes", "no", "late"


def count_free_places(tournament: str, document: TournamentDocument) -> int:
    """Return how many places are neither taken nor offered."""
    return _count_unused_places(tournament, document) - len(_open_offers(tournament, A_PLACE))


def _count_unused_places(tournament: str, document: TournamentDocument) -> int:
    inside = (EntrantRow.tournament == tournament) & (EntrantRow.status == IN)
    return int(document.entry.most - EntrantRow.select().where(inside).count())


def _open_offers(tournament: str, match: str) -> list[PlaceOfferRow]:
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.match == match)
    return list(PlaceOfferRow.select().where(mine & PlaceOfferRow.open))


def ask_for_places(row: TournamentRow, document: TournamentDocument) -> None:
    """Offer every free place to the next reserve, inside a transaction. Do nothing once entry is closed."""
    if not _is_open(row, document):
        return
    for _ in range(max(0, count_free_places(row.id, document))):
        if not _ask_next(row, document, A_PLACE, 0):
            return


def _ask_next(row: TournamentRow, document: TournamentDocument, match: str, seat: int) -> bool:
    """Make an offer to the first reserve who can still answer. Return False if there is none."""
    waiting = (EntrantRow.tournament == row.id) & (EntrantRow.status == RESERVE)
    mine = (PlaceOfferRow.tournament == row.id) & (PlaceOfferRow.match == match)
    asked = {each.player: each for each in PlaceOfferRow.select().where(mine)}
    at = now()
    until = at + document.entry.reserves
    if match == A_PLACE and document.entry.closes is not None:
        until = min(until, document.entry.closes)
    for entrant in EntrantRow.select().where(waiting).order_by(EntrantRow.entered_seq):
        earlier = asked.get(entrant.player)
        if earlier is None:
            columns = {"tournament": row.id, "player": entrant.player, "match": match, "seat": seat}
            PlaceOfferRow.create(**columns, asked_at=at, until=until, open=True, answer="")
        elif earlier.open or earlier.until <= at or earlier.answer:
            continue
        else:
            until = earlier.until
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
    """Close all offers to a player, inside a transaction."""
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.player == player) & PlaceOfferRow.open
    left = [offer.match for offer in PlaceOfferRow.select().where(mine) if offer.match != A_PLACE]
    PlaceOfferRow.update(open=False, answer=answer).where(mine).execute()
    for match in left:
        job = AskReserves(tournament=tournament, match=match)
        queue.add(job, f"{job.topic}:{tournament}:{player}:{match}:{answer}")


def answer_offer(row: TournamentRow, document: TournamentDocument, entrant: EntrantRow) -> None:
    """Give a reserve who enters again the place that was offered, inside a transaction."""
    if entrant.status != RESERVE:
        return
    player = entrant.player
    mine = (PlaceOfferRow.tournament == row.id) & (PlaceOfferRow.player == player) & (PlaceOfferRow.match == A_PLACE)
    offered = PlaceOfferRow.select().where(mine & PlaceOfferRow.open & (PlaceOfferRow.until > now())).exists()
    # A place that everybody who was asked has let go goes to any reserve who enters again.
    unclaimed = _is_open(row, document) and count_free_places(row.id, document) > 0
    if (offered and _count_unused_places(row.id, document) > 0) or unclaimed:
        close_offers(row.id, player, YES)
        written = write_lines(row, [AcceptLine(player)], now())
        letter = EnteredLetter(tournament=row.id, player=player, status=IN)
        queue.add(letter, f"{letter.kind}:{row.id}:{player}:{written[0].seq}")


def take_offered_seats(tournament: str, player: str, config: Config) -> None:
    """Give a reserve who enters again the seats that were offered."""
    mine = (PlaceOfferRow.tournament == tournament) & (PlaceOfferRow.player == player) & PlaceOfferRow.open
    seats = mine & (PlaceOfferRow.match != A_PLACE) & (PlaceOfferRow.until > now())
    for offer in list(PlaceOfferRow.select().where(seats)):
        take_left_seat(offer.match, offer.seat, player, config)
        PlaceOfferRow.update(open=False, answer=YES).where(mine & (PlaceOfferRow.match == offer.match)).execute()


def _is_open(row: TournamentRow, document: TournamentDocument) -> bool:
    """Return True while places are given: until entry closes, or to the end."""
    return document.entry.closes_with_end or load_state(row.id).closed_at is None


def run_offers_job(job: Job[AskReserves], _config: Config) -> None:
    """Job: close expired offers and make new ones for what is free. Safe to repeat."""
    match, at = job.payload.match, now()
    with lock_tournament(job.payload.tournament) as row:
        late = (PlaceOfferRow.tournament == row.id) & PlaceOfferRow.open & (PlaceOfferRow.until <= at)
        PlaceOfferRow.update(open=False, answer=LATE).where(late).execute()
        if row.state in ENDED:
            return
        document = document_of(row)
        ask_for_places(row, document)
        if match:
            _ask_for_seats(row, document, match)


def take_missed_deadline(job: Job[TakeMissedDeadline], _config: Config) -> None:
    """Job after a missed deadline: update reliability and ask for substitutes. Safe to repeat."""
    recount_running_match(job.payload.match)
    ask_substitutes(job.payload.match)


def ask_substitutes(match: str) -> None:
    """Offer the abandoned seats of a running match to reserves, if the document wants substitutes."""
    match_row = MatchRow.get_or_none((MatchRow.id == match) & MatchRow.pairing.is_null(is_null=False))
    pairing = PairingRow.get_or_none(PairingRow.id == match)
    if match_row is None or pairing is None or match_row.policy != SUBSTITUTE:
        return
    with lock_tournament(pairing.tournament) as row:
        if row.state not in ENDED:
            _ask_for_seats(row, document_of(row), match)


def _ask_for_seats(row: TournamentRow, document: TournamentDocument, match: str) -> None:
    """Offer each seat that a stand-in plays to the next reserve. Reserves play in no section, so not in this one."""
    asked = {offer.seat for offer in _open_offers(row.id, match)}
    for seat in list_left_seats(match):
        if seat not in asked:
            _ask_next(row, document, match, seat)
