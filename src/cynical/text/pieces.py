"""The pieces of a tokenizer library, by their numbers: quicker to get than strings, and to put together again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


class Pieces:
    """What the numbers of pieces stand for.

    Some stand for various pieces, such as every piece that a model does not know. These pieces get numbers of their
    own.
    """

    def __init__(self, pieces: Sequence[str], various: Iterable[int], cleaned: Callable[[str], str]) -> None:
        self._various = np.zeros(len(pieces), np.bool_)
        self._various[list(various)] = True
        self._cleaned, self._known = cleaned, len(pieces)
        self._more: dict[str, int] = {}
        self._texts = _texts(map(cleaned, pieces))
        self._lock = threading.Lock()

    def join(self, lines: list[str], ids: list[list[int]], strings: Callable[[list[int]], list[list[str]]]) -> Bytes:
        """The pieces of each line with spaces between, each line but the last with its end.

        `ids` are the numbers of those lines that are not empty; `strings` has the pieces of some of them.
        """
        from .._kernels.pieces import join_pieces
        from .._kernels.tsv import Texts

        sizes = np.fromiter(map(len, ids), np.int64, len(ids))
        ends = np.cumsum(sizes)
        flat = np.fromiter(chain.from_iterable(ids), np.int64, int(sizes.sum()))
        unclear = np.unique(np.searchsorted(ends, np.flatnonzero(self._various[flat]), "right")).tolist()
        for line, pieces in zip(unclear, strings(unclear) if unclear else [], strict=True):
            flat[ends[line] - sizes[line] : ends[line]] = self._numbers(pieces)
        number = np.zeros(len(lines), np.int64)
        number[np.fromiter(map(bool, lines), np.bool_, len(lines))] = sizes
        blob, start = self._all_texts()
        out = np.empty(int((start[flat + 1] - start[flat]).sum()) + len(flat) + len(lines), np.uint8)
        return out[: join_pieces(flat, number, Texts(blob, start), out)]

    def _numbers(self, pieces: list[str]) -> list[int]:
        """Numbers of our own for pieces."""
        with self._lock:
            return [self._more.setdefault(piece, self._known + len(self._more)) for piece in pieces]

    def _all_texts(self) -> tuple[Bytes, NDArray[np.int64]]:
        """The bytes of all pieces, and where each begins."""
        with self._lock:
            blob, start = self._texts
            new = list(self._more)[len(start) - 1 - self._known :]
            if new:
                more, begins = _texts(map(self._cleaned, new))
                self._texts = np.concatenate([blob, more]), np.append(start, begins[1:] + len(blob))
            return self._texts


def _texts(pieces: Iterable[str]) -> tuple[Bytes, NDArray[np.int64]]:
    """The bytes of strings, one after another, and where each begins."""
    made = [piece.encode("utf-8", "surrogateescape") for piece in pieces]
    start = np.zeros(len(made) + 1, np.int64)
    np.cumsum([len(one) for one in made], out=start[1:])
    return np.frombuffer(bytearray(b"".join(made)), np.uint8), start
