"""Letters at a table besides moves: orders ahead, unfinished turns, sole lines, notes, offers, positions, leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from flask import Flask

from service.config import Config
from service.db.connection import rows
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job, RetryLater
from service.mail import letters as compose
from service.mail.incoming import leave_days
from service.mail.incoming.answers import MailOutcome
from service.mail.letters.blocks import Letter, Menu
from service.mail.outgoing import deliver
from service.mail.render.text import render_text
from service.play.match_loader import load_match_state
from tests.support.http_tables import SeatClient, make, resolved
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import SeatMail, config_with_mail, log, told
from tests.support.players import Clock, Person, letters

People = Callable[..., Person]


@pytest.fixture
def mail(config: Config) -> Config:
    """The settings under which letters are read."""
    return config_with_mail(config)


@pytest.fixture
def pair(app: Flask, person: People, mail: Config) -> Iterator[tuple[SeatMail, SeatMail]]:
    """The post of the seat that is asked at a table of Keltis, and of the other."""
    with app.app_context():
        sits: list[SeatClient] = make(person("Aoife"), person("Brann"))
        first = next(seat for seat, question in enumerate(load_match_state(sits[0].match).questions) if question)
        yield SeatMail(sits[first], mail), SeatMail(sits[1 - first], mail)


def composed(mail: Config, kind: str = "") -> Letter:
    """The latest letter of a kind, composed."""
    letter = compose.compose(letter_context((letters(kind) if kind else letters())[-1], mail))
    assert letter is not None
    return letter


def words_of(letter: Letter) -> str:
    """The text of a letter on one line."""
    return " ".join(render_text(letter).split()).replace("\u00a0", " ")


def lay(post: SeatMail) -> str:
    """A first line that leaves a draw to do."""
    return next(line for line in post.seat_client.lines if line.startswith("lay "))


def test_a_receipt_says_that_the_turn_is_not_finished(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, _ = pair
    assert asked.reply(lay(asked)).what == "moves"
    resolved(asked.seat_client.match)
    letter = composed(mail, "understood")
    subject, said = letter.subject, words_of(letter)
    assert subject.startswith("Keltis with ")
    assert letter.preview.startswith("Your move has been played, but your turn isn’t finished")
    assert said.index("your turn isn’t finished") < said.index("Your moves") < said.index("The table")
    assert len([block for block in letter.blocks if isinstance(block, Menu)]) == 1
    assert asked.reply("1").what == "moves"
    resolved(asked.seat_client.match)
    letter = composed(mail, "understood")
    assert "isn’t finished" not in letter.preview + words_of(letter)
    assert letter.subject == subject
    assert letter.preview.startswith("Your move has been played.")


def test_a_line_that_was_made_meanwhile_does_not_wait(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, _ = pair
    assert asked.reply(f"{lay(asked)}, draw deck").what == "moves"
    payload = {**letters("understood")[-1], "waiting": 1}
    resolved(asked.seat_client.match)
    letter = compose.compose(letter_context(payload, mail))
    assert letter is not None
    assert "One more move is waiting" not in words_of(letter)


@pytest.mark.parametrize("wish", ["auto on", "auto oui partout"])
def test_a_sole_line_is_made_by_the_letter_that_wished_it(pair: tuple[SeatMail, SeatMail], wish: str) -> None:
    asked, _ = pair
    match, seat = asked.seat_client.match, asked.seat_client.seat
    assert asked.reply(wish).what == "auto"
    ((stored,),) = rows(
        "select case when s.auto <> '' then s.auto else p.auto end from seat s join player p on p.id = s.player "
        "where s.match = ? and s.seat = ?",
        match,
        seat,
    )
    assert asked.reply(lay(asked)).what == "moves"
    resolved(match)
    found = rows("select line, made_by, mail from entry where match = ? and seat = ? order by seq", match, seat)
    sole = [row for row in found if row[0] == "draw deck"]
    assert len(sole) == 1, "both piles are empty, so there is nothing else to draw"
    assert sole[0][1].startswith("mail")
    assert json.loads(sole[0][2]) == json.loads(stored)


def test_without_the_wish_or_with_a_choice_nothing_is_made(pair: tuple[SeatMail, SeatMail]) -> None:
    asked, _ = pair
    before = len(log(asked.seat_client.match))
    assert asked.reply("auto off").what == "auto"
    assert asked.reply(lay(asked)).what == "moves"
    resolved(asked.seat_client.match)
    assert len(log(asked.seat_client.match)) == before + 1


def test_lines_sent_ahead_wait_as_orders_and_are_made_in_turn(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, other = pair
    match = asked.seat_client.match
    card = next(
        iter(load_match_state(match).facts.game.rules.view(load_match_state(match).state, other.seat_client.seat).hand)
    )
    wanted = f"discard {card}"
    assert other.reply("1").what == "orders", "a number means nothing yet"
    assert told()["kind"] == "refused"
    assert other.reply(f"lay {card}, else {wanted}, draw deck").what == "orders"
    letter = composed(mail, "orders")
    assert f"lay {card}, else {wanted}" in words_of(letter)
    assert other.reply("orders off").what == "orders"
    assert rows("select status from submission where match = ? and orders", match) == [("withdrawn",)]
    assert other.reply("ordres").state == "answered"
    assert "You have no orders." in words_of(composed(mail, "orders"))
    assert other.reply(f"lay {card}, sinon {wanted}\ndraw deck").what == "orders"
    asked.reply(f"{lay(asked)}, draw deck")
    resolved(match)
    made = [(line, by) for seat, line, by in log(match) if seat == other.seat_client.seat]
    assert made[:2] == [(f"lay {card}", "mail"), ("draw deck", "mail")]


def test_a_note_is_a_letter_of_its_own_unless_a_turn_letter_tells_it(
    pair: tuple[SeatMail, SeatMail], mail: Config, clock: Clock
) -> None:
    asked, other = pair
    match = asked.seat_client.match
    assert asked.reply("note Bonne chance !").what == "note"
    ((number, key, payload),) = rows("select id, key, payload from job where key like ?", "noted:%")
    job = Job(number, key, LetterJob.from_json(payload), 1)
    with pytest.raises(RetryLater) as later:
        deliver.deliver_letter(job, mail)
    assert later.value.due_at == clock.at + mail.letter_hold * 1000
    clock.forward(minutes=1)
    deliver.deliver_letter(job, mail)
    sent = rows("select kind, subject, player from letter where match = ? and kind = 'noted'", match)
    assert sent == [("noted", sent[0][1], other.seat_client.person.id)]
    assert sent[0][1].startswith("Keltis with ")
    assert other.reply("note merci").what == "note"
    clock.forward(minutes=1)
    ((number, key, payload),) = rows(
        "select id, key, payload from job where key like ? order by id desc limit 1", "noted:%"
    )
    deliver.deliver_letter(Job(number, key, LetterJob.from_json(payload), 1), mail)
    assert rows("select count(*) from letter where kind = 'noted'") == [(1,)], "the turn letter of the other is due"
    assert other.reply("mute on").what == "mute" or told()["kind"] == "muted"
    count = len(rows("select 1 from job where key like ?", "noted:%"))
    asked.reply("note encore")
    assert len(rows("select 1 from job where key like ?", "noted:%")) == count


def test_a_match_is_ended_by_an_offer_and_its_answer(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, other = pair
    match = asked.seat_client.match
    assert other.reply("agree").what == "no-offer"
    assert asked.reply("I propose a draw").what == "proposed"
    offer = composed(mail, "offer")
    assert "proposes to end the match now" in words_of(offer)
    assert other.reply("proposer rien").what == "proposed"
    assert "was refused" in composed(mail, "offer-declined").preview
    assert asked.reply("proposer l'annulation").what == "proposed"
    assert other.reply("accord").what == "agree"
    assert not load_match_state(match).state.over
    assert "cancels the match" in words_of(composed(mail, "agree"))
    assert agree(other, "yes").what == "proposed"
    assert load_match_state(match).state.over
    assert told()["state"] == "made"
    assert asked.reply("propose marriage").what != "proposed"


def agree(post: SeatMail, text: str) -> MailOutcome:
    """Answer the letter that asks whether they really agree."""
    return post.reply(text, post.sure("agree"))


@pytest.mark.parametrize("text", ["I agree!", "agree?", "Je suis d'accord", "propose end"])
def test_who_agrees_is_told_the_score_and_asked_whether_they_are_sure(
    pair: tuple[SeatMail, SeatMail], mail: Config, text: str
) -> None:
    asked, other = pair
    match = asked.seat_client.match
    asked.reply("propose end")
    assert other.reply(text).what == "agree"
    assert "This ends the match −4 : −4 (Aoife −4, Brann −4)." in words_of(composed(mail, "agree"))
    for unsure in ("yes?", "oui ؟", "yes ?!", "yes\n1", "yes but not now", "resign"):
        assert agree(other, unsure).what == "agreeing"
    elsewhere = other.address("sure", {"verb": "resign", "waiting": "0" * 32})
    assert other.reply("yes", elsewhere).what == "nothing-waits", "that letter asked something else"
    assert not load_match_state(match).state.over
    assert agree(other, "Oui.").what == "proposed"
    assert load_match_state(match).state.over


def test_who_does_not_agree_after_all_plays_on(pair: tuple[SeatMail, SeatMail]) -> None:
    asked, other = pair
    asked.reply("propose end")
    other.reply("agree")
    assert agree(other, "no").what == "not-agreed"
    assert agree(other, "yes").what == "nothing-waits"
    assert not load_match_state(asked.seat_client.match).state.over


def test_an_agreement_is_asked_about_again_once_something_was_played(
    pair: tuple[SeatMail, SeatMail], mail: Config
) -> None:
    asked, other = pair
    asked.reply("propose end")
    other.reply("agree")
    asked.reply(f"{lay(asked)}, draw deck")
    resolved(asked.seat_client.match)
    assert agree(other, "yes").what == "agree"
    assert not load_match_state(asked.seat_client.match).state.over
    assert "This ends the match −8 : −4" in words_of(composed(mail, "agree"))
    assert agree(other, "yes").what == "proposed"
    assert load_match_state(asked.seat_client.match).state.over


def test_an_earlier_table_is_shown(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, _ = pair
    asked.reply(f"{lay(asked)}, draw deck")
    resolved(asked.seat_client.match)
    seq = load_match_state(asked.seat_client.match).seq
    assert asked.reply(f"position {seq - 1}").what == "position"
    assert f"The table after entry {seq - 1}" in words_of(composed(mail, "position"))
    assert asked.reply(f"position {seq + 7}").state == "refused"
    said = words_of(composed(mail, "refused"))
    assert f"the log has {seq} entries so far" in said
    assert "`" not in said, "the words of a program are not for people"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("20 Dec to 3 Jan", "2026-12-20", "2027-01-03"),
        ("du 20 décembre au 3 janvier", "2026-12-20", "2027-01-03"),
        ("from December 20 until January 3rd, 2027", "2026-12-20", "2027-01-03"),
        ("1er au 5 mars 2027", "2027-03-01", "2027-03-05"),
        ("2027-03-01..2027-03-05", "2027-03-01", "2027-03-05"),
        ("24 Dec", "2026-12-24", "2026-12-24"),
        ("Nov 10 to Nov 12", "2027-11-10", "2027-11-12"),
        ("next week", "", ""),
        ("31 Feb", "", ""),
    ],
)
def test_days_of_leave_as_people_write_them(text: str, first: str, last: str) -> None:
    found = leave_days.parse_days(text, date(2026, 11, 17))
    assert found == ((date.fromisoformat(first), date.fromisoformat(last)) if first else None)


def test_leave_is_listed_and_cancelled(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    asked, _ = pair
    assert asked.reply("leave 1 to 5 March").what == "leave"
    assert asked.reply("leave").state == "answered"
    assert "March" in words_of(composed(mail, "leaves"))
    assert asked.reply("congé non").what == "leave"
    assert rows("select count(*) from leave where cancelled_at is null") == [(0,)]
