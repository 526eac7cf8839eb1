"""Lines that share their words, searched in groups: the same picks as the oracle's, and as those of the heaps."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical._kernels import group_search, grouped_exact
from cynical._kernels.team import APART, Best, Team, joins, told_by_others
from cynical.selection import exact, grouped, opening
from cynical.selection import search as ranking
from cynical.selection.grouped import set_common
from cynical.selection.team import make_team
from tests.against_oracle import WORDS, check, lines_of, shares_a_word, some_words, zipfian


@pytest.fixture(autouse=True)
def rows_are_grouped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LEAST_STALE", 1)
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    monkeypatch.setattr(grouped, "PATIENCE", -1)
    monkeypatch.setattr(grouped, "cores", lambda: 4)


@given(
    representative=some_words,
    available=lines_of(WORDS, 20, 12),
    seed=st.one_of(st.just([]), some_words),
    smoothing=st.sampled_from([0.01, 1.0, 1e-6, 0.37, 1e-30]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 3),
    columns=st.integers(1, 6),
    frequent=st.sampled_from([1, 3, 64]),
    growth=st.sampled_from([0, 0, 1, 64]),
    share=st.sampled_from([1, 256]),
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
    common=st.sampled_from([None, 0, 1, 2, 6]),
    times=st.sampled_from([0, 8]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"], [], 0.01, "line", 1, 6, 64, 0, 1, 0.0, 1, 8)  # ties
@example(["a b"], ["a c", "b a", "c a", "b c"], [], 0.01, "line", 1, 1, 1, 0, 1, 0.0, 1, 8)  # and ties in the rest
@example(
    *(["a b c d"], ["a " * 20, "a a a a b", "a " * 300, "a " * 254, "z z z"], ["a"], 0.01, "line", 1, 6, 64, 0, 256),
    *(0.0, 2, 8),
)
@example(
    ["a b c d"], ["z " * 600, "a b c " * 200, "a", "d"], ["a b c d d " * 500], 0.01, "line", 1, 6, 64, 0, 1, 0.0, 3, 8
)
@example(["a b c"], ["a c " * 200, "b " + "a c " * 20, "b b", "a b b a"], [], 0.01, "word", 2, 6, 64, 0, 1, 0.0, 2, 0)
def test_groups_give_the_picks_that_the_oracle_finds_by_trying_all(
    representative: list[str],
    available: list[str],
    seed: list[str],
    smoothing: float,
    per: str,
    ngrams: int,
    columns: int,
    frequent: int,
    growth: int,
    share: int,
    ngram_smoothing: float,
    common: int | None,
    times: int,
) -> None:
    """With a growth of 0, bounds are always raised by what a pick has changed, as long as the unit is the same; with a
    share of 1, two threads search together; without a number, columns are common at some picks and not at others. With
    `times` of 0, rows are grouped again after every call."""
    assume(shares_a_word(representative, available))
    given_number = set_common if common is None else lambda of, _: set_common(of, common)
    with (
        mock.patch.multiple(grouped, COLUMNS=columns, FREQUENT=frequent, GROWTH=growth, SHARE=share, PIECE=1),
        mock.patch.multiple(grouped, COMMON=2, TRIAL=1, AGAIN=1, TIMES=times, set_common=given_number),
    ):
        check(
            *(representative, available, seed, None, "full", smoothing),
            per=per,
            ngrams=ngrams,
            ngram_smoothing=ngram_smoothing,
        )


@given(
    representative=some_words,
    available=lines_of(WORDS, 25, 8),
    vocabulary=st.sampled_from(["full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 1e-30]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 2),
    columns=st.integers(1, 4),
    fewest=st.sampled_from([1, 8]),
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"] * 4, "full", 0.01, "line", 1, 1, 1, 0.0)  # ties
@example(["a b", "a"], ["a " * 300, "a " * 254 + "b", "a b", "b", "a", "z"], "full", 0.01, "line", 1, 2, 1, 0.0)
@settings(max_examples=50)
def test_word_first_in_groups_gives_the_picks_of_the_oracle(
    representative: list[str],
    available: list[str],
    vocabulary: str,
    smoothing: float,
    per: str,
    ngrams: int,
    columns: int,
    fewest: int,
    ngram_smoothing: float,
) -> None:
    """The best word may have a column or not: rows are picked from groups and from lists in turn."""
    assume(shares_a_word(representative, available))
    with mock.patch.multiple(grouped, COLUMNS=columns, FREQUENT=64, FEWEST=fewest):
        check(representative, available, [], None, vocabulary, smoothing, None, "word", per, ngrams, ngram_smoothing)


@pytest.mark.slow
@pytest.mark.parametrize("per", ["line", "word"])
def test_a_text_of_four_hundred_lines_is_ranked_as_the_oracle_ranks_it(per: str) -> None:
    check(zipfian(40, 1), zipfian(400, 2), zipfian(10, 3), zipfian(100, 4), "full", 0.01, per=per)


def test_equal_deltas_go_to_the_earlier_line_though_their_gains_differ() -> None:
    """As in test_exact: gains that differ by some 2^-56 give one delta, at the very first picks."""
    rng = np.random.default_rng(5)

    def lines(sizes: list[int]) -> list[str]:
        return [" ".join(f"w{w}" for w in rng.integers(0, 12, size)) for size in sizes]

    texts = [(lines([16]), lines([2] * 12)) for _ in range(40)]
    for columns, (wanted, pool) in itertools.product((2, 12), texts):
        with mock.patch.object(grouped, "COLUMNS", columns):
            check(wanted, pool, [], None, "full", 0.01)


TEMPLATES = {
    "templates": [f"the cat sat near mat number n{i}" for i in range(700)],
    "digits": [" ".join(str(i * 7919 % 100003)) for i in range(700)],
    "orders": [f"order {i} shipped to customer c{i % 37} on day {i % 28} of month {i % 12}" for i in range(700)],
    "copies": ["the same line again"] * 400 + ["the same line", "the line again"] * 100,
    "characters": [" ".join(line.replace(" ", "_")) for line in zipfian(300, 3)],
}


@pytest.mark.parametrize("shape", TEMPLATES)
@pytest.mark.parametrize("patience", [-1, 0, 2])
def test_it_does_not_matter_when_rows_are_grouped(shape: str, patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = TEMPLATES[shape]
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    whole = cynical.select(pool[:200], pool, all=True)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    monkeypatch.setattr(opening, "ALONE", ((1 << 63, 10**9),))
    monkeypatch.setattr(grouped, "PATIENCE", patience)
    monkeypatch.setattr(grouped, "PER_PICK", 0)
    monkeypatch.setattr(grouped, "GROWTH", patience if patience > 0 else 0)
    monkeypatch.setattr(ranking, "PICKS", 17)
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        again = cynical.select(pool[:200], pool, all=True)
    assert group_rows.call_count > 1  # when half the rows were gone, they were grouped again
    assert again.lines.tolist() == whole.lines.tolist()
    assert again.delta.tolist() == whole.delta.tolist()
    assert again.entropy.tolist() == whole.entropy.tolist()
    assert again.words.tolist() == whole.words.tolist()


def test_a_selection_of_millions_that_lacks_a_common_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the common columns bring more below the average than a bound in units can say."""
    rng = np.random.default_rng(7)
    pool = [" ".join(["e"] * (n := int(rng.integers(18, 24))) + [*rng.choice([*"abcd"], 25 - n)]) for _ in range(300)]
    pool += [" ".join([*"abcd" * 6, "e"])] * 3
    seed = cynical.count(["e " * 1000] * 1200 + [f"{word} " * 1000 for word in "abcd" for _ in range(700)])
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    whole = cynical.select(["a b c d e e e e e e"], pool, seed=seed, all=True)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    monkeypatch.setattr(grouped, "set_common", lambda of, _: set_common(of, 1))
    again = cynical.select(["a b c d e e e e e e"], pool, seed=seed, all=True)
    assert again.lines.tolist() == whole.lines.tolist()


