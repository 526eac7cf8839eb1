"""On Ray: the bytes of one machine, whatever is lost on the way."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import cynical as package
from cynical.cluster.run import ClusterRun
from cynical.errors import CynicalError
from cynical.options import Cluster
from cynical.progress import Progress
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import told, written
from tests.conftest import Run

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two machines on one, for all tests that want a cluster."""
    ray = pytest.importorskip("ray", reason="Ray is not installed; pip install 'cynical[ray]'")
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    size: dict[str, Any] = {"num_cpus": 2, "object_store_memory": 80 << 20}
    made: Any = Cluster(initialize_head=True, head_node_args={**size, "include_dashboard": False})
    made.second = made.add_node(**size)
    ray.init(address=made.address, log_to_driver=False, logging_level=logging.ERROR)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a text that is wanted and a pool in two files."""
    folder = tmp_path_factory.mktemp("corpus")
    written(folder, "wanted", zipfian(400, 1, 600))
    lines = zipfian(9000, 2, 2000)
    written(folder, "pool-1", lines[:6000])
    written(folder, "pool-2", lines[6000:])
    return folder


POOL = ("-a", "pool-1", "-a", "pool-2")


HOW: dict[str, dict[str, Any]] = {
    "per line": {"all": True},
    "per word": {"share": 0.3, "per": "word"},
    "classes": {"lines": 4000, "vocabulary": "classes"},
    "for a model": {"for_": "model", "max_copies": 1},
}


def on_ray(folder: Path, workers: int, options: dict[str, Any], after: Callable[..., None] | None = None) -> ClusterRun:
    """The ranking in far.tsv."""
    from cynical.cluster.actors import run_on_ray

    inputs, chosen = told(folder / "wanted", [folder / "pool-1", folder / "pool-2"], **options)
    many_rounds = mock.patch.multiple("cynical.cluster.driver", LEAST=64, LEAST_EACH=16)
    with many_rounds, run_on_ray(inputs, chosen, Progress(), Cluster("ray", None, workers), after) as made:
        made.with_texts().write(str(folder / "far.tsv"), format="tsv", overwrite=True)
        return made


def locally(folder: Path, options: dict[str, Any]) -> bytes:
    """What the command line writes without a cluster; of the same paths, since a column names them."""
    name = "-".join(f"{name}{value}" for name, value in options.items())
    out = folder / f"local-{name}.tsv"
    if not out.exists():
        flags = {f"--{name.strip('_').replace('_', '-')}": value for name, value in options.items()}
        given = [flag if value is True else f"{flag}={value}" for flag, value in flags.items()]
        pool = ["-a", str(folder / "pool-1"), "-a", str(folder / "pool-2")]
        command = [sys.executable, "-m", "cynical", "select", "-q", "-r", str(folder / "wanted"), *pool, *given]
        subprocess.run([*command, "-o", str(out)], check=True)
    return out.read_bytes()


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_ray_writes_the_bytes_of_one_machine(cluster: Any, corpus: Path, workers: int, how: str) -> None:
    made = on_ray(corpus, workers, HOW[how])
    assert (corpus / "far.tsv").read_bytes() == locally(corpus, HOW[how])
    engine = made.jaded.summary["engine"]
    assert (engine["name"], engine["workers"], engine["rebuilt"]) == ("ray", workers, 0)
    assert engine["rounds"] > 3


def test_an_actor_that_is_killed_changes_nothing(cluster: Any, corpus: Path) -> None:
    import ray

    rounds: list[int] = []

    def kill(round: int, hiring: Any) -> None:
        """Two in the first search, which finds where to stop, and one in the second."""
        again = bool(rounds) and round == 1
        rounds.append(round)
        if len(rounds) == 3 or again:
            ray.kill(hiring.actors[0 if len(rounds) == 3 else -1].handle)
        if len(rounds) == 5:
            os.kill(ray.get(hiring.actors[1].handle.pid.remote()), signal.SIGKILL)

    made = on_ray(corpus, 2, HOW["for a model"], kill)
    assert (corpus / "far.tsv").read_bytes() == locally(corpus, HOW["for a model"])
    assert made.jaded.summary["engine"]["rebuilt"] == 3


def test_the_command_keeps_parts_in_a_folder(cluster: Any, corpus: Path, cynical: Run) -> None:
    command = ("select", "-q", "-r", "wanted", *POOL, "--all", "--engine", "ray", "--workers", "2")
    done = cynical(*command, "--address", cluster.address, "-o", "kept/", cwd=corpus)
    assert done.returncode == 0, done.stderr
    parts = sorted((corpus / "kept").iterdir())
    assert [part.name for part in parts] == ["part-00001-of-00002.tsv", "part-00002-of-00002.tsv"]
    rows = [row for part in parts for row in part.read_bytes().splitlines(keepends=True)[1:]]
    ranked = sorted(rows, key=lambda row: int(row.partition(b"\t")[0]))
    local = locally(corpus, HOW["per line"]).replace(str(corpus).encode() + b"/", b"").splitlines(keepends=True)
    assert ranked == local[1:]
    assert parts[0].read_bytes().startswith(local[0])
    summary = json.loads((corpus / "kept.json").read_text())
    assert summary["engine"]["workers"] == 2
    again = cynical(*command, "--address", cluster.address, "-o", "kept/", cwd=corpus)
    assert again.returncode == 2
    assert "has parts of a ranking already" in again.stderr


def test_the_commands_rank_both_sides_count_and_score_there(cluster: Any, corpus: Path, cynical: Run) -> None:
    written(
        corpus,
        "pool.x",
        [f"x {line}" for name in ("pool-1", "pool-2") for line in (corpus / name).read_text().splitlines()],
    )
    rank = ("rank", "-q", "-r", "wanted", *POOL, "--with", "pool.x", "--method", "dsir", "--lines", "500", "-o")
    count = ("count", "-q", "pool-1", "pool-2", "--ngrams", "2", "-o")
    score = ("score", "-q", "-r", "wanted", *POOL, "-o")
    there = ("--engine", "ray", "--workers", "2", "--address", cluster.address)
    for command, suffix in ((rank, ".tsv"), (count, ".counts"), (score, ".scores")):
        for name, where in (("here", ()), ("there", there)):
            done = cynical(*command, name + suffix, *where, cwd=corpus)
            assert done.returncode == 0, done.stderr
        assert (corpus / f"here{suffix}").read_bytes() == (corpus / f"there{suffix}").read_bytes()


def test_what_a_worker_finds_wrong_is_an_error_message(cluster: Any, corpus: Path) -> None:
    bad = corpus / "bad.jsonl"
    bad.write_text('{"text": "a"}\n{"no": "text"}\n')
    with pytest.raises(CynicalError, match=r"bad\.jsonl line 2"):
        package.select(corpus / "wanted", bad, all=True, engine="ray", workers=1)


def test_a_ranking_in_python_can_do_without_the_cluster(cluster: Any, corpus: Path) -> None:
    pool = [corpus / "pool-1", corpus / "pool-2"]
    far = package.select(
        corpus / "wanted", pool, lines=300, engine="ray", workers=2, tokenizer=lambda line: line.split()
    )
    local = package.select(corpus / "wanted", pool, lines=300)
    assert far.texts == local.texts
    assert b"".join(far.to_bytes("jsonl")) == b"".join(local.to_bytes("jsonl"))


def test_a_slice_of_the_pool_is_ranked_as_on_one_machine(cluster: Any, corpora: Path, tmp_path: Path) -> None:
    lines = (corpora / "pool.en.tok").read_bytes().splitlines(keepends=True)[:20000]
    (tmp_path / "pool-1").write_bytes(b"".join(lines[:12000]))
    (tmp_path / "pool-2").write_bytes(b"".join(lines[12000:]))
    (tmp_path / "wanted").write_bytes((corpora / "repr" / "medqa.train.tok").read_bytes())
    options = {"share": 0.3, "per": "word", "ngrams": 2}
    on_ray(tmp_path, 4, options)
    assert (tmp_path / "far.tsv").read_bytes() == locally(tmp_path, options)


def test_an_interrupt_ends_the_cluster_that_was_started_for_the_run_and_no_other(cluster: Any, corpus: Path) -> None:
    ray: Any = pytest.importorskip("ray")
    large = corpus / "large"  # not ranked before the signal comes
    large.write_text("".join(f"w{i % 97} w{i % 101} w{i * i % 7919} w{i % 4001} w{i % 13}\n" for i in range(100_000)))
    command = [sys.executable, "-m", "cynical", "select", "-r", "large", "-a", "large", "--all", "-o", "stopped.tsv"]
    run = subprocess.Popen([*command, "--engine", "ray"], cwd=corpus, stderr=subprocess.PIPE, text=True)
    began = time.monotonic()
    while not any("Keeper" in name for name in children(run.pid).values()):
        assert run.poll() is None and time.monotonic() - began < 60
        time.sleep(0.05)
    started = [pid for pid, name in children(run.pid).items() if "raylet/raylet " in name or "Keeper" in name]
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said.splitlines()[-1]) == (130, "cynical: interrupted")
    while left := [pid for pid in started if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() - began < 90, left
        time.sleep(0.05)
    assert len(started) > 1 and not (corpus / "stopped.tsv").exists()
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2, "the cluster of the tests goes on"


def children(pid: int) -> dict[int, str]:
    """The processes that a process has started, and those that they have, by what they run."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    found, wanted = {}, {pid}
    while more := {int(row[0]): row[-1] for row in rows if int(row[1]) in wanted and int(row[0]) not in found}:
        found.update(more)
        wanted = set(more)
    return found


def test_a_node_that_is_removed_changes_nothing(cluster: Any, corpus: Path) -> None:
    """The last test with this cluster: the node does not come back."""

    def remove(round: int, hiring: Any) -> None:
        if round == 4:
            cluster.remove_node(cluster.second)

    made = on_ray(corpus, 4, HOW["per line"], remove)
    assert (corpus / "far.tsv").read_bytes() == locally(corpus, HOW["per line"])
    assert made.jaded.summary["engine"]["rebuilt"] >= 1
