"""Every way in and out: packed, records, shards, addresses, columns in memory."""

from __future__ import annotations

import bz2
import csv
import functools
import gzip
import http.server
import io
import json
import lzma
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cynical
from cynical.jaded.cut import cut
from cynical.options import Budget
from cynical.options.ranking import Strategy
from tests.against_oracle import zipfian
from tests.conftest import Run

zstandard = pytest.importorskip("zstandard")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

WANTED = zipfian(60, 1)
POOL = [*zipfian(500, 2), "w1 \u00e4\u00df \u4e2d \t w2\\", "w3  w4 "]
PACK: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def as_text(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def as_json(lines: list[str]) -> bytes:
    return b"".join(json.dumps({"id": f"r{i}", "text": line, "n": i}).encode() + b"\n" for i, line in enumerate(lines))


def as_csv(lines: list[str]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["id", "text"], *([f"r{i}", line] for i, line in enumerate(lines))])
    return out.getvalue().encode()


def as_tsv(lines: list[str]) -> bytes:
    return b"id\tn\ttext\n" + b"".join(
        f"r{i}\t{i}\t{line.replace(chr(9), ' ')}\n".encode() for i, line in enumerate(lines)
    )


def as_parquet(lines: list[str]) -> bytes:
    out = io.BytesIO()
    table = pyarrow.table({"id": [f"r{i}" for i in range(len(lines))], "text": lines, "n": range(len(lines))})
    parquet.write_table(table, out, row_group_size=100)
    return out.getvalue()


KINDS = {"txt": as_text, "jsonl": as_json, "csv": as_csv, "tsv": as_tsv, "parquet": as_parquet}


@functools.cache
def plain(strategy: Strategy) -> tuple[list[int], list[float]]:
    jaded = cynical.select(WANTED, POOL, all=True, strategy=strategy)
    return jaded.lines.tolist(), jaded.delta.tolist()


@pytest.mark.parametrize("strategy", ["exact", "word", "batch"])
@pytest.mark.parametrize("packed", PACK)
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_gives_the_picks_of_the_plain_text(
    tmp_path: Path, kind: str, packed: str, strategy: Strategy
) -> None:
    if kind == "parquet" and packed:
        pytest.skip("Parquet packs its columns itself")
    task, pool = tmp_path / f"task.{kind}{packed}", tmp_path / f"pool.{kind}{packed}"
    task.write_bytes(PACK[packed](KINDS[kind](WANTED)))
    pool.write_bytes(PACK[packed](KINDS[kind](POOL)))
    key = None if kind == "txt" else "text"
    jaded = cynical.select(task, pool, all=True, strategy=strategy, text_key=key, scratch=tmp_path)
    assert (jaded.lines.tolist(), jaded.delta.tolist()) == plain(strategy)
    expected = [POOL[i].replace("\t", " ") if kind == "tsv" else POOL[i] for i in jaded.lines]
    assert jaded.texts == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([task.name, pool.name])  # no spool is left


@pytest.mark.parametrize("out", ["out.tsv", "out.txt", "out.jsonl", "out.csv", "out.parquet", "out.ids"])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst", ".xz", ".bz2"])
def test_outputs_are_packed_by_their_suffix(tmp_path: Path, out: str, packed: str) -> None:
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


def test_a_ranking_of_records_goes_on(tmp_path: Path) -> None:
    lines = [line.replace(" ", "\n", 1) + "\\" for line in POOL]
    (tmp_path / "pool.jsonl.zst").write_bytes(PACK[".zst"](as_json(lines)))
    whole = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=100)
    first = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=40)
    first.write(tmp_path / "first.tsv.gz")
    first.write(tmp_path / "first.tsv")
    for seed in ("first.tsv", "first.tsv.gz"):
        more = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=60, seed=tmp_path / seed)
        assert more.lines.tolist() == whole.lines[40:].tolist()
        assert more.summary["seed"]["rankings"][0]["by"] == "number"


