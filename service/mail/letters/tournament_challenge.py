"""Letters about challenges on a ladder: one is made, taken up, declined, lost by silence, or lapses."""

from __future__ import annotations

from engine.words import Locale
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import ChallengeRow, TournamentRow
from service.i18n import dates
from service.i18n.catalogue import translate
from service.mail.letters.blocks import Addressee, Block, FactList, Letter, Link, Para, SmallPrint
from service.mail.letters.context import LetterContext, find_addressee
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_store import load_state
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_place

TO_CHALLENGED = frozenset({"made", "missed"})
"""The letters that go to who was challenged; the others go to who challenged."""


def compose_tournament_challenge(context: LetterContext) -> Letter | None:
    """The letter about a challenge; nothing for who wants no letters."""
    player, what = str(context.payload["player"]), str(context.payload["what"])
    wants = (PlayerRow.id == player) & (PlayerRow.letters != "none")
    to = find_addressee(player) if PlayerRow.select().where(wants).exists() else None
    if to is None:
        return None
    challenge = ChallengeRow.get_by_id(context.payload["challenge"])
    row = TournamentRow.get_by_id(challenge.tournament)
    locale = to.locale
    rival = challenge.challenger if what in TO_CHALLENGED else challenge.challenged
    who = find_names([rival], locale)[rival]
    lead = translate(locale, f"challenges.letter.{what}", who=who, title=overview.title_of(row, locale))
    blocks: list[Block] = [Para(lead, strong=True), _places(challenge, to, rival, who, waits=what == "made")]
    if what == "made":
        blocks.append(Para(translate(locale, "challenges.letter.made_how", name=row.name, who=who)))
    blocks += [
        Link(translate(locale, "tournament.page"), f"{context.config.url}/tournaments/{row.id}"),
        SmallPrint(translate(locale, "tournament.head", seq=row.head_seq, digits=overview.head_digits(row))),
    ]
    return Letter("tournament-challenge", to, lead.rstrip("."), tuple(blocks), scope="all")


def _places(challenge: ChallengeRow, to: Addressee, rival: str, who: str, *, waits: bool) -> FactList:
    """Where both stand now, and until when an answer is due."""
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


def describe_own_challenge(challenge: ChallengeRow, to: Addressee, title: str) -> str:
    """What somebody did by letter about a challenge: made one, took it up, or declined it."""
    made = challenge.state == "open"
    rival = challenge.challenged if made else challenge.challenger
    who = find_names([rival], to.locale)[rival]
    moment = dates.format_moment(challenge.answer_by, to.zone, to.locale)
    key = "made" if made else challenge.state
    return translate(to.locale, f"challenges.mail.{key}", who=who, title=title, moment=moment)
