"""A source, whatever it is, as a corpus: files of all kinds, addresses, strings, columns of tables in memory."""

from __future__ import annotations

import io
import mmap
import os
import re
import tempfile
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ..errors import CynicalError, os_error
from ..memory import human
from ..options import Reading
from .checksum import Checksum
from .compression import (
    LONGEST_MAGIC,
    Peeked,
    begin_of,
    blocks,
    compressed_as,
    inner_suffix,
    is_compressed,
    open_stream,
)
from .corpus import Corpus, Part, Records
from .fields import text_key
from .given import find_texts, take_texts
from .kinds import BEGIN, FORMATS, SCORES_SUFFIX, TAR, check_text, kind_of, looks_like, parquet_of_stream, text_begins
from .many_files import LazyFile
from .parquet import ParquetRecords, read_parquet, sum_up
from .paths import MANY, Name, are_files, expand_all, is_remote, open_files, shown
from .records import LineRecords, Texts, read_json_lines
from .tables import read_csv, read_tsv
from .units import Origins

WITHIN_A_LINE = re.compile(rb"[^\n]")
EXPANSION, LARGE = 100, 1 << 28  # times, and bytes of text, from which on it is said
SMALL = 1 << 16  # bytes: of many files, those of this size are not held open but copied
NO_TEXT = ("--prior", "--by", "--labels")  # roles of files that have a number or a label for each line

Source = Corpus | str | Path | Sequence[Path] | Sequence[Name] | Iterable[str] | Iterable[Mapping[str, object]]


def kind_in(path: str, reading: Reading) -> str:
    """What a file holds."""
    return kind_of(path, reading, lambda: _begin(path))


def _begin(path: str) -> bytes:
    try:
        return begin_of(path, LONGEST_MAGIC)
    except OSError as error:
        raise os_error(shown(path), error) from error


def check_text_key(reading: Reading, corpora: Iterable[object]) -> None:
    """See to it that there are records, where something was said of them."""
    named = reading.text_key is not None or reading.text_template is not None
    if not (named or reading.unit != "document") or any(isinstance(one, Corpus) and one.of_records for one in corpora):
        return
    said = f"{text_key(reading).given} names" if named else f"--unit {reading.unit} splits the text of"
    raise CynicalError(
        f"{said} {'a field of ' if named else ''}records, but all inputs are plain text; omit it, or give "
        f"--input-format {FORMATS}"
    )


def open_corpus(
    source: Any, role: str, reading: Reading | None = None, *, most: int | None = None, rankings: bool = False
) -> Corpus:
    """A path, '-', a list of paths, strings (those are lines) or a column that holds them; a corpus is itself.

    Of compressed files at most `most` bytes of text are read, if a sample will do. Unless the caller knows what to do
    with `rankings`, one is an error.
    """
    reading = Reading() if reading is None else reading
    if isinstance(source, Corpus):
        return source
    if isinstance(source, (str, Path)):
        corpus = from_paths([source], reading, most=most, rankings=rankings, role=role)
    elif are_files(source):
        corpus = from_paths(source, reading, most=most, rankings=rankings, role=role)
    else:
        corpus = from_memory(source, role, reading)
    if corpus.bad and not any(WITHIN_A_LINE.search(part.text(part.begin, part.end).data) for part in corpus.parts):
        first = next(part.first_bad for part in corpus.parts if part.bad)
        raise CynicalError(f"{corpus.name}: no record has a text (the first: {first}); check --text-key")
    return corpus


def in_memory_as(role: str) -> str:
    """What a summary names in place of a file."""
    return f"{role} in memory"


def from_memory(source: Any, role: str, reading: Reading) -> Corpus:
    """Strings or records in memory, whatever they hold; positions stay what they are."""
    given = find_texts(source, role, reading)
    found = take_texts(given, role, reading)
    part = replace(Part.in_memory(in_memory_as(role), found.lines), folded=found.folded)
    records = given.records
    if records is not None:
        records = replace(records, checksum=Checksum().update(found.lines), origin=found.origin)
    called = f"{len(given.texts)} {'strings' if records is None else 'records'}"
    return Corpus(called, [replace(part, records=records, bad=found.bad, first_bad=found.first_bad)])


