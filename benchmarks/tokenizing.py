"""What does each tokenizer cost beside white space?

    python benchmarks/tokenizing.py [--scratch DIR] [--repeat N] [--lines N] [--task TASK]

`cynical count` of raw text, grown from the pool to N lines, and `cynical select --share 0.1` from it, start-up
included: the runs in turn, the best of each. Prints, a run a row: the ratio of its wall time, and of its processor
time, to that of whitespace on the same file, the limit of the first, and whether that holds. Other tokenizers give
other words, and other work to count them and to rank by them: that is in the ratios too. `counting alone` is what one
thread takes to find the words of every line and count them, without start-up and without the counts file. German has
more text beyond ASCII, and rows of its own.

`library` is what it takes to read and count with `hf:` (byte-level BPE) and `spm:` (unigram), models of 8,000 pieces
trained on the first lines, beside the library's own batch call for the lines in memory, on all cores: encode_batch, and
encode with as many threads as cores and strings as its result; for `hf, fast` it is encode_batch_fast, which leaves out
strings and places. Start-up and loading the model are in neither.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from corpora import CORPORA, Run, Scratch, arguments, best_of, cynical, note, run, scratch, select, table, warm

HEADER = ("job", "tokenizer", "ratio", "processor", "limit", "holds")
HOWS: dict[str, tuple[str, ...]] = {
    "whitespace": (),
    "words": ("--tokenizer", "words"),
    "characters": ("--tokenizer", "characters"),
    "words, lower case": ("--tokenizer", "words", "--lowercase"),
    "words, nfkc": ("--tokenizer", "words", "--normalize", "nfkc"),
}
LIMITS = {("counting alone", "words"): 2.0, ("count", "words"): 2.0, ("count, German", "words"): 2.0}
ALONE = """
import sys, time
from cynical.model.count import WordCounter
from cynical.text.reader import Reader
from cynical.text.sources import open_corpus
from cynical.text.tokenizer import Tokenizer

how = sys.argv[2:]
tokenizer = Tokenizer(
    how[how.index("--tokenizer") + 1] if "--tokenizer" in how else "whitespace",
    "--lowercase" in how,
    normalize=how[how.index("--normalize") + 1] if "--normalize" in how else None,
)
chunks, reader = list(open_corpus(sys.argv[1], "text").chunks()), Reader(tokenizer)
WordCounter(1).take(chunks[0], reader.read(chunks[0]))
counter, began = WordCounter(1), time.process_time()
for chunk in chunks:
    counter.take(chunk, reader.read(chunk))
print(time.process_time() - began, file=sys.stderr)
"""


TRAIN = """
import itertools, sys
import sentencepiece, tokenizers

lines = list(itertools.islice(open(sys.argv[1], encoding="utf-8", errors="replace"), 20000))
model = tokenizers.Tokenizer(tokenizers.models.BPE())
model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel()
model.train_from_iterator(lines, tokenizers.trainers.BpeTrainer(vocab_size=8000, show_progress=False))
model.save(sys.argv[2])
with open(sys.argv[3], "wb") as file:
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=file, vocab_size=8000, minloglevel=2
    )
"""
LIBRARY = """
import os, sys, time
kind, _, path = sys.argv[2].partition(":")
lines = open(sys.argv[1], encoding="utf-8", errors="replace").read().split("\\n")
if kind == "hf":
    import tokenizers
    model = tokenizers.Tokenizer.from_file(path)
    encode_batch = getattr(model, sys.argv[3])
    encode = lambda: encode_batch(lines, add_special_tokens=False)
else:
    import sentencepiece
    model = sentencepiece.SentencePieceProcessor(model_file=path)
    encode = lambda: model.encode(lines, out_type=str, num_threads=len(os.sched_getaffinity(0)))
