"""N-grams counted and weighed as interpolated modified Kneser-Ney wants them (Chen and Goodman, 1998), line by line.

An n-gram is its context, which is a shorter n-gram, and its last word. The longest n-grams are counted as they come.
The count of a shorter one is the number of different words that were seen before it; there is nothing before the
beginning of a line, so n-grams that begin with it are counted as they come too. Everything that a probability needs of
a context is kept up to date with every word: the sum of the counts of its n-grams, and how many of them have a count of
1, of 2, of more. So a text can grow, and be asked for probabilities at any time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import ONE, U64, ZERO
from .jit import inlined, kernel
from .log2 import log2
from .ngrams import find_slot
from .sequences import UNKNOWN

EMPTY, BEGIN, END, FIRST = 0, 1, 2, 3  # n-grams: the empty one, the ends of a line, and from FIRST on the words
COUNT, SUM, ONES, TWOS, MORE = 0, 1, 2, 3, 4


class Counted(NamedTuple):
    """The n-grams of a text, up to an order; the longest are nothing but a count in their slot."""

    slot: NDArray[np.uint64]  # (slots, 2): context << 32 | last word, then the number, or the count of a longest one
    gram: NDArray[np.uint32]  # (n-grams, 5): its count; as a context, the sum of counts and how many are 1, 2, more
    seen: NDArray[np.int64]  # (order + 1, 5): by order, how many n-grams have a count of 1 to 4
    size: NDArray[np.int64]  # n-grams that have a number, and slots that are taken
    chain: NDArray[np.int64]  # (2, order + 1): by length, the n-grams that end with the word before; and with this one
    at: NDArray[np.int64]  # where to continue: the line, the word


@inlined
def tally(text: Counted, context: int, order: int, before: int) -> None:
    """An n-gram of a context has one more than before."""
    gram, seen = text.gram, text.seen
    gram[context, SUM] += 1
    if before == 0:
        gram[context, ONES] += 1
    elif before == 1:
        gram[context, ONES] -= 1
        gram[context, TWOS] += 1
    elif before == 2:
        gram[context, TWOS] -= 1
        gram[context, MORE] += 1
    if before < 5:
        seen[order, before] -= 1
        if before < 4:
            seen[order, before + 1] += 1


@inlined
def count_one(text: Counted, gram: int, context: int, order: int) -> None:
    before = np.int64(text.gram[gram, COUNT])
    text.gram[gram, COUNT] = before + 1
    tally(text, context, order, before)


@inlined
def count_word(text: Counted, word: int, place: int) -> None:
    """Count the n-grams that end with a word, the so-and-so-many-th of its line, and make it the word before."""
    order = text.seen.shape[0] - 1
    before, now = text.chain[0], text.chain[1]
    now[1] = word
    if order == 1:
        count_one(text, word, EMPTY, 1)
    for k in range(2, min(place + 2, order) + 1):
        context = before[k - 1]
        at = find_slot(text.slot, context, word)
        held = text.slot[at, 1]
        if held == ZERO:
            text.slot[at, 0] = (U64(context) << U64(32)) | U64(word)
            text.size[1] += 1
        if k == order:
            text.slot[at, 1] = held + ONE
            tally(text, context, k, np.int64(held))
        else:
            g = np.int64(held)
            if held == ZERO:
                g = text.size[0]
                text.slot[at, 1] = U64(g)
                text.size[0] = g + 1
            now[k] = g
            if k == place + 2:
                count_one(text, g, context, k)
        if held == ZERO:
            count_one(text, now[k - 1], before[k - 2], k - 1)
    for k in range(1, order):
        before[k] = now[k]


@kernel
def count_lines(text: Counted, ids: NDArray[np.uint32], start: NDArray[np.int64], lines: NDArray[np.int64]) -> bool:
    """Count some lines, from where it stopped on; False if there was no room for all."""
    order = text.seen.shape[0] - 1
    while text.at[0] < lines.size:
        begin, end = start[lines[text.at[0]]], start[lines[text.at[0]] + 1]
        place = text.at[1]
        if place == 0:
            text.chain[0, 0], text.chain[0, 1] = EMPTY, BEGIN
        while begin < end and place <= end - begin:
            if text.size[0] + order > text.gram.shape[0] or 3 * (text.size[1] + order) > 2 * text.slot.shape[0]:
                text.at[1] = place
                return False
            count_word(text, END if place == end - begin else FIRST + np.int64(ids[begin + place]), place)
            place += 1
        text.at[0] += 1
        text.at[1] = 0
    text.at[0] = 0
    return True


@inlined
def interpolated(text: Counted, discount: NDArray[np.float64], order: int, context: int, count: int, p: float) -> float:
    """The probability of an n-gram that has this count, where that of the shorter one is p."""
    gram = text.gram[context]
    kept = discount[order, 1] * gram[ONES] + discount[order, 2] * gram[TWOS] + discount[order, 3] * gram[MORE]
    return (count - discount[order, min(count, 3)] + kept * p) / gram[SUM]


@kernel
def probability(
    text: Counted, discount: NDArray[np.float64], uniform: float, word: int, depth: int
) -> tuple[float, int]:
    """The probability of a word after the n-grams of text.chain, of which there are `depth`; and how many there are
    then, with this word at their end. A word that was never seen is any of those."""
    order = text.seen.shape[0] - 1
    before, now = text.chain[0], text.chain[1]
    p = uniform
    if text.gram[EMPTY, SUM] > 0:
        p = interpolated(text, discount, 1, EMPTY, np.int64(text.gram[word, COUNT]) if word >= 0 else 0, uniform)
    if word < 0 or text.gram[word, COUNT] == 0:
        for k in range(1, depth + 1):
            if text.gram[before[k], SUM] > 0:
                p = interpolated(text, discount, k + 1, before[k], 0, p)
        return p, 0
    known, held = min(1, order - 1), 1
    now[1] = word
    for k in range(2, depth + 2):
        context = before[k - 1]
        if text.gram[context, SUM] == 0:
            break
        if held > 0:  # a longer n-gram is there only if the shorter one is
            held = np.int64(text.slot[find_slot(text.slot, context, word), 1])
        count = held
        if k < order and held > 0:
            count = np.int64(text.gram[held, COUNT])
            now[k] = held
            known = k
        p = interpolated(text, discount, k, context, count, p)
    for k in range(1, known + 1):
        before[k] = now[k]
    return p, known


@kernel
def score_lines(
    text: Counted,
    discount: NDArray[np.float64],
    uniform: float,
    ids: NDArray[np.uint32],
    start: NDArray[np.int64],
    lines: NDArray[np.int64],
    bits: NDArray[np.float64],
    unknown: NDArray[np.int64],
) -> None:
    """For each line its bits, with its end, those of unknown words apart, and how many of these there are."""
    order = text.seen.shape[0] - 1
    text.chain[0, 0] = EMPTY
    for n in range(lines.size):
        begin, end = start[lines[n]], start[lines[n] + 1]
        bits[n, 0], bits[n, 1], unknown[n] = 0.0, 0.0, 0
        if begin == end:
            continue
        text.chain[0, 1] = BEGIN
        depth = min(1, order - 1)
        for i in range(begin, end + 1):
            word = END
            if i < end:
                word = -1 if ids[i] == UNKNOWN else FIRST + np.int64(ids[i])
            p, depth = probability(text, discount, uniform, word, depth)
            strange = word < 0 or text.gram[word, COUNT] == 0
            unknown[n] += strange
            bits[n, 1 if strange else 0] -= log2(p)
