"""What do compressed files and records cost beside the same lines as plain text?

    python benchmarks/formats.py [--scratch DIR] [--repeat N] [--task TASK] [--lines N]

`cynical select --share 0.1` on the pool, grown to a million lines, in one format after another, the runs in turn and
the best of N of each: wall time from the start of the process to its end, and the peak resident memory, mapped files
included. Prints, a format a row: the size of the file, seconds, the ratio to plain text and its limit, and how much
more memory was used than for plain text, and its limit. Every format must give the picks of plain text; the benchmark
ends if one does not. The exit code does not judge otherwise: read the column `holds`.
"""

from __future__ import annotations

import gzip
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from corpora import MB, Run, arguments, best_of, note, run, scratch, select, table, warm

HEADER = ("format", "file MB", "seconds", "ratio", "limit", "peak MB", "more MB", "limit", "holds")
LIMITS = {"jsonl": 2.5, "txt.gz": 2.5, "txt.zst": 1.5, "jsonl.zst": None, "parquet": None}
MORE = 200 * MB


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--lines", type=int, default=1_000_000, metavar="N", help="lines of AVAILABLE (1,000,000)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        plain = here.grown(options.lines)
        files = {"txt": plain, **{kind: made(plain, kind) for kind in LIMITS}}
        runs: dict[str, list[Run]] = {kind: [] for kind in files}
        picks: dict[str, list[str]] = {}
        for _ in range(options.repeat):
            for kind, file in files.items():
                note(f"{kind} ...")
                warm(file)
                jaded = here.folder / "jaded.tsv"
                runs[kind].append(run(select(here.train(options.task), file, jaded, "--share", "0.1")))
                with jaded.open() as rows:
                    picks[kind] = [row.split("\t", 2)[1] for row in rows]
                if picks[kind] != picks["txt"]:
                    sys.exit(f"{kind}: other picks than plain text")
                picks = {"txt": picks["txt"]}
        sizes = {kind: file.stat().st_size for kind, file in files.items()}
    print(table(HEADER, [row(kind, sizes[kind], best_of(many), best_of(runs["txt"])) for kind, many in runs.items()]))


def row(kind: str, size: int, ours: Run, plain: Run) -> tuple[str, ...]:
    ratio, more, limit = ours.seconds / plain.seconds, ours.peak - plain.peak, LIMITS.get(kind)
    holds = "" if limit is None else "yes" if ratio <= limit and more <= MORE else "NO"
    figures = (f"{size / MB:.0f}", f"{ours.seconds:.2f}", f"{ratio:.2f}", "" if limit is None else f"{limit}")
    return kind, *figures, f"{ours.peak / MB:.0f}", f"{more / MB:.0f}", f"{MORE / MB:.0f}", holds


def made(plain: Path, kind: str) -> Path:
    """The same lines in another format, made once."""
    path = plain.with_suffix(f".{kind}")
    if path.exists():
        return path
    note(f"making {path.name} ...")
    part = path.with_name(path.name + ".part")
    if kind == "parquet":
        write_parquet(plain, part)
    else:
        pieces = blocks(plain) if kind.startswith("txt") else records(plain)
        if kind.endswith(".gz"):
            with gzip.open(part, "wb", 6) as compressed:
                compressed.writelines(pieces)
        elif kind.endswith(".zst"):
            import zstandard

            with part.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as writer:
                for piece in pieces:
                    writer.write(piece)
        else:
            with part.open("wb") as file:
                file.writelines(pieces)
    part.rename(path)
    return path


def blocks(plain: Path) -> Iterator[bytes]:
    with plain.open("rb") as file:
        while block := file.read(MB):
            yield block


def records(plain: Path) -> Iterator[bytes]:
    """A JSON object a line, with two more fields as they are usual."""
    with plain.open() as lines:
        for number, line in enumerate(lines):
            record = {"id": number, "text": line.rstrip("\n"), "meta": {"source": "pool"}}
            yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def write_parquet(plain: Path, path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([("text", pyarrow.string())])
    with plain.open() as lines, pyarrow.parquet.ParquetWriter(path, schema) as writer:
        while texts := [line.rstrip("\n") for line in itertools.islice(lines, 50_000)]:
            writer.write_table(pyarrow.table({"text": texts}, schema))


if __name__ == "__main__":
    main()
