// SPDX-License-Identifier: Apache-2.0
// Draws findings and marks above the rows of their lane, the selected item, and its arrows.

function paintMarks(context, timeline, band) {
  const { lane } = band;
  const top = timeline.topOf(band);
  let before = -Infinity;
  for (let i = lowerBound(lane.markTimes, view.begin); i < lane.marks.length && lane.markTimes[i] <= view.end; i++) {
    const x = timeline.xOf(lane.markTimes[i]);
    const isFinding = trace.instants.what[lane.marks[i]] === 1;
    if (x - before < 2 && !isFinding) continue;
    before = x;
    if (isFinding) diamond(context, x, top + 5, 4.5, theme.colours.finding);
    else triangle(context, x, top + 2, 3, theme.colours["text-faint"]);
  }
}

function diamond(context, x, y, size, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}

function triangle(context, x, y, size, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x - size, y);
  context.lineTo(x + size, y);
  context.lineTo(x, y + 2 * size);
  context.fill();
}

function paintSelection(context, timeline) {
  for (const [from, to] of arrowsOf(app.selection).slice(0, kMostArrows)) paintArrow(context, timeline, from, to);
  if (!app.selection) return;
  const box = timeline.boxOf(app.selection);
  if (!box) return;
  const left = Math.max(box.left, timeline.area.left - 5);
  const right = Math.min(Math.max(box.right, box.left + 3), timeline.area.right + 5);
  context.strokeStyle = theme.colours.ground;
  context.lineWidth = 4;
  context.strokeRect(left - 0.5, box.top - 0.5, right - left + 1, box.height + 1);
  context.strokeStyle = theme.colours.select;
  context.lineWidth = 2;
  context.strokeRect(left - 0.5, box.top - 0.5, right - left + 1, box.height + 1);
}

const kMostArrows = 200;

// Pairs of {item, time}: from the call to its work, from the record to the wait.
function arrowsOf(item) {
  if (!item) return [];
  if (item.table === "calls") {
    return worksOfCall(item.index).map((work) => submitArrow(item.index, work)).filter((pair) => pair);
  }
  if (item.table !== "works") return [];
  const arrows = [];
  const call = callOfWork(item.index);
  if (call >= 0) {
    const arrow = submitArrow(call, item.index);
    if (arrow) arrows.push(arrow);
  }
  const marker = trace.works.marker[item.index];
  const record = recordOfMarker.get(marker);
  if (marker && record !== undefined) {
    const isRecord = record === item.index;
    const waits = isRecord ? waitsOfMarker.get(marker) ?? [] : [item.index];
    for (const wait of waits) {
      arrows.push([{ item: { table: "works", index: record }, time: trace.works.end[record] },
        { item: { table: "works", index: wait }, time: trace.works.end[wait] }]);
    }
  }
  return arrows;
}

function submitArrow(call, work) {
  if (trace.works.stream[work] < 0) return null;  // executed within the call
  const time = Math.min(Math.max(trace.works.begin[work] - trace.works.queued[work], trace.calls.begin[call]),
    trace.calls.end[call]);
  return [{ item: { table: "calls", index: call }, time },
    { item: { table: "works", index: work }, time: trace.works.begin[work] }];
}

function paintArrow(context, timeline, from, to) {
  const start = timeline.boxOf(from.item);
  const stop = timeline.boxOf(to.item);
  if (!start || !stop) return;
  const x0 = timeline.xOf(from.time);
  const x1 = timeline.xOf(to.time);
  const isDown = stop.top > start.top;
  const y0 = isDown ? start.top + start.height : start.top;
  const y1 = isDown ? stop.top : stop.top + stop.height;
  const bend = Math.max(14, Math.abs(y1 - y0) * 0.45) * (isDown ? 1 : -1);
  const stroke = () => {
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
    context.stroke();
  };
  context.lineWidth = 3.5;
  context.strokeStyle = theme.colours.ground;
  stroke();
  context.lineWidth = 1.4;
  context.strokeStyle = theme.colours.select;
  stroke();
  triangle(context, x1, y1 - (isDown ? 6 : -6), isDown ? 3.2 : -3.2, theme.colours.select);
}
