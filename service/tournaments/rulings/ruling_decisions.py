"""The effects of each kind of ruling: log lines, jobs and emails. Rulings that contradict the log are refused.

Everything is computed from a loaded tournament; `rulings` appends it if the head has not moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.games import GAMES
from service import ids
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.jobs.payloads import JobPayload
from service.jobs.queue import NewJob
from service.matches.join import active_keys
from service.matches.organisers import has_consent
from service.matches.paired_matches import ADJUDICATION, TOURNAMENT, EndingRule, is_waiting_for_decision, rank_scores_of
from service.problems import Problem, invalid_field_problem
from service.timestamps import DAY, HOUR, rfc3339
from service.tournaments import job_payloads
from service.tournaments.documents.document_values import BadValue, read_moment
from service.tournaments.entry import entrants
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import How, Number, SeatResult, people_of, write_results
from service.tournaments.formats.draw import BadDraw, beacon_round, check_value, make_draw
from service.tournaments.formats.log_lines import BOT_PREFIX, RoundName
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
)
from service.tournaments.formats.tournament_state import EXCLUDED, IN, RESERVE, WAITING, TournamentState
from service.tournaments.rounds import timetable
from service.tournaments.rounds.rounds import (
    StepContext,
    cancellation_letters,
    list_present,
    make_match_jobs,
    split_matches,
)
from service.tournaments.rulings.ruling_words import RulingRequest

FURTHEST_END = 366 * DAY
BEACON_SILENCE = 6 * HOUR
"""How long the beacon must be silent before an organiser may enter its value."""
REPAIRED = (SWISS, PODS, KNOCKOUT)
"""Formats whose rounds an organiser may pair again before they begin."""
SEEDED = (SWISS, ROUND_ROBIN, KNOCKOUT, DOUBLE, LADDER)
"""Formats in which the first numbers matter."""
MOST_SEEDS = 100
"""Maximum number of entrants seeded by hand. The others follow by rating."""
TOGETHER = (SAME_DEAL, DUPLICATE)
"""Formats whose results are written together."""


@dataclass(frozen=True)
class RulingCase(StepContext):
    """The tournament about which a ruling is wanted, and the request."""

    config: Config
    ruler: str | None
    """The organiser; None for the operator."""
    request: RulingRequest


@dataclass(frozen=True)
class RulingDecision:
    """The effects of a ruling: its line, the lines after it, jobs and emails."""

    ruling: log_lines.Ruling
    lines: tuple[log_lines.Line, ...] = ()
    jobs: tuple[NewJob, ...] = ()
    told: tuple[str, ...] = ()
    """Recipients of the email about the ruling."""
    letters: tuple[NewJob, ...] = ()
    """Emails of other kinds."""
    numbers: Mapping[str, frozenset[Number]] | None = None
    """The entrants concerned by stage; None if the ruling concerns everybody."""
    repaired: str = ""
    """The stage of a round that is paired again."""

    @property
    def stages(self) -> tuple[str, ...]:
        """Stages whose standings may change."""
        return (self.repaired,) if self.repaired else tuple(self.numbers or ())


def decide(case: RulingCase) -> RulingDecision:
    """Return the effects of a ruling. Raise `Problem` if it contradicts the log."""
    return _DECISIONS[case.request.what](case)


def _conflict(key: str, *, player: str = "", **values: object) -> Problem:
    """Return the refusal of a ruling. People read the name of the player, not the id."""
    return Problem("conflict", msg(f"rulings.{key}", player=player and _name_people([player]), **values))


def _name_people(players: Sequence[str]) -> str:
    """Return the known names of these players."""
    names = {row.id: row.name for row in PlayerRow.select().where(PlayerRow.id.in_(list(players)))}
    return ", ".join(names.get(player, player) for player in players)


def _key(case: RulingCase, topic: str, *more: object) -> str:
    """Return the key of a job, made unique by the number of the ruling's log line."""
    return ":".join(map(str, (topic, case.row.id, f"ruling-{case.state.seq + 1}", *more)))


def _match_jobs(
    case: RulingCase, matches: Sequence[str], make: Callable[[tuple[str, ...]], JobPayload]
) -> tuple[NewJob, ...]:
    """Return the jobs that `make` makes for these matches, with keys of this ruling."""
    return tuple(split_matches(matches, make, case.row.id, f"ruling-{case.state.seq + 1}"))


