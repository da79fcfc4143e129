"""Letters about tournaments: you are in, a round begins, it is over, it does not take place, and how it stands."""

from __future__ import annotations

import json
from functools import lru_cache

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.db.models.tournaments import ChallengeRow, RoundRow, RulingTextRow, TournamentEntryRow, TournamentRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    FactList,
    Heading,
    Letter,
    Link,
    Para,
    Preformatted,
    Quote,
    ScoreTable,
    SmallPrint,
)
from service.mail.letters.context import LetterContext, find_addressee, game_name
from service.mail.letters.move_answers import reply_subject
from service.mail.letters.sections import describe_clock
from service.mail.letters.tournament_challenge import describe_own_challenge
from service.timestamps import MINUTE, now
from service.tournaments.calendars.leave_clashes import describe_clash, find_booked_clashes
from service.tournaments.documents.document import load_document
from service.tournaments.formats.log_lines import CancelRuling
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_state import IN
from service.tournaments.ratings.ratings import list_ratings
from service.tournaments.rounds.standings import StandingLine, StandingsTable, read_standings
from service.tournaments.rulings.ruling_words import REASONS
from service.tournaments.rulings.rulings import read_ruling
from service.tournaments.tournament_caches import ANNOUNCED, ENTRY
from service.tournaments.tournament_store import load_state, select_rulings
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_place, format_units
from service.tournaments.views.overview import PairingShown
from service.tournaments.views.rule_sheet import write_rule_sheet

MOST_LINES = 50
MOST_TABLES = 60
MOST_OPEN = 20
OPEN_STATES = (ANNOUNCED, ENTRY)


def find_subscriber(player: str) -> Addressee | None:
    """Somebody who wants letters."""
    wants = (PlayerRow.id == player) & (PlayerRow.letters != "none")
    return find_addressee(player) if PlayerRow.select().where(wants).exists() else None


def log_head(row: TournamentRow, locale: Locale) -> SmallPrint:
    """Where the log stands: 12 digits that must be in every later record."""
    return SmallPrint(translate(locale, "tournament.head", seq=row.head_seq, digits=overview.head_digits(row)))


def page_link(row: TournamentRow, locale: Locale, config: Config) -> Link:
    """Where the page of the tournament is."""
    return Link(translate(locale, "tournament.page"), f"{config.url}/tournaments/{row.id}")


def format_time(at: int | None, to: Addressee) -> str:
    """A time as the reader of a letter has it, or that it is not fixed yet."""
    return translate(to.locale, "tournament.unknown") if at is None else dates.format_moment(at, to.zone, to.locale)


def describe_tournament(row: TournamentRow, to: Addressee) -> FactList:
    """What a tournament is in a few facts: game, clock, how many are in, when it closes and begins."""
    locale, document = to.locale, json.loads(row.document)
    counts = overview.count_entrants([row.id])[row.id]
    facts = [
        (translate(locale, "tournament.game"), game_name(GAMES[row.game], locale)),
        (translate(locale, "invitation.clock"), describe_clock(document["clock"], locale)),
        (translate(locale, "tournament.entrants"), str(counts.get(IN, 0))),
    ]
    if row.closes_at is not None and row.state in OPEN_STATES:
        facts.append((translate(locale, "tournament.closes"), format_time(row.closes_at, to)))
    first = RoundRow.select().where((RoundRow.tournament == row.id) & RoundRow.starts_at.is_null(is_null=False))
    begin = first.order_by(RoundRow.starts_at).first()
    if begin is not None and row.started_at is None:
        facts.append((translate(locale, "tournament.begins"), format_time(begin.starts_at, to)))
    return FactList(tuple(facts))


def compose_tournament_entered(context: LetterContext) -> Letter | None:
    """The letter to who entered: in, on the waiting list, or waiting for approval."""
    to, row = find_subscriber(context.payload["player"]), TournamentRow.get_by_id(context.payload["tournament"])
    if to is None:
        return None
    locale, title, status = to.locale, overview.title_of(row, to.locale), str(context.payload["status"])
    blocks: list[Block] = [
        Para(translate(locale, f"tournament.entered.{status}", title=title), strong=True),
        Para(translate(locale, "tournament.entered.how")),
        describe_tournament(row, to),
        *_leave_blocks(row, to),
        *_rule_blocks(row, locale),
        Para(translate(locale, "tournament.entered.ask", name=row.name)),
        page_link(row, locale, context.config),
        log_head(row, locale),
    ]
    subject = translate(locale, f"tournament.entered.{status}", title=title).rstrip(".")
    return Letter("tournament-entered", to, subject, tuple(blocks), scope="all")


