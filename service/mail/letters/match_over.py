"""The last email of a match: who won, the scores, and how to verify the record."""

from __future__ import annotations

from engine.game import HOUSE, Score, final_scores, show_totals, winners
from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import capitalise, has_text, join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Heading, Letter, Para, ScoreTable
from service.mail.letters.context import LetterContext, SeatContext
from service.mail.letters.registry import seat_letter
from service.mail.letters.turn import build_match_letter
from service.play.access import is_closed, is_record_public
from service.play.job_payloads import OverLetter
from service.play.match_results import describe_result
from service.play.views import CANCELLED
from service.tournaments.ratings import rate_finished_matches

SELECT_LAST_TIMEOUT = "select line from entry where match = ? and seat = ? and line like ? order by seq desc limit 1"


@seat_letter(OverLetter)
def compose_match_over(context: LetterContext[OverLetter], seat: SeatContext) -> Letter | None:
    """Compose the last email of a match. None if the seat wants none."""
    if not seat.match_state.state.over or seat.letter_mode == "none":
        return None
    blocks: list[Block] = [
        *result_blocks(seat),
        *score_blocks(seat),
        *_rating_blocks(seat),
        *([] if is_closed(seat.match) else [*sections.story(seat), *sections.notes(seat), *sections.board(seat)]),
        *verify_blocks(seat, context.config),
        *_rematch_blocks(seat),
    ]
    return build_match_letter(seat, context.job.kind, blocks)


def _rating_blocks(seat: SeatContext) -> list[Block]:
    """Tell how the match changed the ratings of those who played it to its end."""
    changes = rate_finished_matches.find_changes(seat.match)
    said = [
        f"{seat.names[number]} {changes[player]}"
        for number, player in enumerate(seat.match_state.players)
        if player in changes
    ]
    return [Para(translate(seat.locale, "over.ratings", changes=", ".join(said)))] if said else []


def _rematch_blocks(seat: SeatContext) -> list[Block]:
    """Tell how to play again. Matches of tournaments are played once."""
    if seat.pairing is not None:
        return []
    people = [player for number, player in enumerate(seat.match_state.players) if player and number != seat.number]
    return [Para(translate(seat.locale, "over.again" if people else "over.alone"))]


def result_blocks(seat: SeatContext) -> list[Block]:
    """Tell who won, and why the match ended if it was not played to its end."""
    locale, why = seat.locale, seat.match_state.state.house.ended
    if why == CANCELLED:
        return [Para(capitalise(translate(locale, "over.cancelled", what=seat.match_phrase)), strong=True)]
    won = winners(seat.viewer.game, seat.match_state.state)
    others = join_items(locale, [seat.names[number] for number in won if number != seat.number])
    if seat.number in won:
        key = "over.shared" if others else "over.won"
    else:
        key = ("over.lost" if len(won) == 1 else "over.shared-by") if won else "over.nobody"
    lead: list[Block] = [Para(capitalise(translate(locale, key, what=seat.match_phrase, winners=others)), strong=True)]
    if not why:
        result = describe_result(seat.viewer, "")
        return [*lead, Para(result.decided)] if result and result.decided else lead
    return [*lead, Para(translate(locale, "over.why", why=_ending_reason(seat, why)))]


def _ending_reason(seat: SeatContext, why: str) -> str:
    """Return why a match ended early, with the name of whoever resigned or ran out of time."""
    gone = seat.match_state.state.house.resigned
    if why == "resign" and gone:
        return translate(
            seat.locale, "why.resign.you" if gone[-1] == seat.number else "why.resign.other", who=seat.names[gone[-1]]
        )
    timeouts = rows(SELECT_LAST_TIMEOUT, seat.match, HOUSE, "timeout %") if why == "forfeit" else []
    if not timeouts:
        return translate(seat.locale, f"why.{why}") if has_text(seat.locale, f"why.{why}") else why.replace("-", " ")
    late, due = (int(word) for word in timeouts[0][0].split(" ")[1:])
    key = "why.forfeit.you" if late == seat.number else "why.forfeit.other"
    return translate(seat.locale, key, who=seat.names[late], moment=dates.format_moment(due, seat.to.zone, seat.locale))


def score_blocks(seat: SeatContext) -> list[Block]:
    """Return the score sheet."""
    if seat.match_state.state.house.ended == CANCELLED:
        return []
    locale, scores = seat.locale, final_scores(seat.viewer.game, seat.match_state.state)
    labels = dict.fromkeys(each.label for score in scores for each in score.counts)
    name = seat.viewer.game.presentation.words.name
    rows = [
        (capitalise(name(label, locale)), tuple(_count_points(score, label) for score in scores)) for label in labels
    ]
    totals = show_totals(seat.viewer.game, seat.match_state.state, locale)
    label = "scores.total" if seat.viewer.game.rules.points else "scores.outcome"
    rows.append((translate(locale, label), tuple(map(format_points, totals))))
    return [Heading(translate(locale, "scores")), ScoreTable(seat.names, tuple(rows))]


def _count_points(score: Score, label: str) -> str:
    return next((format_points(each.points) for each in score.counts if each.label == label), "–")


def format_points(points: int | str) -> str:
    """Return points with a proper minus sign."""
    return str(points).replace("-", "−")


def verify_blocks(seat: SeatContext, config: Config) -> list[Block]:
    """Tell how to fetch the record and verify it."""
    match = MatchRow.get_by_id(seat.match)
    if not is_record_public(match):
        return [
            Heading(translate(seat.locale, "verify")),
            Para(translate(seat.locale, "verify.same_deal", title=seat.title)),
        ]
    private = match.visibility != "open"
    return [
        Heading(translate(seat.locale, "verify")),
        Para(translate(seat.locale, "verify.private" if private else "verify.how")),
        sections.verify_commands(seat.match, config, private=private),
    ]
