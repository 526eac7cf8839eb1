"""Earlier rankings as SEED: what was picked counts, and is not picked again."""

from __future__ import annotations

import mmap
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.jaded import columns
from cynical.options import Reading
from cynical.selection.seed import open_seed
from cynical.text.folding import unfold_bytes
from tests.against_oracle import zipfian
from tests.conftest import Run

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)


def write(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return str(folder / name)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"per": "word", "ngrams": 2},
        {"max_copies": 1, "min_length": 3},
        {"strategy": "word"},
        {"vocabulary": "classes", "ngrams": 3},
    ],
)
@pytest.mark.parametrize("how", ["number", "words", "object", "moved"])
def test_some_and_then_some_more_are_what_all_at_once_would_have_been(
    tmp_path: Path, options: dict[str, Any], how: str
) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    whole = cynical.select(task, pool, lines=400, **options)
    first = cynical.select(task, pool, lines=150, **options)
    first.write(tmp_path / "first.tsv")
    if how == "words":
        (tmp_path / "first.tsv.json").unlink()
    if how == "moved":
        pool = str(Path(pool).rename(tmp_path / "moved.txt"))
    seed: Any = first if how == "object" else tmp_path / "first.tsv"
    second = cynical.select(task, pool, lines=100, seed=seed, **options)
    assert second.lines.tolist() == whole.lines[150:250].tolist()
    assert second.delta.tolist() == whole.delta[150:250].tolist()
    assert second.entropy == pytest.approx(whole.entropy[150:250], abs=1e-9)
    by = "words" if how in ("words", "moved") else "number"
    assert [one["by"] for one in second.summary["seed"]["rankings"]] == [by]
    assert second.summary["skipped"]["in_seed"] == 150
    second.write(tmp_path / "second.tsv")
    third = (
        cynical.select(task, pool, lines=150, seed=[tmp_path / "first.tsv", tmp_path / "second.tsv"], **options)
        if how != "object"
        else None
    )
    if third is not None:
        assert third.lines.tolist() == whole.lines[250:].tolist()


