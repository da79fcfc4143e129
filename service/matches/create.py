"""Creating a match, with its creator, its bots, and players that an organiser seats at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from peewee import fn

from engine.game import AnyGame
from engine.games import GAMES
from engine.options import BadSetting, Setting
from service import ids
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.matches import join
from service.matches.job_payloads import SeatedLetter
from service.matches.join import check_open_match_limit
from service.matches.start import solo_rival_refusal, solo_rivals, start_if_full
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.problems import Problem, invalid_field_problem, invalid_fields_problem
from service.record.header import write_options
from service.record.patterns import is_beacon, is_beacon_round
from service.timestamps import DAY, now

LISTED_FOR = 14 * DAY
UNLISTED_FOR = 180 * DAY
AHEAD = 366 * DAY
MOST_SOLO = 20
"""Maximum number of unfinished solo matches per player. Nobody waits in them, so they would pile up."""


@dataclass(frozen=True)
class NewMatch:
    """Everything needed to create a match."""

    game: str
    seats: int
    options: Mapping[str, Setting] = field(default_factory=dict)
    moves: str = "any"
    clock: str = DEFAULT_PRESET
    policy: str = "stand-in"
    visibility: str = "open"
    bots: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    seat: int | None = None
    nonce: str = "-"
    starts_at: int | None = None
    beacon: str = "-"
    beacon_round: str = ""
    """Beacon round whose value the organiser supplies when the match starts."""
    leave: bool = True
    sit: bool = True
    """False for an organiser who does not play."""
    players: Mapping[int, str] = field(default_factory=dict)
    """Players that an organiser seats at once. The caller checks that they agreed."""
    rematch_of: str | None = None

    @property
    def is_solo(self) -> bool:
        """True if the creator plays against bots only."""
        return self.sit and len(self.bots) == self.seats - 1


def game_of(slug: str) -> AnyGame:
    """Return the game with this slug, or raise `Problem`."""
    if slug not in GAMES:
        raise invalid_fields_problem(msg("matches.no_such_game", game=slug), game="unknown")
    return GAMES[slug]


def create_match(player: PlayerRow, wanted: NewMatch, config: Config) -> MatchRow:
    """Create a match with its creator and its bots seated."""
    game = game_of(wanted.game)
    if wanted.seats not in game.rules.seats:
        least, most = game.rules.seats[0], game.rules.seats[-1]
        detail = msg("matches.number_of_seats", game=game.slug, least=least, most=most, seats=wanted.seats)
        raise invalid_fields_problem(detail, seats=f"{least} to {most}")
    try:
        settings = game.rules.settings({**first_match_options(player, wanted, game), **wanted.options}, wanted.seats)
        game.rules.start(wanted.seats, settings)
    except BadSetting as error:
        raise invalid_field_problem("options", error.reason) from None
    _check_solo_bots(game, wanted, settings)
    _check_match(game, wanted)
    _check_guest_match(player, wanted)
    with write_transaction():
        if wanted.sit:
            check_open_match_limit(player.id, "", config)
        if wanted.is_solo:
            _check_solo_limit(player.id)
        match = _insert_match(player, wanted, game, settings)
        join.create_seats(match, dict(wanted.bots))
        for seat, guest in wanted.players.items():
            check_open_match_limit(guest, "", config)
            join.take_seat(match, guest, seat, "-")
            join.queue_seating_letter(SeatedLetter(match=match.id, seat=seat, player=guest, by=player.id))
        if wanted.sit:
            join.take_seat(match, player.id, wanted.seat, wanted.nonce)
        start_if_full(match)
    return match


def _check_guest_match(player: PlayerRow, wanted: NewMatch) -> None:
    """Refuse a guest's match unless it is private and against bots alone."""
    if player.confirmed_at is None and not (wanted.is_solo and wanted.visibility != "open"):
        raise Problem("sign-in-first", msg("accounts.guest_plays_bots"))


def _check_solo_limit(player: str) -> None:
    """Refuse another solo match to a player who already has `MOST_SOLO` unfinished ones."""
    other = SeatRow.alias()
    not_mine = other.player.is_null() | (other.player != player)
    people = other.select(other.match).where((other.match == MatchRow.id) & other.bot.is_null() & not_mine)
    own = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    unfinished = MatchRow.status.in_(("open", "running")) & MatchRow.pairing.is_null()
    count = MatchRow.select().where(MatchRow.id.in_(own) & unfinished & ~fn.EXISTS(people)).count()
    if count >= MOST_SOLO:
        raise Problem("limit-reached", msg("matches.too_many_solo", count=count))


