"""The first start as OPERATING.md has it, in a scratch root: user, folders and key are such that the service runs."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.cli.test_cluster import fetch
from tests.support.servers import ROOT, free_port

pytestmark = pytest.mark.operate
INSTALL = ROOT / "deploy" / "install.sh"


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A root into which Echtra is installed."""
    assert os.geteuid() == 0, (
        "this test gives files to another user: run make operate as root, or under unshare --map-auto"
    )
    for program in ("systemd-sysusers", "systemd-tmpfiles", "setpriv", "openssl"):
        assert shutil.which(program), f"{program} is missing; install it (apt-get install systemd util-linux openssl)"
    root = Path(mkdtemp(prefix="echtra-root-"))
    root.chmod(0o755)
    install(root)
    yield root
    shutil.rmtree(root)


def install(root: Path) -> str:
    """Run the script and return what it prints."""
    env = {**os.environ, "DESTDIR": str(root)}
    return subprocess.run([str(INSTALL)], env=env, check=True, capture_output=True, text=True).stdout


def account(root: Path) -> tuple[int, int]:
    """The numbers of the user and the group that were made."""
    (line,) = [each for each in (root / "etc/passwd").read_text().splitlines() if each.startswith("echtra:")]
    return int(line.split(":")[2]), int(line.split(":")[3])


def about(path: Path) -> tuple[int, int, int]:
    """Mode, owner and group of a path."""
    found = path.stat()
    return stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid


def test_user_folders_and_key_are_made_once(scratch: Path) -> None:
    user, group = account(scratch)
    assert user != 0
    assert about(scratch / "etc/echtra") == (0o750, 0, group)
    assert about(scratch / "etc/echtra/secret.key") == (0o640, 0, group)
    assert about(scratch / "etc/echtra/echtra.env") == (0o640, 0, group)
    assert about(scratch / "var/lib/echtra") == (0o700, user, group)
    assert about(scratch / "var/backups/echtra") == (0o700, user, group)
    assert (scratch / "etc/systemd/system/echtra-prove.timer").is_file()
    key = (scratch / "etc/echtra/secret.key").read_text()
    (scratch / "etc/echtra/echtra.env").write_text("ECHTRA_PORT=1\n")
    install(scratch)
    assert (scratch / "etc/echtra/secret.key").read_text() == key
    assert (scratch / "etc/echtra/echtra.env").read_text() == "ECHTRA_PORT=1\n"


def find_python(scratch: Path) -> Path:
    """Return a Python that every user can run: ours, or a copy of it where it is in somebody's home."""
    own = Path(sys.executable).resolve()
    if all(folder.stat().st_mode & stat.S_IXOTH for folder in own.parents):
        return Path(sys.executable)
    home, version = scratch / "opt/python", f"python{sys.version_info.major}.{sys.version_info.minor}"
    left_out = shutil.ignore_patterns("test", "site-packages", "idlelib", "__pycache__", "config-*")
    shutil.copytree(own.parents[1] / "lib" / version, home / "lib" / version, ignore=left_out)
    for library in own.parents[1].glob("lib/libpython*"):
        shutil.copy2(library, home / "lib")
    (home / "bin").mkdir()
    return Path(shutil.copy2(own, home / "bin" / version))


def test_the_service_runs_as_that_user(scratch: Path) -> None:
    user, group = account(scratch)
    port = free_port()
    env = {
        "PATH": os.environ["PATH"],
        "LANG": "C",
        "ECHTRA_DATA": str(scratch / "var/lib/echtra"),
        "ECHTRA_SECRET_KEY_FILE": str(scratch / "etc/echtra/secret.key"),
        "ECHTRA_PORT": str(port),
        "ECHTRA_SMTP_DOOR": f"127.0.0.1:{free_port()}",
    }
    python = str(find_python(scratch))
    env["LD_LIBRARY_PATH"] = str(Path(python).parents[1] / "lib")
    env["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    drop = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs"]

    def echtra(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*drop, python, "-m", "cli", *words]
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    checked = echtra("check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert echtra("migrate").returncode == 0
    with subprocess.Popen([*drop, python, "-m", "cli", "serve"], cwd=ROOT, env=env) as service:
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with_status = answer(port)
                if with_status == 200:
                    break
                time.sleep(0.3)
            assert answer(port) == 200
            file = scratch / "var/backups/echtra/echtra-1.backup"
            made = echtra("backup", str(file))
            assert made.returncode == 0, made.stderr
            proved = echtra("prove-backup", str(file.parent))
            assert proved.returncode == 0, proved.stderr
            assert about(file) == (0o600, user, group)
        finally:
            service.terminate()
    denied = [*drop, "touch", str(scratch / "etc/echtra/x")]
    assert subprocess.run(denied, check=False, capture_output=True).returncode != 0


def answer(port: int) -> int:
    """The status of /readyz; 0 while nobody answers."""
    try:
        return int(fetch(port, "/readyz")[0])
    except OSError:
        return 0
