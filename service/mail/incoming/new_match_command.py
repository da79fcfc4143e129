"""`new GAME …` in an email: the words after it as a match to create."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine import notation
from engine.game import AnyGame
from engine.games import GAMES
from engine.options import Setting
from engine.words import LOCALES, is_number, plain
from service.accounts.email_address import BadEmailAddress, canonicalise
from service.i18n.catalogue import msg
from service.matches.create import NewMatch
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.problems import invalid_fields_problem

SOLO_WORDS = frozenset({"solo", "alone", "seul", "seule", "solitaire"})
FILLERS = frozenset(
    """a an the une un with avec against contre for pour players joueurs player joueur seats places match game
    partie and et""".split()
)
BOT_WORDS = frozenset({"bots", "bot", "robots", "robot"})
SIGNED_WORDS = frozenset({"signed", "signee", "signe"})
PRIVATE_WORDS = frozenset({"private", "privee", "prive", "invitation"})
LEVELS = {"indulgent": "gentle", "indulgente": "gentle", "facile": "easy", "normale": "normal", "difficile": "hard"}
DUEL = 2
GUEST_SIGNS = r"[^\s<>()\[\],;:\"]"
GUEST = re.compile(rf"[<(\[]?(?:mailto:)?(?<!{GUEST_SIGNS})({GUEST_SIGNS}+@{GUEST_SIGNS}+)[>)\]]?", re.IGNORECASE)
MOST_GUESTS = 5


@dataclass(frozen=True)
class MatchWish:
    """A match to create, and the addresses to invite."""

    wanted: NewMatch
    guests: tuple[str, ...] = ()


def parse_wish(text: str) -> MatchWish:
    """Return the match that `keltis with bran@example.org` asks for: a seat for each guest, private if none is left."""
    rest, guests = split_guests(text)
    wanted = parse(rest)
    if not guests:
        return MatchWish(wanted)
    said = any(is_number(word) for word in rest.split())
    seats = wanted.seats if said else max(wanted.seats, len(guests) + 1)
    if len(guests) + 1 > seats:
        raise invalid_fields_problem(msg("matches.too_many_guests", count=seats), seats=f"{len(guests) + 1}")
    bots = {seat: bot for seat, bot in wanted.bots.items() if len(guests) < seat < seats}
    full = len(guests) + len(bots) + 1 >= seats
    visibility = "invitation" if full else wanted.visibility
    return MatchWish(replace(wanted, seats=seats, bots=bots, visibility=visibility), guests)


def split_guests(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the words without email addresses, and these addresses, each once."""
    found = dict.fromkeys(each.rstrip(".!?").lower() for each in GUEST.findall(text))
    if len(found) > MOST_GUESTS:
        raise invalid_fields_problem(msg("matches.too_many_guests", count=MOST_GUESTS + 1), address="too many")
    try:
        guests = tuple(canonicalise(each) for each in found)
    except BadEmailAddress:
        raise invalid_fields_problem(msg("matches.not_an_address", text=" ".join(found)), address="unknown") from None
    return GUEST.sub(" ", text), guests


def parse(text: str) -> NewMatch:
    """Return the match that `keltis 3`, `tir na nog solo hard` or `tain 4 bots` asks for. Refuse unknown words."""
    game, words = _split_game([_normalise_word(word) for word in text.split()])
    said = frozenset(words)
    solo = bool(SOLO_WORDS & said)
    rival = _opponent_option(game) if solo else ""
    seats = next(
        (int(word) for word in words if is_number(word)), DUEL if DUEL in game.rules.seats else game.rules.seats[0]
    )
    bots = _bots_by_name(game)
    named = next((bots[word] for word in words if word in bots), game.bots.stand_in if solo or BOT_WORDS & said else "")
    clock = next((word for word in words if word in PRESETS), "none" if solo else DEFAULT_PRESET)
    levels = {choice for option in game.rules.options if option.name == rival for choice in option.choices}
    known = (
        SOLO_WORDS | FILLERS | BOT_WORDS | PRIVATE_WORDS | SIGNED_WORDS | frozenset(PRESETS) | (bots.keys() - levels)
    )
    options: dict[str, Setting] = {}
    for word in (word for word in words if word not in known and not is_number(word)):
        options |= _parse_option(game, word, rival)
    if rival:
        options[rival] = options.get(rival) or _default_level(game, rival)
    return NewMatch(
        game.slug,
        seats,
        options,
        moves="signed" if SIGNED_WORDS & said else "any",
        clock=clock,
        visibility="invitation" if solo or PRIVATE_WORDS & said else "open",
        bots=dict.fromkeys(range(1, seats), rival or named) if rival or named else {},
    )


def parse_game(text: str) -> AnyGame:
    """Return the game named by the first words. Refuse if they name none."""
    return _split_game([_normalise_word(word) for word in text.split()])[0]


def _normalise_word(word: str) -> str:
    name, equals, value = word.partition("=")
    said = plain(name)
    return f"{said}={value.lower()}" if equals else LEVELS.get(said, said)


def _split_game(words: list[str]) -> tuple[AnyGame, list[str]]:
    """Return the game that the first words name by slug or title, and the words after it."""
    words = [word for word in words if word]
    while words and words[0] in FILLERS:
        words = words[1:]
    for count in range(len(words), 0, -1):
        said = " ".join(words[:count]).replace("-", " ")
        for game in GAMES.values():
            titles = {plain(re.split(r"[,:]", title)[0]) for title in game.presentation.title.values()}
            if said in {game.slug.replace("-", " "), *titles}:
                return game, words[count:]
    raise invalid_fields_problem(msg("matches.name_a_game", games=", ".join(GAMES)), game="unknown")


def _opponent_option(game: AnyGame) -> str:
    """Return the option that seats a solo opponent. It has the name of a bot."""
    return next((option.name for option in game.rules.options if option.name in game.bots.by_name), "")


def _bots_by_name(game: AnyGame) -> dict[str, str]:
    """Return the bots of a game by every name people use."""
    names = {plain(game.presentation.words.bot(bot, locale)): bot for bot in game.bots.by_name for locale in LOCALES}
    return {**names, **{bot: bot for bot in game.bots.by_name}}


def _default_level(game: AnyGame, rival: str) -> Setting:
    """Return the default level of a solo opponent: the first one."""
    option = next(each for each in game.rules.options if each.name == rival)
    return next(value for value in option.choices if value != option.default)


def _parse_option(game: AnyGame, word: str, rival: str) -> dict[str, Setting]:
    """Return an option given as `name=value`, or as a value that only one option has."""
    name, equals, value = word.partition("=")
    if not equals:
        fitting = [option for option in game.rules.options if name in option.choices]
        chosen = [option for option in fitting if option.name == rival] or fitting
        if len(chosen) != 1:
            raise invalid_fields_problem(msg("matches.word_says_nothing", word=name, game=game.slug), options=name)
        return {chosen[0].name: name}
    known = next((option for option in game.rules.options if option.name == name), None)
    meant = notation.read_setting(value, known.default) if known else None
    if meant is None:
        raise invalid_fields_problem(msg("matches.no_such_option", game=game.slug, option=word), options=name)
    return {name: meant}
