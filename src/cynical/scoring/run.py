"""One run of `score`: lines in, scored lines out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ..errors import CynicalError
from ..jaded.content import PREFIX
from ..jaded.files import OTHERS, SUFFIXES, side_paths
from ..options import Reading
from ..options.scoring import FORMATS, Scoring
from ..selection.inputs import Inputs
from ..selection.sides import check_none_skipped
from ..text.atomic_file import Output
from ..text.compression import inner_suffix
from ..text.fields import TEXT
from ..text.partition import Piece, files_of, pieces_of
from ..text.paths import expand_all
from ..text.sources import check_text_key
from ..text.streams import CUT, Told, nothing_in
from .formats import to_bytes, to_part
from .frozen import Tables
from .stream import HowToStream, Scored, SideFiles, below, nothing_scored, score_stream

OF_RECORDS = ("jsonl", "csv", "parquet")  # formats that have whole records


@dataclass(slots=True)
class Done:
    """What a run came to."""

    lines: int = 0
    words: int = 0
    written: int = 0  # lines that are below the limit
    better: int = 0  # lines that would lower the entropy
    known: bool = False  # has any line a word of REPRESENTATIVE?
    notices: list[str] = field(default_factory=list)

    @property
    def unknown(self) -> list[str]:
        """What to say of lines that have nothing in common with REPRESENTATIVE."""
        if not self.words or self.known:
            return []
        return [
            "no line has a word of REPRESENTATIVE; check that both are in the same language, tokenized and cased in "
            "the same way"
        ]

    def count(self, scored: Scored, kept: int) -> None:
        scores = scored.scores
        self.lines += len(scored)
        self.words += int(scores.words.sum())
        self.better += int((scores.delta < 0).sum())
        self.known |= bool(scores.gain.any())
        self.written += kept


def run(
    tables: Tables,
    inputs: Inputs,
    scoring: Scoring,
    how: HowToStream,
    part: tuple[int, int] | None = None,
    *,
    overwrite: bool = False,
    whole: bool = True,
) -> Done:
    """Score AVAILABLE, line by line, into a file or a stream; what is not whole is to be put together with others."""
    sides, done = sides_of(inputs, part, how), Done()

    def counted() -> Iterator[Scored]:
        for scored in score_stream(tables, sides, how):
            kept = below(scored, scoring.below)
            done.count(scored, len(kept))
            yield kept

    with ExitStack() as stack:
        stream = counted()
        first = list(islice(stream, 1))  # which shows what the lines are
        if not how.of_records:
            check_text_key(how.reading, [scored.content.places[0].corpus for scored in first])
        format = output_format(scoring, how.told.kind)
        paths: list[str | Path] = [scoring.output]
        if format == "text":
            paths += side_paths(scoring.output, inputs.columns, inputs.replaces)
        outputs = [stack.enter_context(Output(path, overwrite=overwrite)) for path in paths]
        scored = chain(first or [nothing_scored(tables, sides, how)], stream)
        for pieces in (to_bytes if whole else to_part)(format, scored, inputs.columns):
            for output, piece in zip(outputs, pieces, strict=True):
                output.write(piece)
        check_none_skipped(len(sides), how.told.bad > 0)
        if part is None:
            check_texts(done, how.told)
        for output in outputs:
            output.flush()
    done.notices = notices_of(done, how.told, format, how.reading)
    return done


def check_texts(done: Done, told: Told) -> None:
    """Records of which none has a text; in a part of the input that may be."""
    if told.bad and not done.lines:
        raise CynicalError(f"no record has a text (the first: {told.first_bad}); check --text-key")


def notices_of(done: Done, told: Told, format: str, reading: Reading) -> list[str]:
    """What the user should know."""
    notices = [*told.notices("AVAILABLE"), *done.unknown]
    if reading.unit != "document" and done.written and format in OF_RECORDS:
        notices.append(
            f"each record was written once for each {reading.unit}, which is its field {PREFIX}{TEXT}: rank or score "
            f"them with --text-key {PREFIX}{TEXT} and without --unit"
        )
    return notices


def sides_of(inputs: Inputs, part: tuple[int, int] | None, how: HowToStream) -> list[SideFiles]:
    """AVAILABLE and its other sides, or the part of them that is asked for."""
    names = ["AVAILABLE", *inputs.columns]
    if part is None:
        files = [expand_all(_paths(side)) for side in inputs.available]
        pieces = [tuple(Piece(number, file) for number, file in enumerate(one)) for one in files]
        return [SideFiles(_named(one, name), some) for one, name, some in zip(files, names, pieces, strict=True)]
    files = [files_of(side, how.reading, "--part") for side in inputs.available]
    if len({len(one) for one in files}) > 1:
        raise CynicalError(
            "--part: the sides have different numbers of files; give the files of all sides in the same order"
        )
    own = pieces_of(files[0], part, how.reading, CUT if len(files) == 1 else ())
    shares = [own, *(tuple(Piece(one.part, other[one.part]) for one in own) for other in files[1:])]
    how.told.remarks += nothing_in(part, own)
    return [SideFiles(_named(one, name), share) for one, name, share in zip(files, names, shares, strict=True)]


def _named(files: Sequence[str], name: str) -> str:
    return files[0] if len(files) == 1 and files[0] != "-" else name


def _paths(source: Any) -> list[str | Path]:
    return [source] if isinstance(source, (str, Path)) else list(source)


def output_format(scoring: Scoring, kind: str) -> str:
    """The format asked for, else the one of the suffix, else that of the lines, which are of this kind."""
    path, limited = scoring.output, scoring.below is not None
    suffix = inner_suffix(path)
    if scoring.format is None and suffix in OTHERS:
        raise CynicalError(f"{path}: unknown suffix {suffix}; use .tsv or .jsonl, or give --format {'|'.join(FORMATS)}")
    by_kind = {"text": "text" if limited else "scores", "parquet": "jsonl"}.get(kind, kind)
    format = scoring.format or SUFFIXES.get(suffix, by_kind)
    if format == "text" and not limited:
        raise CynicalError(
            f"{path}: the text format has no scores; give --format scores for one number per line, or --below X"
        )
    if format not in FORMATS:
        raise CynicalError(f"{path}: the format ids is for rankings, not for scores; give --format tsv")
    if format == "scores" and limited:
        raise CynicalError(
            "--format scores writes a number for every line, but --below omits lines; give --format text, tsv or jsonl"
        )
    return format
