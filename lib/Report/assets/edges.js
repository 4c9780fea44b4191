// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Paths of edges over a finished layout.

class EdgePaths {
  constructor(layout, nodes) {
    this.layout = layout;
    this.nodes = nodes;
    this.column = new Map();
    layout.columns.forEach((column, number) => {
      column.rows.forEach((row) => row.forEach((v) => this.column.set(v, number)));
      // Tracks of the edges to the next column: the rightmost edge gets the
      // innermost track, so that edges do not cross.
      column.track = new Map();
      if (number + 1 < layout.columns.length) {
        column.rows[column.rows.length - 1]
          .filter((v) => layout.vertices[v].down.length)
          .reverse().forEach((v, track) => column.track.set(v, track));
      }
    });
  }

  /** Returns where the edge from vertex `a` enters vertex `b`. */
  entry(a, b) {
    const { vertices } = this.layout;
    const target = vertices[b];
    if (target.node < 0 || target.up.length < 2) return target.x;
    const sources = target.up.map((edge) => edge.to);
    sources.sort((p, q) => this.column.get(p) - this.column.get(q) ||
      vertices[p].x - vertices[q].x || p - q);
    const span = Math.min(target.width * 0.6, 12 * (sources.length - 1));
    return target.x + span * (sources.indexOf(a) / (sources.length - 1) - 0.5);
  }

  /** Returns the path from vertex `a` to vertex `b` of the next layer. */
  segment(a, b) {
    const from = this.layout.vertices[a];
    const to = this.layout.vertices[b];
    const x = this.entry(a, b);
    const top = to.y;
    const start = from.y + (from.node < 0 ? 0 : NODE_HEIGHT);
    const bottom = from.y + NODE_HEIGHT;
    // A dummy vertex is drawn as a vertical line as high as the nodes beside
    // it.
    let path = 'M' + round(from.x) + ' ' + round(start);
    if (start !== bottom) path += 'V' + round(bottom);
    const here = this.column.get(a);
    if (here === this.column.get(b)) {
      if (Math.abs(from.x - x) < 0.6) return path + 'V' + round(top);
      const middle = (top + bottom) / 2;
      return path + 'C' + [from.x, middle, x, middle, x, top].map(round).join(' ');
    }
    const column = this.layout.columns[here];
    const track = column.track.get(a) || 0;
    const low = column.bottom + 10 + track * TRACK;
    const gutter = column.right + 12 + track * TRACK;
    const high = -10 - (column.track.size - 1 - track) * TRACK;
    const corner = 5;
    const turn = from.x < gutter ? 1 : -1;
    const into = x < gutter ? -1 : 1;
    return path + 'V' + round(low - corner) +
      'q0 ' + corner + ' ' + turn * corner + ' ' + corner + 'H' + round(gutter - corner) +
      'q' + corner + ' 0 ' + corner + ' ' + -corner + 'V' + round(high + corner) +
      'q0 ' + -corner + ' ' + into * corner + ' ' + -corner + 'H' + round(x - into * corner) +
      'q' + into * corner + ' 0 ' + into * corner + ' ' + corner + 'V' + round(top);
  }

  /** Returns all edges that leave a node, as one path. */
  outOf(node) {
    const { vertices, chains } = this.layout;
    const parts = [];
    for (const v of [node].concat(chains[node])) {
      for (const edge of vertices[v].down) parts.push(this.segment(v, edge.to));
    }
    return parts.join('');
  }

  /** Returns the path from a node to one of its readers. */
  between(source, target) {
    const { vertices, chains } = this.layout;
    const way = [source].concat(chains[source].filter((v) =>
      vertices[v].layer < vertices[target].layer), [target]);
    if (vertices[target].layer - vertices[source].layer !== way.length - 1) {
      return this.direct(source, target);
    }
    return way.slice(1).map((v, i) => this.segment(way[i], v)).join('');
  }

  direct(source, target) {
    const from = this.layout.vertices[source];
    const to = this.layout.vertices[target];
    return 'M' + round(from.x) + ' ' + round(from.y + NODE_HEIGHT) +
      'L' + round(to.x) + ' ' + round(to.y);
  }
}

function round(value) {
  return Math.round(value * 10) / 10;
}
