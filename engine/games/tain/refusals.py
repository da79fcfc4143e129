"""Refusals of Táin: the rule that forbids a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tain.rules import Free, FreeCaptives, Guards, Pass, PostGuards, Put
from engine.games.tain.telling import token_name
from engine.games.tain.tokens import DAUGHTER, EMPTY, GATES, KINGDOM, KINGDOM_PLACES, LETTERS, RAIDERS
from engine.phrases import Phrases
from engine.reasons import Reason, in_languages, reason

if TYPE_CHECKING:
    from engine.game import Action, Seat
    from engine.games.tain.state import Tain

REFUSALS = Phrases(
    {
        "no-token": ("no {kind} is left behind your screen", "vous n’avez plus ce jeton derrière votre écran ({kind})"),
        "own-gate": (
            "{place} is your own gate; a guard there is written put {code} {gate}",
            "{place} est votre propre entrée, un gardien s’y écrit put {code} {gate}",
        ),
        "no-clan": ("no clan {letter} plays in this match", "aucun clan {letter} ne joue dans cette partie"),
        "guard-there": ("your gate {gate} has its guard already", "votre entrée {gate} a déjà son gardien"),
        "gate-taken": (
            "the gate {place} is taken, a scout of clan {owner} stands there",
            "l’entrée {place} est prise, un éclaireur du clan {owner} s’y trouve",
        ),
        "daughter-stays": (
            "the daughter only guards your own gates",
            "la fille du chef ne garde que vos propres entrées",
        ),
        "kingdom-kinds": (
            "only a chief, a warrior or a bluff goes to the kingdom",
            "seuls un chef, un guerrier ou un bluff vont au Royaume étranger",
        ),
        "kingdom-own": (
            "your clan has a token in the kingdom already",
            "votre clan a déjà un jeton au Royaume étranger",
        ),
        "kingdom-full": ("both places in the kingdom are taken", "les deux emplacements du Royaume étranger sont pris"),
        "guards-later": (
            "guards are posted all at once only when every scout and kingdom place is taken",
            (
                "on ne pose tous ses gardiens d’un coup que si tous les emplacements d’éclaireur et du Royaume "
                "étranger sont pris"
            ),
        ),
        "guards-now": (
            "now you name all guards that you still post, as in guards D4 X5 or guards none",
            "nommez maintenant tous les gardiens que vous posez encore, par exemple guards D4 X5 ou guards none",
        ),
        "gates-rise": (
            "name the guards in the order of their gates, each gate once",
            "les gardiens se nomment par entrées croissantes, chaque entrée une fois",
        ),
        "free-later": ("there is no captive for you to free now", "vous n’avez pas de prisonnier à libérer maintenant"),
        "free-now": (
            "now you choose which captive comes home, as in free B {letter}",
            "choisissez maintenant quel prisonnier rentre, par exemple free B {letter}",
        ),
        "other-house": (
            "you have no captive to free from clan {letter} now; choose from {known}",
            "le clan {letter} ne libère aucun de vos prisonniers maintenant, choisissez chez {known}",
        ),
    }
)
refuse = REFUSALS.refuse


def refusal(state: Tain, seat: Seat, action: Action[Tain]) -> Reason | None:  # noqa: PLR0911  # a rule each
    """Name the rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    if isinstance(step, FreeCaptives):
        return _refuse_freeing(state, seat, action)
    if isinstance(action, Free):
        return refuse("free-later")
    if isinstance(step, PostGuards):
        return _refuse_guards(state, seat, action.posts) if isinstance(action, Guards) else refuse("guards-now")
    match action:
        case Guards():
            return refuse("guards-later")
        case Put(kind, place):
            return _refuse_placement(state, seat, kind, place)
        case Pass():
            return None
    return None


def _refuse_placement(state: Tain, seat: Seat, kind: str, place: str) -> Reason | None:  # noqa: PLR0911  # a rule each
    if kind not in state.unused[seat]:
        return refuse("no-token", kind=in_languages(token_name, kind))
    if place == KINGDOM:
        return _refuse_kingdom(state, seat, kind)
    gate = int(place[-1]) - 1
    if place in GATES:
        return refuse("guard-there", gate=place)
    board = LETTERS.index(place[0])
    if board == seat:
        return refuse("own-gate", place=place, code=kind, gate=place[-1])
    if board >= state.seats:
        return refuse("no-clan", letter=place[0])
    if kind == DAUGHTER:
        return refuse("daughter-stays")
    return refuse("gate-taken", place=place, owner=state.owners[board][gate])


def _refuse_kingdom(state: Tain, seat: Seat, kind: str) -> Reason | None:
    if kind == DAUGHTER or kind not in RAIDERS:
        return refuse("kingdom-kinds")
    if any(token[0] == LETTERS[seat] for token in state.kingdom):
        return refuse("kingdom-own")
    return refuse("kingdom-full") if len(state.kingdom) >= KINGDOM_PLACES else None


def _refuse_guards(state: Tain, seat: Seat, posts: tuple[str, ...]) -> Reason | None:
    unused, gates = state.unused[seat], [post[1] for post in posts]
    for post in posts:
        if state.guards[seat][int(post[1]) - 1] != EMPTY:
            return refuse("guard-there", gate=post[1])
        if post[0] not in unused:
            return refuse("no-token", kind=in_languages(token_name, post[0]))
        unused = unused.replace(post[0], "", 1)
    if sorted(set(gates)) != gates and len(set(gates)) == len(gates):
        return reason("line.written", line=" ".join(["guards", *sorted(posts, key=lambda post: post[1])]))
    return refuse("gates-rise")


def _refuse_freeing(state: Tain, seat: Seat, action: Action[Tain]) -> Reason | None:
    houses = [LETTERS[choice.holder] for choice in state.choices if choice.seat == seat]
    if not isinstance(action, Free):
        return refuse("free-now", letter=houses[0])
    return refuse("other-house", letter=action.holder, known=", ".join(houses))
