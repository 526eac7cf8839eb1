"""Does a change of the code leave every output as it was?

    python benchmarks/same_bytes.py keep DIR [--scratch DIR]    # before the change: run all, keep the files
    python benchmarks/same_bytes.py compare DIR [--scratch DIR]    # after it: run them again, compare

Runs more than thirty commands over the shared corpora: every command, strategy and format, both sides of a parallel
corpus, n-grams, seeds, counts, checkpoints, a memory limit and Ray. Files are compared byte by byte; of JSON files,
what may differ between two runs or versions is left out first (see VOLATILE), of pages the same within their data, of
tables the seconds.
`keep` and `compare` need the same --scratch, because summaries name the files they were made from. `--only WORD` runs
the commands whose name has WORD in it. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from corpora import Scratch, arguments, cynical, note, scratch

VOLATILE = {"cynical", "versions", "seconds", "memory", "signature", "version", "schema"}
VOLATILE |= {"text_signature", "peak_of_a_worker", "rescored", "refreshes", "rescored_by_workers"}
VOLATILE |= {"rounds", "candidates", "returned", "sent"}  # of a cluster
MEDQA = ("-r", "{medqa}", "-a", "{pool}")
SMALL = ("-r", "{medqa}", "-a", "{head}")
RAW = ("--tokenizer", "words", "--lowercase", "--normalize", "nfc")
SIDES = ("-r", "{ui_en}", "--representative-with", "{ui_de}", "-a", "{pool_en}", "--with", "{pool_de}")
MODEL = ("--ngrams", "2", "--per", "word")

# By name: a list of commands, run in this order in a folder of their own.
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "stopping-point": [("select", *MEDQA, "-o", "jaded.tsv")],
    "all": [("select", *SMALL, "--all", "-o", "jaded.tsv")],
    "share-of-pool": [("select", *MEDQA, "--share", "0.1", "-o", "jaded.tsv", "--jobs", "1")],
    "ngrams-2-per-word": [("select", *MEDQA, *MODEL, "--words", "100000", "-o", "jaded.tsv")],
    "ngrams-3": [("select", *SMALL, "--ngrams", "3", "--lines", "2000", "-o", "jaded.tsv")],
    "word-first": [("select", *SMALL, "--strategy", "word", "--all", "-o", "jaded.tsv")],
    "word-first-per-word": [("select", *SMALL, "--strategy", "word", *MODEL, "--lines", "3000", "-o", "jaded.tsv")],
    "batch": [("select", *SMALL, "--strategy", "batch", "--all", "-o", "jaded.tsv")],
    "batch-classes": [
        ("select", *SMALL, "--strategy", "batch", "--vocabulary", "classes", "-u", "{law}", "--all", "-o", "jaded.tsv")
    ],
    "classes": [
        ("select", *SMALL, "--vocabulary", "classes", "--min-count", "2", "--ratio-threshold", "2", "-o", "jaded.tsv")
    ],
    "classes-unadapted": [
        ("select", *SMALL, "--vocabulary", "classes", "-u", "{law}", "--lines", "3000", "-o", "jaded.tsv")
    ],
    "money": [("select", *SMALL, "--price", "0.12", "--money", "500", "-o", "jaded.tsv")],
    "left-out": [
        (
            *("select", *SMALL, "--exclude", "{medqa_test}", "--max-copies", "1", "--min-length", "4"),
            *("--max-length", "40", "--lines", "3000", "-o", "jaded.tsv"),
        )
    ],
    "targets": [
        (
            *("select", "-r", "{medqa}", "-r", "{law}", "--weights", "0.7,0.3", "-a", "{head}"),
            *("--share", "0.2", "-o", "jaded.tsv"),
        )
    ],
    "smoothing-patience": [("select", *SMALL, "--smoothing", "0.1", "--patience", "all", "-o", "jaded.tsv")],
    "raw-text": [("select", "-r", "{medqa_raw}", "-a", "{head_raw}", *RAW, "--lines", "2000", "-o", "jaded.tsv")],
    "characters": [("select", *SMALL, "--tokenizer", "characters", "--lines", "200", "-o", "jaded.tsv")],
    "sides": [("select", *SIDES, "--words", "50000", "--per", "word", "-o", "jaded.tsv")],
    "sides-as-text": [
        ("select", "-r", "{ui_en}", "-a", "{pool_en}", "--with", "{pool_de}", "--lines", "500", "-o", "picks.en")
    ],
    "sides-ngrams": [("select", *SIDES, *MODEL, "--words", "30000", "-o", "jaded.tsv")],
    "formats": [
        ("select", "-r", "{medqa}", "-a", "{records}", "--id-key", "id", "--lines", "500", "-o", f"picks.{suffix}")
        for suffix in ("tsv", "txt", "jsonl", "parquet", "csv", "ids", "jsonl.zst", "tsv.gz")
    ],
    "several-files": [
        ("select", "-r", "{medqa}", "-a", "{head}", "-a", "{law}", "--lines", "500", "-o", f"picks.{suffix}")
        for suffix in ("tsv", "jsonl")
    ],
    "compressed": [("select", "-r", "{medqa}", "-a", "{head_gz}", "--lines", "500", "-o", "jaded.tsv")],
    "table": [("select", "-r", "{medqa}", "-a", "{table}", "--text-key", "text", "--lines", "500", "-o", "jaded.tsv")],
    "resumed": [
        ("select", *SMALL, "--lines", "500", "-o", "first.tsv"),
        ("select", *SMALL, "--lines", "500", "-s", "first.tsv", "-o", "second.tsv"),
        ("select", *SMALL, "--lines", "500", "-s", "first.tsv", "-s", "second.tsv", "-s", "{law}", "-o", "third.tsv"),
    ],
    "checkpoint": [
        ("select", *SMALL, "--lines", "5000", "--checkpoint", "kept", "--checkpoint-every", "0", "-o", "first.tsv"),
        ("select", *SMALL, "--lines", "5000", "--checkpoint", "kept", "--checkpoint-every", "0", "-o", "second.tsv"),
    ],
    "memory-limit": [("select", *MEDQA, "--share", "0.02", "--memory", "320M", "-o", "jaded.tsv")],
    "counts": [
        ("count", "{medqa}", "-o", "medqa.counts"),
        ("count", "{medqa}", "--fold-below", "3", "--ngrams", "2", "-o", "folded.counts"),
        ("count", "{medqa_raw}", *RAW, "-o", "raw.counts"),
        ("select", "-r", "folded.counts", "-a", "{head}", "--ngrams", "2", "--lines", "500", "-o", "jaded.tsv"),
    ],
    "words": [
        ("words", "-r", "{medqa}", "-u", "{law}", "-a", "{head}", "-o", "three.tsv"),
        ("words", "-r", "{medqa}", "-u", "{head}", "--min-count", "5", "-o", "two.tsv"),
    ],
    "cut": [
        ("select", *SMALL, *MODEL, "--all", "-o", "jaded.tsv"),
        ("cut", "jaded.tsv", "--lines", "100", "-o", "lines.tsv"),
        ("cut", "jaded.tsv", "--words", "10000", "-o", "words.txt"),
        ("cut", "jaded.tsv", "--share", "0.1", "-o", "share.tsv"),
        ("cut", "jaded.tsv", "--stop", "-o", "stop.tsv"),
    ],
    "rank": [
        ("rank", *SMALL, "--method", method, "--share", "0.2", "-o", f"{method}.tsv")
        for method in ("random", "in-order", "longest", "dsir", "moore-lewis")
    ],
    "rank-seeds": [
        ("rank", *SMALL, "--method", "random", "--random-seed", "7", "-o", "random.jsonl"),
        ("rank", *SMALL, "--method", "dsir", "--buckets", "500", "--lines", "500", "-o", "dsir.tsv"),
        ("rank", *SMALL, "--method", "moore-lewis", "--order", "2", "--words", "5000", "-o", "moore-lewis.tsv"),
    ],
    "rank-sides": [
        ("rank", *SIDES, "--method", "bilingual-moore-lewis", "--lines", "500", "-o", "both.tsv"),
    ],
    "evaluate": [
        ("select", *SMALL, *MODEL, "--share", "0.3", "-o", "jaded.tsv"),
        ("evaluate", "jaded.tsv", "-t", "{medqa_test}", "--json", "points.json", "--csv", "points.csv"),
        ("evaluate", "jaded.tsv", "-t", "{medqa_test}", "--order", "2", "--at", "100,1000", "--json", "at.json"),
        ("evaluate", "{law}", "-t", "{medqa_test}", "--json", "text.json"),
    ],
    "compare": [
        ("compare", *SMALL, "-t", "{medqa_test}", "--json", "test.json", "--csv", "test.csv", "--report", "page.html"),
        ("compare", "-r", "{medqa}", "-a", "{head}", "--json", "held-out.json"),
    ],
    "report": [
        ("select", *SMALL, "--share", "0.3", "-o", "jaded.tsv"),
        ("report", "jaded.tsv", "-o", "page.html"),
        (
            *("report", "jaded.tsv", "--labels", "{domains}", "--price", "0.1", "-t", "{medqa_test}"),
            *("-o", "more.html"),
        ),
    ],
    "standard-output": [("select", *SMALL, "--lines", "100", "-o", "-"), ("words", "-r", "{medqa}", "-u", "{law}")],
    "ray": [
        ("select", *SMALL, "--engine", "ray", "--workers", "2", "--lines", "2000", "-o", "jaded.tsv"),
        ("select", *SMALL, *MODEL, "--engine", "ray", "--workers", "3", "--lines", "500", "-o", "parts/"),
    ],
    "ray-classes": [
        (
            *("select", *SMALL, "--engine", "ray", "--workers", "2", "--vocabulary", "classes"),
            *("--checkpoint", "kept", "--exclude", "{medqa_test}", "--lines", "500", "-o", "picks.jsonl"),
        )
    ],
    "errors": [
        ("select", "-r", "{medqa}", "-a", "no-such-file.txt", "-o", "jaded.tsv"),
        ("select", *SMALL, "--lines", "0", "-o", "jaded.tsv"),
        ("cut", "{law}", "--lines", "5", "-o", "cut.tsv"),
    ],
}


def files(here: Scratch) -> dict[str, str]:
    """The inputs by the names that COMMANDS has for them; what is not there yet is made."""
    folder, corpora = here.folder, here.folder / "corpora"
    made = {
        "medqa": here.train("medqa"),
        "medqa_test": here.test("medqa"),
        "law": here.train("law"),
        "pool": here.pool,
        "head": here.head(20_000),
        "medqa_raw": corpora / "repr" / "medqa.train.txt",
        "head_raw": folder / "head.raw.txt",
        "head_gz": folder / "head.20000.tok.gz",
        "records": folder / "head.jsonl",
        "table": folder / "head.tsv",
        "domains": folder / "head.domain",
        "ui_en": corpora / "parallel" / "en-de.libreoffice-ui.train.tok.en",
        "ui_de": corpora / "parallel" / "en-de.libreoffice-ui.train.tok.de",
        "pool_en": corpora / "parallel" / "en-de.pool.tok.en",
        "pool_de": corpora / "parallel" / "en-de.pool.tok.de",
    }
    lines = made["head"].read_text().splitlines()
    made["head_raw"].write_text("\n".join((corpora / "pool.en.txt").read_text().split("\n")[:20_000]) + "\n")
    if not made["head_gz"].exists():
        import gzip

        made["head_gz"].write_bytes(gzip.compress(made["head"].read_bytes(), mtime=0))
    records = [json.dumps({"id": f"line-{n}", "text": line, "n": n}) for n, line in enumerate(lines)]
    made["records"].write_text("\n".join(records) + "\n")
    rows = [f"{n}\t{line}\t{n % 7}" for n, line in enumerate(lines)]
    made["table"].write_text("\n".join(["number\ttext\tweekday", *rows]) + "\n")
    made["domains"].write_text("\n".join((corpora / "pool.en.domain").read_text().split("\n")[:20_000]) + "\n")
    return {name: str(path) for name, path in made.items()}


def run_all(here: Scratch, out: Path, only: str) -> None:
    """Run the commands, each group in a folder of its own below `out`."""
    inputs = files(here)
    for name, commands in COMMANDS.items():
        if only not in name:
            continue
        home = out / name
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        for number, command in enumerate(commands):
            words = [str(word) for word in cynical(*(part.format(**inputs) for part in command))]
            note(f"{name}: cynical {' '.join(words[1:])[:120]}")
            done = subprocess.run(words, cwd=home, capture_output=True, check=False)
            (home / f"{number}.code").write_text(f"{done.returncode}\n")
            if command[0] != "compare":  # whose table tells how long each method took
                (home / f"{number}.stdout").write_bytes(done.stdout)
            if done.returncode and name != "errors":
                note(done.stderr.decode(errors="replace"))
        shutil.rmtree(home / "kept", ignore_errors=True)  # a checkpoint's own files are no output


def without_volatile(value: object, folder: str) -> object:
    if isinstance(value, dict):
        return {key: without_volatile(one, folder) for key, one in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [without_volatile(one, folder) for one in value]
    return value.replace(folder, "") if isinstance(value, str) else value


def comparable(path: Path, folder: Path) -> bytes:
    """What of a file must be the same."""
    raw = path.read_bytes()
    if path.suffix == ".json":
        return json.dumps(without_volatile(json.loads(raw), str(folder)), indent=1, sort_keys=True).encode()
    if path.suffix == ".csv" and b",seconds," in raw.partition(b"\n")[0]:
        rows = [line.split(b",") for line in raw.splitlines()]
        taken = rows[0].index(b"seconds")
        return b"\n".join(b",".join(cell for place, cell in enumerate(row) if place != taken) for row in rows)
    if path.suffix == ".html":
        found = re.search(rb"<script[^>]*application/json[^>]*>(.*?)</script>", raw, re.DOTALL)
        if found:
            kept = without_volatile(json.loads(found[1].replace(b"<\\/", b"</")), str(folder))
            return json.dumps(kept, indent=1, sort_keys=True).encode()
    return raw


def differences(before: Path, after: Path, only: str) -> Iterator[str]:
    for name in COMMANDS:
        if only not in name:
            continue
        found = [
            {path.relative_to(home / name).as_posix() for path in (home / name).rglob("*") if path.is_file()}
            for home in (before, after)
        ]
        for missing in sorted(found[0] ^ found[1]):
            yield f"{name}/{missing}: only {'before' if missing in found[0] else 'after'}"
        for file in sorted(found[0] & found[1]):
            if comparable(before / name / file, before) != comparable(after / name / file, after):
                yield f"{name}/{file}: differs"


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("what", choices=("keep", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", metavar="WORD", help="only commands whose name has WORD in it")
    parser.add_argument("--after", type=Path, metavar="DIR", help="keep the new outputs here")
    options = parser.parse_args()
    with scratch(options.scratch) as here, tempfile.TemporaryDirectory() as passing:
        if options.what == "keep":
            run_all(here, options.folder.resolve(), options.only)
            return
        after = (options.after or Path(passing)).resolve()
        run_all(here, after, options.only)
        found = list(differences(options.folder.resolve(), after, options.only))
        number = sum(len(commands) for name, commands in COMMANDS.items() if options.only in name)
        print("\n".join(found) if found else f"{number} commands: the same files, byte for byte")
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
