"""What letters say, in English."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "and": " and ",
    "colon": ": ",
    "with": "{game} with {others}",
    "alone": "{game}",
    "titled": "{title} ({what})",
    # Turns and times.
    "turn.subject": "Your turn: {what}",
    "turn.lead": "Your turn in {what}.",
    "reminder.subject": "Still your turn: {what}",
    "reminder.lead": "{what} still waits for you.",
    "urgent.subject": "Less than a day left: {what}",
    "urgent.lead": "Less than a day is left for your move in {what}.",
    "late.subject": "Time is up: {what}",
    "late.you": "Your time in {what} has run out.",
    "late.other": "{who} let the time run out: {what}.",
    "still.subject": "Still late: {what}",
    "still.you": "You missed a deadline, and the table still waits: {what}.",
    "still.other": "{who} missed a deadline, and the table still waits: {what}.",
    "still.when": "The answer is due on {moment} now.",
    "time.label": "Time left:",
    "time.until": "Until:",
    "time.none": "This match has no clock: take the time you like.",
    "time.left": "You have {span}, until {moment}.",
    "time.past": "Your time ran out on {moment}.",
    # What happened.
    "story.first": "How it began",
    "story.last": "The last moves",
    "story.since": "Since your last letter",
    "story.nothing": "Nothing has happened at the table.",
    "story.more": "{count} earlier moves are left out here; ask for them with the word “history”.",
    "story.more.one": "One earlier move is left out here; ask for it with the word “history”.",
    "notes": "Notes at the table",
    "note": "{who} writes:",
    "note.more": "Older notes are left out.",
    # The table and the moves.
    "table": "The table",
    "table.words": "The table in words",
    "moves": "Your moves",
    "moves.more": "There are {count} more, of the form {forms}; what stands in capitals is for you to fill in.",
    "or": " or ",
    "answer": "How to answer",
    "answer.how": (
        "Reply to this letter and write one number of the list above the quoted text, or the line beside it, in "
        "English or French. Several lines with commas between them are made one after the other; a number is good "
        "for the first only."
    ),
    "answer.words": (
        "You can also ask with a single word: “help”, “board”, “history”, “rules” or “clock”. The word “note” and a"
        " text leaves words at the table; “resign” gives up, after we ask you once more."
    ),
    "answer.signed": "This match takes signed moves only: answer with a program that signs, not by letter.",
    "asked.other": "You are not asked now; it is the turn of {who}.",
    "asked.nobody": "Nobody is asked now.",
    "head": "The log stands at entry {seq}; its head begins with {digits}.",
    # Core lines.
    "core.resign": "{who} resigns.",
    "core.timeout": "{who} let the time run out.",
    "core.bot": "From here on {who} plays for {was}.",
    "core.seat": "{who} takes over from {was}.",
    "core.pause": "The match is paused: {why}.",
    "core.resume": "The match goes on.",
    "core.end": "The house ends the match: {why}.",
    "why.agreed": "everybody agreed to stop",
    "why.cancelled": "it is cancelled, without result",
    "why.adjudicated": "the organiser has decided the result",
    "why.illness": "somebody is ill",
    "why.dispute": "something must be settled first",
    "why.more-time": "a seat is given more time",
    "why.too-long": "it had grown too long",
    "why.resign": "a seat resigned",
    "why.resign.you": "you resigned",
    "why.resign.other": "{who} resigned",
    "why.forfeit": "a seat let its time run out",
    "why.forfeit.you": "your time ran out on {moment}, and the rules of the match make that a loss",
    "why.forfeit.other": "{who} let the time run out, on {moment}",
    "why.timeout": "a seat let its time run out",
    "why.bounce": "letters to a player came back",
    "why.outage": "the service was down",
    "why.organiser": "the organiser decided so",
    # The end.
    "over.subject": "The match is over: {what}",
    "over.won": "You won: {what}.",
    "over.lost": "{winners} won: {what}.",
    "over.shared": "You share first place with {winners}: {what}.",
    "over.shared-by": "{winners} share first place: {what}.",
    "over.cancelled": "{what} was cancelled and has no result.",
    "over.nobody": "{what} is over; nobody won.",
    "over.again": "To play again, reply with “rematch”: those who sat at the table are invited.",
    "over.alone": "To play again, reply with “rematch”.",
    "over.why": "It ended early: {why}.",
    "scores": "The count",
    "scores.total": "Total",
    "verify": "Check it yourself",
    "verify.how": (
        "The record of the match is open to everybody now, with the seed behind every draw. Fetch it, and the "
        "verifier replays all of it, without trusting us:"
    ),
    "verify.league": (
        "Everybody in {title} plays the same deal, so the record of your match and the seed behind it stay closed"
        " until the last of these matches is over. Then you get a letter with the standings, and how to check all"
        " of it."
    ),
    "verify.head": "The head must be {hash}.",
    # Orders.
    "dropped.subject": "Your orders were dropped: {what}",
    "dropped.lead": "Your waiting orders in {what} could not all be made.",
    "dropped.made": "Lines made: {made} of {total}; the rest is dropped.",
    "dropped.line": "This one could not be made: “{line}”.",
    "dropped.why": "The reason: {why}.",
    "dropped.also": "Dropped with it: {lines}.",
    # Digest.
    "digest.subject": "{count} matches wait for you",
    "digest.subject.one": "One match waits for you",
    "digest.lead": "{count} matches wait for you.",
    "digest.lead.one": "One match waits for you.",
    "digest.match": "{letter}. {what}",
    "digest.how": (
        "Reply to this letter with a line for each match you want to move in: its letter, a colon, and a number or "
        "a line as in “{letter}: number”. Each match also has an address of its own, where the letter is not "
        "needed."
    ),
    "digest.own": "Address of this match:",
    "digest.rest": "Also waiting: {what}.",
    # Before a match.
    "invitation.subject": "{by} invites you to play {game}",
    "invitation.lead": "{by} invites you to a match of {game}.",
    "invitation.title": "Match:",
    "invitation.seats": "Seats:",
    "invitation.sits": "At the table:",
    "invitation.seat": "Your seat:",
    "invitation.clock": "Time:",
    "invitation.moves": "Moves:",
    "invitation.signed": "signed ones only, so you need a program that signs",
    "invitation.how": (
        "To take the seat, reply to this letter with the single word “join”. To say no, reply with “decline”."
    ),
    "invitation.ask": "With “rules” you get the rules of the game first.",
    "invitation.rules": "The rules of {game} in brief",
    "invitation.new": "You need no account: your answer makes one for this address.",
    "invitation.why": "{by} gave us this address; we have written to it for this invitation only.",
    "seated.subject": "{by} gave you a seat: {game}",
    "seated.lead": "{by} has given you a seat in a match of {game}.",
    "seated.how": (
        "You need not do anything now. To give the seat back before the match begins, reply to this letter with the "
        "single word “decline”. With “rules” you get the rules of the game first."
    ),
    "seated.why": (
        "You agreed to be seated by {by}. To take that back for matches to come: DELETE /v1/me/organisers/{organiser}."
    ),
    "begins.full": "It begins when every seat is taken; then you get a letter when it is your turn.",
    "begins.at": "It begins on {moment}; then you get a letter when it is your turn.",
    "unseated.subject": "Your seat is taken back: {game}",
    "unseated.lead": "{by} has taken back your seat in {game}.",
    "unseated.then": "You need not do anything; nothing was played yet.",
    "cancelled.subject": "Not enough players: {game}",
    "cancelled.lead": "{game} did not begin: seats were still empty at its time.",
    "cancelled.again": "Nothing is lost. To open another, reply with “new {game}”.",
    "clock.none": "no limit",
    "clock.bank": "{bank} in all, {increment} more after each move, at most {cap}",
    "clock.move": "{span} for each move",
    "clock.weekends": "; weekends do not count",
    "seat.number": "number {seat}",
    "free": "{count} free",
    # Accounts.
    "confirm.subject": "Confirm your address for Echtra",
    "confirm.lead": "Welcome, {name}.",
    "confirm.why": (
        "Somebody, probably you, asked for an Echtra account with this address. It is yours after one click:"
    ),
    "confirm.link": "Confirm this address",
    "confirm.reply": "Or reply to this letter with the single word “yes”.",
    "confirm.wish": "Then the match begins that you asked for: {wish}.",
    "confirm.code": "Programs send this code to POST /v1/confirmations:",
    "confirm.until": (
        "Link, code and reply are good for seven days. If it was not you, do nothing, and this address is forgotten."
    ),
    "registered.subject": "You have an Echtra account already",
    "registered.lead": "You have an account already, {name}.",
    "registered.why": (
        "Somebody, probably you, tried to register this address again. There is nothing to confirm. To get into "
        "your account, ask for a code with POST /v1/tokens; it comes to this address."
    ),
    "registered.mail": "You need none of that to play by letter: for what you can write, reply with “help”.",
    "registered.not": "If it was not you, do nothing: nobody was told that this address has an account.",
    "code.subject": "Your Echtra code",
    "code.lead": "Your code",
    "code.why": "Type it where you were asked for it. It is good for {minutes} minutes.",
    "code.request": "Programs send it to POST /v1/tokens/{request}/code.",
    "code.not": (
        "If you did not ask for a code, somebody typed your address by mistake; nobody gets in without the code."
    ),
    # Hooks, leave, events.
    "hook.subject": "Your hook was switched off",
    "hook.lead": "Your hook no longer gets events.",
    "hook.url": "Address:",
    "hook.why": "Reason:",
    "hook.how": (
        "Nothing is lost: switch it on again with PATCH /v1/hooks/{hook} when it works, then ask for what it missed"
        " with POST /v1/hooks/{hook}/replay."
    ),
    "leave.label": "Days of leave:",
    "leave.counts": "stop the clock",
    "leave.not": "do not stop the clock in this match",
    "policy.label": "Out of time:",
    "policy.excused": "three delays are excused, then {what}",
    "policy.stand-in": "a stand-in plays the seat until its player comes back",
    "policy.substitute": "a stand-in plays the seat until somebody takes it over",
    "policy.forfeit": "the seat forfeits the match",
    "leave.subject": "Your leave ends soon",
    "leave.lead": "Your leave ends on {day}.",
    "leave.then": "Your clocks run again from the day after.",
    "leave.left": "{count} days of leave are left in {year}.",
    "leave.left.one": "One day of leave is left in {year}.",
    "leave.none": "No leave is left in {year}.",
    "leave.waiting": "These matches wait for you",
    "leave.idle": "No match waits for you now.",
    "leave.longer": (
        "To stay away longer, reply with “leave” and two days with two dots between them, the year first. It does "
        "not move a deadline that is running already."
    ),
    # The foot.
    "foot.match": "You get this letter because you sit at this table. For fewer letters reply with “stop”, or open",
    "foot.all": "You get this letter because you have an Echtra account. For fewer letters reply with “stop”, or open",
    "foot.address": "To get no more letters from Echtra at this address, open",
    "foot.hook": "You get this letter because this hook is yours.",
    "foot.once": "This letter was asked for; nothing else comes without your asking.",
}
