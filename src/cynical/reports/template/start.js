// What the page shows, put together.

const acrossWords = () => $("axis").value === "words";
const across = () => (acrossWords() ? cuts.words : cuts.lines);
const along = () => ({ xName: acrossWords() ? "words picked" : "lines picked", xLog: $("log").checked, onPick: (i) => setCut(i), start: () => at });
const balance = () => (acrossWords() ? made.balance.words : made.balance.lines);
const cutAt = (y) => () => ({ x: across()[at], y: y ? y[at] : null });

// With n-grams, the lowest entropy of single words is not the stopping point.
const lowestName = made.features ? (made.stop.known ? "lowest entropy of words" : "lowest entropy so far") : (made.stop.known ? "stopping point" : "lowest so far");

function marksOf(y) {
  const mark = (place, kind, key) => ({ x: across()[place], y: y ? y[place] : null, kind, key, names: y ? [`${key}: ${one(cuts.lines[place], "line")}`] : [] });
  if (!made.ranked) return [];
  const own = modelStop === null ? [[stop, lowestName]] : [[stop, lowestName], [modelStop, "stopping point for a model"]];
  const marks = own.map(([place, key]) => (best === place ? { ...mark(place, "stop", key), key: `${key}, and best on held-out text`, names: y ? [...mark(place, "stop", key).names, "and best on held-out text"] : [] } : mark(place, "stop", key)));
  return [...marks, ...(best === null || own.some(([place]) => place === best) ? [] : [mark(best, "best", "best on held-out text")])];
}

function curves() {
  const h = cuts.entropy;
  chart($("entropy"), () => ({
    caption: `Cross-entropy of REPRESENTATIVE, in bits per word${made.over ? `, over ${made.over}` : ""}: lowest at ${one(made.stop.lines, "line")}`,
    says: `${made.stop.rises ? `${whole(made.stop.rises)} of these lines raise${made.stop.rises === 1 ? "s" : ""} it, which other lines more than make up for.` : "Each of these lines lowers it."} ${made.stop.known ? "No longer cut was found to be lower."
      : "The ranking is too short to be sure that this is the lowest point; rank more lines to find out."}${made.features ? " The bits are those of single words; the ranking also counts n-grams." : ""}`,
    series: [{ name: "entropy", x: across(), y: h }], yName: entropyName, marks: marksOf(h), cut: cutAt(h), cutName: () => `the cut: ${one(cuts.lines[at], "line")}`, height: 320,
    tipShow: bits, ...along(),
  }));
  if (made.unknown) {
    const u = made.unknown.representative, v = made.unknown.heldout, levels = [];
    if (made.covers && made.covers.tokens < 1 - 1e-9) levels.push({ y: 1 - made.covers.tokens, name: `${made.seeded ? "in neither SEED nor any line" : "in no line"}: ${percent(1 - made.covers.tokens)} of the words` });
    chart($("unknown"), () => ({
      caption: `Words of REPRESENTATIVE that are missing in ${made.seeded ? "SEED and the picks" : "the picks"}`, says: "As a share of all words, and of the different words (types).",
      series: [{ name: "words", x: across(), y: u.tokens }, { name: "types", x: across(), y: u.types, dash: "dash" },
        ...(v ? [{ name: "held-out words", x: across(), y: v.tokens }, { name: "held-out types", x: across(), y: v.types, dash: "dash" }] : [])],
      yName: "unknown", yLog: true, yShow: share, tipShow: percent, levels, marks: marksOf(null), cut: cutAt(u.tokens), ...along(),
    }));
  }
  chart($("balance"), () => ({
    caption: "Gain and penalty of a line",
    says: `The words of a line lower the entropy (gain), its length raises it (penalty). Mean bits per line between two points${made.features ? ", of words and n-grams together" : ""}. Beyond the point where the curves cross, lines raise the entropy on average.`,
    series: [{ name: "gain of its words", x: balance(), y: made.balance.gain.map((g) => -g) }, { name: "penalty of its length", x: balance(), y: made.balance.penalty, dash: "dash" }],
    yName: "bits per line", yLog: true, yShow: power, tipShow: small, marks: marksOf(null), cut: cutAt(null), ...along(), onPick: (i) => setCut(placeOf(made.balance.lines[i])), start: () => 0,
  }));
  const m = made.model_stop;
  if (m && m.words.length) {
    const low = m.perplexity.indexOf(Math.min(...m.perplexity)), mark = { x: m.words[low], y: m.perplexity[low], kind: "stop", key: "stopping point", names: [`lowest: ${one(m.words[low], "word")}`] };
    chart($("model-stop"), () => ({
      caption: `Stopping point for a model: lowest at ${one(m.lines, "line")}`,
      says: `Perplexity of ${one(m.held_out, "line")} of REPRESENTATIVE that were held out, under n-gram models trained on a first ranking, which was made without them, up to each of ${one(m.words.length, "cut")}. The ranking on this page was made with all of REPRESENTATIVE.`,
      series: [{ name: "held-out perplexity", x: m.words, y: m.perplexity }], yName: "perplexity", yLog: true, tipShow: perplexity, marks: [mark],
      ...along(), xName: "words picked", onPick: (i) => setCut(nearest(cuts.words, m.words[i], {})), start: () => 0,
    }));
  }
  const e = made.evaluation;
  if (e && e.points.some((p) => Number.isFinite(p.ngram_perplexity))) {
    const x = () => e.points.map((p) => (acrossWords() ? p.words : p.lines));
    const mark = e.best && Number.isFinite(e.best.ngram_perplexity) ? `, lowest at ${one(e.best.lines, "line")}` : "";
    chart($("heldout"), () => ({
      caption: `Perplexity of an n-gram model on held-out text${mark}`, says: `Trained on the lines up to each of ${one(e.points.length, "cut")}.`,
      series: [{ name: "n-gram perplexity", x: x(), y: e.points.map((p) => p.ngram_perplexity) }, ...(e.points.some((p) => Number.isFinite(p.ngram_perplexity_known)) ? [{ name: "known words only", x: x(), y: e.points.map((p) => p.ngram_perplexity_known), dash: "dash" }] : [])],
      yName: "perplexity", yLog: true, tipShow: perplexity, marks: marksOf(null), cut: cutAt(null), ...along(), onPick: (i) => setCut(placeOf(e.points[i].lines)), start: () => 0,
    }));
  }
}

