"""Where a ranking is written, and its layout: one file or shards, the order of lines, and the lines that were not
picked.

Nothing gets its name before all of it is written, and the summary gets its name last.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import UNSET

from ..errors import CynicalError
from ..model.random_numbers import draw
from ..options import Layout
from ..text.atomic_file import Output, check_different, check_not_input, check_output
from ..text.compression import file_system, inner_suffix
from ..text.paths import exists, expand, is_folder, is_remote
from .columns import Columns
from .content import AnyLine, Content, PoolContent
from .files import SUFFIXES, has_summary, output_format, side_paths, unknown_suffix
from .formats import RECORDS, lost_in, marked, rejected_to_bytes, to_bytes, write_scores
from .jaded import Jaded
from .names import as_glob, check_pattern, folder_and_name, is_pattern, is_shard, shard_number, shard_path
from .rows import Reasons, RejectedRows
from .source import open_available, with_records
from .summary import Shard, Summary, WrittenAs
from .summary_file import read_summary, summarized, summary_path

REJECTED = ("tsv", *RECORDS)  # formats that have room for a reason


@dataclass(frozen=True, slots=True)
class Destination:
    """The files of a ranking, and how it is laid out in them."""

    output: str  # a file, - or the pattern of shards
    format: str
    layout: Layout
    overwrite: bool
    unknown: Sequence[str] = ()  # what to say of a name that does not tell the format

    @property
    def summary(self) -> str | None:
        """Where the summary goes, if there is one."""
        return summary_path(self.output) if has_summary(self.output) else None

    def paths(self, sides: Sequence[str], replaces: Sequence[str]) -> list[str]:
        """The file of AVAILABLE's lines and, as text, those of the other sides; patterns, where there are shards."""
        return [self.output, *(side_paths(self.output, sides, replaces) if self.format == "text" else [])]

    def check(self, sides: Sequence[str], replaces: Sequence[str], read: Iterable[str] = ()) -> list[str]:
        """Raise an error at once for what could not be written, such as a replacement of a file that is `read`; the
        paths."""
        paths, beside, rejected = self.paths(sides, replaces), self.summary, self.layout.rejected
        sharded = self.layout.shard_size is not None
        outputs = [shard_path(path, 0) for path in paths] if sharded else list(paths)
        everything = [*outputs, *([rejected] if rejected is not None else [])]
        older = {path: older_shards(path) for path in (paths if sharded else ())}
        replaced = [*everything, *itertools.chain.from_iterable(older.values())]
        check_not_input([*replaced, beside] if beside is not None else replaced, read)
        for path in everything:
            check_output(path, overwrite=self.overwrite)
        for path, there in older.items():
            self._check_older(path, there)
            if rejected is not None and is_shard(path, rejected):
                raise CynicalError(f"--rejected {rejected} is also the name of a shard; give another name")
        check_different([*everything, beside] if beside is not None else everything)
        if beside is not None:
            self._check_summary(beside)
        return paths

    def _check_older(self, pattern: str, there: Sequence[str]) -> None:
        """Raise an error rather than replace shards without being told to, or remove a file that is named like a shard
        but is from no earlier run."""
        if there and not self.overwrite:
            raise CynicalError(f"{there[0]} already exists; give another name, or --overwrite to replace all shards")
        numbers = {shard_number(pattern, file): file for file in there}
        earlier = read_summary(self.output)
        count = 0 if earlier is None else len(earlier.shards)
        while count in numbers:
            count += 1
        strange = next((file for number, file in numbers.items() if number is not None and number >= count), None)
        if strange is not None:
            raise CynicalError(
                f"{strange} is named like a shard, but the shards before it are missing, so it was not replaced; "
                "give another name, or remove the file"
            )

    def _check_summary(self, beside: str) -> None:
        check_output(beside, overwrite=True)
        if is_remote(beside):
            return
        if is_folder(beside):
            raise CynicalError(
                f"{beside} is a folder, but the summary would be written here; choose another name for the output"
            )
        if self.overwrite or not exists(beside):
            return
        earlier = read_summary(self.output)
        if earlier is None:
            raise CynicalError(
                f"{beside} is another file, but the summary would be written here; choose another name for the output"
            )
        there = next((file for file in summarized(beside, earlier) if exists(file)), None)
        if there is not None:
            raise CynicalError(
                f"{beside} is the summary of {there}, but the new summary would be written here; give another name, "
                "or --overwrite"
            )

    def write(self, jaded: Jaded, read: Iterable[str] = ()) -> list[str]:
        """Write a ranking and its summary, whole or not at all, but over nothing that is `read`; what the user should
        know."""
        jaded, lost = with_records(jaded, self.format)
        summary, sides = jaded.found_summary, jaded.content.sides
        known = {} if summary is None else {one.column: one.replaces for one in summary.available.sides}
        paths = self.check(sides, [known.get(name, "") for name in sides], read)
        columns, content = in_order(jaded.columns, jaded.content, self.layout)
        with contextlib.ExitStack() as stack:
            beside = None
            if summary is not None and self.summary is not None:
                beside = stack.enter_context(Output(self.summary, overwrite=True))
            if self.layout.rejected is not None:
                write_rejected(stack, jaded, self.layout.rejected, overwrite=self.overwrite)
            if self.layout.shard_size is None:
                shards: list[Shard] = []
                self._whole(stack, paths, columns, content, summary)
            else:
                shards = self._shards(stack, paths, columns, content)
            if beside is not None and summary is not None:
                fill(beside, [summary.replaced(written=self._written(shards)).to_json()])
        if self.overwrite and self.layout.shard_size is not None:
            for path in paths:
                remove([file for file in older_shards(path) if (shard_number(path, file) or 0) >= len(shards)])
        return [*self.unknown, *lost, *lost_in(self.format, content)]

    def _whole(
        self,
        stack: contextlib.ExitStack,
        paths: Sequence[str],
        columns: Columns,
        content: Content,
        summary: Summary | None,
    ) -> None:
        """One file, or as text one for each side; the first gets its name last."""
        outputs = [stack.enter_context(Output(path, overwrite=self.overwrite)) for path in reversed(paths)]
        for side, output in enumerate(reversed(outputs)):
            if self.format != "scores":
                fill(output, marked(to_bytes(self.format, columns, content, side)))
                continue
            if summary is None:
                raise CynicalError(
                    f"{self.output}: --format scores writes one row for each line of AVAILABLE, but the summary with "
                    "the number of lines is missing; restore the summary"
                )
            fill(output, write_scores(columns, summary.available.lines, summary.settings.get("per") == "word"))

    def _shards(
        self, stack: contextlib.ExitStack, paths: Sequence[str], columns: Columns, content: Content
    ) -> list[Shard]:
        size, made, outputs = self.layout.shard_size or 1, [], list[Output]()

        def name_in_order(*failed: Any) -> None:
            """Give shards their names from the first on: where that is interrupted, none before another is missing."""
            names = contextlib.ExitStack()
            for output in reversed(outputs):
                names.push(output)
            names.__exit__(*failed)

        stack.push(name_in_order)
        content = content.in_parts() if isinstance(content, PoolContent) else content
        for number, begin in enumerate(range(0, max(len(columns), 1), size)):
            rows = slice(begin, min(begin + size, len(columns)))
            part, texts = columns.take(rows), content.take(rows)
            for side, pattern in enumerate(paths):
                output = Output(shard_path(pattern, number), overwrite=self.overwrite, one_of_many=True)
                outputs.append(output.__enter__())
                shard = fill_shard(output, self.format, part, texts, side)
                made += [shard] if side == 0 else []
        return made

    def _written(self, shards: list[Shard]) -> WrittenAs:
        order = self.layout.output_order
        if order == "rank" and not shards:
            return UNSET  # type: ignore[return-value]
        return WrittenAs(order=order, random_seed=self.layout.order_seed if order == "random" else None, shards=shards)


def choose_destination(output: str, format: str | None, layout: Layout, overwrite: bool) -> Destination:
    """Where to write, and in which format; an error where the name and the layout do not fit."""
    chosen, sharded = output_format(output, format), layout.shard_size is not None
    if sharded and not is_pattern(output):
        raise CynicalError(
            f"{output}: with --shard-size the name must have a place for the number of a shard, for example "
            "picks-{:05d}.tsv"
        )
    if is_pattern(output):
        check_pattern(output)
    if is_pattern(output) and not sharded:
        raise CynicalError(f"{output} is a pattern for shards; give --shard-size N too, or a name without braces")
    if chosen == "scores" and (sharded or layout.output_order != "rank"):
        raise CynicalError(
            "--format scores writes one row for each line of AVAILABLE in the original order; omit --shard-size and "
            "--order"
        )
    if layout.rejected is not None:
        rejected_format(layout.rejected)
    return Destination(output, chosen, layout, overwrite, unknown_suffix(output, format))


def fill_shard(output: Output, format: str, columns: Columns, content: Content, side: int = 0) -> Shard:
    fill(output, marked(to_bytes(format, columns, content, side)))
    return Shard(name=folder_and_name(output.path)[1], lines=len(columns), bytes=output.size)


def fill(output: Output, pieces: Iterable[bytes]) -> None:
    for data in pieces:
        output.write(data)
    output.flush()


def in_order(columns: Columns, content: Content, layout: Layout) -> tuple[Columns, Content]:
    """A ranking in the order in which it is written."""
    if layout.output_order == "rank":
        return columns, content
    key = columns.line if layout.output_order == "pool" else draw(layout.order_seed, len(columns))
    order = np.argsort(key, kind="stable")
    return columns.take(order), content.take(order)


def write_rejected(stack: contextlib.ExitStack, jaded: Jaded, path: str, *, overwrite: bool) -> None:
    """Write what was not picked; the file gets its name when the stack is left."""
    rows = rejected_rows(jaded)
    fill(stack.enter_context(Output(path, overwrite=overwrite)), rejected_to_bytes(rejected_format(path), rows))


def rejected_rows(jaded: Jaded) -> RejectedRows:
    """The lines of AVAILABLE that were not picked."""
    content, reasons = jaded.content, jaded.reasons
    available: AnyLine
    if isinstance(content, AnyLine):
        available = content
    else:
        available = open_available(jaded.found_summary, jaded.name).at(np.zeros(0, np.int64))
    if reasons is None:
        reasons = Reasons(np.zeros(jaded.summary.available.lines, np.uint8), ())
    return RejectedRows(available, reasons, np.sort(jaded.lines))


def rejected_format(path: str) -> str:
    format = SUFFIXES.get(inner_suffix(path), "tsv")
    if format not in REJECTED:
        raise CynicalError(f"--rejected {path}: {format} has no place for the reason; use .{', .'.join(REJECTED)}")
    return format


def older_shards(pattern: str) -> list[str]:
    """Shards of this name that are there."""
    try:
        return [file for file in expand(as_glob(pattern)) if shard_number(pattern, file) is not None]
    except CynicalError:  # none is
        return []


def remove(files: Iterable[str]) -> None:
    """Remove shards of an earlier run that has had more of them."""
    for file in files:
        if is_remote(file):
            system, inside = file_system(file)
            system.rm(inside)
        else:
            Path(file).unlink(missing_ok=True)
