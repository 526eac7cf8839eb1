"""Where a ranking goes: shards, in any order, with what was not picked; here or far away, whole or not at all."""

from __future__ import annotations

import fnmatch
import gc
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import cynical
from cynical.cli.main import cli
from cynical.cli.render import next_command
from cynical.errors import CynicalError
from cynical.jaded.formats import to_bytes
from cynical.jaded.names import shard_number, shard_path, whole_name, whole_of_glob
from cynical.text.atomic_file import Output
from tests.against_oracle import zipfian
from tests.files import PACK, as_text, parquet
from tests.jaded.test_read_any import LINES, WANTED, columns, odd_json
from tests.remote_store import remote_store

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(scope="module")
def jaded(tmp_path_factory: pytest.TempPathFactory) -> cynical.Jaded:
    folder = tmp_path_factory.mktemp("pool")
    (folder / "task.txt").write_bytes(as_text(WANTED))
    (folder / "pool.jsonl.zst").write_bytes(PACK[".zst"](odd_json(LINES)))
    return cynical.select(folder / "task.txt", folder / "pool.jsonl.zst", lines=25, id_key="id", max_length=60)


def test_names_of_shards() -> None:
    assert shard_path("a/picks-{:05d}.jsonl.zst", 12) == "a/picks-00012.jsonl.zst"
    assert [shard_path(one, 7) for one in ("{}.tsv", "x{:03}.tsv", "x{:d}y")] == ["7.tsv", "x007.tsv", "x7y"]
    assert shard_number("a/p-{:03d}.tsv", "a/p-012.tsv") == 12
    assert shard_number("a/p-{:03d}.tsv", "a/p-12.tsv") is None
    assert whole_name("a/picks-{:05d}.jsonl.zst") == whole_of_glob("a/picks-*.jsonl.zst") == "a/picks.jsonl.zst"
    assert (whole_name("a/{}.tsv"), whole_name("a/b.tsv")) == ("a/jaded.tsv", "a/b.tsv")


def test_the_next_command_quotes_the_name(jaded: cynical.Jaded) -> None:
    said = next_command(jaded.summary, "a b.tsv", "tsv")
    assert said == "next: cynical cut 'a b.tsv' --lines 25 -o best.txt writes the lines only"
    said = next_command(jaded.summary, "picks-{:05d}.jsonl.zst", "jsonl")
    assert said == "next: cynical report 'picks-{:05d}.jsonl.zst' makes a page to look at the picks"


def test_the_next_command_has_the_budget_and_the_format_of_the_ranking() -> None:
    paid = cynical.select(WANTED, WANTED * 3, money=30, price=0.5).summary
    assert next_command(paid, "buy.tsv", "tsv").startswith("next: cynical cut buy.tsv --money 30 -o best.txt")
    every = cynical.select(WANTED, [*WANTED * 3, *["zzz"] * 9], all=True).summary
    assert every.stop.known and every.stop.lines
    assert next_command(every, "picks.jsonl.gz", "jsonl") == "next: cynical cut picks.jsonl.gz --stop -o best.jsonl"
    assert next_command(every, "picks.tsv", "tsv") == "next: cynical cut picks.tsv --stop -o best.txt"


@pytest.mark.parametrize(
    "name", ["p-{:03d}.tsv", "p-{:03d}.jsonl.zst", "p-{:03d}.csv.gz", "p-{:03d}.parquet", "p-{}.ids"]
)
def test_shards_are_read_as_one_ranking(jaded: cynical.Jaded, tmp_path: Path, name: str) -> None:
    pattern, whole = str(tmp_path / name), whole_name(tmp_path / name)
    jaded.write(pattern, shard_size=10)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*(shard_path(name, number) for number in range(3)), f"{Path(whole).name}.json"]
    )
    for given in (pattern, pattern.replace("{:03d}", "*").replace("{}", "*"), f"{whole}.json", whole):
        again = cynical.read(given)
        assert columns(again) == columns(jaded) and again.texts == jaded.texts and again.stop == jaded.stop
    assert [one.lines for one in again.summary.shards] == [10, 10, 5]
    assert all((tmp_path / one.name).stat().st_size == one.bytes for one in again.summary.shards)
    (tmp_path / shard_path(name, 1)).unlink()
    with pytest.raises(CynicalError, match="one of the 3 files of the ranking, is missing"):
        cynical.read(pattern)


