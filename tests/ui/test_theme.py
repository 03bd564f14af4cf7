"""The look: every text readable on every surface, and a change of scheme reaches everything at once."""

import re

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from mcp_inspector import resources
from mcp_inspector.ui import icons, theme


@pytest.fixture
def look(qapp: QApplication):
    installed = theme.install(qapp, "light")
    yield installed
    installed.choose("light")


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("names", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("surface", theme.SURFACES)
@pytest.mark.parametrize("ink", theme.INKS)
def test_every_ink_is_readable_on_every_surface(names, surface, ink):
    assert contrast(QColor(names[ink]), QColor(names[surface])) >= 4.5


@pytest.mark.parametrize("names", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_text_on_the_accent_is_readable_and_the_accent_shows_as_a_focus_ring(names):
    assert contrast(QColor(names["on_accent"]), QColor(names["accent"])) >= 4.5
    for surface in ("window", "base", "raised"):
        assert contrast(QColor(names["accent"]), QColor(names[surface])) >= 3


@pytest.mark.parametrize("names", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_a_selected_row_differs_from_a_plain_one(names):
    for plain in ("base", "alternate"):
        assert contrast(QColor(names["selection"]), QColor(names[plain])) >= 1.2


def test_both_schemes_name_the_same_colours():
    assert set(theme.LIGHT) == set(theme.DARK)
    assert {*theme.SURFACES, *theme.INKS, "line", "edge", "on_accent"} == set(theme.LIGHT)


def test_the_palette_leaves_no_role_to_chance(look):
    for choice, names in (("light", theme.LIGHT), ("dark", theme.DARK)):
        look.choose(choice)
        ours = {QColor(value).rgb() for value in names.values()}
        palette = theme.palette()
        for role in QPalette.ColorRole:
            if role in (QPalette.ColorRole.NColorRoles, QPalette.ColorRole.NoRole, QPalette.ColorRole.Shadow):
                continue
            assert palette.color(QPalette.ColorGroup.Active, role).rgb() in ours, (choice, role)


def test_a_change_of_scheme_reaches_open_widgets_at_once(look, qtbot):
    label = QLabel("x")
    qtbot.addWidget(label)
    label.show()
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(theme.LIGHT["text"])
    with qtbot.waitSignal(look.changed):
        look.choose("dark")
    QApplication.sendPostedEvents(None, QEvent.Type.None_)
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(theme.DARK["text"])
    assert theme.colour("text") == QColor(theme.DARK["text"])
    assert theme.scheme() == "dark"


def test_system_is_followed_and_an_override_is_not(look):
    hints = QGuiApplication.styleHints()
    look.choose("system")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.scheme() == "dark"
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.scheme() == "light"
    look.choose("light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.scheme() == "light"


def test_the_style_sheet_names_only_known_colours_and_existing_pictures(look):
    for choice in ("light", "dark"):
        look.choose(choice)
        sheet = theme.style_sheet()
        assert "$" not in sheet
        pictures = re.findall(r"url\(styles:([^)]+)\)", sheet)
        assert pictures
        for name in pictures:
            assert resources.path(f"styles/{name}").is_file(), name


def test_sizes_of_text_differ_enough(look):
    small, normal, title = (theme.font(size).pointSizeF() for size in ("small", "normal", "title"))
    assert small < normal
    assert title / normal >= 1.25


def test_mark_restyles(look, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    theme.mark(widget, invalid=True)
    assert widget.property("invalid") is True


def _inked(name: str, colour: str) -> QColor:
    picture = icons.icon(name, colour).pixmap(64, 64).toImage()
    return max((picture.pixelColor(x, y) for x in range(64) for y in range(64)), key=lambda pixel: pixel.alpha())


def test_an_icon_takes_the_colour_of_the_scheme_it_is_shown_in(look):
    assert _inked("square", "error").rgb() == QColor(theme.LIGHT["error"]).rgb()
    look.choose("dark")
    assert _inked("square", "error").rgb() == QColor(theme.DARK["error"]).rgb()


def test_an_icon_is_sharp_at_any_scale(look, qtbot):
    from PySide6.QtCore import QSize

    for ratio in (1.0, 1.5, 2.0):
        drawn = icons.icon("plug").pixmap(QSize(16, 16), ratio)
        assert drawn.width() == 16 * ratio
        assert drawn.devicePixelRatio() == ratio


def test_every_shipped_icon_draws_something(look):
    for name in icons.names():
        picture = icons.pixmap(name, 24).toImage()
        assert any(picture.pixelColor(x, y).alpha() for x in range(24) for y in range(24)), name
    assert resources.path("icons/LICENSE").read_text(encoding="utf-8").startswith("ISC License")
