"""What comes out: every format, compressed, with the records as they were."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.cli.main import cli
from cynical.jaded.formats import csv_rows
from cynical.options import Budget
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.cutting import cut
from tests.files import POOL, WANTED, as_csv, as_json, as_parquet, as_text

zstandard = pytest.importorskip("zstandard")


pyarrow = pytest.importorskip("pyarrow")


parquet = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize("out", ["out.tsv", "out.txt", "out.jsonl", "out.csv", "out.parquet", "out.ids"])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst", ".xz", ".bz2"])
def test_outputs_are_compressed_by_their_suffix(tmp_path: Path, out: str, packed: str) -> None:
    jaded = cynical.select(WANTED, POOL, lines=20)
    jaded.write(tmp_path / (out + packed))
    jaded.write(tmp_path / out, overwrite=True)
    raw = (tmp_path / (out + packed)).read_bytes()
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress, ".bz2": bz2.decompress}
    if packed == ".zst":
        raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    elif packed:
        raw = unpack[packed](raw)
    assert raw == (tmp_path / out).read_bytes()


@pytest.mark.slow
def test_records_come_out_as_they_went_in_with_their_rank(tmp_path: Path) -> None:
    odd = b'{"text" : "w1 w2",  "x": 1.50, "deep": {"a": [1, 2]} }\n\n{"text": "w3\\nw4\\tw5 \\\\ x"}\r\n{"text":"w6"}'
    (tmp_path / "pool.jsonl").write_bytes(odd)
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", all=True)
    jaded.write(tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_bytes().splitlines()
    records = [odd.split(b"\n")[i].strip() for i in (0, 2, 3)]
    for rank, line in enumerate(lines, 1):
        made, source = json.loads(line), records[jaded.lines[rank - 1]]
        assert line.startswith(source.rstrip(b"}").rstrip())
        assert made["cynical_rank"] == rank
        assert made["cynical_delta"] == pytest.approx(jaded.delta[rank - 1], rel=1e-8)
        assert {name: value for name, value in made.items() if not name.startswith("cynical_")} == json.loads(source)
    assert sorted(jaded.texts) == ["w1 w2", "w3\nw4\tw5 \\ x", "w6"]
    jaded.write(tmp_path / "out.tsv")
    rows = [row.split("\t") for row in (tmp_path / "out.tsv").read_text().splitlines()]
    assert sorted(row[-1] for row in rows[1:]) == ["w1 w2", "w3\\nw4\\tw5 \\\\ x", "w6"]
    jaded.write(tmp_path / "out.txt")
    assert sorted((tmp_path / "out.txt").read_text().splitlines()) == ["w1 w2", "w3 w4\tw5 \\ x", "w6"]
    again = cynical.select(WANTED, tmp_path / "out.jsonl", all=True)  # fields of an earlier ranking are replaced
    again.write(tmp_path / "again.jsonl")
    assert all(line.count(b"cynical_rank") == 1 for line in (tmp_path / "again.jsonl").read_bytes().splitlines())


def test_parquet_keeps_all_columns(tmp_path: Path) -> None:
    for shard, lines in enumerate((POOL[:200], POOL[200:])):
        (tmp_path / f"pool-{shard}.parquet").write_bytes(as_parquet(lines))
    jaded = cynical.select(WANTED, str(tmp_path / "*.parquet"), lines=50, id_key="id")
    jaded.write(tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names[:3] == ["id", "text", "n"]
    assert table["cynical_rank"].to_pylist() == list(range(1, 51))
    assert table["text"].to_pylist() == [POOL[i] for i in jaded.lines]
    assert table["cynical_shard_line"].to_pylist() == [i + 1 if i < 200 else i - 199 for i in jaded.lines]
    jaded.write(tmp_path / "out.ids")
    assert (tmp_path / "out.ids").read_text().split() == table["id"].to_pylist()
    arrow, polars = jaded.to_arrow(), pytest.importorskip("polars")
    assert arrow.column_names[-5:] == ["shard_line", "id", "record_id", "n", "text"]
    assert arrow["record_id"].equals(table["id"]) and arrow["n"].equals(table["n"])
    assert arrow["text"].to_pylist() == table["text"].to_pylist()
    assert jaded.to_polars().to_dict(as_series=False) == arrow.to_pydict()
    assert jaded.to_pandas().to_dict("list") == arrow.to_pydict()
    assert isinstance(jaded.to_polars(), polars.DataFrame)


def test_a_table_keeps_its_columns(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_bytes(as_csv(POOL))
    jaded = cynical.select(WANTED, tmp_path / "pool.csv", lines=30, text_key="text")
    jaded.write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == [POOL[i] for i in jaded.lines]
    assert [row["id"] for row in rows] == [f"r{i}" for i in jaded.lines]
    assert [int(row["cynical_rank"]) for row in rows] == list(range(1, 31))
    (tmp_path / "bare.tsv").write_text("".join(f"{i}\t{line}\n" for i, line in enumerate(zipfian(300, 2))))
    numbered = cynical.select(WANTED, tmp_path / "bare.tsv", lines=30, text_key="2")
    assert numbered.texts == [zipfian(300, 2)[i] for i in numbered.lines]


@pytest.mark.slow
def test_shards_are_named_with_the_line_within_them(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "b.txt").write_bytes(as_text(POOL[:100]))
    (tmp_path / "pool" / "c.txt").write_bytes(b"")
    (tmp_path / "pool" / "d.txt.gz").write_bytes(gzip.compress(as_text(POOL[100:200]).rstrip(b"\n")))
    (tmp_path / "pool" / "e.txt").write_bytes(as_text(POOL[200:]))
    (tmp_path / "pool" / "_SUCCESS").touch()
    (tmp_path / "list.txt").write_text("pool/b.txt\npool/c.txt\n\npool/d*\npool/e.txt\n")
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    tables = []
    for source in ("pool", "pool/*.txt*", "@list.txt"):
        done = cynical("select", "-r", "task.txt", "-a", source, "--lines", "60", "-o", "-", "-q")
        assert done.returncode == 0, done.stderr
        tables.append(done.stdout)
    assert tables[0] == tables[1] == tables[2]
    rows = [row.split("\t", 10) for row in tables[0].splitlines()]
    assert rows[0][-3:] == ["shard", "shard_line", "text"]
    begin = {"pool/b.txt": 0, "pool/d.txt.gz": 100, "pool/e.txt": 200}
    for row in rows[1:]:
        assert begin[row[-3]] + int(row[-2]) == int(row[1])
        assert row[-1] == POOL[int(row[1]) - 1]
    assert {row[-3] for row in rows[1:]} == set(begin)


def test_records_of_a_compressed_file_with_a_plain_name_come_out(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl").write_bytes(gzip.compress(as_json(POOL)))
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=5)
    jaded.write(tmp_path / "out.jsonl")
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [record["text"] for record in made] == [POOL[i] for i in jaded.lines]


def test_all_fields_and_cells_are_kept(tmp_path: Path) -> None:
    mixed = [
        {"text": "w1 w2", "url": "u", "cynical_label": 3},
        {"text": "w3", "meta": {"n": [1]}},
        {"text": "w4 w5 w6"},
    ]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(record) + "\n" for record in mixed))
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", all=True)
    jaded.write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = {row["text"]: row for row in csv.DictReader(file)}
    assert (rows["w1 w2"]["url"], rows["w1 w2"]["cynical_label"]) == ("u", "3")
    assert rows["w3"]["meta"] == '{"n":[1]}'
    table = jaded.to_arrow().to_pylist()
    assert {record["text"]: record["url"] for record in table} == {"w1 w2": "u", "w3": None, "w4 w5 w6": None}
    (tmp_path / "bare.csv").write_text("x,w1 w2,y,z\n1,w3,2,3\n")
    cynical.select(WANTED, tmp_path / "bare.csv", all=True, text_key="2").write(tmp_path / "bare-out.csv")
    with (tmp_path / "bare-out.csv").open(newline="") as file:
        assert {tuple(row[:4]) for row in csv.reader(file)} >= {("1", "2", "3", "4"), ("x", "w1 w2", "y", "z")}
    (tmp_path / "wide.csv").write_text("id,text\n1,w1,more\n")
    with pytest.raises(cynical.CynicalError, match=r"wide.csv line 2: expected 2 columns, found 3"):
        cynical.select(WANTED, tmp_path / "wide.csv", text_key="text")
    (tmp_path / "twice.csv").write_text("text,text\nw1,w2\n")
    with pytest.raises(cynical.CynicalError, match="two columns are named 'text'"):
        cynical.select(WANTED, tmp_path / "twice.csv", text_key="text")


def test_a_table_of_a_tsv_file_keeps_its_columns(tmp_path: Path) -> None:
    rows = [f"r{i}\t{len(line)}\t{line}\n" for i, line in enumerate(zipfian(100, 2))]
    (tmp_path / "pool.tsv").write_text("id\trank\ttext\n" + "".join(rows))
    jaded = cynical.select(WANTED, tmp_path / "pool.tsv", lines=20, text_key="text")
    jaded.write(tmp_path / "out.tsv")
    header, *made = [row.split("\t") for row in (tmp_path / "out.tsv").read_text().splitlines()]
    assert header[-3:] == ["id", "record_rank", "text"]
    assert ["\t".join(row[-3:]) + "\n" for row in made] == [rows[i] for i in jaded.lines]
    more = cynical.select(WANTED, tmp_path / "pool.tsv", lines=5, text_key="text", seed=tmp_path / "out.tsv")
    assert more.summary["seed"]["rankings"][0]["by"] == "number"
    cut(tmp_path / "out.tsv", tmp_path / "cut.txt", Budget(lines=3), False, None, False)
    assert sorted(path.name for path in tmp_path.glob("cut*")) == ["cut.txt", "cut.txt.json"]


@given(st.lists(st.text("ab,\" \r\n\t'\\", max_size=6), min_size=1, max_size=4))
def test_rows_of_csv_are_those_of_python_but_for_carriage_returns(row: list[str]) -> None:
    made = csv_rows([row]).decode()
    assert next(csv.reader(io.StringIO(made, newline=""))) == row
    if not any("\r" in cell for cell in row):
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerow(row)
        assert made == out.getvalue()


def test_a_lone_carriage_return_ends_no_row_whoever_reads_it(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    texts = ["a cat\rran", "the dog", "a\r"]
    jaded = cynical.select(["a cat ran"], texts, lines=3)
    jaded.write(tmp_path / "jaded.csv")
    assert pandas.read_csv(tmp_path / "jaded.csv")["text"].tolist() == jaded.texts
    (tmp_path / "pool.txt").write_bytes(b"a cat\rran\nthe dog\n")
    plain = cynical.select(["a cat ran"], tmp_path / "pool.txt", lines=2)
    plain.write(tmp_path / "jaded.tsv")
    page = (Path(__file__).parents[2] / "docs" / "reference" / "file-formats.md").read_text()
    (call,) = re.findall(r"`(pandas\.read_csv\([^`]*\))`", page)
    told = {"pandas": pandas}
    made = eval(call.replace("jaded.tsv", str(tmp_path / "jaded.tsv")), told)
    assert made["text"].tolist() == plain.texts == ["a cat\rran", "the dog"]


def test_a_name_that_does_not_tell_the_format_is_said(tmp_path: Path, cynical: Run) -> None:
    import cynical as package

    jaded = package.select(WANTED, POOL, lines=2)
    for name in ("buy.xlsx", "buy.docx", "buy.pdf", "x.feather", "x.arrow.gz", "x.json"):
        with pytest.raises(package.CynicalError, match=r"unknown suffix \.\w+; use \.tsv"):
            jaded.write(tmp_path / name)
    with pytest.warns(package.CynicalWarning, match=r"unknown suffix \.en, so a table"):
        jaded.write(tmp_path / "x.en")
    for name, format in (("x", None), ("y.en", "tsv"), ("x.tsv.zst", None), ("x.tok", None)):
        jaded.write(tmp_path / name, format=format)
    (tmp_path / "a.txt").write_text("a b\n")
    done = cynical("select", "-r", "a.txt", "-a", "a.txt", "--lines", "1", "-o", "a.de")
    assert (done.returncode, done.stderr.count("notice: a.de: unknown suffix .de")) == (0, 1)
    done = cynical("cut", "a.de", "--lines", "1", "-o", "new/")
    assert (done.returncode, "new/ is a folder; give the name of a file" in done.stderr) == (2, True)


def test_whole_numbers_beyond_64_bits_stay_what_they_are(tmp_path: Path) -> None:
    numbers = [2**64, 123456789012345678901234567890, -(10**40)]
    pool = tmp_path / "pool.jsonl"
    pool.write_text("".join(f'{{"text": "a cat {place}", "id": {one}}}\n' for place, one in enumerate(numbers)))
    jaded = cynical.select(["a cat"], pool, text_key="text", id_key="id", all=True)
    expected = [numbers[line] for line in jaded.lines]
    assert b"".join(jaded.to_bytes("ids")).decode().split() == list(map(str, expected))
    jaded.write(tmp_path / "out.csv")
    assert [int(row["id"]) for row in csv.DictReader((tmp_path / "out.csv").open())] == expected
    jaded.write(tmp_path / "out.jsonl")
    assert [json.loads(line)["id"] for line in (tmp_path / "out.jsonl").open()] == expected
    again = cynical.select(["a cat"], tmp_path / "out.jsonl", text_key="text", all=True)  # that were ranked before
    again.write(tmp_path / "again.jsonl")
    assert {json.loads(line)["id"] for line in (tmp_path / "again.jsonl").open()} == set(numbers)


def test_parquet_is_written_some_rows_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the types that all records together have: whole numbers and others, nothing and something, more fields."""
    from cynical.jaded import arrow, columns

    monkeypatch.setattr(columns, "BATCH", 7)
    monkeypatch.setattr(arrow, "GROUP", 14)
    records: list[dict[str, object]] = [
        {"text": f"a cat {one}", "n": one if one < 20 else one / 2, "late": None if one < 30 else {"x": one}}
        for one in range(50)
    ]
    records[40]["more"] = ["z"]
    records[41]["late"] = {"y": "w"}
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    jaded = cynical.select(["a cat"], tmp_path / "pool.jsonl", text_key="text", all=True)
    jaded.write(tmp_path / "out.parquet")
    written = parquet.ParquetFile(tmp_path / "out.parquet")
    assert [written.metadata.row_group(one).num_rows for one in range(written.num_row_groups)] == [14, 14, 14, 8]
    expected = pyarrow.table(
        {name: [records[line].get(name) for line in jaded.lines] for name in ("text", "n", "late", "more")}
    )
    assert written.read().select(["text", "n", "late", "more"]).to_pylist() == expected.to_pylist()
    assert written.schema_arrow.names[4:6] == ["cynical_rank", "cynical_line"]
    parquet.write_table(expected, tmp_path / "pool.parquet")
    again = cynical.select(["a cat"], tmp_path / "pool.parquet", text_key="text", all=True)
    again.write(tmp_path / "again.parquet")
    assert parquet.ParquetFile(tmp_path / "again.parquet").num_row_groups == 4
    assert parquet.read_table(tmp_path / "again.parquet").drop_columns(
        [name for name in written.schema_arrow.names if name.startswith("cynical")]
    ).to_pylist() == [expected.to_pylist()[line] for line in again.lines]