def test_shards_replace_those_that_are_there_only_when_told(jaded: cynical.Jaded, tmp_path: Path) -> None:
    pattern = tmp_path / "p-{:03d}.ids"
    jaded.write(pattern, shard_size=5)
    (tmp_path / "p-000.ids").unlink()
    with pytest.raises(CynicalError, match=r"p-001\.ids already exists"):
        jaded.write(pattern, shard_size=10)
    jaded.write(pattern, shard_size=20, overwrite=True)
    assert sorted(path.name for path in tmp_path.glob("*.ids")) == ["p-000.ids", "p-001.ids"]
    for path, options, said in (
        (
            tmp_path / "p.tsv",
            {"shard_size": 3},
            "with --shard-size the name must have a place for the number of a shard",
        ),
        (tmp_path / "p{}.tsv", {}, "is a pattern for shards; give --shard-size"),
        (tmp_path / "p{}{}.tsv", {"shard_size": 3}, "several places for the number of a shard"),
        (tmp_path / "p.scores", {"order": "pool"}, "--format scores writes one row for each line"),
        (tmp_path / "p.tsv", {"rejected": tmp_path / "r.txt"}, "text has no place for the reason"),
    ):
        with pytest.raises(CynicalError) as failed:
            jaded.write(path, **options)
        assert said in failed.value.message


@pytest.mark.parametrize("format", ["tsv", "jsonl", "csv", "parquet"])
def test_any_order_is_the_same_ranking(jaded: cynical.Jaded, tmp_path: Path, format: str) -> None:
    for order in ("pool", "random"):
        jaded.write(tmp_path / f"{order}.{format}", order=order)
        again = cynical.read(tmp_path / f"{order}.{format}")
        assert columns(again) == columns(jaded) and again.texts == jaded.texts
        assert again.summary.written and again.summary.written.order == order
    jaded.write(tmp_path / "pool.ids", order="pool")
    ids = (tmp_path / "pool.ids").read_text().split()
    assert ids == [f"r{line}" for line in sorted(jaded.lines.tolist())]
    with pytest.raises(CynicalError, match="their ranks are unknown"):
        cynical.read(tmp_path / "pool.ids")


def test_a_random_order_is_decided_by_its_seed(jaded: cynical.Jaded, tmp_path: Path) -> None:
    made = []
    for number, seed in enumerate((0, 0, 1)):
        jaded.write(tmp_path / f"{number}.ids", order="random", order_seed=seed)
        made.append((tmp_path / f"{number}.ids").read_text().split())
    assert made[0] == made[1] != made[2] and sorted(made[0]) == sorted(made[2])
    assert made[0] not in (sorted(made[0]), [f"r{line}" for line in jaded.lines])


