// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Draws one graph.

const KINDS = [
  ['source', /^(input|argument|output|return|constant|parameter|weight|param)/],
  ['block', /attention|softmax|lstm|gru|rnn|gelu|swish/],
  ['matrix', /conv|matmul|gemm|dense|linear|einsum|dot/],
  ['norm', /norm|reduce|mean|sum$|argm|cumsum|lrn/],
  ['pool', /pool|resize|upsample|window/],
  ['move', /transpose|reshape|concat|split|slice|pad|gather|scatter|broadcast|expand|squeeze|flatten|cast|identity|tile|copy|shape/],
];

const KIND_NAMES = {
  matrix: 'matmul, conv', block: 'attention, softmax', norm: 'norm, reduction',
  pool: 'pooling, resize', point: 'elementwise', move: 'moves data',
  source: 'input, constant',
};

function kindOf(label) {
  const head = label.toLowerCase();
  const found = KINDS.find((kind) => kind[1].test(head));
  return found ? found[0] : 'point';
}

const isWeight = (node) =>
  node.inputs.length === 0 && node.kernel < 0 && /^(const|param|weight)/i.test(node.label);

const ruler = document.createElement('canvas').getContext('2d');

function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** Truncates a text that does not fit, with dots. */
function shorten(text, font, width) {
  if (textWidth(text, font) <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(text.slice(0, middle) + '\u2026', font) <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low) + '\u2026';
}

const LABEL_FONT = '600 12px system-ui, sans-serif';
const TYPE_FONT = '10px system-ui, sans-serif';

