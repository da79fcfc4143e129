"""The table of Táin in words: for terminals, emails and screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Seat
from engine.games.tain.state import Loot
from engine.games.tain.telling import story
from engine.games.tain.tokens import EMPTY, GATES, LETTERS, PASTURE, ROUNDS, free
from engine.games.tain.view import TainView
from engine.games.tain.words import captive_words, letters_in, token_counts, token_legend
from engine.lines import fold_words
from engine.phrases import Phrases
from engine.words import Locale, points_word

WIDTH = 78
SAY = Phrases(
    {
        "head": ("Táin · round {round} of {rounds} · {now}", "Táin · tour {round} sur {rounds} · {now}"),
        "start": ("drawing who begins", "tirage au sort de qui commence"),
        "recon": ("placement {placement} · {who} to place", "pose {placement} · à {who} de poser"),
        "guards": ("last guards, to answer: {who}", "derniers gardiens, réponses attendues : {who}"),
        "free": ("captives to free, to choose: {who}", "prisonniers à libérer, choix attendus : {who}"),
        "over": ("over", "partie terminée"),
        "paused": ("paused", "partie suspendue"),
        "kingdom": (
            "Kingdom: {stock} cattle; raiders there: {there}",
            "Royaume étranger : bétail {stock} ; jetons présents : {there}",
        ),
        "nobody": ("none", "aucun"),
        "you": (" (you)", " (vous)"),
        "active": (", begins", ", commence"),
        "out": (", out", ", a passé"),
        "answered": (", has answered", ", a répondu"),
        "clan": (
            "{letter}  {who}: {total} {points}, cattle {cattle}, jewels {jewels}, unused {unused}, used {used}",
            (
                "{letter}  {who} : {total} {points}, bétail {cattle}, bijoux {jewels}, "
                "jetons\N{NO-BREAK SPACE}inutilisés\N{NO-BREAK SPACE}{unused}, utilisés\N{NO-BREAK SPACE}{used}"
            ),
        ),
        "gate": ("gates", "entrées"),
        "scouts": ("scouts", "éclaireurs"),
        "guard": ("guards", "gardiens"),
        "prisoners": ("holds {captives}", "prisonniers : {captives}"),
        "beside": ("won this round: {loot}", "gagné ce tour : {loot}"),
        "cattle": ("{0} cattle", "bétail {0}"),
        "jewels": ("{0} jewels", "bijoux {0}"),
        "jewel": ("1 jewel", "1 bijou"),
        "screens": ("unused {0}, used {1}", "libres {0}, utilisés {1}"),
        "screen": ("Behind your screen: {tokens}", "Derrière votre écran : {tokens}"),
        "used": ("Your used tokens: {tokens}", "Vos jetons utilisés : {tokens}"),
        "used-brief": ("used: {tokens}", "utilisés : {tokens}"),
        "answer": ("Your last guards: {posts}", "Vos derniers gardiens : {posts}"),
        "hidden": ("hidden: {tokens}", "cachés : {tokens}"),
        "empty": ("nothing", "rien"),
        "form": (
            (
                "Every scout and kingdom place is taken. Name all guards you still post, at once and for good: "
                "all D 4, X 5 for your daughter at gate 4 and a bluff at 5, or all none. Your free gates: {gates}."
            ),
            (
                "Tous les emplacements d’éclaireur et ceux du Royaume étranger sont pris. Nommez d’un coup, pour de "
                "bon, les gardiens que vous posez encore : tous F 4, X 5 pour la fille du chef à l’entrée 4 et un "
                "bluff à la 5, ou tous aucun. Vos entrées libres : {gates}."
            ),
        ),
        "legend": ("a to d: whose token; ? face down; . empty", "a à d : à qui est le jeton ; ? face cachée ; . vide"),
        "hidden-means": (
            "hidden: tokens of the clan that are face down or behind its screen",
            "cachés : les jetons du clan face cachée ou derrière son écran",
        ),
    }
)
INKS = (
    (r"\ba\?|\ba[CWBDXGJF]\b|^a  .*$", "blue"),
    (r"\bb\?|\bb[CWBDXGJF]\b|^b  .*$", "yellow"),
    (r"\bc\?|\bc[CWBDXGJF]\b|^c  .*$", "magenta"),
    (r"\bd\?|\bd[CWBDXGJF]\b|^d  .*$", "green"),
)


def text(view: TainView, locale: Locale) -> str:
    """Write the whole table in at most 78 columns, with the story of the last raids."""
    rows = _table(view, locale)
    if view.report is not None and (view.placement == 1 or view.phase in ("free", "over")):
        rows.append("")
        for sentence in story(view, view.report, locale):
            rows += fold_words(sentence, WIDTH, later="  ")
    return "\n".join(rows).rstrip()


def board(view: TainView, locale: Locale, width: int) -> str:  # noqa: ARG001  # it is never wider than 78
    """Write the table for a terminal, which tells the raids itself."""
    return "\n".join(_table(view, locale)).rstrip()


def compact(view: TainView, locale: Locale) -> str:
    """Write the table for a window of 24 rows: the posts of a clan in one row, from gate 1 on, and no legend."""
    say, rows = SAY[locale], _head(view, locale)
    for seat in range(view.seats):
        heading, posts, spoils = _clan_parts(view, seat, locale)
        rows += fold_words(heading, WIDTH, later="   ")
        rows.append("   " + "   ".join(f"{label} {_cells(cells, 3)}" for label, cells in posts))
        rows += fold_words("; ".join(spoils), WIDTH, "   ", "   ") if spoils else []
    own = view.seat is not None and not view.over
    return "\n".join([*rows, *([say["screen"].format(tokens=_own_tokens(view, locale))] if own else [])])


def _table(view: TainView, locale: Locale) -> list[str]:
    rows = _head(view, locale)
    for seat in range(view.seats):
        rows += ["", *_clan(view, seat, locale)]
    return [*rows, "", *_own(view, locale)]


def _head(view: TainView, locale: Locale) -> list[str]:
    say = SAY[locale]
    who = ", ".join(view.called(seat, locale) for seat in view.asked)
    now = say[view.phase if view.asked or view.over else "paused"].format(who=who, placement=view.placement)
    there = letters_in(", ".join(view.kingdom), locale) or say["nobody"]
    rows = fold_words(say["head"].format(round=view.round, rounds=ROUNDS, now=now), WIDTH, later="  ")
    return [*rows, say["kingdom"].format(stock=view.stock, there=there)]


def player_words(view: TainView, seat: Seat, locale: Locale) -> str:
    """Return the name of a clan's player, marked if that is the viewer."""
    return view.called(seat, locale) + (SAY[locale]["you"] if seat == view.seat else "")


