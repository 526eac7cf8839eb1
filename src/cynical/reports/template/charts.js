// Charts: inline SVG, drawn again when their width changes; hover, touch or arrow keys show the figures of a point.

const HEIGHT = 260;
const charts = [];

function ticksOf(low, high, log, room) {
  if (log) {
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
    for (const steps of [[1, 2, 5], [1, 3], [1]]) {
      const found = [];
      for (let e = from; e <= to; e++) for (const s of steps) {
        const value = s * 10 ** e;
        if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
      }
      if (found.length < (steps.length === 3 ? 3 : 2)) break;  // less than a decade or so: even steps say more
      if (found.length <= room || steps.length === 1) {
        const every = Math.ceil(found.length / room);
        return found.filter((_, i) => i % every === 0);
      }
    }
  }
  const rough = (high - low) / Math.max(room - 1, 1);
  if (!(rough > 0)) return [low];
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * size).find((k) => k >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found;
}

// Ticks with just enough digits to tell them apart, the same number for all.
function evenly(values) {
  let places = 0;
  while (places < 6 && values.some((v) => Math.abs(v - Number(v.toFixed(places))) > 1e-9 * Math.max(Math.abs(v), 1e-3))) places++;
  return (v) => (places ? minus(digits(v, places)) : short(v));
}

function scale(low, high, log, from, to) {
  const f = log ? Math.log : (v) => v;
  const a = f(low), b = f(high);
  const at = (v) => from + ((f(v) - a) / (b - a || 1)) * (to - from);
  at.back = (place) => {
    const value = a + ((place - from) / (to - from)) * (b - a);
    return log ? Math.exp(value) : value;
  };
  return at;
}

// Where the label of a vertical line goes: within the box and, if possible, on the side where it crosses no other line.
function besides(place, text, box, others) {
  const size = 6.4 * text.length + 8;
  const inside = (right) => (right ? place + size <= box.right : place - size >= box.left);
  const clear = (right) => inside(right) && !others.some((x) => (right ? x > place + 1 && x < place + size : x < place - 1 && x > place - size));
  const right = clear(true) || (!clear(false) && (inside(true) || (!inside(false) && place < (box.left + box.right) / 2)));
  return { x: place + (right ? 6 : -6), "text-anchor": right ? "start" : "end" };
}