def _leave_blocks(row: TournamentRow, to: Addressee) -> list[Block]:
    """The rounds that meet leave which is booked already."""
    clashes = find_booked_clashes(to.player or "", to.zone, row.id, to.locale)
    return [Bullets(tuple(describe_clash(clash, to.zone, to.locale) for clash in clashes))] if clashes else []


def _rule_blocks(row: TournamentRow, locale: Locale) -> list[Block]:
    """The rules of the tournament in sentences."""
    blocks: list[Block] = []
    for paragraph in write_rule_sheet(load_document(json.loads(row.document)), locale):
        blocks += [Heading(paragraph.heading), Para(paragraph.text)]
    return blocks


def compose_tournament_round(context: LetterContext) -> Letter | None:
    """The letter about a round that begins: all own tables with opponents, seats and deadlines, or a bye."""
    to, row = find_subscriber(context.payload["player"]), TournamentRow.get_by_id(context.payload["tournament"])
    if to is None or to.player is None:
        return None
    locale, stage, number = to.locale, str(context.payload["stage"]), int(context.payload["round"])
    title = overview.title_of(row, locale)
    if overview.find_stage(row.id, stage).format == LADDER:
        return _compose_ladder_start(context, row, to, stage)
    tables = overview.list_pairings_of(row, to.player, stage, number, locale)
    matches = [table for table in tables if not table.is_bye]
    key = "lead" if matches else "bye"
    lead = translate(locale, f"tournament.round.{key}", title=title, stage=stage, round=number, count=len(matches))
    blocks: list[Block] = [Para(lead, strong=True)]
    if matches:
        blocks += [
            Heading(translate(locale, "tournament.round.tables")),
            Bullets(tuple(_describe_table(table, to) for table in matches[:MOST_TABLES])),
        ]
    end = RoundRow.get_or_none(
        (RoundRow.tournament == row.id) & (RoundRow.stage == stage) & (RoundRow.number == number)
    )
    facts = [(translate(locale, "invitation.clock"), describe_clock(json.loads(row.document)["clock"], locale))]
    if end is not None and end.ends_at is not None:
        facts.append((translate(locale, "tournament.round.ends"), format_time(end.ends_at, to)))
    if matches:
        blocks += [FactList(tuple(facts)), Para(translate(locale, "tournament.round.how"))]
    blocks += [page_link(row, locale, context.config), log_head(row, locale)]
    return Letter("tournament-round", to, lead.rstrip("."), tuple(blocks), scope="all")


def _compose_ladder_start(context: LetterContext, row: TournamentRow, to: Addressee, stage: str) -> Letter:
    """The letter about a ladder that begins: the own place, and how to challenge."""
    locale, state = to.locale, load_state(row.id)
    order, number = state.ladder_order(stage), state.number_of.get(to.player or "", 0)
    place = order.index(number) + 1 if number in order else len(order)
    about = {"title": overview.title_of(row, locale), "place": place, "count": len(order)}
    lead = translate(locale, "challenges.begins", **about)
    plan = next(plan for plan in load_document(json.loads(row.document)).stages if plan.name == stage)
    blocks = (
        Para(lead, strong=True),
        Para(translate(locale, "challenges.begins_how", count=plan.reach, name=row.name)),
        page_link(row, locale, context.config),
        log_head(row, locale),
    )
    return Letter("tournament-round", to, lead.rstrip("."), blocks, scope="all")


def _describe_table(table: PairingShown, to: Addressee) -> str:
    """One table: against whom, on which seat, and until when the first answer is due."""
    own = next(seat.seat for seat in table.seats if seat.player == to.player)
    others = [seat.name for seat in table.seats if seat.seat != own]
    key = "tournament.round.against" if others else "tournament.round.alone"
    text = translate(to.locale, key, others=join_items(to.locale, others), seat=own + 1, seats=len(table.seats))
    seat = SeatRow.get_or_none((SeatRow.match == table.match) & (SeatRow.seat == own))
    if seat is None or seat.due_at is None:
        return text
    return translate(to.locale, "tournament.round.due", table=text, moment=format_time(seat.due_at, to))


