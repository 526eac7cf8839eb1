"""AVAILABLE answers the same questions in the same way, whether its lines are here or with workers."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from cynical.cluster.available import open_sharded
from cynical.cluster.worker import make_shard
from cynical.cluster.workers import Here
from cynical.model.entropy import make_state
from cynical.progress import Progress
from cynical.selection.available import Available, open_local
from cynical.selection.prepare import Prepared, prepare
from cynical.text.partition import Share
from tests.against_oracle import zipfian
from tests.cluster.test_cluster import told, written


def hire(share: Share, plan: bytes, again: bool) -> Here:
    return Here(make_shard(share, plan))


@pytest.fixture(params=[1, 2, 5])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Prepared[Available], Prepared[Available]]:
    """The same files, read here and by workers; one is empty, one has a line that is not UTF-8."""
    wanted = written(tmp_path, "wanted", zipfian(100, 1))
    pool = [written(tmp_path, f"pool-{number}", zipfian(200 * number, number)) for number in range(4)]
    with pool[2].open("ab") as file:
        file.write(b"\nw1 \xff w2\r\nno newline at the end")
    excluded = str(written(tmp_path, "excluded", zipfian(200, 1)[:50]))
    options = {"exclude": excluded, "min_length": 2, "max_length": 30, "vocabulary": "classes", "ngrams": 2}
    options["exclude_ngrams"] = 4
    inputs, settings = told(wanted, pool, **options)
    sharded = partial(open_sharded, settings=settings, workers=request.param, hire=hire)
    return prepare(inputs, settings, Progress(), open_local), prepare(inputs, settings, Progress(), sharded)


def test_what_was_read_is_the_same(both: tuple[Prepared[Available], Prepared[Available]]) -> None:
    here, far = (prepared.available for prepared in both)
    for field in fields(here.contents):
        assert np.array_equal(getattr(here.contents, field.name), getattr(far.contents, field.name)), field.name
    assert here.contents.broken == 1 and here.contents.first_broken.endswith("pool-2 line 402")
    assert here.skipped == far.skipped and here.skipped["excluded"] > 0
    assert here.skipped["contaminated"] > 0
    assert here.corpus.name == far.corpus.name
    assert here.corpus.files == far.corpus.files
    assert (both[0].classes, both[0].facts.available) == (both[1].classes, both[1].facts.available)


def test_lines_are_in_the_same_places(both: tuple[Prepared[Available], Prepared[Available]]) -> None:
    here, far = (prepared.available.places[0] for prepared in both)
    assert len(here) == len(far) and here.lines_by_file() == far.lines_by_file()
    lines = np.random.default_rng(0).permutation(len(here))[:300]
    for ours, theirs in ((here.in_files(lines), far.in_files(lines)), (here.spans(lines), far.spans(lines))):
        assert np.array_equal(ours, theirs)
    assert here.texts(lines) == far.texts(lines)


def test_picks_of_an_earlier_run_are_replayed_alike(both: tuple[Prepared[Available], Prepared[Available]]) -> None:
    paths = []
    for prepared in both:
        target = prepared.target
        state = make_state(target, np.zeros(len(target.turn), np.int64), [0] * target.ngrams, 0.01)
        lines = np.array([700, 3, 420, 421, 8])
        begun = prepared.available.replay(state, lines, np.zeros(5, np.int64))
        paths.append([column.tolist() for column in begun.path])
    assert paths[0] == paths[1]
