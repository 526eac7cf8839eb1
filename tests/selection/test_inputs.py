"""What select is given wrongly, said in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

import cynical


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_copies": 0}, "max_copies must be a whole number of at least 1, found 0"),
        ({"min_length": 5, "max_length": 3}, "leave no possible length"),
        ({"money": 5}, "give price=P too"),
        ({"money": 5, "price": 0}, "price must be a number greater than 0"),
        ({"money": 5, "price": 1, "words": 3}, "words and money cannot be combined"),
        ({"ngrams": 4}, "ngrams must be 1, 2 or 3"),
        ({"per": "letter"}, 'per="letter": unknown value; choose from line, word'),
        ({"weights": [1, 2]}, "the number of weights differs from the number of targets"),
    ],
)
def test_options_that_cannot_be_raise_an_error(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.select([["a b"]] if "weights" in options else ["a b"], ["a", "b"], **options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ngrams": 2.0}, "ngrams must be 1, 2 or 3"),
        ({"max_copies": "1"}, "max_copies must be a whole number"),
        ({"max_length": True}, "max_length must be a whole number"),
        ({"weights": "0.5,0.5"}, "weights=.*: the number of weights differs"),
        ({"weights": [None, 1]}, "weights must be a number greater than 0"),
        ({"weights": [1e308, 1e308]}, "too large to add up"),
        ({"with_": {"a/b": ["x", "y"]}}, "'a/b' is not a valid name for a side"),
        ({"with_": {1: ["x", "y"]}}, "'1' is not a valid name for a side"),
        ({"with_": {"text": ["x", "y"]}}, "'text' is not a valid name for a side"),
        ({"with_": ["x"]}, "has 2 lines, but .* has 1"),
        ({"price": "cheap"}, "price must be a number greater than 0"),
        ({"representative_with": ["x"]}, "give with_=FILE"),
        ({"with_": {"de": ["x", "y"]}, "representative_with": {"fr": ["x"]}}, "sides fr count"),
    ],
)
def test_what_python_gives_wrongly_is_an_error_message_too(options: dict[str, Any], sentence: str) -> None:
    target: Any = [["a b"], ["b"]] if "weights" in options else ["a b"]
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.select(target, ["a", "b"], **options)
