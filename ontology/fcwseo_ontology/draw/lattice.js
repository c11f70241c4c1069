
"use strict";
// The concept lattice as a scene of the page: all of it, or one concept with its neighbours, which is what can be read.
function latticeScene(hasse, straight) {
  const ROW = 96, COLUMN = 168, MOST = 36, PER_ROW = 9, FEW = 40;
  const above = hasse.nodes.map(() => []), below = hasse.nodes.map(() => []);
  hasse.covers.forEach(([lower, upper], at) => {
    above[lower].push(at);
    below[upper].push(at);
  });
  const few = (items) => items.slice(0, 3).join(", ") + (items.length > 3 ? ` +${items.length - 3}` : "");
  const uppers = (at) => above[at].map((edge) => hasse.covers[edge][1]);
  const lowers = (at) => below[at].map((edge) => hasse.covers[edge][0]);
  const own = (node) => node.objects.filter((item) => !node.attributes.includes(item));
  const titles = hasse.nodes.map((node) => few(node.attributes) || few(node.objects));
  hasse.nodes.forEach((node, at) => {
    if (!titles[at]) titles[at] = !above[at].length ? "everything" : !node.size ? "nothing" : few(uppers(at).map((one) => titles[one])).replaceAll(", ", " and ");
  });
  const nodes = hasse.nodes.map((node, at) => ({
    kind: node.attributes.length ? "formal attribute" : "formal",
    radius: 4 + 2.2 * Math.log2(1 + node.size) / 2,
    rank: (node.attributes.length ? 0 : 1000) - node.size,
    place: () => node.spot ?? node.place,
    texts: () => {
      const under = node.spot ? "" : few(own(node));
      const name = titles[at] + (node.spot && below[at].length && node.size > 1 ? ` (${node.size})` : "");
      return [
        { text: name, spots: [{ angle: 0, align: "middle", side: -1 }], upper: true },
        { text: under === titles[at] ? "" : under, spots: [{ angle: 0, align: "middle", side: 1 }], objects: true },
      ].filter((label) => label.text);
    },
    words: [...node.attributes, ...node.objects],
    title: () => titles[at],
  }));
  const edges = hasse.covers.map(([lower, upper]) => ({
    kind: "cover", from: upper, to: lower, cross: false,
    curve: () => straight(nodes[upper].place(), nodes[lower].place()),
  }));
  const scene = { nodes, edges, above, below, focused: null, rest: 0 };

  // Rows of the concepts above the one in focus, by their greatest distance from it, and rows of those right below.
  function ranks(at) {
    const level = new Map([[at, 0]]);
    for (const here of level.keys()) {
      for (const up of uppers(here)) {
        if ((level.get(up) ?? -1) <= level.get(here)) { level.delete(up); level.set(up, level.get(here) + 1); }
      }
    }
    const lines = [];
    for (const [node, depth] of level) (lines[depth] ??= []).push(node);
    return lines;
  }
  function put(line, y) {
    line.forEach((at, nth) => { hasse.nodes[at].spot = [(nth - (line.length - 1) / 2) * COLUMN, y + (line.length > 3 && nth % 2 ? 30 : 0)]; });
  }
  scene.focus = (at) => {
    const shown = new Set();
    for (const node of hasse.nodes) delete node.spot;
    scene.focused = at;
    scene.rest = 0;
    if (at !== null) {
      const lines = ranks(at);
      lines.forEach((line, depth) => put(line, -depth * ROW));
      const children = lowers(at).filter((one) => hasse.nodes[one].size).sort((a, b) => hasse.nodes[b].size - hasse.nodes[a].size || titles[a].localeCompare(titles[b]));
      const broad = children.filter((one) => hasse.nodes[one].size > 1);  // beside kinds, single terms only take room
      const kept = (broad.length > 3 ? broad : children).slice(0, MOST);
      scene.rest = children.length - kept.length;
      for (let first = 0; first < kept.length; first += PER_ROW) put(kept.slice(first, first + PER_ROW), ROW * (1 + (first / PER_ROW) * 0.8));
      for (const one of [...lines.flat(), ...kept]) shown.add(one);
    }
    nodes.forEach((node, index) => { node.away = at !== null && !shown.has(index); });
    edges.forEach((edge) => { edge.away = nodes[edge.from].away || nodes[edge.to].away || (at !== null && near(edge, at)); });
  };
  // Between two concepts below the one in focus a line would only cross others.
  function near(edge, at) {
    return hasse.nodes[edge.from].spot[1] > hasse.nodes[at].spot[1] && hasse.nodes[edge.to].spot[1] > hasse.nodes[at].spot[1];
  }
  scene.top = hasse.nodes.findIndex((_, at) => !above[at].length);
  scene.large = hasse.nodes.length > FEW;
  scene.lowers = lowers;
  scene.uppers = uppers;
  return scene;
}
