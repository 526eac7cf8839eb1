"""What the paper claims of the method, each claim with its figure on real text.

    python benchmarks/properties.py [--scratch DIR] [--task TASK] [TASK ...]

(a) It responds to how much the corpora differ, also when they come from one distribution. AVAILABLE is the pool and
    REPRESENTATIVE the task of --task (medqa); beside it a random tenth of the pool, with the rest as AVAILABLE. Prints
    the word types of each class, and how much of REPRESENTATIVE the useful ones are; the perplexity of REPRESENTATIVE
    and of held-out text (the task's test set; another hundredth of the pool) at 1 % of the words, in the order of exact
    selection and in random order; and the share of the words at which it stops.
(b) It soon covers the vocabulary. Prints how many words of text, in whole lines, each order needs until it has seen 90,
    99 and 100 % of the representative word types that AVAILABLE has, and of the useful ones alone; beside it a greedy
    cover that wants nothing but new types, most of them per word first, and the bound that a word is at most one.
(c) It takes into account what was selected: the gain of a line's second copy over that of the first.
(d) It has real units: H_0 + the sum of all deltas against H_n, which is counted here from the text, in bits.
(e) It knows when to stop. For each TASK (all by default): the entropy of the task's test set under the lines up to the
    stopping point, the lowest over 41 cut-offs from 0.01 to 100 % of the words, and that of as many random words.

Every entropy is computed here, from the texts; only the rankings are those of cynical. (b) to (d) are of the task of
--task. A random order is always one order, the same every time.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import cynical
from corpora import Scratch, arguments, note, scratch, table
from cynical.options.ranking import Strategy

STRATEGIES: tuple[Strategy, ...] = ("exact", "word", "batch")
SMOOTHING = 0.01
LITTLE = 0.01  # of the words
TENTH, HUNDREDTH = 0.1, 0.01  # of the lines
CLASSES = ("useful", "meh", "bad", "dubious", "impossible")
COVERED = (0.9, 0.99, 1.0)
POINTS = (0.01, 0.03, 0.1, 1.0)
CUT_OFFS = np.geomspace(0.0001, 1, 41)
SEED = 20171109

DIFFER = (
    *("representative", *CLASSES, "useful words", "ppl 1%", "random", "ratio"),
    *("held-out ppl 1%", "random", "ratio", "stops at"),
)
COVER = ("order", *(cell for share in COVERED for cell in (f"words to {share:.0%}", "/ cover")))
COPIES = ("strategy", "lines with a copy", "second gain / first: mean", "max", "below 1")
UNITS = ("strategy", "H_0", "+ all deltas", "counted", "differs at most", f"at {len(POINTS) + 1} points below 1e-9")
STOP = ("corpus", "stop: words", "share", "held-out H", "lowest", "at share", "above", "random", "everything")


class Text(NamedTuple):
    """A corpus as numbers of words."""

    word: NDArray[np.int64]
    start: NDArray[np.int64]  # where each line begins, and the end

    @property
    def lines(self) -> int:
        return len(self.start) - 1

    def counts(self) -> NDArray[np.int64]:
        return np.bincount(self.word)

    def ordered(self, lines: NDArray[np.int64]) -> Order:
        """The text with its lines in another order, or some of them."""
        length = np.diff(self.start)[lines]
        end = np.cumsum(length)
        inside = np.arange(end[-1]) - np.repeat(end - length, length)
        return Order(self.word[np.repeat(self.start[lines], length) + inside], end)

    def shuffled(self) -> Order:
        return self.ordered(np.random.default_rng(SEED).permutation(self.lines))


class Order(NamedTuple):
    """Lines one after another, best first."""

    word: NDArray[np.int64]
    end: NDArray[np.int64]  # words up to the end of each line

    def first(self, words: float) -> NDArray[np.int64]:
        """The words of the longest prefix of lines that has at most as many as given."""
        whole = int(np.searchsorted(self.end, words, side="right"))
        return self.word[: self.end[whole - 1] if whole else 0]

    def share(self, share: float) -> NDArray[np.int64]:
        return self.first(share * len(self.word))


class Reader:
    """Gives every word a number, the same in all texts."""

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}

    def read(self, path: Path) -> Text:
        number, words, start = self._number, [], [0]
        with path.open("rb") as lines:
            for line in lines:
                words += [number.setdefault(word, len(number)) for word in line.split()]
                start.append(len(words))
        return Text(np.array(words, np.int64), np.array(start, np.int64))

    def find(self, words: Iterable[bytes]) -> NDArray[np.int64]:
        """The numbers of words that have been read."""
        return np.array([self._number[word] for word in words], np.int64)


def entropy(wanted: NDArray[np.int64], selected: NDArray[np.int64]) -> float:
    """H_n = - sum_v p(v) log2((C_n(v) + s) / (W_n + s V)), p from the counts of a text, C_n from the selected words."""
    types = np.flatnonzero(wanted)
    p = wanted[types] / wanted.sum()
    counts = np.bincount(selected, minlength=len(wanted))[types]
    return -float(np.sum(p * np.log2((counts + SMOOTHING) / (len(selected) + SMOOTHING * (len(types) + 1)))))


def rank(train: Path, available: Path, strategy: Strategy = "exact") -> cynical.Jaded:
    note(f"ranking {available.name} for {train.name}, {strategy} ...")
    return cynical.select(train, available, strategy=strategy, smoothing=SMOOTHING, all=True)


def classify(train: Path, available: Path) -> cynical.Jaded:
    """A short ranking whose summary has the number of words of each class."""
    return cynical.select(train, available, vocabulary="classes", lines=1)


def useful_words(by_class: cynical.Jaded) -> list[bytes]:
    """They come first in a vocabulary of classes."""
    return by_class.vocabulary[: by_class.summary["classes"]["useful"]]


@dataclass(frozen=True)
class Task:
    """The task of (b) to (d) and what the strategies made of it."""

    train: NDArray[np.int64]  # counts
    useful: NDArray[np.int64]  # words of that class
    pool: Text
    jaded: Mapping[str, cynical.Jaded]

    def order(self, strategy: str) -> Order:
        return self.pool.ordered(self.jaded[strategy].lines)


def read_task(here: Scratch, name: str) -> Task:
    reader, train = Reader(), here.train(name)
    wanted, pool = reader.read(train).counts(), reader.read(here.pool)
    useful = reader.find(useful_words(classify(train, here.pool)))
    return Task(wanted, useful, pool, {strategy: rank(train, here.pool, strategy) for strategy in STRATEGIES})


def differ(here: Scratch, task: str) -> list[tuple[str, ...]]:
    """(a): two rows, for corpora that differ and for corpora that do not."""
    inputs = {task: (here.train(task), here.test(task), here.pool), "a tenth of the pool": one_distribution(here)}
    rows = []
    for name, (train, test, available) in inputs.items():
        reader = Reader()
        wanted, held_out, text = reader.read(train).counts(), reader.read(test).counts(), reader.read(available)
        jaded = rank(train, available)
        ranked, shuffled = text.ordered(jaded.lines).share(LITTLE), text.shuffled().share(LITTLE)
        by_class = classify(train, available)
        useful = wanted[reader.find(useful_words(by_class))].sum() / wanted.sum()
        cells = [*(f"{by_class.summary['classes'][each]:,}" for each in CLASSES), f"{useful:.1%}"]
        for target in (wanted, held_out):
            ours, theirs = (2 ** entropy(target, words) for words in (ranked, shuffled))
            cells += [f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}"]
        rows.append((name, *cells, f"{jaded.words[: jaded.stop].sum() / jaded.words.sum():.1%}"))
    return rows


def one_distribution(here: Scratch) -> tuple[Path, Path, Path]:
    """The pool split at random: a tenth to represent it, a hundredth held out, the rest available."""
    lines = here.pool.read_bytes().splitlines(keepends=True)
    mixed = np.random.default_rng(SEED).permutation(len(lines))
    tenth, held_out = round(TENTH * len(lines)), round((TENTH + HUNDREDTH) * len(lines))
    paths = []
    parts = np.split(mixed, [tenth, held_out])
    for name, part in zip(("tenth", "hundredth", "rest"), parts, strict=True):
        path = here.folder / f"pool.{name}.tok"
        path.write_bytes(b"".join(lines[i] for i in np.sort(part).tolist()))
        paths.append(path)
    return paths[0], paths[1], paths[2]


def covers(task: Task, types: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """(b): an order a row."""
    wanted = np.intersect1d(types, task.pool.word)
    best = words_to_cover(task.pool.ordered(cover(task.pool, wanted)), wanted)
    needed: dict[str, list[int]] = {name: words_to_cover(task.order(name), wanted) for name in STRATEGIES}
    needed["random"] = words_to_cover(task.pool.shuffled(), wanted)
    needed["greedy cover"] = best
    needed["bound: a word a type"] = [types_of(share, wanted) for share in COVERED]
    return [
        (name, *(cell for n, least in zip(words, best, strict=True) for cell in (f"{n:,}", f"{n / least:.2f}")))
        for name, words in needed.items()
    ]


def words_to_cover(order: Order, wanted: NDArray[np.int64]) -> list[int]:
    """Words of whole lines until each share of the wanted types was seen."""
    found, first = np.unique(order.word, return_index=True)
    seen = np.sort(first[np.isin(found, wanted)])
    at = [seen[types_of(share, wanted) - 1] for share in COVERED]
    return [int(n) for n in order.end[np.searchsorted(order.end, at, side="right")]]


def types_of(share: float, wanted: NDArray[np.int64]) -> int:
    return int(np.ceil(share * len(wanted)))


def cover(pool: Text, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lines that together have all wanted types: always that with most new ones per word, scored again when it is met.

    What a line has to offer only ever shrinks, so the first in the heap that is still worth its key is the best.
    """
    useful = np.isin(pool.word, wanted)
    before = np.concatenate([[0], np.cumsum(useful)])[pool.start].tolist()
    words, length = pool.word[useful].tolist(), np.diff(pool.start).tolist()
    offered = [set(words[begin:end]) for begin, end in itertools.pairwise(before)]
    heap = [(-len(types) / length[line], line) for line, types in enumerate(offered) if types]
    heapq.heapify(heap)
    seen: set[int] = set()
    picked = []
    while heap and len(seen) < len(wanted):
        value, line = heapq.heappop(heap)
        offered[line] = offered[line] - seen
        now = -len(offered[line]) / length[line]
        if now == value:
            picked.append(line)
            seen |= offered[line]
        elif now:
            heapq.heappush(heap, (now, line))
    return np.array(picked, np.int64)


