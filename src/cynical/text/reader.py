"""From the chunks of a corpus to words, on all cores.

Each thread turns chunks into words; whoever takes a chunk, the result is put together in the chunks' order.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from . import unicode
from .checksum import Checksum, joined, of
from .corpus import Chunk, Corpus, Part
from .external import Splitter, blank
from .folding import unfold
from .tokenizer import Tokenizer

if TYPE_CHECKING:
    from .._kernels import chunk as kernels

NEWLINE, RETURN, SPACE = 10, 13, 32
GROUP = 64  # bytes whose white space is one number


@dataclass(frozen=True, slots=True)
class Words:
    """A chunk of text whose words can be walked over, padded with spaces to whole groups and one group more."""

    text: NDArray[np.uint8]
    eight: NDArray[np.uint64]  # the same bytes
    blank: NDArray[np.uint64]  # a bit for each byte of white space
    size: int  # bytes before the padding
    line_end: NDArray[np.int64]
    line_start: NDArray[np.uint32]  # in the text as it was before it was rewritten
    last_end: int  # where the last line ends there
    broken: int  # lines that are not UTF-8
    first_broken: int  # the first of them, or -1
    sums: Sequence[Checksum] = ()  # of the bytes as they were, by part
    returns: bool = True  # may lines end in a carriage return?

    @property
    def chunk(self) -> kernels.Chunk:
        """As the kernels take it."""
        from .._kernels.chunk import Chunk

        return Chunk(self.text, self.eight, self.blank, self.line_end)


class Reader:
    """Turns chunks into words, over and over in the same memory; each thread has one."""

    def __init__(self, tokenizer: Tokenizer, sum_up: bool = False) -> None:
        self._tokenizer, self._sum_up = tokenizer, sum_up
        self._bytes = np.zeros(0, np.uint64)
        self._blank = np.zeros(0, np.uint64)
        self._line_end = np.zeros(0, np.int64)
        self._apart = np.zeros(0, np.uint8)

    def read(self, chunk: Chunk) -> Words:
        from .._kernels.unicode import broken_lines

        text = self._room_for(chunk.end - chunk.begin)
        chunk.copy_to(text)
        sums = [of(text[own].data) for _, own in chunk.by_part()] if self._sum_up else []
        words, high = self._separate(len(text))
        line_start, last_end = _line_starts(words.line_end), int(words.line_end[-1])
        returns = bool((words.text[np.maximum(words.line_end, 1) - 1] == RETURN).any())
        broken, first_broken = (0, -1)
        if high:
            broken, first_broken = broken_lines(words.text, words.eight, len(text), words.line_end)
        rewritten = self._rewritten(text, high, chunk.part.folded)
        if rewritten is not text:
            self._room_for(len(rewritten))[:] = rewritten
            words, _ = self._separate(len(rewritten))
        found = {"broken": broken, "first_broken": first_broken, "sums": sums, "returns": returns}
        return replace(words, line_start=line_start, last_end=last_end, **found)  # type: ignore[arg-type]

    def _rewritten(self, text: NDArray[np.uint8], high: bool, folded: bool) -> NDArray[np.uint8]:
        """The text with its tokens apart; the same memory if nothing is to be done."""
        tokenizer = self._tokenizer
        if tokenizer.normalize and high:
            text = unicode.normalized(text, tokenizer.normalize)
        if tokenizer.lowercase:
            text = unicode.lower(text, high)
        if tokenizer.splitter is not None:
            return _in_pieces(text, tokenizer.splitter, folded)
        return text if tokenizer.name == "whitespace" else self._set_apart(text)

    def _set_apart(self, text: NDArray[np.uint8]) -> NDArray[np.uint8]:
        from .._kernels.punctuation import split_off

        if len(self._apart) < 2 * len(text) + 1:
            self._apart = np.empty(2 * len(text) + 1, np.uint8)
        return self._apart[: split_off(text, len(text), unicode.kinds(self._tokenizer.name), self._apart)]

    def _room_for(self, size: int) -> NDArray[np.uint8]:
        groups = -(-size // GROUP) + 1
        if len(self._blank) < groups:
            self._bytes = np.zeros(groups * GROUP // 8, np.uint64)
            self._blank = np.zeros(groups, np.uint64)
            self._line_end = np.empty(groups * GROUP, np.int64)  # of which only what is used takes memory
        return self._bytes.view(np.uint8)[:size]

    def _separate(self, size: int) -> tuple[Words, bool]:
        """Find the white space and the line ends in the first bytes of the room."""
        from .._kernels.chunk import find_white_space

        groups = -(-size // GROUP) + 1
        eight, blank = self._bytes[: groups * GROUP // 8], self._blank[:groups]
        text = eight.view(np.uint8)
        text[size:] = 32
        lines, high = find_white_space(text, eight, blank, self._line_end)
        if size and text[size - 1] != 10:
            self._line_end[lines] = size
            lines += 1
        line_end = self._line_end[:lines].copy()
        return Words(text, eight, blank, size, line_end, np.zeros(0, np.uint32), 0, 0, -1), bool(high)


class Taker(Protocol):
    """What is done with words; each thread has one."""

    def take(self, chunk: Chunk, words: Words) -> None: ...


AnyTaker = TypeVar("AnyTaker", bound=Taker)


def number_of_jobs(jobs: int | None) -> int:
    """As many threads as asked for (but no more than do any good), else one for each core of this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if jobs is None else min(jobs, 8 * cores)


