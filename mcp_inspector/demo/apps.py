"""A tool with a view of its own (MCP Apps, extension io.modelcontextprotocol/ui): a book as a card.

The page is whole in itself: it loads nothing, and speaks to its host by `postMessage` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import library
from .parts import Json, Resource, Tool, string, structured

if TYPE_CHECKING:
    from .call import Call

EXTENSION = "io.modelcontextprotocol/ui"
MIME = "text/html;profile=mcp-app"
CARD_URI = "ui://demo/book-card"

CARD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A book</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 16px; color-scheme: light dark }
  h1 { font-size: 20px; margin: 0 } p { margin: 4px 0 0; opacity: .75 }
</style>
<h1 id="title">Waiting for a book</h1>
<p id="facts"></p>
<script>
  const put = (id, text) => { document.getElementById(id).textContent = text };
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data }) => {
    if (data.id === 1) send({ method: "ui/notifications/initialized" });
    if (data.id !== undefined && data.method === "ui/resource-teardown") send({ id: data.id, result: {} });
    const book = data.method === "ui/notifications/tool-result" && data.params.structuredContent;
    if (!book) return;
    put("title", book.title);
    put("facts", `${book.author}, ${book.year}, ${book.pages} pages`);
  });
  send({ id: 1, method: "ui/initialize", params: {
    appInfo: { name: "book-card", version: "1.0.0" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
</script>
</html>
"""


async def show_book(call: Call) -> Json:
    """A book, for the card to draw."""
    return structured(library.BY_ID[call["id"]].json())


RESOURCE = Resource(
    CARD_URI,
    "book-card",
    "A book as a card",
    "The view of the tool show_book: a page that loads nothing.",
    MIME,
    lambda: [{"text": CARD, "_meta": {"ui": {"prefersBorder": True}}}],
)

TOOLS = (
    Tool(
        "show_book",
        "Show a book",
        "Has a view of its own, which clients that know MCP Apps can show.",
        show_book,
        {"id": string("Which book.", enum=list(library.BY_ID), default="moby-dick")},
        icon="contents",
        meta={"ui": {"resourceUri": CARD_URI}},
    ),
)
