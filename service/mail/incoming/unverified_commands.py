"""Commands in letters that no mail server vouches for: nothing changes before a yes came to a secret address."""

from __future__ import annotations

from service.db.models.accounts import PlayerRow
from service.db.models.mail import ReplyAddressRow
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import account_commands
from service.mail.incoming.answers import MailOutcome, fingerprint, ignore, refuse
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import CommandQuestionAnswer

CONFIRMING = frozenset({"yes", "no", "confirm"})


def handle(letter: IncomingLetter) -> MailOutcome:
    """Handle a letter to the service itself; where From may be forged, ask its player before anything changes."""
    player = None if letter.verdict in ("pass", "fail") else account_commands.find_player(letter.from_address)
    if player is None:
        return account_commands.handle(letter)
    request = account_commands.read_service_request(letter)
    if request.command is None or request.mixed or not commands.changes_something(request.command):
        return account_commands.handle(letter)
    asked = request.command
    answer = CommandQuestionAnswer(verb=asked.verb, rest=asked.rest)
    print_ = fingerprint("unverified", 0, f"{asked.verb} {asked.rest}")
    return MailOutcome("answered", "unverified", asked.verb, (answer,), player.id, print_)


def handle_confirmation(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the letter that asks whether a command is theirs: a plain yes does it, once."""
    address = letter.reply_address
    if address is None:
        return ignore("gone")
    wanted = Command(str(address.payload["verb"]), str(address.payload["rest"]))
    said = letter.read_request(CONFIRMING).sole_command
    if said is None or said.rest:
        print_ = fingerprint(address.hash, 0, "\n".join(letter.lines))
        return refuse(player.id, "unverified", "\n".join(letter.lines), print_=print_)
    ReplyAddressRow.delete().where(ReplyAddressRow.hash == address.hash).execute()
    if said.verb == "no" and address.payload.get("asked"):
        return ignore("declined", player=player.id)
    if said.verb == "no":
        return refuse(player.id, "not-mine", f"{wanted.verb} {wanted.rest}".strip())
    return account_commands.handle_command(letter, player, wanted)
