"""Every regular expression of the code, the ways it is used, and long texts made to keep each of them busy."""

from __future__ import annotations

import ast
import gc
import importlib
import re
import signal
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from marshmallow.validate import Regexp

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "service", "worker")
METHODS = {
    "match": "match",
    "fullmatch": "fullmatch",
    "search": "search",
    **dict.fromkeys(("findall", "finditer", "sub", "subn", "split"), "finditer"),
}
"""For each method, the one that does the same work: finding every match tries every position of a text."""
ANY_USE = frozenset({"match", "fullmatch", "finditer"})
"""The methods tried for an expression that is passed to other functions."""
LENGTH = 300_000
SAMPLE, SHORTER = 12_000, 4
MOST_SECONDS = 0.5
MOST_PIECES, MOST_PAIRED = 60, 12
NEAR_MISSES = ("", "\0")


@dataclass
class Expression:
    """A compiled expression, its place, and how the code uses it."""

    name: str
    pattern: re.Pattern[Any]
    uses: set[str] = field(default_factory=set)


class TooSlow(Exception):
    """The time for one text is over."""


# Discovery


def module_files() -> Iterator[tuple[str, Path]]:
    """Yield the modules of the code by their names."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def load_modules() -> Mapping[str, tuple[ModuleType, ast.Module]]:
    """Return every module with its syntax."""
    return {name: (importlib.import_module(name), ast.parse(path.read_text("utf-8"))) for name, path in module_files()}


def find_expressions(elsewhere: Mapping[str, Sequence[str]]) -> dict[str, Expression]:
    """Return every expression by its place. `elsewhere` has the patterns of calls that cannot be evaluated here."""
    found: dict[str, Expression] = {}
    for name, (module, _) in load_modules().items():
        for variable, value in vars(module).items():
            for at, pattern in enumerate(_compiled_in(value)):
                if _home_of(module, variable) == name:
                    label = f"{name}.{variable}" + (f"[{at}]" if not isinstance(value, re.Pattern) else "")
                    found[label] = Expression(label, pattern, _uses_of(name, variable))
    for name, (module, tree) in load_modules().items():
        for call, owner in _inline_calls(tree):
            label = f"{name}: {ast.unparse(call.func)}({ast.unparse(call.args[0])})"
            for at, pattern in enumerate(_evaluate(call, module, owner, elsewhere.get(label))):
                uses = {METHODS[_called(call)]} if _called(call) in METHODS else set(ANY_USE)
                each = f"{label}[{at}]"
                found[each] = Expression(each, pattern, uses)
    for validator in (each for each in gc.get_objects() if isinstance(each, Regexp)):
        label = f"marshmallow {validator.regex.pattern!s}"
        found[label] = Expression(label, validator.regex, {"match"})
    return found


def _compiled_in(value: object) -> Iterator[re.Pattern[Any]]:
    """Yield the expressions in a value of a module, including those in tables."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from dict.fromkeys(found for each in value.values() for found in _compiled_in(each))
    elif isinstance(value, tuple | list | frozenset | set):
        yield from dict.fromkeys(found for each in value for found in _compiled_in(each))


