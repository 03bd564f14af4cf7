"""What the window looks like: nineteen named colours, light and dark, over Fusion; one style sheet; three text sizes.

The palette is set by ourselves and completely, because `QStyleHints.setColorScheme()` does nothing off-screen and on a
bare X server, and a palette that is only partly set mixes two designs. Whatever paints by itself asks `colour(name)`
while it paints and so follows a change of scheme without being told.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from mcp_inspector import resources

if TYPE_CHECKING:
    from collections.abc import Mapping

Scheme = Literal["light", "dark"]
Choice = Literal["system", "light", "dark"]
Size = Literal["title", "normal", "small"]

LIGHT: Final[Mapping[str, str]] = {
    # surfaces
    "window": "#f2f3f5",  # around the content: tool bars, headers, forms
    "base": "#ffffff",  # content: lists, tables, text
    "alternate": "#f7f8fa",  # every second row
    "raised": "#fafbfc",  # buttons
    "hover": "#e8ebf0",
    "selection": "#d6e4fd",
    "match": "#ffe69c",  # what a search has found
    "line": "#dcdfe4",  # between surfaces
    "edge": "#b4bac4",  # around what can be clicked or typed into
    # text
    "text": "#1a1d21",
    "muted": "#555d69",
    "accent": "#1d57c9",
    "on_accent": "#ffffff",
    "ok": "#11632b",
    "warn": "#7d4e00",
    "error": "#b3201f",
    # JSON
    "key": "#75279e",
    "string": "#11632b",
    "number": "#0a5a80",
}
DARK: Final[Mapping[str, str]] = {
    "window": "#222428",
    "base": "#191a1d",
    "alternate": "#1e2023",
    "raised": "#2b2e33",
    "hover": "#2e3238",
    "selection": "#233b63",
    "match": "#4d3c08",
    "line": "#34373d",
    "edge": "#4b5059",
    "text": "#e4e6ea",
    "muted": "#a7aeb8",
    "accent": "#7db0ff",
    "on_accent": "#0c1626",
    "ok": "#71cc8b",
    "warn": "#e6b455",
    "error": "#ff938a",
    "key": "#d3a6f2",
    "string": "#8ad49c",
    "number": "#7ccbe6",
}
SURFACES: Final = ("window", "base", "alternate", "raised", "hover", "selection", "match")
INKS: Final = ("text", "muted", "accent", "ok", "warn", "error", "key", "string", "number")
"""Every ink can be read (4.5:1 or better) on every surface, in both schemes; a test computes it."""

_SCALE: Final[Mapping[Size, float]] = {"title": 1.3, "normal": 1.0, "small": 0.9}


class _State:
    """What `colour` and `font` answer from; light until a `Theme` is installed, so that a widget works alone."""

    scheme: Scheme = "light"
    colours: Mapping[str, QColor] = {name: QColor(value) for name, value in LIGHT.items()}
    generation: int = 0
    theme: Theme | None = None


def colour(name: str) -> QColor:
    """A named colour of the scheme that is shown now. Ask while painting; do not keep it."""
    return _State.colours[name]


def scheme() -> Scheme:
    """Which scheme is shown now."""
    return _State.scheme


def generation() -> int:
    """A number that grows with every change of the look: a key for caches of painted things."""
    return _State.generation


def mixed(ink: str, surface: str, part: float) -> QColor:
    """A colour between two named ones, `part` (0 to 1) of the first: for tints behind text."""
    one, other = colour(ink), colour(surface)
    return QColor.fromRgbF(
        one.redF() * part + other.redF() * (1 - part),
        one.greenF() * part + other.greenF() * (1 - part),
        one.blueF() * part + other.blueF() * (1 - part),
    )


def font(size: Size = "normal", *, bold: bool = False) -> QFont:
    """The platform's font in one of three sizes."""
    result = QFont(QApplication.font())
    result.setPointSizeF(result.pointSizeF() * _SCALE[size])
    if bold:
        result.setWeight(QFont.Weight.DemiBold)
    return result


def mono(size: Size = "normal") -> QFont:
    """The monospace font for everything that came over a wire."""
    result = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    result.setStyleHint(QFont.StyleHint.Monospace)
    result.setFixedPitch(True)
    result.setPointSizeF(QApplication.font().pointSizeF() * _SCALE[size])
    return result


