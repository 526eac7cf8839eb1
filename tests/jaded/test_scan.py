"""Numbers out of the rows of a large table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cynical.jaded import scan as scanning


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "77", "4294967295", "0", "1_0", " 5", "+7", "", "x", "4294967296", "1.0"]),
            st.sampled_from(
                ["0.5", "-1.25e-17", "nan", "inf", "", "1-2", "1e5", "12345678901234567890.12345678901234"]
            ),
            st.text("ab\t<\r", max_size=5),
        ),
        max_size=12,
    ),
    st.integers(3, 40),
)
def test_rows_scanned_together_are_as_if_each_were_read_for_itself(
    rows: list[tuple[str, str, str]], block: int
) -> None:
    raw = "".join("\t".join(row) + "\n" for row in rows).encode()
    expected, damaged = [], None
    for number, (count, real, _) in enumerate(rows):
        try:
            pair = int(count), float(real)
            if not 1 <= pair[0] < 2**32 or not math.isfinite(pair[1]):
                raise ValueError
            expected.append(pair)
        except ValueError:
            damaged = number
            break
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "BLOCK", block)
        if damaged is not None:
            with pytest.raises(scanning.DamagedRowError) as error:
                scanning.scan(raw, 0, 3, (0,), (1,))
            assert error.value.row == damaged
            return
        found = scanning.scan(raw, 0, 3, (0,), (1,))
    assert list(zip(found.whole[0].tolist(), found.real[0].tolist(), strict=True)) == expected
    assert found.starts.tolist() == [0, *np.cumsum([len("\t".join(row)) + 1 for row in rows]).tolist()]
