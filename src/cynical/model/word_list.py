"""Every word with its class, its counts and its ratio."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..options import Thresholds
from ..text.escapes import escape_all
from .classes import CLASSES, USELESS, classify, ratios
from .counts import Counts

if TYPE_CHECKING:
    import pandas

COLUMNS = ("word", "class", "representative", "unadapted", "available", "ratio")


@dataclass(frozen=True, slots=True)
class WordList:
    """A table of words: useful words first, useless words last; within a class by count."""

    words: list[bytes]
    classes: NDArray[np.int8]
    representative: NDArray[np.int64]
    unadapted: NDArray[np.int64]
    available: NDArray[np.int64]
    ratio: NDArray[np.float64]
    totals: tuple[int, int, int]  # all words of each corpus

    def to_bytes(self) -> Iterator[bytes]:
        """The table as TSV."""
        yield "\t".join(COLUMNS).encode() + b"\n"
        columns = (self.representative.tolist(), self.unadapted.tolist(), self.available.tolist(), self.ratio.tolist())
        for word, number, r, u, a, ratio in zip(escape_all(self.words), self.classes.tolist(), *columns, strict=True):
            yield b"%s\t%s\t%d\t%d\t%d\t%s\n" % (word, CLASSES[number].encode(), r, u, a, b"%.6g" % ratio)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the columns of the table."""
        try:
            import pandas
        except ImportError:
            raise CynicalError("to_pandas needs pandas: pip install 'cynical[pandas]'") from None
        words = [word.decode("utf-8", "replace") for word in self.words]
        names = [CLASSES[number] for number in self.classes.tolist()]
        numbers = (self.representative, self.unadapted, self.available, self.ratio)
        return pandas.DataFrame(dict(zip(COLUMNS, (words, names, *numbers), strict=True)))

    def __len__(self) -> int:
        return len(self.words)

    def by_class(self) -> list[tuple[str, int, float, float]]:
        """For each class: its name, its types, and its share of the words of REPRESENTATIVE and of UNADAPTED."""
        rows = []
        for number in range(len(CLASSES) - 1, -1, -1):
            members = self.classes == number
            wanted = int(self.representative[members].sum()) / max(self.totals[0], 1)
            have = int(self.unadapted[members].sum()) / max(self.totals[1], 1)
            rows.append((CLASSES[number], int(members.sum()), wanted, have))
        return rows


def list_words(
    representative: Counts, unadapted: Counts | None, available: Counts | None, thresholds: Thresholds
) -> WordList:
    """Classify the words of all corpora; without UNADAPTED or AVAILABLE, the other is used in its place."""
    unadapted = available if unadapted is None else unadapted
    available = unadapted if available is None else available
    if unadapted is None or available is None:
        raise CynicalError("words are compared with the language you have; give -u UNADAPTED, -a AVAIL or both")
    everything: dict[bytes, None] = dict.fromkeys(representative.words)
    everything.update(dict.fromkeys(unadapted.words))
    everything.update(dict.fromkeys(available.words))
    words = list(everything)
    union = Counts.from_pairs([(word, 0) for word in words], representative.signature)
    r, u, a = (union.aligned(counts) for counts in (representative, unadapted, available))
    ratio = ratios(r, representative.total, u, unadapted.total)
    classes = classify(r, u, a, ratio, thresholds)
    most = np.where(classes == USELESS, u + a, r)
    order = sorted(range(len(words)), key=lambda i: (-classes[i], -most[i], -ratio[i], words[i]))
    at = np.array(order, np.int64)
    totals = (representative.total, unadapted.total, available.total)
    return WordList([words[i] for i in order], classes[at], r[at], u[at], a[at], ratio[at], totals)
