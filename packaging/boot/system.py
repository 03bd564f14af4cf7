"""What the operating system must bring: Python's venv, shared libraries of Qt, a font, a display."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from .say import Stop, say


class Need(NamedTuple):
    """A shared library by the name the loader knows, and Debian's package with it."""

    library: str
    package: str


ALWAYS = (
    Need("libGL.so.1", "libgl1"),
    Need("libEGL.so.1", "libegl1"),
    Need("libfontconfig.so.1", "libfontconfig1"),
    Need("libdbus-1.so.3", "libdbus-1-3"),
    Need("libxkbcommon.so.0", "libxkbcommon0"),
    Need("libglib-2.0.so.0", "libglib2.0-0"),
    Need("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
)
X11 = (
    Need("libxcb-cursor.so.0", "libxcb-cursor0"),
    Need("libxcb-icccm.so.4", "libxcb-icccm4"),
    Need("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    Need("libxcb-randr.so.0", "libxcb-randr0"),
    Need("libxcb-shape.so.0", "libxcb-shape0"),
    Need("libxcb-shm.so.0", "libxcb-shm0"),
    Need("libxcb-sync.so.1", "libxcb-sync1"),
    Need("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    Need("libxcb-xkb.so.1", "libxcb-xkb1"),
    Need("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    Need("libX11-xcb.so.1", "libx11-xcb1"),
)
WAYLAND = (
    Need("libwayland-client.so.0", "libwayland-client0"),
    Need("libwayland-cursor.so.0", "libwayland-cursor0"),
    Need("libwayland-egl.so.1", "libwayland-egl1"),
)
FONT = Need("a font", "fonts-dejavu-core")
"""Qt brings no font of its own: without one every letter is an empty box."""


def is_root() -> bool:
    """Whether we may install for the whole system."""
    return sys.platform != "win32" and os.geteuid() == 0


def _which(name: str) -> str | None:
    import shutil

    return shutil.which(name)


def has_ensurepip() -> bool:
    """Whether this Python can put pip into a new environment. Debian splits that off."""
    import importlib
    from importlib.util import find_spec

    importlib.invalidate_caches()
    return find_spec("ensurepip") is not None


def can_fill_from_outside() -> bool:
    """Whether this Python has a pip that can fill another environment: one that knows `--python` (22.3)."""
    from importlib.metadata import version

    try:
        major, minor = version("pip").split(".")[:2]
        return (int(major), int(minor)) >= (22, 3)
    except (ImportError, ValueError):
        return False


def prepare(platforms: tuple[str, ...], *, venv: bool) -> list[Need]:
    """Bring what is missing where we may, else say what to type; returns the libraries that are still missing.

    `venv`: an environment is about to be made. Raises `Stop` when that is impossible.
    """
    python = Need("ensurepip of Python", f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")

    def lacking() -> tuple[list[Need], list[Need]]:
        own = [python] if venv and not has_ensurepip() else []
        return own, needed(platforms) if sys.platform.startswith("linux") else []

    own, libraries = lacking()
    if (own or libraries) and is_root() and _which("apt-get"):
        try:
            apt_install([need.package for need in own + libraries])
        except Stop as stop:
            say(stop.sentence)
        own, libraries = lacking()
    if own and not can_fill_from_outside():
        raise Stop("This Python cannot make a virtual environment with pip in it.", remedy(own + libraries))
    if libraries:
        say("missing on this system: " + ", ".join(need.library for need in libraries))
        say("  " + remedy(libraries))
    return libraries


def to_type(command: list[str]) -> str:
    """The sentence that gives the person a command for the whole system."""
    from .shell import quoted

    if is_root():
        return "Type: " + quoted(command)
    return "Type: " + quoted(["sudo", *command]) if _which("sudo") else "Type as root: " + quoted(command)


def apt_install(packages: list[str]) -> None:
    """Install Debian packages, quietly. Raises `Stop`."""
    from .shell import run

    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    # A lock of another apt run is waited for; the person's own answers to changed files stay.
    options = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"]
    say("installing system packages: " + " ".join(packages))
    code, output = run(["apt-get", "-q", *options, "update"], limit=900, env=env)
    if code:
        say("apt-get update failed; going on with the package lists that are here")
    command = ["apt-get", "-q", *options, "install", "-y", "--no-install-recommends", *packages]
    code, output = run(command, limit=1800, env=env)
    if code:
        last = "\n".join("    " + text for text in output.strip().splitlines()[-8:])
        raise Stop("System packages could not be installed. apt-get said:\n" + last, to_type(command))


def missing(needs: tuple[Need, ...]) -> list[Need]:
    """Those of these libraries that the loader does not find."""
    import ctypes

    found = []
    for need in needs:
        try:
            ctypes.CDLL(need.library)
        except OSError:
            found.append(need)
    return found


def has_font() -> bool:
    """Whether there is any font file where fontconfig looks."""
    home = os.path.expanduser("~")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    folders = [os.path.join(folder, "fonts") for folder in (own, *shared.split(":"))]
    for folder in (*folders, os.path.join(home, ".fonts"), "/usr/share/X11/fonts"):
        for _, _, names in os.walk(folder):
            if any(name.lower().endswith((".ttf", ".otf", ".ttc", ".pfb")) for name in names):
                return True
    return False


def needed(platforms: tuple[str, ...]) -> list[Need]:
    """What is missing for these Qt platforms (``offscreen``, ``xcb``, ``wayland``)."""
    found = missing(ALWAYS)
    if "xcb" in platforms:
        found += missing(X11)
    if "wayland" in platforms:
        found += missing(WAYLAND)
    if not has_font():
        found.append(FONT)
    return found


def remedy(lack: list[Need]) -> str:
    """What to type to get these, by the package manager that is here: Fedora's and SUSE's know libraries by name."""
    if _which("apt-get"):
        return to_type(["apt-get", "install", "-y", *(need.package for need in lack)])
    libraries = [f"{need.library}()(64bit)" for need in lack if need.library.startswith("lib")]
    if _which("dnf"):
        return to_type(["dnf", "install", *libraries, *(["dejavu-sans-fonts"] if FONT in lack else [])])
    if _which("zypper"):
        return to_type(["zypper", "install", *libraries, *(["dejavu-fonts"] if FONT in lack else [])])
    return "Install what brings them with your system's package manager, then run this again."