def _resume_jobs(case: RulingCase, matches: Sequence[str], why: str = TOURNAMENT) -> tuple[NewJob, ...]:
    return _match_jobs(
        case, matches, lambda part: job_payloads.ResumeMatches(tournament=case.row.id, matches=part, why=why)
    )


def _void_jobs(case: RulingCase, matches: Sequence[str]) -> tuple[NewJob, ...]:
    return _match_jobs(case, matches, lambda part: job_payloads.VoidMatches(tournament=case.row.id, matches=part))


def _pause(case: RulingCase) -> RulingDecision:
    if case.state.paused_at is not None:
        raise _conflict("paused_already", at=rfc3339(case.state.paused_at))
    running = case.timetable.running_matches()
    jobs = _match_jobs(case, running, lambda part: job_payloads.PauseMatches(tournament=case.row.id, matches=part))
    return RulingDecision(log_lines.PauseRuling(why=case.request.why), jobs=jobs, told=tuple(list_present(case.state)))


def _resume(case: RulingCase) -> RulingDecision:
    if not case.state.paused:
        raise _conflict("not_paused")
    inside = any(begin <= case.at < end for begin, end in case.document.pauses)
    # During a pause of the document the clocks stay stopped; the end of that pause starts them.
    matches = [] if inside else case.timetable.running_matches()
    jobs = _resume_jobs(case, matches)
    return RulingDecision(log_lines.ResumeRuling(why=case.request.why), jobs=jobs, told=tuple(list_present(case.state)))


def _find_round(case: RulingCase) -> tuple[StageReplay, int, RoundReplay]:
    try:
        stage, number = case.state.find_round(RoundName.read(case.request.round))
    except (KeyError, log_lines.BadLine):
        raise Problem("not-found", msg("tournaments.no_such_round", round=case.request.round)) from None
    each = stage.rounds.get(number)
    if each is None or not each.valid:
        raise _conflict("not_paired", round=case.request.round)
    return stage, number, each


def _check_running(name: str, each: RoundReplay) -> None:
    """Raise `Problem` unless a round has begun and is not over."""
    if each.over_at is not None:
        raise _conflict("round_over", round=name, at=rfc3339(each.over_at))
    if not each.started:
        raise _conflict("round_not_begun", round=name)


def _extend(case: RulingCase) -> RulingDecision:
    stage, number, each = _find_round(case)
    name, until = case.request.round, _read_until(case)
    _check_running(name, each)
    ends_at = case.timetable.end_of(case.plan_of(stage.rules.name), each)
    if ends_at is None:
        raise _conflict("round_without_end", round=name)
    if not max(ends_at, case.at) < until <= case.at + FURTHEST_END:
        raise invalid_field_problem("until", msg("rulings.extend_window", round=name, at=rfc3339(ends_at)))
    waiting = [pair.id for pair in each.unfinished(solo=stage.rules.format == SAME_DEAL)] if case.at >= ends_at else []
    jobs = _resume_jobs(case, waiting, ADJUDICATION)
    told = _holders(case.state, [pair for pair in each.valid if pair.id not in each.results])
    ruling = log_lines.ExtendRuling(RoundName(stage.rules.name, number), until, why=case.request.why)
    return RulingDecision(ruling, jobs=jobs, told=told)


def _read_until(case: RulingCase) -> int:
    """Return the end of an extension. A time without an offset is in the document's zone, whoever rules."""
    try:
        return read_moment(case.request.until, case.document.zone).at
    except BadValue:
        raise invalid_field_problem("until", msg("rulings.no_time", words=case.request.until)) from None


def _holders(state: TournamentState, pairs: Iterable[PairedTable]) -> tuple[str, ...]:
    return tuple(sorted({state.holders[number] for pair in pairs for number in people_of(pair.seats)}))


def _stages_of(state: TournamentState, number: Number) -> dict[str, frozenset[Number]]:
    """Return the stages of an entrant, each with their number."""
    return {name: frozenset({number}) for name, stage in state.stages.items() if number in stage.entrants}


