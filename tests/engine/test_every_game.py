"""Rules for every game we have, at every number of seats, however it is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from random import Random
from typing import Any

import pytest

from engine import snapshot
from engine.chance import seeded_pick
from engine.game import (
    CHANCE,
    CORE_VERBS,
    Action,
    Chance,
    Seal,
    Thinker,
    apply,
    final_scores,
    legal,
    seal,
    to_act,
    winners,
)
from engine.games import GAMES
from engine.log import parse, replay
from engine.notation import LINE, Hidden, slots
from engine.notation import setting as written
from engine.playout import answer, play_out, roll_chance
from engine.reading import read
from engine.words import LOCALES
from tests.engine.conserved import conserved
from tests.skeleton_game import GAME as SKELETON
from tests.support.random_matches import ALL_TABLES, fitting, has_secrets, hurried, played, viewers

SEEDS = range(20)

every_table = pytest.mark.parametrize(("slug", "seats"), ALL_TABLES)
every_game = pytest.mark.parametrize("slug", [*GAMES, SKELETON.slug])


@every_table
def test_somebody_is_asked_until_the_match_is_over(slug: str, seats: int) -> None:
    for seed in SEEDS:
        match = played(slug, seats, seed)
        for moment in match.moments:
            for seat in to_act(moment.state) - {CHANCE}:
                assert legal(moment.state, seat), "asked, but nothing is listed"
            for seat in set(range(seats)) - to_act(moment.state):
                assert not legal(moment.state, seat), "not asked, but something is listed"
        assert match.end.over
        assert not to_act(match.end)


@every_table
def test_states_keep_their_fields_and_lose_nothing(slug: str, seats: int) -> None:
    game, check = GAMES[slug], conserved(slug)
    names = {field.name for field in fields(game.rules.state)}
    for seed in SEEDS:
        match = played(slug, seats, seed)
        for state in (*(moment.state for moment in match.moments), match.end):
            assert type(state) is game.rules.state
            assert vars(state).keys() == names
            assert all(type(step) in game.rules.steps for step in state.agenda)
            check(state)


@every_table
def test_options_are_listed_once_and_read_back_as_written(slug: str, seats: int) -> None:
    game, checked = GAMES[slug], set()
    for seed in SEEDS:
        for moment in played(slug, seats, seed).moments:
            for seat in to_act(moment.state):
                options = [moment.action] if seat == CHANCE else list(legal(moment.state, seat))
                lines = [option.line for option in options]
                assert len(set(lines)) == len(lines)
                for option in options:
                    if (option.line, seat) not in checked:
                        checked.add((option.line, seat))
                        assert type(option) in game.rules.actions
                        assert LINE.fullmatch(option.line)
                        assert len(option.line) <= 400
                        assert read(game, option.line, seat) == option
                        assert option in legal(moment.state, seat)


@every_table
def test_chance_rolls_what_is_possible_and_counts_its_picks(slug: str, seats: int) -> None:
    match = played(slug, seats, 0)
    for moment, after in zip(match.moments, match.afters, strict=True):
        if moment.seat != CHANCE:
            assert after.picks == moment.state.picks
            continue
        step = moment.state.agenda[0]
        assert isinstance(step, Chance)
        for high in (False, True):
            source = Counted(high)
            assert roll_chance(moment.state, source) in legal(moment.state, CHANCE)
            assert source.used == step.picks(moment.state) == after.picks - moment.state.picks


@dataclass
class Counted:
    """Always the first or always the last choice, and how often it was asked."""

    high: bool
    used: int = 0

    def __call__(self, n: int) -> int:
        """The choice."""
        self.used += 1
        return n - 1 if self.high else 0


@every_table
def test_text_of_a_match_replays_to_the_same_state(slug: str, seats: int) -> None:
    for seed in SEEDS:
        match = played(slug, seats, seed)
        log = match.log
        text = str(log)
        again = parse(text, GAMES)
        assert str(again) == text
        assert again.moves == log.moves
        result = replay(again)
        assert result.fault is None
        assert result.good == len(log.moves)
        assert result.state == match.end


@every_table
def test_replay_stops_where_asked(slug: str, seats: int) -> None:
    match = played(slug, seats, 1)
    for at in (0, 1, len(match.moments) // 2, len(match.moments) - 1):
        result = replay(match.log, at)
        assert result.fault is None
        assert result.state == match.moments[at].state
    assert replay(match.log, len(match.moments)).state == match.end


@every_table
def test_an_illegal_line_is_named_with_its_row(slug: str, seats: int) -> None:
    for seed in range(4):
        match = played(slug, seats, seed)
        random = Random(seed)
        rows = str(match.log).splitlines(keepends=True)
        for _ in range(12):
            at = random.randrange(len(match.moments))
            other = random.choice(match.moments)
            if other.action in legal(match.moments[at].state, other.seat):
                continue
            sign = {CHANCE: "*"}.get(other.seat, other.seat)
            wrong = [*rows[: at + 1], f"{sign} {other.action.line}\n", *rows[at + 1 :]]
            result = replay(parse("".join(wrong), GAMES))
            assert result.fault is not None
            assert result.fault.row == at + 2
            assert other.action.line in str(result.fault)
            assert result.good == at
            assert result.state == match.moments[at].state


@every_table
def test_what_a_seat_cannot_see_changes_nothing_for_it(slug: str, seats: int) -> None:
    game, changed = GAMES[slug], 0
    for seed in range(6):
        match = played(slug, seats, seed)
        for moment in match.some(12, seed):
            for viewer in viewers(moment.state):
                other = game.rules.redeal(moment.state, viewer, seeded_pick(seed + 1))
                changed += other != moment.state
                conserved(slug)(other)
                assert game.rules.view(other, viewer) == game.rules.view(moment.state, viewer)
                assert to_act(other) == to_act(moment.state)
                if viewer is not None:
                    assert list(legal(other, viewer)) == list(legal(moment.state, viewer))
    assert changed > seats if has_secrets(game) else not changed


@every_table
def test_another_seats_sealed_line_looks_the_same_whatever_it_says(slug: str, seats: int) -> None:
    game = GAMES[slug]
    for moment in played(slug, seats, 0).some(40):
        if seal(moment.state, moment.action) is Seal.NEVER or moment.seat == CHANCE:
            continue
        for viewer in set(viewers(moment.state)) - {moment.seat}:
            shown = moment.action.seen_by(moment.seat, viewer)
            alike = [
                option
                for option in legal(moment.state, moment.seat)
                if option.seen_by(moment.seat, viewer) == shown and seal(moment.state, option) is not Seal.NEVER
            ]
            afters = [apply(moment.state, moment.seat, option) for option in alike[:10]]
            views = [game.rules.view(after, viewer) for after in afters if not after.over]
            reveals = {after.reveals for after in afters}
            if reveals == {moment.state.reveals}:
                assert all(view == views[0] for view in views)


@every_table
def test_redacted_lines_fit_and_show_no_hidden_word(slug: str, seats: int) -> None:
    for seed in range(4):
        for moment in played(slug, seats, seed).moments:
            action, owner = moment.action, moment.action.owner(moment.seat)
            assert action.seen_by(moment.seat, owner) == action.line
            secret = set(_secret(action))
            open_words = [word for word in action.line.split() if word not in secret]
            for viewer in set(viewers(moment.state)) - {owner}:
                shown = action.seen_by(moment.seat, viewer)
                assert fitting(shown, action.line)
                assert ("?" in shown) == bool(secret)
                assert [word for word in shown.split() if word != "?"] == open_words


def _secret(action: Action[Any]) -> Iterator[str]:
    for name, slot in slots(type(action)):
        if slot.hidden is not Hidden.NO:
            value = getattr(action, name)
            yield from map(str, value or [slot.empty]) if isinstance(value, tuple) else [str(value)]


@every_table
def test_a_redeal_is_the_same_for_all_tables_that_a_viewer_cannot_tell_apart(slug: str, seats: int) -> None:
    game, changed = GAMES[slug], 0
    for moment in played(slug, seats, 3).some(20):
        for viewer in viewers(moment.state):
            for seed in range(2):
                other = game.rules.redeal(moment.state, viewer, seeded_pick(seed))
                changed += other != moment.state
                again, truth = (game.rules.redeal(table, viewer, seeded_pick(7)) for table in (other, moment.state))
                assert snapshot.dump(game, again) == snapshot.dump(game, truth)
    assert bool(changed) == has_secrets(game)


@every_table
def test_bots_answer_with_a_listed_option_and_repeat_themselves(slug: str, seats: int) -> None:
    game = GAMES[slug]
    for moment in played(slug, seats, 3).some(25):
        for seat in to_act(moment.state) - {CHANCE}:
            for name, slow in game.bots.by_name.items():
                bot = hurried(slow)
                first = answer(game, moment.state, seat, bot, seeded_pick(5))
                assert first in legal(moment.state, seat), name
                assert answer(game, moment.state, seat, bot, seeded_pick(5)) == first


@every_table
def test_bots_finish_their_matches(slug: str, seats: int) -> None:
    game = GAMES[slug]
    pick = seeded_pick(seats)
    for bot in map(hurried, game.bots.by_name.values()):
        if isinstance(bot, Thinker) and seats > game.rules.seats[0]:
            continue  # more seats only take longer; the test before this one asks such bots at every table
        *_, (_, _, end) = play_out(
            game, game.rules.start(seats), pick, dict.fromkeys(range(seats), bot), lambda _: pick
        )
        assert end.over


@every_table
def test_resigning_is_possible_at_any_time(slug: str, seats: int) -> None:
    game = GAMES[slug]
    match = played(slug, seats, 4)
    for at in (0, len(match.moments) // 2, len(match.moments) - 1):
        for seat in range(seats):
            action = read(game, "resign", seat)
            assert action not in legal(match.moments[at].state, seat)
            after = apply(match.moments[at].state, seat, action)
            assert after.house.resigned == (seat,)
            assert seat not in winners(game, after)
            if seats == 2:
                assert after.over
                assert winners(game, after) == (1 - seat,)
                assert final_scores(game, after) == game.rules.scores(match.moments[at].state)
            else:
                assert to_act(after) == to_act(match.moments[at].state)
                assert not after.over
            assert game.presentation.text(game.rules.view(after, seat), "fr")


@every_table
def test_a_match_with_house_lines_replays(slug: str, seats: int) -> None:
    game = GAMES[slug]
    rows = str(played(slug, seats, 5).log).splitlines(keepends=True)
    middle = len(rows) // 2
    house = ["! pause rain\n", "! timeout 0 1790000000000\n", "! resume\n", f"! bot 0 {game.bots.stand_in}\n"]
    result = replay(parse("".join([*rows[:middle], *house, *rows[middle:]]), GAMES))
    assert result.fault is None
    assert result.state.house.bots == ((0, game.bots.stand_in),)
    stopped = replay(parse("".join([*rows[:middle], house[0], *rows[middle:]]), GAMES))
    assert stopped.fault is not None
    assert stopped.fault.row == middle + 2
    assert not to_act(stopped.state)
    ended = [*rows[:middle], "! end agreed\n"]
    state = replay(parse("".join(ended), GAMES)).state
    assert state.over
    totals = " ".join(str(score.total) for score in final_scores(game, state))
    assert replay(parse("".join([*ended, f"scores {totals}\n"]), GAMES)).fault is None


@every_game
def test_the_record_of_a_game_is_complete(slug: str) -> None:
    game = GAMES[slug]
    assert re.fullmatch(r"[a-z][a-z0-9-]{0,31}", slug)
    assert game.slug == slug
    assert {"random", "steady"} <= game.bots.by_name.keys()
    assert game.bots.stand_in in game.bots.by_name
    assert not game.rules.verbs.keys() & CORE_VERBS
    for texts in (
        game.presentation.title,
        game.presentation.rules_summary,
        *(option.title for option in game.rules.options),
    ):
        assert all(texts[locale].strip() for locale in LOCALES)


@every_game
def test_every_choice_of_an_option_can_be_played_and_written(slug: str) -> None:
    game = GAMES[slug]
    for option in game.rules.options:
        for value in option.choices:
            if not option.fits(value, game.rules.seats[0]):
                continue
            state = game.rules.start(game.rules.seats[0], {option.name: value})
            text = f"game {slug} · revision {game.rules.revision} · seats {game.rules.seats[0]}"
            text += "\n" if value == option.default else f" · {option.name} {written(value)}\n"
            log = parse(text, GAMES)
            assert str(log) == text
            assert log.start() == state
