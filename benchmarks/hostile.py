"""Does any input make it slow? Pools that are made to, each beside natural text of as many words.

    python benchmarks/hostile.py [--scratch DIR] [--lines N] [--only NAME,...] [--repeat N] [--same-lengths] [--list]

Every pool has about 26 N words, as N lines of natural text have; REPRESENTATIVE is of the same kind. Natural text of as
many words, in REPRESENTATIVE and in AVAILABLE, is ranked in turn with it, by the same options but for the tokenizer.
With --same-lengths, for pools whose lines share their words, a pool has N lines, REPRESENTATIVE a quarter of that, and
the natural text as many lines, each with as many words.
Prints, a pool a row: lines and words of AVAILABLE, seconds for both, microseconds per word, their ratio, and the ratio
of the processor seconds of all cores. Seconds are less those of a run on two lines (start, imports), the best of
--repeat runs.
"""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpora import Run, Scratch, arguments, best_of, cynical, note, run, scratch, table, warm

HEADER = (
    "pool",
    "lines",
    "words",
    "seconds",
    "natural",
    "us/word",
    "natural",
    "ratio",
    "limit",
    "holds",
    "processor",
)
WORDS = 26  # of a natural line
LIMIT = 5
ALL = ("--all",)
# pools whose lines share their words
SHARING = ("templates", "digits", "orders", "catalogue", "logs", "names", "characters", "ideographs")
Lines = Iterator[list[str]]


@dataclass(frozen=True)
class Source:
    """What pools are made of."""

    lines: int  # of natural text that a pool has as many words as
    natural: Callable[[int], Lines]  # natural lines from the n-th on, over and over
    random: random.Random

    @property
    def words(self) -> int:
        return WORDS * self.lines


@dataclass(frozen=True)
class Pool:
    """A way to be hostile: what it writes, and how it is ranked."""

    what: str
    wanted: Callable[[Source], Lines]
    available: Callable[[Source], Lines]
    options: Sequence[str] = ALL
    tokenizer: Sequence[str] = ()  # options that natural text is ranked without
    files: int = 1  # lines of natural text for each file of AVAILABLE; 1 for one file in all
    targets: int = 1  # the same of REPRESENTATIVE


