// SPDX-License-Identifier: Apache-2.0
// Sums over works: by direction, size class, stream and call site. Only works that have ended and that the filter shows
// count, and with a window only those that begin in it. Speeds are bytes per busy time: that in which at least one work
// executed.

const worksByBegin = Uint32Array.from(trace.works.begin.keys())
  .sort((a, b) => trace.works.begin[a] - trace.works.begin[b]);

class Total {
  constructor(key, label) {
    this.key = key;
    this.label = label;
    this.count = 0;
    this.items = 0;
    this.bytes = 0;
    this.time = 0;
    this.busy = 0;
    this.until = -Infinity;  // end of the busy time so far
    this.first = -1;  // a work
  }

  add(work) {
    const { works } = trace;
    this.count++;
    this.items += works.items[work];
    this.bytes += works.direction[work] > 0 ? works.bytes[work] : 0;
    this.time += works.end[work] - works.begin[work];
    this.busy += Math.max(0, works.end[work] - Math.max(works.begin[work], this.until));
    this.until = Math.max(this.until, works.end[work]);
    if (this.first < 0) this.first = work;
  }
}

// Size of an item as a power of two; -1: no bytes.
function sizeClass(work) {
  const size = trace.works.bytes[work] / Math.max(1, trace.works.items[work]);
  return size >= 1 ? Math.floor(Math.log2(size)) : -1;
}

function sizeClassText(power) {
  return `${bytesText(2 ** power)} to ${bytesText(2 ** (power + 1))}`;
}

function isCounted(work, window) {
  return filter.shown.works[work] === 1 && !trace.works.unfinished[work]
    && (!window || (trace.works.begin[work] >= window.begin && trace.works.begin[work] <= window.end));
}

// Sums by what `keyOf` answers for a work; works for which it answers null do not count.
function totalsBy(keyOf, labelOf, window) {
  const totals = new Map();
  for (const work of worksByBegin) {
    if (!isCounted(work, window)) continue;
    const key = keyOf(work);
    if (key === null) continue;
    let total = totals.get(key);
    if (!total) totals.set(key, total = new Total(key, labelOf(key, work)));
    total.add(work);
  }
  return [...totals.values()];
}

function totalsByDirection(window) {
  const { direction, memory, category } = trace.works;
  const totals = totalsBy((work) => (direction[work] > 0 ? direction[work] * 16 + memory[work] : null),
    (key) => `${kDirections[key >> 4]} ${kMemories[key & 15] ?? ""}`.trim(), window);
  for (const total of totals) {
    total.category = category[total.first];
    total.limit = trace.limits.find((one) => one.direction * 16 + one.memory === total.key)?.gbps ?? 0;
  }
  return totals;
}

function totalsBySize(window) {
  return totalsBy((work) => (trace.works.direction[work] > 0 && sizeClass(work) >= 0 ? sizeClass(work) : null),
    sizeClassText, window);
}

function totalsByLane(window) {
  return totalsBy((work) => laneOfItem.works[work], (lane) => {
    const { stream, device, title } = lanes[lane];
    return stream >= 0 ? `device ${device}, stream ${stream}` : `${title}, during calls`;
  }, window);
}

function totalsBySite(window) {
  return totalsBy((work) => {
    const call = callOfWork(work);
    const place = call >= 0 ? placeOfCall(call) : "";
    return `${trace.texts[trace.works.function[work]]}\n${place}`;
  }, (key) => key.split("\n"), window);
}

// Nanoseconds in which at least one of the items runs. `row`: sorted by begin.
function busyTime(row, isCountedItem) {
  let busy = 0;
  let until = -Infinity;
  for (let i = 0; i < row.begin.length; i++) {
    if (!isCountedItem(row.index[i])) continue;
    if (row.end[i] <= until) continue;
    busy += row.end[i] - Math.max(row.begin[i], until);
    until = row.end[i];
  }
  return busy;
}
