"""Parse YAML and JSON into nodes with their positions. YAML features beyond plain data are refused.

The pure parser of ruamel.yaml is read event by event, so that a document can neither nest deeply nor expand aliases,
and every scalar keeps the text that was written.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from service.tournaments.documents.document_faults import BadDocument, DocumentFault, make_fault

MOST_BYTES = 65_536
MOST_LEVELS = 20
MOST_NODES = 5_000
MERGE_KEY = "<<"
_CONTROL = re.compile(r"[^\n\r\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
_NUMBER = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|0o[0-7]+|0x[0-9a-fA-F]+"
)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,8}")
_YAML_FAULTS = {
    "mapping values are not allowed": "yaml_colon",
    "expected ',' or": "yaml_bracket",
    "found unexpected end of stream": "yaml_quote",
    "that cannot start any token": "yaml_sign",
    "expected <block end>": "yaml_indent",
    "could not find expected ':'": "yaml_no_colon",
    "found unknown escape character": "yaml_escape",
}


@dataclass(slots=True)
class Node:
    """A map, list or scalar of the document, with its path as a JSON pointer and the positions of value and key."""

    path: str
    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    text: str | None = None
    """Text of a scalar; None for maps and lists."""
    quoted: bool = False
    members: dict[str, Node] | None = None
    items: list[Node] | None = None

    def fault(self, kind: str, /, **values: object) -> DocumentFault:
        """Return a fault of this value."""
        return make_fault(self.path, self.line, self.column, kind, **values)

    def key_fault(self, kind: str, /, **values: object) -> DocumentFault:
        """Return a fault of the key of this value."""
        return make_fault(self.path, self.key_line or self.line, self.key_column or self.column, kind, **values)

    @property
    def is_null(self) -> bool:
        """True for an empty value and for `null`."""
        return self.text in _NULL and not self.quoted

    @property
    def boolean(self) -> bool | None:
        """Return the value of `yes`, `no`, `true` or `false` in any case, or None for anything else."""
        return None if self.text is None or self.quoted else _BOOLEANS.get(self.text.lower())

    @property
    def number(self) -> int | None:
        """Return the integer written here in plain digits, or None."""
        if self.text is None or self.quoted or _WHOLE.fullmatch(self.text) is None:
            return None
        return int(self.text)

    @property
    def is_text(self) -> bool:
        """True if YAML takes this scalar as text: it is quoted, or neither a number nor a boolean nor null."""
        if self.text is None or self.quoted:
            return self.text is not None
        return not self.is_null and self.boolean is None and _NUMBER.fullmatch(self.text) is None

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes in it."""
        yield self
        for child in (*(self.members or {}).values(), *(self.items or ())):
            yield from child.walk()

    def plain(self) -> Any:  # noqa: ANN401  # any JSON
        """Return the node as plain data for a JSON Schema."""
        if self.members is not None:
            return {key: member.plain() for key, member in self.members.items()}
        if self.items is not None:
            return [item.plain() for item in self.items]
        if self.is_null:
            return None
        if self.boolean is not None:
            return self.boolean
        if self.number is not None:
            return self.number
        return self.text if self.is_text else float(str(self.text))


def point_to(path: str, key: str | int) -> str:
    """Return the JSON pointer of a member."""
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"


def parse_nodes(data: bytes) -> tuple[Node, list[DocumentFault]]:
    """Return the root of a document and its recoverable faults. Raise `BadDocument` if the rest cannot be read."""
    text, faults = _decode_text(data)
    builder = _Builder(faults)
    try:
        builder.read_events(text)
    except MarkedYAMLError as error:
        raise BadDocument([*faults, _describe_yaml_fault(error, text)]) from None
    if builder.root is None:
        raise BadDocument([*faults, make_fault("", 1, 1, "empty")])
    return builder.root, faults


