"""A tournament by letters alone: entering, rounds, where one stands and why, leaving, the end, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.words import Locale
from service.accounts import signing_keys
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import EntrantRow
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import inbox
from service.record.keys import public_key_of
from service.tournaments.tournament_store import load_state
from tests.support.factories import Seated
from tests.support.mail_replies import SERVER, message
from tests.support.mailbox import deliver, html_of, person, sent, text_of
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.parametrize("database", ["sqlite"], indirect=True)]
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
    bye: {asked: half, most_asked: 1}
"""


LADDER = """
  - name: ladder
    format: ladder
    start: {first: 2027-02-01T18:00}
    end: {at: 2027-06-01T18:00}
"""


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A Swiss that is open for entry."""
    return open_tournament(service, clock, document_text(SWISS))


def seated(hosted: HostedTournament, name: str, locale: Locale = "en") -> PlayerRow:
    """Return a player with an address and a key, who plays in the tournament."""
    player, private = person(name, locale), Ed25519PrivateKey.generate()
    with write_transaction():
        signing_keys.add(player.id, public_key_of(private), "test")
    hosted.people.append(Seated(player, private))
    return player


def write(hosted: HostedTournament, player: PlayerRow, text: str, verdict: str = "pass") -> tuple[str, str]:
    """A letter to the service's own address; what became of it."""
    raw = message(text, str(player.address), hosted.config.mail_from, verdict=verdict)
    known = replace(hosted.config, authserv_id=SERVER)
    (number,) = inbox.store(raw, "smtp", known, envelope=str(player.address), recipients=(known.mail_from,))
    outcome = inbox.process(number, known)
    assert outcome is not None
    deliver(hosted.config)
    return outcome.state, outcome.what


def said(kind: str, player: PlayerRow, *words: str) -> None:
    """Fail unless a letter of this kind to a player has these words in both parts."""
    found = [each for each in sent(kind) if str(player.address) in each["To"]]
    texts = []
    for each in found:
        assert [line for line in text_of(each).split("\n") if len(line) > 78 and "http" not in line] == []
        both = (text_of(each), re.sub("<[^>]*>", " ", html_of(each)))
        texts.append([re.sub(r"\s+", " ", part.replace("\u00a0", " ")) for part in both])
    assert any(all(word in part for word in words for part in both) for both in texts), texts


def answer(hosted: HostedTournament, letter: EmailMessage, text: str) -> str:
    """Answer a letter from its addressee to its reply address; what became of that."""
    known = replace(hosted.config, authserv_id=SERVER)
    sender, to = (letter[name].addresses[0].addr_spec for name in ("To", "Reply-To"))
    (number,) = inbox.store(message(text, sender, to), "smtp", known, envelope=sender, recipients=(to,))
    outcome = inbox.process(number, known)
    assert outcome is not None
    hosted.work()
    deliver(hosted.config)
    return outcome.what


def play_by_mail(hosted: HostedTournament, number: int, answered: set[str]) -> None:
    """Let a round begin and be played by answers to letters; at each table somebody gives up after a few turns."""
    while f"start swiss:{number}" not in hosted.lines():
        hosted.go_to_next()
    matches = [
        line.split(" ")[1] for line in hosted.lines() if line.startswith("pair ") and f" swiss:{number} " in line
    ]
    wanted = {match for match in matches if rows("select 1 from match where id = ?", match)}
    for turn in range(10):
        hosted.clock.forward(minutes=1)
        deliver(hosted.config)
        asking = [*sent("turn"), *sent("understood")]
        for letter in [each for each in asking if each["Message-ID"] not in answered]:
            answered.add(letter["Message-ID"])
            french = "jouer" in str(letter["Subject"])
            if turn < 4:
                answer(hosted, letter, "1")
            elif answer(hosted, letter, "J’abandonne" if french else "I resign") == "resign":
                (question,) = [each for each in sent("resign") if each["Message-ID"] not in answered]
                answered.add(question["Message-ID"])
                assert answer(hosted, question, "oui" if french else "yes") == "resigned"
    assert wanted <= set(hosted.results()), hosted.lines()


