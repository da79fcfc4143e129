"""The short forms of Bardwood Grove for emails: `+ headbang; @ c3 ~1; v all; s thorn-boar; p ul; .; prefer C A`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.game import ALTERNATIVES, CHANCE, Action, Options, Seat, apply, legal, to_act
from engine.games.bardwood_grove.rules.actions import Compose, Fan, Move
from engine.games.bardwood_grove.rules.cards import FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.decks import cards_of
from engine.games.bardwood_grove.rules.effects import SIGNS
from engine.games.bardwood_grove.rules.prices import lower_cost
from engine.games.bardwood_grove.rules.song_actions import SWELL, Banking, Buy, Lower, Perform, Trade
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.texts.story import KINDS
from engine.games.bardwood_grove.texts.words import WORDS
from engine.games.bardwood_grove.view import BardwoodView
from engine.notation import NotALine, parse
from engine.playout import roll_chance
from engine.reading import Unclear, choose_option, fits, tokenise
from engine.words import plain

PARTS = re.compile(r"[,;\n]+")
MOVE = re.compile(r"@\s*(?P<region>[a-cA-C][1-4])(?:\s*~\s*(?P<boat>\d))?|~\s*(?P<only>\d)")
STAY = frozenset({"stay", "reste", "rester"})
LETTERS = re.compile(r"(?P<letter>[vshbptxodkfVSHBPTXODKF])(?:\s+(?P<rest>.*))?", re.DOTALL)
BANK = re.compile(r"\$\s*(?P<rest>.+)")
BANKED = re.compile(r"(\d)\s*([mlp])")
PREFER = re.compile(r"(?:prefer|prefere|preferer)\b(?P<rest>.*)")
ALL = frozenset({"all", "tout", "tous", "toutes"})
MOST_PREFERRED = 13
MOST_TIMES = 4
MOST_BYTES = 288
"""Maximum number of Fans in one waiting line. With `stack 1` the line stays below 300 characters."""
FRENCH_SIGNS = {"P": "L", "D": "MV"}


@dataclass
class Draft:
    """A text being read: the table as if the earlier parts had been made, and the lines so far."""

    table: Bardwood
    seat: Seat
    options: Options
    lines: list[str] = field(default_factory=list)
    open: bool = True
    """True if the seat is still asked on this table, so that `options` has its next lines."""

    def make(self, action: Action[Bardwood]) -> None:
        """Record a line and make it on the imagined table. Refuse one that is not listed there."""
        if self.open and action not in self.options:
            raise Unclear(action.line)
        self.lines.append(action.line)
        if not self.open:
            return
        self.table = apply(self.table, self.seat, action)
        while CHANCE in to_act(self.table) and self.table.singing is not None:
            self.table = apply(self.table, CHANCE, roll_chance(self.table, lambda _: 0))
        self.open = self.seat in to_act(self.table)
        self.options = legal(self.table, self.seat) if self.open else ()

    def listed(self, kind: type[Action[Bardwood]]) -> list[Action[Bardwood]]:
        """Return the legal lines of a kind at this point of the text."""
        return [option for option in self.options if type(option) is kind]


def short(view: BardwoodView, options: Options, text: str) -> tuple[str, ...] | None:
    """Return the canonical lines of a text with short forms, or None if it has none."""
    parts = [part.strip() for part in PARTS.split(text) if part.strip()]
    if view.seat is None or not any(is_short(part, view) for part in parts):
        return None
    asked = view.seat in view.asked and view.phase != "bards"
    draft = Draft(view.table, view.seat, options if asked else (), open=asked)
    for at, part in enumerate(parts):
        preferred = PREFER.fullmatch(plain(part))
        if preferred:
            if at != len(parts) - 1:
                raise Unclear(part)
            return (*draft.lines, *prefer_lines(draft, preferred["rest"].split()))
        read_part(draft, part)
    return tuple(draft.lines)


def is_short(part: str, view: BardwoodView) -> bool:
    """Return True if a part of a text is a short form and not a plain line."""
    if part[0] in "+-@~$" or plain(part) in STAY or PREFER.fullmatch(plain(part)):
        return True
    if part == ".":
        return view.phase in ("compose", "move", "sing")
    return LETTERS.fullmatch(part) is not None


def read_part(draft: Draft, part: str) -> None:
    """Read one part, short or plain, and make its lines on the draft."""
    letters = LETTERS.fullmatch(part)
    moved = MOVE.fullmatch(part)
    bank = BANK.fullmatch(part)
    if part == ".":
        only(draft, part, "done", draft.options)
    elif part[0] in "+-":
        read_compose(draft, part)
    elif moved or plain(part) in STAY:
        read_move(draft, part, moved)
    elif bank:
        read_bank(draft, part, bank["rest"])
    elif letters:
        FORMS[letters["letter"].lower()](draft, part, (letters["rest"] or "").strip())
    else:
        read_plain(draft, part)


def read_plain(draft: Draft, part: str) -> None:
    """Read an ordinary line against the legal lines at this point of the text."""
    try:
        draft.make(parse(KINDS, part))
    except NotALine:
        draft.make(choose_option(WORDS, part, draft.options))


def only(draft: Draft, part: str, words: str, options: Options) -> None:
    """Make the one option that the words name, or refuse with all that they may mean."""
    if not options:
        raise Unclear(part)
    try:
        draft.make(choose_option(WORDS, words, options))
    except Unclear as unclear:
        raise Unclear(part, unclear.meant) from None


def read_compose(draft: Draft, part: str) -> None:
    """Read `+ NAME`, which puts the named Skill into the song, or `- NAME`, which discards it."""
    listed = draft.listed(Compose)
    if not listed:
        raise Unclear(part)
    said, half = tokenise(WORDS, part[1:]), "song" if part[0] == "+" else "discard"
    for exact, whole in ((True, True), (False, True), (False, False)):
        found = [
            option
            for option in listed
            if any(fits(heard, getattr(option, half), exact=exact, whole=whole) for heard in said.readings)
        ]
        if found:
            one_of(draft, part, found)
            return
    raise Unclear(part)


def read_move(draft: Draft, part: str, moved: re.Match[str] | None) -> None:
    """Read `@ b2 ~3`, `~2` or `stay`."""
    own = draft.table.players[draft.seat].region
    region = (moved["region"] or own).lower() if moved else own
    boat = int(moved["boat"] or moved["only"] or 0) if moved else 0
    if boat not in range(7):
        raise Unclear(part)
    draft.make(Move(region, boat))


def read_bank(draft: Draft, part: str, rest: str) -> None:
    """Read `$ 2M 1L`: melody first, then lyrics."""
    bare = plain(rest)
    found = {sign.replace("p", "l"): number for number, sign in BANKED.findall(bare)}
    if not found or BANKED.sub("", bare).strip():
        raise Unclear(part)
    amounts = tuple(f"{sign}{found[sign.lower()]}" for sign in "ML" if sign.lower() in found)
    draft.make(Banking(amounts))


def read_lower(draft: Draft, part: str, rest: str) -> None:
    """Read `v NAME`, or `v all`: swell if it is listed, then each time the cheapest affordable lower half."""
    if plain(rest) not in ALL:
        only(draft, part, f"lower {rest}", draft.listed(Lower))
        return
    if not draft.open:
        raise Unclear(part)
    if SWELL in draft.options:
        draft.make(SWELL)
    while lowers := draft.listed(Lower):
        draft.make(min(lowers, key=lambda action: _lower_order(draft, action)))


def _lower_order(draft: Draft, action: Action[Bardwood]) -> tuple[int, str]:
    assert isinstance(action, Lower)  # noqa: S101  # listed by kind
    cost = lower_cost(draft.table, draft.table.players[draft.seat], action.skill)
    return (cost or -SKILLS[action.skill].cost, action.skill)


def with_verb(verb: str) -> Callable[[Draft, str, str], None]:
    """Read a form that is a verb with its words."""

    def read(draft: Draft, part: str, rest: str) -> None:
        only(draft, part, f"{verb} {rest}", [option for option in draft.options if option.verb == verb])

    return read


def read_buy(draft: Draft, part: str, rest: str) -> None:
    """Read `b NAME`, or `b skill` and `b impro` for the top card of that kind here."""
    kinds = {"skill": frozenset(SKILLS), "competence": frozenset(SKILLS), "impro": frozenset(IMPROS)}
    kind = kinds.get(plain(rest))
    listed = draft.listed(Buy)
    if kind is None:
        only(draft, part, f"buy {rest}", listed)
        return
    one_of(draft, part, [option for option in listed if isinstance(option, Buy) and option.card in kind])


def one_of(draft: Draft, part: str, found: list[Action[Bardwood]]) -> None:
    """Make the only line found; refuse with all of them otherwise."""
    if len(found) != 1:
        raise Unclear(part, tuple(option.line for option in found))
    draft.make(found[0])


def read_perform(draft: Draft, part: str, rest: str) -> None:
    """Read `p ul`: at the stage here, with a rune from that quarter."""
    listed = [option for option in draft.listed(Perform) if isinstance(option, Perform)]
    said = tokenise(WORDS, rest)
    named = [option for option in listed if option.quarter and fits(said, option.quarter, exact=True, whole=True)]
    if not rest:
        one_of(draft, part, list(listed))
    elif named:
        one_of(draft, part, list(named))
    else:
        only(draft, part, f"perform {rest}", listed)


def read_trade(draft: Draft, part: str, rest: str) -> None:
    """Read `x` for the only conversion here, or `x NAME` for the named one. The market's stall is filled in."""
    if rest:
        only(draft, part, f"trade {rest}", draft.listed(Trade))
    else:
        one_of(draft, part, draft.listed(Trade))