def test_a_search_that_will_take_long_says_what_is_quicker(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    digits = TEMPLATES["digits"]
    for many, times in ((10**9, 0), (1, 1)):  # once, however often rows are grouped again
        monkeypatch.setattr(exact, "MANY", many)
        cynical.select(digits[:200], digits, all=True, progress=True)
        assert capsys.readouterr().err.count("--strategy batch takes much less time") == times


def test_picking_comes_back_often_enough_to_look_at_the_clock() -> None:
    digits = TEMPLATES["digits"]
    whole = cynical.select(digits[:200], digits, lines=200)
    with (
        mock.patch.multiple(grouped, SECONDS=0.0, TRIAL=1),
        mock.patch.object(grouped_exact, "pick_from_groups", wraps=grouped_exact.pick_from_groups) as picks,
    ):
        one_by_one = cynical.select(digits[:200], digits, lines=200)
    assert picks.call_count > 100  # each call has one pick
    assert b"".join(one_by_one.to_bytes()) == b"".join(whole.to_bytes())


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block may be searched by another thread."""
    monkeypatch.setattr(grouped, "SHARE", 1)
    monkeypatch.setattr(grouped, "PIECE", 1)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("shape", TEMPLATES)
def test_it_does_not_matter_how_many_threads_search(shape: str) -> None:
    pool = TEMPLATES[shape]
    alone = cynical.select(pool[:200], pool, all=True, jobs=1)
    with mock.patch.object(grouped, "make_team", wraps=make_team) as made_team:
        together = cynical.select(pool[:200], pool, all=True, jobs=3)
    assert made_team.call_args_list[0].args[0] > 1
    assert b"".join(together.to_bytes()) == b"".join(alone.to_bytes())


anything: Any = mock.Mock()


def best(team: Team, thread: int, group: int, tag: int, utility: float) -> None:
    at = thread * APART
    team.group[at], team.tag[at], team.utility[at] = group, tag, utility


@pytest.mark.parametrize(
    ("of_helper", "expected"),
    [((7, 3, -1.0), 7), ((7, 5, -1.0), 4), ((7, 5, -2.0), 7), ((7, 3, -0.5), 4)],
    ids=["an earlier line", "a later line", "a lower utility", "a higher utility"],
)
def test_the_leader_takes_the_best_of_what_was_found(of_helper: tuple[int, int, float], expected: int) -> None:
    """In Python, whether kernels are compiled or not."""
    team = make_team(2, np.zeros(1, np.int64), 1)
    best(team, 1, *of_helper)
    team.state[APART] = 4  # it has ended the first round
    found = Best(4, 0, 4, -1.0)
    with mock.patch.multiple(
        grouped_exact, search_last_block=mock.Mock(return_value=found), search_pieces=mock.Mock(return_value=found)
    ):
        assert grouped_exact.find_best_together(anything, anything, anything, team, 0).group == expected


def test_a_thread_hears_how_good_the_best_of_the_others_is_and_keeps_rows_that_are_as_good() -> None:
    """In Python, whether kernels are compiled or not."""
    team = make_team(3, np.zeros(1, np.int64), 1)
    team.reached[2 * APART] = -2.0
    own = Best(4, 0, 9, -1.0)
    heard = told_by_others(team, 1, own)
    assert (heard.group, heard.utility) == (-1, -2.0)
    assert heard.tag > own.tag  # a row of this thread that is as good is kept, whatever its line
    assert team.reached[APART] == -1.0
    assert told_by_others(team, 1, own._replace(utility=-2.0)).group == 4


def test_the_quicker_way_is_kept_and_the_other_tried_again_later() -> None:
    trial, other, picked = grouped.Trial(), False, {False: 0, True: 0}
    for first, second, quicker in (
        (2.0, 1.0, True),
        (1.0, 2.0, False),
    ):  # then the text is one where the first is quicker
        picked = {False: 0, True: 0}
        for _ in range(100):
            picks = trial.picks
            picked[other] += picks
            if trial.begin(picks, second if other else first):
                other = not other
        assert picked[quicker] > 10 * picked[not quicker] > 0
        assert trial.interval == grouped.AGAIN  # it is tried less and less often


def test_rows_are_grouped_again_when_picking_took_some_times_as_long_and_less_often_where_it_saves_little() -> None:
    regrouping, picks = grouped.Regrouping(), grouped.TRIAL
    regrouping.begin(picks * 1.0)

    def calls(seconds: float) -> int:
        """How many calls there are until rows are grouped again, which takes as long as picks of a second each."""
        for call in range(1, 1000):
            if regrouping.is_due(picks, seconds):
                regrouping.begin(picks * 1.0)
                return call
        raise AssertionError

    assert calls(1.0) == grouped.TIMES + 1
    assert calls(0.5) == 2 * grouped.TIMES + 1  # picks were quicker afterwards: in as much time, twice as many
    assert calls(0.5) == 4 * grouped.TIMES + 1  # and now they are not
    assert calls(0.5) == 4 * grouped.TIMES + 1 == 2 * grouped.MOST_TIMES + 1
    assert calls(0.25) == 4 * grouped.TIMES + 1


def test_blocks_have_groups_of_one_length_in_the_order_of_their_gains() -> None:
    rng = np.random.default_rng(3)
    gain, length, size = rng.integers(-50, 0, 100), rng.integers(0, 5, 100), 8
    place, length_of_block = grouped.places(gain, length, 6, size)
    assert len(set(place.tolist())) == 100
    assert length_of_block[place // size].tolist() == length.tolist()
    for one in range(5):
        inside = np.sort(place[length == one])
        assert inside.tolist() == list(range(inside[0], inside[0] + len(inside)))  # no room but after the last
        assert gain[length == one][np.argsort(place[length == one])].tolist() == sorted(gain[length == one].tolist())


@pytest.mark.parametrize(
    "until", [{"all": True}, {"patience": 0.02}, {"words": 3000}], ids=["all", "patience", "words"]
)
def test_rows_that_are_grouped_again_and_again_give_the_same_picks(until: dict[str, Any]) -> None:
    pool = TEMPLATES["characters"]
    whole = cynical.select(pool[:100], pool, **until)
    with (
        mock.patch.multiple(grouped, TIMES=0, MOST_TIMES=0, SECONDS=0.0, TRIAL=1),
        mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows,
    ):
        again = cynical.select(pool[:100], pool, **until)
    assert group_rows.call_count > 10  # after each pick
    assert b"".join(again.to_bytes()) == b"".join(whole.to_bytes())
    assert again.summary.search.ranked == whole.summary.search.ranked


@pytest.mark.parametrize(("state", "then"), [(2, 4), (-1, -1)], ids=["late", "failed"])
def test_the_leader_does_not_wait_for_a_helper_that_is_late_or_has_failed(state: int, then: int) -> None:
    team = make_team(2, np.zeros(1, np.int64), 1)
    best(team, 1, 7, 3, -9.0)  # of an earlier round
    team.state[APART] = state
    found = Best(4, 0, 4, -1.0)
    with mock.patch.multiple(
        grouped_exact, search_last_block=mock.Mock(return_value=found), search_pieces=mock.Mock(return_value=found)
    ):
        assert grouped_exact.find_best_together(anything, anything, anything, team, 0) == found
    assert team.state[APART] == then
    assert not joins(team, 1, 1)  # when it comes


GONE = """
import sys
from unittest import mock
import cynical
from cynical._kernels import group_search, grouped_exact
from cynical._kernels.team import APART, wait_while
from cynical.selection import grouped

def joined(*given):
    given[-1].state[APART] = 3
    return pick(*given)

def fail(*given):
    wait_while(given[-2].round, 0, 0)
    raise MemoryError

lines = [" ".join(str(i * 7919 % 100003)) for i in range(300)]
pick = grouped_exact.pick_from_groups
gone = {
    "helper": {"help_to_find_best": fail, "pick_from_groups": joined},
    "leader": {"pick_from_groups": mock.Mock(side_effect=KeyboardInterrupt)},
}
with (
    mock.patch.multiple(grouped, FEWEST=1, PATIENCE=-1, SHARE=1, cores=lambda: 2),
    mock.patch.multiple(grouped_exact, **gone[sys.argv[1]]),
):
    try:
        cynical.select(lines, lines, all=True, jobs=2)
    except (KeyboardInterrupt, MemoryError) as error:
        print(type(error).__name__)
"""


@pytest.mark.parametrize(("who", "error"), [("helper", "MemoryError"), ("leader", "KeyboardInterrupt")])
def test_nobody_waits_for_a_thread_that_is_gone(who: str, error: str) -> None:
    command = [sys.executable, "-c", GONE, who]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{error}\n"


def test_beside_blocks_a_search_writes_only_to_its_own_scratch() -> None:
    digits = TEMPLATES["digits"]
    with mock.patch.object(grouped_exact, "pick_from_groups", wraps=grouped_exact.pick_from_groups) as picks:
        cynical.select(digits[:200], digits, lines=50, jobs=1)
    model, whole, now, *_ = picks.call_args.args
    grouped_exact.begin_search(model, whole, now)
    blocks = len(whole.blocks.length)
    own = whole._replace(scratch=grouped.make_scratch(len(whole.columns.feature), len(whole.lengths.features), blocks))
    shared = (whole.columns, whole.lengths, whole.scratch)
    before = [array.tobytes() for part in shared for array in part]
    nothing = Best(-1, 0, 0, np.inf)
    number = group_search.find_promising(model, own, now, 0, blocks, nothing, 0)
    found = group_search.search_promising(model, own, now, number, nothing, group_search.ANY)
    assert found.group >= 0
    assert own.scratch.parabola_step[0] == own.scratch.penalty_step.max() == now.step[0]
    assert [array.tobytes() for part in shared for array in part] == before


@pytest.mark.parametrize("name", ["templates", "digits", "orders"])
def test_word_first_picks_the_same_from_groups_and_from_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = TEMPLATES[name]
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    lists = cynical.select(pool[:200], pool, strategy="word", all=True)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        groups = cynical.select(pool[:200], pool, strategy="word", all=True)
    assert group_rows.call_count > 1  # when half the rows were gone, they were grouped again
    assert b"".join(groups.to_bytes()) == b"".join(lists.to_bytes())


@pytest.mark.parametrize(("rescored", "due"), [(3 * 256_000 + 10 * 1000, False), (3 * 256_000 + 10 * 1000 + 1, True)])
def test_rows_are_grouped_where_more_are_rescored_than_a_look_at_all_takes(
    rescored: int, due: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    now = mock.Mock(rescored=[rescored], picks=[10])
    assert grouped.Grouping().is_due(256_000, now) is due


def test_natural_text_stays_in_heaps_and_lines_that_share_their_words_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rng = np.random.default_rng(6)
    natural = [" ".join(f"w{w}" for w in rng.zipf(1.3, rng.integers(3, 30))) for _ in range(5000)]
    templates = [f"the cat sat near mat number n{i}" for i in range(5000)]
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        cynical.select(natural[:500], natural, all=True)
        assert group_rows.call_count == 0
        cynical.select(templates, templates, all=True)
        assert group_rows.call_count > 0
