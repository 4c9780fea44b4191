// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Assembles the page.

/** Normalizes the data for the rest of the script. */
function tidy(data) {
  for (const name of SIDES) {
    const side = data[name];
    side.nodes.forEach((node, i) => {
      node.inputs = node.inputs.filter((input) => input < i);
      if (node.kernel === null || !side.kernels[node.kernel]) node.kernel = -1;
    });
    for (const kernel of side.kernels) {
      const parts = kernel.terms.filter((term) => term.seconds > 0);
      const rest = (kernel.seconds || 0) - parts.reduce((sum, part) => sum + part.seconds, 0);
      if (rest > 1e-6 * kernel.seconds) {
        parts.push({ name: parts.length || !kernel.measured ? 'other' : 'measured', seconds: rest });
      }
      kernel.parts = parts;
    }
  }
  return data;
}

function makeLegend(data) {
  const kinds = new Set();
  for (const side of SIDES) data[side].nodes.forEach((node) => kinds.add(kindOf(node.label)));
  const swatch = (name, text) => make('span', {}, make('i', { class: 'swatch ' + name }), text);
  const legend = make('div', { class: 'legend' });
  legend.show = (colour) => {
    clear(legend).append(...(colour === 'kind'
      ? Object.keys(KIND_NAMES).filter((kind) => kinds.has(kind))
        .map((kind) => swatch('kind-' + kind, KIND_NAMES[kind]))
      : [make('span', {}, 'cheap ', [0, 1, 2, 3, 4, 5].map((step) =>
        make('i', { class: 'swatch heat-' + step })), 'slowest kernel'),
      swatch('kind-source', 'no kernel')]),
    swatch('shared', 'one kernel'), swatch('made', 'by a rule'));
  };
  legend.show('kind');
  return legend;
}

function makeGraphs(data, selection) {
  const views = {};
  for (const side of SIDES) {
    views[side] = new GraphView(side, data[side], (index) => {
      if (index < 0) selection.clear();
      else selection.node(side, index, 'graph');
    });
  }
  const all = SIDES.map((side) => views[side]);
  const legend = makeLegend(data);
  const stage = make('div', { class: 'stage' }, all.map((view) => view.element));
  const largest = Math.max(...SIDES.map((side) => data[side].nodes.length));
  const start = largest <= 60 ? 'both' : 'after';
  stage.classList.toggle('low', largest <= 12);
  const show = (name) => {
    stage.dataset.shown = name;
    for (const side of SIDES) {
      const visible = name === 'both' || name === side;
      views[side].element.hidden = !visible;
      // Redraw graphs that were drawn for another width.
      if (visible && views[side].drawnFor !== name) {
        views[side].drawnFor = name;
        views[side].redraw();
      }
    }
  };
  const shown = makeChoice('graphs', ['before', 'after', 'both'], start, show);
  const visible = () => all.filter((view) => !view.element.hidden);
  const weights = SIDES.some((side) => data[side].nodes.some(isWeight)) &&
    make('label', {}, make('input', { type: 'checkbox', onchange: (event) => {
      for (const view of all) {
        view.showWeights = event.target.checked;
        view.drawnFor = null;
      }
      show(stage.dataset.shown);
    } }), ' weights');
  const found = make('output', { class: 'soft' });
  const search = makeSearch(data, selection, found, (side, index) => {
    if (views[side].element.hidden) shown.press(side);
    views[side].point(index);
  });
  const button = (text, title, act) => make('button', { type: 'button', title,
    'aria-label': title, onclick: () => visible().forEach((view) => act(view.port)) }, text);
  const bar = make('div', { class: 'toolbar' }, shown,
    makeChoice('colours', ['kind', 'cost'], 'kind', (colour) => {
      all.forEach((view) => { view.colour = colour; view.paint(); });
      legend.show(colour);
    }), weights,
    make('span', { class: 'choice' }, button('+', 'zoom in', (port) => port.zoom(1.25)),
      button('\u2212', 'zoom out', (port) => port.zoom(0.8)),
      button('fit', 'fit', (port) => port.fit())),
    search, found);
  selection.listen((value, from) => {
    for (const side of SIDES) {
      views[side].mark(value && value.nodes[side],
        value && value.what === 'node' && value.side === side ? value.index : -1);
    }
    if (!value || from === 'graph' || from === 'search') return;
    const have = SIDES.filter((side) => value.nodes[side].size);
    if (have.length && !have.some((side) => !views[side].element.hidden)) shown.press(have[0]);
    visible().forEach((view) => view.reveal(value.nodes[view.name]));
    stage.scrollIntoView({ block: 'nearest' });
  });
  const section = makeSection('graphs', 'Graph', bar, legend,
    make('div', { class: 'graphs' }, stage, new DetailPanel(selection).element));
  section.start = () => show(start);
  return section;
}

function makeSearch(data, selection, found, go) {
  let hits = [];
  let at = -1;
  const field = make('input', { type: 'search', placeholder: 'search ops', 'aria-label': 'search ops',
    oninput: () => {
      selection.search(field.value, 'search');
      const now = selection.now;
      hits = now ? SIDES.flatMap((side) => [...now.nodes[side]].map((i) => [side, i])) : [];
      // Matches in the visible graph come first.
      const sight = (hit) => (document.querySelector('.stage').dataset.shown === 'before') === (hit[0] === 'before');
      hits.sort((a, b) => sight(b) - sight(a));
      at = -1;
      found.textContent = now ? now.nodes.before.size + ' before, ' + now.nodes.after.size + ' after' : '';
    },
    onkeydown: (event) => {
      if (event.key !== 'Enter' || !hits.length) return;
      at = (at + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
      go(...hits[at]);
      found.textContent = (at + 1) + ' of ' + hits.length;
    } });
  selection.listen((value) => {
    if (value && value.what === 'search') return;
    found.textContent = '';
    field.value = '';
    hits = [];
  });
  return field;
}

function start() {
  const data = tidy(JSON.parse(document.getElementById('report-data').textContent));
  const selection = new Selection(data);
  const graphs = makeGraphs(data, selection);
  const table = new KernelTable(data, selection);
  document.getElementById('report').append(
    ...makeSummary(data), graphs, makeRules(data, selection),
    ...makePlacement(data),
    makeSection('costs', 'Predicted cost', null, makeTotals(data),
      make('h3', {}, 'Biggest changes'), makeChanges(data, selection)),
    makeSection('kernels', 'Kernels', table.choice, table.box),
    makeSection('memory', 'Memory', make('span', { class: 'legend' },
      SIDES.map((side) => make('span', {}, make('i', { class: 'swatch line ' + side }), side))),
    new MemoryChart(data, selection).element));
  graphs.start();
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') selection.clear();
    if (event.key === '/' && !/INPUT|TEXTAREA/.test(event.target.tagName)) {
      event.preventDefault();
      document.querySelector('input[type=search]').focus();
    }
  });
}

start();
