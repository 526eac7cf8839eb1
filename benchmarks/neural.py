"""Does a neural model agree? The same small transformer, trained on what each method picks.

    python benchmarks/neural.py pick FOLDER [--scratch DIR] [TASK ...]
    python benchmarks/neural.py train FOLDER [-o RESULTS] [--seeds 0,1] [--part I/N] [TASK ...]
    python benchmarks/neural.py table RESULTS ... [--docs FOLDER]

`pick` writes what each method picks (10 % of the pool's words, best first), REPRESENTATIVE, the held-out text without
the lines of the pool, and a sample of the pool, each compressed with xz: what `train` needs, on a machine with a GPU,
torch and tokenizers that need not have cynical. A model is 13 million parameters over 8,192 byte pairs learnt from the
sample, the same for all methods; it stops when a tenth of REPRESENTATIVE finds no new low. The measure is the
perplexity per word of the held-out text.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

METHODS = ("cynical", "cynical-2-grams", "cynical-for-model", "moore-lewis", "classifier", "dsir", "random")
OPTIONS = {
    "cynical": ["select"],
    "cynical-2-grams": ["select", "--ngrams", "2", "--per", "word"],
    "cynical-for-model": ["select", "--for", "model"],
}
LARGEST, SHARES = 0.1, (0.03, 0.1)
BEGIN, END = "<!-- from benchmarks/neural.py -->\n", "<!-- to here, neural -->"
PIECES, LAYERS, WIDTH, HEADS, CONTEXT = 8192, 6, 384, 6, 256
BATCH, RATE, MOST_STEPS, PATIENCE = 64, 1e-3, 2000, 5
BEFORE_RECORDING = 5  # steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pick", "train", "table"))
    parser.add_argument("paths", nargs="+", type=Path, metavar="FOLDER or RESULTS, then TASKS")
    parser.add_argument("--scratch", type=Path, metavar="DIR")
    parser.add_argument("-o", "--output", type=Path, default=Path("neural.jsonl"), metavar="RESULTS")
    parser.add_argument("--seeds", type=lambda given: [*map(int, given.split(","))], default=[0, 1], metavar="N,...")
    parser.add_argument("--part", default="0/1", metavar="I/N", help="train every N-th model, from the I-th on (0/1)")
    parser.add_argument("--methods", type=lambda given: given.split(","), default=METHODS, metavar="NAME,...")
    parser.add_argument("--shares", type=lambda given: [*map(float, given.split(","))], default=SHARES, metavar="F,...")
    parser.add_argument("--docs", type=Path, metavar="FOLDER")
    told = parser.parse_args()
    if told.what == "table":
        show(told.paths, told.docs)
    elif told.what == "pick":
        pick(told.paths[0], [path.name for path in told.paths[1:]], told)
    else:
        train_all(told.paths[0], [path.name for path in told.paths[1:]], told)


def pick(folder: Path, tasks: Sequence[str], told: argparse.Namespace) -> None:
    """Have every method pick, and write what training needs."""
    from corpora import cynical, run, scratch

    folder.mkdir(parents=True, exist_ok=True)
    with scratch(told.scratch) as here:
        pool = here.pool.read_text("utf-8").splitlines()
        compress(folder / "pool.xz", random.Random(0).sample(pool, len(pool) // 10))
        (folder / "words").write_text(str(sum(len(line.split()) for line in pool)))
        known = set(pool)
        for task in tasks or here.tasks():
            train, test = here.train(task), here.test(task)
            compress(folder / f"{task}.train.xz", train.read_text("utf-8").splitlines())
            unseen = [one for one in test.read_text("utf-8").splitlines() if one not in known]
            compress(folder / f"{task}.test.xz", unseen)
            for method in told.methods:
                out = folder / "picked.txt"
                how = OPTIONS.get(method, ["rank", "--method", method])
                run([*cynical(), *how, "-r", train, "-a", here.pool, "--exclude", test, "--share", str(LARGEST),
                     "-o", out, "--format", "text", "--overwrite", "--quiet"])  # fmt: skip
                compress(folder / f"{task}.{method}.xz", out.read_text("utf-8").splitlines())
                print(task, method, flush=True)
                out.unlink()


def compress(path: Path, lines: Sequence[str]) -> None:
    path.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=6))


def decompress(path: Path) -> list[str]:
    return lzma.decompress(path.read_bytes()).decode().splitlines()


def first_words(lines: Sequence[str], words: float) -> list[str]:
    """The longest prefix of no more words."""
    kept, total = [], 0
    for line in lines:
        total += len(line.split())
        if total > words:
            break
        kept.append(line)
    return kept


def train_all(folder: Path, tasks: Sequence[str], told: argparse.Namespace) -> None:
    """Train one model after another, and add a line of figures for each to RESULTS."""
    try:
        import tokenizers
        import torch
    except ImportError as error:
        raise SystemExit(f"neural.py: {error}; training needs torch and tokenizers") from error
    if not torch.cuda.is_available():
        raise SystemExit("neural.py: there is no GPU here; training would take days")
    pieces = tokenizers.ByteLevelBPETokenizer()
    pieces.train_from_iterator(decompress(folder / "pool.xz"), PIECES, special_tokens=["<end>"], show_progress=False)

    def encode(lines: Sequence[str]) -> Any:
        ids = [one for made in pieces.encode_batch(list(lines)) for one in (*made.ids, 0)]
        return torch.tensor(ids, dtype=torch.long, device="cuda")

    words = int((folder / "words").read_text())
    found = sorted({path.name.rsplit(".", 2)[0] for path in folder.glob("*.train.xz")})
    cells = [
        (task, share, method, seed)
        for seed in told.seeds
        for task in tasks or found
        for share in told.shares
        for method in told.methods
    ]
    part, parts = map(int, told.part.split("/"))
    for task, share, method, seed in cells[part::parts]:
        wanted, test = decompress(folder / f"{task}.train.xz"), decompress(folder / f"{task}.test.xz")
        picked = first_words(decompress(folder / f"{task}.{method}.xz"), share * words)
        began = time.perf_counter()
        bits, steps = train(encode(picked), encode(wanted[9::10]), encode(test), seed)
        row = {
            "task": task,
            "share": share,
            "method": method,
            "seed": seed,
            "perplexity": math.exp(bits / sum(len(line.split()) + 1 for line in test)),
            "steps": steps,
            "seconds": round(time.perf_counter() - began, 1),
        }
        with told.output.open("a") as output:
            output.write(json.dumps(row) + "\n")
        print(row, flush=True)
        torch.cuda.empty_cache()  # recorded steps hold much memory, and others train beside this


def train(text: Any, judge: Any, test: Any, seed: int) -> tuple[float, int]:
    """Train until the judge finds no new low; what the test costs then, in nats, and the steps it took."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    model = make_model().cuda()
    slow = [one for one in model.parameters() if one.ndim > 1]
    rest = [one for one in model.parameters() if one.ndim <= 1]
    groups = [{"params": slow, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    rate = torch.tensor(RATE, device="cuda")
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), fused=True, capturable=True)
    generator = torch.Generator("cuda").manual_seed(seed)
    every = max(min(len(text) // (BATCH * CONTEXT), 200), 20)
    best, cost, since, step, best_step = math.inf, math.inf, 0, 0, 0
    window, at = torch.arange(CONTEXT + 1, device="cuda"), torch.zeros(BATCH, dtype=torch.long, device="cuda")

    def learn() -> None:
        """One step, of the windows that begin at `at`."""
        batch = text[at[:, None] + window]
        with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
            scores = model(batch[:, :-1])
        nn.functional.cross_entropy(scores.flatten(0, 1).float(), batch[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    graph = None
    while step < MOST_STEPS and since < PATIENCE:
        model.train()
        for _ in range(every):
            step += 1
            rate.fill_(RATE * min(1.0, step / 100))
            torch.randint(len(text) - CONTEXT - 1, (BATCH,), generator=generator, out=at)
            if graph is not None:
                graph.replay()
                continue
            optimizer.zero_grad(set_to_none=True)
            side = torch.cuda.Stream()  # what is to be recorded must first have run elsewhere
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                learn()
            torch.cuda.current_stream().wait_stream(side)
            if step == BEFORE_RECORDING:  # from here on a step is one launch
                optimizer.zero_grad(set_to_none=True)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    learn()
        now = total_cost(model, judge)
        since += 1
        if now < best:
            best, since, best_step = now, 0, step
            cost = total_cost(model, test)
    return cost, best_step


def total_cost(model: Any, text: Any) -> float:
    """Nats of all pieces, each given at least half a context where there is one."""
    import torch
    from torch import nn

    model.eval()
    half, total = CONTEXT // 2, 0.0
    padded = torch.cat([torch.zeros(1, dtype=torch.long, device="cuda"), text])  # the end of a line before the first
    starts = list(range(0, max(len(padded) - 1 - half, 1), half))
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16):
        for group in (starts[i : i + 64] for i in range(0, len(starts), 64)):
            rows = [padded[at : at + CONTEXT + 1] for at in group]
            row = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)
            scores = model(row[:, :-1].clamp(min=0)).float()
            costs = nn.functional.cross_entropy(scores.transpose(1, 2), row[:, 1:], ignore_index=-1, reduction="none")
            first = torch.tensor([at == 0 for at in group], device="cuda")
            costs[~first, :half] = 0.0  # counted in the window before
            total += float(costs.double().sum())
    return total


def make_model() -> Any:
    """A transformer decoder whose input and output pieces share their vectors."""
    import torch
    from torch import nn

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.mixed, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.drop = nn.Dropout(0.1)

        def forward(self, x: Any) -> Any:
            size = (*x.shape[:2], HEADS, WIDTH // HEADS)
            query, key, value = (part.view(size).transpose(1, 2) for part in self.mixed(self.before(x)).chunk(3, -1))
            seen = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.drop(self.out(seen.transpose(1, 2).flatten(2)))
            return x + self.drop(self.narrow(nn.functional.gelu(self.wide(self.between(x)))))

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.pieces, self.places = nn.Embedding(PIECES, WIDTH), nn.Embedding(CONTEXT, WIDTH)
            self.blocks, self.last = nn.ModuleList(Block() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)
            self.drop = nn.Dropout(0.1)
            for one in self.parameters():
                if one.ndim > 1:
                    nn.init.normal_(one, std=0.02)

        def forward(self, ids: Any) -> Any:
            x = self.drop(self.pieces(ids) + self.places(torch.arange(ids.shape[1], device=ids.device)))
            for block in self.blocks:
                x = block(x)
            return self.last(x) @ self.pieces.weight.T

    return Model()


def show(results: Sequence[Path], docs: Path | None) -> None:
    """The mean of all seeds, a task and a budget a row; the lowest in bold, and what is within the noise of it."""
    made: dict[tuple[str, float], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in results:
        for row in map(json.loads, path.read_text().splitlines()):
            made[row["task"], row["share"]][row["method"]].append(row["perplexity"])
    text = "\n".join(table(made)) + "\n"
    print(text)
    if docs is not None:
        page = docs / "quality.md"
        before, _, after = page.read_text("utf-8").partition(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after.partition(END)[2]}", "utf-8")


def table(made: dict[tuple[str, float], dict[str, list[float]]]) -> Iterator[str]:
    yield "| text wanted | budget | " + " | ".join(METHODS) + " |"
    yield "|---|---|" + "---|" * len(METHODS)
    gaps = [abs(math.log(max(own) / min(own))) for cell in made.values() for own in cell.values() if len(own) > 1]
    noise = math.exp(sorted(gaps)[len(gaps) // 2]) if gaps else 1.0
    for (task, share), cell in sorted(made.items()):
        means = {name: sum(own) / len(own) for name, own in cell.items()}
        lowest = min(means.values())
        shown = []
        for name in METHODS:
            value = f"{means[name]:.1f}" if name in means else ""
            shown.append(f"**{value}**" if value and means[name] <= lowest * noise else value)
        yield f"| {task} | {100 * share:g} % | " + " | ".join(shown) + " |"
    yield ""
    if gaps:
        yield f"Bold: within {100 * (noise - 1):.1f} % of the lowest, the median difference between two seeds."
    else:
        yield "Bold: the lowest. One seed each; seeds differ by 1 to 2 %."


if __name__ == "__main__":
    main()
