// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Shows the head of the page: what the run gained, its facts, its notes.

function makeTile(title, before, after, format, remark) {
  const known = isNumber(before) && isNumber(after);
  const exact = known && before ? (after - before) / before : null;
  const change = Math.abs(exact) < 0.0005 && exact !== null ? 0 : exact;
  const tone = !change ? 'same' : change < 0 ? 'better' : 'worse';
  return make('div', { class: 'tile' },
    make('p', { class: 'kicker' }, title),
    make('p', { class: 'pair' }, make('span', { class: 'old' }, format(before)),
      make('span', { class: 'arrow', 'aria-label': 'to' }, '\u2192'),
      make('strong', {}, format(after))),
    make('p', { class: 'change ' + tone },
      change === null ? (known && after === before ? 'no change' : '')
        : change === 0 ? 'no change' : formatSigned(change, formatPercent),
      remark && make('span', { class: 'soft' }, remark)));
}

function makeSummary(data) {
  const { before, after } = data;
  const ratio = before.seconds && after.seconds ? before.seconds / after.seconds : null;
  const gain = ratio && Math.abs(ratio - 1) > 0.0005
    ? ' ' + (ratio >= 1 ? ratio : 1 / ratio).toFixed(2) + '\u00d7 ' +
      (ratio >= 1 ? 'faster' : 'slower') : null;
  const fired = data.rules.reduce((sum, rule) => sum + rule.count, 0);
  const tiles = make('div', { class: 'tiles' },
    makeTile('Predicted time', before.seconds, after.seconds, formatSeconds, gain),
    makeTile('Kernels', before.kernels.length, after.kernels.length, formatCount),
    makeTile('Peak memory', before.peak_bytes, after.peak_bytes, formatBytes),
    make('div', { class: 'tile' }, make('p', { class: 'kicker' }, 'Rules fired'),
      make('p', { class: 'pair' }, make('strong', {}, formatCount(fired)),
        make('span', { class: 'soft' }, fired === 1 ? 'time' : 'times')),
      make('p', { class: 'change' }, make('span', { class: 'soft' },
        plural(data.rules.length, 'different rule')))));
  const facts = [{ name: 'costs', value: data.costs || 'not named' },
    ...SIDES.map((side) => ({ name: 'measured ' + side, value: measuredShare(data[side]) })),
    ...data.facts];
  return [tiles, make('div', { class: 'columns' },
    make('section', { 'aria-label': 'facts' }, make('h2', {}, 'Facts'),
      make('table', { class: 'facts' }, make('tbody', {}, facts.map((fact) =>
        make('tr', {}, make('th', { scope: 'row' }, fact.name), make('td', {}, fact.value)))))),
    make('section', { 'aria-label': 'notes' }, make('h2', {}, 'Notes'),
      data.notes.length ? make('ul', { class: 'notes' }, data.notes.map((note) => make('li', {}, note)))
        : make('p', { class: 'soft' }, 'None.')))];
}

function measuredShare(side) {
  if (!side.kernels.length) return 'no kernels';
  const measured = side.kernels.filter((kernel) => kernel.measured);
  const sum = (kernels) => kernels.reduce((total, kernel) => total + (kernel.seconds || 0), 0);
  const time = sum(side.kernels);
  return formatCount(measured.length) + ' of ' + plural(side.kernels.length, 'kernel') +
    (time ? ', ' + formatPercent(sum(measured) / time) + ' of the time' : '');
}
