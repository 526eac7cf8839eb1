"""Pictures of curves."""

from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import orjson
import pytest

import cynical
from cynical.errors import CynicalError
from cynical.evaluation.records import GivenPoint
from cynical.reports import plot
from cynical.reports.evaluations import GivenEvaluation
from cynical.reports.picks import from_jaded
from cynical.reports.plot import draw
from tests.against_oracle import zipfian
from tests.conftest import Run

pytest.importorskip("matplotlib", reason="no matplotlib: pip install 'cynical[plot]'")


@pytest.fixture(scope="module")
def jaded() -> cynical.Jaded:
    return cynical.select(zipfian(40, 20), zipfian(400, 21), all=True)


@pytest.mark.slow
def test_two_rankings_and_an_evaluation_in_one_picture(jaded: cynical.Jaded, cynical: Run, tmp_path: Path) -> None:
    jaded.write(tmp_path / "a.tsv")
    jaded.write(tmp_path / "b.jsonl")
    points = [{"lines": n, "words": 9 * n, "ngram_perplexity": 100 + n} for n in (10, 100, 300)]
    (tmp_path / "e.json").write_bytes(orjson.dumps({"points": points, "best": points[0]}))
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for suffix, begin in begins.items():
        done = cynical(
            "plot",
            "a.tsv",
            "b.jsonl",
            "--label",
            "one",
            "--label",
            "two",
            "--evaluation",
            "e.json",
            "-o",
            f"c.{suffix}",
        )
        assert done.returncode == 0, done.stderr
        assert (tmp_path / f"c.{suffix}").read_bytes().startswith(begin)
    picture = (tmp_path / "c.svg").read_text()
    for text in (f">one (lowest at {jaded.stop:,} lines)<", ">two (", ">words picked<", ">held-out n-gram perplexity<"):
        assert text in picture
    assert ">entropy, bits per word<" in picture
    assert ">where the entropy is lowest<" in picture and ">best cut: the lowest perplexity<" in picture
    assert "notice" not in done.stderr
    assert cynical("plot", "a.tsv", "-o", "c.svg").returncode == 2


def test_rankings_in_memory_and_in_files_are_drawn_alike(jaded: cynical.Jaded, tmp_path: Path) -> None:
    jaded.write(tmp_path / "a.tsv")
    options = plot.PlotOptions(labels=["one", "two"], width=4)
    made = plot.run([jaded, tmp_path / "a.tsv"], "svg", options)
    assert made.notices == [] and b">one (" in made.picture and b">two (" in made.picture
    with pytest.raises(CynicalError, match="2 times for 1 ranking;"):
        plot.run([jaded], "svg", options)


def test_entropies_over_different_vocabularies_have_axes_of_their_own() -> None:
    wanted, pool = zipfian(40, 20), zipfian(60, 21)
    exact = cynical.select(wanted, pool, all=True)
    pairs = cynical.select(wanted, pool, all=True, ngrams=2)
    assert pairs.summary.entropy.before == exact.summary.entropy.before  # of single words, so they can be compared
    classes = cynical.select(wanted, pool, all=True, vocabulary="classes")
    characters = cynical.select(wanted, pool, all=True, tokenizer="characters")
    other = cynical.select(wanted[:30], pool, all=True)
    rankings = [exact, classes, pairs, characters, other]
    names = ["exact", "classes", "pairs", "characters", "other"]
    together = plot.by_vocabulary([from_jaded(one) for one in rankings])
    assert list(together.values()) == [[0, 2], [1], [3], [4]]
    made = plot.run(rankings, "svg", plot.PlotOptions(labels=names))
    assert made.picture.count(b">entropy, bits per word<") == 4
    for title in ("over words of", "over classes of words of", "--tokenizer characters"):
        assert title.encode() in made.picture
    (notice,) = made.notices
    assert "the entropies cannot be compared, so each kind has its own axes (exact, pairs: over words of" in notice
    assert "; classes: over classes of words of" in notice
    assert plot.incomparable([("exact", from_jaded(exact)), ("pairs", from_jaded(pairs))], []) == []


