/* Part of the Tenon project, Apache-2.0 WITH LLVM-exception. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("timeline");
const tip = document.getElementById("tip");
const kinds = ["forward", "backward", "backward_input", "backward_weight", "sum"];
const letters = ["F", "B", "I", "W", "sum"];
const labelWidth = 132, axisHeight = 24;
const rowHeight = data.lanes.length > 128 ? 12 : data.lanes.length > 48 ? 18 : 26;
let from = 0, to = data.seconds;

/* Times with three digits, in a unit that fits. */
function showTime(seconds) {
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["us", 1e-6]])
    if (Math.abs(seconds) >= size) return Number((seconds / size).toPrecision(3)) + " " + unit;
  return Number((seconds / 1e-9).toPrecision(3)) + " ns";
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function place(seconds) {
  return labelWidth + (seconds - from) / (to - from) * (canvas.clientWidth - labelWidth);
}

function timeAt(x) {
  return from + (x - labelWidth) / (canvas.clientWidth - labelWidth) * (to - from);
}

function drawAxis(context, width, height) {
  const span = to - from, raw = span / Math.max(2, (width - labelWidth) / 110);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(f => f * power).find(f => f >= raw);
  context.textAlign = "center";
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const x = place(t);
    context.fillStyle = color("--line");
    context.fillRect(x, axisHeight - 6, 1, height);
    context.fillStyle = color("--soft");
    if (x > labelWidth + 20) context.fillText(t === 0 ? "0" : showTime(t), x, 12);
  }
}

function drawLane(context, lane, y, width) {
  const colors = ["--compute", "--made", "--launch", "--measured", "--better"].map(color);
  const paper = color("--paper");
  let drawn = -1;
  for (const [begin, end, kind, stage, number] of lane.tasks) {
    if (end < from || begin > to) continue;
    const left = Math.max(place(begin), labelWidth), right = Math.min(place(end), width);
    /* What is narrower than a pixel is drawn once. */
    if (right - left < 0.7 && right <= drawn) continue;
    drawn = Math.max(right, left + 0.7);
    context.fillStyle = colors[kind];
    context.fillRect(left, y + 1, Math.max(0.7, right - left - (right - left > 3 ? 1 : 0)), rowHeight - 3);
    const text = letters[kind] + (kind === 4 ? "" : number);
    if (rowHeight > 16 && right - left > 7 * text.length + 6) {
      context.fillStyle = paper;
      context.textAlign = "center";
      context.fillText(text, (left + right) / 2, y + rowHeight / 2 + 3);
    }
  }
}

function draw() {
  const width = canvas.clientWidth, height = axisHeight + data.lanes.length * rowHeight;
  const ratio = Math.min(window.devicePixelRatio || 1, 16000 / height);
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  drawAxis(context, width, height);
  data.lanes.forEach((lane, number) => {
    const y = axisHeight + number * rowHeight;
    context.fillStyle = color("--fill");
    context.fillRect(labelWidth, y + 1, width - labelWidth, rowHeight - 3);
    if (rowHeight > 11) {
      context.textAlign = "left";
      context.fillStyle = color("--ink");
      context.fillText(lane.name, 0, y + rowHeight / 2 + 3, labelWidth - 8);
    }
    drawLane(context, lane, y, width);
  });
  if (document.getElementById("messages").checked) drawMessages(context, width);
}

function drawMessages(context, width) {
  context.lineWidth = 1;
  for (const [sender, receiver, begin, end, isGradient] of data.messages) {
    if (end < from || begin > to) continue;
    context.strokeStyle = color(isGradient ? "--made" : "--accent");
    context.beginPath();
    context.moveTo(Math.max(labelWidth, place(begin)), axisHeight + (sender + 0.5) * rowHeight);
    context.lineTo(Math.min(width, place(end)), axisHeight + (receiver + 0.5) * rowHeight);
    context.stroke();
  }
}

function zoom(factor, x) {
  const center = timeAt(x), span = Math.min(data.seconds, (to - from) * factor);
  const share = (center - from) / (to - from);
  from = Math.max(0, Math.min(data.seconds - span, center - share * span));
  to = from + span;
  draw();
}

function shift(seconds) {
  const span = to - from;
  from = Math.max(0, Math.min(data.seconds - span, from + seconds));
  to = from + span;
  draw();
}

function find(x, y) {
  const lane = data.lanes[Math.floor((y - axisHeight) / rowHeight)], t = timeAt(x);
  return lane && x > labelWidth ? [lane, lane.tasks.find(task => task[0] <= t && t < task[1])] : [];
}

canvas.addEventListener("wheel", event => {
  if (!event.ctrlKey && !event.shiftKey) return;
  event.preventDefault();
  zoom(event.deltaY > 0 ? 1.25 : 0.8, event.offsetX);
}, { passive: false });
let dragged = null;
canvas.addEventListener("pointerdown", event => {
  dragged = event.clientX;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => { dragged = null; });
canvas.addEventListener("pointermove", event => {
  if (dragged !== null) {
    shift((dragged - event.clientX) / (canvas.clientWidth - labelWidth) * (to - from));
    dragged = event.clientX;
  }
  const [lane, task] = find(event.offsetX, event.offsetY);
  tip.hidden = !task;
  if (!task) return;
  const [begin, end, kind, stage, number] = task;
  const size = data.stages[stage].microBatch;
  tip.textContent = lane.name + ", stage " + stage + ": " + kinds[kind].replace("_", " ") +
    (kind === 4 ? " of gradients" : " of micro-batch " + number + " (samples " + number * size + " to " +
      ((number + 1) * size - 1) + ")") + ", " + showTime(begin) + " + " + showTime(end - begin);
  tip.style.left = Math.min(event.pageX + 12, window.innerWidth - 320) + "px";
  tip.style.top = event.pageY + 14 + "px";
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("keydown", event => {
  const middle = (labelWidth + canvas.clientWidth) / 2;
  if (event.key === "+") zoom(0.8, middle);
  else if (event.key === "-") zoom(1.25, middle);
  else if (event.key === "ArrowLeft") shift((from - to) / 5);
  else if (event.key === "ArrowRight") shift((to - from) / 5);
  else return;
  event.preventDefault();
});
document.getElementById("in").addEventListener("click", () => zoom(0.5, (labelWidth + canvas.clientWidth) / 2));
document.getElementById("out").addEventListener("click", () => zoom(2, (labelWidth + canvas.clientWidth) / 2));
document.getElementById("all").addEventListener("click", () => { from = 0; to = data.seconds; draw(); });
document.getElementById("messages").addEventListener("change", draw);
window.addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();
