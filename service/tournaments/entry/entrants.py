"""Entrants: enter with a signed receipt, ask for a bye, and withdraw.

Each of these writes its log line while it holds the tournament's row, since the checks before it are cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service import ids
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    StageRow,
    TournamentEntryRow,
    TournamentRow,
)
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.queue import Job, RetryLater
from service.matches.job_payloads import WithdrawErasedPlayer
from service.matches.join import active_keys
from service.matches.paired_matches import resign_running_seats
from service.play import server_keys
from service.problems import Problem, invalid_field_problem
from service.record.keys import sign
from service.record.patterns import NONCE
from service.timestamps import MINUTE, now, rfc3339
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.entry import reserves
from service.tournaments.entry.invitations import is_invited
from service.tournaments.formats import log_lines
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.stage_rules import LADDER, PODS, ROUND_ROBIN, SAME_DEAL, SWISS
from service.tournaments.formats.tournament_log import entry_text
from service.tournaments.formats.tournament_state import (
    EXCLUDED,
    IN,
    NO_NONCE,
    PRESENT,
    RESERVE,
    WAITING,
    TournamentState,
)
from service.tournaments.job_payloads import EnteredLetter, ResignSeats
from service.tournaments.ratings import ratings
from service.tournaments.ratings.reliability import find_reliability
from service.tournaments.rounds.rounds import make_match_jobs, same_deal_seats, write_rounds
from service.tournaments.rounds.timetable import Timetable
from service.tournaments.tournament_caches import ENDED, document_of
from service.tournaments.tournament_store import (
    LoadedTournament,
    check_not_ended,
    find_entrant,
    is_organiser,
    load_state,
    lock_tournament,
    write_lines,
)

RESIGN_AGAIN = 10 * MINUTE
MOST_LISTED = 200
MOST_CLOCK_SKEW = 10 * MINUTE


@dataclass(frozen=True, slots=True)
class EntryReceipt:
    """The server's signature over an entry: its log line, hash, time and nonce."""

    seq: int
    hash: str
    at: int
    nonce: str
    signature: str
    status: str
    server: str


def enter_tournament(player: PlayerRow, tournament: TournamentRow, nonce: str, config: Config) -> EntryReceipt:
    """Enter a tournament, as a reserve if it is full, and return the receipt.

    Players who have entered already get their receipt again. Reserves take what was offered to them by entering again.
    """
    if NONCE.fullmatch(nonce) is None:
        raise invalid_field_problem("nonce", msg("tournaments.nonce_form"))
    reserves.take_offered_seats(tournament.id, player.id, config)
    with lock_tournament(tournament.id) as row:
        document = document_of(row)
        entrant = find_entrant(row.id, player.id)
        if entrant is not None and entrant.status in PRESENT:
            reserves.answer_offer(row, document, entrant)
            return _sign_receipt(row.id, player.id)
        _check_not_sent_away(row.id, player.id, entrant)
        _check_may_enter(player, row, document, config)
        if entrant is None or entrant.number is None:
            _check_limits(row.game, player.id, document, now())
        status = WAITING
        if document.entry.by != "approval":
            # A place that is offered to a reserve is not free for others.
            status = IN if reserves.count_free_places(row.id, document) > 0 else RESERVE
        lines = _entry_lines(player.id, nonce, status)
        closed = _load_if_closed(row, document)
        if closed is not None:
            late = late_lines(closed.state, document, player.id)
            lines += late if status == IN else []
        entry = write_lines(row, lines, now())[0]
        if closed is not None:
            write_rounds(row, load_state(row.id), document)
            _queue_late_match(closed, lines)
        _queue_entry_letter(row.id, player.id, entry.seq, status)
        return _sign_receipt(row.id, player.id)


def _load_if_closed(row: TournamentRow, document: TournamentDocument) -> LoadedTournament | None:
    """Return the tournament if its log has closed entry."""
    closes = document.entry.closes
    if closes is not None and now() + MOST_CLOCK_SKEW < closes:
        # Entry is open by anybody's clock, so the log need not be loaded: most people enter then.
        return None
    tournament = LoadedTournament.of(row)
    return None if tournament.state.closed_at is None else tournament


def _sign_receipt(tournament: str, player: str) -> EntryReceipt:
    entrant = find_entrant(tournament, player)
    if entrant is None:
        raise ValueError(player)
    line = TournamentEntryRow.get(
        (TournamentEntryRow.tournament == tournament) & (TournamentEntryRow.seq == entrant.entered_seq)
    )
    key = server_keys.current_key()
    text = entry_text(tournament, entrant.player, entrant.nonce, line.seq, line.hash, line.at)
    return EntryReceipt(
        line.seq, line.hash, line.at, entrant.nonce, sign(key.private, text), entrant.status, key.key.id
    )


