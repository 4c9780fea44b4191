// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Shows which backend runs each kernel, and the alternatives.

function makePlanFacts(placement) {
  const fact = (name, ...value) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, value));
  const measured = placement.kernels.filter((kernel) => kernel.basis === 'measured').length;
  const missing = placement.missing.reduce((sum, kernel) => sum + kernel.count, 0);
  return make('table', { class: 'facts' }, make('tbody', {},
    fact('plan', make('b', {}, placement.plan), ': ' + placement.reason),
    fact('sum of kernels', formatSeconds(placement.seconds)),
    fact('predicted run', formatSeconds(placement.predicted_run_seconds),
      placement.learned_from ? ', as learned from ' + plural(placement.learned_from, 'run') + ' of other graphs'
        : ', the sum itself: no runs of other graphs were measured'),
    fact('measured', formatCount(measured) + ' of ' + plural(placement.kernels.length, 'kernel')),
    missing > 0 && fact('not in the costs', make('details', {},
      make('summary', {}, plural(missing, 'kernel')),
      make('ul', {}, placement.missing.map((kernel) => make('li', { title: kernel.kernel },
        (kernel.count > 1 ? kernel.count + ' \u00d7 ' : '') + kernel.name)))))));
}

function makePlans(placement) {
  if (!placement.plans.length) return null;
  return make('div', { class: 'scroll' }, make('table', { class: 'plans' },
    make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'plan'),
      ['sum of kernels', 'measured run'].map((name) =>
        make('th', { scope: 'col', class: 'number' }, name)))),
    make('tbody', {}, placement.plans.map((plan) =>
      make('tr', { class: plan.plan === placement.plan ? 'chosen' : null },
        make('td', {}, plan.plan),
        make('td', { class: 'number' }, formatSeconds(plan.seconds)),
        make('td', { class: 'number' }, plan.run_seconds === null ? '\u2013'
          : formatSeconds(plan.run_seconds)))))));
}

class PlacementTable {
  constructor(placement) {
    this.kernels = placement.kernels;
    this.key = 'seconds';
    this.upward = false;
    this.all = false;
    this.box = make('div', { class: 'scroll' });
    this.draw();
  }

  sorted() {
    const order = this.kernels.map((kernel, i) => i);
    const value = { number: (i) => i, backend: (i) => this.kernels[i].backend,
      pattern: (i) => this.kernels[i].pattern, from: (i) => this.kernels[i].from,
      seconds: (i) => this.kernels[i].seconds || 0, basis: (i) => this.kernels[i].basis,
      instead: (i) => this.kernels[i].instead || '',
      extra: (i) => (isNumber(this.kernels[i].extra_seconds) ? this.kernels[i].extra_seconds : Infinity),
    }[this.key];
    const sign = this.upward ? 1 : -1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return order.sort((a, b) => sign * compare(value(a), value(b)) || a - b);
  }

  draw() {
    const most = 16;
    const order = this.sorted();
    const header = (key, name, kind) => make('th', { scope: 'col', class: kind,
      'aria-sort': this.key === key ? (this.upward ? 'ascending' : 'descending') : null },
    link(name, () => {
      this.upward = this.key === key ? !this.upward : key !== 'seconds' && key !== 'extra';
      this.key = key;
      this.draw();
    }));
    const row = (i) => {
      const kernel = this.kernels[i];
      return make('tr', {},
        make('td', { class: 'number soft' }, String(i)),
        make('td', {}, kernel.backend),
        make('td', { class: 'name' }, kernel.pattern,
          make('small', { title: kernel.detail }, kernel.detail)),
        make('td', { class: 'name' }, kernel.from),
        make('td', { class: 'number' }, formatSeconds(kernel.seconds)),
        make('td', {}, make('span', { class: kernel.basis === 'measured' ? 'badge good' : 'badge' },
          kernel.basis)),
        make('td', { class: 'name' }, kernel.instead || make('span', { class: 'soft' }, 'nothing else')),
        make('td', { class: 'number' }, isNumber(kernel.extra_seconds)
          ? formatSigned(kernel.extra_seconds, formatSeconds) : ''));
    };
    clear(this.box).append(make('table', { class: 'kernels' },
      make('thead', {}, make('tr', {}, header('number', '#', 'number'), header('backend', 'backend'),
        header('pattern', 'pattern'), header('from', 'from'), header('seconds', 'time', 'number'),
        header('basis', 'basis'), header('instead', 'instead'), header('extra', 'would add', 'number'))),
      make('tbody', {}, (this.all ? order : order.slice(0, most)).map(row))));
    if (order.length > most) {
      this.box.append(link(this.all ? 'show the first ' + most : 'show all ' + formatCount(order.length),
        () => {
          this.all = !this.all;
          this.draw();
        }));
    }
  }
}

function makePlacement(data) {
  if (!data.placement) return [];
  return [makeSection('placement', 'Placement', null,
    make('div', { class: 'columns' }, makePlanFacts(data.placement), makePlans(data.placement)),
    make('h3', {}, 'Kernels that run, and what would instead'), new PlacementTable(data.placement).box)];
}
