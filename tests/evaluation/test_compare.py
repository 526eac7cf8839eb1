"""Methods side by side."""

from __future__ import annotations

import json
import math
import re
import statistics
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical import CynicalError
from cynical.evaluation import compare
from cynical.evaluation.methods import ORDER, rank_by
from cynical.evaluation.records import DECIDING
from cynical.evaluation.subsamples import Subsamples
from tests import oracle
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_evaluate import quietly, write

TASK, POOL, TEST = zipfian(80, 11, words=60), zipfian(500, 12), zipfian(40, 13, words=70)
SHARES = [0.05, 0.3]


def compared(*given: Any, **options: Any) -> cynical.Comparison:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.compare(*given, **options)


def ranked(*given: Any, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.rank(*given, **options)


def test_a_comparison_is_each_ranking_evaluated_at_each_budget() -> None:
    made = compared(TASK, POOL, TEST, shares=SHARES, order=3)
    assert [method.name for method in made.methods] == [
        name for name in ORDER if name not in ("bilingual-moore-lewis", "cynical-per-word", "cynical-batch")
    ]
    words = sum(len(line.split()) for line in POOL)
    size = len({word for line in POOL for word in line.split()}) + 2
    alone = {
        "cynical": cynical.select(TASK, POOL, share=0.3),
        "cynical-2-grams": cynical.select(TASK, POOL, share=0.3, per="word", ngrams=2),
        "cynical-for-model": cynical.select(TASK, POOL, share=0.3, for_="model"),
        "classifier": ranked(TASK, POOL, share=0.3, method="classifier"),
        "dsir": ranked(TASK, POOL, share=0.3, method="dsir"),
        "moore-lewis": ranked(TASK, POOL, share=0.3, method="moore-lewis"),
    }
    for method in made.methods:
        assert [share for share, _ in method.points] == SHARES
        assert all(point.words <= share * words for share, point in method.points)
        if method.name in alone:
            budgets = [math.floor(share * words) for share in SHARES]
            judged = quietly(
                alone[method.name].texts, TEST, at=budgets, order=3, vocabulary_size=size, representative=TASK
            )
            assert [point for _, point in method.points] == judged.points


def test_a_tenth_is_held_out_where_no_text_is_given() -> None:
    with pytest.warns(cynical.CynicalWarning, match="every tenth line of 80 strings was held out"):
        made = cynical.compare(TASK, POOL, shares=[0.1], methods=["cynical"])
    rest = [line for number, line in enumerate(TASK, 1) if number % 10]
    assert (
        made.methods[0].points == compared(rest, POOL, TASK[9::10], shares=[0.1], methods=["cynical"]).methods[0].points
    )


def test_lists_of_other_tools_are_judged_by_the_same_measure() -> None:
    texts = ranked(TASK, POOL, method="dsir").texts
    made = compared(TASK, POOL, TEST, shares=SHARES, methods=["dsir"], lists=[texts])
    assert made.methods[1].points == made.methods[0].points


def test_a_list_may_be_a_ranking_or_line_numbers(tmp_path: Path) -> None:
    pool, jaded = write(tmp_path / "pool.txt", POOL), ranked(TASK, POOL, method="dsir")
    jaded.write(tmp_path / "dsir.tsv")
    jaded.write(tmp_path / "dsir.ids")
    lists = [tmp_path / "dsir.tsv", tmp_path / "dsir.ids"]
    made = compared(TASK, pool, TEST, shares=SHARES, methods=["dsir"], lists=lists)
    assert made.methods[0].points == made.methods[1].points == made.methods[2].points


def test_what_is_excluded_is_excluded_from_lists_too_and_nobody_says_otherwise() -> None:
    test = [*TEST, *[line for line in POOL[:30] if line]]
    with warnings.catch_warnings(record=True, action="always") as caught:
        pool = [line for line in POOL if line]
        made = cynical.compare(TASK, POOL, test, shares=[1], methods=["in-order"], lists=[pool], exclude=test)
    said = [str(one.message) for one in caught]
    assert not any("not strictly held out" in one for one in said)
    assert any("lines were excluded because of exclude" in one for one in said)
    assert made.methods[0].points == made.methods[1].points
    with pytest.warns(cynical.CynicalWarning, match="500 strings, so the text is not strictly held out"):
        cynical.compare(TASK, POOL, test, shares=[1], methods=["in-order"])


def test_the_tenth_that_is_held_out_is_never_picked() -> None:
    pool = [*POOL, *TASK]
    made = compared(TASK, pool, shares=[1], methods=["in-order"])
    held = {line for line in TASK[9::10] if line}
    words = sum(len(line.split()) for line in pool if line not in held)
    assert made.methods[0].points[0][1].words == words


def test_a_budget_without_room_for_a_line_gives_a_model_of_nothing() -> None:
    made = compared(["a b"], ["a b c d e f", "b c a a a a a"], ["a c"], shares=[0.1], methods=["in-order"])
    ((_, point),) = made.methods[0].points
    assert point.lines == 0 and point.oov_tokens == 1 and point.ngram_perplexity_known is None
    assert point.ngram_perplexity == pytest.approx(made.vocabulary)


def test_what_may_be_chosen_and_how_lots_fall_is_the_same_for_all() -> None:
    options: dict[str, Any] = {"max_length": 9, "min_length": 2, "max_copies": 1, "exclude": TEST}
    words = sum(len(line.split()) for line in POOL)
    size = len({word for line in POOL for word in line.split()}) + 2
    made = compared(TASK, POOL, TEST, shares=[0.2], methods=["random", "cynical"], random_seed=7, **options)
    alone = [ranked(TASK, POOL, method="random", random_seed=7, share=0.2, **options)]
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        alone.append(cynical.select(TASK, POOL, share=0.2, **options))
    for method, jaded in zip(made.methods, alone, strict=True):
        judged = quietly(jaded.texts, TEST, at=[words // 5], vocabulary_size=size, representative=TASK)
        assert method.points[0][1] == judged.points[-1]
    assert [method.name for method in compared(TASK, POOL, TEST, methods=["dsir", "dsir"]).methods] == ["dsir"]


def test_a_method_that_picked_nothing_wins_nothing(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path / "task.txt", ["a b c"])
    write(tmp_path / "pool.txt", ["a b c d e f g h", "b", "c a a a a a a a"])
    write(tmp_path / "test.txt", ["a b"])
    done = cynical(
        "compare", "-r", "task.txt", "-a", "pool.txt", "-t", "test.txt", "--shares", "0.1", "--latex", "t.tex"
    )
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if "in-order" in line)
    assert row.split()[1:] == ["-", "-", "-", "-", "-", row.split()[-1]]
    assert "10 % of 17 words is too small for the first line of some methods" in done.stderr
    assert "in-order" not in done.stdout.partition("predicts the held-out text best")[2]
    assert "in-order & -- & -- & -- & -- \\\\" in (tmp_path / "t.tex").read_text()


def test_figures_have_intervals_and_the_kl_reduction_is_that_of_the_picks() -> None:
    pool, task = [line for line in POOL if line], [line for line in TASK if line]
    made = compared(task, pool, TEST, shares=SHARES, methods=["cynical-2-grams", "dsir", "in-order"], order=2)
    again = compared(task, pool, TEST, shares=SHARES, methods=["cynical-2-grams", "dsir", "in-order"], order=2, jobs=2)
    assert [method.measured for method in made.methods] == [method.measured for method in again.methods]
    for share in range(len(SHARES)):
        points = [method.measured[share] for method in made.methods]
        for name in DECIDING:
            least = min(getattr(point, name) for point in points)
            for point in points:
                assert point.intervals is not None
                sure, value = getattr(point.intervals, name), getattr(point, name)
                assert sure.low <= value <= sure.high
                assert (sure.above is None) <= (value == least) and sure.leads >= (value == least)
    in_order = made.methods[2].measured[0]
    picks = [line.encode() for line in pool[: in_order.lines]]
    reduction = oracle.kl_reduction([[line.encode() for line in task]], [line.encode() for line in pool], picks)
    assert in_order.kl_reduction == pytest.approx(reduction)


def test_several_seeds_are_averaged_and_what_has_none_is_ranked_once() -> None:
    options: dict[str, Any] = {"shares": SHARES, "methods": ["random", "cynical"], "order": 2}
    made = compared(TASK, POOL, TEST, random_seed=4, seeds=3, **options)
    alone = [compared(TASK, POOL, TEST, random_seed=seed, **options).methods[0] for seed in (4, 5, 6)]
    drawn, ours = made.methods
    assert (drawn.seeds, ours.seeds) == ([4, 5, 6], [])
    for place, point in enumerate(drawn.measured):
        each = [one.measured[place] for one in alone]
        perplexities = [one.ngram_perplexity for one in each]
        assert point.by_seed == perplexities
        assert point.ngram_perplexity == pytest.approx(statistics.geometric_mean(perplexities))
        assert point.oov_tokens == pytest.approx(statistics.mean(one.oov_tokens for one in each))
        assert point.words == round(statistics.mean(one.words for one in each))
        assert point.spread == pytest.approx(statistics.stdev(perplexities))
        assert each[0].spread is None and each[0].by_seed == [] == ours.measured[place].by_seed


def test_with_subsamples_every_method_ranks_for_the_part_that_a_seed_chooses() -> None:
    options: dict[str, Any] = {"shares": SHARES, "methods": ["random", "cynical", "moore-lewis"], "order": 2}
    made = compared(TASK, POOL, TEST, random_seed=4, seeds=2, subsample=0.7, **options)
    assert made.subsample == 0.7 and [method.seeds for method in made.methods] == [[4, 5]] * 3
    parts = [subsamples_of(len(TASK), 0.7, seed) for seed in (4, 5)]
    assert all(len(part) == 56 == len(set(part)) and part == sorted(part) for part in parts) and parts[0] != parts[1]
    alone = [
        compared([TASK[i] for i in part], POOL, TEST, random_seed=seed, **options)
        for seed, part in zip((4, 5), parts, strict=True)
    ]
    for place, method in enumerate(made.methods):
        for budget, point in enumerate(method.measured):
            each = [one.methods[place].measured[budget] for one in alone]
            assert point.by_seed == [one.ngram_perplexity for one in each]
            assert point.oov_tokens == pytest.approx(statistics.mean(one.oov_tokens for one in each))
            assert point.intervals is not None
    ours = made.methods[1].measured[0]
    assert ours.by_seed[0] != ours.by_seed[1] and ours.spread is not None


def test_a_subsample_of_parallel_text_has_the_same_lines_of_both_sides() -> None:
    options: dict[str, Any] = {"shares": [0.3], "methods": ["cynical"], "order": 2, "with_": marked(POOL)}
    made = compared(TASK, POOL, TEST, subsample=0.5, representative_with=marked(TASK), **options)
    part = [TASK[i] for i in subsamples_of(len(TASK), 0.5, 0)]
    alone = compared(part, POOL, TEST, representative_with=marked(part), **options)
    ours, same = made.methods[0].measured[0], alone.methods[0].measured[0]
    assert (ours.lines, ours.ngram_perplexity, ours.oov_tokens) == (same.lines, same.ngram_perplexity, same.oov_tokens)
    assert made.methods[0].seeds == [0] and ours.spread is None


def test_all_targets_are_subsampled_and_nothing_that_is_held_out_is_in_a_subsample() -> None:
    options: dict[str, Any] = {"shares": [0.3], "methods": ["cynical"], "order": 2}
    other = zipfian(50, 14, words=60)
    made = compared([TASK, other], POOL, TEST, subsample=0.6, seeds=2, **options)
    for seed in (0, 1):
        parts = [[text[i] for i in subsamples_of(len(text), 0.6, seed)] for text in (TASK, other)]
        alone = compared(parts, POOL, TEST, **options).methods[0].measured[0]
        assert made.methods[0].measured[0].by_seed[seed] == alone.ngram_perplexity
    tenth, rest = TASK[9::10], [line for i, line in enumerate(TASK) if i % 10 != 9]
    made = compared(TASK, POOL, subsample=0.6, **options)
    part = [rest[i] for i in subsamples_of(len(rest), 0.6, 0)]
    alone = compared(part, POOL, tenth, exclude=tenth, **options).methods[0].measured[0]
    assert made.methods[0].measured[0].ngram_perplexity == alone.ngram_perplexity


def test_a_subsample_of_records_is_that_of_their_texts(tmp_path: Path) -> None:
    records = [json.dumps({"body": line}) for line in TASK]
    write(tmp_path / "task.jsonl", records)
    write(tmp_path / "bad.jsonl", [*records, "{}"])
    options: dict[str, Any] = {"shares": [0.3], "methods": ["cynical"], "order": 2, "text_key": "body"}
    for more in ({"subsample": 0.6, "seeds": 2}, {}):
        held_out = (TEST,) if more else ()
        plain = compared(TASK, POOL, *held_out, **more, **{**options, "text_key": None})
        made = compared(tmp_path / "task.jsonl", POOL, *held_out, **more, **options)
        assert made.methods[0].measured == plain.methods[0].measured
        made = compared(tmp_path / "bad.jsonl", POOL, *held_out, **more, **options, bad_records="skip")
        assert any("skipped 1 bad record of REPRESENTATIVE" in notice for notice in made.notices)
    with pytest.raises(CynicalError, match="all inputs are plain text"):
        compared(TASK, POOL, TEST, subsample=0.6, **options)


@pytest.mark.parametrize("longer", [[*TASK, "x"], TASK[:-9]])
def test_the_sides_of_a_subsample_have_the_same_lines(longer: list[str]) -> None:
    options: dict[str, Any] = {"methods": ["cynical"], "with_": POOL, "representative_with": longer}
    for held_out in ((), (TEST,)):
        with pytest.raises(CynicalError, match=r"80 lines, but .* has \d+; the sides of a parallel text must match"):
            compared(TASK, POOL, *held_out, subsample=0.5, seeds=2, **options)


def test_a_subsample_that_leaves_nothing_out_is_an_error() -> None:
    with pytest.raises(CynicalError, match=r"subsample=0\.8 leaves out none of 2 lines"):
        compared(TASK[:2], POOL, TEST, subsample=0.8, methods=["cynical"])


def test_a_test_that_is_representative_itself_has_a_notice() -> None:
    options: dict[str, Any] = {"shares": [0.3], "methods": ["cynical"], "order": 2}
    said = "of the 73 lines of .* are in REPRESENTATIVE, so the figures say little about other text"
    for held_out, is_said in ((TASK, True), ([*TASK[:30], *(f"{line} x" for line in TASK[30:])], False)):
        made = compared(TASK, POOL, held_out, exclude=held_out, **options)
        assert any(re.search(said, notice) for notice in made.notices) == is_said
    assert not any(re.search("are in REPRESENTATIVE", notice) for notice in compared(TASK, POOL, **options).notices)


@pytest.mark.parametrize(("seeds", "subsample", "is_said"), [(2, 1.0, False), (2, 0.5, True), (5, 0.5, False)])
def test_a_few_seeds_have_a_notice(seeds: int, subsample: float, is_said: bool) -> None:
    options: dict[str, Any] = {"shares": [0.3], "methods": ["cynical"], "order": 2}
    made = compared(TASK, POOL, TEST, seeds=seeds, subsample=subsample, **options)
    assert any(f"how little {seeds} seeds say" in notice for notice in made.notices) == is_said
    for method in made.methods:
        for point in method.measured:
            assert point.intervals is not None and point.intervals.oov_tokens.low >= 0
            assert point.intervals.oov_tokens.high <= 1 and point.intervals.ngram_perplexity.low >= 1


def test_seconds_to_rank_are_without_those_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_to_compile(*given: Any) -> cynical.Jaded:
        given[-1].seconds["compile"] = 1000.0
        return rank_by(*given)

    monkeypatch.setattr(compare, "rank_by", slow_to_compile)
    made = compared(TASK, POOL, TEST, shares=[0.3], methods=["in-order"], order=2)
    assert made.methods[0].seconds < -500  # it took less than 500 seconds in all


def test_one_line_is_left_of_a_small_subsample() -> None:
    assert subsamples_of(3, 0.01, 0) == subsamples_of(3, 0.3, 0) and len(subsamples_of(3, 0.01, 0)) == 1


def test_tables_say_which_part_each_seed_ranks_for(cynical: Run, tmp_path: Path) -> None:
    for name, lines in {"task.txt": TASK, "pool.txt": POOL, "test.txt": TEST}.items():
        write(tmp_path / name, lines)
    corpora = ["-r", "task.txt", "-a", "pool.txt", "-t", "test.txt", "--shares", "0.3", "--methods", "cynical,random"]
    done = cynical("compare", *corpora, "--subsample", "90%", "--seeds", "2", "--latex", "t.tex")
    assert done.returncode == 0, done.stderr
    assert "\nranked for 90 % of REPRESENTATIVE, another part with each seed\n" in done.stdout
    assert "samples of the held-out lines and of the seeds\n" in done.stdout
    assert "over 2 seeds. Ranked for 90\\,\\% of the representative text." in (tmp_path / "t.tex").read_text()
    done = cynical("compare", *corpora, "--subsample", "0.9")
    assert "notice: --subsample 0.9 with one seed: the intervals do not include" in done.stderr
    assert "\nranked for 90 % of REPRESENTATIVE\n" in done.stdout


def subsamples_of(lines: int, share: float, seed: int) -> list[int]:
    return [int(line) for line in Subsamples([], share).lines(lines, seed)]


def test_both_sides_share_the_budget(tmp_path: Path) -> None:
    other, other_task = ([" ".join(f"x{word}" for word in line.split()) for line in text] for text in (POOL, TASK))
    options: dict[str, Any] = {"with_": other, "representative_with": other_task}
    made = compared(TASK, POOL, TEST, shares=[0.1], **options)
    assert [method.name for method in made.methods][3] == "bilingual-moore-lewis"
    words = sum(len(line.split()) for line in POOL)
    assert all(0.08 * words < method.points[0][1].words <= 0.1 * words for method in made.methods)


def marked(lines: Sequence[str], more: str = "x") -> list[str]:
    """The same lines in another language."""
    return [" ".join(f"{more}{word}" for word in line.split()) for line in lines]


def test_another_side_is_judged_on_a_text_of_its_language(tmp_path: Path) -> None:
    names = {"task.en": TASK, "task.de": marked(TASK), "pool.en": POOL, "pool.de": marked(POOL)}
    for name, lines in names.items():
        write(tmp_path / name, lines)
    jaded = cynical.select(tmp_path / "task.en", tmp_path / "pool.en", share=0.3, with_=tmp_path / "pool.de")
    jaded.write(tmp_path / "jaded.tsv")
    jaded.write(tmp_path / "jaded.ids")
    corpora = (tmp_path / "task.en", tmp_path / "pool.en")
    options: dict[str, Any] = {"shares": [0.1, 0.3], "methods": ["cynical", "in-order"], "order": 2}
    options |= {"with_": tmp_path / "pool.de", "lists": [tmp_path / "jaded.tsv", tmp_path / "jaded.ids"]}
    first = compared(*corpora, TEST, **options)
    second = compared(*corpora, marked(TEST), side="de", **options)
    assert (first.side, second.side) == (None, "de")
    for a, b in zip(first.methods, second.methods, strict=True):
        for one, other in zip(a.measured, b.measured, strict=True):
            assert other.representative_coverage is None is other.kl_reduction  # REPRESENTATIVE has no such side
            same = other.replaced(representative_coverage=one.representative_coverage, kl_reduction=one.kl_reduction)
            assert same == one
    both = compared(*corpora, TEST, held_out_with=marked(TEST), **options)
    for made in (first, second, both):
        assert made.methods[0].points == made.methods[2].points == made.methods[3].points


def test_what_is_excluded_on_the_first_side_is_gone_from_the_other() -> None:
    test, pool = [line for line in POOL[:9] if line], [line for line in POOL if line]
    options: dict[str, Any] = {"side": "de", "methods": ["in-order"], "shares": [0.1]}
    with warnings.catch_warnings(record=True, action="always") as caught:
        cynical.compare(TASK, pool, marked(test), with_={"de": marked(pool)}, exclude=test, **options)
    assert not any("not strictly held out" in str(one.message) for one in caught)
    with pytest.warns(
        cynical.CynicalWarning, match="not strictly held out; exclude compares the side of available only"
    ):
        cynical.compare(TASK, pool, marked(test), with_={"de": marked(pool)}, **options)


def test_both_sides_are_judged_as_one_text() -> None:
    """Of two sides that say the same, each figure is that of one."""
    options: dict[str, Any] = {"shares": [0.1, 0.3], "methods": ["cynical", "dsir"], "order": 2}
    options |= {"with_": {"de": marked(POOL)}, "representative_with": marked(TASK)}
    one = compared(TASK, POOL, TEST, **options)
    both = compared(TASK, POOL, TEST, held_out_with=marked(TEST), **options)
    assert both.side == "both"
    assert both.held_out.words == 2 * one.held_out.words and both.held_out.lines == one.held_out.lines
    sizes = {"words", "mean_length", "intervals", "share", "by_seed", "spread", "kl_reduction"}
    for a, b in zip(one.methods, both.methods, strict=True):
        for x, y in zip(a.measured, b.measured, strict=True):
            assert y.words == 2 * x.words and y.kl_reduction == pytest.approx(
                x.kl_reduction, abs=0.2
            )  # other collisions
            for name in set(x.keys()) - sizes:
                assert getattr(y, name) == pytest.approx(getattr(x, name)), name
            assert x.intervals is not None and y.intervals is not None
            assert y.intervals.entropy.low == pytest.approx(x.intervals.entropy.low)
    tests = TEST, marked(zipfian(40, 14, words=90))
    mixed = compared(TASK, POOL, tests[0], held_out_with=tests[1], **options)
    each = [one, compared(TASK, POOL, tests[1], side="de", **options)]
    words = [made.held_out.words for made in each]
    ends = [sum(bool(line) for line in test) for test in tests]
    for point, *sides in zip(*(made.methods[0].measured for made in (mixed, *each)), strict=True):
        total = sum(side.entropy * number for side, number in zip(sides, words, strict=True))
        assert point.entropy == pytest.approx(total / sum(words))
        tokens = [number + more for number, more in zip(words, ends, strict=True)]
        bits = sum(math.log2(side.ngram_perplexity) * number for side, number in zip(sides, tokens, strict=True))
        assert math.log2(point.ngram_perplexity) == pytest.approx(bits / sum(tokens))
        known = [n - w * side.oov_tokens for n, w, side in zip(tokens, words, sides, strict=True)]
        bits = sum(math.log2(side["ngram_perplexity_known"]) * n for side, n in zip(sides, known, strict=True))
        assert math.log2(point["ngram_perplexity_known"]) == pytest.approx(bits / sum(known))
    held = compared(TASK, POOL, side="both", **options)
    assert held.held_out.words == 2 * compared(TASK, POOL, **options).held_out.words


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"side": "de"}, 'side="de": AVAILABLE has one side; give the other side with with_=FILE'),
        ({"side": "fr", "with_": {"de": POOL}}, 'side="fr": AVAILABLE does not have this side; choose from de, both'),
        (
            {"side": "both", "with_": {"de": POOL}},
            'side="both": HELDOUT has one side; give the other side with held_out_with',
        ),
        ({"side": "both", "with_": {"de": POOL}, "held_out": None}, 'side="both": REPRESENTATIVE has one side'),
        (
            {"side": "de", "with_": {"de": POOL}, "held_out": None},
            'side="de": the held-out text of this side is missing',
        ),
        (
            {"held_out_with": TEST, "held_out": None},
            "held_out_with is the other side of HELDOUT, but HELDOUT is missing",
        ),
        ({"held_out_with": (TEST, TEST), "with_": {"de": POOL}}, "held_out_with was given 2 times, but with_ 1 time"),
        ({"held_out_with": TEST[:5], "with_": {"de": POOL}}, "the sides of a parallel text must match"),
        (
            {"held_out_with": TEST, "with_": {"de": POOL}, "lists": [POOL]},
            "a text has one side, but both sides are measured",
        ),
    ],
)
def test_sides_that_cannot_be_judged_raise_an_error(options: dict[str, Any], says: str) -> None:
    with pytest.raises(cynical.CynicalError, match=re.escape(says)):
        compared(TASK, POOL, **{"held_out": TEST, "methods": ["in-order"], "shares": [0.1], **options})


