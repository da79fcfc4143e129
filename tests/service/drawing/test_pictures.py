"""Pictures: SVG that is nothing but a drawing, PNG that is small, sharp and always the same."""

from __future__ import annotations

import re
from dataclasses import replace
from struct import unpack, unpack_from
from typing import NamedTuple
from xml.etree import ElementTree as ET
from zlib import crc32, decompress

import pytest

from engine.games import GAMES
from engine.picture import Box, Curve, Disc, Group, Line, Path, Plain, Shape, Text, extent, flat
from engine.words import LOCALES, Locale
from service import drawing
from service.drawing import sprite_cache
from service.drawing.canvas import Canvas
from service.drawing.font import FONT_FILES, load_typeface, text_width
from service.drawing.palette import COVERAGE_LEVELS, WHITE, Blender, Palette
from service.drawing.polygon_fill import fill_contours
from service.drawing.render_png import place_sprites
from service.drawing.sprite_cache import MOST_SPRITE_IMAGES, SpriteCache, render_sprite
from service.drawing.sprites import MOST_GROUP_POINTS, join_sprites, make_sprite
from tests.support.pictures import table

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>&\"'\0\ud800\ufffe]]>"
PAPER = Box(0, 0, 40, 20, "#ffffff")

every_game = pytest.mark.parametrize("slug", GAMES)
both_languages = pytest.mark.parametrize("locale", LOCALES)


class Image(NamedTuple):
    """A PNG read back."""

    wide: int
    high: int
    colours: list[str]
    rows: list[bytes]

    def colour(self, x: int, y: int) -> str:
        """The colour of one point."""
        return self.colours[self.rows[y][x]]


