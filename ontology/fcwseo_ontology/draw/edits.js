"use strict";
// What an expert decides on this page, and the tables in which it goes back to "ontology build". Nothing is sent anywhere.
const editsOf = (data) => {
  const edges = new Map(), terms = new Map(), synonyms = [];
  const others = { relations: [], terms: [] }; // of earlier tables: rows on what is not on this page
  const name = (at) => data.concepts[at].labels[0]?.[1] ?? data.concepts[at].name;
  const same = (text) => text.normalize("NFKC").trim().toLowerCase();
  const relationOf = (at) => edges.get(at)?.relation ?? data.edges[at].relation;
  const word = (keep) => (keep === undefined || keep === null ? "" : keep ? "yes" : "no");

  function decide(at, keep, kind = relationOf(at)) {
    const relation = keep === false ? data.edges[at].relation : kind; // dropped is what the ontology says
    if (keep === null && relation === data.edges[at].relation) edges.delete(at);
    else edges.set(at, { keep, relation });
  }
  function decideTerm(at, keep) {
    if (keep === null) terms.delete(at);
    else terms.set(at, keep);
  }
  function addSynonym(at, text) {
    const label = text.split(/\s+/).filter(Boolean).join(" "), own = data.concepts[at];
    const known = [...own.labels, ...own.synonyms].map(([, other]) => other).concat(synonyms.filter((one) => one.at === at).map((one) => one.text));
    if (!label || known.some((other) => same(other) === same(label))) return false;
    synonyms.push({ at, text: label });
    return true;
  }
  function dropSynonym(synonym) {
    synonyms.splice(synonyms.indexOf(synonym), 1);
  }

  // Tables. Rows are objects by column; what is undecided has an empty cell under keep.
  function relations() {
    const rows = data.edges.map((edge, at) => ({
      child: name(edge.child), parent: name(edge.parent), relation: relationOf(at), confidence: String(edge.confidence),
      evidence: edge.evidence, keep: word(edges.get(at)?.keep),
    }));
    const added = synonyms.map(({ at, text }) => ({ child: text, parent: name(at), relation: "synonym", keep: "yes" }));
    return [...rows, ...added, ...others.relations];
  }
  function reviewed() {
    const rows = [...data.concepts.keys()].filter((at) => at !== data.root)
      .map((at) => ({ term: name(at), df: String(data.concepts[at].frequency), keep: word(terms.get(at)) }));
    return [...rows, ...others.terms];
  }
  const cell = (text) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const csv = (columns, rows) =>
    `\ufeff${[columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? "")))].map((cells) => `${cells.join(",")}\n`).join("")}`;
  function table(which) {
    return csv(data.tables[which], which === "relations" ? relations() : reviewed());
  }

  // An earlier table, as it was written here, by "ontology build" or by a spreadsheet.
  function cells(text, comma) {
    const rows = [[]];
    let now = "", quoted = false;
    for (let i = 0; i < text.length; i++) {
      const char = text[i];
      if (quoted && char === '"' && text[i + 1] === '"') { now += '"'; i++; }
      else if (char === '"' && (quoted || !now)) quoted = !quoted;
      else if (!quoted && (char === comma || char === "\n")) {
        rows.at(-1).push(now);
        now = "";
        if (char === "\n") rows.push([]);
      } else if (quoted || char !== "\r") now += char;
    }
    rows.at(-1).push(now);
    return rows.filter((row) => row.some((one) => one.trim()));
  }
  function open(text) {
    const bare = text.replace(/^\ufeff/, ""), head = bare.split("\n", 1)[0];
    const comma = [",", ";", "\t"].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a));
    const [columns, ...rows] = cells(bare, comma);
    const names = (columns ?? []).map((column) => column.trim().toLowerCase());
    const found = rows.map((row) => Object.fromEntries(names.map((column, i) => [column, (row[i] ?? "").trim()]))).filter((row) => row.keep);
    if (names.includes("keep") && names.includes("term")) found.forEach(openTerm);
    else if (["child", "parent", "relation", "keep"].every((column) => names.includes(column))) found.forEach(openRelation);
    else return null;
    return found.length;
  }
  const wanted = (row) => data.yes.includes(row.keep.toLowerCase());
  function openTerm(row) {
    const at = data.concepts.findIndex((_, place) => same(name(place)) === same(row.term));
    if (at > -1) decideTerm(at, wanted(row));
    else others.terms = [...others.terms.filter((other) => other.term !== row.term), row];
  }
  function openRelation(row) {
    const ends = data.edges.findIndex((edge) => same(name(edge.child)) === same(row.child) && same(name(edge.parent)) === same(row.parent)
      && (wanted(row) || edge.relation === row.relation));
    const bearer = data.concepts.findIndex((_, place) => same(name(place)) === same(row.parent));
    const known = data.concepts.some((concept) => concept.labels.some(([, text]) => same(text) === same(row.child)));
    if (ends > -1) decide(ends, wanted(row), row.relation);
    else if (!(row.relation === "synonym" && wanted(row) && bearer > -1 && !known && addSynonym(bearer, row.child))) {
      const pair = (one) => [one.child, one.parent, one.relation].join("\n");
      others.relations = [...others.relations.filter((other) => pair(other) !== pair(row)), row];
    }
  }

  return {
    decide, decideTerm, addSynonym, dropSynonym, table, open, relationOf, edges, terms, synonyms, others,
    keep: (at) => edges.get(at)?.keep ?? null,
    keepTerm: (at) => terms.get(at) ?? null,
    synonymsOf: (at) => synonyms.filter((one) => one.at === at),
    count: (which) => (which === "terms" ? terms.size + others.terms.length : edges.size + synonyms.length + others.relations.length),
  };
};
