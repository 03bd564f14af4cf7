"""Prompts: with no argument, with completion, with one that depends on another, with a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import library, media
from .parts import Argument, Json, Prompt, image, text
from .resources import GUIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAMMING = ["c", "c++", "c#", "go", "java", "javascript", "kotlin", "python", "ruby", "rust", "swift", "typescript"]
STYLES = {
    "Arabic": ["fusha", "everyday"],
    "German": ["du", "Sie"],
    "French": ["tu", "vous"],
    "Japanese": ["plain", "keigo"],
}


def user(content: str | Json) -> Json:
    """A message of the person."""
    return {"role": "user", "content": text(content) if isinstance(content, str) else content}


def assistant(content: str) -> Json:
    """A message of the model."""
    return {"role": "assistant", "content": text(content)}


def _review(arguments: Mapping[str, str]) -> list[Json]:
    language = arguments.get("language", "")
    return [
        user(f"Review this {language} code. Name faults first, then style.\n\n```{language}\n{arguments['code']}\n```"),
    ]


def _explain(arguments: Mapping[str, str]) -> list[Json]:
    return [
        user(f"I got this error:\n\n{arguments['error']}"),
        assistant("I will explain what it means and how to find its cause. What were you doing?"),
        user(arguments.get("context") or "Nothing special."),
    ]


def _brainstorm(arguments: Mapping[str, Any]) -> list[Json]:
    return [user("Give me ten ideas for a tool that an assistant would love to call. One line each.")]


def _translate(arguments: Mapping[str, str]) -> list[Json]:
    style = f", style {arguments['style']}" if arguments.get("style") else ""
    return [user(f"Translate into {arguments['language']}{style}:\n\n{arguments['text']}")]


def _describe(arguments: Mapping[str, str]) -> list[Json]:
    pattern = arguments.get("pattern") if arguments.get("pattern") in media.PATTERNS else "rings"
    return [
        user(image(media.png(96, 96, str(pattern), "red"))),
        user("Describe this picture in one sentence, for somebody who cannot see it."),
    ]


def _guide(arguments: Mapping[str, str]) -> list[Json]:
    resource = {"uri": GUIDE.uri, "mimeType": GUIDE.mime, **GUIDE.read()[0]}
    return [user({"type": "resource", "resource": resource}), user("What should I try next?")]


PROMPTS = (
    Prompt(
        "code_review",
        "Code review",
        "Asks for a review of some code.",
        _review,
        [
            Argument("code", "The code; paste it, or take it from a file.", required=True),
            Argument("language", "Its language.", values=lambda chosen: PROGRAMMING),
        ],
        icon="prompts",
    ),
    Prompt(
        "explain_error",
        "Explain an error",
        "Explains an error message, as a short conversation.",
        _explain,
        [Argument("error", "The message, as it is.", required=True), Argument("context", "What you were doing.")],
        icon="prompts",
    ),
    Prompt("brainstorm", "Brainstorm", "Asks for ideas. Takes no arguments.", _brainstorm, icon="prompts"),
    Prompt(
        "translate",
        "Translate",
        "Translates a text. The suggestions for the style depend on the language.",
        _translate,
        [
            Argument("text", "What to translate.", required=True),
            Argument(
                "language", "Into which language.", required=True, values=lambda chosen: [*library.LANGUAGES.values()]
            ),
            Argument("style", "How to speak.", values=lambda chosen: STYLES.get(chosen.get("language", ""), ["plain"])),
        ],
        icon="prompts",
    ),
    Prompt(
        "describe_image",
        "Describe a picture",
        "Comes with a picture.",
        _describe,
        [Argument("pattern", "Which picture.", values=lambda chosen: list(media.PATTERNS))],
        icon="prompts",
    ),
    Prompt("what_next", "What next?", "Comes with a resource inside.", _guide, icon="prompts"),
)
