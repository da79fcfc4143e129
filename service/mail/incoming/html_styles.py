"""Styles of HTML that decide if a text is visible and if its writer struck it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
MOST_RULES, MOST_SELECTORS = 2_000, 50
STRUCK_TAGS = frozenset({"s", "strike", "del"})
STRUCK_CLASS = re.compile(
    r"(?:^|[\s_-])(?:strike(?:-?through|d|out)?|line-?through|struck|msodel|ql-strike|crossed-?out|deleted)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Classes that mail programs use to strike out text without a tag."""
HIDDEN_CLASS = re.compile(
    r"(?:^|\s)(?:hidden|d-none|hide|sr-only|visually-hidden|visuallyhidden|screen-reader-text|preheader|mcnPreviewText)"
    r"(?:$|\s)",
    re.IGNORECASE,
)
STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;:]*line-through", re.IGNORECASE)
NO_BOX = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|mso-hide\s*:\s*all|content-visibility\s*:\s*hidden|"
    r"opacity\s*:\s*(?:0?\.0\d*|0(?:\.0\d*)?%?|[0-5]%)(?![\d.%])|"
    r"(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\s*(?:\d{4,}|[3-9]\d\d)(?:\.\d+)?\s*"
    r"(?:px|pt|em|rem|vw|vh|%)?|(?:left|top|text-indent|margin-left)\s*:\s*-\s*\d{2,}(?:\.\d+)?\s*(?:em|rem|vw)|"
    r"clip\s*:\s*rect\s*\(\s*[01](?:px)?\b|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)|"
    r"transform\s*:[^;:]*(?:scale\(\s*0\s*[,)]|translate[xy]?\(\s*-\s*\d{3,}))",
    re.IGNORECASE,
)
"""Styles that remove an element with its content from the page."""
ZERO_SIZE = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*[01](?:\.\d+)?(?:px|pt|em)?\s*(?:;|!|$)", re.IGNORECASE
)
CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
VISIBILITY = re.compile(r"(?<![\w-])visibility\s*:\s*(hidden|collapse|visible)", re.IGNORECASE)
FONT_SIZE = re.compile(
    r"(?<![\w-])font(?:-size\s*:\s*(?=[\d.]+\s*(?:[a-z%;!]|$))|\s*:[^;:]*?(?<![\w.#-])(?=[\d.]+(?:[a-z]|%)))"
    r"(\d*\.?\d+)\s*(px|pt|em|rem|ex|ch|%|vw|mm|cm|in)?(?![\w.])",
    re.IGNORECASE,
)
TINY = {"px": 1.5, "pt": 1.2, "em": 0.15, "rem": 0.15, "ex": 0.3, "ch": 0.3, "%": 15.0, "vw": 0.2, "mm": 0.4}
"""The largest size in each unit at which text is unreadable."""
COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]+)", re.IGNORECASE)
BACKGROUND = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?:[0-9a-f]{0,2})\b", re.IGNORECASE)
CHANNEL, BETWEEN = r"([0-9]{1,9})(?:\.[0-9]+)?", r"(?:\s*+,\s*+|\s++)"
RGB = re.compile(
    rf"rgba?\(\s*{CHANNEL}{BETWEEN}{CHANNEL}{BETWEEN}{CHANNEL}\s*(?:[,/]\s*([0-9]*\.?[0-9]+)(%?)\s*)?\)",
    re.IGNORECASE,
)
NAMED: dict[str, Colour] = {
    "white": WHITE,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "navy": (0, 0, 128),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
}
LEAST_CONTRAST = 16
"""Colours that differ by less in every channel look the same."""
FAINTEST = 0.06
RULE_MARKS = re.compile(r"[{};]")
SPACE = re.compile(r"\s*+")
CHAIN_TOKEN = re.compile(r"[>+~]|[^\s>+~]+")
COMPOUND = re.compile(r"(?:\*|[a-z][a-z0-9]*)?(?:[.#][\w-]+)*", re.IGNORECASE)
PART = re.compile(r"[.#][\w-]+")
LONGEST_SELECTOR, LONGEST_CHAIN = 300, 11
MOST_NESTED, MOST_STEPS = 500, 100_000


@dataclass(frozen=True)
class Style:
    """Looks of an element as its declarations set them; `None` where they do not."""

    removed: bool = False
    zero_size: bool = False
    clipped: bool = False
    struck: bool = False
    invisible: bool | None = None
    tiny: bool | None = None
    faint: bool | None = None
    colour: Colour | None = None
    """The colour that goes with `faint`: `None` where we do not know it."""
    background: Colour | None = None

    def followed_by(self, later: Style) -> Style:
        """Return both together. The later one wins."""
        inked = self if later.faint is None else later
        return Style(
            self.removed or later.removed,
            self.zero_size or later.zero_size,
            self.clipped or later.clipped,
            self.struck or later.struck,
            self.invisible if later.invisible is None else later.invisible,
            self.tiny if later.tiny is None else later.tiny,
            inked.faint,
            inked.colour,
            later.background or self.background,
        )


