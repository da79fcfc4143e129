"""Shapes as SVG text."""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape

from engine.picture import Box, Disc, Line, Plain, Shape, Text, extent, flat
from service.drawing.palette_colour import OPAQUE, parts

FAMILY = "Echtra Sans, DejaVu Sans, Verdana, sans-serif"
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(shapes: tuple[Shape, ...], title: str, description: str) -> str:
    """One SVG document: a title and a description for those who cannot see it, then the shapes in order."""
    width, height = map(number, extent(shapes))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="{FAMILY}">',
            f"<title>{words(title)}</title>",
            f"<desc>{words(description)}</desc>",
            *map(element, flat(shapes)),
            "</svg>\n",
        )
    )


def words(text: str) -> str:
    """Text that any XML reader takes as nothing but text."""
    return escape(UNPRINTABLE.sub("\ufffd", text))


def number(value: float) -> str:
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
    return f"<rect{place}{corner}{_paint('fill', box.fill)}{_stroke(box.line, box.thick)}/>"


@element.register
def _(disc: Disc) -> str:
    place = _attributes(cx=disc.x, cy=disc.y, r=disc.radius)
    return f"<circle{place}{_paint('fill', disc.fill)}{_stroke(disc.line, disc.thick)}/>"


@element.register
def _(line: Line) -> str:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in line.points)
    looks = _paint("fill", line.fill) + _stroke(line.line, line.thick)
    return f'<polyline points="{points}"{looks} stroke-linejoin="round" stroke-linecap="round"/>'


@element.register
def _(text: Text) -> str:
    looks = _attributes(x=text.x, y=text.y) + f' font-size="{number(text.size)}"' + _paint("fill", text.fill)
    looks += f' text-anchor="{words(text.at)}"' if text.at != "start" else ""
    looks += ' font-weight="bold"' if text.bold else ""
    return f"<text{looks}>{words(text.words)}</text>"


def _attributes(**lengths: float) -> str:
    return "".join(f' {name}="{number(value)}"' for name, value in lengths.items())


def _paint(name: str, colour: str) -> str:
    red, green, blue, alpha = parts(colour)
    if not alpha:
        return f' {name}="none"'
    opacity = f' {name}-opacity="{number(alpha / OPAQUE)}"' if alpha < OPAQUE else ""
    return f' {name}="#{red:02x}{green:02x}{blue:02x}"{opacity}'


def _stroke(colour: str, thick: float) -> str:
    return _paint("stroke", colour) + _attributes(**{"stroke-width": thick}) if colour else ""
