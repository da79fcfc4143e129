"""Answers of the service over real HTTP: compressed texts, files that browsers keep, headers that keep pages safe."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.support.browser import Site, Visitor

PACKED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Answer:
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(site: Site, path: str, method: str = "GET", **headers: str) -> Answer:
    """One request, with exactly these headers."""
    with closing(HTTPConnection(urlsplit(site.url).netloc, timeout=15)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())


@pytest.mark.parametrize("path", ["/", "/v1/games", "/openapi.json", "/static/page.css", "/games/keltis", "/problems/"])
def test_texts_are_compressed_for_who_takes_it_and_only_for_them(site: Site, path: str) -> None:
    plain = ask(site, path, Accept_Encoding="identity")
    packed = ask(site, path, **PACKED)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert int(packed.headers["content-length"]) == len(packed.body)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["vary"]
    assert ask(site, path, Accept_Encoding="gzip;q=0").body == plain.body


def test_an_etag_is_good_for_the_plain_and_for_the_compressed_text(site: Site) -> None:
    plain, packed = ask(site, "/v1/games", Accept_Encoding="identity"), ask(site, "/v1/games", **PACKED)
    assert packed.headers["etag"] == f"W/{plain.headers['etag']}"
    for tag in (plain.headers["etag"], packed.headers["etag"]):
        for wish in ("gzip", "identity"):
            again = ask(site, "/v1/games", If_None_Match=tag, Accept_Encoding=wish)
            assert (again.status, again.body) == (304, b"")
    head = ask(site, "/v1/games", "HEAD", **PACKED)
    assert (head.status, head.body) == (200, b"")


def test_short_answers_and_pictures_of_points_stay_as_they_are(site: Site) -> None:
    for path in ("/healthz", "/v1/me", "/static/EchtraText-Regular.woff2"):
        assert "content-encoding" not in ask(site, path, **PACKED).headers


def test_files_are_kept_for_good_under_their_hash_and_asked_for_again_under_any_other(site: Site) -> None:
    page = ask(site, "/", Accept_Encoding="identity").body.decode()
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert named
    assert all(re.fullmatch(r"/static/[0-9a-f]{12}/.+", each) for each in named)
    for path in named:
        answer = ask(site, path)
        assert (answer.status, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
        name = path.split("/", 3)[3]
        for other in (f"/static/0123456789ab/{name}", f"/static/{name}"):
            found = ask(site, other)
            assert (found.status, found.headers["cache-control"], found.body) == (200, "no-cache", answer.body)
            assert ask(site, other, If_None_Match=found.headers["etag"]).status == 304
    for wrong in ("/static/0123456789ab/none.js", "/static/../app.py", "/static/0123456789ab/..%2fapp.py", "/static/"):
        assert ask(site, wrong).status == 404


def test_pages_have_the_policy_of_the_house(site: Site) -> None:
    headers = ask(site, "/").headers
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types echtra"
    )
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_browser_loads_our_typeface_by_the_letters_that_a_page_needs(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit()
    visitor.open("/")
    visitor.page.evaluate("document.fonts.ready")
    loaded = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family + face.weight)"
    known = ["Echtra Display700", "Echtra Text400", "Echtra Text700"]
    assert sorted(name.replace('"', "") for name in visitor.page.evaluate(loaded)) == known
    greek = "document.fonts.load('16px \"Echtra Sans\"', 'Ω').then((faces) => faces.length)"
    assert visitor.page.evaluate(greek) == 1
    assert len(visitor.page.evaluate(loaded)) == 4, "letters of other languages come when they are needed"
