"""All cores over the chunks of a corpus. Whoever takes a chunk, the result is put together in the chunks' order."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from ..errors import CynicalError
from ..progress import Progress
from .corpus import Chunk, Corpus
from .tokenizer import Reader, Tokenizer, Words


class Taker(Protocol):
    """What is done with words; each thread has one."""

    def take(self, chunk: Chunk, words: Words) -> None: ...


AnyTaker = TypeVar("AnyTaker", bound=Taker)


def number_of_jobs(jobs: int | None) -> int:
    """As many threads as asked for (but no more than do any good), else one for each core of this process."""
    if jobs is not None and jobs < 1:
        raise CynicalError(f"--jobs must be at least 1, found {jobs}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if jobs is None else min(jobs, 8 * cores)


def read_all(
    corpus: Corpus, tokenizer: Tokenizer, jobs: int, progress: Progress, make: Callable[[], AnyTaker], role: str
) -> list[AnyTaker]:
    """Give every chunk to one of `jobs` takers."""
    takers = [make() for _ in range(max(1, min(jobs, corpus.most_chunks)))]
    chunks, lock, stopped = corpus.chunks(), threading.Lock(), threading.Event()

    with progress.bar(f"reading {role}", corpus.size, "B") as bar:

        def work(taker: AnyTaker) -> None:
            reader = Reader(tokenizer)
            while not stopped.is_set():
                with lock:
                    chunk = next(chunks, None)
                if chunk is None:
                    return
                taker.take(chunk, reader.read(chunk))
                with lock:
                    bar.update(chunk.end - chunk.begin)

        in_threads(work, takers, stopped)
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
