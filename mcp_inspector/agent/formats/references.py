"""Local references of a schema for providers that know none: put in place, bounded, recursion cut with a sentence."""

from __future__ import annotations

from typing import Any

from mcp_inspector.agent.formats.definition import Effect, Loss, child

_PARTS = 20_000
"""So many schemas at most after references were put in place: a few nested ones can make billions."""
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames")


class Inliner:
    """Puts what references name in their place. `losses` tells of those that could not be."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._left = _PARTS
        self.losses: list[Loss] = []

    def inline(self) -> dict[str, Any]:
        """The whole schema without references and without what only they used."""
        done = self._part(self._root, "", ())
        assert isinstance(done, dict)
        done.pop("$defs", None)
        done.pop("definitions", None)
        return done

    def _part(self, schema: Any, pointer: str, inside: tuple[str, ...]) -> Any:
        if not isinstance(schema, dict):
            return schema
        self._left -= 1
        if self._left < 0:
            if self._left == -1:
                why = "The references make the schema too large to write out: the rest is said to be any object."
                self.losses.append(Loss(pointer, Effect.CHANGED, why))
            return {"type": "object"}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            if reference in inside or len(inside) > 40:
                why = f"The schema is recursive by {reference}: from its second level on it is said to be any object."
                self.losses.append(Loss(pointer, Effect.CHANGED, why))
                return {"type": "object", **_annotations(beside)}
            target = self._find(reference)
            if not isinstance(target, dict):
                why = f"{reference} names nothing in this schema: the model is told nothing about it."
                self.losses.append(Loss(pointer, Effect.DROPPED, why))
                return _annotations(beside)
            schema = {**target, **beside}
            inside = (*inside, reference)
            if "$ref" in target:
                schema["$ref"] = target["$ref"]
                return self._part(schema, pointer, inside)
        out: dict[str, Any] = {}
        for name, value in schema.items():
            if name in ("$defs", "definitions") and not pointer:
                continue
            if name in _MAPS and isinstance(value, dict):
                out[name] = {key: self._part(each, child(pointer, name, key), inside) for key, each in value.items()}
            elif name in _LISTS and isinstance(value, list):
                out[name] = [self._part(each, child(pointer, name, at), inside) for at, each in enumerate(value)]
            elif name in _SINGLE:
                out[name] = self._part(value, child(pointer, name), inside)
            else:
                out[name] = value
        return out

    def _find(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return None
        at: Any = self._root
        for part in reference[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            at = at.get(name) if isinstance(at, dict) else None
        return at if reference in ("#", "") or "/" in reference else self._anchored(reference[1:], self._root, 0)

    def _anchored(self, name: str, at: Any, depth: int) -> Any:
        if depth > 60:
            return None
        if isinstance(at, dict):
            if at.get("$anchor") == name or at.get("$dynamicAnchor") == name:
                return at
            at = list(at.values())
        for each in at if isinstance(at, list) else ():
            found = self._anchored(name, each, depth + 1)
            if found is not None:
                return found
        return None


def merged(schema: dict[str, Any], pointer: str, losses: list[Loss]) -> dict[str, Any]:
    """A schema with its `allOf` written into itself: members of objects joined, the first of other keywords kept."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    out = {name: value for name, value in schema.items() if name != "allOf"}
    losses.append(Loss(child(pointer, "allOf"), Effect.CHANGED, "The parts of allOf are written into one schema."))
    for at, part in enumerate(parts):
        if not isinstance(part, dict):
            continue
        inner = merged(part, child(pointer, "allOf", at), losses)
        for name, value in inner.items():
            if name == "properties" and isinstance(value, dict) and isinstance(out.get("properties"), dict):
                out["properties"] = {**out["properties"], **value}
            elif name == "required" and isinstance(value, list) and isinstance(out.get("required"), list):
                out["required"] = list(dict.fromkeys([*out["required"], *value]))
            elif name not in out:
                out[name] = value
            elif out[name] != value:
                why = f"Two parts of allOf say different things with {name}: only the first is kept."
                losses.append(Loss(child(pointer, "allOf", at, name), Effect.DROPPED, why))
    return out


def _annotations(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: schema[name] for name in ("title", "description") if name in schema}
