"""Letters from machines: out-of-office texts, loops and bounces, none of which may move or go on for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.db.connection import execute, rows, write_transaction
from service.mail.incoming import bounce_reports, inbox, parse_message
from service.play.bounce_pauses import resume_clocks
from tests.support.mail_replies import SeatMail, answers, log
from tests.support.players import Clock, Person

People = Callable[..., Person]


def test_machines_are_never_answered(asked: SeatMail) -> None:
    before = log(asked.seat_client.match)
    marks = [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<games.example.org>"},
        {"X_Autoreply": "yes"},
        {"Subject": "Automatic reply: your turn"},
        {"Subject": "Réponse automatique : à vous"},
        {"X_Echtra_Loop": "echtra.example"},
        {"Return_Path": "<>"},
    ]
    for mark in marks:
        assert asked.reply("1", **mark).what == "automatic", mark
    assert asked.reply("I am currently out of the office.\n\n1").why == "absent"
    assert (log(asked.seat_client.match), answers()) == (before, [])


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: your turn",
        "Réponse automatique : à vous",
        "Abwesenheitsnotiz: Keltis",
        "Respuesta automática: Keltis",
        "Risposta automatica: Keltis",
        "Resposta automática: Keltis",
        "Automatisch antwoord: Keltis",
        "Automatyczna odpowiedź: Keltis",
        "Read: your turn",
        "Lu : à vous",
        "Gelesen: Keltis",
        "Leído: Keltis",
        "Letto: Keltis",
        "Lida: Keltis",
        "Gelezen: Keltis",
        "Przeczytano: Keltis",
        "Accepted: Keltis night",
        "Accepté : soirée Keltis",
        "Zugesagt: Keltis",
        "Geaccepteerd: Keltis",
    ],
)
def test_machines_in_eight_languages_never_move(asked: SeatMail, subject: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply("1", Subject=subject).what == "automatic"
    assert (log(asked.seat_client.match), answers()) == (before, [])


@pytest.mark.parametrize(
    "text",
    [
        "1\n\nI am out of the office until Monday.",
        "1\n\nJe suis absente du bureau jusqu'à lundi.",
        "1\n\nIch bin derzeit nicht im Büro.",
        "1\n\nEstoy fuera de la oficina.",
        "1\n\nSono fuori ufficio.",
        "1\n\nEstou fora do escritório.",
        "1\n\nIk ben niet op kantoor.",
        "1\n\nJestem poza biurem.",
    ],
)
def test_an_absence_note_under_a_number_is_a_machines(asked: SeatMail, text: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply(text).why == "absent"
    assert (log(asked.seat_client.match), answers()) == (before, [])


def test_a_person_may_answer_about_a_match_with_the_title_of_a_machine(asked: SeatMail) -> None:
    assert asked.reply("1", Subject="Re: Vacation: your turn").what == "moves"


def test_calendars_and_reactions_never_move(asked: SeatMail) -> None:
    before = log(asked.seat_client.match)
    head = 'multipart/alternative; boundary="b"\r\n'
    part = "--b\nContent-Type: text/plain\n\n1\n\n--b\nContent-Type: {}\n\nx\n--b--"
    calendar = asked.reply(part.format("text/calendar; method=REPLY"), Content_Type=head.strip())
    assert (calendar.what, calendar.why) == ("automatic", "calendar")
    assert asked.reply(part.format("text/vnd.google.email-reaction+json"), Content_Type=head.strip()).what == "reaction"
    assert asked.reply("1\ufe0f\u20e3\n\nAoife reacted via Gmail").what == "asked"
    assert log(asked.seat_client.match) == before


def test_a_plain_bounce_of_qmail_is_a_bounce() -> None:
    text = (
        "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to "
        "the following addresses.\n\n<aoife@example.org>:\n192.0.2.1 does not like recipient.\n"
        "Remote host said: 550 5.1.1 User unknown\nGiving up on 192.0.2.1.\n\n"
        "<bran@example.org>:\nSorry, no mailbox here by that name.\n\n--- Below this line is a copy of the message.\n"
    )
    mail = parse_message.parse(f"From: MAILER-DAEMON@mx.example.org\n\n{text}".encode())
    found = [(bounce.recipient, bounce.status, bounce.is_final) for bounce in bounce_reports.parse_reports(mail)]
    assert found == [("aoife@example.org", "5.1.1", True), ("bran@example.org", "5.0.0", True)]


def test_our_own_letter_that_comes_back_is_never_answered(asked: SeatMail) -> None:
    execute(
        "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
        "values ('l', 'a@b.example', 'turn', 0, '<ours@echtra.example>', '', '', 'accepted', 0, '')"
    )
    assert asked.reply("1", Message_ID="<ours@echtra.example>").why == "own"
    assert answers() == []


def test_a_loop_ends_after_one_answer(asked: SeatMail) -> None:
    for turn in range(6):
        quote = f"\n\nOn Friday Echtra wrote:\n> letter {turn}"
        outcome = asked.reply(f"Your mail is important to us and will be read.{quote}")
        assert outcome.state == ("refused" if turn == 0 else "ignored")
    assert len(answers()) == 1


def test_a_loop_with_changing_words_ends_too(asked: SeatMail, clock: Clock) -> None:
    for turn in range(20):
        asked.reply(f"Ticket number {turn} was opened for you")
        clock.forward(seconds=30)
    assert len(answers()) == 10
    assert asked.reply("1").state == "done"


def test_the_same_question_twice_an_hour_is_answered_once(asked: SeatMail, clock: Clock) -> None:
    states = [asked.reply("help").state for _ in range(3)]
    assert states == ["answered", "ignored", "ignored"]
    clock.forward(hours=2)
    assert asked.reply("help").state == "answered"


def test_bounces_count_at_the_return_path_only(asked: SeatMail, clock: Clock) -> None:
    player = asked.seat_client.person.id
    report = (
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n\r\nno\r\n--b\r\n'
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; "
        f"{asked.seat_client.person.address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    for number in range(3):
        with write_transaction():
            execute(
                "insert into letter (id, player, address, kind, match, seat, seq, message_id, subject, return_path, "
                "state, created_at, why) values (?, ?, 'a', 'turn', ?, 0, 0, ?, '', '', 'accepted', 0, '')",
                f"letter{number}",
                player,
                asked.seat_client.match,
                f"<{number}@echtra.example>",
            )
        back = asked.address("bounce", letter=f"letter{number}")
        wrong = asked.address(letter=f"letter{number}")
        for to in (wrong, back, back):
            head = f"From: MAILER-DAEMON@mx\r\nTo: {to}\r\nMessage-ID: <{number}{to}>\r\nReturn-Path: <>\r\n"
            raw = (head + report).encode()
            (id_,) = inbox.store(raw, "smtp", asked.config, envelope="", recipients=(to,))
            inbox.process(id_, asked.config)
        ((bounces, bounced_at),) = rows("select bounces, bounced_at from player where id = ?", player)
        assert bounces == number + 1
        assert (bounced_at is None) == (number == 0)
    assert {state for (state,) in rows("select state from letter")} == {"bounced"}
    assert rows("select count(*) from seat where paused_at is not null and player = ?", player) == [(1,)]
    assert answers() == []
    clock.forward(hours=1)
    asked.reply("board")
    assert rows("select bounces, bounced_at from player where id = ?", player) == [(0, None)]
    assert resume_clocks(clock.at) == 1
    assert rows("select count(*) from seat where paused_at is not null") == [(0,)]
