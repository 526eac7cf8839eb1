"""Lines as sequences of word numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunk import Chunk, words_of
from .jit import kernel
from .vocabulary import Vocabulary, find, find_or_add, key_of

UNKNOWN = 0xFFFFFFFF


@kernel
def number_lines(
    vocabulary: Vocabulary,
    chunk: Chunk,
    closed: bool,
    state: NDArray[np.int64],
    ids: NDArray[np.uint32],
    words: NDArray[np.uint32],
) -> int:
    """Write the numbers of all words, and how many each line has; a closed vocabulary takes no new ones.

    `state` is where to resume, how many numbers have been written, and the line. The position of the first word that
    found no room, or -1 when all are written.
    """
    begin, written, line = state[0], state[1], state[2]
    for b, e in words_of(chunk, begin):
        key = key_of(chunk.eight, b, e - b)
        if closed:
            v, _ = find(vocabulary, chunk.eight, b, e - b, key)
            v = UNKNOWN if v < 0 else v
        else:
            v = find_or_add(vocabulary, chunk.text, chunk.eight, b, e - b, key, b)
            if v < 0:
                state[0], state[1], state[2] = b, written, line
                return b
        while b > chunk.line_end[line]:
            line += 1
        ids[written] = v
        words[line] += 1
        written += 1
    state[1] = written
    return -1