function shortType(type) {
  return type.replace(/, *#graph\.dims<[^>]*>/g, '').replace(/tensor<([^<>]*)>/g, '$1')
    .replace(/([\d?])x(?=[\d?])/g, '$1\u00d7').replace(/([\d?])x(?=[a-z])/g, '$1 ');
}

class GraphView {
  /** `name` is "before" or "after"; `pick(index or -1)` is called on clicks. */
  constructor(name, side, pick) {
    this.name = name;
    this.side = side;
    this.pick = pick;
    this.showWeights = false;
    this.colour = 'kind';
    this.hits = null;
    this.tip = make('div', { class: 'tip', hidden: true });
    this.scene = makeSvg('g', {});
    this.svg = makeSvg('svg', { tabindex: '0', role: 'img',
      'aria-label': 'graph ' + name + ', ' + plural(side.nodes.length, 'node') }, this.scene);
    this.element = make('figure', { class: 'graph' },
      make('figcaption', {}, make('b', {}, name), ' ',
        plural(side.nodes.length, 'node') + ', ' + plural(side.kernels.length, 'kernel')),
      this.svg, this.tip);
    this.port = new Viewport(this.svg, this.scene, () => this.hideTip());
    this.svg.addEventListener('click', (event) => {
      if (!this.port.dragged) this.pick(this.nodeOf(event.target));
    });
    this.svg.addEventListener('mouseover', (event) => this.hover(event));
    this.svg.addEventListener('mouseleave', () => this.hideTip());
    this.slowest = side.kernels.reduce((most, k) => Math.max(most, k.seconds || 0), 0);
  }

  nodeOf(element) {
    const group = element.closest ? element.closest('g.node') : null;
    return group ? Number(group.dataset.node) : -1;
  }

  /** Lays out and draws; the element must be in the page to have a size. */
  draw() {
    if (this.drawn) return;
    this.drawn = true;
    clear(this.scene);
    const shown = [];
    this.at = new Map();
    this.side.nodes.forEach((node, i) => {
      if (!this.showWeights && isWeight(node)) return;
      this.at.set(i, shown.length);
      shown.push(i);
    });
    this.shown = shown;
    if (!shown.length) {
      this.element.classList.add('none');
      return;
    }
    const boxes = shown.map((i) => this.makeBox(this.side.nodes[i]));
    const size = this.port.measure();
    this.layout = layoutGraph(boxes, size.width, size.height);
    this.paths = new EdgePaths(this.layout, boxes);
    const rule = new Set(this.side.nodes.map((n) => n.rule).filter(Boolean));
    this.hasRules = rule.size > 0;

    const edges = makeSvg('g', { class: 'edges' });
    shown.forEach((index, v) => {
      const path = this.paths.outOf(v);
      if (path) edges.append(makeSvg('path', { d: path }));
    });
    for (const [a, b] of this.layout.far) {
      edges.append(makeSvg('path', { class: 'long', d: this.paths.direct(a, b) }));
    }
    this.traced = makeSvg('g', { class: 'traced' });
    this.elements = new Map();
    const nodes = makeSvg('g', { class: 'nodes' });
    shown.forEach((index, v) => nodes.append(this.drawNode(index, boxes[v], v)));
    this.scene.append(this.drawGroups(boxes), edges, this.traced, nodes);
    const tracks = this.layout.columns.reduce((most, c) => Math.max(most, c.track.size), 0);
    const above = 14 + tracks * TRACK;
    this.port.setContent(-12, -above, this.layout.width + 24, this.layout.height + above);
    this.paint();
    this.mark(this.hits, this.focus);
  }

  makeBox(node) {
    const type = shortType(node.type);
    const wide = Math.max(textWidth(node.label, LABEL_FONT), textWidth(type, TYPE_FONT)) + 18;
    const width = Math.min(176, Math.max(58, wide));
    return {
      width, type: shorten(type, TYPE_FONT, width - 12),
      label: shorten(node.label, LABEL_FONT, width - (node.rule ? 22 : 12)),
      inputs: node.inputs.filter((p) => this.at.has(p)).map((p) => this.at.get(p)),
      group: node.kernel, floating: node.kernel < 0 && !/^(input|arg)/i.test(node.label),
    };
  }

  drawNode(index, box, v) {
    const node = this.side.nodes[index];
    const vertex = this.layout.vertices[v];
    const half = box.width / 2;
    const element = makeSvg('g', { class: 'node', 'data-node': index,
      transform: 'translate(' + round(vertex.x) + ' ' + round(vertex.y) + ')' },
      makeSvg('rect', { x: round(-half), y: 0, width: round(box.width), height: NODE_HEIGHT,
        rx: 5 }),
      makeSvg('text', { class: 'label', y: box.type ? 14 : 20 }, box.label),
      box.type && makeSvg('text', { class: 'type', y: 26 }, box.type),
      node.rule && makeSvg('path', { class: 'made',
        d: 'M' + round(half - 13) + ' 0H' + round(half - 5) + 'a5 5 0 0 1 5 5V13Z' }));
    this.elements.set(index, element);
    return element;
  }

  /** Draws a background behind the nodes of each kernel with several nodes. */
  drawGroups(boxes) {
    const members = new Map();
    boxes.forEach((box, v) => {
      if (box.group < 0) return;
      if (!members.has(box.group)) members.set(box.group, []);
      members.get(box.group).push(v);
    });
    const rim = [];
    const inner = [];
    for (const group of members.values()) {
      if (group.length < 2) continue;
      const own = new Set(group);
      for (const v of group) {
        const { x, y, width } = this.layout.vertices[v];
        const box = (pad) => makeSvg('rect', { x: round(x - width / 2 - pad), y: y - pad,
          width: round(width + 2 * pad), height: NODE_HEIGHT + 2 * pad, rx: pad + 4 });
        rim.push(box(6));
        inner.push(box(5));
        for (const edge of this.layout.vertices[v].down) {
          if (!own.has(edge.to)) continue;
          const d = this.paths.segment(v, edge.to);
          rim.push(makeSvg('path', { d, 'stroke-width': 30 }));
          inner.push(makeSvg('path', { d, 'stroke-width': 28 }));
        }
      }
    }
    return makeSvg('g', { class: 'groups' }, makeSvg('g', { class: 'rim' }, rim),
      makeSvg('g', { class: 'ground' }, inner));
  }

  /** Colours nodes by kind of op, or by the cost of their kernel. */
  paint() {
    for (const [index, element] of this.elements || []) {
      const node = this.side.nodes[index];
      const kernel = this.side.kernels[node.kernel];
      let look = 'kind-' + kindOf(node.label);
      if (this.colour === 'cost') {
        const share = kernel && this.slowest ? (kernel.seconds || 0) / this.slowest : -1;
        look = share < 0 ? 'kind-source' : 'heat-' + Math.min(5, Math.floor(Math.sqrt(share) * 6));
      }
      element.setAttribute('class', 'node ' + look);
    }
    this.mark(this.hits, this.focus);
  }

  /** Highlights a set of nodes (null: none), and the edges of one (-1: none). */
  mark(hits, focus) {
    this.hits = hits;
    this.focus = focus;
    if (!this.layout) return;
    const one = focus !== undefined && focus >= 0;
    this.svg.classList.toggle('dim', Boolean(hits && hits.size && !one));
    for (const [index, element] of this.elements) {
      element.classList.toggle('hit', Boolean(hits && hits.has(index)));
      element.classList.toggle('focus', index === focus);
    }
    clear(this.traced);
    if (focus === undefined || !this.at.has(focus)) return;
    const v = this.at.get(focus);
    this.traced.append(makeSvg('path', { class: 'out', d: this.paths.outOf(v) }));
    for (const input of new Set(this.side.nodes[focus].inputs)) {
      if (!this.at.has(input)) continue;
      this.traced.append(makeSvg('path', { class: 'in',
        d: this.paths.between(this.at.get(input), v) }));
    }
  }

  /** Moves the window so that it contains all of these nodes. */
  reveal(set) {
    if (!this.layout) return;
    let box = null;
    for (const index of set) {
      if (!this.at.has(index)) continue;
      const { x, y, width } = this.layout.vertices[this.at.get(index)];
      box = box || [x, y, x, y];
      box = [Math.min(box[0], x - width / 2), Math.min(box[1], y),
        Math.max(box[2], x + width / 2), Math.max(box[3], y + NODE_HEIGHT)];
    }
    if (box) this.port.reveal(...box);
  }

  /** Marks one of the highlighted nodes. */
  point(index) {
    for (const [own, element] of this.elements) element.classList.toggle('focus', own === index);
    this.reveal([index]);
  }

  hover(event) {
    const index = this.nodeOf(event.target);
    if (index < 0 || event.buttons) {
      this.hideTip();
      return;
    }
    const node = this.side.nodes[index];
    const kernel = this.side.kernels[node.kernel];
    clear(this.tip).append(make('b', {}, node.label), make('div', {}, shortType(node.type)));
    if (kernel) {
      this.tip.append(make('div', {}, formatSeconds(kernel.seconds) + ' in kernel ' +
        node.kernel + ', ' + kernel.name));
    }
    if (node.rule) this.tip.append(make('div', { class: 'rule' }, node.rule));
    this.tip.hidden = false;
    const frame = this.element.getBoundingClientRect();
    const box = event.target.closest('g.node').getBoundingClientRect();
    const left = box.left - frame.left + box.width / 2 - this.tip.offsetWidth / 2;
    const over = box.bottom - frame.top + 8 + this.tip.offsetHeight > frame.height;
    this.tip.style.left =
      Math.max(4, Math.min(left, frame.width - this.tip.offsetWidth - 4)) + 'px';
    this.tip.style.top = (over ? box.top - frame.top - this.tip.offsetHeight - 8
      : box.bottom - frame.top + 8) + 'px';
  }

  hideTip() {
    this.tip.hidden = true;
  }

  redraw() {
    this.drawn = false;
    this.draw();
  }
}
