"""Changes by raids: tokens return, loot is laid beside the boards, captives are freed, and the loot is brought in."""

from __future__ import annotations

from dataclasses import replace

from engine.game import Seat
from engine.games.tain.raids import Release, Report
from engine.games.tain.state import Choice, Loot, Tain, empty_boards
from engine.games.tain.tokens import EMPTY, LETTERS, sort_tokens
from engine.tuples import put, without


def return_tokens(state: Tain, report: Report) -> Tain:
    """Clear the boards. Every token that was not captured joins its owner's used tokens."""
    back = [used + guards.replace(EMPTY, "") for used, guards in zip(state.used, report.guards, strict=True)]
    for token in report.kingdom:
        back[LETTERS.index(token[0])] += token[1]
    for raid in report.raids:
        if raid.outcome != "caught":
            back[raid.raider] += raid.scout
        if raid.outcome == "kidnaps":
            back[raid.board] = back[raid.board].replace(raid.guard, "", 1)
    return state.but(**empty_boards(state.seats), used=tuple(map(sort_tokens, back)))


def lay_loot(state: Tain, report: Report) -> Tain:
    """Lay the loot of these raids beside the winners' boards."""
    cattle, jewels = list(state.cattle), list(state.jewels)
    herd, gems = [0] * state.seats, [0] * state.seats
    captives: list[tuple[str, ...]] = [()] * state.seats
    for seat in report.takers:
        herd[seat] += 1
    for raid in report.raids:
        if raid.outcome == "cattle":
            cattle[raid.board] -= 1
            herd[raid.raider] += 1
        elif raid.outcome == "jewel":
            jewels[raid.board] -= 1
            gems[raid.raider] += 1
        elif raid.outcome == "caught":
            captives[raid.board] += (LETTERS[raid.raider] + raid.scout,)
        elif raid.outcome == "kidnaps":
            captives[raid.raider] += (LETTERS[raid.board] + raid.guard,)
    beside = tuple(map(Loot, herd, gems, captives))
    return state.but(cattle=tuple(cattle), jewels=tuple(jewels), stock=state.stock - len(report.takers), beside=beside)


def release_captive(state: Tain, seat: Seat, holder: Seat, kind: str) -> Tain:
    """Move one captive to its owner's used tokens."""
    assert state.report is not None  # noqa: S101  # only raids set captives free
    prisoners = put(state.prisoners, holder, without(state.prisoners[holder], LETTERS[seat] + kind))
    report = replace(state.report, released=(*state.report.released, Release(seat, holder, kind)))
    used = put(state.used, seat, sort_tokens(state.used[seat] + kind))
    return state.but(prisoners=prisoners, used=used, report=report)


def release_captives(state: Tain, choice: Choice) -> Tain:
    """Release captives for the successes, or keep an open choice if its owner can choose between kinds."""
    held = [token[1] for token in state.prisoners[choice.holder] if token[0] == LETTERS[choice.seat]]
    if not state.daughter_first and 0 < choice.left < len(held) and len(set(held)) > 1:
        return state.but(choices=tuple(sorted((*state.choices, choice), key=lambda each: (each.seat, each.holder))))
    for kind in sorted(held, reverse=True)[: choice.left]:  # the daughter before boys
        state = release_captive(state, choice.seat, choice.holder, kind)
    return state


def bring_in_loot(state: Tain) -> Tain:
    """Move the loot beside the boards to pastures and houses."""
    pairs = tuple(zip(state.cattle, state.jewels, state.prisoners, state.beside, strict=True))
    return state.but(
        cattle=tuple(cattle + loot.cattle for cattle, _, _, loot in pairs),
        jewels=tuple(jewels + loot.jewels for _, jewels, _, loot in pairs),
        prisoners=tuple(tuple(sorted(held + loot.captives)) for _, _, held, loot in pairs),
        beside=(Loot(),) * state.seats,
    )
