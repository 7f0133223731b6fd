"""Upstream sources as Debian 12 has them: its tarballs, by apt-get. Nothing is installed."""

import pathlib
import shutil
import subprocess

KEY = "/usr/share/keyrings/debian-archive-keyring.gpg"  # of the package debian-archive-keyring


def tarball(package: str, version: str, work: pathlib.Path) -> pathlib.Path:
    """The upstream tarball of a source package, kept in `work`; ends the program if Debian has another version."""
    download = work / "download" / package
    if not (found := _tarballs(download)):
        apt = work / "apt"
        for name in ("lists/partial", "cache/archives/partial"):
            (apt / name).mkdir(parents=True, exist_ok=True)
        line = f"deb-src [signed-by={KEY}] http://deb.debian.org/debian bookworm main\n"
        (apt / "sources.list").write_text(line)
        options = {
            "Dir::Etc::sourcelist": apt / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::State::lists": apt / "lists",
            "Dir::Cache": apt / "cache",
            "APT::Sandbox::User": "root",  # it may write here
        }
        get = ["apt-get", "-qq"] + [f"-o{name}={value}" for name, value in options.items()]
        if not list((apt / "lists").glob("*Sources*")):
            subprocess.run([*get, "update"], check=True)
        download.mkdir(parents=True, exist_ok=True)
        source = ["source", "--download-only", "--tar-only", package]
        subprocess.run([*get, *source], cwd=download, check=True)
        found = _tarballs(download)
    for name in found:
        if f"_{version}.orig." in name.name:
            return name
    names = ", ".join(name.name for name in found)
    raise SystemExit(f"{package} should be {version}, but Debian has {names or 'nothing'}")


def unpack(file: pathlib.Path, folder: pathlib.Path) -> None:
    """Puts what a tarball has into `folder`, whole or not at all."""
    half = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    subprocess.run(["tar", "xf", file, "--strip-components=1", "-C", half], check=True)
    half.rename(folder)


def _tarballs(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(folder.glob("*.orig.tar.*[!c]"))  # not its signature