def _decode_text(data: bytes) -> tuple[str, list[DocumentFault]]:
    """Return the text with tabs as spaces, and the faults of its characters. Raise `BadDocument` if it is not text."""
    if len(data) > MOST_BYTES:
        raise BadDocument([make_fault("", 1, 1, "too_large", size=len(data), most=MOST_BYTES)])
    # Windows editors write a byte order mark before UTF-8, where it means nothing. Otherwise it announces UTF-16.
    data = data.removeprefix(BOM_UTF8)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise BadDocument([make_fault("", 1, 1, "utf16")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place_of(data[: error.start].decode("utf-8"), error.start)
        raise BadDocument([make_fault("", line, column, "not_utf8", byte=f"{data[error.start]:02x}")]) from None
    faults = []
    for control in _CONTROL.finditer(text):
        line, column = _place_of(text, control.start())
        faults.append(make_fault("", line, column, "control_character", code=f"U+{ord(control[0]):04X}"))
    if faults:
        raise BadDocument(faults)
    for number, row in enumerate(text.split("\n"), 1):
        if "\t" in row:
            faults.append(make_fault("", number, row.index("\t") + 1, "tab"))
    directive = _DIRECTIVE.search(text)
    if directive is not None:
        faults.append(make_fault("", *_place_of(text, directive.start()), "directive"))
        raise BadDocument(faults)
    return text.replace("\t", " "), faults


def _parse_events(text: str) -> Iterator[Any]:
    """Yield the events of the parser of ruamel. Any exception it raises means that the text is not YAML."""
    parser = YAML(typ="safe", pure=True)
    parser.version = (1, 2)
    events = parser.parse(text)
    while True:
        try:
            event = next(events, None)
        except MarkedYAMLError:
            raise
        except Exception:  # noqa: BLE001  # the parser fails in many ways on hostile text
            raise MarkedYAMLError from None
        if event is None:
            return
        yield event


def _place_of(text: str, at: int) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _describe_yaml_fault(error: MarkedYAMLError, text: str) -> DocumentFault:
    said = str(error.problem or error.context or "")
    kind = next((kind for words, kind in _YAML_FAULTS.items() if words in said), "not_yaml")
    marks = (error.problem_mark, error.context_mark)
    # The parser misses a closing quotation mark at the end of the text; people look for it where it was opened.
    mark = next((mark for mark in (marks[::-1] if kind == "yaml_quote" else marks) if mark is not None), None)
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else _place_of(text, len(text))
    return make_fault("", line, column, kind)


@dataclass
class _Container:
    node: Node
    key: Node | None = None


@dataclass
class _Builder:
    """Builder of nodes from parser events. It collects faults and raises `BadDocument` if it cannot continue."""

    faults: list[DocumentFault]
    root: Node | None = None
    stack: list[_Container] = field(default_factory=list)
    skipped: int = 0
    """Depth of containers inside a key that is not text."""
    nodes: int = 0
    documents: int = 0

    def read_events(self, text: str) -> None:
        """Read the whole text."""
        for event in _parse_events(text):
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    self._stop(event, "several_documents")
            elif isinstance(event, CollectionEndEvent):
                self._close()
            elif isinstance(event, NodeEvent) and not isinstance(event, DocumentEndEvent):
                self._take(event)

    def _stop(self, event: Any, name: str, **values: object) -> None:  # noqa: ANN401  # events have no types
        raise BadDocument([*self.faults, self._fault(event, name, **values)])

    def _fault(self, event: Any, name: str, **values: object) -> DocumentFault:  # noqa: ANN401
        return make_fault(self._path(), event.start_mark.line + 1, event.start_mark.column + 1, name, **values)

    def _path(self) -> str:
        if not self.stack:
            return ""
        top = self.stack[-1]
        if top.node.items is not None:
            return point_to(top.node.path, len(top.node.items))
        return point_to(top.node.path, str(top.key.text)) if top.key is not None else top.node.path

    def _take(self, event: Any) -> None:  # noqa: ANN401
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self._stop(event, "too_many_values", most=MOST_NODES)
        if isinstance(event, AliasEvent):
            self.faults.append(self._fault(event, "alias", anchor=event.anchor))
        elif event.anchor is not None:
            self.faults.append(self._fault(event, "anchor", anchor=event.anchor))
        if getattr(event, "tag", None) is not None:
            self.faults.append(self._fault(event, "tag", tag=event.tag))
        opens = isinstance(event, MappingStartEvent | SequenceStartEvent)
        if opens and len(self.stack) + self.skipped >= MOST_LEVELS:
            self._stop(event, "too_deep", most=MOST_LEVELS)
        if self.skipped:
            self.skipped += opens
            return
        top = self.stack[-1] if self.stack else None
        if top is not None and top.node.members is not None and top.key is None:
            self._take_key(event, top)
        else:
            self._take_value(event, top)

    def _take_key(self, event: Any, top: _Container) -> None:  # noqa: ANN401
        """Take the key of the next member of a map. A key that is not text is skipped with everything in it."""
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if not isinstance(event, ScalarEvent):
            self.faults.append(self._fault(event, "key_not_text"))
            self.skipped += isinstance(event, MappingStartEvent | SequenceStartEvent)
            top.key = Node(top.node.path, line, column, text="?", quoted=True)
            return
        key = Node(top.node.path, line, column, text=self._text_of(event))
        if key.text == MERGE_KEY and event.style is None:
            self.faults.append(self._fault(event, "merge_key"))
        earlier = (top.node.members or {}).get(str(key.text))
        if earlier is not None:
            path = point_to(top.node.path, str(key.text))
            self.faults.append(make_fault(path, line, column, "double_key", key=key.text, first=earlier.key_line))
        top.key = key

    def _text_of(self, event: Any) -> str:  # noqa: ANN401
        """Return the text of a scalar. JSON escapes some characters as two surrogates, which are joined."""
        text: str = event.value
        try:
            text.encode()
        except UnicodeEncodeError:
            try:
                text = text.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeDecodeError:
                self.faults.append(self._fault(event, "half_character"))
                text = text.encode("utf-8", "replace").decode()
        return text

    def _take_value(self, event: Any, top: _Container | None) -> None:  # noqa: ANN401
        node = Node(self._path(), event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, ScalarEvent):
            node.text, node.quoted = self._text_of(event), event.style is not None
        elif isinstance(event, MappingStartEvent):
            node.members = {}
        elif isinstance(event, SequenceStartEvent):
            node.items = []
        else:
            node.text = ""
        if top is None:
            self.root = node
        elif top.node.members is not None and top.key is not None:
            node.key_line, node.key_column = top.key.line, top.key.column
            if node.text == "" and not node.quoted:
                # The parser notices an empty value only on the next line, so the position of the key is better.
                node.line, node.column = top.key.line, top.key.column
            top.node.members.setdefault(str(top.key.text), node)
            top.key = None
        elif top.node.items is not None:
            top.node.items.append(node)
        if node.text is None:
            self.stack.append(_Container(node))

    def _close(self) -> None:
        if self.skipped:
            self.skipped -= 1
        elif self.stack:
            self.stack.pop()


def index_nodes(root: Node) -> Mapping[str, Node]:
    """Return all nodes by path."""
    return {node.path: node for node in root.walk()}
