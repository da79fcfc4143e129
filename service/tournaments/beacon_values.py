"""A value of the beacon from an organiser: taken only where the worker cannot get it, and only the one that is due."""

from __future__ import annotations

import json
import re

from service.config import Config
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import msg
from service.problems import Problem, invalid_field_problem
from service.timestamps import HOUR, now, rfc3339
from service.tournaments import timetable
from service.tournaments.document import load_document
from service.tournaments.formats.draw import beacon_round
from service.tournaments.rounds import find_beacon_value
from service.tournaments.timetable import StepKind, beacon_time
from service.tournaments.tournament_store import load_state

SILENT_FOR = 6 * HOUR
"""How long the worker is waited for where it knows whom to ask."""
VALUE = re.compile(r"([a-z0-9-]{1,40}):([1-9][0-9]{0,15}):([0-9a-f]{64})")


def check_given_value(tournament: str, value: str, config: Config) -> tuple[int, str]:
    """The round and the randomness that an organiser's `BEACON:ROUND:VALUE` gives, for `rounds.take_beacon_value`.

    Refused: one that is malformed, of another beacon or round, one that nobody waits for (the first stays), one that
    cannot be out yet, and any while the worker can fetch it: where no address is set, or it was silent for six hours.
    """
    read = VALUE.fullmatch(value)
    if read is None:
        raise invalid_field_problem("value", msg("beacon_value.form"))
    state = load_state(tournament)
    document = load_document(json.loads(TournamentRow.get_by_id(tournament).document))
    waits = any(step.kind is StepKind.DRAW for step in timetable.list_steps(state, document))
    if state.header.beacon == "none" or state.due is None or not waits or find_beacon_value(state) is not None:
        raise Problem("conflict", msg("beacon_value.not_due"))
    wanted, out = beacon_round(state.due), beacon_time(state.due)
    if (read[1], read[2]) != (state.header.beacon, str(wanted)):
        raise Problem("conflict", msg("beacon_value.other_round", beacon=state.header.beacon, round=wanted))
    if now() < out:
        raise Problem("conflict", msg("beacon_value.not_out", at=rfc3339(out)))
    if config.beacon_url and now() < out + SILENT_FOR:
        raise Problem("conflict", msg("beacon_value.worker", at=rfc3339(out + SILENT_FOR)))
    return wanted, read[3]
