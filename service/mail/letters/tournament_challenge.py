"""Emails about challenges on a ladder: one is made, accepted, declined, lost by silence, or lapses."""

from __future__ import annotations

from engine.words import Locale
from service.db.models.tournaments import ChallengeRow, TournamentRow
from service.i18n import dates
from service.i18n.catalogue import translate
from service.mail.letters.blocks import Addressee, Block, FactList, Letter, Para
from service.mail.letters.context import LetterContext
from service.mail.letters.tournament import build_tournament_letter, tournament_letter
from service.tournaments.job_payloads import ChallengeLetter
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_store import load_state
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_place

TO_CHALLENGED = frozenset({"made", "missed"})
"""The emails to the player who was challenged; the others go to the challenger."""


@tournament_letter(ChallengeLetter)
def compose_tournament_challenge(context: LetterContext[ChallengeLetter], to: Addressee, row: TournamentRow) -> Letter:
    """Compose the email about a challenge."""
    what, locale = context.job.what, to.locale
    challenge = ChallengeRow.get_by_id(context.job.challenge)
    rival = challenge.challenger if what in TO_CHALLENGED else challenge.challenged
    who = find_names([rival], locale)[rival]
    lead = translate(locale, f"challenges.letter.{what}", who=who, title=overview.title_of(row, locale))
    blocks: list[Block] = [_places(challenge, to, rival, who, waits=what == "made")]
    if what == "made":
        blocks.append(Para(translate(locale, "challenges.letter.made_how", name=row.name, who=who)))
    return build_tournament_letter(context, to, row, lead, *blocks)


def _places(challenge: ChallengeRow, to: Addressee, rival: str, who: str, *, waits: bool) -> FactList:
    """Return the places of both players, and when an answer is due."""
    locale = to.locale
    facts = [
        (translate(locale, "challenges.letter.your_place"), _place_of(challenge, to.player or "", locale)),
        (translate(locale, "challenges.letter.their_place", who=who), _place_of(challenge, rival, locale)),
    ]
    if waits:
        moment = dates.format_moment(challenge.answer_by, to.zone, locale)
        facts.append((translate(locale, "challenges.letter.answer_by"), moment))
    return FactList(tuple(facts))


def _place_of(challenge: ChallengeRow, player: str, locale: Locale) -> str:
    state = load_state(challenge.tournament)
    order = state.ladder_order(challenge.stage)
    number = state.number_of.get(player)
    return format_place(order.index(number) + 1, locale) if number in order else "–"
