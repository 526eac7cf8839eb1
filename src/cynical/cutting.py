"""Cut a ranking again without running it again."""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CynicalError, os_error
from .jaded import COLUMNS, check_paths, output_format, read_summary, write_with_summary
from .selection.budget import Budget, share_of

TEXT = COLUMNS.index("text")
WORDS, DELTA, ENTROPY = COLUMNS.index("words"), COLUMNS.index("delta"), COLUMNS.index("entropy")


@dataclass(frozen=True, slots=True)
class Cut:
    """What was kept of what there was."""

    lines: int
    words: int
    ranked: int
    entropy_before: float
    entropy: float
    notices: list[str]


def cut(path: str | Path, out: str | Path, budget: Budget, stop: bool, format: str | None, overwrite: bool) -> Cut:
    """Keep the longest prefix of a ranking that fits the budget, or ends at its stopping point."""
    if stop and not budget.open:
        raise CynicalError(f"--stop and {budget.sentence} contradict each other; give one of them")
    if budget.open and not stop:
        raise CynicalError("say where to cut: --lines N, --words N, --share F or --stop")
    format = output_format(out, format)
    check_paths(out, overwrite=overwrite)
    summary = read_summary(path)
    ranking = _Ranking(path)
    kept, notices = _how_many(ranking, budget, stop, summary, path)
    words = sum(ranking.words[:kept])
    entropy = ranking.entropy[kept - 1] if kept else ranking.before
    changed = _cut_summary(summary, ranking, path, budget, stop, kept) if summary is not None else None
    write_with_summary(out, ranking.to_bytes(kept, format), changed, overwrite=overwrite)
    return Cut(kept, words, len(ranking.words), ranking.before, entropy, notices)


class _Ranking:
    """A Jaded file, mapped: where its rows begin, and what they say."""

    def __init__(self, path: str | Path) -> None:
        try:
            with Path(path).open("rb") as file:
                file.seek(0, 2)
                self._raw: bytes | mmap.mmap = (
                    mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.tell() else b""
                )
        except OSError as error:
            raise os_error(path, error) from error
        end = self._raw.find(b"\n")
        header = self._raw[: max(end, 0)].rstrip(b"\r").split(b"\t")
        if header[: len(COLUMNS) - 1] != [name.encode() for name in COLUMNS[:-1]] or header[-1] != b"text":
            raise CynicalError(
                f"{path} line 1: expected the header of a ranking ({' '.join(COLUMNS[:3])} ...); "
                "give a .tsv file that cynical select has written"
            )
        self._columns = len(header)
        self.words: list[int] = []
        self.entropy: list[float] = []
        self._starts = [end + 1]
        self.before = float("nan")
        while (begin := self._starts[-1]) < len(self._raw):
            end = self._raw.find(b"\n", begin)
            fields = self._raw[begin : end if end >= 0 else len(self._raw)].split(b"\t", self._columns - 1)
            try:
                if end < 0 or len(fields) < self._columns:
                    raise ValueError
                self.words.append(int(fields[WORDS]))
                self.entropy.append(float(fields[ENTROPY]))
                if self.words[-1] < 1 or not math.isfinite(self.entropy[-1]):
                    raise ValueError
                if len(self.words) == 1:
                    self.before = self.entropy[0] - float(fields[DELTA])
            except ValueError:
                raise CynicalError(
                    f"{path} line {len(self._starts) + 1}: expected {self._columns} columns with numbers, found "
                    f"{b' '.join(fields)[:40].decode(errors='replace')!r}; the ranking is damaged, make it anew"
                ) from None
            self._starts.append(end + 1)

    def stop(self, lines: int) -> int:
        """Where the entropy is lowest among the first lines, as far as nine digits tell."""
        path = [self.before, *self.entropy[:lines]]
        return path.index(min(path)) if lines else 0

    def to_bytes(self, lines: int, format: str) -> Iterator[bytes]:
        if format == "tsv":
            yield self._raw[: self._starts[lines]]
            return
        for begin, end in zip(self._starts[:lines], self._starts[1 : lines + 1], strict=True):
            yield self._raw[begin:end].split(b"\t", self._columns - 1)[-1]


def _how_many(
    ranking: _Ranking, budget: Budget, stop: bool, summary: dict[str, Any] | None, path: str | Path
) -> tuple[int, list[str]]:
    ranked, notices = len(ranking.words), []
    if stop:
        if summary is not None and not summary["stop"]["known"]:
            notices.append("the ranking may be too short to know its stopping point; rank further to be sure")
        exactly = summary["stop"]["lines"] if summary is not None else ranked + 1
        return exactly if exactly <= ranked else ranking.stop(ranked), notices
    most = budget.words
    if budget.share is not None:
        if summary is None:
            raise CynicalError(
                f"{path}.json: needed to know how many words AVAILABLE has; give --words N instead of --share"
            )
        most = share_of(budget.share, summary["available"]["words"])
    kept, words = 0, 0
    while kept < ranked and (budget.lines is None or kept < budget.lines):
        words += ranking.words[kept]
        if most is not None and words > most:
            break
        kept += 1
    all_ranked = summary is not None and summary["search"]["ended_by"] == "lines"
    if kept == ranked and not all_ranked and not (budget.lines == ranked or words == most):
        notices.append(f"the ranking ends after {ranked:,} lines, before {budget.sentence} does; all of it was kept")
    return kept, notices


def _cut_summary(
    summary: dict[str, Any], ranking: _Ranking, path: str | Path, budget: Budget, stop: bool, kept: int
) -> dict[str, Any]:
    """The summary of the ranking, with what the cut has changed."""
    before, available = summary["entropy"]["before"], summary["available"]
    words, after = sum(ranking.words[:kept]), ranking.entropy[kept - 1] if kept else before
    changed: dict[str, Any] = {
        "cut": {"from": str(path), "to": "--stop" if stop else budget.sentence},
        "picked": {
            "lines": kept,
            "words": words,
            "share_of_lines": kept / available["lines"],
            "share_of_words": words / available["words"],
        },
        "entropy": {"before": before, "after": after},
        "perplexity": {"before": 2.0**before, "after": 2.0**after},
        "covered": None,
    }
    if kept < len(ranking.words):
        changed["search"] = {**summary["search"], "ended_by": "cut", "ranked": kept}
    if summary["stop"]["lines"] > kept:
        lowest = ranking.stop(kept)
        changed["stop"] = {
            "lines": lowest,
            "words": sum(ranking.words[:lowest]),
            "entropy": ranking.entropy[lowest - 1] if lowest else before,
            "known": False,
        }
    return {**summary, **changed}