def opened(data: bytes) -> Image:
    """Reads a PNG with a palette and demands that every byte of it is as it must be."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        size, name = unpack_from(">L4s", data, at)
        body = data[at + 8 : at + 8 + size]
        assert unpack_from(">L", data, at + 8 + size) == (crc32(name + body),)
        chunks[name] = body
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    wide, high, *form = unpack(">LLBBBBB", chunks[b"IHDR"])
    assert form == [8, 3, 0, 0, 0]
    lines, palette, rows = decompress(chunks[b"IDAT"]), chunks[b"PLTE"], []
    assert len(lines) == (wide + 1) * high
    for start in range(0, len(lines), wide + 1):
        assert lines[start] == 0
        rows.append(lines[start + 1 : start + 1 + wide])
    assert max(map(max, rows)) < len(palette) // 3
    return Image(wide, high, [f"#{palette[at : at + 3].hex()}" for at in range(0, len(palette), 3)], rows)


@every_game
@both_languages
def test_an_svg_is_well_formed_and_says_what_it_shows(slug: str, locale: Locale) -> None:
    shapes = table(slug, "Gráinne", locale)
    root = ET.fromstring(drawing.svg(shapes, "Le titre", "Ce qu'on voit"))  # noqa: S314  # our own text
    wide, high = extent(shapes)
    assert [float(part) for part in root.attrib["viewBox"].split()] == [0, 0, wide, high]
    assert root.attrib["role"] == "img"
    assert [(part.tag, part.text) for part in root[:2]] == [
        (SVG + "title", "Le titre"),
        (SVG + "desc", "Ce qu'on voit"),
    ]
    assert len([part for part in root.iter() if part.tag != SVG + "g"]) == 3 + len(flat(shapes))
    named = [(part.get("data-mark", ""), part.get("aria-label", "")) for part in root if part.tag == SVG + "g"]
    assert named == [(shape.mark, shape.label) for shape in shapes if isinstance(shape, Group)]


@every_game
def test_a_hostile_name_stays_a_name_and_nothing_is_fetched_or_run(slug: str) -> None:
    shapes = (*table(slug, HOSTILE), Text(0, 9, HOSTILE))
    svg = drawing.svg(shapes, HOSTILE, HOSTILE)
    root = ET.fromstring(svg)  # noqa: S314  # our own text
    drawn = {part.tag.removeprefix(SVG) for part in root.iter()}
    assert drawn <= {"svg", "title", "desc", "g", "rect", "circle", "polyline", "path", "text"}
    assert not any(list(part) for part in root.iter() if part.tag not in (SVG + "svg", SVG + "g"))
    seen = HOSTILE.translate(dict.fromkeys(map(ord, "\0\ud800\ufffe"), "\ufffd"))
    assert [part.text for part in (root[0], root[1], root[-1])] == [seen] * 3
    assert svg.encode()
    assert svg.count("://") == 1, "only the name of the format looks like an address"
    assert not re.search(r"<(script|style|image|use|a|foreignObject)\b|\bon\w+=|href|url\(|<[!?]", svg)


@pytest.mark.parametrize(
    ("shape", "element"),
    [
        (Box(1, 2.5, 3, 4, "#abcdef"), '<rect x="1" y="2.5" width="3" height="4" fill="#abcdef"/>'),
        (
            Box(-0.001, 0, 3, 1 / 3, "", "#00000033", 2, 1.5),
            '<rect x="0" y="0" width="3" height="0.33" rx="2" fill="none" stroke="#000000" stroke-opacity="0.2" '
            'stroke-width="1.5"/>',
        ),
        (Disc(5, 6, 7, "#ABCDEF"), '<circle cx="5" cy="6" r="7" fill="#abcdef"/>'),
        (
            Line(((0, 0), (1, 2)), "#111111", 2),
            '<polyline points="0,0 1,2" fill="none" stroke="#111111" stroke-width="2" stroke-linejoin="round" '
            'stroke-linecap="round"/>',
        ),
        (
            Text(1, 2, "a < b", 12, "#222222", "middle", bold=True),
            '<text x="1" y="2" font-size="12" fill="#222222" text-anchor="middle" font-weight="bold">a &lt; b</text>',
        ),
        (
            Path(5, 0, (((0, 0), (2, 1), (3, 3, 0, 4), (1, 1, 2, 2, 0, 0)),), "#abcdef", "#111111"),
            '<path d="M0 0L2 1Q3 3 0 4C1 1 2 2 0 0Z" transform="translate(5 0)" fill="#abcdef" stroke="#111111" '
            'stroke-width="1"/>',
        ),
        (Box(0, 0, 1, 1, "felt"), '<rect x="0" y="0" width="1" height="1" fill="#24483c" class="fill-felt"/>'),
    ],
)
def test_each_shape_is_one_element(shape: Shape, element: str) -> None:
    assert drawing.svg((shape,), "", "").splitlines()[3] == element


@every_game
def test_the_same_view_gives_the_same_bytes(slug: str) -> None:
    first, again = table(slug), table(slug)
    before = drawing.svg(first, "a", "b"), drawing.png(first)
    for cached in (drawing.svg, drawing.png, render_sprite, make_sprite):
        cached.cache_clear()
    sprite_cache.clear_caches()
    assert (drawing.svg(again, "a", "b"), drawing.png(again)) == before


@every_game
def test_what_was_drawn_before_changes_nothing(slug: str) -> None:
    shapes = table(slug)
    alone = drawing.png(shapes)
    for other in (*(table(each, "Gráinne", "fr") for each in GAMES), shapes[:-9], table(slug, "Ó Briain")):
        drawing.png(other)
        drawing.png.cache_clear()
        assert drawing.png(shapes) == alone


def test_a_palette_that_pictures_share_may_be_full_of_the_colours_of_others() -> None:
    def glazed(blue: str) -> tuple[Shape, ...]:
        boxes = (Box(at % 40, at // 40, 1, 1, f"#{at:02x}00{blue}80") for at in range(160))
        return PAPER, *boxes

    sprite_cache.clear_caches()
    first, alone = drawing.png(glazed("00"), 1), []
    for blue in ("80", "ff"):
        sprite_cache.clear_caches()
        alone.append(drawing.png(glazed(blue), 1))
    sprite_cache.clear_caches()
    drawing.png.cache_clear()
    assert [drawing.png(glazed(blue), 1) for blue in ("00", "80", "ff")] == [first, *alone]
    drawing.png.cache_clear()
    assert [drawing.png(glazed(blue), 1) for blue in ("ff", "00", "80")] == [alone[1], first, alone[0]]
    assert {image.colour(9, 0) for image in map(opened, (first, *alone))} == {"#847f7f", "#847fbf", "#847fff"}


@every_game
def test_a_png_is_as_large_as_asked_but_never_too_wide(slug: str) -> None:
    shapes = table(slug)
    wide, high = extent(shapes)
    for scale in (0.5, 2.0, 50.0):
        image = opened(drawing.png(shapes, scale))
        assert image.wide == round(min(wide * scale, 1200))
        assert abs(image.high - high * image.wide / wide) <= 1


CARD = Box(10, 2, 20, 14, "#cc0000", "#00000055", 5)
LABEL = Text(20, 12, "R7", 8, "#ffffff", "middle", bold=True)
DOT = Disc(10, 9, 6, "#0000cc", "#ffffff", 2)


def points(shapes: tuple[Shape, ...], scale: float, *, as_sprites: bool) -> list[tuple[int, int, int]]:
    """The colour of every point of a picture, drawn as sprites or layer by layer."""
    wide, high = extent(shapes)
    canvas = Canvas(round(wide * scale), round(high * scale), Blender(Palette((WHITE,))))
    used = SpriteCache("", canvas.palette)
    for x, y, each in place_sprites(shapes, scale):
        if as_sprites:
            used.draw(canvas, [(x, y, each)])
        else:
            for layer in each.layers:
                canvas.paint(x + layer.x, y + layer.y, layer.cover, layer.ink)
    return [canvas.palette.colours[number] for row in canvas.rows() for number in row]


@pytest.mark.parametrize(
    ("shapes", "scale"),
    [
        ((PAPER, CARD, LABEL), 2),
        ((Box(0, 0, 40, 20, "#334455"), CARD, LABEL), 2),
        ((PAPER, CARD, replace(CARD, x=14), replace(LABEL, x=24)), 1.7),
        ((PAPER, CARD, DOT, LABEL), 3),
        ((PAPER, replace(CARD, fill="", thick=3), LABEL, replace(CARD, fill="#00cc0066", x=12.5)), 2),
        ((PAPER, replace(CARD, x=-8), replace(CARD, x=25, y=9), replace(DOT, x=39, y=0), replace(LABEL, x=40)), 2),
        ((Box(0, 0, 400, 300, "#eeeeee"), Box(20, 20, 300, 200, "#cc0000", "#333333", 12, 3), replace(DOT, x=21)), 1.5),
        ((Box(0, 0, 90, 40, "#eeeeee"), CARD, Text(20, 15, "wider than its card", 9, "#000000", "middle")), 2),
        ((PAPER, Line(((2, 2), (35, 17)), "#0000cc", 2, "#cc000088"), LABEL), 2),
        ((PAPER, CARD, Group(12, 4, (replace(CARD, x=0, y=0), DOT, replace(LABEL, x=9)))), 2),
        ((PAPER, CARD, Group(22, 9, (replace(DOT, fill="#00cc0055"), Disc(14, 9, 6, "#cc00cc")))), 1.5),
    ],
)
def test_a_sprite_looks_as_its_shapes_do_whatever_lies_below(shapes: tuple[Shape, ...], scale: float) -> None:
    assert points(shapes, scale, as_sprites=True) == points(shapes, scale, as_sprites=False)


def test_a_group_looks_as_its_shapes_do_where_it_lies() -> None:
    alone: tuple[Plain, ...] = (PAPER, CARD, LABEL, DOT, Line(((12, 4), (15, 9)), "#0000cc", 2))
    moved = flat((Group(-10, -2, alone[1:]),))
    assert extent(moved) == (20, 14)
    grouped = PAPER, Group(10, 2, moved)
    assert (flat(grouped), extent(grouped)) == (alone, extent(alone))
    inside = "".join(drawing.svg(moved, "", "").splitlines()[3:-1])
    assert drawing.svg(grouped, "", "").splitlines()[4] == f'<g transform="translate(10 2)">{inside}</g>'
    assert points(grouped, 2, as_sprites=True) == points(alone, 2, as_sprites=True)
    nested = PAPER, Group(4, 1, (Group(6, 1, moved[:2]), *flat((Group(6, 1, moved[2:]),))), "hand:R7", "red 7")
    assert (flat(nested), extent(nested)) == (alone, extent(alone))
    assert points(nested, 2, as_sprites=True) == points(alone, 2, as_sprites=True)
    assert '<g transform="translate(4 1)" data-mark="hand:R7" aria-label="red 7"><g transform="translate(6 1)">' in (
        drawing.svg(nested, "", "")
    )


@every_game
def test_a_table_of_stamps_looks_as_its_shapes_do(slug: str) -> None:
    shapes = table(slug, "Gráinne", "fr")
    assert points(shapes, 1.2, as_sprites=True) == points(shapes, 1.2, as_sprites=False)


def test_what_is_kept_of_stamps_is_small() -> None:
    bare = make_sprite("box", (1200, 900, "#cc0000", "#333333", 10.0, 2), ())
    assert len(render_sprite(bare, (WHITE,)).points) < 30 * 1202
    lettered = make_sprite("box", (1200, 900, "#cc0000", "", 0.0, 1), ((9.0, 9, "R7", 8.0, "#ffffff", "start", False),))
    assert lettered.gaps is None
    assert render_sprite.cache_info().maxsize == MOST_SPRITE_IMAGES
    assert MOST_SPRITE_IMAGES * MOST_GROUP_POINTS <= 40 << 20
    assert join_sprites([(0, 0, bare)]) is None


FRAME: tuple[Curve, ...] = (
    ((-10, -8), (10, -8), (10, 8), (-10, 8)),
    ((-5, -4), (-5, 4), (5, 4), (5, -4)),
)
"""A rectangle with a hole, which runs the other way."""
BULGE: Curve = ((-10, 0), (-10, -12, 10, -12, 10, 0))
BESIDE: tuple[Curve, ...] = (((-5, -5), (5, -5), (5, 5), (-5, 5)), ((0, -5), (10, -5), (10, 5), (0, 5)))
"""Two squares that overlap and run the same way."""


@pytest.mark.parametrize(
    ("shape", "points"),
    [
        (Box(10, 5, 20, 10, "#cc0000"), {(20, 10): "#cc0000", (19, 10): "#ffffff", (59, 29): "#cc0000"}),
        (Box(10, 5, 20, 10, "#00000033"), {(40, 20): "#cccccc"}),
        (Box(10, 5, 20, 10, "#cc0000", "", 4), {(20, 10): "#ffffff", (40, 20): "#cc0000"}),
        (Box(10, 5, 20, 10, "", "#0000cc", 0, 1), {(20, 20): "#0000cc", (40, 20): "#ffffff"}),
        (Disc(20, 10, 5, "#cc0000"), {(40, 20): "#cc0000", (32, 12): "#ffffff"}),
        (Disc(20, 10, 5, "", "#0000cc", 2), {(40, 20): "#ffffff", (40, 10): "#0000cc"}),
        (Line(((5, 10), (35, 10)), "#0000cc", 4), {(40, 20): "#0000cc", (40, 14): "#ffffff"}),
        (Line(((5, 5), (35, 5), (20, 15)), "", 1, "#cc0000"), {(40, 15): "#cc0000", (12, 28): "#ffffff"}),
        (Text(20, 15, "■", 14, "#cc0000", "middle"), {(40, 20): "#cc0000", (10, 20): "#ffffff"}),
        (Disc(20, 10, 60, "#cc0000"), {(0, 0): "#cc0000", (79, 39): "#cc0000"}),
        (Path(20, 10, FRAME, "#cc0000"), {(22, 20): "#cc0000", (40, 20): "#ffffff", (10, 20): "#ffffff"}),
        (Path(20, 10, FRAME, "", "#0000cc", 2), {(20, 20): "#0000cc", (24, 20): "#ffffff", (30, 20): "#0000cc"}),
        (Path(20, 10, (BULGE,), "#cc0000"), {(40, 8): "#cc0000", (40, 36): "#ffffff", (22, 4): "#ffffff"}),
        (Path(10, 10, BESIDE, "#cc0000"), {(20, 20): "#cc0000", (24, 20): "#cc0000"}),
        (Line(((-50, -15), (90, 35)), "#0000cc", 2), {(40, 20): "#0000cc", (0, 39): "#ffffff"}),
        (Text(38, 2, "■■■■", 40, "#cc0000"), {(10, 20): "#ffffff"}),
    ],
)
def test_shapes_are_drawn_where_they_are(shape: Shape, points: dict[tuple[int, int], str]) -> None:
    image = opened(drawing.png((PAPER, shape)))
    assert {place: image.colour(*place) for place in points} == points


def test_edges_are_smooth() -> None:
    image = opened(drawing.png((PAPER, Disc(20, 10, 8, "#000000"))))
    assert {"#000000", "#ffffff"} < set(image.colours)
    assert len(image.colours) > 5


def test_what_is_covered_in_part_has_a_level_between() -> None:
    half = fill_contours([[(0.5, 0), (2, 0), (2, 1), (0.5, 1)]])
    assert [span.levels for span in half.spans] == [bytes((COVERAGE_LEVELS // 2, COVERAGE_LEVELS))]
    hole = fill_contours([[(0, 0), (4, 0), (4, 1), (0, 1)], [(1, 0), (1, 1), (3, 1), (3, 0)]])
    assert [span.levels for span in hole.spans] == [bytes((COVERAGE_LEVELS, 0, 0, COVERAGE_LEVELS))]


def test_more_colours_than_a_palette_holds_are_drawn_by_their_neighbours() -> None:
    boxes = tuple(Box(at % 40, at // 40, 1, 1, f"#{at // 4:02x}{at % 4:02x}00") for at in range(800))
    image = opened(drawing.png(boxes, 1))
    assert len(image.colours) == 256
    assert image.colour(10, 0) == boxes[10].fill


def test_a_wrong_colour_says_which_are_right() -> None:
    with pytest.raises(ValueError, match="'red' is not a colour; shapes take #rrggbb"):
        drawing.png((Box(0, 0, 1, 1, "red"),))


@pytest.mark.parametrize("bold", [False, True])
def test_the_typeface_has_the_letters_of_names_and_the_signs_of_pictures(bold: bool) -> None:
    letters = "AZaz09áéíóúÁÉÍÓÚàâçèêëîïôœùûüÿŁłŚśŠšŽžŐőḂḃṀṁΩжЯ‘’“”«»–—…×·•→←↑↓✓✗★♥−\u00a0\u202f"
    assert [
        letter for letter in letters if not any(letter in load_typeface(file).glyphs for file in FONT_FILES[bold])
    ] == []
    assert text_width("e\u0301", 10, bold) == text_width("é", 10, bold)
    assert text_width("a\u200b\u202e", 10, bold) == text_width("a", 10, bold)


@pytest.mark.parametrize(("words", "same"), [("漢", "\ue000"), ("I", "I")])
def test_a_letter_that_is_not_there_is_drawn_as_a_box(words: str, same: str) -> None:
    assert drawing.png((PAPER, Text(2, 15, words))) == drawing.png((PAPER, Text(2, 15, same)))
    assert len(opened(drawing.png((PAPER, Text(2, 15, words)))).colours) > 1
