"""Two people meet by letter alone: how to begin, invitations, open matches, joining, and one welcome."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts import cold_mail_quota
from service.config import Config
from service.db.connection import rows, write_transaction
from service.mail import letters as compose
from service.mail import reply_addresses
from service.mail.incoming import inbox, new_match_command
from service.mail.incoming.answers import MailOutcome
from service.mail.letters.blocks import Letter
from service.mail.outgoing import build_message
from service.mail.render.text import render_text
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.timestamps import now
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import config_with_mail, message, told
from tests.support.players import Clock, Person, letters
from tests.support.turn_letters import turn_letter

People = Callable[..., Person]
OWN = "echtra@echtra.example"
NUALA = "Nuala <nuala@example.org>"


@pytest.fixture
def mail(app: Flask) -> Config:
    """The settings under which letters are read, once the service is there."""
    return config_with_mail(app.config["ECHTRA"])


def post(mail: Config, text: str, sender: str, to: str = OWN, **headers: str) -> MailOutcome:
    """Return the outcome of an email."""
    address = sender.rpartition("<")[2].strip(">")
    (number,) = inbox.store(message(text, sender, to, **headers), "smtp", mail, envelope=address, recipients=(to,))
    outcome = inbox.process(number, mail)
    assert outcome is not None
    return outcome


def compose_last(mail: Config, kind: str = "") -> Letter:
    """The latest letter of a kind, composed."""
    letter = compose.compose(letter_context((letters(kind) if kind else letters())[-1], mail))
    assert letter is not None
    return letter


def words_of(letter: Letter) -> str:
    """The text of a letter on one line."""
    return " ".join(render_text(letter).split())


def reply_address(mail: Config, letter: Letter) -> str:
    """The address that answers this letter once it is written."""
    addresses, drawn = build_message.draw_addresses("letter", letter, mail)
    with write_transaction():
        reply_addresses.insert(drawn)
    return addresses.reply_to


@pytest.mark.parametrize(
    ("text", "language", "says"),
    [
        ("help", "en", "“new tir-na-nog solo”"),
        ("aide", "fr", "« nouvelle tir-na-nog solo »"),
        ("hello, I would like to play", "en", "“join” and its code"),
        ("Bonjour, je voudrais jouer avec ma sœur", "fr", "« rejoindre » et son code"),
        ("join 7", "en", "Keltis"),
        ("new chess", "en", "“new tir-na-nog with”"),
    ],
)
def test_a_stranger_is_told_once_a_day_how_to_begin(
    mail: Config, clock: Clock, text: str, language: str, says: str
) -> None:
    assert post(mail, text, NUALA, verdict="").what == "begin"
    begin = compose_last(mail, "begin")
    assert (begin.to.locale, begin.to.address) == (language, "nuala@example.org")
    assert says in words_of(begin).replace("\u00a0", " ")
    assert post(mail, f"{text} please help", NUALA, verdict="").state == "ignored"
    clock.forward(days=1, minutes=1)
    assert post(mail, "help", NUALA, verdict="").what == "begin"
    clock.forward(days=1, minutes=1)
    assert post(mail, "help", NUALA, verdict="").what == "begin"
    assert letters("begin")[-1]["last"]
    clock.forward(days=1, minutes=1)
    assert post(mail, "help", NUALA, verdict="").state == "ignored"
    assert post(mail, "help", NUALA).what == "begin", "who proves to have written is answered"


def test_what_does_not_ask_to_play_and_may_be_forged_is_not_answered(mail: Config) -> None:
    for text in ("Cheap watches! " * 60 + "play", "Dear sir, your invoice is attached.", "1"):
        assert post(mail, text, NUALA, verdict="").what == "unknown-sender"
    assert letters() == []


def test_letters_that_others_sent_do_not_keep_out_who_writes(mail: Config) -> None:
    with write_transaction():
        cold_mail_quota.use_up("nuala@example.org")
    assert post(mail, "register", NUALA, verdict="").what == "register"
    assert letters("confirm") == []
    assert post(mail, "register", NUALA).what == "register"
    assert len(letters("confirm")) == 1


def test_an_answer_to_the_first_letter_leads_straight_to_the_match(mail: Config) -> None:
    post(mail, "help", NUALA, verdict="")
    to = reply_address(mail, compose_last(mail, "begin"))
    assert post(mail, "new keltis solo", "mallory@evil.example", to, verdict="").what == "sender"
    assert post(mail, "new keltis solo", NUALA, to, verdict="").what == "registered"
    assert rows("select name from player") == [("Nuala",)]
    assert rows("select status from match") == [("running",)]
    assert [letter["kind"] for letter in letters() if letter["kind"] in ("welcome", "made")] == ["made"]
    assert "Welcome to Echtra, Nuala: your match of Keltis has begun." in words_of(compose_last(mail, "made"))


@pytest.mark.parametrize("wish", ["new keltis", "new keltis with bran@example.org"])
def test_confirming_on_the_page_leads_to_the_match(client: FlaskClient, mail: Config, wish: str) -> None:
    post(mail, wish, NUALA)
    asks = compose_last(mail, "confirm")
    assert "POST" not in words_of(asks)
    page = client.post(letters("confirm")[-1]["path"], headers={"Sec-Fetch-Site": "same-origin"})
    ((match, visibility),) = rows("select id, visibility from match")
    assert "Your match has been created" in page.text
    assert (f"/matches/{match}" in page.text) is (visibility == "open")
    assert "POST" not in page.text
    assert "Your match has been created" in client.get(letters("confirm")[-1]["path"]).text
    assert rows("select count(*) from match") == [(1,)]
    assert len(letters("made")) == 1


def test_an_open_match_says_how_others_join_and_a_stranger_does(person: People, mail: Config) -> None:
    host = person("Aoife")
    post(mail, "new keltis", host.address)
    ((match,),) = rows("select id from match")
    assert f"“join {match}” to {OWN}" in words_of(compose_last(mail, "made"))
    assert post(mail, f"Join {match.upper()}.", NUALA).what == "register"
    to = reply_address(mail, compose_last(mail, "confirm"))
    assert post(mail, "yes", NUALA, to).what == "confirmed"
    assert rows("select status from match") == [("running",)]
    assert told()["kind"] == "joined"
    welcome = compose_last(mail, "joined")
    assert welcome.subject == "Keltis with Aoife"
    assert "Welcome to Echtra, Nuala: you have a seat." in words_of(welcome)


@pytest.mark.parametrize(("lists", "joins"), [("matches", "join 2"), ("Parties ouvertes", "rejoindre la partie 2")])
def test_open_matches_are_numbered_and_joined_by_number(
    person: People, mail: Config, clock: Clock, lists: str, joins: str
) -> None:
    host, guest = person("Aoife"), person("Brann")
    for text in ("new keltis 3", "new tain 2", "new keltis 2 private"):
        post(mail, text, host.address)
        clock.forward(minutes=1)
    assert post(mail, joins, guest.address).what == "join", "no list yet"
    assert post(mail, lists, guest.address).what == "matches"
    listed = compose_last(mail, "matches")
    said = words_of(listed)
    assert said.index("Táin") < said.index("Keltis")
    assert "private" not in said
    to = reply_address(mail, listed)
    clock.forward(minutes=1)
    post(mail, "new keltis 4", host.address)
    assert post(mail, joins, guest.address).what == "joined"
    seats = rows("select m.game, m.seats from seat s join match m on m.id = s.match where s.player = ?", guest.id)
    assert seats == [("keltis", 3)]
    assert post(mail, "1", guest.address, to).what == "joined"
    assert rows("select status from match where game = 'tain'") == [("running",)]
    assert post(mail, "join 9", guest.address, to).state == "refused"
    assert post(mail, "2  join 2 – Keltis with Aoife", guest.address, to).what == "joined", "they sit there already"
    assert post(mail, "stop", guest.address, to).what == "stop"


def test_somebody_is_invited_with_or_without_a_match(person: People, mail: Config) -> None:
    host = person("Aoife")
    assert post(mail, "invite bran@example.org<mailto:bran@example.org>", host.address).what == "new"
    assert rows("select game, seats, visibility from match") == [("tir-na-nog", 2, "invitation")]
    assert post(mail, "inviter nuala@example.org", host.address).what == "invite"
    assert "nuala@example.org can take a seat" in words_of(compose_last(mail, "invited"))
    assert post(mail, "invite dara@example.org tain", host.address).what == "new"
    assert post(mail, f"invite {host.address}", host.address).state == "refused"
    assert post(mail, "invite me to something nice", host.address).what == "desk"
    assert [address for (address,) in rows("select address from invitation order by at, address")] == [
        "bran@example.org",
        "dara@example.org",
        "nuala@example.org",
    ]
    stranger = compose.compose(letter_context(letters("invitation")[0], mail))
    assert stranger is not None
    said = words_of(stranger)
    assert "say no for good, reply with just the word “stop”" in said
    assert "It’s free." in said


def test_a_stranger_who_answers_an_invitation_with_other_words_gets_it_once_more(person: People, mail: Config) -> None:
    post(mail, "nouvelle Keltis avec nuala@example.org", person("Aoife").address)
    to = reply_address(mail, compose_last(mail, "invitation"))
    assert post(mail, "What is this?", NUALA, to).what == "invitation"
    assert "couldn’t tell" in words_of(compose_last(mail, "invitation"))
    assert post(mail, "And this?", NUALA, to).state == "ignored"
    assert post(mail, "stop", NUALA, to).what == "declined"
    with write_transaction():
        assert not cold_mail_quota.take("nuala@example.org", now())


@pytest.mark.parametrize(
    ("text", "seats", "guests", "visibility", "bots"),
    [
        ("keltis with a@b.example", 2, 1, "invitation", 0),
        ("keltis 3 with a@b.example", 3, 1, "open", 0),
        ("keltis avec a@b.example, c@d.example et <e@f.example>", 4, 3, "invitation", 0),
        ("keltis 3 bots with a@b.example", 3, 1, "invitation", 1),
        ("keltis", 2, 0, "open", 0),
    ],
)
def test_guests_make_the_table(text: str, seats: int, guests: int, visibility: str, bots: int) -> None:
    wish = new_match_command.parse_wish(text)
    wanted = wish.wanted
    assert (wanted.seats, len(wish.guests), wanted.visibility, len(wanted.bots)) == (seats, guests, visibility, bots)


def test_the_games_are_told(person: People, mail: Config) -> None:
    host = person("Aoife")
    assert post(mail, "jeux ?", host.address).what == "games"
    assert "“tir-na-nog”, 2 to 5 seats" in words_of(compose_last(mail, "games"))


@pytest.mark.parametrize(
    ("language", "label", "sentence"),
    [
        ("en", "Arbiter: Orla", "Orla is the arbiter of this match."),
        ("fr", "Arbitre : Orla", "Orla arbitre cette partie"),
    ],
)
def test_everybody_reads_who_the_arbiter_is_before_and_after_joining(
    mail: Config, person: People, client: FlaskClient, language: str, label: str, sentence: str
) -> None:
    orla, aoife = person("Orla"), person("Aoife", language=language)
    body = {"game": "keltis", "seats": 2, "sit": False}
    match = orla.post("/v1/matches", body).json["id"]
    page = {"Accept-Language": language}
    for path in ("/matches", f"/matches/{match}"):
        shown = client.get(path, headers=page).text
        assert label[:7] in shown, path
        assert "Orla" in shown, path
    post(mail, "matches", aoife.address)
    assert label.lower() in words_of(compose_last(mail, "matches")).lower().replace("\u00a0", " ")
    orla.post(f"/v1/matches/{match}/invitations", {"player": aoife.id})
    invited = compose_last(mail, "invitation")
    assert "Orla" in words_of(invited).partition(label[:7])[2]
    joined = post(mail, "yes", aoife.address, to=reply_address(mail, invited))
    assert joined.what == "joined"
    assert sentence in words_of(compose_last(mail, "joined"))
    brendan = person("Brendan")
    answer = brendan.post(f"/v1/matches/{match}/join", {})
    assert answer.json["match"]["arbiter"]["name"] == "Orla"
    resolve_match(match, make_effects(mail), mail.most_entries)
    assert sentence in client.get(f"/matches/{match}", headers=page).text
    _, turn = turn_letter(match, mail)
    assert (sentence if turn.to.player == aoife.id else "Orla is the arbiter of this match.") in words_of(turn)