def test_records_that_were_scored_or_rejected_get_no_field_twice(tmp_path: Path) -> None:
    pool, scored, kept = tmp_path / "pool.jsonl", tmp_path / "scored.jsonl", tmp_path / "kept.jsonl"
    pool.write_text('{"n": 1.50, "text" : "w1 w2\\n\\nw3"}\n{"n":2,"text":"w2 w4"}\n')
    options = ["-r", str(pool), "-a", str(pool), "-o", str(scored), "--unit", "paragraph", "-q"]
    cli.main(["score", *options], standalone_mode=False)
    jaded = cynical.select(["w1 w2"], scored, text_key="cynical_text", lines=1)
    jaded.write(kept, rejected=tmp_path / "rest.jsonl")
    more = cynical.select(["w1 w2"], tmp_path / "rest.jsonl", text_key="cynical_text", lines=1)
    more.write(tmp_path / "more.jsonl")
    again = [
        "-r",
        str(scored),
        "-a",
        str(scored),
        "-o",
        str(tmp_path / "again.jsonl"),
        "--text-key",
        "cynical_text",
        "-q",
    ]
    cli.main(["score", *again], standalone_mode=False)
    for file in (kept, tmp_path / "more.jsonl", tmp_path / "again.jsonl"):
        for line in file.read_text().splitlines():
            names = json.loads(line, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
            assert len(names) == len(set(names)) and "cynical_delta" in names and "cynical_text" in names
    jaded.write(tmp_path / "kept.csv")
    assert next(csv.DictReader((tmp_path / "kept.csv").open()))["cynical_text"] == "w1 w2"
    (line,) = kept.read_text().splitlines()
    assert line.startswith('{"n": 1.50, "text" : "w1 w2') and '"cynical_text":"w1 w2"' in line
    assert cynical.read(kept).texts == ["w1 w2"]
