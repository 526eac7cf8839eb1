"""Numbers of pieces, as a tokenizer library gives them, to text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .tsv import NEWLINE, Texts, copy, write_byte

SPACE = 32


@kernel
def join_pieces(ids: NDArray[np.int64], number: NDArray[np.int64], pieces: Texts, out: NDArray[np.uint8]) -> int:
    """Write the pieces of each line, of which `number` says how many, with spaces between; lines end but the last."""
    at, i = 0, 0
    for line in range(number.size):
        if line > 0:
            at = write_byte(out, at, NEWLINE)
        for k in range(number[line]):
            if k > 0:
                at = write_byte(out, at, SPACE)
            at = copy(out, at, pieces, ids[i])
            i += 1
    return at
