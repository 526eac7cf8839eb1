"""Real text: the shared corpora, where they are present."""

from __future__ import annotations

from pathlib import Path

import pytest

import cynical


@pytest.mark.parametrize("name", ["medqa", "shakespeare"])
def test_real_text_is_ranked_to_the_entropy_that_its_counts_give(corpora: Path, name: str) -> None:
    pool = (corpora / "pool.en.tok").read_text().splitlines()[:20_000]
    wanted = corpora / "repr" / f"{name}.train.tok"
    jaded = cynical.select(str(wanted), pool, all=True)
    assert sorted(jaded.lines.tolist()) == [i for i, line in enumerate(pool) if line.split()]
    seeded = cynical.select(str(wanted), ["the"], seed=pool, lines=1)
    assert jaded.entropy[-1] == pytest.approx(seeded.entropy_before, abs=1e-9)
    assert 0 < jaded.stop < len(jaded)
    assert jaded.entropy[jaded.stop - 1] == min(jaded.entropy)