PLAIN = Style()


@dataclass(frozen=True)
class Looks:
    """How text looks at one place of a page, by the elements around it."""

    removed: bool = False
    """True if an element around it is not shown."""
    invisible: bool = False
    tiny: bool = False
    struck: bool = False
    colour: Colour | None = None
    """The text colour, or None if none is set."""
    faint: bool = False
    background: Colour = WHITE

    @property
    def hidden(self) -> bool:
        """True if a reader does not see it."""
        same = self.colour is not None and _look_alike(self.colour, self.background)
        return self.removed or self.invisible or self.tiny or self.faint or same

    def inside(self, name: str, marks: Mapping[str, str], style: Style) -> Looks:
        """Return the looks inside a nested element, from its attributes and its style."""
        named = f"{marks.get('class', '')} {marks.get('id', '')}"
        no_box = style.removed or (style.zero_size and style.clipped)
        inked = style.faint is not None and not style.faint
        return Looks(
            removed=self.removed or "hidden" in marks or bool(HIDDEN_CLASS.search(named)) or no_box,
            invisible=self.invisible if style.invisible is None else style.invisible,
            tiny=self.tiny if style.tiny is None else style.tiny,
            struck=self.struck or name in STRUCK_TAGS or bool(STRUCK_CLASS.search(named)) or style.struck,
            colour=style.colour if inked else self.colour,
            faint=self.faint if style.faint is None else style.faint,
            background=style.background or self.background,
        )


def parse_style(text: str) -> Style:
    """Return the style that these declarations set."""
    if not text:
        return PLAIN
    shown, size, ink = VISIBILITY.search(text), _last(FONT_SIZE, text), _last(COLOUR, text)
    return Style(
        removed=bool(NO_BOX.search(text)),
        zero_size=bool(ZERO_SIZE.search(text)),
        clipped=bool(CLIPPED.search(text)),
        struck=bool(STRUCK.search(text)),
        invisible=None if shown is None else shown[1].lower() != "visible",
        tiny=None if size is None else float(size[1]) <= TINY.get((size[2] or "px").lower(), 0.05),
        background=parse_colour(behind[1]) if (behind := _last(BACKGROUND, text)) else None,
        **_ink(ink[1] if ink else ""),
    )


def _ink(text: str) -> dict[str, Any]:
    """Return the style for a text colour. A transparent one leaves the colour unchanged."""
    if not text:
        return {}
    faint = _is_transparent(text)
    return {"faint": faint, "colour": None if faint else parse_colour(text)}


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007  # only the last counts
        pass
    return found


def _look_alike(one: Colour, other: Colour) -> bool:
    return all(abs(first - second) < LEAST_CONTRAST for first, second in zip(one, other, strict=True))


def _is_transparent(text: str) -> bool:
    found = RGB.search(text)
    alpha = float(found[4]) / (100 if found[5] else 1) if found and found[4] else 1.0
    return "transparent" in text.lower() or alpha < FAINTEST


def parse_colour(text: str) -> Colour | None:
    """Return the colour that a style names, None if it is unknown."""
    found = HEX.search(text)
    if found:
        digits = found[1] if len(found[1]) > 3 else "".join(each * 2 for each in found[1])  # noqa: PLR2004  # #rgb
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    parts = RGB.search(text)
    if parts:
        return int(parts[1]), int(parts[2]), int(parts[3])
    return next((NAMED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in NAMED), None)