// spec(): { caption, says, series: [{ name, x, y, dash }], xName, yName, xLog, yLog, yShow, xShow, marks, levels, cut, cutName, onPick }
function chart(figure, spec) {
  const picture = { figure, spec, cut: null };
  const caption = el("figcaption"), says = el("p", { class: "says" });
  const room = el("div"), tip = el("div", { class: "tip", role: "status" }), legend = el("ul", { class: "legend" });
  const table = el("details", null, el("summary", null, "show as a table"), scrolling("The figures as a table"));
  figure.replaceChildren(caption, says, room, tip, legend, table);
  table.addEventListener("toggle", () => { if (table.open) table.lastChild.replaceChildren(tableOf(spec())); });

  picture.draw = () => {
    const s = spec(), width = Math.max(figure.clientWidth - padding(figure), 220), height = s.height || HEIGHT;
    caption.textContent = s.caption;
    says.textContent = s.says || "";
    const box = { left: 52, right: width - 10, top: 22, bottom: height - 38 };
    const range = extent(s);
    table.hidden = !range;
    if (!range) {
      picture.move = null;
      legend.replaceChildren();
      room.replaceChildren(el("p", { class: "soft" }, "Nothing to draw."));
      return;
    }
    if (table.open) table.lastChild.replaceChildren(tableOf(s));
    const x = scale(range.x[0], range.x[1], s.xLog, box.left, box.right);
    const y = scale(range.y[0], range.y[1], s.yLog, box.bottom, box.top);
    const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, tabindex: 0, role: "group", "aria-label": `${s.caption}. ${s.says || ""} Arrow keys show the figures${s.onPick ? ", Enter sets the cut there" : ""}.` });
    const ticks = ticksOf(...range.y, s.yLog, 6), yShow = s.yShow || evenly(ticks);
    for (const value of ticks) {
      node.append(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
      node.append(svg("text", { x: box.left - 7, y: y(value) + 4, "text-anchor": "end" }, yShow(value)));
    }
    for (const value of ticksOf(...range.x, s.xLog, Math.max(2, Math.floor(width / 90)))) {
      node.append(svg("line", { class: "axis", x1: x(value), x2: x(value), y1: box.bottom, y2: box.bottom + 5 }));
      node.append(svg("text", { x: x(value), y: box.bottom + 18, "text-anchor": "middle" }, (s.xShow || short)(value)));
    }
    node.append(svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
    node.append(svg("text", { x: (box.left + box.right) / 2, y: height - 4, "text-anchor": "middle" }, s.xName));
    node.append(svg("text", { x: 0, y: 10 }, s.yName));
    for (const level of s.levels || []) {
      if (!(level.y >= range.y[0] && level.y <= range.y[1])) continue;
      node.append(svg("line", { class: "mark level", x1: box.left, x2: box.right, y1: y(level.y), y2: y(level.y) }));
      node.append(svg("text", { x: box.left + 4, y: y(level.y) - 5 }, level.name));
    }
    s.series.forEach((line, i) => node.append(svg("path", { class: `curve s${i % 6} ${line.dash || ""}`, d: pathOf(line, x, y, s) })));
    picture.line = svg("line", { class: "mark cut", y1: box.top, y2: box.bottom });
    const marks = (s.marks || []).filter((mark) => mark.x >= range.x[0] && mark.x <= range.x[1]), places = marks.map((mark) => x(mark.x));
    const labels = [];
    node.append(picture.line);  // below the marks, so that one at the same place still shows
    marks.forEach((mark, i) => {
      node.append(svg("line", { class: `mark ${mark.kind}`, x1: places[i], x2: places[i], y1: box.top, y2: box.bottom }));
      for (const name of mark.names) labels.push(svg("text", { class: mark.kind, ...besides(places[i], name, box, places), y: box.top + 10 + 15 * labels.length }, name));
      if (mark.y !== undefined && mark.y !== null) node.append(svg("circle", { class: `dot ${mark.kind}`, cx: places[i], cy: y(mark.y), r: 5.5 }));
    });
    picture.spot = svg("circle", { class: "dot cut", r: 3 });
    picture.label = svg("text", { class: "cut", y: box.top + 10 + 15 * labels.length });
    const here = s.series.map(() => svg("circle", { class: "dot here", r: 3.5, visibility: "hidden" }));
    node.append(picture.spot, ...labels, picture.label, ...here);
    picture.move = () => {
      const at = s.cut ? s.cut() : null;
      const inside = at && at.x >= range.x[0] && at.x <= range.x[1];
      for (const part of [picture.line, picture.label]) part.setAttribute("visibility", inside ? "visible" : "hidden");
      const dotted = inside && at.y !== null && at.y !== undefined && at.y >= range.y[0] && at.y <= range.y[1];
      picture.spot.setAttribute("visibility", dotted ? "visible" : "hidden");
      if (inside) for (const k of ["x1", "x2"]) picture.line.setAttribute(k, x(at.x));
      if (inside && s.cutName) {
        picture.label.textContent = s.cutName();
        for (const [key, value] of Object.entries(besides(x(at.x), picture.label.textContent, box, places))) picture.label.setAttribute(key, value);
      }
      if (dotted) { picture.spot.setAttribute("cx", x(at.x)); picture.spot.setAttribute("cy", y(at.y)); }
    };
    pointing(node, { s, x, y, range, box, tip, here, figure, room });
    room.replaceChildren(node);
    const unnamed = s.cutName ? [] : [...marks.map((mark) => [mark.kind, mark.key]), ...(s.cut ? [["cut", "the cut"]] : [])];
    legend.replaceChildren(...(s.series.length > 1 ? s.series.map((line, i) => el("li", null, sample(`curve s${i % 6} ${line.dash || ""}`), said(line.name))) : []),
      ...unnamed.map(([kind, name]) => el("li", null, sample(`mark ${kind}`), name)));
    picture.move();
  };
  charts.push(picture);
  return picture;
}