function parts() {
  const l = made.labels;
  if (l) {
    bars($("labels"), "Sources of the picks", `Share of the lines up to the cut${l.available ? "; in parentheses, share of all lines of AVAILABLE" : ""}. Words: share of the words up to the cut.`, "label",
      ["lines", l.available ? "AVAILABLE" : null], () => mixture(l), () => ["words", ...(priceOf() ? ["cost"] : [])]);
  }
  if (made.classes) {
    const rows = made.classes.rows.map((row, i) => ({ ...row, picked: made.classes.picked[i] }));
    bars($("classes"), "Words by class", "Share of the words up to the cut; in parentheses, share of the words of REPRESENTATIVE. Useful words are much more frequent in REPRESENTATIVE than in AVAILABLE; useless words do not occur in it.", "class", ["picks", "REPRESENTATIVE"],
      () => {
        const all = rows.reduce((sum, row) => sum + row.picked[at], 0) || 1;  // of the sides that are followed
        return rows.map((row) => ({ name: `${row.name}, ${one(row.types, "type")}`, value: row.picked[at] / all, other: row.representative }));
      });
  }
  if (made.lengths) {
    histogram($("lengths"), "Length of the lines", made.lengths.representative ? "Picks up to the cut, compared with the lines of REPRESENTATIVE." : "Picks up to the cut.", made.lengths.names,
      () => made.lengths.picked.map((row) => row[at] / (cuts.lines[at] || 1)), made.lengths.representative);
  }
  if (made.useful && made.useful.length) usefulWords($("useful"));
}

// The first sentence for a buyer.
function bought() {
  const u = made.unknown && made.unknown.representative, sentence = `${one(made.ranked, "line")}${made.available ? ` out of ${whole(made.available.lines)}` : ""} for ${money(owed(made.price, paid(last), paidOthers(last)))}: ${terms(made.price, last)}.`;
  return u ? `${sentence} ${made.seeded ? "Together with SEED, they" : "They"} cover ${percent(1 - u.tokens[last])} of the words of REPRESENTATIVE${made.seeded ? `; SEED alone covers ${percent(1 - u.tokens[0])}` : ""}.` : sentence;
}

