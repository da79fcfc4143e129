"""Jobs of mail, and the emails that answer one: a class for each kind of answer."""

from __future__ import annotations

from collections.abc import Mapping

from engine.options import Setting
from service.jobs.payloads import JobPayload, LetterJob, PlayerLetter, optional
from service.record.canonical_json import JsonValue

Message = Mapping[str, JsonValue]
"""A message by its key and values, as `catalogue.dump_message` writes it."""
Receipt = Mapping[str, JsonValue]


class ReadInbox(JobPayload, topic="inbox"):
    """Read a stored message; if `due`, make the moves that it holds."""

    inbox: str
    due: bool = optional(default=False)


class ResendLetter(JobPayload, topic="resend"):
    """Send an email again that an operator has released."""

    letter: str


class BeginLetter(LetterJob, kind="begin"):
    """Tell somebody without an account how to begin."""

    address: str
    name: str
    language: str
    zone: str
    last: bool = False
    """True if no further answer follows today."""
    listed: tuple[str, ...] = optional(default=())
    """Open matches to list, if they were requested."""
    asked: bool = True
    """True if they wrote to us first."""
    in_reply_to: str = ""
    subject: str = ""
    player: None = None


class UnreachableLetter(PlayerLetter, kind="absent"):
    """Tell an organiser that emails to the player of a seat bounce."""

    match: str
    seat: int
    status: str = ""


class AnswerLetter(PlayerLetter):
    """An answer to an email of a player. Omitted fields are filled in when it is queued."""

    player: str = ""
    match: str | None = None
    seat: int | None = None
    label: str | None = None
    """The letter of the alphabet that the match has in a digest."""
    last: bool = False
    """True if the next refusal within the hour would not be sent."""
    inbox: str = ""
    """The id of the email that is answered."""
    in_reply_to: str = ""
    subject: str = ""


class MovesMadeAnswer(AnswerLetter, kind="understood"):
    """Report what was made of moves, once their consequences are known."""

    made: tuple[str, ...]
    waiting: int
    dropped: tuple[str, ...]
    receipt: Receipt
    why: str = ""
    """Why lines were dropped, in English."""
    message: Message | None = None
    """The same by key and values, for the language of the player."""


def receipt_key(match: str, seat: int, seq: int) -> str:
    """Return the key of the answer to moves of which `seq` is the last entry.

    It waits for a while, in case another email of the match leaves: that one then carries the receipt.
    """
    return f"answer:{match}:{seat}:{seq}"


class MovesHeldAnswer(AnswerLetter, kind="held"):
    """Say that moves count at `until` unless taken back; if that is None, only after a yes."""

    lines: tuple[str, ...]
    until: int | None
    beside: tuple[str, ...]
    """The words besides the moves."""
    waiting: str
    """The id of the row of the inbox that waits for a yes."""
    reason: str = optional(default="")


class MovesUndoneAnswer(AnswerLetter, kind="undone"):
    """Tell which lines were taken back."""

    lines: tuple[str, ...]


class RefusedAnswer(AnswerLetter, kind="refused"):
    """Say that nothing was done. `reason` names the sentence that says why."""

    reason: str
    text: str = ""
    """The player's words."""
    meant: tuple[str, ...] = ()
    """Possible meanings."""
    why: str = ""
    """More about the reason, in English."""
    message: Message | None = None
    """The same by key and values, for the language of the player."""


class StaleAnswer(AnswerLetter, kind="stale"):
    """Say that the question has changed, and show the current one."""

    text: str


class HelpAnswer(AnswerLetter, kind="help"):
    """Say what an email can contain."""


class BoardAnswer(AnswerLetter, kind="board"):
    """Show the table."""


class HistoryAnswer(AnswerLetter, kind="history"):
    """Tell everything that has happened in the match."""


class ClockAnswer(AnswerLetter, kind="clock"):
    """Show how much time everybody has."""


class RulesAnswer(AnswerLetter, kind="rules"):
    """Show the rules of a game; if `game` is None, those of the match's game, or the list of games."""

    game: str | None = None


class LeaveBookedAnswer(AnswerLetter, kind="leave"):
    """Tell that leave is booked."""

    first_day: str
    last_day: str


