"""Incoming emails: who may move by them, the effect of each, and the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256

import pytest
from flask import Flask
from peewee import OperationalError

from service.config import Config
from service.db.connection import execute, rows
from service.jobs import alarms
from service.mail import letters as compose
from service.mail import reply_addresses
from service.mail.incoming import inbox, large_messages, router
from service.play.match_loader import load_match_state
from service.record.verify import verify
from service.timestamps import now
from tests.support.http_tables import SeatClient, make, resolved
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import SeatMail, answers, kept, log, message, told
from tests.support.players import Clock, Person, letters
from worker import schedule

People = Callable[..., Person]


def test_a_number_above_the_quote_is_a_move_with_the_letter_as_its_proof(asked: SeatMail, clock: Clock) -> None:
    line = asked.seat_client.lines[0]
    outcome = asked.reply("1\n\nOn Fri, Jan 15, 2027 Echtra wrote:\n> 2. something else\n")
    assert (outcome.state, outcome.what) == ("done", "moves")
    made = log(asked.seat_client.match)[-2:]
    expected = [(asked.seat_client.seat, each, "mail") for each in (line, "draw deck")]
    assert made == expected, "the row says both lines, since there is nothing else to draw from"
    row = kept(asked.sent[0])
    assert (row.state, row.read_at, row.verdict, row.player) == ("done", clock.at, "pass", asked.seat_client.person.id)
    ((proof,),) = rows("select distinct mail from entry where mail is not null")
    raw = sha256(bytes(row.mime)).hexdigest()
    assert json.loads(proof) == {"door": "smtp", "raw": raw, "received": clock.at, "verdict": "pass"}
    letter = told()
    assert (letter["kind"], letter["player"], letter["made"]) == (
        "understood",
        asked.seat_client.person.id,
        [line, "draw deck"],
    )
    assert letter["in_reply_to"].startswith("<")
    assert letter["receipt"]["seq"] == load_match_state(asked.seat_client.match).seq


def test_several_lines_are_one_submission_and_the_record_holds(asked: SeatMail) -> None:
    line = next(line for line in asked.seat_client.lines if line.startswith("discard"))
    outcome = asked.reply(f"{line}\n\ndraw deck\n\nCheers\nAoife")
    assert outcome.state == "done"
    assert told()["made"] == [line, "draw deck"]
    assert rows("select channel, made, total, status from submission") == [("mail", 2, 2, "made")]
    resolved(asked.seat_client.match)
    hashes = [by for (by,) in rows("select made_by from entry where mail is not null")]
    assert len(hashes) == len(set(hashes)) == 2
    answer = asked.seat_client.get("record")
    assert answer.status_code == 200
    assert verify(answer.data).mail == 2


def test_lines_for_the_next_turn_wait_until_it_comes(asked: SeatMail, pair: list[SeatClient]) -> None:
    cards = [line.split(" ")[1] for line in asked.seat_client.lines if line.startswith("discard")]
    asked.reply(f"discard {cards[0]}\ndraw deck\ndiscard {cards[1]}")
    assert (told()["made"], told()["waiting"]) == ([f"discard {cards[0]}", "draw deck"], 1)
    resolved(asked.seat_client.match)
    other = next(each for each in pair if each.seat != asked.seat_client.seat)
    other.move(next(line for line in other.lines if line.startswith("discard")), "draw deck")
    assert log(asked.seat_client.match)[-1] == (asked.seat_client.seat, f"discard {cards[1]}", "mail")


def test_words_in_french_are_moves_too(asked: SeatMail) -> None:
    execute("update player set language = 'fr'")
    line = next(line for line in asked.seat_client.lines if line.startswith("discard"))
    outcome = asked.reply(f"défausser {line.split(' ')[1]}, piocher talon\n\nEnvoyé de mon iPhone")
    assert outcome.state == "done"
    assert told()["made"] == [line, "draw deck"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("> 1\n> 2", "quoted"),
        ("sing a song", "unclear"),
        ("9999", "unclear"),
        ("1, 2", "contradiction"),
        ("1\nboard", "mixed"),
        ("keys " + "A" * 43, "not-by-letter"),
        ("lay Z9", "unclear"),
    ],
)
def test_what_is_not_understood_is_answered_with_the_reason(asked: SeatMail, text: str, reason: str) -> None:
    before = log(asked.seat_client.match)
    outcome = asked.reply(text)
    assert (outcome.state, outcome.what) == ("refused", reason)
    assert log(asked.seat_client.match) == before
    letter = told()
    assert (letter["kind"], letter["reason"], letter["match"]) == ("refused", reason, asked.seat_client.match)
    assert rows("select count(*) from submission") == [(0,)]


def test_of_several_lines_the_answer_quotes_the_one_that_was_refused(asked: SeatMail) -> None:
    hand = {line.split(" ")[1] for line in asked.seat_client.lines}
    missing = next(card for card in ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10") if card not in hand)
    outcome = asked.reply(f"Hello Brann,\n\ndiscard {missing}\ndraw deck\n\nnote good luck")
    assert (outcome.state, outcome.what) == ("refused", "not-listed")
    assert told()["text"] == f"discard {missing}"


def test_the_same_letter_again_does_nothing_whichever_way_it_comes(asked: SeatMail) -> None:
    to = asked.address()
    raw = message("1", asked.seat_client.person.address, to)
    assert asked.post(raw).state == "done"
    before = log(asked.seat_client.match)
    assert asked.post(raw).what == "seen before"
    assert asked.post(b"Received: from elsewhere by mx; later\r\n" + raw).what == "seen before"
    assert inbox.store(raw, "http", asked.config) == inbox.store(raw, "imap", asked.config) == (asked.sent[0],)
    assert log(asked.seat_client.match) == before
    assert len(answers()) == 1


def test_a_copy_with_another_id_finds_the_question_changed(asked: SeatMail) -> None:
    to = asked.address()
    asked.reply("1", to)
    before = log(asked.seat_client.match)
    outcome = asked.reply("1", to)
    assert (outcome.state, outcome.what, told()["kind"]) == ("refused", "stale", "stale")
    assert log(asked.seat_client.match) == before


def test_a_letter_that_was_half_read_is_read_to_its_end(asked: SeatMail) -> None:
    to = asked.address()
    raw = message("1", asked.seat_client.person.address, to)
    asked.post(raw)
    execute("update inbox set state = 'new', read_at = null")
    execute("delete from job where topic = 'letter'")
    outcome = inbox.process(asked.sent[0], asked.config)
    assert outcome is not None
    assert (outcome.state, told()["kind"]) == ("done", "understood")
    assert rows("select count(*) from submission") == [(1,)]


def test_an_old_address_serves_questions_but_no_moves(asked: SeatMail, clock: Clock) -> None:
    to = asked.address()
    asked.reply("1", to)
    clock.forward(days=89)
    for command in ("help", "board", "history", "clock"):
        assert (asked.reply(command, to).state, told()["kind"]) == ("answered", command)
    assert asked.reply("leave 2027-06-01..2027-06-03", to).state == "done"
    assert rows("select first_day, last_day from leave") == [("2027-06-01", "2027-06-03")]
    for command in ("resign", "confirm on", "undo"):
        assert asked.reply(command, to).what == "stale"
    assert asked.reply("stop", to).what == "stopped"
    assert rows("select letters from seat where letters is not null") == [("none",)]
    clock.forward(days=2)
    outcome = asked.reply("help", to)
    assert (outcome.state, outcome.what) == ("ignored", "unknown-address")


def test_an_address_nobody_was_given_is_nobodys(asked: SeatMail) -> None:
    before = len(answers())
    outcome = asked.reply("1", f"play-{'a' * 26}@echtra.example")
    assert (outcome.state, outcome.what, len(answers())) == ("ignored", "unknown-address", before)


def test_an_address_is_read_in_any_case(asked: SeatMail) -> None:
    assert asked.reply("1", asked.address().upper()).state == "done"


def test_only_hashes_of_addresses_are_kept(asked: SeatMail) -> None:
    local = asked.address().partition("@")[0]
    assert len(local) == len("play-") + 26
    assert local not in str(rows("select * from reply"))


@pytest.mark.parametrize("sender", ["mallory@evil.example", "Aoife <aoife@evil.example>", "a@x.example, b@y.example"])
def test_a_letter_from_elsewhere_does_nothing_and_its_writer_hears_nothing(asked: SeatMail, sender: str) -> None:
    before, to = log(asked.seat_client.match), asked.address()
    for _ in range(3):
        outcome = asked.reply("1", to, sender)
        assert (outcome.state, outcome.what) == ("refused", "sender")
    assert log(asked.seat_client.match) == before
    (letter,) = answers()
    assert (letter["player"], letter["reason"]) == (asked.seat_client.person.id, "sender")
    assert asked.reply("1", to).state == "done"


def test_a_letter_that_fails_dmarc_does_nothing(asked: SeatMail) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply("1", verdict="fail").what == "dmarc"
    assert log(asked.seat_client.match) == before
    assert asked.reply("1", verdict="").state == "done"
    assert [kept(number).verdict for number in asked.sent] == ["fail", "none"]


def test_a_foreign_verdict_counts_for_nothing(asked: SeatMail) -> None:
    forged = "evil.example; dmarc=pass header.from=example.org"
    assert asked.reply("1", Authentication_Results=forged).state == "done"
    assert kept(asked.sent[0]).verdict == "none"


def test_an_address_that_was_not_confirmed_moves_nothing(asked: SeatMail) -> None:
    execute("update player set confirmed_at = null")
    outcome = asked.reply("1")
    assert (outcome.state, outcome.what, answers()) == ("ignored", "sender", [])


def test_another_players_address_is_of_no_use(asked: SeatMail, pair: list[SeatClient]) -> None:
    other = next(each for each in pair if each.seat != asked.seat_client.seat)
    before = log(asked.seat_client.match)
    assert asked.reply("1", sender=other.person.address).what == "sender"
    assert log(asked.seat_client.match) == before


def test_a_letter_for_a_seat_that_changed_hands_moves_nothing(asked: SeatMail, pair: list[SeatClient]) -> None:
    other = next(each for each in pair if each.seat != asked.seat_client.seat)
    to = asked.address(seat=other.seat)
    assert asked.reply("1", to).what == "not-your-seat"


def test_signed_matches_take_no_moves_by_letter(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        seat_client = make(person("Ciara"), person("Donal"), moves="signed")
        post = SeatMail(next(each for each in seat_client if load_match_state(each.match).questions[each.seat]), mail)
        outcome = post.reply("1")
        assert (outcome.state, outcome.what) == ("refused", "signed")
        assert "mail" not in {by for _, _, by in log(post.seat_client.match)}


def test_a_letter_is_marked_as_answered(asked: SeatMail, clock: Clock) -> None:
    execute(
        "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
        "values ('l', 'a@b.example', 'turn', 0, '<x@echtra.example>', '', '', 'accepted', 0, '')"
    )
    asked.reply("1", asked.address(letter="l"))
    assert rows("select state, answered_at from letter") == [("answered", clock.at)]


def test_what_breaks_us_is_put_aside_and_told_to_its_player_and_the_operator(
    asked: SeatMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("service.mail.incoming.reading.move_reader.MoveReader.parse", fails)
    outcome = asked.reply("1")
    assert (outcome.state, outcome.why) == ("failed", "ZeroDivisionError")
    assert kept(asked.sent[0]).read_at is not None
    assert (told()["kind"], told()["reason"], told()["match"]) == ("refused", "fault", asked.seat_client.match)
    assert "ZeroDivisionError" in alarms.list_active(now())[0].detail
    assert asked.reply("2").state == "failed"
    assert len(answers()) == 1, "once, so that no loop begins"
    assert asked.reply("3", sender="mallory@evil.example").state == "refused", "which is about the sender"
    assert asked.reply("4", Auto_Submitted="auto-replied").state == "ignored"
    assert [letter["reason"] for letter in answers()] == ["fault", "sender"]


@pytest.mark.parametrize("text", ["1\n²", "1\n①", "²", "①", "٣", "1\n٣", "1\n\n½", "1, ²", "join ²", "position ²"])
def test_signs_that_only_look_like_digits_are_refused(asked: SeatMail, text: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply(text).state == "refused"
    assert log(asked.seat_client.match) == before
    assert told()["kind"] in ("refused", "held")


@pytest.mark.parametrize("kind", ["turn", "own"])
def test_a_message_that_cannot_be_opened_is_answered_once(asked: SeatMail, kind: str) -> None:
    to = asked.address() if kind == "turn" else "echtra@echtra.example"
    parts = "".join(f'Content-Type: multipart/mixed; boundary="{at}"\r\n\r\n--{at}\r\n' for at in range(60))

    def nested(sender: str) -> bytes:
        return message("1", sender, to).replace(b"Content-Type", parts.encode() + b"Content-Type", 1)

    assert asked.post(nested(asked.seat_client.person.address)).state == "refused"
    assert asked.post(nested(asked.seat_client.person.address)).state == "ignored"
    assert asked.post(nested("mallory@evil.example")).state == "ignored"
    assert [letter["reason"] for letter in answers()] == ["unreadable"]
    assert not alarms.list_active(now())


@pytest.mark.parametrize(("text", "made"), [("new keltis 2", "match"), ("1", "submission")])
def test_what_a_letter_asks_is_done_once_though_its_outcome_could_not_be_written(
    asked: SeatMail, monkeypatch: pytest.MonkeyPatch, text: str, made: str
) -> None:
    def down(*_: object) -> None:
        raise OperationalError

    ((before,),) = rows(f"select count(*) from {made}")  # noqa: S608  # our own
    with monkeypatch.context() as patch:
        patch.setattr(inbox, "_set_state", down)
        with pytest.raises(OperationalError):
            asked.reply(text)
    assert kept(asked.sent[0]).state == "new"
    outcome = inbox.process(asked.sent[0], asked.config)
    assert outcome is not None
    assert outcome.state == "done"
    assert rows(f"select count(*) from {made}") == [(before + 1,)]  # noqa: S608  # our own
    assert len(answers()) == 1


def test_every_kind_of_address_has_one_handler() -> None:
    assert router.HANDLERS.keys() & router.PLAYER_HANDLERS.keys() == set()
    kinds = set(reply_addresses.KINDS) - {"link"}  # which stands for one of the others
    assert router.HANDLERS.keys() | router.PLAYER_HANDLERS.keys() == {"service", *kinds}


def test_letters_are_forgotten_after_a_year(asked: SeatMail, clock: Clock) -> None:
    asked.reply("help")
    clock.forward(days=365)
    schedule.delete_old_rows(asked.config)
    assert rows("select count(*) from inbox") == [(1,)]
    assert rows("select count(*) from reply") == [(0,)]
    clock.forward(days=3)
    schedule.delete_old_rows(asked.config)
    assert rows("select count(*) from inbox") == [(0,)]


@pytest.mark.parametrize("text", ["my matches", "Mes parties", "resend"])
def test_own_matches_are_listed_with_their_moves(asked: SeatMail, text: str) -> None:
    raw = message(text, asked.seat_client.person.address, "echtra@echtra.example")
    assert asked.post(raw).what == "mine"
    letter = compose.compose(letter_context(letters("digest")[-1], asked.config))
    assert letter is not None
    assert asked.seat_client.match in str(letter.reply_purpose)


def test_who_is_asked_nowhere_hears_so(asked: SeatMail, pair: list[SeatClient]) -> None:
    other = next(seat for seat in pair if seat.seat != asked.seat_client.seat)
    raw = message("my matches", other.person.address, "echtra@echtra.example")
    assert SeatMail(other, asked.config).post(raw).state == "refused"
    assert told()["reason"] == "mine"


def test_resend_in_reply_to_a_match_shows_the_question_of_now(asked: SeatMail) -> None:
    old = asked.address()
    assert asked.reply("renvoyer", old).state == "answered"
    assert (told()["kind"], told()["match"]) == ("board", asked.seat_client.match)


@pytest.mark.parametrize(
    ("subject", "what"),
    [
        ("my matches", "mine"),
        ("mes parties", "mine"),
        ("open", "matches"),
        ("tournaments", "tournaments"),
        ("standings", "standing"),
        ("Rating", "rating"),
        ("ma cote", "rating"),
        ("Re: my matches", "desk"),
        ("TR: mes parties", "desk"),
        ("Fwd: open", "desk"),
        ("resign", "desk"),
        ("agree", "desk"),
        ("1", "desk"),
        ("leave 2027-03-01..2027-03-05", "desk"),
    ],
)
def test_a_query_may_be_the_subject_of_an_empty_email_and_nothing_else(
    asked: SeatMail, subject: str, what: str
) -> None:
    raw = message("", asked.seat_client.person.address, "echtra@echtra.example", Subject=subject)
    assert asked.post(raw).what == what


def photographed(text: str, sender: str, to: str, size: int) -> bytes:
    """A reply with a photograph of this many bytes."""
    head = message("", sender, to, Content_Type='multipart/mixed; boundary="b"')
    photo = b"A" * 76 + b"\r\n"
    parts = b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode() + b"\r\n"
    parts += b"--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + photo * (size // 78)
    return head + parts + b"--b--\r\n"


def test_a_photograph_beside_a_move_is_not_kept_and_does_not_bounce_it(asked: SeatMail) -> None:
    me, to = asked.seat_client.person.address, asked.address()
    raw = photographed("1", me, to, 3_000_000)
    outcome = asked.post(raw)
    assert (outcome.state, outcome.what) == ("done", "moves")
    stored = bytes(kept(asked.sent[0]).mime)
    assert len(stored) < 2_000
    assert large_messages.hash_as_received(stored) == sha256(raw).hexdigest()
    ((proof,),) = rows("select distinct mail from entry where mail is not null")
    assert json.loads(proof)["raw"] == sha256(raw).hexdigest()


def test_large_messages_are_for_known_reply_addresses_only(asked: SeatMail) -> None:
    me = asked.seat_client.person.address
    for to, size in ((asked.address(), 11_000_000), ("echtra@echtra.example", 3_000_000)):
        raw = photographed("1", me, to, size)
        assert inbox.store(raw, "smtp", asked.config, envelope=me, recipients=(to,)) == ()


def test_a_text_that_is_too_large_is_refused_and_not_read_in_part(asked: SeatMail) -> None:
    raw = message("1\n" + "x\n" * 1_000_000, asked.seat_client.person.address, asked.address())
    outcome = asked.post(raw)
    assert (outcome.state, outcome.why) == ("refused", "too-large")
    assert len(bytes(kept(asked.sent[0]).mime)) == 1024 * 1024 + 1


def test_nobody_claims_another_hash_by_our_own_header(asked: SeatMail) -> None:
    raw = b"X-Echtra-Received: sha256=" + b"0" * 64 + b"; bytes=1; only text parts are kept\r\n"
    raw += message("1", asked.seat_client.person.address, asked.address())
    asked.post(raw)
    assert large_messages.hash_as_received(bytes(kept(asked.sent[0]).mime)) == sha256(raw).hexdigest()


@pytest.mark.parametrize("text", ["preview 1", "Aperçu 1", "preview {line}"])
def test_a_preview_shows_the_table_after_a_move_and_plays_nothing(asked: SeatMail, text: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply(text.format(line=asked.seat_client.lines[0])).what == "preview"
    assert told()["lines"] == [asked.seat_client.lines[0]]
    letter = compose.compose(letter_context(told(), asked.config))
    assert letter is not None
    assert asked.seat_client.lines[0] in str(letter.blocks)
    assert log(asked.seat_client.match) == before


@pytest.mark.parametrize("text", ["preview 999", "preview everything", "preview 1\nThanks, but wait"])
def test_a_preview_of_no_move_is_refused(asked: SeatMail, text: str) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply(text).state == "refused"
    assert log(asked.seat_client.match) == before


@pytest.mark.parametrize("text", ["rating", "ma cote", "standings", "classement"])
def test_rating_and_standings_are_answered_without_a_name(asked: SeatMail, text: str) -> None:
    raw = message(text, asked.seat_client.person.address, "echtra@echtra.example")
    assert asked.post(raw).state == "answered"
    assert told()["about"] == ("rating" if text in ("rating", "ma cote") else "list")
    letter = compose.compose(letter_context(told(), asked.config))
    assert letter is not None
