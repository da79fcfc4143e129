"""Which rule of Táin forbids a line, for those who tried it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tain.rules import Free, FreeCaptives, Guards, Pass, PostGuards, Put
from engine.games.tain.telling import named
from engine.games.tain.tokens import DAUGHTER, EMPTY, GATES, KINGDOM, KINGDOM_PLACES, LETTERS, RAIDERS
from engine.games.tain.words import KIND_NAMES
from engine.reasons import Localised, Reason, Texts, localised, reason, rule_reason

if TYPE_CHECKING:
    from engine.game import Action, Seat
    from engine.games.tain.state import Tain

REFUSALS: dict[str, Texts] = {
    "no-token": {
        "en": "no {kind} is left behind your screen",
        "fr": "vous n’avez plus ce jeton derrière votre écran ({kind})",
    },
    "own-gate": {
        "en": "{place} is your own gate; a guard there is written put {code} {gate}",
        "fr": "{place} est votre propre entrée, un gardien s’y écrit put {code} {gate}",
    },
    "no-clan": {"en": "no clan {letter} plays in this match", "fr": "aucun clan {letter} ne joue dans cette partie"},
    "guard-there": {
        "en": "your gate {gate} has its guard already",
        "fr": "votre entrée {gate} a déjà son gardien",
    },
    "gate-taken": {
        "en": "the gate {place} is taken, a scout of clan {owner} stands there",
        "fr": "l’entrée {place} est prise, un éclaireur du clan {owner} s’y trouve",
    },
    "daughter-stays": {
        "en": "the daughter only guards your own gates",
        "fr": "la fille du chef ne garde que vos propres entrées",
    },
    "kingdom-kinds": {
        "en": "only a chief, a warrior or a bluff goes to the kingdom",
        "fr": "seuls un chef, un guerrier ou un bluff vont au Royaume étranger",
    },
    "kingdom-own": {
        "en": "your clan has a token in the kingdom already",
        "fr": "votre clan a déjà un jeton au Royaume étranger",
    },
    "kingdom-full": {
        "en": "both places in the kingdom are taken",
        "fr": "les deux emplacements du Royaume étranger sont pris",
    },
    "guards-later": {
        "en": "guards are posted all at once only when every scout and kingdom place is taken",
        "fr": "on ne pose tous ses gardiens d’un coup que si tous les emplacements d’éclaireur et du Royaume étranger "
        "sont pris",
    },
    "guards-now": {
        "en": "now you name all guards that you still post, as in guards D4 X5 or guards none",
        "fr": "nommez maintenant tous les gardiens que vous posez encore, par exemple guards D4 X5 ou guards none",
    },
    "gates-rise": {
        "en": "guards are named by rising gates, each gate once",
        "fr": "les gardiens se nomment par entrées croissantes, chaque entrée une fois",
    },
    "free-later": {
        "en": "there is no captive for you to free now",
        "fr": "vous n’avez pas de prisonnier à libérer maintenant",
    },
    "free-now": {
        "en": "now you choose which captive comes home, as in free B {letter}",
        "fr": "choisissez maintenant quel prisonnier rentre, par exemple free B {letter}",
    },
    "other-house": {
        "en": "clan {letter} sets no captive of yours free now; choose at {known}",
        "fr": "le clan {letter} ne libère aucun de vos prisonniers maintenant, choisissez chez {known}",
    },
}


def refusal(state: Tain, seat: Seat, action: Action[Tain]) -> Reason | None:  # noqa: PLR0911  # a rule each
    """The rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    if isinstance(step, FreeCaptives):
        return _freeing(state, seat, action)
    if isinstance(action, Free):
        return rule_reason(REFUSALS["free-later"])
    if isinstance(step, PostGuards):
        return (
            _posting(state, seat, action.posts) if isinstance(action, Guards) else rule_reason(REFUSALS["guards-now"])
        )
    match action:
        case Guards():
            return rule_reason(REFUSALS["guards-later"])
        case Put(kind, place):
            return _placing(state, seat, kind, place)
        case Pass():
            return None
    return None


def _placing(state: Tain, seat: Seat, kind: str, place: str) -> Reason | None:  # noqa: PLR0911  # a rule each
    if kind not in state.unused[seat]:
        return rule_reason(REFUSALS["no-token"], kind=_kind_name(kind))
    if place == KINGDOM:
        return _entering(state, seat, kind)
    gate = int(place[-1]) - 1
    if place in GATES:
        return rule_reason(REFUSALS["guard-there"], gate=place)
    board = LETTERS.index(place[0])
    if board == seat:
        return rule_reason(REFUSALS["own-gate"], place=place, code=kind, gate=place[-1])
    if board >= state.seats:
        return rule_reason(REFUSALS["no-clan"], letter=place[0])
    if kind == DAUGHTER:
        return rule_reason(REFUSALS["daughter-stays"])
    return rule_reason(REFUSALS["gate-taken"], place=place, owner=state.owners[board][gate])


def _entering(state: Tain, seat: Seat, kind: str) -> Reason | None:
    if kind == DAUGHTER or kind not in RAIDERS:
        return rule_reason(REFUSALS["kingdom-kinds"])
    if any(token[0] == LETTERS[seat] for token in state.kingdom):
        return rule_reason(REFUSALS["kingdom-own"])
    return rule_reason(REFUSALS["kingdom-full"]) if len(state.kingdom) >= KINGDOM_PLACES else None


def _posting(state: Tain, seat: Seat, posts: tuple[str, ...]) -> Reason | None:
    unused, gates = state.unused[seat], [post[1] for post in posts]
    for post in posts:
        if state.guards[seat][int(post[1]) - 1] != EMPTY:
            return rule_reason(REFUSALS["guard-there"], gate=post[1])
        if post[0] not in unused:
            return rule_reason(REFUSALS["no-token"], kind=_kind_name(post[0]))
        unused = unused.replace(post[0], "", 1)
    if sorted(set(gates)) != gates and len(set(gates)) == len(gates):
        return reason("line.written", line=" ".join(["guards", *sorted(posts, key=lambda post: post[1])]))
    return rule_reason(REFUSALS["gates-rise"])


def _freeing(state: Tain, seat: Seat, action: Action[Tain]) -> Reason | None:
    houses = [LETTERS[choice.holder] for choice in state.choices if choice.seat == seat]
    if not isinstance(action, Free):
        return rule_reason(REFUSALS["free-now"], letter=houses[0])
    return rule_reason(REFUSALS["other-house"], letter=action.holder, known=", ".join(houses))


def _kind_name(kind: str) -> Localised:
    return localised(lambda locale: KIND_NAMES["en"][kind] if locale == "en" else named(kind, "fr"))
