"""Letters about a missed deadline: everybody reads what happened, and who lost the seat what can still be done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.words import LOCALES, Locale
from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.mail.incoming import inbox
from service.mail.incoming.answers import MailOutcome
from service.play import reminders, timeouts
from service.play.match_loader import load_match_state
from service.timestamps import MINUTE
from tests.support.clock_tables import asked, due, set_excuses
from tests.support.factories import settle
from tests.support.mail_replies import SERVER, message
from tests.support.mailbox import deliver, html_of, match_of, person, sent, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock")
JOIN = {"en": "join", "fr": "rejoindre"}


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


def missed(
    config: Config, clock: Clock, locale: Locale = "en", seats: int = 2, policy: str = "stand-in"
) -> tuple[str, PlayerRow, PlayerRow]:
    """A match in which a seat just lost its last deadline, who sat there, and another who still sits."""
    people = [person(name, locale) for name in ("Aoife", "Brendan", "Ciara")[:seats]]
    match = match_of(config, *people, clock="simple-3", policy=policy)
    set_excuses(match, 0)
    deliver(config)
    seat = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    return match, people[seat], people[seat - 1]


def to(player: PlayerRow, kind: str = "late") -> list[str]:
    """The letters of this kind to a player, both parts, on one line each."""
    found = [letter for letter in sent(kind) if player.address in letter["To"]]
    for letter in found:
        assert [line for line in text_of(letter).split("\n") if len(line) > 78] == []
    return [" ".join(f"{text_of(letter)} {html_of(letter)}".split()) for letter in found]


def reply(config: Config, player: PlayerRow, text: str, kind: str = "late") -> MailOutcome:
    """Answer the last letter of this kind."""
    letter = next(each for each in reversed(sent(kind)) if player.address in each["To"])
    address = letter["Reply-To"].addresses[0].addr_spec
    raw = message(text, str(player.address), address)
    (number,) = inbox.store(raw, "smtp", config, envelope=str(player.address), recipients=(address,))
    outcome = inbox.process(number, config)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("resolved", [False, True])
@pytest.mark.parametrize(
    ("locale", "policy", "words"),
    [
        ("en", "stand-in", ("Your time in Keltis with", "Steady (bot) plays your seat from now on", "word “join”")),
        ("fr", "stand-in", ("Votre temps est écoulé", "Constant (robot) joue désormais", "mot « rejoindre »")),
        ("en", "substitute", ("your seat is open to a substitute", "nobody has taken it", "word “join”")),
        ("fr", "substitute", ("ouverte à un remplaçant", "Tant que personne ne l’a prise", "mot « rejoindre »")),
    ],
)
def test_who_lost_the_seat_is_told_and_comes_back_by_answering(
    service: Config, clock: Clock, locale: Locale, policy: str, words: tuple[str, ...], resolved: bool
) -> None:
    match, loser, _ = missed(service, clock, locale, policy=policy)
    if resolved:
        settle(match, service)
    deliver(service)
    (letter,) = to(loser)
    for word in words:
        assert letter.replace("\u00a0", " ").count(word) >= 2, (word, letter)
    settle(match, service)
    seat = load_match_state(match).bots.index("steady-2")
    assert reply(service, loser, JOIN[locale]).what == "back"
    settle(match, service)
    assert load_match_state(match).players[seat] == loser.id
    deliver(service)
    (back,) = to(loser, "back")
    assert ("You’re back" if locale == "en" else "de nouveau à la table") in back


def write_to_us(config: Config, player: PlayerRow, text: str) -> MailOutcome:
    """Send an email to the service's own address, vouched for by the mail server."""
    raw = message(text, str(player.address), config.mail_from)
    (number,) = inbox.store(raw, "smtp", config, envelope=str(player.address), recipients=(config.mail_from,))
    outcome = inbox.process(number, config)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("locale", "words", "listed", "taken"),
    [
        ("en", "join 1", "a seat to take over", "You have taken over a seat"),
        ("fr", "rejoindre 1", "une place à reprendre", "Vous avez repris la place"),
    ],
)
def test_a_substitute_finds_and_takes_a_seat_by_email(
    service: Config, clock: Clock, locale: Locale, words: str, listed: str, taken: str
) -> None:
    service = replace(service, authserv_id=SERVER)
    match, loser, stays = missed(service, clock, policy="substitute")
    settle(match, service)
    seat = load_match_state(match).bots.index("steady-2")
    dara = person("Dara", locale)
    assert write_to_us(service, stays, "open").state == "answered"
    assert write_to_us(service, dara, "open").state == "answered"
    deliver(service)
    assert not any(listed in letter for letter in to(stays, "matches")), "those who play there are not asked"
    (list_,) = to(dara, "matches")
    assert listed in list_.replace("\u00a0", " ")
    assert write_to_us(service, dara, words).what == "joined"
    settle(match, service)
    assert load_match_state(match).players[seat] == dara.id
    deliver(service)
    (back,) = to(dara, "back")
    assert taken in back
    assert write_to_us(service, loser, f"join {match}").state == "refused", "the seat has a player again"