def test_parquet_keeps_all_columns(tmp_path: Path) -> None:
    for shard, lines in enumerate((POOL[:200], POOL[200:])):
        (tmp_path / f"pool-{shard}.parquet").write_bytes(as_parquet(lines))
    jaded = cynical.select(WANTED, str(tmp_path / "*.parquet"), lines=50, id_key="id")
    jaded.write(tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names[:3] == ["id", "text", "n"]
    assert table["cynical_rank"].to_pylist() == list(range(1, 51))
    assert table["text"].to_pylist() == [POOL[i] for i in jaded.lines]
    assert table["cynical_shard_line"].to_pylist() == [str(i + 1 if i < 200 else i - 199) for i in jaded.lines]
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


BAD = {
    "not JSON": (b'{"text": "w1"}\n{"text": \n', "pool.jsonl line 2: not JSON"),
    "another field": (b'{"body": "w1"}\n', "pool.jsonl line 1: no field 'text'; it has body"),
    "no string": (b'{"text": "w1"}\n{"text": 3}\n', "pool.jsonl line 2: field 'text' is a number, not a string"),
    "null": (b'{"text": null}\n', "field 'text' is null"),
    "a list": (b'["w1"]\n', "expected a JSON object, found list"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_an_error_or_skipped(tmp_path: Path, name: str) -> None:
    data, sentence = BAD[name]
    (tmp_path / "pool.jsonl").write_bytes(data + b'{"text": "w1 w2"}\n')
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.select(WANTED, tmp_path / "pool.jsonl", all=True)
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", all=True, bad_records="skip")
    good = [line for line in data.splitlines() if b'"text": "' in line] + [b'{"text": "w1 w2"}']
    assert jaded.summary["skipped"]["bad_records"] == len(data.splitlines()) + 1 - len(good)
    jaded.write(tmp_path / "out.jsonl")
    made = (tmp_path / "out.jsonl").read_bytes().splitlines()
    assert sorted(line.split(b',"cynical_')[0] + b"}" for line in made) == sorted(good)


@pytest.mark.parametrize("packed", [".gz", ".zst", ".xz", ".bz2"])
@pytest.mark.parametrize("kind", ["txt", "jsonl"])
def test_a_torn_or_damaged_file_is_a_sentence(tmp_path: Path, packed: str, kind: str) -> None:
    whole = PACK[packed](KINDS[kind](POOL))
    pool = tmp_path / f"pool.{kind}{packed}"
    pool.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(cynical.CynicalError, match=rf"pool.{kind}{packed}: (the|a damaged) .*get or pack it anew"):
        cynical.select(WANTED, pool, all=True)
    pool.write_bytes(whole + whole)  # two packed pieces are one file
    if kind == "txt":
        assert cynical.select(WANTED, pool, all=True).summary["available"]["lines"] == 2 * len(POOL)


def test_what_is_wrong_with_tables_is_said(tmp_path: Path) -> None:
    (tmp_path / "pool.parquet").write_bytes(as_parquet(POOL))
    with pytest.raises(cynical.CynicalError, match=r"pool.parquet: no column 'body'; it has id, text, n"):
        cynical.select(WANTED, tmp_path / "pool.parquet", text_key="body")
    (tmp_path / "torn.parquet").write_bytes(as_parquet(POOL)[:500])
    with pytest.raises(cynical.CynicalError, match="not a whole Parquet file"):
        cynical.select(WANTED, tmp_path / "torn.parquet")
    (tmp_path / "pool.csv").write_bytes(as_csv(POOL))
    with pytest.raises(cynical.CynicalError, match=r"pool.csv: no column 'body'; it has id, text"):
        cynical.select(WANTED, tmp_path / "pool.csv", text_key="body")
    (tmp_path / "pool.jsonl").write_bytes(as_json(POOL))
    with pytest.raises(cynical.CynicalError, match="one corpus cannot have files of several formats"):
        cynical.select(WANTED, [tmp_path / "pool.jsonl", tmp_path / "pool.parquet"])
    with pytest.raises(cynical.CynicalError, match="id_key names a field of records"):
        cynical.select(WANTED, POOL, id_key="id")
    with pytest.raises(cynical.CynicalError, match=r"no field 'meta.text'"):
        cynical.select(WANTED, tmp_path / "pool.jsonl", text_key="meta.text")


def test_nested_fields_are_found_by_dots(tmp_path: Path) -> None:
    nested = [{"meta": {"body": {"text": line}}} for line in POOL]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(record) + "\n" for record in nested))
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", all=True, text_key="meta.body.text")
    assert jaded.lines.tolist() == plain("exact")[0]
    parquet.write_table(pyarrow.Table.from_pylist(nested), tmp_path / "pool.parquet")
    jaded = cynical.select(WANTED, tmp_path / "pool.parquet", all=True, text_key="meta.body.text")
    assert jaded.lines.tolist() == plain("exact")[0]


def test_addresses_are_opened(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/shards/a.jsonl.gz", gzip.compress(as_json(POOL[:200])))
    memory.pipe("/shards/b.jsonl.gz", gzip.compress(as_json(POOL[200:])))
    jaded = cynical.select(WANTED, "memory://shards/*.jsonl.gz", all=True)
    assert jaded.lines.tolist() == plain("exact")[0]
    with pytest.raises(cynical.CynicalError, match=r"memory://shards/none.txt: no such file"):
        cynical.select(WANTED, "memory://shards/none.txt")
    with pytest.raises(cynical.CynicalError, match="pip install"):
        cynical.select(WANTED, "gs://bucket/x.txt")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Files of a folder, on loopback."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_address[1]}"
        serving.shutdown()


def test_a_web_server_is_read_from(tmp_path: Path, server: str) -> None:
    pytest.importorskip("aiohttp")
    (tmp_path / "pool.txt").write_bytes(as_text(POOL))
    (tmp_path / "pool.parquet").write_bytes(as_parquet(POOL))
    for name in ("pool.txt", "pool.parquet"):
        assert cynical.select(WANTED, f"{server}/{name}", all=True).lines.tolist() == plain("exact")[0]
    with pytest.raises(cynical.CynicalError, match=f"{server}/none.txt"):
        cynical.select(WANTED, f"{server}/none.txt")


class Dataset:
    """What of a Hugging Face dataset is relied on."""

    def __init__(self, columns: dict[str, list[str]]) -> None:
        self._columns = columns
        self.column_names = list(columns)

    def __getitem__(self, name: str) -> list[str]:
        return self._columns[name]

    def select(self, positions: Any) -> list[str]:
        return [self._columns["body"][i] for i in positions]


def test_columns_in_memory_are_taken(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    sources: list[Any] = [
        iter(POOL),
        tuple(POOL),
        np.array(POOL),
        np.array(POOL, object),
        pyarrow.array(POOL),
        pyarrow.chunked_array([POOL[:9], POOL[9:]]),
        pandas.Series(POOL),
        polars.Series(POOL),
    ]
    tables: list[Any] = [
        pandas.DataFrame({"body": POOL}),
        polars.DataFrame({"body": POOL}),
        pyarrow.table({"body": POOL}),
        Dataset({"body": POOL}),
    ]
    for source in sources:
        assert cynical.select(WANTED, source, all=True).lines.tolist() == plain("exact")[0]
    for table in tables:
        jaded = cynical.select(WANTED, table, all=True, text_key="body")
        assert jaded.lines.tolist() == plain("exact")[0]
        with pytest.raises(cynical.CynicalError, match="no column 'text'; it has body"):
            cynical.select(WANTED, table)
    assert Dataset({"body": POOL}).select(plain("exact")[0][:5]) == [POOL[i] for i in plain("exact")[0][:5]]
    with pytest.raises(cynical.CynicalError, match="line 2 is a NoneType"):
        cynical.select(WANTED, pyarrow.array(["w1", None]))


def test_records_of_a_packed_file_with_a_plain_name_come_out(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl").write_bytes(gzip.compress(as_json(POOL)))
    jaded = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=5)
    jaded.write(tmp_path / "out.jsonl")
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [record["text"] for record in made] == [POOL[i] for i in jaded.lines]


def test_a_ranking_as_seed_is_one_whatever_the_key(tmp_path: Path) -> None:
    body = b"".join(json.dumps({"body": line}).encode() + b"\n" for line in POOL)
    (tmp_path / "pool.jsonl").write_bytes(body)
    whole = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=30, text_key="body")
    first = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=10, text_key="body")
    for name in ("first.tsv", "first.tsv.gz"):
        first.write(tmp_path / name)
        more = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=20, text_key="body", seed=tmp_path / name)
        assert more.lines.tolist() == whole.lines[10:].tolist()


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
    with pytest.raises(cynical.CynicalError, match="two columns are called 'text'"):
        cynical.select(WANTED, tmp_path / "twice.csv", text_key="text")