def _replace(case: RulingCase) -> RulingDecision:
    state, one, other = case.state, case.request.player, case.request.other
    number = case.own_number(one)
    if number is None:
        raise _conflict("no_place", player=one)
    if other in state.number_of or other in state.inside:
        raise _conflict("plays_already", player=other)
    _check_willing(case, one, other)
    pairs = [pair for _, _, pair in state.where.values() if number in pair.seats]
    going_on = set(case.timetable.running_matches())
    running = [pair for pair in pairs if pair.id in going_on]
    finished = {match for stage in state.stages.values() for each in stage.rounds.values() for match in each.results}
    waiting = [pair.id for pair in pairs if pair.id not in finished]
    job = job_payloads.ReplacePlayer(tournament=case.row.id, one=one, other=other, matches=tuple(waiting))
    return RulingDecision(
        log_lines.ReplaceRuling(one, other, why=case.request.why),
        jobs=(NewJob(job, _key(case, job.topic)),),
        told=tuple(sorted({one, other, *_holders(state, running)})),
        numbers=_stages_of(state, number),
    )


def _check_willing(case: RulingCase, one: str, other: str) -> None:
    """Raise `Problem` unless a player has agreed to take a place and can take it."""
    player = PlayerRow.get_or_none((PlayerRow.id == other) & PlayerRow.deleted_at.is_null())
    if player is None:
        raise Problem("not-found", msg("rulings.no_player", name=other, ids=""))
    entrant = case.state.entrants.get(other)
    entered = entrant is not None and entrant.status in {RESERVE, WAITING}
    if not entered and not has_consent(case.ruler or case.row.owner, other):
        raise _conflict("not_willing", player=other)
    if case.document.moves == "signed" and active_keys(other) == "-":
        raise Problem("conflict", msg("matches.player_has_no_key"))
    entrants.check_one_entrant(case.row.id, player, apart_from=one)


def _exclude(case: RulingCase) -> RulingDecision:
    state, player = case.state, case.request.player
    entrant = state.entrants.get(player)
    if entrant is None:
        raise _conflict("no_entrant", player=player)
    if entrant.status == EXCLUDED:
        raise _conflict("excluded_already", player=player)
    number = case.own_number(player)
    leave = job_payloads.ResignSeats(tournament=case.row.id, player=player)
    ask = job_payloads.AskReserves(tournament=case.row.id)
    stages = {} if number is None else _stages_of(state, number)
    return RulingDecision(
        log_lines.ExcludeRuling(player, why=case.request.why),
        (log_lines.ExcludeLine(player, case.request.why),),
        tuple(NewJob(job, _key(case, job.topic)) for job in (leave, ask)),
        (player,),
        numbers=stages or None,
    )


def _accept(case: RulingCase) -> RulingDecision:
    state, player = case.state, case.request.player
    known = state.entrants.get(player)
    if known is None or known.status not in {WAITING, RESERVE, EXCLUDED}:
        now = msg("rulings.status.none" if known is None else f"rulings.status.{known.status}")
        raise _conflict("not_acceptable", player=player, status=now)
    full = len(state.inside) >= case.document.entry.most
    if full and known.status == RESERVE:
        raise _conflict("full", most=case.document.entry.most)
    status = RESERVE if full else IN
    lines: list[log_lines.Line] = [log_lines.ReserveLine(player) if full else log_lines.AcceptLine(player)]
    if state.closed_at is not None and not full:
        lines += entrants.late_lines(state, case.document, player)
    letter = job_payloads.EnteredLetter(tournament=case.row.id, player=player, status=status)
    job = NewJob(letter, f"{letter.kind}:{case.row.id}:{player}:{state.seq + 1}")
    return RulingDecision(log_lines.AcceptRuling(player, why=case.request.why), tuple(lines), letters=(job,))


def _seed(case: RulingCase) -> RulingDecision:
    state, players = case.state, case.request.players
    rules = state.first_stage.rules
    if rules.format not in SEEDED or not rules.ruleset.seeds_by_hand:
        raise _conflict("not_seeded", format=rules.format)
    if state.draws:
        raise _conflict("seeds_late")
    if len(players) > MOST_SEEDS or len(set(players)) < len(players):
        raise invalid_field_problem("players", msg("rulings.seeds_form", most=MOST_SEEDS))
    if players == state.seeds:
        raise _conflict("seeds_stand")
    for player in players:
        if player not in state.inside:
            raise _conflict("seed_not_inside", player=player)
    return RulingDecision(log_lines.SeedRuling(players, why=case.request.why))


def _find_pair(case: RulingCase) -> tuple[StageReplay, int, RoundReplay, PairedTable]:
    place = case.state.where.get(case.request.match)
    if place is None:
        raise Problem("not-found", msg("rulings.no_pairing", match=case.request.match))
    name, number, pair = place
    stage = case.state.stages[name]
    each = stage.round(number)
    if pair.id in each.void:
        raise _conflict("pairing_void", match=pair.id)
    if len(pair.seats) == 1 and stage.rules.format != SAME_DEAL:
        raise _conflict("pairing_is_bye", match=pair.id)
    return stage, number, each, pair