def test_who_wants_a_digest_gets_the_news_of_tournaments_in_it(hosted: HostedTournament) -> None:
    aoife, brendan = seated(hosted, "Aoife"), seated(hosted, "Brendan", "fr")
    PlayerRow.update(letters="digest", digest_hour=7).where(PlayerRow.id.in_([aoife.id, brendan.id])).execute()
    for each in (aoife, brendan):
        write(hosted, each, "enter winter-cup")
    assert len(sent("tournament-entered")) == 2, "what answers a letter of one's own does not wait"
    while not hosted.row.started_at:
        hosted.go_to_next()
    deliver(hosted.config)
    assert sent("tournament-round") == []
    hosted.clock.forward(hours=24)
    deliver(hosted.config)
    assert len(sent("digest")) == 2
    said("digest", aoife, "Winter: round 1 of swiss begins, and you have a table", "your colour is")
    said("digest", brendan, "la ronde 1 de swiss commence, et vous avez une table", "votre couleur")
    hosted.run_to_end()
    deliver(hosted.config)
    assert sent("tournament-over") == []
    hosted.clock.forward(hours=24)
    deliver(hosted.config)
    said("digest", aoife, "Winter is over", "Standings of swiss")
    last = [text_of(each) for each in sent("digest") if str(aoife.address) in each["To"]][-1]
    assert last.count("round 1 of swiss begins") == 0, "news is told once"


def test_a_whole_tournament_by_mail_in_both_languages(hosted: HostedTournament) -> None:
    people = (("Aoife",), ("Brendan", "fr"), ("Ciara",), ("Dara",), ("Eoin", "fr"), ("Fiadh",))
    aoife, brendan, ciara, dara, eoin, fiadh = (seated(hosted, *each) for each in people)
    answered: set[str] = set()
    assert write(hosted, aoife, "tournaments") == ("answered", "tournaments")
    said("tournament", aoife, "Winter (winter-cup): Keltis", "“enter winter-cup”")
    assert write(hosted, brendan, "tournois") == ("answered", "tournaments")
    assert write(hosted, aoife, "Please enter winter-cup") == ("done", "tournament-entered")
    said("tournament-entered", aoife, "You’re in: Winter.", hosted.row.head_hash[:12], "“why winter-cup”", "Keltis")
    assert write(hosted, brendan, "entrer tournoi winter-cup") == ("done", "tournament-entered")
    said("tournament-entered", brendan, "Vous y êtes : Winter.", "« pourquoi winter-cup »")
    assert write(hosted, brendan, "entrer winter-cup")[0] == "answered"
    for other in (ciara, dara, eoin, fiadh):
        assert write(hosted, other, "enter the tournament Winter") == ("done", "tournament-entered")
    assert write(hosted, aoife, "why winter-cup") == ("answered", "why")
    said("tournament", aoife, "You have no place in the standings yet")
    play_by_mail(hosted, 1, answered)
    said("tournament-round", aoife, "Winter: round 1 of swiss begins, and you have a table.", "your colour is")
    said("tournament-round", brendan, "la ronde 1 de swiss commence, et vous avez une table.", "votre couleur")
    assert write(hosted, brendan, "exempt de la ronde 2 de winter-cup") == ("done", "bye")
    said("tournament", brendan, "Vous êtes exempt de la ronde swiss:2 de Winter.")
    assert write(hosted, brendan, "exempt winter-cup 2") == ("refused", "tournament-bye")
    assert write(hosted, ciara, "bye winter-cup 2") == ("done", "bye")
    said("tournament", ciara, "You have a bye in round swiss:2 of Winter.")
    assert write(hosted, aoife, "standing winter-cup") == ("answered", "standing")
    said("tournament", aoife, "Standings of Winter", "Standings of swiss", "In swiss you are ")
    assert write(hosted, brendan, "Mon programme") == ("answered", "schedule")
    said("tournament", brendan, "ronde 1 de swiss : contre", "ronde 2 de swiss : vous ne jouez pas", "calendrier")
    assert write(hosted, aoife, "next opponent winter-cup") == ("answered", "schedule")
    said("tournament", aoife, "Your rounds in Winter", "round 1 of swiss: against", "round 3 of swiss: begins")
    assert write(hosted, brendan, "Pourquoi winter-cup ?") == ("answered", "why")
    said("tournament", brendan, "Pourquoi vous êtes à cette place dans Winter", "(ronde 1)")
    assert write(hosted, aoife, "Why winter-cup?") == ("answered", "why")
    said("tournament", aoife, "Why you have this place in Winter", "(round 1)")
    assert write(hosted, dara, "withdraw winter-cup") == ("done", "withdrawn")
    said("tournament", dara, "You have withdrawn from Winter.")
    assert write(hosted, dara, "withdraw winter-cup") == ("refused", "tournament-withdraw")
    play_by_mail(hosted, 2, answered)
    assert {f"bye {each.id} swiss:2 half" for each in (brendan, ciara)} <= set(hosted.lines())
    assert write(hosted, eoin, "retrait winter-cup") == ("done", "withdrawn")
    said("tournament", eoin, "Vous vous êtes retiré de Winter.")
    play_by_mail(hosted, 3, answered)
    while hosted.row.ended_at is None:
        hosted.go_to_next()
    deliver(hosted.config)
    assert not [line for line in hosted.lines() if "adjudicated" in line or "ruling" in line], "by letters alone"
    channels = {channel for (channel,) in rows("select distinct channel from submission")}
    assert channels == {"mail"}
    said(
        "tournament-over",
        aoife,
        "Winter is over.",
        "In swiss you are ",
        "Standings of swiss",
        "echtra tournament verify winter-cup.jsonl",
        hosted.row.head_hash[:12],
    )
    said("tournament-over", brendan, "Winter est terminé.", "Dans swiss, vous êtes ", "Le classement de swiss")
    assert len([each for each in sent("tournament-over") if str(aoife.address) in each["To"]]) == 1
    hosted.check()