class Theme(QObject):
    """Puts the look on an application and keeps it in step with the system.

    One is made by `install`; `changed` tells after the look has changed, for the few who cannot simply repaint.
    """

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        # Read before our own palette hides it: a platform that does not tell its scheme still has a palette.
        self._native_dark = _is_dark(app.palette())
        self._system: Scheme | None = None
        self.choice: Choice = choice
        QDir.setSearchPaths("styles", [str(resources.path("styles"))])
        app.setStyle("Fusion")
        hints = QGuiApplication.styleHints()
        self._system = self._from_hint(hints.colorScheme())
        hints.colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def scheme(self) -> Scheme:
        """What is shown, or will be: the choice, else the system's."""
        if self.choice != "system":
            return self.choice
        return self._system or ("dark" if self._native_dark else "light")

    def choose(self, choice: Choice) -> None:
        """Follow the system, or always light or dark. Takes effect at once on everything that is open."""
        self.choice = choice
        # Where the platform can, this turns title bars and file dialogs too; where it cannot, it does nothing.
        wanted = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }[choice]
        QGuiApplication.styleHints().setColorScheme(wanted)
        self._apply()

    def _system_changed(self, told: Qt.ColorScheme) -> None:
        if self.choice == "system":
            self._system = self._from_hint(told)
            self._apply()

    @staticmethod
    def _from_hint(told: Qt.ColorScheme) -> Scheme | None:
        return {Qt.ColorScheme.Dark: "dark", Qt.ColorScheme.Light: "light"}.get(told)  # type: ignore[return-value]  # mypy widens the literals

    def _apply(self) -> None:
        names = DARK if self.scheme == "dark" else LIGHT
        _State.scheme = self.scheme
        _State.colours = {name: QColor(value) for name, value in names.items()}
        _State.generation += 1
        self._app.setPalette(palette())
        self._app.setStyleSheet(style_sheet())
        self.changed.emit()


def install(app: QApplication, choice: Choice = "system") -> Theme:
    """Give the application its look; a second call changes the choice of the first."""
    if _State.theme is None or _State.theme.parent() is not app:
        _State.theme = Theme(app, choice)
    else:
        _State.theme.choose(choice)
    return _State.theme


def mark(widget: QWidget, **properties: str | bool) -> None:
    """Set properties that the style sheet knows (role, kind, invalid, surface); restyle the widget if one changed."""
    changed = [name for name, value in properties.items() if widget.property(name) != value]
    for name in changed:
        widget.setProperty(name, properties[name])
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def palette() -> QPalette:
    """The whole palette of the scheme that is shown: every role in every group, so that nothing is left to chance."""
    role = QPalette.ColorRole
    roles = {
        role.Window: "window",
        role.WindowText: "text",
        role.Base: "base",
        role.AlternateBase: "alternate",
        role.ToolTipBase: "raised",
        role.ToolTipText: "text",
        role.PlaceholderText: "muted",
        role.Text: "text",
        role.Button: "raised",
        role.ButtonText: "text",
        role.BrightText: "on_accent",
        role.Light: "raised",
        role.Midlight: "hover",
        role.Mid: "line",
        role.Dark: "edge",
        role.Highlight: "selection",
        role.HighlightedText: "text",
        role.Link: "accent",
        role.LinkVisited: "key",
        role.Accent: "accent",
    }
    result = QPalette()
    for key, name in roles.items():
        result.setColor(key, colour(name))
    result.setColor(role.Shadow, mixed("text", "window", 0.25))
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.Link):
        result.setColor(QPalette.ColorGroup.Disabled, key, mixed("muted", "window", 0.65))
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colour("hover"))
    result.setColor(QPalette.ColorGroup.Disabled, role.Accent, colour("edge"))
    return result


def style_sheet() -> str:
    """`resources/styles/app.qss` with `$name` replaced by colours, `$size_title`, `$size_small`, `$mono` by fonts."""
    values = {name: value.name() for name, value in _State.colours.items()}
    base = QApplication.font().pointSizeF()
    values |= {f"size_{size}": f"{base * factor:.1f}pt" for size, factor in _SCALE.items()}
    values |= {
        "scheme": _State.scheme,
        "mono": f'"{mono().family()}"',
        "disabled": mixed("muted", "window", 0.65).name(),
        "accent_hover": mixed("text", "accent", 0.14).name(),
        "scroll": mixed("muted", "window", 0.42).name(),
        "scroll_hover": mixed("muted", "window", 0.7).name(),
    }
    return Template(resources.path("styles/app.qss").read_text(encoding="utf-8")).substitute(values)


def _is_dark(look: QPalette) -> bool:
    text, window = look.color(QPalette.ColorRole.WindowText), look.color(QPalette.ColorRole.Window)
    return text.lightness() > window.lightness()
