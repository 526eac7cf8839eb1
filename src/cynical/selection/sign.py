"""The corpora that a ranking depends on, and its signature."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from msgspec import UnsetType

from ..jaded.signature import hash_of_all, hash_of_corpus, make_signature
from ..jaded.summary import EarlierRanking
from ..model.counts import Counts
from ..options import Recorded, Settings, TextOptions, options_of
from ..text.corpus import Corpus
from .available import Available
from .facts import Facts
from .inputs import Inputs
from .seed import Seed
from .texts import Texts


def sign(inputs: Inputs, settings: Settings, texts: Texts, available: Available, facts: Facts) -> str:
    """The signature of a run's ranking; everything it depends on was read."""
    hashes = {"r": [hash_of_all(map(_hash, sides)) for sides in texts.targets]}
    if texts.unadapted:
        hashes["u"] = [hash_of_all(map(_hash, texts.unadapted))]
    if texts.seed is not None:
        hashes["s"] = [_hash_of_seed(texts.seed, available.earlier)]
    hashes["a"] = [hash_of_corpus(available.corpus, named=True)]
    if inputs.columns:
        hashes["w"] = [_hash_of_sides(inputs, [places.corpus for places in available.places[1:]])]
    if texts.exclude is not None:
        hashes["x"] = [hash_of_corpus(texts.exclude)]
    for name, numbers in (("p", facts.prior), ("by", facts.among)):
        if not isinstance(numbers, UnsetType):
            hashes[name] = [numbers.crc32]
    return make_signature(settings.method, _changed(inputs, settings), facts.wanted[0][0].signature, hashes)


def _changed(inputs: Inputs, settings: Settings) -> Recorded:
    """The options that are not the defaults, by their short names; how text becomes words is said elsewhere."""
    of_text = {one.name for one in options_of(TextOptions)}
    short = {one.name: one.short or one.name.replace("_", "-") for one, _ in settings.values()}
    made = {short[name]: value for name, value in settings.changed().items() if name not in of_text}
    of_records = (("key", inputs.reading.text_key), ("template", inputs.reading.text_template), ("id", inputs.id_key))
    made |= {name: value for name, value in of_records if value is not None}
    if inputs.reading.unit != "document":
        made["unit"] = inputs.reading.unit
    if inputs.reading.bad_records != "error":
        made["bad"] = inputs.reading.bad_records
    if inputs.weights is not None:
        made["weights"] = ",".join(map(repr, inputs.weights))
    return made


def _hash(given: Corpus | Counts) -> int:
    """Of a text, of counts in memory, or of a file of counts."""
    if isinstance(given, Counts):
        return zlib.crc32(given.to_bytes())
    if not given.read:  # counts, which are not read as text
        return hash_of_all(zlib.crc32(bytes(part.content)) for part in given.parts)
    return hash_of_corpus(given)


def _hash_of_seed(seed: Seed, earlier: Sequence[EarlierRanking]) -> int:
    """Of its texts, and of the lines that are left out."""
    hashes = [_hash(piece) for side in seed.sides for piece in side]
    for ranking, how in zip(seed.earlier, earlier, strict=True):
        hashes += [zlib.crc32(ranking.lines.tobytes()), zlib.crc32(f"{how.by} {how.found}".encode())]
    return hash_of_all(hashes)


def _hash_of_sides(inputs: Inputs, sides: Sequence[Corpus]) -> int:
    """Of the other sides of AVAILABLE, and what they are called."""
    hashes = [zlib.crc32(f"{inputs.counted} {name}".encode()) for name in inputs.columns]
    return hash_of_all([*hashes, *(hash_of_corpus(side, named=True) for side in sides)])
