"""Shapes as SVG text."""

from __future__ import annotations

import re
from functools import lru_cache, singledispatch
from html import escape

from engine.picture import INKS, Box, Curve, Disc, Group, Line, Path, Plain, Shape, Text, extent
from service.drawing.palette import OPAQUE, parse_colour

FONT_FAMILY = "Echtra Sans, DejaVu Sans, Verdana, sans-serif"
MOST_GROUPS = 2048
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(shapes: tuple[Shape, ...], title: str, description: str) -> str:
    """Return an SVG document: a title and a description for screen readers, then the shapes in order."""
    width, height = map(format_number, extent(shapes))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="{FONT_FAMILY}">',
            f"<title>{escape_text(title)}</title>",
            f"<desc>{escape_text(description)}</desc>",
            *map(shape_element, shapes),
            "</svg>\n",
        )
    )


def shape_element(shape: Shape) -> str:
    """Return the SVG element of a shape. A group is a translation, so that equal cards are equal text."""
    if not isinstance(shape, Group):
        return element(shape)
    names = f' data-mark="{escape_text(shape.mark)}"' if shape.mark else ""
    names += f' aria-label="{escape_text(shape.label)}"' if shape.label else ""
    return f"<g{_place_attribute(shape.x, shape.y)}{names}>{_inner_elements(shape.shapes)}</g>"


@lru_cache(maxsize=MOST_GROUPS)
def _inner_elements(shapes: tuple[Shape, ...]) -> str:
    return "".join(map(shape_element, shapes))


def _place_attribute(x: float, y: float) -> str:
    return f' transform="translate({format_number(x)} {format_number(y)})"' if x or y else ""


def escape_text(text: str) -> str:
    """Return text that every XML reader takes as plain text."""
    return escape(UNPRINTABLE.sub("\ufffd", text))


def format_number(value: float) -> str:
    """Format a length with at most two decimals."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


@singledispatch
def element(shape: Plain) -> str:
    """Return the SVG element of one shape."""
    raise TypeError(f"{type(shape).__name__} is not a shape of engine.picture")


@element.register
def _(box: Box) -> str:
    place = _attributes(x=box.x, y=box.y, width=box.width, height=box.height)
    corner = _attributes(rx=box.round) if box.round else ""
    return f"<rect{place}{corner}{_looks(box)}/>"


@element.register
def _(disc: Disc) -> str:
    place = _attributes(cx=disc.x, cy=disc.y, r=disc.radius)
    return f"<circle{place}{_looks(disc)}/>"


@element.register
def _(line: Line) -> str:
    points = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in line.points)
    return f'<polyline points="{points}"{_looks(line)} stroke-linejoin="round" stroke-linecap="round"/>'


@element.register
def _(path: Path) -> str:
    return f'<path d="{_path_data(path.curves)}"{_place_attribute(path.x, path.y)}{_looks(path)}/>'


CURVE_COMMANDS = {2: "L", 4: "Q", 6: "C"}


@lru_cache(maxsize=1024)
def _path_data(curves: tuple[Curve, ...]) -> str:
    """Return closed outlines in the path letters of SVG."""
    return "".join(
        "".join(
            (CURVE_COMMANDS[len(numbers)] if at else "M") + " ".join(map(format_number, numbers))
            for at, numbers in enumerate(curve)
        )
        + "Z"
        for curve in curves
    )


@element.register
def _(text: Text) -> str:
    looks = (
        _attributes(x=text.x, y=text.y)
        + f' font-size="{format_number(text.size)}"'
        + _paint_attributes("fill", text.fill)
    )
    looks += f' text-anchor="{escape_text(text.at)}"' if text.at != "start" else ""
    looks += ' font-weight="bold"' if text.bold else ""
    looks += _ink_classes(text.fill)
    return f"<text{looks}>{escape_text(text.words)}</text>"


def _attributes(**lengths: float) -> str:
    return "".join(f' {name}="{format_number(value)}"' for name, value in lengths.items())


def _paint_attributes(name: str, colour: str) -> str:
    red, green, blue, alpha = parse_colour(colour)
    if not alpha:
        return f' {name}="none"'
    opacity = f' {name}-opacity="{format_number(alpha / OPAQUE)}"' if alpha < OPAQUE else ""
    return f' {name}="#{red:02x}{green:02x}{blue:02x}"{opacity}'


def _looks(shape: Box | Disc | Line | Path) -> str:
    """Return fill, line and classes of a shape."""
    paint = _paint_attributes("fill", shape.fill) + _stroke_attributes(shape.line, shape.thick)
    return paint + _ink_classes(shape.fill, shape.line)


def _ink_classes(fill: str, line: str = "") -> str:
    """Return classes for named colours, so that a page can use its own."""
    names = [f"{use}-{ink}" for use, ink in (("fill", fill), ("line", line)) if ink in INKS]
    return f' class="{" ".join(names)}"' if names else ""


def _stroke_attributes(colour: str, thick: float) -> str:
    return _paint_attributes("stroke", colour) + _attributes(**{"stroke-width": thick}) if colour else ""
