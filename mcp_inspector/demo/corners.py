"""Tools for the corners of the protocol: what came with a request, pages to visit first, odd progress, odd headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from mcp.shared.exceptions import MCPError

from .parts import Json, Tool, result, string, structured, text, tool_error
from .state import client_key

if TYPE_CHECKING:
    from .call import Call

URL_ELICITATION_REQUIRED = -32042
EXTRA = "com.example/extra-tools"
"""An extension that means nothing: a client that declares it is listed one more tool."""


async def show_request(call: Call) -> Json:
    """Give back the envelope of this very request."""
    params = call.context.params or {}
    declared = call.session.client_capabilities
    return structured(
        {
            "protocolVersion": call.context.protocol_version,
            "meta": dict(params.get("_meta") or {}),
            "clientCapabilities": declared.model_dump(by_alias=True, mode="json", exclude_none=True)
            if declared
            else {},
        }
    )


async def visit_first(call: Call) -> Json:
    """Refuse until the person has agreed to visit a page, in the way of each version."""
    url, identifier = "https://example.com/terms", "demo-page-2"
    message = "Please read this page first. Nothing is sent to it."
    if call.modern:
        answer = await call.elicit_url("page", message, url, identifier)
        agreed = answer.get("action") == "accept"
        return result(text("You agreed; here is what you came for." if agreed else "Then there is nothing here."))
    if not call.client_has("elicitation", "url"):
        return tool_error("This tool asks the client to open a page, which has not declared elicitation.url.")
    key = client_key(call.context)
    if key not in call.state.visitors:
        call.state.visitors.add(key)
        asked = {"mode": "url", "message": message, "url": url, "elicitationId": identifier}
        raise MCPError(URL_ELICITATION_REQUIRED, "Visit a page first, then call again.", {"elicitations": [asked]})
    await call.session.send_elicit_complete(identifier, related_request_id=call.context.request_id)
    call.state.visitors.discard(key)
    return result(text("You have been there; here is what you came for."))


async def odd_progress(call: Call) -> Json:
    """Report progress as no server should."""
    for done, total, message in (
        (0, None, "no total"),
        (3, 2, "more than the total"),
        (2, 10, "backwards"),
        (2, 10, None),
        (-1, 0, "negative, of nothing"),
        (1e300, 1e308, "very large"),
        (0.1 + 0.2, 1, "a fraction"),
    ):
        await call.progress(done, total, message)
        await anyio.sleep(0.2)
    return result(text("That were seven reports, most of them odd."))


async def extra_tool(call: Call) -> Json:
    """Say why it is there."""
    return result(text(f"I am listed because your client declares {EXTRA}."))


async def odd_header(call: Call) -> Json:
    """Say that it was called all the same."""
    return result(text("Called. Over HTTP, in the version of 2026-07-28, clients have to leave this tool out."))


TOOLS = (
    Tool(
        "show_request",
        "Show the request",
        "Gives back the _meta of this request, with its trace context, and what your client declares.",
        show_request,
        icon="live",
    ),
    Tool(
        "visit_first",
        "Visit a page first",
        "Fails with error -32042 (2025-11-25) or asks (2026-07-28) until you agree to visit a page; then call again.",
        visit_first,
        annotations={"readOnlyHint": True, "openWorldHint": True},
        icon="asking",
    ),
    Tool("odd_progress", "Odd progress", "Reports progress as no server should.", odd_progress, icon="live"),
    Tool(
        "odd_header",
        "Odd header",
        "Wants an argument in a header that cannot be one: over HTTP it is excluded, with the reason.",
        odd_header,
        {"where": {**string("Not for a header."), "type": ["string", "object"], "x-mcp-header": "Not a header"}},
        icon="basics",
    ),
    Tool(
        "extra_tool",
        "An extra tool",
        f"Listed only to a client that declares the extension {EXTRA}. Change what yours declares and compare.",
        extra_tool,
        icon="basics",
        needs=("extensions", EXTRA),
    ),
)