def from_paths(
    paths: Sequence[str | Path],
    reading: Reading,
    groups: range | None = None,
    *,
    most: int | None = None,
    rankings: bool = False,
    role: str = "AVAILABLE",
) -> Corpus:
    """The files that some names mean; of Parquet files, all row groups or some; of compressed ones, all or that many
    bytes of text. Rankings are an error, unless the caller knows what to do with them."""
    files = expand_all(paths)
    scores = next((file for file in files if inner_suffix(file) == SCORES_SUFFIX), None)
    if scores is not None and role not in NO_TEXT:
        raise CynicalError(f"{shown(scores)}: this is a file of scores, but {role} must be text; give the text")
    each = None if most is None else max(most // len(files), SMALL)
    opener = _Opener(reading, groups, many=len(files) > MANY, most=each)
    parts = [opener.open(file) for file in files]
    for part in parts if len(files) > MANY else ():
        if isinstance(part.file, LazyFile):
            open_files.hold(part.file)
    _check_same(opener.kinds)
    corpus = Corpus(", ".join(shown(path) for path in paths), opener.finish(parts))
    corpus.whole = corpus.size + opener.unread if opener.unread else 0
    for part in corpus.parts if not rankings else ():
        check_not_ranking(part, role)
    corpus.remarks = _expanded(corpus.parts)
    first = corpus.parts[0]
    if first.records is None and not first.is_ranking and not first.is_counts:
        corpus.remarks += remarks(
            files[0], first.name, first.raw[first.begin : min(first.begin + BEGIN, first.end)], reading
        )
    return corpus


def check_not_ranking(part: Part, role: str) -> None:
    if part.is_ranking:
        raise CynicalError(
            f"{part.name}: this is a ranking, but {role} must be text; convert it with `cynical cut {part.name} "
            "--lines N -o lines.txt`"
        )


def from_block(data: bytes, kind: str, name: str, reading: Reading, before: int) -> Corpus:
    """Some records of a file that is read in blocks of whole lines; `before` are the lines of the file before them."""
    opener = _Opener(reading, in_memory=True, before=before)
    return Corpus(name, opener.finish([opener.records_of(io.BytesIO(data), kind, name)]))


def _expanded(parts: Sequence[Part]) -> list[str]:
    """Which compressed files have become suspiciously much text."""
    return [
        f"{part.name}: {human(part.size)} of compressed text grew to {human(part.end - part.begin)} in --scratch; "
        "check the file if this is unexpected"
        for part in parts
        if part.end - part.begin > max(LARGE, EXPANSION * part.size)
    ]


def remarks(path: str, name: str, begin: bytes, reading: Reading) -> list[str]:
    """What a text that begins so looks like, if that is something else than text."""
    check_text(begin, name)
    what = None if reading.input_format == "text" else looks_like(path, begin)
    return [f"{name}: {what}"] if what else []


def check_one_kind(files: Sequence[str], reading: Reading) -> str:
    """What all files of a corpus hold."""
    return _check_same({kind_in(file, reading): file for file in files})


def _check_same(kinds: Mapping[str, str]) -> str:
    """The one kind that all files are of; `kinds` has a file of each."""
    if len(kinds) > 1:
        named = " and ".join(f"{shown(file)} ({kind})" for kind, file in kinds.items())
        raise CynicalError(f"{named}: a corpus cannot mix file formats; convert the files to one format")
    return next(iter(kinds), "text")


class _Opener:
    """Opens the files of one corpus; what cannot be mapped goes into spools that all of them share."""

    def __init__(
        self,
        reading: Reading,
        groups: range | None = None,
        many: bool = False,
        most: int | None = None,
        in_memory: bool = False,
        before: int = 0,
    ) -> None:
        """Of Parquet files, all row groups or some; of many files, small texts are copied rather than mapped; of
        compressed files, at most that many bytes of text are read. Of a file that is read in blocks, `before` are the
        lines before this one."""
        self._reading, self._groups, self._many, self._most, self._before = reading, groups, many, most, before
        self.kinds: dict[str, str] = {}  # what files hold, and one of those that hold it
        self.unread = 0  # bytes of text that were not, about
        self._left = 0.0  # of the file at hand: what was not read, as a share of what was
        self._in_memory = in_memory
        self._folders: dict[str, str] = {}  # from the root on
        self._texts, self._records = (Buffer() if in_memory else Spool(reading.scratch) for _ in range(2))

    def records_of(self, stream: BinaryIO, kind: str, name: str) -> Part:
        """Records of a stream."""
        return self._of_records("-", name, kind, stream)

    def open(self, path: str) -> Part:
        name, stream = shown(path), None
        try:
            if path == "-":
                name, stream = "standard input", cast(BinaryIO, Peeked(open_stream(path), LONGEST_MAGIC))
                kind = kind_of(path, self._reading, lambda: cast(Peeked, stream).begin)
            else:
                kind = kind_in(path, self._reading)
            self.kinds.setdefault(kind, path)
            if kind == "text":
                return self._plain(path, name) if stream is None else self._spooled(stream, path, name)
            return self._of_records(path, name, kind, stream)
        except OSError as error:
            raise os_error(name, error) from error

    def finish(self, parts: Sequence[Part]) -> list[Part]:
        """The parts, now that the spools are complete."""
        texts, records = self._texts.mapped(), self._records.mapped()
        made = []
        for part in parts:
            if part.raw == b"" and part.end > part.begin:
                part = replace(part, raw=texts, file=self._texts.file)
            if isinstance(part.records, LineRecords) and part.records.raw == b"":
                part.records.raw = records
            made.append(part)
        return made

    def _plain(self, path: str, name: str) -> Part:
        """A text; read where it is if it is a file that is not compressed."""
        if not is_remote(path) and _is_file(path):
            whole = self._absolute(path)
            with open(path, "rb") as file:  # noqa: PTH123 - there may be many files, and Path takes longer
                size, begin = os.fstat(file.fileno()).st_size, file.read(LONGEST_MAGIC)
                where = {"path": shown(whole), "size": size}
                if self._many and 0 < size <= SMALL and compressed_as(begin) is None:
                    return self._copy(begin + file.read(), name, **where)  # type: ignore[arg-type]
                if size and compressed_as(begin) is None:
                    check_text(begin, name)
                    lazy = LazyFile.of(whole, name, file)
                    return Part(name, lazy, text_begins(begin), lazy.size, lazy, **where)  # type: ignore[arg-type]
                file.seek(0)
                return replace(self._spooled(file, path, name), **where)  # type: ignore[arg-type]
        with open_stream(path) as stream:
            return self._spooled(stream, path, name)

    def _absolute(self, path: str) -> str:
        """A path from the root on; folders are looked up once, since there may be many files in each."""
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = str(Path(folder).absolute())
        return f"{self._folders[folder]}{os.sep}{name}" if folder != os.sep else path

    def _copy(self, text: bytes, name: str, path: str, size: int) -> Part:
        """A small text, in the spool."""
        check_text(text, name)
        begin = self._texts.size
        self._texts.write(text)
        end = self._texts.size
        self._texts.end_line()
        return Part(name, b"", min(begin + text_begins(text), end), end, path=path, size=size)

    def _spooled(self, stream: BinaryIO, path: str, name: str) -> Part:
        begin, first = self._texts.size, b""
        for block in blocks(stream, name):
            if len(first) < TAR.stop:
                first += block[: TAR.stop]
                check_text(first, name)
            self._texts.write(block)
            if self._is_enough(stream, path, self._texts.size - begin):
                break
        end = self._texts.size
        self._guess_rest(end - begin)
        self._texts.end_line()
        return Part(name, b"", min(begin + text_begins(first), end), end, size=end - begin)

    def _is_enough(self, stream: BinaryIO, path: str, size: int) -> bool:
        """Was so much of a compressed file read that the rest can be guessed?"""
        if self._most is None or size < self._most or path == "-" or is_remote(path) or not is_compressed(path):
            return False
        self._left = Path(path).stat().st_size / max(stream.tell(), 1) - 1
        return True

    def _guess_rest(self, size: int) -> None:
        """The rest of a file is like the bytes of text that it began with."""
        self.unread += round(size * self._left)
        self._left = 0.0

    def _begin_of(self, path: str) -> BinaryIO:
        """Records of a compressed file, as many as will do; all of any other."""
        if path == "-" or is_remote(path) or not is_compressed(path):
            return open_stream(path)
        begin = io.BytesIO()
        with open_stream(path) as stream:
            for block in blocks(stream, path):
                begin.write(block)
                if self._is_enough(stream, path, begin.tell()):
                    begin.truncate(begin.getvalue().rfind(b"\n") + 1)
                    break
        begin.seek(0)
        return begin

    def _of_records(self, path: str, name: str, kind: str, stream: BinaryIO | None) -> Part:
        """Records of a file, or of a stream that can be read only once."""
        which, begin = text_key(self._reading), self._texts.size
        origins = Origins(self._reading.unit)
        skip, plain = self._reading.bad_records == "skip", self._in_memory
        texts = Texts(name, skip, self._texts.write, origins, decompressed=plain, before=self._before)
        local = path != "-" and not is_remote(path)
        records: Records
        if kind == "parquet" and stream is not None:
            raise parquet_of_stream(name)
        known = LazyFile.at(path, name) if local and _is_file(path) else None  # before anything of it is read
        if kind == "parquet":
            scratch = self._reading.scratch
            copied = local and is_compressed(path)
            opened = parquet_opener(path, name, self._reading)
            records = ParquetRecords(kind, which, name, opened, scratch=scratch, file=None if copied else known)
            read_parquet(records.open, which, texts, self._groups)
            if self._groups is None or self._groups.start == 0:  # once for each file, whoever reads it
                records.checksum = sum_up(records.open)
        else:
            again = local and kind != "csv" and not is_compressed(path)
            if stream is None:
                stream = open_stream(path) if self._most is None or kind == "csv" else self._begin_of(path)
            with stream:
                records = self._of_lines(stream, kind, texts, again)
            records.checksum = texts.checksum
            if again and known is not None and texts.checksum.size:
                known.size, records.raw = texts.checksum.size, known
        records.origin = origins.finish()
        end = self._texts.size
        self._guess_rest(end - begin)
        where = (
            {"path": shown(Path(path).absolute()), "size": Path(path).stat().st_size}
            if local
            else {"size": end - begin}
        )
        bad = (texts.folded, texts.bad, texts.first_bad)
        return Part(name, b"", begin, end, None, where.get("path"), where["size"], records, *bad)  # type: ignore[arg-type]

    def _of_lines(self, stream: BinaryIO, kind: str, texts: Texts, again: bool) -> LineRecords:
        """Records that are lines; `again` says that the file itself can be read again."""
        which, before = text_key(self._reading), self._records.size
        keep = None if again else self._records.write
        header: list[str] = []
        if kind == "jsonl":
            starts = read_json_lines(stream, which, texts, keep)
        elif kind == "tsv":
            starts, header = read_tsv(stream, which, texts, keep)
        else:
            starts, header = read_csv(stream, which, texts, self._records.write)
        start = np.array(array("q", starts), np.int64)
        return LineRecords(kind, header, which, start=start if again else start + before)


def parquet_opener(path: str, name: str, reading: Reading) -> Callable[[], BinaryIO]:
    """How a Parquet file is opened to be read from any place on: a compressed one is decompressed into --scratch."""
    if is_remote(path) or not is_compressed(path):
        return lambda: open_stream(path)
    spool = Spool(reading.scratch)
    with open_stream(path) as stream:
        for block in blocks(stream, name):
            spool.write(block)
    whole = spool.mapped()

    def opened() -> BinaryIO:
        import pyarrow

        return cast(BinaryIO, pyarrow.BufferReader(pyarrow.py_buffer(whole)))

    return opened


class Spool:
    """A temporary file that no folder lists, so that nothing of it is left, whatever happens; made when needed."""

    def __init__(self, scratch: str | Path | None) -> None:
        self._scratch = scratch
        self.file: BinaryIO | None = None
        self.size = 0
        self._last = 10

    def write(self, data: bytes) -> None:
        if not data:
            return
        try:
            if self.file is None:
                self.file = cast(BinaryIO, tempfile.TemporaryFile(prefix="cynical-", dir=self._scratch))  # noqa: SIM115
            self.file.write(data)
        except OSError as error:
            raise os_error(f"{self._scratch or tempfile.gettempdir()} (--scratch)", error) from error
        self.size += len(data)
        self._last = data[-1]

    def end_line(self) -> None:
        """So that one part's last line does not run into the next part."""
        if self._last != 10:
            self.write(b"\n")

    def mapped(self) -> bytes | mmap.mmap:
        if self.file is None:
            return b""
        try:
            self.file.flush()
        except OSError as error:
            raise os_error(f"{self._scratch or tempfile.gettempdir()} (--scratch)", error) from error
        return mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ)


class Buffer(Spool):
    """The same in memory, for few lines."""

    def __init__(self) -> None:
        super().__init__(None)
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> None:
        if data:
            self._pieces.append(data)
            self.size += len(data)
            self._last = data[-1]

    def mapped(self) -> bytes:
        return b"".join(self._pieces)


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113 - any string may come here, also one that no path can be
