"""Skills of a server (``io.modelcontextprotocol/skills``): listed, and loaded only when they are what was listed.

Nothing of a skill is read before it is loaded. What is read is held against its entry: the size, the SHA-256 digest
and, for the skill's own text, the front matter, field by field. What differs is not used (SEP-2640).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.outcome import Complete
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.server import Server

EXTENSION = "io.modelcontextprotocol/skills"
_PAGES = 100


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One file of a skill, as it is listed. `digest` is ``sha256:`` and hexadecimal digits, `size` is in bytes."""

    uri: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Skill:
    """One listed skill: its own text is at `uri`."""

    uri: str
    frontmatter: Mapping[str, Any]
    files: tuple[SkillFile, ...]

    def file(self, uri: str) -> SkillFile | None:
        """The entry of one of its files."""
        return next((file for file in self.files if file.uri == uri), None)


async def listed(server: Server) -> list[Skill]:
    """The skills that a server lists, all pages; none where it does not declare the extension. Raises `Fault`."""
    if server.identity is None or EXTENSION not in server.identity.extensions:
        return []
    found: list[Skill] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        outcome = await server.request("skills/list", {"cursor": cursor} if cursor is not None else {})
        if not isinstance(outcome, Complete):
            raise Fault(FaultKind.BAD_CONTENT, f"{server.name} did not list its skills.")
        page = msgspec.json.decode(outcome.result)
        skills = page.get("skills") if isinstance(page, dict) else None
        found += [skill for value in skills or () if (skill := _read(value)) is not None]
        cursor = page.get("nextCursor") if isinstance(page, dict) else None
        if not isinstance(cursor, str):
            break
    return found


async def load(server: Server, skill: Skill) -> dict[str, bytes]:
    """Read a skill and its files, each verified before the next is asked for. Raises `Fault` at the first that is not
    what was listed.
    """
    text = await _verified(server, skill, skill.uri)
    written = frontmatter(text)
    for name in sorted({*written, *skill.frontmatter}):
        if written.get(name) != skill.frontmatter.get(name):
            raise _refused(skill, f"its {name} is not the one that was listed")
    loaded = {skill.uri: text}
    for file in skill.files:
        if file.uri != skill.uri:
            loaded[file.uri] = await _verified(server, skill, file.uri)
    return loaded


def frontmatter(text: bytes) -> dict[str, str]:
    """The fields between the two ``---`` lines. Only flat fields are read; a nested one is what nothing equals."""
    match = re.match(rb"---\r?\n(.*?)\r?\n---\r?(?:\n|\Z)", text, re.DOTALL)
    fields: dict[str, str] = {}
    for line in match[1].decode("utf-8", "replace").splitlines() if match else ():
        name, colon, value = line.partition(":")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        plain = bool(colon) and line[:1] not in " \t-" and bool(value.strip())
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        fields[name.strip()] = value if plain else f"\0{line}"
    return fields


async def _verified(server: Server, skill: Skill, uri: str) -> bytes:
    entry = skill.file(uri)
    if entry is None:
        raise _refused(skill, f"{uri[:200]} is not among its listed files")
    outcome = await server.read_resource(uri)
    if not isinstance(outcome, Complete):
        raise _refused(skill, f"{uri[:200]} could not be read")
    data = _content(outcome.result)
    if len(data) != entry.size:
        raise _refused(skill, f"{uri[:200]} has {len(data)} bytes, and {entry.size} were listed")
    if f"sha256:{hashlib.sha256(data).hexdigest()}" != entry.digest.lower():
        raise _refused(skill, f"the digest of {uri[:200]} is not the listed one")
    return data


def _content(result: bytes) -> bytes:
    value = msgspec.json.decode(result)
    contents = value.get("contents") if isinstance(value, dict) else None
    first = contents[0] if isinstance(contents, list) and contents and isinstance(contents[0], dict) else {}
    if isinstance(first.get("text"), str):
        return str(first["text"]).encode()
    try:
        return base64.b64decode(str(first.get("blob", "")), validate=True)
    except binascii.Error:
        return b""


def _read(value: Any) -> Skill | None:
    if not isinstance(value, dict) or not isinstance(value.get("uri"), str):
        return None
    fields = value.get("frontmatter")
    files = value.get("resources")
    read = [
        SkillFile(file["uri"], str(file.get("digest", "")), size)
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict) and isinstance(file.get("uri"), str) and isinstance(size := file.get("size"), int)
    ]
    return Skill(value["uri"], fields if isinstance(fields, dict) else {}, tuple(read))


def _refused(skill: Skill, why: str) -> Fault:
    sentence = f"The skill {skill.uri[:200]} was not loaded: {why}."
    return Fault(FaultKind.BAD_CONTENT, sentence, "What was listed and what is served differ: tell its author.")
