"""`cynical score`: lines of any format, as a stream, in their order; parts together are the whole."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.cli.main import cli
from cynical.text import compression, streams
from tests.against_oracle import zipfian

TASK = [line or "w1" for line in zipfian(30, 1, words=40)]
POOL = [*zipfian(300, 2), ""]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(streams, "BLOCK", 700)  # so that there are many batches
    monkeypatch.setattr(compression, "BLOCK", 256)
    write(Path("task.txt"), TASK)
    write(Path("pool.txt"), POOL)
    return tmp_path


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines))


def score(*words: str) -> str:
    """Run the command; what it says."""
    with (
        redirect_stderr(io.StringIO()) as said,
        cli.make_context("cynical", ["score", "-r", "task.txt", *words]) as context,
    ):
        cli.invoke(context)
    return said.getvalue()


def wanted(**more: Any) -> cynical.Scores:
    return cynical.Scorer(Path("task.txt"), **more).score(POOL)


def shown(numbers: Any) -> list[str]:
    return [f"{number:.9g}" for number in numbers.tolist()]


@pytest.mark.parametrize("options", [{}, {"per": "word"}, {"ngrams": 2, "jobs": 1}, {"lowercase": True}])
def test_a_number_for_each_line(folder: Path, options: dict[str, Any]) -> None:
    flags = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    score("-a", "pool.txt", "-o", "out.scores", *(word for word in flags if word != "True"))
    assert Path("out.scores").read_text().splitlines() == shown(wanted(**options).score)


def records() -> list[dict[str, Any]]:
    return [{"id": f"r{i}", "text": line, "n": i} for i, line in enumerate(POOL)]


def as_csv(path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["id", "text", "n"], *([one["id"], one["text"], one["n"]] for one in records())])


def as_parquet(path: Path) -> None:
    pytest.importorskip("pyarrow", reason="no pyarrow; pip install 'cynical[parquet]'")
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records()), path, row_group_size=70)


def as_json(path: Path) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in records())
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())


MAKERS = {"pool.jsonl": as_json, "pool.jsonl.gz": as_json, "pool.csv": as_csv, "pool.parquet": as_parquet}


@pytest.mark.parametrize(("given", "made"), [*itertools.product(MAKERS, ["out.jsonl", "out.csv", "out.parquet"])])
def test_records_come_out_with_fields_added(folder: Path, given: str, made: str) -> None:
    MAKERS[given](Path(given))
    score("-a", given, "--text-key", "text", "-o", made)
    if made.endswith("parquet"):
        pyarrow = pytest.importorskip("pyarrow.parquet", reason="no pyarrow; pip install 'cynical[parquet]'")
        out = pyarrow.read_table(made).to_pylist()
    elif made.endswith("csv"):
        out = list(csv.DictReader(io.StringIO(Path(made).read_text())))
    else:
        out = [json.loads(line) for line in Path(made).read_text().splitlines()]
    scores = wanted()
    assert [(str(one["id"]), one["text"], str(one["n"])) for one in out] == [
        (one["id"], one["text"], str(one["n"])) for one in records()
    ]
    assert [f"{float(one['cynical_delta']):.9g}" for one in out] == shown(scores.delta)
    assert [int(one["cynical_words"]) for one in out] == scores.words.tolist()
    assert list(out[0])[3:] == [f"cynical_{name}" for name in scores.columns]


def test_a_record_is_not_changed_and_scored_again_has_its_fields_once(folder: Path) -> None:
    raw = ['{"b" : 1,  "text":"w1 w2","a":[1, 2]}', '{"text":"w3"}']
    write(Path("pool.jsonl"), raw)
    score("-a", "pool.jsonl", "-o", "out.jsonl")
    lines = Path("out.jsonl").read_text().splitlines()
    assert [line.partition(',"cynical_')[0] + "}" for line in lines] == raw
    score("-a", "out.jsonl", "-o", "again.jsonl", "-s", "task.txt")
    again = Path("again.jsonl").read_text().splitlines()
    assert [line.count("cynical_delta") for line in again] == [1, 1] and again != lines


def test_what_is_better_is_kept(folder: Path) -> None:
    limit = float(sorted(wanted().delta)[100])
    kept = [line for line, delta in zip(POOL, wanted().delta.tolist(), strict=True) if delta < limit]
    assert 50 < len(kept) <= 100
    said = score("-a", "pool.txt", "--below", repr(limit), "-o", "kept.txt")
    assert Path("kept.txt").read_text().splitlines() == kept
    assert f"{len(POOL):,} lines" in said and f"{len(kept):,} of them below" in said
    score("-a", "pool.txt", "--below", repr(limit), "-o", "kept.tsv.gz")
    rows = [row.split("\t") for row in gzip.decompress(Path("kept.tsv.gz").read_bytes()).decode().splitlines()]
    assert rows[0] == ["delta", "penalty", "gain", "words", "bits_per_word", "text"]
    assert [row[-1] for row in rows[1:]] == kept


def test_both_sides_stay_together(folder: Path) -> None:
    german = [" ".join(f"x{word}" for word in line.split()[1:]) for line in POOL]
    write(Path("pool.de"), german)
    write(Path("pool.en"), POOL)
    write(Path("task.de"), [f"x{line}" for line in TASK])
    scorer = cynical.Scorer(TASK, representative_with=[f"x{line}" for line in TASK], ngrams=2)
    delta = scorer.score(POOL, german).delta
    both = ("-a", "pool.en", "--with", "pool.de", "--representative-with", "task.de", "--ngrams", "2")
    score(*both, "-o", "out.tsv")
    rows = [row.split("\t") for row in Path("out.tsv").read_text().splitlines()]
    assert rows[0][-2:] == ["de", "text"]
    assert [row[0] for row in rows[1:]] == shown(delta)
    assert [row[-2:] for row in rows[1:]] == [[b, a] for a, b in zip(POOL, german, strict=True)]
    score(*both, "--below", "0", "-o", "kept.en", "--format", "text")
    kept = [pair for pair, one in zip(zip(POOL, german, strict=True), delta, strict=True) if one < 0]
    assert list(zip(*(Path(f"kept.{side}").read_text().splitlines() for side in ("en", "de")), strict=True)) == kept
    write(Path("pool.de"), german[:-5])
    with pytest.raises(cynical.CynicalError, match=r"pool.de ends after 296 lines, but pool.en has more"):
        score(*both, "-o", "other.tsv")
    assert not Path("other.tsv").exists()


def test_standard_input_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    class Stdin:
        buffer = io.BytesIO(gzip.compress("".join(json.dumps(one) + "\n" for one in records()).encode()))

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", Stdin())
    monkeypatch.setattr(compression, "_taken", False)
    score("-a", "-", "--text-key", "text", "-q")
    out = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert shown(wanted().delta) == [f"{one['cynical_delta']:.9g}" for one in out]


@pytest.mark.parametrize("name", ["pool.txt", "pool.jsonl", "pool.jsonl.gz", "pool.parquet"])
@pytest.mark.parametrize("parts", [1, 3, 16])
def test_parts_together_are_the_whole(folder: Path, name: str, parts: int) -> None:
    if name in MAKERS:
        MAKERS[name](Path(name))
    write(Path("more.txt"), POOL[:20])
    given = ["-a", name, *(["-a", "more.txt"] if name == "pool.txt" else []), "--format", "scores"]
    score(*given, "-o", "whole")
    for part in range(1, parts + 1):
        score(*given, "-o", f"{part}", "--part", f"{part}/{parts}")
    found = [Path(f"{part}").read_text() for part in range(1, parts + 1)]
    assert "".join(found) == Path("whole").read_text()
    if parts == 3 and name != "pool.jsonl.gz":
        assert all(found)


def test_a_classifier_has_a_column(folder: Path) -> None:
    score("-a", "pool.txt", "-u", "pool.txt", "--classifier", "-o", "out.tsv")
    rows = [row.split("\t") for row in Path("out.tsv").read_text().splitlines()]
    scores = cynical.Scorer(TASK, unadapted=POOL, classifier=True).score(POOL)
    assert rows[0][5] == "classifier" and scores.classifier is not None
    assert [row[5] for row in rows[1:]] == shown(scores.classifier)
    ranked = cynical.rank(TASK, [line or "." for line in POOL], method="classifier")
    assert ranked.score is not None and 0 < ranked.score.max() <= 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-a", "pool.txt", "-o", "out.txt"], "the text format has no scores; give --format scores"),
        (
            ["-a", "pool.txt", "-o", "o", "--format", "scores", "--below", "0"],
            "--below omits lines; give --format",
        ),
        (["-a", "pool.txt", "-o", "out.xlsx"], "unknown suffix .xlsx"),
        (["-a", "pool.txt", "--part", "4/3"], "--part 4/3: expected K/N"),
        (["-a", "-", "--part", "1/2"], "-: with --part, AVAILABLE must be a file"),
        (["-a", "bad.jsonl", "-o", "out.jsonl"], "bad.jsonl line 301: not valid JSON"),
        (["-a", "ranking.tsv", "-o", "out.scores"], "a ranking, but AVAILABLE must be text"),
        (["-a", "c.counts", "-o", "out.scores"], "AVAILABLE must be text, but this is a .counts file"),
        (
            ["-a", "pool.txt", "-o", "out.scores", "--text-key", "body"],
            "--text-key body names a field of records",
        ),
        (["-a", "none.txt", "-o", "out.scores"], "none.txt: no such file"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, words: list[str], says: str) -> None:
    write(Path("bad.jsonl"), ['{"text":"w1"}'] * 300 + ["x"])
    write(
        Path("ranking.tsv"),
        ["rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext", "1\t1\t0\t0\t0\t1\t1\ta\ta"],
    )
    cynical.count(TASK).write("c.counts")
    with pytest.raises(cynical.CynicalError) as caught:
        score(*words)
    assert says in caught.value.message
    assert not any(Path().glob("out.*"))


def test_bad_records_are_skipped_and_counted(folder: Path) -> None:
    write(Path("bad.jsonl"), ['{"text":"w1"}'] * 300 + ["x", "[]"])
    said = score("-a", "bad.jsonl", "-o", "out.jsonl", "--bad-records", "skip")
    assert "skipped 2 bad records of AVAILABLE; the first: bad.jsonl line 301: not valid JSON" in said
    assert len(Path("out.jsonl").read_text().splitlines()) == 300


def test_paragraphs_are_scored_one_by_one(folder: Path) -> None:
    write(Path("pool.jsonl"), [json.dumps({"id": n, "title": "w1", "body": "w2 w3\n\nw4"}) for n in range(60)])
    score("-a", "pool.jsonl", "--text-key", "title,body", "--unit", "paragraph", "-o", "out.jsonl")
    out = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [(one["id"], one["cynical_unit"]) for one in out] == [(n, unit) for n in range(60) for unit in (1, 2)]
    texts = ["w1\nw2 w3", "w4"] * 60
    assert [one["cynical_text"] for one in out] == texts
    delta = cynical.Scorer(TASK).score(texts).delta
    assert [f"{one['cynical_delta']:.9g}" for one in out] == shown(delta)
    scorer = cynical.Scorer(TASK, unit="paragraph")
    assert scorer.score(["w1\nw2 w3\n\nw4"]).delta.tolist() == delta[:2].tolist()


@pytest.mark.parametrize("name", ["x.tsv", "x.csv", "x.jsonl", "x.parquet", "x.scores"])
def test_a_table_of_no_lines_has_its_header(folder: Path, name: str) -> None:
    Path("nothing.txt").write_text("")
    score("-a", "nothing.txt", "-o", name)
    fields = ["delta", "penalty", "gain", "words", "bits_per_word"]
    if name == "x.tsv":
        assert Path(name).read_text() == "\t".join([*fields, "text"]) + "\n"
    elif name == "x.csv":
        assert Path(name).read_text() == ",".join(["text", *(f"cynical_{field}" for field in fields)]) + "\n"
    elif name == "x.parquet":
        read = pytest.importorskip("pyarrow.parquet").read_table(name)
        assert read.column_names == ["text", *(f"cynical_{field}" for field in fields)] and len(read) == 0
    else:
        assert Path(name).read_bytes() == b""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_lines_that_are_not_utf_8_are_counted(folder: Path, jobs: str) -> None:
    lines = [line.encode() for line in POOL]
    lines[57] += b" \xff"
    lines[201] = b"\xe9t\xe9"
    Path("latin.txt").write_bytes(b"".join(line + b"\n" for line in lines))
    said = score("-a", "latin.txt", "-o", "x.scores", "-j", jobs)
    assert "not valid UTF-8: 2 lines of AVAILABLE, the first is line 58; they were kept" in said
    assert "not UTF-8" not in score("-a", "pool.txt", "-o", "y.scores")


def test_records_that_were_scored_by_unit_say_how_they_are_ranked(folder: Path) -> None:
    Path("docs.jsonl").write_text('{"text": "w1 w2\\n\\nw3 w4"}\n{"text": "w5"}\n')
    said = score("-a", "docs.jsonl", "--unit", "paragraph", "-o", "x.jsonl")
    assert "each record was written once for each paragraph" in said and "--text-key cynical_text and without" in said
    again = score("-a", "x.jsonl", "--text-key", "cynical_text", "-o", "y.jsonl")
    assert "once for each" not in again and "3 lines" in again
    assert "once for each" not in score("-a", "docs.jsonl", "--unit", "paragraph", "-o", "x.scores")