def _queue_entry_letter(tournament: str, player: str, seq: int, status: str) -> None:
    letter = EnteredLetter(tournament=tournament, player=player, status=status)
    queue.add(letter, f"{letter.kind}:{tournament}:{player}:{seq}")


def _check_may_enter(player: PlayerRow, row: TournamentRow, document: TournamentDocument, config: Config) -> None:
    rules = document.entry
    check_not_ended(row)
    if rules.opens is not None and now() < rules.opens:
        raise Problem("conflict", msg("tournaments.opens_later", at=rfc3339(rules.opens)))
    if rules.by == "invitation" and not is_organiser(row, player.id) and not is_invited(row.id, player.id):
        raise Problem("forbidden", msg("tournaments.by_invitation"))
    if player.owner is not None and not rules.programs:
        raise Problem("forbidden", msg("tournaments.no_programs"))
    if document.moves == "signed" and active_keys(player.id) == "-":
        raise Problem("conflict", msg("matches.key_needed"))
    check_one_entrant(row.id, player)
    _check_open_matches(row.id, player.id, document, config)


def _check_not_sent_away(tournament: str, player: str, entrant: EntrantRow | None) -> None:
    """Raise `Problem` for players who were excluded, or replaced by a ruling."""
    if entrant is None:
        return
    if entrant.status == EXCLUDED:
        raise Problem("forbidden", msg("tournaments.excluded"))
    if entrant.number is None and player in load_state(tournament).number_of:
        raise Problem("conflict", msg("tournaments.replaced"))


def _check_limits(game: str, player: str, document: TournamentDocument, at: int) -> None:
    """Raise `Problem` outside the limits for rating or reliability. The upper limit is for the peak of a year."""
    rules = document.entry
    skill = ratings.find_skills(game, [player], at).get(player)
    if rules.rating_from is not None or rules.rating_to is not None:
        if skill is None and not rules.newcomers:
            raise Problem("conflict", msg("tournaments.no_newcomers"))
        if skill is not None and rules.rating_from is not None and skill.rating < rules.rating_from:
            raise Problem("conflict", msg("tournaments.rating_from", least=rules.rating_from, own=skill.rating))
        peak = ratings.find_peaks(game, [player], at).get(player)
        if peak is not None and rules.rating_to is not None and peak > rules.rating_to:
            raise Problem("conflict", msg("tournaments.rating_to", most=rules.rating_to, own=peak))
    share = None if rules.on_time is None else find_reliability(player, at).on_time_percent
    if share is not None and rules.on_time is not None and share < rules.on_time:
        raise Problem("conflict", msg("tournaments.on_time", least=rules.on_time, own=share))


def check_one_entrant(tournament: str, player: PlayerRow, apart_from: str = "") -> None:
    """Raise `Problem` for a second entrant of one person. An owner and their programs are one person."""
    person = player.owner or player.id
    family = PlayerRow.select(PlayerRow.id).where((PlayerRow.id == person) | (PlayerRow.owner == person))
    present = (EntrantRow.tournament == tournament) & EntrantRow.status.in_(PRESENT)
    others = EntrantRow.player.in_(family) & EntrantRow.player.not_in((player.id, apart_from))
    if EntrantRow.select().where(present & others).exists():
        raise Problem("conflict", msg("tournaments.one_entrant"))


def _check_open_matches(tournament: str, player: str, document: TournamentDocument, config: Config) -> None:
    """Raise `Problem` if the player could get more open matches than allowed.

    Open matches outside tournaments count, and for each tournament the most that one entrant may have at once.
    """
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    alone = MatchRow.status.in_(("open", "running")) & MatchRow.pairing.is_null() & MatchRow.id.in_(sits)
    mine = EntrantRow.select(EntrantRow.tournament).where(
        (EntrantRow.player == player) & EntrantRow.status.in_(PRESENT)
    )
    others = TournamentRow.select().where(
        TournamentRow.id.in_(mine) & (TournamentRow.id != tournament) & TournamentRow.state.not_in(ENDED)
    )
    played = _find_played_deals(player)
    documents = [(row.id, document_of(row)) for row in others]
    counted = [other for id_, other in documents if id_ not in played or len(other.stages) > 1]
    count = MatchRow.select().where(alone).count() + sum(most_at_once(each) for each in (*counted, document))
    if count > config.open_matches:
        raise Problem("limit-reached", msg("tournaments.too_many_matches", count=count, most=config.open_matches))