def read_offer(draft: Draft, part: str, rest: str) -> None:
    """Read `o`: the offer of the current event."""
    if rest:
        raise Unclear(part)
    one_of(draft, part, [option for option in draft.options if option.verb == "offer"])


def read_fan(draft: Draft, part: str, rest: str) -> None:
    """Read `f 1`: a side of the Fan just met."""
    listed = draft.listed(Fan)
    one_of(draft, part, [option for option in listed if isinstance(option, Fan) and str(option.side) == rest])


FORMS: dict[str, Callable[[Draft, str, str], None]] = {
    "v": read_lower,
    "s": with_verb("soothe"),
    "h": with_verb("help"),
    "b": read_buy,
    "p": read_perform,
    "t": with_verb("tell"),
    "x": read_trade,
    "o": read_offer,
    "d": with_verb("challenge"),
    "k": with_verb("spend"),
    "f": read_fan,
}


def prefer_lines(draft: Draft, kinds: list[str]) -> tuple[str, ...]:
    """Read the alternatives for the Fan questions of this Rest: the side with the first kind named, else side 1."""
    signs = [FRENCH_SIGNS.get(kind.upper(), kind.upper()) for kind in kinds]
    if not signs or any(sign not in SIGNS for sign in signs):
        raise Unclear(" ".join(("prefer", *kinds)))
    cards = cards_of(draft.table.players[draft.seat])
    fans = sorted(card for card in cards if card in FANS)[:MOST_PREFERRED]
    lines = [f"fan {fan} {preferred_side(fan, signs)}" for fan in fans]
    while len(ALTERNATIVES.join(lines)) > MOST_BYTES:
        lines.pop()
    creatures = sum(card not in FANS and card not in SKILLS and card not in IMPROS for card in cards)
    return (ALTERNATIVES.join((*lines, "stack 1")),) * min(len(fans) + creatures, MOST_TIMES)


def preferred_side(fan: str, signs: list[str]) -> int:
    """Return the side with the first kind that only one of the two sides has, else 1."""
    one, two = FANS[fan].sides
    for sign in signs:
        has = [bool(getattr(side, SIGNS[sign])) for side in (one, two)]
        if any(has):
            return 2 if has == [False, True] else 1
    return 1
