"""`echtra play`: whole matches, what may be typed, saving and going on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.match_options import LEVELS, rival_options
from cli.simulation.runner import SimulationPlan, play_match
from engine.game import legal
from engine.games import GAMES
from engine.games.keltis.words import card_code
from engine.log import Log, parse, replay
from engine.options import Option
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused

ONES = "1\n" * 300
KELTIS = ("play", "keltis", "--bot", "random", "--option", "start=0")


def kept(path: Path) -> Log:
    """Return the match in a file, checked to its last row."""
    log = parse(path.read_text(), GAMES)
    assert replay(log).fault is None
    return log


def lines(path: Path, seat: int) -> list[str]:
    """Return the lines of one seat in a file."""
    return [move.line for move in kept(path).moves if move.seat == seat]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The file of a saved match."""
    return tmp_path / "match.log"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match(saved: Path, seats: int) -> None:
    result = echtra(*KELTIS, "--seats", str(seats), "--seed", "1", "--save", saved, typed=ONES)
    assert result.exit_code == 0, result.output
    log = kept(saved)
    assert log.scores
    assert [str(move) for move in log.moves[: seats - 1]] == [f"! bot {seat} random" for seat in range(1, seats)]
    total = next(row for row in result.stdout.splitlines() if row.startswith("Total"))
    assert total.split()[1:] == [str(points) for points in log.scores]
    assert " wins." in result.stdout or " share the win." in result.stdout
    assert f"echtra replay {saved}" in result.stdout


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("locale", ["en", "fr"])
def test_every_game_can_be_played_to_its_end(saved: Path, slug: str, locale: str) -> None:
    result = echtra(
        "play", slug, "--bot", "random", "--seed", "1", "--lang", locale, "--save", saved, typed=ONES, env=ENGLISH
    )
    assert result.exit_code == 0, result.output
    assert kept(saved).scores
    assert echtra("replay", saved, "--lang", locale).exit_code == 0


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if rival_options(game)])
def test_every_rival_can_be_played_to_the_end(saved: Path, slug: str) -> None:
    (option,) = rival_options(GAMES[slug])
    result = echtra("play", slug, "--bot", option.name, "--seed", "1", "--save", saved, typed=ONES)
    assert result.exit_code == 0, result.output
    assert kept(saved).settings == {option.name: "normal"}
    assert kept(saved).scores


def test_a_finished_match_is_kept_only_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert echtra(*KELTIS, "--seed", "1", typed=ONES).exit_code == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("way", "other"), [("--seed", "2"), ("--deal", "another key")])
def test_one_key_gives_one_match_and_another_key_another(tmp_path: Path, way: str, other: str) -> None:
    paths = [tmp_path / name for name in ("one", "two", "three")]
    for path, key in zip(paths, ("1", "1", other), strict=True):
        echtra(*KELTIS, way, key, "--save", path, typed=ONES)
    assert paths[0].read_text() == paths[1].read_text()
    assert lines(paths[0], -1)[:2] != lines(paths[2], -1)[:2]


def test_without_a_key_matches_differ(tmp_path: Path) -> None:
    for name in ("one", "two"):
        echtra(*KELTIS, "--save", tmp_path / name, typed="quit\n")
    assert (tmp_path / "one").read_text() != (tmp_path / "two").read_text()


def test_the_deal_does_not_depend_on_what_is_played(tmp_path: Path) -> None:
    for name, typed in (("one", "1\n1\n1\n1\nquit\n"), ("two", "9\n1\n9\n1\nquit\n")):
        echtra(*KELTIS, "--deal", "league", "--save", tmp_path / name, typed=typed)
    assert lines(tmp_path / "one", 0) != lines(tmp_path / "two", 0)
    assert lines(tmp_path / "one", -1)[:3] == lines(tmp_path / "two", -1)[:3]


@pytest.mark.parametrize("stop", [0, 1, 7, 20])
def test_a_match_left_and_resumed_is_the_match_played_through(tmp_path: Path, stop: int) -> None:
    through, left = tmp_path / "through", tmp_path / "left"
    echtra(*KELTIS, "--seats", "3", "--deal", "k", "--save", through, typed=ONES)
    result = echtra(*KELTIS, "--seats", "3", "--deal", "k", "--save", left, typed="1\n" * stop)
    assert result.exit_code == 0
    assert f"echtra play --resume {left} --deal k" in result.stdout
    assert kept(left).scores is None
    result = echtra("play", "--resume", left, "--deal", "k", typed=ONES)
    assert result.exit_code == 0
    assert left.read_text() == through.read_text()