def _find_played_deals(player: str) -> set[str]:
    """Return the tournaments in which a player has finished the common deal, so that no more matches follow."""
    over: Any = PairingRow.select(PairingRow.tournament)
    over = over.join(PairingSeatRow, on=PairingSeatRow.pairing == PairingRow.id).join(
        MatchRow, on=MatchRow.id == PairingRow.id
    )
    over = over.join(StageRow, on=(StageRow.tournament == PairingRow.tournament) & (StageRow.name == PairingRow.stage))
    mine = (PairingSeatRow.player == player) & (MatchRow.status == "over") & (StageRow.format == SAME_DEAL)
    return {tournament for (tournament,) in over.where(mine).tuples()}


def most_at_once(document: TournamentDocument) -> int:
    """Return how many matches of a tournament one entrant may have open at once."""
    return max(plan.most_at_once(document.entry.most) for plan in document.stages)


def _entry_lines(player: str, nonce: str, status: str) -> list[log_lines.Line]:
    lines: list[log_lines.Line] = [log_lines.EnterLine(player, None if nonce == NO_NONCE else nonce)]
    if status in {IN, RESERVE}:
        lines.append(log_lines.AcceptLine(player) if status == IN else log_lines.ReserveLine(player))
    return lines


def late_lines(state: TournamentState, document: TournamentDocument, player: str) -> list[log_lines.Line]:
    """Return the lines of an entry after closing: a number, byes for missed rounds, or the pairing."""
    plan, stage = document.stages[0], state.first_stage
    returns = player in state.number_of
    lines: list[log_lines.Line] = [] if returns else [log_lines.NumberLine(player, len(state.holders) + 1, None)]
    if plan.rules.format == SAME_DEAL and document.entry.closes_with_end:
        if _is_deal_over(state, document, plan):
            raise Problem("conflict", msg("tournaments.closed"))
        first = stage.rounds.get(1)
        if first is not None and first.pairs and not returns:
            # The others have their tables already, so this one is paired at once.
            lines.append(log_lines.PairLine(ids.new_id(), RoundName(plan.name, 1), 0, same_deal_seats(plan, player)))
        return lines
    if plan.rules.format == LADDER:
        return _ladder_lines(state, document, lines, returns=returns)
    missed = stage.last_round
    late = plan.format in {SWISS, PODS} and missed < document.entry.late_until
    rounds = stage.robin_rounds if plan.format == ROUND_ROBIN else plan.rules.rounds or 0
    back = returns and plan.format in {SWISS, PODS, ROUND_ROBIN} and missed < rounds
    if not (late or back) or not state.is_drawn:
        raise Problem("conflict", msg("tournaments.closed"))
    return [*lines, *_missed_rounds(state, document, player)]


def _ladder_lines(
    state: TournamentState, document: TournamentDocument, lines: list[log_lines.Line], *, returns: bool
) -> list[log_lines.Line]:
    """Return the lines of an entry into a running ladder, at its bottom. Before the draw there are none."""
    if not (returns or document.entry.closes_with_end) or _is_deal_over(state, document, document.stages[0]):
        raise Problem("conflict", msg("tournaments.closed"))
    is_numbered = state.is_drawn and not Timetable(state, document).unnumbered_players()
    return lines if is_numbered else []


def _is_deal_over(state: TournamentState, document: TournamentDocument, plan: StagePlan) -> bool:
    each = state.first_stage.rounds.get(1)
    if each is None:
        return False
    ends_at = Timetable(state, document).end_of(plan, each)
    return each.over or (ends_at is not None and now() >= ends_at)


def _missed_rounds(state: TournamentState, document: TournamentDocument, player: str) -> list[log_lines.Line]:
    """Return byes for the rounds that were paired without a player. One bye of a newcomer may count half."""
    plan, stage = document.stages[0], state.first_stage
    if plan.rules.format == ROUND_ROBIN:
        return []
    number = state.number_of.get(player)
    kinds = [] if number is not None else [document.entry.late_bye]
    lines: list[log_lines.Line] = []
    for at in range(1, stage.last_round + 1):
        each = stage.rounds[at]
        if number not in each.seated and number not in each.absent:
            lines.append(log_lines.ByeLine(player, RoundName(plan.name, at), kinds.pop() if kinds else "zero"))
    return lines


