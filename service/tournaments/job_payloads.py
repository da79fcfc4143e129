"""Jobs and emails about tournaments."""

from __future__ import annotations

from typing import Literal

from service.jobs.payloads import JobPayload, LetterJob, PlayerLetter, optional
from service.matches.paired_matches import TOURNAMENT, EndingRule


class TournamentJob(JobPayload):
    """A job of one tournament."""

    tournament: str


class RunSteps(TournamentJob, topic="tournament-step"):
    """Run the steps of a tournament that are due."""


class FetchBeacon(TournamentJob, topic="tournament-beacon"):
    """Fetch the value of a round of the public beacon, and make the draw that waits for it."""

    round: int


class MakeMatches(TournamentJob, topic="tournament-matches"):
    """Make the matches of the pairings with the places `first` to `last`."""

    stage: str
    round: int
    first: int
    last: int


class StartMatches(TournamentJob, topic="tournament-start"):
    """Start matches of a round that has begun."""

    stage: str
    round: int
    matches: tuple[str, ...]


class EndMatch(TournamentJob, topic="tournament-end"):
    """End a match whose round is over by time."""

    match: str
    how: EndingRule | Literal["adjudicate"]
    at: int


class PauseMatches(JobPayload, topic="tournament-pause"):
    """Stop the clocks of matches: for a ruling of `tournament`, or for a pause in its document if that is None."""

    matches: tuple[str, ...]
    tournament: str | None = optional(default=None)


class ResumeMatches(JobPayload, topic="tournament-resume"):
    """Let the clocks of matches run again, of those that were paused for this reason."""

    matches: tuple[str, ...]
    tournament: str | None = optional(default=None)
    why: str = optional(default=TOURNAMENT)


class CloseRound(TournamentJob, topic="tournament-round-over"):
    """Renew the standings after a round, and open the matches of a stage that is over."""

    stage: str
    round: int


class ResignSeats(TournamentJob, topic="tournament-resign"):
    """Give up the seats of a player who left at once."""

    player: str


class TakeSilentChallenge(JobPayload, topic="tournament-challenge"):
    """Decide a challenge that nobody answered in time."""

    challenge: str


class CancelMatches(TournamentJob, topic="tournament-cancel"):
    """Cancel the matches of a cancelled tournament that have not started."""


class EndRuledMatch(TournamentJob, topic="tournament-ruled"):
    """End a match whose result a ruling gave."""

    match: str
    how: EndingRule
    scores: tuple[int, ...]


class VoidMatches(TournamentJob, topic="tournament-void"):
    """Void matches by a ruling."""

    matches: tuple[str, ...]


class ReplacePlayer(TournamentJob, topic="tournament-replace"):
    """Give the seats of `one` to `other` by a ruling."""

    one: str
    other: str
    matches: tuple[str, ...]


class AskReserves(TournamentJob, topic="tournament-offers"):
    """Offer free places to the next reserves, and the seats that were left in `match`, if given."""

    match: str = optional(default="")
    player: str = optional(default="")
    until: int | None = optional(default=None)


class TournamentLetter(PlayerLetter):
    """An email to a player about a tournament."""

    tournament: str


class EnteredLetter(TournamentLetter, kind="tournament-entered"):
    """Tell a player that they are in, on the waiting list, or waiting for approval."""

    status: str


class TournamentInvitationLetter(LetterJob, kind="tournament-invitation"):
    """Invite somebody to a tournament."""

    invitation: str
    tournament: str


class RoundLetter(TournamentLetter, kind="tournament-round"):
    """Tell an entrant that a round begins."""

    stage: str
    round: int


class TournamentOverLetter(TournamentLetter, kind="tournament-over"):
    """Tell an entrant that the tournament is over."""


class TournamentCancelledLetter(TournamentLetter, kind="tournament-cancelled"):
    """Tell an entrant that the tournament is cancelled."""


class RulingNoticeLetter(TournamentLetter, kind="tournament-ruling"):
    """Tell a player about the ruling in entry `seq` of the log."""

    seq: int


class PlaceOfferLetter(TournamentLetter, kind="tournament-offer"):
    """Offer a reserve a place, or a seat that was left in `match`."""

    match: str
    until: int


class EndingLetter(TournamentLetter, kind="tournament-ending"):
    """Remind an entrant that a round ends soon."""

    stage: str
    days: int
    ends_at: int
    then: str


class ByeQuestionLetter(TournamentLetter, kind="tournament-leave"):
    """Ask an entrant on leave whether they take a bye."""

    stage: str
    round: int
    starts_at: int
    until: int


class AdjudicationLetter(TournamentLetter, kind="tournament-adjudication"):
    """Ask an organiser to decide a match whose time is over."""

    match: str
    until: int


class OrganiserMessageLetter(TournamentLetter, kind="tournament-message"):
    """Send an entrant the message of an organiser."""

    message: str


class ChallengeLetter(TournamentLetter, kind="tournament-challenge"):
    """Tell a player what became of a challenge."""

    challenge: str
    what: str
