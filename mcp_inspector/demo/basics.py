"""Tools to begin with: plain arguments, forms of every kind, structured results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from . import library
from .parts import Json, Tool, number, result, string, structured, switch, text, whole

if TYPE_CHECKING:
    from .call import Call

CITIES = {"Cairo": 31, "Lima": 21, "Oslo": 9, "Reykjavík": 6, "Tōkyō": 19, "Wellington": 15}
"""A mild day's temperature in °C."""

SKIES = ("sunny", "cloudy", "windy", "rainy")


async def echo(call: Call) -> Json:
    """Give the text back."""
    return result(text(call["text"]))


async def add(call: Call) -> Json:
    """Add two numbers."""
    return structured({"sum": call["a"] + call["b"]})


async def get_weather(call: Call) -> Json:
    """Make up a forecast: from the city's name and the day alone, so it is the same every time."""
    days = []
    for day in range(1, call["days"] + 1):
        mild = CITIES[call["city"]] + (day * 7 + len(call["city"])) % 5 - 2
        low, high = mild - 4, mild + 3
        if call["unit"] == "fahrenheit":
            low, high = round(low * 1.8 + 32), round(high * 1.8 + 32)
        sky = SKIES[(day + len(call["city"])) % len(SKIES)]
        days.append({"day": day, "sky": sky, "low": low, "high": high} | ({"wind": day % 4} if call["wind"] else {}))
    return structured({"city": call["city"], "unit": call["unit"], "days": days})


async def search_books(call: Call) -> Json:
    """Search the shelf."""
    filters, years = call.arguments.get("filters", {}), call.arguments.get("filters", {}).get("years", {})
    found = library.search(
        call["query"],
        filters.get("lang", ""),
        tuple(filters.get("tags", ())),
        (years.get("from", 0), years.get("to", 9999)),
    )
    rows = [book.json() for book in found]
    for rule in reversed(call["sort"]):
        rows.sort(key=lambda row: row[rule["by"]], reverse=rule.get("descending", False))
    return structured({"found": len(rows), "books": rows[: call["limit"]]})


async def fill_form(call: Call) -> Json:
    """Give back what was filled in, as it arrived."""
    return result(text(json.dumps(call.arguments, ensure_ascii=False, indent=2)))


async def query_region(call: Call) -> Json:
    """Say which region was named."""
    urgent = ", at once" if call["urgent"] else ""
    return result(text(f"Region {call['region']} answers{urgent}."))


BOOK: Json = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "author": {"type": "string"},
        "year": {"type": "integer"},
        "lang": {"type": "string"},
        "pages": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["id", "title", "author", "year"],
}

