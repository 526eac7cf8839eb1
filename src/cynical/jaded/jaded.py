"""Jaded: the ranking, its summary and its files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..memory import Storage
from ..text.atomic_file import Output, check_different, check_output
from ..text.compression import inner_suffix
from ..text.escapes import escape_all
from ..text.places import Places
from .summary import Summary, read_summary, summary_path
from .tsv import COLUMNS, FEATURE_ENTROPY, SCORE, escape_field

if TYPE_CHECKING:
    import pandas

    from .._kernels.table import Texts

FORMATS = ("tsv", "text", "jsonl", "parquet", "csv", "ids")
SUFFIXES = {".tsv": "tsv", ".txt": "text", ".text": "text", ".tok": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SUFFIXES |= {".parquet": "parquet", ".csv": "csv", ".ids": "ids"}
OTHERS = (".json", ".counts")
BATCH = 1 << 13  # rows made at a time


@dataclass(frozen=True, eq=False)
class Jaded:
    """Lines of AVAILABLE, best first, each with what it takes off the cross-entropy of REPRESENTATIVE, in bits."""

    lines: NDArray[np.int64]  # line numbers, from 0
    delta: NDArray[np.float64]  # penalty + gain: the change of the entropy
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]  # after the pick; of single words
    feature_entropy: NDArray[np.float64] | None  # the same of words and n-grams together, where these count
    score: NDArray[np.float64] | None  # what the lines were ranked by, if it was something else than bits
    words: NDArray[np.int64]  # of the line
    word: NDArray[np.int64]  # the word that gains most, as a place in `vocabulary`; -1 if there is none
    stop: int  # the stopping point: so many picks give the lowest entropy
    entropy_before: float
    vocabulary: list[bytes] = field(repr=False)
    places: tuple[Places, ...] = field(repr=False)  # of AVAILABLE, then of its other sides
    columns: tuple[str, ...] = field(repr=False)  # what the other sides are called,
    replaces: tuple[str, ...] = field(repr=False)  # in place of what in the name of AVAILABLE
    id_key: str | None = field(repr=False)  # the field of records that names them
    summary: Summary = field(repr=False)
    storage: Storage | None = field(default=None, repr=False)  # whose watch over the memory ends with this ranking
    ranks: NDArray[np.int64] | None = field(default=None, repr=False)  # from 0, of a ranking of which this is a part

    def __len__(self) -> int:
        return len(self.lines)

    def __repr__(self) -> str:
        after = self.entropy[-1] if len(self) else self.entropy_before
        return f"<Jaded: {len(self):,} lines, {self.entropy_before:.4f} -> {after:.4f} bits, stop at {self.stop:,}>"

    @property
    def texts(self) -> list[str]:
        """The lines themselves, best first."""
        return self._decoded(0)

    @property
    def sides(self) -> dict[str, list[str]]:
        """The other sides of the lines, by name."""
        return {name: self._decoded(side) for side, name in enumerate(self.columns, 1)}

    @property
    def best_words(self) -> list[str]:
        """The word of each line that gains most, empty if there is none."""
        return self.best_words_of(slice(0, len(self)))

    def best_words_of(self, rows: slice) -> list[str]:
        """The same of some picks."""
        return [self.vocabulary[v].decode("utf-8", "replace") if v >= 0 else "" for v in self.word[rows].tolist()]

    def write(self, path: str | Path, *, format: str | None = None, overwrite: bool = False) -> None:
        """Write the ranking, and beside it the summary as JSON, whole or not at all; as text, a file for each side."""
        format = output_format(path, format)
        files = [(path, self.to_bytes(format))]
        if format == "text":
            others = side_paths(path, self.columns, self.replaces)
            files += [(other, self.to_bytes(format, side)) for side, other in enumerate(others, 1)]
        check_paths([file for file, _ in files], overwrite=overwrite)
        write_with_summary(files, self.summary, overwrite=overwrite)

    def to_bytes(self, format: str = "tsv", side: int = 0) -> Iterator[bytes]:
        """The ranking in a format, or as text one side's lines alone."""
        from .._kernels import table
        from . import formats as writing

        if format in ("jsonl", "csv", "parquet", "ids"):
            made = {"jsonl": writing.json_lines, "csv": writing.csv_table, "parquet": writing.parquet}
            yield from writing.ids(self, self.id_key) if format == "ids" else made[format](self)
            return
        if format == "tsv":
            columns = [name for name, _ in self.more_columns(slice(0, 0))]
            yield "\t".join((*COLUMNS[:-1], *self.more_numbers, *columns, *self.columns, COLUMNS[-1])).encode() + b"\n"
        names = _texts(escape_all(self.vocabulary))
        longest = int(np.diff(names.start).max(initial=0))
        for rows, lines in self._batches([side]) if format == "text" else self._rows():
            size = 2 * len(lines.blob) + len(lines.start)
            size += (rows.stop - rows.start) * (longest + 9 * (table.NUMBER + 1) + 2)
            out = np.empty(size, np.uint8)
            if format == "text":
                end = table.write_lines(out, lines)
            else:
                end = table.write_rows(out, self._columns(rows), names, lines)
            yield out[:end].tobytes()

    def _columns(self, rows: slice):  # type: ignore[no-untyped-def]
        from .._kernels.table import Columns

        numbers = np.stack([self.delta[rows], self.penalty[rows], self.gain[rows], self.entropy[rows]], axis=1)
        rank = self.ranks_of(rows)
        more = np.column_stack([np.zeros((len(rank), 0)), *(column[rows] for column in self.more_numbers.values())])
        return Columns(rank, self.lines[rows] + 1, numbers, self.words[rows], self.word[rows], more)

    def ranks_of(self, rows: slice) -> NDArray[np.int64]:
        """The ranks of some picks, from 1 on."""
        return 1 + (np.arange(rows.start, rows.stop) if self.ranks is None else self.ranks[rows])

    @property
    def more_numbers(self) -> dict[str, NDArray[np.float64]]:
        """Columns of numbers behind `word`."""
        columns = {FEATURE_ENTROPY: self.feature_entropy, SCORE: self.score}
        return {name: column for name, column in columns.items() if column is not None}

    def slices(self) -> Iterator[slice]:
        """Some picks at a time."""
        return (slice(begin, min(begin + BATCH, len(self))) for begin in range(0, len(self), BATCH))

    def more_columns(self, rows: slice) -> list[tuple[str, list[bytes]]]:
        """Which file a line is from, and what its record is called, where there is more than one answer; and what else
        the rows of a TSV file have."""
        from .formats import other_columns, record_ids

        made = []
        parts = self.places[0].corpus.parts
        if len(parts) > 1:
            part, number = self.places[0].in_files(self.lines[rows])
            made.append(("shard", [parts[one].name.encode() for one in part.tolist()]))
            made.append(("shard_line", [b"%d" % (one + 1) for one in number.tolist()]))
        if self.id_key is not None:
            made.append(("id", [one.encode("utf-8", "replace") for one in record_ids(self, rows, self.id_key)]))
        return made + other_columns(self, rows, [name for name, _ in made])

    def texts_of(self, side: int, rows: slice) -> list[bytes]:
        """Some lines of a side, as they were: a record's text may have several lines."""
        places, lines = self.places[side], self.lines[rows]
        texts = places.texts(lines)
        if any(part.several_lines for part in places.corpus.parts):
            file, number = places.in_files(lines)
            for one, part in enumerate(places.corpus.parts):
                here = np.flatnonzero(file == one)
                if part.several_lines and part.records is not None and len(here):
                    fields = part.records.fields(number[here].tolist(), part.records.text)
                    for place, text in zip(here.tolist(), fields, strict=True):
                        texts[place] = str(text).encode("utf-8", "replace")
        return texts

    @property
    def of_records(self) -> bool:
        """Is the text of some lines that of records, and so escaped in a table?"""
        return any(part.records is not None for part in self.places[0].corpus.parts)

    def _rows(self) -> Iterator[tuple[slice, Texts]]:
        """For a table: its further columns and the text, so many picks at a time."""
        several = any(part.several_lines for place in self.places for part in place.corpus.parts)
        if not (several or self.of_records or self.more_columns(slice(0, 0))):
            yield from self._batches([*range(1, len(self.places)), 0])
            return
        for rows in self.slices():
            columns = [column for _, column in self.more_columns(rows)]
            columns += [self.texts_of(side, rows) for side in range(1, len(self.places))]
            texts = self.texts_of(0, rows)
            columns.append([escape_field(text) for text in texts] if self.of_records else texts)
            yield rows, _texts([cell for row in zip(*columns, strict=True) for cell in row])

    def _batches(self, sides: Sequence[int]) -> Iterator[tuple[slice, Texts]]:
        """The bytes of some sides of the lines, so many picks at a time, the sides of a line together."""
        from .._kernels.table import Texts, gather

        for rows in self.slices():
            spans = [np.stack(self.places[side].spans(self.lines[rows])) for side in sides]
            part, first, last = np.stack(spans, axis=2).reshape(3, -1)
            start = np.zeros(len(part) + 1, np.int64)
            np.cumsum(last - first, out=start[1:])
            lines = Texts(np.empty(int(start[-1]), np.uint8), start)
            for place, side in enumerate(sides):
                for number in np.unique(part[place :: len(sides)]).tolist():
                    here = place + len(sides) * np.flatnonzero(part[place :: len(sides)] == number)
                    gather(self.places[side].corpus.parts[number].text, first, last, here, lines)
            yield rows, lines

    def _decoded(self, side: int) -> list[str]:
        return [text.decode("utf-8", "replace") for rows in self.slices() for text in self.texts_of(side, rows)]

    def to_arrow(self) -> Any:
        """An Arrow table of whole records, or lines, with the ranking's fields (cynical_rank, ...)."""
        from .formats import arrow_table

        return arrow_table(self)

    def to_polars(self) -> Any:
        """The same as a polars data frame."""
        try:
            import polars
        except ImportError:
            raise CynicalError("to_polars needs polars: pip install 'cynical[polars]'") from None
        return polars.from_arrow(self.to_arrow())

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the columns of the TSV file."""
        try:
            import pandas
        except ImportError as error:
            raise CynicalError("to_pandas needs pandas: pip install 'cynical[pandas]'") from error

        return pandas.DataFrame(
            {
                "rank": np.arange(1, len(self) + 1),
                "line": self.lines + 1,
                "delta": self.delta,
                "penalty": self.penalty,
                "gain": self.gain,
                "entropy": self.entropy,
                "words": self.words,
                "word": self.best_words,
                **self.more_numbers,
                **{
                    name: [cell.decode("utf-8", "replace") for cell in column]
                    for name, column in self.more_columns(slice(0, len(self)))
                },
                **self.sides,
                "text": self.texts,
            }
        )


def _texts(strings: list[bytes]) -> Texts:
    from .._kernels.table import Texts

    start = np.zeros(len(strings) + 1, np.int64)
    np.cumsum([len(string) for string in strings], out=start[1:])
    return Texts(np.frombuffer(b"".join(strings), np.uint8), start)


def output_format(path: str | Path, format: str | None) -> str:
    """The format asked for, else the one that the suffix stands for, else TSV."""
    if format is not None:
        if format not in FORMATS:
            raise CynicalError(f"--format {format}: no such format; choose from {', '.join(FORMATS)}")
        return format
    suffix = inner_suffix(path)
    if suffix in OTHERS:
        raise CynicalError(
            f"{path}: no format for {suffix}; name it .tsv, .txt or .jsonl, or give --format {'|'.join(FORMATS)}"
        )
    return SUFFIXES.get(suffix, "tsv")


def has_summary(path: str | Path) -> bool:
    """A summary stands beside a file, not beside a stream."""
    return str(path) != "-" and (Path(path).is_file() or not Path(path).exists())


def side_paths(path: str | Path, columns: Sequence[str], replaces: Sequence[str]) -> list[Path]:
    """Where the lines of the other sides go when those of AVAILABLE go to `path`."""
    if columns and not has_summary(path):
        raise CynicalError(f"{path}: as text, each side needs a file of its own; give -o FILE, or --format tsv")
    return [side_path(path, column, replaced) for column, replaced in zip(columns, replaces, strict=True)]


def side_path(path: str | Path, column: str, replaced: str) -> Path:
    """out.en makes out.de where 'de' is in place of 'en'; out.txt makes out.txt.de."""
    fields = Path(path).name.split(".")
    if replaced and replaced in fields[1:]:
        fields[len(fields) - 1 - fields[::-1].index(replaced)] = column
        return Path(path).with_name(".".join(fields))
    return Path(path).with_name(f"{Path(path).name}.{column}")


def check_paths(paths: Sequence[str | Path], *, overwrite: bool) -> None:
    """Refuse outputs that are there already, and a summary's place that something else has taken."""
    for path in paths:
        check_output(path, overwrite=overwrite)
    path = paths[0]
    beside = summary_path(path)
    check_different([*paths, beside] if has_summary(path) else paths)
    if has_summary(path):
        check_output(beside, overwrite=True)
    if has_summary(path) and beside.is_dir():
        raise CynicalError(f"{beside}: the summary goes here, but it is a folder; choose another name for the output")
    if has_summary(path) and beside.exists() and not overwrite and read_summary(path) is None:
        raise CynicalError(
            f"{beside}: the summary goes here, but it is another file; choose another name for the output"
        )


def write_with_summary(
    files: Sequence[tuple[str | Path, Iterable[bytes]]], summary: Summary | None, *, overwrite: bool
) -> None:
    """Write a ranking's files and the summary beside the first: all are whole before any gets its name."""
    path = files[0][0]
    with contextlib.ExitStack() as stack:
        beside = None
        if summary is not None and has_summary(path):
            beside = stack.enter_context(Output(summary_path(path), overwrite=True))
        outputs = [stack.enter_context(Output(file, overwrite=overwrite)) for file, _ in reversed(files)]
        for output, (_, pieces) in zip(reversed(outputs), files, strict=True):
            for data in pieces:
                output.write(data)
            output.flush()
        if beside is not None and summary is not None:
            beside.write(summary.to_json())
            beside.flush()
