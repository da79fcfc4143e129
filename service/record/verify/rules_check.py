"""Check a record by the rules of its game: moves are listed, draws follow from the seed, redacted forms fit."""

from __future__ import annotations

from dataclasses import replace

from engine.chance import Numbered, match_key
from engine.game import CHANCE, CORE_VERBS, AnyAction, AnyGame, Seal, State, final_scores, seal, to_act
from engine.games import GAMES
from engine.house import BotTakes, Timeout, objection
from engine.notation import NotALine
from engine.options import BadSetting
from engine.playout import roll_chance
from engine.reading import read
from service.record.entry import Entry
from service.record.errors import BadRecordPart
from service.record.header import Header
from service.record.match_state import MatchInfo, MatchState, initial_match_state
from service.record.verify.hidden_states import (
    MOST_TRIES_REDACTED,
    any_chance_action,
    find_action_shown_as,
    has_redacted_form,
    search_hidden_states,
)
from service.record.verify.reader import VIEWER_ALL, VIEWER_SPECTATOR

ANYTIME_VERBS = ("resign", "keys")


class RulesChecker:
    """Replays a record by the rules of its game, as far as its reader may see.

    After a redacted entry it continues with some state that fits everything shown. Who is asked, what the reader's own
    seat may do, and how hidden lines look are the same in every such state. If it finds no state that fits the other
    players' moves, it is `lost` and from then on checks only the forms of lines.
    """

    match_state: MatchState
    """The match so far, from `start` on."""

    def __init__(self) -> None:
        self.seed: bytes | None = None
        self.whole = True
        """True if the reader may see everything."""
        self.viewer: int | None = None
        self.guessed = False
        self.lost = False
        self.sealed: dict[int, int] = {}
        """Entries redacted until the next reveal, with the reveals before them."""
        self.open: dict[int, int] = {}
        """Entries of other seats that are open although they may only be open after the next reveal."""

    def start(self, header: Header, viewer: str, seed: bytes | None) -> None:
        """Set up the game of the header as this viewer sees it. The seed is given if the match is over."""
        game = GAMES.get(header.game)
        if game is None:
            raise BadRecordPart("rules", f"this program does not know the game {header.game}")
        if not 1 <= header.revision <= game.rules.revision:
            raise BadRecordPart("rules", f"this program does not know revision {header.revision} of {header.game}")
        for place in header.places:
            _check_bot_exists(game, place.bot)
        self.seed, self.whole = seed, viewer == VIEWER_ALL
        self.viewer = None if viewer in (VIEWER_ALL, VIEWER_SPECTATOR) else int(viewer)
        known = MatchInfo(
            id=header.match,
            game=game,
            seats=header.seats,
            settings=header.option_values(),
            revision=header.revision,
            signed_only=header.moves == "signed",
            seed=seed or b"",
            key=match_key(seed, header.nonces, header.beacon) if seed is not None else b"",
            header=header,
            header_hash=header.hash,
        )
        try:
            self.match_state = initial_match_state(known)
        except BadSetting as error:
            raise BadRecordPart("rules", str(error)) from None

    def check_entry(self, entry: Entry) -> None:
        """Check one entry and apply it to the state."""
        if entry.redacted:
            self._apply_redacted(self.match_state, entry)
        else:
            self._apply_open(self.match_state, entry)
        reveals = self.match_state.state.reveals
        for seq, before in self.sealed.items():
            if before < reveals:
                raise BadRecordPart("rules", f"entry {seq} is redacted, though it was revealed here")
        self.open = {seq: before for seq, before in self.open.items() if before == reveals}

    def _apply_redacted(self, match_state: MatchState, entry: Entry) -> None:
        """Apply some line that looks like this one to the reader."""
        game, state, seat, shown = match_state.facts.game, match_state.state, entry.seat, entry.shown
        if not has_redacted_form(game, shown):
            raise BadRecordPart("rules", f"{shown}: no line of the game is shown like this")
        if self.lost:
            return
        found = self._match_shown(state, entry)
        if found is None and self.guessed and seat in to_act(state) and seat not in (CHANCE, self.viewer):
            found = search_hidden_states(
                game, state, self.viewer, lambda other: self._match_shown(other, entry), MOST_TRIES_REDACTED
            )
        if found is None:
            raise BadRecordPart("rules", f"{shown}: this is not what the game shows this reader here")
        state, action = found
        if seal(state, action) is Seal.UNTIL_REVEAL:
            self.sealed[entry.seq] = state.reveals
        self.guessed = True
        self.match_state = replace(match_state, state=state).after(seat, action, entry.hash, entry.at)

    def _match_shown(self, state: State, entry: Entry) -> tuple[State, AnyAction] | None:
        """Return the state with an action that the game shows like this entry, or None."""
        action = find_action_shown_as(state, entry.seat, self.viewer, entry.shown)
        return None if action is None else (state, action)

    def _apply_open(self, match_state: MatchState, entry: Entry) -> None:
        """Check and apply a line that the reader may see."""
        try:
            action = read(match_state.facts.game, entry.line, entry.seat)
        except NotALine as error:
            raise BadRecordPart("rules", f"{entry.line}: {error}") from None
        if self.lost:
            return
        state = self._find_allowing_state(match_state, entry, action)
        if state is None:
            self.lost = True
            return
        match_state = replace(match_state, state=state)
        self._check_house_line(match_state, action)
        self._check_visible(state, entry, action)
        if entry.kind == "signed":
            self._check_signed_line(match_state, entry)
        if entry.seat == CHANCE and self.seed is not None:
            drawn = roll_chance(state, Numbered(match_state.facts.key, state.picks))
            if drawn != action:
                raise BadRecordPart("rules", f"{entry.line}: the seed draws {drawn.line}")
        self.match_state = match_state.after(entry.seat, action, entry.hash, entry.at)

    def _find_allowing_state(self, match_state: MatchState, entry: Entry, action: AnyAction) -> State | None:
        """Return a state in which the line is legal: this one, or another that fits everything shown; else None."""
        state, seat = match_state.state, entry.seat
        why = objection(state, seat, action)
        if not why:
            return state
        certain = not self.guessed or action.verb in CORE_VERBS or seat == self.viewer or seat not in to_act(state)
        if certain or (seat == CHANCE and not _has_same_verb_and_length(any_chance_action(state), action)):
            raise BadRecordPart("rules", f"{entry.line}: {why}")
        fits = lambda other: None if objection(other, seat, action) else other  # noqa: E731  # one test of one state
        return search_hidden_states(match_state.facts.game, state, self.viewer, fits)

    @staticmethod
    def _check_house_line(match_state: MatchState, action: AnyAction) -> None:
        if isinstance(action, BotTakes):
            _check_bot_exists(match_state.facts.game, action.name)
        if isinstance(action, Timeout) and match_state.questions[action.seat] is None:
            raise BadRecordPart("rules", f"{action.line}: seat {action.seat} was asked nothing")

    def _check_visible(self, state: State, entry: Entry, action: AnyAction) -> None:
        """Refuse a line that the game would hide from this reader."""
        if self.whole or action.owner(entry.seat) == self.viewer:
            return
        sealed = seal(state, action)
        if sealed is Seal.UNTIL_END:
            raise BadRecordPart("rules", f"{entry.line}: the game hides this line from this reader")
        if sealed is Seal.UNTIL_REVEAL:
            self.open[entry.seq] = state.reveals

    def _check_signed_line(self, match_state: MatchState, entry: Entry) -> None:
        question = match_state.questions[entry.seat]
        anytime = entry.orders or entry.line.split(" ", 1)[0] in ANYTIME_VERBS
        if entry.n == 1 and not anytime and (question is None or question.asked != entry.asked):
            raise BadRecordPart("rules", f"{entry.line}: seat {entry.seat} was not asked since entry {entry.asked}")
        if self.guessed and entry.seat != self.viewer:
            return
        for other in entry.alternatives:
            if other == entry.line:
                return
            try:
                action = read(match_state.facts.game, other, entry.seat)
            except NotALine:
                continue
            if not objection(match_state.state, entry.seat, action):
                raise BadRecordPart("rules", f"{entry.line}: {other} came before it and was listed too")

    def finish(self) -> None:
        """Check at the end that the match is over if, and only if, the seed is out, and that no entry is open early."""
        if self.lost:
            return
        if self.open:
            raise BadRecordPart("rules", f"entry {min(self.open)} is open, though the game has not revealed it yet")
        if self.match_state.state.over and self.seed is None:
            raise BadRecordPart(
                "rules",
                "by the rules the match is over, but its seed is missing (a shared deal gives it last)",
            )
        if not self.match_state.state.over and self.seed is not None:
            raise BadRecordPart("rules", "the seed is out, but by the rules the match is not over")

    def scores(self) -> tuple[int, ...]:
        """Return the final scores once everything was seen: by the rules, or by decision of the house."""
        if self.guessed or self.lost or not self.match_state.state.over:
            return ()
        return tuple(score.total for score in final_scores(self.match_state.facts.game, self.match_state.state))


def _has_same_verb_and_length(one: AnyAction, other: AnyAction) -> bool:
    """Return True if two lines of chance have the same verb and length."""
    return one.verb == other.verb and len(one.line.split(" ")) == len(other.line.split(" "))


def _check_bot_exists(game: AnyGame, name: str) -> None:
    if name and not game.bots.knows(name):
        raise BadRecordPart("rules", f"{game.slug} has no bot {name}")
