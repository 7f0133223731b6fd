"""What a machine of the cluster does with a packet. It travels there, and knows the standard library only.

Files and programs are kept under the hash of their content, in a folder of this user alone, so that each
comes to a machine once.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

#: Of what a program says on standard error.
_WORDS = 2000
#: What batch systems and impatient people end processes with, and the system for want of memory.
_DISTURBANCES = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Disturbed(Exception):
    """Somebody ended the program: it is run again."""


@dataclass
class Work:
    """A packet; contents are hashes."""

    bundle: str  # the programs
    arguments: list[str]
    inputs: dict[str, str]  # by path
    environment: dict[str, str]
    output: str  # a file, or a folder if it ends in "/"


def cache() -> pathlib.Path:
    """Where this machine keeps what came to it."""
    own = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "ordo"
    folder = pathlib.Path(os.environ.get("ORDO_CACHE") or own) / "cluster"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def keep(digest: str, fetch: Callable[[], bytes], unpack: bool = False) -> pathlib.Path:
    """The file, or the folder of an archive, of that hash; fetched unless it is there. It appears whole."""
    place = cache() / digest
    if place.exists():
        return place
    content = fetch()
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"what came as {digest} is something else")
    beside = pathlib.Path(tempfile.mkdtemp(dir=cache(), prefix="new-"))
    try:
        if unpack:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                archive.extractall(beside)
            for program in (beside / "bin").iterdir():
                program.chmod(0o755)
            made = beside
        else:
            made = beside / "file"
            made.write_bytes(content)
        try:
            made.rename(place)
        except OSError:
            if not place.exists():  # otherwise somebody else was faster, with the same
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return place


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def pack(folder: pathlib.Path) -> bytes:
    """All files in it, as an archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.write(path, path.relative_to(folder))
    return buffer.getvalue()


def work(packet: Work, fetch: Callable[[str], bytes]) -> tuple[int, str, bytes | None]:
    """Exit code, last words and output, packed if it is a folder. Raises :class:`Disturbed` if somebody ended the program."""
    prefix = keep(packet.bundle, lambda: fetch(packet.bundle), unpack=True)
    with tempfile.TemporaryDirectory(prefix="ordo-packet-") as name:
        folder = pathlib.Path(name)
        for path, digest in packet.inputs.items():
            place = folder / path
            if ".." in place.parts:
                raise ValueError(f"{path} leads out of the folder")
            if not os.path.isabs(path):
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(keep(digest, lambda digest=digest: fetch(digest)), place)
            elif not place.is_file() or hashlib.sha256(place.read_bytes()).hexdigest() != digest:
                return (
                    66,
                    f"{path} is not there, or another file: share its folder, or name it relatively",
                    None,
                )
        environment = os.environ | {key: str(folder / value) for key, value in packet.environment.items()}
        environment.pop("ORDO_DATA", None)
        done = subprocess.run(
            [prefix / "bin" / "ordo", *packet.arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=_die_with_parent,
        )
        words = done.stderr.decode(errors="replace")[-_WORDS:]
        if -done.returncode in _DISTURBANCES or done.returncode == 130:
            raise Disturbed(words)
        output = folder / packet.output
        if packet.output.endswith("/") and output.is_dir():
            return done.returncode, words, pack(output)
        return done.returncode, words, output.read_bytes() if output.is_file() else None
