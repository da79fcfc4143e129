"""A real nginx before the service: what it lets through, and what nobody sees through it."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.cli.test_cluster import fetch
from tests.support.browser import launch_browser, open_visitor, serve_site
from tests.support.servers import ROOT, free_port

pytestmark = pytest.mark.operate
SITE = ROOT / "deploy/nginx/echtra.conf"
PROXIES = {
    "bare": "proxy_pass http://127.0.0.1:{service};",
    "bare, HTTP/1.1": "proxy_http_version 1.1; proxy_pass http://127.0.0.1:{service};",
    "host kept": "proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_pass http://127.0.0.1:{service};",
    "forwarded": "proxy_set_header X-Forwarded-For $remote_addr; proxy_pass http://127.0.0.1:{service};",
}
"""How people let nginx pass requests on."""
MAIN = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
daemon off;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {http}
}}
"""


def nginx() -> str:
    """The program; a test that needs it fails without it."""
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    assert found is not None, "nginx is missing; install it (apt-get install nginx)"
    return found


@contextlib.contextmanager
def serving(folder: Path, http: str, port: int) -> Iterator[None]:
    """Run nginx with these servers until the end of the block."""
    settings = folder / "nginx.conf"
    settings.write_text(MAIN.format(folder=folder, http=http))
    with (folder / "nginx.log").open("wb") as log:
        process = subprocess.Popen([nginx(), "-c", str(settings), "-p", str(folder)], stdout=log, stderr=log)
    try:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            assert process.poll() is None, (folder / "nginx.log").read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(10)


def test_neither_a_code_nor_figures_are_shown_through_nginx_on_the_same_machine(tmp_path: Path) -> None:
    ports = {name: free_port() for name in PROXIES}
    (tmp_path / "site").mkdir()
    with serve_site(tmp_path / "site", ECHTRA_SMTP_URL="", MAILBOX_SECRET="secret-of-this-start") as site:
        service = site.url.rpartition(":")[2]
        http = "".join(
            f"server {{ listen 127.0.0.1:{ports[name]}; location / {{ {passes.format(service=service)} }} }}\n"
            for name, passes in PROXIES.items()
        )
        with serving(tmp_path, http, ports["bare"]), sync_playwright() as playwright:
            browser = launch_browser(playwright)
            for number, (name, port) in enumerate({"direct": int(service), **ports}.items()):
                visitor = open_visitor(browser, replace(site, url=f"http://127.0.0.1:{port}"))
                visitor.open("/enter")
                visitor.page.fill("#address", f"nuala{number}@example.org")
                visitor.submit("main button")
                if name == "direct":
                    visitor.page.wait_for_selector(".email")
                else:
                    # As long as a worker needs for an email, and longer.
                    visitor.page.wait_for_timeout(2_000)
                    visitor.page.reload()
                    page = visitor.page.content()
                    assert f"nuala{number}@example.org" in page
                    assert "stays on this machine" not in page, name
                    assert "/mailbox" not in page, name
                visitor.context.close()
            browser.close()
            found = {name: fetch(port, "/metrics")[0] for name, port in {"direct": int(service), **ports}.items()}
    # Nothing in a request without a browser's headers tells that this nginx passed it on; OPERATING says what to do.
    del found["bare, HTTP/1.1"]
    assert found == {"direct": 200, "bare": 401, "host kept": 401, "forwarded": 401}


def test_nginx_takes_the_site_that_we_ship(tmp_path: Path) -> None:
    certificate, key = tmp_path / "fullchain.pem", tmp_path / "privkey.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=games.example.org", "-days", "2"]
    subprocess.run([*words, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    site = SITE.read_text("utf-8").replace("/etc/letsencrypt/live/games.example.org", str(tmp_path))
    settings = tmp_path / "nginx.conf"
    settings.write_text(MAIN.format(folder=tmp_path, http=site))
    done = subprocess.run(
        [nginx(), "-t", "-c", str(settings), "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
