"""Táin in sentences: menu entries, made lines, and the raids of a round as a story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Action, Seat
from engine.games.tain.raids import Raid, Release, Report
from engine.games.tain.rules import Free, Guards, Pass, Put
from engine.games.tain.state import Tain
from engine.games.tain.tokens import BLUFF, CHIEF, DAUGHTER, EMPTY, KINGDOM, LETTERS, MANY, PASTURE, UNKNOWN
from engine.games.tain.view import TainView
from engine.games.tain.words import KIND_NAMES
from engine.phrases import Phrases
from engine.starting_seat import BEGINS
from engine.task import Task, fill_task
from engine.words import AND, Locale, capitalise, of_name, typeset

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
SAID = Phrases(
    {
        "pass": ("Pass for the rest of the round", "Passer jusqu’à la fin du tour"),
        "free": ("Free your {kind} from {house}", "Libérer {kind} {house}"),
        "kingdom": ("Send the {kind} to the kingdom", "Envoyer {kind} au Royaume étranger"),
        "guard": ("Guard your gate {gate} ({side}): {kind}", "Garder votre entrée {gate} ({side}) : {kind}"),
        "scout": ("Scout {gate}: {kind}", "Envoyer {kind} à {gate}"),
        "no-guards": ("Post no more guards", "Ne poser aucun autre gardien"),
        "guards": ("Post guards: {posts}", "Poser les gardiens : {posts}"),
        "post": ("{kind} at gate {gate}", "{kind} à l’entrée {gate}"),
    }
)
"""Menu entries."""
TOLD = Phrases(
    {
        "pass": ("{who} passes.", "{who} passe."),
        "guards": ("{who} posts guards: {posts}.", "{who} pose des gardiens : {posts}."),
        "no-guards": ("{who} posts no more guards.", "{who} ne pose plus aucun gardien."),
        "sealed-guards": ("{who} has chosen the last guards.", "{who} a choisi ses derniers gardiens."),
        "token": ("a token", "un jeton"),
        "to-kingdom": ("{who} sends {token} to the kingdom.", "{who} envoie {token} au Royaume étranger."),
        "to-own-gate": (
            "{who} guards gate {gate} ({side}) with {token}.",
            "{who} pose {token} à son entrée {gate} ({side}).",
        ),
        "to-gate": ("{who} sends {token} to {gate}.", "{who} envoie {token} à {gate}."),
        "reveal": ("Round {round}: all tokens are turned up.", "Tour {round} : tous les jetons sont retournés."),
        "no-raids": ("Nobody went on a raid.", "Personne n’est parti en razzia."),
        "bluff": ("{who} lay in the kingdom.", "{who} était au Royaume étranger."),
        "takes": ("{who} takes 1 cattle from the kingdom.", "{who} prend un pion Bétail au Royaume étranger."),
        "yields": (
            "{who} gives way to the chief in the kingdom.",
            "{who} cède devant le chef au Royaume étranger.",
        ),
        "too-late": (
            "{who} finds no cattle left in the kingdom.",
            "{who} ne trouve plus de bétail au Royaume étranger.",
        ),
        "one-bluff": ("Bluffs before {who}: gate {gates}.", "Bluff chez {who} : entrée {gates}."),
        "bluffs": ("Bluffs before {who}: gates {gates}.", "Bluffs chez {who} : entrées {gates}."),
        "home": ("{who} comes home from {house}.", "{who} est {freed} {house}."),
        "chooses": ("{who} chooses who comes home from {house}.", "{who} choisit qui est libéré {house}."),
        "refill": ("{who} takes all used tokens back.", "{who} reprend tous ses jetons utilisés."),
        "next-round": ("Round {round}: {who} begins.", "Tour {round} : {who} commence."),
        "rich": ("{who} owns {many} cattle or more.", "{who} possède {many} pions Bétail ou plus."),
        "several-rich": ("{who} own {many} cattle or more.", "{who} possèdent {many} pions Bétail ou plus."),
        "last-round": ("The eighth round is over.", "Le huitième tour est terminé."),
    }
)
SIDES: dict[Locale, tuple[str, str]] = {"en": ("pasture", "house"), "fr": ("Pâture", "Maison")}
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
    """Return a token with its article in French, bare in English."""
    return FRENCH_THE[kind] if locale == "fr" else KIND_NAMES["en"][kind]


def of(thing: str, who: str, locale: Locale) -> str:
    """Name a thing with its owner: `Ann’s boy`, `le garçon d’Ann`."""
    if locale == "en":
        return f"{who}’s {thing}"
    return f"{thing} {of_name(who)}"


def house_of(view: TainView, seat: Seat, locale: Locale) -> str:
    """Return the house of a clan that captives leave: `Ann’s house`, `de la Maison d’Ann`."""
    return of({"en": "house", "fr": "de la Maison"}[locale], view.called(seat, locale), locale)


def gate_of(view: TainView, board: Seat, gate: int, locale: Locale) -> str:
    """Return a gate in words: `pasture gate 2 of Bob`."""
    who, side = view.called(board, locale), SIDES[locale][gate >= PASTURE]
    if locale == "en":
        return f"{side} gate {gate + 1} of {who}"
    return of(f"l’entrée {gate + 1} de la {side}", who, locale)


def say(view: TainView, action: Action[Tain], locale: Locale) -> str:
    """Return one short sentence for a menu."""
    match action:
        case Pass():
            return SAID[locale]["pass"]
        case Guards(posts):
            return SAID.say("guards", locale, posts=_posts(posts, locale)) if posts else SAID[locale]["no-guards"]
        case Free(kind, holder):
            return SAID.say(
                "free", locale, kind=token_name(kind, locale), house=house_of(view, LETTERS.index(holder), locale)
            )
        case Put(kind, place):
            return _say_placement(view, token_name(kind, locale), place, locale)
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
    """Return the heading under which a long menu lists an action: whose gates, the kingdom, or the verb."""
    if not isinstance(action, Put):
        return KINDS[locale].get(action.verb, action.verb)
    if action.place == KINGDOM or len(action.place) == 1:
        return KINDS[locale]["kingdom" if action.place == KINGDOM else "guard"]
    who = view.called(LETTERS.index(action.place[0]), locale)
    return KINDS[locale]["scout"].format(whose=of_name(who) if locale == "fr" else f"{who}’s")


def _say_placement(view: TainView, kind: str, place: str, locale: Locale) -> str:
    if place == KINGDOM:
        return SAID.say("kingdom", locale, kind=kind)
    gate = int(place[-1]) - 1
    if len(place) == 1:
        return SAID.say("guard", locale, gate=place, side=SIDES[locale][gate >= PASTURE], kind=kind)
    return SAID.say("scout", locale, gate=gate_of(view, LETTERS.index(place[0]), gate, locale), kind=kind)


def _posts(posts: Sequence[str], locale: Locale) -> str:
    return ", ".join(SAID.say("post", locale, kind=token_name(post[0], locale), gate=post[1]) for post in posts)


def tell(before: TainView, after: TainView, seat: Seat, line: str, locale: Locale) -> tuple[str, ...]:
    """Tell the effect of a line as the viewer saw it, and everything that followed by itself."""
    told = [*_tell_line(before, seat, line, locale)]
    report, old = after.report, before.report
    if report is not None and (old is None or old.round != report.round):
        told += story(after, report, locale)
        told += _to_choose(after, locale)
    elif report is not None and old is not None:
        told += [_tell_release(after, each, locale) for each in report.released[len(old.released) :]]
    if after.over and not before.over and line.split(" ", maxsplit=1)[0] in VERBS:
        told.append(_finish(after, locale))
    elif after.round != before.round:
        told += _next_round(before, after, locale)
    return tuple(typeset(sentence, locale) for sentence in told)


def _tell_line(view: TainView, seat: Seat, line: str, locale: Locale) -> Iterator[str]:
    who, (verb, *rest) = view.called(seat, locale), line.split(" ")
    if verb == "start":
        yield BEGINS[locale].format(who=view.called(int(rest[0]), locale))
    elif verb == "pass":
        yield TOLD.say("pass", locale, who=who)
    elif verb == "guards":
        yield _tell_guards(who, rest, locale)
    elif verb == "put":
        yield _tell_placement(view, who, rest[0], rest[1], locale)
    elif verb != "free":  # released captives are told together
        yield f"{who}: {line}" if locale == "en" else f"{who} : {line}"


def _tell_guards(who: str, posts: list[str], locale: Locale) -> str:
    if posts == [UNKNOWN]:
        return TOLD.say("sealed-guards", locale, who=who)
    if posts == ["none"]:
        return TOLD.say("no-guards", locale, who=who)
    return TOLD.say("guards", locale, who=who, posts=_posts(posts, locale))


def _tell_placement(view: TainView, who: str, kind: str, place: str, locale: Locale) -> str:
    token = TOLD[locale]["token"] if kind == UNKNOWN else _one(kind, locale)
    if place == KINGDOM:
        return TOLD.say("to-kingdom", locale, who=who, token=token)
    gate = int(place[-1]) - 1
    if len(place) == 1:
        return TOLD.say("to-own-gate", locale, who=who, token=token, gate=place, side=SIDES[locale][gate >= PASTURE])
    return TOLD.say("to-gate", locale, who=who, token=token, gate=gate_of(view, LETTERS.index(place[0]), gate, locale))


def _one(kind: str, locale: Locale) -> str:
    if kind in (CHIEF, DAUGHTER):
        article = {"en": "the", "fr": "la" if kind == DAUGHTER else "son"}[locale]
    else:
        article = {"en": "a", "fr": "un"}[locale]
    return f"{article} {KIND_NAMES[locale][kind]}"


def story(view: TainView, report: Report, locale: Locale) -> list[str]:
    """Return the raids of a round, told in the order in which they happened."""
    told = [TOLD.say("reveal", locale, round=report.round), *_tell_kingdom(view, report, locale)]
    for board in dict.fromkeys(raid.board for raid in report.raids):
        here = [raid for raid in report.raids if raid.board == board]
        told += [_raid(view, raid, locale) for raid in here if raid.outcome != "bluff"]
        told += _bluffs(view, board, [raid for raid in here if raid.outcome == "bluff"], locale)
    if not report.raids and not report.kingdom:
        told.append(TOLD[locale]["no-raids"])
    return told + [_tell_release(view, release, locale) for release in report.released]


def _tell_kingdom(view: TainView, report: Report, locale: Locale) -> Iterator[str]:
    chief = any(token[1] == CHIEF for token in report.kingdom)
    for token in report.kingdom:
        seat, kind = LETTERS.index(token[0]), token[1]
        who = capitalise(of(token_name(kind, locale), view.called(seat, locale), locale))
        if kind == BLUFF:
            yield TOLD.say("bluff", locale, who=who)
        elif seat in report.takers:
            yield TOLD.say("takes", locale, who=who)
        else:
            yield TOLD.say("yields" if chief and kind != CHIEF else "too-late", locale, who=who)


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
        key = "one-bluff" if len(raids) == 1 else "bluffs"
        yield TOLD.say(key, locale, who=view.called(board, locale), gates=gates)


def _tell_release(view: TainView, release: Release, locale: Locale) -> str:
    captive = of(token_name(release.kind, locale), view.called(release.seat, locale), locale)
    house = house_of(view, release.holder, locale)
    return TOLD.say("home", locale, who=capitalise(captive), freed=FREED[release.kind], house=house)


def _to_choose(view: TainView, locale: Locale) -> Iterator[str]:
    for choice in view.choices:
        house = house_of(view, choice.holder, locale)
        yield TOLD.say("chooses", locale, who=view.called(choice.seat, locale), house=house)


def _next_round(before: TainView, after: TainView, locale: Locale) -> Iterator[str]:
    for seat, (old, new) in enumerate(zip(before.clans, after.clans, strict=True)):
        if new.unused > old.unused:
            yield TOLD.say("refill", locale, who=after.called(seat, locale))
    yield TOLD.say("next-round", locale, round=after.round, who=after.called(after.active, locale))


def _finish(view: TainView, locale: Locale) -> str:
    rich = [view.called(seat, locale) for seat, clan in enumerate(view.clans) if clan.cattle >= MANY]
    if not rich:
        return TOLD[locale]["last-round"]
    return TOLD.say("rich" if len(rich) == 1 else "several-rich", locale, who=AND[locale].join(rich), many=MANY)


TASKS = Phrases(
    {
        "recon": (
            "Reconnaissance: Place one token face down, or pass for this round.",
            "Reconnaissance : Posez un jeton face cachée, ou passez jusqu’à la fin du tour.",
        ),
        "guards": (
            "Guards: Post guards at your free gates. Everybody chooses at the same time.",
            "Gardes : Postez des gardes à vos portes libres. Tout le monde choisit en même temps.",
        ),
        "guards-full": (
            "Guards: Your gates are full: confirm that you post nobody.",
            "Gardes : Vos portes sont toutes gardées : confirmez que vous ne postez personne.",
        ),
        "free": (
            "Prisoners: Choose whom to bring home from {who}.",
            "Prisonniers : Choisissez qui vous ramenez de chez {who}.",
        ),
    }
)


def task(view: TainView, locale: Locale) -> Task:
    """Return the viewer's current task."""
    if view.phase == "free":
        holder = next(choice.holder for choice in view.choices if choice.seat == view.seat)
        return fill_task(TASKS, "free", locale, who=view.called(holder, locale))
    if view.phase == "guards":
        full = view.seat is not None and EMPTY not in view.clans[view.seat].guards
        return fill_task(TASKS, "guards-full" if full else "guards", locale)
    return fill_task(TASKS, "recon", locale)