// Content wider than the page scrolls in its own box, also with the keyboard.
const scrolling = (name, ...children) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, ...children);

// The curve whose points are walked along: the first that has any.
const leading = (s) => s.series.find((line) => line.x.some((px, i) => drawn(s, px, line.y[i]))) || s.series[0];

function padding(node) {
  const style = getComputedStyle(node);
  return parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
}

const sample = (name) => svg("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" }, svg("line", { class: name, x1: 1, x2: 25, y1: 5, y2: 5 }));

const drawn = (s, px, py) => px !== null && py !== null && px !== undefined && py !== undefined && Number.isFinite(py) && (!s.xLog || px > 0) && (!s.yLog || py > 0);

function extent(s) {
  let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
  for (const line of s.series) line.x.forEach((px, i) => {
    if (drawn(s, px, 1)) { x0 = Math.min(x0, px); x1 = Math.max(x1, px); }
    if (!drawn(s, px, line.y[i])) return;
    y0 = Math.min(y0, line.y[i]); y1 = Math.max(y1, line.y[i]);
  });
  if (!(y1 > -Infinity)) return null;
  for (const level of s.levels || []) if (!s.yLog || level.y > 0) { y0 = Math.min(y0, level.y); y1 = Math.max(y1, level.y); }
  if (s.yLog) { y0 *= 0.9; y1 *= 1.1; } else { const more = (y1 - y0) * 0.05 || Math.abs(y1) * 0.05 || 1; y0 = s.yZero ? 0 : y0 - more; y1 += more; }
  if (x0 === x1) { x0 = s.xLog ? x0 / 2 : x0 - 1; x1 = s.xLog ? x1 * 2 : x1 + 1; }
  return { x: [x0, x1], y: [y0, y1] };
}

function pathOf(line, x, y, s) {
  let path = "", down = false;
  line.x.forEach((px, i) => {
    if (!drawn(s, px, line.y[i])) { down = false; return; }
    path += `${down ? "L" : "M"}${x(px).toFixed(1)} ${y(line.y[i]).toFixed(1)}`;
    down = true;
  });
  return path;
}

function nearest(values, wanted, s) {
  let best = -1, least = Infinity;
  values.forEach((value, i) => {
    if (s.xLog && !(value > 0)) return;
    const far = s.xLog ? Math.abs(Math.log(value / wanted)) : Math.abs(value - wanted);
    if (far < least) { least = far; best = i; }
  });
  return best;
}

function pointing(node, c) {
  const { s, x, y, box, tip, here, room } = c, leader = leading(s);
  let at = -1;
  const show = (i) => {
    at = i;
    const px = leader.x[i], rows = [el("div", null, `${s.xName}: ${whole(px)}`)];
    s.series.forEach((line, k) => {
      const j = line === leader ? i : nearest(line.x, px, s), ok = j >= 0 && drawn(s, line.x[j], line.y[j]);
      here[k].setAttribute("visibility", ok ? "visible" : "hidden");
      if (!ok) return;
      here[k].setAttribute("cx", x(line.x[j])); here[k].setAttribute("cy", y(line.y[j]));
      rows.push(el("div", null, said(line.name), `: ${(s.tipShow || s.yShow || short)(line.y[j])}`));
    });
    tip.replaceChildren(...rows);
    const width = room.clientWidth, ratio = width / node.viewBox.baseVal.width;
    const left = x(px) * ratio, size = tip.offsetWidth;
    tip.style.left = `${Math.min(Math.max(left + (left + size + 30 > width ? -size - 4 : 28), 4), Math.max(width - size, 4))}px`;
    tip.style.top = `${room.offsetTop + box.top + 24}px`;
  };
  const hide = () => { tip.textContent = ""; here.forEach((dot) => dot.setAttribute("visibility", "hidden")); at = -1; };
  const find = (event) => {
    const size = node.getBoundingClientRect();
    const place = ((event.clientX - size.left) / size.width) * node.viewBox.baseVal.width;
    return nearest(leader.x, x.back(Math.min(Math.max(place, box.left), box.right)), s);
  };
  node.addEventListener("pointermove", (event) => show(find(event)));
  node.addEventListener("pointerleave", hide);
  node.addEventListener("blur", hide);
  node.addEventListener("click", (event) => { if (s.onPick) s.onPick(find(event)); });
  node.addEventListener("keydown", (event) => {
    const last = leader.x.length - 1, first = s.xLog ? leader.x.findIndex((px) => px > 0) : 0;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -Math.ceil(last / 20), PageUp: Math.ceil(last / 20), Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      const start = at >= 0 ? at : Math.max(s.start ? s.start() : 0, 0);
      show(Math.min(Math.max(start + steps[event.key], first), last));
      event.preventDefault();
    } else if (event.key === "Enter" && at >= 0 && s.onPick) s.onPick(at);
    else if (event.key === "Escape") hide();
  });
}