@dataclass(frozen=True)
class ElementMarks:
    """The properties of an element that selectors test: name, classes and id."""

    name: str
    classes: frozenset[str] = frozenset()
    id: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The simple selectors that match it."""
        return ("*", self.name, *(f".{name}" for name in self.classes), f"#{self.id}")

    def matches(self, compound: str) -> bool:
        """Return True if a compound such as `p.big#top` matches it."""
        parts = PART.findall(compound)
        name = compound[: len(compound) - sum(map(len, parts))].lower()
        return name in ("", "*", self.name) and all(
            part[1:] in self.classes if part[0] == "." else part[1:] == self.id for part in parts
        )


@dataclass
class StyleSheet:
    """The styles of a page: by simple selector, and those with combinators by the last part of their selector."""

    simple: dict[str, Style] = field(default_factory=dict)
    nested: dict[str, list[tuple[tuple[str, ...], Style]]] = field(default_factory=dict)
    steps_left: int = MOST_STEPS
    """How many more elements may be compared. A hostile page is read without the rest of its rules."""

    def add(self, selector: str, style: Style) -> None:
        """Add a rule, unless its selector asks for more than names, classes, ids and their order."""
        chain = _parse_chain(selector)
        if not 0 < len(chain) <= LONGEST_CHAIN or not all(COMPOUND.fullmatch(part) for part in chain[::2]):
            return
        last = (PART.findall(chain[-1]) or [chain[-1].lower()])[0]
        if len(chain) == 1 and chain[0].lower() == last.lower():
            self.simple[last] = self.simple.get(last, PLAIN).followed_by(style)
        elif sum(map(len, self.nested.values())) < MOST_NESTED and style != PLAIN:
            self.nested.setdefault(last, []).append((chain, style))

    def find(self, place: ElementPlace) -> Style:
        """Return the style of the element at a place."""
        style = PLAIN
        for key in place.element.keys:
            if key in self.simple:
                style = style.followed_by(self.simple[key])
            for chain, nested in self.nested.get(key, ()):
                style = style.followed_by(nested) if self._matches(chain, place) else style
        return style

    def _matches(self, chain: tuple[str, ...], place: ElementPlace | None) -> bool:
        """Return True if a selector matches an element, tested from its last part to the first."""
        self.steps_left -= 1
        if place is None or self.steps_left < 0 or not place.element.matches(chain[-1]):
            return False
        if len(chain) == 1:
            return True
        rest, combinator = chain[:-2], chain[-2]
        if combinator == ">":
            return self._matches(rest, place.parent)
        if combinator in "+~":
            return any(self._matches(rest, sibling) for sibling in place.siblings[-1 if combinator == "+" else 0 :])
        parent = place.parent
        while parent is not None and self.steps_left > 0:
            if self._matches(rest, parent):
                return True
            parent = parent.parent
        return False


@dataclass(frozen=True)
class ElementPlace:
    """An element with its ancestors and earlier siblings."""

    element: ElementMarks
    parent: ElementPlace | None = None
    siblings: tuple[ElementPlace, ...] = ()


def _parse_chain(selector: str) -> tuple[str, ...]:
    """Return the compounds of a selector with one combinator between each two, a space where none is written."""
    chain: list[str] = []
    combinator = ""
    for part in CHAIN_TOKEN.findall(selector):
        if part in ">+~":
            combinator = part
            continue
        chain += [combinator or " ", part] if chain else [part]
        combinator = ""
    return tuple(chain)


def parse_style_sheet(text: str) -> StyleSheet:
    """Return the styles of a page, without rules for certain screens only."""
    sheet = StyleSheet()
    for selectors, declarations in islice(_split_rules(_strip_comments(text)), MOST_RULES):
        style = parse_style(declarations)
        for selector in selectors.split(",", MOST_SELECTORS)[:MOST_SELECTORS]:
            if len(selector) <= LONGEST_SELECTOR:
                sheet.add(selector, style)
    return sheet


def _strip_comments(text: str) -> str:
    """Return a style sheet without comments. A comment without an end hides the rest."""
    kept = []
    for part in f"*/{text}".split("/*"):
        _, ended, rest = part.partition("*/")
        kept.append(rest if ended else "")
    return " ".join(kept).replace("<!--", " ").replace("-->", " ")


def _split_rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of each innermost rule outside @-rules, in one pass."""
    open_rules: list[tuple[str, bool]] = []
    start, leaf = 0, False
    at_rule = _begins_at_rule(text, start)
    for mark in RULE_MARKS.finditer(text):
        if mark[0] == ";" and (open_rules or not at_rule):
            continue
        if mark[0] == "{":
            open_rules.append((text[start : mark.start()], at_rule or (bool(open_rules) and open_rules[-1][1])))
            leaf = True
        elif mark[0] == "}" and open_rules:
            selectors, skipped = open_rules.pop()
            if leaf and not skipped:
                yield selectors, text[start : mark.start()]
            leaf = False
        start = mark.end()
        at_rule = _begins_at_rule(text, start)


def _begins_at_rule(text: str, start: int) -> bool:
    found = SPACE.match(text, start)
    return text.startswith("@", found.end() if found else start)


def apply_styles(sheet: StyleSheet, place: ElementPlace, marks: Mapping[str, str]) -> Style:
    """Return the style of an element: its attributes, then the style sheets, then its own `style`."""
    style = PLAIN
    if "color" in marks or "bgcolor" in marks:
        style = Style(background=parse_colour(marks.get("bgcolor", "")), **_ink(marks.get("color", "")))
    style = style.followed_by(sheet.find(place))
    return style.followed_by(parse_style(marks["style"])) if "style" in marks else style
