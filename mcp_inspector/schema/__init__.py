"""JSON Schema to fields, fields to JSON text, without Qt and without I/O.

`fields.Form` is the field tree of a schema, `document.Document` the JSON text under edit, `values` how a form writes
into it, `validate.Checker` what is wrong with it, `samples` and `boundaries` values made from the schema,
`templates` URIs from templates, `derived` the forms of prompts and templates, `imports` lists from pasted text.
"""
