"""Moves that wait: held for a while beside small talk or with `confirm on`, asked about where words are doubtful."""

from __future__ import annotations

import json

import pytest

from service.db.connection import execute, rows
from service.mail.incoming import inbox
from service.mail.letters import compose
from service.mail.letters.blocks import FactList, Para
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import SeatMail, answers, kept, log, told
from tests.support.players import Clock


def said_in(asked: SeatMail) -> list[str]:
    """Return the paragraphs and facts of the latest answer."""
    answer = compose(letter_context(told(), asked.config))
    assert answer is not None
    blocks = [block for block in answer.blocks if isinstance(block, Para | FactList)]
    return [block.words if isinstance(block, Para) else " ".join(map(" ".join, block.rows)) for block in blocks]


@pytest.mark.parametrize("text", ["oui ?", "yes?", "yes\uff1f", "yes \u061f", "oui?!", "OK ?"])
def test_a_question_mark_neither_makes_a_held_move_nor_takes_it_back(asked: SeatMail, text: str) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    before = log(asked.seat_client.match)
    assert asked.reply(text).what == "asked"
    assert (log(asked.seat_client.match), told()["kind"], told()["until"]) == (before, "held", None)
    assert rows("select count(*) from inbox where state = 'held'") == [(0,)], "the time no longer runs"
    assert asked.reply("yes").what == "moves"


@pytest.mark.parametrize(
    "text",
    [
        "undo please",
        "Please undo my move, thank you!",
        "Annulez mon coup, s'il vous plaît.",
        "Bonjour,\nannuler svp",
    ],
)
def test_undo_however_politely_stops_a_held_move(asked: SeatMail, text: str, clock: Clock) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    before = log(asked.seat_client.match)
    assert asked.reply(text).what == "undone"
    clock.forward(minutes=10)
    ((payload,),) = rows("select payload from job where key like ?", "held:%")
    assert inbox.process(json.loads(payload)["inbox"], asked.config, due=True) is None
    assert log(asked.seat_client.match) == before


def test_undo_with_another_move_is_asked_about_and_a_yes_plays_what_the_email_names(asked: SeatMail) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    before = log(asked.seat_client.match)
    assert asked.reply("undo, and play 2").what == "asked"
    assert log(asked.seat_client.match) == before
    named = told("held")["lines"]
    assert asked.reply("yes", asked.sure("held")).what == "moves"
    assert [entry[1] for entry in log(asked.seat_client.match)[len(before) :]][: len(named)] == named


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, could you cancel that?",
        "Can I take that back?",
        "oops\n\nundo",
        "undo, and wait for me",
        "don't undo it",
        "n'annulez pas mon coup",
        "Hm.",
        "stop\nplease",
    ],
)
def test_other_words_stop_the_time_of_a_held_move_and_are_asked_about(asked: SeatMail, text: str, clock: Clock) -> None:
    asked.reply("confirm on")
    line = asked.seat_client.lines[0]
    asked.reply("1")
    before = log(asked.seat_client.match)
    assert asked.reply(text).what == "asked"
    clock.forward(hours=2)
    ((payload,),) = rows("select payload from job where key like ?", "held:%")
    assert inbox.process(json.loads(payload)["inbox"], asked.config, due=True) is None
    assert log(asked.seat_client.match) == before
    assert asked.reply("yes", asked.sure("held")).what == "moves"
    assert log(asked.seat_client.match)[len(before)][1] == line


def test_a_note_leaves_a_held_move(asked: SeatMail) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    assert asked.reply("note please undo nothing").what == "note"
    assert rows("select count(*) from inbox where state = 'held'") == [(1,)]


def test_with_confirm_on_a_move_counts_after_ten_minutes(asked: SeatMail, clock: Clock) -> None:
    before = log(asked.seat_client.match)
    assert asked.reply("confirm on").what == "confirming"
    assert asked.reply("1").what == "held"
    letter = told()
    assert (letter["kind"], letter["until"]) == ("held", clock.at + 600_000)
    assert log(asked.seat_client.match) == before
    ((number, due_at, payload),) = rows("select key, due_at, payload from job where key like ?", "held:%")
    held = json.loads(payload)["inbox"]
    assert (kept(held).read_at, due_at) == (None, clock.at + 600_000), number
    clock.forward(minutes=10)
    outcome = inbox.process(held, asked.config, due=True)
    assert outcome is not None
    assert (outcome.state, told()["kind"]) == ("done", "understood")
    assert log(asked.seat_client.match)[-1][2] == "mail"
    assert kept(held).read_at == clock.at
    assert inbox.process(held, asked.config, due=True) is None


@pytest.mark.parametrize("text", ["1\n\nThanks!\n\nNo wait, I need to think.", "1 ❌", "1\nIs that allowed?", "1?"])
def test_doubtful_words_make_a_move_wait_for_a_yes(asked: SeatMail, clock: Clock, text: str) -> None:
    before, line = log(asked.seat_client.match), asked.seat_client.lines[0]
    assert asked.reply(text).what == "asked"
    letter = told()
    assert (log(asked.seat_client.match), letter["lines"], letter["until"]) == (before, [line, "draw deck"], None)
    said = said_in(asked)
    assert said[0] == "Nothing has been played yet."
    assert "Reply with “yes” to play 1 (" in said[2]
    assert any("day" in words or "hour" in words for words in said[3:]), "the time that is left"
    ((number,),) = rows("select id from inbox where state = 'asked'")
    assert kept(number).read_at == clock.at, "no clock stops meanwhile"
    assert rows("select count(*) from job where key like ?", "held:%") == [(0,)], "and nothing happens without a yes"
    assert asked.reply("yes, but later", asked.sure("held")).state == "refused"
    assert asked.reply("yes", asked.sure("held")).what == "moves"
    assert log(asked.seat_client.match)[len(before)][1] == line


