"""Snapshots: states as plain JSON values and back, by the types of their dataclasses. They are only a cache."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from engine.game import Game, State, Step

Plain = Any
Coder = tuple[Callable[[Any], Plain], Callable[[Plain], Any]]
cache = cast("Callable[[Callable[..., Any]], Callable[..., Any]]", functools.cache)  # types are hashable keys


def dump(game: Game[Any], state: State) -> Plain:
    """Return the state as lists, texts, numbers and booleans."""
    return _record(game.rules.state, game.rules.steps)[0](state)


def load(game: Game[Any], plain: Plain) -> State:
    """Return the state that `dump` wrote."""
    state: State = _record(game.rules.state, game.rules.steps)[1](plain)
    return state


@cache
def _fingerprint(slug: str, state: Any, steps: Any) -> str:  # noqa: ANN401
    shapes = [
        f"{kind.__name__}({', '.join(f'{each.name}: {each.type}' for each in fields(kind))})"
        for kind in (state, *steps)
    ]
    return sha256("\n".join([slug, *shapes]).encode()).hexdigest()[:16]


def shape(game: Game[Any]) -> str:
    """Return a short name for the shape of a game's states. Snapshots of another shape are useless."""
    name: str = _fingerprint(game.slug, game.rules.state, game.rules.steps)
    return name


@cache
def _coder(kind: Any, steps: Any) -> Coder:  # noqa: ANN401  # any type that a field may have
    origin, args = get_origin(kind), get_args(kind)
    if kind in (str, int, bool, float, type(None), Any):
        return _same, _same
    if origin in (Union, types.UnionType):
        return _maybe(args, steps)
    if origin is tuple:
        return _tuple(args, steps)
    if origin is frozenset:
        write, read = _coder(args[0], steps)
        return (lambda value: sorted(map(write, value))), (lambda plain: frozenset(map(read, plain)))
    return _step(steps) if (origin or kind) is Step else _class(kind, steps)


def _class(kind: Any, steps: Any) -> Coder:  # noqa: ANN401
    if isinstance(kind, type) and issubclass(kind, Enum):
        return (lambda value: value.value), kind
    if is_dataclass(kind):
        coder: Coder = _record(kind, steps)
        return coder
    raise TypeError(f"a state cannot hold {kind}")


def _same(value: Any) -> Any:  # noqa: ANN401
    return value


def _maybe(args: tuple[Any, ...], steps: tuple[type[Step[Any]], ...]) -> Coder:
    kinds = [each for each in args if each is not type(None)]
    coders = [_coder(each, steps) for each in kinds]
    if any(write is not _same for write, _ in coders) and len(kinds) > 1:
        raise TypeError(f"a state cannot hold one of {kinds}")
    write, read = coders[0]
    return (
        (lambda value: None if value is None else write(value)),
        (lambda plain: None if plain is None else read(plain)),
    )


def _tuple(args: tuple[Any, ...], steps: tuple[type[Step[Any]], ...]) -> Coder:
    if args[1:] == (...,):
        write, read = _coder(args[0], steps)
        if write is _same:
            return list, tuple
        return (lambda value: [write(each) for each in value]), (lambda plain: tuple([read(each) for each in plain]))
    coders = [_coder(each, steps) for each in args]
    return (
        (lambda value: [coder[0](each) for coder, each in zip(coders, value, strict=True)]),
        (lambda plain: tuple(coder[1](each) for coder, each in zip(coders, plain, strict=True))),
    )


@cache
def _record(kind: Any, steps: Any) -> Coder:  # noqa: ANN401
    hints = get_type_hints(kind)
    parts = [(each.name, *_coder(hints[each.name], steps)) for each in fields(kind)]

    def write(value: Any) -> Plain:  # noqa: ANN401
        return [code(getattr(value, name)) for name, code, _ in parts]

    def read(plain: Plain) -> Any:  # noqa: ANN401
        new = object.__new__(kind)
        new.__dict__.update({name: code(each) for (name, _, code), each in zip(parts, plain, strict=True)})
        return new

    return write, read


def _step(steps: tuple[type[Step[Any]], ...]) -> Coder:
    named = {kind.__name__: kind for kind in steps}

    def write(value: Any) -> Plain:  # noqa: ANN401
        return [type(value).__name__, *_record(type(value), steps)[0](value)]

    def read(plain: Plain) -> Any:  # noqa: ANN401
        return _record(named[plain[0]], steps)[1](plain[1:])

    return write, read
