"""A shelf of old books for the demo to search: facts that do not change."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Book:
    """One book. `lang` is an ISO 639-1 code, `year` the year it came out."""

    id: str
    title: str
    author: str
    year: int
    lang: str
    pages: int
    tags: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """The book as a JSON object."""
        return {**asdict(self), "tags": list(self.tags)}


def _book(line: str) -> Book:
    name, title, author, year, lang, pages, tags = (part.strip() for part in line.split("|"))
    return Book(name, title, author, int(year), lang, int(pages), tuple(tags.split()))


BOOKS = tuple(
    map(
        _book,
        """
        don-quixote | Don Quijote de la Mancha | Miguel de Cervantes | 1605 | es | 863 | novel satire
        gulliver | Gulliver's Travels | Jonathan Swift | 1726 | en | 306 | novel satire sea
        werther | Die Leiden des jungen Werthers | Johann Wolfgang Goethe | 1774 | de | 134 | novel letters
        pride | Pride and Prejudice | Jane Austen | 1813 | en | 432 | novel society
        frankenstein | Frankenstein | Mary Shelley | 1818 | en | 280 | novel science
        notre-dame | Notre-Dame de Paris | Victor Hugo | 1831 | fr | 940 | novel history
        dead-souls | Мёртвые души | Николай Гоголь | 1842 | ru | 352 | novel satire
        moby-dick | Moby-Dick; or, The Whale | Herman Melville | 1851 | en | 635 | novel sea
        bovary | Madame Bovary | Gustave Flaubert | 1857 | fr | 374 | novel society
        origin | On the Origin of Species | Charles Darwin | 1859 | en | 502 | science
        leagues | Vingt mille lieues sous les mers | Jules Verne | 1870 | fr | 426 | novel science sea
        middlemarch | Middlemarch | George Eliot | 1871 | en | 880 | novel society
        hunger | Sult | Knut Hamsun | 1890 | no | 232 | novel
        time-machine | The Time Machine | H. G. Wells | 1895 | en | 118 | novel science
        cat | 吾輩は猫である | 夏目漱石 | 1905 | ja | 512 | novel satire
        swann | Du côté de chez Swann | Marcel Proust | 1913 | fr | 468 | novel society
        process | Der Process | Franz Kafka | 1925 | de | 280 | novel
        days | الأيام | طه حسين | 1929 | ar | 160 | memoir
        """.strip().splitlines(),
    )
)
BY_ID = {book.id: book for book in BOOKS}
LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "no": "Norwegian",
    "ru": "Russian",
}
TAGS = sorted({tag for book in BOOKS for tag in book.tags})


def search(
    query: str = "", lang: str = "", tags: tuple[str, ...] = (), years: tuple[int, int] = (0, 9999)
) -> list[Book]:
    """The books that hold every word of the query in title or author, in order of their year."""
    words = query.casefold().split()
    return [
        book
        for book in BOOKS
        if all(word in f"{book.title} {book.author}".casefold() for word in words)
        and lang in ("", book.lang)
        and set(tags) <= set(book.tags)
        and years[0] <= book.year <= years[1]
    ]