def numbered(template: str) -> Callable[[Source], Lines]:
    """A template with a number of its own in every line, as many lines as fill the pool."""

    def lines(source: Source) -> Lines:
        length = len(template.split())
        for i in range(source.words // length):
            r = source.random
            yield template.format(i=i, r=r.randrange(1000), s=r.randrange(100), t=r.randrange(10)).split()

    return lines


def digits(source: Source) -> Lines:
    for _ in range(source.words // 8):
        yield [str(source.random.randrange(10)) for _ in range(source.random.randint(5, 12))]


def names(source: Source) -> Lines:
    syllables = ["ka", "mi", "to", "ra", "ne", "shi", "lo", "an", "el", "ba", "du", "ri"]

    def name(most: int) -> str:
        number = source.random.randrange(most)
        return (syllables[number % 12] + syllables[number // 12 % 12] + syllables[number // 144 % 12]).title()

    for _ in range(source.words // 3):
        yield [name(200), name(50), name(1500)][: source.random.randint(2, 3)]


def natural(source: Source) -> Lines:
    return until(source.words, source.natural(0))


def other_natural(source: Source) -> Lines:
    return until(source.words // 4, source.natural(100_000))


def few_characters(source: Source) -> Lines:
    """As many characters as a pool has words."""
    return until(source.words // 5, source.natural(0))


def ideographs(source: Source) -> Lines:
    """Lines of 4,000 kinds of characters, as frequent as those of Chinese; three of ten go by the line's topic."""
    characters = [chr(0x4E00 + number) for number in range(4000)]
    topics = [characters[:200] + source.random.sample(characters[200:], 3800) for _ in range(50)]
    weights = list(itertools.accumulate(1 / (7 + number) for number in range(4000)))
    for _ in range(source.words // WORDS):
        length = min(max(int(source.random.lognormvariate(3.1, 0.6)), 3), 200)
        drawn = source.random.choices(range(4000), cum_weights=weights, k=length)
        topic = source.random.choice(topics)
        yield ["".join((topic if source.random.random() < 0.3 else characters)[number] for number in drawn)]


def everywhere(source: Source) -> Lines:
    """Every other word is the same."""
    for words in until(source.words // 2, source.natural(0)):
        yield [part for word in words for part in ("everywhere", word)]


def stream(source: Source, begin: int = 0) -> Iterator[str]:
    """Words of natural text, without end."""
    return (word for words in source.natural(begin) for word in words)


def all_lengths(source: Source) -> Lines:
    words, left = stream(source), source.words
    for length in itertools.count(1):
        if left < length:
            return
        left -= length
        yield list(itertools.islice(words, length))


def documents(source: Source) -> Lines:
    words = stream(source)
    for _ in range(max(source.words // 100_000, 3)):
        yield list(itertools.islice(words, 100_000))


def all_types(source: Source) -> Lines:
    """Every type twice."""
    types = 50 * source.lines
    for begin in [*range(0, types, WORDS)] * 2:
        yield [f"type{i}" for i in range(begin, min(begin + WORDS, types))]


def random_types(source: Source) -> Lines:
    for _ in range(source.lines):
        yield [f"type{source.random.randrange(50 * source.lines)}" for _ in range(WORDS)]


def prefixes(source: Source) -> Lines:
    words, left = stream(source), source.words
    while left > 0:
        whole = list(itertools.islice(words, 100))
        for length in range(1, 101):
            yield whole[:length]
        left -= 5050


def copies(source: Source) -> Lines:
    """The k-th line as often as a k-th of the first, in a random order."""
    left, made = source.words, []
    lines = source.natural(0)
    for k in itertools.count(1):
        line = next(lines)
        times = max(source.lines // (10 * k), 1)
        made += [line] * times
        left -= times * len(line)
        if left < 0:
            break
    source.random.shuffle(made)
    yield from made


def last_bytes(source: Source) -> Lines:
    """Words of eight bytes that differ only in the last two."""
    printable = [chr(byte) for byte in range(0x21, 0x7F)]
    for _ in range(source.lines):
        yield ["common" + "".join(source.random.choices(printable, k=2)) for _ in range(WORDS)]


def identical(source: Source) -> Lines:
    for _ in range(15 * source.lines):
        yield ["two", "words"]


CATALOGUE = "Product p{i} : {t} inch steel bolt , pack of {s} , colour c{t} , price {r} euros"
LOG = "2024-01-{s} 12:{s}:{t} INFO server-{t} GET /item/{i} status 200 in {r} ms from 10.0.{t}.{s}"
POOLS = {
    "templates": Pool(
        "`the cat sat on the mat number nI` wanted, `a cat sat near mat number nI` available",
        numbered("the cat sat on the mat number n{i}"),
        numbered("a cat sat near mat number n{i}"),
    ),
    "digits": Pool("5 to 12 digits per line", digits, digits),
    "orders": Pool(
        "one sentence with a number, a customer and a day",
        numbered("Order {i} shipped to customer c{r} on day {s} by truck {t}"),
        numbered("Order {i} shipped to customer c{r} on day {s} by truck {t}"),
    ),
    "catalogue": Pool("products that differ in numbers", numbered(CATALOGUE), numbered(CATALOGUE)),
    "logs": Pool("log lines that differ in numbers", numbered(LOG), numbered(LOG)),
    "names": Pool("names, with --ngrams 2", names, names, ("--all", "--ngrams", "2")),
    "characters": Pool(
        "English, with --tokenizer characters", few_characters, few_characters, ALL, ("--tokenizer", "characters")
    ),
    "ideographs": Pool(
        "4,000 kinds of characters, with --tokenizer characters",
        ideographs,
        ideographs,
        ALL,
        ("--tokenizer", "characters"),
    ),
    "everywhere": Pool("every other word is the same", everywhere, everywhere),
    "lengths": Pool("all lines of different length", other_natural, all_lengths),
    "documents": Pool("documents of 100,000 words", other_natural, documents),
    "types": Pool("50 N types in REPRESENTATIVE", all_types, random_types),
    "files": Pool("N / 2 files of two lines", other_natural, natural, files=2),
    "targets": Pool("N / 20 targets of five lines", other_natural, natural, targets=5),
    "prefixes": Pool("lines that are prefixes of each other", other_natural, prefixes),
    "copies": Pool("a Zipf of copies", other_natural, copies),
    "last-bytes": Pool("words that differ only in bytes 7 and 8", last_bytes, last_bytes),
    "identical": Pool(
        "15 N identical lines, with --strategy batch", identical, identical, ("--all", "--strategy", "batch")
    ),
}


PLAIN = Pool("natural text", natural, natural)


@dataclass(frozen=True)
class Written:
    """Files of one pool."""

    wanted: list[Path]
    available: list[Path]
    lines: int
    words: int

    def ranked(self, folder: Path, *options: str) -> Run:
        jaded = folder / "jaded.tsv"
        jaded.unlink(missing_ok=True)
        targets = [part for path in self.wanted for part in ("-r", path)]
        available = self.available[0] if len(self.available) == 1 else self.available[0].parent
        return run(cynical("select", *targets, "-a", available, "-o", jaded, "--quiet", *options))


def until(words: int, lines: Lines) -> Lines:
    """N words, the last line cut."""
    left = words
    for line in lines:
        yield line[:left]
        left -= len(line)
        if left <= 0:
            return


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--lines", type=int, default=20_000, metavar="N", help="of natural text (20,000)")
    parser.add_argument("--only", metavar="NAME,...", help="these pools (all that can be)")
    parser.add_argument("--repeat", type=int, default=2, metavar="N", help="runs of each (2)")
    parser.add_argument("--same-lengths", action="store_true", help="beside natural text of as many lines, as long")
    parser.add_argument("--list", action="store_true", help="say what the pools are, and end")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else SHARING if options.same_lengths else list(POOLS)
    if unknown := set(chosen) - set(POOLS):
        parser.error(f"no pool {', '.join(sorted(unknown))}; there are {', '.join(POOLS)}")
    if options.list:
        print(table(("pool", "what"), [(name, pool.what) for name, pool in POOLS.items()]))
        return
    with scratch(options.scratch) as here:
        folder = here.folder / "hostile"
        make = same_lengths if options.same_lengths else same_words
        rows = [measured(name, make, here, folder, options.lines, options.repeat) for name in chosen]
    print(table(HEADER, rows))


def measured(
    name: str, make: Callable[..., tuple[Written, Written]], here: Scratch, folder: Path, lines: int, repeat: int
) -> tuple[str, ...]:
    shutil.rmtree(folder, ignore_errors=True)
    pool = POOLS[name]
    note(f"{name}: {pool.what} ...")

    def from_pool(begin: int) -> Lines:
        while True:
            with here.pool.open(encoding="utf-8") as text:
                yield from (line.split() for line in itertools.islice(text, begin, None) if line.strip())
            begin = 0

    hostile, usual = make(pool, Source(lines, from_pool, random.Random(7)), folder)
    words = usual.words
    tiny = written(folder / "tiny", until(20, from_pool(0)), until(40, from_pool(0)), PLAIN)
    theirs: list[Run] = []
    ours: list[Run] = []
    start: list[Run] = []
    tiny.ranked(folder, *pool.options, *pool.tokenizer)  # compiles what is not compiled yet
    for _ in range(repeat):
        ours.append(hostile.ranked(folder, *pool.options, *pool.tokenizer))
        theirs.append(usual.ranked(folder, *pool.options))
        start.append(tiny.ranked(folder, *pool.options))
    shutil.rmtree(folder)
    hostile_best, usual_best, nothing = best_of(ours), best_of(theirs), best_of(start)
    seconds = hostile_best.seconds - nothing.seconds
    natural_seconds = max(usual_best.seconds - nothing.seconds, 0.01)
    busy = (hostile_best.processor - nothing.processor) / max(usual_best.processor - nothing.processor, 0.01)
    each, natural_each = 1e6 * seconds / words, 1e6 * natural_seconds / words
    ratio = each / natural_each
    figures = (f"{seconds:.2f}", f"{natural_seconds:.2f}", f"{each:.2f}", f"{natural_each:.2f}", f"{ratio:.1f}")
    return (
        name,
        f"{hostile.lines:,}",
        f"{words:,}",
        *figures,
        str(LIMIT),
        "yes" if ratio <= LIMIT else "NO",
        f"{busy:.1f}",
    )


def same_words(pool: Pool, source: Source, folder: Path) -> tuple[Written, Written]:
    """A pool, and natural text of as many words."""
    hostile = written(folder / "hostile", pool.wanted(source), pool.available(source), pool)
    wanted, available = lengths_of(hostile, pool)
    natural_wanted = until(sum(wanted), source.natural(150_000))
    return hostile, written(folder / "natural", natural_wanted, until(sum(available), source.natural(0)), PLAIN)


def same_lengths(pool: Pool, source: Source, folder: Path) -> tuple[Written, Written]:
    """A pool of N lines, and natural text of as many, each with as many words."""
    enough = replace(source, lines=6 * source.lines)
    wanted = itertools.islice(pool.wanted(enough), source.lines // 4)
    hostile = written(folder / "hostile", wanted, itertools.islice(pool.available(enough), source.lines), pool)
    streams = stream(source, 150_000), stream(source)
    texts = [
        (list(itertools.islice(words, length)) for length in lengths)
        for words, lengths in zip(streams, lengths_of(hostile, pool), strict=True)
    ]
    return hostile, written(folder / "natural", texts[0], texts[1], PLAIN)


def lengths_of(hostile: Written, pool: Pool) -> tuple[list[int], list[int]]:
    """Of the lines of REPRESENTATIVE and of AVAILABLE, in words as the tokenizer sees them."""

    def length(line: str) -> int:
        return len(line) - line.count(" ") - 1 if pool.tokenizer else line.count(" ") + 1

    def lengths(paths: list[Path]) -> list[int]:
        return [length(line) for path in paths for line in path.open(encoding="utf-8")]

    return lengths(hostile.wanted), lengths(hostile.available)


def written(folder: Path, wanted: Lines, available: Lines, pool: Pool) -> Written:
    """Write both sides, as one file each or as many."""
    targets, _, _ = put(folder / "wanted", wanted, pool.targets)
    files, lines, words = put(folder / "available", available, pool.files)
    for path in (*targets, *files):
        warm(path)
    return Written(targets, files, lines, words)


def put(folder: Path, lines: Lines, each: int) -> tuple[list[Path], int, int]:
    """Write lines to one file, or N to each; the files, how many lines, and how many words."""
    folder.mkdir(parents=True)
    files: list[Path] = []
    total = words = 0
    batches = [lines] if each == 1 else batched(lines, each)
    for batch in batches:
        files.append(folder / f"{len(files):06}.txt")
        with files[-1].open("w", encoding="utf-8") as file:
            for line in batch:
                file.write(" ".join(line) + "\n")
                total, words = total + 1, words + len(line)
    return files, total, words


def batched(lines: Lines, each: int) -> Iterator[Iterator[list[str]]]:
    while batch := list(itertools.islice(lines, each)):
        yield iter(batch)


if __name__ == "__main__":
    main()
