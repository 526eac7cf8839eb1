"""What single values mean, and what is refused."""

from __future__ import annotations

import pytest

import cynical
from cynical.options.values import size


@pytest.mark.parametrize(
    ("given", "number"),
    [("8G", 8 * 10**9), ("500M", 5 * 10**8), ("1.5g", 15 * 10**8), ("2GiB", 2**31), ("64KiB", 65536), ("7", 7), (9, 9)],
)
def test_sizes_are_read_as_people_write_them(given: str | int, number: int) -> None:
    assert size("--memory", given) == number


@pytest.mark.parametrize("given", ["much", "", "G", "-1G", "0", "1X"])
def test_other_sizes_are_refused(given: str) -> None:
    with pytest.raises(cynical.CynicalError, match="expected a size such as 8G or 500M"):
        size("--memory", given)
