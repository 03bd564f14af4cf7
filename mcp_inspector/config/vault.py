"""Where a secret of the person is kept: the system's keyring where there is one, else a file of their own, or memory.

Which one it is can be said at any time (`place`). The `keyring` package is used when it is installed and its backend is
a real one; it may ask the person or wait for the desktop, so call this away from the event loop.
"""

from __future__ import annotations

import importlib
import os
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_inspector.config.secret_file import SecretFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SERVICE = "mcp-inspector"
PASSPHRASE = "MCP_INSPECTOR_PASSPHRASE"
"""The environment variable with the passphrase of the file."""
EMBEDDINGS_KEY = "embeddings key"
"""What the key of an embeddings endpoint is called, with the address behind it: see `name_for`."""


class Vault:
    """Secrets by name. `file` is used where there is no keyring; without it, memory is. `keyring` False skips that."""

    def __init__(self, file: SecretFile | None = None, *, keyring: bool = True) -> None:
        self._kept: dict[str, str] = {}
        self._file = file
        self._keyring: Any = None
        self._why = "nothing was looked up yet"
        self._file_why = ""
        self._looked = False
        self._wanted = keyring
        self._lock = threading.RLock()  # a keyring may be slow, and several servers ask at once

    def place(self) -> str:
        """Where secrets are kept, in words that follow "It is kept"."""
        with self._lock:
            self._look()
            if self._keyring is not None:
                return f"in the keyring ({self._keyring.name})"
            if self._file is not None and not self._file_why:
                how = "encrypted with your passphrase" if self._file.encrypted else "readable by you alone"
                return f"in the file {self._file.path}, {how}: {self._why}"
            why = f"{self._why}; {self._file_why}" if self._file_why else self._why
            return f"in memory only, until the program ends: {why}"

    def get(self, name: str) -> str:
        """A secret, empty when there is none."""
        with self._lock:
            if name in self._kept:
                return self._kept[name]
            self._look()
            if self._keyring is not None:
                try:
                    return self._keyring.get_password(_SERVICE, name) or ""
                except Exception as error:  # any backend, any desktop: what fails there must not fail here
                    self._give_up(error)
            if self._file is not None:
                try:
                    return self._file.get(name)
                except (OSError, ValueError) as error:
                    self._file_why = f"{self._file.path} cannot be read ({error})"
            return ""

    def put(self, name: str, value: str) -> None:
        """Keep a secret; an empty one is forgotten."""
        with self._lock:
            self._look()
            self._kept.pop(name, None)
            if self._keyring is not None:
                try:
                    if value:
                        self._keyring.set_password(_SERVICE, name, value)
                    elif self._keyring.get_password(_SERVICE, name) is not None:
                        self._keyring.delete_password(_SERVICE, name)
                    return
                except Exception as error:  # as above
                    self._give_up(error)
            if self._file is not None and not self._file_why:
                try:
                    self._file.put(name, value)
                    return
                except (OSError, ValueError) as error:
                    self._file_why = f"{self._file.path} cannot be written ({error})"
            if value:
                self._kept[name] = value

    def hold(self, name: str, value: str) -> None:
        """Have a secret for this run only, before one that is kept; an empty one is held no more."""
        with self._lock:
            if value:
                self._kept[name] = value
            else:
                self._kept.pop(name, None)

    def _look(self) -> None:
        if self._looked:
            return
        self._looked = True
        if not self._wanted:
            self._why = "as it is set"
            return
        try:
            backend = importlib.import_module("keyring").get_keyring()
            if float(backend.priority) < 1:
                self._why = "the system offers no keyring"
                return
        except ImportError:
            self._why = "the package keyring is not installed"
            return
        except Exception as error:  # as above
            self._give_up(error)
            return
        self._keyring = backend

    def _give_up(self, error: Exception) -> None:
        self._keyring = None
        self._why = f"the keyring failed ({str(error)[:200] or type(error).__name__})"


def name_for(what: str, url: str) -> str:
    """The name of a key that is meant for one address: ``embeddings key for https://example.com``."""
    parts = urlsplit(url.strip())
    return f"{what} for {parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def standard(config: Path, secrets: str = "keyring", environ: Mapping[str, str] | None = None) -> Vault:
    """The vault of the program, by the setting ``secrets``: ``keyring`` (else the file), ``file`` or ``memory``."""
    passphrase = (os.environ if environ is None else environ).get(PASSPHRASE, "")
    file = SecretFile(config / "secrets.json", passphrase) if secrets != "memory" else None
    return Vault(file, keyring=secrets == "keyring")
