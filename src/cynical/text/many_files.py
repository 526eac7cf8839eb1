"""Files by the ten thousand: each is opened and mapped when it is read, and closed when others need its descriptor.

A file that is mapped takes two descriptors, since a map has one of its own. A process may have some thousand. As many
are held as the system allows (see OpenFiles): to map a file again takes longer than to read some lines of it.
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

from ..errors import CynicalError, os_error

LEAST = 16  # files and maps that are held, however few descriptors there are
SHARE = 4  # of the descriptors, one in so many is for files, and one for maps
WITHOUT_LIMIT = 1 << 16  # are held where the system has no limit
FEWEST = 512  # descriptors that every system allows
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class LazyFile:
    """A file that is not empty, as bytes. Whoever has got its file or its map from here may keep it."""

    path: str
    name: str  # for messages
    size: int
    known: tuple[int, ...]  # what tells it from another file that has taken its place

    @classmethod
    def of(cls, path: str, name: str, file: BinaryIO) -> LazyFile:
        """A file that is open now."""
        made = cls(path, name, os.fstat(file.fileno()).st_size, _known(file))
        weakref.finalize(made, _let_go, id(made))
        return made

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
            raise CynicalError(f"{self.name}: changed while it was read; try again when it is complete")
        return file

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, which: slice) -> bytes:
        return self.mapped()[which]

    def find(self, what: bytes, begin: int = 0, end: int | None = None) -> int:
        return self.mapped().find(what, begin, self.size if end is None else end)


def _known(file: BinaryIO) -> tuple[int, ...]:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


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