def test_who_forfeits_among_three_is_told_that_it_is_over_for_them(service: Config, clock: Clock) -> None:
    match, loser, _ = missed(service, clock, seats=3, policy="forfeit")
    settle(match, service)
    deliver(service)
    (letter,) = to(loser)
    assert "you forfeit. Steady (bot) plays your seat to the end" in letter
    assert "write “new keltis” to echtra@mail.example" in letter
    assert reply(service, loser, "join").what == "match-full"
    assert reply(service, loser, "1").what == "not-your-seat"


@pytest.mark.parametrize(
    ("locale", "mine", "theirs"),
    [
        ("en", "you ran out of time on Monday 18", "ran out of time"),
        ("fr", "votre temps s’est écoulé le lundi 18", "a laissé passer l’échéance"),
    ],
)
def test_who_forfeits_a_duel_reads_so_in_the_last_letter(
    service: Config, clock: Clock, locale: Locale, mine: str, theirs: str
) -> None:
    match, loser, winner = missed(service, clock, locale, policy="forfeit")
    settle(match, service)
    deliver(service)
    assert to(loser) == []
    (lost,), (won,) = to(loser, "over"), to(winner, "over")
    assert mine in lost.replace("\u00a0", " ")
    assert f"{loser.name} {theirs}" in won


@pytest.mark.parametrize("locale", LOCALES)
def test_the_others_read_who_was_late_and_who_plays_instead(service: Config, clock: Clock, locale: Locale) -> None:
    match, loser, other = missed(service, clock, locale)
    settle(match, service)
    deliver(service)
    (letter,) = to(other)
    words = {
        "en": (f"{loser.name} ran out of time:", f"From here on, Steady (bot) plays for {loser.name}."),
        "fr": (
            f"{loser.name} a laissé passer l’échéance :",
            f"À partir d’ici, Constant (robot) remplace {loser.name}.",
        ),
    }
    for word in words[locale]:
        assert word in letter.replace("\u00a0", " "), letter
    assert "(bot) ran out of time" not in letter


def test_a_lost_seat_serves_what_is_not_about_the_table(service: Config, clock: Clock) -> None:
    match, loser, _ = missed(service, clock)
    settle(match, service)
    deliver(service)
    assert reply(service, loser, "help").state == "answered"
    assert reply(service, loser, "board").what == "left"
    assert reply(service, loser, "1").what == "left"
    assert reply(service, loser, "stop").what == "stopped"
    deliver(service)
    assert reply(service, loser, "join", "refused").what == "back"
    assert rows("select letters from player where id = ?", loser.id) == [("turn",)]


def test_who_is_back_already_is_not_told_of_the_loss(service: Config, clock: Clock) -> None:
    match, loser, _ = missed(service, clock)
    settle(match, service)
    deliver(service)
    reply(service, loser, "join")
    settle(match, service)
    count = len(to(loser))
    deliver(service)
    assert len(to(loser)) == count


@pytest.mark.parametrize(
    ("locale", "mine", "theirs"),
    [
        ("en", "You missed a deadline, and the table is still waiting", "due on Thursday 21 January 2027"),
        ("fr", "Vous avez laissé passer une échéance", "attendu pour le jeudi 21 janvier 2027"),
    ],
)
def test_a_day_later_nobody_reads_of_a_deadline_to_come_as_of_one_that_passed(
    service: Config, clock: Clock, locale: Locale, mine: str, theirs: str
) -> None:
    people = [person(name, locale) for name in ("Aoife", "Brendan")]
    match = match_of(service, *people, clock="simple-3")
    seat = asked(match)
    clock.at = due(match) + MINUTE
    timeouts.write_timeouts()
    deliver(service)
    clock.forward(days=1)
    reminders.queue_question_reminders()
    deliver(service)
    late, other = (to(people[each])[-1].replace("\u00a0", " ") for each in (seat, 1 - seat))
    assert mine in late
    assert theirs in other
    assert "ran out" not in late + other
    assert "écoulé" not in late + other