def test_resuming_without_a_key_goes_on_with_other_cards(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        echtra(*KELTIS, "--seed", "1", "--save", tmp_path / name, typed="1\n1\n")
        echtra("play", "--resume", tmp_path / name, typed=ONES)
        texts.append(lines(tmp_path / name, -1))
    assert texts[0][:2] == texts[1][:2]
    assert texts[0] != texts[1]


def test_another_seat_and_a_log_without_bots(tmp_path: Path, saved: Path) -> None:
    echtra(*KELTIS, "--seats", "3", "--as", "1", "--seed", "1", "--save", saved, typed="quit\n")
    assert [str(move) for move in kept(saved).moves[:2]] == ["! bot 0 random", "! bot 2 random"]
    assert "You play as Aoife. The others: " in echtra("play", "--resume", saved, typed="quit\n").stdout
    assert "A bot plays seat 0 in this match; free seats: 1." in refused("play", "--resume", saved, "--as", "0")
    bare = tmp_path / "bare.log"
    bare.write_text("game keltis · revision 1 · seats 3\n")
    echtra("play", "--resume", bare, "--as", "2", "--bot", "random", typed="quit\n")
    assert [str(move) for move in kept(bare).moves[:2]] == ["! bot 0 random", "! bot 1 random"]


def test_a_match_that_is_over_or_wrong_is_not_resumed(saved: Path) -> None:
    echtra(*KELTIS, "--seed", "1", "--save", saved, typed=ONES)
    assert "this match is over; view it with: echtra replay" in refused("play", "--resume", saved)
    saved.write_text("game keltis · revision 1 · seats 2\n0 lay R5\n")
    assert refused("play", "--resume", saved).startswith(f"{saved}: line 2: 0 lay R5: ")


def test_a_file_that_is_there_is_not_overwritten(saved: Path) -> None:
    saved.write_text("mine")
    assert "already exists; choose another name" in refused(*KELTIS, "--save", saved)
    assert saved.read_text() == "mine"


TYPED = [
    ("1", ["lay {0}", "draw deck"]),  # as the row says: there is nothing else to draw from
    ("1.", ["lay {0}", "draw deck"]),
    ("lay {0}", ["lay {0}", "draw deck"]),
    ("  LAY   {0} ", ["lay {0}", "draw deck"]),
    ("discard {0}", ["discard {0}", "draw deck"]),
    ("défausse {0}", ["discard {0}", "draw deck"]),
    ("poser {0}", ["lay {0}", "draw deck"]),
    ("poser {french}", ["lay {0}", "draw deck"]),
    ("lay {0}; draw deck", ["lay {0}", "draw deck"]),
    ("jeter {0}, piocher pioche", ["discard {0}", "draw deck"]),
    ("lay {0}; draw deck; discard {1}", ["lay {0}", "draw deck", "discard {1}"]),
]


@pytest.mark.parametrize(("typed", "made"), TYPED)
def test_what_may_be_typed(saved: Path, typed: str, made: list[str]) -> None:
    echtra(*KELTIS, "--seed", "1", "--save", saved, typed="quit\n")
    hand = sorted(lines(saved, -1)[0].split(" ")[2:], key="RYGBPN".find)
    first = "R" if any(card[0] == "R" for card in hand) else hand[0][0]
    cards = [card for card in lines(saved, -1)[0].split(" ")[2:] if card[0] == first]
    shown = echtra("play", "--resume", saved, "--seed", "1", typed="quit\n").stdout
    menu = next(row for row in shown.splitlines() if row.startswith("  1  "))
    assert ", then draw from the deck" in menu
    one = next(card for card in cards if f"{card};" in menu.split())
    other = next(card for card in hand if card != one)
    saved.unlink()
    echtra(*KELTIS, "--seed", "1", "--save", saved, typed=typed.format(one, other, french=card_code(one, "fr")) + "\n")
    assert lines(saved, 0) == [line.format(one, other) for line in made]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("gibberish", "“gibberish” means nothing here. Type a number from 1 to"),
        ("999", "“999” means nothing here."),
        ("0", "“0” means nothing here."),
        ("9" * 9000, "means nothing here."),
        ("draw deck", "draw deck: first lay a card, discard one or take a wish stone; the draw comes after that."),
        ("draw 0 R5", "draw 0 R5: the cards are dealt by chance."),
        ("bot 0 steady", "means nothing here."),
        ("discard", "“discard” may mean: discard "),
        ("keys " + "a" * 43, ": it is not one of the moves you can make now."),
        ("\x1b[Z\x00", "“[Z” means nothing here."),
    ],
)
def test_what_is_not_understood_changes_nothing(saved: Path, typed: str, said: str) -> None:
    result = echtra(*KELTIS, "--seed", "1", "--save", saved, typed=f"{typed}\n\n")
    assert said in " ".join(result.stdout.split())
    assert lines(saved, 0) == []


def test_waiting_lines_that_no_longer_fit_are_dropped_and_told(saved: Path) -> None:
    result = echtra(*KELTIS, "--seed", "1", "--save", saved, typed="1; draw deck; draw deck; lay R5\n")
    assert "No longer possible, so it was dropped: draw deck; lay R5" in result.stdout
    assert lines(saved, 0)[1:] == ["draw deck"]


def test_commands_show_and_do_not_move(saved: Path) -> None:
    result = echtra(*KELTIS, "--seed", "1", "--save", saved, typed="?\ntable\nhistory\noptions\nmore\nrules\nquit\n")
    shown, _, rest = result.stdout.partition("What you can type")[2].partition("Your choice:")
    assert len(shown.splitlines()) < 14, "the help fits a small window"
    assert "the full rules of the game" in shown
    assert "Keltis, the card game, the full rules" in rest
    assert result.stdout.count("Keltis · turn 1 ·") == 2
    assert "   2  Aoife is dealt eight cards: " in result.stdout
    assert "That was the whole list." in result.stdout
    assert lines(saved, 0) == []