@cache
def _imports(name: str) -> Mapping[str, tuple[str, str]]:
    """Return by local name the module and the name in it that a module imports, empty for the module itself."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(load_modules()[name][1]):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                place = (whole, "") if whole in load_modules() else (node.module or "", alias.name)
                found[alias.asname or alias.name] = place
    return found


def _home_of(module: ModuleType, variable: str) -> str:
    return _imports(module.__name__).get(variable, (module.__name__, variable))[0]


@cache
def _all_uses() -> Mapping[tuple[str, str], frozenset[str]]:
    """Return by module and variable the methods called on it anywhere, and `?` if it is used otherwise."""
    found: dict[tuple[str, str], set[str]] = {}
    for name, (_, tree) in load_modules().items():
        called: dict[int, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                called[id(owner.value if isinstance(owner, ast.Subscript) else owner)] = node.func.attr
            elif isinstance(node, ast.Compare):  # `key in TABLE` reads no expression
                called |= {id(each): "" for each in node.comparators}
        for node in ast.walk(tree):
            place = None
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                place = _imports(name).get(node.id, (name, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module, inner = _imports(name).get(node.value.id, ("", ""))
                place = (module, node.attr) if module and not inner else None
            if place is not None:
                found.setdefault(place, set()).add(called.get(id(node), "?") or "in")
    return {place: frozenset(methods) for place, methods in found.items()}


def _uses_of(module: str, variable: str) -> set[str]:
    methods = _all_uses().get((module, variable), frozenset({"?"}))
    if methods <= METHODS.keys() | {"in"}:
        return {METHODS[method] for method in methods - {"in"}}
    return set(ANY_USE)


def _inline_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield calls such as `re.search(…)` inside functions, with the class around them."""
    for outer in tree.body:
        owner = outer.name if isinstance(outer, ast.ClassDef) else ""
        if not isinstance(outer, ast.ClassDef | ast.FunctionDef):
            continue
        for node in ast.walk(outer):
            if isinstance(node, ast.Call) and _called(node) in (*METHODS, "compile") and _is_re(node):
                yield node, owner


def _is_re(call: ast.Call) -> bool:
    func = call.func
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "re"


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _evaluate(call: ast.Call, module: ModuleType, owner: str, given: Sequence[str] | None) -> Iterator[re.Pattern[Any]]:
    """Yield the expressions that a call compiles: its own pattern, that of every such object, or the given one."""
    if given is not None:
        yield from map(re.compile, given)
        return
    flags = next((_value(each.value, module) for each in call.keywords if each.arg == "flags"), 0)
    if _called(call) == "compile" and len(call.args) > 1:
        flags = _value(call.args[1], module)
    first = call.args[0]
    texts: Sequence[Any]
    if isinstance(first, ast.Attribute) and isinstance(first.value, ast.Name) and first.value.id == "self":
        kind = getattr(module, owner)
        texts = sorted({getattr(each, first.attr) for each in gc.get_objects() if isinstance(each, kind)} - {None, ""})
    elif isinstance(first, ast.Subscript):
        texts = list(_value(first.value, module).values())
    else:
        texts = [_value(first, module)]
    for text in texts:
        yield re.compile(text, flags)


def _value(node: ast.expr, module: ModuleType) -> Any:  # noqa: ANN401  # a pattern, flags, or a table of patterns
    return eval(compile(ast.Expression(node), module.__name__, "eval"), vars(module))  # noqa: S307  # our own code


# Texts


def hostile_texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Yield texts of a given length made of an expression's parts, so that it often begins and fails late."""
    tree = re._parser.parse(pattern.pattern, pattern.flags)
    pieces = list(dict.fromkeys(piece for piece in _pieces(tree) if piece))
    heads = list(dict.fromkeys(head for head in _heads(tree) if head))
    atoms = dict.fromkeys([*_spread(heads, MOST_PIECES), *_spread(pieces, MOST_PIECES)])
    for atom in atoms:
        for end in NEAR_MISSES:
            yield _fill("", atom, end, length)
    units = _spread(sorted(pieces, key=len)[: 2 * MOST_PAIRED], MOST_PAIRED)
    for one, other in product(dict.fromkeys([*_spread(heads, MOST_PAIRED), *units]), units):
        yield _fill(one, other, "", length)
        yield _fill("", one + other, "", length)
        yield _fill("", one + other * 50, "", length)
        yield _fill(one, other, "\0", length)


