"""The context menu of the traffic table, and the filter terms of its cells."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu

from mcp_inspector.store import jsonpath
from mcp_inspector.store.completion import exactly, quoted
from mcp_inspector.store.exchanges import Exchange, RowKind
from mcp_inspector.store.marks import COLOURS
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui import icons, plain
from mcp_inspector.ui.views.traffic_columns import Column
from mcp_inspector.ui.views.traffic_paint import MARK_COLOURS

SAVED = frozenset({"tools/call", "prompts/get", "resources/read"})
"""The requests that can be saved as actions."""

if TYPE_CHECKING:
    from mcp_inspector.ui.views.traffic import TrafficView
    from mcp_inspector.ui.views.traffic_deeds import Deeds


def open_menu(view: TrafficView, row: int, column: int, place: QPoint) -> QMenu:
    """Show what can be done with a cell and with its row, or with all that are selected."""
    exchange = view.model.exchanges[row]
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _add_filters(view, menu, exchange, column)
    deeds = view.deeds
    if is_call(exchange):
        icon = icons.icon("corner-down-right")
        menu.addAction(icon, "Go to the call\tReturn", lambda: view.call_activated.emit(exchange.first))
    if exchange.kind is RowKind.REQUEST:
        menu.addAction(icons.icon("list-tree"), "Follow the operation\tF", lambda: deeds.do("follow"))
    if exchange.channel is Channel.MESSAGE and exchange.direction is Direction.SENT:
        menu.addAction(icons.icon("rotate-cw"), "Resend\tR", lambda: deeds.do("resend"))
        others = menu.addMenu("Resend to")
        for name in view.server_names():
            shown = plain.escape_mnemonic(plain.line(name, 60))
            others.addAction(shown).triggered.connect(partial(_resend, deeds, name))
        others.setEnabled(not others.isEmpty())
        menu.addAction(icons.icon("pencil"), "Edit and resend…\tE", lambda: deeds.do("edit"))
        menu.addAction(icons.icon("copy-plus"), "Duplicate into the form\tD", lambda: deeds.do("duplicate"))
    if len(view.table.selected_seqs) == 2:
        menu.addAction(icons.icon("columns-2"), "Compare these two\tC", lambda: deeds.do("compare"))
    else:
        menu.addAction(icons.icon("columns-2"), "Compare with the one chosen next\tC", lambda: deeds.do("compare"))
    if exchange.method in SAVED and is_call(exchange) and view.make_lasting is not None:
        view.make_lasting(menu, exchange.first, exchange.reply)
    menu.addSeparator()
    _add_marks(view, menu)
    menu.addAction(icons.icon("clock"), "Count time from here\tT", lambda: deeds.do("reference"))
    menu.addSeparator()
    menu.addAction(icons.icon("copy"), "Copy as JSON, secrets masked\tCtrl+C", lambda: view.copy("json"))
    menu.addAction("Copy as Markdown, secrets masked\tCtrl+Shift+C", lambda: view.copy("markdown"))
    revealed = menu.addMenu("Copy with secrets")
    revealed.addAction("As JSON", lambda: view.copy("json", secrets=True))
    revealed.addAction("As Markdown", lambda: view.copy("markdown", secrets=True))
    cell = _cell_value(exchange, column)
    if cell:
        menu.addAction("Copy cell", lambda: QGuiApplication.clipboard().setText(cell))
    menu.popup(place)
    return menu


def add_value_actions(view: TrafficView, menu: QMenu, pointer: str, raw: bytes) -> None:
    """In the menu of a JSON tree: filter by the value under the pointer, leave it out, make it a column."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    if not steps:
        return
    path = jsonpath.spelled([int(step) if step.isdigit() else step for step in steps])
    shown = plain.escape_mnemonic(plain.line(path, 60))
    menu.addSeparator()
    if raw and raw[:1] not in b"{[":
        term = f"{path}:={quoted(jsonpath.words(raw))}"
        menu.addAction(icons.icon("list-filter"), "Show only this value", lambda: view.filter.add_term(term))
        menu.addAction("Hide this value", lambda: view.filter.add_term(f"-{term}"))
    menu.addAction(f"Show only rows with {shown}", lambda: view.filter.add_term(f"{path}:*"))
    menu.addAction("Make it a column", lambda: view.deeds.add_path(path))


