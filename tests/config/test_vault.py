"""Keys are kept in the keyring where there is one, else in memory, and it is said which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail

from mcp_inspector.config.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator


class Desktop(KeyringBackend):
    """A keyring as a desktop has one."""

    priority = 5.0
    name = "Desktop"

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.broken:
            raise OSError("the desktop is locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.broken:
            raise OSError("the desktop is locked")
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    before = keyring.get_keyring()
    backend = Desktop()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def test_a_keyring_is_used_and_named(desktop: Desktop) -> None:
    vault = Vault()
    vault.put("key", "s3cret")
    assert desktop.kept == {("mcp-inspector", "key"): "s3cret"}
    assert vault.place() == "in the keyring (Desktop)"
    assert Vault().get("key") == "s3cret"
    vault.put("key", "")
    assert desktop.kept == {}
    assert vault.get("key") == ""


def test_without_a_keyring_it_is_memory_and_that_is_said(desktop: Desktop) -> None:
    keyring.set_keyring(fail.Keyring())
    vault = Vault()
    vault.put("key", "s3cret")
    assert vault.get("key") == "s3cret"
    assert Vault().get("key") == ""
    assert "memory only" in vault.place()
    assert "no keyring" in vault.place()


def test_a_keyring_that_fails_costs_the_keeping_and_nothing_else(desktop: Desktop) -> None:
    desktop.broken = True
    vault = Vault()
    vault.put("key", "s3cret")
    assert vault.get("key") == "s3cret"
    assert "the desktop is locked" in vault.place()
