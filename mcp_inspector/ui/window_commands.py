"""The commands of the window, in the order in which the sheet of shortcuts shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.ui.commands import Command
from mcp_inspector.ui.views.server_area import NAMES

if TYPE_CHECKING:
    from mcp_inspector.ui.arrangement import Arrangement
    from mcp_inspector.ui.main_window import MainWindow


def commands_of(window: MainWindow) -> list[Command]:
    """All of them."""
    servers, area, desk, places = window.server_actions, window.area, window.desk, window.places

    def page(name: str) -> Command:
        number = NAMES.index(name) + 1
        return Command(
            f"page-{name}", f"Show {name}", "Go to", lambda: area.show_page(name), (f"Ctrl+{number}",), "list"
        )

    run, theme = servers.run, window.choose_theme

    def panels() -> Arrangement:
        return window.arrangement  # which is there when the window is, after its commands

    return [
        Command("add", "Add server…", "Servers", servers.add, ("Ctrl+N",), "plus"),
        Command("connect-all", "Connect all", "Servers", servers.connect_all, ("Ctrl+Shift+A",), "plug"),
        Command("connect", "Connect or disconnect", "Servers", servers.toggle, ("Ctrl+Shift+D",), "unplug"),
        Command("restart", "Restart the server", "Servers", lambda: run("restart"), ("Ctrl+Shift+R",), "rotate-cw"),
        Command("refresh", "Refresh lists", "Servers", lambda: run("refresh"), ("F5",), "refresh-cw"),
        Command("probe", "Probe this server…", "Servers", lambda: run("probe"), ("Ctrl+Shift+B",), "zap"),
        Command("pages", "Lists page by page…", "Servers", lambda: run("pages"), ("Shift+F5",), "list"),
        Command("said", "What the server is told…", "Servers", lambda: run("said"), ("Ctrl+Shift+G",), "settings"),
        Command("changes", "What its lists have changed…", "Servers", lambda: run("changes"), (), "history"),
        Command("before", "Compare its lists with before…", "Servers", window.changes.show, (), "list-tree"),
        Command("sign-in", "Sign in", "Servers", lambda: run("sign-in"), ("Ctrl+Shift+K",), "log-in"),
        Command("doctor", "Connection doctor…", "Servers", lambda: run("doctor"), ("Ctrl+Shift+J",), "activity"),
        Command("edit", "Edit server…", "Servers", lambda: run("edit"), ("Ctrl+E",), "pencil"),
        Command("open-file", "Open servers file…", "Servers", places.open_servers_file, ("Ctrl+O",), "folder-open"),
        Command("others", "Import from other applications…", "Servers", servers.others, ("Ctrl+Shift+Y",), "download"),
        Command("next", "Next server", "Servers", lambda: window.step_server(1), ("Alt+Down",), "chevron-down"),
        Command("previous", "Previous server", "Servers", lambda: window.step_server(-1), ("Alt+Up",), "chevron-up"),
        Command("call", "Call, read or get", "Calls", window.call, ("Ctrl+Return", "Ctrl+Enter"), "play"),
        Command("request", "The request and its _meta", "Calls", area.show_request, ("Ctrl+Shift+Q",), "braces"),
        Command("watch", "Watch the resource, or stop", "Calls", area.watch, ("Ctrl+Shift+W",), "eye"),
        Command("anew", "Read anew, past the cache", "Calls", area.read_anew, ("Ctrl+Shift+N",), "refresh-cw"),
        Command("cancel", "Cancel the call", "Calls", area.cancel, ("Ctrl+.",), "square"),
        Command("problem", "Next problem of the arguments", "Calls", area.next_problem, ("F8",), "triangle-alert"),
        Command("record", "Show the exchange in Traffic", "Calls", area.show_record, ("Ctrl+T",), "arrow-left-right"),
        Command("palette", "Search everything", "Go to", window.open_palette, ("Ctrl+K",), "search"),
        Command("search", "Filter the list, find in a text", "Go to", window.search, ("Ctrl+F",), "list-filter"),
        *(page(name) for name in NAMES),
        Command("servers", "Go to the servers", "Go to", window.focus_servers, ("Ctrl+Shift+S",), "server"),
        Command("traffic", "Filter the traffic", "Go to", window.focus_traffic, ("Ctrl+Shift+T",), "list-filter"),
        Command("timeline", "Timeline", "Go to", window.timeline.show, ("Ctrl+Shift+I",), "activity"),
        Command("inbox", "Answer what servers ask", "Go to", window.show_inbox, ("Ctrl+I",), "inbox"),
        Command("sessions", "Recorded sessions", "Go to", places.show_sessions, ("Ctrl+Shift+H",), "history"),
        Command("open-session", "Open session file…", "Sessions", places.ask_session, ("Ctrl+Shift+O",), "folder-open"),
        Command("live", "Back to the live session", "Sessions", places.back_to_live, (), "circle-dot"),
        Command("export", "Export traffic…", "Sessions", places.export, ("Ctrl+Shift+E",), "download"),
        Command("log", "Filter the log", "Go to", window.panels.show_log, ("Ctrl+Shift+L",), "scroll-text"),
        Command("findings", "Findings", "Go to", window.findings.show, ("Ctrl+Shift+F",), "triangle-alert"),
        Command("rules", "Rules of the checks…", "Window", window.findings.show_rules, (), "list-filter"),
        Command("subscriptions", "Subscriptions", "Go to", window.panels.show_subscriptions, ("Ctrl+Shift+U",), "eye"),
        Command(
            "composer", "Send any request", "Calls", window.panels.show_composer, ("Ctrl+Shift+M",), "send-horizontal"
        ),
        Command("policy", "What may be called…", "Calls", window.show_policy, (), "ban"),
        Command("quick", "Find a quick action", "Go to", window.find_quick, ("Ctrl+Shift+P",), "zap"),
        Command("collections", "Collections", "Go to", window.panels.show_collections, ("Ctrl+Shift+V",), "bookmark"),
        Command(
            "left", "Show or hide the left panels", "Window", lambda: panels().toggle_left(), ("Ctrl+B",), "columns-2"
        ),
        Command(
            "bottom",
            "Show or hide the bottom panels",
            "Window",
            lambda: panels().toggle_bottom(),
            ("Ctrl+J",),
            "columns-2",
        ),
        Command("reset", "Reset the layout", "Window", lambda: panels().reset(), (), "undo-2"),
        Command("theme-light", "Theme: light", "Window", lambda: theme("light"), (), "sun"),
        Command("theme-dark", "Theme: dark", "Window", lambda: theme("dark"), (), "moon"),
        Command("theme-system", "Theme: as the system", "Window", lambda: theme("system"), (), "monitor"),
        Command("rows", "Lists with one or two lines", "Window", window.toggle_rows, (), "list"),
        Command(
            "routed-names",
            "Tools by the names that a model gets",
            "Window",
            lambda: window.toggle_rows("routed_names"),
            (),
            "bot",
        ),
        Command("notices", "Dismiss all notices", "Window", desk.notices.clear, ("Ctrl+Shift+X",), "x"),
        Command("settings", "Settings…", "Window", places.show_settings, ("Ctrl+,",), "settings"),
        Command("shortcuts", "Shortcuts", "Window", window.show_shortcuts, ("F1", "?"), "circle-help"),
        Command("quit", "Quit", "Window", window.close, ("Ctrl+Q",), "power"),
    ]
