"""Commands in emails: resigning, notes, digests for several tables and their hour."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from service.config import Config
from service.db.connection import execute, rows
from service.mail import commands
from service.play.match_loader import load_match_state
from tests.support.http_tables import SeatClient, make, new, resolved
from tests.support.mail_replies import SeatMail, answers, log, told
from tests.support.players import Person

People = Callable[..., Person]


QUESTIONS = (
    "oui ?",
    "yes?",
    "yes\uff1f",
    "yes \u061f",
    "oui?!",
    "OK ?",
    "ok? :-)",
    "confirm?",
    "resign?",
    "oui\u00a0? merci",
)
"""Answers that ask: none of them is a yes."""


def test_a_resignation_is_made_only_after_a_second_word(asked: SeatMail) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply("I resign").what == "resign"
    assert (log(asked.seat_client.match), told()["kind"]) == (before, "resign")
    assert asked.reply("yes").state == "refused"
    assert log(asked.seat_client.match) == before
    assert asked.reply("yes", asked.sure("resign")).what == "resigned"
    assert log(asked.seat_client.match)[-1] == (asked.seat_client.seat, "resign", "mail")
    assert asked.reply("1").what == "over"


@pytest.mark.parametrize(
    "text",
    [
        "yes, I saw that",
        "1",
        "yes\n1",
        "oui mais non",
        "help",
        "I resign myself to losing",
        "> yes",
        "yes?\nno",
        *QUESTIONS,
    ],
)
def test_only_a_plain_yes_to_the_letter_that_asks_gives_up_a_seat(asked: SeatMail, text: str) -> None:
    asked.reply("resign")
    before = log(asked.seat_client.match)
    assert asked.reply(text, asked.sure("resign")).state == "refused"
    assert log(asked.seat_client.match) == before
    assert asked.reply("Oui.", asked.sure("resign")).what == "resigned"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("join 2", "join"),
        ("rejoindre la partie 2", "join"),
        ("join", "at-table"),
        ("J'accepte", "at-table"),
        ("join abcdefghjkmnpqrs", "join"),
        ("matches please", "matches"),
        ("Parties ouvertes", "matches"),
        ("games", "games"),
        ("les jeux", "games"),
        ("new keltis 3", "new"),
        ("nouvelle partie keltis 3", "new"),
        ("new chess", "new"),
        ("invite bran@example.org", "new"),
        ("inscription", "registered"),
        ("register", "registered"),
        ("language French", "language"),
        ("fuseau Paris", "zone"),
        ("ligues", "tournaments"),
        ("Je rejoins ma sœur demain", "unclear"),
    ],
)
def test_commands_about_other_matches_are_understood_at_a_table(asked: SeatMail, text: str, what: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply(text, verdict="").what == what
    assert log(asked.seat_client.match) == before


def test_a_seat_elsewhere_is_taken_by_an_answer_to_a_turn_letter(asked: SeatMail, person: People) -> None:
    open_match = new(person("Ciara"), game="keltis", seats=2).json["id"]
    assert asked.reply("matches").what == "matches"
    assert asked.reply(f"Join {open_match.upper()}.").what == "joined"
    assert rows(
        "select count(*) from seat where match = ? and player = ?", open_match, asked.seat_client.person.id
    ) == [(1,)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Stop!\nYou're killing me :-)\n3", "mixed"),
        ("Stop!\nYou're killing me :-)", "mixed"),
        ("stop\n1", "mixed"),
        ("rematch\nNo, wait", "mixed"),
        ("confirm on\n1", "mixed"),
        ("board\n1", "mixed"),
        ("clock\ndraw deck", "mixed"),
        ("resign\n1", "mixed"),
        ("resign\nno, 1", "mixed"),
        ("leave 2027-03-01..2027-03-05\nstop", "mixed"),
        ("stop?", "question"),
        ("confirm on?", "question"),
        ("new keltis 2\nwith Bran?", "question"),
        ("stop\n\nThanks, Tom", "stopped"),
        ("stop\nAoife", "stopped"),
        ("Stop.\n\nSent from my phone", "stopped"),
        ("resign\nYou played well!", "resign"),
        ("board?", "board"),
        ("rules\nI never know them by heart", "mixed"),
        ("rules\nThanks a lot!", "rules"),
    ],
)
def test_a_command_beside_other_words_is_asked_about(asked: SeatMail, text: str, what: str) -> None:
    before = log(asked.seat_client.match)
    letters_before = rows("select letters, confirm from seat order by match, seat")
    assert asked.reply(text).what == what
    assert log(asked.seat_client.match) == before
    if what in ("mixed", "question"):
        assert rows("select letters, confirm from seat order by match, seat") == letters_before
        assert told()["reason"] == what


def test_the_answer_says_what_could_be_meant(asked: SeatMail) -> None:
    asked.reply("Stop!\nYou're killing me :-)\n3")
    assert told()["meant"] == ["Stop!", "3", "You're killing me"]


def test_a_no_to_the_letter_that_asks_keeps_the_seat(asked: SeatMail) -> None:
    asked.reply("resign")
    assert asked.reply("non merci", asked.sure("resign")).what == "playing-on"
    assert asked.reply("yes", asked.sure("resign")).what == "nothing-waits"


def test_a_yes_that_meant_a_held_move_gives_up_nothing(asked: SeatMail) -> None:
    asked.reply("confirm on")
    asked.reply("resign")
    asked.reply("1")
    assert asked.reply("yes").what == "moves"
    assert "resign" not in {line for _, line, _ in log(asked.seat_client.match)}


@pytest.mark.parametrize(
    "text",
    [
        "I resign myself to losing",
        "pas question d'abandonner",
        "I will never resign",
        "j'abandonne l'idée de gagner",
        "stop all this luck",
        "stop the clock",
        "stop all these emails about luck",
        "Email me when you are back",
        "email",
        "arrête tout ça",
        "Leave me a chance",
        "rules are rules, I know",
        "time flies",
        "no more cards for me",
        "new ideas needed here",
        "table is full of cards",
    ],
)
def test_prose_is_no_command(asked: SeatMail, text: str) -> None:
    before = (
        log(asked.seat_client.match),
        rows("select letters from seat"),
        rows("select letters, language from player"),
    )
    assert asked.reply(text).state == "refused"
    assert rows("select count(*) from inbox where state in ('asked', 'held')") == [(0,)]
    after = (
        log(asked.seat_client.match),
        rows("select letters from seat"),
        rows("select letters, language from player"),
    )
    assert after == before


def test_a_move_instead_of_yes_keeps_the_seat(asked: SeatMail) -> None:
    asked.reply("abandonner")
    assert asked.reply("1").what == "moves"
    resolved(asked.seat_client.match)
    assert asked.reply("yes").state == "refused"
    assert "resign" not in {line for _, line, _ in log(asked.seat_client.match)}


def test_text_below_our_unmarked_email_is_read(asked: SeatMail) -> None:
    ours = "Keltis: it is your turn.\n\nYour moves\n1  lay R5\n2  lay R6\n\nTo end these emails"
    mime = f"From: echtra@echtra.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{ours}\r\n".encode()
    execute(
        "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why, mime) "
        "values ('l', 'a@b.example', 'turn', 0, '<x@echtra.example>', '', '', 'accepted', 0, '', ?)",
        mime,
    )
    head = "-----Original Message-----\nFrom: Echtra <x@echtra.example>\nSent: Monday\nSubject: Your turn\n\n"
    before = log(asked.seat_client.match)
    assert asked.reply(f"1\n\n{head}{ours}\n\nNo, wait.", asked.address(letter="l")).what == "asked"
    assert log(asked.seat_client.match) == before
    assert asked.reply(f"1\n\n{ours}", asked.address(letter="l")).what == "moves", "what is ours is no second move"


def test_orders_with_words_under_a_closing_are_refused(pair: list[SeatClient], mail: Config) -> None:
    other = next(
        seat_client for seat_client in pair if load_match_state(seat_client.match).questions[seat_client.seat] is None
    )
    assert SeatMail(other, mail).reply("draw deck\n\nThanks!\n\nNo, wait.").what == "beside"
    assert rows("select count(*) from submission") == [(0,)]


def test_notes_go_with_a_move_or_alone(asked: SeatMail) -> None:
    assert asked.reply("note Hello Brann,\nhow is the weather?").what == "note"
    assert asked.reply("1\nnote Good luck!").state == "done"
    assert [text for (text,) in rows("select text from note order by id")] == [
        "Hello Brann,\nhow is the weather?",
        "Good luck!",
    ]


def digest(person: People, mail: Config) -> tuple[SeatMail, str, list[SeatClient]]:
    """A player who is asked at two tables, and the reply address of one letter about both."""
    aoife, brann = person("Aoife"), person("Brann")
    seat_client = [make(aoife, brann)[0] for _ in range(2)]
    questions = [load_match_state(each.match).questions[0] for each in seat_client]
    tables = {
        label: {"match": each.match, "seat": 0, "asked": question.asked if question else -1}
        for label, each, question in zip("AB", seat_client, questions, strict=True)
    }
    post = SeatMail(seat_client[0], mail)
    return post, post.address("digest", {"tables": tables}, match=None, seat=None, asked=0), seat_client


def test_a_digest_is_answered_for_several_tables(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        post, to, seat_client = digest(person, mail)
        outcome = post.reply("A: 1\nB: 2, draw deck", to)
        assert outcome.more["parts"] == ["done moves", "done moves"]
        assert [log(each.match)[-1][2] for each in seat_client] == ["mail", "mail"]
        assert {(letter["label"], letter["match"]) for letter in answers()} == {
            ("A", seat_client[0].match),
            ("B", seat_client[1].match),
        }


def test_a_digest_reads_each_table_apart(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        post, to, _ = digest(person, mail)
        for text in ("1", "C: 1", "1\nA: 1"):
            assert (post.reply(text, to).what, told()["meant"]) == ("label", ["A", "B"])
        assert post.reply("leave 2027-06-01", to).what == "leave"
        outcome = post.reply("A: nonsense here\nB: 1", to)
        assert outcome.more["parts"] == ["refused unclear", "done moves"]


@pytest.mark.parametrize(
    ("text", "verb", "rest"),
    [
        ("aide ?", "help", ""),
        ("Aide\u00a0!", "help", ""),
        ("règles ?", "rules", ""),
        ("board?", "board", ""),
        ("stop tout.", "stop", "tout"),
        ("note Ready?!", "note", "Ready?!"),
        ("confirmer oui !", "confirm", "oui"),
        ("Emails digest.", "letters", "digest"),
        ("emails", "letters", ""),
        ("E-mails off", "letters", "off"),
        ("e-mail résumé", "letters", "résumé"),
        ("email none", "letters", "none"),
        ("courriels aucun", "letters", "aucun"),
        ("stop emails", "stop", ""),
        ("Stop letters!", "stop", ""),
        ("stop all my e-mails", "stop", "all"),
        ("arrêter tous les e-mails", "stop", "tous"),
    ],
)
def test_signs_after_a_command_add_nothing(text: str, verb: str, rest: str) -> None:
    assert commands.parse_command(text) == commands.Command(verb, rest)


@pytest.mark.parametrize(
    ("text", "mode", "everywhere"),
    [
        ("letters digest", "digest", False),
        ("emails digest", "digest", False),
        ("e-mails résumé", "digest", False),
        ("emails every turn", "turn", False),
        ("lettres rappels", "reminders", False),
        ("emails off", "none", False),
        ("e-mails aucun", "none", False),
        ("emails none all", "none", True),
        ("emails weekly", "", False),
    ],
)
def test_emails_are_chosen_by_both_words(text: str, mode: str, everywhere: bool) -> None:
    command = commands.parse_command(text)
    assert command is not None
    assert (command.verb, commands.parse_letter_mode(command.rest)) == ("letters", (mode, everywhere))


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("digest 18", 18),
        ("Digest at 7.", 7),
        ("digest 18:00", 18),
        ("digest 6 pm", 18),
        ("digest 12 a.m.", 0),
        ("digest 12pm", 12),
        ("résumé 18", 18),
        ("Résumé à 18 h", 18),
        ("récapitulatif 6h00", 6),
        ("resume 0", 0),
        ("digest 24", None),
        ("digest 18:30", None),
        ("digest 13 pm", None),
        ("digest 0 am", None),
        ("digest", None),
        ("résumé demain", None),
        ("digest 1 2", None),
    ],
)
def test_the_hour_of_the_digest_is_set_by_letter(asked: SeatMail, text: str, hour: int | None) -> None:
    me, before = asked.seat_client.person.id, log(asked.seat_client.match)
    outcome = asked.reply(text)
    assert (outcome.state, outcome.what) == ("refused" if hour is None else "done", "digest")
    assert rows("select digest_hour from player where id = ?", me) == [(8 if hour is None else hour,)]
    assert told()["kind"] == ("refused" if hour is None else "setting")
    assert log(asked.seat_client.match) == before


def test_a_rematch_is_asked_for_by_letter_and_invites_the_others(asked: SeatMail, pair: list[SeatClient]) -> None:
    assert asked.reply("rematch").what == "rematch"
    assert (told()["kind"], told()["reason"]) == ("refused", "rematch")
    asked.reply("I resign")
    asked.reply("yes", asked.sure("resign"))
    resolved(asked.seat_client.match)
    assert asked.reply("Revanche !").what == "rematch"
    (letter,) = [each for each in answers() if each["kind"] == "made"]
    assert rows("select status, rematch_of from match where id = ?", letter["match"]) == [
        ("open", asked.seat_client.match)
    ]
    other = next(each for each in pair if each.seat != asked.seat_client.seat)
    assert rows("select player from invitation where match = ?", letter["match"]) == [(other.person.id,)]
    assert asked.reply("rematch\n\nthanks").what == "rematch"
    assert len(rows("select 1 from match")) == 2
