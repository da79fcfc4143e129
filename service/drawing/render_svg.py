"""Shapes as SVG text."""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape

from engine.picture import Box, Disc, Line, Plain, Shape, Text, extent, flat
from service.drawing.palette import OPAQUE, parse_colour

FONT_FAMILY = "Echtra Sans, DejaVu Sans, Verdana, sans-serif"
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(shapes: tuple[Shape, ...], title: str, description: str) -> str:
    """One SVG document: a title and a description for those who cannot see it, then the shapes in order."""
    width, height = map(format_number, extent(shapes))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="{FONT_FAMILY}">',
            f"<title>{escape_text(title)}</title>",
            f"<desc>{escape_text(description)}</desc>",
            *map(element, flat(shapes)),
            "</svg>\n",
        )
    )


def escape_text(text: str) -> str:
    """Text that any XML reader takes as nothing but text."""
    return escape(UNPRINTABLE.sub("\ufffd", text))


def format_number(value: float) -> str:
    """A length with two decimals at most."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


@singledispatch
def element(shape: Plain) -> str:
    """The SVG element of one shape."""
    raise TypeError(f"{type(shape).__name__} is not a shape of engine.picture")


@element.register
def _(box: Box) -> str:
    place = _attributes(x=box.x, y=box.y, width=box.width, height=box.height)
    corner = _attributes(rx=box.round) if box.round else ""
    return f"<rect{place}{corner}{_paint_attributes('fill', box.fill)}{_stroke_attributes(box.line, box.thick)}/>"


@element.register
def _(disc: Disc) -> str:
    place = _attributes(cx=disc.x, cy=disc.y, r=disc.radius)
    return f"<circle{place}{_paint_attributes('fill', disc.fill)}{_stroke_attributes(disc.line, disc.thick)}/>"


@element.register
def _(line: Line) -> str:
    points = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in line.points)
    looks = _paint_attributes("fill", line.fill) + _stroke_attributes(line.line, line.thick)
    return f'<polyline points="{points}"{looks} stroke-linejoin="round" stroke-linecap="round"/>'


@element.register
def _(text: Text) -> str:
    looks = (
        _attributes(x=text.x, y=text.y)
        + f' font-size="{format_number(text.size)}"'
        + _paint_attributes("fill", text.fill)
    )
    looks += f' text-anchor="{escape_text(text.at)}"' if text.at != "start" else ""
    looks += ' font-weight="bold"' if text.bold else ""
    return f"<text{looks}>{escape_text(text.words)}</text>"


def _attributes(**lengths: float) -> str:
    return "".join(f' {name}="{format_number(value)}"' for name, value in lengths.items())


def _paint_attributes(name: str, colour: str) -> str:
    red, green, blue, alpha = parse_colour(colour)
    if not alpha:
        return f' {name}="none"'
    opacity = f' {name}-opacity="{format_number(alpha / OPAQUE)}"' if alpha < OPAQUE else ""
    return f' {name}="#{red:02x}{green:02x}{blue:02x}"{opacity}'


def _stroke_attributes(colour: str, thick: float) -> str:
    return _paint_attributes("stroke", colour) + _attributes(**{"stroke-width": thick}) if colour else ""
