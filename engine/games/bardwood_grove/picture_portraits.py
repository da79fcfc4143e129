"""Portraits of the creatures: plain shapes in a circle of radius 50, written like the paths of SVG.

Each row is an ink and an outline: `M` begins it, `L` is a line, `C` a cubic curve, `O` a circle of x, y and radius.
An outline after `=` is drawn twice, the second time mirrored. Few inks keep pictures small.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from engine.picture import Disc, Path, Plain
from engine.signs import CREAM, DARK, GOLD, Outline, circle, scale_outline

RADIUS = 50.0
PORTRAIT_INKS = {
    "dark": DARK,
    "cream": CREAM,
    "gold": GOLD,
    "sand": "#d9c79a",
    "brown": "#8a6a50",
    "bark": "#5a4334",
    "rust": "#c8642c",
    "red": "#a83240",
    "leaf": "#4f7a3c",
    "moss": "#9bb268",
    "teal": "#2f8a7c",
    "sky": "#a9c7c9",
    "night": "#3d4d6b",
    "stone": "#7d776c",
    "violet": "#6b4a86",
}
PORTRAITS = {
    "humming-hedgehog": """moss
        bark M-40 20L-42 2L-34 -4L-36 -18L-24 -20L-20 -32L-8 -28L2 -38L10 -27L22 -30L24 -18L36 -14L34 0L42 8L36 24Z
        sand M-14 29C-14 3 18 -4 36 12C42 18 38 29 28 29Z
        dark O38 17 4.5 O17 11 4""",
    "coin-toad": """sky
        leaf =O19 -15 12
        leaf M-38 24C-42 2 -24 -12 0 -12C24 -12 42 2 38 24C20 36 -20 36 -38 24Z
        cream =O19 -17 7.5
        dark =O19 -17 4
        dark M-26 4C-10 16 10 16 26 4C10 11 -10 11 -26 4Z
        gold O0 25 10
        brown O0 25 5""",
    "moss-badger": """moss
        dark =O25 -25 9
        cream M-31 -14C-26 -36 26 -36 31 -14C31 8 14 36 0 39C-14 36 -31 8 -31 -14Z
        dark =M9 -31L24 -26C29 -8 23 12 11 22C6 6 6 -14 9 -31Z
        cream =O15 -5 3.5
        dark O0 32 6.5
        leaf M-22 -29C-10 -45 10 -45 22 -29C8 -25 -8 -25 -22 -29Z""",
    "glow-wisp": """night
        gold M0 -43C14 -26 28 -10 26 10C24 30 10 38 0 38C-10 38 -24 30 -26 10C-26 -4 -12 -12 -14 -28\
        C-6 -26 -2 -34 0 -43Z
        cream M0 -10C8 0 16 8 16 18C16 28 7 33 0 33C-7 33 -16 28 -16 18C-16 8 -6 4 0 -10Z
        dark =O7 15 3.5
        dark O0 25 3""",
    "bramble-fox": """moss
        rust M-36 -34L-12 -22L12 -22L36 -34L34 -4C30 16 12 34 0 40C-12 34 -30 16 -34 -4Z
        cream =M34 -4C20 0 8 10 1 39C12 33 30 16 34 -4Z
        dark =M32 -27L20 -21L30 -12Z
        dark =O14 -4 4.5
        dark M-7 29L7 29L0 40Z""",
    "drum-beetle": """sand
        dark =M6 -32L19 -44L22 -41L11 -28Z
        dark =M26 -8L42 -16L43 -11L29 -1Z
        dark =M28 14L42 20L40 25L27 20Z
        dark M-17 -17C-15 -37 15 -37 17 -17Z
        red M0 -21C26 -21 34 2 30 20C26 35 12 39 0 39C-12 39 -26 35 -30 20C-34 2 -26 -21 0 -21Z
        dark M-1.7 -21L1.7 -21L1.7 39L-1.7 39Z
        gold =O14 -2 6
        gold =O13 19 5.5""",
    "thorn-boar": """sky
        bark M-32 -22L-20 -37L-7 -26L3 -41L13 -26L28 -34L31 -8C34 16 20 39 0 39C-20 39 -34 16 -31 -8Z
        brown M-17 10L17 10C21 26 10 35 0 35C-10 35 -21 26 -17 10Z
        dark =O6.5 23 3.2
        cream =M20 21L31 0L14 12Z
        gold =O13 -7 4.5
        dark =O13 -7 2.2""",
    "lantern-owl": """night
        brown M-28 36C-36 0 -31 -24 -28 -38L-8 -26L8 -26L28 -38C31 -24 36 0 28 36C14 43 -14 43 -28 36Z
        cream =O13 -8 13
        gold =O13 -8 9
        dark =O13 -8 5.5
        rust M-6 2L6 2L0 14Z
        bark M-16 19C-6 26 6 26 16 19L16 23C6 30 -6 30 -16 23Z
        bark M-14 29C-6 35 6 35 14 29L14 33C6 39 -6 39 -14 33Z""",
    "root-imp": """leaf
        brown =M20 -12L44 -24L26 10Z
        moss M-3 -22C-12 -38 4 -47 14 -44C13 -34 8 -25 -3 -22Z
        brown M-25 -8C-22 -30 22 -30 25 -8C25 14 12 35 0 38C-12 35 -25 14 -25 -8Z
        gold =O10 -3 7
        dark =O10 -3 3.2
        dark M-14 13C-5 25 5 25 14 13C5 18 -5 18 -14 13Z""",
    "gloom-stag": """night
        sand =M8 -20C20 -27 25 -35 23 -44L29 -45C31 -38 30 -33 27 -29C32 -31 35 -34 36 -39L41 -36C40 -27 30 -21 14 -15Z
        bark =M15 -14L38 -11L18 -2Z
        brown M-18 -18C-10 -26 10 -26 18 -18C20 0 13 28 9 37C4 42 -4 42 -9 37C-13 28 -20 0 -18 -18Z
        dark M-10 28C-4 23 4 23 10 28L8 37C4 42 -4 42 -8 37Z
        dark =O10 -4 4""",
    "puddle-drake": """sky
        gold M-12 -20L-15 -40L0 -27L8 -43L16 -22Z
        teal M-18 32C-32 8 -24 -20 0 -26C12 -28 22 -24 30 -16C40 -14 44 -6 40 2C30 9 20 7 14 5C16 14 20 24 22 32Z
        night M-40 25C-24 17 24 17 40 25C32 38 16 45 0 45C-16 45 -32 38 -40 25Z
        cream O18 -12 7
        dark O20 -12 3.8
        dark O37 -4 2""",
    "bellow-bear": """moss
        bark =O24 -25 12
        bark M-33 0C-33 -24 -18 -34 0 -34C18 -34 33 -24 33 0C33 23 18 40 0 40C-18 40 -33 23 -33 0Z
        sand M-19 12C-16 -1 16 -1 19 12C21 30 9 36 0 36C-9 36 -21 30 -19 12Z
        dark M-9 5L9 5C9 12 3 15 0 15C-3 15 -9 12 -9 5Z
        red M-10 20C-4 18 4 18 10 20C9 31 4 33 0 33C-4 33 -9 31 -10 20Z
        cream =O14 -9 4.5
        dark =O14 -9 2.8""",
    "shriek-hawk": """sky
        bark M-30 34C-36 6 -28 -30 4 -34C24 -34 32 -20 32 -8L14 4C14 16 18 26 22 35C8 42 -16 42 -30 34Z
        cream M-8 39C-12 22 0 10 14 5C14 18 18 28 22 35C14 39 4 41 -8 39Z
        gold M24 -23C37 -23 45 -13 41 3C38 -5 32 -8 26 -8Z
        gold O14 -15 7.5
        dark O15 -15 4
        dark M0 -28L27 -23L26 -18L3 -22Z""",
    "vine-serpent": """sand
        leaf M-36 28C-42 10 -12 14 2 4C10 -2 -28 -2 -28 -22C-26 -42 10 -46 28 -37\
        L24 -24C12 -29 -10 -28 -10 -20C-8 -11 26 -11 22 10C16 30 -16 22 -20 38Z
        leaf M12 -42C28 -46 43 -34 40 -24C36 -17 26 -16 14 -22Z
        moss M-28 18C-38 14 -44 4 -40 -2C-30 0 -24 10 -28 18Z
        moss M14 10C22 2 34 4 36 12C30 20 20 18 14 10Z
        gold O29 -32 4.5
        dark O30 -32 2.4""",
    "reed-otter": """teal
        moss =M35 -22L40 -20L40 16L35 24Z
        brown =O23 -20 9
        brown M-28 -6C-28 -30 28 -30 28 -6C35 14 22 37 0 37C-22 37 -35 14 -28 -6Z
        sand M-21 13C-15 1 15 1 21 13C21 28 10 33 0 33C-10 33 -21 28 -21 13Z
        dark M-8 4L8 4L0 14Z
        dark =O12 -8 4.2
        dark M-8 20C-3 24 3 24 8 20C4 29 -4 29 -8 20Z""",
    "copper-crow": """sand
        dark M32 34C38 8 28 -30 -2 -33C-20 -33 -28 -21 -28 -10L-14 4C-14 16 -12 28 -18 36C-2 44 18 44 32 34Z
        stone M-20 -22C-32 -19 -42 -9 -44 3C-34 4 -24 1 -15 -4Z
        rust M-14 11C-2 19 20 19 35 8L36 17C20 29 -2 29 -14 21Z
        cream O-9 -16 6.5
        dark O-11 -16 3.5""",
    "dissonant-dragon": """violet
        cream =M11 -22C14 -36 24 -43 34 -38C28 -33 26 -26 24 -14Z
        rust =M22 -14L43 -8L36 3L41 13L20 10Z
        red M-24 -20C-12 -31 12 -31 24 -20C31 -6 22 8 17 16C17 31 8 42 0 42C-8 42 -17 31 -17 16C-22 8 -31 -6 -24 -20Z
        gold =M5 -5L21 -13C22 -3 14 2 8 1Z
        dark =O13 -5 2.6
        cream M-15 19L-10 29L-5 21L0 30L5 21L10 29L15 19Z
        dark =O5 36 2.2""",
    "thunder-troll": """sky
        stone =M24 -6L44 -14L30 12Z
        stone M-27 -10C-27 -32 27 -32 27 -10C33 8 24 38 0 40C-24 38 -33 8 -27 -10Z
        night M-28 -12C-32 -34 -10 -43 0 -35C10 -43 32 -34 28 -12C16 -22 -16 -22 -28 -12Z
        gold =O12 -6 6
        dark =O12 -6 3
        bark M-7 -2L7 -2C12 11 6 15 0 15C-6 15 -12 11 -7 -2Z
        dark M-18 20C-6 16 6 16 18 20C10 33 -10 33 -18 20Z
        cream =M7 23L12 9L16 22Z""",
    "hollow-treant": """sky
        leaf =O22 -18 18
        leaf O0 -26 20
        moss =O14 -30 8
        bark M-20 -18C-14 8 -18 24 -28 35C-10 45 10 45 28 35C18 24 14 8 20 -18C10 -10 -10 -10 -20 -18Z
        gold =M14 2C11 -7 3 -7 3 2C4 9 12 9 14 2Z
        dark M-11 17C-5 34 5 34 11 17C4 22 -4 22 -11 17Z""",
    "screech-queen": """violet
        gold M-20 -24L-22 -42L-10 -34L0 -46L10 -34L22 -42L20 -24Z
        stone M-32 32C-40 -2 -28 -30 0 -30C28 -30 40 -2 32 32C22 41 10 41 0 38C-10 41 -22 41 -32 32Z
        cream M-19 -8C-19 -26 19 -26 19 -8C19 14 10 31 0 33C-10 31 -19 14 -19 -8Z
        dark =M3 -8L15 -13C16 -4 8 0 4 -2Z
        red M0 5C8 5 9 13 8 18C6 26 -6 26 -8 18C-9 13 -8 5 0 5Z""",
    "cacophony-hydra": """moss
        teal =M6 41C14 22 16 16 20 6C10 -2 12 -22 26 -22C39 -22 43 -8 39 2C36 20 30 31 22 37Z
        leaf M-9 43C-11 20 -9 6 -8 -2C-18 -14 -14 -38 0 -38C14 -38 18 -14 8 -2C9 6 11 20 9 43Z
        gold =O6 -22 4.4
        dark =O6 -22 2.2
        gold =O29 -10 4
        dark =O30 -10 2
        dark M-8 -11C-3 -8 3 -8 8 -11C5 -2 -5 -2 -8 -11Z
        dark =M22 1L36 1L30 8Z""",
    "feedback-golem": """rust
        stone M-25 -35L25 -35L25 -5L-25 -5Z
        stone M-34 -1L34 -1L30 32C16 44 -16 44 -30 32Z
        gold =M6 -26L18 -26L18 -15L6 -15Z
        dark O0 18 15
        sand O0 18 10
        dark O0 18 5""",
    "discord-wyrm": """night
        rust M-4 12L-43 -18L-39 3L-31 4L-33 18L-21 17L-15 28Z
        cream M8 -26L-9 -42L14 -37Z
        moss M-16 40C-18 14 -8 2 2 -6C-8 -20 4 -38 22 -35C34 -33 43 -23 42 -12L22 -6C18 4 14 16 18 39C8 45 -6 45 -16 40Z
        gold O21 -22 5.5
        dark O22 -22 2.8
        dark M24 -11L40 -15L37 -8L25 -6Z""",
    "void-choir": """dark
        night =M18 37C14 8 18 -20 28 -20C39 -20 43 4 38 24C34 32 26 38 18 37Z
        violet M-17 42C-21 0 -15 -37 0 -37C15 -37 21 0 17 42C6 47 -6 47 -17 42Z
        dark M-10 -8C-10 -26 10 -26 10 -8C10 8 5 14 0 14C-5 14 -10 8 -10 -8Z
        dark =M23 4C23 -10 35 -10 35 4C35 14 31 17 29 17C27 17 23 14 23 4Z
        gold =O4.5 -9 2.6
        gold O0 3 3.6
        gold =O26.5 1 1.9
        gold =O31.8 1 1.9
        gold =O29 9 2.4""",
}
STEP = re.compile("([MLCO])([^MLCOZ]*)Z?")


@cache
def draw_portrait(creature: str, radius: float) -> tuple[Plain, ...]:
    """Draw a creature around the origin, in a medallion without its rim."""
    ground, *rows = PORTRAITS[creature].split("\n")
    scale = radius / RADIUS
    shapes = []
    for row in rows:
        ink, _, outline = row.strip().partition(" ")
        shapes.append(Path(0, 0, scale_outline(read_outline(outline), scale), PORTRAIT_INKS[ink]))
    return Disc(0, 0, radius, PORTRAIT_INKS[ground]), *shapes


@lru_cache(maxsize=512)
def read_outline(text: str) -> Outline:
    """Parse the outlines of a row."""
    curves: list[list[tuple[float, ...]]] = []
    rounds: Outline = ()
    for letter, words in STEP.findall(text.removeprefix("=")):
        numbers = tuple(map(float, words.split()))
        if letter == "O":
            rounds += (circle(numbers[2], numbers[0], numbers[1]),)
        elif letter == "M":
            curves.append([numbers])
        else:
            curves[-1].append(numbers)
    outline = (*map(tuple, curves), *rounds)
    return outline + tuple(map(mirror, outline)) if text.startswith("=") else outline


def mirror(curve: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    """Return the curve with left and right exchanged."""
    return tuple(tuple(-number if at % 2 == 0 else number for at, number in enumerate(step)) for step in curve)
