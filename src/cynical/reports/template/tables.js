// Bars that follow the cut, and tables of words, lines and methods.

// A round share that all of them fit into, for the full width of a bar.
const roundShare = (most) => [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((share) => most <= share) || 1;

// rows(): [{ name, value, other, more }]; `other` is what a value is compared with; more(): names of further columns.
function bars(room, caption, says, what, keys, rows, more) {
  const grid = el("div", { class: "bars" });
  room.replaceChildren(el("h3", null, caption), el("p", { class: "says" }, says), grid,
    el("ul", { class: "legend" }, el("li", null, el("span", { class: "key" }), keys[0]), keys[1] ? el("li", null, el("span", { class: "key line" }), keys[1]) : null));
  followers.push(() => {
    const shown = rows(), most = Math.max(...shown.map((r) => Math.max(r.value, r.other || 0)), 1e-9);
    const full = roundShare(most), names = more ? more() : [];
    grid.className = `bars more${names.length}`;
    const head = el("div", { class: "bar head" }, el("div", { class: "label" }, what), el("div", { class: "value" }, keys[0] + (keys[1] ? ` (${keys[1]})` : "")),
      el("div", { class: "scale" }, el("span", null, "0 %"), el("span", null, share(full))), ...names.map((name) => el("div", { class: "value" }, name)));
    grid.replaceChildren(head, ...shown.map((r) => {
      const fillBar = el("div", { class: "fill" }), track = el("div", { class: "track" }, fillBar);
      fillBar.style.width = `${(100 * r.value) / full}%`;
      if (r.other !== null && r.other !== undefined) {
        const tick = el("div", { class: "tick" });
        tick.style.left = `${(100 * r.other) / full}%`;
        track.append(tick);
      }
      const value = percent(r.value) + (r.other !== null && r.other !== undefined ? ` (${percent(r.other)})` : "");
      return el("div", { class: "bar" }, el("div", { class: "label" }, said(r.name)), el("div", { class: "value" }, value), track, ...(r.more || []).map((text) => el("div", { class: "value" }, text)));
    }));
  });
}

function mixture(part) {
  const lines = cuts.lines[at] || 1, words = cuts.words[at] || 1, price = priceOf();
  return part.names.map((name, i) => ({ name, value: part.picked[i][at] / lines, other: part.available ? part.available[i] : null,
    more: [percent(part.words[i][at] / words), ...(price ? [money(owed(price, (part.paid || part.words)[i][at], part.paid_others ? part.paid_others[i][at] : 0))] : [])] }));
}

function usefulWords(room) {
  const rows = made.useful, classed = rows.some((row) => row.class), sided = made.followed > 1;
  const only = el("input", { type: "checkbox", id: "only-useful" });
  const body = el("tbody");
  const draw = () => body.replaceChildren(...rows.filter((row) => !only.checked || row.class === "useful").slice(0, 60).map((row) => el("tr", null,
    el("td", null, said(row.word)), sided ? el("td", null, said(made.sides[row.side])) : null, classed ? el("td", null, row.class || "") : null, el("td", { class: "n" }, small(row.bits)),
    el("td", { class: "n" }, whole(row.representative)), el("td", { class: "n" }, whole(row.picked)))));
  only.checked = classed && rows.some((row) => row.class === "useful");
  only.addEventListener("change", draw);
  const head = ["word", ...(sided ? ["side"] : []), ...(classed ? ["class"] : []), "bits", "in REPRESENTATIVE", "in the picks"];
  $("words").hidden = false;
  room.replaceChildren(
    el("p", { class: "says" }, `Sum of the gains of each word over all ${one(made.ranked, "pick")}, regardless of the cut, and its number of occurrences in REPRESENTATIVE and in the picks.${made.features ? " The gains are those of single words; the ranking also counts n-grams." : ""}`),
    classed ? el("p", { class: "row tight" }, only, el("label", { for: "only-useful" }, "only words of class useful, which distinguish REPRESENTATIVE")) : null,
    el("div", { class: "high", tabindex: 0, role: "region", "aria-label": "The most useful words" }, el("table", null, el("thead", null, el("tr", null, ...head.map((name) => el("th", { class: ["word", "side", "class"].includes(name) ? null : "n", scope: "col" }, name)))), body)));
  draw();
}

const PAGE = 50;
let found = [], shown = PAGE;

function searched() {
  const terms = $("search").value.toLowerCase().split(/\s+/).filter(Boolean), l = made.lines;
  found = [];
  for (let i = 0; i < l.rank.length; i++) {
    const text = `${l.text[i]} ${l.others.map((side) => side[i][0]).join(" ")} ${l.word[i]} ${l.label ? l.label[i] : ""}`.toLowerCase();
    if (terms.every((term) => text.includes(term))) found.push(i);
  }
  shown = PAGE;
  linesTable(terms);
}

function linesTable(terms) {
  const l = made.lines, best = made.features ? "best feature" : "best word", classOf = (name) => (["text", best, "label"].includes(name) ? null : "n");
  const columns = ["rank", "line", "bits", "penalty", "gain", "entropy", "words", best, ...(l.label ? ["label"] : [])];
  const rows = found.slice(0, shown).map((i) => {
    const cells = [whole(l.rank[i]), whole(l.line[i]), small(l.delta[i]), small(l.penalty[i]), small(l.gain[i]), bits(l.entropy[i]), whole(l.words[i]), bestWord(i), ...(l.label ? [said(l.label[i])] : [])];
    return el("tr", null, ...cells.map((cell, k) => el("td", { class: classOf(columns[k]) || "word", "data-name": columns[k] }, cell)),
      el("td", { class: "text" }, bothSides(i, (text, whole) => marked(text, terms, !whole)), reasons(l.why && l.why[i])));
  });
  $("table").replaceChildren(scrolling("Lines and why they were picked", el("table", null,
    el("thead", null, el("tr", null, ...[...columns, "text"].map((name) => el("th", { class: classOf(name), scope: "col" }, name)))), el("tbody", null, ...rows))));
  $("found").textContent = terms.length ? `${whole(found.length)} of ${one(l.rank.length, "line")} found` : `${whole(l.rank.length)} of ${one(made.ranked, "line")} are on this page`;
  $("more").hidden = found.length <= shown;
  $("more").textContent = `Show ${Math.min(PAGE, found.length - shown)} more`;
}

// The best word, with its side if several sides count.
function bestWord(i) {
  const l = made.lines, known = made.followed > 1 && l.why ? l.why[i].find(([word]) => word === l.word[i]) : null;
  return known ? el("span", null, said(l.word[i]), " ", sideName(known[3])) : said(l.word[i]);
}

// A line with what was searched for marked in it.
function marked(text, terms, cutOff) {
  const clear = visible(text), low = clear.toLowerCase(), node = el("bdi");
  const spans = low.length === clear.length ? terms.flatMap((term) => {
    const places = [];
    for (let i = low.indexOf(term); i >= 0; i = low.indexOf(term, i + term.length)) places.push([i, i + term.length]);
    return places;
  }).sort((a, b) => a[0] - b[0]) : [];
  let end = 0;
  for (const [a, b] of spans) {
    if (a < end) continue;
    node.append(clear.slice(end, a), el("mark", null, clear.slice(a, b)));
    end = b;
  }
  node.append(clear.slice(end) + (cutOff ? " \u2026" : ""));
  return node;
}

function reasons(why) {
  if (!why || !why.length) return null;
  const chip = ([word, times, gain, side]) => el("span", { class: "chip" }, el("b", null, said(word)), made.followed > 1 ? " " : null, made.followed > 1 ? sideName(side) : null, times > 1 ? ` \u00d7${times} ` : " ", small(gain));
  const first = why.slice(0, 5).map(chip), rest = why.slice(5).map(chip);
  return el("div", { class: "why" }, ...first, rest.length ? el("details", null, el("summary", null, `${rest.length} more words`), ...rest) : null);
}

const MEASURES = [["ngram_perplexity", "n-gram perplexity", perplexity], ["oov_tokens", "unknown words", percent], ["entropy", "entropy, bits per word", (v) => digits(v, 4)], ["kl_reduction", "KL reduction, nats", (v) => minus(digits(v, 3))]];
const HIGHER = "kl_reduction";  // is better; of all other measures, lower

function comparison(room) {
  const methods = made.comparison.methods.filter((method) => method.points.length);
  const measures = MEASURES.filter(([field]) => methods.some((m) => m.points.some((p) => Number.isFinite(p[field]))));
  if (!methods.length || !measures.length) return;
  $("comparison").hidden = false;
  const several = methods.some((m) => m.points.some((p) => p.by_seed.length > 1));
  const { order, lm, vocabulary, subsample } = made.comparison, dashes = ["", "dash", "dots"];
  $("judged").textContent = `Each method ranks AVAILABLE${subsample < 1 ? `, with each seed for a random ${fraction(subsample)} of the lines of REPRESENTATIVE` : ""}; at each budget, its first lines are measured on the held-out text${order ? `: the perplexity is that of a ${order}-gram model trained on them${lm === "kenlm" ? " by KenLM" : ""}${vocabulary ? `, in a language of ${one(vocabulary, "word")}` : ""}` : ""}. Lower is better, except for the KL reduction of hashed words and word pairs. Below a figure is its 95 % interval over samples of the held-out lines${several ? " and of the seeds" : ""}; \u2248 marks a figure that does not differ significantly from the lowest: the interval of their difference, on the same samples, includes 0.`;
  const shares = [...new Set(methods.flatMap((m) => m.points.map((p) => p.share)))].filter(Number.isFinite).sort((a, b) => a - b);
  measures.forEach(([field, plain, show]) => {
    const name = field === "ngram_perplexity" && order ? `${order}-gram perplexity` : plain, title = `${name[0].toUpperCase()}${name.slice(1)}`;
    room.append(scrolling(title, el("h3", null, `${title}, by share of AVAILABLE's words`), methodsTable(methods, shares, field, show)));
    if (shares.length < 2) return;  // no curve
    const figure = el("figure");
    room.append(figure);
    chart(figure, () => ({
      caption: title, says: "Each curve is one method; all are measured on the same held-out text.",
      series: methods.map((m, i) => ({ name: m.name, x: m.points.map((p) => p.words), y: m.points.map((p) => (Number.isFinite(p[field]) ? p[field] : null)), dash: dashes[Math.floor(i / 6) % 3] })),
      xName: "words picked", yName: name, xLog: true, yLog: field !== "entropy" && field !== HIGHER, yShow: field === "oov_tokens" ? share : null, tipShow: show,
    }));
  });
  const known = methods.filter((m) => m.what);
  if (known.length) room.append(el("details", null, el("summary", null, "What the methods are"), el("dl", null, ...known.flatMap((m) => [el("dt", null, said(m.name)), el("dd", null, visible(m.what))]))));
}

function methodsTable(methods, shares, field, show) {
  const better = field === HIGHER ? Math.max : Math.min;
  const best = shares.map((share) => better(...methods.map((m) => valueAt(m, share, field)).filter(Number.isFinite)));
  return el("table", { class: "methods" },
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "method"), ...shares.map((share) => el("th", { class: "n", scope: "col" }, fraction(share))))),
    el("tbody", null, ...methods.map((m) => el("tr", null, el("th", { scope: "row" }, said(m.name)), ...shares.map((share, k) => {
      const value = valueAt(m, share, field), wins = Number.isFinite(value) && value === best[k], sure = certainty(m, share, field);
      const tied = sure && sure.leads && !wins;
      return el("td", { class: wins ? "n best" : "n" }, tied ? el("span", { "aria-hidden": "true" }, "\u2248 ") : null, Number.isFinite(value) ? show(value) : "\u2013",
        wins ? el("span", { class: "sr" }, " (best)") : tied ? el("span", { class: "sr" }, " (not significantly different from the lowest)") : null,
        sure ? el("span", { class: "interval" }, `${show(sure.low)} \u2013 ${show(sure.high)}`) : null, spreadOf(m, share, field));
    })))));
}

const pointAt = (method, share) => method.points.find((p) => p.share === share);

// The interval of a figure, if it is known.
function certainty(method, share, field) {
  const point = pointAt(method, share);
  return (point && point.intervals && point.intervals[field]) || null;
}

// How much a method's perplexity differs from seed to seed.
function spreadOf(method, share, field) {
  const point = pointAt(method, share);
  if (field !== "ngram_perplexity" || !point || !Number.isFinite(point.spread)) return null;
  return el("span", { class: "interval" }, `\u00b1 ${perplexity(point.spread)} over ${one(point.by_seed.length, "seed")}`);
}

function valueAt(method, share, field) {
  const point = pointAt(method, share);
  return point ? point[field] : NaN;
}