def test_a_pool_that_has_changed_is_not_gone_by_number(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    cynical.select(task, pool, lines=50).write(tmp_path / "first.tsv")
    write(tmp_path, "pool.txt", POOL[::-1])  # the same size
    more = cynical.select(task, pool, lines=50, seed=tmp_path / "first.tsv")
    assert [one.to_dict() for one in more.summary["seed"]["rankings"]] == [
        {"name": str(tmp_path / "first.tsv"), "lines": 50, "by": "words", "found": 50}
    ]
    assert any("by their words" in notice for notice in more.summary["notices"])
    left, first = Counter(POOL), (tmp_path / "first.tsv").read_text().splitlines()[1:]
    left.subtract(row.split("\t")[8] for row in first)
    assert all(left[text] > 0 for text in more.texts)


def test_a_seed_of_text_and_a_ranking_together_is_both(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    first = cynical.select(task, pool, lines=50)
    first.write(tmp_path / "first.tsv")
    have = Path(write(tmp_path, "have.txt", zipfian(20, 9)))
    both = cynical.select(task, pool, lines=1, seed=[have, tmp_path / "first.tsv"])
    alone = cynical.select(task, pool, lines=1, seed=[*zipfian(20, 9), *first.texts])
    assert both.entropy_before == alone.entropy_before
    assert both.summary["skipped"]["in_seed"] == 50


@pytest.mark.slow
def test_continuing_a_ranking_from_the_command_line(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path, "task.txt", WANTED)
    write(tmp_path, "pool.txt", POOL)
    select = ("select", "-r", "task.txt", "-a", "pool.txt", "--ngrams", "2", "--per", "word")
    assert cynical(*select, "--lines", "100", "-o", "1.tsv").returncode == 0
    done = cynical(*select, "--lines", "100", "-s", "1.tsv", "-o", "2.tsv")
    assert done.returncode == 0
    assert "1.tsv: 100 lines excluded by line number" in done.stderr
    assert cynical(*select, "--lines", "200", "-o", "12.tsv").returncode == 0
    picks = [
        [row.split("\t")[1:] for row in (tmp_path / name).read_text().splitlines()[1:]]
        for name in ("1.tsv", "2.tsv", "12.tsv")
    ]
    assert [row[0] for row in picks[0] + picks[1]] == [row[0] for row in picks[2]]
    assert [row[-1] for row in picks[0] + picks[1]] == [row[-1] for row in picks[2]]


EN, DE = POOL[:200], [f"d{number} {line.upper()}" for number, line in enumerate(POOL[:200])]


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    write(tmp_path, "task.en", WANTED)
    write(tmp_path, "task.de", [line.upper() for line in WANTED])
    write(tmp_path, "pool.en", EN)
    write(tmp_path, "pool.de", DE)
    return tmp_path


def test_both_sides_of_a_ranking_continue(parallel: Path) -> None:
    def both(lines: int, seed: Path | None = None) -> cynical.Jaded:
        texts = (parallel / "task.en", parallel / "pool.en")
        others = {"with_": parallel / "pool.de", "representative_with": parallel / "task.de"}
        return cynical.select(*texts, **others, lines=lines, seed=seed, ngrams=2)  # type: ignore[arg-type]

    whole, first = both(60), both(20)
    first.write(parallel / "first.tsv")
    more = both(40, parallel / "first.tsv")
    assert more.lines.tolist() == whole.lines[20:].tolist()
    assert more.delta.tolist() == whole.delta[20:].tolist()
    (parallel / "first.tsv.json").unlink()
    assert both(40, parallel / "first.tsv").lines.tolist() == whole.lines[20:].tolist()
    with pytest.raises(cynical.CynicalError, match="give seed_with"):
        both(5, parallel / "pool.en")


def test_continuing_from_nothing_is_a_beginning(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    empty = cynical.select(task, pool, words=1, min_length=4)
    empty.write(tmp_path / "empty.tsv")
    assert len(empty) == 0
    plain = cynical.select(task, pool, lines=20)
    for seed in (tmp_path / "empty.tsv", empty, [empty, empty]):
        assert cynical.select(task, pool, lines=20, seed=seed).lines.tolist() == plain.lines.tolist()


def test_rankings_continue_with_counts_and_with_texts_of_both_sides(parallel: Path) -> None:
    have = [zipfian(20, 9), [line.upper() for line in zipfian(20, 9)]]
    counts = cynical.count(have[0])
    whole = cynical.select(WANTED, EN, lines=40, seed=counts)
    first = cynical.select(WANTED, EN, lines=15, seed=counts)
    second = cynical.select(WANTED, EN, lines=10, seed=[counts, first])
    third = cynical.select(WANTED, EN, lines=15, seed=[counts, first, second])
    assert second.lines.tolist() + third.lines.tolist() == whole.lines[15:].tolist()
    texts = [Path(write(parallel, f"have.{side}", lines)) for side, lines in zip(("en", "de"), have, strict=True)]
    both: dict[str, Any] = {"with_": {"de": DE}, "representative_with": {"de": [line.upper() for line in WANTED]}}
    whole = cynical.select(WANTED, EN, lines=40, seed=texts[0], seed_with=texts[1], **both)
    first = cynical.select(WANTED, EN, lines=15, seed=texts[0], seed_with=texts[1], **both)
    first.write(parallel / "first.tsv")
    more = cynical.select(WANTED, EN, lines=25, seed=[texts[0], parallel / "first.tsv"], seed_with=texts[1], **both)
    assert more.lines.tolist() == whole.lines[15:].tolist()


def test_a_ranking_with_a_byte_order_mark_or_without_scores_is_known(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    first = cynical.select(task, pool, lines=50)
    first.write(tmp_path / "first.tsv")
    marked = tmp_path / "marked.tsv"
    marked.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "first.tsv").read_bytes())
    assert cynical.select(task, pool, lines=5, seed=marked).summary["skipped"]["in_seed"] == 50
    cynical.select(task, pool, lines=5, seed=tmp_path / "first.tsv").write(tmp_path / "second.tsv")
    notices = cynical.select(task, pool, lines=5, seed=tmp_path / "second.tsv").summary["notices"]
    assert any("second.tsv was made after" in notice for notice in notices)


def picked_again(jaded: cynical.Jaded) -> list[str]:
    return [notice for notice in jaded.summary["notices"] if "word for word" in notice]


@pytest.mark.parametrize("summary", [True, False])
def test_picks_that_a_text_in_seed_has_already_are_counted_in_a_notice(tmp_path: Path, summary: bool) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    whole = cynical.select(task, pool, lines=60)
    bought, text = cynical.cut(whole, lines=20), tmp_path / "first.txt"
    bought.write(text)
    if not summary:
        (tmp_path / "first.txt.json").unlink()
    again = cynical.select(task, pool, lines=200, seed=text)
    number = sum(line in set(bought.texts) for line in again.texts)
    assert number > 1
    (notice,) = picked_again(again)
    assert notice.startswith(f"{number} picked lines are in {text} already")
    assert f"give --exclude {text} too" in notice
    assert not picked_again(cynical.select(task, pool, lines=5, seed=zipfian(20, 9)))


def test_what_the_notice_about_lines_picked_again_suggests_helps(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    whole = cynical.select(task, pool, lines=60, max_copies=1)
    bought = cynical.cut(whole, lines=20)
    bought.write(tmp_path / "first.txt")
    bought.write(tmp_path / "first.tsv")
    text, table = tmp_path / "first.txt", tmp_path / "first.tsv"
    for seed, exclude in ((text, text), (table, None)):
        more = cynical.select(task, pool, lines=40, max_copies=1, seed=seed, exclude=exclude)
        assert more.lines.tolist() == whole.lines[20:].tolist()  # also those that were ranked and not bought
        assert not picked_again(more)


def test_a_damaged_ranking_as_seed_is_an_error_message(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    cynical.select(task, pool, lines=5).write(tmp_path / "first.tsv")
    rows = (tmp_path / "first.tsv").read_text().splitlines()
    for number in ("9" * 19, "9" * 40, "0", "x"):
        damaged = "\t".join([*rows[1].split("\t")[:1], number, *rows[1].split("\t")[2:]])
        (tmp_path / "damaged.tsv").write_text("\n".join([rows[0], damaged, *rows[2:], ""]))
        with pytest.raises(cynical.CynicalError, match=r"damaged.tsv line 2: .* damaged: make it again"):
            cynical.select(task, pool, lines=5, seed=tmp_path / "damaged.tsv")


def test_the_texts_of_an_earlier_ranking_are_in_scratch_not_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "BATCH", 3)
    texts = [f"a cat {one}\nsat\x0b\x0c\r" if one % 4 == 0 else f"a cat {one}" for one in range(20)]
    jaded = cynical.select(["a cat sat"], texts, all=True)
    jaded.write(tmp_path / "earlier.tsv")
    for given in (jaded, tmp_path / "earlier.tsv"):
        seed = open_seed([given], [], Reading())
        part = seed.earlier[0].sides[0].parts[0]
        assert isinstance(part.raw, mmap.mmap)
        found = [unfold_bytes(line).decode() for line in part.raw[:].split(b"\n")]
        assert found == [*(texts[line] for line in jaded.lines), ""]


def test_a_seed_without_words_has_a_notice() -> None:
    """Somebody whose export failed would pay for the same lines again."""
    for seed, is_said in (([""], True), (["a"], False)):
        with warnings.catch_warnings(record=True, action="always") as caught:
            cynical.select(["a b"], ["a b c", "b"], seed=seed, lines=1)
        assert any("has no words, so nothing counts as selected" in str(one.message) for one in caught) == is_said
