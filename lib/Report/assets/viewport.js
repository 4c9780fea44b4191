// Part of the Tenon project, Apache-2.0 WITH LLVM-exception.
//
// Moves the view of a drawing: wheel, drag, keys.

// Scrolling the page continues when the pointer reaches a drawing.
let lastPageScroll = -1000;
window.addEventListener('wheel', (event) => {
  if (!event.target.closest || !event.target.closest('.graph svg')) lastPageScroll = event.timeStamp;
}, { passive: true, capture: true });

class Viewport {
  constructor(svg, scene, moved) {
    this.svg = svg;
    this.scene = scene;
    this.moved = moved;
    this.content = [0, 0, 1, 1];
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.fitted = true;
    this.dragged = false;
    svg.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    svg.addEventListener('pointerdown', (event) => this.grab(event));
    svg.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(svg);
  }

  /** Size in pixels, which is also the unit of the drawing. */
  measure() {
    const box = this.svg.getBoundingClientRect();
    this.width = Math.max(100, box.width || 800);
    this.height = Math.max(100, box.height || 600);
    this.svg.setAttribute('viewBox', '0 0 ' + round(this.width) + ' ' + round(this.height));
    return { width: this.width, height: this.height };
  }

  setContent(left, top, width, height) {
    this.content = [left, top, width, height];
    this.fit();
  }

  resize() {
    // Paper has another width; the view box scales the drawing there.
    if (window.matchMedia('print').matches) return;
    const box = this.svg.getBoundingClientRect();
    if (!box.width || !box.height) return;
    this.measure();
    if (this.fitted) this.fit();
    else this.apply();
  }

  fit() {
    const [left, top, width, height] = this.content;
    this.scale = Math.min(this.width / width, this.height / height, 1.25);
    this.x = (this.width - width * this.scale) / 2 - left * this.scale;
    this.y = (this.height - height * this.scale) / 2 - top * this.scale;
    this.fitted = true;
    this.apply();
  }

  apply() {
    this.scene.setAttribute('transform',
      'translate(' + round(this.x) + ' ' + round(this.y) + ') scale(' +
      Math.round(this.scale * 1e4) / 1e4 + ')');
    this.svg.classList.toggle('far', this.scale < 0.38);
    this.svg.classList.toggle('middle', this.scale < 0.66);
    this.moved();
  }

  /** Zooms around a point of the window. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(4, Math.max(0.02, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.fitted = false;
    this.apply();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.fitted = false;
    this.apply();
  }

  reveal(left, top, right, bottom) {
    const margin = 40;
    const inside = (low, high, shift, size) =>
      low * this.scale + shift >= 0 && high * this.scale + shift <= size;
    if (this.scale > 0.6 && inside(left, right, this.x, this.width) &&
        inside(top, bottom, this.y, this.height)) return;
    this.scale = Math.min((this.width - margin) / (right - left + margin),
      (this.height - margin) / (bottom - top + margin), 1);
    this.x = this.width / 2 - (left + right) / 2 * this.scale;
    this.y = this.height / 2 - (top + bottom) / 2 * this.scale;
    this.fitted = false;
    this.apply();
  }

  wheel(event) {
    if (event.timeStamp - lastPageScroll < 300 && !event.ctrlKey) {
      lastPageScroll = event.timeStamp;
      return;
    }
    event.preventDefault();
    const box = this.svg.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const step = Math.max(-60, Math.min(60, event.deltaY * lines));
    this.zoom(Math.exp(-step * 0.004), event.clientX - box.left, event.clientY - box.top);
  }

  grab(event) {
    if (event.button !== 0) return;
    this.dragged = false;
    let x = event.clientX;
    let y = event.clientY;
    const move = (next) => {
      if (!this.dragged && Math.hypot(next.clientX - x, next.clientY - y) < 4) return;
      if (!this.dragged) {
        this.dragged = true;
        this.svg.setPointerCapture(event.pointerId);
        this.svg.classList.add('dragging');
      }
      this.pan(next.clientX - x, next.clientY - y);
      x = next.clientX;
      y = next.clientY;
    };
    const drop = () => {
      this.svg.classList.remove('dragging');
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', drop);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', drop);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60;
    const keys = {
      '+': () => this.zoom(1.25), '=': () => this.zoom(1.25), '-': () => this.zoom(0.8),
      0: () => this.fit(), f: () => this.fit(),
      ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0),
      ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step),
    };
    if (!Object.prototype.hasOwnProperty.call(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
