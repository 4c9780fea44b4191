// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Keeps the selection, and its details panel. All parts of the page listen for
// changes; `from` tells which part made the choice, so that only the others
// move.

const SIDES = ['before', 'after'];

class Selection {
  constructor(data) {
    this.data = data;
    this.listeners = [];
    this.now = null;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(value, from) {
    this.now = value;
    for (const listener of this.listeners) listener(value, from);
  }

  clear() {
    this.set(null, null);
  }

  matching(test) {
    const sets = {};
    for (const side of SIDES) {
      sets[side] = new Set();
      this.data[side].nodes.forEach((node, i) => {
        if (test(node, side, i)) sets[side].add(i);
      });
    }
    return sets;
  }

  rule(name, from) {
    this.set({ what: 'rule', name, nodes: this.matching((n) => n.rule === name) }, from);
  }

  kernel(side, index, from) {
    this.set({ what: 'kernel', side, index,
      nodes: this.matching((n, s) => s === side && n.kernel === index) }, from);
  }

  node(side, index, from) {
    this.set({ what: 'node', side, index,
      nodes: this.matching((n, s, i) => s === side && i === index) }, from);
  }

  search(text, from) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) {
      this.clear();
      return;
    }
    this.set({ what: 'search', name: text, nodes: this.matching((n) =>
      [n.label, n.detail, n.type, n.rule || ''].some((s) => s.toLowerCase().includes(wanted))),
    }, from);
  }
}

const link = (text, action) => make('button', { type: 'button', class: 'link', onclick: action }, text);

function makeTerms(kernel) {
  return kernel.parts.map((part) =>
    [make('dt', {}, part.name), make('dd', {}, formatSeconds(part.seconds))]);
}

class DetailPanel {
  constructor(selection) {
    this.selection = selection;
    this.element = make('aside', { class: 'detail', 'aria-live': 'polite' });
    selection.listen((value) => this.show(value));
    this.show(null);
  }

  show(value) {
    clear(this.element);
    if (!value) {
      this.element.append(make('p', { class: 'soft' },
        'Select a node, a rule or a kernel. Wheel or + and \u2212 zoom, drag or arrows move, ' +
        'F fits, Esc ends a selection.'));
      return;
    }
    this.element.append(make('button', { type: 'button', class: 'close', 'aria-label': 'end selection',
      onclick: () => this.selection.clear() }, '\u00d7'));
    const kinds = { node: () => this.showNode(value), kernel: () => this.showKernel(value),
      rule: () => this.showSet('Rule', value), search: () => this.showSet('Search', value) };
    kinds[value.what]();
  }

  title(kind, name) {
    this.element.append(make('p', { class: 'kicker' }, kind), make('h3', {}, name));
  }

  showSet(kind, value) {
    const { before, after } = value.nodes;
    this.title(kind, value.name);
    const rule = this.selection.data.rules.find((r) => r.name === value.name);
    if (value.what === 'rule' && rule) {
      this.element.append(make('p', {}, 'fired ' + plural(rule.count, 'time')));
    }
    this.element.append(make('p', {}, plural(before.size, 'node') + ' before, ' +
      plural(after.size, 'node') + ' after'));
    for (const side of SIDES) this.list(side, side, [...value.nodes[side]]);
  }

  showNode(value) {
    const side = this.selection.data[value.side];
    const node = side.nodes[value.index];
    this.title('Node ' + value.index + ', ' + value.side, node.label);
    const facts = make('dl', {});
    const add = (name, content) => content && facts.append(make('dt', {}, name), make('dd', {}, content));
    add('type', make('code', {}, node.type));
    add('attributes', node.detail && make('code', {}, node.detail));
    add('rule', node.rule && link(node.rule, () => this.selection.rule(node.rule, 'detail')));
    const kernel = side.kernels[node.kernel];
    if (kernel) {
      add('kernel', link(node.kernel + ', ' + kernel.name,
        () => this.selection.kernel(value.side, node.kernel, 'detail')));
      add('its time', formatSeconds(kernel.seconds) +
        (kernel.measured ? ', measured' : ', roofline'));
      facts.append(...makeTerms(kernel).flat());
    } else add('kernel', 'none: no work at run time');
    this.element.append(facts);
    this.list('reads', value.side, node.inputs);
    const readers = [];
    side.nodes.forEach((n, i) => {
      if (n.inputs.includes(value.index)) readers.push(i);
    });
    this.list('read by', value.side, readers);
  }

  showKernel(value) {
    const side = this.selection.data[value.side];
    const kernel = side.kernels[value.index];
    this.title('Kernel ' + value.index + ', ' + value.side, kernel.name);
    this.element.append(make('dl', {},
      kernel.detail && [make('dt', {}, 'shapes'), make('dd', {}, make('code', {}, kernel.detail))],
      make('dt', {}, 'time'), make('dd', {}, formatSeconds(kernel.seconds)),
      make('dt', {}, 'from'), make('dd', {}, kernel.measured ? 'measurement' : 'roofline'),
      makeTerms(kernel).flat(),
      isNumber(side.memory_bytes[value.index]) && [make('dt', {}, 'memory'),
        make('dd', {}, formatBytes(side.memory_bytes[value.index]))]));
    this.list('runs', value.side, [...value.nodes[value.side]]);
  }

  list(heading, side, indices) {
    if (!indices.length) return;
    const most = 30;
    const nodes = this.selection.data[side].nodes;
    this.element.append(make('p', { class: 'kicker' }, heading), make('ul', {},
      indices.slice(0, most).map((i) => make('li', {},
        link(nodes[i].label, () => this.selection.node(side, i, 'detail')), ' ',
        make('small', {}, shortType(nodes[i].type)))),
      indices.length > most && make('li', { class: 'soft' },
        'and ' + formatCount(indices.length - most) + ' more')));
  }
}