def test_a_challenge_on_a_ladder_by_mail_in_both_languages(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(LADDER, closes="with-end"))
    people = [seated(hosted, "Aoife"), seated(hosted, "Brendan", "fr"), seated(hosted, "Ciara")]
    for each in people:
        write(hosted, each, "enter winter-cup")
    while not hosted.row.started_at:
        hosted.go_to_next()
    state = load_state(hosted.tournament)
    by_id = {each.id: each for each in people}
    top, middle, bottom = (by_id[state.holders[number]] for number in state.ladder_order("ladder"))
    french = {"Brendan"}
    assert write(hosted, top, f"challenge winter-cup {bottom.name}") == ("refused", "tournament-challenge")
    assert write(hosted, bottom, "challenge winter-cup Nobody") == ("refused", "tournament-challenge")
    assert write(hosted, bottom, f"challenge winter-cup {middle.name}") == ("done", "challenged")
    fr = middle.name in french
    said(
        "tournament-challenge",
        middle,
        f"{bottom.name} vous défie" if fr else f"{bottom.name} challenges you",
        "défi winter-cup accepter" if fr else "challenge winter-cup accept",
    )
    assert write(hosted, top, "challenge winter-cup accept") == ("refused", "tournament-challenge")
    assert write(hosted, middle, "défi winter-cup refuser" if fr else "challenge winter-cup decline")[0] == "done"
    after = load_state(hosted.tournament).ladder_order("ladder")
    assert [by_id[state.holders[number]] for number in after] == [top, bottom, middle]
    fr = bottom.name in french
    said("tournament-challenge", bottom, "refuse votre défi" if fr else "declines your challenge")
    assert write(hosted, bottom, "why winter-cup") == ("answered", "why")
    said("tournament", bottom, "de 3e à 2e" if fr else "from 3rd to 2nd")


