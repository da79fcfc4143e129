"""One signed move of Keltis against a bot: Python's standard library and `cryptography`.

python play.py http://127.0.0.1:8000 echtra_…
"""

import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BASE = sys.argv[1] if sys.argv[1:] else "http://127.0.0.1:8000"
TOKEN = sys.argv[2] if sys.argv[2:] else os.environ.get("ECHTRA_TOKEN", "")
HOW = f"""\
A token is needed: python play.py BASE TOKEN. To get one:
  POST {BASE}/v1/players        {{"name": "Aoife", "address": "you@example.org"}}   you get an email with a code
  POST {BASE}/v1/confirmations  {{"code": "the code in the email"}}
  POST {BASE}/v1/tokens         {{"address": "you@example.org"}}                    another email, with six digits
  POST {BASE}/v1/tokens/ID/code {{"code": "six digits"}}                            the answer holds the token"""


def call(method: str, path: str, body: Any = None, **headers: str) -> Any:
    """Return the answer of the service: parsed JSON, or text for anything else."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read().decode()
            return json.loads(text) if answer.headers.get_content_type() == "application/json" else text
    except urllib.error.HTTPError as problem:
        sys.exit(f"{method} {path}: {problem.code} {problem.read().decode()}")


def main() -> None:
    """Add a key, create a match, sign a line, send it, print the result."""
    # 1. A key: the private half stays here, the public half is registered.
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    key = call("POST", "/v1/me/keys", {"pem": public, "label": "play.py"})["id"]
    print("key   ", key)

    # 2. A match against a bot; the nonce goes into every draw.
    wanted = {"game": "keltis", "seats": 2, "seat": 0, "bots": {"1": "steady"}, "nonce": secrets.token_hex(16)}
    made = call("POST", "/v1/matches", wanted)
    match, seat = made["id"], made["you"]["seat"]
    print("match ", match)

    # 3. The table and the legal lines, as soon as the cards are dealt.
    until = time.monotonic() + 60
    while (open_now := call("GET", f"/v1/matches/{match}/options"))["question"] is None:
        if time.monotonic() > until:
            sys.exit("Nothing was dealt within a minute: does a worker run?")
        time.sleep(0.2)
    print(call("GET", f"/v1/matches/{match}/table.txt"))
    question, option = open_now["question"], open_now["items"][0]
    print("line  ", option["line"], "-", option["sentence"])

    # 4. The signature: over these eight lines, each with its line feed.
    parts = ["echtra-move-v1", match, seat, question["asked"], question["prev"], 1, "now", option["line"]]
    text = "".join(f"{part}\n" for part in parts)
    move = {"line": option["line"], "signature": private.sign(text.encode("ascii")).hex()}

    # 5. The move; the answer comes when chance and the bot have acted, within ten seconds.
    body = {"asked": question["asked"], "prev": question["prev"], "key": key, "moves": [move]}
    moved = call("POST", f"/v1/matches/{match}/moves", body, Prefer="wait=10")
    print("status", moved["status"])

    # 6. The result.
    print(call("GET", f"/v1/matches/{match}/table.txt"))


if __name__ == "__main__":
    if not TOKEN:
        sys.exit(HOW)
    main()
