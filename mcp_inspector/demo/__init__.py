"""The built-in demo server: a real MCP server of its own process, the first one a person meets.

``python -m mcp_inspector.demo stdio | http | sse`` starts it. It stands on the official SDK and imports nothing of
the rest of the package. Each capability of the protocol has one thing to try:

- `basics`: tools with forms and structured results; `contents`: every kind of content, large and odd values;
  `apps`: a tool with a view
- `live`: progress, cancel, log messages, changing lists, failures; `asking`: elicitation, sampling, roots; `tasks`
- `resources` and `prompts`, with templates and completion

To add a tool: write its function in the module where it belongs and one `Tool` in the tuple at the module's end.
Resources, templates and prompts work the same way. Everything it says is the same on every run.
"""
