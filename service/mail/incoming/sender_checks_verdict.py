"""What the operator's own mail server found out about a sender (DMARC); nobody else is believed."""

from __future__ import annotations

import re

from service.mail.incoming.parse_message import Mail

COMMENT = re.compile(r"\([^()]{0,1000}\)")
RESULT = re.compile(r"dmarc\s*=\s*([a-z]+)(?P<rest>[^;]*)", re.IGNORECASE)
DOMAIN = re.compile(r"header\.from\s*=\s*\"?<?(?:[^\s;\"@<>]*@)?([a-z0-9.-]+)", re.IGNORECASE)


def of(mail: Mail, authserv_id: str, domain: str) -> str:
    """`pass`, `fail` or `none`, from the topmost Authentication-Results of this server, for the domain in From."""
    if not authserv_id:
        return "none"
    for field in mail.all("authentication-results"):
        text = COMMENT.sub(" ", field)
        server, _, results = text.partition(";")
        if (server.split() or [""])[0].lower() == authserv_id.lower():
            return _result(results, domain)
    return "none"


def _result(results: str, domain: str) -> str:
    found = [each for part in results.split(";") if (each := RESULT.match(part.strip()))]
    said = [each[1].lower() for each in found]
    if "fail" in said:
        return "fail"
    named = [DOMAIN.search(each["rest"]) for each in found]
    fits = all(name is None or name[1].lower().rstrip(".") == domain.lower() for name in named)
    return "pass" if said == ["pass"] and fits else "none"