@pytest.mark.parametrize("format", ["tsv", "jsonl", "csv", "parquet"])
def test_what_was_not_picked_has_a_reason(tmp_path: Path, format: str) -> None:
    lines = [*LINES[:40], "", " ".join(["w1"] * 50), LINES[0], "w1 w2 w3"]
    (tmp_path / "pool.jsonl").write_bytes(odd_json(lines))
    options: dict[str, Any] = {"max_length": 40, "max_copies": 1, "exclude": ["w1 w2 w3"]}
    made = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=10, **options)
    out = tmp_path / f"out.{format}"
    made.write(tmp_path / "picks.tsv", rejected=out)
    if format == "parquet":
        rows = parquet.read_table(out).to_pylist()
    elif format == "jsonl":
        rows = [json.loads(line) for line in out.read_bytes().splitlines()]
    else:
        head, *rest = out.read_text().splitlines()
        tab = "\t" if format == "tsv" else ","
        names = [("cynical_" if format == "tsv" and name != "text" else "") + name for name in head.split(tab)]
        rows = [dict(zip(names, line.split(tab), strict=True)) for line in rest]
    assert [int(row["cynical_line"]) - 1 for row in rows] == sorted({*range(44)} - set(made.lines.tolist()))
    found = {int(row["cynical_line"]): row["cynical_reason"] for row in rows}
    assert {found[line] for line in (41, 42, 43, 44)} == {"blank", "too_long", "copies", "excluded"}
    counted = Counter(found.values())
    assert {reason: counted[reason] for reason in made.summary.skipped} == made.summary.skipped
    assert counted["not_reached"] == 44 - 10 - sum(made.summary.skipped.values())
    assert all(row["text"] == lines[int(row["cynical_line"]) - 1] for row in rows)
    if format == "jsonl":  # every byte of the record is there
        records = (tmp_path / "pool.jsonl").read_bytes().splitlines()
        assert all(
            line.startswith(records[row["cynical_line"] - 1][:-1])
            for line, row in zip(out.read_bytes().splitlines(), rows, strict=True)
        )
    again = cynical.read(tmp_path / "picks.tsv").cut(lines=4)
    again.write(tmp_path / "cut.tsv", rejected=tmp_path / "more.jsonl")
    assert len((tmp_path / "more.jsonl").read_bytes().splitlines()) == 40


def test_scores_have_a_row_for_each_line(tmp_path: Path) -> None:
    made = cynical.select(WANTED, LINES, lines=10)
    made.write(tmp_path / "all.scores")
    rows = (tmp_path / "all.scores").read_text().split("\n")
    assert len(rows) == len(LINES) + 1
    assert [line for line, row in enumerate(rows) if row] == sorted(made.lines.tolist())
    assert np.allclose([float(rows[line]) for line in made.lines], made.delta, rtol=1e-8)
    per_word = cynical.select(WANTED, LINES, lines=10, per="word")
    per_word.write(tmp_path / "per-word.scores")
    rows = (tmp_path / "per-word.scores").read_text().split("\n")
    assert np.allclose([float(rows[line]) for line in per_word.lines], per_word.delta / per_word.words, rtol=1e-8)


def test_a_remote_ranking_is_written_and_read_everywhere(jaded: cynical.Jaded, tmp_path: Path) -> None:
    store = fsspec.filesystem("memory")
    store.rm("/far", recursive=True) if store.exists("/far") else None
    jaded.write("memory://far/p-{:02d}.jsonl.zst", shard_size=10, rejected="memory://far/rest.jsonl.gz")
    assert sorted(Path(one).name for one in store.ls("/far", detail=False)) == [
        "p-00.jsonl.zst",
        "p-01.jsonl.zst",
        "p-02.jsonl.zst",
        "p.jsonl.zst.json",
        "rest.jsonl.gz",
    ]
    for given in ("memory://far/p-{:02d}.jsonl.zst", "memory://far/p-*.jsonl.zst", "memory://far/p.jsonl.zst.json"):
        again = cynical.read(given)
        assert columns(again) == columns(jaded) and again.texts == jaded.texts and again.summary.shards
    with pytest.raises(CynicalError, match=r"memory://far/p-00\.jsonl\.zst already exists"):
        jaded.write("memory://far/p-{:02d}.jsonl.zst", shard_size=10)
    for format in ("tsv", "csv", "parquet", "ids", "jsonl"):
        jaded.write(f"memory://far/one.{format}")
        assert cynical.read(f"memory://far/one.{format}").lines.tolist() == jaded.lines.tolist()
    more = cynical.select(WANTED, LINES, seed="memory://far/p-*.jsonl.zst", lines=5)
    assert not set(more.lines) & set(jaded.lines)
    with pytest.raises(CynicalError, match="cannot write to a web address"):
        jaded.write("https://example.org/picks.tsv")


