"""The email that invites to a tournament, with its rules in sentences."""

from __future__ import annotations

from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentInvitationRow, TournamentRow
from service.i18n.catalogue import translate
from service.jobs.payloads import LetterJob
from service.mail.letters.blocks import Addressee, Block, Letter, Link, Para, SmallPrint
from service.mail.letters.context import LetterContext, address_stranger, find_addressee
from service.mail.letters.registry import letter
from service.mail.letters.tournament import describe_tournament, rule_blocks
from service.play.views import player_names
from service.tournaments.job_payloads import TournamentInvitationLetter
from service.tournaments.tournament_caches import CANCELLED, OVER
from service.tournaments.views import overview


@letter(TournamentInvitationLetter)
def compose_tournament_invitation(context: LetterContext[TournamentInvitationLetter]) -> Letter | None:
    """Compose the email to somebody invited. None if the tournament is over or nobody can be written to."""
    made = TournamentInvitationRow.get_or_none(TournamentInvitationRow.id == context.job.invitation)
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
    blocks += rule_blocks(row, locale)
    if to.player is None:
        blocks += [
            Para(translate(locale, "invitation.what")),
            SmallPrint(translate(locale, "invitation.why", by=by)),
        ]
    return Letter(
        kind=context.job.kind,
        to=to,
        subject=translate(locale, "tournament.invitation.subject", by=by, title=title),
        blocks=tuple(blocks),
        scope="all" if to.player else "address",
    )


def _answer_blocks(row: TournamentRow, to: Addressee, context: LetterContext[LetterJob]) -> list[Block]:
    """Tell how to say yes: by a reply or on the page; without an account, by making one first."""
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
    """Return who is invited. Somebody without an account gets the language of the player who invites."""
    if made.player is not None:
        return find_addressee(made.player)
    known = PlayerRow.get_or_none((PlayerRow.address == made.address) & PlayerRow.confirmed_at.is_null(False))
    if known is not None:
        return find_addressee(known.id)
    return address_stranger(made.address, made.by_player)
