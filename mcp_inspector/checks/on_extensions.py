"""Extensions: declared by both sides, apps, skills. Numbers 37 and 151 to 154 of the checklist, as seen on the wire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.on_lists import items
from mcp_inspector.checks.rule import ERROR, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_HTML = "text/html;profile=mcp-app"
_ORIGIN = re.compile(r"(?:https?|wss?)://(?:\*\.)?[A-Za-z0-9.-]{1,253}(?::\d{1,5})?")
_OWNERS = {
    "tasks": "io.modelcontextprotocol/tasks",
    "skills": "io.modelcontextprotocol/skills",
    "ui": "io.modelcontextprotocol/ui",
}
"""Extensions whose methods do not bear their names."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def _ui(item: Any) -> dict[str, Any]:
    meta = item.get("_meta") if isinstance(item, dict) else None
    found = meta.get("ui") if isinstance(meta, dict) else None
    return found if isinstance(found, dict) else {}


@rule(
    "extension-undeclared",
    37,
    ERROR,
    "An extension is used when both sides declare it.",
    "extensions",
    "result",
    "notification",
)
def extension_undeclared(view: View) -> Iterator[str]:
    talk = view.talk
    if not talk.server_caps:
        return  # it is not known what was declared
    ours = _declared(view.asked.caps if view.asked is not None else talk.client_caps)
    theirs = _declared(talk.server_caps)
    owner = _owner(view.method, modern=view.modern)
    asks = view.kind == "notification"
    # What we ask for without having declared it is no fault of a server that does declare it.
    if owner and (owner not in theirs or (asks and owner not in ours)):
        what = "sends" if asks else "answers"
        yield f"The server {what} {shown(view.method)} of {owner}, {_missing(owner, ours, theirs)}."
    for name in (ours ^ theirs).intersection(view.meta):
        yield f"The _meta has {shown(name)}, an extension {_missing(name, ours, theirs)}."