def test_evaluations_of_another_vocabulary_or_order_earn_a_notice(
    jaded: cynical.Jaded, cynical: Run, tmp_path: Path
) -> None:
    jaded.write(tmp_path / "a.tsv")
    points = [{"lines": 10, "words": 90, "ngram_perplexity": 100}]
    for name, vocabulary, order in (("e", 500, 4), ("f", 600, 3)):
        made = {"points": points, "best": points[0], "vocabulary": vocabulary, "order": order}
        (tmp_path / f"{name}.json").write_bytes(orjson.dumps(made))
    both = ["--evaluation", "e.json", "--evaluation", "f.json"]
    done = cynical("plot", "a.tsv", "a.tsv", *both, "-o", "c.svg", "-q")
    assert done.returncode == 0, done.stderr
    told = done.stderr.splitlines()
    assert len(told) == 2
    assert (
        "(500, 600), so their perplexities cannot be compared; evaluate both with the same --vocabulary-size"
    ) in told[0]
    assert "(4, 3)" in told[1]


def test_the_picture_begins_where_all_curves_have_left_their_first_words(jaded: cynical.Jaded) -> None:
    picks = from_jaded(jaded)
    words = np.cumsum(picks.words)
    begin = plot._begin([picks], [])
    assert max(words[0], 1) <= begin <= words[picks.stop - 1]
    assert begin == min(max(plot.HANDFUL, words[0]), words[picks.stop - 1], words[-1] // 10)
    first = GivenPoint(lines=1, words=3, ngram_perplexity=9.0)
    assert plot._begin([picks], [GivenEvaluation(points=[first], best=first)]) == 3


@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_the_same_curve_is_the_same_bytes(jaded: cynical.Jaded, format: str) -> None:
    picks = from_jaded(jaded)
    assert draw([("a", picks)], [], format) == draw([("a", picks)], [], format)


def test_the_dot_is_at_the_stopping_point(jaded: cynical.Jaded) -> None:
    drawn: list[tuple[Any, ...]] = []

    class Axes:
        def plot(self, *given: Any, **_: Any) -> list[None]:
            drawn.append(given)
            return [None]

    picks = from_jaded(jaded)
    plot._entropy(Axes(), "a", picks, "black", 1)  # type: ignore[arg-type]
    assert 1 < picks.stop < len(picks)
    words, bits, mark = drawn[1]
    assert (words, bits, mark) == ([picks.words[: picks.stop].sum()], [picks.entropy[picks.stop - 1]], "o")
    assert drawn[0][1].min() == bits[0]


@pytest.mark.slow
def test_each_ranking_has_its_own_evaluation(
    jaded: cynical.Jaded, cynical: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    own = plot._perplexity

    def noted(axes: Any, name: str, evaluation: GivenEvaluation, *rest: Any) -> Any:
        drawn.append((name, evaluation.points[0].lines))
        return own(axes, name, evaluation, *rest)

    monkeypatch.setattr(plot, "_perplexity", noted)
    points = [[{"lines": n, "words": 9 * n, "ngram_perplexity": 100 + n}] for n in (7, 300)]
    picks = from_jaded(jaded)
    draw([("a", picks), ("b", picks)], [GivenEvaluation.from_dict({"points": one}) for one in points], "svg")
    assert drawn == [("a", 7), ("b", 300)]
    rows = b"".join(jaded.to_bytes()).splitlines(keepends=True)
    for name, lines, own_points in (("short", 10, points[0]), ("long", 400, points[1])):
        (tmp_path / f"{name}.tsv").write_bytes(b"".join(rows[: lines + 1]))
        (tmp_path / f"{name}.json").write_bytes(orjson.dumps({"points": own_points}))
    for first, second, code in (("short", "long", 0), ("long", "short", 2)):
        both = ("--evaluation", f"{first}.json", "--evaluation", f"{second}.json")
        done = cynical("plot", "short.tsv", "long.tsv", *both, "-o", f"{first}.svg")
        assert done.returncode == code, done.stderr
    assert "long.json: an evaluation of 300 lines, but short.tsv has 10" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 on macOS")
def test_labels_are_neither_maths_nor_hidden_nor_markup(jaded: cynical.Jaded, cynical: Run, tmp_path: Path) -> None:
    names = [r"$\frac{$", "_hidden", "a\x01\x1b<&\ufffe", os.fsdecode(b"\xff"), "x" * 300]
    given = [part for name in names for part in ("--label", name)]
    odd = os.fsdecode(b"bad\xff\x02.tsv")
    jaded.write(tmp_path / odd)
    for suffix in ("svg", "png"):
        done = cynical("plot", *[odd] * len(names), *given, "-o", f"c.{suffix}")
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    texts = [node.text or "" for node in ElementTree.parse(tmp_path / "c.svg").iter() if node.tag.endswith("text")]
    shown = [
        r"$\frac{$",
        "_hidden",
        "a\u27e8U+0001\u27e9\u27e8U+001B\u27e9<&\u27e8U+FFFE\u27e9",
        r"\xff",
        "x" * 100 + "\u2026",
    ]
    assert [text.partition(" (lowest")[0] for text in texts if "(lowest" in text] == shown
    assert cynical("plot", odd, "-o", "d.svg").returncode == 0
    assert "bad\\xff\u27e8U+0002\u27e9.tsv (lowest" in (tmp_path / "d.svg").read_text()


def test_a_picture_replaces_no_input(jaded: cynical.Jaded, cynical: Run, tmp_path: Path) -> None:
    for name in ("task.svg", "pool.svg"):
        (tmp_path / name).write_text("a b c\na b\n")
    assert cynical("select", "-r", "task.svg", "-a", "pool.svg", "--all", "-o", "j.tsv").returncode == 0
    for name in ("task.svg", "pool.svg"):
        done = cynical("plot", "j.tsv", "-o", name, "--overwrite")
        assert done.returncode == 2 and f"{name} is one of the inputs" in done.stderr


def test_entropies_that_no_axis_has_room_for_raise_an_error(jaded: cynical.Jaded, cynical: Run, tmp_path: Path) -> None:
    header, *rows = b"".join(jaded.to_bytes()).decode().splitlines()
    for number, says in (
        ("1e308", "rank 1 has the entropy 1e+308"),
        ("nan", "line 2: expected 9 columns with numbers"),
    ):
        cells = rows[0].split("\t")
        changed = "\t".join([*cells[:5], number, *cells[6:]])
        (tmp_path / "j.tsv").write_text("\n".join([header, changed, *rows[1:], ""]))
        done = cynical("plot", "j.tsv", "-o", "c.svg")
        assert done.returncode == 2 and says in done.stderr


def test_mistakes_are_error_messages(jaded: cynical.Jaded, cynical: Run, tmp_path: Path) -> None:
    jaded.write(tmp_path / "a.tsv")
    for arguments, expected in (
        (["a.tsv", "-o", "c.gif"], "use .png, .svg or .pdf"),
        (["a.tsv", "--label", "x", "--label", "y", "-o", "c.png"], "2 times for 1 ranking;"),
        (["a.tsv", "--width", "0", "-o", "c.png"], "between 1 and 50"),
        (["none.tsv", "-o", "c.png"], "no such file"),
    ):
        done = cynical("plot", *arguments)
        assert done.returncode == 2
        assert expected in done.stderr


def test_a_missing_matplotlib_is_an_error_message(jaded: cynical.Jaded, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError
        return found(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CynicalError, match=r"pip install 'cynical\[plot\]'"):
        draw([("a", from_jaded(jaded))], [], "svg")