// Some rows of the data of a chart, as an accessible table.
function tableOf(s) {
  const leader = leading(s), size = leader.x.length, step = Math.max(1, Math.floor(size / 14));
  const rows = leader.x.map((_, i) => i).filter((i) => i % step === 0 || i === size - 1);
  return el("table", null,
    el("thead", null, el("tr", null, el("th", { class: "n", scope: "col" }, s.xName), ...s.series.map((line) => el("th", { class: "n", scope: "col" }, said(line.name))))),
    el("tbody", null, ...rows.map((i) => el("tr", null,
      el("td", { class: "n" }, whole(leader.x[i])),
      ...s.series.map((line) => {
        const j = line.x === leader.x ? i : nearest(line.x, leader.x[i], s);
        return el("td", { class: "n" }, line.y[j] === null || line.y[j] === undefined ? "\u2013" : (s.tipShow || s.yShow || short)(line.y[j]));
      })))));
}

// Columns side by side, with an outline to compare them with.
function histogram(figure, caption, says, names, columns, outline) {
  const room = el("div");
  figure.replaceChildren(el("figcaption", null, caption), el("p", { class: "says" }, says), room, el("ul", { class: "legend" },
    el("li", null, el("span", { class: "key" }), "picks"), outline ? el("li", null, el("span", { class: "key line" }), "representative") : null));
  const draw = () => {
    const width = Math.max(figure.clientWidth - padding(figure), 220), height = 220, box = { left: 40, right: width - 4, top: 10, bottom: height - 34 };
    const values = columns(), most = Math.max(...values, ...(outline || [0])) * 1.05 || 1, step = (box.right - box.left) / names.length;
    const y = scale(0, most, false, box.bottom, box.top);
    const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": `${caption}. ${says}` });
    for (const value of ticksOf(0, most, false, 5)) {
      node.append(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
      node.append(svg("text", { x: box.left - 6, y: y(value) + 4, "text-anchor": "end" }, `${Number((100 * value).toPrecision(3))} %`));
    }
    names.forEach((name, i) => {
      const left = box.left + i * step;
      node.append(svg("rect", { class: "column", x: left + 1, y: y(values[i]), width: Math.max(step - 2, 1), height: Math.max(box.bottom - y(values[i]), 0) },
        svg("title", null, `${name} words: ${percent(values[i])} of the picks${outline ? `, ${percent(outline[i])} of the representative lines` : ""}`)));
      if (i % Math.ceil(60 / step) === 0) node.append(svg("text", { x: left + step / 2, y: box.bottom + 16, "text-anchor": "middle" }, name));
    });
    if (outline) node.append(svg("path", { class: "outline", d: outline.map((value, i) => `${i ? "L" : "M"}${(box.left + i * step).toFixed(1)} ${y(value).toFixed(1)}H${(box.left + (i + 1) * step).toFixed(1)}`).join("") }));
    node.append(svg("text", { x: (box.left + box.right) / 2, y: height - 3, "text-anchor": "middle" }, "words per line"));
    room.replaceChildren(node);
  };
  charts.push({ figure, draw, move: draw });
}
