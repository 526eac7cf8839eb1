"""What a page knows of REPRESENTATIVE, and of HELDOUT and AVAILABLE beside it: their words, and which class each has.

REPRESENTATIVE is what was given or, failing that, the files that the ranking's summary names, if they are still there
and as large as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classes import Thresholds
from ..corpus import Corpus
from ..counting import count_single_words, counts_in
from ..counts import Counts, union
from ..errors import CynicalError
from ..index import build
from ..opening import Reading, open_corpus
from ..progress import Progress
from ..reading import number_of_jobs
from ..target import Features, Target
from ..tokens import Tokenizer

SMALL = 1 << 30  # bytes: a text that is read without being asked for
GROUPS = ("useful", "meh", "dubious", "bad", "impossible", "useless")  # classes in the order of a feature's turn


@dataclass(frozen=True, slots=True)
class Corpora:
    """The corpora of a page, and how they are read."""

    representative: Sequence[str | Path] = ()  # each is a target
    heldout: str | Path | None = None
    available: Sequence[str | Path] = ()  # together they are one corpus
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    reading: Reading = field(default_factory=Reading)
    jobs: int | None = None


@dataclass(slots=True, eq=False)
class Wanted:
    """The words that a page follows through a ranking: those of REPRESENTATIVE, then those only HELDOUT has."""

    name: str
    words: Counts  # all of them; their counts are those of both texts together
    p: NDArray[np.float64]  # by word, in REPRESENTATIVE
    count: NDArray[np.int64]  # by word, in REPRESENTATIVE
    types: int  # of REPRESENTATIVE, which come first
    other: float  # the mass of words that are only known by their number
    heldout: NDArray[np.float64] | None  # by word: its share of HELDOUT
    group: NDArray[np.int8]  # by word: its class, as a place in GROUPS; -1 where that is not known
    classes: list[dict[str, Any]] | None  # each with its types, and its share of REPRESENTATIVE and of AVAILABLE
    lengths: NDArray[np.int64] | None  # of the lines of REPRESENTATIVE, in words; not of counts
    representative: list[dict[str, Any]]  # the name and the sizes of each target
    held_out: dict[str, Any] | None
    missing: list[str] = field(default_factory=list)  # what is not known, and how to get it


def find_representative(summary: dict[str, Any] | None) -> tuple[list[list[Path]], str]:
    """The files of each target that a summary names; none, and why, if they are not what they were."""
    said = "give -r REPR for unknown words, words by class, the most useful words and why a line was picked"
    known = (summary or {}).get("representative") or {}
    targets = [one.get("files") or [] for one in known.get("targets") or [known]]
    if summary is None or not all(targets):
        return [], f"{said}: no summary names its files"
    for file in (file for files in targets for file in files):
        if not _is_there(file):
            return [], f"{said}: {file['path']} is not there any more as it was"
    return [[Path(file["path"]) for file in files] for files in targets], ""


def _is_there(file: dict[str, Any]) -> bool:
    """Is a file that a summary names still as large as it was?"""
    path = Path(file["path"])
    return path.is_file() and path.stat().st_size == file["bytes"]


def open_wanted(summary: dict[str, Any] | None, corpora: Corpora, progress: Progress) -> tuple[Wanted | None, str]:
    """What is wanted, or why it is not known."""
    sources: list[Any] = [path if str(path) == "-" else str(path) for path in corpora.representative]
    if not sources:
        sources, why = find_representative(summary)
        if not sources:
            return None, why
    targets = [_read(source, "REPRESENTATIVE", corpora, progress) for source in sources]
    weights = [one["weight"] for one in ((summary or {}).get("representative") or {}).get("targets") or []]
    target = Target([[counts] for _, counts in targets], weights if len(weights) == len(targets) > 1 else None)
    held = None if corpora.heldout is None else _read(str(corpora.heldout), "HELDOUT", corpora, progress)[1]
    wanted = target.features.sides[0]
    words = wanted if held is None else union([wanted, held])
    more = len(words) - len(wanted)  # what only HELDOUT has stands behind
    made = Wanted(
        ", ".join(corpus.name for corpus, _ in targets),
        words,
        np.append(target.single, np.zeros(more)),
        np.append(wanted.count, np.zeros(more, np.int64)),
        len(wanted),
        target.other(1),
        None if held is None else words.aligned(held) / held.total,
        np.full(len(words), -1, np.int8),
        None,
        _lengths([corpus for corpus, _ in targets], wanted, corpora, progress),
        [_sizes(corpus.name, counts) for corpus, counts in targets],
        None if held is None else _sizes(str(corpora.heldout), held),
    )
    available, why = _available(summary, corpora)
    if available is None:
        made.missing.append(f"give -a AVAIL for words by class: {why}")
    else:
        counts = count_single_words(available, single_words(corpora.tokenizer), corpora.jobs, progress, "AVAILABLE")
        settings = (summary or {}).get("settings") or {}
        thresholds = Thresholds(*(settings[name] for name in ("min_count", "ratio_threshold") if settings.get(name)))
        made.classes = _classify(made, target, counts, thresholds)
    return made, ""


def _sizes(name: str, counts: Counts) -> dict[str, Any]:
    return {"name": name, "lines": counts.lines, "words": counts.total, "types": len(counts)}


def single_words(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer for words alone."""
    return Tokenizer(tokenizer.name, tokenizer.lowercase, 1, tokenizer.normalize)


