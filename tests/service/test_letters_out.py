"""Letters as people get them: what they say, what they never say, and how they can be stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from flask.testing import FlaskClient

from engine.games import GAMES
from engine.words import LOCALES, Locale
from service import chosen, reading, secret, signing, table, unasked
from service import database as databases
from service.api import blueprints
from service.api.app import create_app
from service.config import Config
from service.database import rows, run
from service.mail import addresses, answers, compose, envelope, mailbox, out, responses, stopping, story, times, turns
from service.mail.desk import Desk, desk
from service.mail.letter import Letter, Menu, Plain
from service.mail.words import WORDS
from service.models import Player
from service.play import table_of
from service.reading import Unclear
from tests.service.people import Clock, Person, newcomer
from tests.worker.postbox import deliver, html_of, match_of, opened, person, play, sent, step, text_of

ZONES = {"en": "Europe/Dublin", "fr": "Europe/Paris"}
MODULES = {"BLUEPRINTS": ("service.api.letters",), "PAGES": ("service.api.mailbox", "service.api.stopping")}
pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def house(config: Config) -> Iterator[Config]:
    """The service without web and worker, letters going to the local mailbox at once."""
    databases.connect(config.database)
    for cache in (secret, signing, table, story):
        cache.forget()
    yield replace(config, letter_hold=0, mail_domain="mail.example")
    databases.forget()


@pytest.fixture
def web(config: Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """The web service with the pages of letters."""
    for name, modules in MODULES.items():
        monkeypatch.setattr(blueprints, name, list(dict.fromkeys([*getattr(blueprints, name), *modules])))
        monkeypatch.setattr(f"service.api.app.{name}", getattr(blueprints, name))
    yield create_app(replace(config, letter_hold=0)).test_client()
    databases.forget()


def asked(match: str) -> int:
    return next(seat for seat, question in enumerate(table_of(match).questions) if question)


def turn_letter(match: str, config: Config) -> tuple[Desk, Letter]:
    at = desk(match, asked(match))
    assert at is not None
    letter = turns.turn({"kind": "turn", "match": match, "seat": at.seat, "asked": at.asked}, config)
    assert letter is not None
    return at, letter


def written(letter: Letter, config: Config) -> EmailMessage:
    replies = {"": "play-abcdefghijklmnopqrstuvwxyz@mail.example"}
    return opened(out.write("a" * 20, letter, replies, "b@mail.example", config).mime)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slug", GAMES)
def test_every_turn_reads_well_and_holds_no_move_by_accident(house: Config, slug: str, locale: Locale) -> None:
    people = [person(name, locale, ZONES[locale]) for name in ("Aoife", "Benoît le Grand", "Ciara <b>")]
    match = match_of(house, *people, game=slug)
    for seed in range(8):
        play(match, house, 5 + seed, seed)
        if table_of(match).state.over:
            break
        at, letter = turn_letter(match, house)
        message = written(letter, house)
        text, html = text_of(message), html_of(message)
        assert [line for line in text.split("\n") if len(line) > 78] == []
        assert not re.search("[\u2500-\u257f\t]", text)
        assert not re.search(r'<script|<link|src="http|url\(|@import|<b>', html)
        assert "Ciara &lt;b&gt;" in html
        assert at.table.hash[:12] in text
        assert at.what in text.replace("\n", " ")
        harmless(at, text)


def harmless(at: Desk, text: str) -> None:
    """No line of a letter means a move when it comes back alone."""
    for line in text.split("\n"):
        if line.strip():
            with pytest.raises(Unclear):
                print(line, reading.lines(at.looking, line))


@pytest.mark.parametrize("slug", GAMES)
def test_numbers_in_letters_mean_what_the_list_says(house: Config, slug: str) -> None:
    match = match_of(house, person(), person("Brendan"), game=slug)
    play(match, house, 9, 3)
    at, letter = turn_letter(match, house)
    menu = next(block for block in letter.blocks if isinstance(block, Menu))
    listed = [option.line for option in at.options]
    assert [choice.line for choice in menu.choices] == listed[:40]
    meant = [reading.lines(at.looking, str(choice.number)) for choice in menu.choices]
    assert meant == [(line,) for line in listed[:40]]
    assert bool(menu.more) == (len(listed) > 40)


def test_what_is_not_listed_is_named_by_its_form(house: Config) -> None:
    match = match_of(house, person(), person("Brendan"), person("Ciara"), game="tain")
    at, _ = turn_letter(match, house)
    assert len(at.options) > 40
    assert at.menu().more.startswith(f"There are {len(at.options) - 40} more, of the form “put ")


@pytest.mark.parametrize("slug", GAMES)
def test_no_letter_knows_more_than_its_seat(house: Config, slug: str) -> None:
    """Deal anew what a seat cannot see: table, picture and list stay the same, and sealed lines stay sealed."""
    match = match_of(house, person(), person("Brendan"), person("Ciara"), game=slug)
    rng = Random(5)
    for _ in range(6):
        play(match, house, 7, rng.randrange(100))
        if table_of(match).state.over:
            break
        at, _ = turn_letter(match, house)
        other = at.looking.game.redeal(at.table.state, at.seat, rng.randrange)
        imagined = replace(at, table=replace(at.table, state=other))
        assert imagined.words == at.words
        assert imagined.menu() == at.menu()
        assert imagined.picture().png == at.picture().png
        sealed_lines_stay_sealed(at)


def sealed_lines_stay_sealed(at: Desk) -> None:
    sql = "select seq, line, shown, sealed, owner, reveals from entry where match = ? order by seq"
    kept = {row[0]: row[1:] for row in rows(sql, at.table.facts.id)}
    for entry in story.entries(at.looking, 0):
        line, shown, sealed, owner, reveals = kept[entry.seq]
        opened_since = sealed == "until-reveal" and at.table.state.reveals > reveals
        assert entry.line == (line if sealed == "never" or owner == at.seat or opened_since else shown)


def test_the_story_begins_where_the_last_letter_ended(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Brendan"))
    deliver(house)
    step(match, house)
    deliver(house)
    first, second = (text_of(message) for message in sent("turn"))
    assert "How it began" in first
    assert "Since your last letter" in second
    assert "is dealt eight cards" not in second
    assert second.count("Aoife lays") + second.count("Aoife discards") + second.count("Aoife takes") == 1


def test_a_long_story_is_cut_and_says_so(house: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen, "seed", lambda: bytes(32))  # a match that lasts sixty moves
    match = match_of(house, person("Aoife"), person("Brendan"), person("Ciara"))
    play(match, house, 60)
    at = desk(match, asked(match))
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
        found = addresses.find(local)
        assert domain == "mail.example"
        assert found is not None
        assert (found.match, found.seat, found.kind) == (match, 0, "turn")
        back = addresses.find(known[0][1].partition("@")[0])
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
    assert letter.picture is not None
    assert letter.picture.alt.startswith("Keltis")
    words = next(block.words for block in letter.blocks if isinstance(block, Plain))
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
    with pytest.raises(envelope.NotAHeader, match="Subject"):
        envelope.headers({"Subject": "one\ntwo"})


def test_long_headers_are_folded_and_read_the_same() -> None:
    ids = " ".join(f"<{'x' * 40}.{number}@mail.example>" for number in range(12))
    block = envelope.headers({"References": ids, "Subject": envelope.words("Àé " * 60)})
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
    mime = out.write("a" * 20, letter, {"": "play-x@mail.example"}, "b@mail.example", config).mime
    answer = b"v=DKIM1; k=rsa; p=" + b"".join(public)
    names: list[bytes] = []

    def dns(name: bytes, timeout: int = 5) -> bytes:  # noqa: ARG001  # as dkimpy calls it
        names.append(name)
        return answer

    assert dkim.verify(mime, dnsfunc=dns)
    assert names == [b"sel._domainkey.play.example."]
    assert not dkim.verify(mime.replace(b"One-Click", b"Two-Click"), dnsfunc=dns)
    assert not dkim.verify(mime.replace(b"Your turn", b"Our turn"), dnsfunc=dns)


def test_both_languages_say_the_same_things() -> None:
    holes = {
        locale: {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in WORDS[locale].items()} for locale in LOCALES
    }
    assert holes["en"] == holes["fr"]
    for text in WORDS["fr"].values():
        assert not re.search(r"[^\u00a0\s(][;?!»](?!\w)| [:;?!»]|« |'", text), text


SPANS = [
    (30_000, "1 minute", "1 minute"),
    (20_000, "less than a minute", "moins d’une minute"),
    (59 * 60_000, "59 minutes", "59 minutes"),
    (3_600_000, "1 hour", "1 heure"),
    (5_430_000, "1 hour and 31 minutes", "1 heure et 31 minutes"),
    (86_400_000 * 3 - 40_000, "3 days", "3 jours"),
    (86_400_000 * 2 + 3_600_000 * 5, "2 days and 5 hours", "2 jours et 5 heures"),
]


@pytest.mark.parametrize(("ms", "english", "french"), SPANS)
def test_spans(ms: int, english: str, french: str) -> None:
    assert times.span(ms, "en").replace("\u00a0", " ") == english
    assert times.span(ms, "fr").replace("\u00a0", " ") == french


def test_a_zone_that_is_only_a_distance_is_told_as_one() -> None:
    assert times.moment(1_800_000_000_000, "Etc/GMT-1", "en") == "Friday 15\u00a0January 2027, 09:00 (UTC+01:00)"


def test_moments_are_of_the_readers_zone_and_language() -> None:
    ms = 1_800_000_000_000
    english = times.moment(ms, "America/New_York", "en").replace("\u00a0", " ")
    french = times.moment(ms, "Europe/Paris", "fr").replace("\u00a0", " ")
    assert english == "Friday 15 January 2027, 03:00 (America/New_York, UTC−05:00)"
    assert french == "vendredi 15 janvier 2027 à 9 h 00 (Europe/Paris, UTC+01:00)"
    assert times.moment(ms, "UTC", "en").endswith("08:00 (UTC)")


@pytest.mark.parametrize(
    ("hours", "hour", "zone", "expected"),
    [(0, 8, "Europe/Dublin", 0), (0, 7, "Europe/Dublin", 23), (1, 8, "Europe/Dublin", 24), (0, 8, "Asia/Tokyo", 15)],
)
def test_the_next_hour_of_a_digest(hours: int, hour: int, zone: str, expected: int) -> None:
    start = 1_800_000_000_000
    assert times.next_hour(start + hours * 3_600_000, hour, zone) == start + expected * 3_600_000


def test_the_next_hour_follows_summer_time() -> None:
    before = 1_806_192_000_000  # 2027-03-28T00:00Z, an hour before Paris puts its clocks forward
    assert times.next_hour(before, 8, "Europe/Paris") == before + 6 * 3_600_000


def test_the_last_letter_tells_the_count_and_how_to_check_it(house: Config) -> None:
    match = match_of(house, person("Aoife"), person("Benoît", "fr", "Europe/Paris"))
    over = play(match, house, 1000)
    assert over.state.over
    deliver(house)
    english, french = sorted(sent("over"), key=lambda message: str(message["Content-Language"]))
    for message in (english, french):
        text = text_of(message)
        assert over.hash in text
        assert f"/v1/matches/{match}/record" in text
        assert f"echtra verify {match}.jsonl" in text
        assert "Total" in text
        assert [line for line in text.split("\n") if len(line) > 78] == []
    assert english["Subject"] == "The match is over: Keltis with Benoît"
    assert "Vérifiez vous-même" in text_of(french)
    assert "“rematch”" in text_of(english)
    assert "«\u00a0revanche\u00a0»" in text_of(french)


RECEIPT = {"type": "receipt", "match": "m" * 16, "seq": 4, "hash": "a" * 64, "at": 1, "signature": "b" * 128}
ANSWERS: list[tuple[str, dict[str, Any], str]] = [
    (
        "understood",
        {"made": ["lay R5"], "waiting": 2, "dropped": [], "why": "", "receipt": RECEIPT, "unread": []},
        "b" * 64,
    ),
    (
        "understood",
        {
            "made": ["lay R5"],
            "waiting": 0,
            "dropped": ["draw R"],
            "why": "draw R: it is not among the lines that are open now",
            "receipt": RECEIPT,
            "unread": ["salut"],
        },
        "draw R",
    ),
    ("held", {"lines": ["lay R5"], "until": 1_800_000_600_000, "unread": []}, "lay R5"),
    ("undone", {"lines": ["lay R5"]}, "lay R5"),
    ("undone", {"lines": []}, ""),
    ("undone", {"lines": ["lay R5"], "label": "B"}, "B. Keltis"),
    ("refused", {"reason": "unclear", "text": "zap", "meant": ["lay R5", "lay R6"], "why": ""}, "lay R6"),
    ("refused", {"reason": "limit-reached", "text": "", "meant": [], "why": "Too many."}, ""),
    ("refused", {"reason": "no-such-reason", "text": "zap <b>", "meant": [], "why": "Because."}, "Because."),
    ("refused", {"reason": "booking", "text": "2027-02-01", "meant": [], "why": "", "match": None}, "2027-02-01"),
    ("back", {}, "Keltis"),
    ("league", {"league": None, "match": None, "seat": None}, ""),
    ("stale", {"text": "lay R5"}, "lay R5"),
    ("help", {}, "keltis"),
    ("board", {}, "Keltis"),
    ("history", {}, "Aoife"),
    ("rules", {"game": "tain"}, ""),
    ("rules", {"game": None, "match": None, "seat": None}, "tir-na-nog"),
    ("clock", {}, "Aoife"),
    ("leave", {"first_day": "2027-02-01", "last_day": "2027-02-03"}, "2027"),
    ("note", {"note": "Well played!\n\nSee you <soon>"}, "See you <soon>"),
    ("stopped", {"everywhere": False}, ""),
    ("stopped", {"everywhere": True}, ""),
    ("letters", {"mode": "digest", "everywhere": False}, ""),
    ("setting", {"name": "zone", "match": None}, "2027"),
    ("setting", {"name": "language"}, ""),
    ("confirming", {"on": True}, ""),
    ("confirming", {"on": False}, ""),
    ("resign", {}, "Keltis"),
    ("resigned", {"receipt": RECEIPT}, "b" * 64),
    ("joined", {"receipt": RECEIPT}, "Keltis"),
    ("declined", {}, "Keltis"),
    ("made", {"game": "keltis"}, "Keltis"),
    ("welcome", {"name": "Nuala"}, "Nuala"),
    ("absent", {"seat": 1, "status": "5.1.1"}, "5.1.1"),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "stand-in", "excuses": 0}, "Brendan"),
    ("late", {"seat": 1, "asked": 3, "due": 1_799_999_000_000, "outcome": "excused", "excuses": 2}, "2"),
    ("late", {"seat": 0, "asked": None, "due": 1_799_999_000_000, "outcome": "excused", "excuses": 0}, "Keltis"),
    ("urgent", {"asked": None, "due": None}, "Keltis"),
    ("leave-ends", {"last_day": "2027-02-03"}, "2027"),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("kind", "more", "holds"), ANSWERS)
def test_every_answer_is_written_in_both_languages(
    house: Config, kind: str, more: dict[str, Any], holds: str, locale: Locale
) -> None:
    aoife = person("Aoife", locale)
    match = match_of(house, aoife, person("Brendan"))
    at = desk(match, 0)
    assert at is not None
    where = {"match": match, "seat": 0, "label": None, "in_reply_to": "<x@example.org>", "subject": "Re: turn"}
    payload = {"kind": kind, "player": aoife.id, "inbox": "i", **where, **more}
    if payload.get("asked", 0) is None:
        payload["asked"] = at.asked
    letter = compose.compose(payload, house)
    assert letter is not None
    message = written(letter, house)
    text = text_of(message)
    assert holds in " ".join(text.split())
    assert [line for line in text.split("\n") if len(line) > 78] == []
    assert re.search("[éèàùê«’]" if locale == "fr" else "(?i)you", text)
    assert "<b>" not in html_of(message)
    assert "<soon>" not in html_of(message)
    harmless(at, text)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Re: Your turn", "Re: Your turn"),
        ("Your turn", "Re: Your turn"),
        ("RE : Re: Ré\u00a0: Your turn", "Re: Your turn"),
        ("AW: Fwd: Your turn", "Re: Your turn"),
        ("Re[2]: Your turn", "Re: Your turn"),
        ("Return of Fionn: your turn", "Re: Return of Fionn: your turn"),
        ("re:", "otherwise"),
        ("", "otherwise"),
    ],
)
def test_an_answer_has_one_re_however_many_there_were(given: str, expected: str) -> None:
    assert responses.subject({"subject": given}, "otherwise") == expected


REASONS = re.compile(r'(?:refused|_refusal|NotUnderstood)\((?:player, )?"([a-z-]+)"|"reason": "([a-z-]+)"')


def test_every_refusal_has_its_words() -> None:
    sources = [path.read_text("utf-8") for path in Path(compose.__file__).parent.glob("*.py")]
    found = {name for source in sources for pair in REASONS.findall(source) for name in pair if name}
    assert len(found) > 10
    for locale in LOCALES:
        assert [reason for reason in sorted(found) if f"refused.{reason}" not in WORDS[locale]] == []


@pytest.mark.parametrize(
    ("locale", "rules", "words"),
    [
        (
            "en",
            {"clock": "simple-3"},
            "Your Saturdays and Sundays do not count, as you asked. 30 days of leave are left",
        ),
        ("fr", {"clock": "simple-3"}, "Vos samedis et dimanches ne comptent pas, comme vous l’avez demandé."),
        ("en", {"clock": "standard"}, "weekends do not count Aoife: asked"),
        ("en", {"clock": "tournament"}, "In this match leave does not stop the clock."),
        ("fr", {"clock": "simple-3", "leave": False}, "Dans cette partie, le congé n’arrête pas la pendule."),
    ],
)
def test_the_clock_says_when_it_rests(house: Config, locale: Locale, rules: dict[str, Any], words: str) -> None:
    aoife = person("Aoife", locale, quiet_weekends=True)
    match = match_of(house, aoife, bots={1: "steady"}, **rules)
    where = {"match": match, "seat": 0, "label": None, "in_reply_to": "<x@example.org>", "subject": "Re: turn"}
    letter = compose.compose({"kind": "clock", "player": aoife.id, "inbox": "i", **where}, house)
    assert letter is not None
    message = written(letter, house)
    pages = text_of(message), re.sub("<[^>]*>", " ", html_of(message))
    for page in pages:
        assert words in " ".join(page.replace("\u00a0", " ").split())


def test_dropped_orders_say_which_line_and_why(house: Config) -> None:
    aoife = person("Benoît", "fr")
    match = match_of(house, aoife, person("Brendan"))
    body = '{"key": "", "lines": ["lay R5", "draw deck", "lay R6"], "signatures": [], "mail": null}'
    why = "draw deck: it is not among the lines that are open now"
    run(
        "insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, "
        "status, why, receipt) values ('s', ?, 0, ?, 'api', 0, '', true, 0, ?, 1, 3, 'dropped', ?, '{}')",
        match,
        aoife.id,
        body,
        why,
    )
    letter = compose.compose({"kind": "dropped", "submission": "s"}, house)
    assert letter is not None
    words = " ".join(text_of(written(letter, house)).replace("\u00a0", " ").split())
    assert "Lignes jouées : 1 sur 3" in words
    assert "« draw deck »" in words
    assert "elle n’est pas parmi les lignes ouvertes maintenant" in words
    assert "« lay R6 »" in words


def stop_link(message: EmailMessage) -> str:
    found = re.search(r"<(http[^>]+)>", str(message["List-Unsubscribe"]))
    assert found is not None
    return "/u/" + found[1].rpartition("/")[2]


def test_one_click_stops_the_letters_of_a_match_and_looking_stops_nothing(web: FlaskClient, config: Config) -> None:
    aoife = person("Aoife")
    match = match_of(replace(config, letter_hold=0), aoife, person("Brendan"))
    deliver(config)
    link = stop_link(sent()[0])
    assert web.get(link).status_code == 200
    assert rows("select letters from seat where match = ? and seat = 0", match) == [(None,)]
    answer = web.post(link, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert rows("select letters from seat where match = ? and seat = 0", match) == [("none",)]
    assert rows("select letters from player where id = ?", aoife.id) == [("turn",)]
    web.post(link, data={"wish": "again"})
    assert rows("select letters from seat where match = ? and seat = 0", match) == [(None,)]
    web.post(link, data={"wish": "all"})
    assert rows("select letters from player where id = ?", aoife.id) == [("none",)]


@pytest.mark.parametrize("wrong", ["a" * 36, "a" * 20, "../etc", "A" * 36])
def test_a_link_that_is_not_ours_stops_nothing(web: FlaskClient, wrong: str) -> None:
    assert web.get(f"/u/{wrong}").status_code == 404
    assert web.post(f"/u/{wrong}").status_code == 404


@pytest.mark.usefixtures("house")
def test_a_stranger_who_says_no_is_never_written_to_again() -> None:
    run(
        "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
        "values ('aaaaaaaaaaaaaaaaaaaa', 'x@example.net', 'invitation', 0, '<a>', '', '', 'accepted', 0, '')"
    )
    what = stopping.find(stopping.token("a" * 20))
    assert what is not None
    assert what.scope == "address"
    stopping.stop(what)

    assert not unasked.take("x@example.net", Clock().at + 10**12)


def test_the_ledger_is_the_players_own(web: FlaskClient, config: Config) -> None:
    me, other = newcomer(web, "Aoife"), newcomer(web, "Brendan")
    people = [_player(me), _player(other)]
    config = replace(config, letter_hold=0)
    match = match_of(config, *people)
    for _ in range(6):
        deliver(config)
        step(match, config)
    found: list[dict[str, Any]] = []
    page = "/v1/me/letters?limit=1"
    while page:
        answer = me.get(page)
        assert answer.status_code == 200
        found += answer.json["items"]
        link = re.search(r"<([^>]+)>", answer.headers.get("Link", ""))
        page = link[1] if link else ""
    mine = [id_ for (id_,) in rows("select id from letter where player = ? order by created_at desc, id desc", me.id)]
    assert [each["id"] for each in found] == mine
    assert found[0]["state"] == "accepted"
    assert {each["match"] for each in found} == {match}
    assert web.get("/v1/me/letters").status_code == 401


def _player(person_: Person) -> Player:
    from service.models import Player

    return Player.get_by_id(person_.id)


HERE = {"Host": "127.0.0.1:8000"}


def test_the_mailbox_shows_letters_and_takes_answers(web: FlaskClient, config: Config) -> None:
    config = replace(config, letter_hold=0)
    aoife = person("Aoife")
    match_of(config, aoife, person("Brendan"))
    deliver(config)
    ((letter,),) = rows("select id from letter")
    assert "Aoife" in web.get("/mailbox", headers=HERE).text
    assert letter in web.get(f"/mailbox/of/{aoife.address}", headers=HERE).text
    shown = web.get(f"/mailbox/letters/{letter}", headers=HERE)
    assert shown.status_code == 200
    assert "script" not in shown.headers["Content-Security-Policy"]
    framed = web.get(f"/mailbox/letters/{letter}/page", headers=HERE)
    assert "data:image/png;base64," in framed.text
    assert f"/mailbox/letters/{letter}?answer=1&amp;to=play-" in framed.text
    assert "mailto:" not in framed.text
    assert "sandbox" in framed.headers["Content-Security-Policy"]
    answer = web.post(f"/mailbox/letters/{letter}", data={"words": "3"}, headers=HERE)
    assert answer.status_code == 303
    ((state, sender, raw),) = rows("select state, sender, mime from inbox")
    assert (state, sender) == ("new", aoife.address)
    assert bytes(raw).startswith(b"From: ")
    waiting = web.get(answer.headers["Location"], headers=HERE)
    assert 'http-equiv="refresh"' in waiting.text


def test_a_first_letter_is_written_in_the_browser(web: FlaskClient) -> None:
    assert web.post("/mailbox", data={"sender": "nobody", "words": "register"}, headers=HERE).status_code == 422
    for language, words in (("en", "new tir-na-nog solo"), ("fr", "nouvelle tir-na-nog solo")):
        assert f">{words}</textarea>" in web.get(f"/mailbox?lang={language}", headers=HERE).text
    answer = web.post("/mailbox", data={"sender": "me@localhost", "words": "register Nuala"}, headers=HERE)
    assert answer.status_code == 303
    assert rows("select sender, recipient from inbox") == [("me@localhost", "echtra")]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {**HERE, "X-Forwarded-For": "10.0.0.1"},
        {**HERE, "Forwarded": "for=10.0.0.1"},
    ],
)
def test_nobody_else_finds_the_mailbox(web: FlaskClient, headers: dict[str, str]) -> None:
    assert web.get("/mailbox", headers=headers).status_code == 404


def test_other_machines_and_other_pages_find_nothing(web: FlaskClient) -> None:
    assert web.get("/mailbox", headers=HERE, environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 404
    form = {"sender": "me@localhost", "words": "register"}
    foreign = {**HERE, "Origin": "http://evil.example"}
    assert web.post("/mailbox", data=form, headers=foreign).status_code == 403
    assert web.post("/mailbox", data=form, headers={**HERE, "Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("change", [{"smtp_url": "smtp://mail.example"}, {"public_url": "https://play.example"}])
def test_there_is_no_mailbox_where_letters_go_out(web: FlaskClient, change: dict[str, str]) -> None:
    app = web.application
    app.config["ECHTRA"] = replace(app.config["ECHTRA"], **change)
    assert web.get("/mailbox", headers=HERE).status_code == 404


def test_a_letter_opened_from_the_ledger_is_whole(house: Config) -> None:
    match_of(house, person("Aoife"), person("Brendan"))
    deliver(house)
    ((letter,),) = rows("select id from letter")
    found = mailbox.opened(letter)
    assert found is not None
    assert found.text.startswith("Write your answer above this line.")
    assert found.png.startswith(b"\x89PNG")
    assert found.message_id == f"<{letter}@mail.example>"


def test_every_kind_of_letter_has_a_writer_and_a_stable_name() -> None:

    assert set(answers.KINDS) <= set(compose.KINDS)
    assert compose.name("turn:a:0:1:b") == compose.name("turn:a:0:1:b") != compose.name("turn:a:0:2:b")
    assert re.fullmatch("[a-z2-7]{20}", compose.name("x"))
