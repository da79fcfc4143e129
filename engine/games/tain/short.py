"""The short forms of Táin for emails: `W 3`, `W 3; B b4; pass`, `B b4,b5,c4`, `all D 4, X 5`, `prefer D`."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.game import Options, Seat
from engine.games.tain.tokens import GATES, KINGDOM, LETTERS
from engine.games.tain.view import TainView
from engine.games.tain.words import FORMER_NAMES, FRENCH_LETTERS, KIND_NAMES, WORDS
from engine.reading import Unclear, choose_option
from engine.words import plain

STAMP = re.compile(r"#\s*(\d+)\.(\d+)\s*")
TOKENS = {
    **{kind.lower(): kind for kind in KIND_NAMES["en"]},
    **{letter.lower(): kind for kind, letter in FRENCH_LETTERS.items()},
    **{plain(name): kind for names in KIND_NAMES.values() for kind, name in names.items()},
    **{plain(name): kind for names in FORMER_NAMES.values() for kind, former in names.items() for name in former},
}
KIND = "|".join(sorted(TOKENS, key=len, reverse=True))
PLACE = r"(?:k|kingdom|royaume(?: etranger)?|[a-d]?[1-5])"
NEXT = re.compile(rf"[;\n]+|,(?=\s*(?:(?:{KIND})\s+{PLACE}\b|pass))")
ITEM = re.compile(rf"(?:(?:put|pose|poser|place)\s+)?({KIND})\s+({PLACE}(?:\s*,\s*{PLACE})*)")
PASS = re.compile(r"pass(?:e|er)?")
ALL = re.compile(
    r"(?:post\s+|poser?\s+(?:les\s+)?)?(all|tout|tous|toutes|guards|gardes|gardiens)\s*:?\s+(.+)", re.DOTALL
)
PAIR = re.compile(
    rf"(?:(?:and|et)\s+)?(?:(?:the|a|my|le|la|un|une|ma|mon)\s+)?({KIND})\s*(?:(?:at|on|a)\s+)?(?:(?:gate|(?:l\s?)?entree|(?:la\s)?porte)\s+)?([1-5])"
)
NO_GUARDS = re.compile(r"post no more guards|ne pos(?:er|e) aucun autre gardien")
NONE = frozenset({"none", "nobody", "aucun", "aucune", "personne", "rien"})
FREE = re.compile(rf"(?:free|libere|liberer|delivre|delivrer)\s+({KIND})\s+([a-d])")
PREFER = re.compile(rf"(?:prefer|prefere|preferer)\s+({KIND})")


def short(view: TainView, options: Options, text: str) -> tuple[str, ...] | None:
    """Return the canonical lines of a short form, or None for any other text."""
    stamp = STAMP.match(text)
    if stamp and (int(stamp[1]), int(stamp[2])) != (view.round, view.placement):
        raise Unclear(text, stale=True)
    rest = text[stamp.end() if stamp else 0 :].strip().rstrip(".")
    lines = _lines(view, _bare(rest)) if view.seat is not None else None
    if lines is None and stamp:
        return (choose_option(WORDS, rest, options).line,)
    return lines


def _bare(text: str) -> str:
    """Return the text in lower case without accents, but with the signs that separate orders."""
    return "".join(map(_letter, text))


@lru_cache(maxsize=256)
def _letter(sign: str) -> str:
    return sign if sign in ",;\n" else plain(sign) or " "


def _lines(view: TainView, text: str) -> tuple[str, ...] | None:
    if view.phase == "guards" and NO_GUARDS.fullmatch(text):
        return ("guards none",)
    if whole := ALL.fullmatch(text):
        return _all(whole[2], guarding=view.phase == "guards" or whole[1].startswith("g"))
    seat = view.seat or 0
    if (freeing := FREE.fullmatch(text)) and TOKENS[freeing[1]] in "BD":
        return (f"free {TOKENS[freeing[1]]} {freeing[2]}",)
    if (wish := PREFER.fullmatch(text)) and TOKENS[wish[1]] in "BD":
        holders = [LETTERS[each] for each in range(view.seats) if each != seat]
        return (" | ".join(f"free {TOKENS[wish[1]]} {holder}" for holder in holders),)
    parts = [part.strip() for part in NEXT.split(text) if part.strip()]
    lines = [_item(seat, part) for part in parts]
    return tuple(line for line in lines if line) if lines and all(lines) else None


def _item(seat: Seat, text: str) -> str:
    if PASS.fullmatch(text):
        return "pass"
    item = ITEM.fullmatch(text)
    if not item:
        return ""
    kind, places = TOKENS[item[1]], [_place(seat, place.strip()) for place in item[2].split(",")]
    return " | ".join(f"put {kind} {place}" for place in dict.fromkeys(places))


def _place(seat: Seat, place: str) -> str:
    if place[-1] not in GATES:
        return KINGDOM
    return place[-1] if place[0] == LETTERS[seat] else place


def _all(text: str, *, guarding: bool) -> tuple[str, ...] | None:
    if text in NONE:
        return ("guards none" if guarding else "pass",)
    pairs = [PAIR.fullmatch(part.strip()) for part in re.split(r"[,;]|(?<=[1-5])\s+", text) if part.strip()]
    posts = [(pair[2], TOKENS[pair[1]]) for pair in pairs if pair]
    if len(posts) < len(pairs) or not posts:
        return None
    if guarding:
        return (" ".join(["guards", *(kind + gate for gate, kind in sorted(posts))]),)
    return (*(f"put {kind} {gate}" for gate, kind in posts), "pass")
