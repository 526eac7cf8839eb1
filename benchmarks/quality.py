"""How well does a model do on held-out text that was trained on a selection: at random, by lines, by words, by 2-grams?

    python benchmarks/quality.py [--scratch DIR] [--shares F,F,...] [--lmplz-memory SIZE] [--json FILE] [TASK ...]

For each representative corpus (all by default), at 0.3, 1, 3 and 10 % of the words of the 250,000-line pool, four
selections out of the pool:

    random            a shuffled order, the same every time and for every task
    exact             cynical select
    exact per word    cynical select --per word
    2-grams per word  cynical select --per word --ngrams 2

Each is ranked once for the largest share; a smaller share is the longest prefix of whole lines that has at most
floor(share * words of the pool) words. Each prefix is measured on the test text of the task, of which the methods know
nothing (though some of its lines, in medqa and law, stand in the pool too):

    bits   what a word of the test costs under the unigram model p(w) = (C(w) + 0.01) / (W + 0.01 V). C(w) is how often
           w stands in the selection, W the words of the selection, V the word types of the pool and the test together,
           selected or not: the same for every selection of a task. Ends of lines do not count.
    unk %  words of the test that the selection does not have, of all words of the test.
    ppl    perplexity of the test under a 4-gram model of KenLM, ends of lines and unknown words included: modified
           Kneser-Ney, `lmplz -o 4 --discount_fallback --vocab_pad N` with unigrams interpolated, then `query`. N is V
           and two more, for the end of line and <unk>: a word that was not seen gets what the model keeps for new
           words, divided by N and not by the words it happens to know, so the selections of a task can be compared.
           Needs lmplz and query on the PATH; without them this column is left out.

One table, a task and a share a row; the lowest value of each measure is marked with *. Below it, counted over the rows,
which selection is lowest how often; if some are equal, each of them counts. Bits and perplexities of different tasks
have different vocabularies.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpora import Scratch, arguments, note, run, scratch, select, table

RANDOM = "random"
METHODS: Mapping[str, tuple[str, ...]] = {
    "exact": (),
    "exact per word": ("--per", "word"),
    "2-grams per word": ("--per", "word", "--ngrams", "2"),
}
ORDERS = (RANDOM, *METHODS)
SHARES = (0.003, 0.01, 0.03, 0.1)
SMOOTHING = 0.01
ORDER = 4
SEED = 20171109
SAID = b"Perplexity including OOVs:"


class Pool(NamedTuple):
    """What is remembered of the pool: its lines stay in the file."""

    words: int
    vocabulary: frozenset[bytes]


class Selection(NamedTuple):
    """A prefix of a ranking."""

    text: Path
    lines: int
    counts: Counter[bytes]


@dataclass(frozen=True)
class Point:
    """What was measured of a selection, by the names of `cynical evaluate --json`; unknown words as a fraction."""

    task: str
    method: str
    share: float
    lines: int
    words: int
    entropy: float
    oov_tokens: float
    ngram_perplexity: float | None  # without KenLM


class Measure(NamedTuple):
    """A column that each method has."""

    head: str
    field: str
    claim: str

    def of(self, point: Point) -> float:
        return float(getattr(point, self.field))

    def shown(self, value: float) -> str:
        """As many digits as matter, in little space."""
        if self.field == "oov_tokens":
            return f"{100 * value:.2f}"
        return f"{value:.3f}" if self.field == "entropy" else f"{value:,.{0 if value >= 1000 else 1}f}"


UNIGRAM = (
    Measure("bits", "entropy", "bits are lowest"),
    Measure("unk %", "oov_tokens", "unknown words are fewest"),
)
NGRAM = Measure("ppl", "ngram_perplexity", f"{ORDER}-gram perplexity is lowest")


@dataclass(frozen=True)
class Lmplz:
    """KenLM, in a folder for its files."""

    folder: Path
    memory: str

    def perplexity(self, text: Path, test: Path, vocabulary: int) -> float:
        model = self.folder / "model.arpa"
        kind = ("-o", f"{ORDER}", "--discount_fallback", "--interpolate_unigrams=1", "--vocab_pad", f"{vocabulary + 2}")
        room = ("-S", self.memory, "-T", self.folder / "lmplz.")
        run(["lmplz", *kind, *room, "--text", text, "--arpa", model])
        with test.open("rb") as lines:
            said = subprocess.run(["query", "-v", "summary", model], stdin=lines, capture_output=True)
        for line in said.stdout.splitlines():
            if line.startswith(SAID):
                return float(line.removeprefix(SAID))
        sys.exit(f"query {model} ended with {said.returncode}:\n{said.stderr.decode('utf-8', 'replace')}")


@dataclass(frozen=True)
class Bench:
    here: Scratch
    folder: Path  # for rankings and models, and removed in the end
    pool: Pool
    shares: Sequence[float]
    lmplz: Lmplz | None

    def ranking(self, task: str, method: str) -> Path:
        """The lines of the largest share, or more of them, best first."""
        path = self.folder / f"{method.replace(' ', '-')}.txt"
        if method != RANDOM:
            share = ("--share", f"{self.shares[-1]}")
            run(select(self.here.train(task), self.here.pool, path, *share, *METHODS[method]))
        elif not path.exists():
            shuffle(self.here.pool, path)
        return path

    def points(self, task: str) -> list[Point]:
        """All selections of a task, a method after another."""
        test = self.here.test(task)
        wanted = count(test)
        vocabulary = len(self.pool.vocabulary | wanted.keys())
        points = []
        for method in ORDERS:
            note(f"{task}, {method} ...")
            ranking = self.ranking(task, method)
            for share in self.shares:
                selected = cut(ranking, math.floor(share * self.pool.words), self.folder / "selected.txt")
                perplexity = self.lmplz.perplexity(selected.text, test, vocabulary) if self.lmplz else None
                size = selected.lines, selected.counts.total()
                unigram = entropy(wanted, selected.counts, vocabulary), unknown(wanted, selected.counts)
                points.append(Point(task, method, share, *size, *unigram, perplexity))
        return points


def count(path: Path) -> Counter[bytes]:
    counts: Counter[bytes] = Counter()
    with path.open("rb") as lines:
        for line in lines:
            counts.update(line.split())
    return counts


def shuffle(text: Path, shuffled: Path) -> None:
    """Line by line, by where each begins."""
    with text.open("rb") as source, shuffled.open("wb") as target:
        begin = np.cumsum([0, *map(len, source)])[:-1]
        for place in np.random.default_rng(SEED).permutation(begin).tolist():
            source.seek(place)
            target.write(source.readline())


def cut(ranking: Path, budget: int, text: Path) -> Selection:
    """The longest prefix that has at most so many words."""
    lines, words, counts = 0, 0, Counter[bytes]()
    with ranking.open("rb") as source, text.open("wb") as target:
        for line in source:
            split = line.split()
            words += len(split)
            if words > budget:
                break
            lines += 1
            counts.update(split)
            target.write(line)
    return Selection(text, lines, counts)


def entropy(wanted: Counter[bytes], selected: Counter[bytes], vocabulary: int) -> float:
    """- sum_w p(w) log2((C(w) + s) / (W + s V)), p from the test, C and W from the selection, in bits."""
    seen = math.fsum(n * math.log2(selected[word] + SMOOTHING) for word, n in wanted.items())
    return math.log2(selected.total() + SMOOTHING * vocabulary) - seen / wanted.total()


def unknown(wanted: Counter[bytes], selected: Counter[bytes]) -> float:
    return sum(n for word, n in wanted.items() if word not in selected) / wanted.total()


def main() -> None:
    options = parse()
    missing = [program for program in ("lmplz", "query") if shutil.which(program) is None]
    with (
        scratch(options.scratch) as here,
        tempfile.TemporaryDirectory(prefix="quality-", dir=here.folder) as passing,
    ):
        tasks = options.tasks or here.tasks()
        for task in tasks:  # before time is spent on the others
            here.test(task)
        folder, counts = Path(passing), count(here.pool)
        pool = Pool(counts.total(), frozenset(counts))
        del counts
        lmplz = None if missing else Lmplz(folder, options.lmplz_memory)
        bench = Bench(here, folder, pool, options.shares, lmplz)
        points = [point for task in tasks for point in bench.points(task)]
    measures = UNIGRAM if missing else (*UNIGRAM, NGRAM)
    print(show(points, measures), verdict(points, measures), sep="\n\n")
    if missing:
        print(f"{ORDER}-gram perplexity was not measured: KenLM's {' and '.join(missing)} not found on the PATH")
    if options.json:
        figures = {"pool_words": pool.words, "points": [asdict(point) for point in points]}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def parse() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument("--shares", type=parse_shares, default=SHARES, metavar="F,F,...", help="(0.003,0.01,0.03,0.1)")
    parser.add_argument("--lmplz-memory", default="1G", metavar="SIZE", help="what lmplz may sort in (1G)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="such as medqa (all)")
    return parser.parse_args()


def parse_shares(given: str) -> Sequence[float]:
    shares = sorted({float(share) for share in given.split(",")})
    if not 0 < shares[0] <= shares[-1] <= 1:
        raise argparse.ArgumentTypeError("shares are above 0 and at most 1")
    return shares


def rows_of(points: Sequence[Point]) -> dict[tuple[str, float], dict[str, Point]]:
    """A row of the table: the methods of a task at a share."""
    rows: dict[tuple[str, float], dict[str, Point]] = {}
    for point in points:
        rows.setdefault((point.task, point.share), {})[point.method] = point
    return rows


def lowest(row: Mapping[str, Point], measure: Measure) -> list[str]:
    """The best method, or several that are equal."""
    least = min(map(measure.of, row.values()))
    return [method for method, point in row.items() if measure.of(point) == least]


def show(points: Sequence[Point], measures: Sequence[Measure]) -> str:
    """The table, with the methods written above their columns."""
    cells = []
    for (task, share), row in rows_of(points).items():
        best = {measure: lowest(row, measure) for measure in measures}
        marked = [
            measure.shown(measure.of(row[method])) + ("*" if method in best[measure] else " ")
            for method in ORDERS
            for measure in measures
        ]
        cells.append((task, f"{share:.4%}".rstrip("0%").rstrip(".") + " %", *marked))
    header = ("task", "share", *(head for method in ORDERS for head in heads(method, measures)))
    lined_up = table(header, cells)
    rule = lined_up.splitlines()[1].split("  ")
    above = len("  ".join(rule[:2])) * " "
    for place, method in enumerate(ORDERS):
        first = 2 + place * len(measures)
        above += "  " + f" {method} ".center(len("  ".join(rule[first : first + len(measures)])), "-")
    return f"{above}\n{lined_up}"


def heads(method: str, measures: Sequence[Measure]) -> list[str]:
    """With a blank above the marks; the first wide enough for the method to stand above all."""
    first, *others = (f"{measure.head} " for measure in measures)
    return [first.rjust(len(f" {method} ") - sum(len(f"  {head}") for head in others)), *others]


def verdict(points: Sequence[Point], measures: Sequence[Measure]) -> str:
    """A line a measure."""
    rows = rows_of(points).values()
    sentences = []
    for measure in measures:
        wins = Counter(dict.fromkeys(reversed(ORDERS), 0))
        wins.update(method for row in rows for method in lowest(row, measure))
        counted = ", ".join(f"{rows_won} with {method}" for method, rows_won in wins.most_common())
        sentences.append(f"{measure.claim}, of {len(rows)} rows: in {counted}")
    return "\n".join(sentences)


if __name__ == "__main__":
    main()
