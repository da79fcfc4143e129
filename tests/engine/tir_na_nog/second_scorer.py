"""A second scorer for Tír na nÓg, written from the rules alone: it reads placed cards and nothing else of us."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

Cards = dict[tuple[int, int], tuple[str, str, int, int]]
"""By row and slot: name, current colour, printed value, value tokens."""

AILM = set("water-kelpie cu-sidhe-kennel far-darrig cailleachs-crag dolmen hungry-oillipheist sidhe-court".split())
SOLO = dict(
    zip(
        "oisin benandonner diarmuid etain fionn knockgrafton deirdre gollerus cathbad lir fergus owney".split(),
        (21, 29, 25, 20, 12, 21, 28, 24, 12, 13, 17, 16),
        strict=True,
    )
)


def around(at: tuple[int, int]) -> list[tuple[int, int]]:
    """The four places beside a place."""
    return [(at[0] + 1, at[1]), (at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0], at[1] - 1)]


def current(cards: Cards) -> dict[tuple[int, int], int]:
    """Return the current worth of every card."""
    worth: dict[tuple[int, int], int] = {}
    for row, slot in sorted(cards):
        name, colour, value, tokens = cards[row, slot]
        beside = {cards[near][1] for near in around((row, slot)) if near in cards}
        if name == "far-darrig":
            value = worth.get((row, slot - 1), 2)
        elif name == "water-kelpie" and "green" in beside:
            value -= 6
        elif name == "cailleachs-crag":
            value += 3 * len(beside)
        elif name == "cu-sidhe-kennel":
            value += 2 * sum(other[0] in AILM for at, other in cards.items() if at != (row, slot))
        elif name == "dolmen" and (row, slot - 1) in cards and (row, slot + 1) in cards:
            value += 4 * (cards[row, slot - 1][1] == cards[row, slot + 1][1])
        elif name == "sidhe-court":
            value += 2 * sum(other[1] == colour for at, other in cards.items() if at[0] == row and at[1] != slot)
        worth[row, slot] = max(value + tokens, 0)
    return worth


def stretches(worth: dict[tuple[int, int], int], row: int) -> Iterator[list[int]]:
    """Every part of an unbroken run of slots in a row."""
    slots = [slot for slot in range(10) if (row, slot) in worth]
    for start in slots:
        end = start
        while (row, end) in worth:
            yield list(range(start, end + 1))
            end += 1


def geas_points(slug: str, cards: Cards) -> int:  # noqa: C901, PLR0911  # one branch for each card
    """Return the score of a Geas, by the letter of the digest."""
    worth = current(cards)
    row = list(SOLO).index(slug) // 4
    own = {slot: value for (at, slot), value in worth.items() if at == row}
    column = {slot: [worth[at, slot] for at in range(3) if at != row and (at, slot) in worth] for slot in own}
    if slug == "oisin":
        return sum(value for slot, value in own.items() if slot == 0 or own.get(slot - 1, 99) < value)
    if slug == "benandonner":
        return sum(value for slot, value in own.items() if value > max(column[slot], default=-1))
    if slug == "diarmuid":
        fair = [part for part in stretches(worth, row) if len({cards[row, slot][1] for slot in part}) == len(part)]
        return max((sum(own[slot] for slot in part) for part in fair), default=0)
    if slug == "etain":
        return sum(value for slot, value in own.items() if value > max(own.get(slot - 1, -1), own.get(slot + 1, -1)))
    if slug == "fionn":
        return sum(value for slot, value in own.items() if value < own.get(slot - 1, -1))
    if slug == "knockgrafton":
        ranked = {slot: sorted({own[slot], *column[slot]}, reverse=True) for slot in own}
        return sum(value for slot, value in own.items() if ranked[slot][1:2] == [value])
    if slug == "deirdre":
        fair = [part for part in stretches(worth, row) if all(own[one] >= own[two] for one, two in pairwise(part))]
        return max((sum(own[slot] for slot in part) for part in fair), default=0)
    if slug == "gollerus":
        return sum(
            value
            for slot, value in own.items()
            if any((at, slot) in cards and cards[at, slot][1] == cards[row, slot][1] for at in (0, 2))
        )
    if slug == "cathbad":
        table = {1: 0, 2: 4, 3: 10, 4: 18, 5: 28, 6: 40, 7: 54}
        return sum(table[count] for count in Counter(own.values()).values())
    if slug == "lir":
        fair = [part for part in stretches(worth, row) if len({cards[row, slot][1] for slot in part}) == 1]
        longest = max(map(len, fair), default=0)
        return longest**2 if longest >= 2 else 0
    if slug == "fergus":
        return sum(4 for slot, value in own.items() if column[slot] and value < min(column[slot]))
    assert slug == "owney"
    return sum(5 for slot in own if slot + 1 in own and abs(own[slot] - own[slot + 1]) <= 1)


def regions(cards: Cards) -> dict[str, int]:
    """The largest region of each colour, by painting neighbours together."""
    group = {at: number for number, at in enumerate(cards)}
    for _ in cards:
        for at in cards:
            for near in around(at):
                if near in cards and cards[near][1] == cards[at][1]:
                    group[at] = group[near] = min(group[at], group[near])
    sizes = Counter((cards[at][1], number) for at, number in group.items())
    return {
        colour: max((size for (own, _), size in sizes.items() if own == colour), default=0)
        for colour in ("blue", "green", "red", "yellow")
    }


def region_points(sizes: list[int], edition: str) -> list[int]:
    """The awards of one colour."""
    prizes = [8, 3]
    if edition == "house-3" and len(sizes) >= 3:
        prizes = [8, 3, 1]
    elif len(sizes) >= 4:
        prizes = [8, 5, 2]
    won = [0] * len(sizes)
    for size in sorted({size for size in sizes if size >= 2}, reverse=True):
        tied = [seat for seat, own in enumerate(sizes) if own == size]
        taken = [prizes.pop(0) if prizes else 0 for _ in range(1 if len(tied) == 1 else 2)]
        for seat in tied:
            won[seat] = taken[0] if len(taken) == 1 else taken[0] // 2 + taken[1] // 2
    return won
