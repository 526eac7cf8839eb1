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
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "cynical")
TASK = b"a cat sat\na cat ran home\n"
POOL = b"a dog ran\nthe bird flew\n\na cat\na cat sat on a mat\n"
ROWS = {1: b"a dog ran", 2: b"the bird flew", 4: b"a cat", 5: b"a cat sat on a mat"}
HEAD = b"# cynical counts 1\n# signature: tok:whitespace|lower:no\n# lines: 2\n"
SELECT = ("select", "-r", "task.txt", "-a", "pool.txt", "--quiet")
TO_FILE, TO_PIPE = (*SELECT, "--all", "-o", "out.tsv"), (*SELECT, "--all", "-o", "-")
TIMEOUT = 120  # seconds; no run here takes more than three, but the first may have to compile
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
Done = subprocess.CompletedProcess[bytes]


def start(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*COMMAND, *arguments], cwd=folder, **{**PIPES, **options})  # type: ignore[call-overload, no-any-return]


def run(folder: Path, *arguments: str, **options: object) -> Done:
    """Run it to its end; one that takes too long is ended and fails the test."""
    usual = {**PIPES, "input": b"", "timeout": TIMEOUT}
    return subprocess.run([*COMMAND, *arguments], cwd=folder, **{**usual, **options})  # type: ignore[call-overload, no-any-return]