def test_a_yes_to_an_older_question_does_nothing(asked: SeatMail) -> None:
    asked.reply("1 maybe")
    older = asked.sure("held")
    asked.reply("2 perhaps")
    before = log(asked.seat_client.match)
    assert asked.reply("yes", older).what == "nothing-waits"
    assert log(asked.seat_client.match) == before
    second = asked.seat_client.lines[1]
    assert asked.reply("yes", asked.sure("held")).what == "moves"
    assert log(asked.seat_client.match)[-1][1] == second


def test_small_talk_holds_a_move_for_an_hour_where_days_are_left(asked: SeatMail, clock: Clock) -> None:
    before, line = log(asked.seat_client.match), asked.seat_client.lines[0]
    execute("update seat set due_at = ?", clock.at + 3 * 86_400_000)
    assert asked.reply("1\n\nThe tulips are up in the park.").what == "held"
    letter = told()
    assert (log(asked.seat_client.match), letter["until"]) == (before, clock.at + 3_600_000)
    said = said_in(asked)
    assert "“The tulips are up in the park.”" in said[1]
    assert "“note”" in said[2]
    ((number,),) = rows("select id from inbox where state = 'held'")
    assert kept(number).read_at is None, "no clock runs out over it"
    clock.forward(hours=1)
    outcome = inbox.process(number, asked.config, due=True)
    assert outcome is not None
    assert (outcome.state, log(asked.seat_client.match)[-2][1]) == ("done", line)


def test_a_move_is_held_for_ten_minutes_where_hours_are_left(asked: SeatMail, clock: Clock) -> None:
    execute("update seat set due_at = ?", clock.at + 7_200_000)
    asked.reply("1\n\nThe tulips are up in the park.")
    assert told()["until"] == clock.at + 600_000


def test_a_held_move_is_dropped_if_the_question_has_changed(asked: SeatMail, clock: Clock) -> None:
    asked.reply("1\n\nThe tulips are up in the park.")
    ((number,),) = rows("select id from inbox where state = 'held'")
    asked.seat_client.move(asked.seat_client.lines[1])
    before = log(asked.seat_client.match)
    clock.forward(hours=1)
    outcome = inbox.process(number, asked.config, due=True)
    assert outcome is not None
    assert (outcome.what, told()["kind"]) == ("stale", "stale")
    assert log(asked.seat_client.match) == before


def test_one_question_is_held_once(asked: SeatMail) -> None:
    asked.reply("1\n\nThe tulips are up in the park.")
    assert asked.reply("1\n\nThe roses are in bloom.").what == "asked"
    asked.reply("undo", asked.sure("held"))
    assert asked.reply("2\n\nThe roses are in bloom.").what == "asked"
    assert [letter["until"] is None for letter in answers() if letter["kind"] == "held"] == [False, True, True]


def test_another_move_takes_the_place_of_one_that_waits_for_a_yes(asked: SeatMail) -> None:
    second = asked.seat_client.lines[1]
    asked.reply("1\n\nMerci\n\nNon, attends !")
    assert asked.reply("2").what == "moves"
    assert log(asked.seat_client.match)[-2][1] == second
    assert rows("select count(*) from inbox where state in ('held', 'asked')") == [(0,)]


@pytest.mark.parametrize(
    "end", ["Thanks!\nAoife", "Cheers\n\nAoife\n\nSent from my phone", "-- \nAoife\n5 Main Street"]
)
def test_a_name_under_a_closing_and_a_signature_hold_nothing(asked: SeatMail, end: str) -> None:
    assert asked.reply(f"1\n\n{end}").what == "moves"


def test_undo_takes_back_what_is_held(asked: SeatMail, clock: Clock) -> None:
    before = log(asked.seat_client.match)
    asked.reply("confirm on")
    asked.reply("1")
    assert (asked.reply("annuler").what, told()["lines"]) == ("undone", [asked.seat_client.lines[0], "draw deck"])
    clock.forward(minutes=10)
    ((payload,),) = rows("select payload from job where key like ?", "held:%")
    assert inbox.process(json.loads(payload)["inbox"], asked.config, due=True) is None
    assert log(asked.seat_client.match) == before


@pytest.mark.parametrize("again", ["yes", "confirm", "1"])
def test_a_second_reply_makes_a_held_move_at_once(asked: SeatMail, again: str) -> None:
    asked.reply("confirmer on")
    line = asked.seat_client.lines[0]
    asked.reply("1")
    outcome = asked.reply(again)
    assert (outcome.state, outcome.what) == ("done", "moves")
    assert log(asked.seat_client.match)[-2][1:] == (line, "mail")
    assert rows("select count(*) from inbox where state = 'held'") == [(0,)]


@pytest.mark.parametrize(
    "text", ["> It counts in ten minutes.\nyes", "> Elle compte dans dix minutes.\noui\n\n-- \nAoife"]
)
def test_a_yes_right_under_the_quote_counts(asked: SeatMail, text: str) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    assert asked.reply(f"On Fri, Jan 15, 2027 at 9:00 AM Echtra <x@echtra.example> wrote:\n{text}\n").what == "moves"


def test_a_held_move_is_replaced_by_the_next(asked: SeatMail) -> None:
    asked.reply("confirm on")
    asked.reply("1")
    second = asked.seat_client.lines[1]
    asked.reply("2")
    asked.reply("yes")
    assert log(asked.seat_client.match)[-2][1] == second