def read_all(
    corpus: Corpus, tokenizer: Tokenizer, jobs: int, progress: Progress, make: Callable[[], AnyTaker], role: str
) -> list[AnyTaker]:
    """Give every chunk to one of `jobs` takers; what is read for the first time is summed up too."""
    takers = [make() for _ in range(max(1, min(jobs, corpus.most_chunks)))]
    chunks, lock, stopped = corpus.chunks(), threading.Lock(), threading.Event()
    sums: dict[int, tuple[Sequence[Part], Sequence[Checksum]]] = {}  # by the number of the chunk
    with_returns: set[Part] = set()

    with progress.bar(f"reading {role}", corpus.size, "B") as bar:

        def work(taker: AnyTaker) -> None:
            reader = Reader(tokenizer, sum_up=not corpus.read)
            while not stopped.is_set():
                with lock:
                    chunk = next(chunks, None)
                if chunk is None:
                    return
                words = reader.read(chunk)
                taker.take(chunk, words)
                with lock:
                    sums[chunk.number] = chunk.parts, words.sums
                    if words.returns:
                        with_returns.update(chunk.parts)
                    bar.update(chunk.end - chunk.begin)

        in_threads(work, takers, stopped)
    if not corpus.read:
        of_part: dict[Part, list[Checksum]] = {part: [] for part in corpus.parts}
        for number in sorted(sums):
            for part, checksum in zip(*sums[number], strict=True):
                of_part[part].append(checksum)
        corpus.read = [joined(of_part[part]) for part in corpus.parts]
        corpus.with_returns = with_returns
    return takers


def in_threads(work: Callable[[AnyTaker], None], items: list[AnyTaker], stopped: threading.Event) -> None:
    """Call work on each item in a thread of its own; when one fails, or on Ctrl-C, the others are asked to stop."""
    if len(items) == 1:
        work(items[0])
        return
    with ThreadPoolExecutor(len(items)) as pool:
        try:
            for future in [pool.submit(work, item) for item in items]:
                future.result()
        except BaseException:
            stopped.set()
            raise


def _line_starts(line_end: NDArray[np.int64]) -> NDArray[np.uint32]:
    start = np.zeros(len(line_end), np.uint32)
    start[1:] = line_end[:-1] + 1
    return start


def _in_pieces(text: NDArray[np.uint8], splitter: Splitter, folded: bool) -> NDArray[np.uint8]:
    """The text with the pieces of each line apart; the splitter sees texts as they were given, without their ends."""
    lines = unicode.decoded(text).split("\n")
    plain = unfold if folded else _without_return
    made = splitter.rewrite(["" if line.isspace() and blank.fullmatch(line) else plain(line) for line in lines])
    if lines[-1] and (not len(made) or made[-1] == NEWLINE):  # without an end of its own, an empty line would be none
        made = np.append(made, np.uint8(SPACE))
    return made


def _without_return(line: str) -> str:
    return line.removesuffix("\r")
