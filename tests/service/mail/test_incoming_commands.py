"""Commands in letters: resigning, moves that are held, notes, digests for several tables and their hour."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.config import Config
from service.db.connection import rows
from service.mail.incoming import commands, inbox
from service.play.table_store import table_of
from tests.support.http_tables import Sitting, make, new, resolved
from tests.support.mail_replies import Post, answers, kept, log, postal, told
from tests.support.players import Clock, Person

People = Callable[..., Person]


@pytest.fixture
def mail(config: Config) -> Config:
    """The settings under which letters are read."""
    return postal(config)


@pytest.fixture
def pair(app: Flask, person: People) -> Iterator[list[Sitting]]:
    """Two people at a table of Keltis."""
    with app.app_context():
        yield make(person("Aoife"), person("Brann"))


@pytest.fixture
def asked(pair: list[Sitting], mail: Config) -> Post:
    """The post of the seat that is asked."""
    seat = next(seat for seat, question in enumerate(table_of(pair[0].match).questions) if question)
    return Post(pair[seat], mail)


def first(post: Post) -> str:
    """The first line that is open to the seat."""
    return post.sitting.lines[0]


def test_a_resignation_is_made_only_after_a_second_word(asked: Post) -> None:
    before = log(asked.sitting.match)
    assert asked.reply("I resign").what == "resign"
    assert (log(asked.sitting.match), told()["kind"]) == (before, "resign")
    assert asked.reply("yes").state == "refused"
    assert log(asked.sitting.match) == before
    assert asked.reply("yes", asked.address("resign")).what == "resigned"
    assert log(asked.sitting.match)[-1] == (asked.sitting.seat, "resign", "mail")
    assert asked.reply("1").what == "over"


@pytest.mark.parametrize(
    "text", ["yes, I saw that", "1", "yes\n1", "oui mais non", "help", "I resign myself to losing", "> yes", "yes?\nno"]
)
def test_only_a_plain_yes_to_the_letter_that_asks_gives_up_a_seat(asked: Post, text: str) -> None:
    asked.reply("resign")
    before = log(asked.sitting.match)
    assert asked.reply(text, asked.address("resign")).state == "refused"
    assert log(asked.sitting.match) == before
    assert asked.reply("Oui.", asked.address("resign")).what == "resigned"


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
def test_commands_about_other_matches_are_understood_at_a_table(asked: Post, text: str, what: str) -> None:
    before = log(asked.sitting.match)
    assert asked.reply(text, verdict="").what == what
    assert log(asked.sitting.match) == before


def test_a_seat_elsewhere_is_taken_by_an_answer_to_a_turn_letter(asked: Post, person: People) -> None:
    open_match = new(person("Ciara"), game="keltis", seats=2).json["id"]
    assert asked.reply("matches").what == "matches"
    assert asked.reply(f"Join {open_match.upper()}.").what == "joined"
    assert rows("select count(*) from seat where match = ? and player = ?", open_match, asked.sitting.person.id) == [
        (1,)
    ]


def test_a_no_to_the_letter_that_asks_keeps_the_seat(asked: Post) -> None:
    asked.reply("resign")
    assert asked.reply("non merci", asked.address("resign")).what == "playing-on"
    assert asked.reply("yes", asked.address("resign")).what == "nothing-waits"


def test_a_yes_that_meant_a_held_move_gives_up_nothing(asked: Post) -> None:
    asked.reply("confirm on")
    asked.reply("resign")
    asked.reply("1")
    assert asked.reply("yes").what == "moves"
    assert "resign" not in {line for _, line, _ in log(asked.sitting.match)}


@pytest.mark.parametrize(
    "text",
    [
        "I resign myself to losing",
        "pas question d'abandonner",
        "I will never resign",
        "j'abandonne l'idée de gagner",
        "stop all this luck",
        "arrête tout ça",
        "Leave me a chance",
        "rules are rules, I know",
        "time flies",
        "no more cards for me",
        "new ideas needed here",
        "table is full of cards",
    ],
)
def test_prose_is_no_command(asked: Post, text: str) -> None:
    before = (log(asked.sitting.match), rows("select letters from seat"), rows("select letters, language from player"))
    assert asked.reply(text).state == "refused"
    assert rows("select count(*) from inbox where state in ('asked', 'held')") == [(0,)]
    after = (log(asked.sitting.match), rows("select letters from seat"), rows("select letters, language from player"))
    assert after == before


@pytest.mark.parametrize(
    "text",
    [
        "undo please",
        "Please undo my move, thank you!",
        "Sorry, could you cancel that?",
        "Annulez mon coup, s'il vous plaît.",
        "Bonjour,\nannuler svp",
        "Can I take that back?",
        "oops\n\nundo",
        "undo, and play 2",
    ],
)
def test_undo_however_politely_stops_a_held_move(asked: Post, text: str, clock: Clock) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    before = log(asked.sitting.match)
    assert asked.reply(text).what == "undone"
    clock.forward(minutes=10)
    ((payload,),) = rows("select payload from job where key like ?", "held:%")
    assert inbox.process(json.loads(payload)["inbox"], asked.config, due=True) is None
    assert log(asked.sitting.match) == before


@pytest.mark.parametrize("text", ["don't undo it", "n'annulez pas mon coup", "note please undo nothing"])
def test_what_says_not_to_undo_leaves_a_held_move(asked: Post, text: str) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    asked.reply(text)
    assert rows("select count(*) from inbox where state = 'held'") == [(1,)]


def test_a_move_instead_of_yes_keeps_the_seat(asked: Post) -> None:
    asked.reply("abandonner")
    assert asked.reply("1").what == "moves"
    resolved(asked.sitting.match)
    assert asked.reply("yes").state == "refused"
    assert "resign" not in {line for _, line, _ in log(asked.sitting.match)}


def test_with_confirm_on_a_move_counts_after_ten_minutes(asked: Post, clock: Clock) -> None:
    before = log(asked.sitting.match)
    assert asked.reply("confirm on").what == "confirming"
    assert asked.reply("1").what == "held"
    letter = told()
    assert (letter["kind"], letter["until"]) == ("held", clock.at + 600_000)
    assert log(asked.sitting.match) == before
    ((number, due_at, payload),) = rows("select key, due_at, payload from job where key like ?", "held:%")
    held = json.loads(payload)["inbox"]
    assert (kept(held).read_at, due_at) == (None, clock.at + 600_000), number
    clock.forward(minutes=10)
    outcome = inbox.process(held, asked.config, due=True)
    assert outcome is not None
    assert (outcome.state, told()["kind"]) == ("done", "understood")
    assert log(asked.sitting.match)[-1][2] == "mail"
    assert kept(held).read_at == clock.at
    assert inbox.process(held, asked.config, due=True) is None


def test_undo_takes_back_what_is_held(asked: Post, clock: Clock) -> None:
    before = log(asked.sitting.match)
    asked.reply("confirm on")
    asked.reply("1")
    assert (asked.reply("annuler").what, told()["lines"]) == ("undone", [first(asked)])
    clock.forward(minutes=10)
    ((payload,),) = rows("select payload from job where key like ?", "held:%")
    assert inbox.process(json.loads(payload)["inbox"], asked.config, due=True) is None
    assert log(asked.sitting.match) == before


@pytest.mark.parametrize("again", ["yes", "confirm", "1"])
def test_a_second_reply_makes_a_held_move_at_once(asked: Post, again: str) -> None:
    asked.reply("confirmer on")
    line = first(asked)
    asked.reply("1")
    outcome = asked.reply(again)
    assert (outcome.state, outcome.what) == ("done", "moves")
    assert log(asked.sitting.match)[-1][1:] == (line, "mail")
    assert rows("select count(*) from inbox where state = 'held'") == [(0,)]


@pytest.mark.parametrize(
    "text", ["> It counts in ten minutes.\nyes", "> Elle compte dans dix minutes.\noui\n\n-- \nAoife"]
)
def test_a_yes_right_under_the_quote_counts(asked: Post, text: str) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    assert asked.reply(f"On Fri, Jan 15, 2027 at 9:00 AM Echtra <x@echtra.example> wrote:\n{text}\n").what == "moves"


def test_a_held_move_is_replaced_by_the_next(asked: Post) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    second = asked.sitting.lines[1]
    asked.reply("2")
    asked.reply("yes")
    assert log(asked.sitting.match)[-1][1] == second


def test_notes_go_with_a_move_or_alone(asked: Post) -> None:
    assert asked.reply("note Hello Brann,\nhow is the weather?").what == "note"
    assert asked.reply("1\nnote Good luck!").state == "done"
    assert [text for (text,) in rows("select text from note order by id")] == [
        "Hello Brann,\nhow is the weather?",
        "Good luck!",
    ]


def digest(person: People, mail: Config) -> tuple[Post, str, list[Sitting]]:
    """A player who is asked at two tables, and the reply address of one letter about both."""
    aoife, brann = person("Aoife"), person("Brann")
    sitting = [make(aoife, brann)[0] for _ in range(2)]
    questions = [table_of(each.match).questions[0] for each in sitting]
    tables = {
        label: {"match": each.match, "seat": 0, "asked": question.asked if question else -1}
        for label, each, question in zip("AB", sitting, questions, strict=True)
    }
    post = Post(sitting[0], mail)
    return post, post.address("digest", {"tables": tables}, match=None, seat=None, asked=0), sitting


def test_a_digest_is_answered_for_several_tables(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        post, to, sitting = digest(person, mail)
        outcome = post.reply("A: 1\nB: 2, draw deck", to)
        assert outcome.more["parts"] == ["done moves", "done moves"]
        assert [log(each.match)[-1][2] for each in sitting] == ["mail", "mail"]
        assert {(letter["label"], letter["match"]) for letter in answers()} == {
            ("A", sitting[0].match),
            ("B", sitting[1].match),
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
    ],
)
def test_signs_after_a_command_add_nothing(text: str, verb: str, rest: str) -> None:
    assert commands.parse_command(text) == commands.Command(verb, rest)


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
def test_the_hour_of_the_digest_is_set_by_letter(asked: Post, text: str, hour: int | None) -> None:
    me, before = asked.sitting.person.id, log(asked.sitting.match)
    outcome = asked.reply(text)
    assert (outcome.state, outcome.what) == ("refused" if hour is None else "done", "digest")
    assert rows("select digest_hour from player where id = ?", me) == [(8 if hour is None else hour,)]
    assert told()["kind"] == ("refused" if hour is None else "setting")
    assert log(asked.sitting.match) == before


def test_a_rematch_is_asked_for_by_letter_and_invites_the_others(asked: Post, pair: list[Sitting]) -> None:
    assert asked.reply("rematch").what == "rematch"
    assert (told()["kind"], told()["reason"]) == ("refused", "rematch")
    asked.reply("I resign")
    asked.reply("yes", asked.address("resign"))
    resolved(asked.sitting.match)
    assert asked.reply("Revanche !").what == "rematch"
    (letter,) = [each for each in answers() if each["kind"] == "made"]
    assert rows("select status, rematch_of from match where id = ?", letter["match"]) == [("open", asked.sitting.match)]
    other = next(each for each in pair if each.seat != asked.sitting.seat)
    assert rows("select player from invitation where match = ?", letter["match"]) == [(other.person.id,)]
    assert asked.reply("rematch\n\nthanks").what == "rematch"
    assert len(rows("select 1 from match")) == 2