def first_match_options(player: PlayerRow, wanted: NewMatch, game: AnyGame) -> dict[str, Setting]:
    """Return the game's defaults for a person's first match.

    They apply to a creator who plays and has never had a seat in this game.
    """
    proposed = {option.name: option.first_match for option in game.rules.options if option.first_match is not None}
    if not proposed or not wanted.sit or player.owner is not None:
        return {}
    played = MatchRow.select(MatchRow.id).where(MatchRow.game == game.slug)
    sat = SeatRow.select().where((SeatRow.player == player.id) & SeatRow.match.in_(played)).exists()
    return {} if sat else proposed


def _check_solo_bots(game: AnyGame, wanted: NewMatch, settings: Mapping[str, Setting]) -> None:
    """Refuse solo opponents such as Balor in a match that is not solo."""
    for option in solo_rivals(game):
        if option.name in wanted.bots.values() and settings[option.name] == option.default:
            raise invalid_field_problem("bots", solo_rival_refusal(game, option.name))


def _check_match(game: AnyGame, wanted: NewMatch) -> None:
    faults: dict[str, str] = {}
    if wanted.clock not in PRESETS:
        faults["clock"] = f"one of {', '.join(PRESETS)}"
    for seat, name in wanted.bots.items():
        if not 0 <= seat < wanted.seats or not game.bots.knows(name):
            faults["bots"] = f"seats 0 to {wanted.seats - 1}, bots {', '.join(game.bots.by_name)}"
    taken = len(wanted.bots) + len(wanted.players)
    if wanted.sit and taken >= wanted.seats:
        faults["bots"] = "leave a seat for yourself, or set sit to false"
    if any(not 0 <= seat < wanted.seats or seat in wanted.bots for seat in wanted.players):
        faults["players"] = "seats that no bot has"
    if len(set(wanted.players.values())) < len(wanted.players):
        faults["players"] = "each player once"
    if wanted.seat is not None and (not 0 <= wanted.seat < wanted.seats or wanted.seat in wanted.bots):
        faults["seat"] = "a seat that no bot has"
    if wanted.starts_at is not None and not now() < wanted.starts_at <= now() + AHEAD:
        faults["starts_at"] = "a time to come, within a year"
    faults |= _beacon_faults(wanted)
    if faults:
        raise invalid_fields_problem(msg("matches.cannot_be_made"), **faults)


def _beacon_faults(wanted: NewMatch) -> dict[str, str]:
    if not is_beacon(wanted.beacon):
        return {"beacon": "NAME:ROUND:VALUE, as in drand:4242:8f3a…, or -"}
    if not wanted.beacon_round:
        return {}
    if not is_beacon_round(wanted.beacon_round):
        return {"beacon_round": "NAME:ROUND, as in drand:4242"}
    if wanted.sit or wanted.starts_at is not None or wanted.beacon != "-":
        return {"beacon_round": "the organiser starts such a match: set sit to false, without starts_at and beacon"}
    return {}


def _insert_match(player: PlayerRow, wanted: NewMatch, game: AnyGame, settings: Mapping[str, Setting]) -> MatchRow:
    seed = ids.new_seed()
    at = now()
    return MatchRow.create(
        id=ids.new_id(),
        game=game.slug,
        revision=game.rules.revision,
        seats=wanted.seats,
        options=write_options(settings),
        moves=wanted.moves,
        clock=wanted.clock,
        policy=wanted.policy,
        visibility=wanted.visibility,
        link=ids.new_id(24) if wanted.visibility == "link" else None,
        status="open",
        title=wanted.title,
        seed=seed.hex(),
        seed_hash=sha256(seed).hexdigest(),
        beacon=wanted.beacon_round or wanted.beacon,
        created_by=player.id,
        created_at=at,
        starts_at=wanted.starts_at,
        expires_at=wanted.starts_at or at + (LISTED_FOR if wanted.visibility == "open" else UNLISTED_FOR),
        rematch_of=wanted.rematch_of,
        arbiter=None if wanted.sit else player.id,
        leave_allowed=wanted.leave and PRESETS[wanted.clock].leave,
        head_seq=0,
        head_hash="",
        head_at=at,
        resolved_seq=0,
        outage_ms=0,
    )