def compose_tournament_cancelled(context: LetterContext) -> Letter | None:
    """The letter about a tournament that does not take place, or not any further."""
    to, row = find_subscriber(context.payload["player"]), TournamentRow.get_by_id(context.payload["tournament"])
    if to is None:
        return None
    locale = to.locale
    lead = translate(locale, "tournament.cancelled.lead", title=overview.title_of(row, locale))
    began = "tournament.cancelled.began" if row.started_at is not None else "tournament.cancelled.not_begun"
    blocks: list[Block] = [Para(lead, strong=True), Para(translate(locale, began))]
    ruling = select_rulings(row.id).where(TournamentEntryRow.line.startswith(f"{CancelRuling.verb} ")).first()
    if ruling is not None:
        blocks += reason_blocks(ruling, locale)
    blocks += [page_link(row, locale, context.config), log_head(row, locale)]
    return Letter("tournament-cancelled", to, lead.rstrip("."), tuple(blocks), scope="all")


def reason_blocks(ruling: TournamentEntryRow, locale: Locale) -> list[Block]:
    """Why something was ruled: the reason by its code, and the organiser's words if there are any."""
    why = read_ruling(ruling.line).why
    blocks: list[Block] = []
    if why in REASONS:
        reason = translate(locale, f"tournament.reason.{why}")
        blocks.append(Para(translate(locale, "tournament.ruling.why", reason=reason)))
    same = (RulingTextRow.tournament == ruling.tournament) & (RulingTextRow.seq == ruling.seq)
    text = RulingTextRow.get_or_none(same)
    return blocks if text is None else [*blocks, Quote(translate(locale, "tournament.organisers"), text.text)]


def compose_tournament_over(context: LetterContext) -> Letter | None:
    """The letter about a tournament that is over: the own place and why, the table, and how to check all of it."""
    to, row = find_subscriber(context.payload["player"]), TournamentRow.get_by_id(context.payload["tournament"])
    if to is None:
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    lead = translate(locale, "tournament.over.lead", title=title)
    blocks: list[Block] = [
        Para(lead, strong=True),
        *_own_standing(row, to),
        *_standings_blocks(row, to, context.config),
        Heading(translate(locale, "verify")),
        Para(translate(locale, "tournament.over.verify")),
        Preformatted(verify_commands(row, context.config)),
        page_link(row, locale, context.config),
        log_head(row, locale),
    ]
    return Letter("tournament-over", to, lead.rstrip("."), tuple(blocks), scope="all")


def verify_commands(row: TournamentRow, config: Config) -> str:
    """What to type to check a tournament."""
    return (
        f"curl -o {row.name}.jsonl {config.url}/v1/tournaments/{row.id}/record\n"
        f"echtra tournament verify {row.name}.jsonl"
    )


@lru_cache(maxsize=32)
def _read_table(tournament: str, stage: str, _hash: str, locale: Locale, _minute: int) -> StandingsTable:
    """The standings after a line, read once for the letters of a minute: names may change."""
    return read_standings(tournament, stage, locale=locale)


