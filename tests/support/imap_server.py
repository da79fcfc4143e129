"""A small IMAP server for tests: one folder over a real socket, enough of RFC 3501 for a client that polls."""

from __future__ import annotations

import re
import socketserver
import threading
from dataclasses import dataclass, field

LITERAL = re.compile(r"UID (FETCH|STORE|SEARCH)(?: (\d+))?(.*)", re.IGNORECASE)


@dataclass
class Folder:
    """The messages by UID, the time each arrived, and those that have been seen."""

    messages: dict[int, tuple[str, bytes]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    password: str = "s3cret"


class Talk(socketserver.StreamRequestHandler):
    """One connection."""

    server: Server

    def handle(self) -> None:
        self.wfile.write(b"* OK ready\r\n")
        while line := self.rfile.readline().decode().strip():
            tag, _, rest = line.partition(" ")
            self.server.folder.asked.append(rest)
            for answer in self.answers(rest):
                self.wfile.write(answer + b"\r\n")
            ok = (
                b"NO wrong"
                if rest.upper().startswith("LOGIN") and self.server.folder.password not in rest
                else b"OK done"
            )
            self.wfile.write(tag.encode() + b" " + ok + b"\r\n")
            if rest.upper() == "LOGOUT":
                return

    def answers(self, rest: str) -> list[bytes]:
        """Return the lines before the tagged line."""
        folder, word = self.server.folder, rest.partition(" ")[0].upper()
        if word == "CAPABILITY":
            return [b"* CAPABILITY IMAP4rev1"]
        if word == "SELECT":
            return [b"* %d EXISTS" % len(folder.messages), b"* OK [UIDVALIDITY 1]"]
        if word == "LOGOUT":
            return [b"* BYE"]
        found = LITERAL.match(rest)
        return self.uid(found[1].upper(), int(found[2] or 0), found[3]) if found else []

    def uid(self, verb: str, uid: int, rest: str) -> list[bytes]:
        """Return the answer to a command about UIDs."""
        folder = self.server.folder
        if verb == "SEARCH":
            return [b"* SEARCH " + b" ".join(b"%d" % each for each in folder.messages if each not in folder.seen)]
        if verb == "STORE":
            folder.seen.add(uid)
            return [b"* %d FETCH (UID %d FLAGS (\\Seen))" % (uid, uid)]
        at, raw = folder.messages[uid]
        if "SIZE" in rest:
            return [b"* %d FETCH (UID %d RFC822.SIZE %d)" % (uid, uid, len(raw))]
        head = f'* {uid} FETCH (UID {uid} INTERNALDATE "{at}" BODY[] {{{len(raw)}}}\r\n'.encode()
        return [head + raw + b")"]


class Server(socketserver.ThreadingTCPServer):
    """The server on its own port."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.folder = Folder()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        """The address of the server."""
        return int(self.server_address[1])

    def close(self) -> None:
        """Stop listening."""
        self.shutdown()
        self.server_close()