def listing(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def assert_one_line(code: int, error: bytes, what: str) -> None:
    assert code == 2, error.decode()
    assert error.startswith(b"cynical: ") and error.count(b"\n") == 1, error.decode()
    assert re.search(what, error.decode())


def assert_refused(folder: Path, *arguments: str, what: str, **options: object) -> None:
    """One line that says what, exit code 2, and nothing written."""
    before = listing(folder)
    done = run(folder, *arguments, **options)
    assert_one_line(done.returncode, done.stderr, what)
    assert not done.stdout
    assert listing(folder) == before


def rows_of(table: bytes) -> dict[int, bytes]:
    """By line number, the text of each row."""
    header, *rows = table.removesuffix(b"\n").split(b"\n")
    assert header == b"rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext"
    fields = [row.split(b"\t", 8) for row in rows]
    assert [int(field[0]) for field in fields] == list(range(1, len(rows) + 1))
    return {int(field[1]): field[8] for field in fields}


def counts(types: int, words: int, body: bytes, other: int = 0) -> bytes:
    return HEAD + b"# words: %d\n# types: %d\n# other: %d\n" % (words, types, other) + body


@pytest.fixture(scope="module", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile every kernel first, so that no later run says that it does."""
    subprocess.run([*COMMAND, "warm-up", "--quiet"], cwd=tmp_path_factory.mktemp("compile"), check=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "task.txt").write_bytes(TASK)
    (tmp_path / "pool.txt").write_bytes(POOL)
    return tmp_path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Several megabytes, which take some seconds to rank."""
    folder, rng = tmp_path_factory.mktemp("large"), random.Random(1)
    words = [f"w{int(rng.paretovariate(0.6)) % 20000}" for _ in range(1_200_000)]
    lines = (" ".join(words[i : i + 3 + i % 40]) for i in range(0, len(words), 20))
    (folder / "pool.txt").write_text("".join(line + "\n" for line in lines))
    (folder / "task.txt").write_text("".join(" ".join(words[i : i + 9]) + "\n" for i in range(0, 60000, 9)))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "arguments"),
    [
        ("no.txt: no such file", "select -r no.txt -a pool.txt -o out.tsv"),
        ("no.txt: no such file", "select -r task.txt -a no.txt -o out.tsv"),
        ("no file matches", "select -r task.txt -a no*.txt -o out.tsv"),
        ("too long", f"select -r {'x' * 300} -a pool.txt -o out.tsv"),
        ("this folder has no files", "select -r folder -a pool.txt -o out.tsv"),
        ("this folder has no files", "select -r task.txt -a folder -o out.tsv"),
        ("empty.txt: the REPRESENTATIVE text has no words", "select -r empty.txt -a pool.txt -o out.tsv"),
        ("empty.txt: the AVAILABLE text has no words", "select -r task.txt -a empty.txt -o out.tsv"),
        ("blank.txt: the REPRESENTATIVE text has no words", "select -r blank.txt -a pool.txt -o out.tsv"),
        ("blank.txt: the AVAILABLE text has no words", "select -r task.txt -a blank.txt -o out.tsv"),
        ("no word in common", "select -r task.txt -a foreign.txt -o out.tsv"),
        ("task.txt is one of the inputs", "select -r task.txt -a pool.txt -o task.txt"),
        ("task.txt is one of the inputs", "count task.txt -o task.txt"),
        ("blank.txt already exists.*--overwrite", "words -r task.txt -u pool.txt -o blank.txt"),
        ("folder", "select -r task.txt -a pool.txt -o folder"),
        ("folder no does not exist", "select -r task.txt -a pool.txt -o no/out.tsv"),
        ("too long", f"select -r task.txt -a pool.txt -o {'x' * 300}"),
        ("loop: ", "select -r task.txt -a pool.txt -o loop"),
        ("--lines and --words cannot be combined", "select -r task.txt -a pool.txt -o out.tsv --lines 1 --words 1"),
        ("--share and --all cannot be combined", "select -r task.txt -a pool.txt -o out.tsv --share 0.1 --all"),
        ("--smoothing .* found 0", "select -r task.txt -a pool.txt -o out.tsv --smoothing 0"),
        ("--smoothing .* found nan", "select -r task.txt -a pool.txt -o out.tsv --smoothing nan"),
        ("--lines .* found 0", "select -r task.txt -a pool.txt -o out.tsv --lines 0"),
        ("--jobs .* found 0", "select -r task.txt -a pool.txt -o out.tsv --jobs 0"),
        ("standard input", "select -r - -a - -o out.tsv"),
        ("standard input", "select -r - -a - -a pool.txt -o out.tsv"),
        ("AVAILABLE must be text, but this is a .counts file", "select -r task.txt -a good.counts -o out.tsv"),
        ("counts", "select -r task.txt -a pool.txt -a good.counts -o out.tsv"),
        ("No such option:? '?--line", "select -r task.txt -a pool.txt -o out.tsv --line 1"),
        ("No such command 'slect'", "slect -r task.txt"),
        ("give -o OUT", "select -r task.txt -a pool.txt"),
        ("--lines.* not a whole number", "select -r task.txt -a pool.txt -o out.tsv --lines ten"),
        ("extra argument", "select -r task.txt -a pool.txt blank.txt -o out.tsv"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2_and_nothing_written(folder: Path, what: str, arguments: str) -> None:
    (folder / "folder").mkdir()
    (folder / "empty.txt").touch()
    (folder / "blank.txt").write_bytes(b"\n \t\r\n\xe3\x80\x80\n")
    (folder / "foreign.txt").write_text("der Hund lief\n")
    (folder / "good.counts").write_bytes(counts(1, 2, b"cat\t2\n"))
    (folder / "loop").symlink_to("loop")
    assert_refused(folder, *arguments.split(), what=what, input=TASK)


@pytest.mark.parametrize(
    ("what", "raw"),
    [
        ("line 1: expected", b""),
        ("line 1: expected", b"\x00\xff\xfe\n\n" * 99),
        ("line 1: expected", b"word\tcount\na\t2\n"),
        ("is incomplete", counts(2, 5, b"a\t3\ncat\t")),
        ("the header says 2 of 5", counts(2, 5, b"a\t3\n")),
        ("twice", counts(2, 5, b"a\t3\na\t2\n")),
        ("line 8: expected a word", counts(2, 5, b"a\t7\ncat\t-2\n")),
        ("out.counts", counts(1, 10**20, b"a\t1%s\n" % (b"0" * 20))),
        ("out.counts", counts(2, 4, b"a\t3\ncat\t2\n", -1)),
        ("made with tok:whitespace.lower:yes", counts(1, 2, b"a\t2\n").replace(b"lower:no", b"lower:yes")),
    ],
)
def test_a_counts_file_that_is_damaged_or_foreign_raises_an_error(folder: Path, what: str, raw: bytes) -> None:
    (folder / "out.counts").write_bytes(raw)
    assert_refused(folder, "select", "-r", "out.counts", "-a", "pool.txt", "-o", "out.tsv", what=what)


@pytest.mark.parametrize("locked", ["locked.txt", "cellar/pool.txt"])
def test_an_unreadable_file_is_one_line_and_exit_code_2(folder: Path, locked: str) -> None:
    powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        pytest.skip("root reads every file, and there is no setpriv to stop it")
    (folder / "cellar").mkdir(0)
    (folder / "locked.txt").touch(0)
    command = [*(powerless if os.geteuid() == 0 else []), *COMMAND, "select", "-r", "task.txt", "-a", locked]
    done = subprocess.run([*command, "-o", "out.tsv"], cwd=folder, capture_output=True)
    (folder / "cellar").chmod(0o700)
    assert_one_line(done.returncode, done.stderr, "permission denied")
    assert {path.name for path in folder.iterdir()} == {"cellar", "locked.txt", "task.txt", "pool.txt"}


@pytest.mark.parametrize("option", ["--lines", "--words", "--patience", "--max-length"])
def test_a_huge_number_is_no_limit(folder: Path, option: str) -> None:
    budget = ["--all"] if option == "--max-length" else []
    done = run(folder, *SELECT, "-o", "out.tsv", option, "1" + "0" * 30, *budget)
    assert done.returncode == 0, done.stderr.decode()
    assert rows_of((folder / "out.tsv").read_bytes()) == ROWS or option == "--patience"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pool", "rows", "blank", "broken"),
    [
        pytest.param(b"\0\0\na \0 cat\0 ran\n\n", {1: b"\0\0", 2: b"a \0 cat\0 ran"}, 1, 0, id="NUL"),
        pytest.param(b"a \xff\n\xc3\xa9\n\xe2\x82", {1: b"a \xff", 2: b"\xc3\xa9", 3: b"\xe2\x82"}, 0, 2, id="broken"),
        pytest.param(POOL.replace(b"\n", b"\r\n"), ROWS, 1, 0, id="CRLF"),
        pytest.param(POOL.removesuffix(b"\n"), ROWS, 1, 0, id="no final newline"),
        pytest.param(b"\xef\xbb\xbf" + POOL, ROWS, 1, 0, id="byte-order mark"),
        pytest.param(b"a\tcat\t\n\ta cat\\n\n \n", {1: b"a\tcat\t", 2: b"\ta cat\\n"}, 1, 0, id="tabs"),
        pytest.param((b"\n" * 999 + b"a cat\n") * 9, {1000 * i: b"a cat" for i in range(1, 10)}, 8991, 0, id="blank"),
        pytest.param(b"a\n" + b"a cat " * 9_000_000, {1: b"a", 2: b"a cat " * 9_000_000}, 0, 0, id="long line"),
        pytest.param(b"cat\n" + b"x" * 50_000_000, {1: b"cat", 2: b"x" * 50_000_000}, 0, 0, id="long word"),
    ],
)
def test_any_bytes_are_ranked_and_come_back_as_they_were(
    folder: Path, pool: bytes, rows: dict[int, bytes], blank: int, broken: int
) -> None:
    (folder / "pool.txt").write_bytes(pool)
    done = run(folder, *TO_FILE)
    assert done.returncode == 0, done.stderr.decode()
    assert (rows_of((folder / "out.tsv").read_bytes()) == rows) is True  # no difference of 50 MB to print
    summary = json.loads((folder / "out.tsv.json").read_bytes())
    reasons = ("excluded", "contaminated", "in_seed", "too_short", "too_long", "copies", "bad_records")
    assert summary["skipped"] == {"blank": blank, **dict.fromkeys(reasons, 0)}
    assert summary["picked"]["lines"] == len(rows) == summary["available"]["lines"] - blank
    assert summary["available"]["not_utf8"] == broken
    assert summary["available"]["words"] == sum(len(text.split()) for text in rows.values())


def test_a_hundred_thousand_identical_lines_are_ranked_in_their_order(folder: Path) -> None:
    (folder / "pool.txt").write_bytes(b"a cat sat on the mat\n" * 100_000)
    assert list(rows_of(run(folder, *TO_PIPE).stdout)) == list(range(1, 100_001))


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 on macOS")
def test_a_file_name_that_is_not_utf8_works(folder: Path) -> None:
    (folder / os.fsdecode(b"p\xff\xc3\xa9.txt")).write_bytes(POOL)
    done = run(folder, "select", "-r", "task.txt", "-a", os.fsdecode(b"p\xff\xc3\xa9.txt"), *TO_FILE[5:])
    assert (done.returncode, done.stderr) == (0, b"")
    assert rows_of((folder / "out.tsv").read_bytes()) == ROWS


@pytest.mark.slow
def test_words_that_are_all_folded_still_count(folder: Path) -> None:
    (folder / "other.counts").write_bytes(counts(0, 1000, b"", 1000))
    (folder / "other.txt").write_bytes(b"z " * 1000 + b"\n")
    tables = [run(folder, *TO_PIPE, "-s", f"other.{suffix}").stdout for suffix in ("counts", "txt")]
    assert tables[0] == tables[1] != b""
    assert run(folder, "words", "-r", "task.txt", "-u", "other.counts").returncode == 0


@pytest.mark.slow
def test_a_closed_pipe_ends_it_quietly(large: Path) -> None:
    """There is more to write than a pipe holds."""
    with start(large, *[word for word in TO_PIPE if word not in ("--all", "--quiet")], "--lines", "20000") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"rank\t")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    "command", [TO_FILE[:-2], ("count", "pool.txt"), ("words", "-r", "task.txt", "-u", "pool.txt")]
)
def test_a_full_device_is_one_line_and_exit_code_2(folder: Path, command: tuple[str, ...]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        for done in (run(folder, *command, "-o", "/dev/full"), run(folder, *command, "-o", "-", stdout=full)):
            assert_one_line(done.returncode, done.stderr, "no space left")


@pytest.mark.slow
@pytest.mark.parametrize("missing", [1, 100_000])
def test_a_ranking_that_cannot_be_written_whole_leaves_nothing(folder: Path, missing: int) -> None:
    (folder / "pool.txt").write_bytes(b"".join(b"a cat number %d sat\n" % i for i in range(3000)))
    size = len(run(folder, *TO_PIPE).stdout) - missing
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
    assert_refused(folder, *TO_FILE, what="out.tsv: file too large", **limit)


def test_a_full_disk_is_one_line_and_leaves_nothing(folder: Path) -> None:
    (folder / "disk").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder / "disk")]
    if os.geteuid() != 0 or not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        (folder / "pool.txt").write_bytes(b"".join(b"a cat number %d sat\n" % i for i in range(3000)))
        assert_refused(folder, *TO_FILE[:-1], "disk/out.tsv", what="no space left on device; free some space")
    finally:
        subprocess.run(["umount", str(folder / "disk")], check=True)