@rule("app-uri", 151, ERROR, "The page of a tool is a ui:// resource.", "ext-apps", "result tools/list")
def app_uri(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        uri = _ui(tool).get("resourceUri")
        if uri is not None and not (isinstance(uri, str) and uri.startswith("ui://")):
            yield Hit(f"{shown(tool.get('name'))} names the page {shown(uri)}.", tool=str(tool.get("name")))


@rule("app-flat", 151, WARNING, "ui/resourceUri has been replaced.", "ext-apps", "result tools/list")
def app_flat(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        meta = tool.get("_meta")
        if isinstance(meta, dict) and "ui/resourceUri" in meta and "resourceUri" not in _ui(tool):
            yield Hit(f'{shown(tool.get("name"))} has only _meta["ui/resourceUri"].', tool=str(tool.get("name")))


@rule("app-page", 151, ERROR, "A page is one HTML document.", "ext-apps", "result resources/read")
def app_page(view: View) -> Iterator[str]:
    uri = view.asked.target if view.asked is not None else ""
    contents = view.result.get("contents")
    if not uri.startswith("ui://") or not isinstance(contents, list) or not view.complete:
        return
    first = contents[0] if contents and isinstance(contents[0], dict) else {}
    if str(first.get("mimeType", "")).replace(" ", "").lower() != _HTML:
        yield f"The page's mimeType is {shown(first.get('mimeType'))}, not {_HTML}."
    if ("text" in first) is ("blob" in first):
        yield "The page has both text and blob." if "text" in first else "The page has neither text nor blob."


@rule("app-csp", 151, ERROR, "A page names origins.", "ext-apps", "result resources/read", "result resources/list")
def app_csp(view: View) -> Iterator[str]:
    contents = view.result.get("contents")
    for item in (*(contents if isinstance(contents, list) else ()), *items(view)):
        csp = _ui(item).get("csp")
        for name, domains in csp.items() if isinstance(csp, dict) else ():
            for domain in domains if isinstance(domains, list) else ():
                if not (isinstance(domain, str) and _ORIGIN.fullmatch(domain)):
                    yield f"{name} of {shown(item.get('uri'))} has {shown(domain)}, which is no origin."


@rule("app-empty", 151, WARNING, "A tool with a page still answers in words.", "ext-apps", "result tools/call")
def app_empty(view: View) -> Iterator[str]:
    tool = view.talk.tools.get(view.asked.target, {}) if view.asked is not None else {}
    if _ui(tool).get("resourceUri") and view.complete and view.result.get("content") == []:
        yield "The tool has a page, and its result has no content for those who cannot show it."


@rule("skill-entry", 154, ERROR, "A skill has its URI, name and description.", "ext-skills", "result skills/list")
def skill_entry(view: View) -> Iterator[str]:
    skills = view.result.get("skills")
    if not isinstance(skills, list):
        yield "The result has no list skills."
        return
    for place, skill in enumerate(skills):
        front = skill.get("frontmatter") if isinstance(skill, dict) else None
        uri = skill.get("uri") if isinstance(skill, dict) else None
        front = front if isinstance(front, dict) else {}
        missing = [name for name in ("name", "description") if not isinstance(front.get(name), str)]
        if not isinstance(uri, str) or missing:
            what = ["uri"] * (not isinstance(uri, str)) + [f"frontmatter.{name}" for name in missing]
            yield f"Skill {place} has no {' and no '.join(what)}."
        elif not missing and _folder(uri) != front["name"]:
            yield f"The skill at {shown(uri)} is called {shown(front['name'])}."


@rule(
    "skill-files",
    154,
    ERROR,
    "The files of a skill have digests, and SKILL.md is one of them.",
    "ext-skills",
    "result skills/list",
)
def skill_files(view: View) -> Iterator[str]:
    skills = view.result.get("skills")
    for skill in skills if isinstance(skills, list) else ():
        files = skill.get("resources") if isinstance(skill, dict) else None
        if not isinstance(files, list):
            continue
        found = [one for one in files if isinstance(one, dict)]
        bad = next((one for one in found if not _DIGEST.fullmatch(str(one.get("digest")))), None)
        if bad is not None:
            yield f"{shown(bad.get('uri'))} has the digest {shown(bad.get('digest'))}."
        if files and not any(str(one.get("uri")).endswith("SKILL.md") for one in found):
            yield f"The files of {shown(skill.get('uri'))} lack SKILL.md."


@rule("skill-unknown", 154, ERROR, "A skill that is not there has its error.", "ext-skills", "error skills/get")
def skill_unknown(view: View) -> Iterator[str]:
    if "not found" in str(view.error.get("message", "")).lower() and view.code != -32602:
        yield f"The skill was not found; the code is {view.code}, not -32602."


def _declared(capabilities: dict[str, Any]) -> frozenset[str]:
    extensions = capabilities.get("extensions")
    return frozenset(extensions) if isinstance(extensions, dict) else frozenset()


def _owner(method: str, *, modern: bool) -> str:
    """The extension that a method is of; empty for those of the protocol, and for names that say nothing."""
    name = method.removeprefix("notifications/")
    if name.split("/")[0] in _OWNERS:
        head = name.split("/")[0]
        return "" if head == "tasks" and not modern else _OWNERS[head]  # tasks are of 2025-11-25 itself
    steps = name.split("/")
    return "/".join(steps[:2]) if len(steps) > 2 and "." in steps[0] else ""


def _missing(name: str, ours: frozenset[str], theirs: frozenset[str]) -> str:
    silent = [who for who, known in (("the server", theirs), ("this client", ours)) if name not in known]
    return f"which {' and '.join(silent)} did not declare"


def _folder(uri: str) -> str:
    steps = uri.rstrip("/").split("/")
    return steps[-2] if steps[-1] == "SKILL.md" and len(steps) > 1 else steps[-1]


RULES = rules_in(globals())