def test_a_cancelled_tournament_is_told(hosted: HostedTournament) -> None:
    aoife, brendan = seated(hosted, "Aoife"), seated(hosted, "Brendan", "fr")
    for each in (aoife, brendan):
        write(hosted, each, "enter winter-cup")
    hosted.rule("cancel other")
    deliver(hosted.config)
    said("tournament-cancelled", aoife, "Winter was cancelled.", "It will not take place", hosted.row.head_hash[:12])
    said("tournament-cancelled", brendan, "Winter a été annulé.", "Le tournoi n’a pas lieu")


def test_what_no_mail_server_vouches_for_enters_nobody(hosted: HostedTournament) -> None:
    aoife = seated(hosted, "Aoife")
    assert write(hosted, aoife, "enter winter-cup", verdict="")[1] == "unverified"
    assert write(hosted, aoife, "withdraw winter-cup", verdict="")[1] == "unverified"
    assert write(hosted, aoife, "enter winter-cup", verdict="fail")[0] == "ignored"
    assert not EntrantRow.select().exists()
    assert write(hosted, aoife, "standing winter-cup", verdict="")[0] == "answered"


def test_names_that_nobody_knows_are_refused_with_what_to_write(hosted: HostedTournament) -> None:
    aoife, brendan = seated(hosted, "Aoife"), seated(hosted, "Brendan", "fr")
    assert write(hosted, aoife, "enter summer-cup") == ("refused", "tournament")
    said("refused", aoife, "We found no such tournament", "“tournaments”")
    assert write(hosted, brendan, "retrait summer-cup") == ("refused", "tournament")
    said("refused", brendan, "Nous ne connaissons pas ce tournoi")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("enter winter-cup", Command("enter", "winter-cup")),
        ("Enter the tournament winter-cup, please!", Command("enter", "the tournament winter-cup")),
        ("Withdraw winter-cup now", Command("withdraw", "winter-cup now")),
        ("bye winter-cup round 3", Command("bye", "winter-cup round 3")),
        ("classement winter-cup", Command("standing", "winter-cup")),
        ("Join the tournament Winter", Command("enter", "the tournament Winter")),
        ("join winter-cup", Command("enter", "winter-cup")),
        ("Je m’inscris à winter-cup", Command("enter", "à winter-cup")),
        ("inscription au tournoi Winter", Command("enter", "au tournoi Winter")),
        ("leave the tournament winter-cup", Command("withdraw", "the tournament winter-cup")),
        ("je quitte winter-cup maintenant", Command("withdraw", "winter-cup maintenant")),
        ("bye round 3 of winter-cup", Command("bye", "round 3 of winter-cup")),
        ("exempt de la ronde 3 de winter-cup", Command("bye", "de la ronde 3 de winter-cup")),
        ("my schedule in winter-cup", Command("schedule", "in winter-cup")),
        ("Calendar?", Command("schedule")),
        ("mes rondes", Command("schedule")),
        ("schedule a meeting", None),
        ("next time", None),
        ("ma place dans winter-cup ?", Command("standing", "dans winter-cup")),
        ("join abcd2efgh3ijkmn4", Command("join", "abcd2efgh3ijkmn4")),
        ("register Jean-Luc", Command("register", "Jean-Luc")),
        ("leave 2027-03-01 to 2027-03-05", Command("leave", "2027-03-01 to 2027-03-05")),
        ("skip this", None),
        ("quit smoking", None),
        ("challenge winter-cup Brigid", Command("challenge", "winter-cup Brigid")),
        ("Défi winter-cup accepter", Command("challenge", "winter-cup accepter")),
        ("challenge accepted", None),
        ("a challenge", None),
        ("challenge", None),
        ("why not", None),
        ("why?", None),
        ("bye", None),
        ("bye for now", None),
        ("Bye bye", None),
        ("enter", None),
        ("Enter at your own risk", None),
        ("withdraw your move", None),
        ("standing ovation", None),
        ("pourquoi pas", None),
    ],
)
def test_commands_are_told_from_prose(line: str, wanted: Command | None) -> None:
    assert commands.parse_command(line) == wanted
