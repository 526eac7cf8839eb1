"""Remote files, through fsspec, that are written completely or not at all.

Stores that show an object only when it is complete are written to under its name: some are told when (s3://, gs://),
others go by the end of the file (hf://, abfs://). Anything else is written under a temporary name and then moved.
"""

from __future__ import annotations

import contextlib
import io
import secrets
from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar, cast

from ..errors import CHECK_CONNECTION, CynicalError, os_error
from .compression import exists_remotely, file_system

COMMITTED = ("s3", "s3a", "gs", "gcs")  # where an upload is completed or aborted when one says so
AT_CLOSE = ("hf", "abfs", "abfss", "az", "adl")  # where the end of the file completes it
REPLACING = ("memory", "file", "local")  # where what is moved replaces what was there
READ_ONLY = ("http", "https")
Made = TypeVar("Made")


class RemoteFile(io.RawIOBase):
    """One file that is being written; closing it sends all, and afterwards only its name is missing."""

    def __init__(self, url: str) -> None:
        self._size = 0
        self._url = url
        self._scheme = url.partition("://")[0]
        self._system: Any = None
        self._inside = self._temporary = ""
        self._file: Any = None

    def open(self) -> BinaryIO:
        self._system, self._inside = file_system(self._url)
        if self._scheme in COMMITTED:
            self._file = self._try(lambda: self._system.open(self._inside, "wb", autocommit=False))
            with contextlib.suppress(ValueError, AttributeError):  # it is ours to complete
                self._system.transaction.files.remove(self._file)
        elif self._scheme in AT_CLOSE:
            self._file = self._try(lambda: self._system.open(self._inside, "wb"))
        else:
            folder = self._inside.rpartition("/")[0]
            self._temporary = f"{folder}/.cynical-{secrets.token_hex(8)}.tmp"
            self._file = self._try(lambda: self._system.open(self._temporary, "wb"))
        return cast(BinaryIO, self)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._try(lambda: self._file.write(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def close(self) -> None:
        if not self.closed and self._file is not None and self._scheme not in AT_CLOSE:
            self._try(self._file.close)
        super().close()

    def give_name(self, overwrite: bool) -> None:
        """Have it under its name."""
        if not overwrite and self._try(lambda: self._system.exists(self._inside)):
            raise FileExistsError(self._url)
        if self._scheme in COMMITTED:
            self._try(self._file.commit)
        elif self._scheme in AT_CLOSE:
            self._try(self._file.close)
        else:
            self._try(lambda: self._move(overwrite))
            self._temporary = ""
        self._file = None

    def _move(self, overwrite: bool) -> None:
        """Not every store replaces a file, or says that it did not."""
        if overwrite and self._scheme not in REPLACING and self._system.exists(self._inside):
            self._system.rm(self._inside)
        self._system.mv(self._temporary, self._inside)
        if not self._system.exists(self._inside):
            raise OSError(f"the store could not move {self._temporary} to this name")

    def discard(self) -> None:
        """Remove everything that was written."""
        if self._file is None:
            return
        with contextlib.suppress(Exception):  # what else goes wrong makes no difference
            if self._scheme in COMMITTED:
                self._file.discard()
            elif self._temporary:
                with contextlib.suppress(Exception):
                    self._file.close()
                self._system.rm(self._temporary)
        with contextlib.suppress(AttributeError):
            self._file.closed = True  # so that nothing is sent when it is forgotten
        self._file = None

    def _try(self, work: Callable[[], Made]) -> Made:
        """What goes wrong far away has many names."""
        try:
            return work()
        except OSError as error:
            raise os_error(self._url, error) from error
        except CynicalError:
            raise
        except Exception as error:
            said = " ".join(str(error).split())[:120] or type(error).__name__
            raise CynicalError(f"{self._url}: cannot be written ({said}); {CHECK_CONNECTION}") from None


def check_remote(url: str, *, overwrite: bool) -> None:
    """Raise an error at once for what could not be written after hours of work."""
    if url.startswith(tuple(f"{one}://" for one in READ_ONLY)):
        raise CynicalError(f"{url}: cannot write to a web address; give a file, or an address such as s3://")
    if url.endswith("/"):
        raise CynicalError(f"{url} is a folder; give the name of a file")
    if not overwrite and exists_remotely(url):
        raise CynicalError(f"{url} already exists; give another name, or --overwrite to replace it")