def _read(source: Any, role: str, corpora: Corpora, progress: Progress) -> tuple[Corpus, Counts]:
    corpus = open_corpus(source, role, corpora.reading)
    counts = count_single_words(corpus, single_words(corpora.tokenizer), corpora.jobs, progress, role)
    if not len(counts):
        raise CynicalError(f"{corpus.name}: all words of {role} were folded; count with a lower --fold-below")
    return corpus, counts


def _lengths(
    targets: Sequence[Corpus], words: Counts, corpora: Corpora, progress: Progress
) -> NDArray[np.int64] | None:
    """How long the lines of REPRESENTATIVE are; blank ones do not count."""
    if any(counts_in(target) is not None for target in targets):
        return None
    jobs, features = number_of_jobs(corpora.jobs), Features([words])
    found = [build([target], single_words(corpora.tokenizer), features, jobs, progress).length for target in targets]
    lengths = np.concatenate(found).astype(np.int64)
    return lengths[lengths > 0]


def _available(summary: dict[str, Any] | None, corpora: Corpora) -> tuple[Corpus | None, str]:
    """AVAILABLE as given, or as the summary names it, if it is small."""
    if corpora.available:
        return open_corpus([Path(path) for path in corpora.available], "AVAILABLE", corpora.reading), ""
    files = ((summary or {}).get("available") or {}).get("files") or []
    if not files:
        return None, "no summary names its files"
    if sum(file["bytes"] for file in files) > SMALL:
        return None, "it is too large to be read without being asked for"
    paths = [Path(file["path"]) for file in files]
    if not all(
        path.is_file() and path.stat().st_size == file["bytes"] for path, file in zip(paths, files, strict=True)
    ):
        return None, "its files are not there any more as they were"
    return open_corpus(paths, "AVAILABLE", corpora.reading), ""


def _classify(wanted: Wanted, target: Target, available: Counts, thresholds: Thresholds) -> list[dict[str, Any]]:
    """Give each representative word its class; words of all others are useless."""
    seen = target.aligned([available])
    numbers = target.classify(seen, [available.total], seen, thresholds)
    wanted.group[: wanted.types] = target.turn
    mass = np.bincount(target.turn, target.single, len(GROUPS))
    have = np.bincount(target.turn, seen, len(GROUPS)) / available.total
    have[-1] = 1 - have.sum()
    types = [numbers.get(name, len(available) - int(np.count_nonzero(seen))) for name in GROUPS]
    rows = zip(GROUPS, types, mass.tolist(), have.tolist(), strict=True)
    return [{"name": name, "types": n, "representative": r, "available": a} for name, n, r, a in rows]