def test_nothing_half_has_a_name(jaded: cynical.Jaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = fsspec.filesystem("memory")
    store.makedirs("/half", exist_ok=True)
    seen: list[list[str]] = []
    writes, write = 0, Output.write

    def failing(self: Output, data: bytes) -> None:
        nonlocal writes
        writes += 1
        seen.append([one for one in store.find("/half") if not Path(one).name.startswith(".cynical")])
        if writes == 3:
            raise KeyboardInterrupt
        write(self, data)

    monkeypatch.setattr(Output, "write", failing)
    for home in ("memory://half", str(tmp_path)):
        writes = 0
        with pytest.raises(KeyboardInterrupt):
            jaded.write(f"{home}/p-{{:02d}}.jsonl", shard_size=5)
    assert not any(seen) and not store.find("/half") and not list(tmp_path.iterdir())


def test_a_store_over_a_network_never_has_half_a_file(jaded: cynical.Jaded) -> None:
    pytest.importorskip("requests", reason="fsspec's WebHDFS needs requests")
    with remote_store() as store:
        home = f"{store.url}/far"
        jaded.write(f"{home}/p-{{:02d}}.jsonl.zst", shard_size=10, rejected=f"{home}/rest.jsonl.gz")
        assert sorted(Path(one).name for one in store.files) == [
            *(f"p-0{number}.jsonl.zst" for number in range(3)),
            "p.jsonl.zst.json",
            "rest.jsonl.gz",
        ]
        assert all(Path(one).name.startswith(".cynical-") for one in store.written)
        again = cynical.read(f"{home}/p-{{:02d}}.jsonl.zst")
        assert columns(again) == columns(jaded) and again.texts == jaded.texts and again.summary.shards
        jaded[:5].write(f"{home}/p.jsonl")
        jaded[:7].write(f"{home}/p.jsonl", overwrite=True)
        assert len(cynical.read(f"{home}/p.jsonl")) == 7
        for broken in ("APPEND", "RENAME"):
            before, store.broken = dict(store.files), broken
            with pytest.raises(CynicalError, match=r"webhdfs://.*/new\.jsonl"):
                jaded.write(f"{home}/new.jsonl")
            store.broken = ""
            assert store.files == before


def test_a_folder_of_parts_is_one_ranking(jaded: cynical.Jaded, tmp_path: Path) -> None:
    (tmp_path / "picks").mkdir()
    for number in range(3):
        rows = np.arange(number, len(jaded), 3)
        part = to_bytes("tsv", jaded.columns.take(rows), jaded.content.take(rows))
        (tmp_path / "picks" / f"part-{number}.tsv").write_bytes(b"".join(part))
    (tmp_path / "picks.json").write_bytes(jaded.summary.to_json())
    again = cynical.read(tmp_path / "picks")
    assert columns(again) == columns(jaded) and again.texts == jaded.texts and again.signature == jaded.signature
    more = cynical.select(WANTED, LINES, seed=tmp_path / "picks", lines=5)
    assert not set(more.lines) & set(jaded.lines)


def test_a_summary_names_no_files_but_those_beside_it(jaded: cynical.Jaded, tmp_path: Path) -> None:
    jaded.write(tmp_path / "p-{}.tsv", shard_size=20)
    beside = tmp_path / "p.tsv.json"
    beside.write_text(beside.read_text().replace('"p-1.tsv"', '"../p-1.tsv"'))
    with pytest.raises(CynicalError, match="is not a file in the same folder"):
        cynical.read(beside)


class Uploads(fsspec.AbstractFileSystem):  # type: ignore[misc, name-defined]
    """A store whose objects are there when an upload is completed: by `commit` or, if nobody wants that, at its end."""

    protocol = ("s3", "hf")
    objects: ClassVar[dict[str, bytes]] = {}
    log: ClassVar[list[str]] = []

    def _open(self, path: str, mode: str = "rb", autocommit: bool = True, **_: Any) -> Any:
        return io.BytesIO(self.objects[path]) if mode == "rb" else Upload(path, autocommit)

    def glob(self, path: str, **_: Any) -> list[str]:
        return fnmatch.filter(self.objects, path)

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        path = self._strip_protocol(path)
        if path not in self.objects:
            raise FileNotFoundError(path)
        return {"name": path, "size": len(self.objects[path]), "type": "file"}


class Upload:
    """A file of such a store; as those of fsspec, it is closed when it is forgotten."""

    def __init__(self, path: str, autocommit: bool) -> None:
        self.path, self.autocommit, self.sent, self.closed = path, autocommit, b"", False

    def write(self, data: bytes) -> int:
        self.sent += bytes(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            Uploads.log.append(f"close {self.path}")
            if self.autocommit:
                Uploads.objects[self.path] = self.sent
        self.closed = True

    __del__ = close

    def commit(self) -> None:
        Uploads.log.append(f"commit {self.path}")
        Uploads.objects[self.path] = self.sent

    def discard(self) -> None:
        Uploads.log.append(f"discard {self.path}")


@pytest.mark.parametrize("scheme", ["s3", "hf"])
def test_an_upload_is_completed_when_all_is_written(
    jaded: cynical.Jaded, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setattr("fsspec.core.url_to_fs", lambda url: (Uploads(), url.partition("://")[2]))
    monkeypatch.setattr(Uploads, "objects", {})
    monkeypatch.setattr(Uploads, "log", [])
    jaded.write(f"{scheme}://bucket/p-{{}}.jsonl.zst", shard_size=20)
    names = ["bucket/p-0.jsonl.zst", "bucket/p-1.jsonl.zst", "bucket/p.jsonl.zst.json"]  # the summary last
    assert list(Uploads.objects) == names
    closed = [f"close {name}" for name in names]
    assert Uploads.log == ([*closed, *(f"commit {name}" for name in names)] if scheme == "s3" else closed)
    assert columns(cynical.read(f"{scheme}://bucket/p.jsonl.zst.json")) == columns(jaded)
    there = dict(Uploads.objects)
    monkeypatch.setattr("cynical.jaded.destination.Shard", None)  # fails when the first shard is written
    with pytest.raises(TypeError):
        jaded.write(f"{scheme}://bucket/q-{{}}.jsonl.zst", shard_size=20)
    gc.collect()
    assert there == Uploads.objects


def test_a_corpus_of_compressed_records_goes_round_without_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Select to shards, cut again, seed a second run, evaluate, report: no record changes by a byte."""
    monkeypatch.chdir(tmp_path)
    pool = odd_json(LINES)
    Path("task.txt").write_bytes(as_text(WANTED))
    Path("test.txt").write_bytes(as_text(zipfian(20, 9)))
    for number, part in enumerate((pool.splitlines(keepends=True)[:50], pool.splitlines(keepends=True)[50:])):
        Path(f"pool-{number}.jsonl.zst").write_bytes(PACK[".zst"](b"".join(part)))
    given = ["-r", "task.txt", "-a", "pool-*.jsonl.zst", "--text-key", "text", "-q"]
    run("select", *given, "--lines", "30", "-o", "picks-{:05d}.jsonl.zst", "--shard-size", "8", "--order", "random")
    run("cut", "picks-*.jsonl.zst", "--lines", "20", "-o", "cut-{:02d}.jsonl.zst", "--shard-size", "7", "-q")
    run("cut", "cut.jsonl.zst.json", "--lines", "15", "-o", "short.jsonl.zst", "--output-order", "pool", "-q")
    run("select", *given, "-s", "cut-{:02d}.jsonl.zst", "--lines", "10", "-o", "more.jsonl.zst")
    run("evaluate", "cut-*.jsonl.zst", "-t", "test.txt", "--points", "2", "--json", "figures.json", "-q")
    run("report", "cut.jsonl.zst.json", "-o", "page.html", "-q")
    assert not list(Path().glob("*.tsv*"))
    first, again, more = (
        cynical.read(name) for name in ("picks-{:05d}.jsonl.zst", "cut-*.jsonl.zst", "more.jsonl.zst")
    )
    assert again.lines.tolist() == first.lines[:20].tolist() and not set(more.lines) & set(again.lines)
    assert cynical.read("short.jsonl.zst").lines.tolist() == first.lines[:15].tolist()
    records, checked = pool.splitlines(), 0
    for path in (*Path().glob("picks-*"), *Path().glob("cut-*"), Path("short.jsonl.zst"), Path("more.jsonl.zst")):
        for line in unpacked(path).splitlines():
            source = records[json.loads(line)["cynical_line"] - 1]
            assert line.startswith(source[:-1] + b',"cynical_rank":') and line.count(b"cynical_rank") == 1
            checked += 1
    assert checked == 30 + 20 + 15 + 10


def unpacked(path: Path) -> bytes:
    from tests.files import zstandard

    return bytes(zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes()))


def run(*arguments: str) -> None:
    """The command line, in this process."""
    cli.main(list(arguments), standalone_mode=False)


def test_shards_neither_replace_nor_remove_what_is_no_shard(
    jaded: cynical.Jaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "task.txt").write_bytes(as_text(WANTED))
    (tmp_path / "p-1.txt").write_bytes(as_text(LINES))
    command = ["select", "-r", "task.txt", "-a", "p-1.txt", "-o", "p-{}.txt", "--shard-size", "2", "--lines", "2"]
    with pytest.raises(CynicalError, match=r"p-1\.txt is one of the inputs"):
        cli.main([*command, "--overwrite"], standalone_mode=False)
    assert (tmp_path / "p-1.txt").read_bytes() == as_text(LINES)
    (tmp_path / "news-2019.txt").write_bytes(b"w1\n")
    with pytest.raises(CynicalError, match=r"news-2019\.txt is named like a shard"):
        jaded.write("news-{}.txt", shard_size=5, overwrite=True)
    with pytest.raises(CynicalError, match=r"rejected=../q-3\.tsv. is also the name of a shard"):
        jaded.write("q-{}.tsv", shard_size=5, rejected="./q-3.tsv")
    assert not list(tmp_path.glob("q*"))


def test_a_summary_is_of_its_own_ranking_alone(
    jaded: cynical.Jaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    jaded.write("p-{:03d}.jsonl", shard_size=10)
    for name, size in (("p-{:05d}.jsonl", 10), ("p.jsonl", None)):
        with pytest.raises(CynicalError, match=r"p\.jsonl\.json is the summary of p-000"):
            jaded.write(name, shard_size=size)
    (tmp_path / "p.jsonl").write_text('{"text": "w1 w2"}\n')  # say the pool that the shards were named for
    again = cynical.select(WANTED, LINES, seed="p.jsonl", lines=3)
    assert again.summary.seed is not None and (again.summary.seed.lines, again.summary.seed.rankings) == (1, [])
    (tmp_path / "p-rest.jsonl").write_text("{}\n")
    with pytest.raises(CynicalError, match=r"p-rest\.jsonl is not one of the 3 files of the ranking"):
        cynical.read("p-*.jsonl")


def test_numbers_are_no_text(jaded: cynical.Jaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    jaded.write("p.scores")
    jaded.write("p.ids")
    (tmp_path / "p.ids.json").unlink()
    scores: list[dict[str, Any]] = [{"seed": "p.scores"}, {"exclude": "p.scores"}]
    for options in scores:
        with pytest.raises(CynicalError, match=r"p\.scores: this is a file of scores, but .* must be text"):
            cynical.select(WANTED, LINES, lines=3, **options)
    ids: list[dict[str, Any]] = [{"seed": "p.ids"}, {"exclude": "p.ids"}]
    for options in ids:
        with pytest.raises(
            CynicalError, match=r"p\.ids\.json: the summary, which names the files of AVAILABLE, is missing"
        ):
            cynical.select(WANTED, LINES, lines=3, **options)


def test_shards_of_a_first_run_that_was_interrupted_can_be_replaced(
    jaded: cynical.Jaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get their names from the first on, so what is there is the beginning of a ranking."""
    give_name, named = Output._give_name, list[str]()

    def interrupted(self: Output) -> None:
        if len(named) == 2:
            raise KeyboardInterrupt
        give_name(self)
        named.append(self.path)

    pattern = str(tmp_path / "p-{}.tsv")
    monkeypatch.setattr(Output, "_give_name", interrupted)
    with pytest.raises(KeyboardInterrupt):
        jaded.write(pattern, shard_size=5)
    monkeypatch.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p-0.tsv", "p-1.tsv"]
    jaded.write(pattern, shard_size=10, overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p-0.tsv", "p-1.tsv", "p-2.tsv", "p.tsv.json"]
