"""A selector for data-juicer: the samples that `cynical.select` picks.

# cynical_ops.py, named in custom_operator_paths
from cynical.adapters.data_juicer import CynicalSelector

# the recipe
process:
  - cynical_selector: {representative: task.txt, words: 1000000, per: word}
"""

from __future__ import annotations

from typing import Any

from ..api import select
from ..errors import CynicalError
from .extras import missing

try:
    from data_juicer.ops.base_op import OPERATORS, Selector
except ImportError as error:
    raise missing(__name__, "data-juicer", error) from None

NAME = "cynical_selector"


@OPERATORS.register_module(NAME)
class CynicalSelector(Selector):
    """Pick the samples that teach a model most about the language of a text, best first.

    The budget is `lines`, `words` or `share`; without one, the ranking ends where more text makes a model worse.
    """

    def __init__(
        self,
        representative: str = "",
        lines: int | None = None,
        words: int | None = None,
        share: float | None = None,
        per: str | None = None,
        exclude: str | None = None,
        exclude_ngrams: int | None = None,
        options: dict[str, Any] | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """
        Initialization method.

        :param representative: a text in the language you want
        :param lines: pick at most this many samples
        :param words: pick samples with at most this many words in total
        :param share: pick samples with at most this fraction of all words
        :param per: rank samples by delta ("line") or by delta per word ("word")
        :param exclude: a text whose lines are never picked, for example a test set
        :param exclude_ngrams: exclude samples that share this many consecutive words with it
        :param options: other options of cynical.select, by name
        :param args: extra args
        :param kwargs: extra args, such as text_key
        """
        super().__init__(*args, **kwargs)
        self.representative = representative
        named = {"lines": lines, "words": words, "share": share, "per": per, "exclude": exclude}
        self.options = {**named, "exclude_ngrams": exclude_ngrams, **(options or {})}

    def process(self, dataset: Any) -> Any:
        """The samples that are picked, best first."""
        if not self.representative:
            raise CynicalError(f"{NAME} needs the language you want; give representative: FILE")
        if len(dataset) <= 1:
            return dataset
        jaded = select(self.representative, dataset, text_key=self.text_key, **self.options)
        return dataset.select(jaded.lines)