TOOLS = (
    Tool(
        "echo",
        "Echo",
        "Gives your text back, unchanged. The quickest way to see a call and its answer.",
        echo,
        {"text": string("What to say; any characters, of any length.", default="Hello!")},
        ["text"],
        icon="basics",
    ),
    Tool(
        "add",
        "Add two numbers",
        "Adds two numbers and answers with a structured result that has a schema.",
        add,
        {"a": number("The first number."), "b": number("The second number.")},
        ["a", "b"],
        output={"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
        icon="basics",
    ),
    Tool(
        "get_weather",
        "Weather forecast",
        "A made-up forecast. Shows choices, defaults and bounds in the form, and a structured result with nested rows.",
        get_weather,
        {
            "city": string("Where.", enum=list(CITIES)),
            "unit": string("Scale of the temperatures.", enum=["celsius", "fahrenheit"], default="celsius"),
            "days": whole("How many days.", 1, 14, default=3),
            "wind": switch("Whether to give the wind (Beaufort) as well.", False),
        },
        ["city"],
        output={
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "days": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "day": {"type": "integer", "minimum": 1},
                            "sky": {"type": "string", "enum": list(SKIES)},
                            "low": {"type": "number"},
                            "high": {"type": "number"},
                            "wind": {"type": "integer"},
                        },
                        "required": ["day", "sky", "low", "high"],
                    },
                },
            },
            "required": ["city", "unit", "days"],
        },
        icon="basics",
    ),
    Tool(
        "search_books",
        "Search the shelf",
        "Searches eighteen old books. Shows nested objects and lists in the form, and a result that is a table.",
        search_books,
        {
            "query": string("Words in title or author; empty finds all.", default=""),
            "filters": {
                "type": "object",
                "description": "What the books must be like.",
                "properties": {
                    "lang": string("Language of the original.", enum=list(library.LANGUAGES)),
                    "tags": {
                        "type": "array",
                        "description": "All of these.",
                        "items": {"type": "string", "enum": library.TAGS},
                        "uniqueItems": True,
                    },
                    "years": {
                        "type": "object",
                        "description": "When it came out.",
                        "properties": {
                            "from": whole("First year.", 1500, 2000),
                            "to": whole("Last year.", 1500, 2000),
                        },
                    },
                },
            },
            "sort": {
                "type": "array",
                "description": "Rules of the order, the most important first.",
                "default": [{"by": "year"}],
                "items": {
                    "type": "object",
                    "properties": {
                        "by": string("Member to sort by.", enum=["title", "author", "year", "pages"]),
                        "descending": switch("Largest first.", False),
                    },
                    "required": ["by"],
                },
            },
            "limit": whole("At most so many.", 1, 50, default=10),
        },
        output={
            "type": "object",
            "properties": {"found": {"type": "integer"}, "books": {"type": "array", "items": BOOK}},
            "required": ["found", "books"],
        },
        icon="basics",
    ),
    Tool(
        "fill_form",
        "A form of every kind",
        "Takes one argument of each kind that a JSON Schema can ask for, and gives back what arrived.",
        fill_form,
        {
            "name": string("Between 2 and 20 characters.", minLength=2, maxLength=20),
            "note": string("A longer text.", default="two\nlines"),
            "email": string("An address.", format="email"),
            "homepage": string("A link.", format="uri"),
            "birthday": string("A date.", format="date"),
            "meeting": string("A date with time.", format="date-time"),
            "code": string("Two letters and three digits.", pattern="^[A-Z]{2}[0-9]{3}$"),
            "age": whole("A whole number.", 0, 150),
            "weight": number("Any number.", minimum=0, exclusiveMaximum=1000),
            "agree": switch("Yes or no.", True),
            "size": string("One of a few.", enum=["S", "M", "L"], default="M"),
            "colour": {
                "description": "One of a few, with titles.",
                "anyOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}],
            },
            "toppings": {
                "type": "array",
                "description": "Some of a few.",
                "items": {"type": "string", "enum": ["cheese", "olives", "mushrooms"]},
                "maxItems": 2,
            },
            "address": {
                "type": "object",
                "description": "An object in the object.",
                "properties": {"street": string("Street and number."), "city": string("Town.", default="Oslo")},
                "required": ["street"],
            },
            "friends": {
                "type": "array",
                "description": "A list of objects.",
                "items": {
                    "type": "object",
                    "properties": {"name": string("Who."), "since": whole("Year.", 1900, 2100)},
                    "required": ["name"],
                },
            },
            "nickname": {"type": ["string", "null"], "description": "A text, or explicitly nothing.", "default": None},
            "extra": {"description": "Anything at all."},
        },
        ["name"],
        icon="basics",
    ),
    Tool(
        "query_region",
        "Ask a region",
        "Over HTTP, in the version of 2026-07-28, these arguments are repeated in headers for routing.",
        query_region,
        {
            "region": string("A region's name.", enum=["north", "süd", "west-1"], **{"x-mcp-header": "Region"}),
            "urgent": {**switch("Do not wait.", False), "x-mcp-header": "Urgent"},
        },
        ["region"],
        icon="basics",
    ),
)
