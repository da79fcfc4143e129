"""Answers to letters: jobs for the composer, each sent once and only to the player's confirmed address.

Every payload has `kind`, `player`, `inbox` (the letter answered), `in_reply_to`, `subject`, `match`, `seat` and
`label` (of a digest); the last three may be null. Further members by kind:

    understood   made, waiting, dropped, why, receipt, unread; sent when the match is resolved, with what came of it
    held         lines, until (ms), unread     counts at that time unless `undo` comes
    undone       lines                         what was taken back; none if nothing waited
    refused      reason, text, meant, why      reason names the sentence; at a table the legal lines go with it
    stale        text                          the question has changed: the present table goes with it
    help board history clock
    rules        game                          a slug, or null for all games
    leave        first_day, last_day
    note         note
    stopped      everywhere
    letters      mode, everywhere
    setting      name                          `zone`, `language` or `digest` (its hour) was changed
    confirming   on
    back         -                             the seat that was lost is theirs again
    resign       -                             asks to answer `yes`
    resigned     receipt
    joined       receipt                       a seat was taken; the match may have started
    declined
    made         game                          a new match
    welcome      name                          an account was made by an answer
    league       league                        an id, or null for all that are open
    absent       status                        to an organiser: the letters to a seat come back
"""

from __future__ import annotations

from hashlib import sha256

from engine.words import plain
from service.db.connection import rows
from service.jobs import outbox as jobs
from service.mail.incoming.answers_outcome import Answer
from service.mail.incoming.incoming_letter import Incoming
from service.timestamps import now

HOUR, DAY = 3_600_000, 86_400_000
MOST_REFUSALS = 10
KINDS = tuple(
    "understood held undone refused stale help board history rules clock leave note stopped letters setting confirming "
    "back resign resigned joined declined made welcome league absent".split()
)
SAME = (
    "select 1 from inbox where state in ('refused', 'answered') and received > ? and player = ? "
    "and result like ? limit 1"
)
MANY = "select count(*) from inbox where state = 'refused' and received > ? and player = ?"


def queue(letter: Incoming, answer: Answer) -> bool:
    """Write the job of an answer, inside a transaction; whether it is a new one."""
    if answer.kind not in KINDS:
        raise KeyError(f"{answer.kind} is no kind of answer; there are {', '.join(KINDS)}")
    payload = {
        "kind": answer.kind,
        "player": answer.player,
        "inbox": letter.id,
        "in_reply_to": letter.message_id,
        "subject": letter.subject,
        "match": None,
        "seat": None,
        "label": None,
        **answer.more,
    }
    key = f"answer:{answer.once}" if answer.once else f"answer:{letter.id}:{payload['label'] or ''}:{answer.kind}"
    return jobs.add("letter", key, payload) is not None


def fingerprint(match: str | None, asked: int, text: str) -> str:
    """The same for the same words about the same question, whatever the quote under them."""
    return sha256(f"{match}\n{asked}\n{plain(text)[:2000]}".encode()).hexdigest()[:16]


def too_often(player: str, print_: str, *, refusal: bool) -> bool:
    """Whether this would be the next round of a loop: the same words again, or too many refusals in an hour."""
    at = now()
    since = at - (DAY if refusal else HOUR)
    if print_ and rows(SAME, since, player, f'%"print":"{print_}"%'):
        return True
    return refusal and int(rows(MANY, at - HOUR, player)[0][0]) >= MOST_REFUSALS
