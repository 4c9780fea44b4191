// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Second half of a layered layout: coordinates. A network is far longer than
// wide, so its layers are cut into columns that are placed side by side, as in
// a text.

const NODE_HEIGHT = 32;
const LAYER_GAP = 24;
const NODE_GAP = 18;
const TRACK = 6;
const GUTTER = 34;

/** Returns the least distance between the centres of two neighbours in a row. */
function distance(left, right, vertices) {
  const gap = vertices[left].node < 0 && vertices[right].node < 0 ? 8 : NODE_GAP;
  return (vertices[left].width + vertices[right].width) / 2 + gap;
}

/**
 * Places the vertices of one row in order, with the required distances, as close
 * to the wanted places as possible (weighted squares): isotonic regression.
 */
function placeRow(row, vertices, wanted, weight) {
  const blocks = [];
  let offset = 0;
  row.forEach((v, i) => {
    if (i > 0) offset += distance(row[i - 1], v, vertices);
    let block = { mean: wanted[i] - offset, weight: weight[i], members: [[v, offset]] };
    while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
      const before = blocks.pop();
      const sum = before.weight + block.weight;
      block = {
        mean: (before.mean * before.weight + block.mean * block.weight) / sum,
        weight: sum, members: before.members.concat(block.members),
      };
    }
    blocks.push(block);
  });
  for (const block of blocks) {
    for (const [v, shift] of block.members) vertices[v].x = block.mean + shift;
  }
}

/** Places the vertices of one column; edges that leave it do not count. */
function placeColumn(rows, vertices) {
  const inside = new Set();
  rows.forEach((row) => row.forEach((v) => inside.add(v)));
  for (const row of rows) placeRow(row, vertices, row.map(() => 0), row.map(() => 1));
  const sweep = (order, pick) => {
    for (const row of order) {
      const wanted = [];
      const weight = [];
      for (const v of row) {
        let sum = 0;
        let total = 0;
        for (const edge of pick(vertices[v])) {
          if (!inside.has(edge.to)) continue;
          sum += edge.weight * vertices[edge.to].x;
          total += edge.weight;
        }
        wanted.push(total ? sum / total : vertices[v].x);
        weight.push(total ? Math.max(total, 0.01) : 0.005);
      }
      placeRow(row, vertices, wanted, weight);
    }
  };
  const upward = rows.slice().reverse();
  for (let i = 0; i < 4; ++i) {
    sweep(upward, (v) => v.down);
    sweep(rows, (v) => v.up);
  }
  for (let i = 0; i < 3; ++i) {
    sweep(upward, (v) => v.up.concat(v.down));
    sweep(rows, (v) => v.up.concat(v.down));
  }
  straighten(rows, vertices, inside);
  straighten(upward, vertices, inside);
  // Move weights next to their readers, and the start of a chain with them.
  for (const row of upward) {
    const loose = row.map((v) => vertices[v].node >= 0 &&
      (vertices[v].aside || !vertices[v].up.length));
    placeRow(row, vertices, row.map((v, i) => {
      const ends = vertices[v].down.filter((edge) => inside.has(edge.to));
      return loose[i] && ends.length
        ? ends.reduce((sum, edge) => sum + vertices[edge.to].x, 0) / ends.length : vertices[v].x;
    }), loose.map((free) => (free ? 0.001 : 1)));
  }
}

/**
 * A long edge is a chain of vertices, which sweeps hardly move: puts each chain at
 * one place, as near to its ends as its neighbours allow.
 */
function straighten(rows, vertices, inside) {
  const chains = new Map();
  for (const row of rows) {
    row.forEach((v, i) => {
      const own = vertices[v];
      if (own.node >= 0) return;
      if (!chains.has(own.source)) chains.set(own.source, []);
      chains.get(own.source).push([v, row[i - 1], row[i + 1]]);
    });
  }
  for (const chain of chains.values()) {
    const ends = [];
    let low = -Infinity;
    let high = Infinity;
    for (const [v, left, right] of chain) {
      if (left !== undefined) low = Math.max(low, vertices[left].x + distance(left, v, vertices));
      if (right !== undefined) high = Math.min(high, vertices[right].x - distance(v, right, vertices));
      for (const edge of vertices[v].up.concat(vertices[v].down)) {
        if (inside.has(edge.to) && vertices[edge.to].node >= 0) ends.push(vertices[edge.to].x);
      }
    }
    if (low > high) continue;
    const wanted = ends.length ? ends.reduce((sum, x) => sum + x, 0) / ends.length : 0;
    for (const [v] of chain) vertices[v].x = Math.min(high, Math.max(low, wanted));
  }
}