def test_odd_but_good_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "mark.jsonl").write_bytes(b"\xef\xbb\xbf" + as_json(["w1 w2", "w3"]))
    jaded = cynical.select(WANTED, tmp_path / "mark.jsonl", all=True)
    jaded.write(tmp_path / "mark-out.jsonl")
    made = [json.loads(line)["text"] for line in (tmp_path / "mark-out.jsonl").read_bytes().splitlines()]
    assert made == jaded.texts
    (tmp_path / "mark.tsv").write_bytes(b"\xef\xbb\xbfw1\ta\nw2\tb\n")
    assert cynical.select(WANTED, tmp_path / "mark.tsv", all=True, text_key="1").summary["available"]["words"] == 2
    assert cynical.select(["w1", "w2"], tmp_path / "mark.tsv", all=True, text_key="1").summary["covered"]["types"] == 1
    (tmp_path / "name.txt").write_text("BZhang w1 w2\n")
    assert len(cynical.select(WANTED, tmp_path / "name.txt", all=True)) == 1
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + PACK[".zst"](as_text(POOL))
    (tmp_path / "skippable.txt.zst").write_bytes(skippable)
    assert cynical.select(WANTED, tmp_path / "skippable.txt.zst", all=True).lines.tolist() == plain("exact")[0]
    (tmp_path / "long.csv").write_text("text\n" + "w1 " * 70_000 + "\n")
    assert cynical.select(WANTED, tmp_path / "long.csv", all=True, text_key="text").words.tolist() == [70_000]