def _check_not_built_upon(case: RulingCase, stage: StageReplay, number: int) -> None:
    """Raise `Problem` if later pairings or another stage follow from what would change."""
    name = stage.rules.name
    later = stage.rules.format in {KNOCKOUT, DOUBLE} and stage.last_round > number
    taken = [each for each in case.state.stages.values() if each.advanced and each.rules.source is not None]
    if later or any(each.rules.source is not None and each.rules.source.stage == name for each in taken):
        raise _conflict("built_upon", round=f"{name}:{number}")


def _result(case: RulingCase) -> RulingDecision:
    stage, number, each, pair = _find_pair(case)
    if stage.rules.format in TOGETHER and not each.over:
        raise _conflict("results_together")
    _check_not_built_upon(case, stage, number)
    match = MatchRow.get_or_none(MatchRow.id == pair.id)
    status = "" if match is None else str(match.status)
    waits = status == "running" and is_waiting_for_decision(pair.id)
    how: EndingRule = "adjudicated" if waits else "ruled"
    results = _ruled_seats(case, pair, how, has_table=status in {"running", "over"})
    if each.results.get(pair.id) == results:
        raise _conflict("result_stands", result=write_results(results))
    scores = tuple(result.score for result in results)
    end = job_payloads.EndRuledMatch(tournament=case.row.id, match=pair.id, how=how, scores=scores)
    job = NewJob(end, _key(case, end.topic))
    return RulingDecision(
        log_lines.ResultRuling(pair.id, why=case.request.why),
        (log_lines.ResultLine(pair.id, results),),
        (job,) if status in {"running", "open"} or match is None else (),
        _holders(case.state, [pair]),
        numbers={stage.rules.name: frozenset(people_of(pair.seats))},
    )


def _ruled_seats(case: RulingCase, pair: PairedTable, how: str, *, has_table: bool) -> tuple[SeatResult, ...]:
    """Return the ruled result, by places or by scores. Raise `Problem` if the game cannot have it."""
    request, seats = case.request, len(pair.seats)
    given = request.scores or request.places
    if len(given) != seats or (request.scores and request.places):
        raise invalid_field_problem("scores" if request.scores else "places", msg("rulings.seats_count", seats=seats))
    if request.scores:
        least, most = GAMES[case.row.game].rules.score_bounds
        if any(not least <= score <= most for score in request.scores):
            raise invalid_field_problem("scores", msg("rulings.score_bounds", least=least, most=most))
        places = tuple(1 + sum(other > score for other in request.scores) for score in request.scores)
        scores: Sequence[int] = request.scores
    else:
        places = request.places
        if any(place != 1 + sum(other < place for other in places) for place in places):
            raise invalid_field_problem("places", msg("matches.places", seats=seats))
        scores = rank_scores_of(pair.id, places) if has_table else [seats - place for place in places]
    return tuple(SeatResult(place, score, How(how)) for place, score in zip(places, scores, strict=True))


def _replay(case: RulingCase) -> RulingDecision:
    stage, number, each, pair = _find_pair(case)
    name = RoundName(stage.rules.name, number)
    _check_running(str(name), each)
    if stage.rules.format in TOGETHER:
        raise _conflict("one_deal")
    gone = [case.state.holders[one] for one in people_of(pair.seats) if not case.state.is_in(one)]
    if gone:
        raise _conflict("has_left", player=gone[0])
    seats = _seat_words(case, stage.rules.name, pair)
    place = len(each.pairs) + 1
    return RulingDecision(
        log_lines.ReplayRuling(pair.id, why=case.request.why),
        (log_lines.PairLine(ids.new_id(), name, pair.section, seats),),
        (
            *_void_jobs(case, [pair.id]),
            *make_match_jobs(case.row.id, stage.rules.name, number, place, place, case.at),
        ),
        _holders(case.state, [pair]),
        numbers={stage.rules.name: frozenset(people_of(pair.seats))},
    )


def _seat_words(case: RulingCase, stage: str, pair: PairedTable) -> tuple[str, ...]:
    """Return the seats of a table as log lines name them. Bots have the names that the document gives."""
    bots = case.plan_of(stage).bots
    names = case.state.holders
    return tuple(names.get(number) or f"{BOT_PREFIX}{bots[seat]}" for seat, number in enumerate(pair.seats))


