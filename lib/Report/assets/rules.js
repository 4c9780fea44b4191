// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Shows the rules that fired, with their statements and proofs.

function makeRules(data, selection) {
  if (!data.rules.length) {
    return makeSection('rules', 'Rules', null,
      make('p', { class: 'soft' }, 'No rule fired.'));
  }
  const rows = new Map();
  const body = make('tbody', {}, data.rules.map((rule) => makeRule(rule, data, selection, rows)));
  selection.listen((value, from) => {
    const name = !value ? null : value.what === 'rule' ? value.name
      : value.what === 'node' ? data[value.side].nodes[value.index].rule : null;
    for (const [own, row] of rows) row.classList.toggle('chosen', own === name);
    if (name && from === 'detail' && value.what === 'rule' && rows.has(name)) {
      rows.get(name).scrollIntoView({ block: 'nearest' });
    }
  });
  const all = make('button', { type: 'button', onclick: () => {
    const texts = body.querySelectorAll('details');
    const open = [...texts].some((text) => !text.open);
    texts.forEach((text) => { text.open = open; });
  } }, 'open or close all');
  return makeSection('rules', 'Rules', all, make('div', { class: 'scroll' },
    make('table', { class: 'rules' },
      make('thead', {}, make('tr', {},
        ['rule', 'fired', 'nodes', 'proof', 'floats', 'conditions'].map((name) =>
          make('th', { scope: 'col', class: name === 'fired' || name === 'nodes' ? 'number' : null },
            name)))),
      body)));
}

function makeRule(rule, data, selection, rows) {
  const count = SIDES.map((side) => data[side].nodes.filter((n) => n.rule === rule.name).length);
  const proved = rule.status === 'proved';
  const row = make('tr', { class: 'rule' },
    make('td', {}, link(rule.name, () => selection.rule(rule.name, 'rules'))),
    make('td', { class: 'number' }, formatCount(rule.count)),
    make('td', { class: 'number', title: 'nodes before that it took, nodes after that it made' },
      count[0] ? formatCount(count[0]) + ' \u2192 ' + formatCount(count[1]) : formatCount(count[1])),
    make('td', {}, make('span', { class: proved ? 'badge good' : 'badge bad' },
      rule.status || 'no proof'), rule.solver && [' ', make('small', {}, rule.solver)]),
    make('td', {}, rule.float ? make('span', { class: 'badge' }, rule.float) : ''),
    make('td', { class: 'conditions' }, rule.conditions.length
      ? rule.conditions.map((condition) => make('code', {}, condition))
      : make('span', { class: 'soft' }, 'none')));
  rows.set(rule.name, row);
  if (!rule.statement) return [row];
  return [row, make('tr', { class: 'statement' }, make('td', { colspan: 6 },
    make('details', {}, make('summary', {}, 'statement'), make('pre', {}, rule.statement))))];
}
