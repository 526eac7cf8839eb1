"""What goes wrong, and how: the real command line, in a folder of its own, with texts nobody would wish for."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TASK = b"a cat sat\na cat ran home\n"
POOL = b"a dog ran\nthe bird flew\n\na cat\na cat sat on a mat\n"
ROWS = {1: b"a dog ran", 2: b"the bird flew", 4: b"a cat", 5: b"a cat sat on a mat"}
HEAD = b"# cynical counts 1\n# signature: tok:whitespace|lower:no\n# lines: 2\n"
SELECT = ("select", "-r", "task.txt", "-a", "pool.txt", "--all", "--quiet")
PLAIN = (*SELECT, "-o", "out.tsv")
TIMEOUT = 30  # seconds; no run here takes more than three
Done = subprocess.CompletedProcess[bytes]


def counts(types: int, words: int, body: bytes, other: int = 0) -> bytes:
    return HEAD + b"# words: %d\n# types: %d\n# other: %d\n" % (words, types, other) + body


def start(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cynical", *arguments]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, **{**pipes, **options})  # type: ignore[call-overload, no-any-return]


def run(folder: Path, *arguments: str, text: bytes | None = None, **options: object) -> Done:
    """Run it to its end; a run that takes too long is ended and fails the test."""
    given = {} if text is None else {"stdin": subprocess.PIPE}
    with start(folder, *arguments, **given, **options) as process:
        try:
            out, err = process.communicate(text, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return Done(arguments, process.returncode, out, err)


def listing(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def assert_one_line(done: Done, what: str = "") -> None:
    error = done.stderr.decode()
    assert done.returncode == 2, error
    assert len(error.splitlines()) == 1, error
    assert error.startswith("cynical: ")
    assert re.search(what, error), error
    assert not done.stdout


def assert_refused(folder: Path, *arguments: str, what: str = "", **options: object) -> None:
    """One line that says what, exit code 2, and nothing written."""
    before = listing(folder)
    done = run(folder, *arguments, **options)  # type: ignore[arg-type]
    assert_one_line(done, what)
    assert listing(folder) == before


def rows_of(table: bytes) -> dict[int, bytes]:
    """By line number, the text of each row."""
    header, *rows = table.removesuffix(b"\n").split(b"\n")
    assert header == b"rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext"
    fields = [row.split(b"\t", 8) for row in rows]
    assert [int(field[0]) for field in fields] == list(range(1, len(rows) + 1))
    return {int(field[1]): field[8] for field in fields}


@pytest.fixture(scope="module", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile every kernel first, so that no later run says that it does."""
    folder = tmp_path_factory.mktemp("compile")
    (folder / "a.txt").write_text("Ein Süß\ngrüßt\n")
    command = [sys.executable, "-m", "cynical", "select", "-r", "a.txt", "-a", "a.txt", "-s", "a.txt", "--lowercase"]
    for more in (["--all"], ["--vocabulary", "classes", "--format", "text"]):
        subprocess.run([*command, "-o", "-", *more], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "task.txt").write_bytes(TASK)
    (tmp_path / "pool.txt").write_bytes(POOL)
    return tmp_path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Several megabytes, which take some seconds to rank."""
    folder, rng = tmp_path_factory.mktemp("large"), random.Random(1)
    words = [f"w{int(rng.paretovariate(0.6)) % 20000}" for _ in range(1_500_000)]
    lines = (" ".join(words[i : i + 3 + i % 40]) for i in range(0, len(words), 20))
    (folder / "pool.txt").write_text("".join(line + "\n" for line in lines))
    (folder / "task.txt").write_text("".join(" ".join(words[i : i + 9]) + "\n" for i in range(0, 60000, 9)))
    return folder


@pytest.mark.parametrize(
    ("what", "arguments"),
    [
        ("no.txt: no such file", "select -r no.txt -a pool.txt -o out.tsv"),
        ("no.txt: no such file", "select -r task.txt -a no.txt -o out.tsv"),
        ("no.txt: no such file", "select -r task.txt -a pool.txt -a no.txt -o out.tsv"),
        ("no.counts: no such file", "select -r no.counts -a pool.txt -o out.tsv"),
        ("no.tsv: no such file", "cut no.tsv --lines 1 -o out.tsv"),
        ("no match|no file matches", "select -r task.txt -a no*.txt -o out.tsv"),
        ("task.txt/x", "select -r task.txt/x -a pool.txt -o out.tsv"),
        ("too long", f"select -r {'x' * 300} -a pool.txt -o out.tsv"),
        ("directory", "select -r folder -a pool.txt -o out.tsv"),
        ("directory", "select -r task.txt -a folder -o out.tsv"),
        ("empty.txt: no word .*REPRESENTATIVE", "select -r empty.txt -a pool.txt -o out.tsv"),
        ("empty.txt: no word .*AVAILABLE", "select -r task.txt -a empty.txt -o out.tsv"),
        ("blank.txt: no word .*REPRESENTATIVE", "select -r blank.txt -a pool.txt -o out.tsv"),
        ("blank.txt: no word .*AVAILABLE", "select -r task.txt -a blank.txt -o out.tsv"),
        ("no word", "count blank.txt -o out.counts"),
        ("no word in common", "select -r task.txt -a foreign.txt -o out.tsv"),
        ("task.txt: exists already.*--overwrite", "select -r task.txt -a pool.txt -o task.txt"),
        ("task.txt: exists already.*--overwrite", "count task.txt -o task.txt"),
        ("blank.txt: exists already.*--overwrite", "words -r task.txt -u pool.txt -o blank.txt"),
        ("taken.tsv.json", "select -r task.txt -a pool.txt -o taken.tsv"),
        ("folder", "select -r task.txt -a pool.txt -o folder"),
        ("folder no does not exist", "select -r task.txt -a pool.txt -o no/out.tsv"),
        ("folder no does not exist", "count task.txt -o no/out.counts"),
        ("task.txt/out.tsv", "select -r task.txt -a pool.txt -o task.txt/out.tsv"),
        ("too long", f"select -r task.txt -a pool.txt -o {'x' * 300}"),
        ("symbolic links", "select -r task.txt -a pool.txt -o loop"),
        ("--lines and --words contradict", "select -r task.txt -a pool.txt -o out.tsv --lines 1 --words 1"),
        ("--share and --all contradict", "select -r task.txt -a pool.txt -o out.tsv --share 0.1 --all"),
        ("--smoothing .* found 0", "select -r task.txt -a pool.txt -o out.tsv --smoothing 0"),
        ("--smoothing .* found nan", "select -r task.txt -a pool.txt -o out.tsv --smoothing nan"),
        ("--lines .* found 0", "select -r task.txt -a pool.txt -o out.tsv --lines 0"),
        ("--words .* found -5", "select -r task.txt -a pool.txt -o out.tsv --words -5"),
        ("--share .* found 10", "select -r task.txt -a pool.txt -o out.tsv --share 10"),
        ("--patience .* found", "select -r task.txt -a pool.txt -o out.tsv --patience soon"),
        ("--max-length .* found 0", "select -r task.txt -a pool.txt -o out.tsv --max-length 0"),
        ("--jobs .* found 0", "select -r task.txt -a pool.txt -o out.tsv --jobs 0"),
        ("--fold-below .* found 0", "count task.txt -o out.counts --fold-below 0"),
        ("twice", "select -r task.txt -r task.txt -a pool.txt -o out.tsv"),
        ("standard input", "select -r - -a - -o out.tsv"),
        ("standard input", "select -r - -a - -a pool.txt -o out.tsv"),
        ("standard input", "words -r - -u -"),
        ("lines cannot be chosen from counts", "select -r task.txt -a good.counts -o out.tsv"),
        ("counts", "select -r task.txt -a pool.txt -a good.counts -o out.tsv"),
        ("line 1: expected the header", "cut pool.txt --lines 1 -o out.tsv"),
        ("No such option '--line'", "select -r task.txt -a pool.txt -o out.tsv --line 1"),
        ("No such command 'slect'", "slect -r task.txt"),
        ("Missing option '-o'", "select -r task.txt -a pool.txt"),
        ("--lines.* not a valid integer", "select -r task.txt -a pool.txt -o out.tsv --lines ten"),
        ("extra argument", "select -r task.txt -a pool.txt blank.txt -o out.tsv"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2_and_nothing_written(folder: Path, what: str, arguments: str) -> None:
    (folder / "folder").mkdir()
    (folder / "empty.txt").touch()
    (folder / "blank.txt").write_bytes(b"\n \t\r\n\xe3\x80\x80\n")
    (folder / "foreign.txt").write_text("der Hund lief\n")
    (folder / "taken.tsv.json").write_text("{}\n")
    (folder / "good.counts").write_bytes(counts(1, 2, b"cat\t2\n"))
    (folder / "loop").symlink_to("loop")
    assert_refused(folder, *arguments.split(), what=what)


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"", "line 1: expected"),
        (b"\x00\xff\xfe\n\n" * 99, "line 1: expected"),
        (b"word\tcount\na\t2\n", "line 1: expected"),
        (HEAD, "the header lacks 'words'"),
        (counts(2, 5, b"a\t3\ncat\t"), "no end"),
        (counts(2, 5, b"a\t3\n"), "the header says 2 of 5"),
        (counts(2, 5, b"a\t3\na\t2\n"), "twice"),
        (counts(2, 5, b"a\t7\ncat\t-2\n"), "line 8: expected a word"),
        (counts(2, 5, b"a 3\ncat\t2\n"), "line 7: expected a word"),
        (counts(1, 10**20, b"a\t1%s\n" % (b"0" * 20)), "out.counts"),
        (counts(2, 4, b"a\t3\ncat\t2\n", -1), "out.counts"),
        (counts(1, 2, b"a\t2\n").replace(b"lower:no", b"lower:yes"), "made with tok:whitespace.lower:yes"),
    ],
)
def test_a_counts_file_that_is_damaged_or_foreign_is_refused(folder: Path, raw: bytes, what: str) -> None:
    (folder / "out.counts").write_bytes(raw)
    assert_refused(folder, "select", "-r", "out.counts", "-a", "pool.txt", "-o", "out.tsv", what=what)


@pytest.mark.parametrize("locked", ["locked.txt", "cellar/pool.txt", "cellar/*.txt"])
def test_an_unreadable_file_is_one_line_and_exit_code_2(folder: Path, locked: str) -> None:
    powerless = []
    if os.geteuid() == 0:  # who may read everything, unless told not to
        if not shutil.which("setpriv"):
            pytest.skip("root reads every file, and there is no setpriv")
        powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
    (folder / "cellar").mkdir()
    for path in (folder / "locked.txt", folder / "cellar"):
        path.touch()
        path.chmod(0)
    command = [*powerless, sys.executable, "-m", "cynical", "select", "-r", "task.txt", "-a", locked, "-o", "out.tsv"]
    done = subprocess.run(command, cwd=folder, capture_output=True)
    (folder / "cellar").chmod(0o700)
    assert_one_line(done, "permission denied|no file matches")
    assert not (folder / "out.tsv").exists()


@pytest.mark.parametrize("budget", ["--lines", "--words", "--patience", "--max-length"])
def test_a_huge_number_is_no_limit(folder: Path, budget: str) -> None:
    arguments = [argument for argument in PLAIN if argument != "--all"]
    done = run(folder, *arguments, budget, "1" + "0" * 30, *(["--all"] if budget == "--max-length" else []))
    assert done.returncode == 0, done.stderr.decode()
    if budget != "--patience":
        assert rows_of((folder / "out.tsv").read_bytes()) == ROWS


BLANKS = b"".join(b"\n" * 500 + b"a cat %d\n" % i for i in range(10))


@pytest.mark.parametrize(
    ("pool", "rows", "blank", "broken"),
    [
        (b"\0\0\na \0 cat\0 ran\n\n", {1: b"\0\0", 2: b"a \0 cat\0 ran"}, 1, 0),
        (b"a \xff\xfe cat\nok \xc3\xa9\n\xe2\x82\n\xc0\x80 ran", {1: b"a \xff\xfe cat", 2: b"ok \xc3\xa9", 3: b"\xe2\x82", 4: b"\xc0\x80 ran"}, 0, 3),
        (POOL.replace(b"\n", b"\r\n"), ROWS, 1, 0),
        (POOL.removesuffix(b"\n"), ROWS, 1, 0),
        (b"\xef\xbb\xbf" + POOL, ROWS, 1, 0),
        (b"a\tcat\t\n\ta cat\\n\n \n", {1: b"a\tcat\t", 2: b"\ta cat\\n"}, 1, 0),
        (BLANKS, {501 * (i + 1): b"a cat %d" % i for i in range(10)}, 5000, 0),
        (b"a dog\n" + b"a cat " * 9_000_000 + b"\na cat\n", {1: b"a dog", 2: b"a cat " * 9_000_000, 3: b"a cat"}, 0, 0),
        (b"a dog\n" + b"x" * 50_000_000 + b" cat\n", {1: b"a dog", 2: b"x" * 50_000_000 + b" cat"}, 0, 0),
    ],
    ids=["NUL", "broken UTF-8", "CRLF", "no final newline", "byte-order mark", "tabs", "blank lines", "long line", "long word"],
)  # fmt: skip
def test_any_bytes_are_ranked_and_come_back_as_they_were(
    folder: Path, pool: bytes, rows: dict[int, bytes], blank: int, broken: int
) -> None:
    (folder / "pool.txt").write_bytes(pool)
    done = run(folder, *PLAIN)
    assert done.returncode == 0, done.stderr.decode()
    assert (rows_of((folder / "out.tsv").read_bytes()) == rows) is True  # without a difference of 50 MB to print
    summary = json.loads((folder / "out.tsv.json").read_bytes())
    assert summary["skipped"] == {"blank": blank, "too_long": 0}
    assert summary["picked"]["lines"] == len(rows) == summary["available"]["lines"] - blank
    assert summary["available"]["not_utf8"] == broken
    assert summary["available"]["words"] == sum(len(text.split()) for text in rows.values())


@pytest.mark.parametrize("role", ["-r", "-a"])
def test_a_hundred_thousand_identical_lines_are_ranked_in_their_order(folder: Path, role: str) -> None:
    (folder / ("task.txt" if role == "-r" else "pool.txt")).write_bytes(b"a cat sat on the mat\n" * 100_000)
    assert run(folder, *PLAIN).returncode == 0
    numbers = list(rows_of((folder / "out.tsv").read_bytes()))
    assert numbers == list(range(1, 100_001)) if role == "-a" else sorted(numbers) == [*ROWS]


def test_a_file_name_that_is_not_utf8_works(folder: Path) -> None:
    name = os.fsdecode(b"p\xff\xc3\xa9.txt")
    try:
        (folder / name).write_bytes(POOL)
    except OSError:
        pytest.skip("this file system has no such names")
    done = run(folder, "select", "-r", "task.txt", "-a", name, "--all", "--quiet", "-o", "out.tsv")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rows_of((folder / "out.tsv").read_bytes()) == ROWS


def test_words_that_are_all_folded_still_count(folder: Path) -> None:
    (folder / "other.counts").write_bytes(counts(0, 1000, b"", 1000))
    (folder / "other.txt").write_bytes(b"z " * 1000 + b"\n")
    table = [run(folder, *SELECT, "-o", "-", "-s", f"other.{suffix}").stdout for suffix in ("counts", "txt")]
    assert table[0] == table[1] != b""
    assert run(folder, "words", "-r", "task.txt", "-u", "other.counts").returncode == 0


def test_a_closed_pipe_ends_it_quietly(large: Path) -> None:
    process = start(large, *SELECT, "-o", "-", "--lines", "5000", stdout=subprocess.PIPE) if False else start(
        large, "select", "-r", "task.txt", "-a", "pool.txt", "--lines", "5000", "-o", "-"
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"rank\t")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(TIMEOUT) == 0