def _spread(pieces: list[str], count: int) -> list[str]:
    """Return a selection of these, from the first to the last."""
    step = max(1, -(-len(pieces) // count))
    return pieces[::step]


def _fill(start: str, unit: str, end: str, length: int) -> str:
    return start + unit * ((length - len(start) - len(end)) // len(unit)) + end


def _pieces(tree: Any) -> Iterator[str]:  # noqa: ANN401  # the parse tree has no public type
    """Yield runs of literals, a sample of each set, and the content of every repeat."""
    run = ""
    for op, value in tree:
        if str(op) == "LITERAL":
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        yield from _samples_of(op, value)
        for inner in _inner_trees(op, value):
            yield _sample(inner)
            yield from _pieces(inner)
    if run:
        yield run


def _inner_trees(op: Any, value: Any) -> list[Any]:  # noqa: ANN401
    kind = str(op)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [value[2]]
    if kind == "SUBPATTERN":
        return [value[3]]
    if kind == "BRANCH":
        return list(value[1])
    if kind in ("ASSERT", "ASSERT_NOT"):
        return [value[1]]
    return [value] if kind == "ATOMIC_GROUP" else []


def _heads(tree: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the beginnings of a match, each one element longer, with repeats once and many times."""
    once = often = ""
    for op, value in tree:
        for inner in _inner_trees(op, value):
            yield from (once + head for head in _heads(inner))
        once += _sample([(op, value)])
        often += _sample([(op, value)], 40)
        yield once
        if often != once:
            yield often


def _sample(tree: Any, times: int = 1) -> str:  # noqa: ANN401
    """Return a text that matches, or nearly."""
    return "".join(next(iter(_samples_of(op, value, times)), "") for op, value in tree)


def _samples_of(op: Any, value: Any, times: int = 1) -> Iterator[str]:  # noqa: ANN401
    """Return samples of one element of a tree."""
    kind = str(op)
    if kind == "LITERAL":
        yield chr(value)
    elif kind == "NOT_LITERAL":
        yield "x" if value != ord("x") else "y"
    elif kind == "ANY":
        yield "a"
    elif kind == "IN":
        yield from _set_samples(value)
    elif kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, high, inner = value
        count = min(max(low, times), high if isinstance(high, int) else max(low, times), 5_000)
        yield _sample(inner) * max(1, count)
    elif kind == "GROUPREF":
        yield "1"
    elif kind in ("SUBPATTERN", "BRANCH", "ASSERT", "ATOMIC_GROUP"):
        for inner in _inner_trees(op, value):
            yield _sample(inner, times)


def _set_samples(members: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield a character for each range of a set; for a negated set, characters outside it."""
    signs = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}
    signs |= {"CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_SPACE": "x", "CATEGORY_NOT_WORD": "."}
    named: list[str] = []
    for op, value in members:
        if str(op) == "LITERAL":
            named.append(chr(value))
        elif str(op) == "RANGE":
            named.append(chr(value[0]))
        elif str(op) == "CATEGORY":
            named.append(signs[str(value)])
    if str(members[0][0]) == "NEGATE":
        yield from (sign for sign in "ax1 .-<" if sign not in named)
    else:
        yield from named[:6]


# Time


def slow_texts(expression: Expression) -> Iterator[tuple[str, float, str]]:
    """Yield the uses and texts on which an expression takes too long, with the seconds."""
    for use in sorted(expression.uses):
        samples = hostile_texts(expression.pattern, SAMPLE)
        for at, sample in enumerate(samples):
            if not _may_last(expression.pattern, use, sample):
                continue
            text = next(islice(hostile_texts(expression.pattern, LENGTH), at, None))
            seconds = _seconds(expression.pattern, use, text)
            if seconds > MOST_SECONDS:
                yield use, seconds, f"{text[:60]!r}…{text[-10:]!r}"
                break


def _may_last(pattern: re.Pattern[Any], use: str, sample: str) -> bool:
    """Return True if an expression that has read a short text may take too long for one of full length."""
    seconds, times = _seconds(pattern, use, sample), LENGTH / SAMPLE
    if seconds * times**2 < MOST_SECONDS:  # fast enough even if time grows with the square of the length
        return False
    grows = seconds > 2 * SHORTER * _seconds(pattern, use, sample[: SAMPLE // SHORTER])
    return grows or seconds * times > MOST_SECONDS / 2


def _seconds(pattern: re.Pattern[Any], use: str, text: str) -> float:
    """Return how long an expression takes for a text. It is stopped at twice the limit."""
    given = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2 * MOST_SECONDS)
    start = time.thread_time()
    try:
        found = getattr(pattern, use)(given)
        if use == "finditer":
            deque(found, maxlen=0)
    except TooSlow:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.thread_time() - start


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow
