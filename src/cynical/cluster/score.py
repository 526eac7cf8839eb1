"""Lines scored by many machines, each a part of AVAILABLE. The parts are concatenated in order."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from ..errors import os_error
from ..jaded.files import side_paths
from ..options import Reading, TextOptions
from ..options.scoring import ScoreFormat, Scoring
from ..progress import Progress
from ..scoring.frozen import Frozen, tables_of
from ..scoring.run import Done, check_texts, notices_of, output_format, run
from ..scoring.stream import HowToStream
from ..scoring.tables import TABLES, from_parts
from ..selection.available import LocalFiles
from ..selection.inputs import Inputs
from ..selection.shards import Each
from ..text.atomic_file import Output
from ..text.partition import Share, files_of, shares_of
from ..text.paths import is_remote
from ..text.reader import number_of_jobs
from ..text.sources import check_one_kind
from ..text.streams import CUT, Told
from .messages import Plan
from .parts import check_seen, scratch_beside
from .workers import Hire, dismissing, hire_workers

HEADED = ("tsv",)  # formats of which only the first part keeps its first line
BLOCK = 1 << 20  # bytes that are copied at a time


@dataclass(frozen=True, slots=True)
class HowToScore:
    """What lines are scored against, and how they are read."""

    frozen: Frozen
    of_records: bool  # is REPRESENTATIVE, or what else was read before?
    reading: Reading
    jobs: int | None  # threads of a worker


@dataclass(frozen=True, slots=True)
class _Scored:
    """What a worker says of its part."""

    done: Done
    told: Told
    machine: str


def score_on_workers(
    inputs: Inputs, scoring: Scoring, how: HowToScore, workers: int, hire: Hire, *, overwrite: bool = False
) -> Done:
    """Score AVAILABLE, line by line, into one file, as a run in one place writes it."""
    files = [files_of(side, how.reading) for side in inputs.available]
    format = output_format(scoring, check_one_kind(files[0], how.reading))
    shares = shares_of(files[0], how.reading, workers, CUT if len(files) == 1 else ())
    own = [number for number, share in enumerate(shares, 1) if share.pieces]
    plan = Plan(TextOptions(), 1, how.reading, 1, None, 1, None, os.getcwd())  # noqa: PTH109 - see SharedFiles
    lines = replace(inputs, targets=[], unadapted=None, seed=None, exclude=None)
    with _scratch_for(scoring.output) as folder, dismissing(hire) as hire_one:
        crew = hire_workers([Share(()) for _ in own], plan, hire_one)
        paths = [str(folder / f"part-{number:05d}") for number in own]
        parts = [(number, len(shares)) for number in own]
        told = replace(scoring, format=cast(ScoreFormat, format)), how, lines
        found: list[_Scored] = crew.call(_score, (*told, Each(paths), Each(parts)), lasting=False)
        for path, one in zip(paths, found, strict=True):
            check_seen(path, one.machine)
        done = _added(found, format, how.reading)
        _put_together(paths, inputs, scoring.output, format, overwrite)
    return done


def _score(
    shard: LocalFiles, scoring: Scoring, how: HowToScore, inputs: Inputs, path: str, part: tuple[int, int]
) -> _Scored:
    """Score a part into a file, which may be there from a worker that was lost."""
    jobs = 1 if how.jobs is None else number_of_jobs(how.jobs)
    stream = HowToStream(how.reading, jobs, Progress(), Told([]), how.of_records)
    done = run(tables_of(how.frozen), inputs, replace(scoring, output=path), stream, part, overwrite=True, whole=False)
    return _Scored(done, stream.told, platform.node())


@contextmanager
def _scratch_for(output: str) -> Iterator[Path]:
    """A folder for parts: beside the file that they go to, or where there is none, that of the system."""
    if output == "-" or is_remote(output):
        with tempfile.TemporaryDirectory(prefix="cynical-") as folder:
            yield Path(folder)
    else:
        with scratch_beside(output) as beside:
            yield beside


def _put_together(paths: Sequence[str], inputs: Inputs, output: str, format: str, overwrite: bool) -> None:
    """Write the parts one after another; as text, those of each side into a file of its own."""
    sides = [[path, *(_other_sides(path, inputs) if format == "text" else ())] for path in paths]
    with ExitStack() as stack:
        made = [output, *(_other_sides(output, inputs) if format == "text" else ())]
        outputs = [stack.enter_context(Output(path, overwrite=overwrite)) for path in made]
        for to, parts in zip(outputs, zip(*sides, strict=True), strict=True):
            if format in TABLES:
                for piece in from_parts(format, parts):
                    to.write(piece)
                continue
            begun = False
            for part in parts:
                for block in _blocks(Path(part), headless=begun and format in HEADED):
                    to.write(block)
                    begun = True
        for to in outputs:
            to.flush()


def _other_sides(path: str, inputs: Inputs) -> list[str]:
    return [str(one) for one in side_paths(path, inputs.columns, inputs.replaces)]


def _blocks(path: Path, *, headless: bool) -> Iterator[bytes]:
    """What a file has, without its first line or with it."""
    try:
        with path.open("rb") as file:
            if headless:
                file.readline()
            while block := file.read(BLOCK):
                yield block
    except OSError as error:
        raise os_error(path, error) from error


def _added(found: Sequence[_Scored], format: str, reading: Reading) -> Done:
    """What all parts came to."""
    done, told = Done(), Told([])
    for one in found:
        if one.told.broken and not told.broken:
            told.first_broken = done.lines + one.told.first_broken
        told.broken += one.told.broken
        for name in ("lines", "words", "written", "better"):
            setattr(done, name, getattr(done, name) + getattr(one.done, name))
        done.known |= one.done.known
        told.remarks += [remark for remark in one.told.remarks if remark not in told.remarks]
        told.bad, told.first_bad = told.bad + one.told.bad, told.first_bad or one.told.first_bad
    check_texts(done, told)
    done.notices = notices_of(done, told, format, reading)
    return done
