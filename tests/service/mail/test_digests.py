"""Digests: one letter at the chosen hour for every match that waits."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from string import ascii_uppercase

import pytest

from engine.words import Locale
from service.accounts import players
from service.config import Config
from service.db.connection import rows
from service.mail import dev_mailbox, reply_addresses
from service.mail.letters.digest import MOST_PICTURES, load_waiting
from service.timestamps import now
from tests.support.mailbox import asked_for, deliver, html_of, match_of, person, sent, step, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock", "service")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def test_a_digest_is_one_letter_at_the_chosen_hour(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", zone="Europe/Dublin", letters="digest", digest_hour=14)
    brendan = person("Brendan", letters="none")
    found = [match_of(config, aoife, brendan) for _ in range(3)]
    step(found[2], config)
    step(found[2], config)
    deliver(config)
    assert sent() == []
    clock.forward(hours=7)
    deliver(config)
    (digest,) = sent()
    text = text_of(digest)
    assert digest["Subject"] == "2 matches are waiting for you"
    assert text.count("A: 1  ") == text.count("B: 1  ") == 1
    assert "C: 1" not in text
    assert [line for line in text.split("\n") if len(line) > 78] == []
    assert "play-" not in text, "who gets a forward gets no address"
    assert sorted(kind for (kind,) in rows("select kind from reply")) == ["bounce", "digest", "link"]
    payload = json.loads(rows("select payload from reply where kind = 'digest'")[0][0])
    assert {each["match"] for each in payload["tables"].values()} == set(found[:2])
    assert digest["Reply-To"].addresses[0].addr_spec not in html_of(digest)
    assert "body=B%3A%201" in html_of(digest), "a link answers for its own match"
    told = rows("select count(*) from seat where player = ? and told_seq > 0", aoife.id)
    assert told == [(2,)]


def test_a_digest_answered_without_its_letters_comes_again_with_the_reason(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", letters="digest")
    for _ in range(2):
        match_of(config, aoife, bots={1: "steady"})
    about = {"reason": "label", "text": "3", "meant": ["A", "B"], "why": "", "match": None, "seat": None}
    answer = {"in_reply_to": "<x@example.org>", "subject": "2 matches are waiting for you", "label": None, "inbox": "i"}
    asked_for(config, {"kind": "refused", "player": aoife.id, **answer, **about}, "answer:i")
    clock.forward(seconds=1)
    deliver(config)
    (letter,) = sent("refused")
    text = text_of(letter)
    assert "We read: “3”." in text
    assert text.count("A: 1  ") == text.count("B: 1  ") == 1
    assert letter["Subject"] == "Re: 2 matches are waiting for you"
    local = letter["Reply-To"].addresses[0].addr_spec.partition("@")[0]
    assert rows("select kind from reply where hash = ?", reply_addresses.hash_address(local)) == [("digest",)]


@pytest.mark.parametrize(
    ("change", "comes"),
    [
        ({"digest_hour": 18}, 18),
        ({"digest_hour": 11}, 11),
        ({"zone": "Etc/GMT+2"}, 16),
        ({"language": "fr"}, 14),
    ],
)
def test_a_digest_that_is_to_come_follows_its_hour(
    config: Config, clock: Clock, change: dict[str, str | int], comes: int
) -> None:
    aoife = person("Aoife", zone="UTC", letters="digest", digest_hour=14)
    match_of(config, aoife, bots={1: "steady"})
    deliver(config)
    players.change_settings(aoife.id, change)
    match_of(config, aoife, bots={1: "steady"})
    deliver(config)
    begun = datetime.fromtimestamp(now() / 1000, UTC)
    due = begun.replace(hour=comes, minute=0, second=0, microsecond=0)
    clock.forward(seconds=int((due - begun).total_seconds()) - 1)
    deliver(config)
    assert sent("digest") == []
    clock.forward(days=1)
    deliver(config)
    assert len(sent("digest")) == 1


@pytest.mark.parametrize(
    ("locale", "letters", "lines"),
    [
        ("en", "digest", ["comes at this hour", "18:00 (Europe/Paris"]),
        ("en", "turn", ["18:00 (Europe/Paris", "“emails digest”"]),
        ("fr", "digest", ["vient à cette heure", "à 18 h 00 (Europe/Paris"]),
        ("fr", "reminders", ["à 18 h 00 (Europe/Paris", "« e-mails résumé »"]),
    ],
)
def test_the_answer_tells_when_the_next_digest_comes(
    config: Config, locale: Locale, letters: str, lines: list[str]
) -> None:
    aoife = person("Aoife", locale, "Europe/Paris", letters=letters, digest_hour=18)
    asked_for(config, {"kind": "setting", "player": aoife.id, "name": "digest", "inbox": "i"}, "answer:i")
    text = " ".join(text_of(sent("setting")[0]).split())
    assert [line for line in lines if line not in text] == []
    assert ("emails digest" in text or "e-mails résumé" in text) == (letters != "digest")


@pytest.mark.parametrize(("locale", "words"), [("en", "The table in words"), ("fr", "La table en mots")])
def test_a_digest_shows_the_first_tables_as_pictures_and_all_of_them_in_words(
    config: Config, clock: Clock, locale: Locale, words: str
) -> None:
    aoife = person("Aoife", locale, letters="digest")
    for _ in range(MOST_PICTURES + 1):
        match_of(config, aoife, bots={1: "steady"})
    deliver(config)
    clock.forward(days=1)
    deliver(config)
    (letter,) = sent("digest")
    text, html = text_of(letter), html_of(letter).replace("\r\n", "\n")
    desks = dict(zip(ascii_uppercase, load_waiting(aoife.id), strict=False))
    shown = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert [part.get_filename() for part in shown] == [f"table-{label}.png" for label in list(desks)[:MOST_PICTURES]]
    for part, (label, at) in zip(shown, desks.items(), strict=False):
        picture = at.picture()
        assert part.get_content() == picture.png
        assert html.count(f'<img src="cid:{part["Content-ID"].strip("<>")}" alt="{escape(picture.alt)}"') == 1
        assert html.index(f"{label}. Keltis") < html.index(part["Content-ID"].strip("<>")) < html.index(f">{label}: 1<")
        assert html.count(f"{label}. {words}") == 1
    assert html.count("<img") == MOST_PICTURES
    assert html.count(words) == MOST_PICTURES
    for at in desks.values():
        assert at.table_text in text
        assert escape(at.table_text) in html
    assert [line for line in text.split("\n") if len(line) > 78] == []


def test_the_mailbox_shows_each_picture_of_a_digest_in_its_place(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", letters="digest")
    for game in ("keltis", "tain"):
        match_of(config, aoife, bots={1: "steady"}, game=game)
    deliver(config)
    clock.forward(days=1)
    deliver(config)
    ((id_,),) = rows("select id from letter where kind = 'digest'")
    letter = dev_mailbox.open_letter(id_)
    assert letter is not None
    page = dev_mailbox.render_frame(letter, "/here")
    drawn = [b64encode(at.picture().png).decode() for at in load_waiting(aoife.id)]
    assert re.findall(r'<img src="data:image/png;base64,([^"]+)"', page) == drawn


def test_an_empty_digest_is_not_sent(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", letters="digest", digest_hour=14)
    match = match_of(config, aoife, person("Brendan", letters="none"))
    deliver(config)
    step(match, config)
    step(match, config)
    deliver(config)
    clock.forward(days=1)
    deliver(config)
    assert sent() == []
