"""Schemas that are hard on a form: what the tests fill in and the gallery draws."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

ORDER: Json = {
    "type": "object",
    "properties": {
        "customer": {
            "type": "string",
            "minLength": 1,
            "maxLength": 60,
            "description": "Who orders, as on the invoice.",
        },
        "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
        "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.05, "default": 9.95},
        "express": {"type": "boolean", "default": False, "description": "Deliver on the next day."},
        "size": {"oneOf": [{"const": "s-1", "title": "Small"}, {"const": "l-9", "title": "Large"}]},
        "currency": {"type": "string", "enum": ["EUR", "USD", "JPY"]},
        "mixed": {"enum": [1, "1", True, 1.5, None]},
        "note": {"type": ["string", "null"], "maxLength": 500, "description": "Anything else. May be null."},
        "old": {"type": "string", "deprecated": True, "description": "Use note."},
        "code": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$", "examples": ["ABC-1234", "XYZ-0001"]},
        "revision": {"const": 2},
        "internal": {"type": "string", "readOnly": True, "x-owner": "shop", "x-unit": {"of": "nothing"}},
    },
    "required": ["customer", "quantity", "revision"],
}

FORMATS: Json = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date", "description": "The first day."},
        "clock": {"type": "string", "format": "time"},
        "moment": {"type": "string", "format": "date-time"},
        "span": {"type": "string", "format": "duration"},
        "mail": {"type": "string", "format": "email"},
        "link": {"type": "string", "format": "uri"},
        "id": {"type": "string", "format": "uuid"},
        "v4": {"type": "string", "format": "ipv4"},
        "v6": {"type": "string", "format": "ipv6"},
        "expression": {"type": "string", "format": "regex"},
        "place": {"type": "string", "format": "json-pointer"},
        "secret": {"type": "string", "format": "password"},
        "picture": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
        "blob": {"type": "string", "format": "byte"},
        "script": {"type": "string", "contentMediaType": "text/x-python", "description": "Runs on the server."},
        "embedded": {"type": "string", "contentMediaType": "application/json"},
        "phone": {"type": "string", "format": "phone"},
    },
    "required": ["day", "moment"],
}

CONTAINERS: Json = {
    "type": "object",
    "$defs": {
        "Address": {
            "type": "object",
            "title": "Address",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}, "zip": {"type": "string"}},
            "required": ["city"],
        },
        "Tree": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            },
            "required": ["name"],
        },
    },
    "properties": {
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True},
        "days": {
            "type": "array",
            "items": {"enum": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]},
            "uniqueItems": True,
            "description": "When it runs.",
        },
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "qty": {"type": "integer", "minimum": 1}},
                "required": ["name", "qty"],
            },
        },
        "point": {
            "type": "array",
            "prefixItems": [
                {"type": "number", "title": "x"},
                {"type": "number", "title": "y"},
                {"enum": ["m", "km"], "title": "unit"},
            ],
            "items": False,
            "minItems": 2,
        },
        "home": {"$ref": "#/$defs/Address", "description": "Where it goes."},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "scores": {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 5}},
        "headers": {
            "type": "object",
            "patternProperties": {"^x-": {"type": "string"}},
            "additionalProperties": False,
        },
        "tree": {"$ref": "#/$defs/Tree"},
        "anything": {},
        "list": {"type": "array"},
    },
    "required": ["tags"],
}

UNIONS: Json = {
    "type": "object",
    "properties": {
        "target": {
            "oneOf": [
                {
                    "title": "By mail",
                    "type": "object",
                    "properties": {"kind": {"const": "mail"}, "address": {"type": "string", "format": "email"}},
                    "required": ["kind", "address"],
                },
                {
                    "title": "By phone",
                    "type": "object",
                    "properties": {
                        "kind": {"const": "sms"},
                        "number": {"type": "string", "pattern": "^[+0-9 ]+$"},
                        "urgent": {"type": "boolean"},
                    },
                    "required": ["kind", "number"],
                },
            ]
        },
        "limit": {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "all"}, {"type": "null"}]},
        "value": {"type": ["string", "number", "boolean", "null"]},
        "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]},
        "id": {"type": "integer"},
        "name": {"type": "string"},
    },
    "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    "required": ["target"],
}

CONDITIONS: Json = {
    "type": "object",
    "properties": {
        "method": {"enum": ["card", "invoice"]},
        "gift": {"type": "boolean"},
        "coupon": {"type": "string"},
        "zone": {"type": "string"},
    },
    "required": ["method"],
    "if": {"properties": {"method": {"const": "card"}}, "required": ["method"]},
    "then": {"properties": {"card": {"type": "string", "minLength": 12}}, "required": ["card"]},
    "else": {"properties": {"company": {"type": "string"}}, "required": ["company"]},
    "dependentRequired": {"coupon": ["zone"]},
    "dependentSchemas": {"gift": {"properties": {"message": {"type": "string", "maxLength": 140}}}},
}

ODD: Json = {
    "type": "object",
    "properties": {
        "remote": {"$ref": "https://example.invalid/schema.json"},
        "lost": {"$ref": "#/$defs/Nowhere"},
        "<b>bold</b> & co": {"type": "string", "title": "<b>Title</b>", "description": "<img src=x> \u202e turned"},
        "": {"type": "string"},
        "a.b/c~d": {"type": "integer"},
        "日本語のとても長い名前": {"type": "string"},
        "a_very_long_property_name_that_will_not_fit_anywhere_at_all": {"type": "string"},
        "objectName": {"type": "string"},
        "weird": {"type": "string", "required": None, "enum": []},
        "default_wrong": {"type": "integer", "default": "5"},
    },
    "required": None,
}


def wide(count: int) -> Json:
    """A flat schema of many members, in groups by their names."""
    kinds: list[Json] = [
        {"type": "string", "description": "A text of some length that says what it is for."},
        {"type": "integer", "minimum": 0, "maximum": 1000},
        {"type": "boolean"},
        {"enum": ["one", "two", "three", "four", "five"]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}},
    ]
    return {
        "type": "object",
        "properties": {f"{'abcdefghij'[n * 10 // count]}_member_{n}": kinds[n % len(kinds)] for n in range(count)},
        "required": [f"{'abcdefghij'[n * 10 // count]}_member_{n}" for n in range(0, count, 97)],
    }
