"""The files that a name refers to: a pattern, a folder, a list of paths, or a file."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TypeGuard

from ..errors import CynicalError, os_error

MANY = 100  # files: from here on the system is asked to let more of them be open


def is_remote(path: str | Path) -> bool:
    """Something that fsspec opens, such as s3://bucket/file."""
    return re.match(r"[a-z][a-z0-9+.-]*://", str(path)) is not None


class Name(str):
    """The name of a file, or an address, in a list, in which other strings are lines. (A Path has no `//`.)"""


def are_files(source: object) -> TypeGuard[Sequence[Path | Name]]:
    """Is a source a list of files, rather than of lines or records?"""
    return isinstance(source, (list, tuple)) and bool(source) and all(isinstance(one, (Path, Name)) for one in source)


def exists(path: str | Path) -> bool:
    """Is there something of this name? Not of one that is too long, or that has a zero byte; so with the next two."""
    return os.path.exists(path)  # noqa: PTH110 - Path raises an error for such names


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def expand(path: str | Path) -> list[str]:
    """The files that a name means, sorted: a path that exists is that file, a folder the files in it."""
    name = str(path)
    if name == "-":
        return [name]
    if is_remote(name):
        return _remote(name)
    if "\0" in name:
        raise CynicalError(f"{name!r}: a file name cannot contain a zero byte; check the path")
    there = exists(name)
    if name.startswith("@") and not there:
        return _listed(name[1:])
    if is_folder(name):
        return _inside(name)
    if there or not glob.has_magic(name):
        return [name]
    matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    found = [file for file in matches if not is_folder(file)]
    if not found:
        raise CynicalError(
            f"{name}: no file matches this pattern; check it, and quote it so that the shell does not expand it"
        )
    return found


def expand_all(paths: Sequence[str | Path]) -> list[str]:
    return [file for path in paths for file in expand(path)]


def _inside(folder: str) -> list[str]:
    """All files of a folder and the folders within, except hidden ones and those that tools leave (_SUCCESS)."""
    top, found = str(Path(folder)), []
    for inside, folders, files in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        found += [f"{inside}{os.sep}{name}" for name in files if not name.startswith((".", "_"))]
    found = [file for file in found if is_file(file)]
    found.sort(key=lambda file: file.split(os.sep))  # noqa: PTH206
    if not found:
        raise CynicalError(f"{folder}: this folder has no files; give a file, or a folder with files")
    return found


def _listed(path: str) -> list[str]:
    """The paths that a file lists, one per line; patterns and folders too."""
    try:
        names = Path(path).read_bytes().decode("utf-8", "surrogateescape").splitlines()
    except OSError as error:
        raise os_error(f"@{path}", error) from error
    found = []
    for number, name in enumerate(names, 1):
        if name.strip().startswith("@"):
            raise CynicalError(
                f"{path} line {number}: a list of files cannot contain another list; give the paths themselves"
            )
        if name.strip():
            try:
                found += expand(name.strip())
            except CynicalError as error:
                raise CynicalError(f"{path} line {number}: {error}") from None
    if not found:
        raise CynicalError(f"@{path}: the list of files is empty; write one path per line")
    return found


def _remote(name: str) -> list[str]:
    """A pattern in a bucket names all files that match."""
    if not glob.has_magic(name) or name.startswith(("http://", "https://")):
        return [name]
    from .compression import file_system

    system, inside = file_system(name)
    try:
        found = sorted(system.glob(inside))
    except OSError as error:
        raise os_error(name, error) from error
    if not found:
        raise CynicalError(
            f"{name}: no file matches this pattern; check it, and quote it so that the shell does not expand it"
        )
    if not name.endswith(inside):
        return [system.unstrip_protocol(file) for file in found]
    before = name.removesuffix(inside)  # with the host, where there is one
    return [before + file for file in found]


class OpenFiles:
    """How many files may be open: as many as the system allows while anything holds many, then as many as before."""

    def __init__(self) -> None:
        self._lock, self._holders, self._before = threading.RLock(), 0, (0, 0)

    def hold(self, holder: object) -> None:
        """Raise the limit for as long as the holder is alive."""
        with self._lock:
            if not self._holders:
                self._before = self._raised()
            self._holders += 1
        weakref.finalize(holder, self._let_go)

    def _let_go(self) -> None:
        with self._lock:
            self._holders -= 1
            if not self._holders:
                self._put_back()

    @staticmethod
    def _raised() -> tuple[int, int]:
        """What the limits were."""
        try:
            import resource

            before = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
        except (ImportError, OSError, ValueError):
            return 0, 0
        return before

    def _put_back(self) -> None:
        """Unless someone else has changed the limit in the meantime."""
        if self._before != (0, 0):
            import resource

            soft, hard = self._before
            with contextlib.suppress(OSError, ValueError):
                if resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard):
                    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


open_files = OpenFiles()


def shown(path: str | Path) -> str:
    """A file name that can be written anywhere, whatever its bytes are."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def without_folders(names: str) -> str:
    """The names of some files, with commas between, without their folders."""
    return ", ".join(PurePosixPath(one).name or one for one in names.split(", "))
