"""The usual way to filter text: a linear classifier of lines (see model/classifier.py)."""

from __future__ import annotations

from ...model.classifier import BUCKETS
from ...model.hashed_lines import HowToHash
from ...options import Method
from ...selection.available import Available
from ...selection.prepare import Prepared
from ...selection.second_model import judge_lines


def score(prepared: Prepared[Available], method: Method) -> None:
    """By line, the probability that it is of the language of REPRESENTATIVE."""
    how = HowToHash(prepared.tokenizer, BUCKETS, prepared.jobs, prepared.progress)
    judge_lines(prepared.texts, prepared.available, how, method.seed)