// What the page is about: a comparison comes first, and then the ranking of one of its methods.
function subject() {
  const a = made.available, kind = made.kind[0].toUpperCase() + made.kind.slice(1);
  const lead = `${kind}: ${one(made.ranked, "line")}${a ? ` out of ${whole(a.lines)}` : ""}, ${one(cuts.words[last], "word")}${cuts.entropy[0] !== null && made.ranked ? `; the cross-entropy of REPRESENTATIVE goes from ${bits(cuts.entropy[0])} to ${bits(cuts.entropy[last])} bits per word` : ""}.`;
  const options = (changed) => (changed === null || changed === undefined ? "" : changed.length ? `Settings that differ from the defaults: ${visible(changed.join(", "))}` : "All settings have their defaults.");
  $("name").textContent = visible(made.title);
  const priced = made.price !== null && made.price !== undefined && made.ranked;
  if (priced) {
    $("curves").insertBefore($("unknown"), $("entropy"));
    $("curves-heading").textContent = "Coverage and entropy of REPRESENTATIVE";
    $("bits").textContent = `Bits measure how hard it is to guess a word of REPRESENTATIVE knowing only ${made.seeded ? "SEED and these lines" : "these lines"}: with one bit less, there are half as many equally likely words. Lower is better.`;
  }
  if (made.comparison) {
    $("verdict").append(...made.verdict.map((sentence) => el("p", null, visible(sentence))));
    $("changed").textContent = options(made.comparison.changed);
    $("ranking").hidden = false;
    $("ranking-heading").append("The ranking of ", said(made.name), made.comparison.subsample < 1 ? ", for all lines of REPRESENTATIVE" : "");
    $("ranking-lead").textContent = `${lead} From here on, bits refer to REPRESENTATIVE; in the tables above, they refer to the held-out text.`;
    $("ranking-changed").textContent = options(made.changed);
  } else {
    $("lead").textContent = priced ? bought() : lead;
    $("changed").textContent = options(made.changed);
  }
  $("texts").append(...made.texts.map((t) => el("li", null, el("span", { class: "role" }, t.role), el("span", { class: "name" }, said(t.name)),
    el("span", { class: "size" }, [...["line", "word", "type"].filter((size) => t[`${size}s`] !== undefined).map((size) => one(t[`${size}s`], size)), ...(t.note ? [visible(t.note)] : [])].join(", ")))));
  if (made.features) $("table-says").textContent = "The ranking also counts n-grams: bits, penalty and gain are those of words and n-grams together (the entropy is that of single words), and the best feature may be an n-gram. The words below a line are single words, so their gains do not add up to the gain of the line.";
}

function start() {
  subject();
  $("slider").max = last;
  $("lines").max = made.ranked;
  $("price-name").textContent = `price per ${perUnit}`;
  $("price").value = made.price === null || made.price === undefined ? "" : made.price;
  const jumps = [["Start", 0], ...(modelStop === null ? [] : [["Stopping point", modelStop]]), [lowestName[0].toUpperCase() + lowestName.slice(1), stop], ...(best === null ? [] : [["Best cut", best]]), ["All", last]];
  $("jumps").append(...jumps.map(([name, place]) => {
    const button = el("button", { type: "button" }, name);
    button.addEventListener("click", () => setCut(place));
    return button;
  }));
  curves();
  parts();
  if (made.comparison) comparison($("methods"));
  followers.push(figures, around, toTake);
  $("slider").addEventListener("input", () => setCut(Number($("slider").value)));
  $("lines").addEventListener("change", typed);
  $("price").addEventListener("input", () => setCut(at));
  $("copy").addEventListener("click", copy);
  $("save").addEventListener("click", save);
  for (const id of ["axis", "log"]) $(id).addEventListener("change", () => charts.forEach((picture) => picture.draw()));
  $("search").addEventListener("input", searched);
  $("more").addEventListener("click", () => { shown += PAGE; linesTable($("search").value.toLowerCase().split(/\s+/).filter(Boolean)); });
  const themes = ["auto", "light", "dark"];
  $("theme").addEventListener("click", () => {
    const now = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
    if (now === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = now;
    $("theme").textContent = `Colours: ${now}`;
    $("theme").setAttribute("aria-label", now === "auto" ? "Colours: same as the system" : `Colours: ${now}`);
  });
  $("notes").append(...made.notes.map((note) => el("li", null, visible(note))), el("li", null, `The page contains ${one(last + 1, "cut")}, and ${one(made.lines.rank.length, "line")} of ${whole(made.ranked)}.`));
  const facts = made.signature ? [["signature", made.signature]] : [];
  $("settings").append(...[...facts, ...Object.entries(made.settings)].flatMap(([name, value]) => [el("dt", null, name), el("dd", null, visible(String(value)))]));
  $("footer").textContent = `Made by cynical ${made.version}.`;
  setCut(made.ranked ? placeOf(made.start) || last : 0);
  charts.forEach((picture) => picture.draw());
  searched();
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; fit(); charts.forEach((picture) => picture.draw()); } });
}

start();
