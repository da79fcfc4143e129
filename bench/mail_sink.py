"""The command `python -m bench.mail_sink PORT`: a mail server that accepts every email and keeps none."""

import sys
from socketserver import StreamRequestHandler, ThreadingTCPServer

ANSWERS = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}


class SinkRequest(StreamRequestHandler):
    """One connection. Each command is answered at once, and the data after DATA is read to its end."""

    disable_nagle_algorithm = True

    def handle(self) -> None:
        """Accept emails until the client leaves."""
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            self.wfile.write(ANSWERS.get(verb, b"250 ok\r\n"))
            if verb == b"QUIT":
                return
            if verb == b"DATA":
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
                self.wfile.write(b"250 taken\r\n")


class SinkServer(ThreadingTCPServer):
    """A server with a thread for each connection."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128


if __name__ == "__main__":
    SinkServer(("127.0.0.1", int(sys.argv[1])), SinkRequest).serve_forever()