def turn_words(view: TainView, seat: Seat, locale: Locale) -> str:
    """Return the facts about a clan's turn, each after a comma."""
    say, clan = SAY[locale], view.clans[seat]
    return (
        (say["active"] if seat == view.active and not view.over else "")
        + (say["out"] if clan.out else "")
        + (say["answered"] if clan.answered else "")
    )


def _clan(view: TainView, seat: Seat, locale: Locale) -> list[str]:
    heading, posts, spoils = _clan_parts(view, seat, locale)
    rows = [*fold_words(heading, WIDTH, later="   "), _row(SAY[locale]["gate"], GATES)]
    rows += [_row(label, cells) for label, cells in posts]
    rows += [] if view.over else ["   " + hidden_words(view, seat, locale)]
    return rows + [row for each in spoils for row in fold_words(each, WIDTH, "   ", "   ")]


def _clan_parts(
    view: TainView, seat: Seat, locale: Locale
) -> tuple[str, tuple[tuple[str, Sequence[str]], ...], list[str]]:
    """Return the heading of a clan, its scouts and guards with their labels, and sentences about its things."""
    say, clan = SAY[locale], view.clans[seat]
    heading = say["clan"].format(
        letter=LETTERS[seat],
        who=player_words(view, seat, locale) + turn_words(view, seat, locale),
        total=view.scores[seat].total,
        cattle=clan.cattle,
        jewels=clan.jewels,
        unused=clan.unused,
        used=clan.used,
        points=points_word(view.scores[seat].total, locale),
    )
    posts = [letters_in(kinds, locale) for kinds in (clan.scouts, clan.guards)]
    scouts = [EMPTY if owner == EMPTY else owner + kind for owner, kind in zip(clan.owners, posts[0], strict=True)]
    guards = [EMPTY if kind == EMPTY else LETTERS[seat] + kind for kind in posts[1]]
    captives = captive_words(clan.prisoners, locale) if clan.prisoners else ""
    loot = loot_words(clan.beside, locale)
    spoils = [say["prisoners"].format(captives=captives)] if captives else []
    spoils += [say["beside"].format(loot=loot)] if loot else []
    return heading, ((say["scouts"], scouts), (say["guard"], guards)), spoils


def _row(label: str, cells: Sequence[str]) -> str:
    return f"   {label:<12}{_cells(cells, 5)}"


def _cells(cells: Sequence[str], width: int) -> str:
    """Return the posts at the gates: those of the pasture, a bar, those of the house."""
    pasture, house = ("".join(f"{cell:<{width}}" for cell in part) for part in (cells[:PASTURE], cells[PASTURE:]))
    return f"{pasture}|{' ' * (width // 2)}{house}".rstrip()


def hidden_words(view: TainView, seat: Seat, locale: Locale) -> str:
    """Return the tokens that a clan has face down or behind its screen, which everybody knows from the reveals."""
    say = SAY[locale]
    return say["hidden"].format(tokens=token_counts(view.clans[seat].unshown, locale) or say["empty"])


def loot_words(loot: Loot, locale: Locale) -> str:
    """Return the loot beside a board in words, or an empty string if there is none."""
    say = SAY[locale]
    parts = [say["cattle"].format(loot.cattle)] if loot.cattle else []
    parts += [say["jewel" if loot.jewels == 1 else "jewels"].format(loot.jewels)] if loot.jewels else []
    parts += [captive_words(loot.captives, locale)] if loot.captives else []
    return ", ".join(parts)


def _own_tokens(view: TainView, locale: Locale) -> str:
    return token_counts(view.unused, locale) or SAY[locale]["empty"]


def _own(view: TainView, locale: Locale) -> list[str]:
    say = SAY[locale]
    rows = [token_legend(locale), say["legend"], *([] if view.over else [say["hidden-means"]])]
    if view.seat is None or view.over:
        return rows
    rows.append(say["screen"].format(tokens=_own_tokens(view, locale)))
    rows.append(say["used"].format(tokens=token_counts(view.used, locale) or say["empty"]))
    if view.answer is not None:
        rows.append(say["answer"].format(posts=letters_in(" ".join(view.answer), locale) or say["nobody"]))
    elif view.phase == "guards" and view.seat in view.asked:
        gates = " ".join(free(view.clans[view.seat].guards))
        rows += fold_words(say["form"].format(gates=gates), WIDTH)
    return rows
