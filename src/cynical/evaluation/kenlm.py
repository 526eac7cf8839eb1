"""KenLM's own programs as the language model, where they are on the PATH."""

from __future__ import annotations

import itertools
import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.sequences import Sequences
from .judged import Judged

PROGRAMS = ("lmplz", "query")
PER_LINE = re.compile(rb"Total: (\S+) OOV: \d+")  # its log10
TENFOLD = math.log2(10)
SAYS = {"with": rb"Perplexity including OOVs:\s*(\S+)", "without": rb"Perplexity excluding OOVs:\s*(\S+)"}
LINES = 1 << 14  # written at a time


def check_kenlm() -> None:
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise CynicalError(
            f"--lm kenlm needs {' and '.join(missing)} on the PATH; build KenLM (github.com/kpu/kenlm), or omit --lm"
        )


class KenLM:
    """A new model is trained for every text. KenLM gets words as numbers, whatever bytes they have."""

    def __init__(self, folder: Path, held_out: Sequences, order: int, vocabulary: int) -> None:
        self._folder, self._order, self.vocabulary = folder, order, vocabulary
        self._held_out, self._filled = folder / "held-out.txt", held_out.lengths > 0
        _write(held_out, len(held_out), self._held_out)

    def judge(self, text: Sequences, lines: int) -> Judged:
        learnt, model = self._folder / "text.txt", self._folder / "model.arpa"
        _write(text, lines, learnt)
        kind = ["-o", f"{self._order}", "--discount_fallback", "--interpolate_unigrams=1"]
        kind += ["--vocab_pad", f"{self.vocabulary}"]
        _run("lmplz", *kind, "-S", "25%", "-T", f"{self._folder}/", "--text", f"{learnt}", "--arpa", f"{model}")
        with self._held_out.open("rb") as lines_of:
            said = _run("query", "-v", "summary", "-v", "sentence", f"{model}", stdin=lines_of)
        found = {name: re.search(pattern, said) for name, pattern in SAYS.items()}
        if found["with"] is None or found["without"] is None:
            raise CynicalError(
                f"query printed {said[:200].decode(errors='replace')!r}, but no perplexity; check that it is the one "
                "of KenLM"
            )
        bits, totals = np.zeros(len(self._filled)), PER_LINE.findall(said)
        if len(totals) != np.count_nonzero(self._filled):
            raise CynicalError(
                f"query gave the probability of {len(totals):,} lines, not of {np.count_nonzero(self._filled):,}; "
                "check that it is the one of KenLM, or omit --lm to use the built-in model"
            )
        bits[self._filled] = -TENFOLD * np.array(totals, np.float64)
        without = float(found["without"][1])
        return Judged(float(found["with"][1]), without if np.isfinite(without) else None, bits)


@contextmanager
def kenlm(held_out: Sequences, order: int, vocabulary: int, scratch: str | Path | None) -> Iterator[KenLM]:
    """KenLM in a folder that is gone afterwards."""
    check_kenlm()
    with tempfile.TemporaryDirectory(prefix="cynical-", dir=scratch) as folder:
        yield KenLM(Path(folder), held_out, order, vocabulary)


def _write(text: Sequences, lines: int, path: Path) -> None:
    with path.open("wb") as file:
        for begin in range(0, lines, LINES):
            end = min(begin + LINES, lines)
            file.write(_numbers(text, begin, end))


def _numbers(text: Sequences, begin: int, end: int) -> bytes:
    """Lines that have words, as numbers."""
    start: NDArray[np.int64] = text.start[begin : end + 1]
    words = [b"%d" % word for word in text.ids[int(start[0]) : int(start[-1])].tolist()]
    cuts = (start - start[0]).tolist()
    return b"".join(b" ".join(words[a:b]) + b"\n" for a, b in itertools.pairwise(cuts) if b > a)


def _run(*command: str, stdin: object = None) -> bytes:
    done = subprocess.run(command, stdin=stdin, capture_output=True)  # type: ignore[call-overload]
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise CynicalError(
            f"{command[0]} failed with exit status {done.returncode}: {lines[-1] if lines else 'no message'}"
        )
    return bytes(done.stdout)
