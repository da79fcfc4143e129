"""One match is one conversation: the same subject, one email per turn, receipts in its header, links told apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask

from engine.games import GAMES
from service.accounts import players
from service.config import Config
from service.db.connection import rows
from service.mail.incoming.reading.move_reader import MoveReader
from service.play.match_loader import load_match_state
from service.play.preview import menu_rows
from service.record.verify import kept_receipts
from tests.support.factories import settle
from tests.support.http_tables import SeatClient, make
from tests.support.letter_corpus import viewer_at
from tests.support.mail_replies import SeatMail, config_with_mail, told
from tests.support.mailbox import deliver, html_of, opened, sent, text_of
from tests.support.players import Clock, Person
from tests.support.random_matches import played

People = Callable[..., Person]


@pytest.fixture
def mail(config: Config) -> Config:
    """Settings under which emails are read, and leave without a hold to the local mailbox."""
    return replace(config_with_mail(config), letter_hold=0)


@pytest.fixture
def pair(app: Flask, person: People, mail: Config) -> Iterator[tuple[SeatMail, SeatMail]]:
    """The mail of the seat that is asked in a match of Keltis, and of the other."""
    with app.app_context():
        sits: list[SeatClient] = make(person("Aoife"), person("Brann"))
        first = next(seat for seat, question in enumerate(load_match_state(sits[0].match).questions) if question)
        reading = replace(mail, smtp_url="smtp://127.0.0.1:1")
        yield SeatMail(sits[first], reading), SeatMail(sits[1 - first], reading)


def deliver_held(mail: Config, clock: Clock) -> None:
    """Send the emails that are due once their hold is over."""
    clock.forward(minutes=1)
    deliver(mail)


def take_turn(post: SeatMail) -> str:
    """Lay or discard a card and draw, in one email, resolve the match, and return the receipt's entry."""
    assert post.reply("1").what == "moves"
    settle(post.seat_client.match, post.config)
    return str(told("understood")["receipt"]["seq"])


def test_the_subject_stays_the_same_whatever_names_change(
    pair: tuple[SeatMail, SeatMail], mail: Config, clock: Clock
) -> None:
    asked, other = pair
    for number in range(2):
        for seat in (asked, other):
            take_turn(seat)
            deliver_held(mail, clock)
            players.change_settings(seat.seat_client.person.id, {"name": f"Somebody {number}"})
    subjects = rows("select address, subject from letter order by created_at")
    assert len(subjects) > len(set(subjects)) == 2
    assert {subject for _, subject in subjects} <= {
        "Keltis with Aoife",
        "Keltis with Brann",
        "Keltis with Somebody Else",
    }
    for message in sent():
        assert message["References"].split()[0] == f"<match.{asked.seat_client.match}@{mail.mail_domain}>"
        assert str(message["Feedback-ID"]).endswith(f":match:{mail.mail_domain}:echtra")


def test_the_receipt_of_a_move_travels_in_the_next_email(
    pair: tuple[SeatMail, SeatMail], mail: Config, clock: Clock
) -> None:
    asked, other = pair
    seq = take_turn(asked)
    deliver_held(mail, clock)
    assert sent("understood") == [], "the receipt waits for another email"
    clock.forward(minutes=3)
    take_turn(other)
    deliver_held(mail, clock)
    latest = "select mime from letter where kind = 'turn' and address = ? order by created_at desc limit 1"
    mime = bytes(rows(latest, asked.seat_client.person.address)[0][0])
    turn = opened(mime)
    assert [str(receipt["seq"]) for receipt in json.loads(f"[{turn['Echtra-Receipt']}]")] == [seq]
    receipts, joins = kept_receipts.read(mime)
    assert ([str(receipt["seq"]) for receipt in receipts], joins) == ([seq], [])
    assert "(after 4 minutes)" in " ".join(text_of(turn).replace("\u00a0", " ").split()), "the time used since then"
    clock.forward(minutes=30)
    deliver(mail)
    again = [message for message in sent("understood") if asked.seat_client.person.address in message["To"]]
    assert again == [], "an email brought the receipt"


def test_a_receipt_is_an_email_of_its_own_if_none_leaves_within_ten_minutes(
    pair: tuple[SeatMail, SeatMail], mail: Config, clock: Clock
) -> None:
    asked, _ = pair
    seq = take_turn(asked)
    clock.forward(minutes=9)
    deliver(mail)
    assert sent("understood") == []
    clock.forward(minutes=2)
    deliver(mail)
    (answer,) = sent("understood")
    assert f"seq: {seq}" in text_of(answer)


def test_in_the_local_mailbox_a_move_is_confirmed_at_once(pair: tuple[SeatMail, SeatMail], mail: Config) -> None:
    local = SeatMail(pair[0].seat_client, mail)
    seq = take_turn(local)
    deliver(mail)
    assert f"seq: {seq}" in text_of(sent("understood")[0])


def test_links_are_told_apart_by_their_words(pair: tuple[SeatMail, SeatMail], mail: Config, clock: Clock) -> None:
    take_turn(pair[0])
    deliver_held(mail, clock)
    links = re.findall(r'<a [^>]*href="(?!mailto)([^"]*)"[^>]*>([^<]*)</a>', html_of(sent("turn")[0]))
    assert len({words for _, words in links}) == len({url for url, _ in links}) == 3
    assert not any("echtra" in words or "example" in words for _, words in links)


@pytest.mark.parametrize("slug", GAMES)
def test_every_line_of_a_french_menu_can_be_typed_as_it_stands(slug: str) -> None:
    game = GAMES[slug]
    moments = [moment for moment in played(slug, game.rules.seats[0], 5).moments if moment.seat >= 0]
    french = 0
    for moment in moments[:: len(moments) // 12 + 1]:
        viewer = viewer_at(game, moment.state, moment.seat, "fr")
        reader = MoveReader(viewer)
        for option in list(viewer.options())[:20]:
            typed = game.presentation.words.typed(option.line, "fr")
            assert reader.read(typed) == (option.line,), typed
            french += typed != option.line
        for number, row in enumerate(menu_rows(viewer, list(viewer.options())[:5]), 1):
            assert reader.restore_row(f"{number}  {row.typed} – {row.sentence}") == row.line
    assert french
