"""Letters as people get them: what they say, what they never say, and how they can be stopped."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from pathlib import Path
from random import Random

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from engine.games import GAMES
from engine.words import Locale
from service import ids as chosen
from service.config import Config
from service.db.connection import execute, rows
from service.mail import dev_mailbox, reply_addresses
from service.mail.letters.blocks import Letter, Menu, Para, Preformatted
from service.mail.letters.context import SeatContext, load_seat
from service.mail.outgoing import build_message
from service.mail.outgoing.letter_ledger import letter_id
from service.mail.render import mime as envelope
from service.mail.render.quote_safety import COMMAND_WORDS, MoveRisk, may_be_in_move, move_risk
from service.play import free_text, story
from service.play.match_loader import load_match_state
from service.tournaments.ratings import ratings
from tests.support.mailbox import deliver, html_of, match_of, opened, person, play, sent, step, text_of
from tests.support.turn_letters import ADDRESSES, asked, harmless, turn_letter, written

ZONES = {"en": "Europe/Dublin", "fr": "Europe/Paris"}
pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.parametrize(("database", "locale"), [("sqlite", "en"), ("postgres", "fr")], indirect=["database"])
@pytest.mark.parametrize("slug", GAMES)
def test_every_turn_reads_well_and_holds_no_move_by_accident(house: Config, slug: str, locale: Locale) -> None:
    names = ("Aoife", "Ciara <b>", "Benoît le Grand")[: GAMES[slug].rules.seats[-1]]
    people = [person(name, locale, ZONES[locale]) for name in names]
    match = match_of(house, *people, game=slug)
    for seed in range(8):
        play(match, house, 5 + seed, seed)
        if load_match_state(match).state.over:
            break
        at, letter = turn_letter(match, house)
        message = written(letter, house)
        text, html = text_of(message), html_of(message)
        assert [line for line in text.split("\n") if len(line) > 78] == []
        assert not re.search("[\u2500-\u257f\t]", text)
        assert not re.search(r'<script|<link|src="http|url\(|@import|<b>', html)
        assert "Ciara &lt;b&gt;" in html
        assert at.match_state.hash[:12] in text
        assert at.match_phrase in text.replace("\n", " ")
        assert first_words(text, letter).startswith(" ".join(at.task.split())), (
            "the task comes first, in the game's own words"
        )
        assert escape(at.task) in html
        assert at.task in letter.preview, "the first words tell what to do"
        assert letter.subject == at.match_phrase
        harmless(at, text)


def first_words(text: str, letter: Letter) -> str:
    """Return what follows the heading of a letter, unwrapped."""
    heading = next(block.words for block in letter.blocks if isinstance(block, Para) and block.strong)
    return " ".join(text.split()).partition(" ".join(heading.split()))[2].strip(" -")


@pytest.mark.parametrize("slug", GAMES)
def test_every_word_of_a_move_is_one_that_a_letter_looks_out_for(slug: str) -> None:
    logs = (Path(__file__).parents[2] / "golden" / slug).glob("*.log")
    lines = {line.partition(" ")[2] for log in logs for line in log.read_text("utf-8").split("\n")[1:]}
    words = {word for line in lines for word in line.split() if word not in ("|", *COMMAND_WORDS)} | {
        "3",
        "b4b5",
        "n5:r",
    }
    begun = {word[:size] for word in words for size in range(1, len(word) + 1)}
    assert [word for word in begun if not may_be_in_move(word, slug)] == []


@pytest.mark.parametrize(
    ("slug", "word", "expected"),
    [
        ("tain", "warrior4", True),
        ("tain", "guerrier4", True),
        ("tain", "<http://127.0.0.1:8000/u/h5z2>", False),
        ("keltis", "line:", False),
        ("tir-na-nog", "will-o’-the-wisp", True),
    ],
)
def test_letters_in_a_row_are_a_word_even_beside_a_sign(slug: str, word: str, expected: bool) -> None:
    assert may_be_in_move(word, slug) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("3", MoveRisk.SURE),
        ("  3.", MoveRisk.SURE),
        ("3, place 2", MoveRisk.SURE),
        ("3; take b4", MoveRisk.SURE),
        ("help", MoveRisk.SURE),
        ("3, says Aoife", MoveRisk.NONE),
        ("the third of them", MoveRisk.NONE),
    ],
)
def test_a_line_that_begins_with_the_number_of_a_move_is_looked_at_twice(line: str, expected: MoveRisk) -> None:
    assert move_risk(line, "tir-na-nog") is expected


@pytest.mark.parametrize("slug", GAMES)
def test_numbers_in_letters_mean_what_the_list_says(house: Config, slug: str) -> None:
    match = match_of(house, person(), person("Brendan"), game=slug)
    play(match, house, 9, 3)
    at, letter = turn_letter(match, house)
    menu = next(block for block in letter.blocks if isinstance(block, Menu))
    listed = [option.line for option in at.options]
    assert [choice.line for choice in menu.choices][:40] == listed[:40]
    assert [choice.line for choice in menu.choices] == [listed[choice.number - 1] for choice in menu.choices]
    meant = [free_text.parse_lines(at.viewer, str(choice.number)) for choice in menu.choices]
    assert meant == [(choice.line,) for choice in menu.choices]
    assert bool(menu.more) == (len(listed) > len(menu.choices))


def test_what_is_not_listed_is_named_by_its_form(house: Config) -> None:
    match = match_of(house, person(), person("Brendan"), person("Ciara"), game="tain")
    at, _ = turn_letter(match, house)
    assert len(at.options) > 40
    menu = at.menu()
    assert {"pass", "put C kingdom", "put W kingdom", "put X kingdom"} <= {choice.line for choice in menu.choices}
    assert menu.more.startswith(f"There are {len(at.options) - len(menu.choices)} more, of the form “put ")


@pytest.mark.parametrize("slug", GAMES)
def test_no_letter_knows_more_than_its_seat(house: Config, slug: str) -> None:
    """Deal again everything that a seat cannot see: table, picture and list do not change, sealed lines stay sealed."""
    people = [person(name) for name in ("Aoife", "Brendan", "Ciara")[: GAMES[slug].rules.seats[-1]]]
    match = match_of(house, *people, game=slug)
    rng = Random(5)
    for _ in range(6):
        play(match, house, 7, rng.randrange(100))
        if load_match_state(match).state.over:
            break
        at, _ = turn_letter(match, house)
        other = at.viewer.game.rules.redeal(at.match_state.state, at.number, rng.randrange)
        imagined = replace(at, match_state=replace(at.match_state, state=other))
        assert imagined.table_text == at.table_text
        assert imagined.menu() == at.menu()
        assert imagined.picture().png == at.picture().png
        sealed_lines_stay_sealed(at)


def sealed_lines_stay_sealed(at: SeatContext) -> None:
    sql = "select seq, line, shown, sealed, owner, reveals from entry where match = ? order by seq"
    kept = {row[0]: row[1:] for row in rows(sql, at.match)}
    for entry in story.visible_entries(at.viewer, 0):
        line, shown, sealed, owner, reveals = kept[entry.seq]
        opened_since = sealed == "until-reveal" and at.match_state.state.reveals > reveals
        assert entry.line == (line if sealed == "never" or owner == at.number or opened_since else shown)


def test_the_story_begins_where_the_last_letter_ended(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Brendan"))
    deliver(house)
    step(match, house)
    deliver(house)
    first, second = (text_of(message) for message in sent("turn"))
    assert "How it began" in first
    assert "Since our last email" in second
    assert "is dealt eight cards" not in second
    assert second.count("Aoife lays") + second.count("Aoife discards") + second.count("Aoife takes") == 1


def test_a_long_story_is_cut_and_says_so(house: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen, "new_seed", lambda: bytes(32))  # a match that lasts sixty moves
    match = match_of(house, person("Aoife"), person("Brendan"), person("Ciara"))
    play(match, house, 60)
    at = load_seat(match, asked(match))
    assert at is not None
    told = at.story()
    assert sum(item.count(". ") + 1 for item in told.items) <= 40
    assert told.left_out > 0


def test_a_match_is_one_thread_with_all_its_headers(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Brendan"))
    for _ in range(4):
        deliver(house)
        step(match, house)
    letters = [message for message in sent() if message["To"].addresses[0].display_name == "Aoife"]
    assert len(letters) >= 2
    root = f"<match.{match}@mail.example>"
    for before, message in zip([None, *letters], letters, strict=False):
        known = rows("select id, return_path from letter where message_id = ?", message["Message-ID"])
        assert message["Message-ID"] == f"<{known[0][0]}@mail.example>"
        assert message["In-Reply-To"] == (before["Message-ID"] if before else root)
        assert str(message["References"]).split()[0] == root
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["X-Auto-Response-Suppress"] == "All"
        assert message["X-Echtra-Loop"] == "mail.example"
        assert message["List-Id"] == f"Echtra <{match}.matches.mail.example>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message["Content-Language"] == "en"
        local, _, domain = message["Reply-To"].addresses[0].addr_spec.partition("@")
        found = reply_addresses.find(local)
        assert domain == "mail.example"
        assert found is not None
        assert (found.match, found.seat, found.kind) == (match, 0, "turn")
        back = reply_addresses.find(known[0][1].partition("@")[0])
        assert back is not None
        assert (back.kind, back.letter) == ("bounce", known[0][0])


def test_picture_and_words_belong_together(house: Config) -> None:
    match = match_of(house, person(), person("Brendan"))
    _, letter = turn_letter(match, house)
    message = written(letter, house)
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert image["Content-ID"].strip("<>") in html_of(message)
    assert image.get_content().startswith(b"\x89PNG")
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    assert [picture.alt.partition(" ")[0] for picture in letter.pictures] == ["Keltis"]
    words = next(block.words for block in letter.blocks if isinstance(block, Preformatted))
    assert words.split("\n")[0] in text_of(message)


@pytest.mark.parametrize(
    "name", ["Eve\r\nBcc: all@example.org", 'Q"uo, <te> \\', "=?utf-8?q?x?=", "Ó\u202eevil", "漢字" * 30, " ", "a" * 60]
)
def test_no_name_breaks_out_of_its_place(house: Config, name: str) -> None:
    match = match_of(house, person(name), person("Brendan"))
    _, letter = turn_letter(match, house)
    message = written(letter, house)
    assert len(message["To"].addresses) == 1
    assert message["Bcc"] is None
    assert message["To"].addresses[0].addr_spec == letter.to.address
    assert max(len(line) for line in str(message).split("\n\n")[0].split("\n")) < 200
    assert "\u202e" not in text_of(message)


def test_a_header_never_holds_a_line_break() -> None:
    with pytest.raises(envelope.LineBreakInHeader, match="Subject"):
        envelope.format_headers({"Subject": "one\ntwo"})


def test_long_headers_are_folded_and_read_the_same() -> None:
    ids = " ".join(f"<{'x' * 40}.{number}@mail.example>" for number in range(12))
    block = envelope.format_headers({"References": ids, "Subject": envelope.encode_words("Àé " * 60)})
    assert max(map(len, block.split("\r\n"))) <= 78
    message = opened(block.encode() + b"\r\n")
    assert message["References"] == ids
    assert message["Subject"] == " ".join(["Àé"] * 60)


def test_the_signature_of_a_domain_verifies_and_covers_unsubscribing(house: Config, tmp_path: Path) -> None:
    key = rsa.generate_private_key(65537, 2048)
    file = tmp_path / "dkim.pem"
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).split(b"\n")[1:-2]
    config = replace(house, dkim_key=str(file), dkim_selector="sel", mail_from="echtra@play.example")
    match = match_of(config, person("Aoife"), person("Brendan"))
    _, letter = turn_letter(match, config)
    mime = build_message.render_message("a" * 20, letter, ADDRESSES, config)
    answer = b"v=DKIM1; k=rsa; p=" + b"".join(public)
    names: list[bytes] = []

    def dns(name: bytes, timeout: int = 5) -> bytes:  # noqa: ARG001  # as dkimpy calls it
        names.append(name)
        return answer

    assert dkim.verify(mime, dnsfunc=dns)
    assert names == [b"sel._domainkey.play.example."]
    assert not dkim.verify(mime.replace(b"One-Click", b"Two-Click"), dnsfunc=dns)
    assert not dkim.verify(mime.replace(b"Keltis with", b"Keltis mit"), dnsfunc=dns)


def test_the_last_letter_tells_the_count_and_how_to_check_it(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Benoît", "fr", "Europe/Paris"))
    over = play(match, house, 1000)
    assert over.state.over
    deliver(house)
    english, french = sorted(sent("over"), key=lambda message: str(message["Content-Language"]))
    for message in (english, french):
        text = text_of(message)
        assert [over.hash[:12]] == [code for code in re.findall(r"\b[0-9a-f]{12,64}\b", text) if code in over.hash]
        assert f"/v1/matches/{match}/record" in text
        assert f"echtra verify {match}.jsonl" in text
        assert "Total" in text
        assert [line for line in text.split("\n") if len(line) > 78] == []
        assert f"/matches/{match}>" in text
        assert "/games/keltis>" in text
    assert english["Subject"] == "Keltis with Benoît"
    assert "Vérifiez vous-même" in text_of(french)
    assert "“rematch”" in text_of(english)
    changes = [ratings.find_changes(match)[player or ""] for player in over.players]
    assert f"Ratings: Aoife {changes[0]}, Benoît {changes[1]}." in text_of(english).replace("\n", " ")
    assert f"Cotes\u00a0: Aoife {changes[0]}, Benoît {changes[1]}." in text_of(french).replace("\n", " ")
    assert "«\u00a0revanche\u00a0»" in text_of(french)


def test_a_letter_about_a_private_match_leads_to_its_page_too(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Brendan"))
    execute("update match set visibility = 'private' where id = ?", match)
    deliver(house)
    (letter,) = sent("turn")
    assert f"/matches/{match}>" in text_of(letter)


def test_a_letter_opened_from_the_ledger_is_whole(house: Config) -> None:
    match_of(house, person("Aoife"), person("Brendan"))
    deliver(house)
    ((letter,),) = rows("select id from letter")
    found = dev_mailbox.open_letter(letter)
    assert found is not None
    assert found.text.startswith("Write your answer above this line.")
    assert [png[:4] for png in found.pictures.values()] == [b"\x89PNG"]
    assert found.message_id == f"<{letter}@mail.example>"


def test_every_kind_of_letter_has_a_writer_and_a_stable_name() -> None:
    assert letter_id("turn:a:0:1:b") == letter_id("turn:a:0:1:b") != letter_id("turn:a:0:2:b")
    assert re.fullmatch("[a-z2-7]{20}", letter_id("x"))
