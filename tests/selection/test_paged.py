"""Lines that share their words, searched in pages: the same picks as the oracle's, and bounds that are bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import cynical
from cynical._kernels import page_tables, paged_exact, pages
from cynical._kernels.entries import LEFT, decoded
from cynical._kernels.formulas import BASE
from cynical._kernels.jit import KINDS
from cynical._kernels.paged_exact import weigh_codes
from cynical.selection import exact, grouped, opening, paged
from tests.against_oracle import WORDS, check, lines_of, shares_a_word, some_words, zipfian

SMALL: dict[str, Any] = {"FEWEST": 1, "PATIENCE": -1, "PAGED": 1, "SHEETS": 1, "cores": lambda: 4}


@pytest.fixture(autouse=True)
def rows_are_in_pages_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LEAST_STALE", 1)
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)
    monkeypatch.setattr(paged, "DIFFERENT", 0.0)
    monkeypatch.setattr(paged, "MOST_LARGE", 1.0)
    for name, value in SMALL.items():
        monkeypatch.setattr(grouped, name, value)


@given(
    representative=some_words,
    available=lines_of(WORDS, 20, 12),
    seed=st.one_of(st.just([]), some_words),
    smoothing=st.sampled_from([0.01, 1.0, 1e-6, 0.37, 1e-30]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 3),
    columns=st.sampled_from([1, 2, 64]),
    larger=st.sampled_from([1, 4, 10**9]),
    usual=st.sampled_from([0.0, 1.5, 1e9]),
    scarce=st.sampled_from([0.0, 0.5, 1e9]),
    wide=st.sampled_from([0, 16]),
    kept=st.sampled_from([1, 64]),
    ordered=st.sampled_from([0, 8192]),
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"], [], 0.01, "line", 1, 64, 1, 0.0, 0.0, 16, 64, 0, 0.0)  # ties
@example(["a b"], ["a c", "b a", "c a", "b c"], [], 0.01, "word", 1, 1, 4, 0.0, 0.5, 0, 1, 0, 0.0)  # and in the rest
@example(
    *(["a b c d"], ["a " * 20, "a a a a b", "a " * 300, "a " * 254, "b " * 70, "z z z"], ["a"], 0.01, "line", 1),
    *(64, 10**9, 0.0, 0.0, 16, 64, 8192, 0.0),
)
@example(
    *(["a b c"], ["a c " * 200, "b " + "a c " * 20, "b b", "a b b a"], ["a b c " * 90000], 0.01, "word", 2),
    *(64, 10**9, 0.0, 0.5, 0, 64, 0, 0.0),
)
def test_pages_give_the_picks_that_the_oracle_finds_by_trying_all(
    representative: list[str],
    available: list[str],
    seed: list[str],
    smoothing: float,
    per: str,
    ngrams: int,
    columns: int,
    larger: int,
    usual: float,
    scarce: float,
    wide: int,
    kept: int,
    ordered: int,
    ngram_smoothing: float,
) -> None:
    """Whatever is rare or frequent, alone in its code or not; with some features that have no column; with rows that
    are large. With ORDERED of 0 the codes are put in order before each call."""
    assume(shares_a_word(representative, available))
    with (
        mock.patch.multiple(grouped, COLUMNS=columns, ORDERED=ordered, SECONDS=0.0),
        mock.patch.multiple(paged, LARGER=larger, USUAL=usual, SCARCE=scarce, WIDE=wide, KEPT=kept),
        mock.patch.object(paged_exact, "pick_from_pages", wraps=paged_exact.pick_from_pages) as picks,
    ):
        check(
            *(representative, available, seed, None, "full", smoothing),
            per=per,
            ngrams=ngrams,
            ngram_smoothing=ngram_smoothing,
        )
    assert picks.call_count > 0 or not any(available)


def texts() -> dict[str, list[str]]:
    rng = np.random.default_rng(3)
    letters = [" ".join(line.replace(" ", "_")) for line in zipfian(1500, 3)]
    return {
        "characters": letters,
        "few words": [" ".join(f"w{int(w)}" for w in rng.zipf(1.3, rng.integers(1, 40)) % 30) for _ in range(1500)],
        "one word a hundred times": [*letters, *("e " * n + "t" for n in range(50, 200, 3))],
    }


@pytest.mark.parametrize("name", texts())
@pytest.mark.parametrize("per", ["line", "word"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_pages_give_the_picks_of_the_heaps(name: str, per: Any, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = texts()[name]
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    whole = cynical.select(pool[::7], pool, all=True, per=per)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    if jobs > 1:
        monkeypatch.setattr(paged, "FOUND", KINDS * KINDS)  # no room for the rows of two sheets
    else:
        monkeypatch.setattr(paged, "RATIO", 1000.0)  # all lengths are a band, and share codes
    with mock.patch.object(paged_exact, "pick_from_pages", wraps=paged_exact.pick_from_pages) as picks:
        again = cynical.select(pool[::7], pool, all=True, per=per, jobs=jobs)
    assert picks.call_count > 1
    assert b"".join(again.to_bytes()) == b"".join(whole.to_bytes())


def plain(function: Any) -> Any:
    """A function that is part of kernels, in Python."""
    return getattr(function, "function", function)


def sums_and_utilities(model: Any, laid: Any, now: Any) -> Iterator[tuple[int, int, int, float]]:
    """Of each row that is left: its band, the sum of what its codes cost without the norm, what its rare codes and its
    norm cost, and its utility."""
    codes, _, lengths, held, _, tables, _ = laid
    number, selected = pages.codes_of(codes), now.features[0] + model.smoothing[BASE]
    code = held.code.reshape(-1, number, KINDS)
    table = tables.table.reshape(-1, number, KINDS)
    rare = pages.FIRST + len(codes.part) - int(codes.frequent[0])
    band = np.repeat(held.band, np.diff(held.first))
    for page in range(len(code)):
        a = int(band[page])
        for i in np.flatnonzero(code[page, pages.LENGTH] != pages.NOTHING):
            lane = page * KINDS + int(i)
            m, place = int(held.length[lane]), int(held.place[lane])
            assert held.row_data[place + LEFT]
            begin, end = place + 3, place + 3 + int(held.row_data[place + 2])
            gain = sum(
                model.p[v] * np.log2((model.counts[v] + s) / (model.counts[v] + s + c))
                for v, c in plain(decoded)(held.row_data, begin, end, len(model.p))
                for s in [model.smoothing[0]]
            )
            utility = (np.log2(1 + lengths.features[m] / selected) + gain) / lengths.divisor[m]
            found = table[a, np.arange(number), code[page, :, i]].astype(int)
            yield a, int(found[1:].sum()), int(found[0] + found[1:rare].sum()), utility


@pytest.mark.parametrize("name", texts())
@pytest.mark.parametrize("per", ["line", "word"])
@pytest.mark.parametrize("picks", [1, 20, 300])
def test_no_row_costs_less_than_its_codes_say(name: str, per: Any, picks: int) -> None:
    """And of a row that costs too much, the utility is above that of the row that is known."""
    pool = texts()[name]
    taken: list[Any] = []

    def look(*given: Any) -> tuple[int, int]:
        taken[:] = given[:3]
        return pick(*given)

    pick = paged_exact.pick_from_pages
    with mock.patch.object(paged_exact, "pick_from_pages", look):
        cynical.select(pool[::7], pool, lines=picks, per=per, jobs=1)
    model, laid, now = taken
    known = sorted(row[-1] for row in sums_and_utilities(model, laid, now))
    cheap = 0
    for best in (known[0], known[len(known) // 50], known[len(known) // 2]):
        now.step[0] += 1
        weigh_codes(model, laid, now, best, 1, 1, np.zeros(len(laid.codes.part)))
        for a, total, with_norm, utility in sums_and_utilities(model, laid, now):
            room = 1e-12 * abs(utility)
            if not laid.tables.is_open[a] or min(total, 255) > page_tables.LIMIT:
                assert utility >= best - room
                continue
            assert utility >= plain(page_tables.bound_of)(laid.tables, a, total) - room
            if with_norm > page_tables.LIMIT:
                assert utility >= best - room
            better = (known[0] + best) / 2
            if total > plain(page_tables.limit_of)(laid.tables, a, better):
                assert utility >= better - room
            cheap += 1
    assert cheap > 0


@given(st.data())
def test_single_precision_takes_nothing_off_a_bound(data: st.DataObject) -> None:
    """However many units its terms have: beside exact fractions, for a count that costs a few of them."""
    had, bits, at = data.draw(st.floats(504.0, 1e9)), 0.02, data.draw(st.integers(1, 63))
    price = bits / had * (1.0 + data.draw(st.floats(-0.5, 0.5)))
    line, bend, cube = bits / had, bits / had**2 / 2.0, bits / had**3 / 3.0
    per_unit = 10.0 ** data.draw(st.floats(0.0, 9.0)) / (line * 63)
    cost = at * (Fraction(price) - Fraction(line) + at * (Fraction(bend) - at * Fraction(cube)))
    tables = mock.Mock(
        table=np.zeros(KINDS, np.uint8),
        had=np.array([had]),
        series=np.array([[line, bend, cube]]),
        lowest=[float(cost) - data.draw(st.integers(0, 200)) / per_unit],
        free=np.zeros(1),
    )
    bands = mock.Mock(top=np.array([[63]]), large=np.array([False]))
    plain(page_tables.write_frequent)(bands, tables, 0, 0, 0, price, per_unit)
    above = (cost - Fraction(tables.lowest[0])) * Fraction(per_unit)
    assert int(tables.table[at]) <= float(above) + 1e-6


def test_heads_name_what_all_rows_of_a_page_have() -> None:
    pool = [f"x{'' if i % 2 else ' y'} q {'a ' * (i % 5)}{'b ' * (i % 3)}" for i in range(600)]
    taken: list[Any] = []

    def look(*given: Any) -> tuple[int, int]:
        taken[:] = given[:3]
        return pick(*given)

    pick = paged_exact.pick_from_pages
    with mock.patch.object(paged_exact, "pick_from_pages", look), mock.patch.object(paged, "USUAL", 1e9):
        cynical.select(pool[:50], pool, lines=1, jobs=1)
    _, laid, _ = taken
    codes, held = laid.codes, laid.pages
    head = held.head.reshape(-1, pages.HEADS, KINDS)
    assert held.code.max() < KINDS  # where there is no row, too
    named = 0
    for sheet in range(len(held.band)):
        for page in range(int(held.first[sheet]), int(held.first[sheet + 1])):
            of_page = head[sheet, 1:, page - int(held.first[sheet])]
            counts = counts_of(codes, held, page)
            for n in of_page[of_page != pages.NOTHING]:
                assert (counts[:, laid.rare[n]] > 0).all()
                named += 1
    assert named > 0


def counts_of(codes: Any, held: Any, page: int) -> NDArray[np.int64]:
    """The counts of the rows of a page, as its codes say them."""
    code = held.code.reshape(-1, pages.codes_of(codes), KINDS)[page]
    rows = np.flatnonzero(code[pages.LENGTH] != pages.NOTHING)
    counts = np.zeros((len(rows), len(codes.feature)), np.int64)
    for q, part in enumerate(codes.part):
        left = code[pages.FIRST + q, rows].astype(np.int64)
        for k in part[part >= 0]:
            counts[:, k], left = left % codes.kinds[k], left // codes.kinds[k]
    return counts


@pytest.mark.parametrize("seconds", [0.0, 1.0], ids=["one pick at once", "many"])
def test_groups_take_over_where_pages_score_many_rows(seconds: float) -> None:
    pool = [" ".join(line.replace(" ", "_")) for line in zipfian(4000, 4)]
    whole = cynical.select(pool[::9], pool, lines=2500)
    with (
        mock.patch.multiple(grouped, SCORED=10**9, LEAST_SCORED=1, SECONDS=seconds),
        mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows,
    ):
        again = cynical.select(pool[::9], pool, lines=2500)
    assert group_rows.call_count > 0
    assert b"".join(again.to_bytes()) == b"".join(whole.to_bytes())


ALIKE = [f"the cat sat near mat number n{i}" for i in range(700)]
MANY_WORDS = [f"a{i % 90} b{i % 80} c{i % 70} d{i}" for i in range(700)]


@pytest.mark.parametrize(("name", "value", "pool"), [("DIFFERENT", 0.5, ALIKE), ("MOST_LARGE", 0.5, MANY_WORDS)])
def test_rows_that_are_alike_or_have_many_words_are_searched_in_groups(
    name: str, value: float, pool: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paged, name, value)
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        cynical.select(pool[:200], pool, lines=50)
    assert group_rows.call_count > 0


def test_a_row_that_is_known_later_limits_nothing_where_none_was() -> None:
    tables = mock.Mock(best=np.array([np.inf]), per_bit=np.zeros(1))
    assert plain(page_tables.limit_of)(tables, 0, -1.0) == page_tables.LIMIT
    assert plain(page_tables.bound_of)(tables, 0, page_tables.LIMIT) == -np.inf


def test_few_features_are_searched_in_groups_or_pages_from_the_first_pick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouped, "PATIENCE", 10**6)
    pool = texts()["characters"]
    with mock.patch.object(exact, "lay_out", wraps=exact.lay_out) as lay_out:
        made = cynical.select(pool[::7], pool, lines=50)
        assert lay_out.call_count == 1
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    whole = cynical.select(pool[::7], pool, lines=50)
    assert made.lines.tolist() == whole.lines.tolist()
    assert made.summary.search.rescored != whole.summary.search.rescored
