"""Whether there is a screen, found out by knocking, not by reading variables alone."""

from __future__ import annotations

import ctypes
import os
import socket
import sys

UNSEEN = ("offscreen", "minimal")


def asked() -> str:
    """The Qt platform that the person asked for by QT_QPA_PLATFORM, without its options; empty for none."""
    return os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0].strip()


def candidates() -> tuple[str, ...]:
    """The Qt platforms that this session promises, ``wayland`` and ``xcb``; neither has been tried yet."""
    if asked() in UNSEEN:
        return ()
    named = (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY"))
    return tuple(platform for platform, variable in named if os.environ.get(variable))


def why_none(lacking: frozenset[str] = frozenset()) -> str:
    """Why no window can be seen, as a clause, or empty when one can.

    `lacking` are the platforms without their libraries.
    """
    if asked() in UNSEEN:
        return f"QT_QPA_PLATFORM is {asked()}"
    if not sys.platform.startswith("linux") or asked() not in ("", "wayland", "xcb"):
        return ""  # the system has a screen, or the person has named another way to one (vnc, linuxfb, eglfs)
    promised = candidates()
    if not promised:
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    answers = {"xcb": x11_answers, "wayland": wayland_answers}
    if any(platform not in lacking and answers[platform]() for platform in promised):
        return ""
    if set(promised) <= lacking:
        return "the display cannot be used without the libraries named above"
    named = " and ".join(
        f"{name}={os.environ[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)
    )
    return f"the display does not answer ({named})"


def x11_answers(limit: float = 5.0) -> bool:
    """Whether the X server of DISPLAY lets us in, within so many seconds (a forwarded display can hang for ever)."""
    import threading

    answers: list[bool] = []
    knock = threading.Thread(target=lambda: answers.append(_x11_connects()), daemon=True)
    knock.start()
    knock.join(limit)
    return answers == [True]


def _x11_connects() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)


def wayland_answers() -> bool:
    """Whether the compositor of WAYLAND_DISPLAY takes a connection."""
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), os.environ.get("WAYLAND_DISPLAY", ""))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        knock.settimeout(2)
        try:
            knock.connect(path)
        except OSError:
            return False
    return True
