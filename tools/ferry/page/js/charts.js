// SPDX-License-Identifier: Apache-2.0
// Values over time: bandwidth by direction, bytes in flight, device memory.

const kBandwidthHeight = 70;
const kStepsHeight = 40;

// Copies sorted by begin, for the bandwidth.
const copies = (() => {
  const { works } = trace;
  const index = [];
  for (let i = 0; i < works.count; i++) {
    if (works.direction[i] > 0 && works.bytes[i] > 0 && !works.unfinished[i]) index.push(i);
  }
  index.sort((a, b) => works.begin[a] - works.begin[b]);
  return makeRow("works", index);
})();

// Bytes that were moved in each of `count` equal parts of the time from `from` to `to`, by category.
// A copy is spread evenly over its duration: its rate is added where it begins and taken away where it ends.
function bandwidth(from, to, count, isShown) {
  const step = (to - from) / count;
  const sums = kCopyCategories.map(() => new Float64Array(count));
  const slopes = kCopyCategories.map(() => new Float64Array(count + 1));
  const { bytes } = trace.works;
  const first = lowerBound(copies.reach, from);
  for (let i = first; i < copies.begin.length && copies.begin[i] < to; i++) {
    const work = copies.index[i];
    if (copies.end[i] < from || !isShown[work]) continue;
    addCopy(sums[copies.category[i]], slopes[copies.category[i]], bytes[work],
      (copies.begin[i] - from) / step, (copies.end[i] - from) / step);
  }
  for (let category = 0; category < sums.length; category++) {
    let rate = 0;
    for (let i = 0; i < count; i++) {
      rate += slopes[category][i];
      sums[category][i] += rate;
      if (sums[category][i] < 0) sums[category][i] = 0;  // rounding
    }
  }
  return { step, sums };
}

// `begin` and `end` count parts. Whole parts in between get the rate through `slope`.
function addCopy(sum, slope, bytes, begin, end) {
  const count = sum.length;
  const firstPart = Math.floor(begin);
  const lastPart = Math.floor(end);
  if (firstPart === lastPart) {
    if (firstPart >= 0 && firstPart < count) sum[firstPart] += bytes;
    return;
  }
  const rate = bytes / (end - begin);
  if (firstPart >= 0) sum[firstPart] += rate * (firstPart + 1 - begin);
  if (lastPart < count) sum[lastPart] += rate * (end - lastPart);
  slope[Math.max(0, firstPart + 1)] += rate;
  slope[Math.min(count, lastPart)] -= rate;
}

// Steps: {time, value}, both Float64Array; the value holds from its time on.
function bytesInFlight(device) {
  const { works } = trace;
  const events = [];
  for (let i = 0; i < works.count; i++) {
    if (works.direction[i] === 0 || works.stream[i] < 0 || works.device[i] !== device) continue;
    events.push([works.begin[i] - works.queued[i], works.bytes[i]], [works.end[i], -works.bytes[i]]);
  }
  events.sort((a, b) => a[0] - b[0]);
  const time = Float64Array.from(events, (event) => event[0]);
  const value = new Float64Array(events.length);
  let sum = 0;
  events.forEach((event, i) => {
    sum += event[1];
    value[i] = sum;
  });
  return { time, value };
}

function makeCharts() {
  const charts = copies.index.length
    ? [{ kind: "bandwidth", title: "Bandwidth", device: -1, height: kBandwidthHeight }] : [];
  const devices = new Set(lanes.filter((lane) => lane.device >= 0).map((lane) => lane.device));
  for (const device of devices) {
    const flight = bytesInFlight(device);
    if (flight.time.length) {
      charts.push({ kind: "steps", title: "Bytes in flight", device, height: kStepsHeight, ...flight });
    }
  }
  for (const { device, time, bytes } of trace.device_memory) {
    if (!time.length) continue;
    charts.push({ kind: "steps", title: "Device memory", device, height: kStepsHeight, time, value: bytes });
  }
  for (const chart of charts) if (chart.value) chart.peak = chart.value.reduce((a, b) => Math.max(a, b), 0);
  return charts;
}

// The number of the last step at or before a time; -1: none.
function stepAt(chart, time) {
  let index = lowerBound(chart.time, time);
  while (index < chart.time.length && chart.time[index] === time) index++;
  return index - 1;
}

// A round number that is not below.
function niceCeiling(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 1.5, 2, 3, 4, 5, 6, 8]) if (factor * power >= value) return factor * power;
  return 10 * power;
}