def test_what_cannot_be_done_with_records_is_said(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    (tmp_path / "bad.en.jsonl").write_bytes(as_json(["w1", "w2"]) + b"{}\n")
    (tmp_path / "bad.de.jsonl").write_bytes(b"{}\n" + as_json(["w1", "w2"]))
    select = ("select", "-r", "task.txt", "-a", "bad.en.jsonl", "--bad-records", "skip", "--all", "-o", "out.tsv")
    done = cynical(*select, "--with", "bad.de.jsonl")
    assert (done.returncode, "pair lines that do not belong together" in done.stderr) == (2, True)
    done = cynical(*select, "--id-key", "nobody")
    assert (done.returncode, "its first record has no such field" in done.stderr) == (2, True)
    assert not (tmp_path / "out.tsv").exists()
    assert cynical(*select, "-q").returncode == 0
    done = cynical("cut", "out.tsv", "--lines", "1", "-o", "out.parquet")
    assert (done.returncode, "cut into tsv or text" in done.stderr) == (2, True)
    done = cynical("count", "bad.en.jsonl", "--bad-records", "skip", "-o", "a.counts")
    assert "1 bad record of CORPUS skipped; the first: bad.en.jsonl line 3" in done.stderr
    (tmp_path / "list.txt").write_text("@list.txt\n")
    done = cynical("select", "-r", "task.txt", "-a", "@list.txt", "--all", "-o", "x.tsv")
    assert (done.returncode, "a list cannot name another list" in done.stderr) == (2, True)


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


def test_a_long_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl").write_bytes(as_json(["w1 " * 2_000_000, "w2"]).rstrip(b"\n"))
    assert sorted(cynical.select(WANTED, tmp_path / "pool.jsonl", all=True).words.tolist()) == [1, 2_000_000]
