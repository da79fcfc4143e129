"""What answers to a player's own letters say, in English."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "understood.lead": "Your move is made.",
    "understood.none": "Your lines wait.",
    "understood.made": "Understood and made: {lines}.",
    "understood.waiting": (
        "{count} more lines wait and are made one by one as soon as you are asked. A new letter replaces them."
    ),
    "understood.waiting.one": "One more line waits and is made as soon as you are asked. A new letter replaces it.",
    "understood.dropped": "Not made: {lines}.",
    "understood.unread": "Taken for chat, and passed over: {lines}.",
    "understood.came": "What came of it",
    "held.lead": "Your move counts in a while.",
    "held.lines": "Understood: {lines}.",
    "held.until": (
        "It is made on {moment}. Until then, reply with “undo” to take it back, or with “yes” to make it at once."
    ),
    "undone.lead": "Your move is taken back.",
    "undone.lines": "Not made: {lines}.",
    "refused.lead": "Nothing was made.",
    "refused.general": "Nothing was done.",
    "refused.booking": "Your leave could not be booked: {text}.",
    "refused.unclear": "We cannot tell which move this means: {text}.",
    "refused.meant": "It may have meant {lines}. Please write one of them whole, or its number.",
    "refused.number-later": "A number is good for the first line only; write the others as lines: {text}.",
    "refused.too-long": "That is more than one letter may hold: at most 64 lines.",
    "refused.not-by-letter": "This cannot be done as a line in a letter: {text}.",
    "refused.not-listed": "This is not open to you now: {text}.",
    "refused.mixed": "Please send moves and single-word questions in different letters: {text}.",
    "refused.empty": "We found no words of yours above the quoted text.",
    "refused.over": "The match is over.",
    "refused.other": "What we read: {text}.",
    "refused.why": "The reason: {why}",
    "stale.lead": "The table has moved on.",
    "stale.text": "What you wrote answers an older question, so nothing was made: {text}. This is how it stands now.",
    "board.lead": "The table as it stands: {what}.",
    "history.lead": "What happened so far: {what}.",
    "history": "From the beginning",
    "rules.lead": "The whole rules of {game}",
    "rules.games": "Ask for the rules of a game with the word “rules” and one of these names: {games}.",
    "rules.which": "Which rules?",
    "clock.lead": "The clocks: {what}.",
    "clock.rules": "Time in this match:",
    "clock.asked": "asked, until {moment}",
    "clock.free": "asked, no limit",
    "clock.idle": "not asked",
    "clock.paused": "paused",
    "clock.quiet": "Your Saturdays and Sundays do not count, as you asked.",
    "clock.no-leave": "In this match leave does not stop the clock.",
    "help.lead": "What a letter can say",
    "help.moves": "In reply to a letter about a match:",
    "help.any": "At any time:",
    "help.own": "To {address}, with no letter to reply to:",
    "help.number": "a number of the list, or a line beside it, or several lines with commas",
    "help.board": "“board”: the table and your moves",
    "help.history": "“history”: everything that happened",
    "help.rules": "“rules”: the whole rules",
    "help.clock": "“clock”: how long everybody has",
    "help.note": "“note” and a text: words for everybody at the table",
    "help.resign": "“resign”: give up; we ask once more",
    "help.rematch": "“rematch”: after the end, the same match anew",
    "help.leave": "“leave” and two days with two dots between them, the year first: your clocks rest on these days",
    "help.confirm": "“confirm on”: your moves count after ten minutes, and “undo” takes them back until then",
    "help.letters": "“letters” and turn, digest, reminders or none: which letters you get",
    "help.stop": "“stop”: no more letters about this match; “stop all”: about any",
    "help.join": "“join” or “decline”: answer an invitation",
    "help.league": "“league”: the leagues you can enter; “league” and a name: how one stands",
    "help.zone": "“zone” and a place: whose time letters tell; “language” and English or French",
    "help.digest": "“digest” and an hour from 0 to 23: when the letter comes that tells of all that waits",
    "help.new": "“new” and a game, then solo, a number of seats, or an option: open a match. Games: {games}",
    "leave.booked": "Your leave is booked.",
    "leave.days": "From {first} to {last} your clocks rest where the match allows it.",
    "note.lead": "Your words are at the table.",
    "stopped.lead": "No more letters about this match.",
    "stopped.all": "No more letters about matches.",
    "stopped.back": "To get them again, reply with “letters turn”.",
    "letters.lead": "Your letters are changed.",
    "letters.turn": "You get a letter at every turn.",
    "letters.digest": "You get one letter a day for everything that waits.",
    "letters.reminders": "You get a letter only when time runs short.",
    "letters.none": "You get no letters about your matches.",
    "letters.here": "This holds for this match.",
    "letters.everywhere": "This holds for every match that has no rule of its own.",
    "setting.zone": "Letters tell you the times of your zone: it is {moment}.",
    "setting.language": "From now on your letters are in English.",
    "setting.digest": "From now on your digest comes at this hour, when matches wait: next on {moment}.",
    "setting.digest.where": "You get a digest only where you chose one; to choose it, reply with “letters digest”.",
    "confirming.on": "From now on a move by letter counts after ten minutes.",
    "confirming.off": "From now on a move by letter counts at once.",
    "confirming.how": (
        "Until then “undo” takes it back, and “yes” makes it at once. To end this, reply with “confirm off”."
    ),
    "resign.lead": "Do you really want to give up?",
    "resign.how": "Reply with “yes” to give up your seat in {what}. If you do nothing, you play on.",
    "resigned.lead": "You have given up your seat.",
    "joined.lead": "You have a seat.",
    "joined.waits": "The match of {game} begins when every seat is taken; then you get a letter.",
    "joined.started": "The match of {game} has begun; you get a letter when it is your turn.",
    "declined.lead": "You said no.",
    "declined.told": "The seat in {game} is free for somebody else.",
    "made.lead": "Your match of {game} is open.",
    "made.begun": "Your match of {game} has begun.",
    "made.waits": (
        "It begins when every seat is taken; then you get a letter. It is listed for everybody unless you asked "
        "otherwise."
    ),
    "made.invited": "Those who sat at the table are invited; it begins when they have answered, and you get a letter.",
    "made.started": "It has begun; you get a letter when it is your turn.",
    "made.turn": "You get a letter when it is your turn.",
    "made.id": "Match:",
    "welcome.lead": "Welcome to Echtra, {name}.",
    "welcome.how": (
        "Your answer made an account for this address. You can play everything by letter; “help” tells what a "
        "letter can say."
    ),
    "welcome.new": (
        "To begin a match, reply with “new”, a game, and “solo” or a number of seats, as in “new {game} solo”. The "
        "games are {games}. “rules” and a game tells how it is played."
    ),
    "absent.lead": "Letters to {who} come back.",
    "absent.what": "In {what} the clock of this seat stands still for a week at most. The mail server says {status}.",
    "absent.subject": "A player cannot be reached",
    "receipt": "Receipt",
    "receipt.why": (
        "Keep this letter: it proves what we accepted. Saved as text, `echtra verify RECORD --receipt LETTER` checks "
        "the record against it."
    ),
    "late.when": "The time ran out on {moment}.",
    "late.excused": "The clock was set anew; {count} more such delays are excused.",
    "late.excused.one": "The clock was set anew; one more such delay is excused.",
    "late.excused.last": "The clock was set anew; the next missed deadline has its consequence.",
    "late.stand-in": "A stand-in plays the seat from here on.",
    "late.substitute": "A stand-in plays the seat until somebody takes it over.",
    "late.forfeit": "The seat forfeits the match.",
    "lost.stand-in": "By the rules of this match {bot} plays your seat from here on.",
    "lost.substitute": "By the rules of this match your seat is open to a substitute; until one comes, {bot} plays it.",
    "lost.forfeit": "By the rules of this match you forfeit: {bot} plays your seat to its end, and it cannot win.",
    "lost.back.stand-in": (
        "You can come back as long as the match lasts: reply to this letter with the single word “join”, and you "
        "play on from where the table stands then."
    ),
    "lost.back.substitute": (
        "As long as nobody has taken it, you can have it back: reply to this letter with the single word “join”, "
        "and you play on from where the table stands then."
    ),
    "lost.again": (
        "There is nothing left for you to do at this table. To begin another match, write “new {game}” to {address}."
    ),
    "back.lead": "You are back at the table.",
    "why.unlisted": "it is not open now",
    "refused.sender": "The letter came from {text}, which is not the address we know, so nothing was done.",
    "refused.desk": (
        "This address takes only single-word questions and new matches, not this: {text}. To move, answer the "
        "letter about your turn. Ask with “help” for what you can write."
    ),
    "refused.leave": (
        "We need two days with two dots between them, the year first, as in 2026-12-20..2027-01-02. What we read: "
        "{text}."
    ),
    "refused.new": "This match could not be opened: {text}.",
    "refused.league": "We know no such league, or several: {text}. Write just “league” for those that are open.",
    "refused.entering": "You could not enter this league: {text}.",
    "refused.letters": "Write “letters” and then turn, digest, reminders or none.",
    "refused.zone": "Write “zone” and then a time zone or its place, as in “zone Europe/Dublin”. We read: {text}.",
    "refused.digest": "Write “digest” and then an hour from 0 to 23, as in “digest 18”. We read: {text}.",
    "refused.language": "Write “language” and then English or French. We read: {text}.",
    "refused.rematch": "There is no rematch of this match.",
    "refused.stop": "Write just “stop”, or “stop all”.",
    "refused.label": "Begin each line with the letter of its match and a colon. What we read: {text}.",
    "refused.invitation": "Answer with “join” to take the seat or “decline” to say no. What we read: {text}.",
    "refused.seated": ("Answer with “decline” to give the seat back, or not at all to keep it. What we read: {text}."),
    "refused.begun": "The match has begun. To give up your seat, answer a letter about your turn with “resign”.",
    "refused.dmarc": (
        "A letter in your name came from {text}, but its mail server says it is forged, so nothing was done."
    ),
    "refused.quoted": "There was only quoted text; please write your answer above it.",
    "refused.inline": "Your answer stood between quoted lines, where we do not look; please write it above them.",
    "refused.left": (
        "A stand-in plays this seat by now. To take it back, reply with the single word “join”; then you can move."
    ),
    "refused.not-your-seat": "Somebody else plays this seat by now.",
    "refused.nothing-waits": "There is nothing to say yes to.",
    "refused.note": "Your note could not be left at the table.",
    "refused.stale": "This answers an older question: {text}.",
    "refused.signed": "This match takes signed moves only: answer with a program that signs, not by letter.",
    "refused.match-over": "The match is over.",
    "refused.match-started": "The match has begun without you; its seats are taken.",
    "refused.match-full": "Every seat is taken by now.",
    "refused.limit-reached": "You have as many of these as one player may have.",
    "refused.gone": "This is no longer there.",
    "undone.nothing": "There was nothing to take back.",
}