began, used = time.perf_counter(), time.process_time()
made = encode()
print(time.perf_counter() - began, time.process_time() - used, file=sys.stderr)
"""
OURS = """
import sys, time
import cynical
cynical.count(["a"], tokenizer=sys.argv[2])
began, used = time.perf_counter(), time.process_time()
cynical.count(sys.argv[1], tokenizer=sys.argv[2])
print(time.perf_counter() - began, time.process_time() - used, file=sys.stderr)
"""


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--lines", type=int, default=1_000_000, metavar="N", help="lines of raw text (1,000,000)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        raw, german = grown(here, "pool.en.txt", options.lines), grown(here, "parallel/en-de.pool.de", options.lines)
        task = here.train(options.task).with_suffix(".txt")
        counts, jaded = here.folder / "raw.counts", here.folder / "jaded.tsv"

        def count(text: Path) -> Callable[[Sequence[str]], Run]:
            return lambda how: run(cynical("count", text, "-o", counts, "--overwrite", "--quiet", *how))

        def rank(how: Sequence[str]) -> Run:
            return run(select(task, raw, jaded, "--share", "0.1", "--quiet", *how))

        def alone(how: Sequence[str]) -> Run:
            done = run([sys.executable, "-c", ALONE, raw, *how])
            return replace(done, seconds=float(done.said), processor=float(done.said))

        rows = [
            *beside_libraries(here, raw, options.repeat),
            *compared("counting alone", alone, options.repeat, tuple(HOWS)),
            *compared("count", count(raw), options.repeat, tuple(HOWS)),
            *compared("count, German", count(german), options.repeat, ("whitespace", "words")),
            *compared("select --share 0.1", rank, options.repeat, ("whitespace", "words")),
        ]
    print(table(HEADER, rows))


def beside_libraries(here: Scratch, text: Path, repeat: int) -> list[tuple[str, ...]]:
    """Reading with a tokenizer library beside the library's own batch call."""
    files = {"hf": here.folder / "tokenizing.json", "spm": here.folder / "tokenizing.model"}
    if not all(path.exists() for path in files.values()):
        note("training tokenizers ...")
        run([sys.executable, "-c", TRAIN, text, *files.values()])
    calls = {"hf": ("encode_batch", 1.0), "hf, fast": ("encode_batch_fast", None), "spm": ("encode", 1.0)}
    rows: list[tuple[str, ...]] = []
    for name, (call, limit) in calls.items():
        kind = name.partition(",")[0]
        best: dict[str, list[float]] = {}
        for script in (LIBRARY, OURS) * repeat:
            note(f"library, {name}, {'its own call' if script is LIBRARY else 'cynical'} ...")
            done = run([sys.executable, "-c", script, text, f"{kind}:{files[kind]}", call])
            found = [float(one) for one in done.said.split()]
            best[script] = min(best.get(script, found), found)
        wall, processor = (ours / theirs for ours, theirs in zip(best[OURS], best[LIBRARY], strict=True))
        holds = "" if limit is None else "yes" if wall <= limit else "NO"
        rows.append(("library", name, f"{wall:.2f}", f"{processor:.2f}", f"{limit or ''}", holds))
    return rows


def grown(here: Scratch, name: str, lines: int) -> Path:
    """A raw text made larger or smaller; the same every time."""
    source = here.folder / "corpora" / name
    path = here.folder / f"raw.{source.suffix[1:]}.{lines}.txt"
    if not path.exists():
        note(f"growing {lines:,} lines of {name} ...")
        part = path.with_suffix(".part")
        run([sys.executable, CORPORA / "grow", source, str(lines)], output=part)
        part.rename(path)
    warm(path)
    return path


def compared(
    job: str, start: Callable[[Sequence[str]], Run], repeat: int, names: Sequence[str]
) -> list[tuple[str, ...]]:
    """Each tokenizer beside the first."""
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for time in range(repeat + 1):  # the first time compiles
        for name in names:
            note(f"{job}, {name} ...")
            done = start(HOWS[name])
            if time:
                runs[name].append(done)
    best = {name: best_of(many) for name, many in runs.items()}
    plain = best["whitespace"]
    rows: list[tuple[str, ...]] = []
    for name, one in best.items():
        ratio, limit = one.seconds / plain.seconds, LIMITS.get((job, name))
        holds = "" if limit is None else "yes" if ratio <= limit else "NO"
        figures = (f"{ratio:.2f}", f"{one.processor / plain.processor:.2f}")
        rows.append((job, name, *figures, "" if limit is None else f"{limit}", holds))
    return rows


if __name__ == "__main__":
    main()
