"""Jaded: a ranking, made by a run or read from a file."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from msgspec import UNSET

from ..errors import CynicalError, number_of, warn
from ..memory import Storage
from ..options import Budget, Layout
from ..options.output import Order
from ..text.corpus import File
from .columns import Bits, Columns, Numbers, batches
from .content import Content
from .money import paid_sides, spent, terms_of
from .prefix import check_cut, longest_prefix, stop_of, summary_of_part
from .summary import CutFrom, Summary

if TYPE_CHECKING:
    import pandas

    from .kept import Recipe
    from .rows import Reasons

SHOWN = 10  # picks in a notebook
LONGEST = 200  # characters of a line there
NO_BUDGET = Budget()
NAME = "the ranking"  # of one that is in no file


class Pick(NamedTuple):
    """A line of a ranking. `rank` and `line`, its number in AVAILABLE, count from 1, as in the file."""

    rank: int
    line: int
    delta: float
    penalty: float
    gain: float
    entropy: float
    words: int
    word: str
    text: str


class Jaded:
    """A ranking: lines of AVAILABLE, best first, each with its change of the cross-entropy of REPRESENTATIVE in bits.

    `select`, `rank` and `read` return it. It has a length and can be iterated over (each item is a `Pick`) and sliced:
    `jaded[:1000]` is a `Jaded` of the first thousand lines, with unchanged ranks. Its pickle is small: texts of files
    are read from these files again when they are accessed.

    Indices count from 0: `lines` are positions in AVAILABLE, so `pool[jaded.lines[0]]` is the best
    line. The columns `line` and `rank` of files, data frames and picks count from 1, as editors and `sed -n` do.
    """

    def __init__(
        self,
        columns: Columns,
        content: Content | Recipe,
        summary: Summary | None,
        entropy_before: float,
        stop: int,
        file: File | None = None,
        storage: Storage | None = None,
        reasons: Reasons | None = None,
    ) -> None:
        self.columns = columns
        self._content = content
        self.found_summary = summary  # None where a file has none beside it
        self.entropy_before = entropy_before  # before the first pick; not a number where nobody knows it
        self.stop = stop  # the stopping point: this many picks give the lowest entropy, or the best model
        self.file = file  # that it was read from
        self.storage = storage  # whose watch over the memory ends with this ranking
        self.reasons = reasons  # why lines of AVAILABLE were not picked, if that is known

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        after = self.entropy[-1] if len(self) else self.entropy_before
        lines = number_of(len(self), "line")
        is_cut = self.found_summary is not None and self.found_summary.cut is not UNSET
        stop = "" if is_cut else f", stop at {self.stop:,}"  # of a part, nothing was searched for
        return f"<Jaded: {lines}, {self.entropy_before:.4f} -> {after:.4f} bits{stop}>"

    @property
    def name(self) -> str:
        """The name of its file, for messages."""
        return NAME if self.file is None else self.file.path

    @property
    def summary(self) -> Summary:
        """Figures, settings and inputs, as in the summary file next to the ranking."""
        if self.found_summary is None:
            raise CynicalError(
                f"{self.name}.json: the summary of the ranking is missing; keep both files in the same folder"
            )
        return self.found_summary

    @property
    def signature(self) -> str | None:
        """Everything the ranking depends on, in one line: two runs with the same signature write the same bytes."""
        return self.summary.signature

    @property
    def content(self) -> Content:
        """Where the texts of the picks are."""
        if hasattr(self._content, "open"):
            self._content = self._content.open()
        return self._content

    @property
    def lines(self) -> Numbers:
        """The positions of the lines in AVAILABLE, from 0."""
        return self.columns.line

    @property
    def delta(self) -> Bits:
        """The change of the entropy by each pick, in bits: penalty + gain. Negative is better."""
        return self.columns.delta

    @property
    def penalty(self) -> Bits:
        """The bits that each pick adds because of its length."""
        return self.columns.penalty

    @property
    def gain(self) -> Bits:
        """The bits that the words of each pick remove, as a negative number."""
        return self.columns.gain

    @property
    def entropy(self) -> Bits:
        """The entropy of single words after each pick."""
        return self.columns.entropy

    @property
    def feature_entropy(self) -> Bits | None:
        """The entropy of words and n-grams together after each pick; None if n-grams do not count."""
        return self.columns.feature_entropy

    @property
    def score(self) -> Bits | None:
        """The numbers that the lines were ranked by; None if that was bits."""
        return self.columns.score

    @property
    def words(self) -> Numbers:
        """The number of words in each line."""
        return self.columns.words

    @property
    def word(self) -> Numbers:
        """The word with the largest gain in each line, as a position in `vocabulary` from 0; -1 if there is none."""
        return self.columns.best.coded().place

    @property
    def vocabulary(self) -> list[bytes]:
        """The words that `word` refers to."""
        return list(self.columns.best.coded().vocabulary)

    @property
    def best_words(self) -> list[str]:
        """The word with the largest gain in each line; empty if there is none."""
        return self.columns.best.strings()

    @property
    def texts(self) -> list[str]:
        """The lines themselves, best first."""
        return self._decoded(0)

    @property
    def sides(self) -> dict[str, list[str]]:
        """The other sides of the lines, by name."""
        return {name: self._decoded(side) for side, name in enumerate(self.content.sides, 1)}

    def _decoded(self, side: int) -> list[str]:
        content = self.content
        return [text.decode("utf-8", "replace") for rows in batches(len(self)) for text in content.texts(rows, side)]

    def __iter__(self) -> Iterator[Pick]:
        """Each pick, best first; `rank` and `line` count from 1."""
        content = self.content
        for rows in batches(len(self)):
            here = self.columns.take(rows)
            numbers = (here.delta, here.penalty, here.gain, here.entropy, here.words)
            texts = [text.decode("utf-8", "replace") for text in content.texts(rows)]
            found = (here.rank, here.line + 1, *numbers)
            values = zip(*(column.tolist() for column in found), here.best.strings(), texts, strict=True)
            yield from (Pick(*value) for value in values)

    @overload
    def __getitem__(self, which: int) -> Pick: ...

    @overload
    def __getitem__(self, which: slice) -> Jaded: ...

    def __getitem__(self, which: int | slice) -> Pick | Jaded:
        """One pick, or a ranking of several; positions count from 0, and ranks do not change."""
        if isinstance(which, slice):
            begin, end, step = which.indices(len(self))
            to = f"--lines {end}" if (begin, step) == (0, 1) else f"[{begin}:{end}:{step}]"
            return self._part(range(begin, end, step), to)
        place = range(len(self))[which]
        return next(iter(self._part(range(place, place + 1), "")))

    def cut(
        self,
        *,
        lines: int | None = None,
        words: int | None = None,
        share: float | None = None,
        money: float | None = None,
        stop: bool = False,
    ) -> Jaded:
        """The longest prefix with at most N `lines` or `words`, or a `share` of AVAILABLE's words, or that costs at
        most `money`, or the prefix up to the stopping point (`stop`); give one of them.
        `cynical.cut` also takes prices.

        >>> import cynical
        >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], all=True)
        >>> jaded.cut(words=5).lines.tolist()
        [2, 0]
        """
        budget = Budget(lines, words, share, money=money)
        check_cut(budget, stop)
        made, notices = self.prefix(budget, stop)
        warn(notices)
        return made

    def prefix(self, budget: Budget, stop: bool) -> tuple[Jaded, list[str]]:
        """The first picks that fit a budget, or those up to the stopping point; and what the user should know."""
        kept, notices = longest_prefix(
            self.columns, self.content, self.stop, budget, stop, self.found_summary, self.name
        )
        return self._part(range(kept), "--stop" if stop else budget.with_price, budget), notices

    def _part(self, places: range, to: str, budget: Budget = NO_BUDGET) -> Jaded:
        if places == range(len(self)) and to.startswith("["):
            return self
        rows = _as_slice(places)
        part, content, first = self.columns.take(rows), self.content.take(rows), places.start if len(places) else 0
        before = float(self.entropy[first - 1]) if first else self.entropy_before
        is_prefix = (places.start, places.step) == (0, 1)
        lowest, bits = stop_of(part, before), before - float(part.entropy[-1]) if len(part) else 0.0
        stop = self.stop if is_prefix and self.stop <= len(part) else lowest.lines
        summary = self.found_summary
        if summary is not None:
            features = None if summary.feature_entropy is None else summary.feature_entropy.before
            if self.feature_entropy is not None and first:
                features = float(self.feature_entropy[first - 1])
            kept = is_prefix and summary.stop.lines <= len(part)
            if not is_prefix or summary.chosen_stop.lines > len(part):
                summary = summary.replaced(model_stop=UNSET)
            cut = CutFrom(from_=self.name, to=to)
            if len(part) < len(self):
                summary = summary.replaced(search=summary.search.replaced(ended_by="cut", ranked=len(part)))
            lowest = summary.stop if kept else lowest
            money = spent(part, content, terms_of(budget, summary), paid_sides(summary), bits)
            summary = summary_of_part(summary, part, money, (before, features), lowest, cut)
        return Jaded(part, content, summary, before, stop, self.file, self.storage, self.reasons)

    def replaced(
        self, *, content: Content | None = None, summary: Summary | None = None, reasons: Reasons | None = None
    ) -> Jaded:
        """The same ranking with another content, another summary, or other reasons."""
        return Jaded(
            self.columns,
            self._content if content is None else content,
            self.found_summary if summary is None else summary,
            self.entropy_before,
            self.stop,
            self.file,
            self.storage,
            self.reasons if reasons is None else reasons,
        )

    def write(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        overwrite: bool = False,
        order: Order = "rank",
        order_seed: int = 0,
        shard_size: int | None = None,
        rejected: str | Path | None = None,
    ) -> None:
        """Write the ranking, and its summary as JSON next to it, completely or not at all; as text, one file per side.

        The format is tsv, text, jsonl, csv, parquet, ids or scores, by default the one of the suffix. The columns and
        fields `line` and `rank` count from 1. A warning tells what a format does not keep. The order is "rank" (best
        first), "pool" (that of AVAILABLE) or "random". With `shard_size`, each file has this many lines, and `path` has
        a place for its number: "picks-{:05d}.jsonl.zst". `rejected` is a file for the lines that were not picked, with
        the reasons.
        """
        from .destination import choose_destination

        spare = None if rejected is None else str(rejected)
        layout = Layout(output_order=order, order_seed=order_seed, shard_size=shard_size, rejected=spare)
        warn(choose_destination(str(path), format, layout, overwrite).write(self))

    def to_bytes(self, format: str = "tsv", side: int = 0) -> Iterator[bytes]:
        """The ranking in a format, some picks at a time, or as text one side's lines alone."""
        from .formats import marked, to_bytes

        return marked(to_bytes(format, self.columns, self.content, side))

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame: rank, line, delta, penalty, gain, entropy, words, word, ..., text.

        `rank` and `line` count from 1, as in the file; `lines` has positions from 0. Fields of records and other sides
        are columns between `word` and `text`. `to_arrow` and `to_polars` have the same columns.
        """
        from .frames import to_pandas

        return to_pandas(self.columns, self.content)

    def to_arrow(self) -> Any:
        """An Arrow table with the columns of `to_pandas`; `rank` and `line` count from 1."""
        from .frames import to_arrow

        return to_arrow(self.columns, self.content)

    def to_polars(self) -> Any:
        """A polars data frame with the columns of `to_pandas`; `rank` and `line` count from 1."""
        from .frames import to_polars

        return to_polars(self.columns, self.content)

    def _repr_html_(self) -> str:
        """The first picks, for notebooks."""
        picks = list(self[:SHOWN]) if len(self) else []
        head = "".join(f"<th>{name}</th>" for name in Pick._fields)
        rows = "".join(f"<tr>{''.join(f'<td>{_shown(value)}</td>' for value in pick)}</tr>" for pick in picks)
        rest = f"<p>... and {len(self) - len(picks):,} more</p>" if len(self) > len(picks) else ""
        title = html.escape(repr(self)[1:-1])
        return f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{rest}"

    def __getstate__(self) -> dict[str, Any]:
        from dataclasses import replace

        from .read import recipe_of

        columns = replace(self.columns, best=self.columns.best.coded())
        reasons = None if self.reasons is None else self.reasons.compressed()
        return {**self.__dict__, "columns": columns, "_content": recipe_of(self), "storage": None, "reasons": reasons}


def _as_slice(places: range) -> slice:
    """A range of places that are there, as a slice."""
    if not len(places):
        return slice(0, 0)
    end = places.stop if places.step > 0 or places.stop >= 0 else None
    return slice(places.start, end, places.step)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    text = str(value)
    return html.escape(text if len(text) <= LONGEST else f"{text[:LONGEST]} ...")
