"""Jaded: the ranking, its summary and its files."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from .corpus import Places
from .counts import escape_all
from .errors import CynicalError, os_error
from .output import Output, check_output

if TYPE_CHECKING:
    import pandas

    from ._kernels.table import Texts

COLUMNS = ("rank", "line", "delta", "penalty", "gain", "entropy", "words", "word", "text")
FORMATS = ("tsv", "text")
SUFFIXES = {".tsv": "tsv", ".txt": "text", ".text": "text", ".tok": "text"}
LATER = (".jsonl", ".ndjson", ".parquet", ".gz", ".zst", ".xz", ".bz2", ".csv", ".json", ".counts")
PARTS = ("available", "entropy", "search", "stop")  # of a summary, that others rely on
BATCH = 1 << 13  # rows made at a time


@dataclass(frozen=True, eq=False)
class Jaded:
    """Lines of AVAILABLE, best first, each with what it takes off the cross-entropy of REPRESENTATIVE, in bits."""

    lines: NDArray[np.int64]  # line numbers, from 0
    delta: NDArray[np.float64]  # penalty + gain: the change of the entropy
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]  # after the pick
    words: NDArray[np.int64]  # of the line
    word: NDArray[np.int64]  # the word that gains most, as a place in `vocabulary`; -1 if there is none
    stop: int  # the stopping point: so many picks give the lowest entropy
    entropy_before: float
    vocabulary: list[bytes] = field(repr=False)
    places: Places = field(repr=False)
    summary: dict[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    def __repr__(self) -> str:
        after = self.entropy[-1] if len(self) else self.entropy_before
        return f"<Jaded: {len(self):,} lines, {self.entropy_before:.4f} -> {after:.4f} bits, stop at {self.stop:,}>"

    @property
    def texts(self) -> list[str]:
        """The lines themselves, best first."""
        return [text.decode("utf-8", "replace") for batch in self._batches() for text in _split(batch[1])]

    @property
    def best_words(self) -> list[str]:
        """The word of each line that gains most, empty if there is none."""
        return [self.vocabulary[v].decode("utf-8", "replace") if v >= 0 else "" for v in self.word.tolist()]

    def write(self, path: str | Path, *, format: str | None = None, overwrite: bool = False) -> None:
        """Write the ranking, and beside it the summary as JSON, whole or not at all."""
        format = output_format(path, format)
        check_paths(path, overwrite=overwrite)
        write_with_summary(path, self.to_bytes(format), self.summary, overwrite=overwrite)

    def to_bytes(self, format: str = "tsv") -> Iterator[bytes]:
        from ._kernels import table

        if format == "tsv":
            yield "\t".join(COLUMNS).encode() + b"\n"
        names = _texts(escape_all(self.vocabulary))
        longest = int(np.diff(names.start).max(initial=0))
        for rows, lines in self._batches():
            size = len(lines.blob) + (rows.stop - rows.start) * (longest + 7 * (table.NUMBER + 1) + 2)
            out = np.empty(size, np.uint8)
            if format == "text":
                end = table.write_lines(out, lines)
            else:
                end = table.write_rows(out, self._columns(rows), names, lines)
            yield out[:end].tobytes()

    def _columns(self, rows: slice):  # type: ignore[no-untyped-def]
        from ._kernels.table import Columns

        numbers = np.stack([self.delta[rows], self.penalty[rows], self.gain[rows], self.entropy[rows]], axis=1)
        rank = np.arange(rows.start + 1, rows.stop + 1)
        return Columns(rank, self.lines[rows] + 1, numbers, self.words[rows], self.word[rows])

    def _batches(self) -> Iterator[tuple[slice, Texts]]:
        """The lines' bytes, so many picks at a time."""
        from ._kernels.table import Texts, gather

        for begin in range(0, len(self), BATCH):
            rows = slice(begin, min(begin + BATCH, len(self)))
            part, first, last = self.places.spans(self.lines[rows])
            start = np.zeros(len(part) + 1, np.int64)
            np.cumsum(last - first, out=start[1:])
            lines = Texts(np.empty(int(start[-1]), np.uint8), start)
            for number in np.unique(part).tolist():
                text = self.places.corpus.parts[number].text
                gather(text, first, last, np.flatnonzero(part == number), lines)
            yield rows, lines

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
                "text": self.texts,
            }
        )


def _split(lines: Texts) -> Iterator[bytes]:
    raw, start = lines.blob.tobytes(), lines.start.tolist()
    return (raw[a:b] for a, b in itertools.pairwise(start))


def _texts(strings: list[bytes]) -> Texts:
    from ._kernels.table import Texts

    start = np.zeros(len(strings) + 1, np.int64)
    np.cumsum([len(string) for string in strings], out=start[1:])
    return Texts(np.frombuffer(b"".join(strings), np.uint8), start)


def output_format(path: str | Path, format: str | None) -> str:
    """The format asked for, else the one that the suffix stands for, else TSV."""
    if format is not None:
        if format not in FORMATS:
            raise CynicalError(f"--format {format}: no such format; choose from {', '.join(FORMATS)}")
        return format
    suffix = Path(path).suffix.lower()
    if suffix in LATER:
        raise CynicalError(
            f"{path}: no format for {suffix}; name it .tsv or .txt, or give --format {'|'.join(FORMATS)}"
        )
    return SUFFIXES.get(suffix, "tsv")


def summary_path(path: str | Path) -> Path:
    return Path(f"{path}.json")


def has_summary(path: str | Path) -> bool:
    """A summary stands beside a file, not beside a stream."""
    return str(path) != "-" and (Path(path).is_file() or not Path(path).exists())


def check_paths(path: str | Path, *, overwrite: bool) -> None:
    """Refuse an output that is there already, and a summary's place that something else has taken."""
    check_output(path, overwrite=overwrite)
    beside = summary_path(path)
    if has_summary(path):
        check_output(beside, overwrite=True)
    if has_summary(path) and beside.is_dir():
        raise CynicalError(f"{beside}: the summary goes here, but it is a folder; choose another name for the output")
    if has_summary(path) and beside.exists() and not overwrite and read_summary(path) is None:
        raise CynicalError(
            f"{beside}: the summary goes here, but it is another file; choose another name for the output"
        )


def write_with_summary(
    path: str | Path, pieces: Iterable[bytes], summary: dict[str, Any] | None, *, overwrite: bool
) -> None:
    """Write a ranking and the summary beside it: both are whole before either gets its name, the ranking first."""
    with contextlib.ExitStack() as stack:
        beside = None
        if summary is not None and has_summary(path):
            beside = stack.enter_context(Output(summary_path(path), overwrite=True))
        output = stack.enter_context(Output(path, overwrite=overwrite))
        for data in pieces:
            output.write(data)
        output.flush()
        if beside is not None:
            beside.write(orjson.dumps(summary, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
            beside.flush()


def read_summary(path: str | Path) -> dict[str, Any] | None:
    """The summary beside a ranking, or None if there is none."""
    beside = summary_path(path)
    try:
        found = orjson.loads(beside.read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return None
    except OSError as error:
        raise os_error(beside, error) from error
    ours = isinstance(found, dict) and "cynical" in found
    return found if ours and all(isinstance(found.get(part), dict) for part in PARTS) else None