def _repair(case: RulingCase) -> RulingDecision:
    stage, number, each = _find_round(case)
    name = RoundName(stage.rules.name, number)
    if each.started_at is not None:
        raise _conflict("round_begun", round=str(name), at=rfc3339(each.started_at))
    if stage.rules.format not in REPAIRED:
        raise _conflict("not_repairable", format=stage.rules.format)
    present = case.state.present_in(stage, number)
    tables = _given_tables(case, stage, present) if case.request.tables else _computed_tables(case, stage, number)
    lines = tuple(log_lines.PairLine(ids.new_id(), name, 0, table) for table in tables)
    first = len(each.pairs) + 1
    starts_at = case.timetable.start_of(case.plan_of(stage.rules.name), number) or case.at
    make_at = max(case.at, starts_at - timetable.LEAD)
    made = make_match_jobs(case.row.id, stage.rules.name, number, first, first + len(lines) - 1, make_at)
    void = _void_jobs(case, [pair.id for pair in each.valid if len(pair.seats) > 1])
    return RulingDecision(
        log_lines.RepairRuling(name, why=case.request.why),
        lines,
        (*void, *made),
        _holders(case.state, each.valid),
        repaired=stage.rules.name,
    )


def _computed_tables(case: RulingCase, stage: StageReplay, number: int) -> list[tuple[str, ...]]:
    """Return the tables that the format pairs from those who are in now."""
    state = case.state.fold(())
    fresh = state.stages[stage.rules.name]
    absent = fresh.rounds.pop(number).absent
    fresh.round(number).absent.update(absent)
    pairings = state.pair_round(stage.rules.name, number) or ()
    return [tuple(state.holders[one] for one in pairing.seats) for pairing in pairings]


def _given_tables(case: RulingCase, stage: StageReplay, present: Sequence[Number]) -> Sequence[tuple[str, ...]]:
    """Return the organiser's tables. Raise `Problem` unless each player of the round has exactly one seat."""
    seated = [player for table in case.request.tables for player in table]
    wanted = {case.state.holders[number] for number in present}
    missing, strange = sorted(wanted - set(seated)), sorted(set(seated) - wanted)
    twice = sorted({player for player in seated if seated.count(player) > 1})
    if missing or strange or twice:
        who = _name_people((*missing, *strange, *twice)[:10])
        raise invalid_field_problem("tables", msg("rulings.tables_people", players=who))
    if any(not 1 <= len(table) <= stage.rules.seats for table in case.request.tables):
        raise invalid_field_problem("tables", msg("rulings.tables_size", seats=stage.rules.seats))
    return case.request.tables


def _beacon(case: RulingCase) -> RulingDecision:
    state = case.state
    step = case.timetable.find_draw()
    if state.header.beacon == "none" or step is None or state.due is None:
        raise _conflict("no_draw_due")
    out_at = timetable.beacon_time(state.due)
    earliest = out_at + BEACON_SILENCE if case.config.beacon_url else out_at
    if case.at < max(earliest, step.due):
        raise _conflict("beacon_too_early", at=rfc3339(max(earliest, step.due)))
    given = case.request.value
    value = given if ":" in given else f"{state.header.beacon}:{beacon_round(state.due)}:{given}"
    try:
        check_value(value, state.header.beacon, state.due)
        draw = make_draw(bytes.fromhex(case.row.seed), state.draws + 1, step.round, value)
    except BadDraw as fault:
        reason = msg("rulings.beacon_value", round=beacon_round(state.due), why=fault.message)
        raise invalid_field_problem("value", reason) from None
    return RulingDecision(log_lines.BeaconRuling(value, why=case.request.why), (draw,))


def _cancel(case: RulingCase) -> RulingDecision:
    jobs = (
        NewJob(job_payloads.CancelMatches(tournament=case.row.id), f"tournament-cancel:{case.row.id}"),
        *_resume_jobs(case, case.timetable.running_matches()),
    )
    letters = tuple(cancellation_letters(case.row.id, case.state))
    return RulingDecision(log_lines.CancelRuling(why=case.request.why), jobs=jobs, letters=letters)


_DECISIONS: Mapping[str, Callable[[RulingCase], RulingDecision]] = {
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "replace": _replace,
    "exclude": _exclude,
    "accept": _accept,
    "seed": _seed,
    "result": _result,
    "replay": _replay,
    "repair": _repair,
    "beacon": _beacon,
    "cancel": _cancel,
}
"""The function for each kind of ruling."""
