"""What a cluster writes: the bytes of one machine, whatever the format, the layout and the place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fsspec
import pytest

import cynical
from cynical.cluster.parts import write_folder
from cynical.cluster.run import ClusterRun, run
from cynical.cluster.worker import Shard, make_shard
from cynical.errors import CynicalError
from cynical.jaded.summary import EngineFacts
from cynical.options import Reading, Settings
from cynical.progress import Progress
from cynical.selection.inputs import gather
from cynical.text.partition import Share
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import Away, Fragile, written
from tests.text.test_fields import FILES

FORMATS = ("tsv", "text", "jsonl", "csv", "parquet", "ids", "scores")


@contextmanager
def cluster_run(task: Path, pool: Any, workers: int, lives: list[int], **reading: Any) -> Iterator[ClusterRun]:
    """A run with shards in this process, some of which are lost."""
    left = list(lives)

    def hire(share: Share, plan: bytes, again: bool) -> Away | Fragile:
        shard = make_shard(share, plan)
        return Fragile(shard, left.pop(0)) if left else Away(shard)

    facts = EngineFacts(name="here", version="", processors=1)
    inputs = gather([str(task)], pool, reading=Reading(**reading), id_key="id" if reading else None)
    with run(inputs, Settings.of(jobs=1, all=True), Progress(), workers, hire, facts) as made:
        yield made


def corpus(folder: Path, kind: str) -> tuple[Path, list[Path], dict[str, Any]]:
    """A text that is wanted and a pool in two files, whose records do not all have the same fields."""
    task, lines = written(folder, "task.txt", zipfian(20, 1, 40)), [line or "w1" for line in zipfian(70, 2, 60)]
    pool = [folder / f"{part}.{kind}" for part in "ab"]
    if kind == "txt":
        for path, some in zip(pool, (lines[:30], lines[30:]), strict=True):
            written(folder, path.name, some)
        return task, pool, {}
    records = [{"id": f"r{n}", "body": line} for n, line in enumerate(lines)]
    more = [{**one, "score": n / 3} for n, one in enumerate(records[30:])]
    pool[0].write_bytes(FILES[kind](records[:30]))
    pool[1].write_bytes(FILES[kind](more))
    return task, pool, {"text_key": "body"}


@pytest.mark.parametrize(("kind", "workers", "lives"), [("txt", 1, []), ("jsonl", 4, [13]), ("parquet", 2, [12, 15])])
def test_every_format_is_that_of_one_machine(tmp_path: Path, kind: str, workers: int, lives: list[int]) -> None:
    task, pool, reading = corpus(tmp_path, kind)
    local = cynical.select(task, pool, all=True, id_key="id" if reading else None, **reading)
    with cluster_run(task, pool, workers, lives, **reading) as made:
        far = made.with_texts()
        for format in FORMATS:
            far.write(tmp_path / "far", format=format, overwrite=True)
            local.write(tmp_path / "near", format=format, overwrite=True)
            assert (tmp_path / "far").read_bytes() == (tmp_path / "near").read_bytes(), format
        assert far.texts == local.texts
        assert made.available.shards.workers.rebuilt == len(lives)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("layout", [{}, {"order": "pool"}, {"order": "random", "order_seed": 5}])
def test_shards_in_a_remote_store_are_those_of_one_machine(
    tmp_path: Path, workers: int, layout: dict[str, Any]
) -> None:
    task, pool, reading = corpus(tmp_path, "jsonl")
    store: Any = fsspec.filesystem("memory")
    local = cynical.select(task, pool, all=True, id_key="id", **reading)
    local.write("memory://on-one/picks-{:03d}.jsonl.zst", shard_size=20, **layout)
    try:
        with cluster_run(task, pool, workers, [], **reading) as made:
            made.with_texts().write("memory://on-workers/picks-{:03d}.jsonl.zst", shard_size=20, **layout)
        names = [Path(path).name for path in store.ls("/on-one", detail=False)]
        assert len(names) == 5 and names == [Path(path).name for path in store.ls("/on-workers", detail=False)]
        for name in names[:-1]:
            assert store.cat(f"/on-workers/{name}") == store.cat(f"/on-one/{name}")
        far, near = (json.loads(store.cat(f"/{folder}/picks.jsonl.zst.json")) for folder in ("on-workers", "on-one"))
        assert far["written"] == near["written"]
    finally:
        store.rm("/on-one", recursive=True)
        store.rm("/on-workers", recursive=True)


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_workers_write_their_own_parts_straight_to_a_store(tmp_path: Path, format: str) -> None:
    task, pool, reading = corpus(tmp_path, "jsonl")
    store: Any = fsspec.filesystem("memory")
    local = cynical.select(task, pool, all=True, id_key="id", **reading)
    try:
        with cluster_run(task, pool, 3, [], **reading) as made:
            write_folder(made, "memory://kept", format, overwrite=False)
            write_folder(made, str(tmp_path / "kept"), format, overwrite=False)
        parts = sorted(path.name for path in (tmp_path / "kept").iterdir())
        assert parts == [f"part-0000{one}-of-00002.{format}" for one in (1, 2)]
        assert [Path(path).name for path in store.ls("/kept", detail=False)] == parts
        for name in parts:
            assert store.cat(f"/kept/{name}") == (tmp_path / "kept" / name).read_bytes()
        assert json.loads(store.cat("/kept.json")) == json.loads((tmp_path / "kept.json").read_text())
        read = cynical.read(tmp_path / "kept")
        assert read.lines.tolist() == local.lines.tolist() and read.texts == local.texts
    finally:
        store.rm("/kept", recursive=True)
        store.rm("/kept.json")


def test_parts_of_a_run_that_failed_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, pool, _ = corpus(tmp_path, "txt")
    store: Any = fsspec.filesystem("memory")
    write, calls = Shard.write, []

    def failing(self: Shard, *told: Any) -> Any:
        calls.append(told)
        if len(calls) == 2:
            raise CynicalError("the store is full")
        return write(self, *told)

    monkeypatch.setattr(Shard, "write", failing)
    with cluster_run(task, pool, 3, []) as made, pytest.raises(CynicalError, match="the store is full"):
        write_folder(made, "memory://failed", "tsv", overwrite=False)
    assert not store.exists("/failed.json") and not (store.exists("/failed") and store.ls("/failed"))
