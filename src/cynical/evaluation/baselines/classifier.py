"""What most people who filter text do today: a linear classifier of lines (see model/classifier.py)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...options import Method
from ...selection.prepare import LocallyPrepared
from ...selection.second_model import posterior_of


def score(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64]:
    """By line, the probability that it is of the language of REPRESENTATIVE."""
    how = prepared.tokenizer, prepared.jobs, prepared.progress
    places = prepared.available.places[: len(prepared.available.sides)]  # of the sides that count
    return posterior_of(prepared.texts, places, how, method.seed).probability