def _queue_late_match(before: LoadedTournament, lines: Sequence[log_lines.Line]) -> None:
    """Queue the making of the match that new lines pair; `before` is the tournament without these lines."""
    if not any(isinstance(line, log_lines.PairLine) for line in lines):
        return
    row, plan = before.row, before.document.stages[0]
    place = 1 + len(before.state.first_stage.rounds[1].pairs)
    queue.add_all(make_match_jobs(row.id, plan.name, 1, place, place, now()))


def withdraw_entrant(player: str, tournament: str, *, at_once: bool = False) -> None:
    """Withdraw a player from the next pairing on; with `at_once` from running matches too."""
    with lock_tournament(tournament) as row:
        entrant = find_entrant(tournament, player)
        if entrant is None or entrant.status not in PRESENT:
            raise Problem("conflict", msg("tournaments.not_entered"))
        check_not_ended(row)
        written = write_lines(row, [log_lines.WithdrawLine(player)], now())
        reserves.close_offers(tournament, player)
        reserves.ask_for_places(row, document_of(row))
        if at_once:
            job = ResignSeats(tournament=tournament, player=player)
            queue.add(job, f"{job.topic}:{tournament}:{player}:{written[0].seq}")


def resign_seats(job: Job[ResignSeats], _config: Config) -> None:
    """Job: resign the seats of a player who withdrew at once. Safe to repeat."""
    tournament, player = job.payload.tournament, job.payload.player
    mine = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    pairings = PairingRow.select(PairingRow.id).where((PairingRow.tournament == tournament) & PairingRow.id.in_(mine))
    matches = [row.id for row in pairings]
    resign_running_seats(player, matches)
    waits = MatchRow.pairing.in_(matches) & (MatchRow.status == "open")
    if MatchRow.select().where(waits).exists():
        raise RetryLater(now() + RESIGN_AGAIN, "a match has not started yet")


def withdraw_erased_player(job: Job[WithdrawErasedPlayer], _config: Config) -> None:
    """Job: withdraw an erased account from all its tournaments at once. Safe to repeat."""
    player = job.payload.player
    present = (EntrantRow.player == player) & EntrantRow.status.in_(PRESENT)
    running = TournamentRow.select(TournamentRow.id).where(TournamentRow.state.not_in(ENDED))
    for row in list(EntrantRow.select().where(present & EntrantRow.tournament.in_(running))):
        withdraw_entrant(player, row.tournament, at_once=True)


def ask_bye(player: str, tournament: str, round_name: str) -> None:
    """Give a player a bye in a round that is not paired yet and not the last; `round_name` is `STAGE:N`."""
    with lock_tournament(tournament) as row:
        state = load_state(tournament)
        plan, name = _find_round(document_of(row), round_name)
        number = name.number
        one, stage = state.number_of.get(player), state.stages[plan.name]
        if one is None or not state.is_in(one) or one not in stage.entrants:
            raise Problem("conflict", msg("tournaments.not_entered"))
        if plan.rules.format not in {SWISS, PODS} or number >= (plan.rules.rounds or 0):
            raise Problem("conflict", msg("tournaments.no_bye_here"))
        each = stage.rounds.get(number)
        if number <= stage.last_round or (each is not None and one in each.absent):
            raise Problem("conflict", msg("tournaments.bye_too_late"))
        asked = sum(one in other.absent for other in stage.rounds.values())
        if asked >= plan.bye.most_asked:
            raise Problem("limit-reached", msg("tournaments.no_more_byes", most=plan.bye.most_asked))
        write_lines(row, [log_lines.ByeLine(player, name, plan.bye.asked)], now())


def _find_round(document: TournamentDocument, round_name: str) -> tuple[StagePlan, RoundName]:
    try:
        name = RoundName.read(round_name)
    except log_lines.BadLine:
        name = RoundName("", 0)
    plan = next((plan for plan in document.stages if plan.name == name.stage), None)
    if plan is None or name.number < 1:
        raise Problem("not-found", msg("tournaments.no_such_round", round=round_name))
    return plan, name


def list_entrants(tournament: str, after: int = 0, limit: int = MOST_LISTED) -> list[EntrantRow]:
    """Return at most `limit` entrants in order of entry, after log line `after`."""
    mine = (EntrantRow.tournament == tournament) & (EntrantRow.entered_seq > after)
    return list(EntrantRow.select().where(mine).order_by(EntrantRow.entered_seq).limit(limit))
