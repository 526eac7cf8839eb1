"""Input and output streams: files, standard input, URLs that fsspec opens; decompressed when read, compressed when
written."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from ..errors import CHECK_CONNECTION, CynicalError, os_error, tell
from .paths import is_remote, shown

BLOCK = 1 << 18
SUFFIXES = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd", ".xz": "xz", ".bz2": "bzip2"}
MAGIC = {
    rb"\x1f\x8b": "gzip",
    rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18": "zstd",
    rb"\xfd7zXZ\x00": "xz",
    rb"BZh[1-9](1AY&SY|\x17rE8P\x90)": "bzip2",
}
ANY_MAGIC = b"|".join(MAGIC)
LONGEST_MAGIC = 10
MOST_WINDOW = 1 << 31  # of zstd --long
STEP = 1 << 20  # bytes that are decompressed at a time
ZSTD_STEP = 1 << 8  # compressed bytes
_taken = False  # standard input, by a corpus
Made = TypeVar("Made")


class Decompressor(Protocol):
    """One compressed piece, decompressed in bounded steps: few bytes may decompress to thousands of times as many."""

    eof: bool
    unused_data: bytes  # what came after the end

    def steps(self, data: bytes) -> Iterator[bytes]:
        """More bytes, decompressed, at most some MB at a time."""
        ...


def compression_of(path: str | Path) -> str | None:
    """How a file is compressed, by its name."""
    return SUFFIXES.get(_apart(path)[1])


def inner_suffix(path: str | Path) -> str:
    """The suffix that tells what a file holds: that before .gz and the like."""
    name = str(path).partition("?")[0] if is_remote(path) else str(path)
    return _apart(_apart(name)[0] if compression_of(name) else name)[1]


def _apart(path: str | Path) -> tuple[str, str]:
    """A name without its suffix, and the suffix."""
    name, suffix = os.path.splitext(str(path))  # noqa: PTH122 - a tenth of the time of Path, and there may be many files
    return name, suffix.lower()


def compressed_as(begin: bytes) -> str | None:
    """How bytes are compressed, by how they begin."""
    found = re.match(ANY_MAGIC, begin, re.DOTALL)
    return None if found is None else next(kind for magic, kind in MAGIC.items() if re.match(magic, begin, re.DOTALL))


def is_compressed(path: str) -> bool:
    """Is a file compressed, by how it begins?"""
    with Path(path).open("rb") as file:
        return compressed_as(file.read(LONGEST_MAGIC)) is not None


def open_stream(path: str) -> BinaryIO:
    """A file, standard input or an address, as bytes; still compressed."""
    try:
        if path == "-":
            return _standard_input()
        if is_remote(path):
            system, inside = file_system(path)
            return cast(BinaryIO, _remotely(path, lambda: system.open(inside, "rb")))
        return Path(path).open("rb")
    except OSError as error:
        raise os_error(shown(path), error) from error


class Peeked:
    """A stream whose begin was read, and can be read again."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        """Read this many bytes, or up to the end of a line."""
        self._stream, self._begin = stream, b""
        read = getattr(stream, "read1", stream.read)
        while len(self._begin) < size and (more := read(BLOCK)):
            self._begin += more
            if compressed_as(self._begin) is None and b"\n" in more:
                break

    @property
    def begin(self) -> bytes:
        """How it begins, decompressed."""
        kind = compressed_as(self._begin)
        try:
            return self._begin if kind is None else _first_of(_decompressor(kind).steps(self._begin))
        except Exception as error:  # what is wrong shows when it is read
            if not _is_damage(error):
                raise
            return b""

    def read1(self, size: int = -1) -> bytes:
        if not self._begin:
            return cast(bytes, getattr(self._stream, "read1", self._stream.read)(size))
        begin, self._begin = self._begin, b""
        return begin

    read = read1

    def __enter__(self) -> Peeked:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def _first_of(pieces: Iterator[bytes]) -> bytes:
    """The first bytes of pieces, as many as one read of a file gives."""
    made = b""
    while len(made) < BLOCK and (more := next(pieces, None)) is not None:
        made += more
    return made


def begin_of(path: str, size: int) -> bytes:
    """How a file begins, decompressed."""
    with Peeked(open_stream(path), size) as peeked:
        return peeked.begin


def _is_damage(error: Exception) -> bool:
    """Is it what a decompressor says of damaged data?"""
    return type(error).__name__ in ("error", "OSError", "LZMAError", "ZstdError")


def blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """What a stream holds, decompressed if it is compressed, piece by piece."""
    read_some = getattr(stream, "read1", stream.read)  # what there is, at once, so that Ctrl-C does not wait for more
    read = (lambda size: _remotely(name, lambda: read_some(size))) if is_remote(name) else read_some
    first = b""
    while len(first) < LONGEST_MAGIC and (more := read(BLOCK)):
        first += more
    kind = compressed_as(first)
    if kind is None:
        while first:
            yield first
            first = read(BLOCK)
        return
    decompressor, data = _decompressor(kind), first
    try:
        while True:
            if decompressor.eof:  # one compressed piece may follow another
                data = decompressor.unused_data + data
                if not data.strip(b"\0"):
                    data = read(BLOCK)
                    if not data:
                        return
                    continue
                decompressor = _decompressor(kind)
            for decompressed in decompressor.steps(data):
                if decompressed:
                    yield decompressed
            data = b""
            if not decompressor.eof:
                data = read(BLOCK)
                if not data:
                    raise EOFError
    except EOFError:
        raise CynicalError(f"{name}: the {kind} file is truncated; download or compress it again") from None
    except Exception as error:
        if not _is_damage(error):
            raise
        raise CynicalError(f"{name}: the {kind} file is damaged ({error}); download or compress it again") from None


def file_system(url: str) -> tuple[Any, str]:
    """What opens an address, and the path within it."""
    import fsspec

    try:
        return cast(tuple[Any, str], fsspec.core.url_to_fs(url))
    except ImportError as error:
        scheme = url.partition("://")[0]
        package = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "hf": "huggingface_hub", "abfs": "adlfs", "az": "adlfs"}
        package |= {"http": "aiohttp", "https": "aiohttp", "ssh": "paramiko", "sftp": "paramiko"}
        named = package.get(scheme)
        remedy = f"pip install {named}" if named else f"install the package that fsspec needs for it ({error})"
        raise CynicalError(f"{url}: {scheme}:// needs a package that is not installed; {remedy}") from None
    except ValueError as error:
        raise CynicalError(f"{url}: {error}; check the address") from None


def exists_remotely(url: str) -> bool:
    """Is there anything at an address?"""
    system, inside = file_system(url)
    return bool(_remotely(url, lambda: system.exists(inside)))


def _remotely(name: str, work: Callable[[], Made]) -> Made:
    """What goes wrong far away has many names."""
    try:
        return work()
    except (OSError, CynicalError):
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise CynicalError(f"{name}: cannot be read ({said}); {CHECK_CONNECTION}") from None


def compressed_writer(file: BinaryIO, path: str | Path) -> BinaryIO:
    """A file to write to, compressed as the suffix of its name says; closing it ends the compression."""
    kind = compression_of(path)
    if kind == "gzip":
        return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=6))
    if kind == "zstd":
        import zstandard

        return cast(BinaryIO, zstandard.ZstdCompressor().stream_writer(file, closefd=False))
    if kind == "xz":
        return cast(BinaryIO, lzma.LZMAFile(file, "wb"))
    if kind == "bzip2":
        return cast(BinaryIO, bz2.BZ2File(file, "wb"))
    return file


class _Gzip:
    def __init__(self) -> None:
        self._inner, self.eof, self.unused_data = zlib.decompressobj(wbits=31), False, b""

    def steps(self, data: bytes) -> Iterator[bytes]:
        made = b"" if not data else self._inner.decompress(data, STEP)
        yield made
        while self._inner.unconsumed_tail or len(made) == STEP:
            made = self._inner.decompress(self._inner.unconsumed_tail, STEP)
            yield made
        self.eof, self.unused_data = self._inner.eof, self._inner.unused_data


class _Buffered:
    """bz2 and lzma, which keep what they have not decompressed yet."""

    def __init__(self, inner: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._inner, self.eof, self.unused_data = inner, False, b""

    def steps(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data, STEP)
        while not self._inner.needs_input and not self._inner.eof:
            yield self._inner.decompress(b"", STEP)
        self.eof, self.unused_data = self._inner.eof, self._inner.unused_data


class _Zstd:
    """zstandard decompresses everything it is given, so it is given little: 4 bytes may decompress to 128 kB."""

    def __init__(self) -> None:
        import zstandard

        self._inner = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW).decompressobj()
        self.eof, self.unused_data = False, b""

    def steps(self, data: bytes) -> Iterator[bytes]:
        for begin in range(0, len(data), ZSTD_STEP):
            yield self._inner.decompress(data[begin : begin + ZSTD_STEP])
            if self._inner.eof:
                self.eof, self.unused_data = True, self._inner.unused_data + data[begin + ZSTD_STEP :]
                return


def _decompressor(kind: str) -> Decompressor:
    if kind == "gzip":
        return _Gzip()
    if kind == "zstd":
        return _Zstd()
    return _Buffered(bz2.BZ2Decompressor() if kind == "bzip2" else lzma.LZMADecompressor())


def _standard_input() -> BinaryIO:
    global _taken
    if sys.stdin is None:
        raise CynicalError("standard input is closed; give a file instead of -")
    if _taken:
        raise CynicalError("standard input can be read only once; save it to a file and give the name of the file")
    _taken = True
    if sys.stdin.isatty():
        tell("reading standard input; press Ctrl-D to end it")
    return sys.stdin.buffer
