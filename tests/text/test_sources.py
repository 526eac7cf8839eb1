"""What goes in: text and records, compressed or not, many files, addresses, columns in memory."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cynical
from cynical.cli.main import cli
from cynical.options.ranking import Strategy
from cynical.text import sources
from cynical.text.paths import expand
from tests.conftest import Run
from tests.files import KINDS, PACK, POOL, WANTED, as_csv, as_json, as_parquet, as_text

zstandard = pytest.importorskip("zstandard")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@functools.cache
def plain(strategy: Strategy) -> tuple[list[int], list[float]]:
    jaded = cynical.select(WANTED, POOL, all=True, strategy=strategy)
    return jaded.lines.tolist(), jaded.delta.tolist()


@pytest.mark.slow
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


BAD = {
    "not valid JSON": (b'{"text": "w1"}\n{"text": \n', "pool.jsonl line 2: not valid JSON"),
    "another field": (b'{"body": "w1"}\n', "pool.jsonl line 1: no field 'text'; the record has body"),
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
def test_a_torn_or_damaged_file_is_an_error_message(tmp_path: Path, packed: str, kind: str) -> None:
    whole = PACK[packed](KINDS[kind](POOL))
    pool = tmp_path / f"pool.{kind}{packed}"
    pool.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(cynical.CynicalError, match=rf"pool.{kind}{packed}: the .*download or compress it again"):
        cynical.select(WANTED, pool, all=True)
    pool.write_bytes(whole + whole)  # two compressed pieces are one file
    if kind == "txt":
        assert cynical.select(WANTED, pool, all=True).summary["available"]["lines"] == 2 * len(POOL)


def test_what_is_wrong_with_tables_is_said(tmp_path: Path) -> None:
    (tmp_path / "pool.parquet").write_bytes(as_parquet(POOL))
    with pytest.raises(cynical.CynicalError, match=r"pool.parquet: no column 'body'; the columns are id, text, n"):
        cynical.select(WANTED, tmp_path / "pool.parquet", text_key="body")
    (tmp_path / "torn.parquet").write_bytes(as_parquet(POOL)[:500])
    with pytest.raises(cynical.CynicalError, match="the Parquet file is damaged"):
        cynical.select(WANTED, tmp_path / "torn.parquet")
    (tmp_path / "pool.csv").write_bytes(as_csv(POOL))
    with pytest.raises(cynical.CynicalError, match=r"pool.csv: no column 'body'; the columns are id, text"):
        cynical.select(WANTED, tmp_path / "pool.csv", text_key="body")
    (tmp_path / "pool.jsonl").write_bytes(as_json(POOL))
    with pytest.raises(cynical.CynicalError, match="a corpus cannot mix file formats"):
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
    with pytest.raises(cynical.CynicalError, match=f"{server}/none.txt: no such file"):
        cynical.select(WANTED, f"{server}/none.txt")
    with pytest.raises(cynical.CynicalError, match=r"x.txt: connection refused; check the address"):
        cynical.select(WANTED, "http://127.0.0.1:9/x.txt")


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
        with pytest.raises(cynical.CynicalError, match="no column 'text'; the columns are body"):
            cynical.select(WANTED, table)
    assert Dataset({"body": POOL}).select(plain("exact")[0][:5]) == [POOL[i] for i in plain("exact")[0][:5]]
    with pytest.raises(cynical.CynicalError, match="line 2: a NoneType, not a string"):
        cynical.select(WANTED, pyarrow.array(["w1", None]))
    with pytest.raises(cynical.CynicalError, match="line 2: bytes, not a string"):
        cynical.select(WANTED, ["w1", b"w2"])  # type: ignore[arg-type]


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


@pytest.mark.slow
def test_what_cannot_be_done_with_records_is_said(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    (tmp_path / "bad.en.jsonl").write_bytes(as_json(["w1", "w2"]) + b"{}\n")
    (tmp_path / "bad.de.jsonl").write_bytes(b"{}\n" + as_json(["w1", "w2"]))
    select = ("select", "-r", "task.txt", "-a", "bad.en.jsonl", "--bad-records", "skip", "--all", "-o", "out.tsv")
    done = cynical(*select, "--with", "bad.de.jsonl")
    assert (done.returncode, "is not available for parallel text" in done.stderr) == (2, True)
    done = cynical(*select, "--id-key", "nobody")
    assert (done.returncode, "the first record does not have this field" in done.stderr) == (2, True)
    assert not (tmp_path / "out.tsv").exists()
    assert cynical(*select, "-q").returncode == 0
    assert cynical("cut", "out.tsv", "--lines", "1", "-o", "out.parquet").returncode == 0
    done = cynical("count", "bad.en.jsonl", "--bad-records", "skip", "-o", "a.counts")
    assert "skipped 1 bad record of CORPUS; the first: bad.en.jsonl line 3" in done.stderr
    (tmp_path / "list.txt").write_text("@list.txt\n")
    done = cynical("select", "-r", "task.txt", "-a", "@list.txt", "--all", "-o", "x.tsv")
    assert (done.returncode, "a list of files cannot contain another list" in done.stderr) == (2, True)


def test_a_long_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl").write_bytes(as_json(["w1 " * 2_000_000, "w2"]).rstrip(b"\n"))
    assert sorted(cynical.select(WANTED, tmp_path / "pool.jsonl", all=True).words.tolist()) == [1, 2_000_000]


def test_many_small_files_are_read_as_few_are_and_not_held_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = [b"", b"w1 no newline", b"\xef\xbb\xbfw1 after a mark\n", b"w1 dos\r\nw2\r\n", gzip.compress(b"w1 w2\n")]
    odd.append(b"w1 large\n" + b"x" * sources.SMALL)
    for number in range(60):
        (tmp_path / f"file{number:03}.txt").write_bytes(odd[number] if number < len(odd) else b"w%d\nw2 w3\n" % number)

    def ranked() -> tuple[Any, ...]:
        corpus = sources.open_corpus(tmp_path, "AVAILABLE")
        held.append(len({id(part.file) for part in corpus.parts}))
        jaded = cynical.select(WANTED, corpus, all=True)
        texts = [line.decode() for line in jaded.content.texts(slice(0, len(jaded)))]
        return jaded.lines.tolist(), texts, corpus.files, corpus.checksums, [part.name for part in corpus.parts]

    held: list[int] = []
    monkeypatch.setattr(sources, "MANY", 1000)
    few = ranked()
    monkeypatch.setattr(sources, "MANY", 10)
    assert ranked() == few
    assert held[0] > 50
    assert held[1] <= 3


def test_the_files_of_a_folder_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b/1.txt", "b-c/1.txt", "a.txt", "b/_no.txt", ".no/1.txt", "c/d/2.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("w1\n")
    (tmp_path / "d.txt").symlink_to(tmp_path / "a.txt")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nothing")
    expected = ["a.txt", "b/1.txt", "b-c/1.txt", "c/d/2.txt", "c.txt", "d.txt"]
    assert expand(f"{tmp_path}/") == [str(tmp_path / name) for name in expected]


@pytest.mark.parametrize("kind", ["list", "text", "gz", "jsonl", "csv", "tsv", "parquet"])
def test_a_byte_order_mark_within_a_text_belongs_to_it(tmp_path: Path, kind: str) -> None:
    mark = "\ufeff"
    texts = [f"{mark}a cat", f"{mark}{mark}the dog", f"sat{mark}"]
    made: dict[str, tuple[str, bytes]] = {
        "text": ("a.txt", mark.encode() + as_text(texts)),
        "gz": ("a.gz", gzip.compress(mark.encode() + as_text(texts))),
        "jsonl": ("a.jsonl", mark.encode() + as_json(texts)),
        "csv": ("a.csv", mark.encode() + as_csv(texts)),
        "tsv": ("a.tsv", f"{mark}id\t{mark}text\n".encode() + as_text([f"1\t{text}" for text in texts])),
        "parquet": ("a.parquet", as_parquet(texts)),
        "list": ("unused", b""),
    }
    name, data = made[kind]
    (tmp_path / name).write_bytes(data)
    key = {"csv": "text", "tsv": f"{mark}text"}.get(kind)
    jaded = cynical.select([f"{mark}a cat"], texts if kind == "list" else tmp_path / name, text_key=key, lines=3)
    assert jaded.texts == [texts[line] for line in jaded.lines]
    assert jaded.texts[0] == texts[0]
    for out in ("out.txt", "out.tsv", "out.txt.gz"):
        jaded.write(tmp_path / out)
    assert cynical.read(tmp_path / "out.tsv").texts == jaded.texts
    for out in ("out.txt", "out.txt.gz"):
        again = cynical.select([f"{mark}a cat"], tmp_path / out, lines=3)
        assert sorted(again.texts) == sorted(jaded.texts)


@pytest.mark.parametrize("name", ["a" * 300, "b/" * 3000 + "c"])
def test_a_name_too_long_for_a_file_is_an_error_wherever_it_is_given(name: str) -> None:
    """And no traceback, though the system has an error of its own for it."""
    for given in (
        lambda: cynical.select("a b", name, lines=1),
        lambda: cynical.select(name, ["a b"], lines=1),
        lambda: cynical.select(["a b"], ["a b"], with_=name, lines=1),
        lambda: cynical.select(["a b"], ["a b"], prior=name, lines=1),
        lambda: cynical.select(["a b"], ["a b"], seed=name, lines=1),
        lambda: cynical.select(["a b"], ["a b"], lines=1, tokenizer=f"hf:{name}"),
        lambda: cynical.select(["a b"], ["a b"], lines=1).write(name),
        lambda: cynical.read(name),
    ):
        with pytest.raises(cynical.CynicalError):
            given()


def test_several_addresses_are_one_corpus(tmp_path: Path) -> None:
    """Each as it is typed: a Path would make s3:/bucket of s3://bucket."""
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    for name in ("several-1.txt", "several-2.txt"):
        store.pipe(f"/{name}", f"a cat in {name}\n".encode())
    addresses = [f"memory://several-{number}.txt" for number in (1, 2)]
    given = [word for address in addresses for word in ("-a", address)]
    done = CliRunner().invoke(cli, ["select", "-r", addresses[0], *given, "--all", "-o", str(tmp_path / "out.txt")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out.txt").read_text() == "a cat in several-1.txt\na cat in several-2.txt\n"