class LeavesAnswer(AnswerLetter, kind="leaves"):
    """Tell which leave is booked, or that all of it was `cancelled`."""

    cancelled: bool


class NoteAnswer(AnswerLetter, kind="note"):
    """Tell that a note was written."""

    note: str


class LettersStoppedAnswer(AnswerLetter, kind="stopped"):
    """Tell that no more emails come."""

    everywhere: bool
    mode: str = "none"


class LetterModeAnswer(AnswerLetter, kind="letters"):
    """Say which emails come from now on."""

    everywhere: bool
    mode: str


class SettingAnswer(AnswerLetter, kind="setting"):
    """Tell that the zone, the language or the hour of the digest was changed."""

    name: str


class ConfirmModeAnswer(AnswerLetter, kind="confirming"):
    """Say whether moves by email wait for a confirmation."""

    on: bool


class SeatBackAnswer(AnswerLetter, kind="back"):
    """Tell a player that they have their seat again, or that of another whom they replace."""

    substitute: bool = optional(default=False)


class ResignQuestionAnswer(AnswerLetter, kind="resign"):
    """Ask whether they are sure to resign."""

    waiting: str


class ResignedAnswer(AnswerLetter, kind="resigned"):
    """Tell that they have resigned."""

    receipt: Receipt


class AgreeQuestionAnswer(AnswerLetter, kind="agree"):
    """Ask whether they are sure to agree to an offer."""

    offer: str
    waiting: str


class CommandQuestionAnswer(AnswerLetter, kind="unverified"):
    """Ask whether an unverified command is theirs."""

    verb: str
    rest: str


class SeatJoinedAnswer(AnswerLetter, kind="joined"):
    """Tell that a seat is taken."""

    receipt: Receipt
    new: bool = False
    """True if the player has a new account."""


class SeatDeclinedAnswer(AnswerLetter, kind="declined"):
    """Tell that an invitation or a seat was declined."""


class MatchCreatedAnswer(AnswerLetter, kind="made"):
    """Tell that a match was made."""

    game: str
    first: Mapping[str, Setting] | None = None
    """The options that it has only because it is the player's first match."""
    guests: tuple[str, ...] = ()
    """The addresses that are invited."""
    invited: bool = False
    """True if the players of the previous match are invited."""
    new: bool = False
    """True if the player has a new account."""


class GuestsInvitedAnswer(AnswerLetter, kind="invited"):
    """Tell who was invited to an open match."""

    game: str = ""
    guests: tuple[str, ...]


class OpenMatchesAnswer(AnswerLetter, kind="matches"):
    """List the open matches with these ids, by number."""

    listed: tuple[str, ...]


class GamesAnswer(AnswerLetter, kind="games"):
    """List the games."""


class OrdersAnswer(AnswerLetter, kind="orders"):
    """Tell which orders are `kept`, or were withdrawn."""

    lines: tuple[str, ...]
    kept: bool


class AutoAnswer(AnswerLetter, kind="auto"):
    """Say whether sole legal moves are made automatically."""

    on: bool
    everywhere: bool


class MutedAnswer(AnswerLetter, kind="muted"):
    """Say whether other people's notes are sent."""

    on: bool


class PositionAnswer(AnswerLetter, kind="position"):
    """Show the table after entry `at` of the log."""

    at: int


class PreviewAnswer(AnswerLetter, kind="preview"):
    """Show the table as these lines would leave it."""

    lines: tuple[str, ...]


class ProposedAnswer(AnswerLetter, kind="proposed"):
    """Report the outcome of an offer to end or cancel the match."""

    what: str
    state: str
    own: bool


class WelcomeAnswer(AnswerLetter, kind="welcome"):
    """Welcome a player who made an account by an answer."""

    name: str


class TournamentAnswer(AnswerLetter, kind="tournament"):
    """Answer a command about tournaments. `about` is the command, or its effect."""

    about: str
    tournament: str = ""
    round: str = ""
    challenge: str = ""


class RulingQuestionAnswer(AnswerLetter, kind="ruling-question"):
    """Show the effects of a ruling, and ask for a yes."""

    rest: str
    """The ruling, as the yes repeats it."""
    lines: tuple[str, ...]
    letters: int
    standings: tuple[str, ...]
