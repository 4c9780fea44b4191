// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Draws memory over the run: each kernel is a step as wide as its predicted
// time.

class MemoryChart {
  constructor(data, selection) {
    this.data = data;
    this.selection = selection;
    this.known = SIDES.filter((side) => data[side].memory_bytes.length);
    this.timed = this.known.every((side) => data[side].seconds > 0 &&
      data[side].memory_bytes.length === data[side].kernels.length);
    this.svg = makeSvg('svg', { role: 'img', 'aria-label': 'memory in use over the run' });
    this.reading = make('p', { class: 'reading soft' }, '\u00a0');
    this.element = make('div', { class: 'memory' }, this.svg, this.reading);
    if (!this.known.length) {
      clear(this.element).append(make('p', { class: 'soft' }, 'Memory was not planned.'));
      return;
    }
    this.steps = {};
    for (const side of this.known) this.steps[side] = this.makeSteps(data[side]);
    this.svg.addEventListener('mousemove', (event) => this.read(event, false));
    this.svg.addEventListener('click', (event) => this.read(event, true));
    this.svg.addEventListener('mouseleave', () => {
      this.reading.textContent = '\u00a0';
      this.cursor.setAttribute('visibility', 'hidden');
    });
    selection.listen((value) => this.showKernel(value));
    this.draw();
  }

  makeSteps(side) {
    let at = 0;
    return side.memory_bytes.map((bytes, i) => {
      const start = at;
      at += this.timed ? side.kernels[i].seconds || 0 : 1;
      return { start, end: at, bytes };
    });
  }

  draw() {
    const width = 1000;
    const height = 230;
    const [left, top, right, bottom] = [62, 26, 12, 30];
    const ends = this.known.map((side) => this.steps[side][this.steps[side].length - 1].end);
    this.last = Math.max(...ends) || 1;
    const peak = Math.max(...this.known.map((side) => this.data[side].peak_bytes)) || 1;
    this.x = (at) => left + (width - left - right) * at / this.last;
    const y = (bytes) => height - bottom - (height - top - bottom) * bytes / peak;
    this.svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    this.svg.append(makeSvg('title', {}, 'memory in use over the run'));
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      this.svg.append(makeSvg('path', { class: 'grid',
        d: 'M' + left + ' ' + round(y(share * peak)) + 'H' + (width - right) }),
      makeSvg('text', { class: 'tick', x: left - 8, y: round(y(share * peak) + 4),
        'text-anchor': 'end' }, formatBytes(Math.round(share * peak))));
      this.svg.append(makeSvg('text', { class: 'tick', y: height - bottom + 18,
        x: round(this.x(share * this.last)), 'text-anchor': share === 1 ? 'end' : 'middle' },
      this.timed ? formatSeconds(share * this.last) : String(Math.round(share * this.last))));
    }
    this.marks = makeSvg('g', {});
    this.svg.append(this.marks);
    for (const side of this.known) this.drawSide(side, y);
    this.cursor = makeSvg('path', { class: 'cursor', visibility: 'hidden',
      d: 'M0 ' + top + 'V' + (height - bottom) });
    this.svg.append(this.cursor);
    this.top = top;
    this.bottom = height - bottom;
  }

  drawSide(side, y) {
    const steps = this.steps[side];
    let line = '';
    steps.forEach((step, i) => {
      line += (i ? 'V' : 'M' + round(this.x(step.start)) + ' ') + round(y(step.bytes)) +
        'H' + round(this.x(step.end));
    });
    const area = 'M' + round(this.x(0)) + ' ' + round(y(0)) + 'V' + line.replace(/^M\S+ /, '') +
      'V' + round(y(0)) + 'Z';
    const highest = steps.findIndex((step) => step.bytes === this.data[side].peak_bytes);
    const at = (this.x(steps[highest].start) + this.x(steps[highest].end)) / 2;
    const high = y(steps[highest].bytes);
    const anchor = at > 800 ? 'end' : at < 200 ? 'start' : 'middle';
    // If two peaks are at the same place, move the label of the first one
    // aside.
    const shift = this.peaks === undefined || Math.abs(this.peaks[0] - at) > 190 ||
      Math.abs(this.peaks[1] - high) > 16 ? 0 : this.peaks[0] > at ? -190 : 190;
    this.peaks = [at, high];
    this.svg.append(makeSvg('g', { class: side },
      makeSvg('path', { class: 'area', d: area }), makeSvg('path', { class: 'line', d: line }),
      makeSvg('circle', { cx: round(at), cy: round(high), r: 4 }),
      makeSvg('text', { x: round(at + shift), y: round(high - 9), 'text-anchor': anchor },
        side + ': ' + formatBytes(steps[highest].bytes) + ', kernel ' + highest)));
  }

  read(event, choose) {
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * 1000 / box.width;
    const at = (x - this.x(0)) / (this.x(this.last) - this.x(0)) * this.last;
    const parts = [];
    let chosen = null;
    for (const side of this.known) {
      const i = this.steps[side].findIndex((step) => at >= step.start && at < step.end);
      if (i < 0) continue;
      const kernel = this.data[side].kernels[i];
      parts.push(side + ': ' + formatBytes(this.steps[side][i].bytes) + ' in kernel ' + i +
        (kernel ? ', ' + kernel.name : ''));
      if (kernel) chosen = [side, i];
    }
    this.reading.textContent = parts.join(' \u00b7 ') || '\u00a0';
    this.cursor.setAttribute('transform', 'translate(' + round(x) + ' 0)');
    this.cursor.setAttribute('visibility', parts.length ? 'visible' : 'hidden');
    if (choose && chosen) this.selection.kernel(chosen[0], chosen[1], 'memory');
  }

  showKernel(value) {
    clear(this.marks);
    if (!value || value.what !== 'kernel' || !this.steps[value.side]) return;
    const step = this.steps[value.side][value.index];
    if (!step) return;
    this.marks.append(makeSvg('rect', { class: 'mark', x: round(this.x(step.start)), y: this.top,
      width: Math.max(2, round(this.x(step.end) - this.x(step.start))),
      height: this.bottom - this.top }));
  }
}
