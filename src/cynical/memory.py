"""Storage of the large arrays of a run, within a limit on memory.

Within the limit they are in memory. Beyond it they are in memory-mapped temporary files in --scratch: the system keeps
of them what it has room for. A thread watches how much of this process is resident and, before the limit is passed, has
the system take mapped pages back; what they hold is in the files, or in the system's cache, and comes again when it
is asked for. So a run that does not fit becomes slower, not different.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from .errors import CynicalError, os_error

Scalar = TypeVar("Scalar", bound=np.generic)
LOOK = 0.005  # seconds between two looks at the memory
NEAR = 0.9  # of the limit: from here on pages are given back
MEANWHILE = 80_000_000  # bytes of mapped files that may be touched between two looks
MAP_NORESERVE = 0x4000  # Linux; Python has no name for it before 3.13
DROPPED = getattr(mmap, "MADV_DONTNEED", None)
STATM = Path("/proc/self/statm")  # where Linux says how much of a process is resident
ZEROS = bytes(1 << 20)


def drop_pages(content: object) -> None:
    """Have the system take back the pages of a mapped file that is only read; they come again when they are needed."""
    if isinstance(content, mmap.mmap) and DROPPED is not None and hasattr(content, "madvise"):
        content.madvise(DROPPED)


class Storage:
    """Gives out arrays, in memory or in mapped files."""

    def __init__(self, limit: int | None = None, scratch: str | Path | None = None) -> None:
        self.limit, self._scratch = limit, scratch
        self.spills = False
        self.spilled = 0  # bytes in files
        self.before = 0  # bytes of this process that were in memory before anything large was
        self._maps: list[mmap.mmap] = []

    def decide(self, needed: int, at_least: int) -> None:
        """Keep to the limit, where a run needs `needed` bytes, of which `at_least` cannot be in files."""
        assert self.limit is not None
        if at_least > self.limit:
            raise CynicalError(
                f"--memory {human(self.limit)}: this run needs at least {human(at_least)} with temporary files in "
                f"{self._where}, and {human(needed)} without; give a larger limit, or select from parts of AVAILABLE"
            )
        self.spills = needed > NEAR * self.limit

    def array(self, size: int, dtype: type[Scalar]) -> NDArray[Scalar]:
        """An array of this many numbers, with its space reserved: a disk that is full shows here."""
        if not self.spills:
            return np.empty(size, dtype)
        item = np.dtype(dtype).itemsize
        file = self._file()
        try:
            if size:
                _reserve(file, size * item)
        except OSError as error:
            raise self._error(error) from error
        return self._mapped(file, size, dtype)

    def aligned(self, size: int, line: int) -> NDArray[np.uint8]:
        """Bytes that begin where a cache line does: what is read together is in as few as possible."""
        array = self.array(size + line, np.uint8)
        begin = -array.ctypes.data % line
        return array[begin : begin + size]

    def entries(self) -> Appended:
        """Numbers that come piece by piece."""
        return Appended(self, self._file())

    def may_drop(self, content: object) -> None:
        """A mapped file of others, that is only read."""
        if isinstance(content, mmap.mmap):
            self._maps.append(content)

    def watch(self) -> None:
        """From now on, keep to the limit; other systems than Linux decide alone which pages stay in memory."""
        if self.limit is not None and DROPPED is not None and STATM.exists():
            near = min(NEAR * self.limit, max(self.limit - MEANWHILE, self.limit / 2))
            threading.Thread(target=_watch, args=(weakref.ref(self), near), daemon=True).start()

    def drop(self) -> None:
        """Have the system take back all mapped pages."""
        for one in self._maps:
            drop_pages(one)

    def _mapped(self, file: BinaryIO, size: int, dtype: type[Scalar]) -> NDArray[Scalar]:
        if not size:
            return np.empty(0, dtype)
        room = mmap.mmap(file.fileno(), size * np.dtype(dtype).itemsize)
        self._maps.append(room)
        self.spilled += len(room)
        return np.frombuffer(room, dtype)

    def _file(self) -> BinaryIO:
        try:
            return cast(BinaryIO, tempfile.TemporaryFile(prefix="cynical-", dir=self._scratch))
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> CynicalError:
        return os_error(f"{self._where} (--scratch)", error)

    @property
    def _where(self) -> str:
        return str(self._scratch or tempfile.gettempdir())


class Appended:
    """Numbers of 4 bytes, appended by several threads."""

    def __init__(self, storage: Storage, file: BinaryIO) -> None:
        self._storage, self._file = storage, file
        self._lock, self._size = threading.Lock(), 0

    def append(self, numbers: NDArray[np.uint32]) -> int:
        """Where they begin."""
        with self._lock:
            begin = self._size
            self._size += len(numbers)
        data, done = numbers.view(np.uint8).data, 0
        try:
            while done < len(data):
                done += os.pwrite(self._file.fileno(), data[done:], 4 * begin + done)
        except OSError as error:
            raise self._storage._error(error) from error
        return begin

    def array(self) -> NDArray[np.uint32]:
        return self._storage._mapped(self._file, self._size, np.uint32)


def _reserve(file: BinaryIO, size: int) -> None:
    """Have the disk hold room for a whole file; where the system has no call for that (macOS), zeros are written."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for begin in range(0, size, len(ZEROS)):
        file.write(ZEROS[: size - begin])
    file.flush()


def resident() -> int:
    """Bytes of this process that are in memory now, mapped files included; where that is not told, at most so far."""
    try:
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def _watch(storage: weakref.ref[Storage], limit: float) -> None:
    page = os.sysconf("SC_PAGE_SIZE")
    with STATM.open("rb") as statm:
        while (held := storage()) is not None:
            statm.seek(0)
            if int(statm.read().split()[1]) * page > limit:
                held.drop()
            del held
            time.sleep(LOOK)


def reserved(size: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """Room that takes memory only where it is written to, a small page at a time."""
    if sys.platform != "linux" or size == 0:
        return np.empty(size, dtype)
    room = mmap.mmap(-1, size * np.dtype(dtype).itemsize, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    room.madvise(mmap.MADV_NOHUGEPAGE)  # a large page would take what is between
    return np.frombuffer(room, dtype)


def give_back() -> None:
    """Have the C library return memory that was freed piece by piece; glibc keeps it for this process otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def human(size: float) -> str:
    """A size as people say it."""
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size / 1000:.0f} kB"


def longer(array: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """The same with zeros appended, in new memory."""
    out = np.zeros(size, array.dtype)
    out[: len(array)] = array
    return out
