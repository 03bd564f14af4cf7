"""Tools whose results show each kind of content, and values that careless programs spoil."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from . import media
from .parts import Json, Tool, audio, image, link, number, result, string, text, whole
from .resources import FILES, FOLDERS, GUIDE

if TYPE_CHECKING:
    from .call import Call

BIG_NUMBERS = """\
{
  "beyond 2^53": 9007199254740993,
  "2^64": 18446744073709551616,
  "an integer with a point": 1.0,
  "with an exponent": 1E+2,
  "too large for a double": 1e400,
  "too small for a double": 1e-400,
  "negative zero": -0.0,
  "many digits": 3.14159265358979323846264338327950288,
  "twice": 1,
  "twice": 2
}"""
"""JSON whose numbers and repeated member are lost when it is decoded and encoded again."""

STRANGE = {
    "right to left": "مرحبا بالعالم · שלום עולם",
    "turned around": "abc \u202edef\u202c ghi",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇳🇴",
    "combining": "Z̸̡̪̈a̸͖̋l̷̰͗g̶̝̓o̷̙͠, e\u0301 = é",
    "control characters": "bell \u0007, escape \u001b[31mred\u001b[0m, null \u0000, delete \u007f",
    "line ends": "LF\nCRLF\r\nCR\rNEL\u0085LS\u2028PS\u2029end",
    "invisible": "no\u00a0break, zero\u200bwidth, soft\u00adhyphen, byte\ufeffmark",
    "like markup": "<b>not bold</b> <img src='https://example.invalid/x.png'> &amp; [link](https://example.invalid)",
    "beyond the first plane": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𒀭 \U0010ffff",
    "long word": "donaudampfschifffahrtsgesellschaft" * 12,
}


async def make_image(call: Call) -> Json:
    """Draw a picture."""
    data = media.png(call["width"], call["height"], call["pattern"], call["colour"])
    return result(text(f"{call['width']} × {call['height']} pixels, {len(data)} bytes"), image(data))


async def make_audio(call: Call) -> Json:
    """Make a tone."""
    data = media.wav(call["seconds"], call["hertz"])
    return result(text(f"{call['seconds']} s at {call['hertz']} Hz, {len(data)} bytes"), audio(data))


async def list_files(call: Call) -> Json:
    """Links to the files of a folder."""
    found = [file for file in FILES if file.uri.startswith(f"demo://files/{call['folder']}")]
    return result(text(f"{len(found)} files"), *map(link, found))


async def show_everything(call: Call) -> Json:
    """One block of each kind."""
    guide = {"uri": GUIDE.uri, "mimeType": GUIDE.mime, **GUIDE.read()[0]}
    return result(
        text("A text for the person.", audience=["user"], priority=1.0),
        text("A text for the model.", audience=["assistant"], priority=0.2),
        text("# Markdown\n\nA *text* with a [link](https://example.com) and a list:\n\n- one\n- two"),
        image(media.png(48, 48, "rings", "blue")),
        audio(media.wav(0.2, 440)),
        link(FILES[0]),
        {"type": "resource", "resource": guide},
    )


async def big_text(call: Call) -> Json:
    """A long text."""
    size = call["kilobytes"] * 1024
    if call["shape"] == "one line":
        return result(text(("0123456789abcdef" * 64 * call["kilobytes"])[:size]))
    count = size // 64
    return result(
        text("".join(f"{number:010d} {'the quick brown fox jumps over the lazy dog':<52}\n" for number in range(count)))
    )


async def big_numbers(call: Call) -> Json:
    """Numbers as text and as JSON values."""
    values = {"beyond 2^53": 9007199254740993, "2^64": 2**64, "an integer with a point": 1.0, "tiny": 5e-324}
    return {"content": [text(BIG_NUMBERS), text(json.dumps(values))], "structuredContent": values}


async def unicode(call: Call) -> Json:
    """Strange text."""
    return {
        "content": [text(f"{name}: {value}") for name, value in STRANGE.items()],
        "structuredContent": dict(STRANGE),
    }


TOOLS = (
    Tool(
        "make_image",
        "Draw a picture",
        "Draws a small picture and answers with it as PNG.",
        make_image,
        {
            "pattern": string("What to draw.", enum=list(media.PATTERNS), default="rings"),
            "colour": string("In which colour.", enum=list(media.COLOURS), default="blue"),
            "width": whole("Pixels.", 1, 512, default=160),
            "height": whole("Pixels.", 1, 512, default=120),
        },
        icon="contents",
    ),
    Tool(
        "make_audio",
        "Make a tone",
        "Makes a short tone and answers with it as WAV.",
        make_audio,
        {
            "seconds": number("How long.", minimum=0.05, maximum=5, default=0.5),
            "hertz": number("How high.", minimum=50, maximum=3000, default=440),
        },
        icon="contents",
    ),
    Tool(
        "list_files",
        "List files",
        "Answers with links to resources, which can be followed.",
        list_files,
        {"folder": string("Which folder; empty for all.", enum=["", *FOLDERS], default="")},
        icon="contents",
    ),
    Tool(
        "show_everything",
        "One of each kind",
        "Answers with one block of each kind: text with annotations, Markdown, image, audio, link, embedded resource.",
        show_everything,
        icon="contents",
    ),
    Tool(
        "big_text",
        "A long text",
        "Answers with a text of the size you ask for, up to 100 MB, in lines or in a single one.",
        big_text,
        {
            "kilobytes": whole("Size in KiB.", 1, 102_400, default=64),
            "shape": string("How it is cut.", enum=["lines", "one line"], default="lines"),
        },
        icon="contents",
    ),
    Tool(
        "big_numbers",
        "Numbers as spelled",
        "Answers with numbers that are changed by programs that decode and encode them again.",
        big_numbers,
        icon="contents",
    ),
    Tool(
        "unicode",
        "Strange text",
        "Answers with text that runs from right to left, emoji, control characters, and what looks like markup.",
        unicode,
        icon="contents",
    ),
)