def copies(task: Task, pool: Path) -> list[tuple[str, ...]]:
    """(c): a strategy a row."""
    lines = pool.read_bytes().splitlines()
    rows: list[tuple[str, ...]] = []
    for strategy, jaded in task.jaded.items():
        gains: dict[bytes, list[float]] = {}
        for line, gain in zip(jaded.lines.tolist(), jaded.gain.tolist(), strict=True):
            gains.setdefault(lines[line], []).append(gain)
        ratio = np.array([each[1] / each[0] for each in gains.values() if len(each) > 1 and each[0]])
        holds = "yes" if ratio.max() < 1 else "NO"
        rows.append((strategy, f"{len(ratio):,}", f"{ratio.mean():.3f}", f"{ratio.max():.6f}", holds))
    return rows


def units(task: Task) -> list[tuple[str, ...]]:
    """(d): a strategy a row; at some shares of the words and at the stopping point."""
    rows: list[tuple[str, ...]] = []
    nothing = entropy(task.train, np.zeros(0, np.int64))
    for strategy, jaded in task.jaded.items():
        order, summed = task.order(strategy), nothing + np.cumsum(jaded.delta)
        picks = [*np.searchsorted(order.end, np.array(POINTS) * order.end[-1], side="right").tolist(), jaded.stop]
        counted = {n: entropy(task.train, order.word[: order.end[n - 1]]) for n in picks}
        most = max(abs(summed[n - 1] - counted[n]) for n in picks)
        reached = (f"{nothing:.6f}", f"{summed[-1]:.6f}", f"{counted[jaded.lines.size]:.6f}")
        rows.append((strategy, *reached, f"{most:.1e}", "yes" if most < 1e-9 else "NO"))
    return rows


