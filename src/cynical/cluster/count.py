"""Counts of a text that many machines read, each its share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import CynicalError
from ..model.count import count_words, no_words
from ..model.counts import Counts, union
from ..options import Reading, TextOptions
from ..selection.available import LocalFiles
from ..text.compression import begin_of
from ..text.corpus import Corpus, Part
from ..text.fields import text_key
from ..text.kinds import BEGIN
from ..text.partition import files_of, share_out
from ..text.paths import shown
from ..text.reader import number_of_jobs
from ..text.records import LineRecords
from ..text.sources import check_one_kind, check_text_key, remarks
from .messages import Plan
from .workers import Hire, dismissing, hire_workers


@dataclass(frozen=True, slots=True)
class HowToCount:
    """What is counted of a text."""

    text: TextOptions
    ngrams: int
    reading: Reading
    jobs: int | None  # threads of a worker


@dataclass(frozen=True, slots=True)
class _Counted:
    """What a shard has counted."""

    counts: Counts
    bad: int  # records that were skipped
    first_bad: str


def count_on_workers(source: Any, how: HowToCount, workers: int, hire: Hire) -> tuple[Counts, Corpus]:
    """The counts of all files together; and the corpus that they are, without its text."""
    files = files_of(source, how.reading, role="CORPUS")
    jobs = 1 if how.jobs is None else number_of_jobs(how.jobs)
    folder = os.getcwd()  # noqa: PTH109 - a folder that was removed has no Path
    plan = Plan(how.text, how.ngrams, how.reading, 1, None, jobs, None, folder)
    with dismissing(hire) as hire_one:
        crew = hire_workers(share_out(files, how.reading, workers), plan, hire_one)
        found: list[_Counted] = crew.call(_count, (), lasting=False)
    corpus = _describe(files, found, how.reading)
    check_text_key(how.reading, [corpus])
    counts = replace(union([one.counts for one in found]), name=corpus.name)
    if not counts.total:
        raise CynicalError(no_words(corpus.name, "corpus", counts.lines))
    return counts, corpus


def _count(shard: LocalFiles) -> _Counted:
    corpus, how = shard.sides[0], shard.how
    counts = count_words(corpus, how.tokenizer, how.jobs, how.progress, "corpus", may_be_empty=True)
    return _Counted(counts, corpus.bad, next((part.first_bad for part in corpus.parts if part.bad), ""))


def _describe(files: Sequence[str], found: Sequence[_Counted], reading: Reading) -> Corpus:
    kind, name = check_one_kind(files, reading), ", ".join(map(shown, files))
    bad = sum(one.bad for one in found)
    first = next((one.first_bad for one in found if one.bad), "")
    records = None if kind == "text" else LineRecords(kind, [], text_key(reading))
    corpus = Corpus(name, [replace(Part.in_memory(name, b""), bad=bad, first_bad=first, records=records)])
    if kind == "text":
        corpus.remarks = remarks(files[0], shown(files[0]), begin_of(files[0], BEGIN)[:BEGIN], reading)
    return corpus
