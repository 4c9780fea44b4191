// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// First half of a layered layout: the layer of each node, and the order within
// each layer. This file does not access the page.

/**
 * `nodes`: {width, inputs, floating}; inputs are earlier nodes. Floating nodes
 * (weights), and nodes computed only from them, are `aside`: they are put
 * directly above their readers.
 */
function assignLayers(nodes) {
  const layer = nodes.map(() => 0);
  const firstUser = nodes.map(() => Infinity);
  const aside = nodes.map(() => false);
  nodes.forEach((node, i) => {
    for (const input of node.inputs) layer[i] = Math.max(layer[i], layer[input] + 1);
    aside[i] = node.inputs.length === 0 ? Boolean(node.floating)
      : node.inputs.every((p) => aside[p]);
  });
  for (let i = nodes.length - 1; i >= 0; --i) {
    if (aside[i] && firstUser[i] < Infinity) layer[i] = firstUser[i] - 1;
    for (const input of nodes[i].inputs) {
      firstUser[input] = Math.min(firstUser[input], layer[i]);
    }
  }
  return { layer, aside };
}

/**
 * Vertices: one per node, and one per layer between a node and the last of its
 * readers, shared by all of them. Edges join vertices of neighbouring layers;
 * `far` lists [from, to] of edges that are too long for that.
 */
function makeVertices(nodes, layer, aside) {
  const vertices = nodes.map((node, i) =>
    ({ node: i, layer: layer[i], aside: aside[i], width: node.width, up: [], down: [],
      x: 0, y: 0 }));
  const far = [];
  const last = layer.slice();
  nodes.forEach((node, i) => node.inputs.forEach((p) => {
    last[p] = Math.max(last[p], layer[i]);
  }));
  const total = last.reduce((sum, end, i) => sum + Math.max(0, end - layer[i] - 1), 0);
  const limit = total > 30000 ? 12 : Infinity;
  const join = (a, b, weight) => {
    vertices[a].down.push({ to: b, weight });
    vertices[b].up.push({ to: a, weight });
  };
  const chains = nodes.map(() => []);
  nodes.forEach((node, i) => {
    const seen = new Set();
    for (const p of node.inputs) {
      if (seen.has(p)) continue;
      seen.add(p);
      const span = layer[i] - layer[p];
      if (span > limit) {
        far.push([p, i]);
        continue;
      }
      const chain = chains[p];
      while (chain.length < span - 1) {
        const at = vertices.length;
        vertices.push({ node: -1, source: p, layer: layer[p] + chain.length + 1, width: 6,
          up: [], down: [], x: 0, y: 0 });
        if (chain.length === 0) join(p, at, 0.02);
        else join(chain[chain.length - 1], at, 8);
        chain.push(at);
      }
      const same = node.group >= 0 && node.group === nodes[p].group;
      // Computed values go straight down; weights come in from the side.
      const weight = same ? 6 : aside[p] ? 0.005 : 2;
      if (span === 1) join(p, i, weight);
      else join(chain[span - 2], i, 0.01);
    }
  });
  return { vertices, far, chains };
}

/** Counts crossings of the edges between two layers, given the places in each. */
function countCrossings(vertices, upper, place) {
  const ends = [];
  for (const v of upper) {
    const own = vertices[v].down.map((edge) => place[edge.to]);
    own.sort((a, b) => a - b);
    ends.push(...own);
  }
  const size = ends.reduce((most, end) => Math.max(most, end), 0) + 1;
  const tree = new Int32Array(size + 1);
  let crossings = 0;
  ends.forEach((end, seen) => {
    let before = 0;
    for (let i = end + 1; i > 0; i -= i & -i) before += tree[i];
    crossings += seen - before;
    for (let i = end + 1; i <= size; i += i & -i) ++tree[i];
  });
  return crossings;
}

/** Orders layers by sweeps that move each vertex to its neighbours' mean. */
function orderLayers(vertices) {
  const count = vertices.reduce((most, v) => Math.max(most, v.layer + 1), 0);
  let rows = Array.from({ length: count }, () => []);
  vertices.forEach((v, i) => rows[v.layer].push(i));
  const place = new Int32Array(vertices.length);
  const number = () => rows.forEach((row) => row.forEach((v, i) => { place[v] = i; }));
  number();
  const crossings = () =>
    rows.reduce((sum, row) => sum + countCrossings(vertices, row, place), 0);

  const sweep = (downward) => {
    for (let step = 1; step < count; ++step) {
      const row = rows[downward ? step : count - 1 - step];
      const key = new Map();
      row.forEach((v, i) => {
        const edges = downward ? vertices[v].up : vertices[v].down;
        const sum = edges.reduce((total, edge) => total + place[edge.to], 0);
        key.set(v, edges.length ? sum / edges.length : i);
      });
      row.sort((a, b) => key.get(a) - key.get(b) || place[a] - place[b]);
      row.forEach((v, i) => { place[v] = i; });
    }
  };

  let best = rows.map((row) => row.slice());
  let fewest = Infinity;
  const sweeps = vertices.length > 20000 ? 4 : 16;
  for (let i = 0; i < sweeps && fewest > 0; ++i) {
    sweep(i % 2 === 0);
    const now = crossings();
    if (now < fewest) {
      fewest = now;
      best = rows.map((row) => row.slice());
    }
  }
  rows = best;
  return rows;
}