def _find_table(row: TournamentRow, locale: Locale) -> StandingsTable | None:
    stages = overview.list_stages(row.id)
    begun = [stage for stage in stages if stage.state != "planned"]
    return _read_table(row.id, begun[-1].name, row.head_hash, locale, now() // MINUTE) if begun else None


def _find_line(table: StandingsTable | None, player: str | None) -> StandingLine | None:
    if table is None:
        return None
    return next((line for section in table.sections for line in section if line.player == player), None)


def _own_standing(row: TournamentRow, to: Addressee, *, details: bool = False) -> list[Block]:
    """The own rank with the reason for it; nothing for who has none in this stage."""
    table = _find_table(row, to.locale)
    line = _find_line(table, to.player)
    if table is None or line is None:
        return []
    reason = overview.explain_lines(row, table.stage, [line.number], to.locale).get(line.number)
    if reason is None:
        place = format_place(line.rank, to.locale)
        return [Para(translate(to.locale, "tournament.your_place", place=place, stage=table.stage))]
    blocks: list[Block] = [Para(translate(to.locale, "tournament.your_line", stage=table.stage, why=reason.summary))]
    return [*blocks, Bullets(reason.details)] if details and reason.details else blocks


def _standings_blocks(row: TournamentRow, to: Addressee, config: Config) -> list[Block]:
    """The standings of the last stage that began, the first lines of each section."""
    locale, table = to.locale, _find_table(row, to.locale)
    if table is None:
        return []
    blocks: list[Block] = []
    shown = max(1, MOST_LINES // max(1, len(table.sections)))
    counted = any(line.by_round for section in table.sections for line in section)
    for number, section in enumerate(table.sections, 1):
        key = "tournament.standings" if len(table.sections) == 1 else "tournament.section"
        heading = translate(locale, key, stage=table.stage, section=number)
        rows = tuple(
            (f"{line.rank}. {line.name}", (format_units(line.points, locale),) if counted else ("",))
            for line in section[:shown]
        )
        blocks += [Heading(heading), ScoreTable((translate(locale, "tournament.points"),), rows, summed=False)]
    left_out = sum(max(0, len(section) - shown) for section in table.sections)
    if left_out:
        url = f"{config.url}/tournaments/{row.id}"
        blocks.append(Para(translate(locale, "tournament.more_lines", count=left_out, url=url)))
    return blocks


def compose_tournament_status(context: LetterContext) -> Letter | None:
    """The answer to `tournaments`, `standing NAME` and `why NAME`, and to a withdrawal or a bye that was asked for."""
    to = context.to
    if to is None:
        return None
    about = str(context.payload["about"])
    if about == "list":
        blocks = _open_tournaments(to)
    elif about == "rating":
        blocks = _rating_blocks(to)
    else:
        row = TournamentRow.get_by_id(context.payload["tournament"])
        blocks = _status_blocks(row, to, about, context)
    lead = next(block.words for block in blocks if isinstance(block, Para))
    subject = reply_subject(context, lead.rstrip("."))
    return Letter("tournament", to, subject, tuple(blocks), scope="all", in_reply_to=context.in_reply_to)


def _status_blocks(row: TournamentRow, to: Addressee, about: str, context: LetterContext) -> list[Block]:
    locale, title = to.locale, overview.title_of(row, to.locale)
    values = {"title": title, "round": str(context.payload.get("round") or "")}
    if about == "challenge":
        lead = describe_own_challenge(ChallengeRow.get_by_id(context.payload["challenge"]), to, title)
    else:
        lead = translate(locale, f"tournament.answer.{about}", **values)
    blocks: list[Block] = [Para(lead, strong=True)]
    if about == "standing":
        blocks += [*_own_standing(row, to), *_standings_blocks(row, to, context.config)]
    elif about == "why":
        blocks += _own_standing(row, to, details=True)
    if len(blocks) == 1 and about in ("standing", "why"):
        blocks += [Para(translate(locale, "tournament.no_standing")), describe_tournament(row, to)]
    return [*blocks, page_link(row, locale, context.config), log_head(row, locale)]


def _rating_blocks(to: Addressee) -> list[Block]:
    """Return the ratings of the reader, one for each game."""
    locale, found = to.locale, list_ratings(to.player or "", now())
    if not found:
        return [Para(translate(locale, "tournament.rating.none"), strong=True)]
    items = (
        translate(
            locale,
            "tournament.rating.item",
            game=game_name(GAMES[rating.game], locale),
            rating=rating.skill.rating,
            deviation=rating.skill.deviation,
        )
        for rating in found
    )
    return [Para(translate(locale, "tournament.rating.lead"), strong=True), Bullets(tuple(items))]


def _open_tournaments(to: Addressee) -> list[Block]:
    """The tournaments that one can enter, and those one is in."""
    locale = to.locale
    mine = list(overview.select_entered(to.player or "").limit(MOST_OPEN))
    known = {row.id for row in mine}
    entering = TournamentRow.listed & TournamentRow.state.in_(OPEN_STATES)
    later = TournamentRow.closes_at.is_null() | (TournamentRow.closes_at > now())
    found = TournamentRow.select().where(entering & later).order_by(TournamentRow.closes_at).limit(MOST_OPEN)
    open_ = [row for row in found if row.id not in known]
    if not mine and not open_:
        return [Para(translate(locale, "tournament.none"), strong=True), Para(translate(locale, "tournament.none.how"))]
    blocks: list[Block] = [Para(translate(locale, "tournament.open"), strong=True)]
    if open_:
        lines = tuple(
            translate(
                locale,
                "tournament.open_line",
                title=overview.title_of(row, locale),
                name=row.name,
                game=game_name(GAMES[row.game], locale),
                moment=format_time(row.closes_at, to),
            )
            for row in open_
        )
        blocks += [Bullets(lines), Para(translate(locale, "tournament.enter_how", name=open_[0].name))]
    if mine:
        lines = tuple(
            translate(
                locale,
                "tournament.own_line",
                title=overview.title_of(row, locale),
                name=row.name,
                state=translate(locale, f"tournament.state.{row.state}"),
            )
            for row in mine
        )
        blocks += [Heading(translate(locale, "tournament.own")), Bullets(lines)]
        blocks.append(Para(translate(locale, "tournament.ask_how", name=mine[0].name)))
    return blocks
