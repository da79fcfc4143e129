"""What letters about leagues say, in English."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "league.game": "Game:",
    "league.rivals": "Against:",
    "league.closes": "Closes:",
    "league.play": "Entered:",
    "league.place": "Your place:",
    "league.of": "{place} of {count}",
    "league.points": "Points",
    "league.yours": "Your points:",
    "league.standings": "The standings",
    "league.more": "{count} more are in the whole list: {url}",
    "league.unscored": "no result",
    "league.status.running": "still plays",
    "league.status.over": "has played",
    "entered.subject": "You are in: {title}",
    "entered.lead": "You have entered {title}.",
    "entered.how": (
        "Everybody who enters plays this match once, with the same deal and against the same bots. Yours has "
        "begun; you get a letter when it is your turn. Nobody sees another’s match, and scores are told when the "
        "last match is over: then you get the standings by letter."
    ),
    "entered.hash": (
        "One seed is behind every deal. It was chosen at the opening and is published at the end; its SHA-256 "
        "must then be"
    ),
    "entered.ask": "How the league stands you learn by replying with “league {title}”.",
    "closes.subject": "{title} closes soon",
    "closes.lead": "{title} closes on {moment}, and your match is not over.",
    "closes.then": (
        "From then on nobody can enter. You may play on by the clock of your match, but the others wait for you: "
        "the standings come when the last match is over. {playing} of {count} still play."
    ),
    "league.subject": "The league is over: {title}",
    "league.won": "You won {title}.",
    "league.shared": "You share first place in {title} with {winners}.",
    "league.lost": "{winners} won {title}.",
    "league.shared-by": "{winners} share first place in {title}.",
    "league.empty": "{title} is over; nobody has a result.",
    "league.verify": (
        "Every match of the league is open to everybody now, and so is the seed behind all its deals. The SHA-256"
        " of the seed must be the hash that was told at the opening, and the record of a match replays with it, "
        "without trusting us:"
    ),
    "league.seed": "Seed:",
    "league.hash": "Hash:",
    "league.open": "The leagues you can enter",
    "league.none": "No league is open now.",
    "league.none.how": "Anybody with the scope “organise” can open one with POST /v1/leagues.",
    "league.line": "{title}: {game} against {rivals}, closes on {moment}; {count} have entered.",
    "league.enter": "To enter, reply with “league”, its name and “join”, as in “league {title} join”.",
    "league.in": "You have your match in this league.",
    "league.lead": "{title} is open until {moment}.",
    "league.closed": "{title} is closed; the standings come when the last match is over.",
}
