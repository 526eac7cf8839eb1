"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from ..errors import CynicalError, os_error
from .compression import compressed_writer, compression_of
from .paths import expand, is_remote
from .remote_file import RemoteFile, check_remote

LONGEST_NAME, LONGEST_PATH = 255, 4000  # bytes


class Output:
    """Written under no name, or a temporary one, and given its own when all is written; '-' is standard output.

    One of many is closed when it is complete, so that they need not all be open at the end.
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False, one_of_many: bool = False) -> None:
        self.path = str(path)
        self.size = 0  # bytes of the file, once it is complete
        self._overwrite = overwrite
        self._one_of_many = one_of_many
        self._remote: RemoteFile | None = None
        self._file: BinaryIO | None = None
        self._compressed: BinaryIO | None = None  # what is written to, if that is compressed on its way to the file
        self._temporary: str | None = None  # None while the file has no name
        self._mode: int | None = None  # of the file that is replaced
        self._complete = False
        check_output(path, overwrite=overwrite)

    def __enter__(self) -> Self:
        try:
            self._file = self._open()
            if compression_of(self.path) and not self._is_stream:
                self._compressed = compressed_writer(self._file, self.path)
        except OSError as error:
            raise os_error(self.path, error) from error
        return self

    def _open(self) -> BinaryIO:
        if self.path == "-":
            if sys.stdout is None:
                raise CynicalError("standard output is closed; write to a file with -o FILE")
            return sys.stdout.buffer
        if is_remote(self.path):
            self._remote = RemoteFile(self.path)
            return self._remote.open()
        if self._is_stream:
            return Path(self.path).open("wb")
        folder = _real(self.path).parent
        if self._overwrite and _real(self.path).exists():
            self._mode = stat.S_IMODE(_real(self.path).stat().st_mode)
        file = (None if self._one_of_many else self._nameless(folder)) or self._named(folder)
        if self._mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), self._mode)
        return file

    @property
    def _is_stream(self) -> bool:
        return self.path == "-" or _is_device(self.path)

    def write(self, data: bytes | memoryview) -> None:
        assert self._file is not None
        try:
            if self.path == "-":
                left = memoryview(data)
                while left:  # without a buffer (PYTHONUNBUFFERED) standard output may take a part of it
                    left = left[self._file.write(left) :]
            else:
                (self._compressed or self._file).write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise os_error(self.path, error) from error

    def flush(self) -> None:
        """Flush everything to the disk: if it is full, that shows here; nothing may be written after it."""
        assert self._file is not None
        if self._complete:
            return
        try:
            if self._compressed is not None:
                self._compressed.close()
                self._compressed = None
            self._file.flush()
            self._complete = True
            if self._is_stream:
                return
            self.size = self._file.tell()
            if self._remote is not None or self._one_of_many:
                self._file.close()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise os_error(self.path, error) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        try:
            if kind is None:
                self.flush()
            if kind is None and not self._is_stream:
                self._give_name()
        except FileExistsError as failure:
            raise _exists(self.path) from failure
        except OSError as failure:
            raise os_error(self.path, failure) from failure
        finally:
            if self._remote is not None:
                self._remote.discard()
            elif self.path != "-":
                with contextlib.suppress(OSError):
                    self._file.close()
            if self._temporary is not None:
                with contextlib.suppress(OSError):
                    Path(self._temporary).unlink()

    @property
    def _first_mode(self) -> int:
        """What the system makes of this is for nobody else to read, if the file that is replaced was not."""
        return 0o666 if self._mode is None else self._mode & 0o666

    def _nameless(self, folder: Path) -> BinaryIO | None:
        """A file that vanishes with this process, however that ends; only some systems have it."""
        if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").exists():
            return None
        try:
            descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, self._first_mode)
        except OSError:
            return None
        return os.fdopen(descriptor, "wb")

    def _named(self, folder: Path) -> BinaryIO:
        """A temporary file, opened like any other, so that the system gives it the permissions of a new file."""
        self._temporary = f"{folder}/.cynical-{secrets.token_hex(8)}.tmp"
        descriptor = os.open(
            self._temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), self._first_mode
        )
        return os.fdopen(descriptor, "wb")

    def _give_name(self) -> None:
        """Link to the path itself, which never replaces a file; to replace one, rename over it."""
        assert self._file is not None
        if self._remote is not None:
            self._remote.give_name(self._overwrite)
            return
        target = _real(self.path)
        source = self._temporary or f"/proc/self/fd/{self._file.fileno()}"
        if not self._overwrite:
            try:
                self._link(source, target)
                return
            except OSError as error:
                without_links = error.errno in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
                if not without_links or self._temporary is None or target.exists():
                    raise
        if self._temporary is None:
            self._temporary = f"{target.parent}/.cynical-{os.getpid()}-{self._file.fileno()}.tmp"
            with contextlib.suppress(FileNotFoundError):
                Path(self._temporary).unlink()
            self._link(source, Path(self._temporary))
        Path(self._temporary).replace(target)
        self._temporary = None

    def _link(self, source: str, target: Path) -> None:
        """A name for the file that a link of /proc leads to; Python follows such a link only if given some descriptor
        too."""
        assert self._file is not None
        if self._file.closed:
            os.link(source, target)
            return
        os.link(source, target, src_dir_fd=self._file.fileno(), follow_symlinks=True)


def _check_name(path: str | Path) -> None:
    """Raise an error for a name that no file can have."""
    whole = os.fsencode(path)
    if len(whole) > LONGEST_PATH or any(len(name) > LONGEST_NAME for name in whole.split(b"/")):
        raise CynicalError(f"{str(path)[:40]}...: {len(whole):,} bytes is too long for a file name; give a shorter one")


def check_output(path: str | Path, *, overwrite: bool) -> None:
    """Raise an error at once for what could not be written after hours of work."""
    if str(path) == "-":
        return
    _check_name(path)
    if is_remote(path):
        check_remote(str(path), overwrite=overwrite)
        return
    target = Path(path)
    if _is_device(path):
        return
    if target.is_dir() or str(path).endswith("/"):
        raise CynicalError(f"{path} is a folder; give the name of a file")
    if not _real(path).parent.is_dir():
        raise CynicalError(f"{path}: the folder {target.parent} does not exist; create it first")
    if not os.access(_real(path).parent, os.W_OK):
        raise CynicalError(f"{path}: no permission to write in {target.parent}; choose another folder")
    if target.is_symlink() and not target.exists():
        raise CynicalError(
            f"{path}: a link to {target.readlink()}, which does not exist; remove the link, or give another name"
        )
    if target.exists() and not overwrite:
        raise _exists(str(path))


def check_not_input(outputs: Iterable[str | Path], inputs: Iterable[str]) -> None:
    """An output that replaces an input is a slip, whatever --overwrite says; inputs may be patterns."""
    outputs = list(outputs)
    for one in outputs:
        _check_name(one)
    given = [file for path in inputs for file in expand(path)]
    remote = {str(one) for one in outputs if is_remote(one)}
    for file in given:
        if file in remote:
            raise _is_input(file)
    replaced = [one for one in outputs if Path(one).exists()]
    alike = {one.stat().st_ino for one in map(Path, replaced)}
    there = (file for file in given if alike and os.path.exists(file))  # noqa: PTH110
    files = {_real(file) for file in there if os.stat(file).st_ino in alike}  # noqa: PTH116 - there may be many
    for output in replaced:
        if _real(output) in files:
            raise _is_input(output)


def check_different(outputs: Iterable[str | Path]) -> None:
    """Two outputs must not go to one file."""
    seen: set[Path | str] = set()
    for output in outputs:
        _check_name(output)
        real = str(output) if is_remote(output) else _real(output)
        if real in seen:
            raise CynicalError(f"{output}: two outputs would be written to this file; give one of them another name")
        seen.add(real)


def _real(path: str | Path) -> Path:
    """Where a link leads, if that is there; a link that leads nowhere is itself in the way, as any other file is."""
    real = Path(os.path.realpath(path))
    return real if real.exists() or not Path(path).is_symlink() else _real(Path(path).parent) / Path(path).name


def _is_device(path: str | Path) -> bool:
    """A terminal, a pipe with a name, /dev/null: written to as they are."""
    return Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()


def _is_input(path: str | Path) -> CynicalError:
    return CynicalError(f"{path} is one of the inputs; give the output another name")


def _exists(path: str) -> CynicalError:
    return CynicalError(f"{path} already exists; give another name, or --overwrite to replace it")
