"""The letter that invites to a tournament, with its rules in sentences."""

from __future__ import annotations

from engine.words import Locale
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentInvitationRow, TournamentRow
from service.i18n.catalogue import translate
from service.mail.letters.blocks import Addressee, Block, Heading, Letter, Link, Para, SmallPrint
from service.mail.letters.context import LetterContext, find_addressee
from service.mail.letters.tournament import describe_tournament
from service.play.views import player_names
from service.tournaments.tournament_caches import CANCELLED, OVER, document_of
from service.tournaments.views import overview
from service.tournaments.views.rule_sheet import write_rule_sheet


def compose_tournament_invitation(context: LetterContext) -> Letter | None:
    """The letter to who is invited; nothing if the tournament is over or nobody can be written to."""
    made = TournamentInvitationRow.get_or_none(TournamentInvitationRow.id == context.payload["invitation"])
    row = TournamentRow.get_by_id(made.tournament) if made is not None else None
    to = _find_invitee(made) if made is not None else None
    if made is None or row is None or to is None or row.state in {OVER, CANCELLED}:
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    by = player_names([made.by_player], locale)[made.by_player]
    blocks: list[Block] = [
        Para(translate(locale, "tournament.invitation.lead", by=by, title=title), strong=True),
        *_answer_blocks(row, to, context),
        describe_tournament(row, to),
    ]
    for paragraph in write_rule_sheet(document_of(row), locale):
        blocks += [Heading(paragraph.heading), Para(paragraph.text)]
    if to.player is None:
        blocks += [
            Para(translate(locale, "invitation.what")),
            SmallPrint(translate(locale, "invitation.why", by=by)),
        ]
    return Letter(
        kind="tournament-invitation",
        to=to,
        subject=translate(locale, "tournament.invitation.subject", by=by, title=title),
        blocks=tuple(blocks),
        scope="all" if to.player else "address",
    )


def _answer_blocks(row: TournamentRow, to: Addressee, context: LetterContext) -> list[Block]:
    """How to say yes: by a reply or on the page; without an account by making one first."""
    page = f"{context.config.url}/tournaments/{row.id}"
    if to.player is not None:
        how = translate(to.locale, "tournament.invitation.how", name=row.name)
        return [Para(how), Link(translate(to.locale, "tournament.page"), page)]
    links = (("tournament.invitation.sign_in", f"{context.config.url}/enter"), ("tournament.page", page))
    return [
        Para(translate(to.locale, "tournament.invitation.stranger")),
        *(Link(translate(to.locale, key), url) for key, url in links),
    ]


def _find_invitee(made: TournamentInvitationRow) -> Addressee | None:
    """Who is invited; an address without an account reads the language of whoever invites."""
    if made.player is not None:
        return find_addressee(made.player)
    known = PlayerRow.get_or_none((PlayerRow.address == made.address) & PlayerRow.confirmed_at.is_null(False))
    if known is not None:
        return find_addressee(known.id)
    host = PlayerRow.get_or_none(PlayerRow.id == made.by_player)
    locale: Locale = "fr" if host is not None and host.language == "fr" else "en"
    return Addressee(made.address, "", locale, host.zone if host else "UTC") if made.address else None
