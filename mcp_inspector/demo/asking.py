"""Tools that ask back: the person (elicitation), the client's model (sampling), the client's folders (roots).

A tool here runs again from its beginning when an answer comes in the modern era: it asks first, and acts last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .parts import Json, Tool, result, string, structured, switch, text, tool_error, whole

if TYPE_CHECKING:
    from .call import Call


def titled(**titles: str) -> list[Json]:
    """Choices with titles, as elicitation spells them."""
    return [{"const": value, "title": title} for value, title in titles.items()]


def content(answer: Json) -> Json | None:
    """What was filled in, None when the person did not accept."""
    return answer.get("content") or {} if answer.get("action") == "accept" else None


def refused(answer: Json) -> Json:
    """The result when the person declined or cancelled."""
    return result(text(f"You chose: {answer.get('action')}. Nothing was done."))


async def ask_name(call: Call) -> Json:
    """Ask for a name and greet."""
    answer = await call.elicit(
        "name",
        "What should I call you?",
        {"name": {"type": "string", "title": "Your name", "minLength": 1, "maxLength": 60}},
        ("name",),
    )
    given = content(answer)
    return refused(answer) if given is None else result(text(f"Nice to meet you, {given.get('name')}!"))


async def ask_everything(call: Call) -> Json:
    """Ask with one field of each kind."""
    fields: Json = {
        "name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 40, "default": "Ada"},
        "email": {"type": "string", "title": "Address", "format": "email"},
        "site": {"type": "string", "title": "Home page", "format": "uri"},
        "day": {"type": "string", "title": "Day", "format": "date", "default": "2026-07-28"},
        "time": {"type": "string", "title": "Moment", "format": "date-time"},
        "guests": {"type": "integer", "title": "Guests", "minimum": 1, "maximum": 12, "default": 2},
        "budget": {"type": "number", "title": "Budget", "minimum": 0, "default": 99.5},
        "window": {"type": "boolean", "title": "At the window", "default": True},
        "meal": {"type": "string", "title": "Meal", "enum": ["lunch", "dinner"], "default": "dinner"},
        "drink": {"type": "string", "title": "Drink", "oneOf": titled(tea="Tea", coffee="Coffee"), "default": "tea"},
        "course": {"type": "array", "title": "Courses", "items": {"type": "string", "enum": ["soup", "main", "sweet"]}},
        "extras": {
            "type": "array",
            "title": "Extras",
            "minItems": 1,
            "maxItems": 2,
            "items": {"anyOf": titled(music="Music", flowers="Flowers", candles="Candles")},
            "default": ["music"],
        },
    }
    answer = await call.elicit("all", "Please fill in one of each kind.", fields, ("name", "guests"))
    given = content(answer)
    return refused(answer) if given is None else structured({"answer": given})


async def plan_trip(call: Call) -> Json:
    """Ask twice: the second question depends on the first answer."""
    towns = {"sea": ["Bergen", "Lisboa"], "mountains": ["Innsbruck", "Cusco"]}
    first = await call.elicit(
        "where",
        "Where would you like to go?",
        {"kind": {"type": "string", "title": "To the", "enum": list(towns)}},
        ("kind",),
    )
    chosen = content(first)
    if chosen is None:
        return refused(first)
    kind = str(chosen.get("kind"))
    if kind not in towns:
        return tool_error(f"There is no trip to the {kind}.")
    second = await call.elicit(
        "which",
        f"Which town at the {kind}, and for how long?",
        {
            "town": {"type": "string", "title": "Town", "enum": towns[kind]},
            "days": {"type": "integer", "title": "Days", "minimum": 1, "maximum": 30, "default": call["days"]},
        },
        ("town",),
    )
    chosen = content(second)
    if chosen is None:
        return refused(second)
    return structured({"kind": kind, "town": chosen.get("town"), "days": chosen.get("days", call["days"])})


async def open_page(call: Call) -> Json:
    """Ask the person to open a page in the browser."""
    identifier = "demo-page-1"
    answer = await call.elicit_url(
        "page",
        "Please read this page. Nothing is sent to it.",
        f"https://example.com/?topic={call['topic']}",
        identifier,
    )
    if answer.get("action") != "accept":
        return refused(answer)
    if not call.modern:
        await call.session.send_elicit_complete(identifier, related_request_id=call.context.request_id)
    return result(text("You agreed to open the page."))


async def summarise(call: Call) -> Json:
    """Let the client's model write a summary."""
    params: Json = {
        "messages": [
            {"role": "user", "content": text(f"Summarise in at most {call['words']} words:\n\n{call['text']}")},
        ],
        "systemPrompt": "You write short, plain summaries.",
        "maxTokens": call["max_tokens"],
        "temperature": 0.2,
        "modelPreferences": {"hints": [{"name": "small"}], "speedPriority": 0.8, "intelligencePriority": 0.3},
    }
    if call["offer_tool"]:
        if not call.client_has("sampling", "tools"):
            return tool_error("The client has not declared sampling.tools, so the model cannot be offered a tool.")
        count: Json = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        params["tools"] = [{"name": "count_words", "description": "Counts words.", "inputSchema": count}]
        params["toolChoice"] = {"mode": "auto"}
    answer = await call.sample("summary", params)
    blocks: Any = answer.get("content")
    written = [_shown(block) for block in (blocks if isinstance(blocks, list) else [blocks])]
    return result(text("\n".join(written)), text(f"by {answer.get('model')}, ended by {answer.get('stopReason')}"))


def _shown(block: Any) -> str:
    if isinstance(block, dict) and block.get("type") == "text":
        return str(block.get("text"))
    return f"[{block.get('type') if isinstance(block, dict) else type(block).__name__}] {block}"


async def list_roots(call: Call) -> Json:
    """Show the client's roots."""
    roots = await call.roots()
    return structured({"roots": [{"uri": root.get("uri"), "name": root.get("name")} for root in roots]})


TOOLS = (
    Tool(
        "ask_name", "Ask your name", "Asks you for your name in a small form, and greets you.", ask_name, icon="asking"
    ),
    Tool(
        "ask_everything",
        "Ask with every field",
        "Asks you to fill a form with one field of each kind, most of them with a default.",
        ask_everything,
        icon="asking",
    ),
    Tool(
        "plan_trip",
        "Plan a trip",
        "Asks you twice; the second form depends on your first answer.",
        plan_trip,
        {"days": whole("How long, as a suggestion.", 1, 30, default=7)},
        icon="asking",
    ),
    Tool(
        "open_page",
        "Open a page",
        "Asks you to open a page in your browser, and goes on when you agree.",
        open_page,
        {"topic": string("What the page is about.", enum=["privacy", "terms"], default="privacy")},
        annotations={"readOnlyHint": True, "openWorldHint": True},
        icon="asking",
    ),
    Tool(
        "summarise",
        "Summarise a text",
        "Asks the client's model to summarise a text (sampling). You see the request before it is answered.",
        summarise,
        {
            "text": string(
                "What to summarise.", default="A client connects. It lists the tools. It calls one of them."
            ),
            "words": whole("How long the summary may be.", 5, 500, default=30),
            "max_tokens": whole("Limit for the model.", 1, 4000, default=200),
            "offer_tool": switch("Offer the model a tool.", False),
        },
        icon="asking",
    ),
    Tool("list_roots", "List your roots", "Asks the client which folders it offers.", list_roots, icon="asking"),
)
