"""MCP Inspector: one Qt-free core with two doors, the window and the command line."""

__version__ = "0.1.0"
