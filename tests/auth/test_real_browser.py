"""The browser's part of a sign-in, done once by a real browser without a window."""

from __future__ import annotations

import asyncio
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.auth.person import Asking
from tests.auth.conftest import authorizer

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.config.vault import Vault
    from tests.peers.auth_server import AuthPeer, GuardedPeer

pytestmark = pytest.mark.anyio

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.peer
@pytest.mark.timeout(90)
@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed here")
async def test_a_real_browser_comes_back(guarded: GuardedPeer, auth: AuthPeer, vault: Vault, tmp_path: Path) -> None:
    """OAU-11: it also asks for a favicon, and what not; one answer is taken."""
    browsers: list[asyncio.subprocess.Process] = []

    async def opener(url: str) -> None:
        assert BROWSER is not None
        browsers.append(
            await asyncio.create_subprocess_exec(
                BROWSER,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                f"--user-data-dir={tmp_path}",
                "--dump-dom",
                url,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "HOME": str(tmp_path)},
            )
        )

    person = await authorizer(guarded.url, vault)
    token = await person.sign_in(Asking(opener, limit=60))
    assert token.access == auth.provider.tokens[0].given["access_token"]
    page, _ = await asyncio.wait_for(browsers[0].communicate(), 60)
    assert b"<h1>Signed in</h1>" in page
    assert len(auth.at("/token")) == 1