def is_call(exchange: Exchange) -> bool:
    """Whether it is a request of ours."""
    return exchange.kind is RowKind.REQUEST and exchange.direction is Direction.SENT


def _add_filters(view: TrafficView, menu: QMenu, exchange: Exchange, column: int) -> None:
    term = _cell_term(exchange, column)
    if column >= len(Column) and column - len(Column) < len(view.table.header.paths):
        text = view.table.text(view.table.current).more
        value = text[column - len(Column)] if column - len(Column) < len(text) else ""
        path = view.table.header.paths[column - len(Column)]
        term = f"{path}:={quoted(value)}" if value else ""
    if not term:
        return
    shown = plain.escape_mnemonic(plain.line(term, 60))
    menu.addAction(icons.icon("list-filter"), f"Show only {shown}", lambda: view.filter.put_term(term))
    menu.addAction(f"Hide {shown}", lambda: view.filter.add_term(f"-{term}"))
    menu.addSeparator()


def _add_marks(view: TrafficView, menu: QMenu) -> None:
    deeds = view.deeds
    colours = menu.addMenu(icons.icon("bookmark"), "Mark")
    for number, name in enumerate(COLOURS, 1):
        deed = f"colour {number}"
        colours.addAction(dot(number), f"{name}\t{number}").triggered.connect(partial(_do, deeds, deed))
    colours.addAction("no colour\t0", lambda: deeds.do("colour 0"))
    menu.addAction("Comment…\tM", lambda: deeds.do("comment"))
    pinned = all(view.model.log.marks[seq].pinned for seq in view.table.selected_seqs)
    menu.addAction("Unpin\tB" if pinned else "Pin: it survives Clear\tB", lambda: deeds.do("pin"))
    menu.addAction("Clear what the filter hides", view.clear_hidden).setEnabled(bool(view.model.hidden))
    menu.addAction("Undo\tCtrl+Z", lambda: deeds.do("undo")).setEnabled(deeds.can_undo)


def _resend(deeds: Deeds, server: str, _checked: bool = False) -> None:
    deeds.resend(server)


def _do(deeds: Deeds, deed: str, _checked: bool = False) -> None:
    deeds.do(deed)


def dot(number: int) -> QIcon:
    """A patch of one of the six colours."""
    pixmap = QPixmap(12, 12)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(MARK_COLOURS[number - 1]))
    painter.drawEllipse(1, 1, 10, 10)
    painter.end()
    return QIcon(pixmap)


def _cell_value(exchange: Exchange, column: int) -> str:
    values = {
        Column.SERVER: exchange.server,
        Column.METHOD: exchange.method,
        Column.TARGET: exchange.target,
        Column.STATUS: exchange.state.word if exchange.status is None else str(exchange.status),
        Column.NOTE: exchange.note,
        Column.SEQ: str(exchange.first),
    }
    return values.get(Column(column), "") if column < len(Column) else ""


def _cell_term(exchange: Exchange, column: int) -> str:
    """The filter term for rows like this one in a column."""
    if column == Column.KIND:
        return exactly("kind", exchange.kind.name.lower())
    if column == Column.STATUS and exchange.status is not None and exchange.channel != 1:
        return f"status:{exchange.status}"
    if column == Column.STATUS:
        return exactly("status", exchange.state.word)
    if column == Column.METHOD and not exchange.method:
        return exactly("kind", exchange.kind.name.lower())
    if column == Column.LATENCY and exchange.elapsed_ns is not None:
        return f"dur:>={exchange.elapsed_ns // 1_000_000}"
    if column == Column.SIZE and exchange.size:
        return f"size:>={exchange.size}"
    fields = {Column.SERVER: "server", Column.METHOD: "method", Column.TARGET: "target"}
    value = _cell_value(exchange, column)
    return exactly(fields[Column(column)], value) if column in fields and value else ""