def stops(here: Scratch, task: str, jaded: cynical.Jaded) -> tuple[str, ...]:
    """(e): the row of a task."""
    reader = Reader()
    held_out, pool = reader.read(here.test(task)).counts(), reader.read(here.pool)
    ranked, shuffled = pool.ordered(jaded.lines), pool.shuffled()
    words = int(ranked.end[jaded.stop - 1])
    reached = entropy(held_out, ranked.first(words))
    searched = [entropy(held_out, ranked.share(share)) for share in CUT_OFFS]
    best = int(np.argmin(searched))
    lowest, random = searched[best], entropy(held_out, shuffled.first(words))
    return (
        *(task, f"{words:,}", f"{words / len(pool.word):.2%}", f"{reached:.3f}", f"{lowest:.3f}"),
        *(f"{CUT_OFFS[best]:.2%}", f"{reached - lowest:+.3f}", f"{random:.3f}", f"{searched[-1]:.3f}"),
    )


def main() -> None:
    options = parse()
    with scratch(options.scratch) as here:
        show("(a) responds to how much the corpora differ", DIFFER, differ(here, options.task))
        task = read_task(here, options.task)
        everything = np.flatnonzero(task.train)
        show(f"(b) covers the vocabulary, {options.task}: all types", COVER, covers(task, everything))
        show(f"(b) covers the vocabulary, {options.task}: useful types", COVER, covers(task, task.useful))
        show(f"(c) a second copy gains less, {options.task}", COPIES, copies(task, here.pool))
        show(f"(d) has real units, {options.task}", UNITS, units(task))
        rows = [stops(here, name, rank(here.train(name), here.pool)) for name in options.tasks or here.tasks()]
        show("(e) knows when to stop", STOP, rows)


def parse() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE of (a) to (d) (medqa)")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="rows of (e), such as medqa (all)")
    return parser.parse_args()


def show(claim: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    print(claim, table(header, rows), sep="\n", end="\n\n", flush=True)


if __name__ == "__main__":
    main()
