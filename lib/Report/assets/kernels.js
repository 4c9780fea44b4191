// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Shows the costs of kernels: sums, changes, and a table of each side.

const TERMS = ['compute', 'memory', 'launch', 'measured', 'other'];

const termClass = (name) => 'term-' + (TERMS.includes(name) ? name : 'other');

/** A bar of several parts; `whole` seconds fill the width of the cell. */
function makeBar(parts, whole, extra) {
  const bar = make('span', { class: 'bar ' + (extra || '') });
  for (const part of parts) {
    if (!(part.seconds > 0) || !(whole > 0)) continue;
    const piece = make('span', { class: termClass(part.name),
      title: part.name + ' ' + formatSeconds(part.seconds) });
    piece.style.width = 100 * part.seconds / whole + '%';
    bar.append(piece);
  }
  return bar;
}

function sumTerms(side) {
  const sums = new Map();
  for (const kernel of side.kernels) {
    for (const part of kernel.parts) sums.set(part.name, (sums.get(part.name) || 0) + part.seconds);
  }
  const rank = (name) => (TERMS.indexOf(name) + TERMS.length + 1) % (TERMS.length + 1);
  return [...sums].map(([name, seconds]) => ({ name, seconds }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

function makeTotals(data) {
  const sums = SIDES.map((side) => sumTerms(data[side]));
  const total = (parts) => parts.reduce((sum, part) => sum + part.seconds, 0);
  const whole = Math.max(...sums.map(total));
  const names = [...new Set(sums.flat().map((part) => part.name))];
  return make('table', { class: 'totals' },
    make('thead', {}, make('tr', {}, make('th', {}), make('th', { class: 'wide' }),
      make('th', { class: 'number' }, 'sum'), names.map((name) =>
        make('th', { class: 'number' }, make('i', { class: 'key ' + termClass(name) }), name)))),
    make('tbody', {}, sums.map((parts, i) => make('tr', {},
      make('th', { scope: 'row' }, SIDES[i]), make('td', { class: 'wide' }, makeBar(parts, whole, 'thick')),
      make('td', { class: 'number' }, make('b', {}, formatSeconds(total(parts)))),
      names.map((name) => {
        const part = parts.find((p) => p.name === name);
        return make('td', { class: 'number' }, part ? formatSeconds(part.seconds) : '\u2013');
      })))));
}

/**
 * Pairs differing kernels before and after by first op and shapes: a conv that
 * became a conv+relu is one change.
 */
function findChanges(data) {
  const groups = new Map();
  SIDES.forEach((side, s) => data[side].kernels.forEach((kernel, i) => {
    const key = kernel.name.split('+')[0] + '\n' + kernel.detail;
    if (!groups.has(key)) {
      groups.set(key, { names: [new Set(), new Set()], detail: kernel.detail, count: [0, 0],
        seconds: [0, 0], first: [side, i] });
    }
    const group = groups.get(key);
    ++group.count[s];
    group.names[s].add(kernel.name);
    group.seconds[s] += kernel.seconds || 0;
    if (s === 1 && group.first[0] === 'before') group.first = [side, i];
  }));
  const changes = [...groups.values()].map((group) =>
    Object.assign(group, { change: group.seconds[1] - group.seconds[0],
      name: nameChange(...group.names.map((names) => [...names].sort().join(', '))) }));
  return changes.filter((c) => c.change !== 0 || c.count[0] !== c.count[1])
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.name < b.name ? -1 : 1));
}

const nameChange = (before, after) =>
  (!before || !after || before === after ? before || after : before + ' \u2192 ' + after);

function makeChanges(data, selection) {
  const changes = findChanges(data);
  const most = 12;
  const shown = changes.slice(0, most);
  const rest = changes.slice(most).reduce((sum, change) => sum + change.change, 0);
  const widest = shown.reduce((size, c) => Math.max(size, Math.abs(c.change)), 0);
  if (!changes.length) return make('p', { class: 'soft' }, 'The same kernels before and after.');
  const row = (change) => {
    const piece = make('span', { class: change.change < 0 ? 'less' : 'more' });
    piece.style.width = (widest ? 50 * Math.abs(change.change) / widest : 0) + '%';
    return make('tr', {},
      make('td', { class: 'name' }, link(change.name,
        () => selection.kernel(change.first[0], change.first[1], 'changes')),
      make('small', { title: change.detail }, change.detail)),
      make('td', { class: 'number' }, change.count[0] + ' \u2192 ' + change.count[1]),
      make('td', { class: 'number' }, formatSeconds(change.seconds[0])),
      make('td', { class: 'number' }, formatSeconds(change.seconds[1])),
      make('td', { class: 'number' }, formatSigned(change.change, formatSeconds)),
      make('td', { class: 'wide' }, make('span', { class: 'bar two' }, piece)));
  };
  return make('div', { class: 'scroll' }, make('table', { class: 'changes' },
    make('thead', {}, make('tr', {}, make('th', {}, 'kernel'),
      ['number', 'before', 'after', 'change'].map((name) => make('th', { class: 'number' }, name)),
      make('th', { class: 'wide' }))),
    make('tbody', {}, shown.map(row), changes.length > most && make('tr', { class: 'soft' },
      make('td', { colspan: 4 }, 'and ' + plural(changes.length - most, 'smaller change')),
      make('td', { class: 'number' }, formatSigned(rest, formatSeconds)), make('td', {})))));
}

class KernelTable {
  constructor(data, selection) {
    this.data = data;
    this.selection = selection;
    this.side = 'after';
    this.key = 'seconds';
    this.upward = false;
    this.all = false;
    this.box = make('div', { class: 'scroll' });
    this.choice = makeChoice('side', SIDES, this.side, (side) => {
      this.side = side;
      this.draw();
    });
    selection.listen((value, from) => this.select(value, from));
    this.draw();
  }

  select(value, from) {
    const index = !value ? -1 : value.what === 'kernel' ? value.index
      : value.what === 'node' ? this.data[value.side].nodes[value.index].kernel : -1;
    this.chosen = index < 0 ? null : [value.side, index];
    if (this.chosen && value.side !== this.side && from !== 'kernels') {
      this.side = value.side;
      this.choice.press(value.side);
    } else this.draw();
  }

  sorted() {
    const { kernels } = this.data[this.side];
    const order = kernels.map((kernel, i) => i);
    const value = { number: (i) => i, name: (i) => kernels[i].name,
      seconds: (i) => kernels[i].seconds || 0, from: (i) => Number(kernels[i].measured) }[this.key];
    const sign = this.upward ? 1 : -1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return order.sort((a, b) => sign * compare(value(a), value(b)) || a - b);
  }

  draw() {
    const { kernels } = this.data[this.side];
    const most = 16;
    const order = this.sorted();
    let shown = this.all ? order : order.slice(0, most);
    const chosen = this.chosen && this.chosen[0] === this.side ? this.chosen[1] : -1;
    if (chosen >= 0 && !shown.includes(chosen)) shown = shown.concat([chosen]);
    const largest = SIDES.reduce((size, side) => this.data[side].kernels.reduce((m, k) =>
      Math.max(m, k.seconds || 0), size), 0);
    const total = kernels.reduce((sum, kernel) => sum + (kernel.seconds || 0), 0);
    const header = (key, name, kind) => make('th', { scope: 'col', class: kind,
      'aria-sort': this.key === key ? (this.upward ? 'ascending' : 'descending') : null },
    link(name, () => {
      this.upward = this.key === key ? !this.upward : key === 'number' || key === 'name';
      this.key = key;
      this.draw();
    }));
    const row = (i) => make('tr', { class: i === chosen ? 'chosen' : null },
      make('td', { class: 'number soft' }, String(i)),
      make('td', { class: 'name' }, link(kernels[i].name,
        () => this.selection.kernel(this.side, i, 'kernels')),
      make('small', { title: kernels[i].detail }, kernels[i].detail)),
      make('td', { class: 'number' }, formatSeconds(kernels[i].seconds)),
      make('td', { class: 'number soft' }, total ? formatPercent((kernels[i].seconds || 0) / total) : ''),
      make('td', { class: 'wide' }, makeBar(kernels[i].parts, largest)),
      make('td', {}, make('span', { class: kernels[i].measured ? 'badge good' : 'badge' },
        kernels[i].measured ? 'measured' : 'roofline')));
    if (!kernels.length) {
      clear(this.box).append(make('p', { class: 'soft' }, 'No kernels.'));
      return;
    }
    clear(this.box).append(make('table', { class: 'kernels' },
      make('thead', {}, make('tr', {}, header('number', '#', 'number'), header('name', 'kernel'),
        header('seconds', 'time', 'number'), make('th', { class: 'number' }, 'share'),
        make('th', { class: 'wide' }, 'terms'), header('from', 'from'))),
      make('tbody', {}, shown.map(row)),
      make('tfoot', {}, make('tr', {}, make('td', {}),
        make('td', {}, plural(kernels.length, 'kernel')),
        make('td', { class: 'number' }, formatSeconds(total)), make('td', { colspan: 3 })))));
    if (kernels.length > most) {
      this.box.append(link(this.all ? 'show the first ' + most : 'show all ' + formatCount(kernels.length),
        () => {
          this.all = !this.all;
          this.draw();
        }));
    }
  }
}
