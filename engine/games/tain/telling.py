"""Táin in sentences: menu entries, made lines, and the raids of a round as a story."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action, Seat
from engine.games.tain.raids import Raid, Release, Report
from engine.games.tain.rules import Free, Guards, Pass, Put
from engine.games.tain.state import Tain
from engine.games.tain.tokens import BLUFF, CHIEF, DAUGHTER, EMPTY, KINGDOM, LETTERS, MANY, PASTURE, UNKNOWN
from engine.games.tain.view import TainView
from engine.games.tain.words import KIND_NAMES
from engine.phrases import Phrases
from engine.starting_seat import BEGINS
from engine.words import AND, Locale, capitalise, french, of_name, typeset

FRENCH_THE = {"C": "le chef", "W": "le guerrier", "B": "le garçon", "D": "la fille du chef", "X": "le bluff"}
FREED = {"B": "libéré", "D": "libérée"}
VERBS = frozenset({"put", "pass", "guards", "free"})
WAYS = Phrases(
    {
        EMPTY: ("{scout} finds {gate} open", "{scout} trouve sans gardien {gate}"),
        BLUFF: ("{scout} walks past a bluff at {gate}", "{scout} déjoue un bluff à {gate}"),
        "": ("{scout} overcomes the {guard} at {gate}", "{scout} l’emporte sur {guard} à {gate}"),
    }
)
ENDS = Phrases(
    {
        "cattle": ("{way} and drives off 1 cattle.", "{way} et prend un pion Bétail."),
        "jewel": ("{way} and carries off a jewel.", "{way} et prend un bijou."),
        "free": ("{way} and opens the way home for a captive.", "{way} et peut libérer un prisonnier."),
        "nothing": ("{way}, but nothing is left to take.", "{way}, mais il ne reste rien à prendre."),
        "fails": ("{scout} is turned away by the {guard} at {gate}.", "{scout} est repoussé par {guard} à {gate}."),
        "caught": (
            "{scout} runs into the warrior at {gate} and is captured.",
            "{scout} tombe sur le guerrier à {gate} et est fait prisonnier.",
        ),
        "kidnaps": (
            "{scout} meets the daughter at {gate} and carries her off, without other loot.",
            "{scout} rencontre la fille du chef à {gate} et l’enlève, sans autre butin.",
        ),
    }
)


def token_name(kind: str, locale: Locale) -> str:
    """A token with its article in French, bare in English."""
    return FRENCH_THE[kind] if locale == "fr" else KIND_NAMES["en"][kind]


def of(thing: str, who: str, locale: Locale) -> str:
    """Whose thing it is: `Ann’s boy`, `le garçon d’Ann`."""
    if locale == "en":
        return f"{who}’s {thing}"
    return f"{thing} {of_name(who)}"


def gate_of(view: TainView, board: Seat, gate: int, locale: Locale) -> str:
    """A gate in words: `pasture gate 2 of Bob`."""
    who = view.called(board, locale)
    if locale == "en":
        return f"{'pasture' if gate < PASTURE else 'house'} gate {gate + 1} of {who}"
    return of(f"l’entrée {gate + 1} de la {'Pâture' if gate < PASTURE else 'Maison'}", who, locale)


def say(view: TainView, action: Action[Tain], locale: Locale) -> str:
    """One short sentence for a menu."""
    return typeset(_say_action(view, action, locale), locale)


def _say_action(view: TainView, action: Action[Tain], locale: Locale) -> str:
    match action:
        case Pass():
            return {"en": "Pass for the rest of the round", "fr": "Passer jusqu’à la fin du tour"}[locale]
        case Guards(posts):
            return _say_guards(posts, locale)
        case Free(kind, holder):
            who, name = view.called(LETTERS.index(holder), locale), KIND_NAMES[locale][kind]
            if locale == "en":
                return f"Free your {name} from {of('house', who, locale)}"
            return f"Libérer {token_name(kind, locale)} {of('de la Maison', who, locale)}"
        case Put(kind, place):
            return _say_placement(view, kind, place, locale)
    return action.line


KINDS = Phrases(
    {
        "guard": ("Guard your own gates", "Garder vos entrées"),
        "scout": ("Scout {whose} gates", "Envoyer aux entrées {whose}"),
        "kingdom": ("Go to the kingdom", "Aller au Royaume étranger"),
        "pass": ("Pass", "Passer"),
        "free": ("Free captives", "Libérer des prisonniers"),
        "all": ("Post the last guards", "Poser les derniers gardiens"),
    }
)


def option_kind(view: TainView, action: Action[Tain], locale: Locale) -> str:
    """The heading under which a long menu lists an action: whose gates, the kingdom, or the verb."""
    if not isinstance(action, Put):
        return KINDS[locale].get(action.verb, action.verb)
    if action.place == KINGDOM or len(action.place) == 1:
        return KINDS[locale]["kingdom" if action.place == KINGDOM else "guard"]
    who = view.called(LETTERS.index(action.place[0]), locale)
    return KINDS[locale]["scout"].format(whose=of_name(who) if locale == "fr" else f"{who}’s")


def _say_placement(view: TainView, kind: str, place: str, locale: Locale) -> str:
    name = token_name(kind, locale)
    if place == KINGDOM:
        return {"en": f"Send the {name} to the kingdom", "fr": f"Envoyer {name} au Royaume étranger"}[locale]
    if len(place) == 1:
        side = _side(int(place) - 1, locale)
        guard = {
            "en": f"Guard your gate {place} ({side}): {name}",
            "fr": f"Garder votre entrée {place} ({side}) : {name}",
        }
        return guard[locale]
    gate = gate_of(view, LETTERS.index(place[0]), int(place[1]) - 1, locale)
    return {"en": f"Scout {gate}: {name}", "fr": f"Envoyer {name} à {gate}"}[locale]


def _side(gate: int, locale: Locale) -> str:
    names = {"en": ("pasture", "house"), "fr": ("Pâture", "Maison")}
    return names[locale][gate >= PASTURE]


def _say_guards(posts: tuple[str, ...], locale: Locale) -> str:
    if not posts:
        return {"en": "Post no more guards", "fr": "Ne poser aucun autre gardien"}[locale]
    at = {"en": "{0} at gate {1}", "fr": "{0} à l’entrée {1}"}[locale]
    named_posts = ", ".join(at.format(token_name(post[0], locale), post[1]) for post in posts)
    return {"en": "Post guards: ", "fr": "Poser les gardiens : "}[locale] + named_posts


def tell(before: TainView, after: TainView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """What a made line meant as the viewer saw it, and all that followed by itself."""
    told = [*_tell_line(before, seat, line, locale)]
    report, old = after.report, before.report
    if report is not None and (old is None or old.round != report.round):
        told += story(after, report, locale)
        told += _to_choose(after, locale)
    elif report is not None and old is not None:
        told += [_tell_release(after, each, locale) for each in report.released[len(old.released) :]]
    if after.over and not before.over and line.split(" ", maxsplit=1)[0] in VERBS:
        told += _finish(after, locale)
    elif after.round != before.round:
        told += _next_round(before, after, locale)
    return tuple(map(french, told)) if locale == "fr" else tuple(told)


def _tell_line(view: TainView, seat: Seat, line: str, locale: Locale) -> Iterator[str]:
    who, (verb, *rest) = view.called(seat, locale), line.split(" ")
    if verb == "start":
        yield BEGINS[locale].format(who=view.called(int(rest[0]), locale))
    elif verb == "pass":
        yield {"en": f"{who} passes.", "fr": f"{who} passe."}[locale]
    elif verb == "guards":
        yield _tell_guards(who, rest, locale)
    elif verb == "put":
        yield _tell_placement(view, who, rest[0], rest[1], locale)
    elif verb != "free":  # whose captive comes home is told with the others
        yield f"{who}: {line}" if locale == "en" else f"{who} : {line}"


def _tell_guards(who: str, posts: list[str], locale: Locale) -> str:
    if posts == [UNKNOWN]:
        return {"en": f"{who} has chosen the last guards.", "fr": f"{who} a choisi ses derniers gardiens."}[locale]
    if posts == ["none"]:
        return {"en": f"{who} posts no more guards.", "fr": f"{who} ne pose plus aucun gardien."}[locale]
    what = _say_guards(tuple(posts), locale).partition(": ")[2]
    return {"en": f"{who} posts guards: {what}.", "fr": f"{who} pose des gardiens : {what}."}[locale]


def _tell_placement(view: TainView, who: str, kind: str, place: str, locale: Locale) -> str:
    token = {"en": "a token", "fr": "un jeton"}[locale] if kind == UNKNOWN else _one(kind, locale)
    if place == KINGDOM:
        return {"en": f"{who} sends {token} to the kingdom.", "fr": f"{who} envoie {token} au Royaume étranger."}[
            locale
        ]
    gate = int(place[-1]) - 1
    if len(place) == 1:
        own = f"{place} ({_side(gate, locale)})"
        return {"en": f"{who} posts {token} at own gate {own}.", "fr": f"{who} pose {token} à son entrée {own}."}[
            locale
        ]
    where = gate_of(view, LETTERS.index(place[0]), gate, locale)
    return {"en": f"{who} sends {token} to {where}.", "fr": f"{who} envoie {token} à {where}."}[locale]


def _one(kind: str, locale: Locale) -> str:
    if kind in (CHIEF, DAUGHTER):
        article = {"en": "the", "fr": "la" if kind == DAUGHTER else "son"}[locale]
    else:
        article = {"en": "a", "fr": "un"}[locale]
    return f"{article} {KIND_NAMES[locale][kind]}"


def story(view: TainView, report: Report, locale: Locale) -> list[str]:
    """The raids of a round, told in the order in which they happened."""
    number = report.round
    head = {
        "en": f"Round {number}: all tokens are turned up.",
        "fr": f"Tour {number} : tous les jetons sont retournés.",
    }
    told = [head[locale], *_kingdom(view, report, locale)]
    boards = dict.fromkeys(raid.board for raid in report.raids)
    for board in boards:
        here = [raid for raid in report.raids if raid.board == board]
        told += [_raid(view, raid, locale) for raid in here if raid.outcome != "bluff"]
        told += _bluffs(view, board, [raid for raid in here if raid.outcome == "bluff"], locale)
    if not report.raids and not report.kingdom:
        told.append({"en": "Nobody went on a raid.", "fr": "Personne n’est parti en razzia."}[locale])
    told += [_tell_release(view, each, locale) for each in report.released]
    return list(map(french, told)) if locale == "fr" else told


def _kingdom(view: TainView, report: Report, locale: Locale) -> Iterator[str]:
    chief = any(token[1] == CHIEF for token in report.kingdom)
    for token in report.kingdom:
        seat, kind = LETTERS.index(token[0]), token[1]
        who = capitalise(of(token_name(kind, locale), view.called(seat, locale), locale))
        if kind == BLUFF:
            yield {"en": f"{who} lay in the kingdom.", "fr": f"{who} était au Royaume étranger."}[locale]
        elif seat in report.takers:
            yield {
                "en": f"{who} takes 1 cattle from the kingdom.",
                "fr": f"{who} prend un pion Bétail au Royaume étranger.",
            }[locale]
        elif chief and kind != CHIEF:
            end = {"en": "gives way to the chief in the kingdom.", "fr": "cède devant le chef au Royaume étranger."}
            yield f"{who} {end[locale]}"
        else:
            end = {"en": "finds no cattle left in the kingdom.", "fr": "ne trouve plus de bétail au Royaume étranger."}
            yield f"{who} {end[locale]}"


def _raid(view: TainView, raid: Raid, locale: Locale) -> str:
    scout = of(token_name(raid.scout, locale), view.called(raid.raider, locale), locale)
    guard = "" if raid.guard == EMPTY else token_name(raid.guard, locale)
    gate = gate_of(view, raid.board, raid.gate, locale)
    ways = WAYS[locale]
    way = ways.get(raid.guard, ways[""]).format(scout=scout, guard=guard, gate=gate)
    return capitalise(ENDS[locale][raid.outcome].format(way=way, scout=scout, guard=guard, gate=gate))


def _bluffs(view: TainView, board: Seat, raids: list[Raid], locale: Locale) -> Iterator[str]:
    if raids:
        gates = ", ".join(f"{raid.gate + 1} ({view.called(raid.raider, locale)})" for raid in raids)
        gate = {"en": "gate" if len(raids) == 1 else "gates", "fr": "entrée" if len(raids) == 1 else "entrées"}[locale]
        who, bluffs = view.called(board, locale), "Bluff" if len(raids) == 1 else "Bluffs"
        yield {
            "en": f"Bluffs before {who}: {gate} {gates}.",
            "fr": f"{bluffs} chez {who} : {gate} {gates}.",
        }[locale]


def _tell_release(view: TainView, release: Release, locale: Locale) -> str:
    who, holder = view.called(release.seat, locale), view.called(release.holder, locale)
    freed = capitalise(of(token_name(release.kind, locale), who, locale))
    if locale == "en":
        return f"{freed} comes home from {of('house', holder, locale)}."
    return f"{freed} est {FREED[release.kind]} {of('de la Maison', holder, locale)}."


def _to_choose(view: TainView, locale: Locale) -> Iterator[str]:
    for choice in view.choices:
        who, holder = view.called(choice.seat, locale), view.called(choice.holder, locale)
        yield {
            "en": f"{who} chooses who comes home from {of('house', holder, 'en')}.",
            "fr": f"{who} choisit qui est libéré {of('de la Maison', holder, 'fr')}.",
        }[locale]


def _next_round(before: TainView, after: TainView, locale: Locale) -> Iterator[str]:
    for seat, (old, new) in enumerate(zip(before.clans, after.clans, strict=True)):
        if new.unused > old.unused:
            who = after.called(seat, locale)
            yield {"en": f"{who} takes all used tokens back.", "fr": f"{who} reprend tous ses jetons utilisés."}[locale]
    who, number = after.called(after.active, locale), after.round
    yield {"en": f"Round {number}: {who} begins.", "fr": f"Tour {number} : {who} commence."}[locale]


def _finish(view: TainView, locale: Locale) -> Iterator[str]:
    rich = [view.called(seat, locale) for seat, clan in enumerate(view.clans) if clan.cattle >= MANY]
    if rich:
        names = AND[locale].join(rich)
        has = {"en": "owns" if len(rich) == 1 else "own", "fr": "possède" if len(rich) == 1 else "possèdent"}[locale]
        end = {"en": f"{names} {has} {MANY} cattle or more.", "fr": f"{names} {has} {MANY} pions Bétail ou plus."}
        yield end[locale]
    else:
        yield {"en": "The eighth round is over.", "fr": "Le huitième tour est terminé."}[locale]
