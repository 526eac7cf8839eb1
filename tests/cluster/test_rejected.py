"""What a cluster writes of the lines that were not picked: the bytes of one machine, some at a time."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.cli.cluster_destination import ClusterDestination
from cynical.cli.destination import Announced
from cynical.cluster.workers import Workers
from cynical.jaded import rows
from cynical.jaded.destination import Destination, rejected_rows
from cynical.jaded.formats import rejected_to_bytes
from cynical.options import Layout
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import Fragile, selected, written
from tests.text.test_fields import FILES

FORMATS = ("tsv", "jsonl", "csv", "parquet")


def corpora(folder: Path, kind: str) -> tuple[Path, list[Path], dict[str, Any]]:
    """A text that is wanted, a pool in two files with lines that may not be picked, and what leaves them out."""
    task, lines = written(folder, "task.txt", zipfian(20, 1, 40)), [line or "w1" for line in zipfian(70, 2, 60)]
    numbers = folder / "numbers"
    numbers.write_text("".join(f"{place * 7 % 11}\n" for place in range(74)))
    lines += ["", " ".join(["w1"] * 50), lines[0], "w1 w2 w3"]
    pool = [folder / f"{part}.{kind}" for part in "ab"]
    for path, some in zip(pool, (lines[:30], lines[30:]), strict=True):
        if kind == "txt":
            written(folder, path.name, some)
        else:
            path.write_bytes(FILES[kind]([{"n": n, "body": line} for n, line in enumerate(some)]))
    exclude = written(folder, "exclude.txt", ["w1 w2 w3"])
    options = {"max_length": 40, "max_copies": 1, "exclude": exclude, "by": numbers, "among": 0.7, "lines": 20}
    return task, pool, options if kind == "txt" else {**options, "text_key": "body"}


@pytest.mark.parametrize(("kind", "workers", "lost"), [("txt", 1, 0), ("jsonl", 4, 2), ("parquet", 2, 1)])
def test_what_was_not_picked_is_that_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, workers: int, lost: int
) -> None:
    monkeypatch.setattr(rows, "BATCH", 16)
    task, pool, options = corpora(tmp_path, kind)
    local = cynical.select(task, pool, **options)
    with selected(task, pool, workers, **options) as made:
        far, crew = made.with_texts(), made.available.shards.workers
        for format in FORMATS:
            for shard in range(lost):
                crew.workers[shard] = Fragile(crew.workers[shard].shard, 2)  # type: ignore[attr-defined]
            far.write(tmp_path / "far.tsv", rejected=tmp_path / f"far.rest.{format}", overwrite=True)
            local.write(tmp_path / "near.tsv", rejected=tmp_path / f"near.rest.{format}", overwrite=True)
            wanted = (tmp_path / f"near.rest.{format}").read_bytes()
            assert (tmp_path / f"far.rest.{format}").read_bytes() == wanted, format
            assert (tmp_path / "far.tsv").read_bytes() == (tmp_path / "near.tsv").read_bytes()
        assert crew.rebuilt == lost * len(FORMATS)
    found = Counter(json.loads(line)["cynical_reason"] for line in (tmp_path / "far.rest.jsonl").open())
    assert {"blank", "too_long", "copies", "excluded", "not_among_best", "not_reached"} == set(found)
    assert found.total() == 74 - 20


def test_only_the_shards_that_have_some_of_the_lines_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BATCH", 4)
    task, pool, options = corpora(tmp_path, "txt")
    ask, asked = Workers.ask_some, []

    def noted(self: Workers, method: str, arguments: Any) -> Any:
        asked.append(len(arguments))
        return ask(self, method, arguments)

    with selected(task, pool, 4, **options) as made:
        rest = rejected_rows(made.with_texts())
        monkeypatch.setattr(Workers, "ask_some", noted)
        assert len(b"".join(rejected_to_bytes("tsv", rest)).splitlines()) == 1 + 74 - 20
    assert asked.count(1) > len(asked) / 2 and max(asked) <= 2, "a batch may have lines of two neighbours"


@pytest.mark.parametrize(("kind", "workers"), [("txt", 1), ("jsonl", 4), ("parquet", 2)])
def test_a_run_that_is_over_still_knows_what_was_not_picked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, workers: int
) -> None:
    """After the workers are gone, and after the ranking was pickled: on a cluster, and on one machine."""
    monkeypatch.setattr(rows, "BATCH", 16)
    monkeypatch.setattr(rows, "BLOCK", 10)
    task, pool, options = corpora(tmp_path, kind)
    local = cynical.select(task, pool, **options)
    with selected(task, pool, workers, **options) as made:
        far = made.learn_places()
    local.write(tmp_path / "near.tsv", rejected=tmp_path / "near.rest.jsonl")
    wanted = (tmp_path / "near.rest.jsonl").read_bytes()
    assert b"not_among_best" in wanted
    for number, one in enumerate((far, pickle.loads(pickle.dumps(far)), pickle.loads(pickle.dumps(local)))):
        one.write(tmp_path / f"{number}.tsv", rejected=tmp_path / f"{number}.rest.jsonl")
        assert (tmp_path / f"{number}.rest.jsonl").read_bytes() == wanted, number


@pytest.mark.parametrize("format", FORMATS)
def test_a_folder_of_parts_has_what_was_not_picked_beside_it(tmp_path: Path, format: str) -> None:
    task, pool, options = corpora(tmp_path, "jsonl")
    cynical.select(task, pool, **options).write(tmp_path / "local.tsv", rejected=tmp_path / f"near.{format}")
    with selected(task, pool, 2, **options) as made:
        layout = Layout(rejected=str(tmp_path / f"far.{format}"))
        to = Destination(str(tmp_path / "kept"), "tsv", layout, overwrite=False)
        ClusterDestination(Announced(to, [], []), keeps_parts=True).write(made, quiet=True, began=0.0)
    assert len(list((tmp_path / "kept").glob("part-*"))) == 2
    assert (tmp_path / f"far.{format}").read_bytes() == (tmp_path / f"near.{format}").read_bytes()
