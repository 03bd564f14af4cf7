"""Secrets in a file of their owner alone, for systems without a keyring; encrypted when there is a passphrase.

With a passphrase the values are AES-256-GCM under a key that scrypt makes of it (RFC 7914, N = 2**15, r = 8, p = 1),
bound to their names; without one they are only as safe as the file's mode, which is 0600. Both kinds may stand in one
file: what was written with a passphrase cannot be read without it.
"""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.safe_write import lock, replace

if TYPE_CHECKING:
    from pathlib import Path


class SecretFile:
    """Secrets by name in one file. Raises `OSError` and `ValueError` for what cannot be read or written."""

    def __init__(self, path: Path, passphrase: str = "") -> None:
        self.path = path
        self._passphrase = passphrase
        self._keys: dict[bytes, bytes] = {}

    @property
    def encrypted(self) -> bool:
        """Whether what is written is encrypted."""
        return bool(self._passphrase)

    def get(self, name: str) -> str:
        """A secret, empty when there is none. Raises `ValueError` when it is encrypted and the passphrase is not it."""
        found = self._read().get(name)
        if isinstance(found, str):
            return found
        return self._opened(name, found) if isinstance(found, dict) else ""

    def put(self, name: str, value: str) -> None:
        """Keep a secret; an empty one is forgotten."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock(self.path):
            kept = self._read()
            if value:
                kept[name] = self._sealed(name, value) if self._passphrase else value
            elif name not in kept:
                return
            else:
                del kept[name]
            replace(self.path, json.dumps(kept, indent=1).encode())  # a new one is its owner's alone
            os.chmod(self.path, 0o600)

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        if not isinstance(kept, dict):
            raise ValueError("it holds no JSON object")
        return kept

    def _sealed(self, name: str, value: str) -> dict[str, str]:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        salt = next(iter(self._keys), None) or os.urandom(16)
        nonce = os.urandom(12)
        sealed = AESGCM(self._key(salt)).encrypt(nonce, value.encode(), name.encode())
        return {"salt": _text(salt), "nonce": _text(nonce), "sealed": _text(sealed)}

    def _opened(self, name: str, found: dict[str, Any]) -> str:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if not self._passphrase:
            raise ValueError("it is encrypted, and no passphrase was given")
        try:
            salt, nonce, sealed = (base64.b64decode(str(found[part])) for part in ("salt", "nonce", "sealed"))
            return AESGCM(self._key(salt)).decrypt(nonce, sealed, name.encode()).decode()
        except (KeyError, InvalidTag) as error:
            raise ValueError("the passphrase is not the one it was encrypted with") from error

    def _key(self, salt: bytes) -> bytes:
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        if salt not in self._keys:
            self._keys[salt] = Scrypt(salt, 32, 2**15, 8, 1).derive(self._passphrase.encode())
        return self._keys[salt]


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
