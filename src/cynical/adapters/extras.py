"""Errors for missing packages, and batches of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
PREFIX = "cynical_"  # what columns and fields that are added begin with
BATCH = 1000  # documents that are scored together


def missing(adapter: str, extra: str, error: ImportError) -> ImportError:
    """What is raised in place of a missing package."""
    return ImportError(f"{adapter} needs a package that is not installed ({error}); pip install 'cynical[{extra}]'")


def in_batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """All items, some at a time."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
