
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const stage = byId("stage"), world = byId("world"), panel = byId("panel");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const reads = Object.fromEntries(data.relations.map((relation) => [relation.name, relation.reads]));
  const heaviest = Math.max(0, ...data.concepts.map((concept) => concept.weight ?? 0)) || 1;
  const state = { view: "radial", language: data.languages[0], chosen: null, hidden: new Set(), matches: new Set() };
  const edits = editsOf(data);
  const eye = { k: 1, x: 0, y: 0 };

  // Small tools. Text is only ever set as text, so that no label can be taken for markup.
  function html(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  function svg(tag, attributes, parent) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  }
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const radiusOf = (share) => 2.5 + 9.5 * clamp(share, 0, 1) ** 1.2;
  function labelOf(concept) {
    const own = concept.labels.find(([language]) => language === state.language) ?? concept.labels[0];
    return own ? own[1] : concept.name;
  }

  // Two scenes share one stage: the ontology (drawn round or as a tree) and the lattice.
  function ontologyScene() {
    const above = data.concepts.map(() => []), below = data.concepts.map(() => []), hangs = [];
    data.edges.forEach((edge, at) => {
      above[edge.child].push(at);
      below[edge.parent].push(at);
      if (edge.tree) hangs[edge.child] = edge.relation;
    });
    const nodes = data.concepts.map((concept, at) => ({
      kind: at === data.root ? "root" : hangs[at] ?? "related",
      radius: data.weighted ? radiusOf(concept.weight / heaviest) : at === data.root ? 9 : 4.5,
      rank: concept.ring - (concept.weight ?? 0) / heaviest / 2,
      place: () => concept[state.view],
      texts: () => [{ text: labelOf(concept), spots: anchors(concept), upper: concept.ring <= 2 }],
      words: [...concept.labels, ...concept.synonyms].map(([, text]) => text),
      title: () => labelOf(concept),
    }));
    const edges = data.edges.map((edge) => ({
      kind: edge.relation, from: edge.parent, to: edge.child, cross: !edge.tree, curve: curveOf(edge),
    }));
    return { nodes, edges, above, below };
  }
  // Geometry: each edge is one cubic curve, so that drawings can pass into each other.
  const straight = ([ax, ay], [bx, by]) => [ax, ay, (2 * ax + bx) / 3, (2 * ay + by) / 3, (ax + 2 * bx) / 3, (ay + 2 * by) / 3, bx, by];
  const bent = ([ax, ay], [mx, my], [bx, by]) =>
    [ax, ay, (ax + 2 * mx) / 3, (ay + 2 * my) / 3, (bx + 2 * mx) / 3, (by + 2 * my) / 3, bx, by];
  function curveOf(edge) {
    const parent = data.concepts[edge.parent], child = data.concepts[edge.child];
    return () => {
      const a = parent[state.view], b = child[state.view];
      if (state.view === "tree") {
        const middle = (a[0] + b[0]) / 2;
        if (edge.tree) return [a[0], a[1], middle, a[1], middle, b[1], b[0], b[1]];
        return bent(a, [middle + (b[1] - a[1]) * 0.18, (a[1] + b[1]) / 2], b);
      }
      if (!edge.tree) return bent(a, [(a[0] + b[0]) * 0.3, (a[1] + b[1]) * 0.3], b);
      const near = Math.hypot(...a), far = Math.hypot(...b), half = (near + far) / 2;
      if (near < 1) return straight(a, b);
      return [...a, (a[0] / near) * half, (a[1] / near) * half, (b[0] / far) * half, (b[1] / far) * half, ...b];
    };
  }
  // Where a label may stand, the best place first.
  function anchors(concept) {
    const spot = (align, angle = 0) => ({ align, angle, side: align === "middle" ? -1 : 0 });
    if (state.view === "tree") return concept.leaf ? [spot("start")] : [spot("end"), spot("start"), spot("middle")];
    const [x, y] = concept.radial, angle = (Math.atan2(y, x) * 180) / Math.PI, left = Math.abs(angle) > 90;
    const [out, back] = left ? ["end", "start"] : ["start", "end"];
    if (concept.ring === 1) return [spot("middle"), { align: "middle", angle: 0, side: 1 }];
    if (concept.ring === 2) return [spot(out), spot(back), spot("middle"), { align: "middle", angle: 0, side: 1 }];
    const along = left ? angle + 180 : angle;
    return concept.leaf ? [spot(out, along)] : [spot(back, along), spot(out, along)];
  }

  // Building the elements of a scene once, then moving them.
  const scenes = { radial: ontologyScene() };
  scenes.tree = scenes.radial;
  if (data.hasse) scenes.lattice = latticeScene(data.hasse, straight);
  const inLattice = () => state.view === "lattice";
  let scene = null;
  const ruler = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  const widths = new Map();
  function widthOf(text, size, bold) {
    const key = `${bold ? 6 : 4}${text}`;
    if (!widths.has(key)) {
      ruler.font = `${bold ? 620 : 400} 100px ${family}`;
      widths.set(key, ruler.measureText(text).width / 100);
    }
    return widths.get(key) * size;
  }
  function build() {
    for (const id of ["rings", "edges", "nodes", "labels"]) byId(id).replaceChildren();
    scene.edges.forEach((edge, at) => {
      edge.line = svg("path", {}, byId("edges"));
      edge.hit = svg("path", { "data-edge": at }, byId("edges"));
      dress(edge);
    });
    scene.nodes.forEach((node, at) => {
      node.dot = svg("circle", { class: `node ${node.kind}`, "data-node": at }, byId("nodes"));
      svg("title", {}, node.dot);
      node.labels = [];
    });
    retext();
  }
  function dress(edge) {
    const names = `${edge.kind}${edge.cross ? " cross" : ""}${edge.dropped ? " dropped" : ""}`;
    edge.line.setAttribute("class", `edge ${names}`);
    edge.hit.setAttribute("class", `hit ${names}`);
  }
  function retext() {
    byId("labels").replaceChildren();
    scene.nodes.forEach((node, at) => {
      node.dot.firstChild.textContent = node.title();
      node.labels = node.texts().map((label) => {
        const names = `label${label.upper ? " upper" : ""}${label.objects ? " objects" : ""}`;
        const element = svg("text", { class: names, "data-node": at }, byId("labels"));
        element.textContent = shorten(label.text, 34);
        return { ...label, element };
      });
    });
  }
  const draw = (points) => `M${points[0]} ${points[1]}C${points.slice(2).map((value) => value.toFixed(1)).join(" ")}`;
  function settle() {
    for (const node of scene.nodes) [node.x, node.y] = node.place();
    for (const edge of scene.edges) edge.points = edge.curve();
    paint();
  }
  function paint() {
    for (const node of scene.nodes) {
      node.dot.setAttribute("cx", node.x);
      node.dot.setAttribute("cy", node.y);
    }
    for (const edge of scene.edges) {
      const path = draw(edge.points);
      edge.line.setAttribute("d", path);
      edge.hit.setAttribute("d", path);
    }
  }
  function rings() {
    byId("rings").replaceChildren();
    if (state.view !== "radial") return;
    const radii = new Set(data.concepts.map((concept) => Math.round(Math.hypot(...concept.radial))));
    const kept = [];
    for (const radius of [...radii].sort((a, b) => a - b)) {
      if (radius > 1 && (!kept.length || radius - kept.at(-1) > 5)) kept.push(radius);
    }
    for (const radius of kept) svg("circle", { r: radius }, byId("rings"));
  }

  // Labels keep their size on the screen. The important ones are set first; one that would overlap waits for more room.
  // Where that takes long, it waits until the hand rests.
  let pace = 0, later = 0;
  function look() {
    world.setAttribute("transform", `translate(${eye.x} ${eye.y}) scale(${eye.k})`);
    const zoom = clamp(Math.sqrt(eye.k), 0.62, 2.2);
    for (const node of scene.nodes) {
      node.reach = state.view === "lattice" ? Math.min(node.radius * zoom, Math.max(1.6, data.hasse.step * eye.k * 0.42)) : node.radius * zoom;
      node.dot.setAttribute("r", node.reach / eye.k);
    }
    if (pace < 12) relabel();
    else {
      clearTimeout(later);
      later = setTimeout(relabel, 90);
    }
  }
  function boxOf(label, spot, node) {
    const size = label.upper ? 13.5 : 11.5;
    const width = widthOf(label.element.textContent, size, label.upper) + 6, height = size * 1.22;
    const gap = node.reach + 4, way = { start: 1, middle: 0, end: -1 }[spot.align];
    const along = way * (gap + width / 2 - 3), across = spot.side * (gap + height / 2);
    const turn = (spot.angle * Math.PI) / 180, c = Math.cos(turn), s = Math.sin(turn);
    return {
      x: node.x * eye.k + eye.x + along * c - across * s, y: node.y * eye.k + eye.y + along * s + across * c,
      c, s, w: width / 2, h: height / 2, node,
      text: { x: way * gap, y: across + size * 0.35, "font-size": size, "text-anchor": spot.align, angle: spot.angle },
    };
  }
  function overlap(a, b) {
    const dx = b.x - a.x, dy = b.y - a.y;
    if (Math.abs(dx) > a.w + b.w + a.h + b.h || Math.abs(dy) > a.w + b.w + a.h + b.h) return false;
    const cos = Math.abs(a.c * b.c + a.s * b.s), sin = Math.abs(a.c * b.s - a.s * b.c);
    return Math.abs(dx * a.c + dy * a.s) < a.w + b.w * cos + b.h * sin && Math.abs(dy * a.c - dx * a.s) < a.h + b.w * sin + b.h * cos
      && Math.abs(dx * b.c + dy * b.s) < b.w + a.w * cos + a.h * sin && Math.abs(dy * b.c - dx * b.s) < b.h + a.w * sin + a.h * cos;
  }
  function relabel() {
    const begin = performance.now();
    const { width, height } = stage.getBoundingClientRect();
    const first = (node) => (node.chosen ? -4000 : node.lit ? -2000 : 0) - (node.match ? 3000 : 0) + node.rank;
    const inside = (box) => box.x > -box.w && box.x < width + box.w && box.y > -box.w && box.y < height + box.w;
    const dots = scene.nodes.filter((node) => !node.away)
      .map((node) => ({ x: node.x * eye.k + eye.x, y: node.y * eye.k + eye.y, c: 1, s: 0, w: node.reach, h: node.reach, node }))
      .filter(inside);
    const set = [];
    const waiting = scene.nodes.flatMap((node) => (node.away ? [] : node.labels).map((label) => ({ node, label, rank: first(node) + (label.objects ? 1500 : 0) })));
    for (const { node, label } of waiting.sort((a, b) => a.rank - b.rank)) {
      const free = label.spots.map((spot) => boxOf(label, spot, node))
        .filter((box) => inside(box) && !set.some((other) => overlap(box, other)));
      const box = free.find((own) => !dots.some((dot) => dot.node !== node && overlap(own, dot))) ?? free[0]
        ?? (node.chosen ? boxOf(label, label.spots[0], node) : null);
      label.element.classList.toggle("hidden", !box);
      if (box) write(label.element, box, set);
    }
    pace = performance.now() - begin;
  }
  function write(element, box, set) {
    set.push(box);
    const { angle, ...rest } = box.text;
    for (const [key, value] of Object.entries(rest)) element.setAttribute(key, value);
    element.setAttribute("transform", `translate(${box.node.x} ${box.node.y}) scale(${1 / eye.k}) rotate(${angle})`);
  }
  let pending = false;
  function soon() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; look(); });
  }

  // Zoom and pan.
  function zoomAt(x, y, factor) {
    const k = clamp(eye.k * factor, 0.03, 8), ratio = k / eye.k;
    Object.assign(eye, { k, x: x - (x - eye.x) * ratio, y: y - (y - eye.y) * ratio });
    soon();
  }
  function middle() {
    const { width, height } = stage.getBoundingClientRect();
    return [width / 2, height / 2];
  }
  function whole() {
    const { width, height } = stage.getBoundingClientRect();
    const seen = scene.nodes.filter((node) => !node.away).map((node) => node.place());
    const xs = seen.map(([x]) => x), ys = seen.map(([, y]) => y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [beside, above] = { radial: [125, 125], tree: [150, 24], lattice: [90, 50] }[state.view];
    const k = clamp(Math.min((width - 2 * Math.min(beside, width / 9)) / (right - left || 1),
      (height - 2 * Math.min(above, height / 6.5)) / (bottom - top || 1)), 0.03, 1.6);
    return { k, x: width / 2 - ((left + right) / 2) * k, y: height / 2 - ((top + bottom) / 2) * k };
  }
  let flight = 0;
  function fly(target, step = () => {}, done = () => {}) {
    cancelAnimationFrame(flight);
    const from = { ...eye }, begin = performance.now(), span = calm ? 1 : 420;
    const frame = (now) => {
      const t = clamp((now - begin) / span, 0, 1), ease = t * t * (3 - 2 * t);
      for (const key of ["k", "x", "y"]) eye[key] = from[key] + (target[key] - from[key]) * ease;
      step(ease);
      look();
      if (t < 1) flight = requestAnimationFrame(frame);
      else done();
    };
    flight = requestAnimationFrame(frame);
  }
  const pointers = new Map();
  let dragged = false;
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    cancelAnimationFrame(flight);
    const box = stage.getBoundingClientRect(), lines = event.deltaMode === 1 ? 18 : 1;
    zoomAt(event.clientX - box.left, event.clientY - box.top, Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    cancelAnimationFrame(flight);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) dragged = false;
  });
  stage.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    if (!dragged && Math.hypot(dx, dy) < 4) return;
    dragged = true;
    stage.classList.add("drag");
    stage.setPointerCapture(event.pointerId);
    if (pointers.size === 1) Object.assign(eye, { x: eye.x + dx, y: eye.y + dy });
    else {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1], box = stage.getBoundingClientRect();
      const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      zoomAt(other.x - box.left, other.y - box.top, after / (before || 1));
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    soon();
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, (event) => {
      pointers.delete(event.pointerId);
      if (!pointers.size) stage.classList.remove("drag");
    });
  }
  stage.addEventListener("click", (event) => {
    if (dragged) return;
    const { node, edge } = event.target.dataset ?? {};
    if (node !== undefined) choose({ node: Number(node) });
    else if (edge !== undefined) choose({ edge: Number(edge) });
    else choose(null);
  });
  byId("closer").addEventListener("click", () => zoomAt(...middle(), 1.35));
  byId("farther").addEventListener("click", () => zoomAt(...middle(), 1 / 1.35));
  byId("fit").addEventListener("click", () => fly(whole()));

  // Choosing: what is lit, and what the panel tells.
  function choose(chosen, { travel = false } = {}) {
    state.chosen = chosen;
    for (const node of scene.nodes) node.lit = node.chosen = false;
    for (const edge of scene.edges) edge.lit = edge.chosen = false;
    if (inLattice() && scene.focused !== null && chosen?.node !== undefined && chosen.node !== scene.focused) return focus(chosen.node);
    if (chosen?.node !== undefined) light(chosen.node);
    if (chosen?.edge !== undefined) lightEdge(scene.edges[chosen.edge]).chosen = true;
    if (chosen?.edits && scene === scenes.radial) {
      for (const at of edits.edges.keys()) lightEdge(scene.edges[at]);
      for (const at of edits.terms.keys()) scene.nodes[at].lit = true;
      for (const { at } of edits.synonyms) scene.nodes[at].lit = true;
    }
    shine();
    tell();
    if (travel && chosen?.node !== undefined) {
      const { x, y } = scene.nodes[chosen.node], [cx, cy] = middle(), k = Math.max(eye.k, 0.9);
      fly({ k, x: cx - x * k, y: cy - y * k });
    } else soon();
    remember();
  }
  // One concept of the lattice with its neighbours, or, for nothing, all of it.
  function focus(at) {
    scene.focus(at);
    retext();
    settle();
    legend();
    choose(at === null ? null : { node: at });
    fly(whole());
  }
  function lightEdge(edge) {
    edge.lit = scene.nodes[edge.from].lit = scene.nodes[edge.to].lit = true;
    return edge;
  }
  function light(at) {
    scene.nodes[at].chosen = scene.nodes[at].lit = true;
    const all = state.view === "lattice";
    const walk = (start, near, end, further) => {
      const seen = new Set([start]);
      for (const here of seen) {
        for (const edge of near[here]) {
          if (state.hidden.has(scene.edges[edge].kind)) continue;
          if (here !== start && !further(scene.edges[edge])) continue;
          scene.edges[edge].lit = true;
          scene.nodes[scene.edges[edge][end]].lit = true;
          seen.add(scene.edges[edge][end]);
        }
      }
    };
    walk(at, scene.above, "from", (edge) => all || !edge.cross);
    walk(at, scene.below, "to", () => all);
  }
  function shine() {
    const lone = inLattice() && scene.focused !== null;
    world.classList.toggle("dim", (!lone && scene.nodes.some((node) => node.lit)) || state.matches.size > 0);
    scene.nodes.forEach((node, at) => {
      node.match = state.matches.has(at);
      for (const element of [node.dot, ...node.labels.map((label) => label.element)]) {
        element.classList.toggle("lit", Boolean(node.lit || node.match));
        element.classList.toggle("chosen", Boolean(node.chosen));
        element.classList.toggle("match", node.match);
        element.classList.toggle("off", Boolean(node.away));
        element.classList.toggle("dropped", Boolean(node.dropped));
      }
    });
    for (const edge of scene.edges) {
      edge.line.classList.toggle("lit", Boolean(edge.lit));
      edge.line.classList.toggle("chosen", Boolean(edge.chosen));
      for (const element of [edge.line, edge.hit]) element.classList.toggle("off", Boolean(edge.away) || state.hidden.has(edge.kind));
    }
  }
  function remember() {
    const name = state.view !== "lattice" && state.chosen?.node !== undefined ? data.concepts[state.chosen.node].name : "";
    try {
      history.replaceState(null, "", name ? `#${encodeURIComponent(name)}` : location.pathname + location.search);
    } catch { /* some browsers forbid it for local files; the page works without */ }
  }

  // The panel.
  function tell() {
    const { chosen } = state;
    panel.scrollTop = 0;
    const back = chosen ? [html("button", { class: "back", type: "button", onclick: leave }, "← overview")] : [];
    if (chosen?.edits) panel.replaceChildren(...back, ...editList());
    else if (!chosen) panel.replaceChildren(...(inLattice() ? latticeOverview() : overview()));
    else if (inLattice()) panel.replaceChildren(...back, ...formal(chosen.node));
    else if (chosen.edge !== undefined) panel.replaceChildren(...back, ...relation(chosen.edge));
    else panel.replaceChildren(...back, ...concept(chosen.node));
  }
  function leave() {
    const focused = inLattice() ? scene.focused : null;
    if (focused === null) choose(null);
    else if (state.chosen.edits) choose({ node: focused });
    else focus(null);
  }
  function overview() {
    const heavy = data.weighted
      ? [...data.concepts.keys()].sort((a, b) => data.concepts[b].weight - data.concepts[a].weight || a - b).slice(0, 14)
      : scenes.radial.below[data.root].map((edge) => data.edges[edge].child);
    return [
      html("p", { class: "soft" }, "Click a concept to read its labels and why it hangs where it does. Click a line to read why it is there. ",
        "Drag to move, scroll to come closer: more labels appear as there is room. ",
        "Accept, drop or retype what is wrong, add synonyms, and take the tables home under Edits."),
      html("h3", {}, data.weighted ? "Heaviest concepts" : "Directly below the topic"),
      html("ul", { class: "top" }, ...heavy.map((at) => html("li", {}, entry(at)))),
    ];
  }
  function entry(at) {
    const { weight } = data.concepts[at];
    const button = html("button", { type: "button", onclick: () => choose({ node: at }, { travel: true }) }, html("span", {}, labelOf(data.concepts[at])));
    if (weight !== null) button.append(html("span", { class: "n" }, weight.toFixed(3)), bar(weight / heaviest));
    return button;
  }
  function bar(share) {
    const inner = html("div");
    inner.style.width = `${clamp(share, 0, 1) * 100}%`;
    return html("div", { class: "bar" }, inner);
  }
  function concept(at) {
    const own = data.concepts[at], facts = html("dl");
    const fact = (key, value) => facts.append(html("dt", {}, key), html("dd", {}, value));
    fact("Level", String(own.level));
    if (own.weight !== null) fact("Weight", own.weight.toFixed(4));
    if (own.frequency) fact("Documents", own.frequency.toLocaleString("en"));
    if (own.source) fact("Source", own.source);
    fact("Name", own.name);
    const languages = [...new Set([...own.labels, ...own.synonyms].map(([language]) => language))];
    const labels = languages.flatMap((language) => [
      html("h3", {}, `Labels, ${language || "no language"}`),
      html("ul", { class: "tags", lang: language },
        ...own.labels.filter(([tongue]) => tongue === language).map(([, text]) => html("li", { class: "main" }, text)),
        ...own.synonyms.filter(([tongue]) => tongue === language).map(([, text]) => html("li", {}, text))),
    ]);
    const added = edits.synonymsOf(at);
    if (added.length) labels.push(html("h3", {}, "Added"), html("ul", { class: "tags" }, ...added.map((one) => html("li", { class: "new" }, one.text))));
    const group = (name, edges) => (edges.length ? [html("h3", {}, name), ...edges.map((edge) => why(edge, at))] : []);
    return [
      html("h2", {}, labelOf(own)),
      html("p", { class: "soft" }, own.labels.map(([, text]) => text).filter((text) => text !== labelOf(own)).join(" · ")),
      facts,
      ...termEditor(at),
      ...group("Hangs on", scenes.radial.above[at]),
      ...group("Carries", scenes.radial.below[at]),
      ...labels,
    ];
  }
  function why(at, here) {
    const edge = data.edges[at], other = edge.child === here ? edge.parent : edge.child;
    const kind = edits.relationOf(at);
    const words = edge.child === here
      ? [html("i", {}, reads[kind]), " ", html("b", {}, labelOf(data.concepts[other]))]
      : [html("b", {}, labelOf(data.concepts[other])), " ", html("i", {}, reads[kind]), " this"];
    const sure = edge.confidence < 1 ? `confidence ${edge.confidence.toFixed(2)}` : "";
    const known = [edge.evidence, sure].filter(Boolean).join(" · ");
    const evidence = known ? html("span", {}, known) : null;
    const button = html("button", { class: "go", type: "button", onclick: () => choose({ node: other }, { travel: true }) }, ...words, evidence);
    return html("div", { class: `why ${kind}${edits.keep(at) === false ? " dropped" : ""}` }, button, edgeEditor(at));
  }
  function relation(at) {
    const edge = data.edges[at], kind = edits.relationOf(at);
    const go = (at) => html("p", {}, html("button", { class: "why root", type: "button", onclick: () => choose({ node: at }, { travel: true }) },
      html("b", {}, labelOf(data.concepts[at])), html("span", {}, `level ${data.concepts[at].level}`)));
    const sure = bar(edge.confidence);
    sure.classList.add(kind);
    return [
      html("h2", {}, kind),
      html("p", {}, `${labelOf(data.concepts[edge.child])} ${reads[kind]} ${labelOf(data.concepts[edge.parent])}.`),
      edgeEditor(at),
      html("h3", {}, "Why it is there"),
      html("p", {}, edge.evidence || "No evidence is recorded for this relation."),
      html("h3", {}, `Confidence ${edge.confidence.toFixed(2)}`), sure,
      html("h3", {}, "Child"), go(edge.child), html("h3", {}, "Parent"), go(edge.parent),
    ];
  }
  function latticeOverview() {
    const named = data.hasse.nodes.filter((node) => node.attributes.length).length;
    return [
      html("h2", {}, "Concept lattice"),
      html("p", { class: "soft" }, `${plural(data.hasse.nodes.length, "formal concept")} and ${plural(data.hasse.covers.length, "cover")}. `,
        "Above a concept stand the attributes that it brings in, below it the objects that belong to it and to none further down."),
      html("p", { class: "soft" }, `A concept has all attributes of those above it and all objects of those below it. ${named} bring in an attribute.`),
    ];
  }
  function formal(at) {
    const node = data.hasse.nodes[at];
    const list = (items, own) => html("ul", { class: "tags" }, ...items.map((item) => html("li", own.includes(item) ? { class: "main" } : {}, item)));
    const go = (some) => html("ul", { class: "top" }, ...some.map((one) => html("li", {},
      html("button", { type: "button", onclick: () => choose({ node: one }) }, html("span", {}, scene.nodes[one].title()), html("span", { class: "n" }, String(data.hasse.nodes[one].size))))));
    const rest = node.size - node.extent.length;
    const group = (name, some) => (some.length ? [html("h3", {}, name), go(some)] : []);
    return [
      html("h2", {}, scene.nodes[at].title()),
      html("p", { class: "soft" }, `${plural(node.size, "object")}, ${plural(node.intent.length, "attribute")}`),
      ...group("More general", scene.uppers(at)),
      ...group("More special", scene.lowers(at).filter((one) => data.hasse.nodes[one].size)),
      html("h3", {}, "Intent: attributes"), node.intent.length ? list(node.intent, node.attributes) : html("p", { class: "soft" }, "none"),
      html("h3", {}, "Extent: objects"), node.size ? list(node.extent, node.objects) : html("p", { class: "soft" }, "none"),
      rest ? html("p", { class: "soft small" }, `and ${rest.toLocaleString("en")} more`) : null,
    ].filter(Boolean);
  }

  // Edits: controls beside what they change, and the list of all.
  const tables = Object.keys(data.tables), unsaved = new Set();
  function changed(change) {
    change();
    for (const which of tables) if (edits.count(which)) unsaved.add(which);
    const focus = document.activeElement?.dataset?.key, top = panel.scrollTop;
    restyle();
    legend();
    tell();
    panel.scrollTop = top;
    panel.querySelector(`[data-key="${focus}"]`)?.focus();
  }
  function restyle() {
    scenes.radial.edges.forEach((edge, at) => {
      Object.assign(edge, { kind: edits.relationOf(at), dropped: edits.keep(at) === false });
      if (edge.line) dress(edge);
    });
    scenes.radial.nodes.forEach((node, at) => { node.dropped = edits.keepTerm(at) === false; });
    const count = edits.count("relations") + edits.count("terms");
    byId("edit").textContent = count ? `Edits ${count}` : "Edits";
    shine();
  }
  function toggles(key, now, pick) {
    return [[true, "Accept"], [false, "Drop"]].map(([keep, text]) => html("button", {
      type: "button", class: keep ? "yes" : "no", "aria-pressed": String(now === keep), "data-key": `${key}-${text}`,
      onclick: () => changed(() => pick(now === keep ? null : keep)),
    }, text));
  }
  function edgeEditor(at) {
    const now = edits.relationOf(at);
    const kinds = data.relations.map(({ name }) => html("option", { value: name, ...(name === now ? { selected: "" } : {}) }, name));
    const retype = (event) => changed(() => edits.decide(at, event.target.value === data.edges[at].relation ? null : true, event.target.value));
    const select = html("select", { "aria-label": "Relation", "data-key": `kind-${at}`, onchange: retype }, ...kinds);
    return html("div", { class: "edit", role: "group", "aria-label": "Edit this relation" }, ...toggles(`edge-${at}`, edits.keep(at), (keep) => edits.decide(at, keep)), select);
  }
  function termEditor(at) {
    const input = html("input", { type: "text", "aria-label": "New synonym", placeholder: "New synonym", "data-key": "synonym", maxlength: "200" });
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) changed(() => { if (edits.addSynonym(at, input.value)) input.value = ""; });
    };
    return [
      html("h3", {}, "Edit"),
      html("form", { class: "edit", onsubmit: submit }, input, html("button", { type: "submit" }, "Add")),
      at === data.root ? null : html("div", { class: "edit", role: "group", "aria-label": "Edit this concept" },
        ...toggles("term", edits.keepTerm(at), (keep) => edits.decideTerm(at, keep)), html("span", { class: "soft small" }, "as a term")),
    ].filter(Boolean);
  }
  function editList() {
    const title = (at) => labelOf(data.concepts[at]), done = (keep) => (keep === false ? "Dropped: " : "Accepted: ");
    const row = (text, key, undo) => html("li", {}, html("span", {}, text),
      html("button", { type: "button", "data-key": key, "aria-label": `Undo: ${text}`, onclick: () => changed(undo) }, "Undo"));
    const rows = [
      ...[...edits.edges].map(([at, { keep, relation: kind }]) => {
        const { child, parent, relation: old } = data.edges[at], was = kind === old ? "" : ` (was ${old})`;
        return row(`${done(keep)}${title(child)} ${reads[kind]} ${title(parent)}${was}`, `undo-${at}`, () => edits.decide(at, null, old));
      }),
      ...edits.synonyms.map((one, nth) => row(`Added: ${one.text} is a synonym of ${title(one.at)}`, `undo-synonym-${nth}`, () => edits.dropSynonym(one))),
      ...[...edits.terms].map(([at, keep]) => row(`${done(keep)}the term ${title(at)}`, `undo-term-${at}`, () => edits.decideTerm(at, null))),
    ];
    const kept = edits.others.relations.length + edits.others.terms.length;
    const save = (which) => html("button", { type: "button", "data-key": `save-${which}`, onclick: () => download(which) }, `${which}.csv`);
    const pick = html("input", { type: "file", accept: ".csv,text/csv", multiple: "", id: "table", "data-key": "table", onchange: (event) => resume(event.target.files) });
    return [
      html("h2", {}, "Edits"),
      rows.length ? html("ul", { class: "edits" }, ...rows)
        : html("p", { class: "soft" }, "None yet. Choose a concept or a line, and accept, drop or retype what it says, or add a synonym."),
      kept ? html("p", { class: "soft small" }, `${plural(kept, "row")} of earlier tables about what is not on this page ${kept === 1 ? "is" : "are"} kept.`) : null,
      html("h3", {}, "Download"),
      html("div", { class: "edit" }, ...tables.map(save)),
      html("p", { class: "soft small" }, "Build again with them: ", html("code", {}, "fcwseo ontology build … --relations relations.csv --review terms.csv")),
      html("h3", {}, html("label", { for: "table" }, "Go on from earlier tables")), pick,
      html("p", { class: "small", role: "status", id: "opened" }),
    ].filter(Boolean);
  }
  function download(which) {
    const address = URL.createObjectURL(new Blob([edits.table(which)], { type: "text/csv" }));
    html("a", { href: address, download: `${which}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    unsaved.delete(which);
  }
  async function resume(files) {
    const said = [];
    for (const file of files) {
      const count = edits.open(await file.text());
      said.push(count === null ? `${file.name} is no table of relations or terms` : `${file.name}: ${plural(count, "decision")}`);
    }
    changed(() => {});
    byId("opened").textContent = said.join(". ");
  }
  byId("edit").addEventListener("click", () => choose({ edits: true }));
  addEventListener("beforeunload", (event) => { if (unsaved.size) event.preventDefault(); });

  // The legend: the key to the colours is also the switch of the relations.
  function legend() {
    const box = byId("legend");
    if (state.view === "lattice") {
      const focused = scene.focused !== null;
      const other = html("button", { type: "button", onclick: () => focus(focused ? null : state.chosen?.node ?? scene.top) },
        focused ? "Show the whole lattice" : "Show one concept and its neighbours");
      const rest = scene.rest ? ` ${scene.rest} smaller ones below are left out; the panel names them.` : "";
      box.replaceChildren(html("p", {}, "Filled: brings in an attribute. Larger: more objects. Lines lead up to the more general concept."
        + (focused ? ` Click a concept to go there.${rest}` : "")), other);
      return;
    }
    const counts = new Map();
    data.edges.forEach((_, at) => counts.set(edits.relationOf(at), (counts.get(edits.relationOf(at)) ?? 0) + 1));
    const rows = data.relations.filter(({ name }) => counts.has(name)).map(({ name }) => {
      const sample = svg("svg", { width: 30, height: 10, "aria-hidden": "true" });
      svg("path", { class: `edge ${name}`, d: "M1 5H29" }, sample);
      return html("button", {
        type: "button", "aria-pressed": String(!state.hidden.has(name)), title: "Show or hide",
        onclick: () => { state.hidden.has(name) ? state.hidden.delete(name) : state.hidden.add(name); legend(); choose(state.chosen); },
      }, sample, html("span", {}, name), html("span", { class: "n" }, String(counts.get(name))));
    });
    box.replaceChildren(html("h2", {}, "Relation to the parent"), ...rows);
    if (data.weighted) {
      const sizes = svg("svg", { width: 66, height: 22, "aria-hidden": "true" });
      [[6, 0.1], [24, 0.5], [51, 1]].forEach(([x, share]) => svg("circle", { cx: x, cy: 11, r: radiusOf(share) * 0.9 }, sizes));
      box.append(html("div", { class: "sizes" }, sizes, "light to heavy"));
    }
  }

  // Search: all labels in all languages.
  const search = byId("search"), hits = byId("hits");
  let found = [], at = 0;
  function closeness(word, words) {
    if (word === words) return 0;
    if (word.startsWith(words)) return 1;
    return word.includes(` ${words}`) ? 2 : word.includes(words) ? 3 : Infinity;
  }
  function seek() {
    const words = search.value.trim().toLowerCase();
    found = [];
    if (words) {
      scene.nodes.forEach((node, index) => {
        const hits = node.words.map((word, nth) => ({ index, hit: word, place: closeness(word.toLowerCase(), words) + (nth ? 0.5 : 0) }));
        const best = hits.reduce((a, b) => (b.place < a.place ? b : a), { place: Infinity });
        if (best.place < Infinity) found.push(best);
      });
      found.sort((a, b) => a.place - b.place || a.hit.length - b.hit.length || scene.nodes[a.index].rank - scene.nodes[b.index].rank);
    }
    state.matches = new Set(found.map(({ index }) => index));
    at = 0;
    list(words);
    shine();
    soon();
  }
  function list(words) {
    hits.hidden = !words;
    search.setAttribute("aria-expanded", String(Boolean(words)));
    hits.replaceChildren(...found.slice(0, 30).map(({ index, hit }, row) => {
      const name = scene.nodes[index].title();
      return html("li", { role: "option", "aria-selected": String(row === at), onclick: () => take(row) },
        shorten(name, 60), hit === name ? null : html("small", {}, shorten(hit, 80)));
    }));
    if (words && !found.length) hits.append(html("li", { class: "none" }, "Nothing of that name."));
  }
  function take(row) {
    const target = found[row];
    if (!target) return;
    clear();
    choose({ node: target.index }, { travel: true });
  }
  function clear() {
    search.value = "";
    search.blur();
    seek();
  }
  search.addEventListener("input", seek);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") take(at);
    else if (event.key === "Escape") clear();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      at = clamp(at + (event.key === "ArrowDown" ? 1 : -1), 0, Math.min(found.length, 30) - 1);
      list(search.value.trim());
      hits.children[at]?.scrollIntoView({ block: "nearest" });
    }
  });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest(".find")) hits.hidden = true; });
  addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    else if (event.key === "Escape") choose(null);
    else if (event.key === "+" || event.key === "=") zoomAt(...middle(), 1.35);
    else if (event.key === "-") zoomAt(...middle(), 1 / 1.35);
    else if (event.key === "0") fly(whole());
  });

  // Switches of the head.
  function choices(box, options, current, pick) {
    byId(box).replaceChildren(...(options.length < 2 ? [] : options.map(([value, text]) =>
      html("button", { type: "button", "aria-pressed": String(value === current), onclick: () => pick(value) }, text))));
  }
  function heads() {
    const views = [["radial", "Round"], ["tree", "Tree"]].concat(data.hasse ? [["lattice", "Lattice"]] : []);
    choices("views", views, state.view, show);
    document.querySelector("h1").textContent = labelOf(data.concepts[data.root]);
    choices("languages", data.languages.map((language) => [language, language || "–"]), state.language, speak);
  }
  function speak(language) {
    state.language = language;
    retext();
    heads();
    shine();
    tell();
    soon();
  }
  function show(view) {
    const old = scene;
    state.view = view;
    scene = scenes[view];
    heads();
    legend();
    rings();
    if (scene === old) return morph();
    state.matches = new Set();
    search.value = "";
    build();
    if (inLattice() && scene.large && scene.focused === null) scene.focus(scene.top);
    retext();
    settle();
    legend();
    Object.assign(eye, whole());
    choose(inLattice() && scene.focused !== null ? { node: scene.focused } : null);
  }
  function morph() {
    const start = scene.nodes.map((node) => [node.x, node.y]), lines = scene.edges.map((edge) => edge.points);
    const end = scene.nodes.map((node) => node.place()), curves = scene.edges.map((edge) => edge.curve());
    const between = (a, b, t) => a.map((value, i) => value + (b[i] - value) * t);
    retext();
    shine();
    stage.classList.add("moving");
    fly(whole(), (t) => {
      scene.nodes.forEach((node, i) => { [node.x, node.y] = between(start[i], end[i], t); });
      scene.edges.forEach((edge, i) => { edge.points = between(lines[i], curves[i], t); });
      paint();
    }, () => { stage.classList.remove("moving"); settle(); look(); });
  }
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement, now = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });
  let size = "";
  new ResizeObserver(() => {
    const { width, height } = stage.getBoundingClientRect(), now = `${width}x${height}`;
    if (now !== size && size) soon();
    size = now;
  }).observe(stage);

  const levels = Math.max(...data.concepts.map((concept) => concept.level));
  byId("counts").textContent = [plural(data.concepts.length, "concept"), plural(levels, "level"), plural(data.edges.length, "relation"),
    ...(data.hasse ? [plural(data.hasse.nodes.length, "formal concept")] : [])].join(" · ");
  const asked = location.hash.slice(1);
  show("radial");
  const wanted = data.concepts.findIndex((own) => encodeURIComponent(own.name) === asked);
  if (wanted >= 0) choose({ node: wanted }, { travel: true });
})();
