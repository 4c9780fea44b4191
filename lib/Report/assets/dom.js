// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Creates elements and formats numbers. Names come from models, so text is only
// inserted as text nodes.

function fill(element, attributes, children) {
  for (const name of Object.keys(attributes || {})) {
    const value = attributes[name];
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  for (const child of children.flat(2)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

const make = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

const makeSvg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

function clear(element) {
  while (element.firstChild) element.firstChild.remove();
  return element;
}

const isNumber = (value) => typeof value === 'number' && isFinite(value);

function scaled(value, units, base) {
  let unit = 0;
  let size = Math.abs(value);
  while (unit + 1 < units.length && size >= base) {
    size /= base;
    ++unit;
  }
  const digits = size >= 100 || Number.isInteger(size) ? 0 : size >= 10 ? 1 : 2;
  return (value < 0 ? '\u2212' : '') + size.toFixed(digits) + ' ' + units[unit];
}

function formatSeconds(seconds) {
  if (!isNumber(seconds)) return 'not known';
  if (seconds === 0) return '0';
  return scaled(seconds * 1e9, ['ns', '\u00b5s', 'ms', 's'], 1000);
}

function formatBytes(bytes) {
  if (!isNumber(bytes)) return 'not known';
  return scaled(bytes, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024);
}

function formatPercent(share) {
  if (!isNumber(share)) return '';
  const percent = Math.abs(share) * 100;
  const digits = percent >= 10 || percent === 0 ? 0 : 1;
  return (share < 0 ? '\u2212' : '') + percent.toFixed(digits) + ' %';
}

/** Formats a difference, with its sign. */
function formatSigned(value, format) {
  return (value > 0 ? '+' : '') + format(value);
}

const formatCount = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');

const plural = (count, word) => formatCount(count) + ' ' + word + (count === 1 ? '' : 's');

/** A group of buttons of which one is pressed; calls `choose` with its name. */
function makeChoice(label, names, chosen, choose) {
  const buttons = names.map((name) => make('button', {
    type: 'button', 'aria-pressed': String(name === chosen),
    onclick: () => press(name),
  }, name));
  function press(name) {
    buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(names[i] === name)));
    choose(name);
  }
  const box = make('span', { class: 'choice', role: 'group', 'aria-label': label }, buttons);
  box.press = press;
  return box;
}

/** A section with a heading, and elements beside the heading. */
function makeSection(id, title, aside, ...children) {
  return make('section', { id, 'aria-labelledby': id + '-title' },
    make('div', { class: 'head' }, make('h2', { id: id + '-title' }, title), aside),
    children);
}
