"""Export: which records, in which format, whether secrets are masked, what would be masked, and where it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.store.formats import FORMATS
from mcp_inspector.ui import bridge, exporting, plain, theme
from mcp_inspector.ui.widgets.rows import ValueLabel
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.formats import Format
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.exporting import Preview
    from mcp_inspector.ui.models.traffic import TrafficModel

_NAMES = 12


class ExportDialog(QDialog):
    """Not modal. `choices` are words and the numbers of the records; `chosen` is the one to begin with."""

    written = Signal(str)
    """The path of the file."""

    def __init__(
        self,
        desk: Desk,
        exchanges: Exchanges,
        choices: Sequence[tuple[str, Sequence[int]]],
        chosen: int,
        name: str,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export")
        self.setModal(False)
        self.setWindowTitle("Export traffic")
        self._desk, self._exchanges, self._name = desk, exchanges, name
        self._log = exchanges.log
        self._choices = list(choices)
        self._job: Job | None = None
        self._preview: Preview | None = None
        self.radios = [QRadioButton(words) for words, _ in self._choices]
        self.formats = QComboBox()
        self.formats.setAccessibleName("Format")
        for each in FORMATS.values():
            self.formats.addItem(each.title, each.word)
        known = [*FORMATS]
        kept = desk.memory.get("export_format", "jsonl")
        self.formats.setCurrentIndex(known.index(kept) if kept in known else 0)
        self.about = QLabel()
        self.about.setWordWrap(True)
        theme.mark(self.about, role="small")
        self.collector = QLineEdit(desk.memory.get("collector", ""))
        self.collector.setPlaceholderText("http://localhost:4318")
        self.collector.setAccessibleName("URL of an OpenTelemetry collector")
        self.send_button = QPushButton("Send to the collector")
        self.send_button.setAutoDefault(False)
        self.mask_box = QCheckBox("Mask secrets: headers, tokens and keys become •••")
        self.mask_box.setChecked(True)
        self.sentence = ValueLabel("")
        self.warning = QLabel("Secrets will stand in the file as they crossed the wire. Give it to nobody.")
        self.warning.setWordWrap(True)
        theme.mark(self.warning, role="warn")
        self.places = TextView(numbers=False)
        self.places.setAccessibleName("What is masked")
        room_kept = self.places.sizePolicy()
        room_kept.setRetainSizeWhenHidden(True)
        self.places.setSizePolicy(room_kept)
        self.progress = QLabel()
        theme.mark(self.progress, role="small")
        self.save_button = QPushButton("Save…")
        self.save_button.setDefault(True)
        theme.mark(self.save_button, kind="primary")
        self._build()
        for at, radio in enumerate(self.radios):
            radio.setEnabled(bool(self._choices[at][1]))
            radio.setChecked(at == chosen)
            radio.toggled.connect(lambda on: self.look() if on else None)
        self.radios[chosen].setFocus()
        self.mask_box.toggled.connect(lambda _: self._show())
        self.formats.currentIndexChanged.connect(lambda _: self._format_chosen())
        self.save_button.clicked.connect(self._ask)
        self.send_button.clicked.connect(self.send)
        self.collector.textChanged.connect(lambda _: self._enable())
        room = parent.size()
        self.resize(min(600, max(420, room.width() - 40)), min(520, max(340, room.height() - 40)))
        self._format_chosen()

    @property
    def format(self) -> Format:
        """The format that is chosen."""
        return FORMATS[str(self.formats.currentData())]

    def _format_chosen(self) -> None:
        chosen = self.format
        self.about.setText(chosen.about)
        for widget in (self.collector, self.send_button):
            widget.setVisible(chosen.word == "otlp")
        self.look()

    def _enable(self) -> None:
        running = self._job is not None and self._preview is not None and self._job.running
        some = bool(self.seqs())
        self.save_button.setEnabled(some and not running)
        self.send_button.setEnabled(some and not running and bool(self.collector.text().strip()))

    def _build(self) -> None:
        body = QWidget()
        theme.mark(body, surface="window")
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 14, 16, 10)
        column.setSpacing(8)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(4)
        for at, radio in enumerate(self.radios):
            grid.addWidget(radio, at, 0)
        column.addLayout(grid)
        form = QHBoxLayout()
        form.setSpacing(10)
        form.addWidget(QLabel("Format"))
        form.addWidget(self.formats)
        form.addWidget(self.about, 1)
        column.addLayout(form)
        sending = QHBoxLayout()
        sending.setSpacing(8)
        sending.addWidget(self.collector, 1)
        sending.addWidget(self.send_button)
        column.addLayout(sending)
        column.addWidget(self.mask_box)
        column.addWidget(self.warning)
        self._sentence_at = column.count()
        column.addWidget(self.sentence)
        column.addWidget(self.places, 1)
        self._column = column
        foot = QWidget()
        theme.mark(foot, surface="band")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 10, 16, 10)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        row.addWidget(self.progress, 1)
        row.addWidget(close)
        row.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(body, 1)
        layout.addWidget(foot)

    def seqs(self) -> Sequence[int]:
        """The records that are chosen."""
        return next(
            (seqs for radio, (_, seqs) in zip(self.radios, self._choices, strict=True) if radio.isChecked()), ()
        )

    # --- the preview ---

    def look(self) -> None:
        """Work out what the export would hold."""
        self._stop()
        self._preview = None
        self._enable()
        self._show()
        self._job = bridge.spawn(
            exporting.preview(self._exchanges, self.seqs(), self._step, self.format.word),
            what="looking through the traffic",
            on_done=self._looked,
        )

    def _looked(self, found: Preview) -> None:
        self._preview = found
        self.progress.setText("")
        self._show()

    def _show(self) -> None:
        masks = self.mask_box.isChecked()
        self.warning.setVisible(not masks)
        found = self._preview
        if found is None:
            self._say("Looking for secrets…")
            self.places.set_text("")
            return
        words = f"{plain.count(found.records, self._unit())}, about {plain.size(found.size)}."
        if not found.masked:
            words += " No secret was found by its name or its look; read it through before you hand it on."
        else:
            named = sorted(found.names.items(), key=lambda item: -item[1])
            names = ", ".join(f"{plain.line(name, 60)} ({count:,})" for name, count in named[:_NAMES])
            more = f" and {len(named) - _NAMES} more names" if len(named) > _NAMES else ""
            verb = "is masked" if masks else "could be masked"
            verb = verb if found.masked == 1 else verb.replace("is ", "are ")
            words += f" {plain.count(found.masked, 'secret')} {verb}: {names}{more}."
        self._say(words)
        columns = self._log.columns
        lines = []
        for seq, names_at in found.places:
            index = seq - 1
            parts = (
                f"#{seq}",
                columns.servers.texts[columns.server[index]],
                columns.methods.texts[columns.method[index]] or columns.kinds.texts[columns.kind[index]],
                ", ".join(dict.fromkeys(names_at)),
            )
            lines.append("   ".join(plain.line(part, 80) for part in parts if part))
        self.places.set_text("\n".join(lines))
        self.places.setVisible(bool(lines))

    def _unit(self) -> str:
        return {"jsonl": "record", "otlp": "span"}.get(self.format.word, "row")

    def _say(self, words: str) -> None:
        if words != self.sentence.text():
            self._column.removeWidget(self.sentence)
            self.sentence.hide()
            self.sentence.deleteLater()
            self.sentence = ValueLabel(words)
            self._column.insertWidget(self._sentence_at, self.sentence)

    # --- writing ---

    def _ask(self) -> None:
        dialog = QFileDialog(self, "Export traffic")
        dialog.setObjectName("export-file")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chosen = self.format
        dialog.setNameFilters([f"{chosen.title} (*{chosen.suffix})", "All files (*)"])
        dialog.setDefaultSuffix(chosen.suffix.lstrip("."))
        folder = self._desk.memory.get("export_folder", "")
        if folder and Path(folder).is_dir():
            dialog.setDirectory(folder)
        dialog.selectFile(f"{self._name}{chosen.suffix}")
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write(self, path: str) -> None:
        """Write the file; what goes wrong is said here, and nothing is lost."""
        self._stop()
        self._desk.memory.put("export_folder", str(Path(path).parent))
        self._desk.memory.put("export_format", self.format.word)

        def done(size: int) -> None:
            self._desk.notices.say(f"{plain.line(path)} was written, {plain.size(size)}.", key="exported")
            self.written.emit(path)
            self.close()

        def failed(error: Exception) -> None:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self.progress.setText(f"It could not be written: {plain.line(reason)}.")

        self._job = bridge.spawn(
            exporting.write(
                self._exchanges,
                self.seqs(),
                Path(path),
                self._step,
                self.format.word,
                redact=self.mask_box.isChecked(),
            ),
            what="writing the export",
            on_done=done,
            on_error=failed,
            finally_=self._enable,
        )
        self._enable()

    def send(self) -> None:
        """Send the spans to the collector that is named; what goes wrong is said here."""
        url = self.collector.text().strip()
        self._stop()
        self._desk.memory.put("collector", url)
        self._desk.memory.put("export_format", self.format.word)

        def done(count: int) -> None:
            self._desk.notices.say(f"{plain.count(count, 'span')} were sent to {plain.line(url)}.", key="exported")
            self.close()

        self._job = bridge.spawn(
            exporting.send(self._exchanges, self.seqs(), url, self._step, redact=self.mask_box.isChecked()),
            what="sending the spans",
            on_done=done,
            on_error=lambda error: self.progress.setText(plain.line(str(error))),
            finally_=self._enable,
        )
        self._enable()

    def _step(self, part: float) -> None:
        self.progress.setText(f"{part:.0%}")

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = None
        self.progress.setText("")

    def hideEvent(self, event: QHideEvent) -> None:
        """Closed: it is not needed any more."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._stop()
            self.deleteLater()


def choices_of(model: TrafficModel, selected: Sequence[int]) -> list[tuple[str, list[int]]]:
    """What of a session can be exported: the selected rows when there are several, the shown ones, everything."""
    model.catch_up()
    rows = model.exchanges.row_of
    found: list[tuple[str, list[int]]] = []
    if selected:
        chosen = set(selected)
        words = f"The {len(chosen):,} selected rows" if len(chosen) > 1 else "The selected row"
        found.append((words, [seq for seq, row in enumerate(rows, 1) if row in chosen]))
    total = len(model.exchanges)
    if len(model) < total:
        shown = {model.row(place) for place in range(len(model))}
        words = f"What the filter lets through, {plain.count(len(shown), 'row')}"
        found.append((words, [seq for seq, row in enumerate(rows, 1) if row in shown]))
    found.append((f"Everything, {plain.count(total, 'row')}", list(range(1, len(rows) + 1))))
    return found
