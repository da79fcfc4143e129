"""Text keys in the code: a simple scan of Python files and templates for keys of the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from string import Formatter

from service.i18n.catalogue import Plural, Text

KEY = r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*"
KEY_ARGUMENTS = {"translate": 1, "translate_count": 1, "refusal": 1, "bilingual_command": 1, "msg": 0}
"""For each function that takes a key, the position of that argument."""
TEMPLATE_CALLS = re.compile(r"""\bt(?:_html)?\(\s*(?P<quote>["'])(?P<key>[^"']+)(?P=quote)(?P<more>\s*~)?""")


@dataclass
class UsedKeys:
    """The keys that code names."""

    required: set[str] = field(default_factory=set)
    """Keys that must exist."""
    words: set[str] = field(default_factory=set)
    """All quoted text, which includes keys that are held in variables."""
    patterns: set[str] = field(default_factory=set)
    """Keys with variable parts, as regular expressions."""
    required_patterns: set[str] = field(default_factory=set)
    """Those of them that some key must match."""

    def add_python(self, source: str) -> None:
        """Scan a Python file."""
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call():
                    self.required.update(_literals(_key_argument(node)))
                    self.required_patterns.update(_patterns(_key_argument(node)))
                case ast.Constant(value=str(word)):
                    self.words.add(word)
                case ast.JoinedStr(values=[ast.Constant(value=str(first)), *_]) if re.match(r"[a-z_-]+\.", first):
                    self.patterns.update(_patterns(node))

    def add_template(self, source: str) -> None:
        """Scan a template."""
        for call in TEMPLATE_CALLS.finditer(source):
            if call["more"]:
                self.required_patterns.add(re.escape(call["key"]) + KEY)
            else:
                self.required.add(call["key"])

    def unused(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that no code names."""
        named = self.required | self.words
        known = re.compile("|".join(self.patterns | self.required_patterns) or "(?!)")
        return [key for key in keys if key not in named and not known.fullmatch(key)]

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys and patterns of keys that code names although no such key exists."""
        known = set(keys)
        fitting = {pattern for pattern in self.required_patterns if any(re.fullmatch(pattern, key) for key in known)}
        return [*sorted(self.required - known), *sorted(self.required_patterns - fitting)]


def _key_argument(call: ast.Call) -> ast.expr | None:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    for keyword in call.keywords:
        if keyword.arg == "text" and name in {"bilingual_option", "version_option"}:
            return keyword.value
    at = KEY_ARGUMENTS.get(name)
    return call.args[at] if at is not None and at < len(call.args) else None


def _literals(node: ast.expr | None) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)


def _patterns(node: ast.expr | None) -> Iterator[str]:
    """Yield a regular expression for an f-string or a sum, unless only its dots are known."""
    parts: list[ast.expr] = []
    match node:
        case ast.JoinedStr():
            parts = node.values
        case ast.BinOp(op=ast.Add()):
            parts = [node.left, node.right]
    texts = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    if any(isinstance(text, str) and re.search("[a-z]", text) for text in texts):
        yield "".join(re.escape(text) if isinstance(text, str) else KEY for text in texts)


def placeholders(text: Text) -> set[str]:
    """Return the names of the values in a text, without a `count` that chooses a form: “one” may be spelled out."""
    if isinstance(text, Plural):
        return placeholders(text.one) | placeholders(text.other) | {"count"}
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