@pytest.mark.parametrize("stage", ["reading", "selecting"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
def test_a_signal_ends_it_and_leaves_nothing(large: Path, number: signal.Signals, code: int, stage: str) -> None:
    before = listing(large)
    source = "-" if stage == "reading" else "pool.txt"  # nothing comes from standard input, and it waits
    options = {
        "stdin": subprocess.PIPE,
        "env": {**os.environ, "TMPDIR": str(large)},
        "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's & has it ignored
    }
    with start(large, "select", "-r", "task.txt", "-a", source, "--all", "-o", "out.tsv", **options) as process:
        assert process.stderr is not None
        time.sleep(1.2)
        if process.poll() == 0:
            pytest.skip("this machine is too fast: the run was over before the signal came")
        assert process.poll() is None, process.stderr.read().decode()
        process.send_signal(number)
        assert process.wait(TIMEOUT) == code
        error = process.stderr.read().decode().strip()
    assert error == ("cynical: interrupted" if number == signal.SIGINT else "")
    assert listing(large) == before


@pytest.mark.slow
@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_of_two_runs_at_once_each_writes_a_whole_file_or_none(folder: Path, overwrite: tuple[str, ...]) -> None:
    expected = {str(n): run(folder, *SELECT, "--lines", str(n), "-o", "-").stdout for n in (2, 3)}
    both = {n: start(folder, *SELECT, "--lines", n, "-o", "out.tsv", *overwrite) for n in expected}
    errors = {n: process.communicate(timeout=TIMEOUT)[1] for n, process in both.items()}
    won = [n for n, process in both.items() if process.returncode == 0]
    assert len(won) == 2 if overwrite else len(won) == 1
    for n in set(both) - set(won):
        assert_one_line(both[n].returncode, errors[n], "out.tsv already exists")
    assert (folder / "out.tsv").read_bytes() in [expected[n] for n in won]
    if not overwrite:
        assert json.loads((folder / "out.tsv.json").read_bytes())["picked"]["lines"] == int(won[0])
    assert {path.name for path in folder.iterdir()} == {"task.txt", "pool.txt", "out.tsv", "out.tsv.json"}


@pytest.mark.slow
@pytest.mark.parametrize("command", [(*SELECT, "--lines", "300"), ("count", "pool.txt", "--lowercase", "--quiet")])
def test_the_number_of_jobs_changes_no_byte(large: Path, command: tuple[str, ...]) -> None:
    tables = [run(large, *command, "-o", "-", "--jobs", jobs).stdout for jobs in "1123"]
    assert len(tables[0]) > 10_000 and len(set(tables)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ways", "more"),
    [
        (["-a pool.txt", "-a -", "-a part?.txt", "-a part1.txt -a part2.txt"], "-r task.txt"),
        (["-r task.txt", "-r -", "-r task.counts"], "-a pool.txt"),
        (["-s part1.txt -s part2.txt", "-s -", "-s pool.counts"], "-r task.txt -a pool.txt"),
        (["-u part2.txt", "-u part2.counts"], "-r task.txt -a pool.txt --vocabulary classes --min-count 1"),
    ],
)
def test_whichever_way_a_corpus_is_given_the_picks_are_the_same(folder: Path, ways: list[str], more: str) -> None:
    (folder / "part1.txt").write_bytes(POOL[:24])
    (folder / "part2.txt").write_bytes(POOL[24:])
    tables = []
    for way in ways:
        for name in re.findall(r"(\w+)\.counts", way):
            run(folder, "count", f"{name}.txt", "-o", f"{name}.counts")
        arguments = ("select", *way.split(), *more.split(), "--all", "--quiet", "-o", "-")
        tables.append(run(folder, *arguments, input=TASK if way == "-r -" else POOL).stdout)
    assert rows_of(tables[0]) == ROWS
    rows = [[row.split(b"\t")[:8] + row.split(b"\t")[-1:] for row in table.split(b"\n")] for table in tables]
    assert rows == rows[:1] * len(ways)  # several files have columns that name them


@pytest.mark.parametrize("arguments", ["--version", "--help", "select --help"])
def test_help_and_version_import_neither_numba_nor_numpy(arguments: str) -> None:
    command = [sys.executable, "-X", "importtime", *COMMAND[1:], *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"numba", "numpy", "llvmlite"}


@pytest.mark.parametrize("command", ["select -r task.txt -a no.txt -o out.tsv", "count no.txt -o out.counts"])
def test_a_missing_file_is_one_line_before_anything_is_compiled(folder: Path, command: str) -> None:
    never_compiled = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels")}
    done = run(folder, *command.split(), env=never_compiled)
    assert_one_line(done.returncode, done.stderr, "no.txt: no such file")
