"""Labels: where lines come from, such as their domain, and what the picks are a mixture of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..text.corpus import Corpus
from ..text.fields import Field
from ..text.sources import open_corpus
from .picks import BATCH, Picks
from .representative import Corpora

MOST = 20  # labels that are told apart


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Each pick's label, as a place among the names; the last may stand for all rare ones."""

    names: list[str]
    of_pick: NDArray[np.int64]
    available: list[float] | None  # what share of the lines of AVAILABLE has each, if that is known
    all_names: list[str]
    own: NDArray[np.int64]  # by pick: its label among all names

    def increments(self, cuts: NDArray[np.int64], each: NDArray[np.int64] | int = 1) -> NDArray[np.int64]:
        """(labels, cuts): picks since the cut before, or the sum of something that each pick has."""
        made = np.zeros((len(self.names), len(cuts)), np.int64)
        np.add.at(made, (self.of_pick, np.searchsorted(cuts, np.arange(len(self.of_pick)) + 1)), each)
        return made

    def of(self, ranks: NDArray[np.int64]) -> list[str]:
        """The labels of some picks, each its own."""
        return [self.all_names[code] for code in self.own[ranks].tolist()]


def find_labels(picks: Picks, key: str | None, file: str | Path | None, corpora: Corpora) -> Labels | None:
    """From a file with a label for each line of AVAILABLE, or a field of the ranking or of AVAILABLE's records."""
    if key is not None and file is not None:
        raise CynicalError("--label-key and --labels cannot be combined; give one of them")
    if file is not None:
        return _of_lines(picks, _column(file), str(file))
    if key is None:
        return None
    if corpora.available:
        corpus = open_corpus([Path(path) for path in corpora.available], "AVAILABLE", corpora.reading)
        return _of_lines(picks, _fields(corpus, key), corpus.name)
    own = picks.columns(key)
    if own is None:
        raise CynicalError(
            f"--label-key {key}: the ranking {picks.name} does not have this column or field; give -a AVAIL with "
            "records that have it, or --labels FILE with one label per line"
        )
    codes, names = _coded(own)
    return _fewer(names, codes, None, picks.stop)


def _column(file: str | Path) -> list[str]:
    """The lines of a file."""
    corpus = open_corpus(str(file), "--labels")
    text = b"".join(bytes(part.content) for part in corpus.parts).decode("utf-8", "replace")
    lines = text.split("\n")
    return [line.rstrip("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def _fields(corpus: Corpus, key: str) -> list[str]:
    """A field of all records of AVAILABLE."""
    found: list[Any] = []
    for part in corpus.parts:
        records = part.records
        if records is None:
            raise CynicalError(
                f"{part.name}: --label-key {key} names a field of records, but this is plain text; "
                "give --labels FILE with one label per line"
            )
        rows = bytes(part.content).count(b"\n")
        for begin in range(0, rows, BATCH):
            found += records.fields(range(begin, min(begin + BATCH, rows)), Field(key))
    if found and all(value is None for value in found):
        raise CynicalError(f"{corpus.name}: no record has a field {key!r}; choose another with --label-key")
    return ["" if value is None else str(value) for value in found]


def _of_lines(picks: Picks, labels: Sequence[str], name: str) -> Labels:
    """Labels of all lines of AVAILABLE, by number."""
    last = int(picks.line.max(initial=-1)) + 1
    lines = last if picks.summary is None else picks.summary.available.lines
    if last > len(labels) or (picks.summary is not None and lines != len(labels)):
        raise CynicalError(
            f"{name} has {len(labels):,} lines, but {picks.name} was picked from {max(lines, last):,}; give the "
            "labels of the same AVAILABLE, one per line"
        )
    codes, names = _coded(labels)
    return _fewer(names, codes[picks.line], np.bincount(codes, minlength=len(names)), picks.stop)


def _coded(labels: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
    number: dict[str, int] = {}
    codes = [number.setdefault(label, len(number)) for label in labels]
    return np.array(codes, np.int64), list(number)


def _fewer(names: list[str], of_pick: NDArray[np.int64], available: NDArray[np.int64] | None, stop: int) -> Labels:
    """The labels that most picks up to the stopping point have, most frequent first; the rest are one."""
    picked = np.bincount(of_pick[: stop or None], minlength=len(names))
    have = picked if available is None else available
    order = sorted(range(len(names)), key=lambda i: (-picked[i], -have[i], names[i]))
    kept = order if len(order) <= MOST else order[: MOST - 1]
    place = np.full(len(names), len(kept), np.int64)
    place[kept] = np.arange(len(kept))
    names = [name or "(none)" for name in names]
    shown = [names[i] for i in kept]
    if len(order) > len(kept):
        shown.append(f"{len(order) - len(kept):,} others")
    shares = None
    if available is not None:
        total = max(int(available.sum()), 1)
        shares = (np.bincount(place, available, len(shown)) / total).tolist()
    return Labels(shown, place[of_pick], shares, names, of_pick)
