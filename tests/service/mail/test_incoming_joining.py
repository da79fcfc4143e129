"""Becoming a player and joining a match by letter, and what the service's own address does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.games import GAMES
from service.accounts import cold_mail_quota
from service.accounts.job_payloads import GrantWish
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs.queue import Job
from service.mail import letters as compose
from service.mail.incoming import inbox, lobby_commands, wish_sentences
from service.mail.incoming.answers import MailOutcome
from service.mail.letters.blocks import Heading, Para
from service.timestamps import now
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import answers, config_with_mail, message, told
from tests.support.players import Person, letters
from tests.support.reply_addresses import make_reply_address

People = Callable[..., Person]
OWN = "echtra@echtra.example"


@pytest.fixture
def mail(app: Flask) -> Config:
    """The settings under which letters are read, once the service is there."""
    return config_with_mail(app.config["ECHTRA"])


def posted(mail: Config, text: str, sender: str, to: str, **headers: str) -> MailOutcome:
    """Return the outcome of an email."""
    address = sender.rpartition("<")[2].strip(">")
    raw = message(text, sender, to, **headers)
    (number,) = inbox.store(raw, "smtp", mail, envelope=address, recipients=(to,))
    outcome = inbox.process(number, mail)
    assert outcome is not None
    return outcome


def reply_to(kind: str, payload: dict[str, str]) -> str:
    """A reply address of a letter that has no table."""
    with write_transaction():
        return make_reply_address(kind=kind, payload=payload) + "@echtra.example"


def registered(client: FlaskClient, language: str = "fr") -> str:
    """The reply address of the letter that confirms a registration."""
    wanted = {"name": "Aoife", "address": "aoife@example.org", "language": language, "zone": "Europe/Paris"}
    assert client.post("/v1/players", json=wanted).status_code == 202
    return reply_to("confirm", {"code": letters("confirm")[-1]["code"]})


@pytest.mark.parametrize("word", ["yes", "Oui", "confirm", "Je confirme.", "ok"])
def test_an_address_is_confirmed_by_a_reply(client: FlaskClient, mail: Config, word: str) -> None:
    to = registered(client)
    outcome = posted(mail, f"{word}\n\n> Answer yes", "Aoife <aoife@example.org>", to)
    assert (outcome.state, outcome.what) == ("done", "confirmed")
    assert rows("select name, address from player") == [("Aoife", "aoife@example.org")]
    assert told()["kind"] == "welcome"


def test_nobody_else_and_no_machine_confirms_an_address(client: FlaskClient, mail: Config) -> None:
    to = registered(client)
    assert posted(mail, "yes", "mallory@evil.example", to).what == "sender"
    assert posted(mail, "yes", "aoife@example.org", to, verdict="fail").what == "sender"
    assert posted(mail, "yes", "aoife@example.org", to, Auto_Submitted="auto-replied").what == "automatic"
    assert (rows("select count(*) from player"), answers()) == ([(0,)], [])


@pytest.mark.parametrize(
    ("language", "text", "says"),
    [
        ("en", "Yes, that's me", "reply with just the word “yes”"),
        ("en", "Oui, c'est moi", "répondez par le seul mot « oui »"),
        ("fr", "Yes, that's me!", "reply with just the word “yes”"),
        ("fr", "Tadhg", "répondez par le seul mot « oui »"),
        ("en", "yes?", "reply with just the word “yes”"),
        ("en", "Yes\nWho are you?", "reply with just the word “yes”"),
    ],
)
def test_who_confirms_in_other_words_is_told_which_to_write(
    client: FlaskClient, mail: Config, language: str, text: str, says: str
) -> None:
    to = registered(client, language=language)
    assert posted(mail, text, "aoife@example.org", to).what == "confirm"
    assert rows("select count(*) from player") == [(0,)]
    answer = compose.compose(letter_context(letters("confirm")[-1], mail))
    assert answer is not None
    assert any(says in block.words.replace("\u00a0", " ") for block in answer.blocks if isinstance(block, Para))
    # Once a day, so that no two machines talk to each other.
    assert posted(mail, "who are you?", "aoife@example.org", to).what == "unclear"
    assert posted(mail, "yes", "aoife@example.org", to).what == "confirmed"


def test_a_registration_can_be_turned_down(client: FlaskClient, mail: Config) -> None:
    to = registered(client)
    assert posted(mail, "stop", "aoife@example.org", to).what == "declined"
    assert posted(mail, "yes", "aoife@example.org", to).what == "gone"
    assert rows("select count(*) from player") == [(0,)]


def invited(person: People, address: str = "guest@example.org") -> tuple[Person, str, str]:
    """Who invites, the match, and the reply address of the invitation."""
    host = person("Brann")
    match = host.post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0, "visibility": "invitation"}).json["id"]
    answer = host.post(f"/v1/matches/{match}/invitations", {"address": address})
    assert answer.status_code == 201, answer.text
    ((invitation,),) = rows("select id from invitation order by at desc limit 1")
    return host, match, reply_to("invitation", {"invitation": invitation})


def test_an_address_without_an_account_gets_one_by_joining(person: People, mail: Config) -> None:
    _, match, to = invited(person)
    outcome = posted(mail, "Rejoindre !\n\nEnvoyé de mon iPhone", "Áine <guest@example.org>", to)
    assert (outcome.state, outcome.what) == ("done", "joined")
    found = rows("select p.name, p.language, p.zone from player p join seat s on s.player = p.id where s.seat = 1")
    assert found == [("Áine", "fr", "Etc/GMT-1")]
    assert rows("select status from match where id = ?", match) == [("running",)]
    letter = told()
    assert (letter["kind"], letter["match"], letter["seat"], letter["new"]) == ("joined", match, 1, True)
    assert letter["receipt"]["player"] == letter["player"]


def test_a_known_player_joins_with_the_account_they_have(person: People, mail: Config) -> None:
    guest = person("Aoife")
    _, match, to = invited(person, guest.address)
    assert posted(mail, "join", guest.address, to).what == "joined"
    assert rows("select player from seat where match = ? and seat = 1", match) == [(guest.id,)]
    assert (told()["new"], rows("select count(*) from player")) == (False, [(2,)])
    assert posted(mail, "yes", guest.address, to).what == "match-started"


def test_an_invitation_can_be_declined(person: People, mail: Config) -> None:
    _, _, to = invited(person)
    assert posted(mail, "non merci", "guest@example.org", to).what == "declined"
    assert rows("select answer from invitation") == [("declined",)]
    assert (rows("select count(*) from player"), answers()) == ([(1,)], [])


def test_a_stranger_who_says_stop_is_not_invited_again(person: People, mail: Config) -> None:
    host, match, to = invited(person)
    assert posted(mail, "", "guest@example.org", to, Subject="stop").what == "declined"
    assert posted(mail, "stop", "guest@example.org", to).what == "gone", "by then the address is forgotten"
    assert rows("select answer, address from invitation") == [("declined", None)]
    with write_transaction():
        assert not cold_mail_quota.take("guest@example.org", now())
    assert host.post(f"/v1/matches/{match}/invitations", {"address": "guest@example.org"}).status_code == 201


def test_the_rules_are_there_before_the_answer(person: People, mail: Config) -> None:
    guest = person("Aoife")
    _, match, to = invited(person, guest.address)
    assert posted(mail, "Rules?", guest.address, to).what == "rules"
    assert (told()["kind"], told()["match"]) == ("rules", match)
    known, unknown = (
        " ".join(block.words for block in letter.blocks if isinstance(block, Para | Heading))
        for letter in (
            compose.compose(letter_context(letters("invitation")[-1], mail)),
            compose.compose(letter_context(stranger(person), mail)),
        )
        if letter is not None
    )
    assert "“rules”" in known
    assert "“rules”" not in unknown
    assert "The rules of Keltis in brief" in unknown
    assert GAMES["keltis"].presentation.rules_summary["en"].split()[-1] in unknown


def test_a_repeated_invitation_follows_the_language_of_the_answer(person: People, mail: Config) -> None:
    _, _, to = invited(person, "cathbad@example.org")
    assert posted(mail, "Bonjour, je ne comprends pas bien", "cathbad@example.org", to).what == "invitation"
    letter = compose.compose(letter_context(letters("invitation")[-1], mail))
    assert letter is not None
    assert letter.to.locale == "fr"


def stranger(person: People) -> dict[str, Any]:
    """The letter that invites an address without an account."""
    host = person("Brann")
    other = host.post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    assert host.post(f"/v1/matches/{other}/invitations", {"address": "other@example.org"}).status_code == 201
    return letters("invitation")[-1]


def test_an_invitation_is_for_whom_it_was_written_to(person: People, mail: Config) -> None:
    _, match, to = invited(person)
    assert posted(mail, "join", "mallory@evil.example", to).what == "sender"
    assert posted(mail, "join", "guest@example.org", to, verdict="fail").what == "dmarc"
    assert posted(mail, "perhaps next week", "guest@example.org", to).what == "invitation"
    assert rows("select status from match where id = ?", match) == [("open",)]
    assert answers() == []


def test_a_known_player_is_told_how_to_answer_an_invitation(person: People, mail: Config) -> None:
    guest = person("Aoife")
    _, match, to = invited(person, guest.address)
    for text in ("perhaps", "oui ?", "join the fun", "Yes\nWait, which game is it", "yes \u061f", "perhaps"):
        assert posted(mail, text, guest.address, to).what == "invitation"
    assert len(answers()) == 5, "the same words are answered once"
    assert rows("select status from match where id = ?", match) == [("open",)]
    assert posted(mail, "Yes!\nLooking forward to it.", guest.address, to).what == "joined"


def test_a_full_match_is_refused_with_the_reason(person: People, mail: Config) -> None:
    _, match, to = invited(person)
    execute("update match set status = 'cancelled' where id = ?", match)
    assert posted(mail, "join", "guest@example.org", to).what == "match-over"
    assert told()["reason"] == "match-over"


@pytest.mark.parametrize(
    ("text", "game", "seats", "bots"),
    [
        ("new keltis solo", "keltis", 2, ["steady"]),
        ("nouvelle partie Keltis 3", "keltis", 3, []),
        ("new tir-na-nog solo hard", "tir-na-nog", 2, ["balor"]),
        ("nouvelle partie Tír na nÓg solo difficile", "tir-na-nog", 2, ["balor"]),
        ("new tir-na-nog solo gentle", "tir-na-nog", 2, ["balor"]),
        ("nouvelle partie Tír na nÓg solo indulgent", "tir-na-nog", 2, ["balor"]),
        ("nouvelle partie Keltis contre Indulgent", "keltis", 2, ["gentle"]),
        ("new tain 4 bots simple-3", "tain", 4, ["steady", "steady", "steady"]),
        ("new keltis 3 against random", "keltis", 3, ["random", "random"]),
        ("nouvelle partie Keltis contre Constant", "keltis", 2, ["steady"]),
        ("nouvelle Táin 3 contre Aléatoire", "tain", 3, ["random", "random"]),
    ],
)
def test_a_match_is_made_by_a_letter_to_the_service(
    person: People, mail: Config, text: str, game: str, seats: int, bots: list[str]
) -> None:
    me = person("Aoife")
    assert posted(mail, text, me.address, OWN).what == "new"
    assert rows("select game, seats, created_by from match") == [(game, seats, me.id)]
    assert [bot for (bot,) in rows("select bot from seat where bot is not null")] == bots
    assert (told()["kind"], told()["game"]) == ("made", game)
    if "balor" in bots:
        level = "hard" if text.endswith(("hard", "difficile")) else "gentle"
        assert f'"balor":"{level}"' in rows("select options from match")[0][0]


@pytest.mark.parametrize("text", ["new", "new chess", "new keltis 77", "new keltis solo singing"])
def test_a_match_that_cannot_be_made_is_refused(person: People, mail: Config, text: str) -> None:
    me = person("Aoife")
    outcome = posted(mail, text, me.address, OWN)
    assert (outcome.state, outcome.what) == ("refused", "new")
    assert (rows("select count(*) from match"), told()["why"] != "") == ([(0,)], True)


def test_what_is_about_the_player_goes_to_the_service_too(person: People, mail: Config) -> None:
    me = person("Aoife")
    assert posted(mail, "help", me.address, OWN).state == "answered"
    assert (posted(mail, "rules keltis", me.address, OWN).what, told()["game"]) == ("rules", "keltis")
    assert posted(mail, "lettres résumé", me.address, OWN).what == "letters"
    assert rows("select letters from player") == [("digest",)]
    assert posted(mail, "leave 2027-03-01 to 2027-03-05", me.address, OWN).what == "leave"
    assert posted(mail, "leave 2027-03-02", me.address, OWN).state == "refused"
    assert posted(mail, "leave tomorrow", me.address, OWN).state == "refused"
    assert posted(mail, "", me.address, OWN, Subject="stop").what == "stop"
    assert rows("select letters from player") == [("none",)]
    assert posted(mail, "what a nice day", me.address, OWN).what == "desk"


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("new tir-na-nog solo hard\n\n-- \nNuala", "en", "match you asked for begins: “tir-na-nog solo hard”."),
        ("Nouvelle partie Tír na nÓg solo difficile", "fr", "commence alors : « Tír na nÓg solo difficile »."),
    ],
)
def test_a_stranger_asks_for_a_match_and_finds_it_after_confirming(
    mail: Config, text: str, language: str, words: str
) -> None:
    assert posted(mail, text, "Nuala <nuala@example.org>", OWN).what == "register"
    (letter,) = letters("confirm")
    assert (letter["language"], letter["zone"], rows("select count(*) from match")) == (language, "Etc/GMT-1", [(0,)])
    said = compose.compose(letter_context(letter, mail))
    assert said is not None
    assert words in [
        block.words.replace("\u00a0", " ")[-len(words) :] for block in said.blocks if isinstance(block, Para)
    ]
    assert posted(mail, "yes", "nuala@example.org", reply_to("confirm", {"code": letter["code"]})).what == "confirmed"
    ((number, key, wish),) = rows("select id, key, payload from job where topic = 'wish'")
    for _ in range(2):
        lobby_commands.create_wished_match(Job(number, key, GrantWish.from_json(wish), 1), mail)
    ((game, options),) = rows("select game, options from match")
    assert (game, json.loads(options)["balor"]) == ("tir-na-nog", "hard")
    assert told()["kind"] == "made"


@pytest.mark.parametrize(
    ("text", "what", "setting"),
    [
        ("zone Europe/Paris", "zone", ("en", "Europe/Paris")),
        ("Zone Kolkata !", "zone", ("en", "Asia/Kolkata")),
        ("fuseau horaire new york", "zone", ("en", "America/New_York")),
        ("langue Français", "language", ("fr", "Europe/Dublin")),
        ("zone Atlantis", "zone", ("en", "Europe/Dublin")),
        ("language Klingon", "language", ("en", "Europe/Dublin")),
    ],
)
def test_zone_and_language_are_changed_by_letter(
    person: People, mail: Config, text: str, what: str, setting: tuple[str, str]
) -> None:
    me = person("Aoife")
    assert posted(mail, text, me.address, OWN).what == what
    assert rows("select language, zone from player") == [setting]
    changed = setting != ("en", "Europe/Dublin")
    assert told()["kind"] == ("setting" if changed else "refused")


def test_a_stranger_who_asks_to_register_gets_one_letter_to_confirm(mail: Config) -> None:
    assert posted(mail, "inscription", "Nuala <nuala@example.org>", OWN).what == "register"
    (letter,) = letters("confirm")
    assert (letter["address"], letter["name"], letter["language"]) == ("nuala@example.org", "Nuala", "fr")
    posted(mail, "register", "Nuala <nuala@example.org>", OWN)
    assert len(letters("confirm")) == 1
    assert posted(mail, "register", "Nuala <nuala@example.org>", OWN, verdict="fail").what == "dmarc"


def test_a_first_match_by_letter_says_which_options_it_has_and_how_to_ask_for_others(
    person: People, mail: Config
) -> None:
    me = person("Aoife")
    posted(mail, "new tir-na-nog solo", me.address, OWN)
    said = compose.compose(letter_context(told(), mail))
    assert said is not None
    words = [block.words for block in said.blocks if isinstance(block, Para)]
    assert any("(geas=first)" in text and "new tir-na-nog geas=random" in text for text in words)
    ((options,),) = rows("select options from match")
    assert json.loads(options)["geas"] == "first"
    posted(mail, "new tir-na-nog solo geas=random", me.address, OWN)
    assert [json.loads(each)["geas"] for (each,) in rows("select options from match")].count("random") == 1


@pytest.mark.parametrize("text", ["Oui, avec plaisir !", "Yes, with pleasure!", "Volontiers", "Count me in!"])
def test_a_glad_yes_is_a_yes(person: People, mail: Config, text: str) -> None:
    _, match, to = invited(person, "cathbad@example.org")
    assert posted(mail, text, "cathbad@example.org", to).what == "joined"
    assert told()["match"] == match


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("I'd like to play Keltis with tom@example.org.", "new Keltis with tom@example.org"),
        ("I would like to start a game of Keltis solo", "new Keltis solo"),
        ("Je voudrais jouer à Keltis avec tom@example.org !", "new Keltis avec tom@example.org"),
        ("J’aimerais faire une partie de Keltis", "new Keltis"),
        ("je voudrais entrer dans le tournoi winter-cup", "enter le tournoi winter-cup"),
        ("I'd like to enter the tournament winter-cup", "enter the tournament winter-cup"),
        ("I'd like to play with you some day", "I'd like to play with you some day"),
        ("I'd like to play Keltis?", "I'd like to play Keltis?"),
        ("I want to play chess", "I want to play chess"),
    ],
)
def test_a_sentence_of_a_newcomer_is_the_command_that_does_exactly_that(text: str, command: str) -> None:
    assert wish_sentences.as_commands((text,)) == (command,)


def test_a_stranger_and_a_player_start_a_match_with_a_sentence(person: People, mail: Config) -> None:
    assert posted(mail, "Bonjour, je voudrais jouer à Keltis", "new@example.org", OWN).what == "register"
    assert letters("confirm")[-1]["language"] == "fr"
    me = person("Aoife")
    assert posted(mail, "I'd like to play Keltis with tom@example.org.", me.address, OWN).what == "new"
    assert told("made")["guests"] == ["tom@example.org"]


def test_forged_senders_of_one_domain_get_few_answers_and_verified_ones_are_not_shut_out(mail: Config) -> None:
    outcomes = [posted(mail, "help", f"person{number}@provider.example", OWN, verdict="").what for number in range(30)]
    assert outcomes.count("begin") == cold_mail_quota.MOST_PER_DOMAIN
    assert posted(mail, "register Bran", "bran@provider.example", OWN, verdict="").state == "ignored"
    assert posted(mail, "help", "true@provider.example", OWN).what == "begin"
    assert posted(mail, "help", "other@elsewhere.example", OWN, verdict="").what == "begin"


@pytest.mark.parametrize("text", ["open", "Open matches please", "parties ouvertes"])
def test_somebody_without_an_account_sees_the_open_matches(person: People, mail: Config, text: str) -> None:
    match = person("Brann").post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    assert posted(mail, text, "new@example.org", OWN).what == "begin"
    assert letters("begin")[-1]["listed"] == [match]
    letter = compose.compose(letter_context(letters("begin")[-1], mail))
    assert letter is not None
    assert match in str(letter.blocks)
