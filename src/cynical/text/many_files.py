"""The user's files, of which there may be many, and which may change while they are read.

Each is opened when it is read, and closed when others need its descriptor: a process may have some thousand. As many
are held as the system allows (see OpenFiles): to open a file again takes longer than to read some lines of it.

Texts are read, not mapped: where a mapped file becomes shorter, a signal ends the process. A file whose size or times
have changed is read once more as a whole: if its checksum is still that of what was read before, all is well (a log
that grows, a file that was touched), else that is an error.
"""

from __future__ import annotations

import mmap
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, os_error
from .checksum import Checksum

LEAST = 16  # files and maps that are held, however few descriptors there are
SHARE = 4  # a fourth of the descriptors is for files, and a fourth for maps
WITHOUT_LIMIT = 1 << 16  # are held where the system has no limit
FEWEST = 512  # descriptors that every system allows
GAP = 1 << 13  # bytes between two spans that are read together
BLOCK = 1 << 20  # bytes that are summed up at a time
Numbers = NDArray[np.int64]
Item = TypeVar("Item")


@dataclass(slots=True, eq=False, weakref_slot=True)
class LazyFile:
    """A file that is not empty, as bytes. Whoever has got its file or its map from here may keep it."""

    path: str
    name: str  # for messages
    size: int
    known: tuple[int, ...]  # what tells it from another file that has taken its place, and from what it may become

    @classmethod
    def of(cls, path: str, name: str, file: BinaryIO) -> LazyFile:
        """A file that is open now."""
        made = cls(path, name, os.fstat(file.fileno()).st_size, _known(file))
        weakref.finalize(made, _let_go, id(made))
        return made

    @classmethod
    def at(cls, path: str, name: str) -> LazyFile:
        """A file, opened once to look at it."""
        with Path(path).open("rb") as file:
            return cls.of(str(Path(path).absolute()), name, file)

    def opened(self) -> BinaryIO:
        return _files.get(self, self._open)

    def mapped(self) -> mmap.mmap:
        return _maps.get(self, lambda: mmap.mmap(self.opened().fileno(), 0, access=mmap.ACCESS_READ))

    def _open(self) -> BinaryIO:
        try:
            file = Path(self.path).open("rb")  # noqa: SIM115 - it stays open as long as somebody has it
        except OSError as error:
            raise os_error(self.name, error) from error
        if _known(file) != self.known:
            file.close()
            raise self._changed()
        return file

    def _changed(self) -> CynicalError:
        return CynicalError(
            f"{self.name}: the file changed during the run; run again when no other program writes to it"
        )

    def spans(self, first: Numbers, last: Numbers) -> tuple[NDArray[np.uint8], Numbers, Numbers]:
        """Some parts of the file, near ones together; where each begins and ends in what is returned."""
        order = np.argsort(first, kind="stable")
        begin, end = first[order], np.maximum.accumulate(last[order])
        leads = np.flatnonzero(np.concatenate([[True], begin[1:] > end[:-1] + GAP])) if len(order) else order
        of = np.repeat(np.arange(len(leads)), np.diff(np.append(leads, len(order))))
        begins, ends = begin[leads], end[np.append(leads[1:], len(order)) - 1] if len(order) else end
        at = np.concatenate([[0], np.cumsum(ends - begins)]).astype(np.int64)
        held = np.empty(int(at[-1]), np.uint8)
        file, view = self.opened(), memoryview(held.data)
        for place, offset, size in zip(at.tolist(), begins.tolist(), (ends - begins).tolist(), strict=False):
            self._fill(file, view[place : place + size], offset)
        moved = np.empty(len(order), np.int64)
        moved[order] = (at[:-1] - begins)[of]
        return held, first + moved, last + moved

    def _fill(self, file: BinaryIO, room: memoryview, offset: int) -> None:
        done = 0
        while done < len(room):
            size = read_into(file, room[done:], offset + done)
            if not size:
                raise self._changed()
            done += size

    def check(self, was: Checksum, begin: int = 0, end: int | None = None) -> None:
        """See to it that the bytes begin to end are those that had this checksum when they were read."""
        end, file = self.size if end is None else end, self.opened()
        now = _known(file)
        if now == self.known:
            return
        found, room = Checksum(), bytearray(min(BLOCK, max(end - begin, 1)))
        while begin < end:
            block = memoryview(room)[: end - begin]
            self._fill(file, block, begin)
            found, begin = found.update(block), begin + len(block)
        if found != was:
            raise self._changed()
        self.known = now

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, which: slice) -> bytes:
        begin, end, _ = which.indices(self.size)
        room = bytearray(max(end - begin, 0))
        self._fill(self.opened(), memoryview(room), begin)
        return bytes(room)

    def find(self, what: bytes, begin: int = 0) -> int:
        """Where some bytes are first, from a place on; -1 if they are nowhere."""
        while begin < self.size:
            block = self[begin : begin + BLOCK + len(what) - 1]
            found = block.find(what)
            if found >= 0:
                return begin + found
            begin += BLOCK
        return -1


def _known(file: BinaryIO) -> tuple[int, ...]:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


_seeking = threading.Lock()


def read_into(file: BinaryIO, room: memoryview, offset: int) -> int:
    """Read what is at some place; how many bytes that is."""
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [room], offset)
    with _seeking:
        file.seek(offset)
        return file.readinto(room)  # type: ignore[attr-defined, no-any-return]


class _Held(Generic[Item]):
    """What was used last, for as many files as the system allows; what nobody can ask for any more is let go."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._items: OrderedDict[int, Item] = OrderedDict()  # by the identity of the file

    def get(self, file: LazyFile, make: Callable[[], Item]) -> Item:
        with self._lock:
            if id(file) in self._items:
                self._items.move_to_end(id(file))
                return self._items[id(file)]
            while len(self._items) >= _most():
                self._items.popitem(last=False)
            made = self._items[id(file)] = make()
            return made

    def let_go(self, identity: int) -> None:
        with self._lock:
            self._items.pop(identity, None)


def _let_go(identity: int) -> None:
    for held in (_files, _maps):
        held.let_go(identity)


def _most() -> int:
    """How many files, or maps, may be held."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except ImportError:
        limit = FEWEST
    return WITHOUT_LIMIT if limit < 0 else max(LEAST, limit // SHARE)


_files: _Held[BinaryIO] = _Held()
_maps: _Held[mmap.mmap] = _Held()