def before_last_cards(path: Path) -> int:
    """Return a file with a match in which seat 0 chooses last cards from a long list; its length."""
    for number in range(1, 200):
        play_match(SimulationPlan("keltis", 4, {}, ("random",) * 4, 1, str(path.parent)), number)
        log = kept(path.parent / f"keltis-4-1-{number}.log")
        moves = tuple(move for move in log.moves if not move.line.startswith("last "))
        cut = replace(log, moves=moves, scores=None)
        count = len(legal(replay(cut).state, 0))
        if count > 60:
            path.write_text(str(cut))
            return count
    pytest.fail("no match came to a long list")


def test_long_lists_are_cut_at_forty_and_say_how_many_are_left(saved: Path) -> None:
    count = before_last_cards(saved)
    result = echtra("play", "--resume", saved, "--bot", "random", typed="more\nquit\n")
    first, _, then = result.stdout.partition("Your choice: more")
    assert " 40  Lay last cards: " in first
    assert " 41  " not in first
    assert f"{count - 40} options are not shown; type `more` to see them" in " ".join(first.split())
    assert " 41  Lay last cards: " in then
    result = echtra("play", "--resume", saved, "--bot", "random", typed=f"{count}\n")
    assert result.exit_code == 0
    assert "Total" in result.stdout


def test_resigning_asks_first_and_ends_a_match_of_two(saved: Path) -> None:
    result = echtra(*KELTIS, "--seed", "1", "--save", saved, typed="resign\nno\nresign\nyes\n")
    assert "You play on." in result.stdout
    assert "Aoife resigns." in result.stdout
    assert "Random wins." in result.stdout
    assert lines(saved, 0) == ["resign"]


def test_after_resigning_among_three_the_stand_in_plays_on(saved: Path) -> None:
    result = echtra(*KELTIS, "--seats", "3", "--seed", "1", "--save", saved, typed="abandonner\noui\n", env=FRENCH)
    assert result.exit_code == 0
    log = kept(saved)
    assert log.scores is not None
    at = [str(move) for move in log.moves].index("0 resign")
    assert str(log.moves[at + 1]) == f"! bot 0 {GAMES['keltis'].bots.current('steady')}"
    assert "gagne." in result.stdout or "se partagent la victoire." in result.stdout


def test_french_from_end_to_end() -> None:
    result = echtra(*KELTIS, "--seed", "1", typed="?\nrègles\n" + ONES, env=FRENCH)
    assert result.exit_code == 0
    for said in (
        "Vous jouez sous le nom Aoife.",
        "Vos possibilités",
        "Jouer\N{NO-BREAK SPACE}: posez ou défaussez une carte",
        "Votre choix :",
        "Votre main\N{NO-BREAK SPACE}: ",
        "Points pour",
    ):
        assert said in result.stdout
    for english in ("Your", "Seat ", "Type a", "wins"):
        assert english not in result.stdout


@pytest.fixture
def rival(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game whose option brings a rival for a match alone."""
    titles = {"en": "a rival", "fr": "un adversaire"}
    option = Option("ogre", "none", titles, ("none", *LEVELS))  # type: ignore[arg-type]
    keltis = GAMES["keltis"]
    rules = replace(keltis.rules, slug="solo", options=(*keltis.rules.options, option))
    bots = replace(keltis.bots, by_name={**keltis.bots.by_name, "ogre": keltis.bots.by_name["random"]})
    words = replace(keltis.presentation.words, bots={"en": {"ogre": "Ogre"}, "fr": {"ogre": "Ogre"}})
    game = replace(keltis, rules=rules, bots=bots, presentation=replace(keltis.presentation, words=words))
    monkeypatch.setitem(GAMES, "solo", game)
    return "ogre"


def test_a_rival_is_chosen_like_a_bot_and_fixed_in_the_header(saved: Path, rival: str) -> None:
    result = echtra("play", "solo", "--bot", rival, "--seed", "1", "--save", saved, typed=ONES)
    assert result.exit_code == 0, result.output
    assert "The others: Ogre." in result.stdout
    log = kept(saved)
    assert log.settings == {"ogre": "normal"}
    assert str(log.moves[0]) == "! bot 1 ogre"
    saved.unlink()
    echtra("play", "solo", "--bot", rival, "--difficulty", "hard", "--seed", "1", "--save", saved, typed="1\n1\n")
    assert kept(saved).settings == {"ogre": "hard"}
    assert "The others: Ogre." in echtra("play", "--resume", saved, typed="1\n1\n").stdout
    assert "it takes: none, gentle, easy, normal, hard, impossible." in refused(
        "play", "solo", "--bot", rival, "--difficulty", "silly"
    )
    assert "A match against Ogre has two seats" in refused("play", "solo", "--bot", rival, "--seats", "3")
    assert "ogre only plays solo matches" in refused("play", "solo", "--bots", rival)
