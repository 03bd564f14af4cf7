"""Where a key of the person is kept: the system's keyring where there is one, else memory, and said which.

The `keyring` package is used when it is installed and its backend is a real one; it may ask the person or wait for the
desktop, so call this away from the event loop.
"""

from __future__ import annotations

import importlib
from typing import Any

_SERVICE = "mcp-inspector"


class Vault:
    """Secrets by name."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}
        self._keyring: Any = None
        self._why = "nothing was looked up yet"
        self._looked = False

    def place(self) -> str:
        """Where secrets are kept, in words that follow "It is kept"."""
        self._look()
        if self._keyring is not None:
            return f"in the keyring ({self._keyring.name})"
        return f"in memory only, until the program ends: {self._why}"

    def get(self, name: str) -> str:
        """A secret, empty when there is none."""
        if name in self._kept:
            return self._kept[name]
        self._look()
        if self._keyring is None:
            return ""
        try:
            return self._keyring.get_password(_SERVICE, name) or ""
        except Exception as error:  # any backend, any desktop: what fails there must not fail here
            self._give_up(error)
            return ""

    def put(self, name: str, value: str) -> None:
        """Keep a secret; an empty one is forgotten."""
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
        if value:
            self._kept[name] = value

    def _look(self) -> None:
        if self._looked:
            return
        self._looked = True
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
