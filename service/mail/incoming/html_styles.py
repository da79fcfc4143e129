"""What HTML says about the looks of a text: whether a reader sees it, and whether its writer struck it out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
MOST_RULES = 2_000
STRUCK_TAGS = frozenset({"s", "strike", "del"})
STRUCK_CLASS = re.compile(
    r"(?:^|[\s_-])(?:strike(?:-?through|d|out)?|line-?through|struck|msodel|ql-strike|crossed-?out|deleted)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Classes by which editors of mail programs strike text out without a tag."""
HIDDEN_CLASS = re.compile(
    r"(?:^|\s)(?:hidden|d-none|hide|sr-only|visually-hidden|visuallyhidden|screen-reader-text|preheader|mcnPreviewText)"
    r"(?:$|\s)",
    re.IGNORECASE,
)
STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
NO_BOX = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|mso-hide\s*:\s*all|content-visibility\s*:\s*hidden|"
    r"opacity\s*:\s*(?:0?\.0\d*|0(?:\.0\d*)?%?|[0-5]%)(?![\d.%])|"
    r"(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\s*(?:\d{4,}|[3-9]\d\d)(?:\.\d+)?\s*"
    r"(?:px|pt|em|rem|vw|vh|%)?|(?:left|top|text-indent|margin-left)\s*:\s*-\s*\d{2,}(?:\.\d+)?\s*(?:em|rem|vw)|"
    r"clip\s*:\s*rect\s*\(\s*[01](?:px)?\b|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)|"
    r"transform\s*:[^;]*(?:scale\(\s*0\s*[,)]|translate[xy]?\(\s*-\s*\d{3,}))",
    re.IGNORECASE,
)
"""Styles that take an element and everything in it from the page."""
ZERO_SIZE = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*[01](?:\.\d+)?(?:px|pt|em)?\s*(?:;|!|$)", re.IGNORECASE
)
CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
VISIBILITY = re.compile(r"(?<![\w-])visibility\s*:\s*(hidden|collapse|visible)", re.IGNORECASE)
FONT_SIZE = re.compile(
    r"(?<![\w-])font(?:-size\s*:\s*(?=[\d.]+\s*(?:[a-z%;!]|$))|\s*:[^;]*?(?<![\w.#-])(?=[\d.]+(?:[a-z]|%)))"
    r"(\d*\.?\d+)\s*(px|pt|em|rem|ex|ch|%|vw|mm|cm|in)?(?![\w.])",
    re.IGNORECASE,
)
TINY = {"px": 1.5, "pt": 1.2, "em": 0.15, "rem": 0.15, "ex": 0.3, "ch": 0.3, "%": 15.0, "vw": 0.2, "mm": 0.4}
"""At which size of each unit a letter can no longer be read."""
COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]+)", re.IGNORECASE)
BACKGROUND = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?:[0-9a-f]{0,2})\b", re.IGNORECASE)
RGB = re.compile(
    r"rgba?\(\s*(\d+)(?:\.\d+)?\s*[,\s]\s*(\d+)(?:\.\d+)?\s*[,\s]\s*(\d+)(?:\.\d+)?\s*(?:[,/]\s*([\d.]+)(%?)\s*)?\)",
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
"""Colours that differ less in every channel look the same."""
FAINTEST = 0.06
RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
AT_RULE = re.compile(r"@[^{};]{0,500}(?:;|\{(?:[^{}]{0,5000}\{[^{}]{0,2000}\}){0,200}[^{}]{0,500}\})")
SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Looks:
    """How text looks at one place of a page, by the elements around it."""

    removed: bool = False
    """Whether an element around it is not on the page."""
    invisible: bool = False
    tiny: bool = False
    struck: bool = False
    colour: Colour | None = None
    """The colour, where one is set; one that cannot be seen through anything is the background's."""
    faint: bool = False
    background: Colour = WHITE

    @property
    def hidden(self) -> bool:
        """Whether a reader does not see it."""
        same = self.colour is not None and _look_alike(self.colour, self.background)
        return self.removed or self.invisible or self.tiny or self.faint or same

    def inside(self, name: str, marks: Mapping[str, str], style: str) -> Looks:
        """How text looks inside one more element, by its attributes and the style that applies to it."""
        named = f"{marks.get('class', '')} {marks.get('id', '')}"
        found = replace(
            self,
            removed=self.removed or "hidden" in marks or bool(HIDDEN_CLASS.search(named)) or _has_no_box(style),
            struck=self.struck or name in STRUCK_TAGS or bool(STRUCK_CLASS.search(named) or STRUCK.search(style)),
        )
        return _apply_size(_apply_colours(found, marks, style), style) if style or marks else found


def _apply_size(looks: Looks, style: str) -> Looks:
    shown, sizes = VISIBILITY.search(style), FONT_SIZE.findall(style)
    invisible = looks.invisible if shown is None else shown[1].lower() != "visible"
    if not sizes:
        return replace(looks, invisible=invisible)
    number, unit = sizes[-1]
    return replace(looks, invisible=invisible, tiny=float(number) <= TINY.get(unit.lower() or "px", 0.05))


def _apply_colours(looks: Looks, marks: Mapping[str, str], style: str) -> Looks:
    found = looks
    behind = _last(BACKGROUND, style) or marks.get("bgcolor", "")
    if behind and (colour := parse_colour(behind)) is not None:
        found = replace(found, background=colour)
    own = _last(COLOUR, style) or marks.get("color", "")
    if not own:
        return found
    if _is_transparent(own):
        return replace(found, faint=True)
    return replace(found, faint=False, colour=parse_colour(own))


def _last(pattern: re.Pattern[str], style: str) -> str:
    return next(reversed(pattern.findall(style)), "")


def _has_no_box(style: str) -> bool:
    return bool(NO_BOX.search(style)) or bool(ZERO_SIZE.search(style) and CLIPPED.search(style))


def _look_alike(one: Colour, other: Colour) -> bool:
    return all(abs(first - second) < LEAST_CONTRAST for first, second in zip(one, other, strict=True))


def _is_transparent(text: str) -> bool:
    found = RGB.search(text)
    alpha = float(found[4]) / (100 if found[5] else 1) if found and found[4] else 1.0
    return "transparent" in text.lower() or alpha < FAINTEST


def parse_colour(text: str) -> Colour | None:
    """The colour that a style names; nothing if we do not know it."""
    found = HEX.search(text)
    if found:
        digits = found[1] if len(found[1]) > 3 else "".join(each * 2 for each in found[1])  # noqa: PLR2004  # #rgb
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    parts = RGB.search(text)
    if parts:
        return int(parts[1]), int(parts[2]), int(parts[3])
    return next((NAMED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in NAMED), None)


def parse_style_sheet(text: str) -> dict[str, str]:
    """The styles of a page by tag, `.class` or `#id`; rules for some screens only are left out."""
    found: dict[str, str] = {}
    plain = AT_RULE.sub(" ", re.sub(r"/\*.{0,5000}?\*/|<!--|-->", " ", text, flags=re.DOTALL))
    for number, rule in enumerate(RULE.finditer(plain)):
        if number >= MOST_RULES:
            break
        for selector in rule[1].split(",")[:50]:
            simple = SIMPLE.fullmatch(selector.strip())
            if simple and simple[0]:
                key = simple[2] or simple[1].lower()
                found[key] = f"{found.get(key, '')};{rule[2]}"
    return found


def apply_styles(sheet: Mapping[str, str], name: str, marks: Mapping[str, str]) -> str:
    """The style of an element: that of its page, then its own."""
    if not sheet:
        return marks.get("style", "")
    keys: Iterable[str] = (name, *(f".{each}" for each in marks.get("class", "").split()), f"#{marks.get('id', '')}")
    return ";".join([*(sheet[key] for key in keys if key in sheet), marks.get("style", "")])
