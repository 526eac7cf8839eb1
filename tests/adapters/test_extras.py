"""What all adapters have in common."""

from __future__ import annotations

import importlib
import sys

import pytest

from cynical.adapters.extras import in_batches

PACKAGES = {"datasets": "datasets", "datatrove": "datatrove", "opusfilter": "opusfilter", "data_juicer": "data-juicer"}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_missing_package_is_named_with_what_installs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (f"cynical.adapters.{name}", *(one for one in sys.modules if one.split(".")[0] == name)):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"pip install 'cynical\[{PACKAGES[name]}\]'"):
        importlib.import_module(f"cynical.adapters.{name}")


def test_batches_have_all_items_once() -> None:
    assert list(in_batches(iter(range(5)), 2)) == [[0, 1], [2, 3], [4]]
    assert list(in_batches([], 2)) == []
