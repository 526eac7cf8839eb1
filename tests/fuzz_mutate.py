"""Inputs that nobody would write: bytes and JSON, changed a little at random places."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

PIECES = [
    *(
        b"\x00",
        b"\xff",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\xf4\x90\x80\x80",
        b"\xe2\x80\xa8",
    ),
    *(
        b"\r",
        b"\n",
        b"\r\n",
        b"\t",
        b"\x0b",
        b"\x0c",
        b"\x1b[31m",
        b"\x85",
        b"\\",
        b"\\n",
        b'"',
        b"'",
        b",",
        b"#",
        b"-",
    ),
    *(b"{", b"}", b"[", b"]", b":", b"null", b"true", b"NaN", b"1e999", b"-0", b"0", b"1", b"9" * 19, b"9" * 40),
    *(b"\\ud800", b"\\u0000", b"<s>", b"</s>", b"text", b"rank\tline\tdelta", b"# cynical counts 1\n", b" " * 70),
    *(b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh9", b"\xfd7zXZ\x00", b"PAR1"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, 0.5, -0.5, 1e-300, 1e308),
    *("", "x", "1", "\x00", "\x1b[31m", "a" * 300, "../..", "/dev/null", "words", "python:os:system", "hf:x", "all"),
    *([], {}, [1], {"a": 1}, [[]], ["x"], float("inf"), float("nan")),
]


def mutated(rng: random.Random, content: bytes) -> bytes:
    """Bytes with some changed, left out, put in, repeated or cut off."""
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(made) + 1)
        size = rng.choice((1, 1, 2, 5, 20, 200))
        kind = rng.randrange(6)
        if kind == 0 and made:
            made[at % len(made)] = rng.randrange(256)
        elif kind == 1:
            del made[at : at + size]
        elif kind == 2:
            made[at:at] = rng.choice(PIECES)
        elif kind == 3:
            made[at : at + size] = rng.choice(PIECES)
        elif kind == 4:
            other = rng.randrange(len(made) + 1)
            made[at:at] = made[other : other + size] * rng.choice((1, 1, 3))
        elif rng.random() < 0.3:
            del made[at:]
    return bytes(made)


def mutated_json(rng: random.Random, value: Any) -> Any:
    """JSON with some values changed, moved or left out."""
    made = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = list(_places(made))
        if not places:
            break
        holder, key = rng.choice(places)
        kind = rng.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder[key], (int, float)):
            holder[key] = rng.choice((-1, 1, 1e9, 0)) * holder[key] + rng.choice((0, 1, 0.5))
        elif kind == 2:
            other, place = rng.choice(places)
            holder[key] = copy.deepcopy(other.get(place) if isinstance(other, dict) else None)
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
    return made


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
