"""The words of a text for searching: identifiers taken apart, English plurals cut, Chinese and the like as bigrams.

Scripts without blanks between words are cut into pairs of characters: no dictionary is needed and nothing is missed.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(r"[^\W_]+(?:[_.\-][^\W_]+)*")
_CAMEL = re.compile(r"[0-9]+|[A-Z]+s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_SCRIPTS = re.compile(rf"[{_CJK}]+|[0-9]+|[^\W\d_{_CJK}]+")
_JOIN = re.compile(r"[_.\-]")


def words(text: str) -> list[str]:
    """All words in order, in lower case, repeated as often as they occur.

    ``pullRequests`` gives pull, request and pullrequests; 创建文件 gives 创建, 建文, 文件.
    """
    found: list[str] = []
    for run in _RUN.findall(text):
        found += _of_run(run)
    return found


@lru_cache(maxsize=65_536)
def _of_run(run: str) -> tuple[str, ...]:
    """The words of what has no blank in it. Cached: the words of descriptions are few and come again and again."""
    found: list[str] = []
    for piece in (_CAMEL if run.isascii() else _SCRIPTS).findall(run):
        if "\u3040" <= piece[0] <= "\ufaff":
            found += [piece[at : at + 2] for at in range(len(piece) - 1)] or [piece]
        else:
            found.append(stem(piece.casefold()))
    if len(found) > 1 and run.isascii():
        found.append(_JOIN.sub("", run).casefold())
    return tuple(found)


def stem(word: str) -> str:
    """A word without the endings of English plurals and of the commonest verb forms."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("sses") or word.endswith(("xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