/** Counts the edges that a cut below each row would move to the next column. */
function cutCosts(rows, vertices, nodes) {
  return rows.map((row) => row.reduce((sum, v) => {
    const group = vertices[v].node < 0 ? -1 : nodes[vertices[v].node].group;
    const torn = group >= 0 && vertices[v].down.some((edge) =>
      vertices[edge.to].node >= 0 && nodes[vertices[edge.to].node].group === group);
    return sum + (vertices[v].down.length ? 1 : 0) + (torn ? 4 : 0);
  }, 0));
}

/** Returns the numbers of the rows that begin the columns. */
function chooseCuts(costs, columns) {
  const height = costs.length / columns;
  const starts = [0];
  while (starts.length < columns) {
    const from = starts[starts.length - 1];
    const aim = from + height;
    let best = -1;
    let least = Infinity;
    for (let end = Math.ceil(from + 0.7 * height); end <= from + 1.2 * height; ++end) {
      if (end <= from || end >= costs.length) continue;
      const cost = costs[end - 1] + 3 * Math.abs(end - aim) / height;
      if (cost < least) {
        least = cost;
        best = end;
      }
    }
    if (best < 0) break;
    starts.push(best);
  }
  return starts;
}

/** Places the rows in columns; `starts` are their first rows. */
function arrange(rows, vertices, starts) {
  let left = 0;
  let height = 0;
  const columns = starts.map((start, i) => {
    const part = rows.slice(start, starts[i + 1]);
    placeColumn(part, vertices);
    let low = Infinity;
    let high = -Infinity;
    for (const row of part) {
      for (const v of row) {
        low = Math.min(low, vertices[v].x - vertices[v].width / 2);
        high = Math.max(high, vertices[v].x + vertices[v].width / 2);
      }
    }
    const next = starts[i + 1];
    const tracks = next === undefined ? 0
      : rows[next - 1].filter((v) => vertices[v].down.length).length;
    const column = { rows: part, left, right: left + high - low, tracks };
    column.bottom = part.length * (NODE_HEIGHT + LAYER_GAP) - LAYER_GAP;
    part.forEach((row, r) => row.forEach((v) => {
      vertices[v].x += left - low;
      vertices[v].y = r * (NODE_HEIGHT + LAYER_GAP);
    }));
    height = Math.max(height, column.bottom + tracks * TRACK + GUTTER);
    left = column.right + GUTTER + tracks * TRACK;
    return column;
  });
  return { columns, width: left - GUTTER, height };
}

/** Chooses the columns that make the drawing largest in the window. */
function chooseColumns(widths, costs, width, height) {
  let best = { starts: [0], width: 1 };
  let most = 0;
  for (let count = 1; count <= Math.max(1, widths.length / 5); ++count) {
    const starts = chooseCuts(costs, count);
    let wide = 0;
    let high = 0;
    starts.forEach((start, i) => {
      const end = starts[i + 1] === undefined ? widths.length : starts[i + 1];
      let widest = 0;
      for (let r = start; r < end; ++r) widest = Math.max(widest, widths[r]);
      wide += widest + GUTTER + (end < widths.length ? costs[end - 1] * TRACK : 0);
      high = Math.max(high, (end - start) * (NODE_HEIGHT + LAYER_GAP) + GUTTER);
    });
    const scale = Math.min(width / wide, height / high, 1);
    if (scale > most * 1.02) {
      most = scale;
      best = { starts, width: wide };
    }
  }
  return best;
}

/**
 * Computes the whole layout for a window of `width` by `height`: vertices with
 * places, columns, and edges that are drawn straight.
 */
function layoutGraph(nodes, width, height) {
  const { layer, aside } = assignLayers(nodes);
  const { vertices, far, chains } = makeVertices(nodes, layer, aside);
  const rows = orderLayers(vertices);
  const costs = cutCosts(rows, vertices, nodes);
  // Widths hardly depend on the cuts: the width of a column is that of its
  // widest row.
  const widths = rows.map((row) => row.reduce((sum, v) =>
    sum + vertices[v].width + (vertices[v].node < 0 ? 8 : NODE_GAP), 0));
  // The exact widths are known only afterwards: repeat with those of the first
  // try.
  const first = chooseColumns(widths, costs, width, height);
  let placed = arrange(rows, vertices, first.starts);
  const second = chooseColumns(widths, costs,
    width * first.width / Math.max(1, placed.width), height);
  if (second.starts.length !== first.starts.length) {
    placed = arrange(rows, vertices, second.starts);
  }
  return { vertices, chains, far, columns: placed.columns,
    width: placed.width, height: placed.height };
}