@pytest.mark.slow
def test_the_command_writes_a_table_and_json(cynical: Run, tmp_path: Path) -> None:
    for name, text in (("task.txt", TASK), ("pool.txt", POOL), ("test.txt", TEST)):
        write(tmp_path / name, text)
    command = ("compare", "-r", "task.txt", "-a", "pool.txt", "-t", "test.txt", "--shares", "0.1,0.05")
    done = cynical(*command, "--json", "c.json", "--order", "2")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "c.json").read_bytes())
    assert {"name", "seconds", "points"} <= made["methods"][0].keys()
    assert [point["share"] for point in made["methods"][0]["points"]] == [0.05, 0.1]
    lowest = min(method["points"][0]["ngram_perplexity"] for method in made["methods"])
    assert f"{lowest:,.2f}*" in done.stdout or f"{lowest:,.1f}*" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    again = cynical(*command, "--json", "-", "--order", "2", "-q", "-j", "1")
    assert again.stderr == ""
    points = [[method["points"] for method in one["methods"]] for one in (made, json.loads(again.stdout))]
    assert points[0] == points[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--methods", "dsir,neural"],
            "--methods neural: unknown method; choose from cynical, cynical-per-word, cynical-2-grams",
        ),
        (["--shares", "0.1,much"], "--shares 0.1,much: expected fractions"),
        (["--shares", "2"], "--shares must be more than 0 and at most 1"),
        (["-t", "empty.txt"], "empty.txt: the HELDOUT text has no words"),
        (["-t", "other.txt"], "other.txt: no word in common with pool.txt"),
        (["--json", "pool.txt"], "pool.txt is one of the inputs"),
    ],
)
def test_bad_input_is_an_error_message(cynical: Run, tmp_path: Path, arguments: list[str], says: str) -> None:
    texts = {"task.txt": TASK, "pool.txt": POOL, "empty.txt": [], "other.txt": ["nothing alike"]}
    for name, text in texts.items():
        write(tmp_path / name, text)
    done = cynical("compare", "-r", "task.txt", "-a", "pool.txt", *arguments)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr
