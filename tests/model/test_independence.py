"""What n-grams would be if their last word did not depend on what precedes it."""

from __future__ import annotations

import numpy as np
import pytest

import cynical
from cynical.model.target import Target
from cynical.options import Thresholds
from tests.against_oracle import zipfian


def shares(target: Target) -> dict[bytes, float]:
    return dict(zip(target.names(range(len(target.turn))), target.independent.tolist(), strict=True))


def test_the_product_of_the_marginals() -> None:
    """Six pairs: two begin with a boundary, two with a, one with b, one with c."""
    made = shares(Target([[cynical.count(["a b", "a c"], ngrams=2)]]))
    assert made == {
        **dict.fromkeys([b"a", b"b", b"c"], 0.0),
        b"<s> a": pytest.approx(2 / 6 * 2 / 6),
        **dict.fromkeys([b"a b", b"a c"], pytest.approx(2 / 6 * 1 / 6)),
        **dict.fromkeys([b"b </s>", b"c </s>"], pytest.approx(1 / 6 * 2 / 6)),
    }


def test_a_triple_begins_with_a_pair() -> None:
    """Four triples, of which two begin with the pair "<s> a"."""
    made = shares(Target([[cynical.count(["a b", "a c"], ngrams=3)]]))
    assert made[b"<s> a b"] == made[b"<s> a c"] == pytest.approx(2 / 4 * 1 / 4)
    assert made[b"a b </s>"] == made[b"a c </s>"] == pytest.approx(1 / 4 * 2 / 4)
    assert made[b"<s> a"] == pytest.approx(2 / 6 * 2 / 6)


@pytest.mark.parametrize("sides", [1, 2])
def test_all_n_grams_that_could_be_made_have_one_together(sides: int) -> None:
    """All pairs of two words and the boundaries, except that of a line without words."""
    lines = ["a a b b a", "b", "b a"]
    counts = [cynical.count(text, ngrams=2) for text in (lines, [*lines, "b b a"])[:sides]]
    target = Target([counts])
    missing = 0.0
    whole = sum(one.totals[1] for one in counts)
    for one in counts:
        ends, number = one.lines / one.totals[1], one.totals[1]
        missing += ends * ends * number / whole
    assert sum(target.independent) == pytest.approx(1 - missing)


def test_what_is_held_out_is_in_no_share() -> None:
    lines, held = zipfian(60, 1), zipfian(60, 1)[::7]
    rest = [line for place, line in enumerate(lines) if place % 7]
    target, held_out = Target([[cynical.count(lines, ngrams=2)]]), [[cynical.count(held, ngrams=2)]]
    expected = shares(Target([[cynical.count(rest, ngrams=2)]]))
    less = shares(target.without(held_out))
    assert {name: less[name] for name in expected} == expected != {name: shares(target)[name] for name in expected}
    seen = np.full(len(target.features), 50)
    target.classify(seen, [10**4, 10**4], seen, Thresholds())
    assert len(target.collapse()) < len(less)
    assert sum(target.without(held_out).independent) == pytest.approx(sum(less.values()))


def test_what_has_no_mass_has_no_share() -> None:
    """All n-grams of a text are folded, and all of one side, or of both, are held out."""
    counts = cynical.count(["a a a a b c d"] * 3, ngrams=2)
    sides = [counts, cynical.count(["x y"], ngrams=2)]
    nothing = cynical.count(["z"], ngrams=2)
    with np.errstate(all="raise"):
        folded = Target([[counts.folded(10)]])
        assert folded.ngrams == 2 and folded.independent.tolist() == [0.0]
        one = Target([sides]).without([[nothing, sides[1]]])
        assert shares(one)[b"x y"] == 0.0 < shares(one)[b"a b"] == shares(Target([[counts]]))[b"a b"]
        assert not Target([sides]).without([sides]).independent.any()
