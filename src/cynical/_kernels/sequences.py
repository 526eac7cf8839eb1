"""Lines as sequences of word numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .words import ALL, ONE, U64, ZERO, Vocabulary, add, find, has_room, key_of, lowest_bit

UNKNOWN = 0xFFFFFFFF


@kernel
def number_lines(
    vocabulary: Vocabulary,
    text: NDArray[np.uint8],
    eight: NDArray[np.uint64],
    blank: NDArray[np.uint64],
    line_end: NDArray[np.int64],
    closed: bool,
    state: NDArray[np.int64],
    ids: NDArray[np.uint32],
    length: NDArray[np.uint32],
) -> int:
    """Write the numbers of all words, and how many each line has; a closed vocabulary takes no new ones.

    `state` is where to go on, how many numbers stand already, and the line. The position of the first word that found
    no room, or -1 when all are written.
    """
    begin, written, line = state[0], state[1], state[2]
    word_before = ZERO
    b = 0
    for group in range(begin >> 6, blank.size):
        word = ~blank[group]
        if group == begin >> 6:
            word &= ALL << U64(begin & 63)
        edge = word ^ ((word << ONE) | word_before)
        word_before = word >> U64(63)
        while edge:
            bit = lowest_bit(edge)
            at = 64 * group + bit
            edge &= edge - ONE
            if (word >> U64(bit)) & ONE:
                b = at
                continue
            key = key_of(eight, b, at - b)
            v, slot = find(vocabulary, eight, b, at - b, key)
            if v < 0:
                if closed:
                    v = UNKNOWN
                elif not has_room(vocabulary, at - b):
                    state[0], state[1], state[2] = b, written, line
                    return b
                else:
                    v = add(vocabulary, text, b, at - b, key, slot, b)
            while b > line_end[line]:
                line += 1
            ids[written] = v
            length[line] += 1
            written += 1
    state[1] = written
    return -1
